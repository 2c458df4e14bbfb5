#!/usr/bin/python3
"""What `check` tells of time-stepping: its lines, its warnings, and silence where there is nothing to say; and that
a run ends where time.stop says."""

import math
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import h5py

import harness

BAR = """
bodies = ( {{ type = "bar"; length = 0.254; area = 6.45e-4; modulus = 2.1e11; density = 7847.0; elements = 50;
             mass = "{mass}"; }} );
initial = ( {{ body = "bar"; velocity = -5.08; }} );
contacts = ( {{ type = "wall"; node = "bar.left"; gap = 2.5e-4; }} );
integrator = {{ type = "central-difference"; }};
strategy = {{ type = "time-stepping"; }};
time = {{ end = 1.0e-4; step = 6.87e-7; }};
"""
MASSES = """
bodies = ( { type = "particles"; name = "p"; positions = [0, 1]; masses = [1, 1];
             springs = ( { nodes = [0, 1]; stiffness = 100; damping = 1; } ); } );
loads = ( { type = "gravity"; acceleration = -10; } );
contacts = ( { type = "wall"; node = "p.0"; gap = 0; } );
integrator = { type = "central-difference"; };
strategy = { type = "time-stepping"; };
time = { end = 100.0; step = 0.01; stop = { tolerance = 1e-4; period = 0.7; }; };
"""
OSCILLATOR = """
bodies = ( { type = "particles"; name = "p"; positions = [0.0]; masses = [1.0];
             springs = ( { node = 0; stiffness = 1.0; } ); } );
elements = ( { type = "van_der_pol"; node = "p"; coefficient = 5.0; } );
initial = ( { body = "p"; displacement = 1.0; velocity = 1.0; } );
contacts = ( { type = "wall"; node = "p"; gap = 3.0; stiffness = 1.0; } );
integrator = { type = "theta"; };
strategy = { type = "time-stepping"; };
time = { end = 1.0; step = 0.001; };
"""
MASSLESS = """
bodies = ( { type = "multibody"; name = "bob"; positions = [1.0, 0.0]; masses = [1.0]; inertias = [0.0]; } );
constraints = ( { type = "pin"; nodes = ["bob"]; arms = [-1.0, 0.0]; } );
loads = ( { type = "gravity"; acceleration = -10; direction = [0.0, 1.0]; } );
integrator = { type = "generalized-alpha"; };
strategy = { type = "time-stepping"; level = "both"; };
time = { end = 0.1; step = 0.01; };
"""


