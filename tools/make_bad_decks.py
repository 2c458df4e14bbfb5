#!/usr/bin/python3
"""make_bad_decks.py [FOLDER]: wrong decks out of the deck's schema, tests/bad_decks/generated_PLACE_FAULT.cfg.

For each group of the deck, and each of its kinds, one deck a sort of fault; in it every keyword of the
group has that fault, each in a line of its own. A deck says how many errors it must give. The program that
SIGNORINI names (build/signorini) prints the schema. Then, to be reviewed: test_bad_decks.py --rewrite."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("SIGNORINI", str(ROOT / "build" / "signorini"))
UNFIT = object()


# --- the schema ---------------------------------------------------------------------------------------

class Schema:
    def __init__(self, tree):
        self.tree, self.met = tree, set()
        for branch in tree.get("allOf", []):
            self.demand(tree, branch["else"])

    def demand(self, group, more):
        """What is required unless an analysis spares it: those of the decks here don't."""
        group["required"] = group.get("required", []) + more.get("required", [])
        for name, node in more.get("properties", {}).items():
            self.demand(self.resolve(group["properties"][name]), node)

    def resolve(self, node):
        return self.tree["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node

    def kinds(self, node):
        """(name, group) of each kind of a group; of a group without kinds (None, itself)."""
        node = self.resolve(node)
        if "allOf" not in node or node is self.tree:
            return [(None, node)]
        return [(branch["if"]["properties"]["type"]["const"], branch["then"]) for branch in node["allOf"]]

    def is_group(self, node):
        return "$ref" in node or node.get("type") == "object"

    def is_first(self, node):
        """False for a set of kinds that was met already, as signals are."""
        name = node.get("$ref")
        again = name in self.met
        self.met.add(name)
        return name is None or not again

    def is_list(self, node):
        return node.get("type") == "array" and self.is_group(node["items"])


def keywords(group):
    return {name: node for name, node in group["properties"].items() if node is not True}


def scalar(node):
    """A number that may be a word too is a number here, an array that may be one number an array."""
    return node["anyOf"][0] if "anyOf" in node else node


# --- values that are right ------------------------------------------------------------------------------

def number(node):
    low = node.get("minimum", node.get("exclusiveMinimum", 0.0))
    high = node.get("maximum", node.get("exclusiveMaximum", max(2.0, low + 2)))
    value = 1.0 if low < 1.0 < high else (low + high) / 2
    return int(value) if node["type"] == "integer" else value


def right(schema, node):
    node = scalar(node)
    if schema.is_group(node):
        return minimal(schema, *schema.kinds(node)[0])
    if "enum" in node:
        return node["enum"][0]
    if node["type"] == "array":
        return [right(schema, node["items"])] * max(1, node.get("minItems", 1))
    return {"string": "x", "boolean": True}[node["type"]] if node["type"] in ("string", "boolean") else number(node)


def required(group):
    return group.get("required", [])


def minimal(schema, kind, group):
    """The group with what it must have."""
    made = {} if kind is None else {"type": kind}
    return made | {name: right(schema, node) for name, node in keywords(group).items()
                   if name in required(group)}


# --- faults: what a keyword becomes, or UNFIT ---------------------------------------------------------------

def misspelt(name):
    middle = len(name) // 2
    return name[:middle] + name[middle] + name[middle:]


def wrong_type(schema, node):
    if {"type": "number"} in node.get("anyOf", [])[1:]:
        return "one"
    node = scalar(node)
    if schema.is_group(node) or schema.is_list(node) or "enum" in node:
        return 5
    return {"number": "one", "integer": 1.5, "boolean": 1, "string": 5, "array": 2.5}[node["type"]]


def below(schema, node):
    node = scalar(node)
    if schema.is_group(node):
        return UNFIT
    if "minimum" in node:
        return (int if node["type"] == "integer" else float)(node["minimum"] - 1)
    if "exclusiveMinimum" in node:
        return node["exclusiveMinimum"]
    if node.get("minItems", 0) > 0:
        return [right(schema, node["items"])] * (node["minItems"] - 1)
    return UNFIT


def above(schema, node):
    node = scalar(node)
    if schema.is_group(node):
        return UNFIT
    if "maximum" in node:
        return (int if node["type"] == "integer" else float)(node["maximum"] + 1)
    if "exclusiveMaximum" in node:
        return node["exclusiveMaximum"]
    if "maxItems" in node:
        return [right(schema, node["items"])] * (node["maxItems"] + 1)
    return UNFIT


def choice(schema, node):
    words = node["anyOf"][1] if "anyOf" in node else node
    return misspelt(words["enum"][0]) if "enum" in words else UNFIT


def item_type(schema, node):
    if node.get("type") != "array" or schema.is_group(node["items"]):
        return UNFIT
    return [5 if node["items"]["type"] == "string" else "one"] * max(1, node.get("minItems", 1))


def item_below(schema, node):
    if node.get("type") != "array" or schema.is_group(node["items"]):
        return UNFIT
    value = below(schema, node["items"])
    return UNFIT if value is UNFIT else [value] * max(1, node.get("minItems", 1))


VALUE_FAULTS = {"wrong_type": wrong_type, "below": below, "above": above, "choice": choice,
                "item_type": item_type, "item_below": item_below}


def faulty_groups(schema, kind, group):
    """(fault, the group with it, how many errors)"""
    base, words = minimal(schema, kind, group), keywords(group)
    head = {} if kind is None else {"type": kind}
    yield "misspelt", head | {misspelt(name): right(schema, node) for name, node in words.items()}, len(words)
    for fault, spoil in VALUE_FAULTS.items():
        spoilt = {name: spoil(schema, node) for name, node in words.items()}
        spoilt = {name: value for name, value in spoilt.items() if value is not UNFIT}
        errors = sum(len(value) if fault.startswith("item") else 1 for value in spoilt.values())
        yield fault, base | spoilt, errors
    yield "missing", dict(head), len([name for name in required(group) if name in words])


# --- places ---------------------------------------------------------------------------------------------

def places(schema, node, name, put):
    """(name, kind, group, put) of every group below a node; `put` makes a deck of such a group."""
    for kind, group in schema.kinds(node):
        label = name if kind is None else f"{name}_{kind}"
        yield label, kind, group, put
        for word, child in keywords(group).items():
            child = scalar(child)
            listed = schema.is_list(child)
            if not listed and not schema.is_group(child):
                continue
            inner = child["items"] if listed else child
            if schema.is_first(inner):
                yield from places(schema, inner, word if name == "deck" else f"{label}_{word}",
                                  nested(schema, kind, group, word, listed, put))


def nested(schema, kind, group, word, listed, put):
    return lambda inner: put(minimal(schema, kind, group) | {word: [inner] if listed else inner})


# --- decks ----------------------------------------------------------------------------------------------

def write_value(value, indent):
    if isinstance(value, dict):
        return "{\n" + write_group(value, indent + "    ") + indent + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "( " + ", ".join(write_value(one, indent) for one in value) + " )"
    if isinstance(value, list):
        return "[" + ", ".join(write_value(one, indent) for one in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def write_group(group, indent=""):
    return "".join(f"{indent}{name} = {write_value(value, indent)};\n" for name, value in group.items())


def decks(schema):
    """name -> text"""
    made = {}
    for name, kind, group, put in places(schema, schema.tree, "deck", lambda root: root):
        for fault, spoilt, errors in faulty_groups(schema, kind, group):
            if errors > 0:
                made[f"generated_{name}_{fault}.cfg".replace("-", "_")] = (
                    f"# schema: reject\n# errors: {errors}\n" + write_group(put(spoilt)))
    return made


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests" / "bad_decks"
    text = subprocess.run([PROGRAM, "schema", "deck"], check=True, capture_output=True, text=True).stdout
    made = decks(Schema(json.loads(text)))
    for old in folder.glob("generated_*.cfg"):
        if old.name not in made:
            old.unlink()
            old.with_suffix(".expected").unlink(missing_ok=True)
    for name, deck in made.items():
        (folder / name).write_text(deck, encoding="utf-8")
    print(f"{len(made)} decks in {folder}")


if __name__ == "__main__":
    main()
