#!/usr/bin/python3
"""Runs generated models by pairs of the grid, and says what is wrong with a run: balances of one run, and its equality with
the same model in another frame.

As a program: a campaign. `pairs.py [--from SEED] [--models N] [--pair WORD] [--seconds S]` runs models by all pairs that
take them and prints each fault with what shows it again; `--show SEED` prints a deck."""

import argparse
import math
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

import balances
import facts
import generate
import harness
from frames import Frame, written_back

COLUMNS = ("integrator", "strategy", "level", "contacts in", "laws", "constraints", "elements", "restitution", "scheme")
# constraints that turn with the motion; the others are affine
TURNING = {"pin", "rod", "distance", "slot", "prismatic", "bearing", "rod in space"}


@dataclass(frozen=True)
class Pair:
    """A row of the grid, and what is said beside it."""
    row: tuple
    integrator_words: str = ""
    strategy_words: str = ""
    springs: bool = False

    def __getattr__(self, name):
        if name in ("integrator", "strategy", "form", "laws", "constraints", "elements", "restitution"):
            return dict(self.row)[name]
        raise AttributeError(name)

    @property
    def name(self):
        words = [self.integrator, self.strategy, self.form]
        if "update" in self.strategy_words:
            words.append("update")
        if "implicit" in self.integrator_words:
            words.append("implicit damping")
        if self.springs and self.strategy == "event-driven":
            words.append("springs")
        return " ".join(word for word in words if word)

    @property
    def facts(self):
        return facts.facts(self.integrator, self.strategy, self.form, update="update" in self.strategy_words)

    @property
    def tolerance(self):
        """To what the iterations of a step are solved by default: residual_tolerance, tolerance."""
        return 1e-10 if self.strategy == "time-stepping" and self.integrator == "generalized-alpha" else 1e-12

    def words(self, model):
        form = f'{"level" if self.strategy == "time-stepping" else "form"} = "{self.form}"; ' if self.form else ""
        text = (f'integrator = {{ type = "{self.integrator}"; {self.integrator_words} }};\n'
                f'strategy = {{ type = "{self.strategy}"; {form}{self.strategy_words} }};\n')
        # rows at multiples of the step, so that runs with events in other places can be compared
        return text + (f"output = {{ every = {model.step!r}~; events = false; }};\n" if self.strategy == "event-driven" else "")

    def laws_of(self, model):
        if self.strategy == "penalty" and self.form != "standard" or self.springs and self.strategy == "event-driven":
            return model.with_laws("stiffness")
        return model.with_laws("stiffness", "restitution") if self.springs else model.with_laws("restitution")

    def refuses(self, model):
        """Why the pair does not take the model, by the columns of the grid and the pages of the strategies; None if it does."""
        features = model.features
        linear = not (model.parts["elements"] or "force with arm" in features)
        if self.elements == "linear" and not linear:
            return "nonlinear elements"
        if model.parts["constraints"] and (self.constraints == "none" or self.constraints == "fixed" and features & TURNING):
            return "constraints"
        if "friction" in features and (self.strategy in ("penalty", "event-driven") or self.form == "position"):
            return "friction"
        if self.strategy == "event-driven" and features & (balances.CURVED | {"moving obstacle"}):
            return "gaps that are not affine"
        elastic = any(name.startswith(("bar", "sheet", "beam")) for name in features)
        if self.strategy == "event-driven" and not self.springs and "0 < e < 1" in features and elastic:
            return "impacts of light nodes accumulate, a million in a second"
        if self.integrator == "exact" and features & {"dashpots"}:
            return "dashpots that couple modes"
        if self.integrator == "noh-bathe" and "consistent mass" in features and model.parts["constraints"]:
            return "an explicit scheme whose mass is not diagonal, and modes are coupled"
        return None


