/* Statuses of contact laws (contact/law.h). In each of its statuses a contact is a straight line R = -kappa
 * (g - level), so that between events the model is linear:
 *
 *     M a + C v + (K + sum kappa_j w_j w_j^T) u = f - sum kappa_j (offset_j - level_j) w_j.
 *
 * An event changes lines of a few contacts: a low-rank change of the operator, in which kappa_j stands in D
 * of the Woodbury formula and the level in the row's offset, so that nothing is factored. Force and
 * displacement are continuous there; only the slope changes. */
#include <math.h>
#include <string.h>

#include "linalg/effective.h"
#include "strategies/event_driven/event_driven.h"

static const double *memory_of(const struct sg_event_driven *ed, size_t j)
{
    return ed->memory + j * SG_LAW_MEMORY;
}

static void set_lines(struct sg_event_driven *ed)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++) {
        if (ed->status[j] == SG_LAW_OPEN || !set->sprung[j]) continue;
        const struct sg_law *law = &set->laws[j];
        struct sg_law_piece piece = law->ops->piece(law, memory_of(ed, j), ed->status[j]);
        sg_effective_set_line(ed->run.op, j, piece.stiffness, set->offset[j] - piece.level);
    }
    sg_effective_set_active(ed->run.op, ed->status);
}

void sg_event_select_status(struct sg_event_driven *ed)
{
    if (ed->dynamics != NULL)
        ed->dynamics->select(ed->dynamics->self, ed);
    else
        set_lines(ed);
}

void sg_event_change_status(struct sg_event_driven *ed, double t, struct sg_event_point *at)
{
    if (ed->dynamics != NULL)
        ed->dynamics->change(ed->dynamics->self, ed, t, at);
    else
        set_lines(ed);
}

void sg_event_renew_watches(struct sg_event_driven *ed)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++) {
        struct sg_event_watches *watches = &ed->watches[j];
        if (watches->valid && watches->status == ed->status[j]) continue;
        const struct sg_law *law = &set->laws[j];
        watches->valid = true;
        watches->status = ed->status[j];
        watches->count = law->ops->watches(law, memory_of(ed, j), watches->status, watches->list);
    }
}

sg_status sg_event_enter(struct sg_event_driven *ed, double t, const struct sg_event_point *at, size_t j,
                         unsigned next, struct sg_error *err)
{
    const struct sg_law *law = &ed->run.contacts->laws[j];
    unsigned before = ed->status[j];
    double *memory = ed->memory + j * SG_LAW_MEMORY;
    struct sg_law_point point = {at->gap[j], at->rate[j], 0.0, memory};
    if (law->ops->enter != NULL) law->ops->enter(law, &point, next, memory);
    ed->status[j] = (unsigned char)next;
    ed->watches[j].valid = false;
    enum sg_event_kind kind = next == SG_LAW_OPEN     ? SG_EVENT_OPEN
                              : before == SG_LAW_OPEN ? SG_EVENT_CLOSE
                                                      : SG_EVENT_CHANGE;
    struct sg_event event = {t, j, kind, at->gap[j], at->rate[j], ed->iterations};
    return sg_event_report(ed, &event, err);
}

unsigned sg_event_first_status(const struct sg_event_driven *ed, size_t j)
{
    const struct sg_law *law = &ed->run.contacts->laws[j];
    const double *memory = ed->memory + j * SG_LAW_MEMORY;
    unsigned status = sg_law_status_of(law, memory, ed->from.gap[j]);
    if (status != SG_LAW_OPEN) return status;
    struct sg_law_watch list[SG_LAW_WATCHES];
    law->ops->watches(law, memory, SG_LAW_OPEN, list);
    return list[0].next;
}

double sg_event_spring_force(const struct sg_event_driven *ed, size_t j, double gap)
{
    const struct sg_law *law = &ed->run.contacts->laws[j];
    struct sg_law_piece piece = law->ops->piece(law, memory_of(ed, j), ed->status[j]);
    return sg_law_piece_force(&piece, gap);
}

/* --- the start ------------------------------------------------------------------------------------------ */

bool sg_event_is_zero_at_start(const struct sg_event_driven *ed, size_t j)
{
    const struct sg_contact_set *set = ed->run.contacts;
    if (set->gaps == NULL)
        return ed->from.gap[j] == 0.0; /* of a phase: a function of its state, no distance */
    return fabs(ed->from.gap[j]) <= 4096.0 * sg_contact_set_rounding(set, j, 0.0, ed->from.x.u);
}

sg_status sg_event_closed_at_start(struct sg_event_driven *ed, size_t j, bool *closed, struct sg_error *err)
{
    double rate = ed->from.rate[j];
    bool zero = sg_event_is_zero_at_start(ed, j);
    *closed = zero ? rate < 0.0 : ed->from.gap[j] < 0.0;
    if (zero && *closed) sg_event_mark_zeros(ed, j, 1, 0.0);
    if (!zero || rate != 0.0) return SG_OK;
    TRY(sg_phase_acceleration(ed->run.phase, 0.0, ed->from.x.u, ed->from.x.v, ed->acceleration, err));
    *closed = sg_columns_dot(&ed->run.contacts->w, j, ed->acceleration) <= 0.0;
    return SG_OK;
}

/* --- levels and the tolerance --------------------------------------------------------------------------- */

/* m: the smallest distance of two levels of the gap at which statuses end; HUGE_VAL if there is one level. A
 * law's levels do not depend on its memory before the run, which is zero. */
static double level_distance(const struct sg_law *law)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    double level[SG_LAW_STATUSES * SG_LAW_WATCHES], least = HUGE_VAL;
    size_t count = 0;
    for (unsigned status = 0; status < law->ops->statuses; status++) {
        struct sg_law_watch list[SG_LAW_WATCHES];
        size_t watches = law->ops->watches(law, blank, status, list);
        for (size_t k = 0; k < watches; k++)
            if (list[k].of == SG_WATCH_GAP) level[count++] = list[k].level;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (level[i] != level[j]) least = fmin(least, fabs(level[i] - level[j]));
    return least;
}

/* An event is accepted up to two tolerances behind its level. Were another level of the law nearer, the
 * status that follows could end before it begins: its own watch would be passed already and never cross. */
sg_status sg_event_check_levels(const struct sg_run *run, const double *tolerance, struct sg_error *err)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(run->deck), "contacts");
    const struct sg_contact_set *set = run->contacts;
    size_t errors = run->diagnostics->errors;
    for (size_t j = 0; j < set->q; j++) {
        double distance = set->sprung[j] ? level_distance(&set->laws[j]) : HUGE_VAL;
        if (distance > 2.0 * tolerance[j]) continue;
        sg_complain_about(
            run->diagnostics, SG_ERROR, sg_setting_item(list, set->entry[j]), "law",
            "law '%s' has levels of the gap that lie %g m apart, which event-driven integration "
            "can't tell from one another: it locates them to two gap tolerances of %g m",
            set->laws[j].ops->kind.name, distance, tolerance[j]);
        sg_hint(run->diagnostics, "give strategy.gap_tolerance below %g m, or a law without the nearer level",
                0.5 * distance);
    }
    if (run->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "levels of contact laws are too near to one another for the gap tolerance");
}
