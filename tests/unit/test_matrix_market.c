/* Matrix Market files: what they say, each fault with its line, and random damage. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "deck/deck.h"
#include "formats/matrix_market.h"
#include "run_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

Suite *sg_suite_matrix_market(void);

#define GENERAL   "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY     "%%MatrixMarket matrix array real general\n"

struct trial {
    struct sg_arena arena;
    struct sg_deck *deck;
    struct sg_table_source source;
    struct sg_diagnostics diagnostics;
    struct sg_error err;
    struct sg_market market;
    struct sg_text findings;
    sg_status status;
};

static const struct sg_keyword root[] = {{.name = "mass", .type = SG_TEXT, .meaning = "a file"}, {0}};

/* reads `length` bytes as the file "m.mtx" of a deck in memory */
static void begin(struct trial *t, const char *bytes, size_t length)
{
    static const char deck[] = "mass = \"m.mtx\";";
    const struct sg_side_file files[] = {{"m.mtx", bytes, length}, {0}};
    *t = (struct trial){0};
    ck_assert_int_eq(sg_deck_read_text(deck, strlen(deck), "test", &t->deck, &t->diagnostics, &t->err),
                     SG_OK);
    ck_assert_int_eq(sg_deck_validate(t->deck, root, &t->diagnostics, &t->err), SG_OK);
    sg_deck_offer_side_files(t->deck, files);
    t->source = (struct sg_table_source){t->deck, sg_deck_root(t->deck), "mass", "m.mtx", &t->arena};
    t->status = sg_market_read(&t->source, &t->market, &t->diagnostics, &t->err);
    sg_diagnostics_render(&t->diagnostics, &t->findings);
}

static void end(struct trial *t)
{
    sg_arena_release(&t->arena);
    sg_deck_destroy(t->deck);
    sg_diagnostics_release(&t->diagnostics);
    sg_text_release(&t->findings);
}

static void begin_well(struct trial *t, const char *text)
{
    begin(t, text, strlen(text));
    ck_assert_msg(t->status == SG_OK, "%s%s", sg_text_view(&t->findings), t->err.text);
}

