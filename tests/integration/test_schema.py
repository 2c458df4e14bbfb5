#!/usr/bin/python3
"""The schemas are the program's own, the committed files equal them, and an independent validator
accepts every deck that ships, and refuses one with a fault."""

import copy
import json
import unittest

from jsonschema import Draft202012Validator

import harness


def emitted(which):
    return harness.must(harness.run("schema", which)).stdout


class Schema(unittest.TestCase):
    def test_committed_equal_emitted(self):
        for which in ("deck", "study", "ground-motion", "benchmark", "results"):
            with self.subTest(which):
                committed = harness.ROOT / "schemas" / f"{which}.schema.json"
                self.assertEqual(emitted(which), committed.read_text(encoding="utf-8"),
                                 f"mend by: signorini schema {which} > schemas/{which}.schema.json")

    def test_are_schemas(self):
        for which in ("deck", "study", "ground-motion", "benchmark", "results"):
            with self.subTest(which):
                schema = json.loads(emitted(which))
                self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
                Draft202012Validator.check_schema(schema)

    def test_decks_fit(self):
        validator = Draft202012Validator(json.loads(emitted("deck")))
        self.assertTrue(harness.DECKS)
        for deck in harness.DECKS:
            with self.subTest(deck.name):
                faults = [f"{'.'.join(map(str, fault.absolute_path))}: {fault.message[:200]}"
                          for fault in validator.iter_errors(harness.resolved(deck))]
                self.assertEqual(faults, [])

    def test_ground_motion(self):
        """A deck of ground motion, as JSON by hand: there is no `check --json` of it."""
        validator = Draft202012Validator(json.loads(emitted("ground-motion")))
        good = {"spectrum": {"type": "eurocode-8", "shape": 2, "soil": "D", "ag": 0.981},
                "generate": {"count": 3, "seed": 5}, "records": [{"file": "a b.AT2", "unit": "cm/s^2"}],
                "response": {"damping": 0.02}, "output": {"at2": False}}
        self.assertEqual(list(validator.iter_errors(good)), [])
        for name, spoil in {
            "unknown group": lambda deck: deck.update(bodies=[]),
            "unknown soil": lambda deck: deck["spectrum"].update(soil="F"),
            "no file": lambda deck: deck["records"][0].pop("file"),
            "unknown unit": lambda deck: deck["records"][0].update(unit="ft"),
        }.items():
            with self.subTest(name):
                bad = copy.deepcopy(good)
                spoil(bad)
                self.assertFalse(validator.is_valid(bad))

    def test_faults_are_refused(self):
        validator = Draft202012Validator(json.loads(emitted("deck")))
        good = harness.resolved(harness.Job.DECK)
        for name, spoil in {
            "unknown group": lambda deck: deck.update(nonsense={}),
            "unknown keyword": lambda deck: deck["time"].update(nonsense=1),
            "text for a number": lambda deck: deck["time"].update(end="soon"),
            "out of range": lambda deck: deck["time"].update(end=-1.0),
            "unknown kind": lambda deck: deck["integrator"].update(type="nonsense"),
            "missing group": lambda deck: deck.pop("bodies"),
        }.items():
            with self.subTest(name):
                bad = copy.deepcopy(good)
                spoil(bad)
                self.assertFalse(validator.is_valid(bad))


if __name__ == "__main__":
    unittest.main()
