/* Response spectra against closed forms and another exact solution; code spectra by hand; records made to
 * fit; decks of ground motion. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact_sdof.h"
#include "formats/record.h"
#include "ground/fourier.h"
#include "ground/ground_motion.h"

static const double pi = 3.14159265358979323846;

static void near(double a, double b, double tolerance, int line)
{
    ck_assert_msg(fabs(a - b) <= tolerance, "line %d: %.17g is not %.17g within %g", line, a, b, tolerance);
}
#define NEAR(a, b, tolerance) near((a), (b), (tolerance), __LINE__)

/* --- Fourier -------------------------------------------------------------------------------------- */

START_TEST(transforms_are_the_sums_that_define_them)
{
    enum { N = 32 };
    struct sg_arena arena = {0};
    struct sg_fourier fourier = {0};
    struct sg_error err;
    double complex x[N], y[N];
    ck_assert_int_eq(sg_fourier_init(&arena, &fourier, N, &err), SG_OK);
    for (int k = 0; k < N; k++) x[k] = y[k] = sin(k * k) + I * cos(3.0 * k);
    sg_fourier_forward(&fourier, y);
    for (int j = 0; j < N; j++) {
        double complex sum = 0;
        for (int k = 0; k < N; k++) sum += x[k] * cexp(-2 * pi * I * j * k / N);
        NEAR(cabs(y[j] - sum), 0, 1e-12); /* some 32 roundings of sums below 32 */
    }
    sg_fourier_backward(&fourier, y);
    for (int k = 0; k < N; k++) NEAR(cabs(y[k] - x[k]), 0, 1e-14);
    sg_arena_release(&arena);
    ck_assert_uint_eq(sg_fourier_length(2001), 2048);
    ck_assert_uint_eq(sg_fourier_length(2048), 2048);
}
END_TEST

/* --- response spectra ----------------------------------------------------------------------------- */

/* a ground that accelerates by 1 m/s^2 for the given time, in pieces */
static struct sg_table rectangle(struct sg_arena *arena, double duration, size_t pieces)
{
    struct sg_table table = {0};
    struct sg_error err;
    ck_assert_int_eq(sg_table_allocate(arena, &table, pieces + 1, &err), SG_OK);
    for (size_t k = 0; k <= pieces; k++) {
        table.x[k] = duration * (double)k / (double)pieces;
        table.y[k] = 1;
    }
    return table;
}

/* Undamped, w^2 u = 1 - cos w t during the pulse: 2 at most where it lasts half a period; 2 sin(pi d / T),
 * which comes after the pulse, where it is shorter. To 1e-6, as promised.
 */
START_TEST(a_rectangular_pulse_has_the_spectrum_of_the_book)
{
    SG_LOCAL_ARENA(arena);
    struct sg_table pulse = rectangle(&arena, 0.25, 3);
    static const double periods[] = {0.02, 0.1, 0.3, 0.5, 0.7, 1.0, 3.0, 50.0};
    for (size_t k = 0; k < sizeof periods / sizeof *periods; k++) {
        double T = periods[k], exact = T <= 0.5 ? 2 : 2 * sin(pi * 0.25 / T);
        struct sg_peak_response response = sg_response_of(&pulse, T, 0);
        NEAR(response.pseudo_acceleration, exact, 2e-6);
        NEAR(response.acceleration, exact, 2e-6); /* the same without damping */
        NEAR(response.displacement, exact * T * T / (4 * pi * pi), 2e-6 * T * T / (4 * pi * pi));
    }
}
END_TEST

/* A long step: w^2 u overshoots 1 by exp(-pi xi / sqrt(1 - xi^2)). */
START_TEST(a_step_overshoots_as_its_damping_lets_it)
{
    SG_LOCAL_ARENA(arena);
    struct sg_table step = rectangle(&arena, 20, 7);
    for (double damping = 0; damping < 0.95; damping += 0.1) {
        double exact = 1 + exp(-pi * damping / sqrt(1 - damping * damping));
        NEAR(sg_response_of(&step, 1, damping).pseudo_acceleration, exact, 2e-6);
    }
}
END_TEST