static void refused(const char *text, const char *words)
{
    struct trial t;
    begin(&t, text, strlen(text));
    ck_assert_msg(t.status == SG_BAD_DECK, "status %d of: %s", (int)t.status, text);
    ck_assert_msg(strstr(sg_text_view(&t.findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&t.findings));
    ck_assert_ptr_null(t.market.start);
    end(&t);
}

/* --- what is read --------------------------------------------------------------------------------- */

/* Any order, blank lines, comments, capitals, carriage returns, no end of line at the end. */
START_TEST(general)
{
    struct trial t;
    begin_well(&t, "%%MATRIXMARKET Matrix Coordinate Real General\r\n% a comment\n\n%\n 3 4  5 \r\n"
                   "3 4 -1.5e-3\n\n1 1 +2\n% between\n3\t1\t7\n2 1 .5\n1 4 1e300");
    ck_assert_uint_eq(t.market.rows, 3);
    ck_assert_uint_eq(t.market.columns, 4);
    static const double expected[3][4] = {{2, 0, 0, 1e300}, {0.5, 0, 0, 0}, {7, 0, 0, -1.5e-3}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) NEAR(sg_market_entry(&t.market, i, j), expected[i][j], 0.0);
    static const size_t start[] = {0, 3, 3, 3, 5};
    for (size_t j = 0; j < 5; j++) ck_assert_uint_eq(t.market.start[j], start[j]);
    for (size_t k = 0; k < 3; k++) ck_assert_uint_eq(t.market.row[k], k);
    ck_assert_uint_eq(t.market.line[3], 12);
    end(&t);
}
END_TEST

START_TEST(symmetric_has_both_triangles)
{
    struct trial t;
    begin_well(&t, SYMMETRIC "3 3 4\n1 1 4\n2 1 -1\n3 2 -2\n3 3 5\n");
    static const double expected[3][3] = {{4, -1, 0}, {-1, 0, -2}, {0, -2, 5}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) NEAR(sg_market_entry(&t.market, i, j), expected[i][j], 0.0);
    ck_assert_uint_eq(t.market.start[3], 6);
    end(&t);
}
END_TEST

/* column by column; of a symmetric array the lower triangle */
START_TEST(arrays)
{
    struct trial t;
    begin_well(&t, ARRAY "2 3\n1\n2\n3\n4\n5\n6\n");
    for (size_t k = 0; k < 6; k++) NEAR(sg_market_entry(&t.market, k % 2, k / 2), (double)k + 1, 0.0);
    end(&t);
    begin_well(&t, "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
    static const double expected[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) NEAR(sg_market_entry(&t.market, i, j), expected[i][j], 0.0);
    end(&t);
}
END_TEST

/* the assembly of finite elements: entries of one place add up, the diagonal of a symmetric file once */
START_TEST(entries_of_a_place_add_up)
{
    struct trial t;
    begin_well(&t, SYMMETRIC "2 2 6\n1 1 1\n2 1 -1\n2 2 1\n1 1 3\n2 2 3\n2 1 -3\n");
    NEAR(sg_market_entry(&t.market, 0, 0), 4, 0.0);
    NEAR(sg_market_entry(&t.market, 1, 0), -4, 0.0);
    NEAR(sg_market_entry(&t.market, 0, 1), -4, 0.0);
    ck_assert_uint_eq(t.market.start[2], 4);
    end(&t);
    refused(GENERAL "1 1 2\n1 1 1.7e308\n1 1 1.7e308\n", "line 4: the sum of all entries at this place");
}
END_TEST

/* what %.17g writes comes back bit by bit */
START_TEST(numbers_come_back)
{
    unsigned long long seed = 7;
    for (int k = 0; k < 200; k++) {
        char text[200];
        double value = ldexp(run_random(&seed), (int)(600 * run_random(&seed)));
        struct trial t;
        snprintf(text, sizeof text, "%s1 1\n%.17g\n", ARRAY, value);
        begin_well(&t, text);
        NEAR(sg_market_entry(&t.market, 0, 0), value, 0.0);
        end(&t);
    }
}
END_TEST

/* --- symmetry ------------------------------------------------------------------------------------- */

static double triplet_sum(const struct sg_triplets *t, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < t->count; k++) sum += t->row[k] == i && t->column[k] == j ? t->value[k] : 0;
    return sum;
}

/* Pairs that differ by rounding are their mean; one of a pair alone passes if it is rounding beside the
 * diagonal, wherever it stands. */
START_TEST(symmetric_but_for_rounding)
{
    struct trial t;
    struct sg_triplets sum = {.arena = &arena, .n = 5};
    begin_well(&t, GENERAL
               "3 3 8\n1 1 1\n2 2 4\n3 3 9\n1 2 0.5\n2 1 0.5000000000001\n3 1 1e-13\n2 3 4e-13\n1 3 0\n");
    ck_assert(sg_market_add_symmetric(&t.source, &t.market, 2, &sum, &t.diagnostics));
    NEAR(triplet_sum(&sum, 3, 2), 0.50000000000005, DBL_EPSILON);
    NEAR(triplet_sum(&sum, 4, 2), 0.5e-13, 1e-28);
    NEAR(triplet_sum(&sum, 4, 3), 2e-13, 1e-28);
    NEAR(triplet_sum(&sum, 4, 4), 9, 0.0);
    end(&t);
}
END_TEST

START_TEST(unsymmetric_is_refused)
{
    static const char *const files[] = {
        GENERAL "2 2 3\n1 1 1\n2 2 1\n2 1 1e-11\n", GENERAL "2 2 3\n1 1 1\n2 2 1\n1 2 1e-11\n",
        GENERAL "2 2 4\n1 1 1\n2 2 1\n1 2 0.5\n2 1 -0.5\n", GENERAL "2 2 2\n1 2 0.5\n2 1 0.50000000001\n"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct trial t;
        struct sg_triplets sum = {.arena = &arena, .n = 2};
        begin_well(&t, files[k]);
        ck_assert(!sg_market_add_symmetric(&t.source, &t.market, 0, &sum, &t.diagnostics));
        ck_assert_uint_eq(t.diagnostics.errors, 1);
        end(&t);
    }
}
END_TEST

/* --- faults --------------------------------------------------------------------------------------- */

START_TEST(first_lines)
{
    refused("", "line 1: is not the first line");
    refused("\n" GENERAL "1 1 1\n1 1 1\n", "line 1: is not the first line");
    refused("%MatrixMarket matrix coordinate real general\n", "line 1: is not the first line");
    refused("%%MatrixMarket matrix coordinate real\n", "line 1: has fewer words");
    refused("%%MatrixMarket matrix coordinate real general x\n", "line 1: has more words");
    refused("%%MatrixMarket vector coordinate real general\n", "holds no matrix but 'vector'");
    refused("%%MatrixMarket matrix sparse real general\n", "the format 'sparse'");
    refused("%%MatrixMarket matrix coordinate real skew-symmetric\n", "the symmetry 'skew-symmetric'");
    refused("%%MatrixMarket matrix coordinate complex general\n", "the field 'complex'");
    refused("%%MatrixMarket matrix coordinate pattern general\n", "the field 'pattern'");
}
END_TEST

START_TEST(sizes)
{
    refused(GENERAL "% end\n", "the file ends before the line of the size");
    refused(GENERAL "1 1\n1 1 1\n", "line 2: is not the line of the size");
    refused(GENERAL "1 1 1 1\n1 1 1\n", "line 2: is not the line of the size");
    refused(GENERAL "-1 1 1\n1 1 1\n", "line 2: is not the line of the size");
    refused(GENERAL "1.0 1 1\n1 1 1\n", "line 2: is not the line of the size");
    refused(ARRAY "1 1 1\n1\n", "line 2: is not the line of the size");
    refused(GENERAL "0 1 0\n", "a matrix of 0 x 1 has no entry");
    refused(GENERAL "10000001 1 0\n", "too large");
    refused(GENERAL "18446744073709551616 1 0\n", "too large");
    refused(GENERAL "1 1 18446744073709551616\n", "more than the file of");
    refused(ARRAY "10000000 10000000\n1\n", "more than the file of");
    refused(SYMMETRIC "2 3 1\n1 1 1\n", "can't have 2 rows and 3 columns");
}
END_TEST

START_TEST(entries)
{
    refused(GENERAL "2 2 2\n1 1 1\n", "line 4: the file ends after 1 entry, 2 are announced in line 2");
    refused(GENERAL "2 2 1\n1 1 1\n\n2 2 1\n", "line 5: continues after the last of the 1");
    refused(GENERAL "2 2 1\n0 1 1\n", "line 3: the row is 0");
    refused(GENERAL "2 2 1\n1 0 1\n", "line 3: the column is 0");
    refused(GENERAL "2 2 1\n3 1 1\n", "line 3: row 3 is beyond the 2 that line 2 announces");
    refused(GENERAL "2 2 1\n1 99999999999999999999 1\n", "is beyond the 2");
    refused(GENERAL "2 2 1\n1 -1 1\n", "does not begin with a row and a column");
    refused(GENERAL "2 2 1\n1\n", "does not begin with a row and a column");
    refused(GENERAL "2 2 1\n1 1\n", "has no number where the value is due");
    refused(GENERAL "2 2 1\n1 1 1,5\n", "has no number where the value is due");
    refused(GENERAL "2 2 1\n1 1 0x10\n", "has no number where the value is due");
    refused(GENERAL "2 2 1\n1 1 1.0D+03\n", "has no number where the value is due");
    refused(GENERAL "2 2 1\n1 1 inf\n", "not a finite number");
    refused(GENERAL "2 2 1\n1 1 nan\n", "not a finite number");
    refused(GENERAL "2 2 1\n1 1 -1e999\n", "not a finite number");
    refused(GENERAL "2 2 1\n1 1 1 0\n", "has more on it than one entry");
    refused(SYMMETRIC "2 2 1\n1 2 1\n", "is above the diagonal");
    refused(ARRAY "2 1\n1 2\n", "has more on it than one entry");
    refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 0.5\n", "is no integer");
}
END_TEST

/* Bytes of good files changed, dropped and doubled: a file is read or refused with one finding, never half.
 */
START_TEST(damage)
{
    static const char *const files[] = {
        GENERAL "% c\n3 3 5\n1 1 2.5\n2 2 2\n3 3 1e3\n1 3 -0.25\n3 1 -0.25\n",
        SYMMETRIC "3 3 4\n1 1 4\n2 1 -1\n2 2 3\n3 3 5\n", ARRAY "2 2\n1\n2\n3\n4\n",
        "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"};
    static const char bytes[] = "0123456789 .-+eE%\n\t\rxn,\0\xff";
    unsigned long long seed = 2014;
    size_t read = 0, all = 20000;
    for (size_t k = 0; k < all; k++) {
        char text[256];
        const char *good = files[k % 4];
        size_t length = strlen(good);
        memcpy(text, good, length);
        for (size_t hits = 1 + k % 3; hits > 0; hits--) {
            size_t at = (size_t)(0.5 * (run_random(&seed) + 1) * (double)length);
            size_t which = (size_t)(0.5 * (run_random(&seed) + 1) * (double)(sizeof bytes - 1));
            if (k % 5 == 0) length = at > 0 ? at : 1;
            if (at < length) text[at] = bytes[which];
        }
        struct trial t;
        begin(&t, text, length);
        ck_assert(t.status == SG_OK || t.status == SG_BAD_DECK);
        ck_assert_uint_eq(t.diagnostics.errors, t.status == SG_OK ? 0 : 1);
        for (size_t e = 0; t.status == SG_OK && e < t.market.start[t.market.columns]; e++)
            ck_assert(t.market.row[e] < t.market.rows && isfinite(t.market.value[e]));
        read += t.status == SG_OK;
        end(&t);
    }
    ck_assert(read > all / 50 && read < all);
}
END_TEST

Suite *sg_suite_matrix_market(void)
{
    Suite *suite = suite_create("matrix_market");
    TCase *tcase = tcase_create("matrix_market");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_test(tcase, general);
    tcase_add_test(tcase, symmetric_has_both_triangles);
    tcase_add_test(tcase, arrays);
    tcase_add_test(tcase, entries_of_a_place_add_up);
    tcase_add_test(tcase, numbers_come_back);
    tcase_add_test(tcase, symmetric_but_for_rounding);
    tcase_add_test(tcase, unsymmetric_is_refused);
    tcase_add_test(tcase, first_lines);
    tcase_add_test(tcase, sizes);
    tcase_add_test(tcase, entries);
    tcase_add_test(tcase, damage);
    suite_add_tcase(suite, tcase);
    return suite;
}
