#include "auditing/witness_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "auditing/judge.h"
#include "auditing/rebuilt.h"
#include "auditing/recorded.h"
#include "auditing/rows.h"
#include "support/constants.h"

enum { ROUNDINGS = 1000 }; /* within which a gap counts as none */

enum {
    DISPLACEMENT,
    VELOCITY,
    GAP,
    FORCE,
    IMPULSE,
    FRICTION,
    CONSTRAINT,
    KINETIC,
    STRAIN,
    GRAVITY,
    LINEAR,
    ANGULAR,
    HISTORIES
};

static const char *const names[HISTORIES] = {"displacement",       "velocity",        "gap",
                                             "contact_force",      "contact_impulse", "friction_force",
                                             "constraint_impulse", "energy/kinetic",  "energy/strain",
                                             "energy/gravity",     "momentum/linear", "momentum/angular"};

struct motion {
    struct sg_rebuilt model;
    struct sg_rows rows;
    struct sg_contact_frame frame;
    struct sg_constraint_frame held;
    size_t n, q, m, dim;
    double *u, *v, *u0, *v0, *p0, *f0, *gap0, *reaction0;          /* of the row and of the one before */
    double *p, *f, *middle_f, *middle_u, *middle_v, *push, *gross; /* n */
    double *drift, *way, *unresolved, *change0;                    /* n, of displacement against velocity */
    double t0, begin, end;                                         /* s */
    struct sg_difference gaps, energies[3];
    struct sg_recorded_check recorded;
    double sum[3], rough[3]; /* N s: balance by Simpson's rule, and by how much the trapezoidal one differs */
    double left, left_at, exchanged, unsure;
    double deepest, deepest_at, gap_least, gap_most;
    double speed, acceleration, longest; /* m/s, m/s^2, the largest; s, between two rows */
};

/* --- rows ----------------------------------------------------------------------------------------- */

/* free dofs of a row of all dofs */
static void pick(const struct sg_system *system, const double *full, double *free_dofs)
{
    for (size_t i = 0; i < system->n; i++) free_dofs[i] = full[system->free_dof[i]];
}

static void compare_energies(struct motion *m, double t)
{
    const struct sg_system *system = m->model.job.system;
    const double *const *value = m->rows.value;
    if (m->model.staggered) return; /* energies are those of an algebra between two rows */
    if (value[KINETIC] != NULL)
        sg_difference_take(&m->energies[0], *value[KINETIC], sg_system_kinetic(system, m->v, t), t);
    if (value[STRAIN] != NULL)
        sg_difference_take(&m->energies[1], *value[STRAIN], sg_system_strain(system, m->u, t), t);
    if (value[GRAVITY] != NULL)
        sg_difference_take(&m->energies[2], *value[GRAVITY], sg_system_gravity_energy(system, m->u, t), t);
}

static void compare_gaps(struct motion *m, double t)
{
    const struct sg_contact_set *set = m->model.job.contacts;
    if (m->rows.value[GAP] == NULL) return;
    for (size_t j = 0; j < m->q; j++) {
        double gap = m->rows.value[GAP][j];
        double here = sg_contact_set_gap(set, j, t, m->u);
        bool same = fabs(here - gap) <= ROUNDINGS * sg_contact_set_rounding(set, j, t, m->u);
        sg_difference_take(&m->gaps, gap, same ? gap : here, t);
        m->gap_least = fmin(m->gap_least, gap);
        m->gap_most = fmax(m->gap_most, gap);
        if (set->sprung[j] || m->model.springs || -gap <= m->deepest) continue;
        if (-gap <= ROUNDINGS * sg_contact_set_rounding(set, j, t, m->u)) continue;
        m->deepest = -gap;
        m->deepest_at = t;
    }
}

/* --- between rows --------------------------------------------------------------------------------- */

/* f(t) - f_int into `force`, and the sizes of both added up into m->gross */
static void force_at(const struct motion *m, double t, const double *u, const double *v, double *force)
{
    const struct sg_system *system = m->model.job.system;
    sg_system_internal(system, t, u, v, m->gross);
    sg_system_load(system, t, force);
    for (size_t i = 0; i < m->n; i++) {
        double inner = m->gross[i];
        m->gross[i] = fabs(force[i]) + fabs(inner);
        force[i] -= inner;
    }
}

