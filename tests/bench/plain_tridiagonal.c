#include <complex.h>
#include <math.h>
#include <string.h>

#include "plain.h"
#include "support/memory.h"

enum { STEPS = 4 };

/* a complex number, apart from the compiler's careful products; the real scheme uses re alone */
struct number {
    double re, im;
};

static inline struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline struct number minus(struct number a, struct number b)
{
    return (struct number){a.re - b.re, a.im - b.im};
}

static inline struct number inverse(struct number a)
{
    double square = a.re * a.re + a.im * a.im;
    return (struct number){a.re / square, -a.im / square};
}

/* Thomas: reciprocal pivots and multipliers of a M + c K, the contact's spring included */
struct factor {
    double h;
    unsigned active;
    struct number *pivot, *multiplier;
};

struct model {
    size_t n;
    struct plain_scheme scheme;
    const struct sg_matrix *mass, *stiffness;
    const double *f;
    double kappa, offset, sign; /* gap = offset + sign u[0] */
    struct factor steps[STEPS];
    size_t next;
    double *u, *v, *a, *u1, *v1, *a1, *r, *kv, *mv;
    struct number *y;
    struct number s, d;
};

static void factorize(const struct model *m, struct factor *f, struct number wm, struct number wk)
{
    const double *dm = m->mass->diag, *dk = m->stiffness->diag, *ok = m->stiffness->off;
    const double *om = m->mass->kind == SG_TRIDIAGONAL ? m->mass->off : NULL;
    for (size_t i = 0; i < m->n; i++) {
        double k = dk[i] + (i == 0 && f->active ? m->kappa : 0.0);
        struct number pivot = {wm.re * dm[i] + wk.re * k, wm.im * dm[i] + wk.im * k};
        if (i > 0) {
            double mass = om != NULL ? om[i - 1] : 0.0;
            struct number off = {wm.re * mass + wk.re * ok[i - 1], wm.im * mass + wk.im * ok[i - 1]};
            f->multiplier[i] = times(off, f->pivot[i - 1]);
            pivot = minus(pivot, times(f->multiplier[i], off));
        }
        f->pivot[i] = inverse(pivot);
    }
}

static struct factor *factor(struct model *m, double h, unsigned active)
{
    for (size_t i = 0; i < STEPS; i++)
        if (m->steps[i].h == h && m->steps[i].active == active) return &m->steps[i];
    struct factor *f = &m->steps[m->next++ % STEPS];
    const struct plain_scheme *p = &m->scheme;
    f->h = h;
    f->active = active;
    struct number one = {1.0, 0.0}, square = times(m->s, m->s);
    struct number weight = {(1.0 - p->af) * h * h * p->beta / (1.0 - p->am), 0.0}, h2 = {h * h, 0.0};
    factorize(m, f, p->botr ? square : one, p->botr ? h2 : weight);
    return f;
}

static void solve_complex(const struct model *m, const struct factor *f)
{
    struct number *y = m->y;
    for (size_t i = 1; i < m->n; i++) y[i] = minus(y[i], times(f->multiplier[i], y[i - 1]));
    for (size_t i = 0; i < m->n; i++) y[i] = times(f->pivot[i], y[i]);
    for (size_t i = m->n - 1; i-- > 0;) y[i] = minus(y[i], times(f->multiplier[i + 1], y[i + 1]));
}

static void solve_real(const struct model *m, const struct factor *f, double *y)
{
    for (size_t i = 1; i < m->n; i++) y[i] -= f->multiplier[i].re * y[i - 1];
    for (size_t i = 0; i < m->n; i++) y[i] *= f->pivot[i].re;
    for (size_t i = m->n - 1; i-- > 0;) y[i] -= f->multiplier[i + 1].re * y[i + 1];
}

static void multiply(const struct sg_matrix *a, const double *restrict x, double *restrict y)
{
    const double *restrict d = a->diag, *restrict o = a->off;
    size_t n = a->n;
    if (a->kind == SG_DIAGONAL) {
        for (size_t i = 0; i < n; i++) y[i] = d[i] * x[i];
        return;
    }
    y[0] = d[0] * x[0] + o[0] * x[1];
    for (size_t i = 1; i < n - 1; i++) y[i] = d[i] * x[i] + o[i - 1] * x[i - 1] + o[i] * x[i + 1];
    y[n - 1] = d[n - 1] * x[n - 1] + o[n - 2] * x[n - 2];
}

