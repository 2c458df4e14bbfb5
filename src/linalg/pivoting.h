/* Block principal pivoting, the active-set loop of complementarity problems 0 <= w(r) _|_ r >= 0 with w
 * affine (Kostreva 1978; Judice and Pires 1994).
 *
 * A set of rows is guessed; w = 0 is solved in its rows, with r = 0 in all others. Rows of the set with r < 0
 * and rows out of it with w < 0 are on the wrong side: they change it, all at once, which mostly ends within
 * a few rounds but may go in circles. Where the number of wrong rows has not fallen for some rounds, the last
 * of them alone changes sides (Murty 1974), which for a positive definite operator is finite, until fewer
 * than ever are wrong. */
#ifndef SG_LINALG_PIVOTING_H
#define SG_LINALG_PIVOTING_H

#include <stdbool.h>
#include <stddef.h>

struct sg_pivoting {
    void *self;
    /* solves for the set at hand; false: it can't be */
    bool (*solve)(void *self);
    /* how many rows are on the wrong side of the set, and the last of them */
    size_t (*count_wrong)(void *self, size_t *last);
    /* changes the side of one row, or of all that count_wrong found (SIZE_MAX) */
    void (*exchange)(void *self, size_t row);
    size_t rows;  /* how many may be wrong */
    size_t limit; /* of sets that are tried */
};

enum sg_pivoting_end { SG_PIVOTING_FOUND, SG_PIVOTING_STUCK, SG_PIVOTING_UNSOLVED };

/* From the set that `self` holds. FOUND: it and its solution stay there; STUCK: the limit was reached;
 * UNSOLVED: `solve` refused. */
enum sg_pivoting_end sg_pivoting_run(const struct sg_pivoting *pivoting);

#endif
