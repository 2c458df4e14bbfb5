#!/usr/bin/python3
"""Benchmarks of the user: files of figures beside decks, their verdicts, and that wrong ones are refused with the
line. `test_verify.sh` has what is common to those that ship."""

import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree
from pathlib import Path

import harness

FOLDER = harness.ROOT / "tests" / "bad_benchmarks"

GOOD = """meaning = "a ball of the user's";
deck = "ball.cfg";
why = "The limits of this test.";
terms = ( { name = "late"; of = ["k", "x"]; value = "item(event.t where event.kind == impact, k) - x"; } );
trials = (
    { name = "deck"; label = "as it is";
      figures = ( %s ); },
    { label = "from 2 m"; set = ["bodies.[0].positions=[2.0]"];
      figures = ( { name = "first impact, to that from 1 m"; unit = "1"; target = 1.4142135623730951; relative = 1e-8;
                    value = "first(event.t) / in(deck, first(event.t))"; } ); },
    { label = "two heights"; variants = ( { set = ["bodies.[0].positions=[0.5]"]; },
                                          { set = ["bodies.[0].positions=[1.0]"]; } );
      figures = ( { name = "heights"; value = "sum_of_runs(first(gap))"; target = 1.5; tolerance = 1e-12; },
                  { name = "highest"; value = "max_of_runs(max(gap))"; target = 1.0; tolerance = 1e-12; },
                  { name = "of one"; value = "run(0, first(gap)) / runs"; target = 0.25; tolerance = 1e-12; } ); }
);
"""
# the first impact of a ball from 1 m is at sqrt(2 / g) = 0.4515236 s
FIGURE = """{ name = "impact"; unit = "s"; value = "late(0, 0.4515236409857309)"; at_least = -1e-8; at_most = 1e-8; },
{ name = "impacts"; value = "count(event.kind == impact)"; at_least = %s; },
{ name = "pushes at rest"; value = "last(contact_force)"; target = 9.81; relative = 1e-9;
  provided = "%s"; }"""


class BadBenchmarks(unittest.TestCase):
    """tests/bad_benchmarks/NAME.bench gives exactly NAME.expected. With --rewrite the expected texts are made from
    what the program says, for review."""

    maxDiff = None

    @classmethod
    def said(cls, path):
        return harness.run("verify", path.name, cwd=FOLDER)

    @classmethod
    def rewrite(cls):
        for path in FOLDER.glob("*.bench"):
            path.with_suffix(".expected").write_text(cls.said(path).stderr, encoding="utf-8")

    def test_all(self):
        files = sorted(FOLDER.glob("*.bench"))
        self.assertGreater(len(files), 25)
        self.assertEqual({path.stem for path in FOLDER.glob("*.expected")}, {path.stem for path in files})
        for path in files:
            with self.subTest(path.name):
                done = self.said(path)
                self.assertEqual(done.stderr, path.with_suffix(".expected").read_text(encoding="utf-8"))
                self.assertEqual(done.returncode, 66 if path.stem == "deck_missing" else 65)
                self.assertEqual(done.stdout, "")


class Users(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        shutil.copy(harness.ROOT / "decks" / "ball_events.cfg", self.path / "ball.cfg")

    def verify(self, figures, *more):
        (self.path / "my.bench").write_text(GOOD % figures, encoding="utf-8")
        return harness.run("verify", "my.bench", *more, cwd=self.path)

    def test_passes(self):
        done = harness.must(self.verify(FIGURE % ("20", "rows(gap) > 10")))
        verdicts = [line.split()[-1] for line in done.stdout.splitlines()[:-1]]
        self.assertEqual(verdicts, ["PASS"] * 7)
        self.assertIn("my", done.stdout.split()[0])
        self.assertIn("impact (s)", done.stdout)
        self.assertIn("-1e-08 to 1e-08", done.stdout)
        self.assertIn("at least 20", done.stdout)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("7 figures, 0 failed"))

    def test_each_kind_of_limit_fails(self):
        done = harness.must(self.verify(FIGURE % ("1000000", "rows(gap) > 10")), 1)
        self.assertEqual([line.split()[-1] for line in done.stdout.splitlines()[:3]], ["PASS", "FAIL", "PASS"])
        done = harness.must(self.verify(FIGURE % ("20", "rows(gap) < 10")), 1)
        self.assertEqual([line.split()[-1] for line in done.stdout.splitlines()[:3]], ["PASS", "PASS", "FAIL"])
        self.assertIn("`provided` does not hold", done.stderr)
        done = harness.must(self.verify(FIGURE % ("20", "1"), "--scale-limits", "0"), 1)
        self.assertEqual({line.split()[-1] for line in done.stdout.splitlines()[:-1]}, {"FAIL"})

    def test_faults_have_words(self):
        """What has no value fails, and says why on stderr and in JUnit."""
        for value, words in {
            "gap": "a figure must be one number",
            "max(gap - [1, 2])": "don't go with",
            "first(gap where gap > 1e9)": "there is no row to be the first",
            "max(gap[3])": "there are no columns 3 to 3",
            "item(gap, 1000000)": "there is no such row",
            "run(1, max(gap))": "there is no run 1",
            "max(gap) / 0 * 0": "",
        }.items():
            with self.subTest(value):
                figure = '{ name = "a"; value = "%s"; tolerance = 1e30; }' % value
                done = harness.must(self.verify(figure, "--junit", "out.xml"), 1)
                self.assertIn("FAIL", done.stdout.splitlines()[0])
                self.assertIn(words, done.stderr)
                failure = tree.parse(self.path / "out.xml").getroot().find("testsuite/testcase/failure")
                self.assertIn(words, failure.get("message"))

    def test_list_and_table(self):
        (self.path / "my.bench").write_text(GOOD % "", encoding="utf-8")
        done = harness.must(harness.run("verify", "--list", "./my.bench", cwd=self.path))
        self.assertEqual(done.stdout, "my               a ball of the user's\n")
        done = harness.must(harness.run("verify", "--table", "my.bench", cwd=self.path))
        self.assertEqual(len(done.stdout.splitlines()), 2 + 4)

    def test_study(self):
        (self.path / "ball_study.cfg").write_text(
            'deck = "ball.cfg"; parameters = ( { type = "list"; path = "time.end"; values = [0.1, 0.2, 0.3]; } );',
            encoding="utf-8")
        (self.path / "study.bench").write_text(
            'meaning = "a study"; kind = "study"; deck = "ball_study.cfg"; why = "Times are given.";'
            'trials = ( { label = "all"; figures = ('
            '{ name = "cases"; value = "runs"; target = 3.0; tolerance = 0.5; },'
            '{ name = "ends"; value = "sum_of_runs(last(t))"; target = 0.6; tolerance = 1e-12; } ); } );',
            encoding="utf-8")
        done = harness.must(harness.run("verify", "study.bench", cwd=self.path))
        self.assertIn("2 figures, 0 failed", done.stdout)


if __name__ == "__main__":
    if "--rewrite" in sys.argv:
        BadBenchmarks.rewrite()
    else:
        unittest.main()
