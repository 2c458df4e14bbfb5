#include "integrators/flow_account.h"

#include <string.h>

#include "integrators/oscillator.h"
#include "model/load_course.h"

enum { MOST = SG_LOAD_DEGREE + 2, POINTS = 12 };

struct sg_flow_account {
    const struct sg_modal_flow *flow;
    double tau;
    size_t degree, links, size; /* links of a chain: 2 degree + 3 at least; size of a quadratic form */
    unsigned long phase;        /* whose chains and forms are held, 0: none; and of what span */
    double chain_tau, form_tau;
    double *chain; /* n x links */
    double *form;  /* n x size^2 */
};

sg_status sg_flow_account_create(struct sg_arena *arena, size_t n, size_t degree,
                                 struct sg_flow_account **out, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, out, 1, err));
    struct sg_flow_account *account = *out;
    account->degree = degree;
    account->links = 2 * degree + 4;
    account->size = degree + 2;
    TRY(SG_ARENA_NEW(arena, &account->chain, n * account->links, err));
    return SG_ARENA_NEW(arena, &account->form, n * account->size * account->size, err);
}

/* --- chains --------------------------------------------------------------------------------------- */

void sg_flow_account_take(struct sg_flow_account *account, const struct sg_modal_flow *flow, double tau)
{
    bool same = account->phase == flow->phase && account->chain_tau == tau;
    account->flow = flow;
    account->tau = tau;
    if (account->phase != flow->phase) account->form_tau = 0.0;
    account->phase = flow->phase;
    account->chain_tau = tau;
    for (size_t l = 0; !same && l < flow->count; l++)
        sg_oscillator_chain(flow->k[l], flow->c[l], tau, account->links, account->chain + l * account->links);
}

/* Y_i of mode l: the i-fold integral of y */
static double integral_of(const struct sg_flow_account *account, size_t l, size_t i)
{
    const struct sg_modal_flow *flow = account->flow;
    const double *s = account->chain + l * account->links;
    double sum = flow->v[l] * s[i + 1], factorial = 1.0;
    for (size_t d = 0; d <= flow->degree; d++) {
        if (d > 1) factorial *= (double)d;
        sum += factorial * flow->r[d * flow->count + l] * s[d + 2 + i];
    }
    return sum;
}

/* P^(i)(tau), P of coefficients p */
static double derivative_at(const double *p, size_t degree, size_t i, double tau)
{
    double sum = 0.0;
    for (size_t d = degree + 1; d-- > i;) {
        double factor = 1.0;
        for (size_t e = 0; e < i; e++) factor *= (double)(d - e);
        sum = sum * tau + factor * p[d];
    }
    return sum;
}

double sg_flow_account_load_work(const struct sg_flow_account *account)
{
    const struct sg_modal_flow *flow = account->flow;
    double work = 0.0;
    for (size_t l = 0; flow->degree > 0 && l < flow->count; l++) {
        double p[SG_LOAD_DEGREE + 1] = {0.0}, sign = 1.0;
        for (size_t k = 0; k < flow->loads; k++)
            for (size_t d = 0; !flow->from_support[k] && d <= flow->degree; d++)
                p[d] += flow->pattern[k * flow->count + l] * flow->course[k * (flow->degree + 1) + d];
        for (size_t i = 0; i <= flow->degree; i++) {
            work += sign * derivative_at(p, flow->degree, i, account->tau) * integral_of(account, l, i);
            sign = -sign;
        }
    }
    return work;
}

double sg_flow_account_integral(const struct sg_flow_account *account, const struct sg_flow_functional *f)
{
    const struct sg_modal_flow *flow = account->flow;
    double sum = 0.0;
    for (size_t l = 0; l < flow->count; l++) {
        if (f->w[l] == 0.0) continue;
        double rate =
            f->rate > 0.0 ? f->rate * (integral_of(account, l, 0) - flow->v[l] * account->tau) : 0.0;
        sum += f->w[l] * (integral_of(account, l, 1) + rate);
    }
    for (size_t k = 0; f->shift != NULL && k < flow->loads; k++) {
        double part = 0.0;
        for (size_t d = flow->degree; d > 0; d--)
            part = (part + flow->course[k * (flow->degree + 1) + d] / (double)(d + 1)) * account->tau;
        sum -= f->shift[k] * part * account->tau;
    }
    return sum;
}

/* --- what dampers take ---------------------------------------------------------------------------- */

