/* What laws made of linear springs share. */
#ifndef SG_CONTACT_LAWS_SPRING_H
#define SG_CONTACT_LAWS_SPRING_H

#include "contact/law.h"

/* N/m, by the keywords `stiffness` or `stiffness_factor` of a group; NaN where it has neither. Faults are
 * findings. */
double sg_law_read_stiffness(const struct sg_setting *node, const struct sg_law_reader *reader,
                             double stiffness, double factor);

/* the face SG_LAW_STEP of a spring (N/m) that begins at a gap of 0 */
struct sg_law_step sg_law_spring_step(double stiffness, double chi, double g0, double g1);

#endif
