#!/bin/sh
# embed_decks.sh DECK...: prints C source with the bytes of the decks (see src/benchmarks/shipped.h).
# Numbers, not string literals: those may hold only 4095 characters in C11.
set -eu

name() { basename "$1" .cfg; }

printf '#include "benchmarks/shipped.h"\n\n'
for deck in "$@"; do
    printf 'static const unsigned char deck_%s[] = {\n' "$(name "$deck")"
    od -An -v -tu1 "$deck" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
    printf '0};\n\n'
done
printf 'const struct sg_shipped_deck sg_shipped_decks[] = {\n'
for deck in "$@"; do
    printf '    {"%s", (const char *)deck_%s, sizeof deck_%s - 1},\n' \
        "$(name "$deck")" "$(name "$deck")" "$(name "$deck")"
done
printf '    {0, 0, 0}};\n'
