#include "auditing/small_motion.h"

#include <math.h>

#include "results/element_shape.h"

enum { NODAL_EVERY = 8, BEGIN = 4 };

/* Steps between two looks. A look costs some passes over the dofs, in modal coordinates a product with all
 * modes, of n^2 numbers, of which a hundredth of what steps do (some thousands of numbers, and tens a dof) is
 * to be spent. */
static long long steps_between(const struct sg_system *system)
{
    size_t n = system->n;
    return NODAL_EVERY + (system->modal == NULL ? 0 : (long long)(n * n / (15 + n / 10)));
}

bool sg_small_motion_is_due(const struct sg_small_motion *watch, long long step, long long since)
{
    return watch->any && (since >= watch->every || since >= 1 + step / BEGIN);
}

sg_status sg_small_motion_init(struct sg_arena *arena, struct sg_small_motion *watch,
                               const struct sg_system *system, struct sg_error *err)
{
    *watch = (struct sg_small_motion){.system = system, .every = steps_between(system)};
    watch->turn.t = watch->strain.t = NAN;
    for (size_t b = 0; b < system->names->body_count; b++)
        watch->any = watch->any || system->names->bodies[b].small_motion;
    return SG_ARENA_NEW(arena, &watch->full, system->n_full, err);
}

static void take(struct sg_small_extreme *extreme, double value, double allowed, size_t body, double t)
{
    if (value > allowed && isnan(extreme->t)) extreme->t = t;
    if (!(value > extreme->value)) return;
    extreme->value = value;
    extreme->share = value / allowed;
    extreme->body = body;
}

/* m: coordinate d of a node in the reference configuration */
static double reference(const struct sg_system *system, size_t node, size_t d)
{
    return system->labels.node_positions[node * system->labels.dim + d];
}

static double moved(const struct sg_small_motion *watch, size_t node, size_t d)
{
    return watch->full[watch->system->first_dof[node] + d];
}

struct means {
    double place[3], way[3]; /* m: of a body's nodes */
};

static struct means means_of(const struct sg_small_motion *watch, const struct sg_model_body *body)
{
    struct means means = {{0.0}, {0.0}};
    for (size_t k = body->first; k < body->first + body->count; k++)
        for (size_t d = 0; d < watch->system->dim; d++) {
            means.place[d] += reference(watch->system, k, d) / (double)body->count;
            means.way[d] += moved(watch, k, d) / (double)body->count;
        }
    return means;
}

/* rad: the turn in the plane of axes a and b that takes the reference to the present, least squares */
static double turn_in_plane(const struct sg_small_motion *watch, const struct sg_model_body *body, size_t a,
                            size_t b)
{
    struct means means = means_of(watch, body);
    double cross = 0.0, dot = 0.0;
    for (size_t k = body->first; k < body->first + body->count; k++) {
        double xa = reference(watch->system, k, a) - means.place[a],
               xb = reference(watch->system, k, b) - means.place[b];
        double ua = moved(watch, k, a) - means.way[a], ub = moved(watch, k, b) - means.way[b];
        cross += xa * ub - xb * ua;
        dot += xa * (xa + ua) + xb * (xb + ub);
    }
    return cross == 0.0 ? 0.0 : fabs(atan2(cross, dot));
}

static void see_turns(struct sg_small_motion *watch, size_t index, double t)
{
    const struct sg_model_body *body = &watch->system->names->bodies[index];
    size_t dim = watch->system->dim;
    for (size_t a = 0; a < dim; a++)
        for (size_t b = a + 1; b < dim; b++)
            take(&watch->turn, turn_in_plane(watch, body, a, b), SG_SMALL_TURN, index, t);
}

/* 1: the change of the distance of two nodes over what it was */
static double strain_between(const struct sg_small_motion *watch, size_t i, size_t j)
{
    double before = 0.0, change = 0.0;
    for (size_t d = 0; d < watch->system->dim; d++) {
        double x = reference(watch->system, j, d) - reference(watch->system, i, d),
               u = moved(watch, j, d) - moved(watch, i, d);
        before += x * x;
        change += u * (2.0 * x + u); /* of the square, without cancellation */
    }
    return before > 0.0 ? fabs(change) / (before * (1.0 + sqrt(fmax(0.0, 1.0 + change / before)))) : 0.0;
}

static void see_strains(struct sg_small_motion *watch, double t)
{
    const struct sg_model_labels *labels = &watch->system->labels;
    for (size_t e = 0; e < labels->element_count; e++) {
        const int *node = labels->element_nodes + e * labels->element_width;
        size_t count = sg_element_shape_nodes((enum sg_element_shape)labels->element_shapes[e]);
        size_t body = (size_t)labels->node_bodies[node[0]];
        if (!watch->system->names->bodies[body].small_motion) continue;
        for (size_t k = 0; k < count; k++) {
            double strain = strain_between(watch, (size_t)node[k], (size_t)node[(k + 1) % count]);
            take(&watch->strain, strain, SG_SMALL_STRAIN, body, t);
        }
    }
}

void sg_small_motion_see(struct sg_small_motion *watch, double t, const double *u)
{
    sg_system_expand(watch->system, u, t, 0, watch->full);
    for (size_t b = 0; b < watch->system->names->body_count; b++)
        if (watch->system->names->bodies[b].small_motion) see_turns(watch, b, t);
    see_strains(watch, t);
}

void sg_small_motion_archive(struct sg_small_motion *watch, struct sg_archive *archive)
{
    SG_ARCHIVE(archive, watch->turn);
    SG_ARCHIVE(archive, watch->strain);
}
