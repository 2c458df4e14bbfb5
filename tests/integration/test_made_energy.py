#!/usr/bin/python3
"""Impacts can only take: what contacts give in all is booked as made (energy/numerical), and told."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

# five blocks, e = 1, a centimetre apart, fall on each other: nothing is to be lost or made
COLUMN = """
bodies = ({{ type = "particles"; name = "s"; positions = [0.01, 1.01, 2.01, 3.01, 4.01]; masses = [1.0, 1.1, 1.2, 1.3, 1.4]; }});
loads = ({{ type = "gravity"; acceleration = -9.81; }});
contacts = ({{ type = "wall"; node = "s.0"; position = 0.0; restitution = {e0}; }},
    {{ type = "pair"; nodes = ["s.0", "s.1"]; gap = 0.01; restitution = {e1}; }},
    {{ type = "pair"; nodes = ["s.1", "s.2"]; gap = 0.01; restitution = {e0}; }},
    {{ type = "pair"; nodes = ["s.2", "s.3"]; gap = 0.01; restitution = {e1}; }},
    {{ type = "pair"; nodes = ["s.3", "s.4"]; gap = 0.01; restitution = {e0}; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 3.0; step = 1.0e-3; }};
"""

# one ball by itself, which bounces to rest, held for some steps in each contact by its weight
BALL = """
bodies = ({{ type = "particles"; name = "s"; positions = [0.3]; masses = [1.0]; }});
loads = ({{ type = "gravity"; acceleration = -9.81; }});
contacts = ({{ type = "wall"; node = "s"; position = 0.0; restitution = {e0}; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 3.0; step = 1.0e-3; }};
"""


class MadeEnergy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-made-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def energies(self, text, **words):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        deck.write_text(text.format(**words), encoding="utf-8")
        done = harness.run("run", deck, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            return {name: file["history/energy"][name][:] for name in ("total", "dissipated", "numerical")}, done.stderr

    def test_energy_that_contacts_make_is_told(self):
        """By Paoli's and Schatzman's mean the column rises: that is made, and warned of."""
        energy, words = self.energies(COLUMN, integrator="central-difference", level="position", e0=1.0, e1=1.0)
        self.assertGreater(energy["total"].max(), 1.0)
        self.assertGreaterEqual(energy["dissipated"].min(), -1e-12)
        # what is there at the end was made, and more where some was lost again
        self.assertGreaterEqual(energy["numerical"][-1], energy["total"][-1] - energy["total"][0])
        self.assertIn("made energy", words)

    def test_impacts_only_take(self):
        """Of every scheme with a law of impact, and of unequal coefficients: the sum over the phases so far is no loss below
        zero, and the balance is that of the rows, total = start - dissipated + numerical."""
        for integrator, level in (("central-difference", "velocity"), ("theta", "velocity"), ("central-difference", "position")):
            for e0, e1 in ((0.0, 0.0), (0.5, 0.5), (1.0, 0.0), (0.2, 1.0)):
                energy, _ = self.energies(COLUMN, integrator=integrator, level=level, e0=e0, e1=e1)
                with self.subTest(integrator=integrator, level=level, e0=e0, e1=e1):
                    # J of 2: rounding of the sums of 3000 steps
                    self.assertGreaterEqual(energy["dissipated"].min(), -1e-12)
                    left = energy["total"] - energy["total"][0] + energy["dissipated"] - energy["numerical"]
                    self.assertLess(np.abs(left - left[0]).max(), 1e-11)

    def test_a_ball_makes_nothing(self):
        """In single steps its contact gives energy, as it lifts what sank: over the phase it takes, to rounding."""
        for integrator in ("central-difference", "theta"):
            for e0 in (0.0, 0.3, 0.5, 0.8, 1.0):
                energy, words = self.energies(BALL, integrator=integrator, level="velocity", e0=e0)
                with self.subTest(integrator=integrator, e0=e0):
                    self.assertLess(np.abs(energy["numerical"]).max(), 1e-11)
                    self.assertNotIn("made energy", words)


if __name__ == "__main__":
    unittest.main()
