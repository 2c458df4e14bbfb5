#!/usr/bin/python3
"""A run that dies between two writes of one flush, and again while it is resumed: the rows in its file are
right each time, and the end is that of the undisturbed run, bit for bit.

test_kill.py hits such a moment once in hundreds of kills; here each death is before a chosen write.
SIGNORINI_SEED repeats the choice, SIGNORINI_CRASHES says how many chains of deaths."""

import os
import random
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import harness

SEED = int(os.environ.get("SIGNORINI_SEED", str(time.time_ns() % 1000000)))
CHAINS = int(os.environ.get("SIGNORINI_CRASHES", "12"))
DEATHS = 6  # in one chain; of the faulty resume that this test was made for, a quarter of such chains told
DECK = harness.ROOT / "decks" / "bouncing_bar.cfg"
# some 10 chunks of rows, a dozen flushes
SETTINGS = ("--set", "integrator.rho_inf=1.0", "--set", "time.end=0.2", "--set", "output.every=1e-5",
            "--progress=never", "-q")
SHIM = Path(__file__).with_name("end_at_write.c")


@unittest.skipIf(harness.TIME_FACTOR > 1, "sanitizers want to be loaded before all else")
class Crash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"SIGNORINI_SEED={SEED}", flush=True)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.shim = cls.folder / "end_at_write.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", cls.shim, SHIM, "-ldl"], check=True)
        cls.writes = cls.count_writes()
        cls.reference = harness.read_series(cls.folder / "reference.h5")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_to(cls, output, end_at, *more):
        """The exit code of a run that dies before write `end_at`; None: it may live."""
        environment = dict(os.environ)
        if end_at is not None:
            environment.update(LD_PRELOAD=str(cls.shim), END_AT=str(end_at))
        command = [harness.PROGRAM, "run", DECK, "-o", output, *SETTINGS, *more]
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              timeout=60 * harness.TIME_FACTOR, check=False).returncode

    @classmethod
    def dies(cls, output, end_at):
        code = cls.run_to(output, end_at)
        if code not in (0, -9):
            raise AssertionError(f"exit {code} of a run that was to die before write {end_at}")
        return code != 0

    @classmethod
    def count_writes(cls):
        """The most writes of a run that may live, by bisection; leaves reference.h5."""
        output, low, high = cls.folder / "reference.h5", 0, 1
        while cls.dies(output, high):
            low, high = high, 2 * high
        while high - low > 8:
            middle = (low + high) // 2
            low, high = (middle, high) if cls.dies(output, middle) else (low, middle)
        harness.must(harness.run("run", DECK, "-o", cls.folder / "reference.h5", *SETTINGS))
        return high

    @staticmethod
    def promised(output):
        return any(Path(f"{output}{end}").exists() for end in (".checkpoint", ".checkpoint.old"))

    def chain(self, index):
        """The number of deaths that left rows, all of them right."""
        moments, output, told = random.Random(SEED * 1000 + index), self.folder / f"crash{index}.h5", 0
        code, deaths = None, []
        for _ in range(DEATHS):
            deaths.append(moments.randrange(self.writes))
            code = self.run_to(output, deaths[-1], *(("--resume",) if self.promised(output) else ()))
            if code == 0:
                break
            self.assertEqual(code, -9, deaths)
            if not self.promised(output) or output.exists():
                continue
            found = harness.read_series(Path(f"{output}.part"), swmr=True)
            wrong = [name for name, rows in found.items()
                     if not harness.same_bits(rows, self.reference[name][:len(rows)])]
            self.assertEqual(wrong, [], deaths)
            told += len(found["history/time"]) > 1
        if code != 0:
            more = ("--resume",) if self.promised(output) or output.exists() else ()
            self.assertEqual(self.run_to(output, None, *more), 0, deaths)
        self.assertEqual(harness.differing(harness.read_series(output), self.reference), [], deaths)
        return told

    def test_death_between_two_writes(self):
        told = sum(self.chain(index) for index in range(CHAINS))
        self.assertGreater(told, CHAINS)


if __name__ == "__main__":
    unittest.main()
