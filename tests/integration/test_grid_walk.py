#!/usr/bin/python3
"""A walk over the grid: every pair of integrator and strategy runs a falling body, a body at rest, one that slides with
friction, one that friction holds, a stack, a bar and a joint, and the file alone is asked for momentum, for displacements
as integrals of velocities, for energy by its parts, for signs and complementarity (balances.py), by what each scheme keeps
by its published construction (facts.py). What a pair does not take it refuses, for the reason that the grid tells."""

import math
import tempfile
import unittest

import numpy as np

import balances
import pairs
from frames import ACCELERATION, INERTIA, LENGTH, MASS, RATE, SPEED, STIFFNESS, Free, Model, Node, Nodes, Point, Scalar, Scalars, Side

GRAVITY, WEIGHT = 9.81, 2.0 * 9.81
MU = 0.3
STEP = 0.002
TILT = 0.2  # tan 0.2 = 0.203 < MU
# what a refusal says
REASONS = {"friction": "friction", "constraints": "constraint", "nonlinear elements": "linear",
           "gaps that are not affine": "affine|turn|curved|circle|nodes"}


def law(restitution):
    return {"restitution": Scalar(restitution), "stiffness": Scalar(1500.0, STIFFNESS)}


def gravity(*direction):
    return [{"type": "gravity", "acceleration": Scalar(GRAVITY, ACCELERATION), "direction": Free(direction)}]


def ball(height, restitution):
    model = Model(0, 1)
    model.parts["bodies"] = [{"type": "particles", "name": "b", "positions": Point((height,)), "masses": Scalars((2.0,), MASS)}]
    model.parts["contacts"] = [{"type": "plane", "name": "floor", "node": Node("b.0"), "normal": Free((1.0,)),
                                "point": Point((0.0,)), **law(restitution)}]
    model.parts["loads"] = gravity(-1.0)
    return model


def stack():
    model = ball(0.0, 0.3)
    model.parts["bodies"].append({"type": "particles", "name": "c", "positions": Point((1.0,)), "masses": Scalars((3.0,), MASS)})
    model.parts["contacts"].append({"type": "pair", "name": "between", "nodes": Nodes(("b.0", "c.0")), "gap": Scalar(0.002, LENGTH),
                                    **law(0.3)})
    return model


def on_a_plane(tilt, speed):
    """A body that touches a plane with friction, along which it moves."""
    model = Model(0, 2, features={"friction"})
    normal, along = (-math.sin(tilt), math.cos(tilt)), (math.cos(tilt), math.sin(tilt))
    model.parts["bodies"] = [{"type": "particles", "name": "b", "dim": 2, "positions": Point((0.0, 0.0)),
                              "masses": Scalars((2.0,), MASS)}]
    model.parts["contacts"] = [{"type": "plane", "name": "floor", "node": Node("b.0"), "normal": Free(normal),
                                "point": Point((0.0, 0.0)), "friction": Scalar(MU), **law(0.0)}]
    model.parts["loads"] = gravity(0.0, -1.0)
    model.parts["initial"] = [{"node": "b.0", "velocity_vector": Free(tuple(speed * x for x in along), SPEED)}]
    return model


def bar():
    """A free bar flies into a wall; waves of 5 m/s."""
    model = Model(0, 1)
    model.parts["bodies"] = [{"type": "bar", "name": "b", "length": Scalar(1.0, LENGTH), "elements": 5, "order": 1,
                              "area": Scalar(1.0), "modulus": Scalar(25.0), "density": Scalar(1.0), "mass": "lumped",
                              "position": Point((0.01,), alone=True)}]
    model.parts["contacts"] = [{"type": "wall", "name": "wall", "node": Node("b.left"), "side": Side(("lower", "upper")),
                                "position": Point((0.0,), alone=True), **law(0.0)}]
    model.parts["initial"] = [{"body": "b", "velocity": Free((-0.5,), SPEED, alone=True)}]
    return model


