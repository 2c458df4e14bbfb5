#!/usr/bin/python3
"""Starts: static equilibrium with contact against solutions by hand, at rest with every pair of the grid that takes
the model; the state of another run, continued; what is refused and told."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

PAIR = """
integrator = { type = "theta"; };
strategy = { type = "time-stepping"; };
time = { end = 0.1; step = 1.0e-3; };
"""
# pairs that take the model by its nature
OWN_SYSTEMS = "nbm"

# a mass of 2 kg on a spring of 100 N/m over a stop at -.05 m, under 20 N
MASS = """
bodies = ( { type = "particles"; name = "p"; positions = [0.0]; masses = [2.0];
             springs = ( { node = 0; stiffness = 100.0; } ); } );
contacts = ( { type = "wall"; node = "p"; side = "lower"; gap = 0.05; %s } );
loads = ( { type = "gravity"; acceleration = -10.0; } );
initial = { equilibrium = true; };
"""
# two bodies one on the other, both of them carried by contacts alone: 20 N of the bar, 25 N of the masses
TWO = """
bodies = ( { type = "bar"; name = "bar"; length = 1.0; elements = 8; area = 1.0; modulus = 100.0; density = 2.0;
             mass = "lumped"; position = 0.0; },
           { type = "particles"; name = "p"; positions = [2.0, 3.0]; masses = [1.0, 1.5];
             springs = ( { nodes = [0, 1]; stiffness = 50.0; } ); } );
contacts = ( { type = "wall"; node = "bar.left"; side = "lower"; gap = 0.0; stiffness = 1000.0; },
             { type = "pair"; nodes = ["bar.right", "p.0"]; gap = 0.02; stiffness = 800.0; },
             { type = "wall"; node = "p.1"; side = "upper"; gap = 0.5; stiffness = 500.0; } );
loads = ( { type = "gravity"; acceleration = -10.0; } );
initial = { equilibrium = true; };
"""
# a bar held at its left end, stretched by .01 m onto a stop beyond its right one: 1 N in EA = 100 N
PRESTRESS = """
bodies = ( { type = "bar"; name = "bar"; length = 1.0; elements = 10; area = 1.0; modulus = 100.0; density = 2.0;
             mass = "lumped"; position = 0.0; } );
