#!/usr/bin/python3
"""What `plot --field` draws is the mesh and the field of the results file: the polygons of the SVG are read back and
held against the file's elements, displacements and values."""

import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np

import harness

SVG = "{http://www.w3.org/2000/svg}"
HISTORIES = 'output.histories=("displacement", "stress", "von_mises", "von_mises_node")'
# viridis (matplotlib's) at eighths of its range
COLORS = np.array([[int(color[i:i + 2], 16) for i in (0, 2, 4)] for color in
                   ("440154", "472D7B", "3B528B", "2C728E", "21918C", "28AE80", "5EC962", "ADDC30", "FDE725")])


def polygons(path):
    """A list of (corners, color) for each panel, corners in pixels, y upwards."""
    panels = []
    for group in xml.parse(path).getroot().iter(SVG + "g"):
        title = group.find(SVG + "title")
        if title is None or not title.text.startswith("$fill_"):
            continue
        found = []
        for polygon in group.iter(SVG + "polygon"):
            corners = np.array([pair.split(",") for pair in polygon.get("points").split()], dtype=float)
            color = [int(word) for word in re.findall(r"\d+", polygon.get("fill"))]
            found.append((corners * (1, -1), np.array(color)))
        panels.append(found)
    return panels


def words(path):
    return ["".join(text.itertext()).strip() for text in xml.parse(path).getroot().iter(SVG + "text")]


def color_of(values, low, high):
    """What a linear scale from low to high gives."""
    at = (np.asarray(values) - low) / (high - low) * (len(COLORS) - 1)
    return np.array([np.interp(at, range(len(COLORS)), COLORS[:, k]) for k in range(3)]).T


