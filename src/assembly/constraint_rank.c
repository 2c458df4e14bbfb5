/* Which rows of constraints say what others say already, and which dofs without mass no constraint holds.
 *
 * A redundant row leaves the multipliers undetermined and G M^-1 G^T singular, so it is refused by name.
 * Whether a row is a combination of others must not depend on units: metres beside radians, kilograms beside
 * grams. Rows are therefore compared in the metric of the mass, w_j = M^-1/2 g_j / |M^-1/2 g_j|, and row j is
 * redundant where the rest that Gram and Schmidt leave of it, |w_j - sum_k (w_k . w_j) w_k| over the
 * orthonormal w_k before it, is below 1e-9. The coefficients of what was taken away name the rows that it
 * repeats.
 *
 * That costs m^2 n. Of many rows the Gram matrix A = (w_i . w_j) is sparse, and one factorisation with
 * inverse iteration gives its lowest eigenvalue. The square of the shortest rest is at least this eigenvalue
 * (Courant and Fischer), so one that is far above rounding proves that all rows are independent; only where
 * it is not does Gram-Schmidt have to say which. */
#include "assembly/constraint_rank.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "assembly/constraints/kinds.h"
#include "linalg/orthobasis.h"
#include "linalg/solver.h"
#include "support/arena.h"
#include "support/memory.h"

/* 1, of directions: what counts as none */
static const double slack = 1e-9;

/* --- rank ----------------------------------------------------------------------------------------- */

/* G in columns over the dofs that any row knows, each divided by the root of its mass, then each column by
 * its length: values stand where those of G do */
struct scaled {
    size_t length;
    size_t *of_free; /* n: index among them; SIZE_MAX: none */
    double *value;
};

static void number_dofs(const struct sg_system *system, const struct sg_columns *G, struct scaled *scaled)
{
    for (size_t i = 0; i < system->n; i++) scaled->of_free[i] = SIZE_MAX;
    for (size_t k = 0; k < G->start[G->q]; k++)
        if (scaled->of_free[G->row[k]] == SIZE_MAX) scaled->of_free[G->row[k]] = scaled->length++;
}

/* false, with a finding, where a row has no length to speak of */
static bool scale_row(const struct sg_builder *model, const struct sg_columns *G, size_t j,
                      struct scaled *scaled)
{
    const struct sg_constraints *set = &model->system->constraints;
    double square = 0, largest = 0;
    for (size_t k = G->start[j]; k < G->start[j + 1]; k++) {
        double mass = sg_matrix_entry(&model->system->M, G->row[k], G->row[k]);
        scaled->value[k] = G->value[k] / (mass > 0 ? sqrt(mass) : 1);
        square += scaled->value[k] * scaled->value[k];
        largest = fmax(largest, fabs(G->value[k]));
    }
    for (size_t k = G->start[j]; k < G->start[j + 1]; k++) scaled->value[k] /= sqrt(square);
    if (square > DBL_MIN && square < DBL_MAX) return true;
    if (largest == 0)
        sg_complain(model->diagnostics, SG_ERROR, set->item[set->entry[j]].node,
                    "constraint '%.100s' holds nothing: no free coordinate changes it", set->names[j]);
    else
        sg_complain(model->diagnostics, SG_ERROR, set->item[set->entry[j]].node,
                    "constraint '%.100s' changes by up to %g with its coordinates: the squares of such "
                    "numbers overflow or vanish",
                    set->names[j], largest);
    return false;
}

static sg_status scale_init(const struct sg_builder *model, const struct sg_columns *G, struct scaled *scaled)
{
    TRY(SG_NEW(&scaled->of_free, model->system->n, model->err));
    TRY(SG_NEW(&scaled->value, G->start[G->q], model->err));
    number_dofs(model->system, G, scaled);
    return SG_OK;
}

static void scale_release(struct scaled *scaled)
{
    sg_free(scaled->of_free);
    sg_free(scaled->value);
}

