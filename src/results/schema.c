#include "results/schema.h"

#include "results/audit.h"
#include "results/layout.h"
#include "results/summary.h"

#include <stddef.h>
#include <stdio.h>

/* One dataset a row; rank 1 or 2, "flexible" ones are there only where the run has them. */
struct entry {
    const char *name, *type, *meaning;
    int rank;
    bool always;
};

static const struct entry deck[] = {
    {"source", "string", "the deck as given, includes resolved", 0, true},
    {"resolved", "string", "the deck with every default and override", 0, true},
    {NULL, NULL, NULL, 0, false}};

static const struct entry history[] = {
    {"time", "float64", "s", 1, true},
    {"displacement", "float64", "n x ndof", 2, false},
    {"velocity", "float64", "n x ndof", 2, false},
    {"acceleration", "float64", "n x nrecord, of ground motion", 2, false},
    {"absolute_displacement", "float64", "n x ndof or chosen, with the ground's", 2, false},
    {"absolute_velocity", "float64", "n x ndof or chosen, with the ground's", 2, false},
    {"absolute_acceleration", "float64", "n x ndof or chosen, with the ground's", 2, false},
    {"gap", "float64", "n x ncontact, > 0 open", 2, false},
    {"contact_force", "float64", "n x ncontact, > 0 compressive", 2, false},
    {"contact_impulse", "float64", "n x ncontact, since the row before", 2, false},
    {"drift", "float64", "n x nstorey", 2, false},
    {"drift_ratio", "float64", "n x nstorey, drift over height", 2, false},
    {"active", "uint8", "n x ncontact", 2, false},
    {"constraint_force", "float64", "n x nconstraint, multipliers, > 0 pushes the row up", 2, false},
    {"constraint_impulse", "float64", "n x nconstraint, since the start", 2, false},
    {"constraint_smooth", "float64", "n x nconstraint, smooth part of constraint_force", 2, false},
    {"constraint_correction", "float64", "n x nconstraint, multipliers that put positions right", 2, false},
    {"contact_smooth", "float64", "n x ncontact, N, multipliers of generalized-alpha at position level", 2,
     false},
    {"contact_correction", "float64", "n x ncontact, multipliers that put positions right", 2, false},
    {"constraint_violation", "float64", "n x nconstraint, at position level", 2, false},
    {"constraint_rate", "float64", "n x nconstraint, at velocity level", 2, false},
    {"residual", "float64", "N^2 m^3, residual estimator of strategy nbm", 1, false},
    {NULL, NULL, NULL, 0, false}};

static const struct entry records[] = {
    {"name", "string", "columns of the histories of ground motion", 1, true},
    {"seed", "float64", "-1: of a file", 1, true},
    {"peak_acceleration", "float64", "m/s^2", 1, true},
    {"peak_velocity", "float64", "m/s", 1, true},
    {"peak_displacement", "float64", "m", 1, true},
    {"mean_error", "float64", "1, of the response spectrum from .1 to 2 s; NaN: no target", 1, true},
    {"worst_error", "float64", "1", 1, true},
    {"iterations", "float64", "corrections of the filter", 1, true},
    {NULL, NULL, NULL, 0, false}};

static const struct entry energy[] = {
    {"kinetic", "float64", "J", 1, false},
    {"strain", "float64", "J", 1, false},
    {"gravity", "float64", "J", 1, false},
    {"contact", "float64", "J, in elastic contacts", 1, false},
    {"external", "float64", "J, accumulated work of loads and supports, gravity excluded", 1, false},
    {"dissipated", "float64", "J, accumulated by damping and impacts", 1, false},
    {"numerical", "float64", "J, total - total at start - external + dissipated", 1, false},
    {"projection", "float64", "J, part of numerical: impulses and corrections of generalized-alpha", 1,
     false},
    {"switching", "float64", "J, part of numerical: jumps where the phase of strategy nbm changes", 1, false},
    {"total", "float64", "J, kinetic + strain + gravity + contact", 1, false},
    {NULL, NULL, NULL, 0, false}};

static const struct entry events[] = {{"time", "float64", "s", 1, true},
                                      {"contact", "int", "index", 1, true},
                                      {"kind", "enum", "close, open, impact, stick, slip, change", 1, true},
                                      {"gap", "float64", "m", 1, true},
                                      {"gap_velocity", "float64", "m/s, before the event", 1, true},
                                      {"iterations", "int", "localisation trials", 1, true},
                                      {NULL, NULL, NULL, 0, false}};

static const struct entry contacts[] = {
    {"contact", "int", "index", 1, true},
    {"poundings", "int", "closings and impacts after the start", 1, true},
    {"gap_min", "float64", "m, of all steps", 1, true},
    {"gap_max", "float64", "m, of all steps", 1, true},
    {"peak_force", "float64", "N, of all steps; NaN of rigid contacts, which have impulses alone", 1, true},
    {"impulse", "float64", "N s, of the whole run", 1, true},
    {"peak_impulse", "float64", "N s, the largest of a phase of contact", 1, true},
    {NULL, NULL, NULL, 0, false}};

