#include <math.h>

#include "drawing/modes.h"

/* inches: a figure over one and a half columns of a page */
static const double width = 5.6, height = 4.0;

/* Okabe and Ito's palette, which colour-blind readers tell apart */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#8C6D31", "#000000"};

enum { TITLE_LETTERS = 66, KEY_LETTERS = 44 };

enum look { LINE, STABLE, UNSTABLE, GRAZING, FORCED, LOOKS };
static const char *const names[] = {"line", "stable", "unstable", "grazing", "forced"};

static bool is_shown(const struct sg_mode_set *set, enum look look, size_t i)
{
    if (!(set->energy[i] > 0)) return false;
    switch (look) {
    case LINE:
        return !set->forced;
    case STABLE:
        return !set->forced && set->stable[i] == 1;
    case UNSTABLE:
        return !set->forced && set->stable[i] == 0;
    case GRAZING:
        return set->end[i] == 1;
    case FORCED:
        return set->forced;
    case LOOKS:
        break;
    }
    return false;
}

/* Lines are interrupted where a piece ends or no orbit was found. */
static size_t put_data(struct sg_text *script, const struct sg_mode_set *set, enum look look, size_t number)
{
    size_t shown = 0;
    sg_text_append(script, "$%s_%zu << END\n", names[look], number);
    for (size_t i = 0; i < set->count; i++) {
        bool now = is_shown(set, look, i), breaks = i > 0 && set->piece[i] != set->piece[i - 1];
        if (look == LINE && (breaks || !now)) sg_text_append(script, "\n");
        if (now) sg_text_append(script, "%.9g %.9g\n", set->ratio[i], set->energy[i]);
        shown += now;
    }
    sg_text_append(script, "END\n");
    return shown;
}

static void put_set(struct sg_text *script, const struct sg_plot_modes *plot, size_t number,
                    const size_t shown[LOOKS], bool *first)
{
    static const char *const styles[] = {
        [LINE] = "with lines linewidth 0.7",
        [STABLE] = "with points pointtype 7 pointsize 0.65",
        [UNSTABLE] = "with points pointtype 6 pointsize 0.65 linewidth 0.8",
        [GRAZING] = "with points pointtype 2 pointsize 1.3 linewidth 1.4",
        [FORCED] = "with points pointtype 7 pointsize 0.18",
    };
    const struct sg_mode_set *set = &plot->sets[number];
    for (size_t look = 0; look < LOOKS; look++) {
        if (shown[look] == 0) continue;
        sg_text_append(script, "%s$%s_%zu using 1:2 %s linecolor rgb '%s' ", *first ? "plot " : ", \\\n    ",
                       names[look], number, styles[look], palette[number]);
        *first = false;
        if (look == LINE || look == FORCED) {
            sg_text_append(script, "title ");
            sg_plot_quote(script, plot->count == 1 ? "orbits" : set->title, KEY_LETTERS);
        } else {
            sg_text_append(script, "notitle");
        }
    }
}

/* what the marks mean, once, in grey */
static void put_legend(struct sg_text *script, const size_t shown[LOOKS])
{
    static const struct {
        enum look look;
        const char *words;
        int point;
    } marks[] = {{STABLE, "stable", 7}, {UNSTABLE, "unstable", 6}, {GRAZING, "ends in a grazing", 2}};
    for (size_t i = 0; i < 3; i++)
        if (shown[marks[i].look] > 0)
            sg_text_append(
                script,
                ", \\\n    NaN with points pointtype %d pointsize 0.6 linecolor rgb '#555555' title '%s'",
                marks[i].point, marks[i].words);
}

static void put_frame(struct sg_text *script, const struct sg_plot_modes *plot)
{
    sg_text_append(script,
                   "set border linewidth 0.6\nset tics scale 0.6\nset logscale y\nset format y '%%g'\n"
                   "set format x '%%.6g'\nset mytics 10\n"
                   "set grid xtics ytics linetype 1 linewidth 0.4 linecolor rgb '#E4E4E4'\n"
                   "set xlabel 'frequency over that of the linear mode'\n"
                   "set ylabel 'energy over that of the linear mode that just touches'\n"
                   "set key top left reverse Left samplen 1.6 spacing 1.1 opaque noautotitle\n"
                   "set offsets graph 0.02, graph 0.02, 0, 0\n"
                   "set lmargin at screen 0.13\nset rmargin at screen 0.97\n"
                   "set tmargin at screen 0.93\nset bmargin at screen 0.13\nset label 1 ");
    sg_plot_quote(script, plot->count == 1 ? plot->sets[0].title : "nonsmooth modes", TITLE_LETTERS);
    sg_text_append(script, " at screen 0.13, screen 0.965 left font ',10'\n");
}

/* An axis of little more than a decade has its 2, 3 and 5 told too. */
static void put_small_tics(struct sg_text *script, const struct sg_plot_modes *plot)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->sets[i].count; k++) {
            double energy = plot->sets[i].energy[k];
            if (!(energy > 0)) continue;
            low = fmin(low, energy);
            high = fmax(high, energy);
        }
    if (high > 50 * low) return;
    sg_text_append(script, "set ytics add (");
    for (int k = 0; k < 3; k++) {
        double decade = pow(10, floor(log10(low)) + k);
        sg_text_append(script, "'%g' %g, '%g' %g, '%g' %g, ", 2 * decade, 2 * decade, 3 * decade, 3 * decade,
                       5 * decade, 5 * decade);
    }
    sg_text_append(script, "1)\n");
}

void sg_plot_modes_script(const void *what, enum sg_plot_format format, struct sg_text *script)
{
    const struct sg_plot_modes *plot = what;
    size_t shown[SG_MODE_SETS][LOOKS], all[LOOKS] = {0};
    bool first = true;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t look = 0; look < LOOKS; look++) {
            shown[i][look] = put_data(script, &plot->sets[i], (enum look)look, i);
            all[look] += shown[i][look];
        }
    sg_plot_terminal(script, format, width, height);
    put_frame(script, plot);
    put_small_tics(script, plot);
    /* forced motions behind the orbits */
    for (size_t i = plot->count; i-- > 0;) put_set(script, plot, i, shown[i], &first);
    if (first) sg_text_append(script, "plot NaN notitle");
    put_legend(script, all);
    sg_text_append(script, "\nset output\n");
}
