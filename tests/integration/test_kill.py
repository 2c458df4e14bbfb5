#!/usr/bin/python3
"""Whatever moment a run is killed at, the rows in its file are right, and --resume ends in the bits of the
undisturbed run. The moments are random: SIGNORINI_SEED repeats them, SIGNORINI_KILLS says how many."""

import os
import random
import signal
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py

import harness

SEED = int(os.environ.get("SIGNORINI_SEED", str(time.time_ns() % 1000000)))
KILLS = int(os.environ.get("SIGNORINI_KILLS", "50"))
KILLS_A_CHAIN = 5
TERMINATIONS = 6
SECONDS = 1.0  # of the undisturbed run


def counts(path):
    """What the summary counts over all parts of a run; time and factorisations of an empty cache apart."""
    with h5py.File(path, "r") as file:
        return {name: int(file["summary"].attrs[name]) for name in ("steps", "events", "solves", "rejected_steps")}


class Trial:
    """One output that is disturbed again and again, and finished at last."""

    def __init__(self, job, reference, folder, name):
        self.job, self.reference = job, reference
        self.output = folder / f"{name}.h5"
        self.part = Path(f"{self.output}.part")
        self.log = folder / f"{name}.log"  # stderr of all parts of the run

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def checkpoint_exists(self):
        return Path(f"{self.output}.checkpoint").exists() or Path(f"{self.output}.checkpoint.old").exists()

    def start(self):
        """Goes on where there is something to go on from."""
        more = ("--resume",) if self.checkpoint_exists() else ()
        with open(self.log, "a") as log:
            print("--", *more, [path.name for path in self.output.parent.glob(self.output.name + "*")], file=log,
                  flush=True)
            return harness.start(*self.job.command(self.output, *more), errors=log)

    def disturb(self, number, delay):
        """The signal after a delay (s): the exit code, and how long the end took (s)."""
        process = self.start()
        try:
            process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        sent = time.monotonic()
        code = process.wait(timeout=60 * harness.TIME_FACTOR)
        return code, time.monotonic() - sent

    def interrupt(self, number):
        """The signal as soon as there is something to go on from, long before the end: the exit code."""
        process = self.start()
        harness.wait_for(lambda: self.checkpoint_exists() or process.poll() is not None)
        process.send_signal(number)
        return process.wait(timeout=60 * harness.TIME_FACTOR)

    def finish(self):
        more = ("--resume",) if self.checkpoint_exists() or self.output.exists() else ()
        harness.must(harness.run(*self.job.command(self.output, *more), limit=60))

    def wrong_rows(self):
        """Datasets of the unfinished file whose rows are not those of the reference, and the row count."""
        if not self.part.exists() or not self.checkpoint_exists():
            return [], 0  # killed before anything was promised
        # totals are of what has been done so far, and written anew
        found = {name: rows for name, rows in harness.read_series(self.part, swmr=True).items()
                 if not name.startswith("contacts/")}
        wrong = [name for name, rows in found.items()
                 if not harness.same_bits(rows, self.reference[name][:len(rows)])]
        return wrong, len(found["history/time"])

    def status(self):
        with h5py.File(self.part, "r", swmr=True) as file:
            return harness.text(file.attrs["status"])


