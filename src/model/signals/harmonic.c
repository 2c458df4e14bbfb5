#include <math.h>

#include "model/signals/signals.h"
#include "support/constants.h"
#include "support/memory.h"

struct harmonic {
    double amplitude, frequency, circular_frequency, phase, mean;
};

static const struct sg_keyword rows[] = {{.name = "amplitude",
                                          .type = SG_REAL,
                                          .meaning = "amplitude A of mean + A sin(omega t + phase)",
                                          .example = "1.0",
                                          .flags = SG_REQUIRED,
                                          .offset = offsetof(struct harmonic, amplitude)},
                                         {.name = "frequency",
                                          .type = SG_REAL,
                                          .unit = "Hz",
                                          .meaning = "omega / (2 pi); this or circular_frequency",
                                          .example = "2.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct harmonic, frequency)},
                                         {.name = "circular_frequency",
                                          .type = SG_REAL,
                                          .unit = "rad/s",
                                          .meaning = "omega; this or frequency",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct harmonic, circular_frequency)},
                                         {.name = "phase",
                                          .type = SG_REAL,
                                          .unit = "rad",
                                          .meaning = "phase at t = 0 (pi/2 makes a cosine)",
                                          .fallback = "0.0",
                                          .offset = offsetof(struct harmonic, phase)},
                                         {.name = "mean",
                                          .type = SG_REAL,
                                          .meaning = "constant part",
                                          .fallback = "0.0",
                                          .offset = offsetof(struct harmonic, mean)},
                                         {0}};

static sg_status create(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    (void)deck;
    struct harmonic *wave = NULL;
    TRY(SG_ARENA_NEW(arena, &wave, 1, err));
    signal->data = wave;
    signal->continuity = SG_SMOOTH;
    sg_setting_fill(node, rows, wave);
    if (isnan(wave->frequency) == isnan(wave->circular_frequency)) {
        sg_complain_about(diagnostics, SG_ERROR, node, "frequency",
                          "give either 'frequency' [Hz] or 'circular_frequency' [rad/s]%s",
                          isnan(wave->frequency) ? "" : ", not both");
        return SG_BAD_DECK;
    }
    if (isnan(wave->circular_frequency)) wave->circular_frequency = 2 * SG_PI * wave->frequency;
    return SG_OK;
}

static struct sg_signal_value at(const struct sg_signal *signal, double t)
{
    const struct harmonic *wave = signal->data;
    double a = wave->amplitude, omega = wave->circular_frequency;
    double sine = sin(omega * t + wave->phase), cosine = cos(omega * t + wave->phase);
    double sine0 = sin(wave->phase), cosine0 = cos(wave->phase);
    return (struct sg_signal_value){.s = wave->mean + a * sine,
                                    .ds = a * omega * cosine,
                                    .dds = -a * omega * omega * sine,
                                    .sum = wave->mean * t + a / omega * (cosine0 - cosine),
                                    .sum2 = wave->mean * t * t / 2 +
                                            a / omega * (t * cosine0 - (sine - sine0) / omega)};
}

static double next_break(const struct sg_signal *signal, double t)
{
    (void)signal;
    (void)t;
    return HUGE_VAL;
}

static double longest_step(const struct sg_signal *signal, double t)
{
    (void)t;
    const struct harmonic *wave = signal->data;
    return 2.0 * SG_PI / wave->circular_frequency / SG_SIGNAL_POINTS;
}

static void retune(struct sg_signal *signal, double omega, double factor)
{
    struct harmonic *wave = signal->data;
    wave->circular_frequency = omega;
    wave->amplitude *= factor;
}

const struct sg_signal_ops sg_signal_harmonic = {
    .kind = {.name = "harmonic", .meaning = "mean + amplitude sin(omega t + phase)", .rows = rows},
    .create = create,
    .at = at,
    .next_break = next_break,
    .longest_step = longest_step,
    .retune = retune,
    .periodic = true,
};
