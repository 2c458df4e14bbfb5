#include "results/curve.h"

#include <math.h>
#include <string.h>

#include "support/memory.h"

enum { BLOCK = 16384, KEPT = 4 /* points of a pixel column */ };

static sg_status allocate_curve(struct sg_arena *arena, struct sg_curve *curve, size_t count,
                                struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &curve->x, count, err));
    return SG_ARENA_NEW(arena, &curve->y, count, err);
}

static size_t columns_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

/* --- the rows, block by block --------------------------------------------------------------------- */

struct walk {
    const struct sg_reader *reader;
    const struct sg_series *x, *y;
    double *block_x, *block_y;
    size_t block; /* rows */
    void *self;
    void (*row)(void *self, double x, const double *y);
};

static sg_status walk_blocks(const struct walk *w, struct sg_error *err)
{
    size_t width = columns_of(w->y);
    for (size_t first = 0; first < w->y->rows; first += w->block) {
        size_t count = w->y->rows - first < w->block ? w->y->rows - first : w->block;
        TRY(sg_reader_rows(w->reader, w->x, first, count, w->block_x, err));
        TRY(sg_reader_rows(w->reader, w->y, first, count, w->block_y, err));
        for (size_t i = 0; i < count; i++) w->row(w->self, w->block_x[i], w->block_y + i * width);
    }
    return SG_OK;
}

static sg_status walk_rows(struct walk *w, struct sg_error *err)
{
    w->block = BLOCK / columns_of(w->y) + 1;
    SG_LOCAL_ARENA(scratch);
    TRY(SG_ARENA_NEW(&scratch, &w->block_x, w->block, err));
    TRY(SG_ARENA_NEW(&scratch, &w->block_y, w->block * columns_of(w->y), err));
    return walk_blocks(w, err);
}

/* --- thinning ------------------------------------------------------------------------------------- */

/* a point and its row, by which the kept ones are put in order */
struct point {
    double x, y;
    size_t row;
};

/* the pixel column under way */
struct pixel {
    struct point first, least, largest, last;
    size_t index;
    bool empty;
};

struct thinning {
    const struct sg_curve_request *request;
    struct sg_curve *curves;
    struct pixel *pixels; /* one a curve */
    double start, width;  /* of a pixel column, in x; width 0: every row is kept */
    size_t row;
};

static void append(struct sg_curve *curve, struct point point)
{
    curve->x[curve->count] = point.x;
    curve->y[curve->count] = point.y;
    curve->count++;
}

static void swap_if_later(struct point *a, struct point *b)
{
    if (a->row <= b->row) return;
    struct point other = *a;
    *a = *b;
    *b = other;
}

static void close_pixel(struct sg_curve *curve, struct pixel *pixel)
{
    if (pixel->empty) return;
    swap_if_later(&pixel->least, &pixel->largest);
    const struct point kept[KEPT] = {pixel->first, pixel->least, pixel->largest, pixel->last};
    append(curve, kept[0]);
    for (size_t i = 1; i < KEPT; i++) {
        if (kept[i].row > kept[i - 1].row) append(curve, kept[i]);
    }
    pixel->empty = true;
}

static void put_point(struct sg_curve *curve, struct pixel *pixel, struct point point, size_t index)
{
    if (!pixel->empty && index != pixel->index) close_pixel(curve, pixel);
    if (pixel->empty) {
        *pixel = (struct pixel){point, point, point, point, index, false};
        return;
    }
    if (point.y < pixel->least.y || isnan(pixel->least.y)) pixel->least = point;
    if (point.y > pixel->largest.y || isnan(pixel->largest.y)) pixel->largest = point;
    pixel->last = point;
}

static void widen(struct sg_curve *curve, double y, bool first)
{
    if (!isfinite(y)) return;
    curve->low = first ? y : fmin(curve->low, y);
    curve->high = first ? y : fmax(curve->high, y);
}

static void thin_row(void *self, double x, const double *y)
{
    struct thinning *t = self;
    /* never back, never past the last, whatever the times of a strange file are */
    double place = fmin(fmax(0, (x - t->start) / t->width), (double)t->request->pixels);
    size_t reached = t->row == 0 ? 0 : t->pixels[0].index;
    size_t index = t->row;
    if (t->width > 0) index = (size_t)place > reached ? (size_t)place : reached;
    for (size_t j = 0; j < t->request->count; j++) {
        struct point point = {x, y[t->request->columns[j]], t->row};
        widen(&t->curves[j], point.y, t->row == 0);
        put_point(&t->curves[j], &t->pixels[j], point, index);
    }
    t->row++;
}