/* A resonant sine, undamped: w^2 u = (sin w t - w t cos w t) / 2, so n pi / 2 after n half periods. As a
 * polyline of 400 points a period the sine is too small by (2 pi / 400)^2 / 12 = 2e-5 of itself. */
START_TEST(resonance_grows_as_it_must)
{
    enum { A_PERIOD = 400, PERIODS = 10 };
    SG_LOCAL_ARENA(arena);
    struct sg_table sine = {0};
    struct sg_error err;
    ck_assert_int_eq(sg_table_allocate(&arena, &sine, A_PERIOD * PERIODS + 1, &err), SG_OK);
    for (size_t k = 0; k < sine.count; k++) {
        sine.x[k] = 0.8 * (double)k / A_PERIOD;
        sine.y[k] = sin(2 * pi * (double)k / A_PERIOD);
    }
    double exact = 2 * PERIODS * pi / 2;
    NEAR(sg_response_of(&sine, 0.8, 0).pseudo_acceleration, exact, 1e-4 * exact);
}
END_TEST

/* another exact solution, piece by piece, looked at 12000 times a piece */
static struct sg_peak_response second_method(const struct sg_table *record, double period, double damping)
{
    double w = 2 * pi / period, u = 0, v = 0;
    struct sg_peak_response response = {0, 0, 0};
    for (size_t i = 0; i < record->count; i++) {
        bool after = i + 1 == record->count;
        double h = after ? period : record->x[i + 1] - record->x[i], a = after ? 0 : record->y[i];
        struct sg_sdof_spec spec = {
            .mass = 1, .damping = 2 * damping * w, .stiffness = w * w, .u0 = u, .v0 = v};
        spec.constant = -a;
        spec.ramp = after ? 0 : -(record->y[i + 1] - a) / h;
        struct sg_sdof sdof;
        struct sg_error err;
        ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_OK);
        struct sg_sdof_state state = {0, 0, 0};
        for (int k = 0; k <= 12000; k++) {
            state = sg_sdof_at(&sdof, h * k / 12000);
            response.displacement = fmax(response.displacement, fabs(state.u));
            response.acceleration =
                fmax(response.acceleration, fabs(w * w * state.u + spec.damping * state.v));
        }
        u = state.u;
        v = state.v;
    }
    response.pseudo_acceleration = w * w * response.displacement;
    return response;
}

/* An uneven record, in 12 pieces. */
START_TEST(spectra_agree_with_a_second_method)
{
    static double x[] = {0.1, 0.15, 0.22, 0.3, 0.31, 0.5, 0.62, 0.7, 0.9, 1.1, 1.15, 1.3, 1.45};
    static double y[] = {0.3, 2.0, -1.0, 0.5, 3.0, -2.0, 1.2, 0.0, -1.5, 2.2, 0.1, -0.7, 0.4};
    struct sg_table record = {13, x, y};
    static const double periods[] = {0.03, 0.1, 0.37, 1.0, 4.0}, dampings[] = {0, 0.05, 0.5};
    for (size_t k = 0; k < 5; k++)
        for (size_t d = 0; d < 3; d++) {
            struct sg_peak_response ours = sg_response_of(&record, periods[k], dampings[d]);
            struct sg_peak_response theirs = second_method(&record, periods[k], dampings[d]);
            /* looked at 12000 times a piece of at most 7 periods, the peak is missed by (pi / 1700)^2 / 2 */
            NEAR(ours.displacement, theirs.displacement, 3e-6 * theirs.displacement);
            NEAR(ours.acceleration, theirs.acceleration, 3e-6 * theirs.acceleration);
        }
}
END_TEST

/* --- code spectra --------------------------------------------------------------------------------- */