def joint():
    """A pendulum on a bearing that meets a plane."""
    model = Model(0, 2, features={"bearing"})
    arm = (-0.5, 0.1)
    model.parts["bodies"] = [{"type": "multibody", "name": "b", "positions": Point((0.0, 0.0)), "masses": Scalars((2.0,), MASS),
                              "inertias": Scalars((0.1,), INERTIA)}]
    model.parts["constraints"] = [{"type": "pin", "name": "bearing", "nodes": Nodes(("b.0",)), "arms": Free(arm, LENGTH),
                                   "point": Point(arm)}]
    model.parts["contacts"] = [{"type": "plane", "name": "floor", "node": Node("b.0"), "normal": Free((0.0, 1.0)),
                                "point": Point((0.0, -0.2)), **law(0.5)}]
    model.parts["loads"] = gravity(0.0, -1.0)
    model.parts["initial"] = [{"node": "b.0", "velocity_vector": Free((0.0, 0.0), SPEED), "angular_velocity": Scalar(0.0, RATE)}]
    return model


MODELS = {"falling": ball(0.0123, 0.5), "rest": ball(0.0, 0.5), "sliding": on_a_plane(0.0, 1.0), "stuck": on_a_plane(TILT, 0.0),
          "stack": stack(), "bar": bar(), "joint": joint()}


class Walk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="signorini-walk-")
        cls.runner = pairs.Runner(cls.folder.name)
        cls.grid = pairs.grid()
        cls.runs = {}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def rows(self, pair, name):
        """Of a run, once; None where the pair refuses the model, for the reason that the grid tells."""
        if (pair, name) not in self.runs:
            model = MODELS[name]
            run, reason = self.runner.run(pair.laws_of(model), pair), pair.refuses(model)
            if reason:
                self.assertEqual(run.status, 65, f"{pair.name} takes {name}, against the grid: {reason}")
                self.assertRegex(run.words, REASONS[reason])
            else:
                self.assertEqual(run.status, 0, f"{pair.name}, {name}: {run.words}")
            self.runs[pair, name] = run.rows
        return self.runs[pair, name]

    def walk(self, check, *names):
        """check(pair, rows, name) of every pair that takes the models."""
        for pair in self.grid:
            for name in names:
                with self.subTest(pair=pair.name, model=name):
                    rows = self.rows(pair, name)
                    if rows is not None:
                        check(pair, rows, name)

    def test_balances(self):
        self.walk(lambda pair, rows, name: self.assertEqual(balances.wrong(MODELS[name], pair, rows), []), *MODELS)

    def test_who_takes_what(self):
        """The walk is no walk if pairs refuse."""
        taken = {name: sum(pair.refuses(model) is None for pair in self.grid) for name, model in MODELS.items()}
        for name in "falling", "rest", "stack", "bar":
            self.assertEqual(taken[name], len(self.grid))
        self.assertGreaterEqual(taken["sliding"], 5)
        self.assertGreaterEqual(taken["joint"], 7)

    def test_rest_stays(self):
        """A body at rest shows its weight over time and stays: by schemes that know contacts at the end of a step, or in its
        middle, as far as it falls in one."""
        def check(pair, rows, _):
            if pair.springs:
                return
            self.assertLess(np.abs(rows["displacement"]).max(), 2.0 * GRAVITY * STEP**2)
            # what is left of a velocity, g h, at the end
            mean = rows["contact_impulse"][1:].sum() / rows["time"][-1]
            self.assertLess(abs(mean - WEIGHT), 2.0 * WEIGHT * STEP / rows["time"][-1])
        self.walk(check, "rest")

    def test_sliding_stops_where_it_should(self):
        """After v0^2 / (2 mu g), a step's way of the error, and all its energy is dissipated."""
        def check(_, rows, __):
            self.assertLess(abs(rows["displacement"][-1, 0] - 1.0 / (2.0 * MU * GRAVITY)), STEP)
            self.assertLess(np.abs(rows["velocity"][-1]).max(), 1e-9)
            self.assertLess(abs(rows["energy"]["dissipated"][-1] - 1.0), 5e-3)
        self.walk(check, "sliding")

    def test_what_friction_holds_stays(self):
        """As far as it falls in a step, until it is held."""
        def check(_, rows, __):
            self.assertLess(np.abs(rows["displacement"]).max(), 2.0 * GRAVITY * STEP**2)
        self.walk(check, "stuck")

    def test_the_bar_is_pushed(self):
        """By rho A c v until the wave has come back, from .02 s on, in .4 s by .95 N s. Five elements, whose end bounces on the
        wall, have it to a third."""
        def check(pair, rows, _):
            if not pair.springs:
                self.assertLess(abs(rows["contact_impulse"].sum() / 0.95 - 1.0), 1.0 / 3.0)
        self.walk(check, "bar")


if __name__ == "__main__":
    unittest.main()
