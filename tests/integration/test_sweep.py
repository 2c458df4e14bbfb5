#!/usr/bin/python3
"""Studies: the same table whatever the number of processes; failures told and kept; kills, interruptions and
changes survived; wrong studies refused with exact words."""

import csv
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

BASE = """
title = "a bar on a wall";
bodies = ( { type = "bar"; name = "bar"; length = 10.0; elements = 20; area = 1.0; modulus = 900.0;
             density = 1.0; mass = "average"; } );
initial = ( { body = "bar"; displacement = 5.0; } );
loads = ( { type = "gravity"; acceleration = -10.0; } );
contacts = ( { type = "wall"; name = "floor"; node = "bar.left"; position = 0.0; stiffness_factor = 100.0; } );
integrator = { type = "botr"; rho_inf = 0.5; };
strategy = { type = "event-driven"; gap_tolerance = 1.0e-8; time_tolerance = 1.0e-8; };
time = { end = 2.0; };
"""

STUDY = """
title = "damping and height";
deck = "bar.cfg";
folder = "out";
parameters = (
    { type = "list"; name = "rho"; path = "integrator.rho_inf"; values = [0.0, 0.5, 1.0]; },
    { type = "range"; name = "height"; path = "initial.[0].displacement"; from = 4.0; to = 5.0; count = 3; } );
keep = ( { type = "events"; },
         { type = "history"; history = "gap"; reduce = "min"; },
         { type = "history"; history = "contact_force"; reduce = "max"; name = "peak"; },
         { type = "history"; history = "energy/total"; reduce = "final"; },
         { type = "summary"; attribute = "steps"; } );
"""

