#!/usr/bin/python3
"""`list grid` tells the truth: for each pair of integrator and strategy, what a column says it takes is taken by `check`,
and what it says it does not take is refused for that reason."""

import tempfile
import unittest
from pathlib import Path

import harness

BODIES = """bodies = (
    {{ type = "multibody"; name = "m"; positions = [1.0, 2.0, 3.0, 4.0]; masses = [2.0, 4.0]; inertias = [0.5, {inertia}]; }},
    {{ type = "particles"; name = "ball"; dim = 2; positions = [5.0, 6.0]; masses = [3.0]; }} );
{more}
integrator = {{ type = "theta"; }};
strategy = {{ type = "time-stepping"; }};
time = {{ end = 1.0; step = 0.01; }};
"""
FIXED = 'constraints = ( { type = "coordinate"; node = "ball"; } );'
TURNING = 'constraints = ( { type = "pin"; nodes = ["m.0"]; arms = [-1.0, 0.0]; } );'
MASSLESS = 'constraints = ( { type = "pin"; nodes = ["m.1"]; arms = [-1.0, 0.0]; } );'
SPRING = 'elements = ( { type = "spring"; nodes = ["m.0", "ball.0"]; stiffness = 10.0; } );'
SCOPES = ["none", "fixed", "all", "all, massless"]


def rows():
    """A dictionary by column of each cell."""
    lines = harness.must(harness.run("list", "grid")).stdout.splitlines()
    names = ["integrator", "strategy", "level, form", "contacts in a step", "constraints", "elements", "restitution",
             "scheme"]
    starts = [lines[0].index(name) for name in names]
    return [{name: line[a:b].strip() for name, a, b in zip(names, starts, [*starts[1:], None])} for line in lines[1:]]


class Grid(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.deck = Path(folder.name) / "grid.cfg"
        # the nodal boundary method takes bars with one contact only
        self.rows = [row for row in rows() if row["strategy"] != "nbm"]
        self.assertGreater(len(self.rows), 25)

    def complaints(self, row, more="", inertia=0.25, settings=()):
        self.deck.write_text(BODIES.format(more=more, inertia=inertia), encoding="utf-8")
        cell = (row["integrator"], row["strategy"], row["level, form"])
        words = [word for setting in (*harness.cell_settings(cell), *settings) for word in ("--set", setting)]
        return harness.run("check", self.deck, *words).stderr

    def test_constraints(self):
        for row in self.rows:
            takes = SCOPES.index(row["constraints"])
            for needs, (more, inertia) in enumerate([(FIXED, 0.25), (TURNING, 0.25), (MASSLESS, 0.0)], 1):
                with self.subTest(row["scheme"], needs=SCOPES[needs]):
                    refused = "can't treat" in self.complaints(row, more, inertia)
                    self.assertEqual(refused, needs > takes)

    def test_elements(self):
        for row in self.rows:
            with self.subTest(row["scheme"]):
                refused = "takes linear systems only" in self.complaints(row, SPRING)
                self.assertEqual(refused, row["elements"] == "linear")

    def test_the_update(self):
        for row in self.rows:
            if row["strategy"] == "time-stepping":
                with self.subTest(row["scheme"]):
                    refused = "strategy.update: needs level" in self.complaints(row, settings=["strategy.update=true"])
                    self.assertEqual(refused, row["restitution"] != "by update")


if __name__ == "__main__":
    unittest.main()
