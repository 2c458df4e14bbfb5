/* Two stiffnesses with a kink: with the overlap x = -g and the kink at x_k,
 *
 *     R = k1 x  up to x_k,   R = k1 x_k + k2 (x - x_k)  beyond:
 *
 * a pad on a stiff ground (k2 > k1), or one that gives way (k2 < k1). It is the sum of a spring k1 that
 * begins at the gap 0 and one of k2 - k1, which may be negative, that begins at -x_k, so that energies and
 * the forces of midpoint steps are sums of theirs:
 *
 *     U = k1 min(g, 0)^2 / 2 + (k2 - k1) min(g + x_k, 0)^2 / 2.
 *
 * As pieces: the second line, R = -k2 (g - level), is 0 at the level -x_k (1 - k1 / k2). Force and energy are
 * continuous at the kink, so that no impulse and no energy belongs to that event. A dashpot is that of the
 * first spring. */
#include <math.h>

#include "contact/laws/spring.h"
#include "contact/laws/spring_dashpot.h"
#include "support/constants.h"

enum { FIRST = 1, BEYOND };
enum { K1, K2, KINK };

struct spec {
    double stiffness, factor, beyond, kink, restitution;
};

static const struct sg_keyword rows[] = {
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "force by overlap up to the kink",
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
    {.name = "stiffness_beyond",
     .type = SG_REAL,
     .flags = SG_REQUIRED,
     .unit = "N/m",
     .meaning = "what an overlap beyond the kink adds to the force",
     .range = SG_POSITIVE,
     .example = "5.0e6",
     .offset = offsetof(struct spec, beyond)},
    {.name = "kink",
     .type = SG_REAL,
     .flags = SG_REQUIRED,
     .unit = "m",
     .meaning = "overlap at which the stiffness changes",
     .range = SG_POSITIVE,
     .example = "1.0e-3",
     .offset = offsetof(struct spec, kink)},
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "speed after an impact that stays before the kink by that before, for which strategy penalty "
                "makes a dashpot; by default none",
     .range = {0, 1, true, false, true},
     .example = "0.5",
     .offset = offsetof(struct spec, restitution)},
    {0}};

static void read(const struct sg_setting *node, const struct sg_law_reader *reader, struct sg_law *law)
{
    struct spec spec;
    sg_setting_fill(node, rows, &spec);
    law->number[K1] = sg_law_read_stiffness(node, reader, spec.stiffness, spec.factor);
    law->number[K2] = spec.beyond;
    law->number[KINK] = spec.kink;
    law->restitution = isnan(spec.restitution) ? 0.0 : spec.restitution;
    if (isnan(law->number[K1]))
        sg_complain(reader->diagnostics, SG_ERROR, node, "give 'stiffness' or 'stiffness_factor'");
}

/* --- pieces --------------------------------------------------------------------------------------- */

static struct sg_law_piece piece(const struct sg_law *law, const double *memory, unsigned status)
{
    double k1 = law->number[K1], k2 = law->number[K2];
    (void)memory;
    if (status == FIRST) return (struct sg_law_piece){k1, 0.0};
    return (struct sg_law_piece){k2, -law->number[KINK] * (1.0 - k1 / k2)};
}

static size_t watches(const struct sg_law *law, const double *memory, unsigned status,
                      struct sg_law_watch *list)
{
    double kink = -law->number[KINK];
    (void)memory;
    if (status == SG_LAW_OPEN) {
        list[0] = (struct sg_law_watch){SG_WATCH_GAP, 0.0, false, FIRST};
        return 1;
    }
    if (status == BEYOND) {
        list[0] = (struct sg_law_watch){SG_WATCH_GAP, kink, true, FIRST};
        return 1;
    }
    list[0] = (struct sg_law_watch){SG_WATCH_GAP, 0.0, true, SG_LAW_OPEN};
    list[1] = (struct sg_law_watch){SG_WATCH_GAP, kink, false, BEYOND};
    return 2;
}

/* --- force and energy ----------------------------------------------------------------------------- */

