#!/bin/sh
# deps.sh GROUP... [COMPILER]: installs the Debian packages that are missing for the groups
# build, test, siconos, slurm, demo, lint. Silent, and without apt, when nothing is missing.
set -eu

missing=''
want() { # want PACKAGE PROBE...: the probe succeeds where the package (or its equal) is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
have() { command -v "$1"; }
have_module() { /usr/bin/python3 -c "import importlib.util as u; raise SystemExit(not u.find_spec('$1'))"; }
have_library() { have pkg-config && pkg-config --exists "$@"; }
have_hdf5() { have_library hdf5-serial || have_library hdf5; }

for group in "$@"; do
    case $group in
    build)
        want gcc have gcc
        want libc6-dev test -e /usr/include/stdio.h
        want make have make
        want pkg-config have pkg-config
        want libconfig-dev have_library libconfig
        want libopenblas-dev have_library openblas
        want liblapacke-dev have_library lapacke
        want libhdf5-dev have_hdf5
        want libsuitesparse-dev test -e /usr/include/suitesparse/umfpack.h
        want libmd-dev test -e /usr/include/sha2.h
        ;;
    test)
        want check have_library check
        want python3 test -x /usr/bin/python3
        want python3-h5py have_module h5py
        want python3-scipy have_module scipy
        want python3-jsonschema have_module jsonschema
        want hdf5-tools have h5clear
        ;;
    siconos)
        want libsiconos-numerics-dev test -e /usr/include/siconos/numerics
        ;;
    slurm)
        want slurmctld have slurmctld
        want slurmd have slurmd
        want slurm-client have sbatch
        want munge have munged
        ;;
    demo)
        want gnuplot-nox have gnuplot
        ;;
    lint)
        want clang have clang
        want clang-format have clang-format
        want clang-tidy have clang-tidy
        want cppcheck have cppcheck
        want python3 test -x /usr/bin/python3
        ;;
    *gcc* | *cc)
        want gcc have "${group%% *}"
        ;;
    *clang*)
        want clang have "${group%% *}"
        ;;
    *)
        echo "deps.sh: error: unknown group '$group' (build, test, siconos, slurm, demo, lint)" >&2
        exit 64
        ;;
    esac
done
[ -n "$missing" ] || exit 0

if ! have apt-get >/dev/null; then
    echo "error: missing packages (Debian's names):$missing" >&2
    exit 1
fi
root=''
if [ "$(id -u)" != 0 ]; then
    if ! have sudo >/dev/null || ! sudo -n true 2>/dev/null; then
        echo "error: missing packages; as root: apt-get install$missing" >&2
        exit 1
    fi
    root='sudo -n'
fi

apt() { # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
echo "installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
install_missing() { apt install --no-install-recommends $missing >"$log" 2>&1; }
# no lists yet, or old ones: fetch them and try again
if ! install_missing; then
    apt update >"$log" 2>&1 || true
    install_missing || { cat "$log" >&2; echo "error: could not install$missing" >&2; exit 1; }
fi
