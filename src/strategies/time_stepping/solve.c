/* The problem of the listed contacts: their Delassus operator, and their impulses by the contact solver.
 * Where D is diagonal they fall into groups, which are solved one after the other: no matrix of all contacts
 * is made. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

void sg_stepping_list(struct sg_time_stepping *ts, size_t j)
{
    ts->list[ts->count++] = j;
    ts->listed[j] = 1;
}

double sg_stepping_point(const struct sg_time_stepping *ts, const struct sg_attempt *attempt)
{
    if (ts->ops->stage_end == NULL) return attempt->span.t + attempt->span.h;
    return attempt->span.t + ts->ops->stage_end(ts->run.integrator, attempt->span, attempt->stage);
}

struct sg_response *sg_stepping_response(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    return &ts->responses[step->kick.stage];
}

struct sg_stepping_times sg_stepping_velocity_times(const struct sg_time_stepping *ts,
                                                    const struct sg_attempt *attempt)
{
    double start = attempt->span.t, end = start + attempt->span.h;
    if (!ts->ops->staggered) return (struct sg_stepping_times){start, end};
    return (struct sg_stepping_times){end - 0.5 * attempt->span.h, end + 0.5 * attempt->next};
}

void sg_stepping_place_drifts(struct sg_time_stepping *ts, const struct sg_attempt *attempt)
{
    struct sg_stepping_times times = sg_stepping_velocity_times(ts, attempt);
    sg_contact_set_drift(ts->run.contacts, times.before, ts->drift_before);
    sg_contact_set_drift(ts->run.contacts, times.after, ts->frame.drift);
}

void sg_stepping_rates(const struct sg_time_stepping *ts, const double *v, const double *drift, double *rate)
{
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        for (size_t k = 0; k < ts->rows; k++)
            rate[i * ts->rows + k] = sg_response_row_dot(&ts->frame, j, k, ts->rows, v);
        rate[i * ts->rows] += drift[j];
    }
}

bool sg_stepping_extend(struct sg_time_stepping *ts, const double *base, const double *slope, double factor)
{
    size_t count = ts->count;
    for (size_t j = 0; j < ts->q; j++) {
        if (ts->listed[j]) continue;
        double change = factor * sg_columns_dot(ts->frame.normal, j, ts->jump.dv);
        if (slope != NULL) change *= slope[j];
        if (change < 0.0 && base[j] + change < 0.0) sg_stepping_list(ts, j);
    }
    return ts->count > count;
}

/* --- memory --------------------------------------------------------------------------------------- */

/* the most contacts that a problem may have */
static size_t largest_problem(struct sg_time_stepping *ts)
{
    struct sg_contact_list all = {ts->list, ts->q};
    for (size_t j = 0; j < ts->q; j++) ts->list[j] = j;
    sg_contact_groups_find(&ts->groups, &ts->frame, all);
    return sg_contact_groups_largest(&ts->groups);
}

static void close_groups(void *groups)
{
    sg_contact_groups_release(groups);
}

static void close_solver(void *solver)
{
    sg_contact_solver_release(solver);
}

sg_status sg_stepping_solve_init(struct sg_time_stepping *ts, struct sg_error *err)
{
    struct sg_arena *arena = &ts->arena;
    size_t most = ts->q, rows;
    double **const by_row[] = {&ts->b, &ts->packed, &ts->rate_before, &ts->group_b, &ts->group_r};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        TRY(SG_ARENA_NEW(arena, by_row[k], ts->q * ts->rows, err));
    TRY(SG_ARENA_NEW(arena, &ts->friction_of, ts->q, err));
    TRY(SG_ARENA_NEW(arena, &ts->listed, ts->q, err));
    TRY(SG_ARENA_NEW(arena, &ts->list, ts->q, err));
    TRY(SG_ARENA_NEW(arena, &ts->group_list, ts->q, err));
    TRY(sg_arena_own(arena, &ts->groups, close_groups, err));
    TRY(sg_contact_groups_init(&ts->groups, ts->n, ts->q, err));
    ts->grouped = ts->responses[0].diagonal != NULL && ts->frame.normal->row != NULL;
    if (ts->grouped && ts->scheme->energy == NULL) most = largest_problem(ts);
    rows = most * ts->rows;
    TRY(SG_ARENA_NEW(arena, &ts->h, rows * rows, err));
    TRY(sg_arena_own(arena, &ts->solver, close_solver, err));
    return sg_contact_solver_init(&ts->solver, most, ts->rows - 1, err);
}

