#!/usr/bin/python3
"""The first half step of central differences obeys contacts and constraints like any other: what touches at the start and
approaches is stopped or thrown back at once, what rests stays at rest, and what is held stays held."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

STEP = 1e-3
SPEED = 0.7

WALL = """
bodies = ({{ type = "particles"; name = "b"; positions = [{place}]; masses = [2.0]; }});
initial = ({{ body = "b"; velocity = -{speed}; }});
contacts = ({{ type = "wall"; node = "b"; position = 0.0; restitution = {restitution}; }});
integrator = {{ type = "central-difference"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 0.05; step = {step}; }};
"""

# a pendulum from rest; a dashpot makes the model nonlinear, its coefficient moves nothing
PENDULUM = """
bodies = ({{ type = "multibody"; name = "p"; positions = [0.64, -0.76]; masses = [1.0]; inertias = [0.1]; }});
constraints = ({{ type = "pin"; nodes = ["p"]; arms = [-0.64, 0.76]; point = [0.0, 0.0]; }});
loads = ({{ type = "gravity"; acceleration = -10.0; }});
{element}
integrator = {{ type = "central-difference"; damping = "{damping}"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 0.5; step = {step}; }};
"""
DASHPOT = 'elements = ({ type = "dashpot"; node = "p"; axis = "x"; coefficient = 1.0e-9; exponent = 1.0; });'

FLOOR = """
bodies = ({{ type = "particles"; name = "p"; positions = [{place}]; masses = [1.5]; }});
contacts = ({{ type = "plane"; node = "p"; normal = [1.0]; point = [0.0]; restitution = 0.6;
              motion = {{ type = "piecewise-linear"; times = [0.0, 10.0]; values = [0.0, 20.0]; }}; }});
loads = ({{ type = "gravity"; acceleration = -10.0; }});
initial = ({{ body = "p"; velocity = 2.0; }});
integrator = {{ type = "central-difference"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 3.0; step = 0.01; }};
"""

# a block of plane elements with a support beside it, which an equilibrium leaves 4e-19 m above the floor
BLOCK = """
bodies = ({{ type = "plane"; name = "p"; width = 1.0; height = 0.5; nx = 4; ny = 2; element = "quad4"; position = [0.0, 0.0];
            modulus = 1.0e6; poisson = 0.3; density = 100.0; state = "strain"; }});
