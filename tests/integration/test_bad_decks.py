#!/usr/bin/python3
"""Every wrong deck, tests/bad_decks/NAME.cfg, gives exactly the text of NAME.expected on stderr, by
`check` and by `run`, its exit code, within ten seconds, and no output file.

Comment lines that lead a deck may say
    # set: PATH=VALUE    passed as --set (any number)
    # exit: 66           instead of 65
    # schema: reject     the JSON Schema refuses the deck too
With --write the .expected files that are missing are made from what the program says, for review."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

import harness

FOLDER = harness.ROOT / "tests" / "bad_decks"
SANITIZER = ("AddressSanitizer", "LeakSanitizer", "runtime error:")


class BadDeck:
    def __init__(self, path):
        self.name, self.exit = path.name, 65
        self.settings, self.schema_rejects = [], False
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

    def check(self, *more):
        return harness.run("check", *more, self.name, *self.settings, cwd=FOLDER, limit=10)

    def run(self, output):
        return harness.run("run", self.name, *self.settings, "-o", output, cwd=FOLDER, limit=10)


def bad_decks():
    return [BadDeck(path) for path in sorted(FOLDER.glob("*.cfg"))]


class BadDecks(unittest.TestCase):
    maxDiff = None

    def judge(self, deck, done):
        for mark in SANITIZER:
            self.assertNotIn(mark, done.stderr)
        self.assertEqual(done.stderr, deck.expected.read_text(encoding="utf-8", errors="surrogateescape"))
        self.assertEqual(done.returncode, deck.exit)

    def test_there_are_some(self):
        self.assertTrue(bad_decks())

    def test_check(self):
        for deck in bad_decks():
            with self.subTest(deck.name):
                self.judge(deck, deck.check())

    def test_run_says_the_same_and_writes_nothing(self):
        before = sorted(FOLDER.iterdir())
        for deck in bad_decks():
            with self.subTest(deck.name), tempfile.TemporaryDirectory() as folder:
                self.judge(deck, deck.run(Path(folder) / "out.h5"))
                self.assertEqual(list(Path(folder).iterdir()), [])
        self.assertEqual(sorted(FOLDER.iterdir()), before)

    def test_schema_rejects(self):
        schema = harness.must(harness.run("schema", "deck")).stdout
        validator = Draft202012Validator(json.loads(schema))
        for deck in bad_decks():
            if deck.schema_rejects:
                with self.subTest(deck.name):
                    tree = json.loads(deck.check("--raw-json").stdout)
                    self.assertFalse(validator.is_valid(tree))


def write_missing():
    for deck in bad_decks():
        if not deck.expected.exists():
            done = deck.check()
            deck.expected.write_text(done.stderr, encoding="utf-8", errors="surrogateescape")
            print(f"{deck.expected} (exit {done.returncode}):\n{done.stderr}")


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write_missing()
    else:
        unittest.main()
