/* The response of the end state of a step to impulses in the contacts: columns X = D W of velocities, and
 * the Delassus operator H = W^T X, kept as long as the step, the normals and the system stay.
 *
 * Contact j has `rows` rows: its normal, then its tangents. Vectors of impulses and matrices of a list of
 * contacts are packed in the order of the list, contact by contact. */
#ifndef SG_STRATEGIES_TIME_STEPPING_RESPONSE_H
#define SG_STRATEGIES_TIME_STEPPING_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/contact_set.h"
#include "integrators/integrator.h"
#include "strategies/contact_groups.h"
#include "strategies/time_stepping/bilateral.h"
#include "support/archive.h"
#include "support/arena.h"
#include "support/status.h"

/* What is there of the cache. A resumed run makes again what the run before had: that is no work of the run.
 */
enum sg_response_part { SG_RESPONSE_NONE, SG_RESPONSE_THERE, SG_RESPONSE_WAS_THERE };

struct sg_response {
    struct sg_integrator *integrator;
    struct sg_phase *phase;
    const struct sg_contact_frame *frame;
    const struct sg_bilateral *bilateral; /* whose constraints every column keeps; NULL: none */
    double *reactions;                    /* m x total: by which impulses of theirs */
    size_t n, rows, total;                /* total = rows of all contacts */
    bool fixed;                           /* nothing but the step changes X */
    bool cached;            /* H is kept; not where D is diagonal and columns are sparse, or change */
    struct sg_kick kick;    /* that X and H are of; span.h NaN: none */
    const double *diagonal; /* n: D, where it is diagonal; else NULL */
    double *x;              /* n x total; NULL where D is diagonal */
    double *column;         /* n: scratch, zero where D is diagonal */
    double *h;              /* total x total, if cached; so the next */
    unsigned char *have_x;  /* total: columns of x, of enum sg_response_part */
    unsigned char *have_h;  /* total x total: entries of h, likewise */
    unsigned char *touched; /* total: columns of have_h that are not all 0 */
};

/* The cache is made for these, out of the arena's memory; `first` is the usual step. */
struct sg_response_spec {
    struct sg_integrator *integrator;
    struct sg_phase *phase;
    const struct sg_contact_set *contacts;
    const struct sg_contact_frame *frame;
    const struct sg_bilateral *bilateral; /* or NULL; is made ready before questions are asked */
    struct sg_kick first;
};
sg_status sg_response_init(struct sg_arena *arena, struct sg_response *response,
                           const struct sg_response_spec *spec, struct sg_error *err);

/* notes what is there, and, loading, what was there */
void sg_response_archive(struct sg_response *response, struct sg_archive *store);

/* Before the first question about a step, an iterate or a frame: forgets what may have changed. */
sg_status sg_response_begin(struct sg_response *response, struct sg_kick kick, struct sg_error *err);

/* H of the contacts in the list into `h`: (count rows)^2, column-major */
sg_status sg_response_delassus(struct sg_response *response, struct sg_contact_list list, double *h,
                               struct sg_error *err);

/* X r; r: count rows, packed. After sg_response_delassus of the same list. The jump holds that of another
 * list before, or 0. */
void sg_response_velocity(const struct sg_response *response, struct sg_contact_list list, const double *r,
                          struct sg_velocity_jump *jump);

/* mu (m) += the constraints' part in the impulses r of the list */
void sg_response_add_reactions(const struct sg_response *response, struct sg_contact_list list,
                               const double *r, double *mu);

/* w . x of row k (0: normal) of contact j */
double sg_response_row_dot(const struct sg_contact_frame *frame, size_t j, size_t k, size_t rows,
                           const double *x);

#endif
