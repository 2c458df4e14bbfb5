#!/usr/bin/python3
"""What object files tell that sources hide: no writable global data but the stop flag, no printing or
exiting outside commands/, no function that can't be used safely, every name of ours with its prefix, and none
that only its own file, or nobody, calls."""

import re
import subprocess
import sys
from pathlib import Path

STATE = {"support/stop.o"}  # the flag that the signal handler sets
SPEAKS = ("commands/", "signorini.o", "support/progress.o", "support/log.o")
ENDS = {"support/workers.o": {"_exit"}, "drawing/gnuplot.o": {"_exit"},
        "studies/sweep_slurm.o": {"_exit"}}  # processes of its own
PRINTS = {"printf", "vprintf", "puts", "putchar", "perror", "stdout", "stderr", "exit", "abort", "_exit"}
UNSAFE = {"gets", "strcpy", "strcat", "sprintf", "vsprintf", "strtok", "atoi", "atof", "tmpnam", "system"}


def lines_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def plain(symbol):
    """Without the decoration of _FORTIFY_SOURCE: __printf_chk is printf."""
    found = re.fullmatch(r"__(\w+)_chk", symbol)
    return found[1] if found else symbol


def writable(path):
    for line in lines_of("objdump", "-t", path):
        found = re.search(r"\sO\s+\.(?:data|bss)(?:\.(?!rel\.ro)\S+)?\s+[0-9a-f]+\s+(?:\.hidden )?(\S+)$", line)
        if found:
            yield found[1]


def faults(path, name):
    if name not in STATE:
        for symbol in writable(path):
            yield f"'{symbol}' is global state"
    for line in lines_of("nm", path):
        kind, symbol = line.split()[-2:]
        if kind == "U" and plain(symbol) in UNSAFE:
            yield f"calls {plain(symbol)}"
        if kind == "U" and plain(symbol) in PRINTS and not name.startswith(SPEAKS) and plain(symbol) not in ENDS.get(name, ()):
            yield f"uses {plain(symbol)}: only commands speak"
        if kind in "TRBDV" and symbol != "main" and not symbol.startswith("sg_"):
            yield f"'{symbol}' lacks the prefix sg_"


def uncalled(objects):
    """(object, function) of those that no other object needs, and no test names."""
    defined, needed = {}, set()
    for path in objects:
        for line in lines_of("nm", path):
            kind, symbol = line.split()[-2:]
            if kind == "T" and symbol != "main":
                defined[symbol] = path
            elif kind == "U":
                needed.add(symbol)
    tests = " ".join(path.read_text(encoding="utf-8") for path in Path("tests").rglob("*.[ch]"))
    needed.update(re.findall(r"\bsg_\w+", tests))
    return sorted((path, symbol) for symbol, path in defined.items() if symbol not in needed)


def main():
    root = Path(sys.argv[1])
    # not those of sources that are gone
    objects = [path for path in sorted(root.rglob("*.o"))
               if Path("src", path.relative_to(root)).with_suffix(".c").is_file()]
    found = [(path, fault) for path in objects for fault in faults(path, str(path.relative_to(root)))]
    found += [(path, f"'{symbol}' is called by no other file: static, or gone") for path, symbol in uncalled(objects)]
    for path, fault in found:
        print(f"src/{str(path.relative_to(root))[:-2]}.c: {fault}")
    count = len(found)
    print(f"summary: {len(objects)} objects, {count} faults")
    return 1 if count or not objects else 0


if __name__ == "__main__":
    sys.exit(main())