def grid():
    """Every row of the grid but those of nbm, which takes bars with one contact only, with its variants."""
    lines = harness.must(harness.run("list", "grid")).stdout.splitlines()
    starts = [lines[0].index(name) for name in COLUMNS]
    names = ["form" if name == "level" else name for name in COLUMNS]
    found = []
    for line in lines[1:]:
        row = {name: line[a:b].strip() for name, a, b in zip(names, starts, [*starts[1:], None])}
        if row["strategy"] == "nbm":
            continue
        key = tuple(row.items())
        # the midpoint rule is generalized-alpha with rho_inf = 1
        rho = "rho_inf = 1.0;" if row["integrator"] == "generalized-alpha" and row["form"] in ("conserving", "dissipating") else ""
        found.append(Pair(key, rho, springs=row["strategy"] == "penalty"))
        if row["restitution"] == "by update":
            found.append(Pair(key, rho, "update = true;"))
        if row["integrator"] == "central-difference":
            found.append(Pair(key, 'damping = "implicit";', springs=row["strategy"] == "penalty"))
        if row["strategy"] == "event-driven":
            found.append(Pair(key, springs=True))
    return found


@dataclass
class Run:
    status: int
    words: str = ""
    rows: dict = None


def names_of(file, path):
    return [harness.text(name) for name in file[path]] if path in file else []


def read(path):
    """Histories of a file by name, and the names of their columns."""
    with h5py.File(path) as file:
        rows = {name: item[()] for name, item in file["history"].items() if isinstance(item, h5py.Dataset)}
        rows["energy"] = {name: item[()] for name, item in file["history/energy"].items()}
        rows["P"], rows["L"] = file["history/momentum/linear"][()], file["history/momentum/angular"][()]
        rows["center"] = file["history/center/displacement"][()]
        for name, where in (("dofs", "dof"), ("contacts", "contact"), ("bodies", "body"), ("constraints", "constraint")):
            rows[name] = names_of(file, f"model/{where}_names")
        rows["events"] = len(file["events/kind"]) if "events" in file else 0
        return rows


class Runner:
    """Runs decks in a folder of its own."""

    def __init__(self, folder):
        self.folder, self.count = Path(folder), 0

    def run(self, model, pair, frame=Frame()):
        deck, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        seconds = frame.units[1]
        tail = re.sub(r"([0-9.e+-]+)~", lambda found: repr(float(found[1]) * seconds), pair.words(model))
        deck.write_text(model.deck(tail, frame), encoding="utf-8")
        output.unlink(missing_ok=True)
        self.count += 1
        done = harness.run("run", deck, "-o", output, "-q", "--progress=never", limit=60)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr.strip()]
            return Run(done.returncode, lines[0])
        return Run(0, done.stderr, read(output))


def turn_about_z(dim, angle):
    c, s = math.cos(angle), math.sin(angle)
    if dim == 2:
        return (c, -s, s, c)
    about_z, about_x = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return tuple((about_z @ about_x).ravel())


def views(model):
    """name: (the model, the frame), of each way to look at it that changes nothing; those that the model bars are left out."""
    dim = model.dim
    mirror = np.eye(dim)
    mirror[0, 0] = -1.0
    found = {"mirror": (model, Frame(turn=tuple(mirror.ravel()))),
             "units": (model, Frame(units=(1e3, 1e3, 1e-3))),
             "small units": (model, Frame(units=(1e6, 1e3, 1e9))),
             "origin": (model, Frame(shift=tuple(1e3 * x for x in (1.0, -0.7, 0.4)[:dim]))),
             "train": (model, Frame(drift=(3.0, -2.0, 1.0)[:dim])),
             "order": (model.shuffled(), Frame()),
             "two copies": (model.twice((5e3, 300.0, -200.0)[:dim]), Frame())}
    if dim > 1:
        found["turn"] = (model, Frame(turn=turn_about_z(dim, math.radians(37.0))))
    return {name: view for name, view in found.items() if name not in model.barred}