/* S a_g (1 + T / TB (2.5 eta - 1)) and so on, by hand from the tables */
static const struct {
    struct sg_eurocode8 given;
    double period, value;
} codes[] = {
    {{1, SG_SOIL_A, 1, NAN, 0.05}, 0, 1},
    {{1, SG_SOIL_A, 1, NAN, 0.05}, 0.075, 1.75},
    {{1, SG_SOIL_A, 1, NAN, 0.05}, 0.3, 2.5},
    {{1, SG_SOIL_A, 1, NAN, 0.05}, 1, 1},
    {{1, SG_SOIL_A, 1, NAN, 0.05}, 4, 0.125},
    {{1, SG_SOIL_B, 2, NAN, 0.05}, 0.2, 6},
    {{1, SG_SOIL_C, 1, NAN, 0.05}, 1.2, 1.4375},
    {{1, SG_SOIL_D, 1, NAN, 0.05}, 0.1, 2.3625},
    {{1, SG_SOIL_E, 1, NAN, 0.05}, 0.5, 3.5},
    {{1, SG_SOIL_E, NAN, 1.4, 0.05}, 0.5, 3.5}, /* a_g S given: the same */
    {{2, SG_SOIL_A, 1, NAN, 0.05}, 0.5, 1.25},
    {{2, SG_SOIL_B, 1, NAN, 0.05}, 2.4, 0.17578125},
    {{2, SG_SOIL_C, 1, NAN, 0.05}, 0.05, 2.625},
    {{2, SG_SOIL_D, 1, NAN, 0.05}, 0.6, 2.25},
    {{2, SG_SOIL_E, 1, NAN, 0.05}, 0.25, 4},
    {{1, SG_SOIL_A, 1, NAN, 0.15}, 0.3, 2.5 * 0.70710678118654752}, /* eta = sqrt(10 / 20) */
    {{1, SG_SOIL_A, 1, NAN, 0.6}, 0.3, 2.5 * 0.55},                 /* its floor */
};

START_TEST(eurocode_8_is_that_of_its_tables)
{
    struct sg_code_spectrum spectrum = sg_code_spectrum_eurocode8(&codes[_i].given);
    NEAR(sg_code_spectrum_at(&spectrum, codes[_i].period), codes[_i].value, 1e-14 * codes[_i].value);
    const double corners[] = {spectrum.tb, spectrum.tc, spectrum.td};
    for (int k = 0; k < 3; k++) { /* no jump: slopes times 1e-9 s, below 40 / s */
        double left = sg_code_spectrum_at(&spectrum, corners[k] - 1e-9);
        NEAR(left, sg_code_spectrum_at(&spectrum, corners[k] + 1e-9), 1e-7 * left);
    }
}
END_TEST

/* --- records made to fit -------------------------------------------------------------------------- */

static const struct sg_generator_spec usual = {.duration = 20,
                                               .dt = 0.01,
                                               .rise = 2,
                                               .strong = 10,
                                               .decay = 0.35,
                                               .shortest = 0.04,
                                               .longest = 4,
                                               .damping = 0.05,
                                               .iterations = 30,
                                               .tolerance = 0.04};

START_TEST(the_envelope_is_the_one_described)
{
    NEAR(sg_generator_envelope(&usual, 0), 0, 0);
    NEAR(sg_generator_envelope(&usual, 1), 0.25, 1e-16);
    NEAR(sg_generator_envelope(&usual, 2), 1, 0);
    NEAR(sg_generator_envelope(&usual, 12), 1, 0);
    NEAR(sg_generator_envelope(&usual, 16), exp(-1.4), 1e-16);
    NEAR(sg_generator_envelope(&usual, 19.5), exp(-0.35 * 7.5) / 2, 1e-15); /* the middle of its end */
    NEAR(sg_generator_envelope(&usual, 20), 0, 0);
}
END_TEST

/* mean of |S / target - 1| at 60 periods, by the other method where it is quick enough: not the generator's
 * own measure */
