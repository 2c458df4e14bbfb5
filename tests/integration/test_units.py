#!/usr/bin/python3
"""The same model in other units. Factors that are powers of 4 leave all digits of all numbers as they are (square
roots of masses too), so a program without hidden lengths, masses and times finds the same motion bit by bit."""

import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

ALPHA = [("generalized-alpha", level) for level in ("both", "velocity", "position")]
STEPPING = [*ALPHA, ("theta", "velocity"), ("central-difference", "velocity"), ("central-difference", "position"),
            ("trapezoidal", "position"), ("bathe", "position")]
WITH_FRICTION = [cell for cell in STEPPING if cell[1] != "position"]
# kg, m, s
UNITS = [(4.0**20, 1.0, 1.0), (4.0**-20, 4.0**-12, 1.0), (1.0, 4.0**10, 4.0**-8), (4.0**30, 4.0**-10, 4.0**8)]

# numbers x~UNIT are scaled; J is kg m^2, g m/s^2, v m/s, k N/m
BALL = """
bodies = ( { type = "particles"; name = "ball"; positions = [1.001~m]; masses = [1.0~kg]; } );
loads = ( { type = "gravity"; acceleration = -10.0~g; } );
contacts = ( { type = "wall"; node = "ball"; position = 0.2~m; restitution = 0.8; } );
time = { end = 2.0~s; step = 2e-3~s; };
"""
PAIR = """
bodies = ( { type = "particles"; name = "a"; positions = [0.0, 1.0~m]; masses = [1.0~kg, 0.5~kg];
              springs = ( { node = 0; stiffness = 100.0~k; }, { nodes = [0, 1]; stiffness = 50.0~k; } ); },
           { type = "particles"; name = "b"; positions = [1.2~m]; masses = [0.3~kg]; } );
contacts = ( { type = "pair"; nodes = ["a.1", "b"]; restitution = 0.5; },
             { type = "wall"; node = "b"; position = 1.5~m; side = "upper"; restitution = 0.9; } );
initial = ( { node = "b"; velocity = -2.0~v; } );
time = { end = 1.0~s; step = 2e-3~s; };
"""
BLOCK = """
bodies = ( { type = "multibody"; name = "block"; positions = [0.0, 1.0~m]; masses = [1.0~kg];
              inertias = [0.27083333333333331~J]; } );
loads = ( { type = "gravity"; acceleration = -9.81~g; } );
contacts = ( { type = "plane"; name = "left"; node = "block"; normal = [0.0, 1.0]; point = [0.0, 0.0];
                arm = [-0.5~m, -0.75~m]; restitution = 0.5; friction = 0.3; },
             { type = "plane"; name = "right"; node = "block"; normal = [0.0, 1.0]; point = [0.0, 0.0];
                arm = [0.5~m, -0.75~m]; restitution = 0.5; friction = 0.3; } );
initial = ( { node = "block"; angle = 0.2; } );
time = { end = 2.0~s; step = 1e-2~s; };
"""
DISK = """
bodies = ( { type = "multibody"; name = "disk"; positions = [0.0, 0.1~m]; masses = [2.0~kg];
              inertias = [0.01~J]; } );
loads = ( { type = "gravity"; acceleration = -10.0~g; } );
contacts = ( { type = "plane"; name = "floor"; node = "disk"; normal = [0.0, 1.0]; point = [0.0, 0.0];
                radius = 0.1~m; friction = 0.2; } );
initial = ( { node = "disk"; velocity_vector = [3.0~v, 0.0]; } );
time = { end = 0.75~s; step = 3e-3~s; };
"""
PENDULUM = """
bodies = ( { type = "multibody"; name = "pendulum"; positions = [0.96592582628906831~m, 0.25881904510252074~m];
              masses = [1.0~kg]; inertias = [0.1~J]; } );
constraints = ( { type = "pin"; name = "pivot"; nodes = ["pendulum"]; point = [0.0, 0.0];
                   arms = [-0.96592582628906831~m, -0.25881904510252074~m]; } );
loads = ( { type = "gravity"; acceleration = -10.0~g; direction = [0.0, 1.0]; } );
contacts = ( { type = "plane"; name = "obstacle"; node = "pendulum"; normal = [1.0, 0.0];
                point = [0.70710678118654757~m, 0.0]; restitution = 0.8; } );
time = { end = 2.0~s; step = 2e-3~s; };
"""


