#!/usr/bin/python3
"""A hundred random models, each by some pairs of the grid, chosen so that every feature meets every pair that takes it, and
seen from one other frame: what needs no oracle (pairs.py; `make campaign` runs more of them, by all pairs)."""

import tempfile
import unittest
from collections import Counter

import generate
import pairs

MODELS = 100
# pairs that a model meets, in turn
EACH = (2, 1)


def plan():
    """(model, pair, view) of each run: greedily those pairs that have met least of the model's features."""
    met, grid = Counter(), pairs.grid()
    for seed in range(MODELS):
        model = generate.model(seed)
        takes = [pair for pair in grid if pair.refuses(model) is None]
        for turn in range(EACH[seed % len(EACH)]):
            if not takes:
                break
            pair = max(takes, key=lambda pair: sum(0.01 ** met[pair.name, feature] for feature in model.features))
            takes.remove(pair)
            met.update((pair.name, feature) for feature in model.features)
            views = list(pairs.views(model))
            yield model, pair, views[(seed // 5 + turn) % len(views)]


def steady(model):
    """Whether all loads are constant, so that momentum is known to rounding."""
    return all("signal" not in load or load["signal"]["type"] == "constant" for load in model.parts["loads"])


class Pairs(unittest.TestCase):
    def test_models(self):
        with tempfile.TemporaryDirectory(prefix="signorini-pairs-") as folder:
            runner = pairs.Runner(folder)
            for model, pair, view in plan():
                for fault in pairs.faults(runner, model, pair, [view]):
                    with self.subTest(seed=model.seed, pair=pair.name, view=view):
                        self.fail(f"{fault}\nshown again by {pairs.again(model.seed, pair)}\n"
                                  f"{pair.laws_of(model).deck(pair.words(model).replace('~', ''))}")

    def test_every_feature_meets_every_pair(self):
        chosen = list(plan())
        met = {(pair.name, feature) for model, pair, _ in chosen for feature in model.features}
        could = {(pair.name, feature) for seed in range(MODELS) for model in [generate.model(seed)]
                 for pair in pairs.grid() if pair.refuses(model) is None for feature in model.features}
        self.assertEqual({pair.name for pair in pairs.grid()}, {pair.name for _, pair, _ in chosen})
        # 150 runs can't have all, `make campaign` has
        self.assertGreater(len(met), 0.45 * len(could))

    def test_a_wrong_run_is_found(self):
        """Each check fails where its number is off by a thousandth."""
        pair = next(pair for pair in pairs.grid() if pair.name == "theta time-stepping velocity")
        with tempfile.TemporaryDirectory(prefix="signorini-pairs-") as folder:
            for seed in range(MODELS):
                model = generate.model(seed)
                rows = pairs.Runner(folder).run(pair.laws_of(model), pair).rows
                if model.dim == 2 and steady(model) and pairs.balances.knows_all(model, rows):
                    break
        self.assertEqual(pairs.balances.wrong(model, pair, rows), [])
        for name, change in (("displacement", 1.001), ("velocity", 1.001), ("P", 1.001), ("contact_impulse", -1.0)):
            with self.subTest(name):
                self.assertNotEqual(pairs.balances.wrong(model, pair, {**rows, name: rows[name] * change}), [])
        growing = 1e-3 * abs(rows["energy"]["total"]).max() * rows["time"] / rows["time"][-1]
        for name in "kinetic", "gravity", "numerical", "external", "dissipated":
            spoilt = {**rows["energy"], name: rows["energy"][name] + growing}
            with self.subTest(name):
                self.assertNotEqual(pairs.balances.wrong(model, pair, {**rows, "energy": spoilt}), [])


if __name__ == "__main__":
    unittest.main()
