#!/usr/bin/python3
"""/contacts against the full histories, step by step: the range of each gap, poundings, largest force, impulse in all
and of the largest phase of contact, by every strategy; and what /summary says of them."""

import math
import re
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

STEPS = ("--set", "strategy.type=time-stepping", "--set", "time.step=5e-4")
BUILDINGS = harness.ROOT / "decks" / "two_shear_buildings.cfg"
BALLS = harness.ROOT / "decks" / "ball_events.cfg"
SHORT = ("--set", "time.end=8.0")

RUNS = {
    "event-driven, elastic": (BUILDINGS, *SHORT),
    "event-driven, rigid": (BALLS,),
    "penalty": (BUILDINGS, *SHORT, "--set", "integrator.type=trapezoidal", "--set", "strategy.type=penalty",
                "--set", "time.step=5e-4"),
    "Hertz": (BUILDINGS, *SHORT, "--set", "integrator.type=trapezoidal", "--set", "strategy.type=penalty",
              "--set", "strategy.law=hertz", "--set", "time.step=5e-4"),
    "Moreau-Jean": (BUILDINGS, *SHORT, "--set", "integrator.type=theta", "--set", "strategy.type=time-stepping",
                    "--set", "time.step=5e-4"),
    "generalized-alpha": (BUILDINGS, *SHORT, "--set", "integrator.type=generalized-alpha", "--set",
                          "strategy.type=time-stepping", "--set", "strategy.level=both", "--set", "time.step=5e-4"),
    "Lagrange multipliers": (BUILDINGS, *SHORT, *STEPS, "--set", "integrator.type=trapezoidal", "--set",
                             "strategy.level=position"),
    "nodal boundary method": (harness.ROOT / "decks" / "nbm_bar.cfg",),
}

# where a law gives a force: of the others impulse over step is no force, and none is told
FORCES = {"event-driven, elastic", "penalty", "Hertz", "nodal boundary method"}


def largest_phase(impulses):
    """The largest sum of impulses that follow one another without one of nothing between."""
    largest = phase = 0.0
    for impulse in impulses:
        phase = phase + impulse if impulse > 0 else 0.0
        largest = max(largest, phase)
    return largest


def poundings(file, contact):
    """Closings and impacts after the start; a rest that begins where the contact's last impact was is none."""
    count, last = 0, None
    start = file["history/time"][0]
    names = {number: name for name, number in h5py.check_enum_dtype(file["events/kind"].dtype).items()}
    for time, where, kind in zip(file["events/time"][:], file["events/contact"][:], file["events/kind"][:]):
        name = names[kind]
        if where != contact or name not in ("impact", "close") or time <= start:
            continue
        count += name == "impact" or time != last
        last = time if name == "impact" else last
    return count


class ContactTotals(unittest.TestCase):
    def check_peak(self, name, peak, expected):
        if name in FORCES:
            self.assertEqual(peak, expected)
        else:
            self.assertTrue(math.isnan(peak), peak)

    def check_extremes(self, name, file, totals, ends):
        """Fixed steps have their ends alone, and a ball is highest at its start and lowest at events. Between events the
        motion of buildings is smooth: its extremes lie inside of steps, of forces by up to (omega h)^2 / 8 = 5.5e-3
        of them beyond the ends, at 30 steps a period, of gaps by 1e-4 of their range (.6e-4 is found)."""
        low, high, force = ends
        if name != "event-driven, elastic":
            self.assertEqual((totals["gap_min"], totals["gap_max"]), (low, high))
            self.check_peak(name, totals["peak_force"], force)
            return
        beyond = 1e-4 * (high - low)
        self.assertTrue(low - beyond <= totals["gap_min"] <= low, (totals["gap_min"], low))
        self.assertTrue(high <= totals["gap_max"] <= high + beyond, (totals["gap_max"], high))
        if name in FORCES:
            self.assertTrue(force <= totals["peak_force"] <= 1.0055 * force, (totals["peak_force"], force))
        else:
            self.check_peak(name, totals["peak_force"], force)

    def check_contact(self, name, file, j):
        totals = {name: values[j] for name, values in file["contacts"].items()}
        time, gap = file["history/time"][:], file["history/gap"][:, j]
        force = file["history/contact_force"][:, j]
        if "contact_impulse" in file["history"]:
            impulses = file["history/contact_impulse"][:, j]
        else:
            impulses = np.concatenate(([0.0], np.diff(time) * (force[1:] + force[:-1]) / 2))
        self.assertEqual(totals["contact"], j)
        self.check_extremes(name, file, totals, (gap.min(), gap.max(), max(force.max(), 0)))
        # sums of thousands of terms in another order; of springs event by event, whose impulses are exact, the
        # trapezoids of step ends err by some (omega h)^2 / 12 = 4e-3 at the default of 30 steps a period
        scale = (1e-12 if name != "event-driven, elastic" else 5e-3) * (1 + abs(impulses).sum())
        self.assertAlmostEqual(totals["impulse"], impulses.sum(), delta=scale)
        self.assertAlmostEqual(totals["peak_impulse"], largest_phase(impulses), delta=scale)
        self.assertEqual(totals["poundings"], poundings(file, j))
        return totals

    def check_words(self, name, words, summary):
        """The line of the summary: four digits of what the attributes have, and a force only where there is one."""
        found = re.search(r"^poundings +(\d+), (?:force up to (\S+) N, )?impulse up to (\S+) N s$", words, re.M)
        self.assertIsNotNone(found, words)
        self.assertEqual(int(found[1]), summary["poundings"])
        self.assertEqual(found[2] is not None, name in FORCES)
        if name in FORCES:
            self.assertEqual(found[2], f"{summary['peak_force']:.4g}")
        self.assertEqual(found[3], f"{summary['peak_impulse']:.4g}")

    def test_are_those_of_the_histories(self):
        for name, (deck, *settings) in RUNS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                output = Path(folder) / "run.h5"
                done = harness.must(harness.run("run", deck, "-o", output, *settings, "--set", "output.every=0"))
                with h5py.File(output) as file:
                    totals = [self.check_contact(name, file, j) for j in range(file["history/gap"].shape[1])]
                    summary = dict(file["summary"].attrs)
                self.assertGreater(summary["poundings"], 0)
                self.assertEqual(summary["poundings"], sum(one["poundings"] for one in totals))
                self.check_peak(name, summary["peak_force"], max(one["peak_force"] for one in totals))
                self.assertEqual(summary["peak_impulse"], max(one["peak_impulse"] for one in totals))
                self.check_words(name, done.stdout, summary)

    def test_are_listed(self):
        listed = harness.must(harness.run("list", "results")).stdout
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "run.h5"
            harness.must(harness.run("run", BUILDINGS, "-o", output, "--set", "time.end=0.1", "-q"))
            with h5py.File(output) as file:
                for name in file["contacts"]:
                    self.assertIn(f"/contacts/{name} ", listed)
        self.assertIn("/history/drift ", listed)

    def test_do_not_depend_on_what_is_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            found = []
            for every in ("0", "0.5"):
                output = Path(folder) / f"run{every}.h5"
                harness.must(harness.run("run", BUILDINGS, "-o", output, *SHORT, "--set", f"output.every={every}",
                                         "--set", "output.histories=[\"gap\"]", "-q"))
                with h5py.File(output) as file:
                    found.append({name: values[:] for name, values in file["contacts"].items()})
            for name, values in found[0].items():
                self.assertTrue((values == found[1][name]).all(), name)


if __name__ == "__main__":
    unittest.main()
