#include "ground/generator.h"

#include <math.h>
#include <string.h>

#include "ground/fourier.h"
#include "ground/response_spectrum.h"
#include "support/constants.h"
#include "support/memory.h"
#include "support/random.h"

enum { PERIODS = 120, FIT_PERIODS = 100 };

static const double taper = 0.05;         /* of the duration */
static const double corner = 0.5;         /* of 1 / longest: below it the filter lets nothing through */
static const double largest_change = 2.0; /* of an amplitude in one correction */

struct work {
    const struct sg_generator_spec *spec;
    const struct sg_code_spectrum *target;
    struct sg_fourier fourier;
    double complex *noise, *shaped;         /* fourier.n: of the frequencies; scratch */
    double *filter;                         /* fourier.n / 2 + 1 */
    double *envelope;                       /* count */
    double period[PERIODS], ratio[PERIODS]; /* target / response */
    struct sg_table record;
};

size_t sg_generator_count(const struct sg_generator_spec *spec)
{
    return (size_t)(spec->duration / spec->dt + 0.5) + 1;
}

double sg_generator_envelope(const struct sg_generator_spec *spec, double t)
{
    double end = spec->rise + spec->strong, left = (spec->duration - t) / (taper * spec->duration);
    double value = 1;
    if (t < spec->rise)
        value = t / spec->rise * (t / spec->rise);
    else if (t > end)
        value = exp(-spec->decay * (t - end));
    if (left <= 0) return 0;
    return left >= 1 ? value : value * 0.5 * (1 - cos(SG_PI * left));
}

sg_status sg_fit_of(const struct sg_table *record, const struct sg_code_spectrum *target, double damping,
                    double longest, struct sg_fit *fit, struct sg_error *err)
{
    double period[FIT_PERIODS], found[FIT_PERIODS];
    const struct sg_oscillators oscillators = {period, FIT_PERIODS, damping};
    *fit = (struct sg_fit){0, 0};
    sg_response_periods(0.1, fmin(2, longest), FIT_PERIODS, period);
    TRY(sg_pseudo_accelerations(record, &oscillators, found, err));
    for (size_t k = 0; k < FIT_PERIODS; k++) {
        double error = fabs(found[k] / sg_code_spectrum_at(target, period[k]) - 1);
        fit->mean += error / FIT_PERIODS;
        fit->worst = fmax(fit->worst, error);
    }
    return SG_OK;
}

/* --- preparing ------------------------------------------------------------------------------------ */

/* mean 0, variance 1, nearly normal: no function of the math library, which differs from machine to machine
 */
static double normal(struct sg_random *random)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += sg_random_unit(random);
    return sum;
}

static double frequency(const struct work *work, size_t j)
{
    return 2 * SG_PI * (double)j / ((double)work->fourier.n * work->spec->dt);
}

static double within(double low, double x, double high)
{
    return fmin(fmax(x, low), high);
}

static double first_filter(const struct work *work, double w)
{
    const struct sg_generator_spec *spec = work->spec;
    double period = 2 * SG_PI / w, slow = corner * period / spec->longest;
    double pass = 1 / (1 + slow * slow * slow * slow);
    return sg_code_spectrum_at(work->target, within(spec->shortest, period, spec->longest)) / w * pass;
}

static sg_status allocate(struct sg_arena *arena, struct work *work, struct sg_error *err)
{
    size_t count = sg_generator_count(work->spec), n = sg_fourier_length(count);
    TRY(sg_fourier_init(arena, &work->fourier, n, err));
    TRY(SG_ARENA_NEW(arena, &work->noise, n, err));
    TRY(SG_ARENA_NEW(arena, &work->shaped, n, err));
    TRY(SG_ARENA_NEW(arena, &work->filter, n / 2 + 1, err));
    TRY(SG_ARENA_NEW(arena, &work->envelope, count, err));
    return sg_table_allocate(arena, &work->record, count, err);
}

static sg_status prepare(struct sg_arena *arena, struct work *work, uint64_t seed, struct sg_error *err)
{
    const struct sg_generator_spec *spec = work->spec;
    struct sg_random random = {seed};
    TRY(allocate(arena, work, err));
    for (size_t k = 0; k < work->fourier.n; k++) work->noise[k] = normal(&random);
    sg_fourier_forward(&work->fourier, work->noise);
    /* a mean would be no motion of the ground */
    for (size_t j = 1; j <= work->fourier.n / 2; j++)
        work->filter[j] = first_filter(work, frequency(work, j));
    for (size_t k = 0; k < work->record.count; k++) {
        work->record.x[k] = (double)k * spec->dt;
        work->envelope[k] = sg_generator_envelope(spec, work->record.x[k]);
    }
    sg_response_periods(spec->shortest, spec->longest, PERIODS, work->period);
    return SG_OK;
}

/* --- one record ----------------------------------------------------------------------------------- */

/* velocity and displacement at the end of what is straight between its points */
static void ends_of(size_t count, double dt, const double *a, double end[2])
{
    double v = 0, u = 0;
    for (size_t k = 0; k + 1 < count; k++) {
        u += dt * (v + dt * (a[k] / 3 + a[k + 1] / 6));
        v += dt * (a[k] + a[k + 1]) / 2;
    }
    end[0] = v;
    end[1] = u;
}

