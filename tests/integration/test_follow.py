#!/usr/bin/python3
"""A reader follows a running job: rows appear while it runs, and what was read once stays as it is."""

import tempfile
import unittest
from pathlib import Path

import h5py

import harness


def opened(path):
    """The file for following, or None as long as it is not ready for readers."""
    try:
        file = h5py.File(path, "r", swmr=True)
    except OSError:
        return None
    if "history/time" in file:
        return file
    file.close()
    return None


class Follow(unittest.TestCase):
    def test_rows_appear(self):
        with tempfile.TemporaryDirectory() as name:
            job = harness.Job(Path(name), seconds=6.0)
            output = Path(name) / "followed.h5"
            process = harness.start(*job.command(output))
            try:
                seen = self.follow(process, Path(f"{output}.part"))
                self.assertEqual(process.wait(timeout=120 * harness.TIME_FACTOR), 0)
            finally:
                process.kill()
                process.wait()
            final = harness.read_series(output)
            for times, gaps in seen:
                self.assertTrue(harness.same_bits(times, final["history/time"][:len(times)]))
                self.assertTrue(harness.same_bits(gaps, final["history/gap"][:len(gaps)]))

    def follow(self, process, part):
        """What a reader sees at three or more moments of the run, more rows each time."""
        file = harness.wait_for(lambda: opened(part))
        self.assertIsNotNone(file, "a running job's file opens with swmr=True")
        seen, times, gaps = [], file["history/time"], file["history/gap"]
        with file:
            while process.poll() is None and len(seen) < 20:
                times.refresh()
                gaps.refresh()
                rows = min(len(times), len(gaps))
                if rows > (len(seen[-1][0]) if seen else 0):
                    seen.append((times[:rows], gaps[:rows]))
                harness.wait_for(lambda: process.poll() is not None, limit=0.1 / harness.TIME_FACTOR)
        self.assertGreaterEqual(len(seen), 3, "new rows show while the job runs")
        return seen


if __name__ == "__main__":
    unittest.main()
