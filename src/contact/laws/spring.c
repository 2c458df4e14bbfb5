/* The unilateral spring, with a dashpot where a restitution between 0 and 1 is asked for:
 *
 *     R = max(0, -k g - c g').
 *
 * As pieces: open, and closed with R = -k g. Events, operators and orbits know no dashpot. For Newton's
 * method R is the positive part of one linear function, so that it is convex and falls with g and g'; where
 * the dashpot would pull, the contact is cut off before the spring has relaxed (spring_dashpot.h).
 *
 * Over a midpoint step the force whose work is the change of U = k min(g, 0)^2 / 2, and of what is taken, is
 * -(U1 - U0 + D) / (g1 - g0), D = chi k (min(g1, 0) - min(g0, 0))^2 / 2: written case by case below, since
 * the quotient loses all digits where the gap hardly changes. */
#include "contact/laws/spring.h"

#include <math.h>

#include "contact/laws/spring_dashpot.h"
#include "support/constants.h"

enum { CLOSED = 1 };
enum { STIFFNESS };

struct spec {
    double stiffness, factor, restitution;
};

static const struct sg_keyword rows[] = {
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "force by overlap",
     .range = SG_POSITIVE,
     .example = "1.0e6",
     .offset = offsetof(struct spec, stiffness)},
    {.name = "stiffness_factor",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "stiffness as a multiple of the largest entry of the stiffness matrix, instead of stiffness",
     .range = SG_POSITIVE,
     .example = "100.0",
     .offset = offsetof(struct spec, factor)},
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning =
         "speed after an impact by that before, for which strategy penalty makes a dashpot; by default "
         "none",
     .range = {0, 1, true, false, true},
     .example = "0.5",
     .offset = offsetof(struct spec, restitution)},
    {0}};

/* HUGE_VAL on a fault */
static double multiple(const struct sg_setting *node, const struct sg_law_reader *reader, double factor)
{
    double stiffness = factor * reader->max_stiffness;
    if (stiffness <= 0.0)
        sg_complain_about(reader->diagnostics, SG_ERROR, node, "stiffness_factor",
                          "the model has no stiffness to be multiplied: give 'stiffness'");
    if (!isfinite(stiffness))
        sg_complain_about(reader->diagnostics, SG_ERROR, node, "stiffness_factor",
                          "%g times the largest entry of the stiffness matrix, %g N/m, is beyond the reals",
                          factor, reader->max_stiffness);
    return stiffness;
}

double sg_law_read_stiffness(const struct sg_setting *node, const struct sg_law_reader *reader,
                             double stiffness, double factor)
{
    bool direct = sg_setting_given(node, "stiffness"),
         multiplied = sg_setting_given(node, "stiffness_factor");
    if (direct && multiplied)
        sg_complain(reader->diagnostics, SG_ERROR, node,
                    "give either 'stiffness' or 'stiffness_factor', not both");
    if (multiplied) return multiple(node, reader, factor);
    return direct ? stiffness : (double)NAN;
}

static void read(const struct sg_setting *node, const struct sg_law_reader *reader, struct sg_law *law)
{
    struct spec spec;
    sg_setting_fill(node, rows, &spec);
    law->number[STIFFNESS] = sg_law_read_stiffness(node, reader, spec.stiffness, spec.factor);
    law->restitution = isnan(spec.restitution) ? 0.0 : spec.restitution;
    if (isnan(law->number[STIFFNESS]))
        sg_complain(reader->diagnostics, SG_ERROR, node, "give 'stiffness' or 'stiffness_factor'");
}

static bool read_short(const struct sg_law_short *given, struct sg_law *law)
{
    law->number[STIFFNESS] = given->stiffness;
    law->restitution = isnan(given->restitution) ? 0.0 : given->restitution;
    return !isnan(given->stiffness);
}

/* --- pieces --------------------------------------------------------------------------------------------- */

static struct sg_law_piece piece(const struct sg_law *law, const double *memory, unsigned status)
{
    (void)memory, (void)status;
    return (struct sg_law_piece){law->number[STIFFNESS], 0.0};
}

