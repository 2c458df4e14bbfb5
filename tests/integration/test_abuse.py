#!/usr/bin/python3
"""What users do by mistake or in spite: damaged files, outputs that would destroy input, tolerances beyond
what numbers can hold. Nothing hangs, nothing is lost, and a wrong result is not given in silence."""

import csv
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

BALL, BAR, CRADLE, STEPPING_BALL = (harness.ROOT / "decks" / f"{name}.cfg"
                                    for name in ("ball_events", "bouncing_bar", "newton_cradle", "bouncing_ball"))

RESTING_BLOCK = """
bodies = ( { type = "multibody"; name = "block"; positions = [0.0, 0.5]; masses = [2.0]; inertias = [0.4]; } );
loads = ( { type = "gravity"; acceleration = -10.0; } );
contacts = ( { type = "plane"; node = "block"; normal = [0.0, 1.0]; point = [0.0, 0.0]; arm = [-0.5, -0.5];
               friction = 0.3; },
             { type = "plane"; node = "block"; normal = [0.0, 1.0]; point = [0.0, 0.0]; arm = [0.5, -0.5];
               friction = 0.3; } );
integrator = { type = "generalized-alpha"; };
strategy = { type = "time-stepping"; level = "both"; };
time = { end = 1.0; step = 0.01; };
"""


