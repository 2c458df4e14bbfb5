#!/usr/bin/python3
"""The memory of a run does not grow with its length: whatever is recorded, by whatever strategy; nor does that of a sweep
with its cases, and a record of ground motion takes the memory of its samples."""

import math
import tempfile
import unittest
from pathlib import Path

import h5py

import harness

DECKS = harness.ROOT / "decks"

# a ball that bounces for ever, on a spring or rigid ground
BALL = """
bodies = ( { type = "particles"; name = "ball"; positions = [1.0]; masses = [1.0]; } );
loads = ( { type = "gravity"; acceleration = -10.0; } );
contacts = ( { type = "wall"; node = "ball"; position = 0.0; %s; } );
integrator = { type = "%s"; };
strategy = { type = "%s"; };
time = { end = 1.0; step = %s; };
"""

# a building of 20 storeys and 3 spans, which hits a wall again and again
TOWER = """
bodies = ( { type = "frame"; name = "tower"; storeys = 20; storey_heights = [3.0]; spans = 3; span_lengths = [5.0];
             base = "pinned"; column = { modulus = 30e9; density = 2500.0; width = 0.6; height = 0.6; };
             beam = { modulus = 30e9; density = 2500.0; width = 0.4; height = 0.6; }; } );
supports = ( { node = "tower.base"; } );
initial = ( { node = "tower.floor20"; velocity_vector = [1.0, 0.0]; } );
contacts = ( { type = "plane"; node = "tower.floor10"; normal = [-1.0, 0.0]; point = [15.0002, 0.0]; %s } );
integrator = { type = "%s"; operator = "%s"; };
strategy = { type = "%s"; };
time = { end = 1.0; step = 0.005; };
"""

SHAKEN = """
bodies = ( { type = "particles"; name = "mass"; positions = [0.0]; masses = [1.0];
             springs = ( { node = 0; stiffness = 40.0; } ); } );
loads = ( { type = "ground-acceleration"; signal = { type = "record"; file = "%s"; dt = 0.01; }; } );
contacts = ( { type = "wall"; node = "mass"; gap = 0.005; stiffness = 1e4; } );
integrator = { type = "trapezoidal"; };
strategy = { type = "event-driven"; };
time = { end = 30.0; step = 0.01; };
output = { every = 0.0; };
"""

STUDY = """
deck = "ball.cfg";
parameters = ( { type = "range"; name = "height"; path = "bodies.[0].positions.[0]"; from = 1.0; to = 2.0; count = %d; } );
keep = ( { type = "events"; } );
"""

# kB; runs of one length differ by some 200: pages that the loader happens to touch
GROWTH = 600
# ends of runs whose first has more rows than a chunk, so that every buffer is in use
RUNS = {
    "event-driven, springs": ("bouncing_bar.cfg", (3.0, 30.0), ["integrator.rho_inf=1.0"]),
    "event-driven, rigid": ("ball_events.cfg", (20.0, 200.0), ["contacts.[0].restitution=1.0"]),
    "time-stepping, velocity": ("bouncing_ball.cfg", (20.0, 200.0, 2000.0), ["contacts.[0].restitution=1.0"]),
    "time-stepping, position": ("spring_pair.cfg", (40.0, 400.0), []),
    "time-stepping, both": ("ball_accumulation.cfg", (10.0, 100.0), ["contacts.[0].restitution=1.0"]),
    "time-stepping, constraints and friction": ("slider_crank.cfg", (0.05, 0.5), []),
    "nbm": ("nbm_bar.cfg", (35.0, 350.0), []),
}


@unittest.skipIf(harness.TIME_FACTOR > 1, "sanitizers take memory of their own")
class Memory(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.output = self.folder / "run.h5"

    def peak_of_run(self, deck, end, overrides):
        """Of a run that records each step and saves its state four times a second."""
        settings = [*overrides, f"time.end={end!r}", "output.every=0.0", "output.checkpoint=0.25"]
        words = [word for setting in settings for word in ("--set", setting)]
        return harness.peak_memory("run", deck, "-o", self.output, "-q", *words)

    def check_lengths(self, deck, ends, overrides):
        peaks, rows, events = [], [], []
        for end in ends:
            peaks.append(self.peak_of_run(deck, end, overrides))
            with h5py.File(self.output, "r") as file:
                rows.append(len(file["history/time"]))
                events.append(len(file["events/time"]))
        self.assertGreater(rows[0], 1500)
        self.assertGreater(rows[-1], 7 * rows[0])
        self.assertGreater(events[-1], 5 * events[0])
        self.assertGreater(events[-1], 20)
        for longer in peaks[1:]:
            self.assertLess(longer, peaks[0] + GROWTH, f"kB of {rows} rows with {events} events: {peaks}")

    def test_shipped(self):
        for name, (deck, ends, overrides) in RUNS.items():
            with self.subTest(name):
                self.check_lengths(DECKS / deck, ends, overrides)

    def write(self, text, name="deck.cfg"):
        deck = self.folder / name
        deck.write_text(text, encoding="utf-8")
        return deck

    def test_springs(self):
        for integrator, strategy, step in (("trapezoidal", "penalty", "1e-3"), ("central-difference", "penalty", "1e-3"),
                                           ("exact", "event-driven", "1e-3")):
            with self.subTest(integrator=integrator, strategy=strategy):
                deck = self.write(BALL % ("stiffness = 1e4", integrator, strategy, step))
                self.check_lengths(deck, (5.0, 50.0), [])

    def test_fields(self):
        """240 dofs, displacements and velocities of all in each row."""
        for law, integrator, operator, strategy in (("stiffness = 1e8;", "trapezoidal", "modal", "event-driven"),
                                                    ("stiffness = 1e8;", "trapezoidal", "nodal", "event-driven"),
                                                    ("stiffness = 1e7;", "trapezoidal", "nodal", "penalty"),
                                                    ("restitution = 0.5;", "theta", "nodal", "time-stepping")):
            with self.subTest(operator=operator, strategy=strategy):
                self.check_lengths(self.write(TOWER % (law, integrator, operator, strategy)), (8.0, 80.0), [])

    def test_record(self):
        """Time, acceleration and its two integrals, 8 bytes each, and half as much again while it is read."""
        peaks, lengths = [], (3000, 300000)
        for samples in lengths:
            record = self.write("".join(f"{math.sin(0.07 * i):.6e}\n" for i in range(samples)), f"{samples}.txt")
            peaks.append(harness.peak_memory("run", self.write(SHAKEN % record.name), "-o", self.output, "-q"))
        self.assertLess(peaks[1], peaks[0] + GROWTH + 48e-3 * (lengths[1] - lengths[0]), f"kB: {peaks}")
        longer = harness.peak_memory("run", self.folder / "deck.cfg", "-o", self.output, "-q", "--set", "time.end=300.0")
        self.assertLess(longer, peaks[1] + GROWTH, f"kB: {peaks}")

    def test_sweep(self):
        """The sweep keeps some 2 kB a case, for the table."""
        peaks = []
        self.write(BALL % ("restitution = 0.5", "theta", "time-stepping", "0.1"), "ball.cfg")
        for count in (20, 400):
            study = self.write(STUDY % count, f"study{count}.cfg")
            peaks.append(harness.peak_memory("sweep", study, "-o", self.folder / f"study{count}", "-q", "--jobs", "2"))
        self.assertLess(peaks[1], peaks[0] + GROWTH + 2 * 380, f"kB: {peaks}")


if __name__ == "__main__":
    unittest.main()
