#include "auditing/balance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "auditing/crossing.h"

/* All of the first steps are watched, fewer of large models, then WINDOW of every PERIOD. */
enum { FIRST = 1024, FEWEST = 64, FIRST_DOFS = 128 * FIRST, PERIOD = 1024, WINDOW = 32 };

static long long first_steps(size_t n)
{
    if (n * FIRST <= FIRST_DOFS) return FIRST;
    return n * FEWEST >= FIRST_DOFS ? FEWEST : FIRST_DOFS / (long long)n;
}

static bool is_watched(const struct sg_balance_watch *watch, long long step)
{
    return step <= watch->first || step % PERIOD < WINDOW;
}

/* --- creation ------------------------------------------------------------------------------------- */

/* In modal coordinates M is the identity: what M r gives is r. */
static void set_directions(struct sg_balance_watch *watch)
{
    const struct sg_system *system = watch->system;
    if (system->modal != NULL) {
        memcpy(watch->direction, system->momentum, watch->n * system->dim * sizeof(double));
        return;
    }
    for (size_t i = 0; i < watch->n; i++) {
        size_t axis = sg_system_axis(system, i);
        if (axis < system->dim) watch->direction[i + axis * watch->n] = 1.0;
    }
}

static void set_center(struct sg_balance_watch *watch)
{
    const struct sg_model_labels *labels = &watch->system->labels;
    for (size_t k = 0; k < labels->node_count; k++)
        for (size_t d = 0; d < labels->dim; d++)
            watch->center[d] += labels->node_positions[k * labels->dim + d] / (double)labels->node_count;
}

static sg_status allocate(struct sg_arena *arena, struct sg_balance_watch *watch, struct sg_error *err)
{
    const struct sg_system *system = watch->system;
    double **const of_n[] = {&watch->u0,           &watch->v0,      &watch->momentum0, &watch->force0,
                             &watch->momentum1,    &watch->force1,  &watch->middle_u,  &watch->middle_v,
                             &watch->middle_force, &watch->defect,  &watch->simpson,   &watch->inner,
                             &watch->load,         &watch->drift,   &watch->way,       &watch->unresolved,
                             &watch->jump0,        &watch->mobility};
    double **const of_q[] = {&watch->gap0, &watch->contact0, &watch->impulse0};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) TRY(SG_ARENA_NEW(arena, of_n[k], watch->n, err));
    for (size_t k = 0; k < sizeof of_q / sizeof *of_q; k++) TRY(SG_ARENA_NEW(arena, of_q[k], watch->q, err));
    TRY(SG_ARENA_NEW(arena, &watch->direction, watch->n * system->dim, err));
    TRY(SG_ARENA_NEW(arena, &watch->constraint0, watch->m, err));
    return SG_ARENA_NEW(arena, &watch->place, system->n_full, err);
}

sg_status sg_balance_watch_init(struct sg_arena *arena, struct sg_balance_watch *watch,
                                const struct sg_system *system, const struct sg_contact_set *contacts,
                                const double *length, struct sg_error *err)
{
    *watch = (struct sg_balance_watch){.system = system,
                                       .contacts = contacts,
                                       .n = system->n,
                                       .q = contacts->q,
                                       .m = system->constraints.count,
                                       .tangents = contacts->tangents,
                                       .length = length,
                                       .first = first_steps(system->n)};
    TRY(allocate(arena, watch, err));
    set_directions(watch);
    for (size_t i = 0; i < watch->n; i++) {
        double mass = sg_matrix_entry(&system->M, i, i);
        watch->mobility[i] = mass > 0.0 ? length[i] / mass : 0.0;
    }
    set_center(watch);
    TRY(sg_contact_frame_init(&watch->frame, contacts, err));
    return sg_constraint_frame_init(&watch->held, system, err);
}

void sg_balance_watch_release(struct sg_balance_watch *watch)
{
    sg_contact_frame_release(&watch->frame);
    sg_constraint_frame_release(&watch->held);
}

/* --- windows -------------------------------------------------------------------------------------- */

static void open_window(struct sg_balance_watch *watch)
{
    size_t bytes = watch->n * sizeof(double);
    memset(watch->drift, 0, bytes);
    memset(watch->way, 0, bytes);
    memset(watch->unresolved, 0, bytes);
    memset(watch->jump0, 0, bytes);
    memset(watch->sum, 0, sizeof watch->sum);
    memset(watch->largest, 0, sizeof watch->largest);
    memset(watch->exchanged, 0, sizeof watch->exchanged);
    memset(watch->carried, 0, sizeof watch->carried);
    watch->window_steps = 0;
    watch->window_time = 0.0;
}

