#!/usr/bin/python3
"""Every deck that ships does the same in other units and from another origin.

What a number of a deck is comes from the program's own schema, which tells the unit of each keyword: the deck with all
defaults filled in is written anew with each number times the factor of its unit. Factors are powers of 4, which leave all
digits of all numbers as they are, square roots too: (m, s, kg) become nearly (mm, ms, t) and (km, s, g). A program without
hidden lengths, times and masses finds the same motion. What has no unit and needs one is not guessed: the test fails."""

import json
import re
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

# of m, s, kg: about 1000, 1000 and 1e-3, as mm, ms, t; 1e-3, 1, 1000, as km, s, g
UNITS = {"mm, ms, t": (4.0**5, 4.0**5, 4.0**-5), "km, s, g": (4.0**-5, 1.0, 4.0**5)}
BASE = {"m": (1, 0, 0), "s": (0, 1, 0), "kg": (0, 0, 1), "N": (1, -2, 1), "Pa": (-1, -2, 1), "J": (2, -2, 1), "Hz": (0, -1, 0),
        "rad": (0, 0, 0), "1": (0, 0, 0)}
# m; rounds positions to 1e-13 m
ORIGIN = 1e3
# the second are rounding of positions where constraints hold
ABOUT_THE_ORIGIN = {"history/momentum/angular", "history/constraint_correction", "history/contact_correction"}
# how much of a deck's time is run, where a tenth takes long
PARTS = {"building_pounding": 0.004}
# keywords in m: points move with the origin, lengths don't
POINTS = {("bodies", "bar", "position"), ("bodies", "particles", "positions"), ("bodies", "chain", "position"),
          ("bodies", "discrete_beam", "positions"), ("bodies", "discrete_beam", "y"), ("bodies", "plane", "position"),
          ("bodies", "mesh", "position"), ("bodies", "multibody", "positions"), ("bodies", "frame", "position"),
          ("bodies", "members", "position"), ("constraints", "rod", "point"), ("constraints", "distance", "point"),
          ("constraints", "pin", "point"), ("constraints", "slot", "point"), ("constraints", "prismatic", "point"),
          ("constraints", "coordinate", "value"), ("contacts", "wall", "position"), ("contacts", "plane", "point"),
          ("contacts", "circle", "center"), ("contacts", "sphere", "center"), ("elements", "van_der_pol", "center")}


def powers(unit):
    """Exponents of m, s, kg of a unit as the manual writes it: 'N s/m', 'kg/m^3', 'N/m^1.5', 'N m/rad'."""
    found, sign = np.zeros(3), 1.0
    for part in re.findall(r"/|[^\s/]+", unit):
        if part == "/":
            sign = -1.0
            continue
        name, _, power = part.partition("^")
        found += sign * float(power or 1) * np.array(BASE[name])
    return found


class Grammar:
    """The unit of each number of a deck."""

    def __init__(self):
        self.schema = json.loads(harness.must(harness.run("schema")).stdout)

    def resolved(self, node, value):
        """The properties of a group: of its kind too."""
        node = {**self.schema["$defs"][node["$ref"].rpartition("/")[2]], **node} if "$ref" in node else node
        found = dict(node.get("properties", {}))
        for case in node.get("allOf", []):
            kind = case.get("if", {}).get("properties", {}).get("type", {}).get("const")
            if kind is not None and value.get("type", "transient") == kind:
                found.update({name: part for name, part in case["then"].get("properties", {}).items() if part is not True})
        for case in node.get("anyOf", []):
            found.update(self.resolved(case, value) if isinstance(case, dict) else {})
        return found

    @staticmethod
    def unit(node):
        told = re.search(r"\[([^\]]*)\]$", node.get("description", ""))
        return told[1] if told else None