supports = ( { node = "bar.left"; } );
contacts = ( { type = "wall"; node = "bar.right"; side = "upper"; gap = -0.01; %s } );
initial = { equilibrium = true; };
"""
BALL = """
bodies = ( { type = "particles"; name = "p"; dim = 2; positions = [0.0, 0.5]; masses = [2.0]; } );
contacts = ( { type = "plane"; node = "p"; normal = [%s]; point = [0.0, 0.0]; %s } );
loads = ( { type = "gravity"; acceleration = -10.0; direction = [0.0, 1.0]; } );
initial = { equilibrium = true; };
"""


def settings_of(cell):
    words = harness.cell_settings(cell)
    if cell[0] == "generalized-alpha" and cell[2] in ("conserving", "dissipating"):
        words.append("integrator.rho_inf=1.0")
    return [text for word in words for text in ("--set", word)]


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, deck, *words):
        output = self.folder / "out.h5"
        done = harness.must(harness.run("run", deck, "-q", "-o", output, *words))
        with h5py.File(output) as file:
            history = {name: file[f"history/{name}"][()] for name in
                       ("displacement", "velocity", "contact_force", "energy/numerical", "energy/total")}
        return history, done.stderr


class Equilibrium(Case):
    def rests(self, history):
        """Speeds against what gravity gives in the run, 10 m/s^2 times .1 s, or a wave in the bar: 1e-10 of it;
        position level with multipliers lets rounding of places, 1e-16 m, become speeds over a step of 1e-3 s."""
        self.assertLess(np.abs(history["velocity"]).max(), 5e-10)
        self.assertLess(np.abs(history["displacement"] - history["displacement"][0]).max(), 1e-12)
        self.assertLess(np.abs(history["energy/numerical"]).max(), 1e-10)

    def walk(self, text, right, nbm=False):
        """Every pair: the start by hand, elastic or rigid as the pair's contacts are, and rest."""
        deck, count = self.write("deck.cfg", text + PAIR), 0
        for cell in harness.grid():
            if cell[1] == OWN_SYSTEMS and not nbm:
                continue
            with self.subTest(cell):
                history, said = self.read(deck, *settings_of(cell))
                rigid = cell[1] in ("time-stepping", OWN_SYSTEMS)
                np.testing.assert_allclose(history["displacement"][0], right[rigid], rtol=1e-12, atol=1e-13)
                self.rests(history)
                self.assertNotIn("made energy", said)
                count += 1
        self.assertGreaterEqual(count, len(harness.grid()) - 2)

    def test_a_mass_on_a_spring_and_a_stop(self):
        # elastic: 100 u + 1000 (u + .05) = -20; rigid: at the stop
        self.walk(MASS % "stiffness = 1000.0;", {False: [-70.0 / 1100.0], True: [-0.05]})

    def test_forces_from_the_first_row_on(self):
        """Springs and multipliers push at the start with what they push with later, and give it to the momentum: 13 N of the
        elastic stop (1000 (.0636 - .05)), 15 N of the rigid one (20 - 100 .05)."""
        deck, count = self.write("deck.cfg", MASS % "stiffness = 1000.0;" + PAIR), 0
        for cell in harness.grid():
            springs, multipliers = cell[1] == "penalty", cell[1:3] == ("time-stepping", "position")
            if not springs and (not multipliers or cell[0] in ("generalized-alpha", "central-difference")):
                continue
            with self.subTest(cell):
                words = [*settings_of(cell), "--set", "output.every=0.0", "--set",
                         'output.histories=["displacement","velocity","contact_force","contact_impulse","energy"]']
                history, _ = self.read(deck, *words)
                right = 15.0 if multipliers else 1000.0 * (70.0 / 1100.0 - 0.05)
                np.testing.assert_allclose(history["contact_force"], right, rtol=1e-9)
                with h5py.File(self.folder / "out.h5") as file:
                    time, impulse = file["history/time"][()], file["history/contact_impulse"][()]
                np.testing.assert_allclose(impulse[1:, 0], right * np.diff(time), rtol=1e-9)
                count += 1
        self.assertGreater(count, 10)

    def test_two_bodies_that_contacts_alone_carry(self):
        # from below: 45 N in the wall's spring, 25 N in the pair's, 15 N in that of the masses; in the bar's
        # element k 25 N and the weight of what is above its nodes
        weights = np.full(9, 2.5)
        weights[[0, 8]] = 1.25
        above = 25.0 + np.cumsum(weights[::-1])[::-1][1:]
        right = {}
        for rigid in (False, True):
            bar = (0.0 if rigid else -0.045) - np.concatenate([[0.0], np.cumsum(above / 800.0)])
            low = bar[8] - 0.02 - (0.0 if rigid else 25.0 / 800.0)
            right[rigid] = np.concatenate([bar, [low, low - 15.0 / 50.0]])
        self.walk(TWO, right)

    def test_prestress(self):
        # elastic, k = 900: 100 u + 900 (u + .01) = 0
        right = {rigid: np.linspace(0.0, -0.01 if rigid else -0.009, 11) for rigid in (False, True)}
        self.walk(PRESTRESS % "stiffness = 900.0;", right, nbm=True)

    def test_laws(self):
        # the force of the contact at its depth is what the spring leaves of the weight
        for law, force in (('type = "hertz"; stiffness = 1.0e4;', lambda x: 1.0e4 * x ** 1.5),
                           ('type = "bilinear"; stiffness = 200.0; stiffness_beyond = 3000.0; kink = 0.01;',
                            lambda x: 200.0 * min(x, 0.01) + 3000.0 * max(0.0, x - 0.01))):
            deck = self.write("law.cfg", MASS % f"law = {{ {law} }};" + PAIR)
            history, _ = self.read(deck, "--set", "strategy.type=penalty", "--set", "integrator.type=trapezoidal")
            u = history["displacement"][0, 0]
            self.assertAlmostEqual(force(-u - 0.05), 20.0 + 100.0 * u, delta=1e-11)
            self.rests(history)

    def test_open_contacts_push_nothing(self):
        deck = self.write("open.cfg", MASS % "stiffness = 1000.0;" + PAIR)
        history, _ = self.read(deck, "--set", "contacts.[0].gap=0.3")
        self.assertAlmostEqual(history["displacement"][0, 0], -0.2, delta=1e-15)
        self.rests(history)

    def test_friction_holds_or_not(self):
        slope = "-0.5, 0.8660254037844386"
        held = self.write("held.cfg", BALL % (slope, "friction = 0.6;") + PAIR)  # tan 30 degrees = .577
        history, _ = self.read(held)
        self.rests(history)
        loose = self.write("loose.cfg", BALL % (slope, "friction = 0.55;") + PAIR)
        done = harness.must(harness.run("check", loose), 65)
        self.assertIn("nothing holds 'p.0", done.stderr)

    def test_random_rows_of_curved_laws(self):
        """Masses between springs, walls and one another, by springs, Hertz's law and a kink in one model, prestressed or
        not: forces of the laws at the gaps that are told balance to rounding. The kinds of a search that goes to and
        fro between two lines of a law, or ends with forces that don't balance, were found so."""
        import random
        count = 0
        for seed in range(25):
            rng = random.Random(seed)
            n = rng.randint(2, 5)
            mass, gravity, contacts = [rng.uniform(0.5, 3.0) for _ in range(n)], rng.uniform(-10.0, 10.0), []
            springs = [(i, i + 1, rng.uniform(50.0, 500.0)) for i in range(n - 1) if rng.random() < 0.7]
            ground = rng.uniform(50.0, 500.0)
            laws = []
            for i in range(n):
                for side, sign in (("lower", 1.0), ("upper", -1.0)):
                    gap, k = rng.uniform(-0.01, 0.02), 10.0 ** rng.uniform(2.0, 5.0)
                    law, force = rng.choice((
                        (f'type = "spring"; stiffness = {k!r};', lambda x, k=k: k * x),
                        (f'type = "hertz"; stiffness = {30.0 * k!r};', lambda x, k=k: 30.0 * k * x ** 1.5),
                        (f'type = "bilinear"; stiffness = {k!r}; stiffness_beyond = {10.0 * k!r}; kink = 0.005;',
                         lambda x, k=k: k * min(x, 0.005) + 10.0 * k * max(0.0, x - 0.005))))
                    contacts.append(f'{{ type = "wall"; node = "p.{i}"; side = "{side}"; gap = {gap!r}; law = {{ {law} }}; }}')
                    laws.append((i, sign, gap, force))
            items = [f"{{ node = 0; stiffness = {ground!r}; }}"] + \
                [f"{{ nodes = [{a}, {b}]; stiffness = {k!r}; }}" for a, b, k in springs]
            deck = self.write("row.cfg", f"""
                bodies = ( {{ type = "particles"; name = "p"; positions = {[float(i) for i in range(n)]!r};
                             masses = {mass!r}; springs = ( {", ".join(items)} ); }} );
                contacts = ( {", ".join(contacts)} );
                loads = ( {{ type = "gravity"; acceleration = {gravity!r}; }} );
                initial = {{ equilibrium = true; }};
                integrator = {{ type = "trapezoidal"; }}; strategy = {{ type = "penalty"; }};
                time = {{ end = 0.01; step = 1.0e-4; }};""")
            with self.subTest(seed):
                history, _ = self.read(deck)
                u = history["displacement"][0]
                parts = [np.array(mass) * gravity, np.zeros(n)]
                parts[1][0] -= ground * u[0]
                for a, b, k in springs:
                    parts[1][a] += k * (u[b] - u[a])
                    parts[1][b] -= k * (u[b] - u[a])
                for i, sign, gap, force in laws:
                    parts[1][i] += sign * force(max(0.0, -(gap + sign * u[i])))
                # sums of forces of up to some hundred newtons; places to 1e-17 m with 1e6 N/m and more
                self.assertLess(np.abs(parts[0] + parts[1]).max(), 1e-9)
                self.rests(history)
                count += 1
        self.assertEqual(count, 25)

    def test_redundant_contacts_with_friction(self):
        """A block of plane elements on five nodes and a rigid one on three feet: more reactions than balance tells.
        Gaps are 0 to rounding, so that each pair sees all feet touch from the first step on; central differences take
        a contact for open that rounding opens, and are left out."""
        block = """
            bodies = ( { type = "plane"; name = "b"; width = 0.3; height = 0.2; nx = 4; ny = 3; modulus = 1.0e6;
                         poisson = 0.3; density = 2000.0; thickness = 1.0; } );
            contacts = ( { type = "plane"; node = "b.bottom"; normal = [0.0, 1.0]; point = [0.0, 0.0]; friction = 0.4; } );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            initial = { equilibrium = true; };"""
        feet = """
            bodies = ( { type = "multibody"; name = "b"; positions = [0.0, 0.5]; masses = [3.0]; inertias = [0.4]; } );
            contacts = ( %s );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            initial = { equilibrium = true; };""" % ", ".join(
                f'{{ type = "plane"; node = "b"; normal = [0.0, 1.0]; point = [0.0, 0.0]; arm = [{x}, -0.5]; friction = 0.3; }}'
                for x in (-0.6, 0.1, 0.6))
        for name, text, weight in (("block", block, 2000.0 * 0.06 * 9.81), ("feet", feet, 3.0 * 9.81)):
            deck = self.write(f"{name}.cfg", text + PAIR)
            for integrator, level in (("theta", "velocity"), ("generalized-alpha", "velocity"), ("generalized-alpha", "both")):
                with self.subTest(name, integrator=integrator, level=level):
                    history, _ = self.read(deck, "--set", f"integrator.type={integrator}", "--set", f"strategy.level={level}")
                    self.rests(history)
                    np.testing.assert_allclose(history["contact_force"][1:].sum(axis=1), weight, rtol=1e-9)

    def test_two_disks_in_a_corner(self):
        """Their normal turns. Contacts with springs: the forces are those of the overlaps at the start, and balance."""
        text = """
            bodies = ( { type = "multibody"; name = "a"; positions = [0.3, 0.2]; masses = [3.0]; inertias = [0.4]; },
                       { type = "multibody"; name = "b"; positions = [0.5, 0.7]; masses = [1.0]; inertias = [0.1]; } );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            contacts = (
              { type = "plane"; node = "a"; normal = [0.0, 1.0]; point = [0.0, 0.0]; radius = 0.2; stiffness = 1.0e5; },
              { type = "plane"; node = "a"; normal = [1.0, 0.0]; point = [0.0, 0.0]; radius = 0.2; stiffness = 1.0e5; },
              { type = "plane"; node = "b"; normal = [-1.0, 0.0]; point = [0.75, 0.0]; radius = 0.25; stiffness = 1.0e5; },
              { type = "nodes"; nodes = ["a", "b"]; distance = 0.45; stiffness = 1.0e5; } );
            initial = { equilibrium = true; };"""
        deck = self.write("corner.cfg", text + PAIR)
        for words, rigid in ((("strategy.type=penalty", "integrator.type=theta"), False), (("strategy.type=time-stepping",), True)):
            history, _ = self.read(deck, *[part for word in words for part in ("--set", word)])
            self.rests(history)
            a, b = (np.array([0.3, 0.2, 0.5, 0.7]) + history["displacement"][0][[0, 1, 3, 4]]).reshape(2, 2)
            between = np.linalg.norm(b - a)
            side = 9.81 * (b - a)[0] / (b - a)[1]
            force = np.array([4.0 * 9.81, side, side, np.hypot(9.81, side)])
            np.testing.assert_allclose([a[1] - 0.2, a[0] - 0.2, 0.5 - b[0], between - 0.45],
                                       -force / 1.0e5 * (not rigid), atol=1e-13)
            np.testing.assert_allclose(history["contact_force"][-1], force, rtol=1e-9)

    def test_what_is_free_is_told(self):
        flat = self.write("flat.cfg", BALL % ("0.0, 1.0", "") + PAIR)
        history, said = self.read(flat)
        self.assertIn("nothing holds 'p.0.x', and nothing pushes it", said)
        np.testing.assert_allclose(history["displacement"][0], [0.0, -0.5], atol=1e-15)
        free = self.write("free.cfg", (MASS % "stiffness = 1000.0;").replace("positions = [0.0]; masses = [2.0]",
                          "positions = [0.0, 1.0]; masses = [2.0, 1.0]").replace("node = \"p\"", "node = \"p.0\"") + PAIR)
        done = harness.must(harness.run("run", free, "-q", "-o", self.folder / "none.h5"), 65)
        self.assertIn("nothing holds 'p.1' against the loads at t = 0", done.stderr)

    def test_velocities_go_with_it(self):
        text = (MASS % "stiffness = 1000.0;").replace(
            "initial = { equilibrium = true; };",
            'initial = ( { equilibrium = true; }, { body = "p"; velocity = 0.5; } );')
        history, _ = self.read(self.write("moving.cfg", text + PAIR), "--set", "integrator.type=exact",
                               "--set", "strategy.type=event-driven")
        self.assertAlmostEqual(history["displacement"][0, 0], -70.0 / 1100.0, delta=1e-14)
        self.assertEqual(history["velocity"][0, 0], 0.5)
        self.assertGreater(np.abs(history["velocity"]).max(), 0.49)


