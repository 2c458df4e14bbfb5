#!/usr/bin/env bash
# `signorini verify`: exit codes, the choice by name, well-formed JUnit, and verdicts that can fail.
set -eu
cd "$(dirname "$0")/../.."

fail() { echo "$*"; exit 1; }
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cd "$temporary"

verify() # EXIT ARGUMENT...: words to out and err
{
    local expected=$1 code=0
    shift
    "$SIGNORINI" verify "$@" >out 2>err || code=$?
    [ $code = "$expected" ] || { cat out err; fail "verify $*: exit $code, not $expected"; }
}
verdicts() { grep -cE " $1\$" out || true; }

# FILE TESTS FAILURES: what an XML parser finds
junit()
{
    /usr/bin/python3 - "$@" <<'END'
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
tests, failures = int(sys.argv[2]), int(sys.argv[3])
cases, failed = root.findall("testsuite/testcase"), root.findall("testsuite/testcase/failure")
assert root.tag == "testsuites", root.tag
assert (len(cases), len(failed)) == (tests, failures), (len(cases), len(failed))
assert (int(root.get("tests")), int(root.get("failures"))) == (tests, failures), root.attrib
for suite in root:
    assert int(suite.get("tests")) == len(suite.findall("testcase")), suite.attrib
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure")), suite.attrib
names = [(case.get("classname"), case.get("name")) for case in cases]
assert len(set(names)) == len(names), "two figures bear one name"
assert all(" must be " in failure.get("message") for failure in failed)
END
}

# every benchmark of the list is a deck that ships
verify 0 --list
[ "$(wc -l <out)" -ge 3 ] || fail "the list is too short"
for name in $(cut -d' ' -f1 out); do
    [ -f "$OLDPWD/decks/$name.cfg" ] || fail "no deck of benchmark $name"
done

# and every deck that ships is one of them, but for the study that shows what studies do
for deck in "$OLDPWD"/decks/*.cfg; do
    name=$(basename "$deck" .cfg)
    [ "$name" = sweep_bouncing_bar ] || grep -q "^$name " out || fail "no benchmark of deck $name"
done

# one by name: its figures alone, no file beside the one asked for
verify 0 ball_events --junit one.xml
count=$(verdicts PASS)
[ "$count" -ge 8 ] && [ "$(verdicts FAIL)" = 0 ] || fail "ball_events: $count passed, $(verdicts FAIL) failed"
[ "$(grep -cE '^ball_events .* (PASS|FAIL)$' out)" = "$count" ] || fail "figures of other benchmarks"
junit one.xml "$count" 0
[ "$(echo *)" = "err one.xml out" ] || fail "files left behind: $(echo *)"

# two by name, in that order
verify 0 ball_events bouncing_bar --junit two.xml
count=$(verdicts PASS)
[ "$(grep -oE '^(ball_events|bouncing_bar)' out | uniq | tr '\n' ' ')" = "ball_events bouncing_bar " ] ||
    fail "order"
junit two.xml "$count" 0

# limits scaled to nothing fail every figure; to a little, some: each is judged by itself
verify 1 ball_events bouncing_bar --scale-limits 0 --junit none.xml
[ "$(verdicts FAIL)" = "$count" ] && [ "$(verdicts PASS)" = 0 ] || fail "figures pass a limit of 0"
junit none.xml "$count" "$count"
verify 1 ball_events bouncing_bar --scale-limits 0.5 --junit some.xml
[ "$(verdicts FAIL)" -gt 0 ] && [ "$(verdicts PASS)" -gt 0 ] || fail "figures are not judged one by one"
junit some.xml "$count" "$(verdicts FAIL)"
grep -q 'figures failed' err || fail "no word about failures on stderr"

# wrong usage, before anything runs
verify 64 no_such_benchmark ball_events
grep -q "no_such_benchmark.*ball_events.*bouncing_bar.*newton_cradle" err || fail "names are not listed"
[ ! -s out ] || fail "it ran in spite of wrong usage"
verify 64 --scale-limits -1
verify 64 --scale-limits nan
verify 64 --scale-limits much
verify 64 --junit

# a report that can't be written
verify 73 ball_events --junit no/such/folder.xml
verify 74 ball_events --junit /dev/full
