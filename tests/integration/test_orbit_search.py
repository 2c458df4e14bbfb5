#!/usr/bin/python3
"""Periodic orbits of random chains with one elastic stop: wherever a program that shares nothing with Signorini finds
one from many starts, the analysis nonsmooth-modes finds one too, and what it finds is an orbit. `python3 test_orbit_search.py 500` is the campaign of docs/nonsmooth-modes.md."""
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import harness

RATIOS = [1.01, 1.03, 1.06, 1.1, 1.15, 1.2, 1.25, 1.3]


class Chain:
    """M u'' + K u = 0 without contact; where g + w.u < 0 a stop adds the force -kappa (g + w.u) w."""

    def __init__(self, rng):
        n = int(rng.integers(2, 7))
        self.mass, self.spring = rng.uniform(0.3, 1.5, n), rng.uniform(50, 200, n)
        self.node = n - 1 if rng.random() < 0.7 else int(rng.integers(n))
        self.gap, self.kappa = 0.05, 10 ** rng.uniform(-1, 6) * self.spring.max()
        stiffness = np.diag(self.spring + np.append(self.spring[1:], 0))
        stiffness -= np.diag(self.spring[1:], 1) + np.diag(self.spring[1:], -1)
        self.w = np.zeros(n)
        self.w[self.node] = 1
        self.phases = [self.phase(stiffness, kappa) for kappa in (0, self.kappa)]
        omega, phi, *_ = self.phases[0]
        self.sway = self.w @ phi
        self.size = abs(self.gap / self.sway[0]) * omega[0]  # sqrt(2 E) of the first mode that grazes

    def phase(self, stiffness, kappa):
        """frequencies, modes, M times these, and the equilibrium"""
        closed = stiffness + kappa * np.outer(self.w, self.w)
        root = np.sqrt(self.mass)
        squares, shapes = np.linalg.eigh(closed / np.outer(root, root))
        rest = -np.linalg.solve(closed, kappa * self.gap * self.w)
        return np.sqrt(squares), shapes / root[:, None], (shapes * root[:, None]).T, rest

    def deck(self, ratios):
        n = len(self.mass)
        springs = ["{node=0; stiffness=%r;}" % float(self.spring[0])]
        springs += ["{nodes=[%d,%d]; stiffness=%r;}" % (i - 1, i, float(self.spring[i])) for i in range(1, n)]
        return (
            'bodies=({type="particles"; name="p"; positions=[%s]; masses=[%s]; springs=(%s);});\n'
            'contacts=({type="wall"; node="p.%d"; side="lower"; gap=%r; stiffness=%r;});\n'
            'integrator={type="exact";}; strategy={type="event-driven";};\n'
            'analysis={type="nonsmooth-modes"; at=[%s];};\n'
        ) % (", ".join("%d.0" % i for i in range(n)), ", ".join(repr(float(m)) for m in self.mass), ", ".join(springs),
             self.node, self.gap, float(self.kappa), ", ".join(repr(float(r)) for r in ratios))

    def shoot(self, half, x):
        """A batch of starts at rest, x (starts x n) in numbers of energy: velocity in modes after half a period, its
        derivatives, and how many switches there were. Crossings by bisection, derivatives without jumps: the force of a
        spring is continuous where it closes."""
        count, n = x.shape
        omega, phi, *_ = self.phases[0]
        u, v = x @ (phi / omega).T, np.zeros((count, n))
        du, dv = np.broadcast_to(phi / omega, (count, n, n)).copy(), np.zeros((count, n, n))
        phase, t, switches = (self.gap + u @ self.w < 0).astype(int), np.zeros(count), np.zeros(count, int)
        fresh, moving = np.zeros(count, bool), np.arange(count)
        for _ in range(600):
            left = []
            for p in (0, 1):
                a = moving[phase[moving] == p]
                if len(a) > 0:
                    omega, phi, project, rest = self.phases[p]
                    y, z = (u[a] - rest) @ project.T, v[a] @ project.T
                    step, crosses = self.crossing(p, y, z, half - t[a], fresh[a])
                    c, s = np.cos(step[:, None] * omega), np.sin(step[:, None] * omega)
                    u[a], v[a] = rest + (y * c + z * s / omega) @ phi.T, (z * c - y * omega * s) @ phi.T
                    dy, dz = project @ du[a], project @ dv[a]
                    du[a] = phi @ (dy * c[..., None] + dz * (s / omega)[..., None])
                    dv[a] = phi @ (dz * c[..., None] - dy * (omega * s)[..., None])
                    t[a] += step
                    switches[a] += crosses
                    phase[a], fresh[a] = np.where(crosses, 1 - p, p), crosses
                    left.append(a[(t[a] < half * (1 - 1e-13)) & (switches[a] < 20)])
            moving = np.concatenate(left) if left else moving[:0]
            if len(moving) == 0:
                break
        switches[moving] = 20
        z, dz = np.empty_like(v), np.empty_like(dv)
        for p in (0, 1):
            z[phase == p], dz[phase == p] = v[phase == p] @ self.phases[p][2].T, self.phases[p][2] @ dv[phase == p]
        return z, dz, switches

    def crossing(self, p, y, z, left, fresh):
        """The step to the next change of phase, or as far as the looks reach, and whether there is one."""
        omega, phi, _, rest = self.phases[p]
        sign, sway = 1 - 2 * p, self.w @ phi
        c, s, base = y * sway, z / omega * sway, self.gap + self.w @ rest
        looks = int(min(400, max(8, np.ceil(left.max() * omega[-1] / 0.3))))
        reach = np.minimum(left, looks * 0.3 / omega[-1])

        def gap(t):
            angle = t[..., None] * omega
            shape = (len(t),) + (1,) * (t.ndim - 1) + (len(omega),)
            return sign * (base + (np.cos(angle) * c.reshape(shape) + np.sin(angle) * s.reshape(shape)).sum(-1))

        times = reach[:, None] * np.linspace(0, 1, looks + 1)
        below = gap(times) < 0
        below[:, 0] = False
        falls = below[:, 1:] & ~below[:, :-1]
        crosses, first, rows = falls.any(1), falls.argmax(1), np.arange(len(y))
        low, high = times[rows, first], times[rows, first + 1]
        low = np.where((first == 0) & fresh, 1e-7 * high, low)
        for _ in range(50):
            middle = (low + high) / 2
            above = gap(middle) >= 0
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.where(crosses, high, reach), crosses

    def multistart(self, half, rng, count):
        """The switches of each orbit that Newton's method finds from random starts."""
        n, found = len(self.mass), []
        x = rng.standard_normal((count, n)) * np.where(np.arange(count) % 2, 1.0, 0.3)[:, None]
        x[::2, 0] = 1
        x *= np.where(rng.random(count) < 0.75, 1, -1)[:, None] * (np.sign(self.sway[0]) * np.sign(x[:, :1]))
        x *= (self.size * np.exp(rng.uniform(np.log(0.8), np.log(12), count)) / np.linalg.norm(x, axis=1))[:, None]
        for _ in range(30):
            z, dz, switches = self.shoot(half, x)
            size = np.linalg.norm(x, axis=1)
            hit = (np.linalg.norm(z, axis=1) < 1e-9 * size) & (switches > 0) & (switches < 20)
            found += list(switches[hit])
            keep = ~hit & (switches < 20) & np.isfinite(dz).all((1, 2)) & (size > 0.3 * self.size) & (size < 1e5 * self.size)
            x, z, dz, size = x[keep], z[keep], dz[keep], size[keep]
            if len(x) == 0:
                break
            step = -np.linalg.solve(dz + 1e-14 * np.abs(dz).max() * np.eye(n), z[..., None])[..., 0]
            x = x + step * np.minimum(1, 0.3 * size / np.linalg.norm(step, axis=1))[:, None]
        return found