/* N s by Simpson's rule of a contact whose force alone is told; what it differs from the trapezoidal rule is
 * what the row can't be sure of. The gap in the middle is that of the cubic through both ends. */
static double impulse_of_force(struct motion *m, size_t j, double h)
{
    const struct sg_columns *w = m->frame.normal;
    double f0 = m->reaction0[j], f1 = m->rows.value[FORCE][j], g0 = m->gap0[j], g1 = m->rows.value[GAP][j];
    double middle = 0.5 * (g0 + g1) + h / 8.0 * (sg_columns_dot(w, j, m->v0) - sg_columns_dot(w, j, m->v));
    double stiffness = sg_law_stiffness(&m->model.job.contacts->laws[j]);
    if (f0 > 0.0 && f1 > 0.0 && g0 != g1) stiffness = (f0 - f1) / (g1 - g0);
    double force = middle < 0.0 && isfinite(stiffness) ? fmax(0.0, -stiffness * middle) : 0.0;
    double ends = 0.5 * h * (f0 + f1), simpson = h / 6.0 * (f0 + 4.0 * force + f1);
    m->unsure += fabs(simpson - ends);
    return simpson;
}

/* Adds the impulses of contacts and constraints since the row before to m->push, N s by dof. Of friction the
 * file tells the force of a step: rows of several steps can't be sure of it. */
static void add_reactions(struct motion *m, double h)
{
    const double *impulse = m->rows.value[IMPULSE], *friction = m->rows.value[FRICTION],
                 *held = m->rows.value[CONSTRAINT];
    const struct sg_contact_set *set = m->model.job.contacts;
    for (size_t j = 0; j < m->q; j++) {
        bool by_force = impulse == NULL || (set->sprung[j] && !m->model.stepping);
        double push = by_force ? impulse_of_force(m, j, h) : impulse[j];
        sg_columns_add(m->frame.normal, j, push, m->push);
        m->exchanged += fabs(push);
        for (size_t k = 0; friction != NULL && k < set->tangents; k++) {
            double rub = h * friction[j * set->tangents + k];
            sg_columns_add(m->frame.tangent, j * set->tangents + k, rub, m->push);
            if (m->model.sparse) m->unsure += fabs(rub);
        }
    }
    for (size_t i = 0; held != NULL && i < m->m; i++)
        sg_columns_add(&m->held.G, i, held[i] - m->reaction0[m->q + i], m->push);
}

/* impulses act between the row before and this one */
static bool jumps(const struct motion *m)
{
    const double *impulse = m->rows.value[IMPULSE];
    for (size_t j = 0; impulse != NULL && j < m->q; j++)
        if (impulse[j] != 0.0) return true;
    return false;
}

/* The middle of the cubic through both rows; the mean where velocities jump. Of a staggered scheme it is the
 * row itself, with the mean of the velocities around it. */
static void place_middle(struct motion *m, double h)
{
    bool mean = jumps(m), staggered = m->model.staggered;
    for (size_t i = 0; i < m->n; i++) {
        double bend = mean ? 0.0 : h / 8.0 * (m->v0[i] - m->v[i]), average = 0.5 * (m->v0[i] + m->v[i]);
        m->middle_u[i] = staggered ? m->u[i] : 0.5 * (m->u0[i] + m->u[i]) + bend;
        m->middle_v[i] = staggered || mean ? average : 1.5 * (m->u[i] - m->u0[i]) / h - 0.5 * average;
    }
}

/* Rows that are more than a quarter of a load's period apart don't show its course. */
static bool is_aliased(const struct motion *m, double h)
{
    double most = 0.25 * SG_SIGNAL_POINTS * sg_system_longest_step(m->model.job.system, m->t0);
    return m->model.sparse && h > most;
}

/* Adds what the row leaves along the axes: by Simpson's rule, and by how much the mean of the ends differs
 * from it, which is how well the row resolves its forces. Forces of a staggered scheme are those of the row.
 */
