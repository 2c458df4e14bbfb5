#!/bin/sh
# embed_decks.sh FILE...: prints C source with the bytes of decks (.cfg), benchmarks (.bench) and the files beside them (see
# src/benchmarks/shipped.h). Numbers, not string literals: those may hold only 4095 characters in C11.
set -eu

word() { basename "$1" | tr -c 'A-Za-z0-9\n' _; }

table() # TYPE TABLE KIND: a row for each file that is a deck, a benchmark or neither
{
    printf 'const struct %s %s[] = {\n' "$1" "$2"
    shift 2
    wanted=$1
    shift
    for file in "$@"; do
        case $file in
        *.cfg) kind=deck name=$(basename "$file" .cfg) ;;
        *.bench) kind=bench name=$(basename "$file" .bench) ;;
        *) kind=side name=$(basename "$file") ;;
        esac
        [ $kind = "$wanted" ] || continue
        printf '    {"%s", (const char *)bytes_%s, sizeof bytes_%s - 1},\n' \
            "$name" "$(word "$file")" "$(word "$file")"
    done
    printf '    {0, 0, 0}};\n'
}

printf '#include "benchmarks/shipped.h"\n\n'
for file in "$@"; do
    printf 'static const unsigned char bytes_%s[] = {\n' "$(word "$file")"
    od -An -v -tu1 "$file" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
    printf '0};\n\n'
done
table sg_shipped_deck sg_shipped_decks deck "$@"
table sg_shipped_deck sg_shipped_benches bench "$@"
table sg_side_file sg_shipped_files side "$@"