static double misfit(const struct sg_table *record, const struct sg_code_spectrum *target, double damping)
{
    double sum = 0;
    for (int k = 0; k < 60; k++) {
        double T = 0.1 * pow(20, k / 59.0);
        sum +=
            fabs(sg_response_of(record, T, damping).pseudo_acceleration / sg_code_spectrum_at(target, T) - 1);
    }
    return sum / 60;
}

/* The promise is 5 % in the mean. The ground comes to rest where it was: to rounding of 2000 additions. */
START_TEST(a_record_made_fits_its_code)
{
    struct sg_eurocode8 given = {1 + _i / 5, (enum sg_soil)(_i % 5), 1.5, NAN, _i == 7 ? 0.1 : 0.05};
    struct sg_code_spectrum target = sg_code_spectrum_eurocode8(&given);
    struct sg_generator_spec spec = usual;
    SG_LOCAL_ARENA(arena);
    struct sg_generated made;
    struct sg_error err;
    spec.damping = given.damping;
    ck_assert_int_eq(sg_generate(&arena, &spec, &target, (uint64_t)_i + 40, &made, &err), SG_OK);
    ck_assert_uint_eq(made.record.count, 2001);
    ck_assert_double_le(made.fit.mean, 0.05);
    ck_assert_double_le(misfit(&made.record, &target, spec.damping), 0.05);
    double v = 0, u = 0, largest = 0, h = 0.01, *a = made.record.y;
    for (size_t k = 0; k < 2000; k++) {
        u += h * v + h * h * (2 * a[k] + a[k + 1]) / 6;
        v += h * (a[k] + a[k + 1]) / 2;
        largest = fmax(largest, fabs(u));
    }
    ck_assert_double_gt(largest, 0.01);
    NEAR(v, 0, 1e-12);
    NEAR(u, 0, 1e-11);
    NEAR(a[0], 0, 0);
    NEAR(a[2000], 0, 0);
    double pga = sg_record_peak(&made.record);
    ck_assert_double_ge(pga, 0.8 * target.acceleration);
    ck_assert_double_le(pga, 1.5 * target.acceleration);
}
END_TEST

START_TEST(a_seed_makes_one_record)
{
    struct sg_eurocode8 given = {1, SG_SOIL_A, 1, NAN, 0.05};
    struct sg_code_spectrum target = sg_code_spectrum_eurocode8(&given);
    struct sg_generator_spec spec = usual;
    SG_LOCAL_ARENA(arena);
    struct sg_generated one, again, other;
    struct sg_error err;
    spec.iterations = 2;
    ck_assert_int_eq(sg_generate(&arena, &spec, &target, 5, &one, &err), SG_OK);
    ck_assert_int_eq(sg_generate(&arena, &spec, &target, 5, &again, &err), SG_OK);
    ck_assert_int_eq(sg_generate(&arena, &spec, &target, 6, &other, &err), SG_OK);
    ck_assert_mem_eq(one.record.y, again.record.y, one.record.count * sizeof(double));
    double same = 0, square = 0;
    for (size_t k = 0; k < one.record.count; k++) {
        same += one.record.y[k] * other.record.y[k];
        square += one.record.y[k] * one.record.y[k];
    }
    /* of 20 s with content around 2 Hz some 80 values are independent: 3.5 of 1 / sqrt(80) */
    NEAR(same / square, 0, 0.4);
}
END_TEST

/* --- decks ---------------------------------------------------------------------------------------- */

struct study {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_error err;
    struct sg_ground_motion motion;
    struct sg_text findings;
    sg_status status;
};

#define VELOCITY "x\ny\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 2, DT= 1\n0 1\n"

static const struct sg_side_file files[] = {{"a b.txt", "0 0\n.02 1\n.04 -2\n.06 0\n", 23},
                                            {"sub/a b.txt", "0\n1\n0\n", 6},
                                            {"early.txt", "-1 0\n1 1\n", 9},
                                            {"v.VT2", VELOCITY, sizeof VELOCITY - 1},
                                            {NULL, NULL, 0}};

