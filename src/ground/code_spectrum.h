/* Elastic response spectra of codes: Eurocode 8 (EN 1998-1:2004, 3.2.2.2), horizontal components,
 *
 *     0  <= T <= TB:  S_e = a_g S (1 + T / TB (2.5 eta - 1))
 *     TB <= T <= TC:  S_e = a_g S eta 2.5
 *     TC <= T <= TD:  S_e = a_g S eta 2.5 TC / T
 *     TD <= T:        S_e = a_g S eta 2.5 TC TD / T^2     (in the code up to 4 s)
 *
 * with S, TB, TC, TD of tables 3.2 (type 1) and 3.3 (type 2) by ground type, and for the damping ratio xi
 * eta = sqrt(10 / (5 + 100 xi)), not below 0.55. Its peak ground acceleration is S_e(0) = a_g S. */
#ifndef SG_GROUND_CODE_SPECTRUM_H
#define SG_GROUND_CODE_SPECTRUM_H

struct sg_code_spectrum {
    double acceleration; /* m/s^2: a_g S */
    double tb, tc, td;   /* s */
    double eta;          /* 1 */
};

enum sg_soil { SG_SOIL_A, SG_SOIL_B, SG_SOIL_C, SG_SOIL_D, SG_SOIL_E };
#define SG_SOIL_CHOICES "A|B|C|D|E"

struct sg_eurocode8 {
    int type; /* 1 or 2 */
    enum sg_soil soil;
    double ag;      /* m/s^2, on rock; NaN: from `pga` */
    double pga;     /* m/s^2, at the surface: a_g S; NaN: from `ag` */
    double damping; /* 1 */
};

struct sg_code_spectrum sg_code_spectrum_eurocode8(const struct sg_eurocode8 *given);

/* m/s^2 at the period T >= 0, s */
double sg_code_spectrum_at(const struct sg_code_spectrum *spectrum, double period);

#endif
