#!/bin/sh
# Prints where this machine's Debian packages come from: DEBIAN_MIRROR, or the first source of apt.
set -eu
found=${DEBIAN_MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | head -n 1)}
[ -n "$found" ] || { echo 'no source of Debian packages here: set DEBIAN_MIRROR' >&2; exit 1; }
echo "$found"