# what looking from there rounds: places of 1e3 to 1e-13, all else to 1e-16
ROUNDING = {"origin": 1e-12, "two copies": 1e-12, "train": 1e-12}


def differences(first, second):
    """Largest difference of places and velocities, each on its largest."""
    rows = min(len(first["velocity"]), len(second["velocity"]))
    return max(np.abs(second[what][:rows] - first[what][:rows]).max() / max(np.abs(first[what]).max(), 1e-300)
               for what in ("displacement", "velocity"))


def accumulates(pair, run):
    """Event by event a run may end where impacts accumulate, and says so: rounding decides whether a thousandth one comes."""
    return pair.strategy == "event-driven" and run.status == 76 and "they accumulate" in run.words


def compared(runner, model, pair, base, name):
    """What is wrong with the model seen from there, or None."""
    if name == "train" and pair.strategy == "event-driven" and model.parts["contacts"]:
        return None  # it takes no obstacles that move
    other, frame = views(model)[name]
    seen = runner.run(pair.laws_of(other), pair, frame)
    if accumulates(pair, seen):
        return None
    if seen.status:
        return f"{name}: exit {seen.status}: {seen.words}"
    if len(seen.rows["time"]) != len(base["time"]):
        return f"{name}: {len(seen.rows['time'])} rows, not {len(base['time'])}"
    found = differences(base, written_back(model, frame, seen.rows, base["dofs"]))
    if found < 1e-9:
        return None
    # what impacts make of rounding is measured by the same model that starts with velocities off by that much
    size = max(ROUNDING.get(name, 1e-14), pair.tolerance)
    grown = max(differences(base, runner.run(pair.laws_of(model.perturbed(part * size)), pair).rows) for part in (1.0, 3.0))
    if found <= 1e-9 + 1e3 * grown:
        return None
    return f"{name}: differs by {found:.1e} of the largest, where rounding makes {grown:.1e}"


def faults(runner, model, pair, chosen=None):
    """All that is wrong with the model by that pair; chosen: the views to look from, by default all."""
    run = runner.run(pair.laws_of(model), pair)
    if accumulates(pair, run):
        return []
    if run.status:
        return [f"exit {run.status}: {run.words}"]
    found = balances.wrong(model, pair, run.rows)
    for name in views(model) if chosen is None else chosen:
        wrong = compared(runner, model, pair, run.rows, name)
        if wrong:
            found.append(wrong)
    return found


def again(seed, pair):
    return f"tests/integration/pairs.py --from {seed} --models 1 --pair '{pair.name}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--models", type=int, default=2000)
    parser.add_argument("--pair", default="", help="pairs whose name has these words")
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--show", action="store_true", help="print the decks of what fails")
    words = parser.parse_args()
    pairs = [pair for pair in grid() if words.pair == pair.name or (words.pair and words.pair in pair.name) or not words.pair]
    if any(pair.name == words.pair for pair in pairs):
        pairs = [pair for pair in pairs if pair.name == words.pair]
    end, bad, ran = time.monotonic() + words.seconds, 0, set()
    with tempfile.TemporaryDirectory(prefix="signorini-pairs-") as folder:
        runner = Runner(folder)
        for seed in range(words.first, words.first + words.models):
            if time.monotonic() > end:
                print(f"the time is over after {seed - words.first} models")
                break
            model = generate.model(seed)
            for turn, pair in enumerate(pairs):
                if pair.refuses(model):
                    continue
                ran |= {(pair.name, a, b) for a in model.features for b in model.features if a <= b}
                everything = list(views(model))
                chosen = everything if words.models == 1 else [everything[(seed + turn) % len(everything)]]
                for fault in faults(runner, model, pair, chosen):
                    bad += 1
                    print(f"{pair.name}: {fault}\n    {again(seed, pair)}", flush=True)
                    if words.show:
                        print(pair.laws_of(model).deck(pair.words(model).replace("~", "")))
    print(f"{runner.count} runs, {len(ran)} pairs of features by pairs of the grid, {bad} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