static void open_study(struct study *s, const char *text)
{
    *s = (struct study){0};
    s->status = sg_deck_read_text(text, strlen(text), "test", &s->deck, &s->diagnostics, &s->err);
    ck_assert_int_eq(s->status, SG_OK);
    sg_deck_offer_side_files(s->deck, files);
    s->status = sg_deck_validate(s->deck, sg_ground_grammar, &s->diagnostics, &s->err);
    if (s->status == SG_OK) s->status = sg_ground_motion_init(&s->motion, s->deck, &s->diagnostics, &s->err);
    sg_diagnostics_render(&s->diagnostics, &s->findings);
}

static void close_study(struct study *s)
{
    sg_ground_motion_release(&s->motion);
    sg_deck_destroy(s->deck);
    sg_diagnostics_release(&s->diagnostics);
    sg_text_release(&s->findings);
}

#define TARGET "spectrum = { ag = 1.0; }; "

static const struct {
    const char *deck, *words;
} faults[] = {
    {"title = \"nothing\";", "has neither 'generate' nor 'records'"},
    {"generate = { };", "generate: needs a group 'spectrum'"},
    {"spectrum = { }; generate = { };", "spectrum.ag: give either 'ag', on rock, or 'pga', at the surface"},
    {"spectrum = { ag = 1.0; pga = 1.0; }; generate = { };", "not both"},
    {"spectrum = { ag = 1.0; soil = \"F\"; }; generate = { };", "spectrum.soil"},
    {"spectrum = { ag = 1.0; shape = 3; }; generate = { };", "spectrum.shape"},
    {"spectrum = { type = \"ec8\"; ag = 1.0; }; generate = { };", "spectrum.type"},
    {TARGET "generate = { duration = 2.0; };",
     "generate.duration: ends within the rise of the envelope, 2 s"},
    {TARGET "generate = { dt = 0.0; };", "generate.dt"},
    {TARGET "generate = { dt = 1e-9; };", "generate.dt: makes more than"},
    {TARGET "generate = { dt = 0.03; };", "generate.shortest: is below two values of the record, 0.06 s"},
    {TARGET "generate = { longest = 0.1; };", "generate.longest: is not above"},
    {TARGET "generate = { longest = 30.0; };", "generate.longest: is a period longer than the record, 20 s"},
    {TARGET "generate = { seed = -1; };", "generate.seed"},
    {TARGET "generate = { }; response = { damping = 1.0; };", "response.damping"},
    {TARGET "generate = { }; response = { shortest = 5.0; };", "response.longest: is 4 s, not above"},
    {"records = ( { file = \"early.txt\"; } );", "records.[0].file: 'early.txt' starts before t = 0"},
    {"records = ( { file = \"v.VT2\"; } );", "records.[0].file: 'v.VT2' is a record of velocity"},
    {"records = ( { file = \"a b.txt\"; dt = 1.0; }, { file = \"v.VT2\"; } );", "records.[1].file"},
};

START_TEST(faults_of_a_deck_are_findings)
{
    struct study s;
    open_study(&s, faults[_i].deck);
    ck_assert_int_eq(s.status, SG_BAD_DECK);
    ck_assert_msg(strstr(sg_text_view(&s.findings), faults[_i].words) != NULL, "%s",
                  sg_text_view(&s.findings));
    close_study(&s);
}
END_TEST