/* Gauss's rule of 12 points on [0, 1]: exact for degree 23 */
static const double node[POINTS / 2] = {.1252334085114689, .3678314989981802, .5873179542866175,
                                        .7699026741943047, .9041172563704749, .9815606342467193};
static const double weight[POINTS / 2] = {.2491470458134028, .2334925365383548, .2031674267230659,
                                          .1600783285433462, .1069393259953184, .0471753363865118};

/* phi phi^T over [0, h], k h^2 + c h < 1/2 */
static void form_short(double k, double c, double h, size_t size, double *form)
{
    double phi[MOST];
    memset(form, 0, size * size * sizeof *form);
    for (int i = 0; i < POINTS; i++) {
        double x = i % 2 == 0 ? 0.5 * (1.0 - node[i / 2]) : 0.5 * (1.0 + node[i / 2]), factorial = 1.0;
        sg_oscillator_chain(k, c, x * h, size < 4 ? 4 : size, phi);
        for (size_t a = 1; a < size; a++) {
            if (a > 2) factorial *= (double)(a - 1);
            phi[a] *= factorial;
        }
        for (size_t a = 0; a < size; a++)
            for (size_t b = 0; b < size; b++) form[a * size + b] += 0.5 * h * weight[i / 2] * phi[a] * phi[b];
    }
}

/* the map of (v, r_0, r_1, ..) over h to the same of the motion from there on, row by row: v' = y'(h), the
 * force r(h + t) - k y(h) */
static void transfer(double k, double c, double h, size_t size, double *map)
{
    double s[MOST + 2], factorial = 1.0, binomial;
    sg_oscillator_chain(k, c, h, size + 1 < 4 ? 4 : size + 1, s);
    memset(map, 0, size * size * sizeof *map);
    map[0] = s[0];
    map[size] = -k * s[1];
    for (size_t d = 0; d + 1 < size; d++) {
        if (d > 1) factorial *= (double)d;
        map[d + 1] = factorial * s[d + 1];
        map[size + d + 1] = -k * factorial * s[d + 2];
        binomial = 1.0; /* d over e, times h^(d - e) */
        for (size_t e = d + 1; e-- > 0;) {
            map[(e + 1) * size + d + 1] += binomial;
            binomial *= h * (double)e / (double)(d - e + 1);
        }
    }
}

static void form_twice(double k, double c, double h, size_t size, double *form)
{
    double map[MOST * MOST], product[MOST * MOST];
    transfer(k, c, h, size, map);
    for (size_t a = 0; a < size; a++)
        for (size_t b = 0; b < size; b++) {
            double sum = 0.0;
            for (size_t e = 0; e < size; e++) sum += form[a * size + e] * map[e * size + b];
            product[a * size + b] = sum;
        }
    for (size_t a = 0; a < size; a++)
        for (size_t b = 0; b < size; b++)
            for (size_t e = 0; e < size; e++) form[a * size + b] += map[e * size + a] * product[e * size + b];
}

static void find_form(double k, double c, double h, size_t size, double *form)
{
    double part = h;
    int doublings = sg_oscillator_doublings(k, c, &part);
    form_short(k, c, part, size, form);
    for (; doublings > 0; doublings--) {
        form_twice(k, c, part, size, form);
        part *= 2.0;
    }
}

static double value_of(const struct sg_flow_account *account, size_t l)
{
    const struct sg_modal_flow *flow = account->flow;
    const double *form = account->form + l * account->size * account->size;
    double z[MOST] = {flow->v[l]}, sum = 0.0;
    for (size_t d = 0; d <= flow->degree; d++) z[d + 1] = flow->r[d * flow->count + l];
    for (size_t a = 0; a < account->size; a++)
        for (size_t b = 0; b < account->size; b++) sum += z[a] * form[a * account->size + b] * z[b];
    return sum;
}

double sg_flow_account_damping(struct sg_flow_account *account)
{
    const struct sg_modal_flow *flow = account->flow;
    bool held = account->form_tau == account->tau;
    double work = 0.0;
    for (size_t l = 0; l < flow->count; l++) {
        if (flow->c[l] == 0.0) continue;
        if (!held)
            find_form(flow->k[l], flow->c[l], account->tau, account->size,
                      account->form + l * account->size * account->size);
        work += flow->c[l] * value_of(account, l);
    }
    account->form_tau = account->tau;
    return work;
}