class PlotField(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.output = cls.folder / "block.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/block_impact.cfg", "-o", cls.output, "--set",
                                 "time.end=0.2", "--set", HISTORIES))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def draw(self, *more, output=None):
        picture = self.folder / "picture.svg"
        harness.must(harness.run("plot", output or self.output, "-o", picture, *more))
        return picture

    def test_default_name(self):
        """A field's picture does not take the place of that of the histories."""
        for more, name in (((), "block.svg"), (("--field", "von_mises", "--at", "0.2"), "block.von_mises.svg"),
                           (("--field", "displacement_y", "--at", "0.2"), "block.displacement_y.svg")):
            done = harness.must(harness.run("plot", self.output, *more))
            self.assertEqual(done.stdout.strip(), str(self.folder / name))
            self.assertTrue((self.folder / name).exists())

    def state(self, times, name, deform=1.0):
        """Corners of the elements and the values at the samples next to the times."""
        with h5py.File(self.output) as file:
            time = file["history/time"][:]
            rows = [int(np.argmin(abs(time - t))) for t in times]
            nodes = file["model/element_nodes"][:]
            positions = file["model/node_positions"][:]
            places = [positions + deform * file["history/displacement"][row].reshape(-1, 2) for row in rows]
            return [place[nodes] for place in places], [file["history/" + name][row] for row in rows]

    def check_places(self, drawn, corners):
        """One factor for both axes and all panels, and a shift for each: figures have two decimals of a pixel."""
        factors = []
        for panel, expected in zip(drawn, corners):
            pixels = np.array([polygon[0][:4] for polygon in panel]).reshape(-1, 2)
            places = expected.reshape(-1, 2)
            for axis in (0, 1):
                factor, shift = np.polyfit(places[:, axis], pixels[:, axis], 1)
                factors.append(factor)
                self.assertLess(abs(factor * places[:, axis] + shift - pixels[:, axis]).max(), 0.05)
        # 0.01 pixel of the 100 that the mesh spans at least
        self.assertLess(np.ptp(factors) / np.mean(factors), 5e-4)

    def check_colors(self, drawn, values):
        low, high = np.min(values), np.max(values)
        for panel, expected in zip(drawn, values):
            found = np.array([polygon[1] for polygon in panel])
            # gnuplot rounds colors to levels of 1/255, after the ends of the pieces
            self.assertLessEqual(abs(found - color_of(expected, low, high)).max(), 2.0)

    def test_elements(self):
        times = (0.14, 0.161, 0.2)
        picture = self.draw("--field", "von_mises", "--at", "0.14,0.161,0.2")
        drawn = polygons(picture)
        corners, values = self.state(times, "von_mises")
        self.assertEqual([len(panel) for panel in drawn], [96, 96, 96])
        self.check_places(drawn, corners)
        self.check_colors(drawn, values)
        self.assertGreater(np.max(values), 10 * np.min(values))
        for word in ("t = 0.14 s", "t = 0.16 s", "t = 0.2 s", "von_mises [Pa]", "x [m]", "y [m]"):
            self.assertIn(word, words(picture))

    def test_part_and_deformation(self):
        for deform, word in ((0.0, "displacements times 0"), (0.5, "displacements times 0.5")):
            picture = self.draw("--field", "stress_yy", "--at", "0.16,0.18", "--deform", deform)
            corners, values = self.state((0.16, 0.18), "stress", deform)
            self.check_places(polygons(picture), corners)
            self.check_colors(polygons(picture), [value[1::3] for value in values])
            self.assertIn(word, words(picture))

    def test_nodes(self):
        drawn = polygons(self.draw("--field", "von_mises_node", "--at", "0.18"))
        with h5py.File(self.output) as file:
            nodes = file["model/element_nodes"][:].ravel()
        _, values = self.state((0.18,), "von_mises_node")
        self.assertEqual([len(panel) for panel in drawn], [4 * 96])
        self.check_colors(drawn, [values[0][nodes]])

    def test_quadratic(self):
        """Shares of nine nodes tile the element: their areas are its own."""
        output = self.folder / "ball.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/carom.cfg", "-o", output, "--set", "time.end=0.02",
                                 "--set", 'output.histories=("displacement")'))

        def area(corners):
            x, y = corners[:, 0], corners[:, 1]
            return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))

        picture = self.draw("--field", "displacement_x", "--at", "0", output=output)
        shares = [area(polygon) for polygon, _ in polygons(picture)[0]]
        self.assertEqual(len(shares), 9)
        outline = [np.array([word.lstrip("ML").split(",") for word in path.get("d").split()], dtype=float)
                   for group in xml.parse(picture).getroot().iter(SVG + "g")
                   if (group.findtext(SVG + "title") or "").startswith("$edges_")
                   for path in group.iter(SVG + "path")]
        self.assertEqual([len(path) for path in outline], [9])
        # 0.005 pixel along outlines of some 1000 pixels, of 1e5 square pixels
        self.assertAlmostEqual(sum(shares) / -area(outline[0]), 1.0, delta=1e-3)
        self.assertGreater(min(shares), 0.0)

    def test_other_pictures(self):
        for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
            picture = self.folder / ("picture" + ending)
            harness.must(harness.run("plot", self.output, "-o", picture, "--field", "von_mises", "--at", "0.2"))
            self.assertTrue(picture.read_bytes().startswith(start))

    def test_wrong_usage(self):
        many = ",".join(["0.1"] * 25)
        for more, message in (
                (("--field", "von_mises"), "say when to draw the field: --at TIMES"),
                (("--at", "0.1"), "--at goes with --field"),
                (("--deform", "2"), "--deform goes with --field"),
                (("--field", "von_mises", "--at", "0.1", "--only", "energy"), "--only is of histories"),
                (("--field", "von_mises", "--at", "0.1,,"), "'0.1,,' is no list of times"),
                (("--field", "von_mises", "--at", "nan"), "'nan' is no list of times"),
                (("--field", "von_mises", "--at", ""), "'' is no list of times"),
                (("--field", "von_mises", "--at", many), "25 times are more than the 24"),
                (("--field", "von_mises", "--at", "0.1", "--deform", "inf"), "'--deform' needs a number, not 'inf'"),
                (("--field", "von_mises", "--at", "0.1", "--deform", "0x10"), "'--deform' needs a number, not '0x10'"),
                (("--field", "von_mises", "--at", "0x0"), "--at: '0x0' is no list of times"),
                (("--field", "von_mises", "--at", "0.1", "--deform", "x"), "'--deform' needs a number"),
                (("--field", "stress", "--at", "0.1"),
                 "no field 'stress'; there are: displacement_x displacement_y stress_xx stress_yy stress_xy von_mises "
                 "von_mises_node\n")):
            done = harness.run("plot", self.output, "-o", self.folder / "none.svg", *more)
            self.assertEqual(done.returncode, 64, more)
            self.assertIn(message, done.stderr)
        self.assertFalse((self.folder / "none.svg").exists())

    def refuse(self, deck, settings, message):
        output, picture = self.folder / "other.h5", self.folder / "none.svg"
        changes = [word for setting in settings for word in ("--set", setting)]
        harness.must(harness.run("run", "-q", harness.ROOT / "decks" / deck, "-o", output, *changes))
        done = harness.run("plot", output, "-o", picture, "--field", "displacement_x", "--at", "0")
        self.assertEqual(done.returncode, 66)
        self.assertIn(message, done.stderr)
        self.assertFalse(picture.exists())
        return output

    def test_models_that_are_not_plane(self):
        for deck in ("bouncing_bar.cfg", "two_beams.cfg"):
            self.refuse(deck, ("time.end=0.01", 'output.histories=("displacement")'), "the model has none")

    def test_without_displacements(self):
        output = self.folder / "few.h5"
        harness.must(harness.run("run", "-q", harness.ROOT / "decks/block_impact.cfg", "-o", output, "--set",
                                 "time.end=0.02", "--set", 'output.histories=("von_mises")'))
        done = harness.run("plot", output, "-o", self.folder / "none.svg", "--field", "von_mises", "--at", "0")
        self.assertEqual(done.returncode, 66)
        self.assertIn("no displacements of all nodes", done.stderr)
        self.draw("--field", "von_mises", "--at", "0", "--deform", "0", output=output)


class Histories(unittest.TestCase):
    """Of many contacts those that push are drawn."""

    def test_busy_contacts(self):
        with tempfile.TemporaryDirectory() as place:
            output, picture = Path(place) / "carom.h5", Path(place) / "carom.svg"
            for histories in ('["gap", "contact_force"]', '["gap", "active"]', '["gap", "contact_impulse"]'):
                harness.must(harness.run("run", "-q", harness.ROOT / "decks/carom.cfg", "-o", output, "--set",
                                         f"output.histories={histories}"))
                harness.must(harness.run("plot", output, "-o", picture, "--only", "gap"))
                drawn = words(picture)
                # a node a wall; the ball does not turn
                for name in ("bottom.2", "top.6", "left.8", "right.4", "4 of 32 shown"):
                    self.assertIn(name, drawn)


if __name__ == "__main__":
    unittest.main()
