/* Exact average motion of a cradle of B identical elastic bars in a row between two rigid walls.
 *
 * Gaps between bars are g0, gaps to the walls G0; bar 1 starts with velocity v0 towards the others,
 * which rest. The bars obey the wave equation without gravity. With t_W = L / c0, and g0, G0 > v0 t_W so
 * that contacts never overlap, d'Alembert gives for a contact closed at t_c, with s = t - t_c in
 * [0, 2 t_W] and v_c = +-v0 (increments from t_c on):
 *
 *     bar/bar, bar that strikes:  <v> = v_c (1 - s / 2 t_W),   <u> = v_c s (1 - s / 4 t_W)
 *     bar/bar, bar that is hit:   <v> = v_c s / 2 t_W,         <u> = v_c s^2 / 4 t_W
 *     bar/wall:                   <v> = v_c (1 - s / t_W),     <u> = v_c s (1 - s / 2 t_W)
 *
 * after which momentum is handed over whole, and both bars are free of vibration. One period is 2 B
 * contacts: 1/2 .. (B-1)/B, B/wall, B/(B-1) .. 2/1, 1/wall. After Depouhon, Detournay and Denoel,
 * equations (36) to (42), composed here from the geometry, which corrects two of them. */
#ifndef SG_BENCHMARKS_EXACT_CRADLE_H
#define SG_BENCHMARKS_EXACT_CRADLE_H

#include <stddef.h>

#include "support/status.h"

struct sg_cradle_spec {
    size_t bars;       /* B >= 2 */
    double speed;      /* m/s, v0 > 0 */
    double wall_gap;   /* m, G0 */
    double bar_gap;    /* m, g0 */
    double length;     /* m, L */
    double wave_speed; /* m/s, c0 */
};

struct sg_cradle {
    struct sg_cradle_spec spec;
    double transit; /* s, t_W */
    double period;  /* s, T = 4 G0/v0 + 2 (B-1) g0/v0 + 2 (B+1) t_W */
};

/* One contact phase. Interfaces are numbered along the row: 0 is wall/1, b is b/(b+1), B is B/wall. */
struct sg_cradle_contact {
    size_t interface;
    size_t striking;      /* bar 0 .. B-1 that brings the momentum */
    size_t struck;        /* bar that takes it; the same as `striking` at a wall */
    double velocity;      /* m/s, v_c */
    double closes, opens; /* s */
};

struct sg_cradle_average {
    double displacement, velocity; /* m, m/s: <u>, <v> */
};

/* (v0, G0, g0, L, c0) = (.05, .125, .075, 1, 1), B = 5: T = 34 s */
struct sg_cradle_spec sg_cradle_benchmark(void);

/* SG_BAD_DECK for fewer than two bars, a quantity that is not positive, or a gap <= v0 t_W. */
sg_status sg_cradle_init(const struct sg_cradle_spec *spec, struct sg_cradle *cradle, struct sg_error *err);

/* The contact number k = 0, 1, ... of the motion; 2 B of them a period. */
struct sg_cradle_contact sg_cradle_contact(const struct sg_cradle *cradle, size_t k);

/* Average over bar b = 0 .. B-1 at t >= 0. */
struct sg_cradle_average sg_cradle_at(const struct sg_cradle *cradle, size_t b, double t);

/* Equation (46): mean over the bars of |d<u>| / sqrt(g0 G0) + |d<v>| / v0, where d is the difference
 * between `computed` (B averages at t) and the exact ones. */
double sg_cradle_error(const struct sg_cradle *cradle, double t, const struct sg_cradle_average *computed);

#endif