static void botr_step(struct model *m, double h, unsigned active)
{
    struct factor *factored = factor(m, h, active);
    double e = m->scheme.eta * h / 6.0;
    multiply(m->stiffness, m->u, m->r);
    multiply(m->stiffness, m->v, m->kv);
    multiply(m->mass, m->v, m->mv);
    if (active) {
        m->r[0] += m->sign * m->kappa * (m->offset + m->sign * m->u[0]);
        m->kv[0] += m->kappa * m->v[0];
    }
    for (size_t i = 0; i < m->n; i++) {
        double r = h * (m->f[i] - m->r[i]), r1 = r + h * e * m->kv[i], r2 = h * m->mv[i] - e * r;
        m->y[i] = (struct number){-h * r1 - m->s.re * r2, -m->s.im * r2};
    }
    solve_complex(m, factored);
    struct number ds = times(m->d, m->s);
    for (size_t i = 0; i < m->n; i++) {
        m->u1[i] = m->u[i] + 2.0 * (m->d.re * m->y[i].re - m->d.im * m->y[i].im);
        m->v1[i] = m->v[i] + 2.0 * (ds.re * m->y[i].re - ds.im * m->y[i].im) / h;
    }
}

static void alpha_step(struct model *m, double h, unsigned active)
{
    struct factor *factored = factor(m, h, active);
    const struct plain_scheme *p = &m->scheme;
    double share = p->am / (1.0 - p->am), keep = p->stores_acceleration ? 1.0 : 0.0;
    double au = keep * h * h * (0.5 - p->beta - p->beta * share);
    double av = keep * h * (1.0 - p->gamma - p->gamma * share);
    double cu = h * h * p->beta / (1.0 - p->am), cv = h * p->gamma / (1.0 - p->am);
    double *middle = m->kv, *y = m->r;
    for (size_t i = 0; i < m->n; i++) {
        m->u1[i] = m->u[i] + h * m->v[i] + au * m->a[i];
        m->v1[i] = m->v[i] + av * m->a[i];
        middle[i] = (1.0 - p->af) * m->u1[i] + p->af * m->u[i];
    }
    multiply(m->stiffness, middle, y);
    if (active) y[0] += m->sign * m->kappa * (m->offset + m->sign * middle[0]);
    for (size_t i = 0; i < m->n; i++) y[i] = m->f[i] - y[i];
    solve_real(m, factored, y);
    for (size_t i = 0; i < m->n; i++) {
        m->u1[i] += cu * y[i];
        m->v1[i] += cv * y[i];
        m->a1[i] = (y[i] - p->am * m->a[i]) / (1.0 - p->am);
    }
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static void replay(struct model *m, const struct plain_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct plain_trial *trial = &trace->items[i];
        if (m->scheme.botr)
            botr_step(m, trial->h, trial->active);
        else
            alpha_step(m, trial->h, trial->active);
        if (i + 1 < trace->count && trace->items[i + 1].t == trial->t) continue;
        exchange(&m->u, &m->u1);
        exchange(&m->v, &m->v1);
        exchange(&m->a, &m->a1);
    }
}

static void release(struct model *m)
{
    double *arrays[] = {m->u, m->v, m->a, m->u1, m->v1, m->a1, m->r, m->kv, m->mv};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sg_free(arrays[i]);
    for (size_t i = 0; i < STEPS; i++) {
        sg_free(m->steps[i].pivot);
        sg_free(m->steps[i].multiplier);
    }
    sg_free(m->y);
}

static sg_status allocate(struct model *m, struct sg_error *err)
{
    double **arrays[] = {&m->u, &m->v, &m->a, &m->u1, &m->v1, &m->a1, &m->r, &m->kv, &m->mv};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) TRY(SG_NEW(arrays[i], m->n, err));
    for (size_t i = 0; i < STEPS; i++) {
        TRY(SG_NEW(&m->steps[i].pivot, m->n, err));
        TRY(SG_NEW(&m->steps[i].multiplier, m->n, err));
    }
    return SG_NEW(&m->y, m->n, err);
}

static sg_status init(struct model *m, const struct bench_model *from, struct sg_error *err)
{
    const struct sg_system *system = from->job.system;
    const struct sg_contact_set *contacts = from->job.contacts;
    *m = (struct model){.n = system->n,
                        .scheme = plain_scheme_of(from),
                        .mass = &system->M,
                        .stiffness = &system->K,
                        .f = system->gravity,
                        .kappa = sg_law_stiffness(&contacts->laws[0]),
                        .offset = contacts->offset[0],
                        .sign = contacts->w.value[0]};
    double eta = m->scheme.eta, a = (3.0 + eta) / 6.0, b = (1.0 + eta) / 12.0;
    double complex s = (a + sqrt(4.0 * b - a * a) * I) / (2.0 * b), d = 1.0 / (2.0 * b * s - a);
    m->s = (struct number){creal(s), cimag(s)};
    m->d = (struct number){creal(d), cimag(d)};
    TRY(allocate(m, err));
    memcpy(m->u, system->u0, m->n * sizeof *m->u);
    memcpy(m->v, system->v0, m->n * sizeof *m->v);
    return SG_OK;
}

sg_status plain_tridiagonal(const struct bench_model *model, const struct plain_trace *trace, double *seconds,
                            struct sg_error *err)
{
    struct model m;
    sg_status status = init(&m, model, err);
    if (status == SG_OK) {
        double start = bench_clock();
        replay(&m, trace);
        *seconds = bench_clock() - start;
    }
    release(&m);
    return status;
}
