"""Random small models for the tests that need no oracle. `model(seed)` is deterministic: the same numbers on every machine.

Bodies in a row on an axis; rigid bodies and particles in a plane; balls in space; elastic bodies and frames. Numbers are
near 1 in m, kg and m/s, so that 200 steps of 2 ms see several impacts and each has ten steps and more where contacts are
springs."""

import math
import random

import numpy as np

from frames import (ACCELERATION, DASHPOT, FORCE, INERTIA, LENGTH, MASS, MOMENT, RATE, SPEED, STIFFNESS, TIME, Angle, Free, Model,
                    Node, Nodes, Point, Scalar, Scalars, Side, WallMotion)


def pick(rng, *choices):
    return choices[rng.randrange(len(choices))]


def law(rng, model):
    """A contact's short forms; a strategy takes its own."""
    restitution = pick(rng, 0.0, 0.5, 0.8, 1.0)
    model.features.add({0.0: "e = 0", 1.0: "e = 1"}.get(restitution, "0 < e < 1"))
    return {"restitution": Scalar(restitution), "stiffness": Scalar(rng.uniform(400.0, 1500.0), STIFFNESS)}


def signal(rng, model, dims, size):
    kind = pick(rng, "constant", "harmonic", "pulse")
    model.features.add(f"load: {kind}")
    if kind == "constant":
        return {"type": kind, "value": Scalar(rng.uniform(-size, size), dims)}
    if kind == "harmonic":
        return {"type": kind, "amplitude": Scalar(size, dims), "frequency": Scalar(rng.uniform(1.0, 4.0), RATE),
                "phase": Scalar(rng.uniform(0.0, 3.0))}
    return {"type": kind, "amplitude": Scalar(size, dims), "start": Scalar(0.04, TIME), "duration": Scalar(0.2, TIME),
            "shape": "versine"}


def wall_motion(rng, model):
    model.features.add("moving obstacle")
    model.barred["train"] = "the obstacle has a motion of its own"
    return {"type": "harmonic", "amplitude": Scalar(rng.uniform(0.01, 0.03), LENGTH),
            "frequency": Scalar(rng.uniform(1.0, 3.0), RATE)}


def rayleigh(rng, model):
    if rng.random() < 0.3:
        model.damping = {"mass": Scalar(rng.uniform(0.1, 1.0), RATE)}
        model.barred["train"] = "damping in proportion to the mass resists motion that all share"
        model.features.add("damping: mass")
        if rng.random() < 0.5:
            model.damping["stiffness"] = Scalar(rng.uniform(1e-4, 5e-4), TIME)
            model.features.add("damping: stiffness")


def line_body(rng, model, index, left):
    """A bar or particles from `left` on: names of its first node, its last, one between if there is one, and its end."""
    name = f"b{index}"
    if rng.random() < 0.5:
        length, elements = rng.uniform(0.5, 1.0), rng.randint(2, 5)
        order = pick(rng, 1, 1, 2)
        model.features.add(f"bar of order {order}")
        # waves of 5 m/s: some thirty steps an element
        mass = pick(rng, "consistent", "lumped")
        if mass == "consistent":
            model.features.add("consistent mass")
        model.parts["bodies"].append({
            "type": "bar", "name": name, "length": Scalar(length, LENGTH), "elements": elements, "order": order,
            "area": Scalar(1.0, (2, 0, 0)), "modulus": Scalar(rng.uniform(20.0, 40.0), (-1, -2, 1)),
            "density": Scalar(rng.uniform(1.0, 3.0), (-3, 0, 1)), "mass": mass,
            "position": Point((left,), alone=True), "direction": Side(("positive", "negative"))})
        return f"{name}.0", f"{name}.{elements * order}", f"{name}.1", left + length
    count = rng.randint(1, 3)
    places = [left + 0.3 * k for k in range(count)]
    springs = [{"nodes": Scalars((k, k + 1)), "stiffness": Scalar(rng.uniform(50.0, 500.0), STIFFNESS),
                "damping": Scalar(pick(rng, 0.0, rng.uniform(0.0, 1.0)), DASHPOT)} for k in range(count - 1)]
    body = {"type": "particles", "name": name, "positions": Point(tuple(places)),
            "masses": Scalars(tuple(rng.uniform(0.3, 2.0) for _ in places), MASS)}
    model.features.add("particles")
    if springs:
        body["springs"] = springs
        model.features.add("springs")
        if any(spring["damping"].value for spring in springs):
            model.features.add("dashpots")
    model.parts["bodies"].append(body)
    return f"{name}.0", f"{name}.{count - 1}", f"{name}.1" if count > 2 else None, places[-1]