static size_t watches(const struct sg_law *law, const double *memory, unsigned status,
                      struct sg_law_watch *list)
{
    (void)law, (void)memory;
    bool open = status == SG_LAW_OPEN;
    list[0] = (struct sg_law_watch){SG_WATCH_GAP, 0.0, !open, open ? CLOSED : SG_LAW_OPEN};
    return 1;
}

/* --- force and energy --------------------------------------------------------------------------- */

static struct sg_law_force at(const struct sg_law *law, const struct sg_law_point *point)
{
    double k = law->number[STIFFNESS], line = k * point->gap;
    if (point->dashpot > 0.0) line += point->dashpot * point->rate;
    if (!(line < 0.0)) return (struct sg_law_force){0.0, 0.0, 0.0};
    return (struct sg_law_force){-line, -k, -point->dashpot};
}

static double dashpot(const struct sg_law *law, double mass)
{
    return 2.0 * sg_spring_dashpot_ratio(law->restitution) * sqrt(law->number[STIFFNESS] * mass);
}

static double energy(const struct sg_law *law, const double *memory, double gap)
{
    (void)memory;
    double x = sg_law_overlap(gap);
    return 0.5 * law->number[STIFFNESS] * x * x;
}

struct sg_law_step sg_law_spring_step(double stiffness, double chi, double g0, double g1)
{
    double half = 0.5 * stiffness, change = g1 - g0, closing = sg_law_overlap(g1) - sg_law_overlap(g0);
    struct sg_law_step step = {.taken = 0.5 * chi * stiffness * closing * closing};
    if (g0 < 0.0 && g1 < 0.0) {
        step.value = -half * (g0 + g1 + chi * change);
        step.slope = -half * (1.0 + chi);
    } else if (g1 < 0.0) {
        double part = g1 / change; /* of the step's way, within the obstacle */
        half *= 1.0 + chi;
        step.value = -half * g1 * part;
        step.slope = -half * part * (2.0 - part);
    } else if (g0 < 0.0) {
        double part = -g0 / change;
        half *= 1.0 - chi;
        step.value = -half * g0 * part;
        step.slope = -half * part * part;
    }
    return step;
}

static struct sg_law_step step(const struct sg_law *law, double chi, double g0, double g1)
{
    return sg_law_spring_step(law->number[STIFFNESS], chi, g0, g1);
}

/* --- words -------------------------------------------------------------------------------------- */

static void describe(const struct sg_law *law, struct sg_text *text)
{
    sg_text_append(text, "spring %.7g N/m", law->number[STIFFNESS]);
}

static void estimate(const struct sg_law *law, const struct sg_law_blow *blow, struct sg_law_estimate *out)
{
    double k = law->number[STIFFNESS], omega = sqrt(k / blow->mass);
    double ratio = sg_law_is_damped(law) ? sg_spring_dashpot_ratio(law->restitution) : 0.0;
    out->time = (ratio > 0.0 ? sg_spring_dashpot_duration(ratio) : SG_PI) / omega;
    out->depth = blow->speed / omega;
    out->sink = blow->load / k;
}

static const char *const statuses[] = {"open", "closed"};

const struct sg_law_ops sg_law_spring = {
    .kind = {"spring", "a linear spring that only pushes, with a dashpot for a restitution", rows},
    .uses = SG_LAW_PIECES | SG_LAW_FORCE | SG_LAW_STEP,
    .force = "R = max(0, -stiffness g - c g')",
    .restitution_meaning = "that of a mass which meets spring and dashpot alone; exact for 0 < e <= 1",
    .short_form = "stiffness",
    .short_hint = "give stiffness = ... (N/m), or stiffness_factor as a multiple of the largest entry of the "
                  "stiffness matrix",
    .short_name = "kelvin-voigt",
    .read = read,
    .read_short = read_short,
    .statuses = 2,
    .status_names = statuses,
    .piece = piece,
    .watches = watches,
    .at = at,
    .dashpot = dashpot,
    .step = step,
    .energy = energy,
    .describe = describe,
    .estimate = estimate};
