#!/usr/bin/python3
"""Thousands of contacts: what never closes takes no memory, and in explicit schemes what closes takes little."""

import tempfile
import unittest
from pathlib import Path

import h5py

import harness

NODES = 4001
STRIP = f"""
bodies = ( {{ type = "plane"; name = "strip"; shape = "rectangle"; width = 40.0; height = 0.01; nx = {NODES - 1};
             ny = 1; modulus = 1000.0; poisson = 0.3; density = 1.0; state = "strain"; }} );
initial = ( {{ body = "strip"; velocity_vector = [0.0, -1.0]; }} );
contacts = ( {{ type = "plane"; node = "strip.bottom"; normal = [0.0, 1.0]; point = [0.0, %s]; %s }} );
integrator = {{ type = "%s"; }};
strategy = {{ type = "%s"; }};
time = {{ end = 0.001; step = 0.0001; }};
output = {{ every = 0.001; histories = ["energy"%s]; }};
"""
# kB; matrices of all contacts are 128 MB each, and there were dozens of them
LIMIT = 250_000


@unittest.skipIf(harness.TIME_FACTOR > 1, "sanitizers take memory of their own")
class ManyContacts(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_check(self):
        for integrator, strategy, law in (("bathe", "event-driven", "stiffness = 1e4;"),
                                          ("trapezoidal", "event-driven", "stiffness = 1e4;"),
                                          ("trapezoidal", "penalty", "stiffness = 1e4;"),
                                          ("theta", "time-stepping", "restitution = 0.5;")):
            with self.subTest(integrator=integrator, strategy=strategy):
                deck = self.folder / "strip.cfg"
                deck.write_text(STRIP % ("-1.0", law, integrator, strategy, ""), encoding="utf-8")
                self.assertLess(harness.peak_memory("check", deck), LIMIT)

    def test_all_closed(self):
        deck, output = self.folder / "strip.cfg", self.folder / "strip.h5"
        law = "restitution = 0.5; friction = 0.2;"
        deck.write_text(STRIP % ("0.0", law, "central-difference", "time-stepping", ', "contact_impulse", "momentum"'), encoding="utf-8")
        self.assertLess(harness.peak_memory("run", deck, "-o", output, "-q"), LIMIT)
        with h5py.File(output) as file:
            rows, momentum = file["history/contact_impulse"][()], file["history/momentum/linear"][:, 1]
        impulse = rows.sum(0)
        self.assertEqual(len(impulse), NODES)
        # .4 kg at 1 m/s, turned by all the contacts alone, which are closed from the start: their first impulse is
        # in the first row; of some 1e5 sums
        self.assertAlmostEqual(momentum[0] - rows[0].sum(), -0.4, delta=1e-12)
        self.assertGreater(impulse.min(), 0.0)
        self.assertAlmostEqual(impulse.sum(), momentum[-1] + 0.4, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
