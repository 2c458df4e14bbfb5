/* The decks that ship, for tests. */
#ifndef SG_TESTS_SHIPPED_FIXTURE_H
#define SG_TESTS_SHIPPED_FIXTURE_H

#include "benchmarks/shipped.h"
#include "run_fixture.h"

static inline double *zeros(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

/* its text */
static inline const char *shipped(const char *name)
{
    const struct sg_shipped_deck *deck = sg_shipped_decks;
    while (deck->name != NULL && strcmp(deck->name, name) != 0) deck++;
    ck_assert_msg(deck->name != NULL, "no deck %s", name);
    return deck->text;
}

#endif
