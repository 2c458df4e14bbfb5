#!/usr/bin/python3
"""The audit: the verdict of every deck that ships, faults that it must name and sound runs that it must not accuse,
--strict, and that its numbers depend on neither units nor origin."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

NAMES = {"momentum", "angular_momentum", "displacement_is_integral_of_velocity", "energy_balance", "energy_gain",
         "energy_loss", "damping_loss", "friction_loss", "impact_loss", "complementarity", "penetration", "pull",
         "friction_cone", "constraint_position", "constraint_velocity", "solver_residual", "events_certified",
         "small_motion",
         "ignored_input"}
WORDS = ["exact", "good", "lossy", "doubtful", "wrong"]

# What is beyond `good` in the decks that ship, and why; all else must be exact or good. Numerical damping is
# lossy by design; a linear bar that strains by a tenth is what published benchmarks are of, and is told.
EXPECTED = {
    "ball_accumulation": {"energy_loss": "lossy"},
    "block_impact": {"energy_loss": "lossy", "small_motion": "doubtful"},
    "bouncing_bar": {"energy_loss": "lossy", "small_motion": "doubtful"},
    # the trapezoidal rule at position level without the update: its energy goes up and down by chance
    "carom": {"energy_balance": "doubtful", "energy_gain": "doubtful", "energy_loss": "lossy"},
    "elastic_bar_impact": {"small_motion": "doubtful"},
    "matrices_demo": {"energy_loss": "lossy"},
    "nbm_bar": {"small_motion": "doubtful"},
    "newton_cradle": {"energy_balance": "lossy", "energy_loss": "lossy", "small_motion": "doubtful"},
    "rocking_block": {"energy_loss": "lossy"},
    "rotating_spring": {"energy_loss": "lossy"},
    "rotating_spring_friction": {"energy_loss": "lossy"},
    "two_beams": {"small_motion": "wrong"},
}
# analyses of points have no steps to audit, and no rows
POINTS = {"forced_response", "integrator_map", "modes_two_bars", "nbm_modes_heav", "nbm_modes_lin", "nbm_modes_quad",
          "nbm_modes_soft_support", "nbm_modes_uniform"}


def read(path):
    """The table of a file: name -> (value, limit, verdict, about)."""
    with h5py.File(path) as file:
        table = file["summary/audit"][:]
    return {row["name"].decode(): (row["value"], row["limit"], row["verdict"].decode(), row["about"].decode())
            for row in table}


def beyond_good(audit):
    return {name: row[2] for name, row in audit.items() if row[2] not in ("exact", "good")}


class Audit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_deck(self, deck, *arguments, code=0, limit=60):
        output = self.folder / "run.h5"
        done = harness.must(harness.run("run", deck, "-o", output, *arguments, limit=limit), code)
        return read(output), done

    def write(self, text):
        deck = self.folder / "deck.cfg"
        deck.write_text(text, encoding="utf-8")
        return deck

    def audit_text(self, text, *arguments):
        return self.run_deck(self.write(text), *arguments)[0]

    # --- decks that ship -------------------------------------------------------------------------------------

    def test_every_deck_has_the_verdict_of_its_method(self):
        for deck in harness.DECKS:
            if deck.stem in POINTS:
                continue
            with self.subTest(deck.stem):
                audit, done = self.run_deck(deck, limit=200)
                self.assertEqual(set(audit), NAMES)
                self.assertTrue(all(row[2] in WORDS for row in audit.values()))
                self.assertEqual(beyond_good(audit), EXPECTED.get(deck.stem, {}))
                self.check_words(audit, done)

    def check_words(self, audit, done):
        """The table that is printed, and the warnings: a line a check that is doubtful or wrong."""
        printed = dict(re.findall(r"^  (\w+) +\S+ +\S+ +(\w+)", done.stdout[done.stdout.index("\naudit "):], re.M))
        self.assertEqual(printed, {name: row[2] for name, row in audit.items()})
        warned = re.findall(r"warning: audit: (\w+) is (\w+)", done.stderr)
        self.assertEqual(dict(warned), {name: row[2] for name, row in audit.items() if row[2] in WORDS[3:]})

    def test_points_have_no_rows(self):
        audit, done = self.run_deck(harness.ROOT / "decks" / "integrator_map.cfg")
        self.assertEqual(audit, {})
        self.assertNotIn("\naudit", done.stdout)

    # --- strict ----------------------------------------------------------------------------------------------

    def test_strict_keeps_the_results(self):
        deck = harness.ROOT / "decks" / "bouncing_bar.cfg"
        audit, done = self.run_deck(deck, "--strict", "-q", code=76)
        self.assertEqual(audit["small_motion"][2], "doubtful")
        self.assertIn("error: --strict: 1 check of the audit is doubtful or wrong, first 'small_motion'", done.stderr)
        self.assertEqual(done.stdout, "")
        with h5py.File(self.folder / "run.h5") as file:
            self.assertEqual(harness.text(file.attrs["status"]), "complete")
        self.assertEqual(harness.leftovers(self.folder / "run.h5"), [])
        # lossy is no reason
        self.run_deck(harness.ROOT / "decks" / "rocking_block.cfg", "--strict")

    # --- false alarms ----------------------------------------------------------------------------------------

    REST = """bodies = ( { type = "multibody"; name = "b"; positions = [%(x)r, %(y)r]; masses = [2.0]; inertias = [0.1]; } );
        loads = ( { type = "gravity"; acceleration = 9.81; direction = [0.0, -1.0]; } );
        contacts = ( { type = "plane"; node = "b"; normal = [0.0, 1.0]; point = [0.0, %(y)r]; } );
        integrator = { type = "%(integrator)s"; %(more)s };
        strategy = { type = "time-stepping"; level = "%(level)s"; };
        time = { end = 1.0; step = 1e-3; };"""
    SCHEMES = (("theta", "velocity", "theta = 0.5;"), ("trapezoidal", "position", ""),
               ("generalized-alpha", "both", "rho_inf = 0.8;"), ("central-difference", "velocity", ""))

    def test_a_body_at_rest_is_exact_wherever_it_is(self):
        for integrator, level, more in self.SCHEMES:
            for x, y in ((0.0, 0.0), (1e3, -3.7e3)):
                with self.subTest(integrator=integrator, level=level, x=x):
                    values = {"x": x, "y": y, "integrator": integrator, "level": level, "more": more}
                    audit = self.audit_text(self.REST % values)
                    self.assertEqual(beyond_good(audit), {})
                    self.assertEqual(audit["energy_gain"][0], 0.0)
                    # the weight is taken up to rounding in each of 1000 steps
                    self.assertLess(audit["momentum"][0], 1e-9)

    def test_a_block_at_rest_event_by_event(self):
        audit, done = self.run_deck(self.write("""
            bodies = ( { type = "particles"; name = "b"; positions = [0.0]; masses = [2.0]; } );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            contacts = ( { type = "wall"; node = "b"; position = 0.0; } );
            integrator = { type = "botr"; }; strategy = { type = "event-driven"; };
            time = { end = 10.0; step = 1.0e-3; };"""), "--strict")
        self.assertEqual(beyond_good(audit), {})
        self.assertEqual(done.stderr, "")

    def test_events_are_certified_where_motions_are_in_closed_form(self):
        deck = harness.ROOT / "decks" / "ball_events.cfg"
        for integrator, verdict in (("exact", "exact"), ("trapezoidal", "good")):
            audit, _ = self.run_deck(deck, "--set", f"integrator.type={integrator}", "-q")
            self.assertEqual(audit["events_certified"][2], verdict, integrator)
            self.assertEqual("not certified" in audit["events_certified"][3], integrator == "trapezoidal")

    # --- units -----------------------------------------------------------------------------------------------

    BALL = """bodies = ( { type = "particles"; name = "b"; dim = 2; positions = [0.0, %(h)r]; masses = [%(m)r]; } );
        loads = ( { type = "gravity"; acceleration = %(g)r; direction = [0.0, -1.0]; } );
        initial = ( { body = "b"; velocity_vector = [%(v)r, 0.0]; } );
        contacts = ( { type = "plane"; node = "b"; normal = [0.0, 1.0]; point = [0.0, 0.0];
                       friction = 0.3; restitution = 0.5; } );
        integrator = { type = "generalized-alpha"; rho_inf = 0.8; };
        strategy = { type = "time-stepping"; level = "both"; };
        time = { end = %(end)r; step = %(step)r; };"""

    def test_numbers_are_shares(self):
        """Lengths by 1000, masses by 1e-3, times by 1000: the same table but for joules and metres in words."""
        tables = []
        for length, mass, time in ((1.0, 1.0, 1.0), (1024.0, 2.0 ** -10, 1024.0)):
            tables.append(self.audit_text(self.BALL % {
                "h": 0.5 * length, "m": 2.0 * mass, "g": 9.81 * length / time ** 2, "v": length / time,
                "end": time, "step": 0.0078125 * time}))
        for name, row in tables[0].items():
            with self.subTest(name):
                # the scales are powers of two: rounding is the same, but for tolerances that stop iterations
                self.assertAlmostEqual(row[0], tables[1][name][0], delta=1e-6 * abs(row[0]) + 1e-9)
                self.assertAlmostEqual(row[1], tables[1][name][1], delta=1e-6 * abs(row[1]))
                self.assertEqual(row[2], tables[1][name][2])

    # --- faults that must be named ---------------------------------------------------------------------------

    def test_energy_booked_as_negative_dissipation(self):
        """A column of five blocks by the scheme of Paoli and Schatzman: 1.864 J to fall, never more; the scheme makes
        3.03 J, and what its impacts took comes back in part."""
        pairs = ",".join('{ type = "pair"; nodes = ["s.%d", "s.%d"]; gap = 0.01; restitution = 1.0; }' % (k, k + 1)
                         for k in range(4))
        audit = self.audit_text("""
            bodies = ( { type = "particles"; name = "s"; positions = [0.01, 1.01, 2.01, 3.01, 4.01];
                         masses = [1.0, 1.1, 1.2, 1.3, 1.4]; } );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            contacts = ( { type = "wall"; node = "s.0"; position = 0.0; restitution = 1.0; }, %s );
            integrator = { type = "central-difference"; };
            strategy = { type = "time-stepping"; level = "position"; };
            time = { end = 3.0; step = 1.0e-3; };""" % pairs)
        self.assertEqual(audit["impact_loss"][2], "doubtful")
        self.assertEqual(audit["energy_gain"][2], "wrong")
        self.assertIn("made energy", audit["energy_gain"][3])
        # 3.03 J of what is at hand, which is what it fell and what was made of it
        self.assertGreater(audit["energy_gain"][0], 0.5)

    def test_friction_off_the_line_of_centres(self):
        """Two points at a distance rub on each other along a line that passes neither: momentum stays, angular
        momentum doesn't."""
        audit = self.audit_text("""
            bodies = ( { type = "particles"; name = "a"; dim = 2; positions = [0.0, 0.0, 1.0, 0.2];
                         masses = [1.0, 2.0]; } );
            contacts = ( { type = "nodes"; nodes = ["a.0", "a.1"]; distance = 0.5; friction = 0.3;
                           restitution = 0.5; } );
            initial = ( { node = "a.0"; velocity_vector = [3.0, 0.0]; } );
            integrator = { type = "theta"; }; strategy = { type = "time-stepping"; level = "velocity"; };
            time = { end = 0.5; step = 0.001; };""")
        self.assertEqual(audit["momentum"][2], "exact")
        self.assertEqual(audit["angular_momentum"][2], "wrong")

    PLATE = """bodies = ( { type = "plane"; name = "plate"; width = 0.2; height = 0.1; nx = 4; ny = 2;
          element = "quad4"; modulus = 2e8; poisson = 0.3; density = 1000.0; position = [0.0, 0.0]; } );
        initial = ( { node = "plate.left"; velocity_vector = [0.0, -%(speed)r]; },
                    { node = "plate.right"; velocity_vector = [0.0, %(speed)r]; } );
        contacts = ( { type = "plane"; node = "plate.bottom"; normal = [0.0, 1.0]; point = [0.0, -5.0]; } );
        integrator = { type = "theta"; theta = 0.5; }; strategy = { type = "time-stepping"; level = "velocity"; };
        time = { end = 0.1; step = 1e-3; }; output = { histories = ["displacement"]; };"""

    def test_a_linear_plate_that_turns(self):
        """Told by name and time, and with the angle that the nodes' displacements give; a hundredth of the speed
        turns it by a hundredth."""
        for speed, verdict in ((0.02, "good"), (2.0, "wrong")):
            audit = self.audit_text(self.PLATE % {"speed": speed})
            self.assertEqual(audit["small_motion"][2], verdict)
        about = audit["small_motion"][3]
        angle = float(re.search(r"'plate' turns by (\S+) degrees", about)[1])
        when = float(re.search(r"passed at t = (\S+) s", about)[1])
        with h5py.File(self.folder / "run.h5") as file:
            places = file["model/node_positions"][:]
            moved = file["history/displacement"][:].reshape(-1, *places.shape)
            time = file["history/time"][:]
        arms = places - places.mean(axis=0)
        now = arms + moved - moved.mean(axis=1, keepdims=True)
        turned = np.degrees(np.abs(np.arctan2((arms[:, 0] * now[:, :, 1] - arms[:, 1] * now[:, :, 0]).sum(axis=1),
                                              (arms * now).sum(axis=(1, 2)))))
        # a quarter of the steps so far may lie between two looks
        self.assertAlmostEqual(angle, turned.max(), delta=0.25 * turned.max())
        first = time[np.argmax(turned > 3.0)]
        self.assertTrue(first <= when <= 1.25 * first + 1e-3, (first, when))

    def test_what_is_given_and_ignored(self):
        """A restitution at position level, where no law of impact acts; and one beside a stiffness, which acts instead."""
        wall = """bodies = ( { type = "particles"; name = "b"; positions = [0.0]; masses = [2.0]; } );
            initial = ( { body = "b"; velocity = -1.0; } );
            contacts = ( { type = "wall"; node = "b"; position = -0.1; restitution = 0.5; %s } );
            integrator = { type = "trapezoidal"; }; strategy = { %s }; time = { end = 0.3; %s };"""
        audit = self.audit_text(wall % ("", 'type = "time-stepping"; level = "position";', "step = 1e-3;"))
        self.assertEqual((audit["ignored_input"][0], audit["ignored_input"][2]), (1.0, "doubtful"))
        self.assertIn("restitution", audit["ignored_input"][3])
        done = harness.must(harness.run("run", self.folder / "deck.cfg", "-o", self.folder / "run.h5", "-q"))
        self.assertIn("warning: contacts.[0].restitution: unused: at position level", done.stderr)
        audit = self.audit_text(wall % ("stiffness = 1e4;", 'type = "event-driven";', "step = 1e-3;"))
        self.assertEqual((audit["ignored_input"][0], audit["ignored_input"][2]), (1.0, "good"))