def rows_of(chain, ratios, *options):
    with tempfile.TemporaryDirectory() as folder:
        deck, output = Path(folder) / "chain.cfg", Path(folder) / "chain.h5"
        deck.write_text(chain.deck(ratios))
        harness.must(harness.run("run", deck, "-o", output, *options, limit=600))
        with h5py.File(output) as file:
            points = file["points"]
            rows = zip(points["frequency_ratio"], points["energy_ratio"], points["displacement"], points["end"])
            return [row for row in rows if row[3] in (0, 3)]


def compare(chain, rng, ratios, starts):
    """Of the ratios: at how many there is an orbit, the largest velocity left by one over its size, and the ratios at which
    only the other program finds one."""
    found, worst, missed = 0, 0.0, []
    omega, _, project, _ = chain.phases[0]
    for ratio, _, start, end in rows_of(chain, ratios):
        half = np.pi / omega[0] / ratio
        if end == 3:
            other = chain.multistart(half, rng, starts)
            missed += [(ratio, sorted(set(other)))] if other else []
            continue
        found += 1
        x = (omega * (project @ start))[None]
        z, _, switches = chain.shoot(half, x)
        worst = max(worst, float(np.linalg.norm(z) / np.linalg.norm(x))) if switches[0] > 0 else np.inf
    return found, worst, missed