def line(seed):
    """Bodies in a row between walls."""
    rng = random.Random(seed)
    model = Model(seed, 1)
    parts = model.parts
    end, nodes = 0.0, []
    for index in range(rng.randint(1, 3)):
        gap = pick(rng, 0.0, rng.uniform(0.005, 0.05))
        if gap == 0.0:
            model.features.add("touching")
        first, last, inner, after = line_body(rng, model, index, end + gap)
        if nodes:
            parts["contacts"].append({"type": "pair", "name": f"pair{index}", "nodes": Nodes((nodes[-1][1], first), True),
                                      **law(rng, model)})
            model.features.add("pair")
        else:
            start = gap
        nodes.append((first, last, inner))
        end = after
        parts["initial"].append({"body": f"b{index}", "velocity": Free((rng.uniform(-1.0, 1.0),), SPEED, True, True)})
    if rng.random() < 0.7:
        parts["contacts"].append({"type": "plane", "name": "low", "node": Node(nodes[0][0]), "normal": Free((1.0,)),
                                  "point": Point((start - pick(rng, 0.0, 0.01),)),
                                  "motion": WallMotion((1.0,), wall_motion(rng, model) if rng.random() < 0.2 else None),
                                  **law(rng, model)})
        model.features.add("plane")
    if rng.random() < 0.5:
        parts["contacts"].append({"type": "wall", "name": "high", "node": Node(nodes[-1][1]),
                                  "side": Side(("upper", "lower")), "position": Point((end + 0.013,), alone=True),
                                  **law(rng, model)})
        model.features.add("wall")
        model.barred["train"] = "a wall stands still"
    if rng.random() < 0.5:
        parts["loads"].append({"type": "gravity", "acceleration": Scalar(rng.uniform(1.0, 9.81), ACCELERATION),
                               "direction": Free((-1.0,))})
        model.features.add("gravity")
    if rng.random() < 0.4:
        parts["loads"].append({"type": "force", "node": Node(nodes[-1][0]), "direction": Free((1.0,)),
                               "signal": signal(rng, model, FORCE, 5.0)})
    special = rng.random()
    if special < 0.12:
        parts["elements"].append({"type": "van_der_pol", "node": Node(nodes[0][0]), "coefficient":
                                  Scalar(rng.uniform(0.1, 1.0), DASHPOT), "scale": Scalar(0.1, LENGTH)})
        model.features.add("van der Pol")
        model.barred["train"] = "a damper is fixed to the ground"
    elif special < 0.24:
        power = pick(rng, 1.0, 2.0)
        parts["elements"].append({"type": "dashpot", "node": Node(nodes[-1][1]), "coefficient":
                                  Scalar(rng.uniform(0.1, 1.0), (1 - power, power - 2, 1)), "exponent": Scalar(power)})
        model.features.add("dashpot of a power")
        model.barred["train"] = "a damper is fixed to the ground"
    elif special < 0.36 and nodes[-1][2]:
        parts["constraints"].append({"type": "coordinate", "name": "held", "node": Node(nodes[-1][2])})
        parts["initial"][-1]["velocity"] = Free((0.0,), SPEED, True, True)
        model.features.add("held coordinate")
        model.barred["train"] = "a coordinate is held"
    elif 0.36 < special < 0.48 and nodes[-1][2]:
        parts["supports"].append({"node": Node(nodes[-1][2])})
        parts["initial"][-1]["velocity"] = Free((0.0,), SPEED, True, True)
        model.features.add("support")
        model.barred["train"] = "a node is held"
    rayleigh(rng, model)
    return model


def cross(omega, arm):
    return np.array([-omega * arm[1], omega * arm[0]])


