#!/bin/sh
# builds.sh SOURCE CONFIGURE-ARGUMENT...: make check in builds of other kinds, each in a folder of its own beside SOURCE,
# which is what make dist packs, in a folder of this one. Ends with what count.sh says of all of them and of the files COUNTS in the environment.
# BUILDS="clang musl" in the environment: these alone.
source=$1
place=${source%/*}
shift
status=0
counts=${COUNTS-}
times=

# build NAME TOOLS CONFIGURE-ARGUMENT...: skipped where one of the tools is not there, or configure says so with 77.
# environment: of make check. tests: the programs that are built and run; empty: all, but for what reads sources or runs MPI,
# which the tree's own make check has done.
environment=
tests=
build() {
    name=$1
    case " ${BUILDS-$name} " in *" $name "*) ;; *) return ;; esac
    for tool in $2; do
        command -v "$tool" >/dev/null || { echo "== $name: no $tool here"; return; }
    done
    shift 2
    echo "== $name"
    counts="$counts $place/$name/check.count"
    mkdir "$place/$name"
    began=$(date +%s)
    (
        cd "$place/$name" || exit 1
        "../../$source/configure" -q --enable-checks "$@"
        case $? in
        0) if [ -z "$tests" ]; then
               env $environment $MAKE check ABI_TESTS= MPI_TESTS=
           else
               programs=$(echo $tests)
               env $environment $MAKE check check_PROGRAMS="$programs" TESTS="$programs"
           fi ;;
        77) echo '0 passed, 0 failed, 1 skipped' | tee check.count ;;
        *) exit 1 ;;
        esac
    ) || status=1
    times="$times $name $(($(date +%s) - began)) s,"
}

# With -O2 and all of -g the kernels compile for three minutes a file; others twice as long as with -g1. Checks of handles
# would refuse those that are freed, before a sanitizer sees that they are read.
build sanitizers '' "$@" --disable-checks --enable-sanitizers CFLAGS='-g1 -O1'
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

# Other compilers, C libraries and processors. What their code generators could get wrong is what a few tests do: all
# kinds of copies, conversions and their exceptions, numbers of 128 bits, texts, byte orders, faults.
tests='tests/unit/dtype/chain tests/unit/copy/copy tests/unit/dtype/dtype tests/unit/overlap/diophantine tests/unit/dtype/format tests/unit/host/host_random
    tests/unit/plan/in_place tests/unit/layout/layout_text tests/unit/overlap/overlap tests/unit/plan/plan tests/unit/view/view_dlpack
    tests/unit/view/view_interface tests/run/fault tests/run/null_arguments tests/run/threads'
few='--without-cuda --with-criterion=forks EMULATOR=env' # which turns the tests in Python off
build clang clang "$@" $few CC=clang CFLAGS='-O2 -Werror'
build unoptimised '' "$@" $few CFLAGS=-O0
build debug '' "$@" $few CFLAGS='-g -Og'
build native '' "$@" $few CFLAGS='-O3 -march=native'
build musl musl-gcc "$@" $few CC=musl-gcc CFLAGS=-O2
build riscv64 'riscv64-linux-gnu-gcc qemu-riscv64' "$@" $few --host=riscv64-linux-gnu CFLAGS=-O2 \
    EMULATOR='qemu-riscv64 -L /usr/riscv64-linux-gnu'
# The other tests spell out numbers as little-endian processors keep them.
tests='tests/unit/dtype/chain tests/unit/copy/copy tests/unit/overlap/diophantine tests/unit/host/host_random tests/unit/plan/in_place
    tests/unit/layout/layout_text tests/unit/overlap/overlap tests/unit/plan/plan tests/run/threads'
build s390x 's390x-linux-gnu-gcc qemu-s390x' "$@" $few --host=s390x-linux-gnu CFLAGS=-O2 \
    EMULATOR='qemu-s390x -L /usr/s390x-linux-gnu'
# All of the library is compiled again for each program.
tests='tests/unit/host/host_random'
build lto '' "$@" $few CFLAGS='-O2 -flto=auto'
tests=

# A compiler for 32 bits is refused with a sentence, before anything is compiled.
case " ${BUILDS-bits} " in
*" bits "*)
    echo '== bits'
    mkdir "$place/bits"
    counts="$counts $place/bits/check.count"
    (
        cd "$place/bits" || exit 1
        if "../../$source/configure" -q "$@" CPPFLAGS=-U__SIZEOF_INT128__ >output 2>&1 ||
            ! grep -q 'error: libsv needs a compiler with 64-bit addresses' output; then
            { echo 'failed: see output'; echo '0 passed, 1 failed, 0 skipped'; } | tee check.count
            exit 1
        fi
        echo '1 passed, 0 failed, 0 skipped' | tee check.count
    ) || status=1 ;;
esac

echo "builds took:${times%,}"
sh "$(dirname "$0")/count.sh" $counts || status=1
exit $status
