"""The kernels' machine code: nothing in memory of a thread's own, vectors where kernel_code.txt has them, loads that do
not wait for each other, registers that leave room for the blocks that a multiprocessor is to have.

Read from the fatbin that was built, so no device is needed. With --print: the rows of kernel_code.txt as they are now.
"""

import re
import sys
import tempfile
from pathlib import Path

import sass
import tap
from kernel_table import THREADS_OF, fatbin, listed, read, release, row_of, rows_now, show, table, tools

THREADS = 256  # of a block
REGISTERS = 65536  # of a multiprocessor
RESERVED = 8  # registers are given to threads by so many
SYSTEM_SHARED = 1024  # bytes of shared memory that a block has for the system, which cuobjdump counts from sm_90 on
MEMORY = {"LDG", "STG", "LDS", "STS", "LDC", "LDCU", "ULDC"}  # operations that kernels may have


def each_with_row():
    """Codes of all kernels that have a row: (name and architecture, architecture, code, row, numbers of its letters)."""
    for (kernel, arch), code in sorted(read().items()):
        row, numbers = row_of(kernel)
        if row:
            yield f"{kernel} for sm_{arch}", arch, code, row, numbers


# --- checks


def each_has_a_row():
    """each kernel of kernel_list.h has a row in tests/abi/kernel_code.txt, and each row a kernel"""
    kernels = listed()
    for kernel in kernels:
        if not row_of(kernel)[0]:
            yield f"{kernel} has none: tests/abi/kernel_code.py --print shows what it would be"
    used = {row_of(kernel)[0].name for kernel in kernels if row_of(kernel)[0]}
    yield from (f"row {row.name} has none" for row in table()[2] if row.name not in used)


def each_is_compiled():
    """each kernel is compiled for each architecture"""
    architectures = {arch for _, arch in read()}
    if not architectures:
        yield "no machine code is found"
    for arch in sorted(architectures):
        there = {kernel for kernel, a in read() if a == arch}
        yield from (f"sm_{arch} has no {kernel}" for kernel in sorted(set(listed()) - there))
        yield from (f"sm_{arch} has {kernel}, which kernel_list.h has not" for kernel in sorted(there - set(listed())))


def memory_faults(arch, code):
    """Memory that a kernel of the library has not, and operations of no named kind of memory."""
    shared = code.shared - (SYSTEM_SHARED if int(arch) >= 90 else 0)
    for what, size in ("stack", code.stack), ("local memory", code.local), ("shared memory", shared):
        if size > 0:
            yield f"{size} bytes of {what}"
    for operation, count in code.operations.items():
        if re.match(r"U?LD|ST|ATOM|RED|SU|TEX|TLD", operation) and operation not in MEMORY:
            yield f"{count} times {operation}"


def memory_is_specific():
    """no kernel has a stack, spills, local or static shared memory, generic loads and stores, or atomics"""
    for (kernel, arch), code in sorted(read().items()):
        yield from (f"{kernel} for sm_{arch}: {fault}" for fault in memory_faults(arch, code))


def vectors_and_narrow_ones():
    """loads and stores of global memory are as wide as kernel_code.txt says"""
    for name, _, code, row, numbers in each_with_row():
        for operation, expected in ("LDG", row.loads), ("STG", row.stores):
            sizes = {int(numbers.get(size, size)): count for size, count in expected.items()}
            found = {size: count for (o, size), count in code.accesses.items() if o == operation}
            for size in sorted({*sizes, *found}):
                wanted, count = sizes.get(size, 0), found.get(size, 0)
                if count < wanted if size >= 16 else count > wanted:
                    yield f"{name}: {count} {operation} of {size} bytes, not {wanted}"


def loads_are_in_flight():
    """a thread asks for the bytes that kernel_code.txt says before it uses the first"""
    for name, _, code, row, numbers in each_with_row():
        wanted = row.least_in_flight(numbers)
        if code.in_flight < wanted:
            yield f"{name}: {code.in_flight} bytes, not {wanted}"


def blocks_fit():
    """the registers leave room for the blocks that kernel_code.txt says"""
    for name, arch, code, row, _ in each_with_row():
        fit = REGISTERS // (-(-code.registers // RESERVED) * RESERVED * THREADS)
        wanted = min(row.blocks, THREADS_OF.get(arch, 2048) // THREADS)
        if fit < wanted:
            yield f"{name}: {code.registers} registers leave room for {fit} blocks, not {wanted}"


def fatbin_is_small():
    """the kernels of all architectures take no more than kernel_code.txt says"""
    size, most = fatbin().stat().st_size, table()[1]
    if size > most:
        yield f"{size} bytes, not {most}"


def rows_are_exact():
    """the figures of kernel_code.txt are those of its toolkit"""
    if release() != table()[0]:
        raise tap.Skip(f"they are those of toolkit {table()[0]}, this is {release()}")
    if {arch for _, arch in read()} != table()[3]:
        raise tap.Skip(f"they are those of architectures {','.join(sorted(table()[3], key=int))}")
    actual = {row.name: row for row in rows_now()}
    for row in table()[2]:
        if row.name in actual and str(row) != str(actual[row.name]):
            yield f"the row is   {row}"
            yield f"the code has {actual[row.name]}"


# Kernels with faults, the words that tell of each, and the bytes in flight.
FAULTY = [
    ("stack(int *to, int i) { volatile int all[8]; all[i & 7] = i; to[i] = all[to[0] & 7]; }", "of stack", 4),
    ("shared(int *to, int i) { __shared__ int all[256]; all[i] = to[i]; __syncthreads(); to[i] = all[255 - i]; }",
     "of shared memory", 4),
    ("generic(int *to, int i) { to[i] = *(int *)(uint64_t(to) * i); }", "times LD", 0),
    ("atomic(int *to, int i) { atomicAdd(to, i); }", "times RED", 0),
    ("chain(int *to, int i) { to[0] = to[to[to[i]]]; }", "", 4),
    ("all_first(int *to, int i) { const int4 *v = (const int4 *)to + i; const int4 a = v[0], b = v[9];"
     " to[0] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w; }", "", 32),
]  # fmt: skip


def faults_are_seen():
    """faults that are put into kernels are found"""
    fatbin()
    environment, cuobjdump = tools()
    with tempfile.TemporaryDirectory() as folder:
        source, faulty = Path(folder, "faulty.cu"), Path(folder, "faulty.fatbin")
        heads = [f'extern "C" __global__ void svi_{text}' for text, _, _ in FAULTY]
        source.write_text("\n".join(["#include <stdint.h>", *heads]))
        tap.lines(*tap.tool("NVCC", "nvcc"), "-fatbin", "-arch=sm_90", "-o", faulty, source)
        codes = sass.read(faulty, environment, cuobjdump)
    for text, words, in_flight in FAULTY:
        code = codes[text.partition("(")[0], "90"]
        faults = list(memory_faults("90", code))
        if bool(faults) != bool(words) or words not in "".join(faults):
            yield f"{text}: {faults}"
        if code.in_flight != in_flight:
            yield f"{text}: {code.in_flight} bytes in flight"


def print_rows():
    for row in rows_now():
        figures = f"{row.name:13} {row.blocks:6} {row.registers:9} {row.in_flight:>9}"
        print(f"{figures} {show(row.loads):17} {show(row.stores)}")


if __name__ == "__main__":
    if "--print" in sys.argv:
        print_rows()
    else:
        tap.report(
            each_has_a_row, each_is_compiled, memory_is_specific, vectors_and_narrow_ones, loads_are_in_flight, blocks_fit,
            fatbin_is_small, rows_are_exact, faults_are_seen,
        )  # fmt: skip
