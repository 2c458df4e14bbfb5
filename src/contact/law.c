#include "contact/law.h"

#include <math.h>
#include <string.h>

/* --- what a strategy takes ------------------------------------------------------------------------------ */

void sg_law_choose_short(const struct sg_law_short *given, const struct sg_law_choice *choice,
                         struct sg_law *law)
{
    struct sg_law_short all = *given;
    all.hertzdamp = choice->hertzdamp;
    for (size_t i = 0; i < sg_law_count(); i++) {
        const struct sg_law_ops *ops = sg_law_at(i);
        if ((ops->uses & choice->uses) == 0 || ops->read_short == NULL) continue;
        if (choice->preferred != NULL && choice->preferred != ops) continue;
        *law = (struct sg_law){.ops = ops, .in_short = true};
        if (ops->read_short(&all, law)) return;
    }
    *law = (struct sg_law){.in_short = true};
}

void sg_law_list(unsigned uses, struct sg_text *list)
{
    for (size_t i = 0; i < sg_law_count(); i++)
        if ((sg_law_at(i)->uses & uses) != 0)
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", sg_law_at(i)->kind.name);
}

const struct sg_law_ops *sg_law_called(const char *short_name)
{
    for (size_t i = 0; i < sg_law_count(); i++) {
        const char *name = sg_law_at(i)->short_name;
        if (name != NULL && strcmp(name, short_name) == 0) return sg_law_at(i);
    }
    return NULL;
}

/* --- questions about a law ------------------------------------------------------------------------------ */

bool sg_law_is_rigid(const struct sg_law *law)
{
    return (law->ops->uses & SG_LAW_IMPACT) != 0;
}

void sg_law_describe_rebound(const struct sg_law *law, struct sg_text *text)
{
    sg_text_append(text, "restitution %g", law->restitution);
}

bool sg_law_is_damped(const struct sg_law *law)
{
    return law->restitution > 0.0 && law->restitution < 1.0;
}

bool sg_law_has_dashpot(const struct sg_law *law)
{
    return sg_law_is_damped(law) && law->ops->dashpot != NULL;
}

double sg_law_stiffness(const struct sg_law *law)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    double largest = 0.0;
    if ((law->ops->uses & SG_LAW_PIECES) == 0) return 0.0;
    for (unsigned status = 1; status < law->ops->statuses; status++)
        largest = fmax(largest, law->ops->piece(law, blank, status).stiffness);
    return largest;
}

bool sg_law_is_linear(const struct sg_law *law)
{
    return (law->ops->uses & SG_LAW_PIECES) != 0 && law->ops->statuses == 2 && law->ops->memory == NULL;
}

size_t sg_law_memory(const struct sg_law *law)
{
    return law->ops->memory == NULL ? 0 : law->ops->memory(law);
}

double sg_law_piece_force(const struct sg_law_piece *piece, double gap)
{
    return -piece->stiffness * (gap - piece->level);
}

unsigned sg_law_status_of(const struct sg_law *law, const double *memory, double gap)
{
    unsigned status = SG_LAW_OPEN;
    for (unsigned i = 0; i < law->ops->statuses; i++) {
        struct sg_law_watch list[SG_LAW_WATCHES];
        size_t count = law->ops->watches(law, memory, status, list), k = 0;
        while (k < count &&
               !(list[k].of == SG_WATCH_GAP && (list[k].rises ? gap > list[k].level : gap < list[k].level)))
            k++;
        if (k == count) return status;
        status = list[k].next;
    }
    return status;
}

double sg_law_energy(const struct sg_law *law, const double *memory, double gap)
{
    return law->ops->energy == NULL ? 0.0 : law->ops->energy(law, memory, gap);
}

static struct sg_law_force force_at_rest(const struct sg_law *law, double depth)
{
    static const double fresh[SG_LAW_MEMORY] = {0.0};
    struct sg_law_point point = {.gap = -depth, .memory = fresh};
    return law->ops->at(law, &point);
}

/* Halvings and doublings go through all numbers, those of a bracket to rounding. */
enum { HALVINGS = 2200, ROUNDING = 200 };

/* the depth of a force > 0: forces rise with depth, so that a bracket shrinks about it */
static double depth_of(const struct sg_law *law, double force)
{
    double low = 1.0, high = 1.0;
    for (int k = 0; k < HALVINGS && force_at_rest(law, low).value > force; k++) low *= 0.5;
    for (int k = 0; k < HALVINGS && force_at_rest(law, high).value < force; k++) high *= 2.0;
    double depth = 0.5 * (low + high);
    for (int k = 0; k < ROUNDING && depth > low && depth < high; k++) {
        struct sg_law_force at = force_at_rest(law, depth);
        if (at.value > force)
            high = depth;
        else
            low = depth;
        double next = depth + (at.value - force) / at.by_gap;
        if (next == depth) break;
        depth = next > low && next < high ? next : 0.5 * (low + high);
    }
    return depth;
}

struct sg_law_rest sg_law_rest_at(const struct sg_law *law, double force)
{
    struct sg_law_rest rest = {0.0, 0.0};
    if (force > 0.0) rest.depth = depth_of(law, force);
    double slope = force > 0.0 ? -force_at_rest(law, rest.depth).by_gap : sg_law_stiffness(law);
    if (slope > 0.0) rest.compliance = 1.0 / slope;
    return rest;
}
