/* Units of axes: 0.0123 m is drawn as 12.3 mm. */
#ifndef SG_DRAWING_UNITS_H
#define SG_DRAWING_UNITS_H

/* A unit with the power of 1000 that makes the numbers short. */
struct sg_plot_unit {
    double factor; /* numbers are multiplied by it */
    char text[64]; /* " [mm]"; "" for plain numbers */
};

/* The unit for numbers between `low` and `high` of the SI unit `unit`. */
struct sg_plot_unit sg_plot_unit_of(const char *unit, double low, double high);

#endif
