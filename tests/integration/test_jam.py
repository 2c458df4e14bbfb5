#!/usr/bin/python3
"""A corner of a block that a pin holds strikes a floor. The pin leaves one motion, in which the corner goes down and sideways
alike by the arm's slope tan: an impulse (N, T) along (1, tan) of the floor moves nothing. With friction below that the corner
slips; with more, no impulse of Coulomb's cone stops it, and what restitution asks for can't be had: there is no solution."""

import math
import re
import tempfile
import unittest
from pathlib import Path

import harness

# an arm of 1 m, at 1 rad below the horizontal after .038 s at 1 rad/s: the impulse that moves nothing points to the pin
DECK = """
bodies = ( {{ type = "multibody"; name = "b"; positions = [0.2701511529340698, -0.42073549240394825]; masses = [1.0];
             inertias = [0.08333333333333333]; }} );
constraints = ( {{ type = "pin"; nodes = ["b"]; arms = [-0.2701511529340698, 0.42073549240394825]; point = [0.0, 0.0]; }} );
contacts = ( {{ type = "plane"; name = "toe"; node = "b"; arm = [0.2701511529340698, -0.42073549240394825];
               normal = [0.0, 1.0]; point = [0.0, -0.8614709848078965]; restitution = 0.5; friction = {friction}; }} );
initial = ( {{ node = "b"; velocity_vector = [-0.42073549240394825, -0.2701511529340698]; angular_velocity = -1.0; }} );
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; }};
time = {{ end = 0.1; step = 0.001; }};
"""


class Jam(unittest.TestCase):
    def run_deck(self, friction, integrator="theta"):
        with tempfile.TemporaryDirectory(prefix="signorini-jam-") as folder:
            deck = Path(folder) / "deck.cfg"
            deck.write_text(DECK.format(friction=friction, integrator=integrator), encoding="utf-8")
            return harness.run("run", deck, "-o", Path(folder) / "out.h5", "-q")

    def test_a_jam_is_named(self):
        """The corner is at depth .86147 of 1 m when it strikes, to the way of a step: the slope is that of its arm, to 1e-3."""
        done = harness.must(self.run_deck(0.8), 76)
        self.assertIn("contact 'toe' jams", done.stderr)
        slope = float(re.search(r"an impulse with (\S+) of friction to 1 of pressure", done.stderr)[1])
        self.assertAlmostEqual(slope, math.sqrt(1.0 - 0.8614709848078965**2) / 0.8614709848078965, delta=2e-3)
        self.assertIn("its friction of 0.8 allows", done.stderr)
        # it was at once: no sweeps
        self.assertNotIn("sweeps", done.stderr)

    def test_with_less_friction_it_slips(self):
        """On both sides of the slope .5896 at which it begins."""
        harness.must(self.run_deck(0.58))
        harness.must(self.run_deck(0.60), 76)
        harness.must(self.run_deck(0.0))


if __name__ == "__main__":
    unittest.main()
