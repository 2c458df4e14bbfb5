#include <complex.h>
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "plain.h"
#include "support/memory.h"

enum { STEPS = 4, CONTACTS = 8 };

/* all that depends on the step length */
struct coefficients {
    double h;
    double *re, *im; /* n: 1 / (h^2 k + s h c + s^2), or 1 / (1 + k ...) */
    int have[CONTACTS][CONTACTS];
    double complex gram[CONTACTS][CONTACTS]; /* w_i . inverse w_j */
};

struct model {
    size_t n, q;
    struct plain_scheme scheme;
    const double *k, *f, *kappa, *offset;
    const struct sg_columns *w;
    struct coefficients steps[STEPS];
    size_t next;
    double *u, *v, *a, *u1, *v1, *a1, *yr, *yi;
    double gap[CONTACTS], rate[CONTACTS];
    double complex s, d;
};

SG_HOT static void invert_complex(size_t n, const double *restrict k, const double w[3], double *restrict re,
                                  double *restrict im)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        double x = w[0] * k[i] + w[1], y = w[2], factor = 1.0 / (x * x + y * y);
        re[i] = x * factor;
        im[i] = -y * factor;
    }
}

SG_HOT static void invert_real(size_t n, const double *restrict k, double weight, double *restrict re)
{
    for (size_t i = 0; i < n; i++) re[i] = 1.0 / (1.0 + weight * k[i]);
}

/* weight of K in the alpha scheme's matrix, and the step's coefficients of a~ */
static double alpha_weight(const struct plain_scheme *s, double h, double *cu, double *cv)
{
    *cu = h * h * s->beta / (1.0 - s->am);
    *cv = h * s->gamma / (1.0 - s->am);
    return (1.0 - s->af) * *cu;
}

static struct coefficients *coefficients(struct model *m, double h)
{
    for (size_t i = 0; i < STEPS; i++)
        if (m->steps[i].h == h) return &m->steps[i];
    struct coefficients *c = &m->steps[m->next++ % STEPS];
    c->h = h;
    memset(c->have, 0, sizeof c->have);
    double complex s2 = m->s * m->s;
    double weights[3] = {h * h, creal(s2), cimag(s2)}, cu, cv;
    if (m->scheme.botr)
        invert_complex(m->n, m->k, weights, c->re, c->im);
    else
        invert_real(m->n, m->k, alpha_weight(&m->scheme, h, &cu, &cv), c->re);
    return c;
}

/* where column j lies, and from where to where columns i and j overlap */
static const double *column(const struct model *m, size_t j, size_t *first, size_t *end)
{
    size_t start = m->w->start[j];
    *first = m->w->first[j];
    *end = *first + m->w->start[j + 1] - start;
    return m->w->value + start - *first;
}

SG_HOT static double complex weighted(size_t first, size_t end, const double *const w[2],
                                      const struct coefficients *c, int botr)
{
    double re = 0.0, im = 0.0;
    const double *a = w[0], *b = w[1], *x = c->re, *y = c->im;
#pragma omp simd reduction(+ : re)
    for (size_t i = first; i < end; i++) re += a[i] * b[i] * x[i];
    if (!botr) return re;
#pragma omp simd reduction(+ : im)
    for (size_t i = first; i < end; i++) im += a[i] * b[i] * y[i];
    return re + im * I;
}

static double complex gram(const struct model *m, struct coefficients *c, size_t i, size_t j)
{
    if (c->have[i][j]) return c->gram[i][j];
    size_t first[2], end[2];
    const double *w[2] = {column(m, i, &first[0], &end[0]), column(m, j, &first[1], &end[1])};
    size_t from = first[0] > first[1] ? first[0] : first[1], to = end[0] < end[1] ? end[0] : end[1];
    c->have[i][j] = 1;
    return c->gram[i][j] = from < to ? weighted(from, to, w, c, m->scheme.botr) : 0.0;
}

SG_HOT static void dots(const double *restrict w, size_t first, size_t end, const double *const x[2],
                        double out[2])
{
    double a = 0.0, b = 0.0;
    const double *u = x[0], *v = x[1];
#pragma omp simd reduction(+ : a, b)
    for (size_t i = first; i < end; i++) {
        a += w[i] * u[i];
        b += w[i] * v[i];
    }
    out[0] = a;
    out[1] = b;
}

static void gap(struct model *m, size_t j, const double *u, const double *v)
{
    size_t first, end;
    double out[2];
    const double *w = column(m, j, &first, &end);
    dots(w, first, end, (const double *const[2]){u, v}, out);
    m->gap[j] = out[0] + m->offset[j];
    m->rate[j] = out[1];
}

/* (D + G) z = b for the active contacts, by Gauss */
static void small(double complex *g, double complex *z, size_t na)
{
    for (size_t j = 0; j < na; j++)
        for (size_t i = j + 1; i < na; i++) {
            double complex factor = g[i * na + j] / g[j * na + j];
            for (size_t l = j; l < na; l++) g[i * na + l] -= factor * g[j * na + l];
            z[i] -= factor * z[j];
        }
    for (size_t j = na; j-- > 0;) {
        for (size_t l = j + 1; l < na; l++) z[j] -= g[j * na + l] * z[l];
        z[j] /= g[j * na + j];
    }
}

