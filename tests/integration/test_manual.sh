#!/usr/bin/env bash
# The manual does not decay: docs/decks.md is what the program emits, links lead to files, and the source
# files that the pages name exist.
set -eu
cd "$(dirname "$0")/../.."

fail() { echo "$*"; exit 1; }
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

"$SIGNORINI" help --manual >"$temporary/decks.md"
diff -u docs/decks.md "$temporary/decks.md" || fail "docs/decks.md is not what the program emits: make docs"
for topic in study ground-motion; do
    "$SIGNORINI" help --manual $topic >"$temporary/$topic-keywords.md"
    diff -u "docs/$topic-keywords.md" "$temporary/$topic-keywords.md" ||
        fail "docs/$topic-keywords.md is not what the program emits: make docs"
done

pages=(README.md docs/*.md)
[ ${#pages[@]} -ge 5 ] || fail "pages are missing: there are ${pages[*]}"
for page in "${pages[@]}"; do
    # relative links, anchors cut off
    grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\(//; s/[)#].*$//' | grep -vE '^(https?:.*)?$' |
        while read -r target; do
            [ -e "$(dirname "$page")/$target" ] || fail "$page: the link to $target leads nowhere"
        done
    # `src/...`, `tests/...`, `tools/...`, `decks/...`; NAME and KIND stand for names to be chosen
    grep -oE '`(src|tests|tools|decks|schemas|docs)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' |
        grep -vE 'NAME|KIND' | sort -u | while read -r name; do
            [ -e "$name" ] || fail "$page: there is no $name"
        done
done