static void take_share(struct sg_balance_share *worst, double defect, double scale, double t)
{
    double share = defect > 0.0 ? defect / scale : 0.0;
    if (share > worst->share) *worst = (struct sg_balance_share){defect, scale, share, t};
}

/* the smaller of what both rules leave, over all directions first .. first + 2 */
static double smaller(const struct sg_balance_watch *watch, size_t first)
{
    double left[2] = {0.0, 0.0};
    for (size_t rule = 0; rule < 2; rule++)
        for (size_t k = first; k < first + 3; k++) left[rule] = fmax(left[rule], watch->largest[rule][k]);
    return fmin(left[0], left[1]);
}

/* A body that stands still has no way: what would be one is a thousandth of what its loads would do with it.
 */
static void judge_integral(struct sg_balance_watch *watch, double t)
{
    double way = 5e-4 * watch->acceleration * watch->window_time * watch->window_time, most = 0.0;
    for (size_t i = 0; i < watch->n; i++) way = fmax(way, watch->way[i] * watch->length[i]);
    for (size_t i = 0; i < watch->n; i++) {
        double drift = fabs(watch->drift[i]) * watch->length[i],
               unresolved = watch->unresolved[i] * watch->length[i];
        if (drift - unresolved <= most) continue;
        most = drift - unresolved;
        double share = drift / fmax(way, drift);
        if (share - unresolved / fmax(way, drift) <= watch->integral.share - watch->integral_limit) continue;
        watch->integral = (struct sg_balance_share){drift, way, share, t};
        watch->integral_limit = unresolved / fmax(way, drift);
    }
}

void sg_balance_watch_end(struct sg_balance_watch *watch)
{
    if (watch->window_steps == 0) return;
    take_share(&watch->along, smaller(watch, 0), watch->exchanged[0] + watch->carried[0], watch->t0);
    take_share(&watch->about, smaller(watch, 3), watch->exchanged[1] + watch->carried[1], watch->t0);
    judge_integral(watch, watch->t0);
    watch->window_steps = 0;
}

/* --- steps ---------------------------------------------------------------------------------------- */

void sg_balance_watch_step(struct sg_balance_watch *watch, const struct sg_snapshot *now)
{
    bool watched = watch->holding, next = is_watched(watch, watch->steps + 1);
    if (watched) {
        if (watch->window_steps == 0) open_window(watch);
        sg_balance_cross(watch, now);
        watch->window_steps++;
        watch->watched++;
    }
    if (next) sg_balance_keep(watch, now, watched);
    watch->holding = next;
    if (watched && !next) sg_balance_watch_end(watch);
    watch->steps++;
}

void sg_balance_watch_archive(struct sg_balance_watch *watch, struct sg_archive *archive)
{
    double *const of_n[] = {watch->u0,    watch->v0,  watch->momentum0,  watch->force0,
                            watch->drift, watch->way, watch->unresolved, watch->jump0};
    double *const of_q[] = {watch->gap0, watch->contact0, watch->impulse0};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
        sg_archive_bytes(archive, of_n[k], watch->n * sizeof(double));
    for (size_t k = 0; k < sizeof of_q / sizeof *of_q; k++)
        sg_archive_bytes(archive, of_q[k], watch->q * sizeof(double));
    sg_archive_bytes(archive, watch->constraint0, watch->m * sizeof(double));
    SG_ARCHIVE(archive, watch->t0);
    SG_ARCHIVE(archive, watch->velocity_time0);
    SG_ARCHIVE(archive, watch->holding);
    SG_ARCHIVE(archive, watch->sum);
    SG_ARCHIVE(archive, watch->largest);
    SG_ARCHIVE(archive, watch->exchanged);
    SG_ARCHIVE(archive, watch->carried);
    SG_ARCHIVE(archive, watch->window_steps);
    SG_ARCHIVE(archive, watch->window_time);
    SG_ARCHIVE(archive, watch->acceleration);
    SG_ARCHIVE(archive, watch->steps);
    SG_ARCHIVE(archive, watch->watched);
    SG_ARCHIVE(archive, watch->along);
    SG_ARCHIVE(archive, watch->about);
    SG_ARCHIVE(archive, watch->integral);
    SG_ARCHIVE(archive, watch->integral_limit);
    SG_ARCHIVE(archive, watch->constraint_position);
    SG_ARCHIVE(archive, watch->constraint_velocity);
    SG_ARCHIVE(archive, watch->constraint_position_at);
    SG_ARCHIVE(archive, watch->constraint_velocity_at);
    SG_ARCHIVE(archive, watch->speed);
}
