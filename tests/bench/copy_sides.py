"""What is copied: the list of cases, and memory for each."""

import ctypes
import math
from pathlib import Path

import ml_dtypes
import numpy as np

from copy_list import read_lines, span

CASES = Path(__file__).with_name("copy_cases.txt")
HUGE, MADV_COLLAPSE = 2 << 20, 25

libc = ctypes.CDLL(None)
for name in ("memcpy", "memcmp"):
    getattr(libc, name).argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def dtype_of(name):
    """ml_dtypes has those that NumPy lacks."""
    return np.dtype(getattr(ml_dtypes, name, name))


def read_cases(path=CASES):
    """Every line of the list, with NumPy's dtypes."""
    found = list(read_lines(path))
    for case in found:
        case["dtype"], case["src_dtype"] = dtype_of(case["dtype"]), dtype_of(case["src_dtype"])
    return found


def filled(nbytes, value):
    """Bytes from the start of a huge page: NumPy's own begin 16 bytes behind the start of a page."""
    memory = np.empty(nbytes + HUGE, np.uint8)
    begin = -memory.ctypes.data % HUGE
    memory[:] = value
    return memory[begin : begin + nbytes]


def in_huge_pages(address, nbytes):
    """Other memory, where the system can still do that."""
    begin, end = -(-address // HUGE) * HUGE, (address + nbytes) // HUGE * HUGE
    if end > begin:
        libc.madvise(begin, end - begin, MADV_COLLAPSE)


class Sides:
    """Memory for a case: bytes of both sides, and NumPy's views of them."""

    def __init__(self, case):
        self.case, self.dtype, self.src_dtype = case, case["dtype"], case["src_dtype"]
        self.converts = self.dtype != self.src_dtype
        self.dst_bytes, self.src_bytes = (self.allocate(span(case[side])) for side in ("dst", "src"))
        self.nbytes = math.prod(case["dst"].shape) * (self.dtype.itemsize + self.src_dtype.itemsize) // 2
        self.fill()
        self.dst, self.src = self.view("dst"), self.view("src")

    def allocate(self, nbytes):
        return filled(-(-nbytes // 64) * 64, 0)

    def fill(self):
        """Numbers without rule; floats between 1 and 2; 0 to 63 where the copy converts."""
        if self.converts:
            numbers = self.src_bytes.view(self.src_dtype)
            numbers[:] = np.arange(numbers.size, dtype=np.uint32) * np.uint32(0x9E3779B1) >> np.uint32(26)
            return
        words = self.src_bytes.view(np.uint32)
        words[:] = np.arange(words.size, dtype=np.uint32)
        words *= np.uint32(0x9E3779B1)
        words ^= words >> np.uint32(15)
        kind = self.dtype.kind
        if kind in "fc":
            part = {2: np.uint16, 4: np.uint32, 8: np.uint64}[self.dtype.itemsize // (2 if kind == "c" else 1)]
            one = np.ones(1, f"f{np.dtype(part).itemsize}")
            parts = self.src_bytes.view(part)
            parts &= np.array([(1 << np.finfo(one.dtype).nmant) - 1], part)
            parts |= one.view(part)

    def view(self, side):
        layout, memory, dtype = self.case[side], *self.side(side)
        return np.ndarray(layout.shape, dtype, memory, layout.slice_offset_in_bytes, layout.strides_in_bytes)

    def side(self, side):
        return (self.dst_bytes, self.dtype) if side == "dst" else (self.src_bytes, self.src_dtype)

    def is_right(self, expected, result=None):
        """Whether the destination, or an array that was made instead, has these bytes of a destination."""
        if result is None:
            return libc.memcmp(self.dst_bytes.ctypes.data, expected.ctypes.data, expected.nbytes) == 0
        result = np.asarray(result)
        begin = self.case["dst"].slice_offset_in_bytes
        return libc.memcmp(result.ctypes.data, expected[begin:].ctypes.data, result.nbytes) == 0