class Abuse(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.output = self.folder / "out.h5"
        self.part = Path(f"{self.output}.part")

    def interrupt(self, deck=CRADLE):
        """An unfinished run of the cradle: its arguments."""
        arguments = ("run", deck, "-o", self.output, "--set", "time.end=6000")
        process = harness.start(*arguments)
        self.assertTrue(harness.wait_for(Path(f"{self.output}.checkpoint").exists))
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30 * harness.TIME_FACTOR), 75)
        return arguments

    def test_output_never_replaces_the_deck(self):
        deck, link = self.folder / "deck.h5", self.folder / "link.h5"
        shutil.copy(BALL, deck)
        link.hardlink_to(deck)
        for arguments in (("-o", deck), ("-o", link), ()):
            done = harness.run("run", deck, *arguments, cwd=self.folder)
            harness.must(done, 64)
            self.assertIn("is a file that the deck is made of", done.stderr)
        self.assertEqual(deck.read_bytes(), BALL.read_bytes())

    def test_output_never_replaces_what_the_deck_reads(self):
        """Side files, and files that are included."""
        decks = BALL.parent
        for name in ("matrices_demo", "mesh_demo"):
            for file in decks.glob(name + "*"):
                shutil.copy(file, self.folder)
        shutil.copy(BALL, self.folder / "part.cfg")
        (self.folder / "whole.cfg").write_text('@include "part.cfg"\n', encoding="utf-8")
        for deck, file in (("matrices_demo.cfg", "matrices_demo_mass.mtx"), ("mesh_demo.cfg", "mesh_demo.msh"),
                           ("whole.cfg", "part.cfg")):
            before = (self.folder / file).read_bytes()
            done = harness.must(harness.run("run", deck, "-o", file, cwd=self.folder), 64)
            self.assertIn(f"the output '{file}' is a file that the deck is made of", done.stderr)
            self.assertEqual((self.folder / file).read_bytes(), before)

    def test_empty_output_name(self):
        harness.must(harness.run("run", BALL, "-o", "", cwd=self.folder), 64)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_output_through_links(self):
        """A link stays a link: what it leads to is made, and replaced."""
        (self.folder / "far" / "away").mkdir(parents=True)
        target, link, chain = self.folder / "far" / "target.h5", self.folder / "far" / "away" / "l", self.output
        link.symlink_to("../target.h5")
        chain.symlink_to(link.relative_to(self.folder))
        for content in (None, b"old"):
            if content is not None:
                target.write_bytes(content)
            harness.must(harness.run("run", BALL, "-o", "out.h5", "-q", cwd=self.folder))
            self.assertTrue(chain.is_symlink() and link.is_symlink() and not target.is_symlink())
            self.assertIn("history/time", harness.read_series(target))
            self.assertEqual(harness.leftovers(target) + harness.leftovers(chain), [])
        harness.must(harness.run("run", BALL, "-o", "out.h5", "--resume", cwd=self.folder))

    def test_links_that_lead_nowhere(self):
        circle, device = self.folder / "circle.h5", self.folder / "device.h5"
        circle.symlink_to("circle.h5")
        device.symlink_to("/dev/null")
        for link, word in ((circle, "symbolic links"), (device, "not a regular file")):
            done = harness.run("run", BALL, "-o", link)
            harness.must(done, 73)
            self.assertIn(word, done.stderr)
            self.assertTrue(link.is_symlink())

    def test_names_too_long_for_what_goes_beside(self):
        """255 bytes are the most: the run must not find that out at its first checkpoint."""
        for length, code in ((240, 0), (241, 73), (245, 73), (252, 73), (255, 73), (256, 73)):
            name = "n" * (length - 3) + ".h5"
            done = harness.run("run", BALL, "-o", name, "-q", cwd=self.folder)
            harness.must(done, code)
            self.assertEqual(os.listdir(self.folder), [name] if code == 0 else [])
            if code == 0:
                (self.folder / name).unlink()

    def test_damaged_results_end_every_command(self):
        arguments = self.interrupt()
        whole = self.part.read_bytes()
        for seed in range(4):
            moments, damaged = random.Random(seed), bytearray(whole)
            for _ in range(200):
                damaged[moments.randrange(min(60000, len(damaged)))] = moments.randrange(256)
            self.part.write_bytes(damaged)
            for command in (("run", *arguments[1:], "--resume"),
                            ("export", self.part, "--csv", self.folder / "csv")):
                done = harness.run(*command, limit=20)
                harness.must(done, 66)
                if command[0] == "run":
                    self.assertIn("hint: without --resume the run begins anew", done.stderr)

    def test_damaged_texts_end_no_command_by_a_signal(self):
        """HDF5 has checksums of all but the heaps that hold texts ("GCOL"), and follows what is wrong there."""
        arguments = self.interrupt()
        part = self.part.read_bytes()
        harness.must(harness.run("run", BALL, "-o", self.output, "-q"))
        whole, csv_folder = self.output.read_bytes(), self.folder / "csv"
        for seed in range(8):
            for path, content in ((self.part, part), (self.output, whole)):
                heaps = [found.start() for found in re.finditer(b"GCOL", content)]
                moments, damaged = random.Random(seed), bytearray(content)
                heap = moments.choice(heaps)
                for _ in range(moments.choice((1, 4, 16, 64))):
                    damaged[heap + 4 + moments.randrange(2000)] = moments.randrange(256)
                path.write_bytes(damaged)
            for command in (("export", self.output, "--csv", csv_folder), ("export", self.part, "--csv", csv_folder),
                            ("compare", self.output, self.output), (*arguments, "--resume")):
                done = harness.run(*command, limit=20)
                self.assertIn(done.returncode, (0, 1, 65, 66, 75), (seed, command, done.stderr))

    def test_what_leads_to_other_files_is_refused(self):
        """HDF5 would open, read and write whatever a link or a dataset names, also beyond the file."""
        other = self.folder / "other.h5"
        harness.must(harness.run("run", BALL, "-o", other, "-q"))
        secret = self.folder / "secret"
        secret.write_bytes(np.arange(64.0).tobytes())

        def link(file):
            del file["history"]
            file["history"] = h5py.ExternalLink("other.h5", "/history")

        def raw_storage(file):
            make = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            make.set_external(bytes(secret), 0, 512)
            h5py.h5d.create(file["history"].id, b"stolen", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((64,)), make)

        def made_of_others(file):
            layout = h5py.VirtualLayout((4,), "f8")
            layout[:] = h5py.VirtualSource(str(other), "history/time", shape=(4,))
            file["history"].create_virtual_dataset("stolen", layout)

        for change, name in ((link, "history"), (raw_storage, "history/stolen"), (made_of_others, "history/stolen")):
            with self.subTest(change.__name__):
                shutil.copy(other, self.output)
                with h5py.File(self.output, "r+") as file:
                    change(file)
                for command in (("export", self.output, "--csv", self.folder / "csv"), ("plot", self.output),
                                ("compare", other, self.output), ("audit", self.output)):
                    done = harness.must(harness.run(*command), 66)
                    self.assertIn(f"'{name}' in it leads to another file", done.stderr)
        shutil.copy(other, self.output)
        with h5py.File(self.output, "r+") as file:
            file["shortcut"] = h5py.SoftLink("/history/time")  # stays in the file
        harness.must(harness.run("compare", other, self.output))

    def test_resume_from_what_is_no_results_file(self):
        arguments = self.interrupt()
        for content in (b"", b"no HDF5", self.part.read_bytes()[:20000]):
            self.part.write_bytes(content)
            harness.must(harness.run(*arguments, "--resume"), 66)

    def test_resume_with_another_model(self):
        self.interrupt()
        before = self.part.read_bytes()
        done = harness.run("run", BAR, "-o", self.output, "--resume")
        harness.must(done, 65)
        self.assertIn("of another deck", done.stderr)
        self.assertEqual(self.part.read_bytes(), before)

    def test_resume_with_another_side_file(self):
        deck, table = self.folder / "deck.cfg", self.folder / "load.txt"
        loads = '\nloads = ( { type = "force"; node = "bar1.right"; signal = { type = "table"; ' \
                'file = "load.txt"; }; } );\n'
        deck.write_text(CRADLE.read_text(encoding="utf-8") + loads, encoding="utf-8")
        table.write_text("0 0\n1 1e-3\n2 0\n", encoding="utf-8")
        arguments = self.interrupt(deck=deck)
        table.write_text("0 0\n1 1e-3\n2 1e-3\n", encoding="utf-8")
        harness.must(harness.run(*arguments, "--resume"), 65)

    def test_tolerances_below_rounding(self):
        for keyword in ("gap_tolerance", "time_tolerance"):
            done = harness.run("run", BAR, "-o", self.output, "--set", f"strategy.{keyword}=1e-300", limit=20)
            harness.must(done)
            with h5py.File(self.output) as file:
                first = file["events/time"][0]
            # the bar falls 5 m at 10 m/s^2; the rounding of its displacement is some 1e-14 m
            self.assertAlmostEqual(first, 1.0, delta=1e-12)

    def test_a_large_gap_tolerance_holds_nothing_afloat(self):
        harness.must(harness.run("run", BALL, "-o", self.output, "--set", "strategy.gap_tolerance=1.0"))
        with h5py.File(self.output) as file:
            # the ball starts 1 m high: sqrt(2 h / g), located by the time tolerance of 1e-10
            self.assertAlmostEqual(file["events/time"][0], np.sqrt(2 / 9.81), delta=2e-10)
            self.assertLess(abs(file["history/gap"][-1, 0]), 1e-8)

    def test_check_tells_of_unresolved_springs(self):
        done = harness.must(harness.run("check", BALL, "--set", "contacts.[0].stiffness=1e16"))
        self.assertIn("contacts are not resolved", done.stderr)
        self.assertNotIn("not resolved", harness.must(harness.run("check", BAR)).stderr)

    def test_columns_of_bodies_bear_their_names(self):
        harness.must(harness.run("run", CRADLE, "-o", self.output, "--set", "time.end=0.1"))
        harness.must(harness.run("export", self.output, "--csv", self.folder))
        with open(self.folder / "center_velocity.csv", newline="", encoding="utf-8") as file:
            heads = next(csv.reader(file))
        self.assertEqual(heads[1:], [f"center/velocity bar{k} [m/s]" for k in range(1, 6)])
        harness.must(harness.run("run", BAR, "-o", self.output, "--set", "time.end=0.1"))
        harness.must(harness.run("export", self.output, "--csv", self.folder))
        with open(self.folder / "center_velocity.csv", newline="", encoding="utf-8") as file:
            self.assertEqual(next(csv.reader(file))[1:], ["center/velocity bar [m/s]"])

    def test_energy_from_nothing_is_told(self):
        """A spring so stiff that the gap's rounding is all: the run ends, but not without a word."""
        for factor, told in ((100, False), (1e20, True)):
            done = harness.must(harness.run("run", BAR, "-o", self.output, "-q", "--progress=never",
                                            "--set", f"contacts.[0].stiffness_factor={factor}"))
            self.assertEqual("the computation made energy" in done.stderr, told, done.stderr)

    def test_energy_beyond_numbers_ends_the_run(self):
        """The state stays finite, its square does not."""
        done = harness.run("run", STEPPING_BALL, "-o", self.output, "--set", "loads.[0].acceleration=-1e200")
        harness.must(done, 76)
        self.assertIn("the energy is not finite at t = 0 s", done.stderr)

    def test_histories_beyond_numbers_end_the_run(self):
        """An impulse stays finite, and so does the energy of a ball at rest; their product does not."""
        done = harness.run("run", harness.ROOT / "decks" / "ball_accumulation.cfg", "-o", self.output,
                           "--set", "strategy.level=velocity", "--set", "loads.[0].acceleration=-1e300")
        harness.must(done, 76)
        self.assertIn("history 'energy/projection' is not finite at t = ", done.stderr)

    def test_rest_is_no_alarm(self):
        """Of a block that rests on its corners all energies are rounding of where it is."""
        deck = self.folder / "block.cfg"
        deck.write_text(RESTING_BLOCK, encoding="utf-8")
        for sets in ([], ["strategy.level=velocity"], ["contacts.[0].friction=0.0", "contacts.[1].friction=0.0"]):
            words = [word for one in sets for word in ("--set", one)]
            done = harness.must(harness.run("run", deck, "-o", self.output, "-q", "--progress=never", *words))
            self.assertEqual(done.stderr, "")

    def test_the_origin_decides_no_alarm(self):
        """A block at rest at several places of its floor: gravity's potential differs, the motion does not."""
        rest = """bodies = ( {{ type = "particles"; name = "b"; positions = [{x}]; masses = [2.0]; }} );
loads = ( {{ type = "gravity"; acceleration = -9.81; }} );
contacts = ( {{ type = "wall"; node = "b"; position = {x}; }} );
integrator = {{ type = "botr"; }}; strategy = {{ type = "event-driven"; }}; time = {{ end = 1.0; step = 1.0e-3; }};
"""
        deck = self.folder / "rest.cfg"
        for x in ("0.0", "1.0", "-1.0e3"):
            deck.write_text(rest.format(x=x), encoding="utf-8")
            done = harness.must(harness.run("run", deck, "-o", self.output, "--progress=never"))
            self.assertEqual(done.stderr, "")

    def test_a_total_energy_of_zero_is_no_alarm(self):
        """The elastic ball starts with none, and its fall ends with 9.81 J: some roundings of that are left, which
        are much beside the total and nothing beside the kinetic energy."""
        done = harness.must(harness.run("run", STEPPING_BALL, "-o", self.output, "--set", "integrator.type=theta",
                                        "--set", "contacts.[0].restitution=1.0"))
        self.assertNotIn("made energy", done.stderr)
        with h5py.File(self.output) as file:
            self.assertLess(np.abs(file["history/energy/numerical"][:]).max(), 1e-12)

    def test_rods_without_direction_are_told(self):
        model = """bodies = ( { type = "particles"; name = "p"; dim = 2; positions = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
                                masses = [1.0, 1.0, 1.0]; } );
                   elements = ( { %s } );
                   integrator = { type = "theta"; }; strategy = { type = "time-stepping"; };
                   time = { end = 1.0; step = 0.1; };"""
        pair = 'type = "spring"; stiffness = 1.0; nodes = ["p.0", "p.%d"]; '
        bend = 'type = "torsion_spring"; stiffness = 1.0; nodes = ["p.%d", "p.%d", "p.%d"];'
        deck = self.folder / "rods.cfg"
        for element, words in ((pair % 1 + "length = 1.0;", "has no direction: it pulls only once they are apart"),
                               (pair % 1, ""), (pair % 2 + "length = 0.5;", ""),
                               (bend % (0, 1, 2), "a rod without length has no direction to turn"),
                               (bend % (2, 0, 1), "a rod without length has no direction to turn"),
                               (bend % (0, 2, 1), "")):
            deck.write_text(model % element, encoding="utf-8")
            done = harness.must(harness.run("run", deck, "-o", self.output, "-q", "--progress=never"))
            self.assertEqual("direction" in done.stderr, words != "", done.stderr)
            self.assertIn(words, done.stderr)

    def test_lost_output_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([harness.PROGRAM, "help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=10 * harness.TIME_FACTOR, check=False)
        harness.must(done, 74)
        self.assertIn("can't write to standard output", done.stderr)

    def test_results_never_take_the_place_of_a_closed_stream(self):
        command = 'exec "$0" run "$1" -o "$2" --set time.end=6000 --progress=always <&- >&- 2>&-'
        process = subprocess.Popen(["/bin/sh", "-c", command, harness.PROGRAM, CRADLE, self.output])
        try:
            self.assertTrue(harness.wait_for(Path(f"{self.output}.checkpoint").exists))
            for number in range(3):
                self.assertEqual(os.readlink(f"/proc/{process.pid}/fd/{number}"), "/dev/null")
        finally:
            process.kill()
            process.wait()

    @unittest.skipIf(harness.TIME_FACTOR > 1, "sanitizers need more address space than the limits give")
    def test_little_memory_ends_the_run(self):
        # from too little to enough, also with the larger libraries of newer systems: at no limit may it hang
        codes = []
        for megabytes in (*range(130, 331, 20), 450):
            limit = megabytes * 1000000
            done = subprocess.run([harness.PROGRAM, "run", BAR, "-o", self.output, "-q"], timeout=20, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit,) * 2))
            codes.append(done.returncode)
        self.assertLessEqual(set(codes), {0, 71})
        self.assertEqual((codes[0], codes[-1]), (71, 0))


if __name__ == "__main__":
    unittest.main()
