"""Batches for a network from shards of images, by workers of Dask or Ray: normalised floats, NCHW.

    python image_loader.py dask        # or ray: some shards are made, read and checked

A batch lies in memory that this process and the workers map, page-locked where the system allows it. A worker reads
images of bytes from its shards and writes them, normalised, to their places: one pass, and no copy between processes.
By Dask or Ray go numbers alone: which images, and which place. So the workers are processes of this machine.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

import strideview as sv

MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # of ImageNet, between 0 and 1


# --- shards -----------------------------------------------------------------------------------------------------------

class Shard(NamedTuple):
    """A file of images, shape (images, height, width, channels) in uint8: .npy, .zarr, or raw bytes of a known shape."""

    path: str
    shape: tuple[int, ...]

    def open(self) -> Any:
        """What gives images by their numbers; nothing of a file is read before."""
        if self.path.endswith(".zarr"):
            import zarr
            return zarr.open_array(self.path, mode="r")
        if self.path.endswith(".npy"):
            return np.load(self.path, mmap_mode="r")
        return np.memmap(self.path, "uint8", "r", shape=self.shape)


def find_shard(path: str, image: tuple[int, ...] | None = None) -> Shard:
    """A file as a shard. image: the shape of one, which raw files need. ValueError: it has no images of bytes."""
    if path.endswith((".npy", ".zarr")):
        array = Shard(path, ()).open()
    elif image is None:
        raise ValueError(f"{path} is raw: say the shape of an image")
    else:
        array = Shard(path, (os.path.getsize(path) // prod(image), *image)).open()
    if array.dtype != "uint8" or array.ndim != 4:
        raise ValueError(f"{path} has {array.ndim} axes of {array.dtype}, not images of uint8")
    return Shard(path, tuple(array.shape))


# --- memory that several processes map ----------------------------------------------------------------------------------

class Slots:
    """Places for batches, of one shape, in memory without a name: the system frees it when the last process is gone."""

    def __init__(self, count: int, shape: tuple[int, ...], dtype: str) -> None:
        self.shape, self.dtype = shape, dtype
        itemsize = sv.empty((), dtype).itemsize
        self.nbytes = -(-prod(shape) * itemsize // mmap.PAGESIZE) * mmap.PAGESIZE  # of one
        self.fd = os.memfd_create("batches")
        os.ftruncate(self.fd, count * self.nbytes)
        self.map = mmap.mmap(self.fd, count * self.nbytes)
        self.place = f"/proc/{os.getpid()}/fd/{self.fd}", os.fstat(self.fd).st_ino
        self.memory, self.kind = self.lock()

    def lock(self) -> tuple[Any, str]:
        """(the memory, how much it is locked): CUDA copies from "pinned" memory without waiting."""
        try:
            return sv.Buffer.register(self.map), "pinned"
        except (RuntimeError, NotImplementedError, MemoryError):  # no device here
            pass
        address = np.frombuffer(self.map, "u1").ctypes.data
        is_locked = ctypes.CDLL(None).mlock(ctypes.c_void_p(address), ctypes.c_size_t(len(self.map))) == 0
        return self.map, "locked" if is_locked else "ordinary"

    def batch(self, slot: int, count: int) -> Any:
        return batch_of(self.memory, slot * self.nbytes, count, self.shape, self.dtype)

    def close(self) -> None:
        """Batches that are still used keep the memory."""
        if self.fd >= 0:
            os.close(self.fd)
        self.fd, self.memory, self.map = -1, None, None


def batch_of(memory: Any, offset: int, count: int, shape: tuple[int, ...], dtype: str) -> Any:
    return sv.StridedMemoryView.from_buffer(memory, (count, *shape[1:]), dtype=dtype, offset=offset)


@functools.lru_cache(2)
def mapped(path: str, inode: int) -> mmap.mmap:
    """On a worker: the slots of a loader. Their inode tells whether the path still means them."""
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        if os.fstat(fd).st_ino != inode:
            raise RuntimeError("the loader of these batches is gone")
        return mmap.mmap(fd, os.fstat(fd).st_size)
    finally:
        os.close(fd)


@functools.lru_cache(256)
def opened(shard: Shard, _changed: int) -> Any:
    return shard.open()


# --- what workers do ----------------------------------------------------------------------------------------------------

class Task(NamedTuple):
    """A batch to be made: where, and of which images."""

    place: tuple[str, int]
    offset: int
    shape: tuple[int, ...]
    dtype: str
    images: list[tuple[Shard, int]]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]


def fill(task: Task) -> int:
    """On a worker: write a batch. The worker's process, for those who count them."""
    batch = batch_of(mapped(*task.place), task.offset, len(task.images), task.shape, task.dtype)
    for k, (shard, number) in enumerate(task.images):
        try:
            image = opened(shard, os.stat(shard.path).st_mtime_ns)[number]
            # The view has the axes of the image, and the memory of the planes.
            sv.copy(batch[k].permute([1, 2, 0]), image, casting="unsafe", mean=task.mean, std=task.deviation, axis=2)
        except Exception as error:
            raise RuntimeError(f"{shard.path}, image {number}: {error}") from error
    return os.getpid()


