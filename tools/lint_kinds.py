#!/usr/bin/python3
"""What a kind (an integrator, a strategy, a body, a gap, a law, ...) can do stands in its table: nothing may ask for a
kind by its name. Prints each comparison of a kind's name as FILE:LINE: text; exits 1 if there is one.

Names are those of `.kind = {"name"` below the folder given (src). Comparisons are strcmp with one of these names as
a text, or with what is got from a kind (`kind->name`, `sg_setting_kind(..)->name`)."""

import re
import sys
from pathlib import Path

DECLARED = re.compile(r'(?:\.kind\s*=\s*\{|struct sg_kind \w+ = \{)\s*(?:\.name\s*=\s*)?"([^"]+)"')
COMPARED = re.compile(r"\bstr(?:case)?cmp\s*\(")
FROM_KIND = re.compile(r"\bkind(?:\([^()]*\))?(?:\.|->)name\b|sg_\w+_kind\s*\([^;]*\)\s*->\s*name\b")
# deck/ looks kinds up by the words of a deck, which is its duty
LOOKS_UP = {"deck"}


def arguments(text, start):
    """The text up to the parenthesis that closes the one before `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


def findings(source, names):
    text = source.read_text(encoding="utf-8")
    for found in COMPARED.finditer(text):
        compared = arguments(text, found.end())
        literals = re.findall(r'"([^"]*)"', compared)
        by_name = [word for word in literals if word in names]
        if by_name or FROM_KIND.search(compared):
            yield text.count("\n", 0, found.start()) + 1, " ".join(compared.split())


def main():
    src = Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    sources = sorted(src.rglob("*.[ch]"))
    names = {name for source in sources for name in DECLARED.findall(source.read_text(encoding="utf-8"))}
    count = 0
    for source in sources:
        if source.relative_to(src).parts[0] in LOOKS_UP:
            continue
        for line, compared in findings(source, names):
            print(f"{source}:{line}: a kind is asked for by its name: {compared}")
            count += 1
    print(f"summary: {len(names)} kinds, {count} asked for by name")
    return 1 if count or not names else 0


if __name__ == "__main__":
    sys.exit(main())
