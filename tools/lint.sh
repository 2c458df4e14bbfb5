#!/usr/bin/env bash
# lint.sh [PART...]: one line a part, the findings of those that fail. Called by `make lint`.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${B:=build}" "${CC:=gcc}" "${MAKE:=make}"
logs=$B/lint
mkdir -p "$logs"

# builds of their own, so that the normal one stays as it is
other_build() { "$MAKE" -s -k B="$B/$1" OPT="$2" WERROR=-Werror "${@:3}"; }

format()    { find src tests -name '*.[ch]' -print0 | xargs -0 -r clang-format --dry-run -Werror; }
includes()  { tools/lint_includes.py; }
functions() { tools/lint_functions.py; }
# the build of `make`, where that was gcc's
gcc_build() { "$MAKE" -s -k CC=gcc WERROR=-Werror objects; }
clang()     { other_build lint-clang -O1 CC=clang objects; }
tidy()      { "$MAKE" -s -k tidy; }
cppcheck()  { "$MAKE" -s cppcheck; }
# gcc 12's analyzer doubts memory that is filled through a pointer to a pointer, as sg_alloc does
analyzer()
{
    local doubtful='-Wno-analyzer-use-of-uninitialized-value -Wno-analyzer-possible-null-dereference'
    doubtful+=' -Wno-analyzer-possible-null-argument -Wno-analyzer-malloc-leak'
    other_build lint-analyzer -O1 CC=gcc CFLAGS="-fanalyzer $doubtful" library-objects
}
symbols()   { gcc_build && tools/lint_symbols.py "$B/obj/src"; }
kinds()     { tools/lint_kinds.py; }
structure() { gcc_build && tools/lint_structure.py src "$B/obj/src"; }
scripts()
{
    local f
    for f in .ci/run tests/run tools/*.sh tests/integration/*.sh tools/completion/*.bash; do
        bash -n "$f" || return 1
    done
    /usr/bin/python3 - tools/*.py tests/integration/*.py <<'END'
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)
END
}
# what stands at the top stays few
toplevel()
{
    local extra
    extra=$(find . -mindepth 1 -maxdepth 1 ! -name '.*' | cut -c 3- |
        grep -vxE 'Makefile|src|decks|schemas|tests|tools|docs|README.md|build')
    [ -z "$extra" ] || { echo "not at home at the top level: $extra"; return 1; }
}

if [ $# -gt 0 ]; then parts=("$@"); else
    parts=(toplevel format includes kinds functions scripts gcc_build symbols clang cppcheck analyzer tidy)
fi
failed=0
for part in "${parts[@]}"; do
    [ "$(type -t "$part")" = function ] || { echo "lint.sh: error: no part '$part'" >&2; exit 64; }
    start=$(date +%s%N)
    if "$part" >"$logs/$part.log" 2>&1; then verdict=ok; else verdict=FAIL failed=$((failed + 1)); fi
    ms=$((($(date +%s%N) - start) / 1000000))
    detail=''
    [ $verdict = ok ] && detail=$(grep '^summary: ' "$logs/$part.log" | sed 's/^summary: //')
    printf '%-4s %-10s %3d.%d s  %s\n' $verdict "$part" $((ms / 1000)) $((ms % 1000 / 100)) "$detail"
    [ $verdict = ok ] || cat "$logs/$part.log"
done
if [ $failed -gt 0 ]; then
    echo "lint: $failed of ${#parts[@]} parts failed"
    exit 1
fi
echo "lint: ${#parts[@]} parts, all clean"
