/* Columns D w are solves, entries of H dots with them; both are made when a contact closes that they are of,
 * and kept as long as they hold. Where D is diagonal a column costs less than keeping it: H is then made
 * anew, and only where contacts share a dof is it not zero. */
#include "strategies/time_stepping/response.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

/* a row of a contact as a column of W */
struct row {
    const struct sg_columns *w;
    size_t column;
};

static struct row row_of(const struct sg_contact_frame *frame, size_t j, size_t k, size_t rows)
{
    if (k == 0) return (struct row){frame->normal, j};
    return (struct row){frame->tangent, j * (rows - 1) + k - 1};
}

double sg_response_row_dot(const struct sg_contact_frame *frame, size_t j, size_t k, size_t rows,
                           const double *x)
{
    struct row row = row_of(frame, j, k, rows);
    return sg_columns_dot(row.w, row.column, x);
}

sg_status sg_response_init(struct sg_arena *arena, struct sg_response *response,
                           const struct sg_response_spec *spec, struct sg_error *err)
{
    const struct sg_contact_set *set = spec->contacts;
    const struct sg_response_ops *ops = spec->integrator->ops->response;
    size_t n = spec->phase->system->n, rows = 1 + set->tangents, total = set->q * rows;
    *response = (struct sg_response){.integrator = spec->integrator,
                                     .phase = spec->phase,
                                     .frame = spec->frame,
                                     .bilateral = spec->bilateral,
                                     .n = n,
                                     .rows = rows,
                                     .total = total,
                                     .fixed = set->affine && !ops->iterates(spec->integrator, spec->phase),
                                     .kick = {.span = {0.0, NAN}}};
    if (spec->bilateral == NULL)
        TRY(ops->response_diagonal(spec->integrator, spec->phase, spec->first, &response->diagonal, err));
    else
        response->fixed = response->fixed && spec->bilateral->fixed;
    /* columns are written when their contact closes, which of many few do */
    if (response->diagonal == NULL)
        TRY(sg_arena_alloc(arena, total, n * sizeof(double), "columns of the contacts' response",
                           &response->x, err));
    TRY(SG_ARENA_NEW(arena, &response->column, n, err));
    if (spec->bilateral != NULL)
        TRY(sg_arena_alloc(arena, total, spec->bilateral->m * sizeof(double), "constraints' part of contacts",
                           &response->reactions, err));
    response->cached = response->diagonal == NULL || (response->fixed && set->w.row == NULL);
    if (!response->cached) return SG_OK;
    TRY(sg_arena_alloc(arena, total, total * sizeof(double), "Delassus operator", &response->h, err));
    TRY(SG_ARENA_NEW(arena, &response->have_x, total, err));
    TRY(SG_ARENA_NEW(arena, &response->touched, total, err));
    return SG_ARENA_NEW(arena, &response->have_h, total * total, err);
}

sg_status sg_response_begin(struct sg_response *response, struct sg_kick kick, struct sg_error *err)
{
    const struct sg_response_ops *ops = response->integrator->ops->response;
    bool kept = response->fixed && kick.span.h == response->kick.span.h && kick.stage == response->kick.stage;
    response->kick = kick;
    if (response->bilateral == NULL)
        TRY(ops->response_diagonal(response->integrator, response->phase, kick, &response->diagonal, err));
    if (kept || !response->cached) return SG_OK;
    memset(response->have_x, 0, response->total);
    /* Few of many contacts are closed: the rest of the square need not be touched. */
    for (size_t i = 0; i < response->total; i++)
        if (response->touched[i]) memset(response->have_h + i * response->total, 0, response->total);
    memset(response->touched, 0, response->total);
    return SG_OK;
}

/* Saves which parts are there; loaded, these were there. Where D is diagonal, making H is what counts. */
void sg_response_archive(struct sg_response *response, struct sg_archive *store)
{
    bool diagonal = response->diagonal != NULL;
    size_t total = response->total, size = diagonal ? total * total : total;
    unsigned char *have = diagonal ? response->have_h : response->have_x;
    if (!response->fixed || !response->cached) return;
    SG_ARCHIVE(store, response->kick.span.h);
    SG_ARCHIVE(store, response->kick.stage);
    for (size_t i = 0; i < size; i++) {
        unsigned char was = have[i] != SG_RESPONSE_NONE;
        SG_ARCHIVE(store, was);
        if (store->loading) have[i] = was != 0 ? SG_RESPONSE_WAS_THERE : SG_RESPONSE_NONE;
    }
    if (store->loading) memset(response->touched, 1, total);
}

/* y += s D w */
static void add_scaled(const struct sg_response *response, struct row row, double s, double *y)
{
    const double factor[2] = {s, 0.0};
    struct sg_split d = {(double *)response->diagonal, NULL}, to = {y, NULL};
    sg_columns_add_scaled(row.w, row.column, factor, d, to);
}

/* D w of row `index`, made once; where D is diagonal, in the scratch column, to be cleared afterwards. Solves
 * for what was there before the run was resumed are not counted. */