class Witness(unittest.TestCase):
    """`signorini audit`: sound files are sound, and a number that is falsified is found by the check it belongs to."""

    DECK = harness.ROOT / "decks" / "rocking_block.cfg"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.sound = Path(cls.folder.name) / "sound.h5"
        harness.must(harness.run("run", cls.DECK, "-o", cls.sound, "-q"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def judge(self, path, *arguments, code=0):
        done = harness.must(harness.run("audit", path, "--json", *arguments), code)
        found = json.loads(done.stdout)
        return {item["name"]: item for item in found["checks"]}, found, done

    def falsified(self, change):
        path = Path(self.folder.name) / "false.h5"
        shutil.copy(self.sound, path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    def test_a_sound_file(self):
        checks, found, _ = self.judge(self.sound, "--strict")
        self.assertEqual(found["not_judged"], {})
        self.assertEqual(found["run"], "lossy")
        self.assertEqual({name: item["verdict"] for name, item in checks.items()
                          if item["verdict"] not in ("exact", "good")}, {"energy_loss": "lossy"})
        for name in ("recorded_gap", "recorded_momentum", "recorded_angular_momentum", "recorded_force", "recorded_kinetic", "recorded_strain", "energy_parts",
                     "energy_numerical"):
            # sums of some hundred products, in another order
            self.assertLess(checks[name]["value"], 1e-10, name)
        own = read(self.sound)
        for name in ("energy_gain", "energy_loss"):
            # the run's own watch sees the same rows
            self.assertAlmostEqual(checks[name]["value"], own[name][0], delta=1e-6 * own[name][0])

    def scaled(self, name, factor):
        def change(file):
            file["history/" + name][...] = file["history/" + name][:] * factor
        return change

    def test_what_is_falsified_is_found(self):
        def creep(file):
            velocity = file["history/velocity"]
            velocity[...] = velocity[:] * 0.5

        def raise_gap(file):
            file["history/gap"][...] = file["history/gap"][:] + 0.01

        def lose(name):
            def change(file):
                row = file["history/" + name].shape[0] // 2
                file["history/" + name][row] = np.nan
            return change

        def turn_time(file):
            file["history/time"][...] = file["history/time"][()][::-1]

        for what, change, accused in (
                ("gaps", raise_gap, {"recorded_gap"}),
                ("forces", self.scaled("contact_force", -1.0), {"pull"}),
                ("impulses", self.scaled("contact_impulse", -1.0), {"pull_impulse", "momentum"}),
                ("strong impulses", self.scaled("contact_impulse", 3.0), {"momentum", "recorded_force"}),
                ("strong forces", self.scaled("contact_force", 1.01), {"recorded_force"}),
                ("angular momentum", self.scaled("momentum/angular", 1.1), {"recorded_angular_momentum"}),
                ("a displacement that is no number", lose("displacement"), {"file_numbers", "recorded_gap"}),
                ("a velocity that is no number", lose("velocity"), {"file_numbers", "recorded_momentum"}),
                ("an energy that is no number", lose("energy/external"), {"file_numbers"}),
                ("time", turn_time, {"file_times"}),
                ("kinetic energy", self.scaled("energy/kinetic", 1.5),
                 {"recorded_kinetic", "energy_parts", "energy_numerical"}),
                ("total energy", self.scaled("energy/total", 1.5), {"energy_parts"}),
                ("dissipation", self.scaled("energy/dissipated", -1.0), {"dissipation", "energy_numerical"}),
                ("momentum", self.scaled("momentum/linear", 1.1), {"recorded_momentum"}),
                ("velocity", creep, {"displacement_is_integral_of_velocity", "recorded_kinetic",
                                     "recorded_momentum"})):
            with self.subTest(what):
                checks, _, done = self.judge(self.falsified(change), "--strict", code=76)
                named = {name for name, item in checks.items() if item["verdict"] in ("doubtful", "wrong")}
                self.assertTrue(accused <= named, (accused, named))
                self.assertIn("error: --strict:", done.stderr)

    def test_elastic_forces_are_those_of_their_laws(self):
        output = Path(self.folder.name) / "bar.h5"
        harness.must(harness.run("run", harness.ROOT / "decks" / "bouncing_bar.cfg", "-o", output, "-q"))
        checks, _, _ = self.judge(output)
        self.assertLess(checks["recorded_force"]["value"], 1e-12)
        self.assertLess(checks["recorded_momentum"]["value"], 1e-12)
        with h5py.File(output, "r+") as file:
            file["history/contact_force"][...] = file["history/contact_force"][:] * 1.01
        self.assertEqual(self.judge(output)[0]["recorded_force"]["verdict"], "wrong")

    def test_driven_supports_carry_momentum(self):
        """Recorded momenta count nodes that a support drives: the bar's left one."""
        deck, output = Path(self.folder.name) / "driven.cfg", Path(self.folder.name) / "driven.h5"
        deck.write_text("""
            bodies = ( { type = "bar"; name = "m"; length = 1.0; elements = 5; area = 1.0; modulus = 100.0; density = 1.0; } );
            supports = ( { node = "m.left"; motion = { type = "harmonic"; amplitude = 0.002; frequency = 2.0; }; } );
            contacts = ( { type = "wall"; node = "m.right"; side = "upper"; gap = 0.03; stiffness = 1.0e3; } );
            integrator = { type = "botr"; }; strategy = { type = "event-driven"; };
            time = { end = 0.5; step = 1.0e-3; };""", encoding="utf-8")
        harness.must(harness.run("run", deck, "-o", output, "-q"))
        self.assertLess(self.judge(output)[0]["recorded_momentum"]["value"], 1e-12)
        with h5py.File(output, "r+") as file:
            file["history/momentum/linear"][...] = file["history/momentum/linear"][:] * 1.01
        self.assertEqual(self.judge(output)[0]["recorded_momentum"]["verdict"], "wrong")

    def test_rows_that_show_no_course_accuse_nobody(self):
        """Two rows, between which a load has sixteen periods, or a body falls and rests."""
        for name, text in (
                ("load", """
            bodies = ( { type = "particles"; name = "m"; positions = [0.0]; masses = [1e-12];
                         springs = ( { node = 0; stiffness = 1.0; damping = 1e-8; } ); } );
            loads = ( { type = "force"; node = "m"; direction = [1.0];
                        signal = { type = "harmonic"; amplitude = 2e-7; circular_frequency = 0.9e6; }; } );
            contacts = ( { type = "wall"; node = "m"; side = "upper"; gap = 1e-6; } );
            integrator = { type = "theta"; }; strategy = { type = "time-stepping"; };
            time = { end = 1e-4; step = 2e-8; };"""), ("fall", """
            bodies = ( { type = "particles"; name = "m"; positions = [0.0]; masses = [1e-15]; } );
            loads = ( { type = "gravity"; acceleration = -9.81; } );
            contacts = ( { type = "wall"; node = "m"; side = "lower"; gap = 2e-9; restitution = 0.3; } );
            integrator = { type = "theta"; }; strategy = { type = "time-stepping"; };
            time = { end = 2e-3; step = 1e-6; };""")):
            with self.subTest(name):
                deck, output = Path(self.folder.name) / "few.cfg", Path(self.folder.name) / "few.h5"
                deck.write_text(text, encoding="utf-8")
                harness.must(harness.run("run", deck, "-o", output, "-q", "--set", "output.every=0.01"))
                self.judge(output, "--strict")

    def test_what_can_not_be_judged_is_said(self):
        def forget(file):
            del file["history/velocity"], file["summary/audit"], file["history/energy/kinetic"]

        def change_deck(file):
            text = file["deck/resolved"][()]
            del file["deck/resolved"]
            file["deck"].create_dataset("resolved", data=text.decode() + "\nnonsense = 1;",
                                        dtype=h5py.string_dtype())
        checks, found, _ = self.judge(self.falsified(forget), "--strict")
        self.assertIsNone(found["run"])
        self.assertNotIn("momentum", checks)
        self.assertEqual(found["not_judged"]["momentum, displacement_is_integral_of_velocity"],
                         "the file has no history velocity")
        self.assertEqual(found["not_judged"]["energy"], "the file has no history energy/kinetic")
        _, found, _ = self.judge(self.falsified(change_deck))
        self.assertIn("nonsense", " ".join(found["not_judged"].values()))
        words = harness.must(harness.run("audit", self.falsified(forget))).stdout
        self.assertIn("not judged: energy: the file has no history energy/kinetic", words)
        self.assertRegex(words, r"the run's own audit +the file has none")

    def test_points(self):
        path = Path(self.folder.name) / "points.h5"
        harness.must(harness.run("run", harness.ROOT / "decks" / "integrator_map.cfg", "-o", path, "-q"))
        checks, found, _ = self.judge(path)
        self.assertEqual(checks, {})
        self.assertIn("points", found["not_judged"]["all"])

    def test_the_file_itself(self):
        def spoil(file):
            file["history/gap"][3, 0] = np.nan
            file["history/time"][5] = file["history/time"][4]
        checks, _, _ = self.judge(self.sound, "--file", "--strict")
        self.assertEqual({item["verdict"] for item in checks.values()}, {"exact"})
        checks, _, _ = self.judge(self.falsified(spoil), "--file", "--strict", code=76)
        self.assertEqual((checks["file_numbers"]["value"], checks["file_times"]["value"]), (1, 1))
        harness.must(harness.run("audit", Path(self.folder.name) / "none.h5"), 66)


if __name__ == "__main__":
    unittest.main()
