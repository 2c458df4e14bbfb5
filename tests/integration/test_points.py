#!/usr/bin/python3
"""An analysis whose result is points: what its results file holds, and that it can be drawn, exported, compared,
interrupted and resumed as any other run."""

import math
import shutil
import signal
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np

import harness

SVG = "{http://www.w3.org/2000/svg}"
DECK = harness.ROOT / "decks" / "integrator_map.cfg"
SCHEMES = ("trapezoidal", "bathe", "generalized-alpha", "wilson-theta", "houbolt", "chaudhary-bathe")
COMMON = ("spectral_radius", "period_elongation", "period_elongation_measured", "amplitude_decay",
          "amplitude_decay_measured", "contact_velocity", "contact_velocity_formula")


class Points(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.addCleanup(self.place.cleanup)
        self.output = self.folder / "map.h5"

    def run_map(self, *arguments, output=None):
        return harness.must(harness.run("run", DECK, "-o", output or self.output, *arguments))

    def test_file(self):
        done = self.run_map()
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"(?m)^points +91$")
        with h5py.File(self.output) as file:
            points = file["points"]
            steps = points["step_over_period"]
            self.assertEqual(len(steps), 91)
            self.assertTrue(np.allclose(np.diff(np.log(steps)), math.log(1000.0) / 90))
            for scheme in SCHEMES:
                for name in COMMON:
                    column = points[name][scheme]
                    self.assertEqual(len(column), 91)
                    self.assertEqual(column.dims[0][0], steps)
                    self.assertTrue(harness.text(column.attrs["units"]) and column.attrs["description"])
            self.assertEqual(len(points["rebound/trapezoidal"]), 5)
            self.assertNotIn("houbolt", points["rebound"])
            self.assertEqual(len(file["history/time"]), 0)
            self.assertEqual(harness.text(file.attrs["status"]), "complete")
            self.assertGreater(file["summary"].attrs["solves"], 0)
            # the closed form of the trapezoidal rule; both sides to rounding over the shortest angle
            resolved = steps[:] <= 0.5
            half = math.pi * steps[resolved]
            elongation = points["period_elongation/trapezoidal"][resolved]
            self.assertLess(np.max(np.abs(elongation - 100 * (half / np.arctan(half) - 1))), 1e-10)
            # less than two steps a period show none
            self.assertTrue(np.all(np.isnan(points["period_elongation/trapezoidal"][~resolved])))

    def test_check(self):
        done = harness.must(harness.run("check", DECK))
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"(?m)^  steps +91, dt/T = 0\.01 to 10$")
        self.assertRegex(done.stdout, r"(?m)^  integrators +trapezoidal: ")
        self.assertRegex(done.stdout, r"(?m)^  rebound +.*, of: trapezoidal bathe chaudhary-bathe$")

    def test_the_integrator_of_a_transient_deck(self):
        """What is not used is told, once, and is no fault."""
        ball = harness.ROOT / "decks" / "bouncing_ball.cfg"
        done = harness.must(harness.run("check", ball, "--set", "analysis.type=integrator"))
        self.assertIn("central-difference: ", done.stdout)
        self.assertIn("does not use bodies, contacts, loads, strategy, time", done.stderr)
        self.assertEqual(done.stderr.count("note:"), 1)

    def test_one_integrator_twice(self):
        lists = 'analysis.integrators=({type="newmark";},{type="newmark";beta=0.5;})'
        self.run_map("--set", lists, "--set", "analysis.at=[0.1]")
        with h5py.File(self.output) as file:
            elongations = file["points/period_elongation"]
            # beta = 1/2 is Chaudhary's and Bathe's scheme: the published value
            self.assertAlmostEqual(elongations["newmark"][0], 3.20749, delta=1e-4)
            self.assertAlmostEqual(elongations["newmark-2"][0], 7.88549, delta=1e-4)

    def test_export_and_compare(self):
        self.run_map()
        harness.must(harness.run("export", self.output, "--csv", self.folder / "csv"))
        lines = (self.folder / "csv" / "points.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(lines), 92)
        self.assertTrue(lines[0].startswith("step_over_period [1],"))
        other = self.folder / "other.h5"
        self.run_map("--set", "analysis.damping_ratio=0.01", output=other)
        harness.must(harness.run("compare", self.output, self.output))
        harness.must(harness.run("compare", self.output, other), code=1)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot draws")
    def test_plot(self):
        self.run_map()
        figure = self.folder / "map.svg"
        harness.must(harness.run("plot", self.output, "-o", figure))
        drawn = figure.read_text(encoding="utf-8")
        for words in ("spectral radius", "period elongation [%]", "rebound, trapezoidal", "dt/T, step over period",
                      "houbolt", "phase 0.9"):
            self.assertIn(words, drawn)
        self.assertNotIn("elongation measured", drawn)
        # spectral radii are of the whole scale, the rest of its first part: the scale has numbers twice
        texts = ["".join(item.itertext()).strip() for item in xml.parse(figure).getroot().iter(SVG + "text")]
        self.assertEqual(texts.count("10"), 3)  # of the whole scale, and of elongation and decay
        # of both scales, and of the same, of which gnuplot 6 leaves one label out
        self.assertIn(texts.count("0.01"), (3, 4))
        harness.must(harness.run("plot", self.output, "-o", figure, "--only", "amplitude_decay"))
        self.assertNotIn("spectral radius", figure.read_text(encoding="utf-8"))
        done = harness.must(harness.run("plot", self.output, "-o", figure, "--only", "gap"), code=64)
        self.assertIn("period_elongation/houbolt", done.stderr)

    def test_interrupted_and_resumed(self):
        long = ("--set", "analysis.count=3000", "--set", "analysis.from=0.001", "--progress=never")
        process = harness.start("run", DECK, "-o", self.output, *long)
        part = self.folder / "map.h5.part"
        checkpoint = self.folder / "map.h5.checkpoint"
        limit = time.monotonic() + 20 * harness.TIME_FACTOR
        while not checkpoint.exists() and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20 * harness.TIME_FACTOR), 75)
        with h5py.File(part) as file:
            self.assertEqual(harness.text(file.attrs["status"]), "interrupted")
            self.assertTrue(0 < len(file["points/step_over_period"]) < 3000)
        self.run_map(*long, "--resume")
        self.assertEqual(harness.leftovers(self.output), [])
        straight = self.folder / "straight.h5"
        self.run_map(*long, output=straight)
        done = harness.must(harness.run("compare", self.output, straight))
        self.assertIn("0 beyond", done.stdout)


if __name__ == "__main__":
    unittest.main()
