#!/usr/bin/python3
"""Piles of disks with little friction: every step's reactions are found to the tolerance."""

import math
import tempfile
import unittest
from pathlib import Path

import h5py

import harness

DIAMETER = 0.1


def positions(width, height):
    """Rows of disks, every other one set off, with a little room between all."""
    return [(0.06 + 0.112 * column + 0.012 * (row % 2), 0.06 + 0.112 * row)
            for row in range(height) for column in range(width)]


def contacts(centres, wall, friction):
    """Floor, side walls and all neighbours."""
    law = f"friction = {friction}; restitution = 0.0;"

    def plane(node, normal, point):
        return f'{{ type = "plane"; node = "p.{node}"; normal = {normal}; point = {point}; {law} }}'

    for i, centre in enumerate(centres):
        if centre[1] < 0.25:
            yield plane(i, "[0.0, 1.0]", "[0.0, 0.0]")
        if centre[0] < 0.2:
            yield plane(i, "[1.0, 0.0]", "[0.0, 0.0]")
        if centre[0] > wall - 0.2:
            yield plane(i, "[-1.0, 0.0]", f"[{wall}, 0.0]")
        for j in range(i + 1, len(centres)):
            if math.dist(centre, centres[j]) < 0.19:
                yield f'{{ type = "nodes"; nodes = ["p.{i}", "p.{j}"]; distance = {DIAMETER}; {law} }}'


def deck(width, height, friction):
    centres = positions(width, height)
    wall = round(0.134 + 0.112 * (width - 1), 6)
    flat = ", ".join(f"{x:.6f}" for centre in centres for x in centre)
    masses = ", ".join(["1.0"] * len(centres))
    return f"""
bodies = ( {{ type = "particles"; name = "p"; dim = 2; positions = [{flat}]; masses = [{masses}]; }} );
loads = ( {{ type = "gravity"; acceleration = -9.81; }} );
contacts = ( {', '.join(contacts(centres, wall, friction))} );
integrator = {{ type = "central-difference"; }};
strategy = {{ type = "time-stepping"; }};
time = {{ end = 0.7; step = 2e-3; }};
output = {{ every = 0.1; nodes = ["p.0"]; }};
"""


class Piles(unittest.TestCase):
    def run_pile(self, folder, *more):
        path, output = Path(folder) / "pile.cfg", Path(folder) / "pile.h5"
        path.write_text(deck(6, 10, 0.05), encoding="utf-8")
        return harness.run("run", path, "-o", output, *more, limit=120), output

    def test_reactions_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            done, output = self.run_pile(folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("residual", done.stderr)
            with h5py.File(output, "r") as file:
                residual = file["summary"].attrs["contact_residual"]
            # speeds reach 3 m/s: 1e-12 of that, and rounding
            self.assertLess(residual, 1e-10)

    def test_what_is_accepted_is_told(self):
        """Two sweeps leave most steps short of the tolerance: taken with a warning, or the run ends."""
        with tempfile.TemporaryDirectory() as folder:
            hasty = ["--set", "strategy.reaction_iterations=2", "--set", "strategy.reaction_accepted="]
            done, _ = self.run_pile(folder, *hasty[:-1], hasty[-1] + "1.0")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("contact reactions were left with residuals", done.stderr)
            done, _ = self.run_pile(folder, *hasty[:-1], hasty[-1] + "0.0")
            self.assertEqual(done.returncode, 76, done.stderr)
            self.assertIn("after 20 sweeps", done.stderr)


if __name__ == "__main__":
    unittest.main()
