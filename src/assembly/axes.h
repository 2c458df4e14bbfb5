/* Letters that choose among the dofs of a node: "xy", "r". */
#ifndef SG_ASSEMBLY_AXES_H
#define SG_ASSEMBLY_AXES_H

#include <stdbool.h>
#include <stddef.h>

enum { SG_AXIS_LETTERS = 4 }; /* x, y, z, and r of a rotation */

/* meant[k] of letter k of "xyzr"; false where `text` is empty, repeats a letter, or has one that is not of
 * `known`. */
bool sg_axes_read(const char *text, const char *known, bool meant[SG_AXIS_LETTERS]);

#endif
