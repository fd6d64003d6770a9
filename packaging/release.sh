#!/bin/sh
# Checks that the tree is ready for a release and makes what is published: the archive, the wheels and their sums.
set -eu
cd "$(dirname "$0")/.."

usage="usage: packaging/release.sh [--check | --dry-run] [--no-wheels] [FOLDER]

Run in a configured tree, at the commit of the release. First it checks what must agree, and says all that does not.
Then it runs make distcheck, which builds and tests the archive, makes it a second time, which must give the same
bytes, builds the wheels (packaging/wheels.sh), and writes all of them with SHA256SUMS to FOLDER [dist]. It publishes
nothing and sets no tag.

  --check      only the checks that hold on every day: seconds
  --dry-run    only the checks, those of the day of a release too: a dated ChangeLog, a clean tree, no such tag
  --no-wheels  without the wheels"

mode=whole
wheels=yes
folder=dist
while [ $# -gt 0 ]; do
    case $1 in
    --check) mode=check ;;
    --dry-run) mode=dry-run ;;
    --no-wheels) wheels=no ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) echo "$usage" >&2; exit 2 ;;
    *) folder=$1 ;;
    esac
    shift
done

python=${PYTHON:-python3}
[ -n "${PYTHON:-}" ] || [ ! -x .venv/bin/python ] || python=$PWD/.venv/bin/python
export PYTHONDONTWRITEBYTECODE=1
version=$(sed -n 's/^ *SV_VERSION_\(MAJOR\|MINOR\|PATCH\) = \([0-9]*\),$/\2/p' include/sv/base.h | paste -sd.)
failed=

fault() {
    echo "release: $*" >&2
    failed=yes
}

check_files() {
    if [ $mode = check ]; then dated=; else dated=--release; fi
    "$python" packaging/check_release.py $dated >&2 || fault "the files above do not agree about version $version"
    "$python" py/gen_bindings.py --check >&2 || fault "generated files are not those of the headers: make bindings"
}

# The declarations of a release, and so its version node, never change after it.
check_released_files() {
    for tag in $(git tag -l 'v[0-9]*.[0-9]*.[0-9]*'); do
        series=${tag#v}
        series=${series%.*}
        git diff --quiet "$tag" -- "tests/abi/$series.h" "tests/abi/$series.table" ||
            fault "tests/abi/$series.h or .table has changed since $tag"
    done
}

check_commit() {
    [ -z "$(git status --porcelain)" ] || fault "the tree has changes that are not committed, or files that git does not know"
    ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fault "the tag v$version is there already"
}

sum_of() {
    sha256sum "$1" | cut -d ' ' -f 1
}

# With the date of the commit the archive depends on nothing of this machine but the versions of the Autotools.
make_archive() {
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    make distcheck
    first=$(sum_of "libsv-$version.tar.xz")
    make dist
    [ "$first" = "$(sum_of "libsv-$version.tar.xz")" ] || { fault 'the archive made twice is not the same'; exit 1; }
    mv "libsv-$version.tar.xz" "$folder"
}

check_files
if [ -e .git ]; then
    check_released_files
    [ $mode = check ] || check_commit
elif [ $mode != check ]; then
    fault 'a release is made from a git checkout'
fi
[ -z "$failed" ] || exit 1
if [ $mode != whole ]; then
    echo "release: the checks for $version pass"
    exit 0
fi

[ -f Makefile ] || { echo 'release: configure the tree first: ./bootstrap --peers --with-kernels=all' >&2; exit 1; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
make_archive
[ $wheels = no ] || packaging/wheels.sh --out "$folder" "$folder/libsv-$version.tar.xz"
(cd "$folder" && sha256sum -- *.tar.xz *.tar.gz *.whl 2>/dev/null >SHA256SUMS || true; cat SHA256SUMS)
echo "release: now git tag -s v$version, and publish what is in $folder"
