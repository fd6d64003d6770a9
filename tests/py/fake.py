"""The package on the fake CUDA runtime of tests/fake: import this before strideview.

Skips the whole file where there is no such package, as CUDA is not built, or where the runtime cannot see the accesses of
the host, as page protection does not work.
"""

import ctypes
import os
import sys
from pathlib import Path

import pytest

_place = Path(os.environ.get("builddir", ".")).resolve() / "py-fake"
if not (_place / "stamp").exists():
    pytest.skip("the package was not built on the fake CUDA runtime", allow_module_level=True)
sys.path.insert(0, str(_place))

import strideview as sv  # noqa: E402

assert Path(sv.library_path()).parent.parent == _place, "strideview was imported before fake"

EAGER, LAZY, RANDOM = 0, 1, 2
PINNED, DEVICE, MANAGED = 1, 2, 3  # of cudaMemoryType
OUT_OF_MEMORY = 2  # cudaErrorMemoryAllocation

lib = ctypes.CDLL(sv.library_path())
for name in ("fake_end", "fake_text", "fake_log", "fake_call_name"):
    getattr(lib, name).restype = ctypes.c_char_p
for name in ("fake_allocate", "fake_new_stream"):
    getattr(lib, name).restype = ctypes.c_void_p
lib.fake_protects.restype = ctypes.c_bool
lib.fake_open_devices.argtypes = [ctypes.c_bool]
lib.fake_allocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_size_t]
lib.fake_new_stream.argtypes = [ctypes.c_int, ctypes.c_uint]
lib.fake_fail.argtypes = [ctypes.c_int, ctypes.c_int]
for name in ("fake_free", "fake_end_stream"):
    getattr(lib, name).argtypes = [ctypes.c_void_p]
    getattr(lib, name).restype = None


def log():
    """What was called: lines such as "0:copy 4096 legacy"."""
    return lib.fake_log().decode().split("; ")[:-1]


@pytest.fixture(params=[EAGER, LAZY], ids=["eager", "lazy"])
def runtime(request):
    """The library of the fake runtime, started; at the end of the test it has nothing to complain of."""
    lib.fake_start(request.param, 1)
    if not lib.fake_protects():
        pytest.skip("page protection does not work here")
    yield lib
    assert lib.sv_memory_collect(1, None) == 0
    left = lib.fake_end().decode()
    assert left == "", left


SEEDS = 2
ORDERS = [(EAGER, 1), (LAZY, 1)] + [(RANDOM, seed) for seed in range(1, SEEDS + 1)]


@pytest.fixture(params=ORDERS, ids=lambda order: f"{('eager', 'lazy', 'random')[order[0]]}-{order[1]}")
def any_order(request):
    """The same, which does what is ready in random orders, too."""
    lib.fake_start(*request.param)
    if not lib.fake_protects():
        pytest.skip("page protection does not work here")
    yield lib
    assert lib.sv_memory_collect(1, None) == 0
    left = lib.fake_end().decode()
    assert left == "", left


@pytest.fixture
def stream(any_order):
    """A stream of device 0."""
    made = lib.fake_new_stream(0, 1)
    yield made
    lib.fake_end_stream(made)
