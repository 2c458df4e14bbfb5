#!/usr/bin/python3
"""The velocity and acceleration update knows contacts by their directions and by speeds relative to obstacles: the motion is
the same in a rotated frame and in one that moves, and a follower stays on its cam."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

SCHEMES = ("trapezoidal", "newmark", "bathe", "chaudhary-bathe")

DECK = """
bodies = ({{ type = "particles"; name = "p"; dim = 2; positions = {place}; masses = [1.3]; }});
contacts = ({{ type = "plane"; node = "p"; normal = {normal}; point = [0.0, 0.0]; restitution = {restitution}; {motion} }});
loads = ({{ type = "gravity"; acceleration = -10.0; direction = {normal}; }});
initial = ({{ node = "p"; velocity_vector = {velocity}; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; level = "position"; update = true; }};
time = {{ end = 2.0; step = 0.01; }};
"""
RISING = 'motion = { type = "piecewise-linear"; times = [0.0, 10.0]; values = [0.0, 20.0]; };'
CAM = 'motion = { type = "harmonic"; amplitude = 0.1; circular_frequency = 8.0; };'


def turned(angle, vector):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def words(vector):
    return "[" + ", ".join(repr(float(x)) for x in vector) + "]"


class UpdateDirections(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-update-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def rows(self, angle=0.0, place=(0.2, 0.5), velocity=(1.0, 0.0), motion="", **choice):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        deck.write_text(DECK.format(place=words(turned(angle, place)), normal=words(turned(angle, (0.0, 1.0))),
                                    velocity=words(turned(angle, velocity)), motion=motion, **choice), encoding="utf-8")
        done = harness.run("run", deck, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            rows = {name: file["history"][name][:] for name in ("time", "displacement", "velocity", "gap")}
            rows["total"], rows["kind"] = file["history/energy/total"][:], file["events/kind"][:]
            return rows

    def test_a_turned_frame(self):
        """Rounding is all that is granted: 200 steps, ten impacts, 3 m/s."""
        for integrator in SCHEMES:
            for restitution in (1.0, 0.5, 0.0):
                choice = {"integrator": integrator, "restitution": restitution}
                level = self.rows(**choice)
                for angle in (np.radians(37.0), 0.5):
                    rows = self.rows(angle, **choice)
                    with self.subTest(angle=angle, **choice):
                        for name in ("displacement", "velocity"):
                            straight = np.array([turned(-angle, vector) for vector in rows[name]])
                            self.assertLess(np.abs(straight - level[name]).max(), 1e-8)
                        # along the plane nothing acts
                        along = rows["velocity"] @ turned(angle, (1.0, 0.0))
                        self.assertLess(np.abs(along - 1.0).max(), 1e-11)

    def test_an_obstacle_that_moves(self):
        """A floor that rises with 2 m/s, and a body that moves with it beside its own speed."""
        for integrator in SCHEMES:
            for restitution in (1.0, 0.5, 0.0):
                choice = {"integrator": integrator, "restitution": restitution}
                still = self.rows(**choice)
                rows = self.rows(velocity=(1.0, 2.0), motion=RISING, **choice)
                with self.subTest(**choice):
                    self.assertLess(np.abs(rows["gap"] - still["gap"]).max(), 1e-8)
                    self.assertLess(np.abs(rows["velocity"][:, 1] - 2.0 - still["velocity"][:, 1]).max(), 1e-8)

    def test_a_follower_stays_on_its_cam(self):
        """The cam's acceleration is 6.4 m/s^2 at most, less than gravity: one impact, at the start; the velocity is that of
        the cam up to the change of its acceleration in a step, 51 m/s^3 h^2."""
        for integrator in SCHEMES:
            for restitution in (0.0, 0.5):
                rows = self.rows(place=(0.0, 0.0), velocity=(0.0, 0.8), motion=CAM, integrator=integrator,
                                 restitution=restitution)
                with self.subTest(integrator=integrator, restitution=restitution):
                    self.assertEqual((rows["kind"] == 2).sum(), 1)
                    self.assertEqual((rows["kind"] == 1).sum(), 0)
                    self.assertLess(np.abs(rows["gap"]).max(), 1e-12)
                    cam = 0.8 * np.cos(8.0 * rows["time"])
                    self.assertLess(np.abs(rows["velocity"][:, 1] - cam).max(), 51.0 * 0.01 ** 2)


if __name__ == "__main__":
    unittest.main()
