"""The ranks of an MPI program as an engine: mpiexec -n 4 strideview copy in.zarr out.zarr --chunks 64,64,64 --mpi.

Blocks are as large as the buffers of all ranks together. Each rank reads whole chunks of a block's source, strideview.mpi
redistributes them, with the change of dtype on the way, and each rank writes whole chunks of the output. So a chunk of
the source that several chunks of the output need is read by one rank, once. Rank 0 speaks with the user; the others
follow. After each step all ranks learn of an error of one, so none waits for a rank that has given up.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import strideview as sv

from .engines import Counts
from .errors import FAILED, MISSING, SIGNALS, CommandError, need, signals_wait
from .files.blocks import Blocks, plan_blocks
from .files.ends import Extents
from .files.sides import ChunkSide, Side
from .files.transfer import Stage, copy_block
from .files.zarr_store import CONCURRENCY
from .quantities import human

MESSAGES = 4  # a part of the memory that libsv_mpi may take for messages
LARGEST_MESSAGE = 4 << 20
ATTEMPTS = 64  # to find the largest block that fits


class Share(NamedTuple):
    """How a block is divided: along one axis, in equal parts of whole chunks; the last ranks may have less, or nothing."""

    axis: int
    extent: int

    def part(self, begin: Extents, extents: Extents, rank: int) -> tuple[Extents, Extents]:
        """(first index, extents) of what a rank has of a block."""
        first = min(rank * self.extent, extents[self.axis])
        extent = min(self.extent, extents[self.axis] - first)
        return tuple(index + first * (axis == self.axis) for axis, index in enumerate(begin)), self.put(extents, extent)

    def put(self, extents: Extents, extent: int) -> Extents:
        return (*extents[:self.axis], extent, *extents[self.axis + 1:])

    def grid(self, count: int, ranks: int) -> tuple[list[int], list[int]]:
        """The grid of ranks and the blocks of it, as a Distribution has them."""
        return [ranks if axis == self.axis else 1 for axis in range(count)], [self.extent * (axis == self.axis) for axis in range(count)]


def divide(side: Side, extents: Extents, ranks: int) -> Share:
    """Along the axis with the most chunks; of a file, along the axis that steps farthest and has an index for each rank."""
    if isinstance(side, ChunkSide):
        chunks = side.chunks
        axis = max(range(len(extents)), key=lambda each: -(-extents[each] // chunks[each]))
    else:
        chunks = (1,) * len(extents)
        far = side.order[::-1]
        axis = next((each for each in far if extents[each] >= ranks), max(far, key=lambda each: extents[each]))
    number = -(-extents[axis] // chunks[axis])
    return Share(axis, -(-number // ranks) * chunks[axis])


def needed(source: Side, target: Side, extents: Extents, ranks: int) -> int:
    """Bytes of the buffers of the rank that has most of a block."""
    parts = [divide(side, extents, ranks).part((0,) * len(extents), extents, 0)[1] for side in (source, target)]
    # What a rank has read may be converted to the target's elements before it is sent.
    return source.nbytes(parts[0]) + target.nbytes(parts[0]) + target.nbytes(parts[1])


def message_bytes(limit: int, ranks: int) -> int:
    """Of two messages to each other rank and two from it, so that all of them are within their part of the limit."""
    return max(1, min(LARGEST_MESSAGE, limit // (MESSAGES * 4 * max(ranks - 1, 1))))


class Mpi:
    """The ranks of MPI.COMM_WORLD."""

    is_shared = True

    def __init__(self) -> None:
        self.comm = need("mpi4py.MPI", "--mpi").COMM_WORLD
        self.rank, self.processes = self.comm.rank, self.comm.size
        self.has_ended = False
        from strideview import mpi
        try:
            mpi.library()
        except ImportError as error:
            raise CommandError(f"--mpi: {error}", MISSING) from None
        self.mpi: Any = mpi

    @property
    def leads(self) -> bool:
        return bool(self.rank == 0)

    def plan(self, shape: Extents, source: Side, target: Side, limit: int) -> Blocks:
        """Blocks for all ranks: as large as a limit for each of them allows."""
        self.message = message_bytes(limit, self.processes)
        whole, most = limit * self.processes, limit - (limit // MESSAGES if self.processes > 1 else 0)
        for _ in range(ATTEMPTS):
            blocks = plan_blocks(shape, source, target, whole)
            takes = needed(source, target, blocks.extents, self.processes)
            if takes <= most:
                return blocks
            whole = min(whole * 9 // 10, blocks.nbytes * most // takes)
        raise CommandError(f"--memory-limit: a rank needs {human(takes * limit / most)}", FAILED)

    def begin(self) -> None:
        """The ranks are there already."""

    def end(self) -> None:
        """Let the other ranks go."""
        if self.leads and not self.has_ended:
            self.has_ended = True
            self.comm.bcast(None)

    def follow(self) -> None:
        """What ranks other than 0 do: their part of each stage, until rank 0 ends."""
        with signals_wait():  # agree() tells all ranks
            while (packed := self.comm.bcast(None)) is not None:
                try:
                    self.take_part(packed, lambda nbytes: None)
                except CommandError:  # rank 0 tells the user
                    continue

    def run(self, stage: Stage, done: Callable[[int], None]) -> Counts:
        packed = pickle.dumps((stage, self.message))
        with signals_wait():
            self.comm.bcast(packed)
            return self.take_part(packed, done)

    def agree(self, error: Exception | None = None) -> None:
        """Raise on all ranks what one of them has met."""
        if SIGNALS.pending:
            error = CommandError(f"a signal ends rank {self.rank}", FAILED)
        # A rank that learns by strideview.mpi of another one's error has less to say than that one.
        is_first = not isinstance(error, self.mpi.MPIError)
        mine = None if error is None else (is_first, str(error) or type(error).__name__, getattr(error, "code", FAILED))
        found = [each for each in self.comm.allgather(mine) if each is not None]
        if found:
            raise CommandError(*max(found, key=lambda each: each[0])[1:])

    def attempt(self, step: Callable[[], Any]) -> Any:
        """A step that each rank does; its result, where no rank fails."""
        made = error = None
        try:
            made = step()
        except Exception as failed:
            error = failed
        self.agree(error)
        return made

    def take_part(self, packed: bytes, done: Callable[[int], None]) -> Counts:
        """Copy the stage together with the other ranks; the counts of all of them."""
        stage, self.message = self.attempt(lambda: pickle.loads(packed))
        part = None
        try:
            part = self.attempt(lambda: Part(self, stage))
            with CONCURRENCY.few(stage.chunk_bytes):
                for begin, extents in stage.blocks:
                    for step in part.steps(begin, extents):
                        self.attempt(step)
                    done(prod(extents) * stage.writer.items.itemsize)
        finally:
            if part is not None:
                part.end()
            stage.close()
        counts: list[Counts] = self.comm.allgather(part.counts())
        return reduce(Counts.plus, counts)


class Part:
    """What one rank does of a stage: it reads, exchanges and writes its part of each block."""

    def __init__(self, engine: Mpi, stage: Stage) -> None:
        self.mpi, self.comm, self.message, self.stage = engine.mpi, engine.comm, engine.message, stage
        reader, writer, blocks, change = stage
        ranks, extents = engine.processes, blocks.extents
        self.source, self.target = divide(reader.side, extents, ranks), divide(writer.side, extents, ranks)
        self.is_moved = change.scale is None and change.bias is None and not (reader.items.is_swapped or writer.items.is_swapped)
        if not reader.items.is_number:
            raise CommandError(f"--mpi: elements of {reader.items.name} are not redistributed")
        origin = (0,) * len(extents)
        reader.reserve(reader.side.nbytes(self.source.part(origin, extents, 0)[1]))
        self.memory = sv.empty((writer.side.nbytes(self.target.part(origin, extents, 0)[1]),), "uint8")
        self.plans: dict[Extents, Any] = {}
        self.sent = self.nbytes = 0

    def steps(self, begin: Extents, extents: Extents) -> list[Callable[[], None]]:
        reader, writer = self.stage.reader, self.stage.writer
        first, mine = self.source.part(begin, extents, self.comm.rank)
        at, theirs = self.target.part(begin, extents, self.comm.rank)
        ready: list[Any] = []

        def read() -> None:
            if 0 in mine:
                ready.append(sv.empty(mine, (reader if self.is_moved else writer).items.dtype))
                return
            found = reader.read(first, mine)
            if not self.is_moved:
                made = sv.empty(mine, writer.items.dtype)
                copy_block(made, writer.items, found, reader.items, self.stage.change.of_block(first, mine))
                found = made
            ready.append(found)

        def exchange() -> None:
            ready.append(writer.view(self.memory, theirs) if 0 not in theirs else sv.empty(theirs, writer.items.dtype))
            self.redistribute(ready[1], ready[0], extents)

        def write() -> None:
            if 0 not in theirs:
                writer.write(self.memory, at, theirs)
                self.nbytes += ready[1].nbytes

        return [read, exchange, write]

    def redistribute(self, target: Any, source: Any, extents: Extents) -> None:
        if extents not in self.plans:
            count, ranks = len(extents), self.comm.size
            to, from_ = (self.mpi.Distribution(extents, *share.grid(count, ranks)) for share in (self.target, self.source))
            casting = "no" if source.dtype == target.dtype else "unsafe"
            self.plans[extents] = self.mpi.Plan(self.comm, to, from_, target, source, casting=casting,
                                                chunk=self.message)
        self.plans[extents].execute(target, source)
        self.sent += self.plans[extents].nbytes[0]

    def counts(self) -> Counts:
        reader, writer = self.stage.reader, self.stage.writer
        return Counts(self.nbytes, reader.nbytes, reader.calls, writer.calls, self.sent)

    def end(self) -> None:
        """Collective."""
        for plan in self.plans.values():
            plan.close()
