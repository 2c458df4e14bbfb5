/* A model from deck text, for the tests of model/. */
#ifndef SG_TESTS_MODEL_FIXTURE_H
#define SG_TESTS_MODEL_FIXTURE_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "assembly/assembly.h"
#include "assembly/keywords.h"
#include "deck/deck.h"
#include "model/system.h"

/* Within a tolerance, ends included: 0 asks for equality. Check notes each of its assertions in a file, which
 * in loops is what costs: it is asked where one fails. */
static inline void fixture_near(double a, double b, double tolerance, int line)
{
    if (fabs(a - b) <= tolerance) return;
    ck_abort_msg("line %d: %.17g is not %.17g within %g", line, a, b, tolerance);
}
#define NEAR(a, b, tolerance) fixture_near((a), (b), (tolerance), __LINE__)

/* to 1e-13 of the larger: a handful of roundings */
static inline void fixture_same(double a, double b, int line)
{
    fixture_near(a, b, 1e-13 * fmax(fabs(a), fabs(b)), line);
}
#define SAME(a, b) fixture_same((a), (b), __LINE__)

#define BAR(rest)                                                                                            \
    "bodies = ( { type = \"bar\"; length = 2.0; area = 3.0; modulus = 5.0; density = 7.0; " rest " } );"

/* the top level of decks in these tests */
static const struct sg_keyword fixture_root[] = {
    {.name = "bodies", .type = SG_LIST, .meaning = "bodies", .kinds = &sg_body_kinds},
    {.name = "supports", .type = SG_LIST, .meaning = "supports", .rows = sg_support_rows},
    {.name = "elements", .type = SG_LIST, .meaning = "elements", .kinds = &sg_element_kinds},
    {.name = "constraints", .type = SG_LIST, .meaning = "constraints", .kinds = &sg_constraint_kinds},
    {.name = "loads", .type = SG_LIST, .meaning = "loads", .kinds = &sg_load_kinds},
    {.name = "initial", .type = SG_LIST, .single = true, .meaning = "initial state", .rows = sg_initial_rows},
    {.name = "damping", .type = SG_GROUP, .meaning = "damping", .rows = sg_damping_rows},
    {.name = "signals", .type = SG_LIST, .meaning = "signals", .kinds = &sg_signal_kinds},
    {0}};

struct fixture {
    struct sg_arena arena;
    struct sg_deck *deck;
    struct sg_system *system;
    struct sg_diagnostics diagnostics;
    struct sg_error err;
    struct sg_text findings; /* rendered */
    sg_status status;
};

static inline void fixture_render(struct fixture *f)
{
    sg_text_release(&f->findings);
    sg_diagnostics_render(&f->diagnostics, &f->findings);
}

/* Validates f->deck; a deck that fails here would test the deck reader, not the model. */
static inline void fixture_validate(struct fixture *f)
{
    f->status = sg_deck_validate(f->deck, fixture_root, &f->diagnostics, &f->err);
    fixture_render(f);
    ck_assert_msg(f->status == SG_OK, "%s%s", sg_text_view(&f->findings), f->err.text);
}

static inline struct fixture fixture_deck(const char *text)
{
    struct fixture f = {0};
    f.status = sg_deck_read_text(text, strlen(text), "test", &f.deck, &f.diagnostics, &f.err);
    fixture_render(&f);
    ck_assert_msg(f.status == SG_OK, "%s%s", sg_text_view(&f.findings), f.err.text);
    fixture_validate(&f);
    return f;
}

static inline void fixture_create(struct fixture *f)
{
    f->status = sg_system_create(f->deck, &f->system, &f->diagnostics, &f->err);
    fixture_render(f);
}

/* a model that must succeed */
static inline struct fixture fixture_model(const char *text)
{
    struct fixture f = fixture_deck(text);
    fixture_create(&f);
    ck_assert_msg(f.status == SG_OK, "%s%s", sg_text_view(&f.findings), f.err.text);
    ck_assert_ptr_nonnull(f.system);
    return f;
}

static inline void fixture_release(struct fixture *f)
{
    sg_system_destroy(f->system);
    sg_deck_destroy(f->deck);
    sg_diagnostics_release(&f->diagnostics);
    sg_text_release(&f->findings);
    sg_arena_release(&f->arena);
}

/* a model that must be refused with `status` and a finding that has `words` */
static inline void fixture_refused(const char *text, sg_status status, const char *words)
{
    struct fixture f = fixture_deck(text);
    fixture_create(&f);
    ck_assert_msg(f.status == status, "status %d of: %s", (int)f.status, text);
    ck_assert_msg(strstr(sg_text_view(&f.findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&f.findings));
    fixture_release(&f);
}

/* everything at once: bodies apart and joined, moving, fixed and displaced supports, loads, damping */
#define RICH                                                                                                 \
    "bodies = ( { type = \"bar\"; length = 2; area = 3; modulus = 50; density = 7; elements = 6; },"         \
    "  { type = \"bar\"; name = \"other\"; length = 1; area = 2; modulus = 30; density = 1; elements = 5;"   \
    "    position = 3; mass = \"average\"; },"                                                               \
    "  { type = \"particles\"; name = \"p\"; positions = [7, 8, 9]; masses = [1, 2, 3];"                     \
    "    springs = ( { nodes = [0, 1]; stiffness = 40; }, { nodes = [1, 2]; stiffness = 50; } ); } );"       \
    "supports = ( { node = \"bar.left\"; motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 0.7; " \
    "}; },"                                                                                                  \
    "  { node = \"bar.right\"; quantity = \"acceleration\";"                                                 \
    "    motion = { type = \"pulse\"; amplitude = 2; duration = 3; }; },"                                    \
    "  { node = \"other.right\"; }, { node = \"p.0\"; quantity = \"velocity\";"                              \
    "    motion = { type = \"piecewise-linear\"; times = [0, 1, 2]; values = [0, 1, -1]; }; } );"            \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; },"                                               \
    "  { type = \"force\"; node = \"other.left\"; signal = { type = \"harmonic\"; amplitude = 5; frequency " \
    "= "                                                                                                     \
    "1; }; },"                                                                                               \
    "  { type = \"force\"; node = \"p.2\"; signal = { type = \"constant\"; value = -2; }; } );"              \
    "initial = ( { body = \"other\"; displacement = 0.1; velocity = 1; velocity_slope = 2; },"               \
    "  { body = \"p\"; velocity = 3; } );"                                                                   \
    "damping = { mass = 0.1; stiffness = 0.02; };"

enum { RICH_FREE = 12, RICH_FULL = 16 };

#endif