struct contact_sides {
    size_t na, row[CONTACTS];
    double complex lead[CONTACTS]; /* of w_j in the right-hand side */
    double complex z[CONTACTS];    /* lead - (D + G)^-1 (w . y + G lead) */
};

static void solve_contacts(const struct model *m, struct coefficients *c, double weight,
                           struct contact_sides *s)
{
    double complex g[CONTACTS * CONTACTS] = {0};
    for (size_t i = 0; i < s->na; i++) {
        size_t first, end;
        double out[2];
        const double *w = column(m, s->row[i], &first, &end);
        dots(w, first, end, (const double *const[2]){m->yr, m->scheme.botr ? m->yi : m->yr}, out);
        s->z[i] = m->scheme.botr ? out[0] + out[1] * I : out[0];
        for (size_t j = 0; j < s->na; j++) {
            g[i * s->na + j] = gram(m, c, s->row[i], s->row[j]);
            s->z[i] += g[i * s->na + j] * s->lead[j];
        }
    }
    for (size_t i = 0; i < s->na; i++) g[i * s->na + i] += 1.0 / (weight * m->kappa[s->row[i]]);
    small(g, s->z, s->na);
    for (size_t i = 0; i < s->na; i++) s->z[i] = s->lead[i] - s->z[i];
}

SG_HOT static void add_complex(const double *restrict w, const size_t range[2], const struct coefficients *c,
                               double complex z, double *const y[2])
{
    double zr = creal(z), zi = cimag(z), *restrict yr = y[0], *restrict yi = y[1];
    const double *restrict re = c->re, *restrict im = c->im;
#pragma omp simd
    for (size_t i = range[0]; i < range[1]; i++) {
        yr[i] += w[i] * (zr * re[i] - zi * im[i]);
        yi[i] += w[i] * (zr * im[i] + zi * re[i]);
    }
}

SG_HOT static void add_real(const double *restrict w, const size_t range[2], const struct coefficients *c,
                            double z, double *restrict y)
{
    const double *restrict re = c->re;
    for (size_t i = range[0]; i < range[1]; i++) y[i] += w[i] * z * re[i];
}

static void add_contacts(const struct model *m, const struct coefficients *c, const struct contact_sides *s)
{
    for (size_t i = 0; i < s->na; i++) {
        size_t range[2];
        const double *w = column(m, s->row[i], &range[0], &range[1]);
        if (m->scheme.botr)
            add_complex(w, range, c, s->z[i], (double *const[2]){m->yr, m->yi});
        else
            add_real(w, range, c, creal(s->z[i]), m->yr);
    }
}

SG_HOT static void botr_free(const struct model *m, const struct coefficients *c)
{
    double h = c->h, sr = creal(m->s), si = cimag(m->s), e = m->scheme.eta * h / 6.0;
    const double *restrict k = m->k, *restrict f = m->f, *restrict u = m->u, *restrict v = m->v;
    const double *restrict re = c->re, *restrict im = c->im;
    double *restrict yr = m->yr, *restrict yi = m->yi;
#pragma omp simd
    for (size_t i = 0; i < m->n; i++) {
        double r = h * (f[i] - k[i] * u[i]), r1 = r + h * e * k[i] * v[i], r2 = h * v[i] - e * r;
        double x = -h * r1 - sr * r2, y = -si * r2;
        yr[i] = x * re[i] - y * im[i];
        yi[i] = x * im[i] + y * re[i];
    }
}

SG_HOT static void botr_update(const struct model *m, double h)
{
    double complex ds = m->d * m->s;
    double dr = 2.0 * creal(m->d), di = 2.0 * cimag(m->d);
    double er = 2.0 * creal(ds) / h, ei = 2.0 * cimag(ds) / h;
    const double *restrict yr = m->yr, *restrict yi = m->yi, *restrict u = m->u, *restrict v = m->v;
    double *restrict u1 = m->u1, *restrict v1 = m->v1;
    for (size_t i = 0; i < m->n; i++) {
        u1[i] = u[i] + dr * yr[i] - di * yi[i];
        v1[i] = v[i] + er * yr[i] - ei * yi[i];
    }
}

static void botr_step(struct model *m, struct coefficients *c, struct contact_sides *s)
{
    double h = c->h, e = m->scheme.eta * h / 6.0;
    botr_free(m, c);
    if (s->na > 0) {
        for (size_t i = 0; i < s->na; i++) {
            size_t j = s->row[i];
            gap(m, j, m->u, m->v);
            double r = -h * m->kappa[j] * m->gap[j], r1 = r + h * e * m->kappa[j] * m->rate[j];
            s->lead[i] = -h * r1 + m->s * e * r;
        }
        solve_contacts(m, c, h * h, s);
        add_contacts(m, c, s);
    }
    botr_update(m, h);
}

