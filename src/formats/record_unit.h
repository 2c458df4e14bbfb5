/* Units of earthquake records. */
#ifndef SG_FORMATS_RECORD_UNIT_H
#define SG_FORMATS_RECORD_UNIT_H

/* the standard acceleration of free fall, m/s^2: what the unit g stands for */
#define SG_STANDARD_GRAVITY 9.80665

enum sg_record_quantity { SG_RECORD_ACCELERATION, SG_RECORD_VELOCITY, SG_RECORD_DISPLACEMENT };

/* One row a unit: name in the deck, what it measures, how much it is in SI. */
#define SG_RECORD_UNITS(FIRST, NEXT)                                                                         \
    FIRST("m/s^2", SG_RECORD_ACCELERATION, 1)                                                                \
    NEXT("cm/s^2", SG_RECORD_ACCELERATION, 0.01)                                                             \
    NEXT("mm/s^2", SG_RECORD_ACCELERATION, 0.001)                                                            \
    NEXT("g", SG_RECORD_ACCELERATION, SG_STANDARD_GRAVITY)                                                   \
    NEXT("m/s", SG_RECORD_VELOCITY, 1)                                                                       \
    NEXT("cm/s", SG_RECORD_VELOCITY, 0.01)                                                                   \
    NEXT("mm/s", SG_RECORD_VELOCITY, 0.001)                                                                  \
    NEXT("m", SG_RECORD_DISPLACEMENT, 1)                                                                     \
    NEXT("cm", SG_RECORD_DISPLACEMENT, 0.01)                                                                 \
    NEXT("mm", SG_RECORD_DISPLACEMENT, 0.001)

struct sg_record_unit {
    const char *name;
    enum sg_record_quantity quantity;
    double factor;
};

/* by index */
const struct sg_record_unit *sg_record_unit_at(int index);

/* index of a unit by its name in the deck ("cm/s^2"), -1 if it is none */
int sg_record_unit_find(const char *name);

#endif
