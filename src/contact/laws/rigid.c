/* The rigid contact: 0 <= g _|_ R >= 0, and at an impact Newton's law g'+ = -e g'-.
 *
 * Open, the gap is watched as it falls; what follows is an impact, after which the contact is open again or
 * rests. At rest the gap is held by a row of the operator, whose multiplier is the force, and that force is
 * watched: where it falls through 0 the contact lets go. */
#include <math.h>

#include "contact/law.h"

enum { RESTING = 1 };

struct spec {
    double restitution;
};

static const struct sg_keyword rows[] = {
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "Newton's coefficient of restitution: the speed after an impact by that before",
     .fallback = "0.0",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct spec, restitution)},
    {0}};

static void read(const struct sg_setting *node, const struct sg_law_reader *reader, struct sg_law *law)
{
    struct spec spec;
    (void)reader;
    sg_setting_fill(node, rows, &spec);
    law->restitution = spec.restitution;
}

static bool read_short(const struct sg_law_short *given, struct sg_law *law)
{
    law->restitution = isnan(given->restitution) ? 0.0 : given->restitution;
    return true;
}

static struct sg_law_piece piece(const struct sg_law *law, const double *memory, unsigned status)
{
    (void)law, (void)memory, (void)status;
    return (struct sg_law_piece){HUGE_VAL, 0.0};
}

static size_t watches(const struct sg_law *law, const double *memory, unsigned status,
                      struct sg_law_watch *list)
{
    (void)law, (void)memory;
    list[0] = status == SG_LAW_OPEN ? (struct sg_law_watch){SG_WATCH_GAP, 0.0, false, RESTING}
                                    : (struct sg_law_watch){SG_WATCH_FORCE, 0.0, false, SG_LAW_OPEN};
    return 1;
}

static void describe(const struct sg_law *law, struct sg_text *text)
{
    (void)law;
    sg_text_append(text, "rigid");
}

static const char *const statuses[] = {"open", "resting"};

const struct sg_law_ops sg_law_rigid = {
    .kind = {"rigid", "the gap can't fall below 0; impacts with a coefficient of restitution", rows},
    .uses = SG_LAW_IMPACT,
    .force = "0 <= g, 0 <= R, g R = 0",
    .restitution_meaning = "Newton's: the speed after an impact by that before",
    .read = read,
    .read_short = read_short,
    .statuses = 2,
    .status_names = statuses,
    .piece = piece,
    .watches = watches,
    .describe = describe};