def plane_bodies(rng, model, count):
    """Disks, boxes and particles in a row, some of them touching: places, radii, kinds."""
    places, radii, kinds = [], [], []
    x, y = 0.0, 0.0
    for index in range(count):
        radius = rng.uniform(0.2, 0.4)
        if index:
            angle = rng.uniform(-0.5, 0.5)
            gap = pick(rng, 0.0, rng.uniform(0.0, 0.05))
            if gap == 0.0:
                model.features.add("touching")
            way = radii[-1] + radius + gap
            x, y = x + way * math.cos(angle), y + way * math.sin(angle)
        places.append((x, y))
        radii.append(radius)
        kinds.append(pick(rng, "disk", "disk", "box", "ball"))
    return np.array(places), radii, kinds


def planar(seed):
    """Rigid bodies and particles in a plane: contacts with friction among them and with planes, joints, springs."""
    rng = random.Random(seed)
    model = Model(seed, 2)
    parts = model.parts
    count = rng.randint(1, 3)
    places, radii, kinds = plane_bodies(rng, model, count)
    masses = [rng.uniform(0.5, 2.0) for _ in range(count)]
    names = [f"b{k}" for k in range(count)]
    rolling = [kind != "ball" for kind in kinds]
    for name, place, radius, kind, mass in zip(names, places, radii, kinds, masses):
        model.features.add(kind)
        if kind == "ball":
            parts["bodies"].append({"type": "particles", "name": name, "dim": 2, "positions": Point(tuple(place)),
                                    "masses": Scalars((mass,), MASS)})
        else:
            parts["bodies"].append({"type": "multibody", "name": name, "positions": Point(tuple(place)),
                                    "masses": Scalars((mass,), MASS),
                                    "inertias": Scalars((0.5 * mass * radius**2,), INERTIA)})
    friction = pick(rng, 0.0, 0.0, 0.3)
    rub = {"friction": Scalar(friction)} if friction else {}
    if friction:
        model.features.add("friction")
    # velocities: of joined bodies those of one rigid motion
    speeds = [np.array([rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 0.2)]) for _ in range(count)]
    turns = [rng.uniform(-2.0, 2.0) for _ in range(count)]
    joined = None
    if count > 1 and rng.random() < 0.4:
        a, b = 0, 1
        middle = 0.5 * (places[a] + places[b])
        kind = pick(rng, "pin", "rod", "distance", "slot")
        if not rolling[a] or not rolling[b]:
            kind = "rod"
        joined = (a, b)
        speeds[b], turns[b] = speeds[a] + cross(turns[a], places[b] - places[a]), turns[a]
        item = {"type": kind, "name": "joint", "nodes": Nodes((names[a], names[b]))}
        if kind == "pin":
            item["arms"] = Free(tuple(middle - places[a]) + tuple(middle - places[b]), LENGTH)
        if kind == "distance":
            item["arms"] = Free((0.1, 0.05, -0.07, 0.1), LENGTH)
        if kind == "slot":
            item["arms"] = Free(tuple(middle - places[a]) + tuple(middle - places[b]), LENGTH)
            item["direction"] = Free((0.8, 0.6))
        parts["constraints"].append(item)
        model.features.add(kind)
    if joined is None and rolling[0] and rng.random() < 0.25:
        arm = np.array([rng.uniform(-0.5, 0.5), rng.uniform(0.3, 0.6)])
        speeds[0] = -cross(turns[0], arm)
        parts["constraints"].append({"type": "pin", "name": "bearing", "nodes": Nodes((names[0],)),
                                     "arms": Free(tuple(arm), LENGTH), "point": Point(tuple(places[0] + arm))})
        model.features.add("bearing")
        model.barred["train"] = "a bearing stands still"
    for k in range(count):
        item = {"node": Node(names[k]), "velocity_vector": Free(tuple(speeds[k]), SPEED, moves=True)}
        if rolling[k]:
            item["angular_velocity"] = Scalar(turns[k], RATE, True)
        parts["initial"].append(item)
    for k in range(1, count):
        if joined == (k - 1, k):
            continue
        if kinds[k] == "box" or kinds[k - 1] == "box":
            if kinds[k] == "box" and kinds[k - 1] == "box":
                continue
        parts["contacts"].append({"type": "nodes", "name": f"touch{k}", "nodes": Nodes((names[k - 1], names[k])),
                                  "radii": Scalars((radii[k - 1], radii[k]), LENGTH), **rub, **law(rng, model)})
        model.features.add("nodes")
    if rng.random() < 0.75:
        floors(rng, model, places, radii, kinds, names, rub, joined)
    if rng.random() < 0.15:
        parts["contacts"].append({"type": "circle", "name": "ring", "node": Node(names[-1]), "center": Point((0.3, 0.2)),
                                  "radius": Scalar(3.0, LENGTH), "node_radius": Scalar(radii[-1], LENGTH), "inside": True,
                                  **rub, **law(rng, model)})
        parts["initial"][-1 if joined != (count - 2, count - 1) else 0]
        model.features.add("circle")
        model.barred["train"] = "a circle stands still"
    if rng.random() < 0.5:
        parts["loads"].append({"type": "gravity", "acceleration": Scalar(9.81, ACCELERATION), "direction": Free((0.0, -1.0))})
        model.features.add("gravity")
    if rng.random() < 0.3:
        parts["loads"].append({"type": "force", "node": Node(names[-1]), "direction": Free((0.6, 0.8)),
                               "signal": signal(rng, model, FORCE, 5.0)})
    if rng.random() < 0.2 and rolling[0]:
        parts["loads"].append({"type": "force", "node": Node(names[0]), "direction": Free((-0.8, 0.6)),
                               "arm": Free((0.1, 0.2), LENGTH), "signal": signal(rng, model, FORCE, 3.0)})
        model.features.add("force with arm")
    if count > 1 and rng.random() < 0.3:
        parts["elements"].append({"type": "spring", "nodes": Nodes((names[0], names[-1])),
                                  "stiffness": Scalar(rng.uniform(20.0, 200.0), STIFFNESS)})
        model.features.add("spring element")
    if count > 2 and rng.random() < 0.3:
        parts["elements"].append({"type": "torsion_spring", "nodes": Nodes(tuple(names)),
                                  "stiffness": Scalar(rng.uniform(2.0, 20.0), MOMENT)})
        model.features.add("torsion spring")
    rayleigh(rng, model)
    return model


