#include "jobs/grammar.h"

#include <math.h>

#include "analyses/points.h"
#include "analyses/registry.h"
#include "assembly/keywords.h"
#include "contact/contact_set.h"
#include "integrators/integrator.h"
#include "strategies/strategy.h"
#include "strategies/time_stepping/stop_criterion.h"

/* s: below, squares of steps and forces as impulses by time leave the numbers that there are */
#define SHORTEST 1e-100

static bool finds_end(const struct sg_kind *kind)
{
    const struct sg_points_ops *ops = sg_points_find(kind);
    return ops != NULL && ops->finds_end;
}

static bool brings_model(const struct sg_kind *kind)
{
    const struct sg_points_ops *ops = sg_points_find(kind);
    return ops != NULL && ops->brings_model;
}

static bool has_no_time(const struct sg_kind *kind)
{
    const struct sg_points_ops *ops = sg_points_find(kind);
    return ops != NULL && ops->has_no_time;
}

static const struct sg_keyword_case no_end = {"analysis", &sg_analysis_kinds, finds_end, true};

const struct sg_keyword sg_time_rows[] = {
    {.name = "end",
     .type = SG_REAL,
     .unit = "s",
     .flags = SG_REQUIRED,
     .spared = &no_end,
     .meaning = "end time; the run starts at 0",
     .example = "10.0",
     .range = SG_AT_LEAST(SHORTEST),
     .offset = offsetof(struct sg_time_spec, end)},
    {.name = "step",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time step; by default from points_per_period and the highest frequency without contact",
     .example = "1.0e-3",
     .range = SG_AT_LEAST(SHORTEST),
     .offset = offsetof(struct sg_time_spec, step)},
    {.name = "contact_step",
     .type = SG_REAL,
     .unit = "s",
     .meaning =
         "time step after an event; by default `step` if given, else from points_per_period and the highest "
         "frequency with all springs closed",
     .example = "1.0e-4",
     .range = SG_AT_LEAST(SHORTEST),
     .offset = offsetof(struct sg_time_spec, contact_step)},
    {.name = "points_per_period",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "steps in the shortest period of the model, for steps that are not given",
     .fallback = "2.5",
     .range = {0, HUGE_VAL, true, true, true},
     .offset = offsetof(struct sg_time_spec, points_per_period)},
    {.name = "contact_increments",
     .type = SG_INTEGER,
     .choices = "all|closed",
     .meaning =
         "accepted increments with contact_step after each event; \"all\": as long as a contact is closed; "
         "\"closed\": so too, with a step that follows the springs that are closed now",
     .fallback = "\"closed\"",
     .range = SG_BETWEEN(0, 1000000000),
     .offset = offsetof(struct sg_time_spec, contact_increments)},
    {.name = "allow_unstable",
     .type = SG_BOOL,
     .meaning = "time-stepping: run also with a step beyond the critical step of an explicit integrator",
     .fallback = "false",
     .offset = offsetof(struct sg_time_spec, allow_unstable)},
    {.name = "stop",
     .type = SG_GROUP,
     .meaning = "time-stepping: the run ends once it is at rest on its contacts, before `end`",
     .rows = sg_stop_rows,
     .offset = offsetof(struct sg_time_spec, stop)},
    {0}};

const struct sg_keyword sg_output_rows[] = {
    {.name = "every",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "simulated time between samples; 0: every step",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct sg_output_spec, every)},
    {.name = "events",
     .type = SG_BOOL,
     .meaning = "one more sample at each localized event",
     .fallback = "true",
     .offset = offsetof(struct sg_output_spec, events)},
    {.name = "histories",
     .type = SG_TEXTS,
     .meaning = "datasets or groups to record (\"gap\", \"energy\", ...); "
                "by default all, displacement and velocity only "
                "up to 1000 dofs, and stress, von_mises, "
                "stress_node, von_mises_node not at all",
     .example = "[\"gap\", \"energy\"]",
     .offset = offsetof(struct sg_output_spec, histories)},
    {.name = "nodes",
     .type = SG_TEXTS,
     .meaning = "nodes whose displacement and velocity (absolute ones too) are recorded, instead of all",
     .example = "[\"bar.left\", \"bar.right\"]",
     .offset = offsetof(struct sg_output_spec, nodes)},
    {.name = "checkpoint",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "wall-clock time between checkpoints",
     .fallback = "60.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_output_spec, checkpoint)},
    {0}};

static const struct sg_keyword_case no_model = {"analysis", &sg_analysis_kinds, brings_model, false};
static const struct sg_keyword_case no_time = {"analysis", &sg_analysis_kinds, has_no_time, false};

const struct sg_keyword sg_grammar[] = {
    {.name = "title",
     .type = SG_TEXT,
     .meaning = "title of the deck",
     .fallback = "\"\"",
     .example = "\"a bar\""},
    {.name = "bodies",
     .type = SG_LIST,
     .flags = SG_REQUIRED,
     .spared = &no_model,
     .min_items = 1,
     .meaning = "the bodies of the model",
     .kinds = &sg_body_kinds},
    {.name = "elements",
     .type = SG_LIST,
     .meaning = "nonlinear elements between nodes",
     .kinds = &sg_element_kinds},
    {.name = "constraints",
     .type = SG_LIST,
     .meaning = "bilateral constraints: joints, rods, prescribed coordinates",
     .kinds = &sg_constraint_kinds},
    {.name = "supports", .type = SG_LIST, .meaning = "nodes held or moved", .rows = sg_support_rows},
    {.name = "contacts", .type = SG_LIST, .meaning = "unilateral contacts", .kinds = &sg_contact_kinds},
    {.name = "loads", .type = SG_LIST, .meaning = "loads on the bodies", .kinds = &sg_load_kinds},
    {.name = "initial",
     .type = SG_LIST,
     .single = true,
     .meaning = "initial state, body by body; at rest by default",
     .rows = sg_initial_rows},
    {.name = "damping",
     .type = SG_GROUP,
     .meaning = "Rayleigh damping of the whole model",
     .rows = sg_damping_rows},
    {.name = "integrator",
     .type = SG_GROUP,
     .flags = SG_REQUIRED,
     .spared = &no_model,
     .meaning = "how the smooth motion is integrated",
     .kinds = &sg_integrator_kinds},
    {.name = "strategy",
     .type = SG_GROUP,
     .flags = SG_REQUIRED,
     .spared = &no_model,
     .meaning = "how contacts are treated",
     .kinds = &sg_strategy_kinds},
    {.name = "time",
     .type = SG_GROUP,
     .flags = SG_REQUIRED,
     .spared = &no_time,
     .meaning = "times and steps",
     .rows = sg_time_rows},
    {.name = "analysis",
     .type = SG_GROUP,
     .meaning = "what is computed",
     .fallback = "{ }",
     .kinds = &sg_analysis_kinds},
    {.name = "output",
     .type = SG_GROUP,
     .meaning = "what is recorded, and when",
     .fallback = "{ }",
     .rows = sg_output_rows},
    {0}};
