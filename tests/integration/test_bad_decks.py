#!/usr/bin/python3
"""Every wrong deck, tests/bad_decks/NAME.cfg, gives exactly the text of NAME.expected on stderr, by
`check` and by `run`, its exit code, within ten seconds, and no output file.

Comment lines that lead a deck may say
    # set: PATH=VALUE    passed as --set (any number)
    # exit: 66           instead of 65
    # schema: reject     the JSON Schema refuses the deck too
    # errors: 7          so many errors are told
With --write the .expected files that are missing are made from what the program says, with --rewrite all,
for review. generated_* are made by tools/make_bad_decks.py."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jsonschema import Draft202012Validator

import harness

FOLDER = harness.ROOT / "tests" / "bad_decks"
SANITIZER = ("AddressSanitizer", "LeakSanitizer", "runtime error:")


class BadDeck:
    def __init__(self, path):
        self.name, self.exit = path.name, 65
        self.settings, self.schema_rejects, self.errors = [], False, None
        self.expected = path.with_suffix(".expected")
        for line in path.read_bytes().decode("utf-8", "replace").lstrip("\ufeff").splitlines():
            if not line.startswith("#"):
                break
            key, _, value = line[1:].partition(":")
            self.read_directive(key.strip(), value.strip())

    def read_directive(self, key, value):
        if key == "set":
            self.settings += ["--set", value]
        elif key == "exit":
            self.exit = int(value)
        elif key == "schema":
            self.schema_rejects = value == "reject"
        elif key == "errors":
            self.errors = int(value)

    def check(self, *more):
        return harness.run("check", *more, self.name, *self.settings, cwd=FOLDER, limit=10)

    def run(self, output):
        return harness.run("run", self.name, *self.settings, "-o", output, cwd=FOLDER, limit=10)


def bad_decks():
    return [BadDeck(path) for path in sorted(FOLDER.glob("*.cfg"))]


def each(work):
    """(deck, what the work gave) of all decks, two at a time."""
    decks = bad_decks()
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        return list(zip(decks, pool.map(work, decks)))


def run_and_look(deck):
    """The finished run, and what it left."""
    with tempfile.TemporaryDirectory() as folder:
        return deck.run(Path(folder) / "out.h5"), list(Path(folder).iterdir())


class BadDecks(unittest.TestCase):
    maxDiff = None

    def judge(self, deck, done):
        for mark in SANITIZER:
            self.assertNotIn(mark, done.stderr)
        self.assertEqual(done.stderr, deck.expected.read_text(encoding="utf-8", errors="surrogateescape"))
        self.assertEqual(done.returncode, deck.exit)
        self.assertEqual(done.stdout, "")
        if deck.errors is not None:
            self.assertEqual(done.stderr.count(": error: "), deck.errors)

    def test_there_are_some(self):
        self.assertTrue(bad_decks())

    def test_check(self):
        for deck, done in each(BadDeck.check):
            with self.subTest(deck.name):
                self.judge(deck, done)

    def test_run_says_the_same_and_writes_nothing(self):
        before = sorted(FOLDER.iterdir())
        for deck, (done, left) in each(run_and_look):
            with self.subTest(deck.name):
                self.judge(deck, done)
                self.assertEqual(left, [])
        self.assertEqual(sorted(FOLDER.iterdir()), before)

    def test_generated_are_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([harness.ROOT / "tools" / "make_bad_decks.py", folder], check=True, capture_output=True,
                           env=os.environ | {"SIGNORINI": harness.PROGRAM})
            self.assertEqual(contents(FOLDER), contents(Path(folder)),
                             "mend by: tools/make_bad_decks.py; tests/integration/test_bad_decks.py --rewrite")

    def test_none_is_left_over(self):
        decks = {path.stem for path in FOLDER.glob("*.cfg")}
        self.assertEqual({path.stem for path in FOLDER.glob("*.expected")}, decks)

    def test_schema_rejects(self):
        schema = harness.must(harness.run("schema", "deck")).stdout
        validator = Draft202012Validator(json.loads(schema))
        for deck, done in each(lambda deck: deck.check("--raw-json") if deck.schema_rejects else None):
            if done is not None:
                with self.subTest(deck.name):
                    self.assertFalse(validator.is_valid(json.loads(done.stdout)))


class NoDecks(unittest.TestCase):
    """What is no deck at all, or too large to be kept."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refused(self, name, code, words):
        for command in (("check", name), ("run", name, "-o", "out.h5")):
            with self.subTest(command[0]):
                done = harness.run(*command, cwd=self.folder, limit=10)
                self.assertEqual(done.stderr, words.format(command=command[0]))
                self.assertEqual(done.returncode, code)
                self.assertFalse(list(self.folder.glob("out.h5*")))

    def put(self, text):
        (self.folder / "deck.cfg").write_text(text, encoding="utf-8")

    def test_absent(self):
        self.refused("absent.cfg", 66, "signorini {command}: error: can't open 'absent.cfg': "
                                       "No such file or directory\n")

    def test_folder(self):
        self.refused(".", 66, "signorini {command}: error: can't open '.': it is a folder\n")

    def test_pipe(self):
        os.mkfifo(self.folder / "pipe")
        self.refused("pipe", 66, "signorini {command}: error: can't open 'pipe': it is not a regular file\n")

    def test_larger_than_16_mib(self):
        self.put("# blank\n" + (" " * 1023 + "\n") * 16384)
        self.refused("deck.cfg", 66, "signorini {command}: error: 'deck.cfg' is too large: 16777224 bytes, at most "
                                     "16777216 are read\n")

    def test_20000_names_in_one_group(self):
        self.put("".join(f"name{i} = {i};\n" for i in range(20000)))
        self.refused("deck.cfg", 65, "deck.cfg:1001: error: more than 1000 keywords in one group, found "
                                     "'name1000'\n  hint: the line reads: name1000 = 1000;\n")

    def test_200001_values(self):
        self.put("x = [" + "1, " * 200000 + "1];\n")
        self.refused("deck.cfg", 65, "deck.cfg:1: error: more than 200000 values, found '1'\n"
                                     "  hint: put large data into a side file\n")

    def test_many_findings_are_cut(self):
        self.put("x = 1;\n" + "".join(f"y{i} = 1;\n" for i in range(500)))
        done = harness.run("check", "deck.cfg", cwd=self.folder, limit=10)
        self.assertEqual(done.returncode, 65)
        self.assertEqual(done.stderr.count(": error: "), 100)
        self.assertTrue(done.stderr.endswith("405 more findings are not shown\n"), done.stderr[-200:])


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("generated_*.cfg")}


def write_expected(every):
    for deck in bad_decks():
        if every or not deck.expected.exists():
            done = deck.check()
            deck.expected.write_text(done.stderr, encoding="utf-8", errors="surrogateescape")
            print(f"{deck.expected} (exit {done.returncode}):\n{done.stderr}")


if __name__ == "__main__":
    if "--write" in sys.argv[1:] or "--rewrite" in sys.argv[1:]:
        write_expected("--rewrite" in sys.argv[1:])
    else:
        unittest.main()
