"""Balances of a run of a generated model, from the rows of its file and the numbers of its deck alone.

Each is either exact by the scheme's construction (facts.py), then it holds to rounding, 1e-9 of the largest there is, or it
has a bound that follows from the step; what has neither is not asked."""

import numpy as np

ROUNDING = 1e-9
# contacts whose gaps are no affine functions of displacements
CURVED = {"nodes", "circle", "nodes in space", "sphere", "box", "segment"}


def signal(group, t):
    kind = group["type"]
    if kind == "constant":
        return np.full_like(t, group["value"].value)
    if kind == "harmonic":
        phase = group["phase"].value if "phase" in group else 0.0
        return group["amplitude"].value * np.sin(2.0 * np.pi * group["frequency"].value * t + phase)
    start, duration = group["start"].value, group["duration"].value
    inside = (t >= start) & (t <= start + duration)
    return group["amplitude"].value * inside * 0.5 * (1.0 - np.cos(2.0 * np.pi * (t - start) / duration))


def largest(group):
    return abs(group["value" if group["type"] == "constant" else "amplitude"].value)


def masses(model):
    """Mass of each body by its name, or None where a body's is not to be had from its numbers."""
    found = {}
    for body in model.parts["bodies"]:
        if body["type"] == "bar":
            found[body["name"]] = body["length"].value * body["density"].value * body["area"].value
        elif "masses" in body:
            found[body["name"]] = sum(body["masses"].values)
        else:
            return None
    return found


def loads(model, rows):
    """Impulse of all loads in each row, by their mean of both ends, and the largest force of those that change."""
    t, total, changing = rows["time"], np.zeros((len(rows["time"]) - 1, model.dim)), 0.0
    span = np.diff(t)
    for load in model.parts["loads"]:
        direction = np.array(load["direction"].values)
        if load["type"] == "gravity":
            total += np.outer(span, sum(masses(model).values()) * load["acceleration"].value * direction)
            continue
        force = signal(load["signal"], t) * (masses(model)[load["body"]] if "body" in load else 1.0)
        total += np.outer(0.5 * span * (force[:-1] + force[1:]), direction / np.linalg.norm(direction))
        if load["signal"]["type"] != "constant":
            changing += largest(load["signal"])
    return total, changing


def contact_impulses(model, rows):
    """What contacts with obstacles give to the sum of all momenta in each row, or why that is not known."""
    total = np.zeros((len(rows["time"]) - 1, model.dim))
    span = np.diff(rows["time"])[:, None]
    for item in model.parts["contacts"]:
        if item["type"] not in ("plane", "wall"):
            if item["type"] in ("circle", "sphere"):
                return None, "a normal that turns in a step"
            continue
        normal = np.array(item["normal"].values if item["type"] == "plane" else [1.0 if item["side"].words[0] == "lower" else -1.0])
        normal = normal / np.linalg.norm(normal)
        k = rows["contacts"].index(item["name"])
        total += np.outer(rows["contact_impulse"][1:, k], normal)
        if "friction" in item:
            if model.dim == 3:
                return None, "tangents in space, which the program chooses"
            total += np.outer(rows["friction_force"][1:, k], [-normal[1], normal[0]]) * span
    return total, None


def constraint_impulses(model, rows):
    total = np.zeros((len(rows["time"]) - 1, model.dim))
    for k, name in enumerate(rows["constraints"]):
        if name.startswith(("bearing", "held")):
            axis = "xyz".index(name[-1]) if name.startswith("bearing") else 0
            total[:, axis] += np.diff(rows["constraint_impulse"][:, k])
    return total


def unknown_impulse(model, rows):
    """Why the sum of all impulses is not to be had from the file, or None."""
    if masses(model) is None:
        return "masses of elements"
    if model.parts["supports"]:
        return "reactions of supports are in no dataset"
    if any(item["type"] in ("van_der_pol", "dashpot") for item in model.parts["elements"]):
        return "forces of elements on the ground are in no dataset"
    if model.parts["contacts"] and "contact_impulse" not in rows:
        return "springs of event-driven runs have forces, no impulses"
    if rows["constraints"] and "constraint_impulse" not in rows:
        return "constraints of event-driven runs have forces, no impulses"
    return None


