#!/usr/bin/python3
"""signorini ground-motion: what its files hold, against an independent computation; the same seed makes the same
bytes; wrong decks and records; a record shakes a model."""

import json
import math
import signal
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

G = 9.80665
SMALL = ("--set", "generate.count=2", "--set", "generate.iterations=12")


def eurocode(period):
    """Type 1, soil A, 5 %, a_g = 0.981 m/s^2."""
    return 0.981 * np.where(period <= 0.15, 1 + period / 0.15 * 1.5,
                            np.where(period <= 0.4, 2.5, np.where(period <= 2, 1.0 / period, 2.0 / period ** 2)))


def response(acceleration, dt, period, damping=0.05, parts=20):
    """Pseudo-acceleration by Newmark's average acceleration in steps of dt / parts: a second method. With 20 parts
    of .01 s its period is too long by (w h)^2 / 12, 5e-6 at .2 s."""
    w, h = 2 * math.pi / period, dt / parts
    k, c = w * w, 2 * damping * w
    u = v = largest = 0.0
    a = -acceleration[0]
    for first, last in zip(acceleration[:-1], acceleration[1:]):
        for part in range(1, parts + 1):
            load = -(first + (last - first) * part / parts)
            guess_v, guess_u = v + h * a / 2, u + h * v + h * h * a / 4
            a = (load - c * guess_v - k * guess_u) / (1 + h * c / 2 + h * h * k / 4)
            v, u = guess_v + h * a / 2, guess_u + h * h * a / 4
            largest = max(largest, abs(u))
    return k * largest


