/* Time-stepping by implicit schemes: what energy does in each step of the shipped decks, in the algebra of
 * each scheme, from displacements, velocities and reactions alone. */
#include "shipped_fixture.h"

/* Follows a run row by row; keeps the one before. */
struct watch {
    struct run run;
    struct sg_contact_frame frame;
    double theta, beta, gamma;
    bool midpoint;
    double *u, *v, *a, *impulse, *force, *gap; /* of the row before: n, n, n, q, q, q */
    double *x, *y, *f, *g, *load;              /* n: scratch */
    double t, kinetic, total, external, dissipated;
    double worst, booked, drift, size; /* J: of the identity, the account, the total; the largest energy */
    size_t rows, pushing;
};

static void keep(struct watch *w, const struct sg_snapshot *now)
{
    const struct sg_system *system = w->run.job.system;
    size_t q = w->run.job.contacts->q;
    memcpy(w->u, now->u, system->n * sizeof(double));
    memcpy(w->v, now->v, system->n * sizeof(double));
    memcpy(w->impulse, now->impulse, q * sizeof(double));
    memcpy(w->force, now->force, q * sizeof(double));
    memcpy(w->gap, now->gap, q * sizeof(double));
    w->t = now->t;
    w->kinetic = sg_system_kinetic(system, now->v, now->t);
    w->total = sg_system_total(system, now);
    w->external = now->external;
    w->dissipated = now->dissipated;
    w->size = fmax(w->size, fmax(w->kinetic, fabs(w->total)));
}

static sg_status ignore(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

typedef sg_status (*watch_step)(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                                int localized, struct sg_error *err);

static void follow(struct watch *w, watch_step step, const char *const *deck)
{
    struct run *run = &w->run;
    struct sg_observer observer = {.self = w, .step = step, .event = ignore};
    run_read(run, deck);
    run->status = sg_job_build(&run->job, run->deck, &run->diagnostics, &run->err);
    run_must(run, deck[1]);
    double **const vectors[] = {&w->u, &w->v, &w->a, &w->x, &w->y, &w->f, &w->g, &w->load};
    double **const contacts[] = {&w->impulse, &w->force, &w->gap};
    for (size_t k = 0; k < 8; k++) *vectors[k] = zeros(run->job.system->n);
    for (size_t k = 0; k < 3; k++) *contacts[k] = zeros(run->job.contacts->q);
    run->status = sg_contact_frame_init(&w->frame, run->job.contacts, &run->err);
    if (run->status == SG_OK) run->status = sg_job_attach(&run->job, observer, &run->diagnostics, &run->err);
    run_must(run, deck[1]);
    run_go(run);
    run_must(run, deck[1]);
}

static void leave(struct watch *w)
{
    double *const owned[] = {w->u, w->v, w->a, w->x, w->y, w->f, w->g, w->load, w->impulse, w->force, w->gap};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) free(owned[k]);
    sg_contact_frame_release(&w->frame);
    run_release(&w->run);
}

/* --- theta ---------------------------------------------------------------------------------------- */

/* share times the force without contacts, f - f_int, added to w->f */
static void add_force(struct watch *w, double share, double t, const double *u, const double *v)
{
    const struct sg_system *system = w->run.job.system;
    sg_system_load(system, t, w->load);
    sg_system_internal(system, t, u, v, w->g);
    for (size_t i = 0; i < system->n; i++) w->f[i] += share * (w->load[i] - w->g[i]);
}

/* h F . (v0 + v1)/2 by the force rule of the scheme */
static double force_work(struct watch *w, const struct sg_snapshot *now)
{
    size_t n = w->run.job.system->n;
    double h = now->t - w->t, a = w->theta, b = 1.0 - a, work = 0.0;
    memset(w->f, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        w->x[i] = a * now->u[i] + b * w->u[i];
        w->y[i] = a * now->v[i] + b * w->v[i];
    }
    if (w->midpoint) {
        add_force(w, 1.0, w->t + a * h, w->x, w->y);
    } else {
        add_force(w, b, w->t, w->u, w->v);
        add_force(w, a, now->t, now->u, now->v);
    }
    for (size_t i = 0; i < n; i++) work += 0.5 * h * w->f[i] * (w->v[i] + now->v[i]);
    return work;
}

