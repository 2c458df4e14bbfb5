#!/usr/bin/python3
"""Bodies that touch without load take part in an impact, wherever the origin lies and however the row is turned: which of
them do must not hang on the rounding of their gaps. A ball strikes n that touch one another; Newton's law holds at all
contacts at once, so that with e = 1 the n fly on together: the first comes back with v (1 - n)/(1 + n), they get
2 v / (1 + n)."""

import math
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

RADIUS = 0.1


def deck(count, origin, angle, order, integrator):
    axis, across = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    start = np.array(origin)
    places = [start - 0.1 * axis] + [start + (2 * RADIUS * (k + 1)) * axis for k in range(count)]
    numbers = [list(order).index(k) for k in range(count + 1)]  # ball k is written as number numbers[k]
    positions = ", ".join(f"{x:.17e}" for k in order for x in places[k])
    ones = ", ".join(["1.0"] * (count + 1))
    contacts = ", ".join(f'{{ type = "nodes"; nodes = ["a.{numbers[k]}", "a.{numbers[k + 1]}"]; '
                         f"radii = [{RADIUS}, {RADIUS}]; restitution = 1.0; }}" for k in range(count))
    return f"""
bodies = ({{ type = "multibody"; name = "a"; positions = [{positions}]; masses = [{ones}];
            inertias = [{ones.replace("1.0", "0.005")}]; }});
contacts = ({contacts});
initial = ({{ node = "a.{numbers[0]}"; velocity_vector = [{axis[0]:.17e}, {axis[1]:.17e}]; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; level = "velocity"; }};
time = {{ end = 0.12; step = 0.001; }};
""", axis, across, numbers


class Touching(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-touching-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def velocities(self, *model):
        text, axis, across, numbers = deck(*model)
        path, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        path.write_text(text, encoding="utf-8")
        done = harness.run("run", path, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            last = file["history/velocity"][-1].reshape(-1, 3)
        self.assertLess(np.abs(last[:, :2] @ across).max(), 1e-9)
        return (last[:, :2] @ axis)[numbers]

    def test_a_row_flies_on_together(self):
        for count in 2, 4:
            orders = [range(count + 1), list(reversed(range(count + 1)))]
            for integrator in "theta", "central-difference":
                for origin in (0.0, 0.0), (1.7, 0.0), (-3.3, 1e3 / 3):
                    for angle in 0.0, math.radians(37.0):
                        for order in orders:
                            model = (count, origin, angle, order, integrator)
                            with self.subTest(model):
                                v = self.velocities(*model)
                                expected = np.full(count + 1, 2.0 / (count + 1))
                                expected[0] = (1.0 - count) / (1.0 + count)
                                # positions of 1e3 are rounded to 1e-13, which turns the line of centres by 1e-12
                                self.assertLess(np.abs(v - expected).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