def floors(rng, model, places, radii, kinds, names, rub, joined):
    """A plane below the lowest body; boxes have corners."""
    parts = model.parts
    tilt = pick(rng, 0.0, 0.0, rng.uniform(-0.4, 0.4))
    normal = np.array([-math.sin(tilt), math.cos(tilt)])
    low = min(float(place @ normal) - radius for place, radius in zip(places, radii))
    low -= pick(rng, 0.0, 0.01, 0.05)
    point = low * normal
    motion = WallMotion(tuple(normal), wall_motion(rng, model) if rng.random() < 0.2 else None)
    for k, (place, radius, kind, name) in enumerate(zip(places, radii, kinds, names)):
        plane = {"type": "plane", "node": Node(name), "normal": Free(tuple(normal)), "point": Point(tuple(point)),
                 "motion": motion}
        if kind == "box":
            half = radius / math.sqrt(2.0)
            feet = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            if rng.random() < 0.3:
                # a third in a line with two: shares of three are not unique
                feet.append((0, -1))
                model.features.add("redundant feet")
            for corner, (sx, sy) in enumerate(feet):
                parts["contacts"].append({**plane, "name": f"corner{k}_{corner}", "arm": Free((sx * half, sy * half), LENGTH),
                                          **rub, **law(rng, model)})
        else:
            parts["contacts"].append({**plane, "name": f"floor{k}", "radius": Scalar(radius, LENGTH), **rub,
                                      **law(rng, model)})
    model.features.add("plane")
    if rub:
        model.barred["train"] = "friction with a floor that stands still"


