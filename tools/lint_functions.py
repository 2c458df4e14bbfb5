#!/usr/bin/python3
"""Lengths, parameters and nesting of the C functions below the folders given (src and tests), and
lengths of files. Fails above the limits; prints the distribution, and nesting that is too deep, as a
matter of report.

    length      lines from the first of the signature to the closing brace
    nesting     if, for, while, do, switch inside each other; one that fits on its line counts for none,
                and else-if stays on the level of its if
"""

import re
import sys
from pathlib import Path

MAX_LINES = 80
MAX_PARAMETERS = 5
MAX_NESTING = 3
MAX_FILE = 600
LIKED_MEDIAN, LIKED_90_PERCENT = 15, 40

SILENT = re.compile(
    r"/\*.*?\*/|//[^\n]*"  # comments
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''  # strings, characters
    r"|^[ \t]*\#(?:\\\n|[^\n])*",  # preprocessor
    re.S | re.M,
)
TOKEN = re.compile(r"\w+|[^\s\w]")
OPEN, CLOSE = {"(": ")", "{": "}", "[": "]"}, {")", "}", "]"}


class Function:
    def __init__(self, name, line, length, parameters, nesting):
        self.name, self.line = name, line
        self.length, self.parameters, self.nesting = length, parameters, nesting


def blank(found):
    """Keeps a token where a string stood, and the lines of everything."""
    stands_for = "0" if found[0][0] in "\"'" else " "
    return stands_for + "\n" * found[0].count("\n")


class Tokens:
    """Words and signs of a C text, each with its line."""

    def __init__(self, text):
        text = SILENT.sub(blank, text)
        self.text, self.line = [], []
        line, position = 1, 0
        for found in TOKEN.finditer(text):
            line += text.count("\n", position, found.start())
            position = found.start()
            self.text.append(found[0])
            self.line.append(line)

    def __len__(self):
        return len(self.text)

    def at(self, i):
        return self.text[i] if 0 <= i < len(self.text) else ""

    def after_pair(self, i):
        """The place after the bracket that closes the one at i."""
        depth = 0
        while i < len(self.text):
            if self.text[i] in OPEN:
                depth += 1
            elif self.text[i] in CLOSE:
                depth -= 1
                if depth == 0:
                    return i + 1
            i += 1
        return i

    def before_pair(self, i):
        """The place of the bracket that opens the one at i."""
        depth = 0
        while i >= 0:
            if self.text[i] in CLOSE:
                depth += 1
            elif self.text[i] in OPEN:
                depth -= 1
                if depth == 0:
                    return i
            i -= 1
        return 0


class Nesting:
    """Walks the statements of a body and keeps the deepest level."""

    def __init__(self, tokens):
        self.tokens, self.deepest = tokens, 0

    def block(self, i, depth):
        """From the brace at i to the place after its partner."""
        i += 1
        while i < len(self.tokens) and self.tokens.at(i) != "}":
            i = self.statement(i, depth)
        return i + 1

    def statement(self, i, depth):
        word = self.tokens.at(i)
        if word == "{":
            return self.block(i, depth)
        if word in ("if", "for", "while", "switch"):
            return self.controlled(i, depth)
        if word == "do":
            i = self.inner(i, i + 1, depth)
            return self.simple(i)
        if word in ("case", "default"):
            while self.tokens.at(i) not in (":", ""):
                i += 1
            return i + 1
        return self.simple(i)

    def controlled(self, i, depth):
        keyword = i
        i = self.inner(keyword, self.tokens.after_pair(i + 1), depth)
        if self.tokens.at(keyword) != "if" or self.tokens.at(i) != "else":
            return i
        if self.tokens.at(i + 1) == "if":
            return self.statement(i + 1, depth)
        return self.inner(i, i + 1, depth)

    def inner(self, keyword, body, depth):
        end = self.statement(body, depth + 1)
        if self.tokens.line[min(end, len(self.tokens)) - 1] > self.tokens.line[keyword]:
            self.deepest = max(self.deepest, depth + 1)
        return end

    def simple(self, i):
        """To the place after the semicolon; a macro that needs none ends at the brace of its block."""
        while i < len(self.tokens):
            word = self.tokens.at(i)
            if word == ";":
                return i + 1
            if word == "}":
                return i
            i = self.tokens.after_pair(i) if word in OPEN else i + 1
        return i