class DaskWorkers:
    """The workers of a distributed.Client. A batch whose worker dies is made by another one."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def submit(self, task: Task) -> Any:
        return self.client.submit(fill, task, pure=False)

    def result(self, future: Any) -> int:
        return int(future.result())


class RayWorkers:
    """The workers of Ray, after ray.init(). A batch whose worker dies is made again, three times."""

    def __init__(self, ray: Any) -> None:
        self.ray, self.fill = ray, ray.remote(fill)

    def submit(self, task: Task) -> Any:
        return self.fill.remote(task)

    def result(self, future: Any) -> int:
        return int(self.ray.get(future))


# --- the loader ---------------------------------------------------------------------------------------------------------

class Loader:
    """Batches of images of one shape, in the order of the shards or shuffled by a seed, the next ones made meanwhile.

    shards: of find_shard(). workers: DaskWorkers or RayWorkers. mean, deviation: for each channel, between 0 and 1.
    seed: shuffles, every epoch in its own way; None: the order of the shards. prefetch: batches that are made ahead.
    The last batch has what is left.
    """

    def __init__(self, shards: Sequence[Shard], workers: Any, size: int, *, mean: Any = MEAN, deviation: Any = DEVIATION,
                 dtype: str = "float32", seed: int | None = None, prefetch: int = 4) -> None:
        if not shards or size < 1 or prefetch < 1:
            raise ValueError("a loader needs shards, and size and prefetch of at least 1")
        if len({shard.shape[1:] for shard in shards}) > 1:
            raise ValueError(f"images of several shapes: {sorted({shard.shape[1:] for shard in shards})}")
        self.shards, self.workers, self.size, self.seed = list(shards), workers, size, seed
        self.firsts = np.cumsum([0] + [shard.shape[0] for shard in shards])
        self.mean, self.deviation = tuple(255 * np.asarray(mean, float)), tuple(255 * np.asarray(deviation, float))
        height, width, channels = shards[0].shape[1:]
        self.slots = Slots(prefetch + 1, (size, channels, height, width), dtype)  # one of them is the user's

    def __len__(self) -> int:
        return -(-int(self.firsts[-1]) // self.size)

    def close(self) -> None:
        self.slots.close()

    def task(self, slot: int, numbers: Any) -> Task:
        places = np.searchsorted(self.firsts, numbers, "right") - 1
        images = [(self.shards[place], int(number - self.firsts[place])) for place, number in zip(places, numbers)]
        slots = self.slots
        return Task(slots.place, slot * slots.nbytes, slots.shape, slots.dtype, images, self.mean, self.deviation)

    def epoch(self, number: int = 0) -> Iterator[tuple[Any, Any]]:
        """(batch, numbers of its images) one after the other. A batch is overwritten after the next one is asked for.

        RuntimeError: a worker could not read an image; what it says of it. The errors of Dask and Ray where workers die.
        """
        count = int(self.firsts[-1])
        order = np.arange(count) if self.seed is None else np.random.default_rng([self.seed, number]).permutation(count)
        parts = iter([order[first:first + self.size] for first in range(0, count, self.size)])
        free, waiting = deque(range(self.slots.map.size() // self.slots.nbytes)), deque()
        try:
            while True:
                while free and (numbers := next(parts, None)) is not None:
                    slot = free.popleft()
                    waiting.append((slot, numbers, self.workers.submit(self.task(slot, numbers))))
                if not waiting:
                    return
                slot, numbers, future = waiting.popleft()
                self.workers.result(future)
                yield self.slots.batch(slot, len(numbers)), numbers
                free.append(slot)
        finally:  # nobody may write to a slot that the next epoch uses
            for _, _, future in waiting:
                try:
                    self.workers.result(future)
                except Exception:  # told already, or of a batch that nobody wants
                    continue


# --- an example ---------------------------------------------------------------------------------------------------------

def main(engine: str) -> None:
    import tempfile
    from contextlib import ExitStack
    images = np.random.default_rng(1).integers(0, 256, (70, 48, 64, 3), dtype="uint8")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        np.save(f"{folder}/a.npy", images[:40])
        images[40:].tofile(f"{folder}/b.raw")
        shards = [find_shard(f"{folder}/a.npy"), find_shard(f"{folder}/b.raw", (48, 64, 3))]
        if engine == "dask":
            import distributed
            cluster = stack.enter_context(distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0"))
            workers: Any = DaskWorkers(stack.enter_context(distributed.Client(cluster)))
        else:
            import ray
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            stack.callback(ray.shutdown)
            workers = RayWorkers(ray)
        loader = Loader(shards, workers, 16, seed=1)
        stack.callback(loader.close)
        worst = 0.0
        for batch, numbers in loader.epoch():
            wanted = ((images[numbers] / 255 - MEAN) / DEVIATION).transpose(0, 3, 1, 2)
            worst = max(worst, float(abs(np.asarray(batch) - wanted).max()))
        print(f"{len(loader)} batches in {loader.slots.kind} memory, wrong by {worst:.1e} at most")


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import image_loader  # so that workers find fill() by its name

    image_loader.main(sys.argv[1] if sys.argv[1:] else "dask")