class Check(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.addCleanup(self.place.cleanup)
        self.bar = self.write("bar", BAR.format(mass="lumped"))

    def write(self, name, text):
        path = self.folder / (name + ".cfg")
        path.write_text(text, encoding="utf-8")
        return path

    def check(self, deck, *settings):
        more = [word for setting in settings for word in ("--set", setting)]
        return harness.must(harness.run("check", deck, *more))

    def line(self, done, name):
        found = re.search(rf"^  {name} +(.*)$", done.stdout, re.M)
        self.assertIsNotNone(found, done.stdout)
        return found[1]

    def test_a_mass_that_only_constraints_make_regular_is_checked_and_run(self):
        """What runs is not refused by check: such a model has no frequencies, and that is said."""
        deck = self.folder / "deck.cfg"
        deck.write_text(MASSLESS)
        for level in ("both", "position"):
            words = [str(deck), "--set", f"strategy.level={level}"]
            checked = harness.run("check", *words)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            self.assertIn("frequencies            not computed", checked.stdout)
            done = harness.run("run", *words, "-q", "-o", str(self.folder / "out.h5"))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_lines(self):
        done = self.check(self.bar)
        self.assertEqual(done.stderr, "")
        self.assertIn("velocity level: CD-Lagrange", self.line(done, "scheme"))
        self.assertEqual(self.line(done, "step"), "6.87e-07 s, 146 steps to 0.0001 s")
        self.assertEqual(self.line(done, "critical step"), "9.81987e-07 s: the step is 0.6996 of it")
        self.assertIn("rigid, restitution 0", self.line(done, "contacts"))
        self.assertNotIn("mass  ", done.stdout)

    def test_implicit(self):
        done = self.check(self.bar, "integrator.type=theta", "time.step=1e-5")
        self.assertEqual(self.line(done, "critical step"), "none: unconditionally stable")
        self.assertEqual(done.stderr, "")

    def test_frequencies_beyond_the_reals(self):
        # what runs is checked too: by Sturm counts of a tridiagonal pencil, by Lanczos of a banded one
        quiet = ["integrator.type=theta", "integrator.operator=nodal"]
        chain = self.write("chain", MASSES.replace("masses = [1, 1]", "masses = [1e-310, 1.0]"))
        plane = self.write("plane", """
            bodies = ( { type = "plane"; width = 1.0; height = 1.0; nx = 3; ny = 3; modulus = 1e10; poisson = 0.3;
                         density = 1e-299; } );
            supports = ( { node = "plane.bottom"; } );
            strategy = { type = "time-stepping"; };
            time = { end = 1.0; step = 0.1; };
            integrator = { type = "theta"; };""")
        drop = MASSES[MASSES.index(" stop = "):MASSES.index("}; };") + 2]
        chain.write_text(chain.read_text().replace(drop, "").replace("damping = 1;", ""))
        for deck in chain, plane:
            done = self.check(deck, *quiet)
            self.assertIn("too high to be computed", self.line(done, "highest frequency"))
            self.assertNotIn("nan", done.stdout)

    def test_lumped_mass_is_told(self):
        deck = self.write("consistent", BAR.format(mass="consistent"))
        done = self.check(deck)
        self.assertIn("lumped by row sums", self.line(done, "mass"))
        self.assertIn("note: integrator.type: integrator 'central-difference' needs a diagonal mass", done.stderr)
        # the mass as given, in modal coordinates: the free bar's highest frequency is sqrt(3) times that
        done = self.check(deck, "integrator.operator=modal", "time.step=5.6e-7")
        self.assertEqual(self.line(done, "critical step"), "5.66951e-07 s: the step is 0.9877 of it")
        self.assertEqual(done.stderr, "")

    def test_lumped_mass_stands_in_the_results(self):
        outputs = [self.folder / "a.h5", self.folder / "b.h5"]
        done = harness.must(harness.run("run", self.write("c", BAR.format(mass="consistent")), "-o", outputs[0]))
        self.assertIn("lumped by row sums", done.stderr)
        harness.must(harness.run("run", self.bar, "-o", outputs[1]))
        with h5py.File(outputs[0]) as one, h5py.File(outputs[1]) as other:
            self.assertEqual(harness.text(one.attrs["mass"]), "lumped by row sums")
            self.assertNotIn("mass", other.attrs)
        # the same model: only the sums' rounding differs
        harness.must(harness.run("compare", *outputs, "--rtol", "1e-9", "--atol", "1e-9"))

    def test_scaled_mass_is_told(self):
        done = self.check(self.bar, "time.step=2e-6", "integrator.mass_scaling=true")
        # m = h^2 4 EA / dx / (4 x 0.95^2) at each inner node of 50 elements
        inner = (2e-6 / 0.95) ** 2 * 2.1e11 * 6.45e-4 / (0.254 / 50)
        total = 7847.0 * 6.45e-4 * 0.254
        self.assertEqual(self.line(done, "mass added"),
                         f"{50 * inner - total:.4g} kg at 51 nodes, {100 * (50 * inner / total - 1):.3g} % of "
                         f"{total:.6g} kg")
        self.assertEqual(self.line(done, "critical step"), "2.10526e-06 s: the step is 0.95 of it")
        done = self.check(self.bar, "integrator.mass_scaling=true")
        self.assertTrue(self.line(done, "mass added").startswith("0 kg at 0 nodes"))
        self.assertEqual(done.stderr, "")

    def warned(self, *settings, deck=None):
        return re.findall(r"warning: ([^:]*): (\w+)", self.check(deck or self.bar, *settings).stderr)

    def test_laws_that_do_not_act(self):
        self.assertEqual(self.warned("contacts.[0].stiffness=1e5"), [("contacts.[0].stiffness", "unused")])
        self.assertEqual(self.warned("contacts.[0].restitution=0.5"), [])
        self.assertEqual(self.warned("contacts.[0].restitution=0.5", "strategy.level=position"), [])
        self.assertEqual(self.warned("contacts.[0].restitution=0.5", "strategy.level=position",
                                     "integrator.type=newmark"), [("contacts.[0].restitution", "unused")])

    def test_a_restitution_of_0_that_no_dashpot_has(self):
        """It is the default of rigid contacts, so that a deck for several strategies may well have it. Penalty has no
        such dashpot, and none at all without one being asked for: given, that is told; by default, and with 1, not."""
        penalty = ["strategy.type=penalty", "integrator.type=trapezoidal", "contacts.[0].stiffness=1e5"]
        for law in ["kelvin-voigt"], ["hertz", "contacts.[0].hertz_stiffness=1e5"]:
            settings = [word for word in penalty if law[0] == "kelvin-voigt" or "stiffness" not in word]
            settings += [f"strategy.law={law[0]}", *law[1:]]
            self.assertEqual(self.warned(*settings, "contacts.[0].restitution=0"),
                             [("contacts.[0].restitution", "unused")])
            for silent in [], ["contacts.[0].restitution=1"], ["contacts.[0].restitution=0.5"]:
                self.assertEqual(self.warned(*settings, *silent), [])

    def test_a_deck_for_several_strategies_is_warned_of_once(self):
        deck = harness.ROOT / "decks" / "two_shear_buildings.cfg"
        penalty = ("integrator.type=trapezoidal", "strategy.type=penalty")
        stepping = ("strategy.type=time-stepping",)
        other, step = {"hertz_stiffness"}, {"time.contact_step", "time.contact_increments"}
        for settings, unused in (((), other | {"restitution"}),
                                 (penalty, other | step),
                                 ((*penalty, "strategy.law=hertz"), {"stiffness"} | step),
                                 ((*stepping, "integrator.type=theta"), other | {"stiffness"} | step),
                                 ((*stepping, "integrator.type=generalized-alpha", "strategy.level=both"),
                                  other | {"stiffness"} | step),
                                 ((*stepping, "integrator.type=newmark", "strategy.level=position"),
                                  other | {"stiffness", "restitution"} | step)):
            with self.subTest(settings):
                told = [line for line in self.check(deck, *settings).stderr.splitlines() if "rho_inf" not in line]
                self.assertEqual(len(told), 1, told)
                where, words = re.fullmatch(r".*: warning: (\S+): unused: (.*)", told[0]).groups()
                self.assertEqual(where, "contacts")
                self.assertEqual(set(re.findall(r"(\S+) \(", words)), unused)

    def test_one_keyword_of_many_contacts_is_told_with_its_reason(self):
        deck = self.write("five", MASSES.replace(
            'contacts = ( { type = "wall"; node = "p.0"; gap = 0; } );',
            f'contacts = ( {", ".join(5 * [chr(123) + " type = #wall#; node = #p.0#; gap = 0; stiffness = 1e3; }"])} );'
            .replace("#", '"')))
        told = self.check(deck, "contacts.[1].stiffness=2e3").stderr
        self.assertEqual(re.findall("warning: (.*unused.*)", told),
                         ["contacts.[0].stiffness: unused: contacts of time-stepping are rigid, and so in 4 other contacts"])

    def test_what_the_update_does_not_keep(self):
        decks = harness.DECKS[0].parent
        settings = ("integrator.type=bathe", "strategy.level=position", "strategy.update=true")
        self.assertEqual(self.warned(*settings), [])
        self.assertNotIn("does not keep", self.check(decks / "mesh_demo.cfg", *settings).stderr)
        settings += ("strategy.update_form=published",)
        told = self.check(decks / "mesh_demo.cfg", *settings).stderr
        self.assertIn("'disk.122-block.top' has restitution 0, which acts anew in every step", told)
        self.assertIn("'disk.122-block.top' is between bodies, and the published update does not keep their momentum", told)
        self.assertEqual(self.warned(*settings, "contacts.[0].restitution=1"), [])  # a bar on a wall
        self.assertEqual(self.warned(*settings), [("strategy.update_form", "contact")])
        # masses on springs of their own: momentum is not theirs to keep
        self.assertEqual(self.warned(deck=decks / "spring_pair.cfg"), [])
        self.assertEqual(self.warned("contacts.[0].restitution=0.5", deck=decks / "spring_pair.cfg"), [])

    def test_pairs_of_forces_that_make_a_moment(self):
        """Of two balls that turn nothing is said; friction of balls that can't turn, or at a distance of centres, and a normal
        off the line of centres, turn what nothing turns, by arms of .5, .3 + .2 and .2 m."""
        deck = self.folder / "pair.cfg"
        contact = 'contacts = ( {{ type = "nodes"; nodes = [{}]; {}; friction = 0.3; }} );'
        rest = ('integrator = { type = "theta"; }; strategy = { type = "time-stepping"; level = "velocity"; };'
                'time = { end = 0.5; step = 0.001; };')
        points = 'bodies = ( { type = "particles"; name = "a"; dim = 2; positions = [7.0, 0.0, 8.0, 0.2]; masses = [1.0, 2.0]; } );'
        disks = " ".join(f'{{ type = "multibody"; name = "{name}"; positions = {place}; masses = [1.0]; inertias = [0.1]; }}{end}'
                         for name, place, end in (("a", [7.0, 0.0], ","), ("b", [8.0, 0.2], "")))
        for bodies, nodes, words, arm in ((points, '"a.0", "a.1"', "distance = 0.5", "0.5"),
                                          (points, '"a.0", "a.1"', "radii = [0.3, 0.2]", "0.5"),
                                          (f"bodies = ( {disks} );", '"a", "b"', "radii = [0.3, 0.2]", None)):
            deck.write_text(bodies + contact.format(nodes, words) + rest)
            found = re.findall(r"contacts.\[0\].friction: .* two lines that are (.*) m apart", self.check(deck).stderr)
            self.assertEqual(found, [arm] if arm else [])
        deck.write_text(points + 'contacts = ( { type = "pair"; nodes = ["a.0", "a.1"]; normal = [1.0, 0.0]; } );' + rest)
        found = re.findall(r"contacts.\[0\].type: .* two lines that are (.*) m apart", self.check(deck).stderr)
        self.assertEqual(found, ["0.2"])

    def test_index_3_without_numerical_damping(self):
        decks = harness.DECKS[0].parent
        for radius, told in ((1.0, [("integrator.rho_inf", "at")]), (0.8, [])):
            settings = ("integrator.type=generalized-alpha", "strategy.level=position", f"integrator.rho_inf={radius}")
            found = [one for one in self.warned(*settings, deck=decks / "bouncing_ball.cfg") if one[0] == "integrator.rho_inf"]
            self.assertEqual(found, told)

    def test_springs_of_penalty(self):
        # the first node has the mass m = rho A dx / 2 and v = 5.08 m/s: v sqrt(m / kappa) deep, pi sqrt(m / kappa) long
        settings = ("strategy.type=penalty", "contacts.[0].stiffness=1e10")
        done = self.check(self.bar, *settings)
        mass = 7847.0 * 6.45e-4 * 0.254 / 50 / 2
        time = (mass / 1e10) ** 0.5
        self.assertIn("standard form: explicit penalty method", self.line(done, "scheme"))
        self.assertIn("spring 1e+10 N/m", self.line(done, "contacts"))
        self.assertIn(f"at least {5.08 * time:.3g} m deep by an impact at 5.08 m/s; {math.pi * time:.3g} s long, "
                      f"{math.pi * time / 6.87e-7:.3g} steps", self.line(done, "overlap"))
        # a critical step that the spring makes shorter, and told so
        self.assertIn("with all springs closed: the step is 0.7114 of it", self.line(done, "critical step"))
        done = self.check(self.bar, *settings, "contacts.[0].restitution=0.5")
        self.assertIn("spring 1e+10 N/m, dashpot for restitution 0.5", self.line(done, "contacts"))

    def test_bodies_that_fall_side_by_side_meet_at_no_speed(self):
        """The same fall of both leaves rounding between them, of which no blow is estimated: 1 m/s stands for it."""
        deck = self.write("side", """
            bodies = ( { type = "particles"; name = "p"; positions = [0.0, 1.0]; masses = [2.0, 1.0]; } );
            contacts = ( { type = "wall"; node = "p.0"; side = "lower"; gap = 0.05; stiffness = 1e3; },
                         { type = "pair"; name = "pair"; nodes = ["p.0", "p.1"]; gap = 0.05; stiffness = 1e3; } );
            loads = ( { type = "gravity"; acceleration = -10.0; } );
            initial = ( { body = "p"; velocity = -0.1; } );
            integrator = { type = "theta"; }; strategy = { type = "penalty"; }; time = { end = 1.0; step = 1e-3; };""")
        told = self.check(deck).stdout
        self.assertIn(f"by an impact at {1.01 ** 0.5:.3g} m/s", told)  # v^2 + 2 g gap of the wall's
        self.assertRegex(told, "pair: at least [0-9.]+ m deep by an impact at 1 m/s")

    def test_steps_longer_than_contacts(self):
        settings = ("strategy.type=penalty", "integrator.type=trapezoidal")
        self.assertEqual(self.warned(*settings, "contacts.[0].stiffness=1e10"), [])
        self.assertIn(("time.step", "an"), self.warned(*settings, "contacts.[0].stiffness=1e11"))

    def test_steps_that_miss_events(self):
        """Beyond a quarter of the longest period a gap may swing to and fro within a step."""
        for deck, quarter in (("nbm_bar", 1.0), ("newton_cradle", None)):
            for step in (0.9, 1.1):
                done = harness.run("check", harness.ROOT / "decks" / f"{deck}.cfg", "--set", f"time.step={step}")
                told = "events may be missed" in done.stderr
                with self.subTest(deck=deck, step=step):
                    self.assertEqual(told, quarter is not None and step > quarter)

    def test_times_that_do_not_act(self):
        for setting in ("contact_step=1e-8", "contact_increments=3", "points_per_period=5"):
            with self.subTest(setting):
                self.assertEqual(self.warned("time." + setting), [("time." + setting.split("=")[0], "unused")])
        event = self.folder / "event.cfg"
        event.write_text(BAR.format(mass="lumped").replace("central-difference", "trapezoidal")
                         .replace("time-stepping", "event-driven"), encoding="utf-8")
        self.assertEqual(self.warned("time.contact_increments=3", deck=event), [])
        self.assertEqual(self.warned("time.allow_unstable=true", deck=event), [("time.allow_unstable", "unused")])

    def test_spans_beyond_the_end(self):
        masses = self.write("masses", MASSES)
        told = self.check(masses, "time.end=0.5").stderr
        self.assertIn("warning: time.stop.period: 0.7 s is longer than the whole run, 0.5 s", told)
        told = self.check(masses, "time.end=0.5", "time.step=0.6", "time.allow_unstable=true").stderr
        self.assertIn("warning: time.step: 0.6 s is longer than the whole run, 0.5 s", told)
        self.assertNotIn("longer than the whole run", self.check(masses, "time.step=0.05").stderr)

    def test_samples_between_steps(self):
        self.assertEqual(self.warned("output.every=1e-6"), [("output.every", "1e")])
        self.assertEqual(self.warned("output.every=3e-7"), [("output.every", "3e")])
        self.assertEqual(self.warned("output.every=6.87e-6"), [])

    def test_unstable_step(self):
        self.assertEqual(self.warned("time.step=1e-6", "time.allow_unstable=true"), [("time.step", "the")])

    def test_resolved_decks_are_as_silent(self):
        """Defaults that the resolved deck spells out are no keywords that somebody gave."""
        for side in harness.DECKS[0].parent.glob("*"):
            if side.is_dir():
                shutil.copytree(side, self.folder / side.name, dirs_exist_ok=True)
            elif side.suffix != ".cfg":
                shutil.copy(side, self.folder)
        for deck in [*harness.DECKS, self.bar]:
            with self.subTest(deck.stem):
                before = self.check(deck).stderr
                resolved = self.folder / "resolved.json"
                resolved = self.write("resolved", self.resolved_text(deck))
                after = self.check(resolved).stderr
                self.assertEqual(len(re.findall("warning:", before)), len(re.findall("warning:", after)), after)

    def resolved_text(self, deck):
        output = self.folder / "resolved.h5"
        harness.must(harness.run("run", deck, "-o", output, "-q", *self.shortened(deck)))
        with h5py.File(output) as file:
            return harness.text(file["deck/resolved"])

    def shortened(self, deck):
        """What ends a run early; an analysis of points has no end time."""
        time = harness.resolved(deck).get("time")
        if time is None:
            return ()
        if "end" not in time:
            return ("--set", "analysis.count=2")
        end = min(time["end"], 10.0 * time["step"] if "step" in time else 0.01 * time["end"])
        return "--set", f"time.end={end!r}"

    def test_size_of_results(self):
        """Of runs with few rows and many, all of whose rows are known beforehand."""
        for name, every in (("ball_accumulation", 0.0), ("ball_accumulation", 0.5), ("impacting_bar", 0.0),
                            ("nbm_bar", 0.0), ("two_shear_buildings", 0.01)):
            deck, output = harness.ROOT / "decks" / f"{name}.cfg", self.folder / "size.h5"
            words = self.line(self.check(deck, f"output.every={every}"), "results")
            told = float(re.search(r"some ([0-9.]+) MB", words)[1])
            harness.must(harness.run("run", deck, "-o", output, "-q", "--set", f"output.every={every}"))
            self.assertAlmostEqual(told / (output.stat().st_size / 1e6), 1.0, delta=0.1, msg=f"{name}, {every}")

    def test_stop(self):
        deck, output = self.write("masses", MASSES), self.folder / "masses.h5"
        self.assertIn("during 0.7 s", self.line(self.check(deck), "stop"))
        done = harness.must(harness.run("run", deck, "-o", output, "--set", "output.every=0.5"))
        self.assertRegex(done.stdout, r"ended at +13\.\d+ s: at rest by time.stop")
        with h5py.File(output) as file:
            end = file["summary"].attrs["end_time"]
            self.assertEqual(harness.text(file.attrs["status"]), "complete")
            self.assertEqual(file["history/time"][-1], end)
            self.assertTrue(13.0 < end < 14.0)
            # the weight of both
            self.assertAlmostEqual(file["history/contact_force"][-1, 0], 20.0, delta=0.02)
        harness.must(harness.run("run", deck, "-o", output, "--set", "time.stop.tolerance=1e-300", "-q"))
        with h5py.File(output) as file:
            # only a motion that has died out to the last digit is so calm
            self.assertGreater(file["summary"].attrs["end_time"], 3.0 * end)

    def test_hints_list_the_pairs_that_take_nonlinear_elements(self):
        """Which these are is found by trying all."""
        deck = self.write("oscillator", OSCILLATOR)
        told = {}
        for cell in harness.grid():
            words = [word for one in harness.cell_settings(cell) for word in ("--set", one)]
            if cell[2] in ("conserving", "dissipating") and cell[0] == "generalized-alpha":
                words += ["--set", "integrator.rho_inf=1.0"]
            told[cell] = harness.run("check", deck, *words)
        takes = {cell for cell, done in told.items() if done.returncode == 0}
        self.assertIn("generalized-alpha", {cell[0] for cell in takes})
        stepping = {cell[1] for cell in takes}
        for cell in told.keys() - takes:
            with self.subTest(cell):
                self.check_hints(cell, told[cell], takes, stepping)

    def check_hints(self, cell, done, takes, stepping):
        self.assertEqual(done.returncode, 65)
        hints = {noun: set(names.split(", ")) for noun, names in
                 re.findall(r"hint: (\w+) that take nonlinear ones: (.*)$", done.stderr, re.M)}
        self.assertTrue(hints, done.stderr)
        if cell[1] in stepping:
            self.assertEqual(hints, {"integrators": {one[0] for one in takes if one[1:] == cell[1:]}})
            return
        self.assertEqual(hints["strategies"], stepping)
        able = {one[0] for one in takes}
        self.assertEqual(hints.get("integrators"), None if cell[0] in able else able)


if __name__ == "__main__":
    unittest.main()