class Kill(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"SIGNORINI_SEED={SEED}", flush=True)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.job = harness.Job(cls.folder, SECONDS)
        cls.reference = harness.read_series(cls.job.reference)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def trial(self, name):
        return Trial(self.job, self.reference, self.folder, name)

    def assert_finished(self, trial):
        trial.finish()
        self.assertEqual(harness.differing(harness.read_series(trial.output), self.reference), [], trial.said())
        self.assertEqual(counts(trial.output), counts(self.job.reference), trial.said())
        self.assertEqual(harness.leftovers(trial.output), [], trial.said())

    def chain_of_kills(self, index):
        """The numbers of kills that hit, and of rows that they left."""
        moments, trial, kills, rows = random.Random(SEED * 1000 + index), self.trial(f"kill{index}"), 0, []
        for _ in range(20 * KILLS_A_CHAIN):
            if kills == KILLS_A_CHAIN:
                break
            if trial.output.exists():
                self.assert_finished(trial)  # the moment came too late: begin again
                trial.output.unlink()
            code, _ = trial.disturb(signal.SIGKILL, moments.uniform(0.0, 0.9 * self.job.seconds))
            self.assertIn(code, (0, -signal.SIGKILL), trial.said())
            if code != 0:
                kills += 1
                wrong, count = trial.wrong_rows()
                self.assertEqual(wrong, [], f"after kill {kills} of chain {index}: {trial.said()}")
                rows.append(count)
        self.assert_finished(trial)
        return kills, rows

    def test_kill(self):
        chains = range((KILLS + KILLS_A_CHAIN - 1) // KILLS_A_CHAIN)
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            done = list(pool.map(self.chain_of_kills, chains))
        self.assertGreaterEqual(sum(kills for kills, _ in done), KILLS)
        self.assertTrue(any(count > 0 for _, rows in done for count in rows), "kills in the midst of rows")

    def test_terminate(self):
        moments, hits, length = random.Random(SEED), 0, self.job.seconds
        for index in range(5 * TERMINATIONS):
            trial = self.trial(f"term{index}")
            number = signal.SIGTERM if index % 2 == 0 else signal.SIGINT
            code, seconds = trial.disturb(number, moments.uniform(0.05, 0.8) * length)
            if code == 0:
                length *= 0.8  # the machine was busier when the job was measured
            # before its handler is there a signal ends the program, after the last step it is too late
            if code in (0, -number):
                continue
            hits += 1
            self.assertEqual(code, 75, trial.said())
            self.assertLess(seconds, 1.0 * harness.TIME_FACTOR, trial.said())
            self.assertEqual(trial.status(), "interrupted", trial.said())
            self.assertEqual(trial.wrong_rows()[0], [], trial.said())
            self.assert_finished(trial)
            if hits == TERMINATIONS:
                break
        self.assertEqual(hits, TERMINATIONS)

    def test_second_writer_is_refused(self):
        trial = self.trial("twice")
        process = trial.start()
        try:
            self.assertTrue(harness.wait_for(trial.checkpoint_exists))
            process.send_signal(signal.SIGSTOP)
            for more in ((), ("--resume",)):
                second = harness.run(*self.job.command(trial.output, *more))
                self.assertIsNone(process.poll(), "the first run should have lasted longer")
                self.assertEqual(second.returncode, 73, second.stderr)
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(timeout=60 * harness.TIME_FACTOR), 0, trial.said())
        finally:
            process.kill()
            process.wait()
        self.assertEqual(harness.differing(harness.read_series(trial.output), self.reference), [])

    def test_resume_of_a_changed_deck_is_refused(self):
        trial = self.trial("changed")
        self.assertEqual(trial.interrupt(signal.SIGTERM), 75, trial.said())
        changed = harness.run(*self.job.command(trial.output, "--resume", "--set", "integrator.rho_inf=0.5"))
        self.assertEqual(changed.returncode, 65, changed.stderr)
        self.assert_finished(trial)

    def test_resume_of_a_complete_run_does_nothing(self):
        before = self.job.reference.read_bytes()
        harness.must(harness.run(*self.job.command(self.job.reference, "--resume")))
        self.assertEqual(self.job.reference.read_bytes(), before)

    def test_a_run_that_fails_leaves_the_old_output(self):
        trial = self.trial("replaced")
        trial.output.write_bytes(b"old")
        self.assertEqual(trial.interrupt(signal.SIGKILL), -signal.SIGKILL, trial.said())
        self.assertEqual(trial.output.read_bytes(), b"old")


if __name__ == "__main__":
    unittest.main()