static void add_defects(struct motion *m, double h)
{
    double sum[3] = {0.0}, rough[3] = {0.0}, size[3] = {0.0};
    for (size_t i = 0; i < m->n; i++) {
        size_t axis = sg_system_axis(m->model.job.system, i);
        if (axis >= m->dim) continue;
        double ends = 0.5 * (m->f0[i] + m->f[i]), best = (2.0 * m->middle_f[i] + ends) / 3.0;
        if (m->model.staggered) ends = best = m->middle_f[i];
        sum[axis] += m->p[i] - m->p0[i] - h * best - m->push[i];
        rough[axis] += h * (best - ends);
        size[axis] += h * m->gross[i];
    }
    for (size_t d = 0; d < m->dim; d++) {
        m->sum[d] += sum[d];
        m->rough[d] += fabs(rough[d]);
        m->exchanged += size[d];
        if (is_aliased(m, h)) m->unsure += size[d];
        if (fabs(m->sum[d]) <= m->left) continue;
        m->left = fabs(m->sum[d]);
        m->left_at = m->rows.t;
    }
}

static void balance(struct motion *m, double h)
{
    double middle = m->model.staggered ? m->rows.t : m->rows.t - 0.5 * h;
    place_middle(m, h);
    force_at(m, middle, m->middle_u, m->middle_v, m->middle_f);
    force_at(m, m->rows.t, m->u, m->v, m->f);
    memset(m->push, 0, m->n * sizeof *m->push);
    sg_contact_set_place(m->model.job.contacts, middle, m->middle_u, &m->frame);
    if (m->m > 0) sg_constraints_evaluate(m->model.job.system, middle, m->middle_u, &m->held);
    add_reactions(m, h);
    add_defects(m, h);
}

/* Steps without a row between two rows, in which a contact closed or opened. */
static bool has_turned(const struct motion *m)
{
    const double *force = m->rows.value[FORCE];
    for (size_t j = 0; m->model.sparse && force != NULL && j < m->q; j++)
        if ((force[j] > 0.0) != (m->reaction0[j] > 0.0)) return true;
    return false;
}

/* the dof's own unit per s^2, for a unit of force */
static double mobility_of(const struct motion *m, size_t i)
{
    return m->model.mobility[i] / m->model.length[i];
}

/* of loads and internal forces in either row */
static double forced_acceleration(const struct motion *m, size_t i)
{
    return fmax(fabs(m->f[i]), fabs(m->f0[i])) * mobility_of(m, i);
}

/* The integral of velocity by the mean of both rows; what it can't resolve is half a row's way where impulses
 * act, else by differences of velocity. Of a staggered scheme whose every step is a row, the velocity of the
 * row before is that of the step. Where a contact turned between them, or a load, the way that forces give in
 * that time is unresolved, too; and of rows with steps between them what the trapezoidal rule errs by, by the
 * forces: swings faster than the rows show in these. */
static void integrate(struct motion *m, double h)
{
    bool own = m->model.staggered && !m->model.sparse, rough = jumps(m) || m->model.staggered;
    bool unseen = has_turned(m) || is_aliased(m, h);
    for (size_t i = 0; i < m->n; i++) {
        double change = m->v[i] - m->v0[i], mean = own ? m->v0[i] : 0.5 * (m->v[i] + m->v0[i]);
        m->drift[i] += m->u[i] - m->u0[i] - h * mean;
        m->way[i] += h * fmax(fabs(m->v[i]), fabs(m->v0[i]));
        m->unresolved[i] += 4.0 * DBL_EPSILON * (fabs(m->u[i]) + fabs(m->u0[i]));
        if (!own) m->unresolved[i] += rough ? 0.5 * h * fabs(change) : h / 6.0 * fabs(change - m->change0[i]);
        if (unseen) m->unresolved[i] += h * h / 8.0 * forced_acceleration(m, i);
        if (m->model.sparse) m->unresolved[i] += h * h / 6.0 * fabs(m->f[i] - m->f0[i]) * mobility_of(m, i);
        m->change0[i] = change;
        m->speed = fmax(m->speed, fabs(m->v[i]) * m->model.length[i]);
        m->acceleration = fmax(m->acceleration, fabs(m->f[i]) * m->model.mobility[i]);
    }
}