def knows_all(model, rows):
    """Whether every balance can be asked of the rows, and a contact pushed."""
    if unknown_impulse(model, rows) or dof_masses(model, rows) is None or not rows["contacts"]:
        return False
    return contact_impulses(model, rows)[1] is None and rows["contact_impulse"].any()


def damping_impulse(model, rows, rule):
    """alpha M times the way of the rule, row by row; a rule that knows none gives the way, which is right to first order."""
    alpha = model.damping["mass"].value if model.damping and "mass" in model.damping else 0.0
    weights = masses(model)
    center = rows["center"].reshape(len(rows["time"]), -1, model.dim)
    place = sum(weights[name] * center[:, k] for k, name in enumerate(rows["bodies"]))
    way = np.diff(place, axis=0)
    if rule == "around":
        way = 0.5 * (way + np.vstack([way[1:], way[-1:]]))
    if rule == "mean":
        way = 0.5 * np.diff(rows["time"])[:, None] * (rows["P"][:-1] + rows["P"][1:])
    return alpha * way, alpha


def speed(model, rows):
    """The largest of the run, of the start, which an impact may end at once, or that of a fall in a step."""
    starts = [np.abs(value.values).max() for item in model.parts["initial"] for key, value in item.items()
              if key in ("velocity", "velocity_vector")]
    falls = [load["acceleration"].value * model.step for load in model.parts["loads"] if load["type"] == "gravity"]
    return max([np.abs(rows["velocity"]).max(), *starts, *falls])


def momentum(model, pair, rows):
    """The sum of all momenta against loads, damping, reactions of obstacles and bearings, row by row added up."""
    if unknown_impulse(model, rows):
        return None
    of_contacts, reason = contact_impulses(model, rows)
    if reason:
        return None
    of_loads, changing = loads(model, rows)
    rule = "around" if "implicit" in pair.integrator_words else pair.facts.damping
    of_damping, alpha = damping_impulse(model, rows, rule)
    impulses = of_contacts + constraint_impulses(model, rows)
    defect = np.diff(rows["P"], axis=0) + of_damping - of_loads - impulses
    # the last row of a staggered scheme is kicked by half a step
    staggered = pair.facts.place == "start"
    defect = np.abs(np.cumsum(defect[:-1] if staggered else defect, axis=0)).max()
    scale = max(np.abs(of_loads.sum(axis=0)).max(), sum(masses(model).values()) * speed(model, rows))
    step = np.diff(rows["time"]).max()
    # a load that changes is integrated by the scheme's own rule: both ends of a run count by a step at most
    slack = ROUNDING * scale + 2.0 * step * changing
    if alpha and pair.facts.damping == "none":
        slack += 2.0 * step * alpha * scale
    if pair.facts.place == "located":
        # a rest is integrated by the trapezoidal rule
        slack += step * np.abs(impulses).sum(axis=0).max()
    return f"momentum is off by {defect:.2e}, {slack:.2e} are explained" if defect > slack else None


def reaction_steps(rows):
    """Which rows have an impulse of a contact."""
    impulse = rows.get("contact_impulse")
    if impulse is None or impulse.size == 0:
        return np.zeros(len(rows["time"]) - 1, dtype=bool)
    return (impulse[1:] != 0.0).any(axis=1)