START_TEST(records_out_of_files_have_names_and_rows)
{
    struct study s;
    open_study(&s,
               "records = ( { file = \"a b.txt\"; }, { file = \"sub/a b.txt\"; dt = 0.5; scale = 3.0; } );"
               "response = { count = 5; damping = 0.0; };");
    ck_assert_msg(s.status == SG_OK, "%s", sg_text_view(&s.findings));
    ck_assert_str_eq(s.motion.records[0].name, "a b");
    ck_assert_str_eq(s.motion.records[1].name, "a b_2");
    NEAR(s.motion.step, 0.02, 1e-17);
    NEAR(s.motion.end, 1, 0);
    while (s.motion.done < s.motion.count)
        ck_assert_int_eq(sg_ground_motion_advance(&s.motion, &s.err), SG_OK);
    double peak[3];
    sg_ground_motion_peaks(&s.motion, 1, peak); /* a triangle of 3 m/s^2 over 1 s */
    NEAR(peak[0], 3, 0);
    NEAR(peak[1], 1.5, 1e-14);
    NEAR(peak[2], 0.75, 1e-14);
    ck_assert(isnan(s.motion.records[0].fit.mean));
    NEAR(s.motion.response[5 + 4].pseudo_acceleration,
         sg_response_of(&s.motion.records[1].record, 4, 0).pseudo_acceleration, 0);
    close_study(&s);
}
END_TEST

/* What is written as AT2 is read back, rounded to its eight digits. */
START_TEST(a_file_of_peer_s_holds_the_record)
{
    struct study s, back;
    struct sg_text text = {0};
    open_study(&s, TARGET "generate = { iterations = 1; seed = 7; duration = 12.0; dt = 0.02; };");
    ck_assert_msg(s.status == SG_OK, "%s", sg_text_view(&s.findings));
    ck_assert_int_eq(sg_ground_motion_advance(&s.motion, &s.err), SG_OK);
    sg_ground_motion_print_at2(&s.motion, 0, &text);
    const struct sg_side_file file[] = {{"seed_7.AT2", sg_text_view(&text), text.length}, {NULL, NULL, 0}};
    static const char deck[] = "records = ( { file = \"seed_7.AT2\"; } );";
    back = (struct study){0};
    ck_assert_int_eq(sg_deck_read_text(deck, strlen(deck), "t", &back.deck, &back.diagnostics, &back.err),
                     SG_OK);
    sg_deck_offer_side_files(back.deck, file);
    ck_assert_int_eq(sg_deck_validate(back.deck, sg_ground_grammar, &back.diagnostics, &back.err), SG_OK);
    ck_assert_int_eq(sg_ground_motion_init(&back.motion, back.deck, &back.diagnostics, &back.err), SG_OK);
    const struct sg_table *one = &s.motion.records[0].record, *two = &back.motion.records[0].record;
    ck_assert_uint_eq(one->count, two->count);
    for (size_t k = 0; k < one->count; k++) {
        NEAR(one->x[k], two->x[k], 1e-15 * 12);
        NEAR(one->y[k], two->y[k], 1e-7 * fabs(one->y[k]));
    }
    sg_text_release(&text);
    close_study(&s);
    close_study(&back);
}
END_TEST

Suite *sg_suite_ground_motion(void)
{
    Suite *suite = suite_create("ground_motion");
    TCase *cases = tcase_create("spectra");
    tcase_add_test(cases, transforms_are_the_sums_that_define_them);
    tcase_add_test(cases, a_rectangular_pulse_has_the_spectrum_of_the_book);
    tcase_add_test(cases, a_step_overshoots_as_its_damping_lets_it);
    tcase_add_test(cases, resonance_grows_as_it_must);
    tcase_add_test(cases, spectra_agree_with_a_second_method);
    tcase_add_loop_test(cases, eurocode_8_is_that_of_its_tables, 0, (int)(sizeof codes / sizeof *codes));
    suite_add_tcase(suite, cases);
    TCase *made = tcase_create("made");
    tcase_add_test(made, the_envelope_is_the_one_described);
    tcase_add_loop_test(made, a_record_made_fits_its_code, 0, 10);
    tcase_add_test(made, a_seed_makes_one_record);
    suite_add_tcase(suite, made);
    TCase *decks = tcase_create("decks");
    tcase_add_loop_test(decks, faults_of_a_deck_are_findings, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(decks, records_out_of_files_have_names_and_rows);
    tcase_add_test(decks, a_file_of_peer_s_holds_the_record);
    suite_add_tcase(suite, decks);
    return suite;
}
