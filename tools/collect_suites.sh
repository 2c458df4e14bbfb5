#!/bin/sh
# collect_suites.sh FILE...: prints a main for Check that runs every `Suite *sg_suite_NAME(void)` of the files.
set -eu

[ $# -gt 0 ] || { echo "collect_suites.sh: error: no test files" >&2; exit 1; }
suites=$(sed -n 's/^Suite \*\(sg_suite_[a-z0-9_]*\)(void).*/\1/p' "$@" | sort -u)
[ -n "$suites" ] || { echo "collect_suites.sh: error: no suite in $*" >&2; exit 1; }
for file in "$@"; do
    case $file in
    */test_*.c)
        grep -q '^Suite \*sg_suite_[a-z0-9_]*(void)' "$file" ||
            { echo "collect_suites.sh: error: $file has no suite" >&2; exit 1; }
        ;;
    esac
done

echo '#include <check.h>'
echo '#include <stdlib.h>'
echo
for suite in $suites; do echo "Suite *$suite(void);"; done
cat <<'END'

int main(void)
{
    SRunner *runner = srunner_create(NULL);
END
for suite in $suites; do echo "    srunner_add_suite(runner, $suite());"; done
cat <<'END'
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
END