/* "'a', 'b' and 3 more": the rows that row i is made of */
static void list_parts(const struct sg_constraints *set, const size_t *member, size_t count,
                       const double *combination, struct sg_text *list)
{
    enum { LISTED = 4 };
    size_t found = 0;
    double largest = 0;
    for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs(combination[k]));
    for (size_t k = 0; k < count; k++) {
        if (fabs(combination[k]) <= 1e-6 * largest) continue;
        if (found++ < LISTED)
            sg_text_append(list, "%s'%.100s'", found == 1 ? "" : ", ", set->names[member[k]]);
    }
    if (found > LISTED) sg_text_append(list, " and %zu more", found - LISTED);
}

/* The search for dependent rows works with these. */
struct search {
    struct sg_orthobasis span;
    double *vector, *combination;
    size_t *member; /* rows that are independent */
};

static void complain_redundant(const struct sg_builder *model, const struct search *search, size_t i)
{
    const struct sg_constraints *set = &model->system->constraints;
    SG_LOCAL_TEXT(parts);
    list_parts(set, search->member, search->span.count, search->combination, &parts);
    sg_complain(model->diagnostics, SG_ERROR, set->item[set->entry[i]].node,
                "constraint '%.100s' is redundant: %s say%s the same already", set->names[i],
                parts.length == 0 ? "supports" : sg_text_view(&parts),
                parts.length > 0 && strchr(sg_text_view(&parts), ',') == NULL ? "s" : "");
}

static void search_rows(const struct sg_builder *model, const struct sg_columns *G,
                        const struct scaled *scaled, struct search *search)
{
    for (size_t i = 0; i < G->q; i++) {
        memset(search->vector, 0, scaled->length * sizeof *search->vector);
        for (size_t k = G->start[i]; k < G->start[i + 1]; k++) {
            size_t at = scaled->of_free[G->row[k]];
            search->vector[at] += scaled->value[k];
        }
        if (sg_orthobasis_add(&search->span, search->vector, slack, search->combination))
            search->member[search->span.count - 1] = i;
        else
            complain_redundant(model, search, i);
    }
}

static sg_status search_init(struct sg_arena *arena, struct search *search, size_t length, size_t most,
                             struct sg_error *err)
{
    TRY(sg_orthobasis_init(arena, &search->span, length, most, err));
    TRY(SG_ARENA_NEW(arena, &search->vector, length, err));
    TRY(SG_ARENA_NEW(arena, &search->combination, most, err));
    return SG_ARENA_NEW(arena, &search->member, most, err);
}

static sg_status name_dependent(const struct sg_builder *model, const struct sg_columns *G,
                                const struct scaled *scaled)
{
    SG_LOCAL_ARENA(scratch);
    struct search search = {.vector = NULL};
    sg_status status = search_init(&scratch, &search, scaled->length, G->q, model->err);
    if (status == SG_OK) search_rows(model, G, scaled, &search);
    return status;
}

/* --- many rows ------------------------------------------------------------------------------------ */

/* A = G M^-1 G^T of the scaled columns: pairs of rows that share a dof */
static sg_status form_products(const struct sg_columns *G, const struct scaled *scaled, struct sg_triplets *a,
                               struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    size_t *first = NULL, *entry = NULL, *row = NULL, entries = G->start[G->q];
    sg_status status = SG_ARENA_NEW(&scratch, &first, scaled->length + 1, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &entry, entries, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &row, entries, err);
    if (status == SG_OK) {
        for (size_t k = 0; k < entries; k++) first[scaled->of_free[G->row[k]] + 1]++;
        for (size_t i = 0; i < scaled->length; i++) first[i + 1] += first[i];
        for (size_t j = 0; j < G->q; j++)
            for (size_t k = G->start[j]; k < G->start[j + 1]; k++) {
                size_t at = first[scaled->of_free[G->row[k]]]++;
                entry[at] = k;
                row[at] = j;
            }
        /* each dof's entries now end where `first` says */
        for (size_t i = 0, from = 0; i < scaled->length; from = first[i++])
            for (size_t k = from; k < first[i]; k++)
                for (size_t l = from; l <= k; l++)
                    sg_triplets_add(a, row[k], row[l], scaled->value[entry[k]] * scaled->value[entry[l]]);
    }
    return status;
}

