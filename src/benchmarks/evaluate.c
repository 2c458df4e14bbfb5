#include "benchmarks/evaluate.h"

#include <math.h>
#include <string.h>

#include "support/constants.h"
#include "support/memory.h"

/* Parameters of the terms under way, as a chain from the innermost out; a term sees its own alone. */
struct frame {
    const struct sg_texts *names;
    struct sg_value values[SG_OPERANDS];
};

/* The last value of a term without parameters, which depends on trial and run alone: formulas name the same
 * term again and again, and those above it do. */
struct kept {
    bool known, chosen;
    size_t trial, run;
    struct sg_value value; /* of the pool */
};

/* Where a formula is evaluated: on one run of one trial. */
struct place {
    const struct sg_evaluator *evaluator;
    struct sg_pool *pool;
    struct kept *kept; /* by term; NULL: there was no memory for it */
    size_t trial, run;
    bool chosen; /* of several runs, this one */
    const struct frame *frame;
};

static struct sg_value evaluate(const struct sg_formula_node *node, const struct place *place);

static const struct sg_trace *trace_of(const struct place *place)
{
    return &place->evaluator->recorded[place->trial].runs[place->run];
}

/* --- names ------------------------------------------------------------------------------------------ */

static bool find_constant(const char *name, double *value)
{
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", SG_PI},
                     {"nan", NAN},
                     {"inf", HUGE_VAL},
                     {"close", SG_EVENT_CLOSE},
                     {"open", SG_EVENT_OPEN},
                     {"impact", SG_EVENT_IMPACT},
                     {"stick", SG_EVENT_STICK},
                     {"slip", SG_EVENT_SLIP},
                     {"status_change", SG_EVENT_CHANGE}};
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        if (strcmp(constants[k].name, name) != 0) continue;
        *value = constants[k].value;
        return true;
    }
    return false;
}

static size_t find_parameter(const struct sg_texts *names, const char *name)
{
    size_t k = 0;
    while (k < names->count && strcmp(names->data[k], name) != 0) k++;
    return k;
}

/* among the first `most` terms; that number if there is none */
static size_t find_term(const struct sg_benchmark *benchmark, size_t most, const char *name)
{
    size_t k = 0;
    while (k < most && strcmp(benchmark->terms[k].name, name) != 0) k++;
    return k;
}

static size_t find_trial(const struct sg_benchmark *benchmark, const char *name)
{
    size_t k = 0;
    while (k < benchmark->trial_count &&
           (benchmark->trials[k].name == NULL || strcmp(benchmark->trials[k].name, name) != 0))
        k++;
    return k;
}

/* NAME.FUNCTION; NULL: there is none */
static const struct sg_exact_function *find_exact(const struct sg_benchmark *benchmark, const char *name,
                                                  size_t *exact)
{
    const char *point = strchr(name, '.');
    for (*exact = 0; point != NULL && *exact < benchmark->exact_count; ++*exact) {
        const struct sg_bench_exact *one = &benchmark->exacts[*exact];
        if (strlen(one->name) != (size_t)(point - name) || memcmp(one->name, name, strlen(one->name)) != 0)
            continue;
        for (const struct sg_exact_function *f = one->ops->functions; f->name != NULL; f++)
            if (strcmp(f->name, point + 1) == 0) return f;
    }
    return NULL;
}

enum event_member { EVENT_T, EVENT_KIND, EVENT_CONTACT, EVENT_GAP, EVENT_GAP_VELOCITY, EVENT_MEMBERS };
static const char *const event_members[] = {"event.t", "event.kind", "event.contact", "event.gap",
                                            "event.gap_velocity"};

static size_t find_event_member(const char *name)
{
    size_t k = 0;
    while (k < EVENT_MEMBERS && strcmp(event_members[k], name) != 0) k++;
    return k;
}

static double event_number(const struct sg_event *event, size_t member)
{
    switch ((enum event_member)member) {
    case EVENT_T:
        return event->t;
    case EVENT_KIND:
        return event->kind;
    case EVENT_CONTACT:
        return (double)event->contact;
    case EVENT_GAP:
        return event->gap;
    default:
        return event->gap_velocity;
    }
}

static struct sg_value of_events(const struct place *place, size_t member)
{
    const struct sg_trace *trace = trace_of(place);
    struct sg_value value;
    double *to = sg_value_make(place->pool, trace->event_count, 1, &value);
    for (size_t i = 0; to != NULL && i < trace->event_count; i++)
        to[i] = event_number(&trace->events[i], member);
    return value;
}

