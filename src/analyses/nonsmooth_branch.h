/* A family of periodic orbits on one mesh: how its first orbit is found, how it is followed, and where it
 * ends. */
#ifndef SG_ANALYSES_NONSMOOTH_BRANCH_H
#define SG_ANALYSES_NONSMOOTH_BRANCH_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/nonsmooth_search.h"
#include "analyses/orbit_measure.h"
#include "analyses/orbit_model.h"
#include "support/archive.h"
#include "support/arena.h"
#include "support/status.h"

/* why a branch was left */
enum sg_branch_end {
    SG_BRANCH_GOES_ON,
    SG_BRANCH_GRAZES, /* a gap turns back at 0: beyond, the orbit has another sequence of contacts */
    SG_BRANCH_LOST,   /* Newton's method finds none beyond, however near: a fold, or a basin too small */
    SG_BRANCH_NONE,   /* no orbit was found at this frequency, by any way */
    SG_BRANCH_ENDS
};

enum { SG_FILTER_AUTO = 0, SG_FILTER_MOST = 64 };

/* The family that is followed, and how */
struct sg_branch_rule {
    size_t mode;     /* linear mode that the branch belongs to, from 0 */
    size_t filter;   /* modes that take part, at most n; SG_FILTER_AUTO: chosen at each period */
    size_t most;     /* modes that SG_FILTER_AUTO tries, up to SG_FILTER_MOST */
    bool full;       /* shooting over the whole period */
    size_t starts;   /* most starts of Newton's method where nothing else finds an orbit */
    int newton;      /* most steps of Newton's method */
    size_t elements; /* of every bar, instead of what the deck says; 0: as it says */
};

struct sg_branch {
    struct sg_branch_rule rule;
    struct sg_orbit_model model;
    struct sg_shooter shooter;
    struct sg_orbit_monitor monitor;
    struct sg_search search;
    size_t found_by[SG_SEARCH_WAYS]; /* orbits that the ways of the search gave */
    double omega, grazing;           /* of the linear mode: rad/s, J in units of the gap */
    double side; /* 1 or -1: sign of the mode's amplitude away from the gap that it touches first */
    /* the orbit at hand, and the one before it on the branch */
    bool found, known_before;
    size_t filter;                /* that it was found with */
    double period, period_before; /* s */
    double *x, *x_before;         /* n: start by numbers of energy, zeros beyond the filter */
    double *u, *v;                /* n: start */
    double *tangent;              /* n + 1: pseudo-arclength; and whether it is known */
    bool has_tangent;
    struct sg_branch_trace {
        double period, energy;
    } trace[2];            /* SG_FILTER_AUTO: of the last two orbits chosen, the last first; 0: none */
    double stride;         /* pseudo-arclength: length of the next step */
    struct sg_shot shot;   /* how it was found */
    double *trial, *aside; /* n + 1: scratch */
};

/* */
sg_status sg_branch_init(struct sg_arena *arena, struct sg_branch *branch, const struct sg_deck *deck,
                         const struct sg_branch_rule *rule, struct sg_diagnostics *diagnostics,
                         struct sg_error *err);

/* An orbit from nothing, a function of the period alone (with SG_FILTER_AUTO orbits are judged by those
 * before, too): with one mode alone the amplitude is the root of one equation, and modes are added one by
 * one; where that leads to none, by the search of analyses/nonsmooth_search.h. branch->found tells. */
sg_status sg_branch_start(struct sg_branch *branch, double period, struct sg_error *err);

/* From the orbit at hand to another period, by steps as long as Newton's method can take; where it can't,
 * the orbit at hand is the last one found and `*end` tells why. */
sg_status sg_branch_go(struct sg_branch *branch, double period, enum sg_branch_end *end,
                       struct sg_error *err);

/* One step along the branch, of the branch's stride; `way`: 1 to longer periods at first, -1 to shorter. */
enum sg_branch_end sg_branch_stride(struct sg_branch *branch, double direction);

/* The orbit of a coarser mesh at its period, corrected on this one. branch->found tells. */
void sg_branch_refine(struct sg_branch *branch, const struct sg_branch *coarse);

/* A resumed run must know this */
void sg_branch_archive(struct sg_branch *branch, struct sg_archive *archive);

#endif