/* the lowest eigenvalue, from above: by inverse iteration from numbers without order */
static double lowest(const struct sg_factor *factor, size_t n, double *x)
{
    unsigned long long state = 88172645463325252ULL;
    double size = 0;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
    for (int round = 0; round < 4; round++) {
        double before = sqrt(sg_dot(n, x, x));
        for (size_t i = 0; i < n; i++) x[i] /= before;
        sg_factor_solve(factor, x);
        size = sqrt(sg_dot(n, x, x));
    }
    return 1 / size;
}

static sg_status find_lowest(struct sg_arena *arena, const struct sg_triplets *t, double *eigenvalue,
                             struct sg_error *err)
{
    struct sg_matrix a = {0}, none = {.kind = SG_DIAGONAL, .n = t->n, .zero = true};
    struct sg_factor factor = {0};
    double *x = NULL;
    TRY(sg_matrix_init(arena, &a, t, sg_triplets_class(t), err));
    struct sg_mck mck = {&a, &none, &none};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, &mck, false, &layout.symbolic, err));
    TRY(sg_factor_init(arena, &factor, &layout, err));
    TRY(SG_ARENA_NEW(arena, &x, t->n, err));
    TRY(sg_factor_compute(&factor, &mck, (double[3]){1, 0, 0}, err));
    *eigenvalue = lowest(&factor, t->n, x);
    return SG_OK;
}

/* Of many rows: they are independent if the lowest eigenvalue of their products, the square of the shortest
 * rest at most, is far above rounding. False does not say that they aren't. */
static sg_status find_independent(const struct sg_columns *G, const struct scaled *scaled, bool *independent,
                                  struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets products = {.arena = &scratch, .n = G->q};
    double eigenvalue = 0;
    sg_status status = form_products(G, scaled, &products, err);
    if (status == SG_OK) status = find_lowest(&scratch, &products, &eigenvalue, err);
    *independent = status == SG_OK && eigenvalue > 1e-11;
    if (status != SG_NO_SOLUTION) return status;
    sg_error_clear(err);
    return SG_OK;
}

sg_status sg_constraints_check_rank(struct sg_builder *model, const struct sg_columns *G)
{
    enum { FEW = 100 };
    struct scaled scaled = {0};
    bool independent = false, sound = true;
    sg_status status = scale_init(model, G, &scaled);
    for (size_t j = 0; j < G->q && status == SG_OK; j++) sound = scale_row(model, G, j, &scaled) && sound;
    if (status == SG_OK && sound && G->q > FEW)
        status = find_independent(G, &scaled, &independent, model->err);
    if (status == SG_OK && sound && !independent) status = name_dependent(model, G, &scaled);
    scale_release(&scaled);
    return status;
}

/* --- dofs without mass ---------------------------------------------------------------------------- */

/* [M G^T; G 0] is regular where no motion of massless dofs alone keeps all constraints: their rows of G are
 * independent. */
static size_t count_massless(const struct sg_system *system)
{
    size_t count = 0;
    for (size_t i = 0; i < system->n; i++) count += !(sg_matrix_entry(&system->M, i, i) > 0);
    return count;
}

sg_status sg_constraints_check_massless(struct sg_builder *model, const struct sg_columns *G)
{
    struct sg_system *system = model->system;
    SG_LOCAL_ARENA(scratch);
    struct search search = {.vector = NULL};
    size_t count = count_massless(system);
    system->singular_mass = count > 0;
    if (count == 0) return SG_OK;
    sg_status status = search_init(&scratch, &search, G->q, count < G->q ? count : G->q, model->err);
    for (size_t i = 0; status == SG_OK && i < system->n; i++) {
        if (sg_matrix_entry(&system->M, i, i) > 0) continue;
        for (size_t j = 0; j < G->q; j++) search.vector[j] = sg_columns_entry(G, j, i);
        if (sg_orthobasis_add(&search.span, search.vector, slack, search.combination)) continue;
        sg_complain_about(model->diagnostics, SG_ERROR, sg_deck_root(model->deck), "constraints",
                          "'%s' has no mass or inertia, and no constraint says how it moves",
                          system->names->dof_names[system->free_dof[i]]);
    }
    return status;
}