static void cross(struct motion *m)
{
    double h = m->rows.t - m->t0;
    if (m->rows.value[VELOCITY] == NULL) return;
    /* the last velocity of a staggered scheme is that of a time which no row tells */
    bool unknown = m->model.staggered && m->rows.t == m->end;
    if (!unknown && (m->rows.value[GAP] != NULL || m->q == 0)) balance(m, h);
    integrate(m, h);
    m->longest = fmax(m->longest, h);
}

static void keep(struct motion *m)
{
    size_t bytes = m->n * sizeof(double);
    memcpy(m->u0, m->u, bytes);
    memcpy(m->v0, m->v, bytes);
    memcpy(m->p0, m->p, bytes);
    memcpy(m->f0, m->f, bytes);
    for (size_t j = 0; j < m->q && m->rows.value[FORCE] != NULL; j++)
        m->reaction0[j] = m->rows.value[FORCE][j];
    for (size_t i = 0; i < m->m && m->rows.value[CONSTRAINT] != NULL; i++)
        m->reaction0[m->q + i] = m->rows.value[CONSTRAINT][i];
    m->t0 = m->rows.t;
}

/* momenta and contact forces with what else the row has */
static void compare_with_others(struct motion *m, bool first)
{
    const double *const *value = m->rows.value;
    const struct sg_recorded_row row = {.t = m->rows.t,
                                        .h = first ? 0.0 : m->rows.t - m->t0,
                                        .displacement = value[DISPLACEMENT],
                                        .velocity = value[VELOCITY],
                                        .linear = value[LINEAR],
                                        .angular = value[ANGULAR],
                                        .gap = value[GAP],
                                        .force = value[FORCE],
                                        .impulse = value[IMPULSE]};
    sg_recorded_see(&m->recorded, &row);
}

static void see_row(struct motion *m, bool first)
{
    const struct sg_system *system = m->model.job.system;
    pick(system, m->rows.value[DISPLACEMENT], m->u);
    if (m->rows.value[VELOCITY] != NULL) {
        pick(system, m->rows.value[VELOCITY], m->v);
        sg_matrix_multiply(&system->M, m->v, m->p);
        compare_energies(m, m->rows.t);
        if (first) force_at(m, m->rows.t, m->u, m->v, m->f);
    }
    compare_gaps(m, m->rows.t);
    compare_with_others(m, first);
    if (first) m->begin = m->rows.t;
    if (!first) cross(m);
    keep(m);
}

/* --- findings ------------------------------------------------------------------------------------- */

static double share(double part, double whole)
{
    return part > 0.0 ? part / whole : 0.0;
}

static void find_differences(const struct motion *m, struct sg_audit_list *list, struct sg_text *untold)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 1e-6, 1e-3};
    static const char *const words[] = {"recorded_kinetic", "recorded_strain", "recorded_gravity"};
    if (m->gaps.seen)
        sg_audit_add(list, "recorded_gap", sg_difference_share(&m->gaps, m->gaps.size), limits,
                     "gaps less those of the displacements: up to %.3g m at t = %.4g s", m->gaps.largest,
                     m->gaps.t);
    double scale = 0.0;
    for (size_t k = 0; k < 3; k++) scale = fmax(scale, m->energies[k].size);
    for (size_t k = 0; k < 3; k++)
        if (m->energies[k].seen)
            sg_audit_add(list, words[k], sg_difference_share(&m->energies[k], scale), limits,
                         "the energy less that of displacements and velocities: up to %.3g J at t = %.4g s",
                         m->energies[k].largest, m->energies[k].t);
    if (m->model.staggered)
        sg_text_append(untold, "recorded_kinetic, recorded_strain, recorded_gravity\tenergies of a staggered "
                               "scheme are those of an algebra between two rows\n");
    sg_recorded_conclude(&m->recorded, list);
}

