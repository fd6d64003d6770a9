"""Questions of overlap, and copies that ask them, without memory for their search: MemoryError."""

import os
import shlex
import subprocess

import pytest

from apart import run_apart

MALLOC = """
#include <stddef.h>
extern void *__libc_malloc(size_t nbytes);
size_t test_most = (size_t)-1;
void *malloc(size_t nbytes)
{
    return nbytes > test_most ? NULL : __libc_malloc(nbytes);
}
"""

CALLS = {
    "sv.is_unique(odd)": "True",
    "odd.layout.is_unique": "True",
    "odd.layout.overlaps(odd.layout, 0, 8)": "True",
    "sv.shares_memory(odd, behind)": "True",
    "sv.copy(odd, dense)": "None",
    "sv.fill(odd, 1)": "None",
}


@pytest.fixture(scope="module")
def preload(tmp_path_factory):
    """A malloc that refuses more bytes than a program says."""
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("malloc is replaced already")
    source = tmp_path_factory.mktemp("malloc") / "most.c"
    source.write_text(MALLOC)
    library = source.with_suffix(".so")
    done = subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-O1", "-shared", "-fPIC", source, "-o", library],
                          capture_output=True)
    if done.returncode != 0:
        pytest.skip("no compiler, or another libc than glibc")
    return str(library)


@pytest.mark.parametrize("call", CALLS)
def test_memory_error(preload, call):
    written = run_apart(f"""
        import ctypes
        import numpy as np
        import strideview as sv

        most = ctypes.c_size_t.in_dll(ctypes.CDLL(None), "test_most")
        memory = np.zeros(400, np.uint8)
        odd = sv.view(np.lib.stride_tricks.as_strided(memory, (7, 5, 3), (15, 21, 35)))
        behind = sv.view(np.lib.stride_tricks.as_strided(memory[8:], (7, 5, 3), (15, 21, 35)))
        dense = sv.view(np.ones((7, 5, 3), np.uint8))
        print({call})
        try:
            sv.StridedLayout.parse("no layout")  # the message of a thread takes memory once
        except ValueError:
            memory[:] = 0
        most.value = 8192
        try:
            {call}
            print("no error")
        except MemoryError:
            print("MemoryError")
        most.value = -1
        print(memory.any())
        """, LD_PRELOAD=preload)
    assert written.split() == [CALLS[call], "MemoryError", "False"]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
