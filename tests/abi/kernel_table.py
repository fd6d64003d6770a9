"""The table of kernel_code.txt: what the kernels' machine code is to have, and what it has."""

import os
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

import sass
import tap

THREADS_OF = {"75": 1024, "86": 1536, "89": 1536, "120": 1536}  # of a multiprocessor, where they are not 2048
ENTRIES = 2  # of a table, that a kernel of batches reads
TABLE = tap.root / "tests/abi/kernel_code.txt"


@dataclass
class Row:
    """A row of kernel_code.txt; accesses are {bytes or a letter of the name: count}."""

    name: str
    blocks: int
    registers: int
    in_flight: str  # a number, or COUNTxLETTER
    loads: dict
    stores: dict

    def numbers(self, kernel):
        """What the letters of the name are in a kernel's name; None: it is not of this row."""
        pattern = re.sub(r"[A-Z]", lambda letter: rf"(?P<{letter[0]}>\d+)", self.name)
        match = re.fullmatch(pattern, kernel)
        return match and {letter: int(number) for letter, number in match.groupdict().items()}

    def least_in_flight(self, numbers):
        count, _, letter = self.in_flight.partition("x")
        return int(count) * (numbers[letter] if letter else 1)


def accesses(text):
    return {} if text == "-" else {size: int(count) for count, size in (x.split("x") for x in text.split(","))}


@cache
def table():
    """(the toolkit's release, bytes of the fatbin at most, rows, the architectures that figures are of)."""
    settings, rows = {}, []
    for line in TABLE.read_text().splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if len(words) == 6:
            rows.append(Row(words[0], int(words[1]), int(words[2]), words[3], *map(accesses, words[4:])))
        else:
            settings[words[0]] = words[1]
    return settings["toolkit"], int(settings["fatbin"]) << 10, rows, set(settings["architectures"].split(","))


def row_of(kernel):
    for name in kernel, kernel.removeprefix("batched_"):
        for row in table()[2]:
            if row.numbers(name) is not None:
                return row, row.numbers(name)
    return None, None


def listed():
    text = (tap.root / "src/gpu/kernel_list.h").read_text()
    return re.findall(r"^\s+KERNEL\((\w+), \w+\)", text, re.M)


def fatbin():
    path = tap.build / "src/gpu/cuda/kernels.fatbin"
    if not path.exists():
        raise tap.Skip("no kernel was compiled for a device")
    return path


def tools():
    """As sass.tools() gives them."""
    environment, found = sass.tools(os.environ.get("CUDA_DIR", "/usr/local/cuda"))
    if not environment:
        raise tap.Skip(f"no {found}: it is in the toolkit, and in the Python package nvidia-cuda-{found}")
    return environment, found


@cache
def read():
    """{(kernel, architecture): its code}, without the two loads by which kernels of batches find their addresses in a
    table: they are no part of the copy."""
    codes = sass.read(fatbin(), *tools())
    for (kernel, _), code in codes.items():
        if kernel.startswith("batched_"):
            code.accesses -= Counter({("LDG", 8): ENTRIES})
    return codes


def release():
    """Of the toolkit that made the fatbin."""
    try:
        return re.search(r"release ([\d.]+)", "\n".join(tap.lines(*tap.tool("NVCC", "nvcc"), "--version")))[1]
    except (OSError, RuntimeError, TypeError):
        return "unknown"


# --- rows as they are


def with_letters(code, operation, expected, numbers):
    """Counts of accesses by bytes, or by the letter of a row that has them."""
    letters = {number: letter for letter, number in numbers.items() if letter in expected}
    sizes = {size: count for (o, size), count in code.accesses.items() if o == operation}
    return {
        letters[size] if size in letters and str(size) not in expected else str(size): count
        for size, count in sizes.items()
    }


def merged(all_counts):
    """Of vectors the fewest, of others the most; the widest first."""
    sizes = {size for counts in all_counts for size in counts}
    least_or_most = {size: min if size.isdigit() and int(size) >= 16 else max for size in sizes}
    found = {size: least_or_most[size](counts.get(size, 0) for counts in all_counts) for size in sizes}
    order = sorted(sizes, key=lambda size: -int(size) if size.isdigit() else 0)
    return {size: found[size] for size in order if found[size]}


def in_flight_now(row, codes):
    """The bytes of the kernel that has the fewest, in the way that the row has them."""
    count, _, letter = row.in_flight.partition("x")
    per_letter = min(code.in_flight // (numbers[letter] if letter else 1) for _, code, numbers in codes)
    return f"{per_letter}x{letter}" if letter else str(per_letter)


def row_now(row, codes):
    """A row with the figures of codes: [(architecture, code, numbers of the row's letters)]."""
    registers = max((code.registers for arch, code, _ in codes if arch not in THREADS_OF), default=0)
    loads, stores = (
        merged([with_letters(code, operation, expected, numbers) for _, code, numbers in codes])
        for operation, expected in (("LDG", row.loads), ("STG", row.stores))
    )
    return Row(row.name, row.blocks, registers, in_flight_now(row, codes), loads, stores)


def rows_now():
    """The rows of kernel_code.txt with the figures of this build, and a row for each kernel that has none."""
    rows = {row.name: (row, []) for row in table()[2]}
    for (kernel, arch), code in sorted(read().items()):
        row, numbers = row_of(kernel)
        name = row.name if row else kernel
        rows.setdefault(name, (Row(kernel, 0, 0, "0", {}, {}), []))[1].append((arch, code, numbers or {}))
    return [row_now(row, codes) for row, codes in rows.values() if codes]


def show(counts):
    return ",".join(f"{count}x{size}" for size, count in counts.items()) or "-"
