#!/bin/sh
# try_release.sh RELEASE FOLDER: both commands of the README in a minimal Debian RELEASE (bookworm, trixie ...), which
# debootstrap makes below FOLDER: only make and git are there. Needs root, and Debian's packages. The commit at hand is
# tried, not what lies about uncommitted. The system stays for the next time; FOLDER may be removed.
set -eu
cd "$(dirname "$0")/.."
release=$1 folder=$2
[ "$(id -u)" = 0 ] || { echo "try_release.sh: error: a system of its own needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || apt-get install -q -y --no-install-recommends debootstrap </dev/null >/dev/null

system=$folder/$release
if [ ! -e "$system/complete" ]; then
    rm -rf "$system"
    mkdir -p "$system"
    system=$(cd "$system" && pwd)
    debootstrap --variant=minbase --include=make,git,ca-certificates "$release" "$system" >"$folder/$release.log"
    touch "$system/complete"
fi
system=$(cd "$system" && pwd)
cp /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true
rm -rf "$system/root/signorini"
git clone -q . "$system/root/signorini"
for command in demo test; do
    echo "==== $release: make $command"
    # what is mounted is seen by these processes alone, and gone with them
    unshare --mount --pid --fork sh -eu -c '
        mount -t proc proc "$1/proc"
        mount -t tmpfs tmpfs "$1/dev/shm"
        exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LANG=C.UTF-8 make -C /root/signorini --no-print-directory "$2"
    ' try "$system" "$command" </dev/null
done
echo "==== $release: both passed"
