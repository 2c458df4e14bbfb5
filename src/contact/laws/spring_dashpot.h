/* A linear spring and dashpot that only push: f = max(0, k x + c x') while the overlap x > 0.
 *
 * A mass m that hits one with speed v leaves it where f becomes 0, before the spring has relaxed, with the
 * speed e v (Schwager and Poschel 2007). With the damping ratio z = c / (2 sqrt(k m)) the duration of the
 * contact is omega t = 2 arccos(z) / sqrt(1 - z^2), omega = sqrt(k / m), and
 *
 *     e = exp(-z omega t),   z = 1: e = exp(-2),   z > 1: arcosh(z) / sqrt(z^2 - 1) instead:
 *
 * any 0 < e <= 1 can be had, e = 0 can not. */
#ifndef SG_CONTACT_LAWS_SPRING_DASHPOT_H
#define SG_CONTACT_LAWS_SPRING_DASHPOT_H

/* e of the damping ratio z >= 0 */
double sg_spring_dashpot_restitution(double z);

/* omega t, the duration of the contact by sqrt(k / m) */
double sg_spring_dashpot_duration(double z);

/* the damping ratio of 0 < e <= 1, to rounding */
double sg_spring_dashpot_ratio(double e);

#endif
