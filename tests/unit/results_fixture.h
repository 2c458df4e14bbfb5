/* A recorder on a system whose state is known at any time, in a folder of its own. */
#ifndef SG_TESTS_RESULTS_FIXTURE_H
#define SG_TESTS_RESULTS_FIXTURE_H

#include <check.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact/totals.h"
#include "results/element_shape.h"
#include "results/reader.h"
#include "results/recorder.h"

/* --- a system whose state is known at any time ---------------------------------------------------- */

enum { DOFS = 3, CONTACTS = 2 };

struct state {
    double u[DOFS], v[DOFS], gap[CONTACTS], force[CONTACTS], impulse[CONTACTS];
    unsigned char active[CONTACTS];
};

struct world {
    struct state end, inside; /* of the step; where the sampler looked */
    int samples;              /* how often it was asked */
};

static inline void set_world(struct state *w, double t, struct sg_snapshot *now)
{
    for (int i = 0; i < DOFS; i++) {
        w->u[i] = t + i;
        w->v[i] = 1 + 10 * t;
    }
    for (int j = 0; j < CONTACTS; j++) {
        w->gap[j] = sin(t + j);
        w->force[j] = fmax(0, -w->gap[j]);
        w->active[j] = w->gap[j] < 0;
        w->impulse[j] = t * t + j;
    }
    *now = (struct sg_snapshot){.t = t,
                                .u = w->u,
                                .v = w->v,
                                .gap = w->gap,
                                .force = w->force,
                                .impulse = w->impulse,
                                .active = w->active};
}

static inline sg_status sample_world(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    struct world *w = self;
    (void)err;
    w->samples++;
    set_world(&w->inside, t, now);
    return SG_OK;
}

static inline void fill_u(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->u, DOFS * sizeof *row);
}

static inline void fill_gap(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->gap, CONTACTS * sizeof *row);
}

static inline void fill_active(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    for (int j = 0; j < CONTACTS; j++) row[j] = now->active[j];
}

static inline void fill_total(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = 4 + now->t;
}

static inline void fill_numerical(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = -now->t / 8;
}

static const char *const dof_names[DOFS] = {"a.x", "b.x", "größe.x"};
static const char *const contact_names[CONTACTS] = {"left", "right"};
static const char *const body_names[1] = {"bar"};
static const double positions[2] = {0, 1.5};
static const int bodies[2] = {0, 0}, elements[2] = {0, 1}, dof_nodes[DOFS] = {0, 1, 1};
static const signed char shapes[1] = {SG_SHAPE_LINE2};

static const struct sg_model_labels labels = {.dof_count = DOFS,
                                              .node_count = 2,
                                              .element_count = 1,
                                              .contact_count = CONTACTS,
                                              .dim = 1,
                                              .dof_names = dof_names,
                                              .dof_nodes = dof_nodes,
                                              .contact_names = contact_names,
                                              .body_names = body_names,
                                              .body_count = 1,
                                              .node_positions = positions,
                                              .node_bodies = bodies,
                                              .element_width = 2,
                                              .element_nodes = elements,
                                              .element_shapes = shapes};

static const struct sg_point_column point_columns[3] = {{"frequency", "Hz", "of the orbit", 0},
                                                        {"energy", "J", "of the orbit", 0},
                                                        {"state", "1", "where the orbit starts", 3}};

struct bench {
    char folder[64], path[96], part[112], lock[112];
    struct sg_quantities quantities;
    struct sg_recorder_spec spec;
    struct sg_arena arena; /* of the totals */
    struct world world;
    struct sg_recorder *recorder;
    struct sg_observer observer;
    struct sg_error err;
};

