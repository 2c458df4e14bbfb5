#!/usr/bin/python3
"""Includes point one way only: each room of src/ may include those below it, and libraries stay in
the room that they belong to. Prints every breach as FILE:LINE: text; exits 1 if there is one."""

import re
import sys
from pathlib import Path

# from the top of the house down; `support` and `linalg` may be included from anywhere above them
ROOMS = [
    "signorini.c",
    "commands",
    "auditing",
    "drawing",
    "exporting",
    "benchmarks",
    "jobs",
    "analyses",
    "ground",
    "assembly",
    "strategies",
    "integrators",
    "contact",
    "model",
    "formats",
    "studies",
    "results",
    "deck",
    "linalg",
    "support",
]

LIBRARIES = {
    "linalg": r"(cblas|lapack|lapacke|openblas_config|f77blas|cs|amd|camd|colamd|klu|btf|arpack|"
    r"cholmod\w*|umfpack\w*|SuiteSparse_config)\.h",
    "deck": r"libconfig\.h",
    "results": r"(hdf5\w*|H5\w+)\.h",
}
GENERATED = {"version.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a path below src/: its folder, or the file itself at the top."""
    if len(path.parts) > 1:
        return path.parts[0]
    return path.name if path.name == "signorini.c" else path.stem


def breaches(source, src):
    here = room_of(source.relative_to(src))
    if here not in ROOMS:
        yield 1, f"'{here}' is no room of the house ({', '.join(ROOMS)})"
        return
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            complaint = judge(here, found[1], found[2], src)
            if complaint:
                yield number, complaint


def judge(here, bracket, target, src):
    for room, pattern in LIBRARIES.items():
        if re.fullmatch(pattern, target.split("/")[-1]) and bracket == "<" and here != room:
            return f"<{target}> belongs to {room}/ only"
    if bracket == "<" or target in GENERATED:
        return None
    if not (src / target).is_file():
        return f'"{target}" is no path relative to src/'
    there = room_of(Path(target))
    if there not in ROOMS:
        return f"'{there}' is no room of the house"
    if ROOMS.index(there) < ROOMS.index(here):
        return f"{here} is below {there} and may not include \"{target}\""
    return None


def main():
    src = Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    sources = sorted(src.rglob("*.[ch]"))
    count = 0
    for source in sources:
        for number, complaint in breaches(source, src):
            print(f"{source}:{number}: {complaint}")
            count += 1
    print(f"summary: {len(sources)} files, {count} breaches")
    return 1 if count or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