static bool is_size(const char *name, const struct sg_step_sizes *sizes, double *value)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"sizes.omega_free", sizes->omega_free},
                   {"sizes.omega_closed", sizes->omega_closed},
                   {"sizes.step", sizes->step},
                   {"sizes.contact_step", sizes->contact_step}};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        if (strcmp(members[k].name, name) != 0) continue;
        *value = members[k].value;
        return true;
    }
    return false;
}

static const char *summary_attribute(const char *name)
{
    static const char prefix[] = "summary.";
    const char *attribute = name + sizeof prefix - 1;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
    return sg_summary_find(attribute) != NULL ? attribute : NULL;
}

static bool is_of_run(const char *name)
{
    static const struct sg_step_sizes none = {0};
    double value;
    return strcmp(name, "row") == 0 || strcmp(name, "runs") == 0 || find_event_member(name) < EVENT_MEMBERS ||
           summary_attribute(name) != NULL || is_size(name, &none, &value);
}

/* the numbers of the rows from 0 */
static struct sg_value row_numbers(const struct place *place)
{
    const size_t count = trace_of(place)->row_count;
    struct sg_value value;
    double *to = sg_value_make(place->pool, count, 1, &value);
    for (size_t i = 0; to != NULL && i < count; i++) to[i] = (double)i;
    return value;
}

static struct sg_value of_run(const struct place *place, const char *name)
{
    const struct sg_trace *trace = trace_of(place);
    const char *attribute = summary_attribute(name);
    double number = (double)place->evaluator->recorded[place->trial].count;
    size_t member = find_event_member(name);
    if (strcmp(name, "runs") == 0) return sg_value_number(place->pool, number);
    if (place->evaluator->recorded[place->trial].count > 1 && !place->chosen)
        return sg_pool_fault(place->pool, "'%s' is of one run: the trial has several, see run(k, x)", name);
    if (trace->status != SG_OK) return sg_pool_fault(place->pool, "the run has no solution");
    if (strcmp(name, "row") == 0) return row_numbers(place);
    if (member < EVENT_MEMBERS) return of_events(place, member);
    number = attribute != NULL ? sg_summary_value(&trace->summary, attribute) : NAN;
    is_size(name, &trace->sizes, &number);
    return sg_value_number(place->pool, number);
}

static struct sg_value column(const struct place *place, const char *name)
{
    const struct sg_recorded *recorded = &place->evaluator->recorded[place->trial];
    struct sg_value value;
    if (recorded->count > 1 && !place->chosen)
        return sg_pool_fault(place->pool, "'%s' is of one run: the trial has several, see run(k, x)", name);
    if (recorded->runs[place->run].status != SG_OK)
        return sg_pool_fault(place->pool, "the run has no solution");
    if (!sg_trace_column(&recorded->runs[place->run], name, &value))
        return sg_pool_fault(place->pool, "the trial has no column '%s'", name);
    return value;
}

/* --- terms and exact solutions ---------------------------------------------------------------------- */

static struct sg_value expand_once(const struct sg_formula_node *node, const struct place *place,
                                   size_t index)
{
    const struct sg_bench_term *term = &place->evaluator->benchmark->terms[index];
    struct frame frame = {.names = &term->of};
    struct place inside = *place;
    size_t k = 0;
    for (const struct sg_formula_node *part = node->first; part != NULL; part = part->next)
        frame.values[k++] = evaluate(part, place);
    inside.frame = &frame;
    return evaluate(term->value.root, &inside);
}

static struct sg_value expand(const struct sg_formula_node *node, const struct place *place, size_t index)
{
    const struct sg_bench_term *term = &place->evaluator->benchmark->terms[index];
    struct kept *kept = place->kept != NULL && term->of.count == 0 ? &place->kept[index] : NULL;
    if (kept == NULL) return expand_once(node, place, index);
    bool same = kept->trial == place->trial && kept->run == place->run && kept->chosen == place->chosen;
    if (!kept->known || !same)
        *kept = (struct kept){true, place->chosen, place->trial, place->run, expand_once(node, place, index)};
    return kept->value;
}