class GroundMotion(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.output = self.folder / "gm.h5"

    def make(self, *arguments, deck=harness.GROUND_MOTION, output=None):
        return harness.must(harness.run("ground-motion", deck, "-o", output or self.output, *arguments))

    def deck(self, text, name="deck.cfg"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def refused(self, text, *words, code=65, arguments=()):
        deck = self.deck(text)
        done = harness.must(harness.run("ground-motion", deck, "-o", self.output, *arguments), code)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(self.output.exists())
        self.assertEqual(harness.leftovers(self.output), [])

    def test_file(self):
        done = self.make(*SMALL)
        self.assertEqual(done.stderr, "")
        self.assertEqual(harness.leftovers(self.output), [])
        with h5py.File(self.output) as file:
            self.assertEqual(harness.text(file.attrs["status"]), "complete")
            schema = json.loads(harness.must(harness.run("schema", "results")).stdout)["properties"]["records"]
            self.assertEqual(sorted(schema["required"]), sorted(file["records"]))
            self.assertEqual([harness.text(name) for name in file["records/name"][:]], ["seed_1", "seed_2"])
            self.assertEqual(list(file["records/seed"][:]), [1, 2])
            for name, item in (*file["history"].items(), *file["records"].items()):
                self.assertTrue(harness.text(item.attrs["units"]) and harness.text(item.attrs["description"]), name)
            time, a = file["history/time"][:], file["history/acceleration"][:]
            self.assertEqual(a.shape, (2001, 2))
            self.assertTrue(np.allclose(np.diff(time), 0.01, rtol=1e-12))
            # exact integrals of straight lines
            v = np.concatenate([np.zeros((1, 2)), np.cumsum(0.005 * (a[1:] + a[:-1]), axis=0)])
            u = np.concatenate([np.zeros((1, 2)), np.cumsum(0.01 * v[:-1] + 1e-4 * (2 * a[:-1] + a[1:]) / 6, axis=0)])
            self.assertLess(np.max(np.abs(file["history/velocity"][:] - v)), 1e-14)
            self.assertLess(np.max(np.abs(file["history/displacement"][:] - u)), 1e-13)
            self.assertLess(np.max(np.abs(u[-1])), 1e-11)
            self.assertEqual(file["records/peak_acceleration"][0], np.max(np.abs(a[:, 0])))
            period, target = file["points/period"][:], file["points/pseudo_acceleration/target"][:]
            self.assertLess(np.max(np.abs(target / eurocode(period) - 1)), 1e-12)
            for k in range(2):
                spectrum = file[f"points/pseudo_acceleration/seed_{k + 1}"][:]
                inside = (period >= 0.1) & (period <= 2)
                error = np.mean(np.abs(spectrum[inside] / target[inside] - 1))
                self.assertLess(error, 0.05)
                # another grid of periods
                self.assertLess(abs(error - file["records/mean_error"][k]), 0.005)
                for i in range(70, 200, 43):
                    second = response(a[:, k], 0.01, period[i])
                    self.assertLess(abs(spectrum[i] / second - 1), 2e-3, period[i])

    def test_same_seed_same_bytes(self):
        self.make(*SMALL)
        self.make(*SMALL, output=self.folder / "again.h5")
        self.make("--set", "generate.seed=2", "--set", "generate.iterations=12", "--set", "generate.count=1",
                  output=self.folder / "second.h5")
        first, again, second = ((self.folder / f"{name}.AT2").read_bytes()
                                for name in ("gm_seed_2", "again_seed_2", "second_seed_2"))
        self.assertEqual(first, again)
        self.assertEqual(first, second)  # a record does not depend on those before it
        self.assertNotEqual(first, (self.folder / "gm_seed_1.AT2").read_bytes())

    def test_at2(self):
        self.make("--set", "generate.iterations=1", "--set", "generate.count=1", "-q")
        text = (self.folder / "gm_seed_1.AT2").read_text(encoding="ascii").splitlines()
        self.assertEqual(text[2], "ACCELERATION TIME SERIES IN UNITS OF G")
        self.assertEqual(text[3], "NPTS= 2001, DT= 0.01 SEC")
        values = np.array(" ".join(text[4:]).split(), dtype=float)
        with h5py.File(self.output) as file:
            self.assertLess(np.max(np.abs(values * G - file["history/acceleration"][:, 0])), 1e-7)
        self.make("--set", "generate.iterations=1", "--set", "generate.count=1", "--set", "output.at2=false",
                  output=self.folder / "none.h5")
        self.assertEqual(list(self.folder.glob("none*.AT2")), [])

    def test_records_out_of_files(self):
        """Spectra of a step of 1 m/s^2: 1 + exp(-pi xi / sqrt(1 - xi^2)), whatever the period."""
        (self.folder / "a step.txt").write_text("# t a\n0 1\n40 1\n", encoding="ascii")
        deck = self.deck('records = ( { file = "a step.txt"; }, { file = "a step.txt"; scale_to_peak = 3.0; } );\n')
        self.make(deck=deck)
        with h5py.File(self.output) as file:
            spectrum = file["points/pseudo_acceleration/a step"][:]
            exact = 1 + math.exp(-math.pi * 0.05 / math.sqrt(1 - 0.05 ** 2))
            self.assertLess(np.max(np.abs(spectrum / exact - 1)), 2e-6)
            self.assertLess(np.max(np.abs(file["points/pseudo_acceleration/a step_2"][:] / exact / 3 - 1)), 2e-6)
            self.assertNotIn("target", file["points/pseudo_acceleration"])
            self.assertTrue(np.all(np.isnan(file["records/mean_error"][:])))
            self.assertEqual(list(self.folder.glob("*.AT2")), [])

    def test_shakes_a_model(self):
        """A record that was made, in a folder with a space, as the load of an oscillator that is all but rigid:
        what remains are the oscillations at 1e8 rad/s that 2000 kinks of up to 100 m/s^3 start."""
        there = self.folder / "my records"
        there.mkdir()
        self.make("--set", "generate.iterations=1", "--set", "generate.count=1", output=there / "gm.h5")
        deck = self.deck("""
            bodies = ( { type = "bar"; name = "bar"; length = 1.0; area = 1.0; modulus = 1e16; density = 3.0; elements = 1; } );
            supports = ( { node = "bar.left"; } );
            loads = ( { type = "ground-acceleration"; signal = { type = "record"; file = "my records/gm_seed_1.AT2"; }; } );
            integrator = { type = "exact"; };
            strategy = { type = "event-driven"; };
            time = { end = 20.0; step = 0.01; };
            output = { histories = ["absolute_acceleration", "ground"]; nodes = ["bar.right"]; every = 0.01; };
            """)
        harness.must(harness.run("run", deck, "-o", self.output, "-q"))
        with h5py.File(self.output) as run, h5py.File(there / "gm.h5") as made:
            given = made["history/acceleration"][:, 0]
            self.assertLess(np.max(np.abs(run["history/ground/acceleration"][:, 0] - given)), 1e-6)
            self.assertLess(np.max(np.abs(run["history/absolute_acceleration"][:, 0] - given)), 1e-4)

    def test_plot(self):
        self.make(*SMALL)
        harness.must(harness.run("plot", self.output, "-o", self.folder / "gm.svg"))
        drawn = (self.folder / "gm.svg").read_text(encoding="utf-8")
        for word in ("acceleration", "pseudo acceleration", "target", "seed 1"):
            self.assertIn(word, drawn)

    def test_plot_has_the_mean_and_the_target_in_front(self):
        """Of many records too, of which a panel has room for some alone."""
        self.make("--set", "generate.count=30", "--set", "generate.iterations=1", "-q")
        harness.must(harness.run("plot", self.output, "--only", "pseudo_acceleration", "-o", self.folder / "gm.svg"))
        drawn = (self.folder / "gm.svg").read_text(encoding="utf-8")
        for word in ("mean of 30", "target", "24 of 32 shown"):
            self.assertIn(word, drawn)
        widths = {}
        for width, color in re.findall(r'stroke-width="([\d.]+)"[^>]*>\s*<path stroke=\'([^\']*)\'', drawn):
            widths.setdefault(color.replace(" ", ""), set()).add(float(width))
        mean, target = max(widths["rgb(212,0,0)"]), max(widths["rgb(0,0,0)"])
        records = max(widths["rgb(0,114,178)"])
        self.assertGreater(mean, 2 * records)
        self.assertGreater(target, mean)

    def test_refused(self):
        self.refused('title = "nothing";', "has neither 'generate' nor 'records'")
        self.refused("spectrum = { ag = 1.0; soli = \"A\"; }; generate = { };", "deck.cfg:1: error: spectrum.soli",
                     "soil")
        self.refused("generate = { };", "needs a group 'spectrum'")
        self.refused('records = ( { file = "not there.AT2"; } );', "not there.AT2", code=66)
        self.refused("spectrum = { ag = 1.0; }; generate = { };", "--set: error: generate.dt",
                     arguments=("--set", "generate.dt=-1"))
        (self.folder / "cut.AT2").write_text("a\nb\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 9, DT= .01 SEC\n0 1 2\n",
                                             encoding="ascii")
        (self.folder / "v.VT2").write_text("a\nb\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 3, DT= .01 SEC\n0 1 2\n",
                                           encoding="ascii")
        self.refused('records = ( { file = "cut.AT2"; },\n{ file = "v.VT2"; } );', "deck.cfg:1: error: records.[0].file",
                     "ends after 3 values where NPTS says 9", "deck.cfg:2: error: records.[1].file",
                     "is a record of velocity", "hint: ")

    def test_what_is_not_finite_is_no_result(self):
        """The sum of a record may overflow, an oscillator's motion or the ground's: never a number in the file."""
        for name, text, words in (("big.txt", "0 0\n.02 1e308\n.04 -1e308\n", "response of the oscillator"),
                                  ("long.txt", "0 0\n5e4 1e300\n1e5 0\n", "displacement of the ground")):
            (self.folder / name).write_text(text, encoding="ascii")
            self.refused(f'records = ( {{ file = "{name}"; }} ); response = {{ shortest = 1.0; count = 5; }};', words, code=76)
            self.assertFalse(self.output.exists())

    def test_oscillators_faster_than_can_be_followed(self):
        self.refused("spectrum = { ag = 1.0; }; generate = { }; response = { shortest = 1e-9; };",
                     "response.shortest", "more than 4194304 oscillations in a record of 20 s")

    def test_a_long_record_can_be_interrupted(self):
        """One record of an hour takes minutes; the stop is seen within the spectrum, one oscillator later."""
        child = subprocess.Popen([harness.PROGRAM, "ground-motion", harness.GROUND_MOTION, "-o", self.output,
                                  "--set", "generate.duration=4000.0", "--set", "generate.tolerance=0.0"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdout.readline()  # the heading: from here on signals are caught
        child.send_signal(signal.SIGTERM)
        _, words = child.communicate(timeout=30 * harness.TIME_FACTOR)
        self.assertEqual(child.returncode, 75, words)
        self.assertIn("interrupted after 0 of 10 records", words)
        self.assertFalse(self.output.exists())

    def test_outputs_that_cannot_be(self):
        harness.must(harness.run("ground-motion", harness.GROUND_MOTION, "-o", self.folder / "no" / "gm.h5", *SMALL), 73)
        (self.folder / "gm.h5").mkdir()
        harness.must(harness.run("ground-motion", harness.GROUND_MOTION, "-o", self.folder / "gm.h5", *SMALL), 73)
        harness.must(harness.run("ground-motion"), 64)

    def test_check(self):
        done = harness.must(harness.run("ground-motion", harness.GROUND_MOTION, "--check", cwd=self.folder))
        self.assertIn("ok", done.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_help(self):
        groups = harness.must(harness.run("help", "ground-motion")).stdout
        for name in ("spectrum", "generate", "records", "response", "output"):
            self.assertRegex(groups, rf"(?m)^  {name} ")
        self.assertIn("EN 1998-1", harness.must(harness.run("help", "spectrum")).stdout)
        self.assertIn("scale_to_peak", harness.must(harness.run("help", "records.file")).stdout +
                      harness.must(harness.run("help", "records")).stdout)


if __name__ == "__main__":
    unittest.main()