contacts = ({{ type = "plane"; node = "p.bottom"; normal = [0.0, 1.0]; point = [0.0, 0.0]; }});
loads = ({{ type = "gravity"; acceleration = -10.0; direction = [0.0, 1.0]; }});
initial = {{ equilibrium = true; }};
integrator = {{ type = "central-difference"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; }};
time = {{ end = 0.05; step = {step}; }};
"""


class FirstStep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-first-step-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def rows(self, text, **numbers):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        deck.write_text(text.format(**numbers) if numbers else text, encoding="utf-8")
        done = harness.run("run", deck, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            return {name: file["history"][name][()] for name in file["history"]
                    if isinstance(file["history"][name], h5py.Dataset)} | \
                {name: file["history/energy"][name][()] for name in file["history/energy"]}

    def test_an_impact_at_once_obeys_its_law(self):
        """Touching at the start, or reached within the first step: the speed after it is e times that before, the impulse
        (1 + e) m v, the loss that of the impact. Single numbers, so that rounding is all that is granted."""
        for level in ("position", "velocity"):
            for restitution in (0.0, 0.5, 1.0):
                for share in (0.0, 0.3, 0.9):
                    rows = self.rows(WALL, place=share * SPEED * STEP, speed=SPEED, restitution=restitution, level=level,
                                     step=STEP)
                    with self.subTest(level=level, restitution=restitution, share=share):
                        # at position level without restitution the mass goes on to the wall, and stands there after two steps
                        self.assertAlmostEqual(rows["velocity"][4, 0], restitution * SPEED, delta=1e-12)
                        self.assertAlmostEqual(rows["contact_impulse"].sum(), 2.0 * SPEED * (1.0 + restitution), delta=1e-12)
                        loss = SPEED ** 2 * (1.0 - restitution ** 2)
                        self.assertAlmostEqual(rows["dissipated"][-1], loss, delta=1e-12)
                        self.assertLess(np.abs(rows["numerical"]).max(), 1e-12)

    def test_a_joint_is_kept_from_the_first_step(self):
        """At position level to rounding; at velocity level the place drifts in second order, from nothing."""
        for damping in ("explicit", "implicit"):
            for element in ("", DASHPOT):
                case = {"damping": damping, "element": element}
                with self.subTest(**case):
                    held = self.rows(PENDULUM, level="position", step=1e-3, **case)["constraint_violation"]
                    self.assertLess(np.abs(held).max(), 1e-12)
                    worst = []
                    for step in (2e-3, 1e-3, 5e-4):
                        off = np.abs(self.rows(PENDULUM, level="velocity", step=step, **case)["constraint_violation"])
                        worst.append(off.max())
                        # what the first step leaves is of fourth order: (h^2 a / 2)^2 / (2 R), a = 5 m/s^2, R = 1 m
                        self.assertLess(off[1].max(), 10.0 * step ** 4)
                    self.assertGreater(np.log2(worst[0] / worst[1]), 1.8)
                    self.assertGreater(np.log2(worst[1] / worst[2]), 1.8)

    def test_a_body_rests_on_a_rising_floor(self):
        """Set down, or dropped from .1 m: it ends on the floor with the floor's velocity, whose work on it is its weight
        times the way from then on, and nothing is made. Rounding of 60 J and 6 m."""
        for level in ("position", "velocity"):
            for place in (0.0, 0.1):
                rows = self.rows(FLOOR, place=place, level=level)
                with self.subTest(level=level, place=place):
                    # at velocity level a body comes to rest where the last impact left it: less than its way in a step
                    limit = 1e-12 if level == "position" else 10.0 * 0.01 ** 2
                    self.assertLess(abs(rows["gap"][-1, 0]), limit)
                    self.assertAlmostEqual(rows["velocity"][-2, 0], 2.0, delta=1e-11)
                    self.assertAlmostEqual(rows["contact_force"][-2, 0], 15.0, delta=1e-8)
                    self.assertLess(np.abs(rows["numerical"][:-2]).max(), 1e-10)
                    if place == 0.0 and level == "position":
                        self.assertAlmostEqual(rows["external"][-3], 1.5 * 10.0 * 2.0 * rows["time"][-3] + 0.15,
                                               delta=1e-8)

    def test_a_pin_far_away(self):
        """A pendulum 5 km from the origin, whose coordinates have a rounding of 9e-13 m: over a step of 2 ms that is 5e-10 m/s,
        which no iteration takes away. The motion is that at the origin, to what 250 steps make of it."""
        near = PENDULUM.format(element=DASHPOT, damping="implicit", level="position", step=2e-3)
        far = near.replace("positions = [0.64, -0.76]", "positions = [5000.64, 299.24]").replace("point = [0.0, 0.0]",
                                                                                                  "point = [5000.0, 300.0]")
        self.assertNotEqual(near, far)
        difference = np.abs(self.rows(far)["velocity"] - self.rows(near)["velocity"]).max()
        self.assertLess(difference, 1e-6)

    def test_a_block_that_rests(self):
        """500 N on the floor from the first row on, and nothing moves; a free step would give it g h / 2 = 5e-4 m/s."""
        for level in ("velocity", "position"):
            rows = self.rows(BLOCK, level=level, step=1e-4)
            with self.subTest(level):
                self.assertLess(np.abs(rows["velocity"]).max(), 1e-11)
                np.testing.assert_allclose(rows["contact_impulse"][1:].sum(axis=1) / 1e-4, 500.0, rtol=1e-8)


if __name__ == "__main__":
    unittest.main()
