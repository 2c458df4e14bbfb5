#!/usr/bin/python3
"""What a kind (an integrator, a strategy, a body, a gap, a law, ...) can do stands in its table: nothing may ask for a
kind by its name or by the address of its table. Prints each comparison of a kind's name or table, and each place
outside of src/contact that reads a law's coefficient of restitution, as FILE:LINE: text; exits 1 if there is one.

Names are those of `.kind = {"name"` below the folder given (src). Comparisons are strcmp with one of these names as
a text, or with what is got from a kind (`kind->name`, `sg_setting_kind(..)->name`)."""

import re
import sys
from pathlib import Path

DECLARED = re.compile(r'(?:\.kind\s*=\s*\{|struct sg_kind \w+ = \{)\s*(?:\.name\s*=\s*)?"([^"]+)"')
COMPARED = re.compile(r"\bstr(?:case)?cmp\s*\(")
FROM_KIND = re.compile(r"\bkind(?:\([^()]*\))?(?:\.|->)name\b|sg_\w+_kind\s*\([^;]*\)\s*->\s*name\b")
TABLE = re.compile(r"const struct sg_\w+_ops (sg_\w+)\s*=\s*\{")
# the law object is asked by its functions (contact/law.h)
LAW_READ = re.compile(r"\blaws?(?:\s*\[[^\]]*\])?\s*(?:\.|->)\s*restitution\b")
LAW_ROOM = "contact"
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


def tables(source, known):
    """Comparisons with the address of a kind's table, in whichever order."""
    text = source.read_text(encoding="utf-8")
    for found in re.finditer(r"[=!]=\s*&(sg_\w+)\b|&(sg_\w+)\s*[=!]=", text):
        if (found.group(1) or found.group(2)) in known:
            yield text.count("\n", 0, found.start()) + 1, found.group(0)


def main():
    src = Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    sources = sorted(src.rglob("*.[ch]"))
    names = {name for source in sources for name in DECLARED.findall(source.read_text(encoding="utf-8"))}
    known = {name for source in sources for name in TABLE.findall(source.read_text(encoding="utf-8"))}
    count = reads = 0
    for source in sources:
        if source.relative_to(src).parts[0] in LOOKS_UP:
            continue
        for line, compared in findings(source, names):
            print(f"{source}:{line}: a kind is asked for by its name: {compared}")
            count += 1
        for line, compared in tables(source, known):
            print(f"{source}:{line}: a kind is asked for by its table: {compared}")
            count += 1
        if source.relative_to(src).parts[0] == LAW_ROOM:
            continue
        text = source.read_text(encoding="utf-8")
        for found in LAW_READ.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            print(f"{source}:{line}: a law's restitution is read outside of src/{LAW_ROOM}: {found.group(0)}")
            reads += 1
    print(f"summary: {len(names)} kinds, {count} asked for by name, {reads} reads of a law's restitution")
    return 1 if count or reads or not names else 0


if __name__ == "__main__":
    sys.exit(main())
