/* A contact by Hertz's law that only pushes, with or without a dashpot that goes with the overlap (Hunt and
 * Crossley 1975):
 *
 *     f = k x^(3/2) (1 + a x' / v)  while the overlap x > 0 and the bracket is positive,
 *
 * v the speed of the impact. A mass m alone leaves with the speed e v where
 *
 *     a (1 + e) = log((1 + a) / (1 - a e)),
 *
 * the energy integral of m x'' = -f over x' from v to -e v, whatever the exponent of x: any 0 < e <= 1 can be
 * had. Near e = 1 both a = 3 (1 - e^2) / 4 (Lankarani and Nikravesh 1990; "Hertzdamp" of Muthukumar and
 * DesRoches 2006) and a = 3 (1 - e) / 2 (Hunt and Crossley) are what is left of it. */
#ifndef SG_CONTACT_LAWS_HERTZ_FORMULAS_H
#define SG_CONTACT_LAWS_HERTZ_FORMULAS_H

/* N, J: of k [N/m^1.5] and the overlap x [m], 0 for x <= 0 */
double sg_hertz_force(double k, double x);
double sg_hertz_energy(double k, double x);

/* A mass m [kg] that meets it with speed v [m/s], without dashpot, reaches this overlap (m) and stays for
 * this long (s). */
double sg_hertz_depth(double k, double m, double v);
double sg_hertz_duration(double k, double m, double v);

/* a of 0 < e <= 1, and e of a >= 0, to rounding */
double sg_hertz_dashpot(double e);
double sg_hertz_restitution(double a);

#endif
