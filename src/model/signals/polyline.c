#include <math.h>

#include "model/signals/signals.h"
#include "support/memory.h"

/* sum and sum2 at the points count from the first point; start and start2 are theirs at t = 0, origin and
 * origin2 what they are there as integrals of the signal. */
struct polyline {
    struct sg_table table;
    double *sum, *sum2;
    bool hold;
    double start, start2, origin, origin2;
};

/* at d after point k, on a piece of value y and given slope */
static struct sg_signal_value on_piece(const struct polyline *line, size_t k, double d, double slope)
{
    double y = line->table.y[k];
    return (struct sg_signal_value){.s = y + slope * d,
                                    .ds = slope,
                                    .sum = line->sum[k] + d * (y + slope * d / 2),
                                    .sum2 = line->sum2[k] + d * (line->sum[k] + d * (y / 2 + slope * d / 6))};
}

static struct sg_signal_value beyond(const struct polyline *line, size_t k, double d)
{
    double y = line->hold ? line->table.y[k] : 0;
    return (struct sg_signal_value){
        .s = y, .sum = line->sum[k] + y * d, .sum2 = line->sum2[k] + d * (line->sum[k] + y * d / 2)};
}

static double slope_after(const struct sg_table *table, size_t k)
{
    return (table->y[k + 1] - table->y[k]) / (table->x[k + 1] - table->x[k]);
}

static struct sg_signal_value from_first_point(const struct polyline *line, double t)
{
    const struct sg_table *table = &line->table;
    size_t right = sg_table_piece(table, t);
    if (right == 0) return beyond(line, 0, t - table->x[0]);
    double d = t - table->x[right - 1];
    if (right == table->count) return beyond(line, right - 1, d);
    return on_piece(line, right - 1, d, slope_after(table, right - 1));
}

struct sg_signal_value sg_polyline_at(const struct sg_signal *signal, double t)
{
    const struct polyline *line = signal->data;
    struct sg_signal_value value = from_first_point(line, t);
    value.sum += line->origin - line->start;
    value.sum2 += line->origin2 - line->start2 + (line->origin - line->start) * t;
    return value;
}

void sg_polyline_begin(struct sg_signal *signal, double sum, double sum2)
{
    struct polyline *line = signal->data;
    line->origin = line->start + sum;
    line->origin2 = isnan(sum2) ? 0 : line->start2 + sum2 - sum * line->table.x[0];
}

double sg_polyline_next_break(const struct sg_signal *signal, double t)
{
    const struct polyline *line = signal->data;
    size_t right = sg_table_piece(&line->table, t);
    return right == line->table.count ? HUGE_VAL : line->table.x[right];
}

static sg_status integrate(struct sg_arena *arena, struct polyline *line, struct sg_error *err)
{
    size_t count = line->table.count;
    TRY(SG_ARENA_NEW(arena, &line->sum, count, err));
    TRY(SG_ARENA_NEW(arena, &line->sum2, count, err));
    for (size_t k = 0; k + 1 < count; k++) {
        double h = line->table.x[k + 1] - line->table.x[k];
        struct sg_signal_value end = on_piece(line, k, h, slope_after(&line->table, k));
        line->sum[k + 1] = end.sum;
        line->sum2[k + 1] = end.sum2;
    }
    struct sg_signal_value origin = from_first_point(line, 0);
    line->start = origin.sum;
    line->start2 = origin.sum2;
    return SG_OK;
}

sg_status sg_polyline_create(struct sg_arena *arena, const struct sg_table *table,
                             enum sg_polyline_outside outside, struct sg_signal *signal, struct sg_error *err)
{
    struct polyline *line = NULL;
    TRY(SG_ARENA_NEW(arena, &line, 1, err));
    line->table = *table;
    line->hold = outside == SG_OUTSIDE_HOLD;
    signal->data = line;
    bool ends_jump = line->table.y[0] != 0 || line->table.y[line->table.count - 1] != 0;
    signal->continuity = line->hold || !ends_jump ? 0 : -1;
    signal->straight = true;
    return integrate(arena, line, err);
}
