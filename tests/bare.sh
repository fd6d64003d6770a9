#!/bin/sh
# bare.sh WHEEL ARCHIVE [FOLDER]: from a bare root of Debian 12, or of SUITE=trixie, made by debootstrap in FOLDER, to each
# of the examples: by the wheel alone, and by the archive. Each way is a row, with how long it takes, downloads included.
# As root. packaging/README.md has the figures; no part of make check.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
wheel=$(realpath "$1")
archive=$(realpath "$2")
place=${3:-$(mktemp -d)}
mkdir -p "$place"
root=$place/root
[ "$(id -u)" = 0 ] || { echo 'bare: debootstrap and chroot need root' >&2; exit 1; }

# Where packages come from, and whose certificates are believed, is a fact of this machine, and no part of the test.
mirror=$(sh "$(dirname "$0")/../packaging/mirror.sh")
certificates=/etc/ssl/certs/ca-certificates.crt
settings=$(env | grep -E '^(PIP_(INDEX|EXTRA|TRUSTED|DEFAULT)|[a-z]*_proxy=)' || true)

# shellcheck disable=SC2086
inside() {
    unshare -m sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift &&
        exec chroot "$root" "$@"' sh "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CERT=/root/certificates.crt $settings \
        sh -ec "cd /root && $1"
}

status=0
row() {
    printf '| %-44s | %4s | %s |\n' "$1" "$2" "$3"
}

# step NAME COMMAND: a row; what a command prints is shown when it fails.
step() {
    began=$(date +%s)
    if inside "$2" >"$place/log" 2>&1 </dev/null; then
        row "$1" "$(($(date +%s) - began))" "$(tail -n 1 "$place/log" | cut -c 1-60)"
    else
        row "$1" "$(($(date +%s) - began))" failed
        tail -n 30 "$place/log" >&2
        status=1
    fi
}

install='apt-get install -q -y --no-install-recommends'
picture='printf "P6\n2 1\n255\nabcdef" >in.ppm'
same='tail -c 6 out.pgm'
planes='grep -x "\[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11\]"'
project='mkdir -p project && cd project && cp ../source/examples/copy.c . && printf "cmake_minimum_required(VERSION 3.13)\nproject(app C)\nfind_package(strideview 0.1 REQUIRED)\nadd_executable(copy copy.c)\ntarget_link_libraries(copy PRIVATE strideview::sv)\n" >CMakeLists.txt'

began=$(date +%s)
[ -d "$root/root" ] || debootstrap --variant=minbase "${SUITE:-bookworm}" "$root" "$mirror" >"$place/log" 2>&1 || { tail "$place/log" >&2; exit 1; }
[ ! -f $certificates ] || cp -L $certificates "$root/root/certificates.crt"
[ ! -f /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp "$wheel" "$archive" "$root/root"
mkdir -p "$root/root/source"
tar -xf "$archive" -C "$root/root/source" --strip-components=1
echo '| from nothing to | s | last line |'
echo '|---|---|---|'
row 'a bare root' "$(($(date +%s) - began))" "$(cat "$root/etc/debian_version")"

step 'Python, its venv, and the wheel' "apt-get update -q && $install python3 python3-venv && python3 -m venv v &&
    v/bin/pip install -q ${wheel##*/} && v/bin/python -c 'import strideview; print(strideview.__version__)'"
step 'a transposed copy in Python' 'v/bin/python -c "
import strideview as sv
pixels = sv.view(memoryview(bytearray(range(12))).cast(\"B\", (2, 2, 3)))
print(list(sv.ascontiguousarray(sv.permute_dims(pixels, (2, 0, 1))).tobytes()))" | '"$planes"
step 'a compiler, and C by the wheel' "$install gcc libc6-dev && $picture &&
    cc source/examples/copy.c -o copy \$(v/bin/python -m strideview --cflags --libs) && ./copy in.ppm out.pgm && $same"
step 'CMake, and C by the wheel' "$install cmake make && $picture && ($project && cmake -B by-wheel \
    -Dstrideview_DIR=\$(/root/v/bin/python -m strideview --cmakedir) && cmake --build by-wheel) &&
    project/by-wheel/copy in.ppm out.pgm && $same"
step 'the archive, configured, made and installed' "$install gcc make pkg-config && v/bin/pip install -q apache-tvm-ffi && cd source &&
    ./configure -q --without-cuda --with-criterion=no PYTHON=/root/v/bin/python && make -s -j\$(nproc) && make -s install && ldconfig &&
    pkg-config --modversion strideview"
step 'C by pkg-config' "$picture && cc source/examples/copy.c -o copy \$(pkg-config --cflags --libs strideview) &&
    ./copy in.ppm out.pgm && $same"
step 'C by CMake' "$picture && ($project && cmake -B by-archive && cmake --build by-archive) &&
    project/by-archive/copy in.ppm out.pgm && $same"
step 'LuaJIT' "$install luajit && LUA_PATH='/usr/local/share/strideview/?.lua' luajit source/examples/luajit/main.lua | $planes"
[ ! -d "$root/root/source/examples/fortran" ] || step 'Fortran' "$install gfortran && gfortran -o fortran \
    source/bindings/strideview.f90 source/examples/fortran/main.f90 -lsv && ./fortran"
[ ! -d "$root/root/source/examples/go" ] || step 'Go' "$install golang-go && cd source/examples/go && go run main.go"
step 'Rust: the crates need cargo 1.85' "$install cargo && version=\$(cargo --version | cut -d ' ' -f 2) &&
    if printf '1.85\n%s\n' \$version | sort -VC; then
        cd source/rust && cargo run -q --offline --example planes | $planes; else echo \"cargo is \$version: not tried\"; fi"
exit $status
