#include "linalg/row_pairs.h"

/* the columns of each row, one behind the other */
struct users {
    size_t *start;  /* n + 1 */
    size_t *column; /* entries */
    size_t *seen;   /* q: 1 + the column that was last asked for */
};

static sg_status users_init(struct sg_arena *scratch, struct users *users, const struct sg_columns *w,
                            struct sg_error *err)
{
    TRY(SG_ARENA_NEW(scratch, &users->start, w->n + 2, err));
    TRY(SG_ARENA_NEW(scratch, &users->column, w->start[w->q], err));
    TRY(SG_ARENA_NEW(scratch, &users->seen, w->q, err));
    for (size_t k = 0; k < w->start[w->q]; k++) users->start[w->row[k] + 2]++;
    for (size_t i = 0; i < w->n; i++) users->start[i + 2] += users->start[i + 1];
    for (size_t j = 0; j < w->q; j++)
        for (size_t k = w->start[j]; k < w->start[j + 1]; k++)
            users->column[users->start[w->row[k] + 1]++] = j;
    return SG_OK;
}

/* pairs (i, j), i <= j, into `item` unless that is NULL; how many */
static size_t list_pairs(const struct users *users, const struct sg_columns *w, size_t j, size_t (*item)[2])
{
    size_t count = 0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++)
        for (size_t l = users->start[w->row[k]]; l < users->start[w->row[k] + 1]; l++) {
            size_t i = users->column[l];
            if (i > j || users->seen[i] == j + 1) continue;
            users->seen[i] = j + 1;
            if (item != NULL) {
                item[count][0] = i;
                item[count][1] = j;
            }
            count++;
        }
    return count;
}

static sg_status fill(struct sg_arena *arena, struct sg_row_pairs *pairs, struct users *users,
                      const struct sg_columns *w, struct sg_error *err)
{
    for (size_t j = 0; j < w->q; j++) pairs->count += list_pairs(users, w, j, NULL);
    TRY(SG_ARENA_NEW(arena, &pairs->item, pairs->count, err));
    for (size_t j = 0; j < w->q; j++) users->seen[j] = 0;
    size_t next = 0;
    for (size_t j = 0; j < w->q; j++) next += list_pairs(users, w, j, pairs->item + next);
    return SG_OK;
}

sg_status sg_row_pairs_init(struct sg_arena *arena, struct sg_row_pairs *pairs,
                            const struct sg_columns *columns, struct sg_error *err)
{
    struct users users = {.start = NULL};
    *pairs = (struct sg_row_pairs){0};
    SG_LOCAL_ARENA(scratch);
    TRY(users_init(&scratch, &users, columns, err));
    return fill(arena, pairs, &users, columns, err);
}
