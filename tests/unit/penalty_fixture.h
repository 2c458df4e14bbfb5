/* What tests of strategy penalty share: a ball on a spring, by all schemes. */
#ifndef SG_TESTS_PENALTY_FIXTURE_H
#define SG_TESTS_PENALTY_FIXTURE_H

#include "run_fixture.h"

/* a ball of 2 kg at 3 m/s, touching at t = 0.1, omega = 10: contact until 0.1 + pi/10 */
static const char *const ball_text =
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [0.3]; masses = [2.0]; } );"
    "initial = ( { body = \"ball\"; velocity = -3.0; } );"
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; stiffness = 200.0; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"penalty\"; };"
    "time = { end = 0.7; step = 0.002; };";

static const char *const schemes[] = {"integrator.type=trapezoidal",
                                      "integrator.type=newmark",
                                      "integrator.type=theta",
                                      "integrator.type=generalized-alpha",
                                      "integrator.type=central-difference",
                                      "integrator.type=bathe",
                                      "integrator.type=chaudhary-bathe"};
enum { TRAPEZOIDAL, NEWMARK, THETA, ALPHA, CENTRAL, BATHE, CHAUDHARY_BATHE, SCHEME_COUNT };

#endif