def count_parameters(tokens, opening):
    """The three dots of a variadic function are none, nor is the error that comes last by convention."""
    end = tokens.after_pair(opening) - 1
    if [tokens.at(end - k) for k in (5, 4, 3, 2, 1)] == [",", "struct", "sg_error", "*", "err"]:
        end -= 5
    if [tokens.at(end - k) for k in (4, 3, 2, 1)] == [",", ".", ".", "."]:
        end -= 4
    inside = range(opening + 1, end)
    if len(inside) == 0 or (len(inside) == 1 and tokens.at(inside[0]) == "void"):
        return 0
    count, depth = 1, 0
    for i in inside:
        depth += (tokens.at(i) in OPEN) - (tokens.at(i) in CLOSE)
        count += tokens.at(i) == "," and depth == 0
    return count


def functions(tokens):
    start, i = 0, 0
    while i < len(tokens):
        word = tokens.at(i)
        if word in (";", "END_TEST"):
            start = i + 1
        if word == "(" or word == "[":
            i = tokens.after_pair(i)
            continue
        if word != "{":
            i += 1
            continue
        end = tokens.after_pair(i)
        if tokens.at(i - 1) == ")":
            opening = tokens.before_pair(i - 1)
            name = tokens.at(opening - 1)
            if name == "START_TEST":
                name = tokens.at(opening + 1)
            nesting = Nesting(tokens)
            nesting.block(i, 0)
            length = tokens.line[end - 1] - tokens.line[start] + 1
            parameters = count_parameters(tokens, opening)
            yield Function(name, tokens.line[start], length, parameters, nesting.deepest)
            start = end
        i = end


def comment_ratio(texts):
    """Lines with a comment for each line with code."""
    comments = code = 0
    for text in texts:
        without = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        code += sum(1 for line in without.splitlines() if line.strip())
        for found in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.S):
            comments += 1 + found[0].count("\n")
    return comments / code if code else 0.0


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0


def judge(path, found):
    place = f"{path}:{found.line}: {found.name}"
    if found.length > MAX_LINES:
        yield f"{place}: {found.length} lines, limit {MAX_LINES}"
    if found.parameters > MAX_PARAMETERS:
        yield f"{place}: {found.parameters} parameters, limit {MAX_PARAMETERS}"


def summarise(all_found, texts):
    lengths = [found.length for found in all_found]
    median, ninety = percentile(lengths, 0.5), percentile(lengths, 0.9)
    headers = comment_ratio(text for path, text in texts.items() if path.suffix == ".h")
    sources = comment_ratio(text for path, text in texts.items() if path.suffix == ".c")
    print(
        f"summary: {len(lengths)} functions: median {median}, 90 % {ninety}, longest {max(lengths, default=0)} "
        f"lines (liked: {LIKED_MEDIAN}, {LIKED_90_PERCENT}); comment lines a code line: "
        f"headers {headers:.2f}, sources {sources:.2f}"
    )


def main():
    roots = [Path(root) for root in sys.argv[1:] or ["src", "tests"]]
    texts = {path: path.read_text(encoding="utf-8") for root in roots for path in sorted(root.rglob("*.[ch]"))}
    failures, deep, in_src = [], [], []
    for path, text in texts.items():
        lines = text.count("\n")
        if lines > MAX_FILE:
            failures.append(f"{path}:1: {lines} lines, limit {MAX_FILE}")
        for found in functions(Tokens(text)):
            failures.extend(judge(path, found))
            if found.nesting > MAX_NESTING:
                deep.append(f"{path}:{found.line}: {found.name}: nested {found.nesting} deep (reported only)")
            if path.suffix == ".c" and path.parts[0] == roots[0].parts[0]:
                in_src.append(found)
    for line in failures + deep:
        print(line)
    summarise(in_src, {path: text for path, text in texts.items() if path.parts[0] == roots[0].parts[0]})
    if deep:
        print(f"summary: {len(deep)} functions nested deeper than {MAX_NESTING}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
