#!/usr/bin/python3
"""A sweep in several processes: the same file whatever their number, also when it was interrupted; no process is left
behind; a process that dies is told."""

import os
import signal
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

DECK = harness.ROOT / "decks" / "forced_response.cfg"
SHORT = ("--set", "analysis.count=7", "--set", "analysis.dampings=[0.2, 0.4]")


def points(path):
    with h5py.File(path) as file:
        found = {}
        file["points"].visititems(
            lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return found


def children(pid):
    """Processes whose parent is pid."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def wait_for(condition, seconds=30):
    """What the condition gives once it is true; None if it never is."""
    end = time.monotonic() + seconds * harness.TIME_FACTOR
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.005)
    return None


class ForcedResponse(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def sweep(self, name, *arguments):
        output = self.folder / name
        harness.must(harness.run("run", DECK, "-o", output, "-q", *SHORT, *arguments, limit=120))
        return points(output)

    def assert_same(self, one, other):
        self.assertEqual(sorted(one), sorted(other))
        for name, values in one.items():
            self.assertEqual(values.tobytes(), other[name].tobytes(), name)

    def test_any_number_of_processes(self):
        one = self.sweep("one.h5")
        self.assertEqual(len(one["energy"]), 7 * 4)
        self.assertTrue(np.all(one["branch"].reshape(7, 4) == np.arange(4)))
        self.assert_same(one, self.sweep("two.h5", "--jobs", "2"))
        self.assert_same(one, self.sweep("many.h5", "--jobs", "9"))

    def interrupt(self, number):
        """A sweep that gets a signal, as all of its processes do where it is typed at a terminal."""
        output = self.folder / f"signal{number}.h5"
        process = harness.start("run", DECK, "-o", output, "--jobs", "2", *SHORT)
        workers = wait_for(lambda: children(process.pid))
        self.assertTrue(workers)
        time.sleep(0.2)
        for pid in [process.pid, *workers]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass  # a point that was done
        self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), 75)
        self.assertIsNotNone(wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers)))
        self.assertTrue(output.with_name(output.name + ".part").exists())
        return output

    def test_interrupted_and_resumed(self):
        whole = self.sweep("whole.h5")
        for number, jobs in ((signal.SIGINT, "2"), (signal.SIGTERM, "1")):
            output = self.interrupt(number)
            self.assert_same(whole, self.sweep(output.name, "--resume", "--jobs", jobs))
            self.assertEqual(harness.leftovers(output), [])

    def test_a_process_that_dies(self):
        output, errors = self.folder / "dead.h5", self.folder / "errors"
        with errors.open("w") as file:
            process = harness.start("run", DECK, "-o", output, "--jobs", "2", *SHORT, errors=file)
            worker = wait_for(lambda: children(process.pid))
            self.assertTrue(worker)
            os.kill(worker[0], signal.SIGKILL)
            code = process.wait(timeout=60 * harness.TIME_FACTOR)
        self.assertEqual(code, 71)
        self.assertIn("the process was ended by signal 9", errors.read_text())
        self.assertEqual(children(process.pid), [])

    def test_where_there_are_no_points_apart(self):
        for deck in ("bouncing_ball", "integrator_map"):
            done = harness.run("run", harness.ROOT / "decks" / f"{deck}.cfg", "-o", self.folder / "no.h5", "--jobs", "2")
            harness.must(done, 64)
            self.assertIn("no points that can be computed apart", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_summary(self):
        """What became of the points, also when a run was stopped in between; and that ratios may have no sense."""
        output = self.folder / "words.h5"
        arguments = ("run", DECK, "-o", output, *SHORT, "--set", "analysis.max_periods=30")
        done = harness.must(harness.run(*arguments, limit=120))
        with h5py.File(output) as file:
            steady = file["points/steady"][:]
        self.assertTrue(np.any(steady > 0) and np.any(steady < 0))
        self.assertRegex(done.stdout, rf"(?m)^periodic +{np.sum(steady > 0)}$")
        self.assertRegex(done.stdout, rf"(?m)^not steady +{np.sum(steady < 0)} after 30 periods$")
        done = harness.must(harness.run("check", DECK, "--set", "contacts.[0].gap=0"))
        self.assertIn("`energy_ratio` will be no number", done.stderr)
        self.assertRegex(done.stdout, r"(?m)^  reference .*rad/s, no energy$")

    def test_drawn(self):
        """By branches, each of which is named by what it alone has."""
        self.sweep("drawn.h5")
        picture = self.folder / "drawn.svg"
        harness.must(harness.run("plot", self.folder / "drawn.h5", "-o", picture))
        words = picture.read_text(encoding="utf-8")
        for name in ("F0.05 c0.2", "F0.005 c0.4", "energy ratio", "contact share"):
            self.assertIn(name, words)
        self.assertNotIn(" up", words)


if __name__ == "__main__":
    unittest.main()