/* r . (v0 + v1)/2 of all directions, those of half a step ahead */
static double contact_work(struct watch *w, const struct sg_snapshot *now)
{
    const struct sg_contact_set *set = w->run.job.contacts;
    size_t n = w->run.job.system->n;
    double h = now->t - w->t, work = 0.0;
    for (size_t i = 0; i < n; i++) w->x[i] = w->u[i] + 0.5 * h * w->v[i];
    for (size_t i = 0; i < n; i++) w->y[i] = 0.5 * (w->v[i] + now->v[i]);
    sg_contact_set_place(set, w->t + 0.5 * h, w->x, &w->frame);
    for (size_t j = 0; j < set->q; j++) {
        double r = now->impulse[j] - w->impulse[j];
        w->pushing += r > 0.0;
        work += r * sg_columns_dot(w->frame.normal, j, w->y);
        for (size_t k = j * set->tangents; k < (j + 1) * set->tangents; k++)
            work += h * now->friction[k] * sg_columns_dot(w->frame.tangent, k, w->y);
    }
    return work;
}

/* what dampers take in the middle of the step, by the mean velocity */
static double damping_work(struct watch *w, const struct sg_snapshot *now)
{
    const struct sg_system *system = w->run.job.system;
    double h = now->t - w->t;
    for (size_t i = 0; i < system->n; i++) {
        w->x[i] = 0.5 * (w->u[i] + now->u[i]);
        w->y[i] = (now->u[i] - w->u[i]) / h;
    }
    return h * sg_system_damping_power(system, w->x, w->y, w->t + 0.5 * h);
}

static sg_status watch_theta(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                             int localized, struct sg_error *err)
{
    struct watch *w = self;
    const struct sg_system *system = w->run.job.system;
    (void)sampler, (void)localized, (void)err;
    if (w->rows++ > 0) {
        double contact = contact_work(w, now), forces = force_work(w, now), damping = damping_work(w, now);
        double gained = sg_system_kinetic(system, now->v, now->t) - w->kinetic;
        double rest = sg_system_total(system, now) - w->run.job.balance.total_start - now->external;
        w->worst = fmax(w->worst, fabs(gained - forces - contact));
        w->booked = fmax(w->booked, fabs(now->dissipated - w->dissipated - damping + contact));
        w->drift = fmax(w->drift, fabs(rest + now->dissipated));
        w->size = fmax(w->size, fabs(now->dissipated));
    }
    keep(w, now);
    return SG_OK;
}

static const char *const names[] = {"bouncing_ball", "impacting_bar",   "two_beams",
                                    "van_der_pol",   "rotating_spring", "rotating_spring_friction",
                                    "discrete_arch"};
/* the first of them are linear, and the next is but for a damper */
enum { DECKS = 7, LINEAR = 3 };

static const struct rule {
    const char *theta, *forces;
    double weight;
    bool midpoint;
} rules[] = {{"integrator.theta=0.5", "integrator.forces=average", 0.5, false},
             {"integrator.theta=0.5", "integrator.forces=midpoint", 0.5, true},
             {"integrator.theta=0.7", "integrator.forces=average", 0.7, false},
             {"integrator.theta=1.0", "integrator.forces=midpoint", 1.0, true}};
enum { RULES = 4 };

/* M (v1 - v0) = h F + W r, times the mean velocity: kinetic energy changes by exactly the works of forces and
 * impulses, for every theta, and the impulses' is what is booked. At theta = 1/2 the mean velocity is that of
 * the displacement, and linear systems keep the total too. */
START_TEST(theta_keeps_its_identity)
{
    const struct rule *rule = &rules[_i / DECKS];
    struct watch w = {.theta = rule->weight, .midpoint = rule->midpoint};
    follow(&w, watch_theta,
           (const char *const[]){shipped(names[_i % DECKS]), "integrator.type=theta", rule->theta,
                                 rule->forces, NULL});
    /* where theta damps, a spring that turns touches once */
    ck_assert_uint_ge(w.pushing, rule->weight == 0.5 ? 3 : 1);
    BELOW(w.worst, 1e-12 * w.size);
    BELOW(w.booked, 1e-12 * w.size);
    if (rule->weight == 0.5 && _i % DECKS < LINEAR + rule->midpoint) BELOW(w.drift, 1e-12 * w.size);
    leave(&w);
}
END_TEST

/* --- trapezoidal and Newmark at position level ---------------------------------------------------- */

/* M a = f - K u + W lambda at the end of a step, into w->g; M diagonal */
static void acceleration(struct watch *w, const struct sg_snapshot *now)
{
    const struct sg_system *system = w->run.job.system;
    memset(w->x, 0, system->n * sizeof(double));
    sg_system_load(system, now->t, w->f);
    sg_system_internal(system, now->t, now->u, w->x, w->g);
    for (size_t i = 0; i < system->n; i++) w->g[i] = w->f[i] - w->g[i];
    for (size_t j = 0; j < w->run.job.contacts->q; j++)
        sg_columns_add(&w->run.job.contacts->w, j, now->force[j], w->g);
    for (size_t i = 0; i < system->n; i++) w->g[i] /= sg_matrix_entry(&system->M, i, i);
}