class OrbitSearch(unittest.TestCase):
    def test_found_wherever_another_program_finds_one(self):
        rng = np.random.default_rng(20261129)
        found = 0
        for k in range(6):
            with self.subTest(k):
                count, worst, missed = compare(Chain(rng), rng, RATIOS[k % 2::2], 60)
                self.assertEqual(missed, [])
                # Newton's method leaves 1e-12; the other program's crossings, to 1e-15 of the half period, are
                # amplified by the derivatives of a stiff stop
                self.assertLess(worst, 1e-6)
                found += count
        # most frequencies have an orbit: a search that finds none anywhere would agree with one that fails
        self.assertGreater(found, 15)

    def test_known_orbits(self):
        """Energies that an independent program found, printed to three or four digits."""
        deck = """bodies=({type="particles"; name="p"; positions=[0.0, 1.0];
            masses=[1.0156716271402657, 0.8293621705081089];
            springs=({node=0; stiffness=94.39712773191481;}, {nodes=[0,1]; stiffness=183.5981610954781;});});
            contacts=({type="wall"; name="c0"; node="p.1"; side="lower"; gap=0.07045736707062832;
            stiffness=1258.5442793794514;}); integrator={type="exact";}; strategy={type="event-driven";};
            analysis={type="nonsmooth-modes"; at=[%r];};"""
        known = {1.08: 1.36, 1.1: 1.437, 1.12: 1.579, 1.15: 1.886, 1.2: 2.739, 1.25: 4.478, 1.3: 8.879}
        for ratio, energy in known.items():
            with tempfile.TemporaryDirectory() as folder, self.subTest(ratio=ratio):
                path, output = Path(folder) / "m.cfg", Path(folder) / "m.h5"
                path.write_text(deck % ratio)
                harness.must(harness.run("run", path, "-o", output))
                with h5py.File(output) as file:
                    self.assertAlmostEqual(file["points/energy_ratio"][0] / energy, 1, delta=1e-3)


def campaign(count):
    rng, total, orbits, missed, worst = np.random.default_rng(1), 0, 0, [], 0.0
    for k in range(count):
        chain = Chain(rng)
        found, left, none = compare(chain, rng, RATIOS, 60)
        total, orbits, missed, worst = total + len(RATIOS), orbits + found, missed + none, max(worst, left)
        if none:
            print(k, len(chain.mass), "%.3g" % (chain.kappa / chain.spring.max()), none, flush=True)
        if left > 1e-6:
            print(k, "velocity left %.2g" % left, flush=True)
        if k % 20 == 19:
            print("%d systems, %d ratios, %d orbits, %d missed, worst %.2g"
                  % (k + 1, total, orbits, len(missed), worst), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        campaign(int(sys.argv[1]))
    else:
        unittest.main()