# falls, rebounds and is in contact at 1 s
FIRST = """
bodies = ( { type = "bar"; name = "bar"; length = 1.0; elements = 6; area = 1.0; modulus = 4.0; density = 1.0;
             mass = "lumped"; } );
contacts = ( { type = "wall"; node = "bar.left"; position = 0.0; stiffness = 40.0; restitution = %s; } );
loads = ( { type = "gravity"; acceleration = -1.0; } );
%s
integrator = { type = "theta"; };
strategy = { type = "time-stepping"; };
time = { end = %s; step = 0.004; contact_step = 0.004; };
"""
FALL = 'initial = { body = "bar"; displacement = 0.05; velocity = -0.1; };'
GO_ON = 'initial = { results = "first.h5"; %s };'
# what a scheme knows beside displacement and velocity, and no file has: accelerations that are no second
# derivative (generalized-alpha), those of multipliers (chaudhary-bathe, bathe at position level), the place of
# events in the row of steps (event-driven): then it goes on to the scheme's own error, here a part of the motion
ROUNDING, MEMORY = 1e-11, 0.15
BESIDE = 'initial = ( { results = "first.h5"; }, { body = "bar"; } );'


class Continued(Case):
    def go_on(self, cell, cut="1.0"):
        words, restitution = settings_of(cell), "0.5" if cell[1] == "time-stepping" else "1.0"
        whole = self.write("whole.cfg", FIRST % (restitution, FALL, "2.0"))
        half = self.write("half.cfg", FIRST % (restitution, FALL, cut))
        rest = self.write("rest.cfg", FIRST % (restitution, GO_ON % "", str(2.0 - float(cut))))
        harness.must(harness.run("run", half, "-q", "-o", self.folder / "first.h5", *words))
        a, _ = self.read(whole, *words)
        b, _ = self.read(rest, *words)
        size = np.abs(a["displacement"]).max()
        return np.abs(a["displacement"][-1] - b["displacement"][-1]).max() / size

    def test_laws_with_a_memory_go_on(self):
        """Hertz's law remembers the speed of the impact that it is in: cut in the middle of one, by schemes that know no
        more than displacement and velocity to rounding. A file without the memory is told."""
        text = """
            bodies = ( { type = "particles"; name = "p"; positions = [0.0]; masses = [2.0];
                         springs = ( { node = 0; stiffness = 50.0; } ); } );
            contacts = ( { type = "wall"; node = "p"; side = "lower"; gap = 0.01;
                           law = { type = "hertz"; stiffness = 1.0e6; restitution = 0.5; }; } );
            loads = ( { type = "gravity"; acceleration = -10.0; } );
            %s
            integrator = { type = "trapezoidal"; };
            strategy = { type = "penalty"; };
            time = { end = %s; step = 1.0e-4; };"""
        start = 'initial = { body = "p"; velocity = -0.5; };'
        whole, half = self.write("whole.cfg", text % (start, "0.2")), self.write("half.cfg", text % (start, "0.026"))
        rest = self.write("rest.cfg", text % (GO_ON % "", "0.174"))
        for integrator in ("trapezoidal", "theta", "newmark"):
            words = ("--set", f"integrator.type={integrator}")
            harness.must(harness.run("run", half, "-q", "-o", self.folder / "first.h5", *words))
            with h5py.File(self.folder / "first.h5") as file:
                self.assertLess(file["history/gap"][-1, 0], -1e-3)
            a, _ = self.read(whole, *words)
            b, said = self.read(rest, *words)
            size = np.abs(a["displacement"]).max()
            self.assertLess(np.abs(a["displacement"][-1] - b["displacement"][-1]).max() / size, ROUNDING)
            self.assertNotIn("compressed", said)  # a state of a run is no mistake of the deck
        harness.must(harness.run("run", half, "-q", "-o", self.folder / "first.h5", "--set",
                                 'output.histories=["displacement", "velocity", "gap"]'))
        self.assertIn("does not tell what the law of contact 'p-wall' remembers", self.read(rest)[1])

    def test_pairs_go_on(self):
        exact = {("exact", "event-driven", ""), ("exact", "nbm", ""), ("theta", "time-stepping", "velocity"),
                 ("trapezoidal", "time-stepping", "position"), ("newmark", "time-stepping", "position"),
                 ("theta", "penalty", "standard"), ("theta", "penalty", "conserving"),
                 ("theta", "penalty", "dissipating"), ("generalized-alpha", "penalty", "conserving"),
                 ("generalized-alpha", "penalty", "dissipating"), ("trapezoidal", "penalty", "standard"),
                 ("newmark", "penalty", "standard")}
        self.assertTrue(exact <= set(harness.grid()))
        for cell in harness.grid():
            with self.subTest(cell):
                self.assertLess(self.go_on(cell), ROUNDING if cell in exact else MEMORY)

    def test_a_row_in_the_midst(self):
        whole = self.write("first.cfg", FIRST % ("0.5", FALL, "2.0"))
        harness.must(harness.run("run", whole, "-q", "-o", self.folder / "first.h5"))
        rest = self.write("rest.cfg", FIRST % ("0.5", GO_ON % "at = 1.2;", "0.8"))
        history, _ = self.read(rest)
        with h5py.File(self.folder / "first.h5") as file:
            np.testing.assert_allclose(history["displacement"][-1], file["history/displacement"][-1], atol=1e-12)
            np.testing.assert_allclose(history["displacement"][0], file["history/displacement"][300], atol=1e-15)
        words = ("--set", "integrator.type=central-difference")
        harness.must(harness.run("run", whole, "-q", "-o", self.folder / "first.h5", *words))
        history, said = self.read(rest, *words)
        self.assertNotIn("middle of the steps", said)
        with h5py.File(self.folder / "first.h5") as file:
            np.testing.assert_allclose(history["displacement"][-1], file["history/displacement"][-1], atol=1e-12)
        _, said = self.read(rest)
        self.assertIn("those of the middle of the steps", said)

    def test_a_long_file_is_read_in_pieces(self):
        # HDF5 takes no notice of what stands behind its end, but the checksum of the file does; without the 400 MB
        # a run takes 40 MB
        first = self.write("first.cfg", FIRST % ("0.5", FALL, "0.1"))
        rest = self.write("rest.cfg", FIRST % ("0.5", GO_ON % "", "0.1"))
        out = self.folder / "first.h5"
        harness.must(harness.run("run", first, "-q", "-o", out))
        os.truncate(out, 400000000)
        process = subprocess.Popen([harness.PROGRAM, "run", rest, "-q", "-o", self.folder / "rest.h5"])
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(used.ru_maxrss, 200000)

    def refused(self, text, words):
        done = harness.run("check", self.write("wrong.cfg", text))
        self.assertIn(done.returncode, (65, 66), done.stderr)
        self.assertIn(words, done.stderr)

    def test_what_does_not_fit_is_refused(self):
        first = self.write("first.cfg", FIRST % ("0.5", FALL, "0.1"))
        rest = FIRST % ("0.5", GO_ON % "", "0.1")
        self.refused(rest, "first.h5")
        (self.folder / "first.h5").write_bytes(b"no results")
        self.refused(rest, "first.h5")
        harness.must(harness.run("run", first, "-q", "-o", self.folder / "first.h5"))
        self.refused(rest.replace("elements = 6", "elements = 7"), "'first.h5' has 7 dofs where the model has 8")
        self.refused(rest.replace('name = "bar"', 'name = "other"').replace("bar.left", "other.left"),
                     "where the model has 'other.0")
        self.refused(rest.replace("position = 0.0", "position = -0.5"), "has a gap of")
        self.refused(FIRST % ("0.5", GO_ON % "at = 0.0511;", "0.1"), "has no row at 0.0511 s: the nearest is at 0.052 s")
        self.refused(FIRST % ("0.5", BESIDE,
                     "0.1"), "no other item of 'initial' may be beside it")
        harness.must(harness.run("run", first, "-q", "-o", self.folder / "first.h5", "--set",
                                 'output.histories=["gap"]'))
        self.refused(rest, "has no displacement of all dofs")


if __name__ == "__main__":
    unittest.main()