/* what dissipative parameters add to the identity below, of the reactions apart */
static double algorithmic(struct watch *w, const struct sg_snapshot *now)
{
    const struct sg_system *system = w->run.job.system;
    double h = now->t - w->t, excess = w->beta - 0.5 * w->gamma, loss = w->gamma - 0.5;
    double squares = 0.0, inertia = 0.0, stiff = 0.0;
    acceleration(w, now);
    for (size_t i = 0; i < system->n; i++) {
        double m = sg_matrix_entry(&system->M, i, i), change = w->g[i] - w->a[i];
        squares += 0.5 * m * (w->g[i] * w->g[i] - w->a[i] * w->a[i]);
        inertia += m * change * change;
        w->x[i] = now->u[i] - w->u[i];
        w->a[i] = w->g[i];
    }
    sg_matrix_multiply(&system->K, w->x, w->y);
    for (size_t i = 0; i < system->n; i++) stiff += w->x[i] * w->y[i];
    return -excess * h * h * (squares + loss * inertia) - loss * stiff;
}

static double reaction_work(struct watch *w, const struct sg_snapshot *now)
{
    double work = 0.0;
    for (size_t j = 0; j < w->run.job.contacts->q; j++) {
        double f0 = w->force[j], f1 = now->force[j];
        w->pushing += f1 > 0.0;
        work += (0.5 * (f0 + f1) + (w->gamma - 0.5) * (f1 - f0)) * (now->gap[j] - w->gap[j]);
    }
    return work;
}

static sg_status watch_newmark(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                               int localized, struct sg_error *err)
{
    struct watch *w = self;
    const struct sg_system *system = w->run.job.system;
    (void)sampler, (void)localized, (void)err;
    bool plain = w->gamma == 0.5 && w->beta == 0.25;
    if (w->rows++ > 0) {
        double work = reaction_work(w, now), rest = plain ? 0.0 : algorithmic(w, now);
        double gained = sg_system_total(system, now) - w->total - (now->external - w->external);
        w->size = fmax(w->size, fmax(fabs(work), fabs(rest)));
        w->worst = fmax(w->worst, fabs(gained - work - rest));
    } else if (!plain) {
        acceleration(w, now);
        memcpy(w->a, w->g, system->n * sizeof(double));
    }
    keep(w, now);
    return SG_OK;
}

/* The bar, which has a consistent mass, is the last deck and goes without the last scheme: its accelerations
 * are not looked for. */
static const struct scheme {
    const char *type, *beta, *gamma;
    double b, c;
} schemes[] = {{"integrator.type=trapezoidal", NULL, NULL, 0.25, 0.5},
               {"integrator.type=newmark", NULL, NULL, 0.25, 0.5},
               {"integrator.type=newmark", "integrator.beta=0.3025", "integrator.gamma=0.6", 0.3025, 0.6}};
static const char *const linear[] = {"bouncing_ball", "two_beams", "impacting_bar"};
enum { SCHEMES = 3 };

/* With the reactions lambda as forces, Newmark's step (Krenk 2006, whose identity has no reactions) changes
 * energy by
 *
 *     (l0 + l1)/2 . (g1 - g0) + (gamma - 1/2) ((l1 - l0) . (g1 - g0) - du . K du)
 *         - (beta - gamma/2) h^2 ([a . M a / 2] + (gamma - 1/2) da . M da),
 *
 * and at beta = 1/4, gamma = 1/2 by the first term alone: with a reaction that holds g1 = 0 in one step and
 * is gone in the next, energy is made or lost, but not in secret. */
START_TEST(position_level_keeps_its_identity)
{
    const struct scheme *scheme = &schemes[_i % SCHEMES];
    const char *name = linear[_i / SCHEMES];
    struct watch w = {.beta = scheme->b, .gamma = scheme->c};
    follow(&w, watch_newmark,
           (const char *const[]){shipped(name), scheme->type, "strategy.level=position",
                                 "integrator.operator=nodal", scheme->beta, scheme->gamma, NULL});
    ck_assert_uint_ge(w.pushing, 1);
    BELOW(w.worst, 1e-12 * w.size);
    leave(&w);
}
END_TEST

Suite *sg_suite_stepping_identities(void);
Suite *sg_suite_stepping_identities(void)
{
    Suite *suite = suite_create("stepping_identities");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, theta_keeps_its_identity, 0, RULES * DECKS);
    tcase_add_loop_test(all, position_level_keeps_its_identity, 0, 3 * SCHEMES - 1);
    suite_add_tcase(suite, all);
    return suite;
}
