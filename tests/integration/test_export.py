#!/usr/bin/python3
"""What `export --vtk` writes is the mesh and the histories of the results file, number by number: read back by
this test's own readers of XDMF and of VTK's legacy format."""

import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np

import harness


def item_values(folder, item):
    """The numbers of a DataItem."""
    kind = {("Int", "4"): "i4", ("Float", "8"): "f8"}[item.get("NumberType"), item.get("Precision")]
    order = {"Little": "<", "Big": ">"}[item.get("Endian")]
    shape = tuple(int(word) for word in item.get("Dimensions").split())
    data = np.fromfile(folder / item.text, dtype=order + kind, count=int(np.prod(shape)), offset=int(item.get("Seek")))
    return data.reshape(shape)


def xdmf_cells(numbers):
    """Lists of nodes of a mixed topology: codes of the XDMF book."""
    nodes_of = {4: 3, 5: 4, 34: 3, 36: 6, 37: 8, 35: 9}
    cells, i = [], 0
    while i < len(numbers):
        code = numbers[i]
        if code in (1, 2):
            count, i = numbers[i + 1], i + 2
        else:
            count, i = nodes_of[code], i + 1
        cells.append(list(numbers[i:i + count]))
        i += count
    return cells


def expected_cells(file):
    """Elements, then the nodes that no element has."""
    cells = [[node for node in row if node >= 0] for row in file["model/element_nodes"][:]]
    joined = {node for cell in cells for node in cell}
    return cells + [[node] for node in range(len(file["model/node_positions"])) if node not in joined]


def padded(values, count):
    values = np.asarray(values).reshape(count, -1)
    return np.hstack([values, np.zeros((count, 3 - values.shape[1]))])


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.output = cls.folder / "two_beams.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/two_beams.cfg", "-o", cls.output, "--set",
                                 "time.end=0.05"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_xdmf_holds_the_run(self):
        target = self.folder / "paraview"
        harness.must(harness.run("export", self.output, "--vtk", target))
        grids = xml.parse(target / "two_beams.xdmf").getroot().findall("Domain/Grid/Grid")
        with h5py.File(self.output) as file:
            history, nodes = file["history"], len(file["model/node_positions"])
            self.assertEqual([float(g.find("Time").get("Value")) for g in grids], list(history["time"]))
            for row, grid in enumerate(grids):
                cells = xdmf_cells(item_values(target, grid.find("Topology/DataItem")))
                self.assertEqual(cells, expected_cells(file))
                self.assertEqual(int(grid.find("Topology").get("NumberOfElements")), len(cells))
                places = item_values(target, grid.find("Geometry/DataItem"))
                np.testing.assert_array_equal(places, padded(file["model/node_positions"], nodes))
                for name in ("displacement", "velocity"):
                    attribute = grid.find(f"Attribute[@Name='{name}']")
                    self.assertEqual((attribute.get("AttributeType"), attribute.get("Center")), ("Vector", "Node"))
                    np.testing.assert_array_equal(item_values(target, attribute.find("DataItem")),
                                                  padded(history[name][row], nodes))

    def test_single_states(self):
        target = self.folder / "states"
        done = harness.must(harness.run("export", self.output, "--vtk", target, "--at", "0.0101,0.03"))
        with h5py.File(self.output) as file:
            times = file["history/time"][:]
            rows = [int(np.argmin(abs(times - t))) for t in (0.0101, 0.03)]
            self.assertEqual(sorted(path.name for path in target.iterdir()),
                             sorted(f"two_beams.{row}.vtk" for row in rows))
            for row in rows:
                self.assertIn(f"two_beams.{row}.vtk: t = ", done.stdout)
                text = (target / f"two_beams.{row}.vtk").read_text()
                words = text.split("VECTORS displacement double\n")[1].split()
                count = len(file["model/node_positions"])
                found = np.array(words[:3 * count], dtype=float).reshape(count, 3)
                np.testing.assert_array_equal(found, padded(file["history/displacement"][row], count))
                points = text.split(f"POINTS {count} double\n")[1].split()[:3 * count]
                np.testing.assert_array_equal(np.array(points, dtype=float).reshape(count, 3),
                                              padded(file["model/node_positions"], count))

    def test_faults(self):
        for more, code, words in (
                ((), 64, "say where to"),
                (("--csv", self.folder / "csv", "--at", "1"), 64, "--at goes with --vtk"),
                (("--vtk", self.folder / "x", "--at", "1,,2"), 64, "is no list of times"),
                (("--vtk", self.output), 73, "two_beams.h5")):
            done = harness.run("export", self.output, *more)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)

    def test_chosen_histories(self):
        target = self.folder / "chosen"
        harness.must(harness.run("export", self.output, "--csv", target, "--fields", "energy/total,gap"))
        self.assertEqual(sorted(path.name for path in target.iterdir()), ["energy_total.csv", "gap.csv"])
        done = harness.run("export", self.output, "--csv", target, "--fields", "gap,stress")
        self.assertEqual(done.returncode, 64)
        self.assertIn("there is no history 'stress'; there are: ", done.stderr)
        for wrong in ("", "gap,", "gap,,active", "x" * 200):
            done = harness.run("export", self.output, "--csv", target, "--fields", wrong)
            self.assertEqual(done.returncode, 64, wrong)

    def test_no_fields(self):
        output = self.folder / "few.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/two_beams.cfg", "-o", output, "--set",
                                 "time.end=0.01", "--set", 'output.histories=("gap")'))
        done = harness.run("export", output, "--vtk", self.folder / "none")
        self.assertEqual(done.returncode, 66)
        self.assertIn("output.histories", done.stderr)
        self.assertFalse((self.folder / "none").exists())

