#!/usr/bin/python3
"""Bodies that come to rest on several rigid contacts, event by event: no scheme sinks or counts blows without end, what is
decided by the next derivative does not depend on the order of the contacts, and what touches at the start is struck alike
wherever the origin lies."""

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness
import test_events as flow

SCHEMES = ("exact", "botr", "trapezoidal", "newmark", "generalized-alpha", "bathe", "wilson-theta", "noh-bathe")
GAP_TOLERANCE = flow.GAP_TOLERANCE


def run(deck):
    with tempfile.TemporaryDirectory(prefix="signorini-rest-") as folder:
        path = Path(folder) / "deck.cfg"
        path.write_text(deck, encoding="utf-8")
        harness.must(harness.run("run", path, "-o", path.with_suffix(".h5"), "-q"))
        with h5py.File(path.with_suffix(".h5")) as file:
            names = [harness.text(x) for x in file["model/contact_names"]]
            events = [(float(t), names[j], int(k)) for t, j, k in
                      zip(*(file["events"][x][()] for x in ("time", "contact", "kind")))]
            rows = {name: file["history"][name][()] for name in ("time", "gap", "velocity", "contact_force")}
            return events, rows, dict(file["summary"].attrs)


class Bars:
    """Two bars that fall on one another and on the ground, in coordinates in which the mass is the identity, for the flow of
    test_events.py: contacts between the bars and below the lower one."""

    gap0 = np.array([0.9172937174415995 - 0.9039480257164947, 0.0])
    sprung = np.array([False, False])
    restitution = np.array([0.5, 0.5])
    stiff = np.array([])
    loads, alpha, beta = (), 0.0, 0.0

    def __init__(self):
        M, K = np.zeros((9, 9)), np.zeros((9, 9))
        for first, count, length, modulus, density, lumped in (
                (0, 5, 0.9039480257164947, 39.50588925134429, 1.0823473154367802, False),
                (6, 2, 0.8194350592536062, 35.81095363590315, 1.333552735010165, True)):
            h = length / count
            for i in range(first, first + count):
                K[i:i + 2, i:i + 2] += modulus / h * np.array([[1, -1], [-1, 1]])
                M[i:i + 2, i:i + 2] += density * h / 6 * (np.diag([3, 3]) if lumped else np.array([[2, 1], [1, 2]]))
        W = np.zeros((9, 2))
        W[5, 0], W[6, 0], W[0, 1] = -1, 1, 1
        force = -3.1333971434677776 * M.sum(axis=1)
        force[6] -= 3.7176617453184067
        self.n, self.mass = 9, np.ones(9)
        low = np.linalg.inv(np.linalg.cholesky(M))
        self.K, self.W, self.constant = low @ K @ low.T, low @ W, low @ force
        v = np.array([0.33162747111383184] * 6 + [0.11243039089674789] * 3)
        self.u0, self.v0 = np.zeros(9), np.linalg.solve(low.T, v)

    def force(self, u):
        return self.K @ u

    def weight(self):
        return self.constant


BARS = """
bodies = ( { type = "bar"; name = "b0"; length = 0.9039480257164947; elements = 5; area = 1.0; modulus = 39.50588925134429;
    density = 1.0823473154367802; mass = "consistent"; },
  { type = "bar"; name = "b1"; length = 0.8194350592536062; elements = 2; area = 1.0; modulus = 35.81095363590315;
    density = 1.333552735010165; mass = "lumped"; position = 0.9172937174415995; } );
contacts = ( { type = "pair"; name = "between"; nodes = ["b0.5", "b1.0"]; restitution = 0.5; },
  { type = "plane"; name = "below"; node = "b0.0"; normal = [1.0]; point = [0.0]; restitution = 0.5; } );
loads = ( { type = "gravity"; acceleration = 3.1333971434677776; direction = [-1.0]; },
  { type = "force"; node = "b1.0"; direction = [1.0]; signal = { type = "constant"; value = -3.7176617453184067; }; } );
initial = ( { body = "b0"; velocity = 0.33162747111383184; }, { body = "b1"; velocity = 0.11243039089674789; } );
time = { end = 0.6; step = 0.004; };
strategy = { type = "event-driven"; gap_tolerance = %g; };
output = { every = 0.004; events = false; };
integrator = { type = "%s"; };
"""

