#!/bin/sh
# version.sh VERSION: prints version.h. The commit is "unknown" outside a git checkout of this project.
set -eu
cd "$(dirname "$0")/.."

commit=unknown
# the checkout may belong to another user (a container's root): reading its commit is harmless
ask_git() { git -c safe.directory='*' "$@" 2>/dev/null; }
if command -v git >/dev/null 2>&1 && [ "$(ask_git rev-parse --show-toplevel)" = "$(pwd -P)" ]; then
    commit=$(ask_git describe --always --dirty --abbrev=12 --exclude='*') || commit=unknown
fi
cat <<END
#ifndef SG_VERSION_H
#define SG_VERSION_H
#define SG_VERSION "$1"
#define SG_COMMIT  "$commit"
#endif
END