def places(model, pair, rows):
    """Displacements against velocities, by the scheme's own rule."""
    t, u, v, rule = rows["time"], rows["displacement"], rows["velocity"], pair.facts
    h = np.diff(t)[:, None]
    way, step, fastest = np.diff(u, axis=0), h.max(), speed(model, rows)
    rounding = ROUNDING * step * fastest + 1e-13 * np.abs(u).max()
    if rule.place == "start":
        defect = np.abs(way - h * v[:-1])[:-1].max()
    elif rule.place == "mean":
        off = np.abs(way - 0.5 * h * (v[:-1] + v[1:])).max(axis=1)
        # the update gives struck dofs another velocity than the step that moved them
        defect = off[~reaction_steps(rows)].max(initial=0.0) if "update" in pair.strategy_words else off.max()
    elif rule.place == "newmark":
        if "update" in pair.strategy_words:
            return None
        # a0 and a1 of each step from its four numbers; a1 of one step is a0 of the next
        x, y = (way - h * v[:-1]) / h**2, np.diff(v, axis=0) / h
        det = (0.5 - rule.beta) * rule.gamma - rule.beta * (1.0 - rule.gamma)
        first, last = (rule.gamma * x - rule.beta * y) / det, ((0.5 - rule.beta) * y - (1.0 - rule.gamma) * x) / det
        # a last step of another length
        same = np.abs(np.diff(h[:, 0])) < 1e-6 * step
        defect = np.abs(last[:-1] - first[1:])[same].max(initial=0.0) * step**2
        rounding = 1e-8 * step * fastest + 1e-12 * np.abs(u).max()
    elif rule.place == "between":
        off = np.abs(way - 0.5 * h * (v[:-1] + v[1:])).max(axis=1)
        change = np.abs(np.diff(v, axis=0)).max(axis=1)
        before = np.concatenate([change[:1], change[:-1]])
        over = off - step * (change + before)
        defect = (over[~reaction_steps(rows)] if "update" in pair.strategy_words else over).max(initial=0.0)
    else:
        return None
    return f"displacement is off the integral of velocity by {defect:.2e} in a step" if defect > rounding else None


def signs(model, pair, rows):
    """Contacts push and don't pull; friction stays in its cone; positions that are held don't overlap."""
    found = []
    impulse = rows.get("contact_impulse")
    if impulse is not None and impulse.size:
        if pair.facts.pushes and impulse.min() < -ROUNDING * impulse.max():
            found.append(f"an impulse pulls: {impulse.min():.2e}")
        if "friction_force" in rows and model.dim == 2:
            mu = np.array([next((item["friction"].value for item in model.parts["contacts"]
                                 if item["name"] == name and "friction" in item), 0.0) for name in rows["contacts"]])
            over = (np.abs(rows["friction_force"]) - mu * rows["contact_force"])[1:].max()
            if over > 1e-6 * np.abs(rows["contact_force"]).max():
                found.append(f"friction beyond its cone by {over:.2e} N")
    affine = not model.features & CURVED
    springs = pair.strategy == "penalty" or pair.springs
    if rows["contacts"] and pair.facts.holds_positions and not springs and (affine or pair.integrator == "generalized-alpha"):
        # events are located to 1e-8 of the way; Paoli and Schatzman hold the mean of two positions
        overlap, way = -rows["gap"].min(), speed(model, rows) * model.step
        if pair.integrator == "central-difference":
            overlap -= 2.0 * way
        if overlap > (1e-6 if pair.strategy == "event-driven" else 1e-9) * max(way, np.abs(rows["gap"]).max()):
            found.append(f"contacts overlap by {overlap:.2e} m")
    return found


def constraints(model, pair, rows):
    """Bilateral constraints hold in positions or velocities, by the scheme."""
    found = []
    if not rows["constraints"]:
        return found
    violation = np.abs(rows["constraint_violation"]).max()
    way = speed(model, rows) * model.step
    # at velocity level positions follow the chord: (h w)^2 of the arm a step at most, a fourth of it in the mean
    limit = ROUNDING if pair.facts.holds_positions else way**2 * len(rows["time"])
    if violation > limit:
        found.append(f"a constraint is violated by {violation:.2e}")
    if pair.facts.holds_rates and "constraint_rate" in rows:
        rate = np.abs(rows["constraint_rate"][1:-1]).max()
        # at velocity level gradients are those of the step's end as far as it is known: they turn by v h / arm more
        fastest = speed(model, rows)
        if rate > (1e-7 * fastest if pair.facts.holds_positions else 10.0 * model.step * fastest**2):
            found.append(f"a constraint moves by {rate:.2e} m/s")
    return found


