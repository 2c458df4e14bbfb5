#!/usr/bin/python3
"""No absolute number decides physics: a model whose lengths, times and masses are scaled has the scaled histories, and the
same events, by the defaults of every tolerance. A micro-resonator is a building in other units."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

# lengths l, times t, masses m; a deck's numbers are in units of them
BOUNCING = """
bodies = ({{ type = "particles"; name = "p"; positions = [0.0]; masses = [{m}]; }});
loads = ({{ type = "gravity"; acceleration = -{a}; }});
contacts = ({{ type = "wall"; node = "p"; gap = {l}; restitution = 0.8; }});
"""
STOPPED = """
bodies = ({{ type = "particles"; name = "p"; positions = [0.0]; masses = [{m}];
            springs = ({{ node = 0; stiffness = {k}; }}); }});
initial = ({{ body = "p"; velocity = {v}; }});
contacts = ({{ type = "wall"; node = "p"; side = "upper"; gap = {half}; stiffness = {stop}; }});
"""
STRUCK = """
bodies = ({{ type = "particles"; name = "p"; positions = [{start}]; masses = [{m}]; }});
initial = ({{ body = "p"; velocity = -{v}; }});
contacts = ({{ type = "wall"; node = "p"; position = 0.0; restitution = 0.0; }});
"""
EVENT = 'strategy = {{ type = "event-driven"; }}; time = {{ end = {end}; step = {step}; }};'
UPDATE = ('strategy = {{ type = "time-stepping"; level = "position"; update = true; }};'
          "time = {{ end = {end}; step = {step}; }};")
RUNS = {
    "ball, exact": (BOUNCING + EVENT, "exact"),
    "ball, botr": (BOUNCING + EVENT, "botr"),
    "stop, exact": (STOPPED + EVENT, "exact"),
    "stop, botr": (STOPPED + EVENT, "botr"),
    "stop, trapezoidal": (STOPPED + EVENT, "trapezoidal"),
    "update, trapezoidal": (STRUCK + UPDATE, "trapezoidal"),
    "update, bathe": (STRUCK + UPDATE, "bathe"),
}
# m, s and kg; micrometres in milliseconds and picograms; nanometres; kilometres in hours and tonnes
SCALES = ((1.0, 1.0, 1.0), (1e-6, 1e-3, 1e-15), (1e-9, 1e-8, 1e-18), (1e3, 3600.0, 1e3))


# a ball in a micro-device, and a body elsewhere whose wall may be anywhere
MIXED = """
bodies = ({{ type = "particles"; name = "ball"; positions = [0.0]; masses = [1e-12]; }},
          {{ type = "particles"; name = "far"; positions = [5.0]; masses = [1.0];
             springs = ({{ node = 0; stiffness = 25.0; }}); }});
loads = ({{ type = "force"; node = "ball.0"; signal = {{ type = "constant"; value = -9.81e-12; }}; }});
contacts = ({{ type = "wall"; node = "ball"; gap = 2.0e-8; restitution = 0.8; }},
            {{ type = "wall"; node = "far"; gap = {gap}; restitution = 0.8; }});
integrator = {{ type = "{integrator}"; }};
strategy = {{ type = "event-driven"; }};
time = {{ end = 5.0e-4; step = 1.0e-6; }};
"""


class Scales(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-scales-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_scaled(self, model, integrator, length, time, mass):
        numbers = {"l": length, "half": 0.5 * length, "start": 0.503 * length, "v": length / time, "a": length / time**2, "m": mass,
                   "k": mass / time**2, "stop": 1e4 * mass / time**2, "end": 6.0 * time, "step": 0.01 * time}
        text = model.format(**{name: f"{value:.17e}" for name, value in numbers.items()})
        path, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        path.write_text(text + f'integrator = {{ type = "{integrator}"; }};\n', encoding="utf-8")
        done = harness.run("run", path, "-o", output, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(output) as file:
            every = np.arange(0.0, 6.0, 0.5)
            time_of = file["history/time"][:] / time
            return {"u": np.interp(every, time_of, file["history/displacement"][:, 0] / length),
                    "v": file["history/velocity"][-1, 0] * time / length,
                    "kinds": file["events/kind"][:].tolist(), "times": file["events/time"][:] / time}

    def test_scaled_models_have_scaled_histories(self):
        for name, (model, integrator) in RUNS.items():
            right = self.run_scaled(model, integrator, *SCALES[0])
            self.assertGreaterEqual(len(right["kinds"]), 1)
            for scale in SCALES[1:]:
                with self.subTest(run=name, scale=scale):
                    seen = self.run_scaled(model, integrator, *scale)
                    self.assertEqual(seen["kinds"], right["kinds"])
                    # the numbers of the scaled deck are rounded, 1e-16; a bounce doubles that, some twenty of them and
                    # a stop of 1e4 times the stiffness make 1e-9 of it
                    self.assertLess(np.abs(seen["times"] - right["times"]).max(), 1e-8)
                    self.assertLess(np.abs(seen["u"] - right["u"]).max(), 1e-8)
                    self.assertLess(abs(seen["v"] - right["v"]), 1e-8)

    def test_a_far_wall_changes_nothing(self):
        path, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        for integrator in "exact", "botr":
            seen = []
            for gap in "2.0e-8", "1.0", "1.0e3":
                path.write_text(MIXED.format(gap=gap, integrator=integrator), encoding="utf-8")
                done = harness.run("run", path, "-o", output, "-q")
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(output) as file:
                    seen.append(file["events/time"][:][file["events/contact"][:] == 0])
            # it falls for 6.4e-5 s, then hops for .8 of the time before: 9 impacts in 5e-4 s
            for times in seen:
                with self.subTest(integrator=integrator):
                    self.assertEqual(len(times), 9)
                    self.assertLess(np.abs(times - seen[0]).max(), 1e-12)


if __name__ == "__main__":
    unittest.main()