# a run of some seconds: a bar of few elements for a long time
LONG = """
deck = "bar.cfg";
folder = "out";
set = ["time.end=LENGTH", "output.every=1.0", "integrator.rho_inf=1.0", "output.checkpoint=0.1"];
parameters = ( { type = "list"; name = "height"; path = "initial.[0].displacement"; values = [4.0, 5.0, 6.0]; } );
"""


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Study(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.put("bar.cfg", BASE)
        self.put("study.cfg", STUDY)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def sweep(self, *arguments, limit=60):
        return harness.run("sweep", "study.cfg", *arguments, cwd=self.folder, limit=limit)

    def start(self, *arguments):
        return subprocess.Popen([harness.PROGRAM, "sweep", "study.cfg", *arguments], cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True)

    def table(self, folder="out"):
        return (self.folder / folder / "summary.csv").read_bytes()

    def rows(self, folder="out"):
        return rows_of(self.folder / folder / "summary.csv")

    def times(self):
        """When each results file was written."""
        return {path.name: path.stat().st_mtime_ns for path in (self.folder / "out").glob("case-*.h5")}


class Tables(Study):
    def test_the_number_of_jobs_changes_nothing(self):
        for jobs in (1, 2, 5):
            harness.must(self.sweep("--jobs", jobs, "-o", f"out{jobs}"))
        self.assertEqual(self.table("out1"), self.table("out2"))
        self.assertEqual(self.table("out1"), self.table("out5"))
        self.assertEqual(len(self.rows("out1")), 9)

    def test_a_row_is_what_the_run_alone_gives(self):
        harness.must(self.sweep())
        row = self.rows()[5]
        self.assertEqual((row["case"], row["rho"], row["height"], row["status"], row["exit_code"]),
                         ("6", "0.5", "5", "complete", "0"))
        alone = self.folder / "alone.h5"
        harness.must(harness.run("run", self.folder / "bar.cfg", "-o", alone, "--set", "integrator.rho_inf=0.5",
                                 "--set", "initial.[0].displacement=5"))
        swept = harness.read_series(self.folder / "out" / "case-0006.h5")
        self.assertEqual(harness.differing(swept, harness.read_series(alone)), [])
        with h5py.File(alone) as file:
            self.assertEqual(int(row["events"]), file["events/time"].shape[0])
            self.assertEqual(float(row["min gap"]), file["history/gap"][()].min())
            self.assertEqual(float(row["peak"]), file["history/contact_force"][()].max())
            self.assertEqual(float(row["final energy_total"]), file["history/energy/total"][-1])
            self.assertEqual(int(row["steps"]), file["summary"].attrs["steps"])

    def test_hdf5_says_the_same(self):
        harness.must(self.sweep())
        rows = self.rows()
        with h5py.File(self.folder / "out" / "summary.h5") as file:
            self.assertEqual(harness.text(file.attrs["title"]), "damping and height")
            self.assertEqual(harness.text(file.attrs["conventions"]), "signorini-study-1")
            np.testing.assert_array_equal(file["case"][()], range(1, 10))
            for group, names in (("parameters", ("rho", "height")),
                                 ("results", ("events", "min gap", "peak", "final energy_total", "steps"))):
                for name in names:
                    np.testing.assert_array_equal(file[group][name][()], [float(row[name]) for row in rows])
            self.assertEqual([harness.text(word) for word in file["status"].asstr()[()]], ["complete"] * 9)
            self.assertTrue((file["wall_seconds"][()] > 0).all())
            self.assertEqual(harness.text(file["results/min gap"].attrs["units"]), "m")
            self.assertEqual(harness.text(file["results/peak"].attrs["units"]), "N")

            def described(_, item):
                if isinstance(item, h5py.Dataset):
                    self.assertTrue(harness.text(item.attrs["units"]))
                    self.assertTrue(harness.text(item.attrs["description"]))
            file.visititems(described)

    def test_reductions(self):
        kinds = ("max", "min", "max-abs", "first", "final", "mean", "rms", "time-of-max", "time-of-min",
                 "rise")
        keep = [f'{{ type = "history"; history = "energy/kinetic"; reduce = "{kind}"; after = 0.5; }}'
                for kind in kinds]
        keep += ['{ type = "history"; history = "displacement"; column = "bar.0"; reduce = "final"; '
                 'name = "left"; }',
                 '{ type = "history"; history = "displacement"; column = "20"; reduce = "final"; name = "right"; }',
                 '{ type = "history"; history = "displacement"; reduce = "max-abs"; name = "all"; }',
                 '{ type = "history"; history = "displacement"; reduce = "rise"; name = "most"; }',
                 '{ type = "events"; kind = "close"; contact = "floor"; }']
        self.put("study.cfg", STUDY[:STUDY.index("keep")] + f"keep = ( {', '.join(keep)} );")
        harness.must(self.sweep())
        row = self.rows()[8]
        with h5py.File(self.folder / "out" / "case-0009.h5") as file:
            time_, values = file["history/time"][()], file["history/energy/kinetic"][()]
            late = time_ >= 0.5
            t, x = time_[late], values[late]
            trapezoid = np.sum(0.5 * (x[1:] + x[:-1]) * np.diff(t)) / (t[-1] - t[0])
            square = np.sum(0.5 * (x[1:]**2 + x[:-1]**2) * np.diff(t)) / (t[-1] - t[0])
            expected = (x.max(), x.min(), np.abs(x).max(), x[0], x[-1], trapezoid, math.sqrt(square),
                        t[x.argmax()], t[x.argmin()], (x - x[0]).max())
            for kind, value in zip(kinds, expected):
                # sums in another order: rounding only
                self.assertAlmostEqual(float(row[f"{kind} energy_kinetic"]), value, delta=1e-12 * abs(value),
                                       msg=kind)
            dofs = [harness.text(name) for name in file["model/dof_names"].asstr()[()]]
            u = file["history/displacement"][()]
            self.assertEqual(float(row["left"]), u[-1, dofs.index("bar.0")])
            self.assertEqual(float(row["right"]), u[-1, 20])
            self.assertEqual(float(row["all"]), np.abs(u).max())
            self.assertEqual(float(row["most"]), (u - u[0]).max())
            names = h5py.check_enum_dtype(file["events/kind"].dtype)
            self.assertEqual(int(row["close events floor"]),
                             int((file["events/kind"][()] == names["close"]).sum()))

    def test_what_the_results_do_not_have_is_told(self):
        keep = 'keep = ( { type = "history"; history = "speed"; }, { type = "history"; history = "displacement"; ' \
               'reduce = "mean"; }, { type = "history"; history = "gap"; after = 1e9; }, ' \
               '{ type = "events"; contact = "wall"; } );'
        self.put("study.cfg", STUDY[:STUDY.index("keep")] + keep)
        done = harness.must(self.sweep())
        self.assertRegex(done.stderr, r"^signorini: warning: not all that the study keeps is in the results: "
                                      r"case \d: the results have no history 'speed'; "
                                      r"history 'displacement' has 21 columns: its `column` must say which one is meant; "
                                      r"history 'gap' has no row from 1e\+09 on; "
                                      r"the results have no contact 'wall'\n$")
        self.assertEqual({row["max speed"] for row in self.rows()}, {""})

    def test_a_largest_force_is_kept_of_springs_alone(self):
        keep = ('keep = ( { type = "summary"; attribute = "peak_force"; name = "force"; }, '
                '{ type = "summary"; attribute = "peak_impulse"; name = "impulse"; } );')
        deck = BASE[:BASE.index("integrator")].replace("stiffness_factor = 100.0", "stiffness = 9000.0")
        self.put("bar.cfg", deck + 'integrator = { type = "theta"; }; strategy = { type = "penalty"; };'
                                   'time = { end = 2.0; step = 1.0e-3; };')
        laws = '{ type = "words"; path = "strategy.type"; words = ["penalty", "time-stepping"]; }'
        self.put("study.cfg", f'deck = "bar.cfg"; folder = "out"; parameters = ( {laws} ); {keep}')
        done = harness.must(self.sweep())
        spring, rigid = rows_of(self.folder / "out" / "summary.csv")
        with h5py.File(self.folder / "out" / "case-0001.h5") as file:
            self.assertEqual(float(spring["force"]), file["contacts/peak_force"][0])
        self.assertGreater(float(spring["force"]), 0)
        self.assertEqual(rigid["force"], "")
        self.assertGreater(float(rigid["impulse"]), 0)
        self.assertIn("case 2", done.stderr)
        self.assertIn("the run has no peak_force: its contacts are rigid", done.stderr)

    def test_words(self):
        self.put("study.cfg", """
deck = "bar.cfg";
folder = "out";
parameters = ( { type = "words"; path = "integrator.type"; words = ["trapezoidal", "botr", "exact"]; },
               { type = "words"; path = "title"; words = ["\\"two, words\\"", "one"]; name = "title"; } );
""")
        harness.must(self.sweep())
        self.assertEqual([row["integrator.type"] for row in self.rows()],
                         ["trapezoidal"] * 2 + ["botr"] * 2 + ["exact"] * 2)
        self.assertEqual(self.rows()[0]["title"], '"two, words"')
        with h5py.File(self.folder / "out" / "case-0003.h5") as file:
            self.assertEqual(harness.text(file.attrs["title"]), "two, words")

    def test_files(self):
        """A table of forces that is in the study's folder, while the deck is elsewhere; a blank in its name."""
        for name, force in (("a b.csv", 1.0), ("c.csv", 2.0)):
            self.put(f"tables/{name}", f"0 {force}\n10 {force}\n")
        load = 'loads = ( { type = "force"; node = "bar.right"; direction = [1.0]; ' \
               'signal = { type = "table"; file = "nothing"; }; } );'
        self.put("decks/bar.cfg", re.sub(r"loads = .*", load, BASE))
        self.put("study.cfg", """
deck = "decks/bar.cfg";
folder = "out";
parameters = ( { type = "files"; pattern = "tables/*.csv"; name = "table"; path = "loads.[0].signal.file"; } );
""")
        done = self.sweep()
        if "unknown" in done.stderr or "missing" in done.stderr:
            self.fail(done.stderr)
        harness.must(done)
        self.assertEqual([row["table"] for row in self.rows()], ["tables/a b.csv", "tables/c.csv"])
        a, b = (harness.read_series(self.folder / "out" / f"case-000{k}.h5") for k in (1, 2))
        self.assertNotEqual(harness.differing(a, b), [])
        # another content of the same name is another deck
        self.put("tables/c.csv", "0 3\n10 3\n")
        done = harness.must(self.sweep())
        self.assertIn("2 complete (1 already before), 1 run anew since their deck changed", done.stdout)


class Failures(Study):
    def test_are_recorded_and_stop_nobody(self):
        self.put("study.cfg", """
deck = "bar.cfg";
folder = "out";
parameters = ( { type = "list"; name = "n"; path = "bodies.[0].elements"; values = [10.0, -1.0, 20.0]; } );
""")
        reason = "bodies.[0].elements: -1 is out of range, allowed: >= 1"
        for jobs in (1, 2):
            done = harness.must(self.sweep("--jobs", jobs), 76)
            self.assertEqual(done.stderr, f"signorini: case 2 (n=-1) failed with exit code 65: {reason}\n"
                                          "signorini sweep: error: 1 of 3 cases failed: see 'out/summary.csv'\n")
            rows = self.rows()
            self.assertEqual([row["status"] for row in rows], ["complete", "failed", "complete"])
            self.assertEqual([row["exit_code"] for row in rows], ["0", "65", "0"])
            self.assertEqual([row["reason"] for row in rows], ["", reason, ""])
            self.assertEqual(rows[1]["steps"], "")
        with h5py.File(self.folder / "out" / "summary.h5") as file:
            self.assertTrue(math.isnan(file["results/steps"][1]))
            self.assertEqual(file["exit_code"][1], 65)
        self.assertIn(reason, (self.folder / "out" / "case-0002.log").read_text())

    def test_a_run_that_is_killed_is_one(self):
        self.put("study.cfg", LONG.replace("LENGTH", "1e5"))
        process = self.start("--jobs", "3")
        try:
            child = harness.wait_for(lambda: self.child_of_case(process.pid, 2))
            self.assertTrue(child)
            os.kill(child, signal.SIGKILL)
            state = self.folder / "out" / "case-0002.state"
            self.assertTrue(harness.wait_for(lambda: "exit_code = 137" in state.read_text()))
            process.send_signal(signal.SIGTERM)
            _, words = process.communicate(timeout=30 * harness.TIME_FACTOR)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 75)
        self.assertIn("failed with exit code 137: the process was ended by signal 9 (Killed)", words)

    def child_of_case(self, parent, number):
        """The process that has the case's results open."""
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if int((path / "stat").read_text().rsplit(")", 1)[1].split()[1]) != parent:
                    continue
                for fd in (path / "fd").iterdir():
                    if os.readlink(fd).endswith(f"case-{number:04}.h5.part"):
                        return int(path.name)
            except (OSError, ValueError):
                continue
        return None


