"""Models that can be looked at from another frame.

A model is a deck of tagged numbers: each leaf knows its dimension and how it turns (a number, a free vector, a point, an
angle, a side). The same model can so be written turned, mirrored, moved, in other units, in another order of its parts,
seen from a train, or twice, and what it did be written back."""

import math
import random
from dataclasses import dataclass, field, replace

import numpy as np

# exponents of m, s, kg
NONE, LENGTH, TIME, MASS = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
SPEED, ACCELERATION, FORCE, STIFFNESS = (1, -1, 0), (1, -2, 0), (1, -2, 1), (0, -2, 1)
MOMENT, INERTIA, RATE, DASHPOT, HERTZ = (2, -2, 1), (2, 0, 1), (0, -1, 0), (0, -1, 1), (-0.5, -2, 1)


@dataclass(frozen=True)
class Frame:
    """How a model is looked at: x' = turn x + shift + drift t, in units that are 1/units of m, s, kg."""
    turn: tuple = None
    shift: tuple = None
    drift: tuple = None
    units: tuple = (1.0, 1.0, 1.0)

    def factor(self, dims):
        return math.prod(unit**power for unit, power in zip(self.units, dims))

    def matrix(self, dim):
        return np.eye(dim) if self.turn is None else np.array(self.turn, dtype=float).reshape(dim, dim)

    def sign(self, dim):
        return round(float(np.linalg.det(self.matrix(dim))))


def number(value):
    return repr(float(value))


@dataclass(frozen=True)
class Scalar:
    value: float
    dims: tuple = NONE
    odd: bool = False

    def text(self, frame, dim):
        return number(self.value * frame.factor(self.dims) * (frame.sign(dim) if self.odd else 1))


@dataclass(frozen=True)
class Scalars:
    values: tuple
    dims: tuple = NONE

    def text(self, frame, dim):
        return "[" + ", ".join(number(value * frame.factor(self.dims)) for value in self.values) + "]"


def listed(vector):
    return ", ".join(number(x) for x in vector)


@dataclass(frozen=True)
class Free:
    """A free vector, or several; alone: in 1-D a plain number."""
    values: tuple
    dims: tuple = NONE
    alone: bool = False
    moves: bool = False

    def text(self, frame, dim):
        vectors = np.array(self.values, dtype=float).reshape(-1, dim) @ frame.matrix(dim).T
        if self.moves and frame.drift is not None:
            vectors = vectors + np.array(frame.drift)
        numbers = (vectors * frame.factor(self.dims)).ravel()
        return number(numbers[0]) if self.alone else "[" + listed(numbers) + "]"


@dataclass(frozen=True)
class Point:
    values: tuple
    alone: bool = False

    def text(self, frame, dim):
        points = np.array(self.values, dtype=float).reshape(-1, dim) @ frame.matrix(dim).T
        if frame.shift is not None:
            points = points + np.array(frame.shift)
        numbers = (points * frame.factor(LENGTH)).ravel()
        return number(numbers[0]) if self.alone else "[" + listed(numbers) + "]"


@dataclass(frozen=True)
class Angle:
    """The angle of a direction against the x axis, in a plane; turns only."""
    value: float

    def text(self, frame, dim):
        turn = frame.matrix(dim)
        return number(self.value + math.atan2(turn[1, 0], turn[0, 0]))


@dataclass(frozen=True)
class Side:
    """One of two words, which a mirror exchanges."""
    words: tuple

    def text(self, frame, dim):
        return f'"{self.words[0 if frame.sign(dim) > 0 else 1]}"'


@dataclass(frozen=True)
class Nodes:
    """Names of nodes; ordered: a mirror exchanges the two."""
    names: tuple
    ordered: bool = False

    def text(self, frame, dim):
        names = self.names[::-1] if self.ordered and frame.sign(dim) < 0 else self.names
        return "[" + ", ".join(f'"{name}"' for name in names) + "]"


@dataclass(frozen=True)
class Node:
    name: str

    def text(self, frame, dim):
        return f'"{self.name}"'


@dataclass(frozen=True)
class WallMotion:
    """The motion of a plane along its normal: what a train adds to it is a straight line."""
    normal: tuple
    group: dict = None

    def text(self, frame, dim):
        if frame.drift is None or self.group is not None:
            return written(self.group, frame, dim)
        speed = float(np.dot(np.array(frame.drift), frame.matrix(dim) @ np.array(self.normal))) * frame.factor(SPEED)
        end = 1e3 * frame.factor(TIME)
        return f'{{ type = "piecewise-linear"; times = [0.0, {number(end)}]; values = [0.0, {number(speed * end)}]; }}'


def written(item, frame, dim):
    if isinstance(item, dict):
        return "{ " + " ".join(f"{name} = {written(value, frame, dim)};" for name, value in item.items()
                               if not (isinstance(value, WallMotion) and value.group is None and frame.drift is None)) + " }"
    if isinstance(item, (list, tuple)):
        return "( " + ",\n  ".join(written(part, frame, dim) for part in item) + " )"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return f'"{item}"'
    if isinstance(item, int):
        return str(item)
    return item.text(frame, dim)