static sg_status column_of(struct sg_response *response, struct row row, size_t index, double **column,
                           struct sg_error *err)
{
    const struct sg_response_ops *ops = response->integrator->ops->response;
    if (response->diagonal != NULL) {
        *column = response->column;
        response->phase->counts.solves++;
        add_scaled(response, row, 1.0, *column);
        return SG_OK;
    }
    *column = response->x + index * response->n;
    if (response->have_x[index] == SG_RESPONSE_THERE) return SG_OK;
    struct sg_effective_counts before = sg_phase_counts(response->phase);
    memset(*column, 0, response->n * sizeof(double));
    sg_columns_add(row.w, row.column, 1.0, *column);
    TRY(ops->apply_response(response->integrator, response->phase, response->kick, *column, err));
    if (response->bilateral != NULL)
        sg_bilateral_project(response->bilateral, *column,
                             response->reactions + index * response->bilateral->m);
    if (response->have_x[index] == SG_RESPONSE_WAS_THERE) sg_phase_forget_solves(response->phase, before);
    response->have_x[index] = SG_RESPONSE_THERE;
    return SG_OK;
}

/* Tells whether entries of column `index` of H that the list needs are not there; `before`: and were not
 * before the run was resumed. */
static bool misses(const struct sg_response *response, struct sg_contact_list list, size_t index, bool before)
{
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < response->rows; k++) {
            size_t other = list.contact[i] * response->rows + k;
            unsigned char have = response->have_h[index * response->total + other];
            if (have == SG_RESPONSE_NONE || (!before && have == SG_RESPONSE_WAS_THERE)) return true;
        }
    return false;
}

/* Of two columns the first gives the entry of both, whatever the order in which contacts closed: a run that
 * goes on from a checkpoint has the same bits. */
static void fill_column(struct sg_response *response, struct sg_contact_list list, size_t index,
                        const double *column)
{
    size_t total = response->total;
    response->touched[index] = 1;
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < response->rows; k++) {
            size_t other = list.contact[i] * response->rows + k;
            if (other < index || response->have_h[index * total + other] == SG_RESPONSE_THERE) continue;
            double value = sg_response_row_dot(response->frame, list.contact[i], k, response->rows, column);
            response->h[index * total + other] = response->h[other * total + index] = value;
            response->have_h[index * total + other] = response->have_h[other * total + index] =
                SG_RESPONSE_THERE;
            response->touched[other] = 1;
        }
}

static sg_status ready_column(struct sg_response *response, struct sg_contact_list list, size_t j, size_t k,
                              struct sg_error *err)
{
    size_t index = j * response->rows + k;
    struct row row = row_of(response->frame, j, k, response->rows);
    double *column = NULL;
    if (!misses(response, list, index, false)) return SG_OK;
    if (response->diagonal != NULL && !misses(response, list, index, true)) response->phase->counts.solves--;
    TRY(column_of(response, row, index, &column, err));
    fill_column(response, list, index, column);
    if (response->diagonal != NULL) add_scaled(response, row, -1.0, column);
    return SG_OK;
}

/* straight into `h`, where nothing would be kept */
static sg_status make_delassus(struct sg_response *response, struct sg_contact_list list, double *h,
                               struct sg_error *err)
{
    size_t rows = response->rows, size = list.count * rows;
    for (size_t b = 0; b < size; b++) {
        size_t j = list.contact[b / rows], k = b % rows;
        struct row row = row_of(response->frame, j, k, rows);
        double *column = NULL;
        TRY(column_of(response, row, j * rows + k, &column, err));
        for (size_t a = b; a < size; a++)
            h[b * size + a] = h[a * size + b] =
                sg_response_row_dot(response->frame, list.contact[a / rows], a % rows, rows, column);
        add_scaled(response, row, -1.0, column);
    }
    return SG_OK;
}

sg_status sg_response_delassus(struct sg_response *response, struct sg_contact_list list, double *h,
                               struct sg_error *err)
{
    size_t rows = response->rows, size = list.count * rows;
    if (!response->cached) return make_delassus(response, list, h, err);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < rows; k++) TRY(ready_column(response, list, list.contact[i], k, err));
    for (size_t b = 0; b < size; b++) {
        size_t column = list.contact[b / rows] * rows + b % rows;
        for (size_t a = 0; a < size; a++)
            h[b * size + a] =
                response->h[column * response->total + list.contact[a / rows] * rows + a % rows];
    }
    return SG_OK;
}

static void widen(struct sg_velocity_jump *jump, struct row row)
{
    size_t first, count;
    sg_columns_range(row.w, row.column, &first, &count);
    if (count == 0) return;
    bool empty = jump->end == jump->first;
    if (empty || first < jump->first) jump->first = first;
    if (empty || first + count > jump->end) jump->end = first + count;
}

void sg_response_velocity(const struct sg_response *response, struct sg_contact_list list, const double *r,
                          struct sg_velocity_jump *jump)
{
    size_t rows = response->rows;
    memset(jump->dv + jump->first, 0, (jump->end - jump->first) * sizeof *jump->dv);
    jump->first = 0;
    jump->end = response->diagonal != NULL ? 0 : response->n;
    for (size_t i = 0; i < list.count * rows; i++) {
        size_t j = list.contact[i / rows], k = i % rows;
        if (r[i] == 0.0) continue;
        if (response->diagonal != NULL) {
            struct row row = row_of(response->frame, j, k, rows);
            widen(jump, row);
            add_scaled(response, row, r[i], jump->dv);
        } else {
            sg_axpy(response->n, r[i], response->x + (j * rows + k) * response->n, jump->dv);
        }
    }
}

void sg_response_add_reactions(const struct sg_response *response, struct sg_contact_list list,
                               const double *r, double *mu)
{
    size_t rows = response->rows, m = response->bilateral->m;
    for (size_t i = 0; i < list.count * rows; i++)
        sg_axpy(m, r[i], response->reactions + (list.contact[i / rows] * rows + i % rows) * m, mu);
}
