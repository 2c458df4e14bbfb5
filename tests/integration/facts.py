"""What each pair of integrator and strategy keeps by its published construction, and what it does not: the table that the
walk over the grid and the random models ask for. A pair is a row of `signorini list grid`; a fact holds in every step, those
with contact included, unless it says otherwise. All keep the momentum, M (v1 - v0) is the sum of impulses of the same row, and
the place of what friction holds.

place       how the displacement of a step follows from velocities
    mean        u1 - u0 = (h/2)(v0 + v1)
    start       u1 - u0 = h v0: the velocity of a staggered row is that of the middle of the step that it leads through
    newmark     u1 = u0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1) with v1 = v0 + h ((1 - gamma) a0 + gamma a1): a1 of a step,
                taken from these, is a0 of the next
    between     no motion without velocity: the difference to `mean` is at most h times the change of the velocity in this
                step and the one before. Of schemes that have points inside the step, or impulses beside the smooth motion
damping     by what the impulse of a damping alpha M is alpha M times something of the rows
    way         u1 - u0
    before      the way of the row before: forces with the velocity before the kick
    around      the mean of that and the next
    mean        (h/2)(v0 + v1)
    none        something inside the step
energy      whether the scheme keeps the energy of a linear model under constant loads, beside what contacts take by their law
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Facts:
    place: str
    damping: str = "none"
    energy: bool = False
    beta: float = 0.0
    gamma: float = 0.0
    # positions obey the contacts and constraints, not velocities
    holds_positions: bool = False
    holds_rates: bool = False
    # impulses of contacts in a row push: not where a stored acceleration, or a weight below 0, gives some of a force back
    pushes: bool = True


def chung_hulbert(rho):
    """beta and gamma of generalized-alpha (Chung and Hulbert 1993)."""
    shift = rho / (rho + 1.0) - (2.0 * rho - 1.0) / (rho + 1.0)
    return {"beta": 0.25 * (1.0 + shift) ** 2, "gamma": 0.5 + shift}


# by default
ALPHA = chung_hulbert(0.8)

TIME_STEPPING = {
    # Moreau 1988, Jean 1999, theta = 1/2: u1 = u0 + h (v0 + v1)/2 for smooth motion and impacts alike
    ("theta", "velocity"): Facts("mean", damping="way", energy=True, holds_rates=True),
    # CD-Lagrange (Fekak et al. 2017): U_(n+1) = U_n + h V_(n+1/2)
    ("central-difference", "velocity"): Facts("start", damping="before", energy=True, holds_rates=True),
    # Carpenter et al. 1991; Paoli and Schatzman 2002, whose restitution is one of positions and takes or gives energy
    ("central-difference", "position"): Facts("start", damping="before", holds_positions=True),
    # Newmark with beta = 1/4, gamma = 1/2 and multipliers in the stored acceleration: u1 - u0 = (h/2)(v0 + v1) by
    # elimination; impacts make energy (docs/time-stepping.md)
    ("trapezoidal", "position"): Facts("mean", damping="mean", holds_positions=True),
    ("newmark", "position"): Facts("mean", damping="mean", holds_positions=True),
    # Chaudhary and Bathe 1986, beta = gamma = 1/2: u1 - u0 = (h/2)(v0 + v1) + (h^2/4)(a1 - a0)
    ("chaudhary-bathe", "position"): Facts("newmark", damping="mean", beta=0.5, gamma=0.5, holds_positions=True),
    # Bathe and Baig 2005: 3 (u1 - u0) = h (v0 + v_m + v1), v_m of the middle is in no row
    ("bathe", "position"): Facts("between", damping="way", holds_positions=True),
    # Bruels et al. 2014: q = q~ + U, v = v~ + W, so that the way of a step with an impact has more to it than both ends
    ("generalized-alpha", "both"): Facts("between", holds_positions=True, holds_rates=True),
    ("generalized-alpha", "velocity"): Facts("between", holds_rates=True),
    # Arnold and Bruels 2007: multipliers inside the recursion of accelerations
    ("generalized-alpha", "position"): Facts("newmark", **ALPHA, holds_positions=True, pushes=False),
}
PENALTY = {
    ("theta", "standard"): Facts("mean", damping="way"),
    ("theta", "conserving"): Facts("mean", damping="way", energy=True),
    ("theta", "dissipating"): Facts("mean", damping="way"),
    ("central-difference", "standard"): Facts("start", damping="before"),
    ("trapezoidal", "standard"): Facts("mean", damping="mean"),
    ("newmark", "standard"): Facts("mean", damping="mean"),
    ("chaudhary-bathe", "standard"): Facts("newmark", damping="mean", beta=0.5, gamma=0.5),
    ("bathe", "standard"): Facts("between", damping="way"),
    ("generalized-alpha", "standard"): Facts("newmark", **ALPHA, pushes=False),
    # rho_inf = 1 is the midpoint rule
    ("generalized-alpha", "conserving"): Facts("mean", damping="way", energy=True),
    ("generalized-alpha", "dissipating"): Facts("mean", damping="way"),
}
# between located events each scheme is itself, and rows may begin inside its steps; at an impact the velocity jumps, the
# displacement does not
EVENT_DRIVEN = {name: Facts("located", energy=name in ("trapezoidal", "newmark", "exact"), holds_positions=True,
                            pushes=name not in ("noh-bathe", "generalized-alpha"))
                for name in ("trapezoidal", "newmark", "chaudhary-bathe", "wilson-theta", "generalized-alpha", "botr", "bathe",
                             "noh-bathe", "exact")}


def facts(integrator, strategy, form, update=False):
    if strategy == "event-driven":
        return EVENT_DRIVEN[integrator]
    found = (TIME_STEPPING if strategy == "time-stepping" else PENALTY)[integrator, form]
    if update and found.damping == "mean":
        # the damper of a step has the velocity at its end before the update, which no row tells: where displacements are the
        # integral of both, its way is theirs
        return replace(found, damping="way" if found.place == "mean" else "none")
    return found