/* --- solving -------------------------------------------------------------------------------------- */

void sg_stepping_keep_report(struct sg_time_stepping *ts, const struct sg_contact_report *report)
{
    ts->contact.iterations += report->iterations;
    ts->contact.residual = fmax(ts->contact.residual, report->residual);
    ts->contact.scale = fmax(ts->contact.scale, report->scale);
    if (report->residual > 0.0)
        ts->contact_share = fmax(ts->contact_share, report->residual / ts->contact.scale);
}

static sg_status solve_problem(struct sg_time_stepping *ts, const struct sg_stepping *step,
                               struct sg_contact_list list, struct sg_error *err)
{
    size_t rows = ts->rows;
    struct sg_contact_problem problem = {
        .count = list.count, .tangents = rows - 1, .h = ts->h, .b = ts->group_b, .friction = ts->friction_of};
    struct sg_contact_report report;
    TRY(sg_response_delassus(sg_stepping_response(ts, step), list, ts->h, err));
    for (size_t i = 0; i < list.count; i++) {
        size_t j = list.contact[i];
        if (ts->compliance != NULL) ts->h[i * rows * (list.count * rows + 1)] += ts->compliance[j];
        ts->friction_of[i] = ts->run.contacts->friction[j];
        memcpy(ts->group_r + i * rows, ts->r + j * rows, rows * sizeof(double));
    }
    sg_status status = sg_contact_solve(&ts->solver, &problem, ts->group_r, &report, err);
    if (status != SG_OK) {
        struct sg_error why = *err;
        if (report.jam.found)
            FAIL(err, status, "contact '%s' jams at step %lld, t = %.17g s: %s",
                 ts->run.contacts->names[list.contact[report.jam.contact]], ts->steps + 1,
                 step->attempt.span.t, why.text);
        FAIL(err, status, "at step %lld, t = %.17g s: %s", ts->steps + 1, step->attempt.span.t, why.text);
    }
    sg_stepping_keep_report(ts, &report);
    for (size_t i = 0; i < list.count; i++)
        memcpy(ts->r + list.contact[i] * rows, ts->group_r + i * rows, rows * sizeof(double));
    return SG_OK;
}

/* the contacts at positions at[0 .. count - 1] of the list */
static sg_status solve_group(struct sg_time_stepping *ts, const struct sg_stepping *step, const size_t *at,
                             size_t count, struct sg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        ts->group_list[i] = ts->list[at[i]];
        memcpy(ts->group_b + i * ts->rows, ts->b + at[i] * ts->rows, ts->rows * sizeof(double));
    }
    return solve_problem(ts, step, (struct sg_contact_list){ts->group_list, count}, err);
}

static sg_status solve_groups(struct sg_time_stepping *ts, const struct sg_stepping *step,
                              struct sg_contact_list list, struct sg_error *err)
{
    const struct sg_contact_groups *groups = &ts->groups;
    sg_contact_groups_find(&ts->groups, &ts->frame, list);
    for (size_t g = 0; g < groups->count; g++) {
        size_t first = groups->start[g], count = groups->start[g + 1] - first;
        TRY(solve_group(ts, step, groups->order + first, count, err));
    }
    return SG_OK;
}

sg_status sg_stepping_solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_contact_list list = {ts->list, ts->count};
    if (ts->grouped && ts->count > 1) {
        TRY(solve_groups(ts, step, list, err));
    } else {
        memcpy(ts->group_b, ts->b, ts->count * ts->rows * sizeof(double));
        TRY(solve_problem(ts, step, list, err));
    }
    for (size_t i = 0; i < ts->count; i++)
        memcpy(ts->packed + i * ts->rows, ts->r + ts->list[i] * ts->rows, ts->rows * sizeof(double));
    sg_response_velocity(sg_stepping_response(ts, step), list, ts->packed, &ts->jump);
    return SG_OK;
}