static struct sg_value call_exact(const struct sg_formula_node *node, const struct place *place)
{
    size_t exact = 0, count = 0;
    const struct sg_exact_function *function = find_exact(place->evaluator->benchmark, node->name, &exact);
    struct sg_value x[SG_EXACT_OPERANDS], lines[SG_EXACT_OPERANDS], result;
    struct sg_exact_row row[SG_EXACT_OPERANDS];
    struct sg_shape shape;
    for (const struct sg_formula_node *part = node->first; part != NULL; part = part->next, count++) {
        x[count] = evaluate(part, place);
        lines[count] = x[count];
        lines[count].width = 1;
        if (count >= function->wide && x[count].width != 1)
            return sg_pool_fault(place->pool, "%s() takes one column, not %zu", node->name, x[count].width);
    }
    if (!sg_value_fit(place->pool, lines, count, &shape)) return sg_pool_fault(place->pool, "no size");
    const size_t width = function->width > 0 ? function->width : 1;
    double *to = sg_value_make(place->pool, shape.rows, width, &result);
    for (size_t i = 0; to != NULL && i < shape.rows; i++) {
        for (size_t k = 0; k < count; k++)
            row[k] = (struct sg_exact_row){x[k].data + (x[k].rows == 1 ? 0 : i) * x[k].stride, x[k].width};
        function->at(place->evaluator->exacts[exact], row, to + i * width);
    }
    return result;
}

/* --- runs and trials -------------------------------------------------------------------------------- */

enum special { IN, RUN, SUM_OF_RUNS, MAX_OF_RUNS, SPECIALS };
static const struct {
    const char *name;
    size_t parts;
} specials[SPECIALS] = {{"in", 2}, {"run", 2}, {"sum_of_runs", 1}, {"max_of_runs", 1}};

static size_t find_special(const char *name)
{
    size_t k = 0;
    while (k < SPECIALS && strcmp(specials[k].name, name) != 0) k++;
    return k;
}

static struct sg_value over_runs(const struct sg_formula_node *part, const struct place *place, bool largest)
{
    struct place there = *place;
    double value = 0.0;
    there.chosen = true;
    for (there.run = 0; there.run < place->evaluator->recorded[place->trial].count; there.run++) {
        struct sg_value x = evaluate(part, &there);
        double number = sg_value_single(place->pool, &x, "what is taken of each run");
        if (!largest)
            value += number;
        else if (there.run == 0 || number > value || isnan(number))
            value = number;
    }
    return sg_value_number(place->pool, value);
}

static struct sg_value one_run(const struct sg_formula_node *node, const struct place *place)
{
    const size_t count = place->evaluator->recorded[place->trial].count;
    struct place there = *place;
    struct sg_value index = evaluate(node->first, place);
    double number = sg_value_single(place->pool, &index, "the number of a run");
    if (!(number >= 0.0 && number < (double)count))
        return sg_pool_fault(place->pool, "there is no run %g: there are %zu, from 0", number, count);
    there.run = (size_t)number;
    there.chosen = true;
    return evaluate(node->first->next, &there);
}

static struct sg_value elsewhere(const struct sg_formula_node *node, const struct place *place)
{
    struct place there = *place;
    there.trial = find_trial(place->evaluator->benchmark, node->first->name);
    there.run = 0;
    there.chosen = false;
    return evaluate(node->first->next, &there);
}

/* --- the tree --------------------------------------------------------------------------------------- */

static struct sg_value find_name(const struct sg_formula_node *node, const struct place *place)
{
    const struct sg_benchmark *benchmark = place->evaluator->benchmark;
    double number = 0.0;
    if (node->quoted) return column(place, node->name);
    if (place->frame != NULL) {
        size_t k = find_parameter(place->frame->names, node->name);
        if (k < place->frame->names->count) return place->frame->values[k];
    }
    size_t term = find_term(benchmark, benchmark->term_count, node->name);
    if (term < benchmark->term_count) return expand(node, place, term);
    if (find_constant(node->name, &number)) return sg_value_number(place->pool, number);
    return is_of_run(node->name) ? of_run(place, node->name) : column(place, node->name);
}

static struct sg_value call(const struct sg_formula_node *node, const struct place *place)
{
    const struct sg_benchmark *benchmark = place->evaluator->benchmark;
    switch (find_special(node->name)) {
    case IN:
        return elsewhere(node, place);
    case RUN:
        return one_run(node, place);
    case SUM_OF_RUNS:
        return over_runs(node->first, place, false);
    case MAX_OF_RUNS:
        return over_runs(node->first, place, true);
    default:
        break;
    }
    size_t term = find_term(benchmark, benchmark->term_count, node->name);
    return term < benchmark->term_count ? expand(node, place, term) : call_exact(node, place);
}