SG_HOT static void alpha_predict(const struct model *m, const struct coefficients *c)
{
    const struct plain_scheme *p = &m->scheme;
    double h = c->h, share = p->am / (1.0 - p->am), af = 1.0 - p->af;
    double au = h * h * (0.5 - p->beta - p->beta * share), av = h * (1.0 - p->gamma - p->gamma * share);
    const double *restrict k = m->k, *restrict f = m->f, *restrict u = m->u, *restrict v = m->v;
    const double *restrict a = m->a, *restrict re = c->re;
    double *restrict y = m->yr, *restrict u1 = m->u1, *restrict v1 = m->v1, rest = p->af;
    size_t n = m->n;
    if (!p->stores_acceleration) {
#pragma omp simd
        for (size_t i = 0; i < n; i++) {
            u1[i] = u[i] + h * v[i];
            y[i] = (f[i] - k[i] * (af * u1[i] + rest * u[i])) * re[i];
        }
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + h * v[i] + au * a[i];
        v1[i] = v[i] + av * a[i];
        y[i] = (f[i] - k[i] * (af * u1[i] + rest * u[i])) * re[i];
    }
}

SG_HOT static void alpha_correct(const struct model *m, double cu, double cv)
{
    const struct plain_scheme *p = &m->scheme;
    double am = p->am, inverse = 1.0 / (1.0 - am);
    const double *restrict y = m->yr, *restrict a = m->a, *restrict v = m->v;
    double *restrict u1 = m->u1, *restrict v1 = m->v1, *restrict a1 = m->a1;
    size_t n = m->n;
    if (!p->stores_acceleration) {
#pragma omp simd
        for (size_t i = 0; i < n; i++) {
            u1[i] += cu * y[i];
            v1[i] = v[i] + cv * y[i];
        }
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        u1[i] += cu * y[i];
        v1[i] += cv * y[i];
        a1[i] = inverse * (y[i] - am * a[i]);
    }
}

static void alpha_step(struct model *m, struct coefficients *c, struct contact_sides *s)
{
    double cu, cv, weight = alpha_weight(&m->scheme, c->h, &cu, &cv), af = m->scheme.af;
    alpha_predict(m, c);
    if (s->na > 0) {
        for (size_t i = 0; i < s->na; i++) {
            size_t j = s->row[i];
            gap(m, j, m->u, m->u1); /* rate: w . u1 */
            double gap1 = m->rate[j] + m->offset[j];
            s->lead[i] = -m->kappa[j] * ((1.0 - af) * gap1 + af * m->gap[j]);
        }
        solve_contacts(m, c, weight, s);
        add_contacts(m, c, s);
    }
    alpha_correct(m, cu, cv);
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
        struct contact_sides sides = {.na = 0};
        for (size_t j = 0; j < m->q; j++)
            if (trial->active >> j & 1u) sides.row[sides.na++] = j;
        struct coefficients *c = coefficients(m, trial->h);
        if (m->scheme.botr)
            botr_step(m, c, &sides);
        else
            alpha_step(m, c, &sides);
        for (size_t j = 0; j < m->q; j++) gap(m, j, m->u1, m->v1);
        if (i + 1 < trace->count && trace->items[i + 1].t == trial->t) continue;
        exchange(&m->u, &m->u1);
        exchange(&m->v, &m->v1);
        exchange(&m->a, &m->a1);
    }
}

static void release(struct model *m)
{
    double *arrays[] = {m->u, m->v, m->a, m->u1, m->v1, m->a1, m->yr, m->yi};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sg_free(arrays[i]);
    for (size_t i = 0; i < STEPS; i++) {
        sg_free(m->steps[i].re);
        sg_free(m->steps[i].im);
    }
}

static sg_status init(struct model *m, const struct bench_model *from, struct sg_error *err)
{
    const struct sg_system *system = from->job.system;
    double **arrays[] = {&m->u, &m->v, &m->a, &m->u1, &m->v1, &m->a1, &m->yr, &m->yi};
    *m = (struct model){.n = system->n,
                        .q = from->job.contacts->q,
                        .scheme = plain_scheme_of(from),
                        .k = system->K.diag,
                        .f = system->gravity,
                        .kappa = from->job.line_stiffness,
                        .offset = from->job.contacts->offset,
                        .w = &from->job.contacts->w};
    double a = (3.0 + m->scheme.eta) / 6.0, b = (1.0 + m->scheme.eta) / 12.0;
    m->s = (a + sqrt(4.0 * b - a * a) * I) / (2.0 * b);
    m->d = 1.0 / (2.0 * b * m->s - a);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) TRY(SG_NEW(arrays[i], m->n, err));
    for (size_t i = 0; i < STEPS; i++) {
        TRY(SG_NEW(&m->steps[i].re, m->n, err));
        TRY(SG_NEW(&m->steps[i].im, m->n, err));
    }
    memcpy(m->u, system->u0, m->n * sizeof *m->u);
    memcpy(m->v, system->v0, m->n * sizeof *m->v);
    for (size_t i = 0; i < m->n; i++) m->a[i] = m->f[i] - m->k[i] * m->u[i];
    return SG_OK;
}

sg_status plain_modal(const struct bench_model *model, const struct plain_trace *trace, double *seconds,
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
