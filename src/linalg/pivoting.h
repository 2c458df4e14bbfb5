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
    size_t rows;
    unsigned char *in_set; /* rows: first the guess, at last the set that solves the problem */
    unsigned char *wrong;  /* rows: of the set at hand */
    size_t limit;          /* of sets that are tried */
    void *self;
    bool (*solve)(void *self); /* for the set at hand; false: it can't be */
    void (*judge)(void *self); /* fills `wrong` for the solution at hand */
};

/* FOUND: the set and its solution stay; STUCK: the limit was reached; UNSOLVED: `solve` refused. `rounds`,
 * unless NULL: how many sets were left again. */
enum sg_pivoting_end { SG_PIVOTING_FOUND, SG_PIVOTING_STUCK, SG_PIVOTING_UNSOLVED };
enum sg_pivoting_end sg_pivoting_run(const struct sg_pivoting *pivoting, long long *rounds);

#endif
