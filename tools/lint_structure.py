#!/usr/bin/python3
"""lint_structure.py SRC [OBJECTS]: what would make the house hard to extend.

    circles   units (a .c and its .h are one) that lead back to themselves by includes or, where a folder of
              object files is given, by calls of functions. Tables of kinds are data: a registry that names
              its kinds, and kinds that call a helper beside the registry, make no circle.
    tags      a struct, union or enum tag with our prefix that is defined in two places
    banners   a comment that begins with dashes and does not end on its line
    rooms     a folder of SRC with one unit only

Prints every breach as FILE:LINE: text; exits 1 if there is one."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
TAG = re.compile(r"^\s*(?:typedef\s+)?(struct|union|enum)\s+(sg_\w+)\s*\{", re.M)
BANNER = re.compile(r"^[ \t]*/\*[ *]*-{3,}(?!.*\*/[ \t]*$).*$", re.M)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def unit_of(path):
    return str(Path(path).with_suffix(""))


def circles(graph):
    """Sets of units that reach one another: Tarjan's strongly connected components, without recursion."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            unit, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    members = stack[stack.index(unit):]
                    del stack[stack.index(unit):]
                    on_stack.difference_update(members)
                    if len(members) > 1:
                        found.append(sorted(members))
    return found


def includes(texts):
    graph = defaultdict(set)
    for path, text in texts.items():
        here = unit_of(path)
        graph[here].update(unit_of(target) for target in INCLUDE.findall(text) if unit_of(target) != here)
    return graph


def calls(objects, src):
    """Who calls a function of whom, by the symbol tables of objects whose source is there."""
    defined, needed = {}, defaultdict(set)
    for path in sorted(objects.rglob("*.o")):
        unit = unit_of(path.relative_to(objects))
        if not (src / (unit + ".c")).is_file():
            continue
        for line in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
            kind, symbol = line.split()[-2:]
            if kind == "T":
                defined[symbol] = unit
            elif kind == "U":
                needed[unit].add(symbol)
    return {unit: {defined[s] for s in symbols if s in defined} - {unit} for unit, symbols in needed.items()}


def told_circles(graph, src, how):
    for members in circles(graph):
        first = next(p for p in (src / (members[0] + e) for e in (".h", ".c")) if p.is_file())
        yield f"{first}:1: {', '.join(members)} lead back to themselves by {how}"


def told_tags(texts, src):
    first = {}
    for path, text in sorted(texts.items()):
        for found in TAG.finditer(text):
            place = f"{src / path}:{line_of(text, found.start(1))}"
            if found[2] in first:
                yield f"{place}: {found[1]} {found[2]} is defined at {first[found[2]]} too"
            first.setdefault(found[2], place)


def told_banners(texts, src):
    for path, text in sorted(texts.items()):
        for found in BANNER.finditer(text):
            yield f"{src / path}:{line_of(text, found.start())}: this banner does not end on its line"


def told_rooms(texts, src):
    rooms = defaultdict(set)
    for path in texts:
        parts = Path(path).parts
        for depth in range(1, len(parts)):
            rooms["/".join(parts[:depth])].add(unit_of(path))
    for room, units in sorted(rooms.items()):
        if len(units) == 1:
            yield f"{src / room}:1: this room has one unit only: {next(iter(units))}"


def main():
    src = Path(sys.argv[1])
    texts = {str(p.relative_to(src)): p.read_text(encoding="utf-8") for p in sorted(src.rglob("*.[ch]"))}
    found = [*told_circles(includes(texts), src, "includes"), *told_tags(texts, src),
             *told_banners(texts, src), *told_rooms(texts, src)]
    if len(sys.argv) > 2:
        found += told_circles(calls(Path(sys.argv[2]), src), src, "calls")
    print("\n".join(found), end="\n" if found else "")
    print(f"summary: {len(texts)} files, {len(found)} breaches")
    return 1 if found or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
