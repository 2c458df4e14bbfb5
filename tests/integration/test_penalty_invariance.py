#!/usr/bin/python3
"""Penalty's motion does not depend on units, on motion that all share, or on how many feet carry a body: what needs no
oracle but conservation and restitution."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

BLOCK = """
bodies = ({{ type = "multibody"; name = "b"; positions = [0.0, {height}]; masses = [1.3]; inertias = [{inertia}]; }});
contacts = ({contacts});
loads = ({{ type = "gravity"; acceleration = {gravity}; }});
initial = ({{ node = "b"; velocity_vector = [{vx}, {vy}]; angular_velocity = 3.0; }});
integrator = {{ type = "theta"; }};
strategy = {{ type = "penalty"; form = "conserving"; }};
time = {{ end = 0.6; step = 0.004; }};
"""
CORNER = """{{ type = "plane"; node = "b"; arm = [{x}, {y}]; normal = [0.0, 1.0]; point = [0.0, 0.0]; stiffness = 2000.0;
{motion} }}"""

NODES = """
bodies = ({{ type = "particles"; name = "a"; dim = 2; positions = [0.0, 0.0, 1.0, 0.3]; masses = [1.0, 2.0]; }});
contacts = ({{ type = "nodes"; nodes = ["a.0", "a.1"]; distance = 0.5; stiffness = 300.0; }});
initial = ({{ node = "a.0"; velocity_vector = [{a}, {b}]; }}, {{ node = "a.1"; velocity_vector = [{c}, {b}]; }});
integrator = {{ type = "theta"; }};
strategy = {{ type = "penalty"; form = "conserving"; }};
time = {{ end = 0.5; step = 0.01; }};
"""
SEGMENT = """
bodies = ({{ type = "particles"; name = "a"; dim = 2; positions = [0.0, 0.0, 1.0, 0.0, 0.3, 0.1]; masses = [1.0, 2.0, 0.7]; }});
contacts = ({{ type = "segment"; node = "a.2"; segment = ["a.0", "a.1"]; stiffness = 300.0; }});
initial = ({{ node = "a.0"; velocity_vector = [{a}, {b}]; }}, {{ node = "a.1"; velocity_vector = [{a}, {b}]; }},
           {{ node = "a.2"; velocity_vector = [{c}, {d}]; }});