def written(deck, units):
    kg, m, s = units
    factors = {"kg": kg, "m": m, "s": s, "v": m / s, "g": m / s**2, "k": kg / s**2, "J": kg * m**2}
    return re.sub(r"(-?[0-9.e-]+)~(\w+)", lambda found: repr(float(found[1]) * factors[found[2]]), deck)


def told(text):
    """Warnings without what they say of energies and momenta in units of the deck, which follows a colon."""
    return re.sub(r"(warning: audit: [^:]*):[^\n]*", r"\1", text)


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())

    def tearDown(self):
        shutil.rmtree(self.folder)

    def motion(self, deck, cell, units, more=()):
        """Displacements, velocities and forces in kg, m, s again, and what was told on stderr."""
        path, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        words = cell[1] if "type" in cell[1] else f'type = "time-stepping"; level = "{cell[1]}";'
        path.write_text(written(f'{deck} integrator = {{ type = "{cell[0]}"; }}; strategy = {{ {words} }};', units))
        sets = [word for item in more for word in ("--set", item)]
        done = harness.must(harness.run("run", path, "-o", output, "-q", *sets))
        kg, m, s = units
        with h5py.File(output) as file:
            history = file["history"]
            length = np.array([1.0 if name.decode().endswith(".rotation") else m for name in file["model/dof_names"]])
            return (history["displacement"][()] / length, history["velocity"][()] / length * s,
                    history["contact_force"][()] / (kg * m / s**2), done.stderr)

    def hold(self, deck, cells, more=()):
        for cell in cells:
            first = self.motion(deck, cell, (1.0, 1.0, 1.0), more)
            for units in UNITS:
                with self.subTest(cell=cell, units=units, more=more):
                    found = self.motion(deck, cell, units, more)
                    for a, b in zip(first[:3], found[:3]):
                        np.testing.assert_array_equal(a, b)
                    self.assertEqual(told(first[3]), told(found[3]))

    def test_ball(self):
        self.hold(BALL, STEPPING)

    def test_masses_on_springs(self):
        self.hold(PAIR, [cell for cell in STEPPING if cell != ("generalized-alpha", "position")])

    def test_block_with_friction(self):
        self.hold(BLOCK, WITH_FRICTION)

    def test_disk(self):
        self.hold(DISK, WITH_FRICTION)

    def test_pendulum(self):
        self.hold(PENDULUM, [*ALPHA, ("theta", "velocity"), ("central-difference", "velocity")])

    def test_every_solver(self):
        for solver in ("dense", "sparse"):
            self.hold(BALL, ALPHA, [f"strategy.solver={solver}"])
            self.hold(PAIR, ALPHA[:2], [f"strategy.solver={solver}"])
            self.hold(BLOCK, ALPHA[:2], [f"strategy.solver={solver}"])
        self.hold(PAIR, ALPHA[:1], ["strategy.solver=schur"])

    def test_springs(self):
        """Event by event, whose tolerances are lengths and times of the deck, and as penalties."""
        located = 'type = "event-driven"; gap_tolerance = 1e-8~m; time_tolerance = 1e-8~s;'
        cells = [(integrator, located) for integrator in ("botr", "exact", "generalized-alpha", "noh-bathe")]
        cells += [(integrator, 'type = "penalty";') for integrator in ("trapezoidal", "central-difference")]
        cells += [("theta", f'type = "penalty"; form = "{form}";') for form in ("conserving", "dissipating")]
        springs = re.sub(r"restitution = 0\.[59]", "stiffness = 1e4~k", PAIR)
        self.assertEqual(springs.count("1e4~k"), 2)
        self.hold(springs, cells)
        self.hold(BALL, cells[:2])

    def test_heavy_masses(self):
        """Beyond powers of 2 digits change by rounding, and the motion by what rounding makes of it."""
        for cell in ALPHA[:2]:
            first, found = (self.motion(BALL, cell, (kg, 1.0, 1.0)) for kg in (1.0, 1e30))
            np.testing.assert_allclose(found[0], first[0], atol=1e-12)


if __name__ == "__main__":
    sys.exit(unittest.main())
