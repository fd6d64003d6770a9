#!/bin/sh
# builds.sh SOURCE CONFIGURE-ARGUMENT...: make check in builds of other kinds, each in a folder of its own here.
# SOURCE is what make dist packs. Ends with what count.sh says of all of them and of this folder's check.count.
source=$1
shift
status=0
counts=check.count

# build NAME TOOLS CONFIGURE-ARGUMENT...: skipped where one of the tools is not there, or configure says so with 77.
# environment: of make check.
environment=
build() {
    name=$1
    for tool in $2; do
        command -v "$tool" >/dev/null || { echo "== $name: no $tool here"; return; }
    done
    shift 2
    echo "== $name"
    counts="$counts full/$name/check.count"
    mkdir "full/$name"
    (
        cd "full/$name" || exit 1
        "../../$source/configure" -q --enable-checks "$@"
        case $? in
        0) env $environment $MAKE check ;;
        77) echo '0 passed, 0 failed, 1 skipped' | tee check.count ;;
        *) exit 1 ;;
        esac
    ) || status=1
}

# With -O2 and all of -g the kernels compile for three minutes a file; others twice as long as with -g1.
build sanitizers '' "$@" --enable-sanitizers CFLAGS='-g1 -O1'
# Nothing but what every x86-64 has, and the kernels in plain C.
case $(uname -m) in
x86_64) baseline=-march=x86-64 ;;
*) baseline= ;;
esac
environment=SV_HOST_ISA=plain
build plain '' "$@" --without-cuda CFLAGS="-O2 $baseline"
environment=

# What Criterion does not run under: C programs only. Looking for live handles takes a lock, which would hide races.
build threads '' "$@" --disable-checks --without-cuda --with-criterion=forks --enable-sanitizers=thread CFLAGS='-g1 -O2'
build valgrind valgrind "$@" --without-cuda --with-criterion=forks CFLAGS='-g1 -O2' \
    EMULATOR='valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite'
build aarch64 'aarch64-linux-gnu-gcc qemu-aarch64' "$@" --without-cuda --with-criterion=forks \
    --host=aarch64-linux-gnu CFLAGS=-O2 EMULATOR='qemu-aarch64 -L /usr/aarch64-linux-gnu'

sh "$(dirname "$0")/count.sh" $counts || status=1
exit $status