def energies(model, pair, rows):
    """The parts add up; kinetic energy and weight are those of the rows; linear models keep what the scheme keeps."""
    found, parts = [], rows["energy"]
    scale = max(np.abs(parts["kinetic"]).max(), np.abs(parts["total"]).max(), np.abs(parts["dissipated"]).max())
    if masses(model):
        scale = max(scale, 0.5 * sum(masses(model).values()) * speed(model, rows) ** 2)
    total = sum(parts[name] for name in ("kinetic", "strain", "gravity", "contact"))
    numerical = parts["total"] - parts["external"] + parts["dissipated"]
    # an impact at the start is in the first row
    numerical += parts["numerical"][0] - numerical[0]
    for what, off in (("total", total - parts["total"]), ("numerical", numerical - parts["numerical"])):
        if np.abs(off).max() > ROUNDING * scale:
            found.append(f"energy/{what} is not the sum of its parts, by {np.abs(off).max():.2e} J")
    weights = dof_masses(model, rows)
    if weights is not None:
        off = np.abs(0.5 * (weights * rows["velocity"] ** 2).sum(axis=1) - parts["kinetic"]).max()
        if off > ROUNDING * scale:
            found.append(f"kinetic energy is off by {off:.2e} J")
    steady = all(load["type"] == "gravity" or load["signal"]["type"] == "constant" for load in model.parts["loads"])
    if pair.facts.energy and steady and linear(model) and not model.parts["supports"]:
        made = np.abs(parts["numerical"]).max()
        if made > 1e-8 * scale:
            found.append(f"numerical energy of {made:.2e} J of {scale:.2e} J")
    return found


def linear(model):
    """Whether nothing in the model turns with its motion, nor damps but by the energy's own account."""
    bent = CURVED | {"force with arm", "moving obstacle", "damping: mass", "damping: stiffness", "dashpots"}
    return not (model.features & bent or model.parts["elements"] or model.parts["constraints"])


def dof_masses(model, rows):
    """Mass or inertia of each dof of rigid bodies and particles; None where there are others."""
    found = {}
    for body in model.parts["bodies"]:
        if body["type"] not in ("particles", "multibody"):
            return None
        for k, mass in enumerate(body["masses"].values):
            found[f'{body["name"]}.{k}'] = mass
            if body["type"] == "multibody":
                found[f'{body["name"]}.{k}.rotation'] = body["inertias"].values[k]
    return np.array([found[name] if name in found else found[name.rpartition(".")[0]] for name in rows["dofs"]])


def isolated(model):
    """Whether nothing but the bodies themselves acts on the bodies."""
    if any(item["type"] not in ("nodes", "pair") for item in model.parts["contacts"]):
        return False
    outside = model.parts["loads"] or model.parts["supports"] or model.damping
    return not outside and not any(item["name"] in ("bearing", "held") for item in model.parts["constraints"])


def angular_momentum(model, pair, rows):
    """Of bodies that are alone: an impulse acts along a line that a step turns by its way, and by no more."""
    if model.dim == 1 or not isolated(model) or masses(model) is None:
        return None
    if "segment" in model.features:
        return None  # its normal is that of the step's start, its way that of the whole step
    L = rows["L"].reshape(len(rows["time"]), -1)
    fastest, step = speed(model, rows), np.diff(rows["time"]).max()
    impulses = sum(np.abs(rows[name]).sum() for name in ("contact_impulse",) if name in rows)
    if rows["constraints"] and "constraint_force" in rows:
        impulses += np.abs(rows["constraint_force"]).sum() * step
    if model.parts["elements"]:
        impulses += sum(masses(model).values()) * fastest
    slack = ROUNDING * max(np.abs(L).max(), 1.0) + 2.0 * step * fastest * impulses
    off = np.abs(L - L[0]).max()
    return f"angular momentum of bodies that are alone changes by {off:.2e}, {slack:.2e} are explained" if off > slack else None


def wrong(model, pair, rows):
    """All that is wrong with the rows."""
    if not np.isfinite(rows["velocity"]).all():
        return ["numbers that are not finite"]
    found = [momentum(model, pair, rows), places(model, pair, rows), angular_momentum(model, pair, rows)]
    return [text for text in found if text] + signs(model, pair, rows) + constraints(model, pair, rows) + energies(model, pair, rows)
