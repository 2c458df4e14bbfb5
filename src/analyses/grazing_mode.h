/* The lowest mode of a model without contact, and its energy where it just touches a contact: by these,
 * omega_1 and E_1, frequencies and energies of motions with contact are measured. */
#ifndef SG_ANALYSES_GRAZING_MODE_H
#define SG_ANALYSES_GRAZING_MODE_H

#include "contact/contact_set.h"
#include "model/system.h"
#include "support/status.h"

/* Where a swing of mass 1 about rest just touches, of several contacts, the first. */
struct sg_touch {
    double amplitude; /* HUGE_VAL: none moves */
    double side;      /* 1 if the swing is negative there, else -1 */
};
struct sg_touch sg_touch_none(void);

/* `gap`: m at rest; `sway`: what an amplitude of 1 adds to it */
void sg_touch_add(struct sg_touch *touch, double gap, double sway);

/* J, of a swing of `omega` rad/s; HUGE_VAL if nothing is touched */
double sg_touch_energy(const struct sg_touch *touch, double omega);

struct sg_grazing_mode {
    double omega;  /* rad/s: the lowest frequency above 0; NaN if there is none */
    double energy; /* J: the least with which this mode touches a contact; NaN without contact */
};

/* Undamped, about the reference configuration. In nodal coordinates by a full eigen-decomposition. */
sg_status sg_grazing_mode_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                               struct sg_grazing_mode *mode, struct sg_error *err);

#endif
