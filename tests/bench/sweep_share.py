#!/usr/bin/python3
"""How much of two processors a study of 100 runs uses: the time of its processes, user and system, over twice the wall
clock's. The building of building_pounding in ten earthquakes with ten gaps, as in sweep_gap, by the paper's step or the
longer one of sweep_gap, whose runs are so short that the modes, a twentieth of all, count.

    tests/bench/sweep_share.py [--longer-steps] [PROGRAM]

The figure says something of the program only while nothing else runs: what others took is printed beside it. Where the
rest went is told by the cases themselves: the modes, which one process computes while the other waits for them, and what
a case waits in all (for the disk, mostly), by a case run alone."""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
LONGER = "--longer-steps" in sys.argv[1:]
WORDS = [word for word in sys.argv[1:] if word != "--longer-steps"]
PROGRAM = WORDS[0] if WORDS else str(ROOT / "build" / "signorini")
JOBS, GOAL, QUIET = 2, 0.95, 0.02
GAPS = "values = [0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1]"


def write_study(folder):
    text = (ROOT / "decks" / "sweep_gap.cfg").read_text(encoding="utf-8")
    text = text.replace('deck = "', f'deck = "{ROOT}/decks/').replace('pattern = "', f'pattern = "{ROOT}/decks/')
    text, changed = re.subn(r"values = \[[^]]*\]", GAPS, text)
    if changed != 1:
        raise SystemExit("sweep_gap.cfg has no list of gaps any more")
    if not LONGER:
        text, changed = re.subn(r"^set = .*$", "", text, flags=re.M)
        if changed != 1:
            raise SystemExit("sweep_gap.cfg has no steps of its own any more")
    study = folder / "hundred.cfg"
    study.write_text(text, encoding="utf-8")
    return study


def measure(command):
    """Wall clock, processor time of the command with all its processes, and of everything else on the machine, s."""
    machine = busy_seconds()
    begin = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(map(str, command))}")
    own = usage.ru_utime + usage.ru_stime
    return wall, own, busy_seconds() - machine - own


def busy_seconds():
    """All processors' time but idle and waiting for disks."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def main():
    if resource.getrlimit(resource.RLIMIT_CPU)[0] != resource.RLIM_INFINITY:
        raise SystemExit("a limit of processor time is set")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        study = write_study(folder)
        sweep = [PROGRAM, "sweep", study, "-q", "-o", folder / "out"]
        wall, own, others = measure([*sweep, "--jobs", str(JOBS)])
        with h5py.File(folder / "out" / "summary.h5", "r") as file:
            cases = len(file["case"])
            seconds = file["wall_seconds"][()]
        modes = max(modes_seconds(path) for path in (folder / "out").glob("case-*.h5"))
        (folder / "out" / "case-0001.h5").unlink()
        alone, used, _ = measure([*sweep, "--case", "1"])
    share = own / (JOBS * wall)
    print(f"{cases} runs, {JOBS} at once: {wall:.1f} s, {own:.1f} s of processors: {100 * share:.1f} % of {JOBS}")
    print(f"while no process waits for the modes: {100 * own / (JOBS * wall - (JOBS - 1) * modes):.1f} %")
    print(f"others took {others:.1f} s, {100 * others / (JOBS * wall):.1f} %")
    print(f"modes, by one process: {modes:.2f} s, {100 * modes / (JOBS * wall):.1f} %; a run {sorted(seconds)[cases // 2]:.2f} s")
    print(f"a run alone waits {1e3 * (alone - used):.0f} ms of {1e3 * alone:.0f} ms")
    if others > QUIET * JOBS * wall:
        raise SystemExit("the machine was not quiet: the figure tells nothing")
    if share < GOAL:
        raise SystemExit(f"below the goal of {100 * GOAL:.0f} %")


def modes_seconds(path):
    with h5py.File(path, "r") as file:
        return float(file["summary"].attrs["modes_seconds"])


if __name__ == "__main__":
    main()
