"""What cuobjdump and nvdisasm tell of the kernels in a fatbin: registers, memory of their own, loads and stores.

Bytes in flight are those that a thread has asked global memory for before it uses the first of them. They are counted
along the code as it lies, which is how ptxas lays out the path that is taken most.
"""

import os
import re
import shutil
import site
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

OPERATION = re.compile(r"\s+/\*[0-9a-f]{4,6}\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?);")
USAGE = re.compile(r"REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)")
REGISTER = re.compile(r"\bR(\d+)(\.64)?")
ENDS = {"BRA", "EXIT", "RET", "BRX", "JMP", "BREAK"}  # without a condition, what follows is on another path


@dataclass
class Code:
    """A kernel for one architecture."""

    registers: int = 0
    stack: int = 0
    shared: int = 0
    local: int = 0
    operations: Counter = field(default_factory=Counter)  # "LDG", without what follows the first dot
    accesses: Counter = field(default_factory=Counter)  # ("LDG", 16): by bytes
    in_flight: int = 0


def nbytes(name):
    """Bytes of a load or a store: LDG.E.128, STS.U8."""
    parts = name.split(".")
    return next((size for part, size in (("128", 16), ("64", 8), ("U16", 2), ("S16", 2), ("U8", 1), ("S8", 1))
                 if part in parts), 4)  # fmt: skip


def registers(operands, data):
    """Numbers of the registers in the text of operands; the last of a store has as many as data says."""
    numbers = set()
    for number, pair in REGISTER.findall(operands):
        numbers |= {int(number), int(number) + bool(pair)}
    last = REGISTER.search(operands.rsplit(",", 1)[-1])
    if data and last:
        numbers |= set(range(int(last[1]), int(last[1]) + data))
    return numbers


class Flight:
    """Loads whose registers nothing has used yet."""

    def __init__(self):
        self.pending, self.nbytes, self.most = set(), 0, 0

    def land(self):
        self.pending, self.nbytes = set(), 0

    def follow(self, condition, name, operands):
        base, size = name.split(".")[0], nbytes(name)
        if base == "LDG":
            target, _, address = operands.partition(",")
            if registers(address, 0) & self.pending:
                self.land()
            first = int(REGISTER.search(target)[1])
            self.pending |= set(range(first, first + max(1, size // 4)))
            self.nbytes += size
            self.most = max(self.most, self.nbytes)
        elif registers(operands, size // 4 if base in ("STG", "STS") else 0) & self.pending:
            self.land()
        if base in ENDS and not condition:
            self.land()


def tool(name, toolkit):
    """The path of a program: that of PATH, of the toolkit or of its Python package; None: there is none."""
    packages = [Path(folder) for folder in [*site.getsitepackages(), site.getusersitepackages()]]
    folders = [Path(toolkit, "bin"), *(bin for folder in packages for bin in sorted(folder.glob("nvidia/*/bin")))]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, folders)))


def tools(toolkit):
    """The environment in which cuobjdump finds nvdisasm, and the path of cuobjdump; the name of what is missing."""
    paths = {name: tool(name, toolkit) for name in ("cuobjdump", "nvdisasm")}
    for name, path in paths.items():
        if not path:
            return None, name
    folder = str(Path(paths["nvdisasm"]).parent)
    return {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", "")}, paths["cuobjdump"]


def printed(environment, *command):
    with subprocess.Popen(list(map(str, command)), env=environment, stdout=subprocess.PIPE, text=True) as run:
        yield from run.stdout
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} failed")


def read(fatbin, environment, cuobjdump):
    """{(kernel, architecture): Code}; kernels without "svi_", architectures as "90"."""
    found, arch, kernel = {}, None, None
    for line in printed(environment, cuobjdump, "--dump-resource-usage", fatbin):
        if match := re.match(r"arch = sm_(\w+)", line):
            arch = match[1]
        elif match := re.match(r"\s*Function svi_(\w+):", line):
            kernel = match[1]
        elif match := USAGE.search(line):
            if kernel:
                found[kernel, arch] = Code(*map(int, match.groups()))
            kernel = None
    flight = code = None
    for line in printed(environment, cuobjdump, "-sass", fatbin):
        if match := OPERATION.match(line):
            condition, name, operands = match.groups()
            base = name.split(".")[0]
            code.operations[base] += 1
            if base in ("LDG", "STG"):
                code.accesses[base, nbytes(name)] += 1
            flight.follow(condition, name, operands)
            code.in_flight = flight.most
        elif match := re.match(r"arch = sm_(\w+)", line):
            arch = match[1]
        elif match := re.match(r"\s*Function : svi_(\w+)", line):
            code, flight = found[match[1], arch], Flight()
    return found


if __name__ == "__main__":
    for (kernel, arch), code in read(sys.argv[1], *tools(sys.argv[2] if len(sys.argv) > 2 else "/usr/local/cuda")).items():
        counts = " ".join(f"{a[0]}{a[1]}:{n}" for a, n in sorted(code.accesses.items()))
        print(f"{kernel:20} sm_{arch:4} registers {code.registers:3} in flight {code.in_flight:4} "
              f"operations {code.operations.total():5} {counts}")
