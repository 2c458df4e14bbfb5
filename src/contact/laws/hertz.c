/* Hertz's law, with a dashpot that goes with the overlap x = -g (Hunt and Crossley 1975):
 *
 *     R = k x^(3/2) max(0, 1 - (a / v) g'),   x > 0.
 *
 * v is the speed of the impact that the contact is in, and the law's memory: how fast it closed, and, where
 * something presses it further in, the fastest since, so that what the dashpot does stays bounded where a
 * contact begins next to rest. With it a mass alone leaves with the restitution e, whatever its speed: a is a
 * number of e alone (hertz_formulas.h). The force has no straight pieces: event-driven integration can't take
 * it. */
#include "contact/laws/hertz_formulas.h"

#include <math.h>

#include "contact/law.h"

enum { CLOSED = 1 };
enum { STIFFNESS, RATIO }; /* k, a */
enum { SPEED };            /* v */

struct spec {
    double stiffness, restitution;
    int dashpot;
};
enum { EXACT, HERTZDAMP };

static const struct sg_keyword rows[] = {
    {.name = "stiffness",
     .type = SG_REAL,
     .flags = SG_REQUIRED,
     .unit = "N/m^1.5",
     .meaning = "k of the force k x^1.5 of an overlap x",
     .range = SG_POSITIVE,
     .example = "1.0e9",
     .offset = offsetof(struct spec, stiffness)},
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "speed after an impact by that before, for which there is a dashpot; by default none",
     .range = {0, 1, true, false, true},
     .example = "0.65",
     .offset = offsetof(struct spec, restitution)},
    {.name = "dashpot",
     .type = SG_CHOICE,
     .choices = "exact|hertzdamp",
     .fallback = "\"exact\"",
     .meaning =
         "a of the dashpot: that by which a mass leaves with the restitution, or 3 (1 - e^2) / 4, as in "
         "the literature on pounding",
     .offset = offsetof(struct spec, dashpot)},
    {0}};

static void set(struct sg_law *law, double stiffness, double restitution, bool hertzdamp)
{
    law->number[STIFFNESS] = stiffness;
    law->restitution = isnan(restitution) ? 0.0 : restitution;
    law->number[RATIO] = 0.0;
    if (!sg_law_is_damped(law)) return;
    double e = law->restitution;
    law->number[RATIO] = hertzdamp ? 0.75 * (1.0 - e * e) : sg_hertz_dashpot(e);
}

static void read(const struct sg_setting *node, const struct sg_law_reader *reader, struct sg_law *law)
{
    struct spec spec;
    (void)reader;
    sg_setting_fill(node, rows, &spec);
    set(law, spec.stiffness, spec.restitution, spec.dashpot == HERTZDAMP);
}

static bool read_short(const struct sg_law_short *given, struct sg_law *law)
{
    set(law, given->hertz_stiffness, given->restitution, given->hertzdamp);
    return !isnan(given->hertz_stiffness);
}

static size_t memory(const struct sg_law *law)
{
    return law->number[RATIO] > 0.0 ? 1 : 0;
}

static size_t watches(const struct sg_law *law, const double *remembered, unsigned status,
                      struct sg_law_watch *list)
{
    (void)law, (void)remembered;
    bool open = status == SG_LAW_OPEN;
    list[0] = (struct sg_law_watch){SG_WATCH_GAP, 0.0, !open, open ? CLOSED : SG_LAW_OPEN};
    return 1;
}

/* d/dg of x^(3/2) is -(3/2) x^(1/2): (3/2) / g times the force of the spring */
static struct sg_law_force at(const struct sg_law *law, const struct sg_law_point *point)
{
    static const struct sg_law_force none = {0.0, 0.0, 0.0};
    if (!(point->gap < 0.0)) return none;
    double a = law->number[RATIO], v = a > 0.0 && point->dashpot > 0.0 ? point->memory[SPEED] : 0.0;
    double spring = sg_hertz_force(law->number[STIFFNESS], -point->gap), d = v > 0.0 ? a / v : 0.0;
    double factor = 1.0 - d * point->rate;
    if (!(factor > 0.0)) return none;
    return (struct sg_law_force){spring * factor, 1.5 * spring / point->gap * factor, -spring * d};
}

/* the dashpot stands in the law itself: any number above 0 says that it is felt */
static double dashpot(const struct sg_law *law, double mass)
{
    (void)mass;
    return law->number[RATIO];
}

/* Of a contact that is open at the start of the step also the approach without contacts counts, by which it
 * closes. */
static void note(const struct sg_law *law, const struct sg_law_arrival *arrival, double *remembered)
{
    bool open = !(arrival->gap < 0.0);
    if (!(law->number[RATIO] > 0.0)) return;
    if (open && arrival->first) remembered[SPEED] = 0.0;
    remembered[SPEED] = fmax(remembered[SPEED], arrival->before);
    if (open) remembered[SPEED] = fmax(remembered[SPEED], arrival->after);
}

static double energy(const struct sg_law *law, const double *remembered, double gap)
{
    (void)remembered;
    return sg_hertz_energy(law->number[STIFFNESS], gap < 0.0 ? -gap : 0.0);
}

static void describe(const struct sg_law *law, struct sg_text *text)
{
    sg_text_append(text, "Hertz %.7g N/m^1.5", law->number[STIFFNESS]);
}

/* without dashpot: with one an impact is not as deep, and a little longer */
static void estimate(const struct sg_law *law, const struct sg_law_blow *blow, struct sg_law_estimate *out)
{
    double k = law->number[STIFFNESS];
    out->time = sg_hertz_duration(k, blow->mass, blow->speed);
    out->depth = sg_hertz_depth(k, blow->mass, blow->speed);
    out->sink = pow(blow->load / k, 2.0 / 3.0);
}

static const char *const statuses[] = {"open", "closed"};
static const char *const memory_names[] = {"impact_speed [m/s]"};

const struct sg_law_ops sg_law_hertz = {
    .kind = {"hertz", "Hertz's force of round bodies, with a dashpot that goes with the overlap", rows},
    .uses = SG_LAW_FORCE,
    .force = "R = stiffness x^1.5 max(0, 1 + a x' / v), x = -g > 0",
    .restitution_meaning = "that of a mass which meets the contact alone, at any speed; exact for 0 < e <= 1",
    .short_form = "hertz_stiffness",
    .short_hint = "give hertz_stiffness = ... (N/m^1.5), or take law = \"kelvin-voigt\"",
    .short_name = "hertz",
    .takes_hertzdamp = true,
    .read = read,
    .read_short = read_short,
    .statuses = 2,
    .status_names = statuses,
    .memory = memory,
    .memory_names = memory_names,
    .watches = watches,
    .at = at,
    .dashpot = dashpot,
    .note = note,
    .energy = energy,
    .describe = describe,
    .estimate = estimate};
