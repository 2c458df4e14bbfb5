#include "linalg/orthobasis.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

sg_status sg_orthobasis_init(struct sg_arena *arena, struct sg_orthobasis *span, size_t length,
                             size_t capacity, struct sg_error *err)
{
    *span = (struct sg_orthobasis){.length = length, .capacity = capacity};
    TRY(sg_arena_alloc(arena, length, capacity * sizeof(double), "span.q", &span->q, err));
    return sg_arena_alloc(arena, capacity, capacity * sizeof(double), "span.r", &span->r, err);
}

/* takes from the vector what lies in the span, and adds its coefficients to `part` */
static void reduce(const struct sg_orthobasis *span, double *vector, double *part)
{
    for (size_t i = 0; i < span->count; i++) {
        const double *q = span->q + i * span->length;
        double along = sg_dot(span->length, q, vector);
        if (along == 0) continue;
        part[i] += along;
        sg_axpy(span->length, -along, q, vector);
    }
}

/* part := R^-1 part, over the independent vectors */
static void combine(const struct sg_orthobasis *span, double *part)
{
    for (size_t j = span->count; j-- > 0;) {
        const double *column = span->r + j * span->capacity;
        part[j] /= column[j];
        for (size_t i = 0; i < j; i++) part[i] -= column[i] * part[j];
    }
}

/* A = Q R, vector by vector. What a pass leaves is orthogonal to the q's up to eps times the vector before
 * it, which is much beside a rest that is short: where more than half of the length was cancelled a second
 * pass takes that off, and twice is enough (Parlett, The Symmetric Eigenvalue Problem, 6.9). A vector without
 * rest is Q c = A R^-1 c: the combination that tells which others say the same. */
bool sg_orthobasis_add(struct sg_orthobasis *span, double *vector, double tolerance, double *combination)
{
    size_t n = span->length;
    double size = sqrt(sg_dot(n, vector, vector)), rest = size;
    bool full = span->count == span->capacity;
    double *part = full ? NULL : span->r + span->count * span->capacity;
    if (combination != NULL) memset(combination, 0, span->capacity * sizeof *combination);
    if (part == NULL) part = combination;
    if (part == NULL) return false;
    memset(part, 0, span->capacity * sizeof *part);
    for (int pass = 0; pass < 2 && rest > 0; pass++) {
        double before = rest;
        reduce(span, vector, part);
        rest = sqrt(sg_dot(n, vector, vector));
        if (rest > 0.5 * before) break;
    }
    if (!full && rest > tolerance * size) {
        part[span->count] = rest;
        double *q = span->q + span->count++ * n;
        for (size_t i = 0; i < n; i++) q[i] = vector[i] / rest;
        return true;
    }
    if (combination == NULL) return false;
    if (part != combination) memcpy(combination, part, span->count * sizeof *part);
    combine(span, combination);
    return false;
}