static struct sg_value apply(const struct sg_formula_node *node, const struct place *place)
{
    struct sg_value x[SG_OPERANDS];
    const struct sg_call call = {place->pool, trace_of(place), x, node->parts};
    size_t k = 0;
    for (const struct sg_formula_node *part = node->first; part != NULL; part = part->next)
        x[k++] = evaluate(part, place);
    return sg_function_apply(node->function, &call);
}

static struct sg_value list(const struct sg_formula_node *node, const struct place *place)
{
    struct sg_value value;
    double *to = sg_value_make(place->pool, node->parts, 1, &value);
    size_t k = 0;
    for (const struct sg_formula_node *part = node->first; to != NULL && part != NULL; part = part->next) {
        struct sg_value x = evaluate(part, place);
        to[k++] = sg_value_single(place->pool, &x, "what stands in a list");
    }
    return value;
}

static struct sg_value columns(const struct sg_formula_node *node, const struct place *place)
{
    struct sg_value x = evaluate(node->first, place), index = evaluate(node->first->next, place);
    const double from = sg_value_single(place->pool, &index, "the number of a column");
    double to = from + 1.0;
    if (node->parts == 3) {
        index = evaluate(node->first->next->next, place);
        to = sg_value_single(place->pool, &index, "the number of a column");
    }
    if (!(from >= 0.0 && to > from && to <= (double)x.width))
        return sg_pool_fault(place->pool, "there are no columns %g to %g: there are %zu, from 0", from,
                             to - 1.0, x.width);
    return sg_value_columns(&x, (size_t)from, (size_t)to - (size_t)from);
}

static struct sg_value rows_where(const struct sg_formula_node *node, const struct place *place)
{
    struct sg_value x = evaluate(node->first, place), holds = evaluate(node->first->next, place), value;
    const struct sg_value both[] = {sg_value_columns(&x, 0, 1), holds};
    struct sg_shape shape;
    size_t count = 0;
    if (holds.width != 1) return sg_pool_fault(place->pool, "a condition of rows has one column");
    if (!sg_value_fit(place->pool, both, 2, &shape)) return sg_pool_fault(place->pool, "no size");
    double *to = sg_value_make(place->pool, shape.rows, x.width, &value);
    for (size_t i = 0; to != NULL && i < shape.rows; i++) {
        if (sg_value_at(&holds, i, 0) == 0.0) continue;
        for (size_t k = 0; k < x.width; k++) to[count * x.width + k] = sg_value_at(&x, i, k);
        count++;
    }
    if (to != NULL) value.rows = count;
    return value;
}

static struct sg_value evaluate(const struct sg_formula_node *node, const struct place *place)
{
    if (place->pool->failed) return sg_pool_fault(place->pool, "failed");
    switch (node->form) {
    case SG_FORMULA_NUMBER:
        return sg_value_number(place->pool, node->number);
    case SG_FORMULA_NAME:
        return find_name(node, place);
    case SG_FORMULA_CALL:
        return call(node, place);
    case SG_FORMULA_APPLY:
        return apply(node, place);
    case SG_FORMULA_LIST:
        return list(node, place);
    case SG_FORMULA_COLUMNS:
        return columns(node, place);
    default:
        return rows_where(node, place);
    }
}

static sg_status find_number(const struct sg_formula *formula, struct place *place, double *number,
                             struct sg_text *fault, struct sg_error *err)
{
    struct sg_pool *pool = place->pool;
    TRY(SG_ARENA_NEW(&pool->arena, &place->kept, place->evaluator->benchmark->term_count, err));
    struct sg_value value = evaluate(formula->root, place);
    *number = sg_value_single(pool, &value, "a figure");
    if (!pool->failed) return SG_OK;
    *number = NAN;
    if (pool->no_memory) FAIL(err, SG_NO_MEMORY, "%s", pool->fault);
    sg_text_append(fault, "%s", pool->fault);
    return sg_text_check(fault, err);
}

sg_status sg_evaluate(const struct sg_evaluator *evaluator, const struct sg_formula *formula, size_t trial,
                      double *number, struct sg_text *fault, struct sg_error *err)
{
    struct sg_pool pool = {0};
    struct place place = {.evaluator = evaluator, .pool = &pool, .trial = trial};
    sg_status status = find_number(formula, &place, number, fault, err);
    sg_pool_release(&pool);
    return status;
}

/* --- what a formula needs --------------------------------------------------------------------------- */