def renamed(item, ending):
    """The same part of a second copy: all names of bodies and nodes with an ending."""
    def name(text):
        body, dot, node = text.partition(".")
        return body + ending + dot + node
    if isinstance(item, dict):
        return {key: (value + ending if key == "name" else name(value) if key == "body" else renamed(value, ending))
                for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return [renamed(part, ending) for part in item]
    if isinstance(item, Node):
        return Node(name(item.name))
    if isinstance(item, Nodes):
        return replace(item, names=tuple(name(text) for text in item.names))
    return item


def moved(item, shift, dim):
    """The same part, a way off."""
    if isinstance(item, dict):
        return {key: moved(value, shift, dim) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return [moved(part, shift, dim) for part in item]
    if isinstance(item, Point):
        return replace(item, values=tuple((np.array(item.values, dtype=float).reshape(-1, dim) + np.array(shift)).ravel()))
    return item


SECTIONS = ("bodies", "elements", "constraints", "supports", "contacts", "loads", "initial")


@dataclass
class Model:
    seed: int
    dim: int
    parts: dict = field(default_factory=lambda: {section: [] for section in SECTIONS})
    damping: dict = None
    end: float = 0.4
    step: float = 2e-3
    features: set = field(default_factory=set)
    # transformations that the model does not take, with the reason
    barred: dict = field(default_factory=dict)

    def deck(self, tail, frame=Frame()):
        lines = [f"{section} = {written(self.parts[section], frame, self.dim)};" for section in SECTIONS
                 if self.parts[section]]
        if self.damping:
            lines.append(f"damping = {written(self.damping, frame, self.dim)};")
        seconds = frame.factor(TIME)
        lines.append(f"time = {{ end = {number(self.end * seconds)}; step = {number(self.step * seconds)}; }};")
        return "\n".join([f'title = "model {self.seed}";', *lines, tail]) + "\n"

    def shuffled(self):
        """Bodies, contacts and all else in another order."""
        other = random.Random(self.seed + 1)
        parts = {section: other.sample(items, len(items)) for section, items in self.parts.items()}
        return replace(self, parts=parts)

    def twice(self, shift):
        once = {"gravity", "body-force", "ground-acceleration"}
        parts = {section: [*items, *(moved(renamed(item, "_2"), shift, self.dim) for item in items
                                     if not (section == "loads" and item["type"] in once))]
                 for section, items in self.parts.items()}
        return replace(self, parts=parts)

    def perturbed(self, size):
        """The same model with starting velocities and weights that differ by a part of themselves: one of both is not 0 where
        anything moves."""
        rng = random.Random(self.seed)

        def nearly(value):
            if hasattr(value, "value"):
                return replace(value, value=value.value * (1.0 + size * rng.uniform(-1.0, 1.0)))
            return replace(value, values=tuple(x * (1.0 + size * rng.uniform(-1.0, 1.0)) for x in value.values))

        def changed(item):
            return {key: nearly(value) if key in ("velocity", "velocity_vector", "acceleration") else value
                    for key, value in item.items()}
        return replace(self, parts={**self.parts, **{section: [changed(item) for item in self.parts[section]]
                                                     for section in ("initial", "loads")}})

    def with_laws(self, *names):
        """The same model with these short forms of contact laws alone."""
        laws = {"restitution", "stiffness"} - set(names)
        contacts = [{key: value for key, value in item.items() if key not in laws} for item in self.parts["contacts"]]
        return replace(self, parts={**self.parts, "contacts": contacts})


def written_back(model, frame, rows, names):
    """Displacements and velocities of a run of the model in that frame, as they are in the model's own: columns `names`."""
    turn, column = frame.matrix(model.dim), {name: k for k, name in enumerate(rows["dofs"])}
    points = {}
    for k, name in enumerate(names):
        if not name.endswith(".rotation"):
            points.setdefault(name if model.dim == 1 else name.rpartition(".")[0], []).append(k)
    seconds = rows["time"] / frame.factor(TIME)
    drift = np.zeros(model.dim) if frame.drift is None else turn.T @ np.array(frame.drift)
    found = {}
    for what, dims, rate, shared in (("displacement", LENGTH, NONE, np.outer(seconds, drift)),
                                     ("velocity", SPEED, RATE, drift)):
        back = np.zeros((len(seconds), len(names)))
        for columns in points.values():
            there = rows[what][:, [column[names[k]] for k in columns]] / frame.factor(dims)
            back[:, columns] = there @ turn - shared
        for k, name in enumerate(names):
            if name.endswith(".rotation"):
                back[:, k] = rows[what][:, column[name]] * frame.sign(model.dim) / frame.factor(rate)
        found[what] = back
    return found