BEAM = """
bodies = ( { type = "members"; name = "beam"; nodes = [0.0, 0.0, 0.5, 0.1100172393890328, 1.0, 0.0];
    members = ( { ends = [0.0, 1.0, 1.0, 2.0]; section = { modulus = 10000.0; density = 100.64760075954041; area = 0.01;
    inertia = 1e-05; }; hinges = "second"; } ); mass = "lumped"; } );
contacts = ( %s );
initial = ( { body = "beam"; velocity_vector = [0.33018859472832895, -0.9219548957602516]; } );
damping = { mass = 0.12345938889395355; };
time = { end = 0.4; step = 0.002; };
integrator = { type = "%s"; }; strategy = { type = "event-driven"; }; output = { every = 0.002; events = false; };
"""
FEET = ('{ type = "plane"; name = "first"; node = "beam.0"; normal = [0.0, 1.0]; point = [0.0, -0.01]; restitution = 0.0; }',
        '{ type = "plane"; name = "last"; node = "beam.2"; normal = [0.0, 1.0]; point = [0.0, -0.01]; restitution = 1.0; }')

SLOPE = """
bodies = ( { type = "multibody"; name = "b"; positions = [%r, %r]; masses = [1.5]; inertias = [0.04]; } );
contacts = ( { type = "plane"; node = "b"; normal = [0.6, 0.8]; point = [%r, %r]; radius = 0.2; %s; } );
loads = ( { type = "gravity"; acceleration = 9.81; direction = [0.0, -1.0]; } );
initial = ( { node = "b"; velocity_vector = [0.9, -0.8]; } );
time = { end = 0.05; step = 0.002; };
integrator = { type = "%s"; }; strategy = { type = "event-driven"; };
output = { every = 0.002; events = false; };
"""


class Rest(unittest.TestCase):
    def test_bars_come_to_rest(self):
        """After some blows a bar between two contacts hands on ever slower ones, until hops are below the resolution: then
        it rests. The list is that of the flow; with the exact scheme in the same instants, with others in the same order."""
        system = Bars()
        known = flow.Reference(system)
        known.run(0.6, 1000)
        order = [(("between", "below")[j], kind) for _, j, kind in known.events]
        self.assertGreater(len(order), 50)
        for scheme in SCHEMES:
            with self.subTest(scheme):
                events, rows, summary = run(BARS % (GAP_TOLERANCE, scheme))
                if scheme == "noh-bathe":  # its error makes of a hop that is just too low one that is not
                    self.assertLess(len(events), len(order) + 5)
                else:
                    self.assertEqual([x[1:] for x in events], order)
                # a blow is located to two tolerances below where the contact opened, which is that much below 0 at most
                self.assertLessEqual(summary["max_penetration"], 4 * GAP_TOLERANCE)
                if scheme == "exact":  # times of both are sums of rounding over 50 phases
                    np.testing.assert_allclose([x[0] for x in events], [x[0] for x in known.events], atol=1e-11)
                # at rest the ground carries the weight and the force in the mean, what swings in the bars apart
                still = rows["time"] > 0.22
                self.assertTrue((rows["contact_force"][still].min(axis=0) > 0).all())

    def test_the_order_of_contacts(self):
        """The beam is in free flight: where one end is stopped and the other one rebounds, nothing presses the first at
        once, but what the other end does presses it in the next instant. It rests."""
        for scheme in ("exact", "botr", "trapezoidal", "bathe"):
            with self.subTest(scheme):
                lists = []
                for feet in FEET, FEET[::-1]:
                    events, _, _ = run(BEAM % (", ".join(feet), scheme))
                    lists.append(sorted(events, key=lambda x: (round(x[0], 9), x[2], x[1])))
                    # both arrive, the first end rests, and is lifted
                    self.assertEqual(sorted(x[1:] for x in events),
                                     [("first", flow.CLOSE), ("first", flow.OPEN), ("first", flow.IMPACT), ("last", flow.IMPACT)])
                for one, other in zip(*lists):
                    self.assertAlmostEqual(one[0], other[0], delta=1e-9)

    def test_the_origin(self):
        """A disk touches a slope and moves into it: struck at t = 0 here and 1e3 lengths away, where the gap is 1e-13 m"""
        for law in "restitution = 1.0", "restitution = 0.0", "stiffness = 1.0e4":
            for scheme in "exact", "wilson-theta", "botr":
                with self.subTest(law=law, scheme=scheme):
                    seen = []
                    for x, y in (0.0, 0.0), (1000.0, -700.0), (-3331.7, 1234.5):
                        events, rows, _ = run(SLOPE % (x, y, x - 0.12, y - 0.16, law, scheme))
                        self.assertEqual(events[0][0], 0.0)
                        seen.append((len(events), rows["velocity"]))
                    for count, velocity in seen[1:]:
                        self.assertEqual(count, seen[0][0])
                        # what places round, 1e-13 of 1e3, times what a spring makes of it
                        np.testing.assert_allclose(velocity, seen[0][1], atol=1e-9)


if __name__ == "__main__":
    unittest.main()
