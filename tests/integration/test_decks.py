#!/usr/bin/python3
"""Every transient deck that ships runs to its end and leaves a file that keeps the contract of results."""

import os
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

import harness


ENERGIES = ("kinetic", "strain", "gravity", "contact", "external", "dissipated", "numerical", "total")
ROOT_TEXTS = ("title", "program", "version", "commit", "deck_sha256", "created", "host", "conventions", "status")
SUMMARY = ("steps", "events", "solves", "factorizations", "newton_iterations", "rejected_steps",
           "max_penetration", "energy_drift", "end_time", "wall_seconds")
EVENTS = ("time", "contact", "kind", "gap", "gap_velocity", "iterations")
EVENT_KINDS = {"close", "open", "impact", "stick", "slip", "change"}


def run_all(folder):
    """deck -> (output, finished program); two at a time."""
    def one(deck):
        output = folder / (deck.stem + ".h5")
        return deck, output, harness.run("run", deck, "-o", output, "--progress=never", limit=150)

    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        return list(pool.map(one, harness.DECKS))


class Decks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.runs = run_all(Path(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_are_some(self):
        self.assertTrue(self.runs)

    def test_each(self):
        for deck, output, done in self.runs:
            with self.subTest(deck.stem):
                harness.must(done)
                self.assertEqual(harness.leftovers(output), [])
                settings = harness.resolved(deck)
                with h5py.File(output, "r") as file:
                    self.look_at_root(file, deck)
                    self.look_at_descriptions(file)
                    if settings.get("analysis", {}).get("type", "transient") == "transient":
                        self.look_at_history(file, settings)
                        self.look_at_times(file, settings)
                        self.look_at_events(file["events"])

    def look_at_root(self, file, deck):
        for name in ROOT_TEXTS:
            self.assertIsInstance(harness.text(file.attrs[name]), str, name)
        self.assertEqual(harness.text(file.attrs["program"]), "signorini")
        self.assertEqual(harness.text(file.attrs["conventions"]), "signorini-results-1")
        self.assertEqual(harness.text(file.attrs["status"]), "complete")
        self.assertRegex(harness.text(file.attrs["deck_sha256"]), "^[0-9a-f]{64}$")
        for name in SUMMARY:
            self.assertTrue(np.isfinite(file["summary"].attrs[name]), name)
        self.assertIn("model", file)
        if "@include" not in deck.read_text(encoding="utf-8"):
            self.assertEqual(harness.text(file["deck/source"]), deck.read_text(encoding="utf-8"))
        self.assertTrue(harness.text(file["deck/resolved"]))

    def look_at_descriptions(self, file):
        def look(name, item):
            if isinstance(item, h5py.Dataset):
                self.assertTrue(harness.text(item.attrs["units"]), name)
                self.assertTrue(harness.text(item.attrs["description"]), name)
        file.visititems(look)

    def look_at_history(self, file, settings):
        history = file["history"]
        rows, contacts = history["time"].shape[0], self.contact_count(file, settings)
        shapes = {f"energy/{name}": (rows,) for name in ENERGIES}
        shapes |= {"gap": (rows, contacts), "contact_force": (rows, contacts), "active": (rows, contacts)}
        if settings.get("output", {}).get("histories"):
            shapes = {name: shape for name, shape in shapes.items() if name in history}
        for name, shape in shapes.items():
            self.assertEqual(history[name].shape, shape, name)
        for name in ("displacement", "velocity"):
            if name in history:
                self.assertEqual(history[name].shape[0], rows, name)
        if "momentum/linear" in history:
            self.assertEqual(history["momentum/linear"].shape[0], rows)
            self.assertIn(history["momentum/linear"].shape[1], (1, 2, 3))
        if "active" in history:
            self.assertEqual(history["active"].dtype, np.uint8)
        for name, dataset in harness.series(file).items():
            if name.startswith("history/"):
                self.look_at_one_history(file, name, dataset, rows)

    def look_at_one_history(self, file, name, dataset, rows):
        self.assertEqual(dataset.shape[0], rows, name)
        self.assertTrue(np.all(np.isfinite(dataset[()])), name)
        if name != "history/time":
            self.assertEqual(dataset.dims[0][0], file["history/time"], f"{name}: dimension scale")

    def contact_count(self, file, settings):
        if "contact_names" in file["model"]:
            return file["model/contact_names"].shape[0]
        return len(settings.get("contacts", []))

    def look_at_times(self, file, settings):
        times = file["history/time"][()]
        end, every = settings["time"]["end"], settings.get("output", {}).get("every", 0.0)
        self.assertEqual(times[0], 0.0)
        self.assertTrue(np.all(np.diff(times) > 0), "times increase strictly")
        # times are t0 + n h, rounded once or twice
        self.assertLessEqual(abs(times[-1] - end), 4 * np.spacing(end))
        if every > 0:
            others = times[~np.isin(times, file["events/time"][()])][:-1]
            count = np.round(others / every)
            self.assertLessEqual(np.max(np.abs(others - count * every) / np.spacing(np.maximum(others, every)),
                                        initial=0.0), 2.0, "samples at multiples of output.every")

    def look_at_events(self, events):
        count = events["time"].shape
        for name in EVENTS:
            self.assertEqual(events[name].shape, count, name)
        self.assertTrue(np.all(np.diff(events["time"][()]) >= 0), "events in the order of time")
        self.assertEqual(set(h5py.check_enum_dtype(events["kind"].dtype)), EVENT_KINDS)


if __name__ == "__main__":
    unittest.main()