static void find_balance(const struct motion *m, struct sg_audit_list *list, struct sg_text *untold)
{
    double carried = 0.0, rough = m->unsure;
    for (size_t d = 0; d < 3; d++) rough += m->rough[d];
    for (size_t i = 0; i < m->n; i++) carried += fabs(m->p[i]);
    double whole = m->exchanged + carried, unresolved = share(rough, whole);
    if (m->model.own_systems || unresolved > 0.3) {
        sg_text_append(untold, "momentum\t%s\n",
                       m->model.own_systems ? "the strategy crosses systems of its own"
                                            : "the rows are too far apart for forces to be integrated");
        return;
    }
    sg_audit_add(
        list, "momentum", share(m->left, whole),
        (struct sg_limits){SG_ROUNDING_SHARE, 0.05 + unresolved, 0.2 + unresolved},
        "M (v1 - v0) against loads, internal forces and reactions over the rows: %.3g of %.3g N s by "
        "t = %.4g s; rows resolve %.2g of it",
        m->left, whole, m->left_at, unresolved);
}

static void find_integral(const struct motion *m, struct sg_audit_list *list, struct sg_text *untold)
{
    /* a body that stands still has no way: a thousandth of what its loads would do with it */
    double span = m->rows.t - m->begin, way = 5e-4 * m->acceleration * span * span, most = -1.0, drift = 0.0,
           unresolved = 0.0;
    for (size_t i = 0; i < m->n; i++) way = fmax(way, m->way[i] * m->model.length[i]);
    for (size_t i = 0; i < m->n; i++) {
        double here = fabs(m->drift[i]) * m->model.length[i], unsure = m->unresolved[i] * m->model.length[i];
        if (here - unsure <= most) continue;
        most = here - unsure;
        drift = here;
        unresolved = unsure;
    }
    double whole = fmax(way, drift);
    if (share(unresolved, whole) > 0.3 && drift <= 2.0 * unresolved) {
        sg_text_append(untold, "displacement_is_integral_of_velocity\tthe rows are too far apart\n");
        return;
    }
    double limit = share(unresolved, whole);
    sg_audit_add(
        list, "displacement_is_integral_of_velocity", drift <= unresolved ? 0.0 : share(drift, whole),
        (struct sg_limits){SG_ROUNDING_SHARE, 0.01 + limit, 0.1 + limit},
        "u1 - u0 against the rows' velocities: %.3g of %.3g m; rows resolve %.2g of it", drift, whole, limit);
}

/* Two rows' way at the largest speed is what a row can't tell, or two steps', where rows lie within them. */
static void find_penetration(const struct motion *m, struct sg_audit_list *list)
{
    double longest = fmax(m->longest, m->model.step),
           way = m->speed * longest + m->acceleration * longest * longest,
           size = fmax(m->gap_most - m->gap_least, way), unseen = size > 0.0 ? 2.0 * way / size : 0.0,
           limit = fmax(1e-3, unseen);
    if (!m->gaps.seen) return;
    sg_audit_add(
        list, "penetration", share(m->deepest, size),
        (struct sg_limits){SG_ROUNDING_SHARE, limit, 10.0 * limit},
        "rigid contacts reach %.3g m below 0 in the rows, at t = %.4g s, of %.3g m that gaps range over",
        m->deepest, m->deepest_at, size);
}

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status allocate(struct motion *m, struct sg_error *err)
{
    struct sg_arena *arena = &m->model.arena;
    double **const of_n[] = {&m->middle_f, &m->gross, &m->u,   &m->v,          &m->u0,       &m->v0,
                             &m->p0,       &m->f0,    &m->p,   &m->f,          &m->middle_u, &m->middle_v,
                             &m->push,     &m->drift, &m->way, &m->unresolved, &m->change0};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) TRY(SG_ARENA_NEW(arena, of_n[k], m->n, err));
    TRY(SG_ARENA_NEW(arena, &m->gap0, m->q, err));
    return SG_ARENA_NEW(arena, &m->reaction0, m->q + m->m, err);
}

static void measure(struct motion *m)
{
    const struct sg_system *system = m->model.job.system;
    m->n = system->n;
    m->q = m->model.job.contacts->q;
    m->m = system->constraints.count;
    m->dim = system->dim;
}

