#!/usr/bin/python3
"""A run that dies before any one of its calls that change a file or a folder, or in the midst of a write, and
again while it is resumed: the rows in its file are right each time, and the end is that of the undisturbed run,
bit for bit.

test_kill.py hits such a moment once in hundreds of kills; here each death has its place. The calls that are no
plain writes of results are few: a short run dies before each of them. Of the writes some are drawn:
SIGNORINI_SEED repeats the choice, SIGNORINI_CRASHES says how many chains of deaths."""

import os
import random
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness

SEED = int(os.environ.get("SIGNORINI_SEED", str(time.time_ns() % 1000000)))
CHAINS = int(os.environ.get("SIGNORINI_CRASHES", "12"))
DEATHS = 6  # in one chain; of the faulty resume that this test was made for, a quarter of such chains told
DECK = harness.ROOT / "decks" / "bouncing_bar.cfg"
COMMON = ("--set", "integrator.rho_inf=1.0", "--progress=never", "-q")
OFTEN = ("--set", "output.checkpoint=1e-9")  # at each occasion
# some 10 chunks of rows, a dozen flushes
LONG = ("--set", "time.end=0.2", "--set", "output.every=1e-5")
# two chunks and two checkpoints
SHORT = ("--set", "time.end=0.1", "--set", "output.every=5e-5", *OFTEN)
SHIM = Path(__file__).with_name("end_at_write.c")


class Life:
    """The undisturbed run of some settings: its rows, and its calls in order, (name, pages begun, file)."""

    def __init__(self, folder, shim, name, settings):
        self.folder, self.shim, self.name, self.settings = folder, shim, name, (*COMMON, *settings)
        output, calls = folder / f"{name}.h5", folder / f"{name}.calls"
        done = self.run(output, CALLS=calls)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        self.rows = harness.read_series(output)
        # a summary's writes go through the C library's own
        self.calls = [(name, int(pages), Path(path[0]).suffix if path else "")
                      for name, pages, *path in map(str.split, calls.read_text().splitlines())]

    def run(self, output, *more, **shim):
        """The ended run; shim: what end_at_write.c is told, nothing: it isn't there."""
        environment = dict(os.environ)
        if shim:
            environment.update(LD_PRELOAD=str(self.shim), **{key: str(value) for key, value in shim.items()})
        command = [harness.PROGRAM, "run", DECK, "-o", output, *self.settings, *more]
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60 * harness.TIME_FACTOR, check=False)

    def places(self, wanted):
        return [place for place, call in enumerate(self.calls) if wanted(*call)]


def promised(output):
    """Whether a run that died has left something that a resume must find the way on from."""
    return output.exists() or any(Path(f"{output}{end}").exists() for end in (".checkpoint", ".checkpoint.old"))


def names(output):
    return sorted(path.name for path in output.parent.glob(output.name + "*"))


@unittest.skipIf(harness.TIME_FACTOR > 1, "sanitizers want to be loaded before all else")
class Crash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"SIGNORINI_SEED={SEED}", flush=True)
        # in memory, where there is such a folder: a process dies here, no disk, and nothing waits for fsync
        cls.temporary = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        cls.folder = Path(cls.temporary.name)
        shim = cls.folder / "end_at_write.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", shim, SHIM, "-ldl"], check=True)
        cls.long = Life(cls.folder, shim, "long", LONG)
        cls.often = Life(cls.folder, shim, "often", (*LONG, *OFTEN))
        cls.short = Life(cls.folder, shim, "short", SHORT)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def die(self, life, output, place, *more, tear=0):
        """The run ends at the place: whether it got there."""
        done = life.run(output, *more, END_AT=place, TEAR=tear)
        self.assertIn(done.returncode, (0, -9), (place, tear, more, names(output), done.stderr))
        return done.returncode != 0

    def recover(self, life, output, story):
        """--resume ends in the undisturbed bits; where nothing was promised it may say that it can't."""
        story, due = (story, names(output)), promised(output)
        done = life.run(output, "--resume")
        if not due and done.returncode == 66:
            self.assertIn("without --resume the run begins anew", done.stderr, story)
            done = life.run(output)
        self.assertEqual(done.returncode, 0, (story, done.stderr))
        self.assertEqual(harness.differing(harness.read_series(output), life.rows), [], story)
        self.assertEqual(harness.leftovers(output), [], story)

    def each(self, test, places):
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            return list(pool.map(test, places))

    def test_death_before_each_call(self):
        def one(place):
            output = self.folder / f"each{place}.h5"
            self.assertTrue(self.die(self.short, output, place))
            self.recover(self.short, output, self.short.calls[place])

        places = self.short.places(lambda name, pages, suffix: name != "pwrite")
        seen = {self.short.calls[place][0] for place in places}
        self.assertEqual(seen, {"create", "fallocate", "fsync", "ftruncate", "rename", "unlink", "write"})
        self.each(one, places)

    def test_death_of_a_new_run_over_the_remains_of_another(self):
        """Its results go with no memory of the earlier run."""
        before_end = self.short.places(lambda name, pages, suffix: name == "rename")[-1]
        first = self.short.places(lambda name, pages, suffix: name == "rename")[0]

        def one(place):
            output = self.folder / f"over{place}.h5"
            self.assertTrue(self.die(self.short, output, before_end))
            self.assertTrue(promised(output))
            self.assertTrue(self.die(self.short, output, place))
            self.recover(self.short, output, self.short.calls[place])

        places = self.short.places(lambda name, pages, suffix: name != "pwrite")
        self.each(one, [place for place in places if place <= first + 1])

    def test_death_within_writes(self):
        def one(place):
            output, tear = self.folder / f"torn{place}.h5", 1 + place % 3
            self.assertTrue(self.die(self.short, output, place, tear=tear))
            self.recover(self.short, output, (tear, self.short.calls[place]))

        places = self.short.places(lambda name, pages, suffix: pages > 0)
        self.each(one, random.Random(SEED).sample(places, min(12, len(places))))

    def chain(self, index):
        """The number of deaths that left rows, all of them right."""
        life = self.often if index % 3 == 0 else self.long
        moments, output, told = random.Random(SEED * 1000 + index), self.folder / f"chain{index}.h5", 0
        deaths = []
        for _ in range(DEATHS):
            deaths.append((moments.randrange(len(life.calls)), moments.randrange(4)))
            more = ("--resume",) if promised(output) else ()
            if not self.die(life, output, deaths[-1][0], *more, tear=deaths[-1][1]):
                break
            if not promised(output) or output.exists():
                continue
            found = harness.read_series(Path(f"{output}.part"), swmr=True)
            wrong = [name for name, rows in found.items()
                     if not harness.same_bits(rows, life.rows[name][:len(rows)])]
            self.assertEqual(wrong, [], deaths)
            told += len(found["history/time"]) > 1
        self.recover(life, output, deaths)
        return told

    def test_chains_of_deaths(self):
        self.assertGreater(sum(self.each(self.chain, range(CHAINS))), CHAINS)

    def test_resume_without_results(self):
        """The output was taken away in the moment before its checkpoints were to go."""
        output = self.folder / "taken.h5"
        rename = self.short.places(lambda name, pages, suffix: name == "rename")[-1]
        self.assertTrue(self.die(self.short, output, rename + 1))
        output.unlink()
        done = self.short.run(output, "--resume")
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn(".part': No such file or directory\n  hint: without --resume", done.stderr)


if __name__ == "__main__":
    unittest.main()