/* the pixels' width in x; x that does not rise (points of a continuation) is not thinned */
static sg_status set_pixels(const struct sg_reader *reader, struct thinning *t, struct sg_error *err)
{
    const struct sg_series *x = t->request->x;
    double ends[2] = {0, 0};
    if (x->rows <= KEPT * t->request->pixels || x->group != SG_SERIES_HISTORY) return SG_OK;
    TRY(sg_reader_rows(reader, x, 0, 1, &ends[0], err));
    TRY(sg_reader_rows(reader, x, x->rows - 1, 1, &ends[1], err));
    t->start = ends[0];
    t->width = (ends[1] - ends[0]) / (double)t->request->pixels;
    return SG_OK;
}

static sg_status thin(struct sg_arena *arena, const struct sg_reader *reader, struct thinning *t,
                      struct sg_error *err)
{
    const struct sg_curve_request *request = t->request;
    struct walk walk = {.reader = reader, .x = request->x, .y = request->y, .self = t, .row = thin_row};
    SG_LOCAL_ARENA(scratch);
    TRY(SG_ARENA_NEW(&scratch, &t->pixels, request->count, err));
    TRY(set_pixels(reader, t, err));
    size_t most = t->width > 0 ? KEPT * (request->pixels + 2) : request->y->rows;
    for (size_t j = 0; j < request->count; j++) {
        t->pixels[j].empty = true;
        TRY(allocate_curve(arena, &t->curves[j], most, err));
    }
    TRY(walk_rows(&walk, err));
    for (size_t j = 0; j < request->count; j++) close_pixel(&t->curves[j], &t->pixels[j]);
    return SG_OK;
}

sg_status sg_curves_read(struct sg_arena *arena, const struct sg_reader *reader,
                         const struct sg_curve_request *request, struct sg_curve *curves,
                         struct sg_error *err)
{
    struct thinning t = {.request = request, .curves = curves};
    return thin(arena, reader, &t, err);
}

/* --- contact phases ------------------------------------------------------------------------------- */

struct phases {
    struct sg_curve *out;
    size_t width;    /* contacts */
    double shortest; /* a phase ends where the next is further off than this */
    size_t capacity;
    bool active;
};

static bool any_active(const struct phases *p, const double *y)
{
    for (size_t j = 0; j < p->width; j++) {
        if (y[j] != 0) return true;
    }
    return false;
}

static void phase_row(void *self, double x, const double *y)
{
    struct phases *p = self;
    struct sg_curve *out = p->out;
    bool active = any_active(p, y);
    bool joins = out->count > 0 && (out->count == p->capacity || x - out->y[out->count - 1] <= p->shortest);
    if (p->active) out->y[out->count - 1] = x; /* closed up to here */
    if (active && !p->active && !joins) append(out, (struct point){x, x, 0});
    p->active = active;
}

sg_status sg_contact_phases_read(struct sg_arena *arena, const struct sg_reader *reader, size_t pixels,
                                 struct sg_curve *phases, struct sg_error *err)
{
    const struct sg_series *active = sg_reader_find(reader, SG_SERIES_HISTORY, "active");
    const struct sg_series *time = sg_reader_scale(reader, SG_SERIES_HISTORY);
    double ends[2] = {0, 0};
    if (active == NULL || time == NULL || time->rows == 0) return SG_OK;
    TRY(sg_reader_rows(reader, time, 0, 1, &ends[0], err));
    TRY(sg_reader_rows(reader, time, time->rows - 1, 1, &ends[1], err));
    struct phases p = {.out = phases,
                       .width = columns_of(active),
                       .shortest = (ends[1] - ends[0]) / (double)pixels,
                       .capacity = pixels + 2};
    struct walk walk = {.reader = reader, .x = time, .y = active, .self = &p, .row = phase_row};
    /* further apart than a pixel, so at most one a pixel */
    TRY(allocate_curve(arena, phases, p.capacity, err));
    return walk_rows(&walk, err);
}
