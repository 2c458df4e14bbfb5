#!/usr/bin/env bash
# What `make install` puts below DESTDIR is complete and works from there; `make uninstall` leaves no file.
set -eu
cd "$(dirname "$0")/../.."

fail() { echo "$*"; exit 1; }
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
program=$(realpath --relative-to=. -- "$SIGNORINI")
root=$temporary/root prefix=/usr

# -o: the program under test is installed as it is, whatever flags it was built with
install() { make -s -o "$program" B="$(dirname "$program")" DESTDIR="$root" PREFIX=$prefix "$@"; }

install install
installed=$root$prefix/bin/signorini
[ -x "$installed" ] || fail "no program in bin/"
cmp -s "$SIGNORINI" "$installed" || fail "the installed program is another one"
for deck in decks/*.cfg; do
    cmp -s "$deck" "$root$prefix/share/signorini/$deck" || fail "$deck is not installed"
done
for schema in deck study ground-motion results; do
    cmp -s "schemas/$schema.schema.json" "$root$prefix/share/signorini/schemas/$schema.schema.json" ||
        fail "the schema of $schema is not installed"
done

# the manual page names every command
page=$root$prefix/share/man/man1/signorini.1
for command in run check help list verify compare plot export sweep ground-motion schema; do
    sed 's/\\-/-/g' "$page" | grep -q "signorini $command" || fail "$command is not in the manual page"
done

# no file of the source tree is needed
(cd "$temporary" && "$installed" schema deck) | cmp -s - schemas/deck.schema.json || fail "the schema differs"

# completion: commands, options, decks, keyword paths
complete_words() # WORD...: what bash offers for the last word, a line each
{
    (
        cd "$temporary"
        : >one.cfg
        PATH=$root$prefix/bin:$PATH
        # shellcheck disable=SC1090
        . "$root$prefix/share/bash-completion/completions/signorini"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _signorini
        printf '%s\n' "${COMPREPLY[@]}"
    )
}
complete_words signorini ru | grep -qx run || fail "completion: no command"
complete_words signorini run --re | grep -qx -- --resume || fail "completion: no option"
complete_words signorini run on | grep -qx one.cfg || fail "completion: no deck"
complete_words signorini sweep --co | grep -qx -- --collect || fail "completion: no option of sweep"
complete_words signorini ground-motion on | grep -qx one.cfg || fail "completion: no deck of ground motion"
complete_words signorini list int | grep -qx integrators || fail "completion: no list"
complete_words signorini help integrator.rho | grep -qx integrator.rho_inf || fail "completion: no keyword path"
complete_words signorini run one.cfg --set integrator.rho | grep -q '^integrator.rho_inf=' ||
    fail "completion: no keyword path after --set"

install uninstall
left=$(find "$root" -type f)
[ -z "$left" ] || fail "uninstall leaves $left"