struct search {
    const struct sg_benchmark *benchmark;
    const struct sg_needs *needs;
    size_t trial;
    size_t terms;               /* those that may be named */
    const struct sg_texts *own; /* parameters; NULL: none */
};

static void search_in(const struct sg_formula_node *node, const struct search *search);

static void complain(const struct search *search, const char *what, const char *name)
{
    SG_LOCAL_TEXT(text);
    if (search->needs->complain == NULL) return;
    sg_text_append(&text, what, name);
    search->needs->complain(search->needs->self, sg_text_view(&text));
}

static void search_term(const struct sg_formula_node *node, const struct search *search, size_t index)
{
    const struct sg_bench_term *term = &search->benchmark->terms[index];
    struct search inside = *search;
    inside.own = &term->of;
    inside.terms = index;
    if (node->parts != term->of.count)
        complain(search, "term '%s' has another number of parameters", node->name);
    if (search->needs->complain == NULL && term->value.root != NULL) search_in(term->value.root, &inside);
}

static void search_name(const struct sg_formula_node *node, const struct search *search)
{
    double number = 0.0;
    size_t exact = 0, term = find_term(search->benchmark, search->terms, node->name);
    if (!node->quoted) {
        if (search->own != NULL && find_parameter(search->own, node->name) < search->own->count) return;
        if (term < search->terms) {
            search_term(node, search, term);
            return;
        }
        if (find_constant(node->name, &number) || is_of_run(node->name)) return;
        if (find_exact(search->benchmark, node->name, &exact) != NULL)
            complain(search, "'%s' is a function: write its operands, or ()", node->name);
        else if (strchr(node->name, '.') != NULL)
            complain(search, "there is no '%s'", node->name);
        else if (sg_function_find(node->name) != NULL || find_special(node->name) < SPECIALS)
            complain(search, "'%s' is a function, without its operands", node->name);
    }
    if (search->needs->column != NULL && strcmp(node->name, "t") != 0)
        search->needs->column(search->needs->self, search->trial, node->name);
}

static void search_trial(const struct sg_formula_node *node, const struct search *search)
{
    const struct sg_formula_node *name = node->first;
    struct search there = *search;
    there.trial = name->form == SG_FORMULA_NAME ? find_trial(search->benchmark, name->name)
                                                : search->benchmark->trial_count;
    if (there.trial == search->benchmark->trial_count) {
        complain(search, "there is no trial '%s'", name->form == SG_FORMULA_NAME ? name->name : "?");
        return;
    }
    if (search->needs->trial != NULL) search->needs->trial(search->needs->self, there.trial);
    search_in(name->next, &there);
}

static void search_call(const struct sg_formula_node *node, const struct search *search)
{
    size_t exact = 0, special = find_special(node->name);
    size_t term = find_term(search->benchmark, search->terms, node->name);
    const struct sg_exact_function *function = find_exact(search->benchmark, node->name, &exact);
    if (special < SPECIALS && node->parts != specials[special].parts) {
        complain(search, "%s() has another number of operands", node->name);
        return;
    }
    if (special == IN) {
        search_trial(node, search);
        return;
    }
    if (special == SPECIALS && term == search->terms && function == NULL)
        complain(search, "there is no function '%s'", node->name);
    else if (special == SPECIALS && term < search->terms)
        search_term(node, search, term);
    else if (special == SPECIALS && node->parts != function->operands)
        complain(search, "%s() has another number of operands", node->name);
    for (const struct sg_formula_node *part = node->first; part != NULL; part = part->next)
        search_in(part, search);
}

static void search_in(const struct sg_formula_node *node, const struct search *search)
{
    if (node->form == SG_FORMULA_NAME)
        search_name(node, search);
    else if (node->form == SG_FORMULA_CALL)
        search_call(node, search);
    else
        for (const struct sg_formula_node *part = node->first; part != NULL; part = part->next)
            search_in(part, search);
}

void sg_formula_needs(const struct sg_benchmark *benchmark, const struct sg_formula *formula, size_t trial,
                      const struct sg_needs *needs)
{
    const struct search search = {benchmark, needs, trial, benchmark->term_count, NULL};
    if (formula->root != NULL) search_in(formula->root, &search);
}

void sg_term_needs(const struct sg_benchmark *benchmark, size_t term, const struct sg_needs *needs)
{
    const struct search search = {benchmark, needs, 0, term, &benchmark->terms[term].of};
    if (benchmark->terms[term].value.root != NULL) search_in(benchmark->terms[term].value.root, &search);
}