/* the file's histories are as wide as the model that its deck makes */
static bool fits(const struct motion *m)
{
    const struct sg_system *system = m->model.job.system;
    const size_t widths[HISTORIES] = {[DISPLACEMENT] = system->n_full,
                                      [VELOCITY] = system->n_full,
                                      [GAP] = m->q,
                                      [FORCE] = m->q,
                                      [IMPULSE] = m->q,
                                      [FRICTION] = m->q * m->model.job.contacts->tangents,
                                      [CONSTRAINT] = m->m,
                                      [KINETIC] = 1,
                                      [STRAIN] = 1,
                                      [GRAVITY] = 1,
                                      [LINEAR] = m->dim,
                                      [ANGULAR] = m->dim == 3 ? 3 : 1};
    for (size_t k = 0; k < HISTORIES; k++)
        if (m->rows.width[k] != 0 && m->rows.width[k] != widths[k]) return false;
    return true;
}

static sg_status see_all(struct motion *m, struct sg_error *err)
{
    const struct sg_system *system = m->model.job.system;
    TRY(allocate(m, err));
    TRY(sg_recorded_init(&m->model.arena, &m->recorded, &m->model, err));
    TRY(sg_contact_frame_init(&m->frame, m->model.job.contacts, err));
    TRY(sg_constraint_frame_init(&m->held, system, err));
    if (m->rows.count > 0) TRY(sg_rows_go(&m->rows, m->rows.count - 1, err));
    m->end = m->rows.t;
    m->rows.held = 0;
    for (size_t i = 0; i < m->rows.count; i++) {
        TRY(sg_rows_go(&m->rows, i, err));
        see_row(m, i == 0);
        if (m->model.small.any) sg_small_motion_see(&m->model.small, m->rows.t, m->u);
    }
    return SG_OK;
}

static void find_small_motion(const struct motion *m, struct sg_audit_list *list)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 1.0, 10.0};
    const struct sg_small_motion *small = &m->model.small;
    const struct sg_model_body *bodies = m->model.job.system->names->bodies;
    if (!small->any) return;
    sg_audit_add(
        list, "small_motion", fmax(small->turn.share, small->strain.share), limits,
        "linear elements: '%s' turns by %.3g degrees (3 at most), '%s' strains by %.3g (0.05 at most)",
        bodies[small->turn.body].name, small->turn.value * 180.0 / SG_PI, bodies[small->strain.body].name,
        small->strain.value);
}

static void find_all(const struct motion *m, struct sg_audit_list *list, struct sg_text *untold)
{
    find_differences(m, list, untold);
    if (m->rows.series[VELOCITY] == NULL)
        sg_text_append(untold,
                       "momentum, displacement_is_integral_of_velocity\tthe file has no history velocity\n");
    if (m->rows.series[VELOCITY] != NULL) find_balance(m, list, untold);
    if (m->rows.series[VELOCITY] != NULL) find_integral(m, list, untold);
    find_penetration(m, list);
    find_small_motion(m, list);
}

static sg_status judge(struct motion *m, struct sg_audit_list *list, struct sg_text *untold,
                       struct sg_error *err)
{
    static const char all[] =
        "recorded_gap, momentum, displacement_is_integral_of_velocity, penetration, small_motion";
    if (m->model.reason[0] != '\0') {
        sg_text_append(untold, "%s\t%s\n", all, m->model.reason);
        return SG_OK;
    }
    measure(m);
    if (m->rows.series[DISPLACEMENT] == NULL || !fits(m)) {
        sg_text_append(untold, "%s\t%s\n", all,
                       m->rows.series[DISPLACEMENT] == NULL
                           ? "the file has no history displacement"
                           : "its histories are not of the model of its deck");
        return SG_OK;
    }
    TRY(see_all(m, err));
    find_all(m, list, untold);
    return SG_OK;
}

sg_status sg_witness_judge_motion(const struct sg_reader *reader, struct sg_audit_list *list,
                                  struct sg_text *untold, struct sg_witness_model *told, struct sg_error *err)
{
    struct motion m = {.gap_least = HUGE_VAL, .gap_most = -HUGE_VAL};
    sg_status status = sg_rebuilt_init(&m.model, reader, err);
    if (status == SG_OK) status = sg_rows_open(&m.rows, reader, names, HISTORIES, err);
    if (status == SG_OK) status = judge(&m, list, untold, err);
    *told = (struct sg_witness_model){m.model.may_give, m.model.grain};
    sg_contact_frame_release(&m.frame);
    sg_constraint_frame_release(&m.held);
    sg_rows_close(&m.rows);
    sg_rebuilt_release(&m.model);
    return status;
}
