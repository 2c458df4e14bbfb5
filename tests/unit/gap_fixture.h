/* A contact set on a model made by hand: nodes at random places, of which some dofs are held. */
#ifndef SG_TESTS_GAP_FIXTURE_H
#define SG_TESTS_GAP_FIXTURE_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>

#include "assembly/builder.h"
#include "contact/contact_set.h"
#include "contact/gaps/gap.h"
#include "run_fixture.h"

enum { NODES = 4, DOFS = 3 * NODES };

/* four nodes, "p.0" to "p.3" */
struct world {
    size_t dim;
    double position[DOFS];
    const char *held; /* a character a full dof: '1' is prescribed; NULL: none */
    size_t moving;    /* full dof that follows a motion, or SIZE_MAX */
    double u0[DOFS];  /* free dofs */
};

struct trial {
    struct sg_system system;
    struct sg_model_names names;
    struct sg_model_body body;
    struct sg_motion motion;
    const char *dof_names[DOFS];
    size_t free_of_full[DOFS], free_dof[DOFS], first_dof[NODES + 1];
    struct sg_dof_place places[DOFS];
    struct sg_deck *deck;
    struct sg_contact_set *set;
    struct sg_diagnostics diagnostics;
    struct sg_text findings;
    struct sg_error err;
    sg_status status;
};

static const struct sg_keyword gap_root[] = {
    {.name = "contacts", .type = SG_LIST, .meaning = "contacts", .kinds = &sg_contact_kinds}, {0}};

static inline void number_dofs(struct trial *t, const struct world *world)
{
    for (size_t i = 0; i <= NODES; i++) t->first_dof[i] = world->dim * i;
    for (size_t i = 0; i < t->system.n_full; i++) {
        t->places[i] = (struct sg_dof_place){(int)(i / world->dim), (int)(i % world->dim)};
        bool held = world->held != NULL && world->held[i] == '1';
        t->free_of_full[i] = held ? SIZE_MAX : t->system.n;
        if (!held) t->free_dof[t->system.n++] = i;
    }
}

static inline void make_system(struct trial *t, const struct world *world)
{
    static const char *const dof_names[DOFS] = {"d0", "d1", "d2", "d3", "d4",  "d5",
                                                "d6", "d7", "d8", "d9", "d10", "d11"};
    memcpy(t->dof_names, dof_names, sizeof dof_names);
    t->body = (struct sg_model_body){.name = "p", .count = NODES, .right = NODES - 1, .mass = 1.0};
    t->names = (struct sg_model_names){.bodies = &t->body,
                                       .body_count = 1,
                                       .dof_names = t->dof_names,
                                       .positions = (double *)world->position};
    t->motion = (struct sg_motion){.dof = world->moving};
    t->system = (struct sg_system){.dim = world->dim,
                                   .n_full = world->dim * NODES,
                                   .names = &t->names,
                                   .motions = &t->motion,
                                   .motion_count = world->moving == SIZE_MAX ? 0 : 1,
                                   .first_dof = t->first_dof,
                                   .places = t->places,
                                   .free_of_full = t->free_of_full,
                                   .free_dof = t->free_dof,
                                   .u0 = (double *)world->u0};
    t->system.labels.dof_names = t->dof_names;
    t->system.labels.node_count = NODES;
    number_dofs(t, world);
}

/* `t` stays where it is */
static inline void begin(struct trial *t, const struct world *world, const char *contacts)
{
    *t = (struct trial){0};
    make_system(t, world);
    char text[2048];
    snprintf(text, sizeof text, "contacts = ( %s );", contacts);
    ck_assert_int_eq(sg_deck_read_text(text, strlen(text), "test", &t->deck, &t->diagnostics, &t->err),
                     SG_OK);
    t->status = sg_deck_validate(t->deck, gap_root, &t->diagnostics, &t->err);
    if (t->status == SG_OK)
        t->status = sg_contact_set_create(t->deck, &t->system, NULL, &t->set, &t->diagnostics, &t->err);
    sg_diagnostics_render(&t->diagnostics, &t->findings);
}

static inline void begin_well(struct trial *t, const struct world *world, const char *contacts)
{
    begin(t, world, contacts);
    ck_assert_msg(t->status == SG_OK, "%s: %s%s", contacts, sg_text_view(&t->findings), t->err.text);
}

static inline void end(struct trial *t)
{
    sg_contact_set_destroy(t->set);
    sg_deck_destroy(t->deck);
    sg_diagnostics_release(&t->diagnostics);
    sg_text_release(&t->findings);
}

/* refused, with `words` in the findings */
static inline void refused(const struct world *world, const char *contacts, const char *words)
{
    struct trial t;
    begin(&t, world, contacts);
    ck_assert_msg(t.status == SG_BAD_DECK, "status %d of: %s", (int)t.status, contacts);
    ck_assert_msg(strstr(sg_text_view(&t.findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&t.findings));
    end(&t);
}

static inline struct world square(size_t dim)
{
    struct world world = {.dim = dim, .moving = SIZE_MAX};
    static const double at[NODES][3] = {
        {0.3, 0.2, 0.1}, {-1.0, -0.5, -0.4}, {1.0, -0.6, 0.3}, {0.1, 0.9, 0.8}};
    for (size_t i = 0; i < NODES; i++)
        for (size_t d = 0; d < dim; d++) world.position[dim * i + d] = at[i][d];
    return world;
}

static inline double entry(const struct sg_columns *w, size_t column, size_t row)
{
    return sg_columns_entry(w, column, row);
}

#define MOVES "motion = { type = \"harmonic\"; amplitude = 0.1; frequency = 0.3; };"

#endif