def spatial(seed):
    """Balls in space: with planes, spheres, one another, on rods and springs."""
    rng = random.Random(seed)
    model = Model(seed, 3)
    parts = model.parts
    count = rng.randint(1, 3)
    radii = [rng.uniform(0.2, 0.4) for _ in range(count)]
    places, names = [np.zeros(3)], [f"b{k}" for k in range(count)]
    for k in range(1, count):
        way = np.array([rng.gauss(0.0, 1.0) for _ in range(3)])
        gap = pick(rng, 0.0, rng.uniform(0.0, 0.05))
        if gap == 0.0:
            model.features.add("touching")
        places.append(places[-1] + way / np.linalg.norm(way) * (radii[k - 1] + radii[k] + gap))
    for name, place in zip(names, places):
        parts["bodies"].append({"type": "particles", "name": name, "dim": 3, "positions": Point(tuple(place)),
                                "masses": Scalars((rng.uniform(0.5, 2.0),), MASS)})
    speeds = [np.array([rng.uniform(-1.0, 1.0) for _ in range(3)]) for _ in range(count)]
    friction = pick(rng, 0.0, 0.0, 0.3)
    rub = {"friction": Scalar(friction)} if friction else {}
    if friction:
        model.features.add("friction")
    model.features.add("ball in space")
    rod = count > 1 and rng.random() < 0.3
    if rod:
        speeds[1] = speeds[0].copy()
        parts["constraints"].append({"type": "rod", "name": "joint", "nodes": Nodes((names[0], names[1]))})
        model.features.add("rod in space")
    for k in range(count):
        parts["initial"].append({"node": Node(names[k]), "velocity_vector": Free(tuple(speeds[k]), SPEED, moves=True)})
    for a in range(count):
        for b in range(a + 1, count):
            overlap = radii[a] + radii[b] - np.linalg.norm(places[b] - places[a])
            if rod and (a, b) == (0, 1) or b > a + 1 and overlap > 0.0:
                continue
            parts["contacts"].append({"type": "nodes", "name": f"touch{a}{b}", "nodes": Nodes((names[a], names[b])),
                                      "distance": Scalar(radii[a] + radii[b], LENGTH), **rub, **law(rng, model)})
            model.features.add("nodes in space")
    if rng.random() < 0.6:
        normal = np.array([rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 1.0])
        normal /= np.linalg.norm(normal)
        low = min(float(place @ normal) - radius for place, radius in zip(places, radii)) - pick(rng, 0.0, 0.02)
        for k in range(count):
            parts["contacts"].append({"type": "plane", "name": f"floor{k}", "node": Node(names[k]),
                                      "normal": Free(tuple(normal)), "point": Point(tuple(low * normal)),
                                      "radius": Scalar(radii[k], LENGTH), "motion": WallMotion(tuple(normal)), **rub,
                                      **law(rng, model)})
        model.features.add("plane in space")
        if rub:
            model.barred["train"] = "friction with a floor that stands still"
    if rng.random() < 0.3:
        parts["contacts"].append({"type": "sphere", "name": "shell", "node": Node(names[0]), "center": Point((0.1, 0.0, 0.1)),
                                  "radius": Scalar(1.5, LENGTH), "node_radius": Scalar(radii[0], LENGTH), "inside": True,
                                  **rub, **law(rng, model)})
        model.features.add("sphere")
        model.barred["train"] = "a sphere stands still"
    if rng.random() < 0.5:
        parts["loads"].append({"type": "gravity", "acceleration": Scalar(9.81, ACCELERATION),
                               "direction": Free((0.0, 0.0, -1.0))})
        model.features.add("gravity")
    if count > 1 and rng.random() < 0.3:
        parts["elements"].append({"type": "spring", "nodes": Nodes((names[0], names[-1])),
                                  "stiffness": Scalar(rng.uniform(20.0, 200.0), STIFFNESS)})
        model.features.add("spring element")
    rayleigh(rng, model)
    return model


def floor_below(rng, model, nodes, low):
    """A level floor below the lowest of these nodes."""
    if low == 0.0:
        model.features.add("touching")
    for name in nodes:
        model.parts["contacts"].append({"type": "plane", "name": f"under {name}", "node": Node(name), "normal": Free((0.0, 1.0)),
                                        "point": Point((0.0, low)), "motion": WallMotion((0.0, 1.0)), **law(rng, model)})
    model.features.add("plane")


def fall(rng, model, body):
    model.parts["initial"].append({"body": body, "velocity_vector": Free((rng.uniform(-0.5, 0.5), rng.uniform(-1.0, 0.0)), SPEED,
                                                                       moves=True)})
    if rng.random() < 0.5:
        model.parts["loads"].append({"type": "gravity", "acceleration": Scalar(9.81, ACCELERATION), "direction": Free((0.0, -1.0))})
        model.features.add("gravity")
    if rng.random() < 0.3:
        model.parts["loads"].append({"type": "body-force", "body": body, "direction": Free((1.0, 0.0)),
                                     "signal": signal(rng, model, ACCELERATION, 3.0)})
        model.features.add("body force")


