#!/usr/bin/python3
"""Every signal that asks for an end is heeded in good order, wherever the program is: in a run's steps, in a point
of an analysis that takes long, in a point that can't be found; a hangup, too, unless nohup has it ignored."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py

import harness

CRADLE = harness.ROOT / "decks" / "newton_cradle.cfg"
MODES = harness.ROOT / "decks" / "nbm_modes_uniform.cfg"
# an orbit of some 8e6 swings of the fastest mode: each of the many flights of its search takes seconds
LONG_POINT = ("run", MODES, "--set", "analysis.at=[1.02,1.2e-5]")


def points(path):
    with h5py.File(path, "r") as file:
        return len(file["points/energy"])


class Signals(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.output = Path(temporary.name) / "out.h5"

    def begin(self, *arguments, ignored=None):
        """A run that has made its first checkpoint."""
        command = [harness.PROGRAM, *map(str, arguments), "-o", str(self.output)]
        # a signal that is ignored stays so for the program that is begun: that is what nohup does
        old = signal.signal(ignored, signal.SIG_IGN) if ignored else None
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        if ignored:
            signal.signal(ignored, old)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(harness.wait_for(Path(f"{self.output}.checkpoint").exists))
        time.sleep(0.3)
        return process

    def test_each_ends_a_run_that_can_be_read_and_resumed(self):
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            with self.subTest(number.name):
                process = self.begin("run", CRADLE, "--set", "time.end=6000")
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), 75)
                part = Path(f"{self.output}.part")
                self.assertEqual(harness.must(harness.run("compare", part, part)).returncode, 0)

    def test_a_hangup_that_is_ignored_stays_so(self):
        process = self.begin("run", CRADLE, "--set", "time.end=6000", ignored=signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), 75)

    def test_quitting_ends_at_once_as_a_kill_does(self):
        process = self.begin("run", CRADLE, "--set", "time.end=6000")
        process.send_signal(signal.SIGQUIT)
        self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), -signal.SIGQUIT)
        process = self.begin("run", CRADLE, "--set", "time.end=6000", "--resume")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), 75)

    def test_a_reader_that_goes_away_is_an_error_of_writing(self):
        process = self.begin("run", CRADLE, "--set", "time.end=6000")
        process.send_signal(signal.SIGPIPE)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "a broken pipe is told by the write that fails, not by its signal")
        process.kill()
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([harness.PROGRAM, "run", CRADLE, "-o", self.output], stdout=writing, check=False,
                              stderr=subprocess.PIPE, text=True)
        os.close(writing)
        self.assertEqual(done.returncode, 74)
        self.assertIn("Broken pipe", done.stderr)
        harness.must(harness.run("compare", self.output, self.output))

    def test_a_long_point_is_left_and_begun_anew(self):
        process = self.begin(*LONG_POINT)
        time.sleep(1.0)
        self.assertIsNone(process.poll(), "the point should take longer")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10 * harness.TIME_FACTOR), 75)
        part = Path(f"{self.output}.part")
        # the point that was not found is none: the first one alone is there
        self.assertEqual(points(part), 1)
        process = harness.start(*LONG_POINT, "-o", self.output, "--resume")
        time.sleep(1.0)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=10 * harness.TIME_FACTOR), 75)
        self.assertEqual(points(part), 1)

    def test_frequencies_beyond_all_measure_end(self):
        # Frequencies from far above to a wall that is near: all are looked at, none of the far ones has an orbit
        for first in ("1.0e20", "1.0e300"):
            done = harness.run("run", MODES, "-o", self.output, "-q", "--set", f"analysis.from={first}", limit=60)
            harness.must(done)
        for first in ("1.0e-16", "1.0e-300"):
            done = harness.run("run", MODES, "-o", self.output, "-q", "--set", f"analysis.from={first}", limit=60)
            harness.must(done, 65)
            self.assertIn("swings of the model's fastest mode", done.stderr)


if __name__ == "__main__":
    unittest.main()