/* Takes off envelope x (p + q t): the ends are linear in p and q. */
static void settle(struct work *work)
{
    struct sg_table *record = &work->record;
    size_t count = record->count;
    double dt = work->spec->dt, *shape = (double *)work->shaped, flat[2], slope[2], end[2];
    ends_of(count, dt, record->y, end);
    ends_of(count, dt, work->envelope, flat);
    for (size_t k = 0; k < count; k++) shape[k] = work->envelope[k] * record->x[k];
    ends_of(count, dt, shape, slope);
    double det = flat[0] * slope[1] - flat[1] * slope[0];
    double p = (end[0] * slope[1] - end[1] * slope[0]) / det, q = (flat[0] * end[1] - flat[1] * end[0]) / det;
    for (size_t k = 0; k < count; k++) record->y[k] -= work->envelope[k] * (p + q * record->x[k]);
}

static void make_record(struct work *work)
{
    size_t n = work->fourier.n;
    for (size_t j = 0; j < n; j++) work->shaped[j] = work->noise[j] * work->filter[j <= n / 2 ? j : n - j];
    sg_fourier_backward(&work->fourier, work->shaped);
    for (size_t k = 0; k < work->record.count; k++)
        work->record.y[k] = creal(work->shaped[k]) * work->envelope[k];
    settle(work);
}

/* --- fitting -------------------------------------------------------------------------------------- */

/* between periods straight in logarithm; beyond the ends as there */
static double ratio_at(const struct work *work, double period)
{
    double steps = log(within(work->period[0], period, work->period[PERIODS - 1]) / work->period[0]) /
                   log(work->period[PERIODS - 1] / work->period[0]) * (PERIODS - 1);
    size_t k = (size_t)within(0, steps, PERIODS - 2);
    double share = within(0, steps - (double)k, 1);
    return (1 - share) * work->ratio[k] + share * work->ratio[k + 1];
}

/* The ratios of target to response, and how far they are from 1 from .1 to 2 s in the mean. */
static sg_status measure(struct work *work, double *error, struct sg_error *err)
{
    double sum = 0, count = 0, found[PERIODS];
    const struct sg_oscillators oscillators = {work->period, PERIODS, work->spec->damping};
    TRY(sg_pseudo_accelerations(&work->record, &oscillators, found, err));
    for (size_t k = 0; k < PERIODS; k++) {
        double period = work->period[k];
        work->ratio[k] = sg_code_spectrum_at(work->target, period) / found[k];
        if (period < 0.1 || period > 2) continue;
        sum += fabs(1 / work->ratio[k] - 1);
        count++;
    }
    *error = sum / fmax(count, 1);
    if (isfinite(*error)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the record made has no response to be corrected");
}

static void correct_filter(struct work *work)
{
    for (size_t k = 0; k < PERIODS; k++)
        work->ratio[k] = within(1 / largest_change, work->ratio[k], largest_change);
    for (size_t j = 1; j <= work->fourier.n / 2; j++)
        work->filter[j] *= ratio_at(work, 2 * SG_PI / frequency(work, j));
}

static sg_status keep_best(struct sg_arena *arena, const struct work *work, struct sg_generated *best,
                           long long iteration, struct sg_error *err)
{
    if (best->record.count == 0)
        TRY(sg_table_init(arena, &best->record, work->record.count, work->record.x, work->record.y, err));
    memcpy(best->record.y, work->record.y, work->record.count * sizeof *best->record.y);
    best->iterations = iteration;
    return SG_OK;
}

/* the first correction knows the scale that the filter lacks */
static sg_status scale_filter(struct work *work, struct sg_error *err)
{
    double sum = 0, error;
    make_record(work);
    TRY(measure(work, &error, err));
    for (size_t k = 0; k < PERIODS; k++) sum += log(work->ratio[k]) / PERIODS;
    for (size_t j = 1; j <= work->fourier.n / 2; j++) work->filter[j] *= exp(sum);
    return SG_OK;
}

static sg_status iterate(struct sg_arena *arena, struct work *work, struct sg_generated *best,
                         struct sg_error *err)
{
    const struct sg_generator_spec *spec = work->spec;
    double least = HUGE_VAL, error;
    TRY(scale_filter(work, err));
    for (long long k = 0; k <= spec->iterations && least > spec->tolerance; k++) {
        if (k > 0) correct_filter(work);
        make_record(work);
        TRY(measure(work, &error, err));
        if (error < least) TRY(keep_best(arena, work, best, k, err));
        least = fmin(least, error);
    }
    return sg_fit_of(&best->record, work->target, spec->damping, spec->longest, &best->fit, err);
}

sg_status sg_generate(struct sg_arena *arena, const struct sg_generator_spec *spec,
                      const struct sg_code_spectrum *target, uint64_t seed, struct sg_generated *generated,
                      struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct work work = {.spec = spec, .target = target};
    *generated = (struct sg_generated){0};
    TRY(prepare(&scratch, &work, seed, err));
    return iterate(arena, &work, generated, err);
}
