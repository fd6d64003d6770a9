"""Who copies the blocks: this process, or workers of Dask. Ranks of MPI, which hand elements to each other, are ranks.py.

An engine plans the blocks of a stage and runs it. Blocks are independent: each chunk of the output lies in one of them,
and a block that is written twice, since the worker that had it has died, gets the same bytes. So an engine only deals out
shares, runs of blocks, and the output gets its name when all of them are there.
"""

from __future__ import annotations

import logging
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple, Protocol

from .errors import FAILED, SIGNALS, CommandError, need
from .files.blocks import Blocks, plan_blocks
from .files.sides import Side
from .files.transfer import Stage, transfer

SHARES = 4  # for each worker, so that none waits long for the last one
AHEAD = 2  # shares that a worker is given at once: one is sent while the other is copied
WORKER_SECONDS = 60  # to wait for the first one
SPLITS = 20  # how often a limit is halved until each worker has a block


class Counts(NamedTuple):
    """What a stage, or a share of it, has done."""

    nbytes: int = 0  # written
    bytes_read: int = 0
    reads: int = 0
    writes: int = 0
    bytes_sent: int = 0  # from rank to rank

    def plus(self, other: Counts) -> Counts:
        return Counts(*(one + more for one, more in zip(self, other)))


class Engine(Protocol):
    """Copies stages between begin() and end(). `processes`: how many work; `is_shared`: others open the files."""

    processes: int
    is_shared: bool

    def begin(self) -> None:
        """What is begun here is ended by end(), after the output is made and before it is removed."""

    def plan(self, shape: tuple[int, ...], source: Side, target: Side, limit: int) -> Blocks:
        """The blocks, of which each process has no more than limit bytes in its buffers."""

    def run(self, stage: Stage, done: Callable[[int], None]) -> Counts:
        """Copy; done is called with the bytes that were written meanwhile."""

    def end(self) -> None:
        """Nothing is written any more when this returns. It may be called more than once."""


def counted(stage: Stage, first: int, last: int, done: Callable[[int], None]) -> Counts:
    """Copy a share in this process."""
    reader, writer = stage.reader, stage.writer
    before, written = (reader.nbytes, reader.calls, writer.calls), 0

    def count(nbytes: int) -> None:
        nonlocal written
        written += nbytes
        done(nbytes)

    transfer(stage, first, last, count)
    return Counts(written, reader.nbytes - before[0], reader.calls - before[1], writer.calls - before[2])


class Here:
    """This process alone."""

    processes, is_shared = 1, False

    def plan(self, shape: tuple[int, ...], source: Side, target: Side, limit: int) -> Blocks:
        return plan_blocks(shape, source, target, limit)

    def begin(self) -> None:
        """There are no others."""

    def run(self, stage: Stage, done: Callable[[int], None]) -> Counts:
        return counted(stage, 0, stage.blocks.number, done)

    def end(self) -> None:
        """Nothing has begun."""


def plan_shares(shape: tuple[int, ...], source: Side, target: Side, limit: int, workers: int) -> Blocks:
    """Blocks for several workers: smaller ones than a limit allows, where there were fewer than workers."""
    blocks = plan_blocks(shape, source, target, limit)
    smaller = blocks.nbytes
    for _ in range(SPLITS):
        if blocks.number >= workers:
            break
        smaller //= 2
        try:
            blocks = plan_blocks(shape, source, target, smaller)
        except CommandError:  # one chunk, or one element, is the least
            break
    return blocks


def run_share(packed: bytes, first: int, last: int) -> Counts:
    """On a worker: copy a share of a pickled stage, whose files are opened here."""
    stage = pickle.loads(packed)
    try:
        return counted(stage, first, last, lambda nbytes: None)
    finally:
        stage.close()


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes that are started in the block ignore the terminal's Ctrl-C, which would have each of them print a traceback:
    this process ends them. It does not hear one in the block either. (Masks would not do: multiprocessing takes them off.)
    After an exception signals_raise() tidies up."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


class Dask:
    """Workers of Dask that see the same files: those of a scheduler, or of a cluster of so many processes here."""

    is_shared = True

    def __init__(self, address: str) -> None:
        self.distributed = need("distributed", "--dask")
        self.address, self.processes = address, 0
        self.cluster: Any = None
        self.client: Any = None
        self.running: set[Any] = set()

    def begin(self) -> None:
        address = self.address
        SIGNALS.unfinished.append(self)
        try:
            if address.isdecimal():
                with interrupts_ignored():
                    self.cluster = self.distributed.LocalCluster(n_workers=int(address), processes=True, threads_per_worker=1,
                                                                 memory_limit=0, dashboard_address=":0",
                                                                 silence_logs=logging.CRITICAL)
            self.client = self.distributed.Client(self.cluster or address)
            self.client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except (OSError, ValueError, RuntimeError) as error:
            raise CommandError(f"--dask {address}: {error}") from None
        self.processes = sum(self.client.nthreads().values())

    def plan(self, shape: tuple[int, ...], source: Side, target: Side, limit: int) -> Blocks:
        return plan_shares(shape, source, target, limit, self.processes)

    def submissions(self, stage: Stage) -> Iterator[Any]:
        packed = pickle.dumps(stage)
        number = stage.blocks.number
        size = max(1, number // (self.processes * SHARES))
        for first in range(0, number, size):
            future = self.client.submit(run_share, packed, first, min(first + size, number), pure=False)
            self.running.add(future)
            yield future

    def run(self, stage: Stage, done: Callable[[int], None]) -> Counts:
        total = Counts()
        submissions = self.submissions(stage)
        finished = self.distributed.as_completed(list(islice(submissions, self.processes * AHEAD)))
        for future in finished:
            try:
                counts = future.result()
            except self.distributed.KilledWorker:
                raise CommandError("workers of Dask died, one after the other, with the same blocks: have they memory enough?",
                                   FAILED) from None
            self.running.discard(future)
            total = total.plus(counts)
            done(counts.nbytes)
            finished.update(islice(submissions, 1))
        return total

    def end(self) -> None:
        """What workers have begun is waited for: they must not write what is removed meanwhile."""
        if self in SIGNALS.unfinished:
            SIGNALS.unfinished.remove(self)
        running, self.running = self.running, set()
        if self.cluster is None and running:
            self.distributed.wait(running)
        for closed in (self.client, self.cluster):
            if closed is not None:
                closed.close()
        self.client = self.cluster = None