STRESSES = "stress", "von_mises", "stress_node", "von_mises_node"
# held on the left, shaken there, so that modes and prescribed dofs are in it
SHAKEN = """
bodies = ( { type = "plane"; name = "plate"; width = 2.0; height = 1.0; nx = 4; ny = 2; modulus = 1e3; poisson = 0.3;
             density = 1.0; element = "quad9"; } );
supports = ( { node = "plate.left"; axes = "y"; },
             { node = "plate.left"; axes = "x"; motion = { type = "harmonic"; amplitude = 0.01; frequency = 3.0; }; } );
integrator = { type = "trapezoidal"; operator = "%s"; };
strategy = { type = "event-driven"; };
time = { end = 0.1; step = 0.003; };
output = { every = 0.01; };
"""


class Recomputed(unittest.TestCase):
    """Stresses that were not recorded, from the displacements of the file: the bits of those that were."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def outputs(self, deck, *more):
        """Files with stresses and without."""
        found = []
        for name, histories in (("with", ("displacement", *STRESSES)), ("without", ("displacement",))):
            listed = ", ".join(f'"{history}"' for history in histories)
            found.append(self.folder / f"{name}.h5")
            harness.must(harness.run("run", "-q", deck, "-o", found[-1], "--set", f"output.histories=[{listed}]", *more))
        return found

    def compare(self, recorded, bare):
        fields = ",".join(STRESSES)
        for kind in ("csv", "vtk"):
            for output in (recorded, bare):
                harness.must(harness.run("export", output.name, f"--{kind}", output.stem + kind, "--fields", fields,
                                         cwd=self.folder))
        for name in STRESSES:
            one, other = ((self.folder / (output.stem + "csv") / f"{name}.csv").read_text()
                          for output in (recorded, bare))
            self.assertEqual(one, other)
            self.assertGreater(len(set(one.split("\n")[-2].split(","))), 4)
        one, other = ((self.folder / (output.stem + "vtk") / f"{output.stem}.xdmf.bin").read_bytes()
                      for output in (recorded, bare))
        self.assertEqual(one, other)

    def test_block(self):
        self.compare(*self.outputs(harness.ROOT / "decks/block_impact.cfg", "--set", "time.end=0.2"))

    def test_modes_and_moving_supports(self):
        for operator in ("modal", "nodal"):
            with self.subTest(operator=operator):
                deck = self.folder / "shaken.cfg"
                deck.write_text(SHAKEN % operator, encoding="utf-8")
                self.compare(*self.outputs(deck))

    def test_side_files(self):
        """They must be there, and be those of the run."""
        for name in ("mesh_demo.cfg", "mesh_demo.msh"):
            (self.folder / name).write_bytes((harness.ROOT / "decks" / name).read_bytes())
        recorded, bare = self.outputs(self.folder / "mesh_demo.cfg", "--set", "time.end=0.01")
        self.compare(recorded, bare)
        away = self.folder / "away"
        away.mkdir()
        done = harness.run("export", bare, "--csv", away / "csv", "--fields", "von_mises", cwd=away)
        self.assertEqual(done.returncode, 66)
        self.assertIn("can't open 'mesh_demo.msh'", done.stderr)
        self.assertIn("side files are looked for in the current folder", done.stderr)
        text = (self.folder / "mesh_demo.msh").read_text()
        (away / "mesh_demo.msh").write_text(text + "\n")
        done = harness.run("export", bare, "--csv", away / "csv", "--fields", "von_mises", cwd=away)
        self.assertEqual(done.returncode, 66)
        self.assertIn("have changed", done.stderr)
        self.assertFalse((away / "csv").exists())

    def test_no_displacement(self):
        output = self.folder / "bare.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/block_impact.cfg", "-o", output, "--set",
                                 "time.end=0.02", "--set", 'output.histories=["energy"]'))
        done = harness.run("export", output, "--vtk", self.folder / "vtk", "--fields", "von_mises")
        self.assertEqual(done.returncode, 66)
        self.assertIn("has no displacements of all nodes", done.stderr)


if __name__ == "__main__":
    unittest.main()