static inline void set_up(struct bench *b, double every)
{
    memset(b, 0, sizeof *b);
    strcpy(b->folder, "/tmp/sg_results_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(b->folder));
    snprintf(b->path, sizeof b->path, "%s/out.h5", b->folder);
    snprintf(b->part, sizeof b->part, "%s.part", b->path);
    snprintf(b->lock, sizeof b->lock, "%s.lock", b->path);
    const struct sg_quantity list[] = {
        {"displacement", "m", "u", DOFS, false, true, false, fill_u, NULL, NULL, {0}},
        {"gap", "m", "gaps", CONTACTS, false, false, false, fill_gap, NULL, NULL, {0}},
        {"active", "1", "closed", CONTACTS, true, false, false, fill_active, NULL, NULL, {0}},
        {"energy/total", "J", "total", 0, false, false, false, fill_total, NULL, NULL, {0}},
        {"energy/numerical", "J", "rest", 0, false, false, false, fill_numerical, NULL, NULL, {0}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) sg_quantities_add(&b->quantities, list[i]);
    b->spec = (struct sg_recorder_spec){.path = b->path,
                                        .title = "a bar & a wall – ü",
                                        .deck_source = "title = \"x\";\n",
                                        .deck_resolved = "title = \"x\"; # all\n",
                                        .deck_sha256 = "abc",
                                        .version = "1",
                                        .commit = "c0ffee",
                                        .every = every,
                                        .end = 1,
                                        .events = true,
                                        .quantities = &b->quantities,
                                        .labels = &labels,
                                        .impulses = true};
}

static inline void open_recorder(struct bench *b)
{
    const struct sg_contact_totals_spec totals = {
        .count = b->spec.point_columns == NULL ? b->spec.labels->contact_count : 0};
    ck_assert_int_eq(sg_contact_totals_create(&b->arena, &totals, &b->spec.totals, &b->err), SG_OK);
    sg_status status = sg_recorder_create(&b->spec, &b->recorder, &b->err);
    ck_assert_msg(status == SG_OK, "%s", b->err.text);
    b->observer = sg_recorder_observer(b->recorder);
}

static inline void tear_down(struct bench *b)
{
    char command[128];
    sg_recorder_destroy(b->recorder);
    sg_arena_release(&b->arena);
    sg_quantities_release(&b->quantities);
    snprintf(command, sizeof command, "rm -rf %s", b->folder);
    ck_assert_int_eq(system(command), 0);
}

static inline sg_status step_to(struct bench *b, double t, int localized)
{
    struct sg_snapshot now;
    struct sg_sampler sampler = {&b->world, sample_world};
    set_world(&b->world.end, t, &now);
    return b->observer.step(b->observer.self, &now, &sampler, localized, &b->err);
}

static inline sg_status start(struct bench *b)
{
    struct sg_snapshot now;
    set_world(&b->world.end, 0, &now);
    return b->observer.step(b->observer.self, &now, NULL, 0, &b->err);
}

static inline void must(const struct bench *b, sg_status status)
{
    ck_assert_msg(status == SG_OK, "%s", b->err.text);
}

static inline void finish(struct bench *b, const char *status)
{
    struct sg_summary summary = {.steps = 7, .events = 2, .max_penetration = 0.25, .wall_seconds = 1.5};
    must(b, sg_recorder_finish(b->recorder, status, &summary, &b->err));
}

static inline size_t read_history(const char *path, const char *name, double *out, size_t capacity)
{
    struct sg_reader *reader = NULL;
    struct sg_error err = {0};
    ck_assert_msg(sg_reader_open(path, &reader, &err) == SG_OK, "%s", err.text);
    const struct sg_series *series = sg_reader_find(reader, SG_SERIES_HISTORY, name);
    ck_assert_ptr_nonnull(series);
    size_t rows = series->rows, width = series->width == 0 ? 1 : series->width;
    ck_assert_uint_le(rows * width, capacity);
    ck_assert_msg(sg_reader_rows(reader, series, 0, rows, out, &err) == SG_OK, "%s", err.text);
    sg_reader_close(reader);
    return rows;
}

static inline void run_short(struct bench *b)
{
    open_recorder(b);
    must(b, start(b));
    struct sg_event event = {0.3, 1, SG_EVENT_IMPACT, -1e-9, -2.5, 11};
    must(b, step_to(b, 0.3, 1));
    must(b, b->observer.event(b->observer.self, &event, &b->err));
    must(b, step_to(b, 1, 0));
}

#endif