def sheet(rng, model):
    """An elastic rectangle; waves of some 40 m/s."""
    tilt, height = pick(rng, 0.0, rng.uniform(0.0, 0.3)), rng.uniform(0.3, 0.5)
    element = pick(rng, "quad4", "tri3")
    model.parts["bodies"].append({
        "type": "plane", "name": "sheet", "width": Scalar(1.0, LENGTH), "height": Scalar(height, LENGTH), "nx": 2, "ny": 1,
        "element": element, "position": Point((0.0, 0.0)), "rotation": Angle(tilt),
        "modulus": Scalar(rng.uniform(2e3, 4e3), (-1, -2, 1)), "poisson": Scalar(0.3), "density": Scalar(2.0, (-3, 0, 1)),
        "thickness": Scalar(1.0, LENGTH), "state": pick(rng, "strain", "stress")})
    model.features.update({"sheet", "consistent mass"})
    model.barred["mirror"] = "nodes are numbered from the lower left"
    floor_below(rng, model, ["sheet.bottom"], -pick(rng, 0.0, 0.01))
    fall(rng, model, "sheet")


def beam(rng, model):
    """A free beam of two members; it bends slowly, waves along it have 10 m/s."""
    section = {"modulus": Scalar(1e4, (-1, -2, 1)), "density": Scalar(rng.uniform(80.0, 120.0), (-3, 0, 1)),
               "area": Scalar(0.01, (2, 0, 0)), "inertia": Scalar(1e-5, (4, 0, 0))}
    model.parts["bodies"].append({
        "type": "members", "name": "beam", "nodes": Point((0.0, 0.0, 0.5, rng.uniform(0.0, 0.2), 1.0, 0.0)),
        "members": [{"ends": Scalars((0, 1, 1, 2)), "section": section, "hinges": pick(rng, "none", "none", "second")}],
        "mass": "lumped"})
    model.features.add("beam")
    floor_below(rng, model, ["beam.0", "beam.2"], -pick(rng, 0.0, 0.01))
    fall(rng, model, "beam")


def triangle(rng, model):
    """Three particles on springs, and one that meets a side of theirs."""
    corners = np.array([(0.0, 0.0), (1.0, rng.uniform(-0.2, 0.2)), (0.4, -0.6)])
    names = [f"t.{k}" for k in range(3)]
    model.parts["bodies"].append({"type": "particles", "name": "t", "dim": 2, "positions": Point(tuple(corners.ravel())),
                                  "masses": Scalars(tuple(rng.uniform(0.5, 2.0) for _ in names), MASS)})
    height = pick(rng, 0.1, 0.2)
    model.parts["bodies"].append({"type": "particles", "name": "c", "dim": 2, "positions": Point((0.5, height + 0.1)),
                                  "masses": Scalars((rng.uniform(0.5, 2.0),), MASS)})
    for a, b in (0, 1), (1, 2), (2, 0):
        model.parts["elements"].append({"type": "spring", "nodes": Nodes((names[a], names[b])),
                                        "stiffness": Scalar(rng.uniform(200.0, 500.0), STIFFNESS)})
    model.parts["contacts"].append({"type": "segment", "name": "edge", "node": Node("c.0"), "segment": Nodes((names[0], names[1])),
                                    "side": Side(("left", "right")), **law(rng, model)})
    model.parts["initial"] += [{"body": "t", "velocity_vector": Free((0.1, rng.uniform(0.0, 0.5)), SPEED, moves=True)},
                               {"body": "c", "velocity_vector": Free((rng.uniform(-0.3, 0.3), -1.5), SPEED, moves=True)}]
    model.features.update({"segment", "spring element"})


def elastic(seed):
    """Bodies that deform in a plane, and what meets their sides."""
    rng = random.Random(seed)
    model = Model(seed, 2)
    pick(rng, sheet, beam, triangle)(rng, model)
    rayleigh(rng, model)
    return model


def model(seed):
    return (line, planar, elastic, planar, spatial)[seed % 5](seed)
