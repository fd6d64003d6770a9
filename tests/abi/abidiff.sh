#!/bin/sh
# abidiff.sh SOURCE OLD CONFIGURE-ARGUMENT...: compares libsv.so of this build tree with that of the commit OLD, or of the
# newest release where OLD is empty, by abidiff of libabigail. New functions are no fault; anything else is. tests/abi/ has
# the prototypes of each release, which make check compares; here the machine code's own description is the witness.
set -eu
source=$1
old=$2
shift 2
[ -n "$old" ] || old=$(git -C "$source" tag -l 'v[0-9]*.[0-9]*.[0-9]*' --sort=-version:refname | head -n 1)
[ -n "$old" ] || { echo 'check-abi: nothing is released yet; OLD=COMMIT compares with a commit'; exit 0; }
command -v abidiff >/dev/null || { echo 'check-abi: abidiff is missing, which the Debian package abigail-tools has' >&2; exit 1; }

place=$PWD/full-abi
rm -rf "$place"
mkdir "$place"
git -C "$source" archive "$old" | tar -xf - -C "$place"
(cd "$place" && ./bootstrap --no-install && ./configure -q "$@" --without-cuda --with-criterion=no CFLAGS='-g -O0' &&
    make -s libsv.la) >"$place.log" 2>&1 || { tail -n 40 "$place.log" >&2; exit 1; }

status=0
abidiff --no-added-syms --headers-dir1 "$place/include" --headers-dir2 "$source/include" \
    "$place/.libs/libsv.so" .libs/libsv.so || status=$?
rm -rf "$place" "$place.log"
[ $status = 0 ] || { echo "check-abi: libsv.so is not what $old was: abidiff ends with $status" >&2; exit 1; }
echo "check-abi: programs that were linked with $old run with this libsv.so"