static struct sg_law_force at(const struct sg_law *law, const struct sg_law_point *point)
{
    double k1 = law->number[K1], more = law->number[K2] - k1,
           beyond = sg_law_overlap(point->gap + law->number[KINK]);
    double line = k1 * point->gap - more * beyond;
    if (point->dashpot > 0.0) line += point->dashpot * point->rate;
    if (!(line < 0.0)) return (struct sg_law_force){0.0, 0.0, 0.0};
    return (struct sg_law_force){-line, -(beyond > 0.0 ? k1 + more : k1), -point->dashpot};
}

static double dashpot(const struct sg_law *law, double mass)
{
    return 2.0 * sg_spring_dashpot_ratio(law->restitution) * sqrt(law->number[K1] * mass);
}

static double energy(const struct sg_law *law, const double *memory, double gap)
{
    double k1 = law->number[K1], x = sg_law_overlap(gap), beyond = sg_law_overlap(gap + law->number[KINK]);
    (void)memory;
    return 0.5 * (k1 * x * x + (law->number[K2] - k1) * beyond * beyond);
}

static struct sg_law_step step(const struct sg_law *law, double chi, double g0, double g1)
{
    double k1 = law->number[K1], kink = law->number[KINK];
    struct sg_law_step first = sg_law_spring_step(k1, chi, g0, g1);
    struct sg_law_step more = sg_law_spring_step(law->number[K2] - k1, chi, g0 + kink, g1 + kink);
    return (struct sg_law_step){first.value + more.value, first.slope + more.slope, first.taken + more.taken};
}

/* --- words ---------------------------------------------------------------------------------------- */

static void describe(const struct sg_law *law, struct sg_text *text)
{
    sg_text_append(text, "springs %.7g N/m, %.7g N/m beyond %.7g m", law->number[K1], law->number[K2],
                   law->number[KINK]);
}

/* s and m of half an impact on the second line: from its speed at the kink, m x'' = -k2 (x - x0), to rest */
static void beyond_kink(const struct sg_law *law, const struct sg_law_blow *blow, double speed,
                        struct sg_law_estimate *out)
{
    double k2 = law->number[K2], omega = sqrt(k2 / blow->mass), kink = law->number[KINK];
    double start = kink * law->number[K1] / k2, most = hypot(start, speed / omega);
    out->depth = kink + most - start;
    out->time += 2.0 * acos(start / most) / omega;
}

/* Without dashpot: two arcs, of which the second is met where the speed at the kink is not 0. */
static void estimate(const struct sg_law *law, const struct sg_law_blow *blow, struct sg_law_estimate *out)
{
    double k1 = law->number[K1], kink = law->number[KINK], omega = sqrt(k1 / blow->mass);
    double alone = blow->speed / omega, force = k1 * kink;
    out->sink = blow->load <= force ? blow->load / k1 : kink + (blow->load - force) / law->number[K2];
    out->depth = alone;
    out->time = SG_PI / omega;
    if (alone <= kink) return;
    out->time = 2.0 * asin(kink / alone) / omega;
    beyond_kink(law, blow, omega * sqrt((alone - kink) * (alone + kink)), out);
}

static const char *const statuses[] = {"open", "closed", "beyond the kink"};

const struct sg_law_ops sg_law_bilinear = {
    .kind = {"bilinear", "a spring whose stiffness changes at a kink, with a dashpot for a restitution",
             rows},
    .uses = SG_LAW_PIECES | SG_LAW_FORCE | SG_LAW_STEP,
    .force =
        "R = max(0, stiffness x + (stiffness_beyond - stiffness) max(0, x - kink) - c g'), x = max(0, -g)",
    .restitution_meaning = "that of a mass which meets the contact alone and stays before the kink",
    .read = read,
    .statuses = 3,
    .status_names = statuses,
    .piece = piece,
    .watches = watches,
    .at = at,
    .dashpot = dashpot,
    .step = step,
    .energy = energy,
    .describe = describe,
    .estimate = estimate};
