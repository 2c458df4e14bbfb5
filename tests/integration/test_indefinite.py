#!/usr/bin/python3
"""Damping that gives energy can make the matrix of a step indefinite, M + b C + c K with C < 0: that shows before the
first step and is the deck's fault, of every integrator that factors such a matrix, with every strategy."""

import tempfile
import unittest
from pathlib import Path

import harness

DECK = """
bodies = ( { type = "matrices"; name = "m"; mass = "m.mtx"; damping = "c.mtx"; stiffness = "k.mtx"; } );
contacts = ( { type = "wall"; node = "m.0"; gap = 1.0; stiffness = 1.0; } );
initial = ( { body = "m"; velocity = 0.01; } );
integrator = { type = "trapezoidal"; };
strategy = { type = "event-driven"; };
time = { end = 1.0; step = 0.5; };
"""
HEADER = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n"

# without such a matrix: complex factors, or those of a system with constraints; explicit ones
NO_MATRIX = {("botr", "event-driven"), ("noh-bathe", "event-driven"), ("generalized-alpha", "time-stepping"),
             ("central-difference", "time-stepping"), ("central-difference", "penalty")}


def settings(cell):
    words = harness.cell_settings(cell)
    if cell[0] == "generalized-alpha" and cell[2] in ("conserving", "dissipating"):
        words.append("integrator.rho_inf=1.0")
    return words


class Indefinite(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.deck = self.folder / "deck.cfg"
        self.deck.write_text(DECK, encoding="utf-8")
        self.matrix("m", (1.0, 1.0, 0.0))
        self.matrix("c", (-10.0, -10.0, 1.0))
        self.matrix("k", (2.0, 2.0, -1.0))

    def matrix(self, name, entries):
        rows = "".join(f"{place} {entry}\n" for place, entry in zip(("1 1", "2 2", "2 1"), entries))
        (self.folder / f"{name}.mtx").write_text(HEADER + rows, encoding="utf-8")

    def run_with(self, *words, command="run"):
        output = ("-o", self.folder / "out.h5", "-q") if command == "run" else ()
        return harness.run(command, self.deck, *output, *(word for one in words for word in ("--set", one)))

    def check_refusal(self, done, keyword, step, integrator):
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertRegex(done.stderr, rf"error: time\.{keyword}: integrator '{integrator}' can't take a step of {step} s: "
                                      r"the effective matrix is not positive definite")
        self.assertEqual(list(self.folder.glob("out.h5*")), [])

    def test_is_the_decks_fault_in_every_cell_of_the_grid(self):
        cells = [cell for cell in harness.grid() if cell[0] != "exact" and cell[1] != "nbm"]  # these take no such damping
        self.assertGreater(len(cells), 25)
        for cell in cells:
            with self.subTest(cell):
                if cell[:2] in NO_MATRIX:
                    harness.must(self.run_with(*settings(cell)))
                    (self.folder / "out.h5").unlink()
                    continue
                for command in ("run", "check"):
                    self.check_refusal(self.run_with(*settings(cell), command=command), "step", "0.5", cell[0])

    def test_of_central_differences_with_the_damping_between(self):
        for entries in ((-10.0, -10.0, 1.0), (-10.0, -10.0, 0.0)):
            self.matrix("c", entries)
            for cell in harness.grid():
                if cell[0] == "central-difference":
                    done = self.run_with(*settings(cell), "integrator.damping=implicit")
                    self.check_refusal(done, "step", "0.5", cell[0])

    def test_small_steps_can_be_taken(self):
        for cell in harness.grid():
            if cell[0] != "exact" and cell[1] != "nbm":
                with self.subTest(cell):
                    harness.must(self.run_with(*settings(cell), "time.step=0.01"))

    def test_of_the_phases_of_a_nodal_boundary(self):
        words = ["damping.ratios=[0.0, 30.0]", "damping.modes=[2, 3]", "time.step=0.1", "integrator.type=trapezoidal"]
        self.deck = harness.ROOT / "decks" / "nbm_bar.cfg"
        self.check_refusal(self.run_with(*words), "step", "0.1", "trapezoidal")

    def test_the_smaller_step_may_be_the_wrong_one(self):
        # of the trapezoidal rule 1 - 5 h + 2.5 h^2, which is below 0 between h = 0.23 and 1.77
        self.matrix("c", (-10.0, -10.0, 0.0))
        self.matrix("k", (10.0, 10.0, 0.0))
        harness.must(self.run_with("time.step=2.0", "time.end=4.0"))
        (self.folder / "out.h5").unlink()
        self.check_refusal(self.run_with("time.step=2.0", "time.contact_step=0.5"), "contact_step", "0.5", "trapezoidal")


if __name__ == "__main__":
    unittest.main()