integrator = {{ type = "theta"; }};
strategy = {{ type = "penalty"; form = "conserving"; }};
time = {{ end = 0.5; step = 0.01; }};
"""
FEET = """
bodies = ({{ type = "multibody"; name = "b"; positions = [0.0, 0.11]; masses = [3.0]; inertias = [0.26]; }});
contacts = ({contacts});
initial = ({{ body = "b"; velocity_vector = [0.0, -1.0]; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "penalty"; }};
time = {{ end = 0.05; step = 1.0e-5; }};
"""
FOOT = """{{ type = "plane"; node = "b"; normal = [0.0, 1.0]; point = [0.0, 0.0]; arm = [{x}, -0.1]; stiffness = {k};
restitution = 0.5; }}"""


def spin(masses, x, v):
    """Angular momentum about the origin of each row; x, v: rows, nodes x 2."""
    x, v = (a.reshape(len(a), -1, 2) for a in (x, v))
    return ((x[:, :, 0] * v[:, :, 1] - x[:, :, 1] * v[:, :, 0]) * masses).sum(axis=1)


class Penalty(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-penalty-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def history(self, text):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        deck.write_text(text, encoding="utf-8")
        harness.must(harness.run("run", deck, "-o", output, "-q"))
        with h5py.File(output) as file:
            return {name: file["history"][name][:] for name in ("displacement", "velocity", "contact_force")}

    def block(self, unit, motion=""):
        """A block of 1 m x .8 m that falls on its corners, in units of 1/unit m; velocities back in m/s."""
        corners = [CORNER.format(x=x * unit, y=y * unit, motion=motion)
                   for x, y in ((-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4))]
        rows = self.history(BLOCK.format(height=0.8 * unit, inertia=0.12 * unit**2, gravity=-9.81 * unit, vx=unit,
                                         vy=-0.5 * unit, contacts=",".join(corners)))
        self.assertGreater(rows["contact_force"].max(), 0.0)
        return rows["velocity"] / np.array([unit, unit, 1.0])

    def test_units_of_length_do_not_count(self):
        # the iterations end at 1e-12 of an impulse; what is left of it grows by the impacts
        meters = self.block(1.0)
        for unit in (1e3, 1e-3):
            self.assertLess(np.abs(self.block(unit) - meters).max(), 1e-8 * np.abs(meters).max())

    def check_free(self, text, names, moved, masses, places):
        """Momentum, angular momentum, energy, and the same motion seen from a train at 20 m/s."""
        still = self.history(text.format(**names))
        self.assertGreater(still["contact_force"].max(), 0.0)
        seen = self.history(text.format(**{name: names[name] + moved.get(name, 0.0) for name in names}))
        v, x = still["velocity"], still["displacement"] + places
        weights = np.repeat(masses, 2)
        momentum, turning = (weights * v).reshape(len(v), -1, 2).sum(axis=1), spin(masses, x, v)
        scale = np.abs(weights * v).sum(axis=1).max()
        # rounding of the iterations, 1e-12 of an impulse a step
        self.assertLess(np.ptp(momentum, axis=0).max(), 1e-9 * scale)
        self.assertLess(np.ptp(turning), 1e-9 * scale)
        open_rows = still["contact_force"].max(axis=1) == 0.0
        energy = (weights * v**2).sum(axis=1)[open_rows]
        self.assertLess(np.ptp(energy[[0, -1]]), 1e-8 * energy[0])
        self.assertLess(np.abs(seen["velocity"] - 20.0 * np.tile([1.0, 0.0], len(masses)) - v).max(), 1e-7)

    def test_two_nodes_make_no_angular_momentum(self):
        self.check_free(NODES, {"a": 3.0, "b": 0.0, "c": 0.0}, {"a": 20.0, "c": 20.0}, np.array([1.0, 2.0]),
                        np.array([0.0, 0.0, 1.0, 0.3]))

    def test_a_segment_makes_no_angular_momentum(self):
        self.check_free(SEGMENT, {"a": 0.0, "b": 0.0, "c": 0.5, "d": -2.0}, {"a": 20.0, "c": 20.0},
                        np.array([1.0, 2.0, 0.7]), np.array([0.0, 0.0, 1.0, 0.0, 0.3, 0.1]))

    def test_feet_share_the_mass(self):
        """Restitution is that of one foot, however many there are and however they share the load: a flat landing is one
        motion of one frequency. The error of the first overlap is of first order, c h / m = 4e-4 of the speed."""
        for integrator in ("theta", "central-difference"):
            for count in (1, 2, 10, 20):
                for tilt in (0.0, 0.6):
                    # stiffness that grows outwards stays balanced about the center
                    places = np.linspace(-0.5, 0.5, count) if count > 1 else np.zeros(1)
                    feet = [FOOT.format(x=x, k=1e6 / count * (1.0 + tilt * abs(x))) for x in places]
                    rows = self.history(FEET.format(contacts=",".join(feet), integrator=integrator))
                    with self.subTest(integrator=integrator, count=count, tilt=tilt):
                        self.assertLess(abs(rows["velocity"][-1, 1] - 0.5), 2e-3)
                        self.assertLess(abs(rows["velocity"][-1, 2]), 1e-6)

    def test_no_landing_gains(self):
        """A tilted body meets its feet one after the other: dashpots change as feet close, and never give energy."""
        for angle in (0.01, 0.05, 0.2):
            feet = [FOOT.format(x=x, k=1e5) for x in (-0.5, -0.2, 0.2, 0.5)]
            text = FEET.format(contacts=",".join(feet), integrator="theta").replace("0.11]", "0.25]").replace(
                "end = 0.05", "end = 0.3").replace("1.0e-5", "1.0e-4").replace(
                "velocity_vector", f"displacement_vector = [0.0, 0.0]; angle = {angle}; velocity_vector")
            rows = self.history(text)
            energy = (np.array([3.0, 3.0, 0.26]) * rows["velocity"] ** 2).sum(axis=1)
            self.assertGreater(rows["contact_force"].max(), 0.0)
            self.assertLess(energy.max(), energy[0] * (1.0 + 1e-9))


if __name__ == "__main__":
    unittest.main()
