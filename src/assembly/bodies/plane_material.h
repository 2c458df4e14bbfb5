/* The words of a deck for the material of plane elements, shared by the bodies that are made of them. */
#ifndef SG_ASSEMBLY_BODIES_PLANE_MATERIAL_H
#define SG_ASSEMBLY_BODIES_PLANE_MATERIAL_H

#include <math.h>

#include "deck/deck.h"
#include "model/plane_element.h"

struct sg_plane_words {
    double modulus, poisson, density, thickness;
    int state;
};

/* Rows of a table whose spec struct has a struct sg_plane_words at `base`; `need`: SG_REQUIRED or SG_OPTIONAL
 * for what has no default. */
#define SG_PLANE_MATERIAL_ROWS(base, need)                                                                   \
    {.name = "modulus",                                                                                      \
     .type = SG_REAL,                                                                                        \
     .unit = "Pa",                                                                                           \
     .meaning = "Young's modulus",                                                                           \
     .example = "2.1e11",                                                                                    \
     .flags = (need),                                                                                        \
     .range = SG_POSITIVE,                                                                                   \
     .offset = (base) + offsetof(struct sg_plane_words, modulus)},                                           \
        {.name = "poisson",                                                                                  \
         .type = SG_REAL,                                                                                    \
         .unit = "1",                                                                                        \
         .meaning = "Poisson's ratio",                                                                       \
         .example = "0.3",                                                                                   \
         .flags = (need),                                                                                    \
         .range = {-1, 0.5, true, false, true},                                                              \
         .offset = (base) + offsetof(struct sg_plane_words, poisson)},                                       \
        {.name = "density",                                                                                  \
         .type = SG_REAL,                                                                                    \
         .unit = "kg/m^3",                                                                                   \
         .meaning = "mass density",                                                                          \
         .example = "7800.0",                                                                                \
         .flags = (need),                                                                                    \
         .range = SG_POSITIVE,                                                                               \
         .offset = (base) + offsetof(struct sg_plane_words, density)},                                       \
        {.name = "thickness",                                                                                \
         .type = SG_REAL,                                                                                    \
         .unit = "m",                                                                                        \
         .meaning = "across the plane",                                                                      \
         .fallback = "1.0",                                                                                  \
         .range = SG_POSITIVE,                                                                               \
         .offset = (base) + offsetof(struct sg_plane_words, thickness)},                                     \
    {                                                                                                        \
        .name = "state", .type = SG_CHOICE,                                                                  \
        .meaning = "plane stress (a thin sheet) or plane strain (a slice of a long body)",                   \
        .fallback = "\"strain\"", .choices = "strain|stress",                                                \
        .offset = (base) + offsetof(struct sg_plane_words, state)                                            \
    }

struct sg_plane_material sg_plane_material_of(const struct sg_plane_words *words);

/* findings about a material that the rows alone can't judge */
void sg_plane_material_check(const struct sg_setting *node, const struct sg_plane_words *words,
                             struct sg_diagnostics *diagnostics);

#endif