static const char audit[] = "a row a check: name, value, limit, verdict, about";

static void print_required(const struct entry *entries, struct sg_text *text)
{
    const char *comma = "";
    sg_text_append(text, "\"required\": [");
    for (const struct entry *e = entries; e->name != NULL; e++) {
        if (!e->always) continue;
        sg_text_append(text, "%s\"%s\"", comma, e->name);
        comma = ", ";
    }
    sg_text_append(text, "]");
}

/* a group's datasets; others may stand beside them */
static void print_group(const char *name, const struct entry *entries, const char *more, struct sg_text *text)
{
    sg_text_append(text, "    \"%s\": {\n      \"type\": \"object\",\n      ", name);
    print_required(entries, text);
    sg_text_append(text, ",\n      \"properties\": {\n");
    for (const struct entry *e = entries; e->name != NULL; e++) {
        const char *comma = e[1].name != NULL || more[0] != '\0' ? "," : "";
        sg_text_append(
            text,
            "        \"%s\": {\"description\": \"%s\", \"type\": \"object\", \"required\": [\"shape\", "
            "\"type\"], \"properties\": {\"type\": {\"const\": \"%s\"}, \"shape\": {\"type\": \"array\", "
            "\"minItems\": %d, \"maxItems\": %d, \"items\": {\"type\": \"integer\", \"minimum\": 0}}}}%s\n",
            e->name, e->meaning, e->type, e->rank, e->rank, comma);
    }
    sg_text_append(text, "%s      }\n    },\n", more);
}

static const char *const attributes[] = {"title",   "program", "version",     "commit", "deck_sha256",
                                         "created", "host",    "conventions", "status", NULL};
static void print_names(const char *const *names, struct sg_text *text)
{
    for (const char *const *name = names; *name != NULL; name++)
        sg_text_append(text, "%s\"%s\"", name == names ? "" : ", ", *name);
}

void sg_results_schema_print(struct sg_text *text)
{
    sg_text_append(
        text, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
              "  \"title\": \"signorini results file\",\n"
              "  \"description\": \"groups as objects, datasets as {shape, type}\",\n"
              "  \"type\": \"object\",\n"
              "  \"required\": [\"attributes\", \"deck\", \"model\", \"history\", \"events\", \"summary\"],\n"
              "  \"properties\": {\n");
    sg_text_append(text, "    \"attributes\": {\"type\": \"object\", \"required\": [");
    print_names(attributes, text);
    sg_text_append(
        text,
        "], \"properties\": {\"conventions\": {\"const\": \"signorini-results-1\"}, \"status\": {\"enum\": "
        "[\"complete\", \"running\", \"interrupted\", \"failed\"]}}},\n");
    print_group("deck", deck, "", text);
    print_group("history", history,
                "        \"energy\": {\"$ref\": \"#/properties/energy\"},\n"
                "        \"momentum\": {\"type\": \"object\"}\n",
                text);
    print_group("energy", energy, "", text);
    print_group("events", events, "", text);
    print_group("contacts", contacts, "", text);
    print_group("records", records, "", text);
    sg_text_append(
        text,
        "    \"model\": {\"type\": \"object\"},\n    \"summary\": {\"type\": \"object\", \"required\": [");
    for (size_t i = 0; sg_summary_row(i) != NULL; i++)
        sg_text_append(text, "%s\"%s\"", i == 0 ? "" : ", ", sg_summary_row(i)->name);
    sg_text_append(
        text,
        "], \"properties\": {\"audit\": {\"description\": \"%s\", \"type\": \"object\", "
        "\"required\": [\"shape\", \"type\"], \"properties\": {\"type\": {\"const\": \"compound\"}, "
        "\"shape\": {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1}, \"fields\": {\"const\": "
        "[\"name\", \"value\", \"limit\", \"verdict\", \"about\"]}, \"verdicts\": {\"enum\": [",
        audit);
    for (int verdict = 0; verdict < SG_VERDICTS; verdict++)
        sg_text_append(text, "%s\"%s\"", verdict == 0 ? "" : ", ", sg_verdict_name(verdict));
    sg_text_append(text, "]}}}}}\n  }\n}\n");
}

static void list_group(const char *group, const struct entry *entries, struct sg_text *text)
{
    for (const struct entry *e = entries; e->name != NULL; e++) {
        char name[80];
        snprintf(name, sizeof name, "%s/%s", group, e->name);
        sg_text_append(text, "%-32s %s\n", name, e->meaning);
    }
}

void sg_results_list(struct sg_text *text)
{
    list_group("/history", history, text);
    list_group("/history/energy", energy, text);
    list_group("/events", events, text);
    list_group("/contacts", contacts, text);
    sg_text_append(text, "%-32s %s\n", "/summary/audit", audit);
}
