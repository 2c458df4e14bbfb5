/* The model's keyword tables, for the grammar of a deck. */
#ifndef SG_ASSEMBLY_KEYWORDS_H
#define SG_ASSEMBLY_KEYWORDS_H

#include "deck/keyword.h"

extern const struct sg_kind_set sg_body_kinds;       /* bodies: list */
extern const struct sg_keyword sg_support_rows[];    /* supports: list */
extern const struct sg_kind_set sg_element_kinds;    /* elements: list */
extern const struct sg_kind_set sg_load_kinds;       /* loads: list */
extern const struct sg_kind_set sg_constraint_kinds; /* constraints: list */
extern const struct sg_keyword sg_initial_rows[];    /* initial: list */
extern const struct sg_keyword sg_damping_rows[];    /* damping: group */

#endif
