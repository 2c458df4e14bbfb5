#!/usr/bin/python3
"""Nonsmooth modes from the command line: what a results file holds of them, their pictures, and that a continuation
that is stopped keeps what it has and goes on."""

import shutil
import signal
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

DECKS = harness.ROOT / "decks"
TAPERED = DECKS / "nbm_modes_lin.cfg"


class Modes(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def run_modes(self, name, *sets, deck=TAPERED, more=()):
        output = self.folder / name
        options = [word for value in sets for word in ("--set", value)]
        harness.must(harness.run("run", deck, "-o", output, *options, *more))
        return output

    def test_file(self):
        """Orbits of figure 5, and of each the fields over a period, by what any reader of HDF5 sees."""
        output = self.run_modes("orbits.h5", "analysis.filter=all", "analysis.continuation=meshes",
                                "analysis.meshes=[2, 4]", "analysis.periods=[3.7812]", "analysis.samples=21")
        with h5py.File(output) as file:
            points = file["points"]
            self.assertEqual(list(points["dofs"]), [4, 8])
            # the gap is 1e-3: published for a gap of 1
            self.assertTrue(np.allclose(points["energy"][:] * 1e6, [2.060729618, 2.576173858], rtol=0, atol=1e-8))
            self.assertEqual(points["multiplier_re"].shape, (2, 14))
            multipliers = points["multiplier_re"][1] + 1j * points["multiplier_im"][1]
            # rounding moves the defective pair at 1, not the product
            self.assertAlmostEqual(abs(np.prod(multipliers)), 1, delta=1e-6)
            times, closed = points["motion/time"][1], points["motion/closed"][1]
            self.assertAlmostEqual(times[-1], 3.7812, places=12)
            switches = points["switch_time"][1][:2]
            self.assertTrue(np.array_equal(closed == 1, (times > switches[0]) & (times < switches[1])))
            field = points["motion/displacement"][1].reshape(21, -1)
            self.assertTrue(np.allclose(field, field[::-1], rtol=0, atol=1e-12))  # back as it came
            self.assertTrue(np.allclose(field[closed == 1, -1], 1e-3, rtol=0, atol=1e-15))
            # the coarse mesh has fewer nodes: the rest of its row is no number
            self.assertEqual(np.isnan(points["displacement"][0]).sum(), 4)

    def test_check(self):
        done = harness.must(harness.run("check", TAPERED))
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"(?m)^  linear mode 1 +1\.436 rad/s; touches with 4\.64103e-07 J$")
        self.assertRegex(done.stdout, r"(?m)^  filter +the best of up to 14 modes$")

    def test_summary(self):
        """How many orbits there are, how their pieces end, and where none was found; other wishes are noted."""
        output = self.folder / "modes.h5"

        def summary(deck, *sets):
            options = [word for value in sets for word in ("--set", value)]
            return harness.must(harness.run("run", DECKS / f"{deck}.cfg", "-o", output, *options))

        self.assertRegex(summary("modes_two_bars").stdout, r"(?m)^orbits +46 in 2 pieces; 1 ends in a grazing$")
        done = summary("nbm_modes_lin", "analysis.at=[0.5, 1.1]", "output.every=0.1", 'output.histories=["energy"]')
        self.assertRegex(done.stdout, r"(?m)^orbits +2 in 1 piece$")
        self.assertRegex(done.stdout, r"(?m)^searched +1 by many starts$")
        for word in ("every", "histories"):
            self.assertIn(f"note: output.{word}: not used: analysis 'nonsmooth-modes' makes points", done.stderr)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot draws")
    def test_pictures(self):
        bars = self.run_modes("bars.h5", "analysis.count=15", deck=DECKS / "modes_two_bars.cfg")
        other = self.run_modes("other.h5", "analysis.filter=3", "analysis.count=3", "analysis.samples=0")
        figure = self.folder / "figure.svg"
        harness.must(harness.run("plot", bars, "-o", figure))
        drawn = figure.read_text(encoding="utf-8")
        for words in ("two bars and a stop", "stable", "unstable", "ends in a grazing", "frequency over that"):
            self.assertIn(words, drawn)
        harness.must(harness.run("plot", bars, "--beside", other, "-o", figure))
        self.assertIn("tapered bar: nonsmooth modes", figure.read_text(encoding="utf-8"))
        harness.must(harness.run("plot", bars, "--orbit", "1.03", "-o", figure))
        drawn = figure.read_text(encoding="utf-8")
        self.assertIn("velocity [m/s]", drawn)
        self.assertIn("dark: in contact", drawn)
        done = harness.must(harness.run("plot", other, "--orbit", "1.1", "-o", figure), code=66)
        self.assertIn("analysis.samples", done.stderr)
        harness.must(harness.run("plot", bars, "--orbit", "1.1", "--only", "energy", "-o", figure), code=64)
        harness.must(harness.run("plot", bars, "--only", "energy", "-o", figure))
        ball = self.folder / "ball.h5"
        harness.must(harness.run("run", DECKS / "bouncing_ball.cfg", "-o", ball))
        done = harness.must(harness.run("plot", ball, "--beside", bars, "-o", figure), code=64)
        self.assertIn("--beside", done.stderr)

    def test_interrupted_and_resumed(self):
        long = ("analysis.filter=5", "analysis.count=2000", "analysis.samples=0")
        output = self.folder / "modes.h5"
        options = [word for value in long for word in ("--set", value)] + ["--progress=never"]
        process = harness.start("run", TAPERED, "-o", output, *options)
        checkpoint = self.folder / "modes.h5.checkpoint"
        limit = time.monotonic() + 20 * harness.TIME_FACTOR
        while not checkpoint.exists() and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20 * harness.TIME_FACTOR), 75)
        with h5py.File(self.folder / "modes.h5.part") as file:
            self.assertTrue(0 < len(file["points/period"]) < 2000)
            self.assertEqual(harness.text(file.attrs["status"]), "interrupted")

    def kill(self, arguments, checkpoint):
        """Starts a run and kills it, as nothing can answer, once it has written another checkpoint."""
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = harness.start(*arguments, *(["--resume"] if before else []))
        limit = time.monotonic() + 20 * harness.TIME_FACTOR
        while process.poll() is None and time.monotonic() < limit:
            try:
                if checkpoint.stat().st_mtime_ns != before:
                    break
            except FileNotFoundError:
                pass
            time.sleep(0.01)
        time.sleep(0.1)
        process.kill()
        return process.wait() != 0

    def test_killed_and_resumed(self):
        """The rest of the way is the same, bit by bit, however often the run was killed."""
        ways = (("analysis.filter=5", "analysis.count=150"), ("analysis.count=25",),
                ("analysis.filter=all", "analysis.continuation=meshes", "analysis.meshes=[2, 4, 10]", "analysis.count=80"))
        for number, way in enumerate(ways):
            sets = (*way, "analysis.samples=0")
            whole, output = self.run_modes(f"whole{number}.h5", *sets), self.folder / f"killed{number}.h5"
            arguments = ["run", TAPERED, "-o", output, "--progress=never", "-q",
                         *(word for value in sets for word in ("--set", value))]
            checkpoint = output.with_name(output.name + ".checkpoint")
            kills = 0
            while kills < 3 and self.kill(arguments, checkpoint):
                kills += 1
            self.assertGreater(kills, 0)
            if kills == 3:
                harness.must(harness.run(*arguments, "--resume", limit=60))
            with self.subTest(way=way), h5py.File(whole) as one, h5py.File(output) as other:
                for name in one["points"]:
                    self.assertEqual(one["points"][name][()].tobytes(), other["points"][name][()].tobytes(), name)


if __name__ == "__main__":
    unittest.main()
