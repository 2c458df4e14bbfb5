"""What the integration tests share: running the program, reading its results, jobs of a chosen length.

The environment names the program (SIGNORINI) and how much slower than usual it is
(SIGNORINI_TIME_FACTOR, 10 under sanitizers)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SIGNORINI", str(ROOT / "build" / "signorini"))
TIME_FACTOR = float(os.environ.get("SIGNORINI_TIME_FACTOR", "1"))
# decks of `run`; those of other commands begin with what they are for
DECKS = [deck for deck in sorted((ROOT / "decks").glob("*.cfg")) if not deck.stem.startswith(("ground_motion", "sweep"))]
STUDIES = sorted((ROOT / "decks").glob("sweep_*.cfg"))
GROUND_MOTION = ROOT / "decks" / "ground_motion_ec8.cfg"


def run(*arguments, cwd=None, limit=60):
    """The finished program: returncode, stdout, stderr. Raises when the limit (s) is passed."""
    command = [PROGRAM, *map(str, arguments)]
    # bytes that are no UTF-8 must not stop the test that looks for them
    return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="surrogateescape", timeout=limit * TIME_FACTOR, check=False)


def start(*arguments, errors=subprocess.DEVNULL):
    """The program in the background; its words are dropped, those to stderr unless a file is given."""
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=errors)


def must(done, code=0):
    """The finished program, if it exited as expected."""
    if done.returncode != code:
        raise AssertionError(f"exit {done.returncode}, not {code}: {' '.join(done.args)}\n{done.stderr}")
    return done


# begins the program and waits for it; small itself, since a process inherits the peak of the one that began it
_MEASURE = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
program = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(program, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_memory(*arguments):
    """The most memory that the program has while it runs, or one of its processes, kB."""
    command = [sys.executable, "-S", "-E", "-c", _MEASURE, PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return int(must(done).stdout)


def resolved(deck, *arguments):
    """The deck with every default and override filled in, as a dictionary."""
    return json.loads(must(run("check", "--json", deck, *arguments)).stdout)


def text(value):
    """An attribute or a scalar dataset as str, whether h5py gives str, bytes or a NUL-padded array."""
    if isinstance(value, h5py.Dataset):
        value = value[()]
    if isinstance(value, np.ndarray):
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode("utf-8")
    return value.rstrip("\0")


def leftovers(output):
    """Names beside an output that a finished run must not leave."""
    return sorted(path.name for path in output.parent.glob(output.name + ".*"))


def series(file):
    """Every dataset of /history, /events and /contacts by its path."""
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item

    for group in ("history", "events", "contacts"):
        if group in file:
            file[group].visititems(lambda name, item, group=group: keep(f"{group}/{name}", item))
    return found


def read_series(path, swmr=False):
    """The same as arrays."""
    with h5py.File(path, "r", swmr=swmr) as file:
        return {name: dataset[()] for name, dataset in series(file).items()}


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def differing(a, b):
    """Names of the datasets in which two results differ in any bit."""
    return sorted(name for name in a.keys() | b.keys()
                  if name not in a or name not in b or not same_bits(a[name], b[name]))


class Job:
    """A run of the bouncing bar that lasts about `seconds` on this machine, as it is loaded now.

    The bar bounces for ever, and with rho_inf = 1 its events never die out, so the end time decides
    how long the run takes. The undisturbed run is the reference."""

    DECK = ROOT / "decks" / "bouncing_bar.cfg"
    SETTINGS = ("--set", "integrator.rho_inf=1.0")

    def __init__(self, folder, seconds):
        deck_time = resolved(self.DECK)["time"]
        self.every = deck_time["end"] / 2000
        end, self.seconds = deck_time["end"], 0.0
        for _ in range(20):
            self.arguments = self._arguments(end)
            self.reference = folder / "reference.h5"
            begin = time.monotonic()
            must(run(*self.command(self.reference), limit=120))
            self.seconds = time.monotonic() - begin
            if self.seconds > 0.7 * seconds:
                return
            end *= min(8.0, 1.2 * seconds / max(self.seconds, 0.02))
        raise AssertionError(f"no run of {seconds} s to be had: {end} simulated seconds took {self.seconds} s")

    def _arguments(self, end):
        return (*self.SETTINGS, "--set", f"time.end={end!r}", "--set", f"output.every={self.every!r}",
                "--progress=never", "-q")

    def command(self, output, *more):
        return ("run", self.DECK, "-o", output, *self.arguments, *more)


def wait_for(condition, limit=10, pause=0.005):
    """Waits until condition() is true; its value, or None when the limit (s) has passed."""
    end = time.monotonic() + limit * TIME_FACTOR
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(pause)
    return None


def grid():
    """(integrator, strategy, formulation or "") of every cell."""
    listed = must(run("list", "grid")).stdout.splitlines()
    columns = [listed[0].index(word) for word in ("integrator", "strategy", "level", "contacts in")]
    return [tuple(line[a:b].strip() for a, b in zip(columns, columns[1:])) for line in listed[1:]]


def cell_settings(cell):
    """What makes a deck's pair that cell, for --set."""
    integrator, strategy, formulation = cell
    words = [f"integrator.type={integrator}", f"strategy.type={strategy}"]
    if formulation:
        words.append(f"strategy.{'level' if strategy == 'time-stepping' else 'form'}={formulation}")
    return words