def listens(pid):
    """Whether the process has a handler for SIGINT; true for one that has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True
    caught = [line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")]
    return not caught or int(caught[0], 16) >> (signal.SIGINT - 1) & 1 == 1


class Restarts(Study):
    def test_what_is_complete_is_skipped(self):
        harness.must(self.sweep())
        table, times = self.table(), self.times()
        done = harness.must(self.sweep())
        self.assertIn("9 cases, 9 complete (9 already before), 0 failed", done.stdout)
        self.assertEqual(self.times(), times)
        self.assertEqual(self.table(), table)
        # what is lost or damaged is not
        (self.folder / "out" / "case-0003.h5").unlink()
        (self.folder / "out" / "case-0004.h5").write_bytes(b"no HDF5")
        (self.folder / "out" / "case-0005.state").write_bytes(b"checksum = 3;")
        done = harness.must(self.sweep())
        self.assertIn("9 complete (6 already before)", done.stdout)
        self.assertEqual(self.table(), table)

    def test_a_changed_study_or_deck_is_noticed(self):
        harness.must(self.sweep())
        times = self.times()
        self.put("study.cfg", STUDY.replace("[0.0, 0.5, 1.0]", "[0.0, 0.6, 1.0]"))
        done = harness.must(self.sweep())
        self.assertEqual(done.stderr, "signorini: note: the study has changed since the results in 'out' were made: "
                                      "cases whose deck is another now are run anew\n")
        self.assertIn("9 complete (6 already before), 3 run anew since their deck changed", done.stdout)
        changed = {name for name, moment in self.times().items() if times[name] != moment}
        self.assertEqual(changed, {f"case-000{k}.h5" for k in (4, 5, 6)})
        self.put("bar.cfg", BASE.replace("modulus = 900.0", "modulus = 800.0"))
        done = harness.must(self.sweep())
        self.assertIn("note: the base deck has changed since", done.stderr)
        self.assertIn("9 run anew since their deck changed", done.stdout)
        # words beside the deck's values change nothing
        self.put("bar.cfg", BASE.replace("modulus = 900.0", "modulus = 800.0; // a comment"))
        done = harness.must(self.sweep())
        self.assertIn("9 complete (9 already before)", done.stdout)
        # other numbers are kept of the same runs
        self.put("study.cfg", STUDY.replace("[0.0, 0.5, 1.0]", "[0.0, 0.6, 1.0]").replace("min", "max"))
        done = harness.must(self.sweep())
        self.assertIn("9 complete (9 already before)", done.stdout)
        self.assertIn("max gap", self.rows()[0])

    def long(self):
        """A study whose three runs take about a second each."""
        end, seconds = 20.0, 0.0
        for _ in range(15):
            self.put("study.cfg", LONG.replace("LENGTH", repr(end)))
            begin = time.monotonic()
            harness.must(self.sweep("--jobs", "2", "-o", "reference", limit=120))
            seconds = time.monotonic() - begin
            if seconds > 1.5:
                return seconds
            shutil.rmtree(self.folder / "reference")
            end *= min(8.0, 2.4 / max(seconds, 0.02))
        raise AssertionError("no study of some length to be had")

    def test_killed_and_interrupted_sweeps_go_on(self):
        seconds = self.long()
        hits = 0
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start("--jobs", "2")
            # before it listens a signal would end it as any program
            self.assertTrue(harness.wait_for(lambda: listens(process.pid)))
            time.sleep(0.2 * seconds)
            process.send_signal(number)
            _, words = process.communicate(timeout=30 * harness.TIME_FACTOR)
            if process.returncode == 0:
                break
            hits += 1
            if number != signal.SIGKILL:
                self.assertEqual(process.returncode, 75, words)
                self.assertIn("go on with: signorini sweep 'study.cfg'", words)
            self.assertFalse((self.folder / "out" / "summary.csv").exists())
        self.assertGreater(hits, 1)
        harness.must(self.sweep("--jobs", "2"))
        self.assertEqual(self.table(), self.table("reference"))
        for k in (1, 2, 3):
            a, b = (harness.read_series(self.folder / folder / f"case-000{k}.h5") for folder in ("out", "reference"))
            self.assertEqual(harness.differing(a, b), [])
        self.assertEqual(list((self.folder / "out").glob("*.part*")), [])
        self.assertEqual(list((self.folder / "out").glob("*checkpoint*")), [])

    def test_two_sweeps_in_one_folder(self):
        self.put("study.cfg", LONG.replace("LENGTH", "1e5"))
        process = self.start()
        try:
            self.assertTrue(harness.wait_for(lambda: list(self.folder.glob("out/*.part"))))
            for more in ((), ("--case", "1"), ("--slurm",)):
                second = self.sweep(*more)
                self.assertEqual((second.returncode, second.stderr),
                                 (73, "signorini sweep: error: another sweep works in 'out': it holds the lock "
                                      "'out/lock'\n"))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30 * harness.TIME_FACTOR)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 75)
        self.assertFalse((self.folder / "out" / "lock").exists())


class Cases(Study):
    def test_one_by_one_and_collected(self):
        harness.must(self.sweep("-o", "whole"))
        for k in range(1, 10):
            done = harness.must(self.sweep("--case", k))
            self.assertEqual(done.stdout, f"case {k} is complete\n")
            if k == 4:
                early = harness.must(self.sweep("--collect"), 75)
                self.assertEqual(early.stderr, "signorini sweep: error: 5 of 9 cases have no results yet\n")
                self.assertEqual([row["status"] for row in self.rows()], ["complete"] * 4 + ["missing"] * 5)
        self.assertEqual(harness.must(self.sweep("--case", "3")).stdout, "case 3 is complete already\n")
        harness.must(self.sweep("--collect"))
        self.assertEqual(self.table(), self.table("whole"))

    def test_several_at_once(self):
        """As tasks of a job array do."""
        harness.must(self.sweep("-o", "whole"))
        processes = [self.start("--case", str(k)) for k in range(1, 10)]
        for process in processes:
            _, words = process.communicate(timeout=60 * harness.TIME_FACTOR)
            self.assertEqual(process.returncode, 0, words)
        harness.must(self.sweep("--collect"))
        self.assertEqual(self.table(), self.table("whole"))

    def test_a_wrong_one(self):
        self.put("study.cfg", STUDY.replace("[0.0, 0.5, 1.0]", "[0.0, 0.5, 2.0]"))
        reason = "integrator.rho_inf: 2 is out of range, allowed: >= 0 and <= 1"
        done = harness.must(self.sweep("--case", "7"), 65)
        self.assertEqual(done.stderr, f"signorini sweep: error: case 7: {reason}\n")
        for number in ("0", "10", "x", ""):
            done = harness.must(self.sweep("--case", number), 64)
            self.assertIn(f"'--case' needs an integer from 1 to 9, not '{number}'", done.stderr)

    def test_list(self):
        done = harness.must(self.sweep("--list"))
        self.assertEqual(done.stdout.splitlines()[4], "     5  rho=0.5 height=4.5  to be run")
        self.assertFalse((self.folder / "out").exists())
        harness.must(self.sweep("--case", "5"))
        self.put("study.cfg", STUDY.replace("[0.0, 0.5, 1.0]", "[0.0, 0.5, 2.0]"))
        done = harness.must(self.sweep("--list"), 65)
        self.assertEqual(done.stdout.splitlines()[4], "     5  rho=0.5 height=4.5  complete")
        self.assertEqual(done.stdout.splitlines()[6], "     7  rho=2 height=4  wrong: integrator.rho_inf: 2 is out of "
                                                      "range, allowed: >= 0 and <= 1")
        self.put("bar.cfg", BASE.replace("900.0", "901.0"))
        done = harness.must(self.sweep("--list"), 65)
        self.assertEqual(done.stdout.splitlines()[4], "     5  rho=0.5 height=4.5  to be run, as its deck has changed")


class Modes(Study):
    def test_are_computed_once(self):
        self.put("bar.cfg", BASE.replace("elements = 20", "elements = 100"))
        keep = 'keep = ( { type = "summary"; attribute = "modes_cached"; } );'
        self.put("study.cfg", STUDY[:STUDY.index("keep")] + keep)
        harness.must(self.sweep("--jobs", "3"))
        self.assertEqual(sum(1 - int(row["modes_cached"]) for row in self.rows()), 1)
        (file,) = (self.folder / "out" / "modes").iterdir()
        kept = file.read_bytes()
        # what is damaged is made anew, and the results are the same
        before = harness.read_series(self.folder / "out" / "case-0009.h5")
        file.write_bytes(kept[:-1000])
        (self.folder / "out" / "case-0009.h5").unlink()
        harness.must(self.sweep())
        self.assertEqual(file.read_bytes(), kept)
        self.assertEqual(harness.differing(before, harness.read_series(self.folder / "out" / "case-0009.h5")), [])


class Places(Study):
    def test_folders(self):
        harness.must(self.sweep("-o", "deep/er/still"))
        self.assertTrue((self.folder / "deep/er/still/summary.csv").exists())
        self.put("study.cfg", STUDY.replace('folder = "out";', ""))
        harness.must(self.sweep())
        self.assertTrue((self.folder / "study/summary.csv").exists())
        self.put("file", "")
        done = harness.must(self.sweep("-o", "file"), 73)
        self.assertEqual(done.stderr, "signorini sweep: error: 'file' is there, but is no folder\n")

    def test_read_only(self):
        """/proc takes no folders, not even from root."""
        done = harness.must(self.sweep("-o", "/proc/out"), 73)
        self.assertEqual(done.stderr, "signorini sweep: error: can't create the folder '/proc/out': "
                                      "No such file or directory\n")
        if os.geteuid() == 0:
            return
        (self.folder / "out").mkdir(mode=0o555)
        done = harness.must(self.sweep(), 73)
        self.assertEqual(done.stderr, "signorini sweep: error: can't write into the folder 'out': Permission denied\n")

    def test_missing_base_deck(self):
        (self.folder / "bar.cfg").unlink()
        done = harness.must(self.sweep(), 66)
        self.assertEqual(done.stderr, "signorini sweep: error: can't open 'bar.cfg': No such file or directory\n")
        self.assertFalse((self.folder / "out").exists())

    def test_all_decks_wrong(self):
        """Then the study is: nothing is begun."""
        self.put("bar.cfg", BASE.replace("density = 1.0", "density = -1.0"))
        done = harness.must(self.sweep(), 65)
        self.assertEqual(done.stderr, "signorini: note: of the study's 9 cases none has a deck that is right; the "
                                      "first:\nbar.cfg:4: error: bodies.[0].density: -1 is out of range, allowed: > 0 [kg/m^3]\n")
        self.assertFalse((self.folder / "out").exists())

    def test_usage(self):
        done = harness.must(harness.run("sweep", cwd=self.folder), 64)
        self.assertIn("usage: signorini sweep STUDY", done.stderr)
        done = harness.must(self.sweep("--list", "--collect"), 64)
        self.assertIn("--list and --collect exclude each other", done.stderr)
        done = harness.must(self.sweep("--jobs", "0"), 64)
        self.assertIn("'--jobs' needs an integer from 1 to 1024, not '0'", done.stderr)


class BadStudies(unittest.TestCase):
    """tests/bad_studies/NAME.cfg gives exactly NAME.expected and begins nothing. With --rewrite the expected
    texts are made from what the program says, for review."""

    maxDiff = None
    FOLDER = harness.ROOT / "tests" / "bad_studies"

    @classmethod
    def said(cls, path):
        """The finished program, and what it left."""
        with tempfile.TemporaryDirectory() as folder:
            done = harness.run("sweep", path.name, "-o", Path(folder) / "out", cwd=cls.FOLDER)
            return done, list(Path(folder).iterdir())

    @classmethod
    def rewrite(cls):
        for path in cls.FOLDER.glob("*.cfg"):
            path.with_suffix(".expected").write_text(cls.said(path)[0].stderr, encoding="utf-8")

    def test_all(self):
        studies = sorted(self.FOLDER.glob("*.cfg"))
        self.assertGreater(len(studies), 10)
        self.assertEqual({path.stem for path in self.FOLDER.glob("*.expected")}, {path.stem for path in studies})
        for path in studies:
            with self.subTest(path.name):
                done, left = self.said(path)
                self.assertEqual(done.stderr, path.with_suffix(".expected").read_text(encoding="utf-8"))
                self.assertEqual(done.returncode, 65)
                self.assertEqual(left, [])


class Shipped(unittest.TestCase):
    def test_studies_that_ship_are_right(self):
        self.assertTrue(harness.STUDIES)
        for path in harness.STUDIES:
            with self.subTest(path.name):
                harness.must(harness.run("sweep", path, "--list"))


if __name__ == "__main__":
    if "--rewrite" in sys.argv:
        BadStudies.rewrite()
    else:
        unittest.main()