class Deck:
    """A deck in other units, or from an origin elsewhere: its values, with side files written beside it."""

    def __init__(self, grammar, path, folder, units=(1.0, 1.0, 1.0), shift=0.0):
        self.grammar, self.units, self.folder, self.source = grammar, units, Path(folder), path.parent
        self.values = harness.resolved(path)
        self.shift = shift * np.array([1.0, -0.7, 0.4])[:self.dim()]
        self.moved = 0

    def dim(self):
        body = self.values["bodies"][0]
        return {"bar": 1, "matrices": 1, "particles": body.get("dim", 1)}.get(body["type"], 2)

    def place(self, value, path, group):
        """A keyword's points, by the way of the origin."""
        section, name = path[0], path[-1]
        key = (section, group.get("type"), name)
        if len(path) != 2 or key not in POINTS:
            if name in ("positions", "point", "center", "position"):
                raise AssertionError(f"{key}: is it a point or a length?")
            return value
        self.moved += 1
        if isinstance(value, list) and key[1] == "discrete_beam":
            return [x + self.shift[0] for x in value]
        if isinstance(value, list):
            return list(np.array(value) + np.tile(self.shift, len(value) // len(self.shift)))
        return value + self.shift["xyz".index("y" if name == "y" else group.get("axis", "x"))]

    def factor(self, unit):
        return float(np.prod(np.array(self.units) ** powers(unit)))

    def scaled(self):
        return self.group(self.values, self.grammar.schema, (), None)

    def group(self, value, node, path, inherited):
        parts, found = self.grammar.resolved(node, value), {}
        for name, item in value.items():
            part = parts.get(name)
            if part is None:
                raise AssertionError(f"the schema does not know {'.'.join((*path, name))}")
            unit = self.unit_of(value, name, part, path, inherited)
            if unit == "m" and not isinstance(item, (str, dict)) and self.shift.any():
                item = self.place(item, (*path, name), value)
            found[name] = self.item(item, part, (*path, name), unit)
        return found

    def unit_of(self, group, name, part, path, inherited):
        """What a keyword's number is in; a signal's and a profile's numbers are in the unit of what they drive."""
        unit = self.grammar.unit(part)
        section = path[0] if path else ""
        if unit and "^p" in unit:
            power = group["exponent"]
            return f"N s^{power}/m^{power}"
        if name == "checkpoint":
            return "1"  # of the wall's clock
        if section == "supports" and name == "motion" or section == "constraints" and name == "motion":
            return {"displacement": "m", "velocity": "m/s", "acceleration": "m/s^2"}[group.get("quantity", "displacement")]
        if section == "contacts" and name == "motion":
            return "m"
        if section == "loads" and group.get("type") == "vector" and name == "signal":
            return "N"
        if section == "bodies" and group.get("type") == "mesh" and name == "scale":
            return "m"
        if section == "constraints" and group.get("type") == "coordinate" and name == "value" and group.get("axis") == "rotation":
            return "rad"
        if section == "supports" and name == "stiffness" and group.get("axes") == "r":
            return "N m/rad"
        if unit is None and inherited and name in ("value", "amplitude", "mean", "values", "start", "end", "middle"):
            return inherited
        return unit

    def item(self, value, node, path, unit):
        if isinstance(value, dict):
            return self.group(value, node, path, unit)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = next(case["items"] for case in (node, *node.get("anyOf", [])) if "items" in case)
            return [self.group(part, items, path, unit) for part in value]
        if isinstance(value, str):
            return self.file(value, path, unit)
        if unit is None or isinstance(value, bool):
            return value
        if isinstance(value, list):
            return [x * self.factor(unit) for x in value]
        return value * self.factor(unit) if isinstance(value, float) else value

    def file(self, name, path, unit):
        """Side files: a keyword with a unit tells that of a matrix's values."""
        source = self.source / name
        if path[-1] in ("title", "type", "name") or not source.is_file():
            return name
        target = self.folder / Path(name).name
        text = source.read_text(encoding="utf-8")
        if name.endswith(".AT2"):
            text, target = self.record(text), target.with_suffix(".txt")
        elif unit is not None and text.startswith("%%MatrixMarket"):
            text = matrix(text, self.factor(unit))
        elif not name.endswith(".msh") and "direction" not in path[-1] and not text.startswith("%%MatrixMarket"):
            raise AssertionError(f"{'.'.join(path)}: no rule for the units of the file '{name}'")
        target.write_text(text, encoding="utf-8")
        return target.name

    def record(self, text):
        """PEER's format, values in g, as two columns in m/s^2 that are the deck's units."""
        lines = text.splitlines()
        dt = float(re.search(r"DT=\s*([0-9.Ee+-]+)", lines[3])[1])
        values = [float(x) * 9.80665 for line in lines[4:] for x in line.split()]
        return "".join(f"{k * dt * self.units[1]!r} {x * self.factor('m/s^2')!r}\n" for k, x in enumerate(values))


def matrix(text, factor):
    lines, first = text.splitlines(), True
    for k, line in enumerate(lines):
        if line.startswith("%") or not line.strip():
            continue
        if first:
            first = False
            continue
        words = line.split()
        words[-1] = repr(float(words[-1]) * factor)
        lines[k] = " ".join(words)
    return "\n".join(lines) + "\n"


def written(value):
    if isinstance(value, dict):
        return "{ " + " ".join(f"{name} = {written(item)};" for name, item in value.items()) + " }"
    if isinstance(value, list):
        inside = ", ".join(written(item) for item in value)
        return f"( {inside} )" if value and isinstance(value[0], dict) else f"[ {inside} ]"
    return json.dumps(value) if isinstance(value, (str, bool)) else repr(value)


def shortened(values, stem):
    values["time"]["end"] *= PARTS.get(stem, 0.1)
    return values


class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="signorini-units-")
        self.addCleanup(folder.cleanup)
        self.folder, self.grammar = Path(folder.name), Grammar()

    def run_deck(self, path, **view):
        deck = Deck(self.grammar, path, self.folder, **view)
        values = shortened(deck.scaled(), path.stem)
        target, output = self.folder / "deck.cfg", self.folder / "deck.h5"
        target.write_text("".join(f"{name} = {written(item)};\n" for name, item in values.items()), encoding="utf-8")
        if deck.shift.any() and deck.moved == 0:
            return None
        harness.must(harness.run("run", target, "-o", output, "-q", "--progress=never", limit=120))
        return self.read(output, deck)

    @staticmethod
    def read(output, deck):
        """Histories and events in m, s, kg again, and their units; stresses know the modulus."""
        found = {}
        with h5py.File(output) as file:
            angles = np.array([harness.text(name).endswith(".rotation") for name in file["model/dof_names"]])
            for name, data in harness.series(file).items():
                unit, values = harness.text(data.attrs["units"]), data[()]
                if values.dtype.kind != "f":
                    found[name] = (values, None)
                    continue
                mixed = "rad" in unit and "," in unit
                factor = deck.factor(unit.split(",")[0])
                scale = np.where(angles, deck.factor(unit.split(",")[1].strip()), factor) if mixed else factor
                found[name] = (np.nan_to_num(values / scale, posinf=0.0, neginf=0.0), unit)
        return found

    def decks(self):
        """Those that have histories; sweeps and analyses of points are run by what else tests them."""
        for path in harness.DECKS:
            if harness.resolved(path).get("analysis", {}).get("type", "transient") == "transient":
                yield path, self.run_deck(path)

    def test_in_other_units_and_from_another_origin(self):
        origins = 0
        for path, right in self.decks():
            for name, units in UNITS.items():
                with self.subTest(deck=path.stem, units=name):
                    self.same(right, self.run_deck(path, units=units), bits=True)
            seen = self.run_deck(path, shift=ORIGIN)
            if seen is None:
                continue  # gaps are given and no places: there is no origin
            origins += 1
            with self.subTest(deck=path.stem, origin=ORIGIN):
                self.same(right, seen)
        self.assertGreater(origins, 15)

    def same(self, right, seen, bits=False):
        """Bit by bit; or to what positions of ORIGIN round, 1e-13, and motions make of it, on the largest of the unit."""
        self.assertEqual(right.keys(), seen.keys())
        largest = {}
        for name, (values, unit) in right.items():
            if unit and values.size and name not in ABOUT_THE_ORIGIN and "stress" not in name and "mises" not in name:
                largest[unit] = max(largest.get(unit, 0.0), np.abs(values).max())
        for name, (values, unit) in right.items():
            self.assertEqual(values.shape, seen[name][0].shape, name)
            if bits or unit is None:
                np.testing.assert_array_equal(seen[name][0], values, name)
            elif unit in largest and name not in ABOUT_THE_ORIGIN and values.size:
                off = np.abs(seen[name][0] - values).max()
                self.assertLessEqual(off, 1e-7 * largest[unit] + (1e-12 * ORIGIN if unit == "m" else 0.0), name)


if __name__ == "__main__":
    unittest.main()
