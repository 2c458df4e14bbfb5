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
for topic in study ground-motion benchmark; do
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

# the table of README.md has a word where the grid has a scheme, and none elsewhere
"$SIGNORINI" list grid | awk 'NR > 1 {
    column = $2 == "time-stepping" ? $2 " " $3 : $2
    print $1, column
}' | sort -u >"$temporary/grid"
awk -F ' *[|] *' '
    /^\| integrator \\ strategy/ {
        for (i = 3; i < NF; i++) {
            gsub(/`/, "", $i)
            level = $i ~ /velocity/ ? "velocity" : $i ~ /position/ ? "position" : $i ~ /both/ ? "both" : ""
            name[i] = level == "" ? $i : "time-stepping " level
        }
        inside = 1
        next
    }
    inside && !/^\|/ { exit }
    inside && $2 ~ /`/ { gsub(/`/, "", $2); for (i = 3; i < NF; i++) if ($i != "") print $2, name[i] }
' README.md | sort -u >"$temporary/readme"
[ -s "$temporary/grid" ] || fail "list grid prints nothing"
diff "$temporary/grid" "$temporary/readme" || fail "README.md: < has list grid alone, > has its table alone"
