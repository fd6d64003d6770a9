#!/bin/sh
# pip install from the tree and from an sdist, in an environment of its own; then the README's example, run elsewhere.
# Takes the packages that pip finds, so it is no part of make check.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
[ -n "${PYTHON:-}" ] || [ ! -x "$root/.venv/bin/python" ] || python=$root/.venv/bin/python
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# It is the packaging that is tested: kernels compile in half the time.
SV_CONFIGURE="${SV_CONFIGURE:-} CFLAGS=-O1"
export SV_CONFIGURE

"$python" -m venv venv
pip="venv/bin/python -m pip -q --disable-pip-version-check"
$pip install build numpy
for way in tree sdist; do
    if [ $way = tree ]; then
        $pip install "$root"
    else
        venv/bin/python -m build --sdist --outdir . "$root" >build.log 2>&1 || { cat build.log; exit 1; }
        $pip install --force-reinstall --no-deps strideview-*.tar.gz
    fi
    echo "pip install from the $way:"
    venv/bin/python "$root/tests/docs/readme.py" >out || { cat out; exit 1; }
    cat out
    if grep -q '^not ok' out; then exit 1; fi
done
