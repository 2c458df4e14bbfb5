/* Lines and words of a mesh file; for the reader's own files. Every function that returns a status writes the
 * fault before it gives SG_BAD_DECK. */
#ifndef SG_FORMATS_GMSH_LINES_H
#define SG_FORMATS_GMSH_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/gmsh_mesh.h"
#include "support/status.h"

#define SG_GMSH_EXPORT "Gmsh writes what is read here by: gmsh -2 -format msh41 MODEL.geo -o MODEL.msh"

struct sg_gmsh_lines {
    char *next, *end; /* what is not read yet */
    char *word;       /* rest of the line at hand */
    size_t number;    /* of the line at hand, from 1 */
    const char *section;
    struct sg_gmsh_fault *fault;
};

/* The fault, at a line; SG_BAD_DECK. */
sg_status sg_gmsh_fault_at(struct sg_gmsh_fault *fault, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same at the line at hand. */
sg_status sg_gmsh_fault_here(struct sg_gmsh_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a hint to the fault and gives back the status. */
sg_status sg_gmsh_hint(struct sg_gmsh_fault *fault, sg_status status, const char *hint);

/* the next line that is not blank; false at the end of the file */
bool sg_gmsh_next_line(struct sg_gmsh_lines *lines);

/* the same inside a section, where the end of the file or of the section is a fault: `what` was due */
sg_status sg_gmsh_due_line(struct sg_gmsh_lines *lines, const char *what);

/* $EndNodes ... of the section */
sg_status sg_gmsh_end_section(struct sg_gmsh_lines *lines);

/* the next word of the line as a number; `what` it is */
sg_status sg_gmsh_size(struct sg_gmsh_lines *lines, const char *what, size_t *value);
sg_status sg_gmsh_integer(struct sg_gmsh_lines *lines, const char *what, int *value);
sg_status sg_gmsh_real(struct sg_gmsh_lines *lines, const char *what, double *value);

/* a size that counts records of at least `bytes` bytes each, which the rest of the file must be able to hold
 */
sg_status sg_gmsh_count(struct sg_gmsh_lines *lines, const char *what, size_t bytes, size_t *value);

/* the line must be over */
sg_status sg_gmsh_end_line(struct sg_gmsh_lines *lines, const char *what);

/* one printable word, cut; `shown` is what is returned */
enum { SG_GMSH_WORD = 64 };
const char *sg_gmsh_show(const char *word, char shown[SG_GMSH_WORD]);

#endif
