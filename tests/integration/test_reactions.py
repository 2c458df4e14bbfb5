#!/usr/bin/python3
"""Recorded reactions obey the equations: by every pair of integrator and time-stepping level, and by the rows of the file
alone, however sampled,

    m (v_1 - v_0) = (f + sum_j W_j R_j) (t_1 - t_0) = f (t_1 - t_0) + sum_j W_j dP_j

with R the contact_force and dP the contact_impulse of the row that ends at t_1. Loads are constant, so that nothing is left
to a quadrature: both hold to rounding."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

GRAVITY = 9.81
STEP = 1e-3

REST = """
bodies = ({ type = "particles"; name = "b"; positions = [0.0]; masses = [2.0]; });
contacts = ({ type = "wall"; node = "b"; position = 0.0; restitution = 0.5; });
"""
DROP = REST.replace("positions = [0.0]", "positions = [0.0123]")
STACK = """
bodies = ({ type = "particles"; name = "b"; positions = [0.003, 1.0]; masses = [2.0, 3.0]; });
contacts = ({ type = "wall"; node = "b.0"; position = 0.0; restitution = 0.3; },
            { type = "pair"; nodes = ["b.0", "b.1"]; gap = 0.002; restitution = 0.3; });
"""
MODELS = {"rest": REST, "drop": DROP, "stack": STACK}
# each contact's direction at each mass
DIRECTIONS = {"rest": [[1.0]], "drop": [[1.0]], "stack": [[1.0, 0.0], [-1.0, 1.0]]}
MASSES = {"rest": [2.0], "drop": [2.0], "stack": [2.0, 3.0]}

REST_OF_DECK = """
loads = ({{ type = "gravity"; acceleration = -{gravity}; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "time-stepping"; level = "{level}"; {update} }};
time = {{ end = 0.2; step = {step}; }};
output = {{ every = {every}; }};
"""


def pairs():
    """Every pair of the grid that has contacts by impulses, and with the update where there is one."""
    for line in harness.run("list", "grid").stdout.splitlines()[1:]:
        words = line.split()
        if words[1] != "time-stepping":
            continue
        yield words[0], words[2], ""
        if "by update" in line:
            yield words[0], words[2], "update = true;"


class Reactions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-reactions-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def rows(self, model, integrator, level, update, every):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        deck.write_text(MODELS[model] + REST_OF_DECK.format(gravity=GRAVITY, integrator=integrator, level=level,
                                                            update=update, step=STEP, every=every), encoding="utf-8")
        done = harness.run("run", deck, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            history = file["history"]
            return {name: history[name][:] for name in ("time", "velocity", "contact_force", "contact_impulse")}

    def check(self, model, pair, every):
        rows = self.rows(model, *pair, every)
        spans = np.diff(rows["time"])[:, np.newaxis]
        masses, directions = np.array(MASSES[model]), np.array(DIRECTIONS[model])
        gained = masses * np.diff(rows["velocity"], axis=0)
        pushed = gained + masses * GRAVITY * spans
        # sums of 200 impulses lose their last digits, and the coupled scheme's Newton stops at 1e-10
        limit = 1e-8 * masses.sum() * GRAVITY * STEP
        # a staggered velocity is that of the middle of the next step: of the last row, there is none
        if pair[0] == "central-difference":
            spans, pushed = spans[:-1], pushed[:-1]
            rows = {name: values[:-1] for name, values in rows.items()}
        told = {"contact_impulse": rows["contact_impulse"][1:], "contact_force": rows["contact_force"][1:] * spans}
        for what, impulses in told.items():
            defect = np.abs(pushed - impulses @ directions).max()
            with self.subTest(model=model, pair=pair, every=every, what=what):
                self.assertLess(defect, limit)

    def test_every_pair_balances_momentum(self):
        tried = list(pairs())
        self.assertEqual(len(tried), 14)
        for pair in tried:
            for model in MODELS:
                for every in (0.0, 3 * STEP):
                    self.check(model, pair, every)

    def test_a_body_at_rest_shows_its_weight(self):
        """Sampled every ten steps; generalized-alpha at position level, which starts in balance, from the first row on."""
        for pair in pairs():
            force = self.rows("rest", *pair, 10 * STEP)["contact_force"][1:, 0]
            first = 0 if pair[:2] == ("generalized-alpha", "position") else 2
            with self.subTest(pair=pair):
                self.assertLess(np.abs(force[first:] / (2.0 * GRAVITY) - 1.0).max(), 1e-8)


if __name__ == "__main__":
    unittest.main()
