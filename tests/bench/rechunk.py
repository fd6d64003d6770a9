"""Arrays that are rechunked and turned by two processes: strideview copy beside dask's rechunk and rechunker, alternately.

    PYTHONPATH=py-build python rechunk.py FOLDER [--gib 2] [--rounds 3] [--rechunker PYTHON] [--case NAME] [--only NAME]

FOLDER takes three times the array. rechunker needs Zarr 2, and so a Python of its own: --rechunker names it. strideview's
ranks of MPI need LIBSV_MPI, and what mpi4py asks for. All run in processes of their own, whose starting is not timed.
Printed for each: seconds, the largest sum of memory over all processes (their shares of what they share, PSS), what they
read and wrote, and what went through sockets of this machine, which should have nothing else to do. Medians.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import psutil

LIMIT = 128 << 20  # of the buffers of a worker
WORKER = 2 << 30  # bytes of memory that a worker of Dask may have before it spills
CASES = {  # source, target, chunks of the source, of the target, order of axes; T, Y, X are the extents
    "series": ("in.zarr", "out.zarr", "4,Y,X", "T,Y/16,X/8", None),
    "series, reversed": ("in.zarr", "out.zarr", "4,Y,X", "X/8,Y/16,T", (2, 1, 0)),
    ".npy, reversed": ("in.npy", "out.npy", None, None, (2, 1, 0)),
}


def extents(text, shape):
    names = dict(zip("TYX", shape))
    found = []
    for word in text.split(","):
        name, _, divisor = word.partition("/")
        found.append(int(name) if name.isdecimal() else names[name] // int(divisor or 1))
    return found


class Npy:
    """A file that each worker opens: Dask would send an array of np.load() as a whole."""

    def __init__(self, path):
        array = self.opened = opened(path)
        self.path, self.shape, self.dtype, self.ndim = path, array.shape, array.dtype, array.ndim

    def __getstate__(self):
        return self.__dict__ | {"opened": None}

    def array(self):
        import numpy as np
        self.opened = np.load(self.path, mmap_mode="r+") if self.opened is None else self.opened
        return self.opened

    def __getitem__(self, key):
        return self.array()[key]

    def __setitem__(self, key, value):
        self.array()[key] = value


# --- what is compared: each prints JSON with the seconds ----------------------------------------------------------------

def cluster():
    import distributed
    return distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, memory_limit=WORKER,
                                    dashboard_address=":0", silence_logs=50)


def by_dask(job, method):
    import dask
    import dask.array
    import distributed
    import numpy as np
    with cluster() as made, distributed.Client(made), dask.config.set({"array.rechunk.method": method}):
        begin = time.monotonic()
        if job["source"].endswith("npy"):
            source = Npy(job["source"])
            array = dask.array.from_array(source, chunks=(max(1, source.shape[0] // 64), -1, -1))
            array = array.transpose(job["axes"]).rechunk((max(1, source.shape[2] // 64), -1, -1))
            np.lib.format.open_memmap(job["target"], "w+", source.dtype, array.shape)
            dask.array.store(array, Npy(job["target"]), lock=False)
        else:
            array = dask.array.from_zarr(job["source"])
            if job["axes"]:
                array = array.transpose(job["axes"])
            array = array.rechunk(tuple(job["chunks"]))
            dask.array.to_zarr(array, job["target"], compressors=None)
        print(json.dumps({"seconds": time.monotonic() - begin}))


def by_rechunker(job):
    import distributed
    import rechunker
    import zarr
    with cluster() as made, distributed.Client(made):
        begin = time.monotonic()
        source = zarr.open_array(job["source"], mode="r")
        plan = rechunker.rechunk(source, tuple(job["chunks"]), LIMIT, job["target"], temp_store=job["target"] + ".temp",
                                 target_options={"compressor": None}, temp_options={"compressor": None})
        plan.execute()
        print(json.dumps({"seconds": time.monotonic() - begin}))


PEERS = {"dask, tasks": lambda job: by_dask(job, "tasks"), "dask, p2p": lambda job: by_dask(job, "p2p"), "rechunker": by_rechunker}


def command_of(name, job, options):
    if name in PEERS:
        python = options.rechunker if name == "rechunker" else sys.executable
        return [python, os.path.abspath(__file__), "", "--one", name, "--job", json.dumps(job)]
    words = ["-m", "strideview", "copy", job["source"], job["target"], "--json", "--memory-limit", str(LIMIT)]
    if job["chunks"]:
        words.append("--uncompressed")
        words += ["--chunks", ",".join(map(str, job["chunks"]))]
    if job["axes"]:
        words += ["--permute", ",".join(map(str, job["axes"]))]
    if name == "strideview, Dask":
        words += ["--dask", "2"]
    if name == "strideview, MPI":
        return [options.mpiexec, "-n", "2", sys.executable, *words, "--mpi"]
    return [sys.executable, *words]


# --- measuring ----------------------------------------------------------------------------------------------------------

class Watch(threading.Thread):
    """Memory and traffic of a process and all that it has started."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.moved, self.ended = psutil.Process(process.pid), 0, (0, 0), threading.Event()
        self.before = psutil.net_io_counters(pernic=True)["lo"].bytes_sent

    def look(self):
        total = read = written = 0
        try:
            family = [self.process, *self.process.children(recursive=True)]
        except psutil.Error:
            return
        for each in family:
            try:
                with open(f"/proc/{each.pid}/smaps_rollup") as file:
                    total += next(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
                counters = each.io_counters()
                read, written = read + counters.read_chars, written + counters.write_chars
            except (psutil.Error, OSError, StopIteration):
                continue
        self.peak = max(self.peak, total)
        self.moved = max(self.moved, (read, written))  # the system adds what a process has moved to its parent when it ends

    def run(self):
        while not self.ended.wait(0.05):
            self.look()

    def told(self):
        self.ended.set()
        self.join()
        sent = psutil.net_io_counters(pernic=True)["lo"].bytes_sent - self.before
        return {"peak": self.peak, "read": self.moved[0], "written": self.moved[1], "sockets": sent}


def measure(name, job, options):
    for left in (job["target"], job["target"] + ".temp"):
        shutil.rmtree(left, ignore_errors=True) if os.path.isdir(left) else os.path.exists(left) and os.unlink(left)
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command_of(name, job, options), stdout=out, stderr=subprocess.PIPE, text=True)
        watch = Watch(process)
        watch.start()
        said = process.communicate()[1]
        told = watch.told()
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        raise SystemExit(f"{name}: status {process.returncode}\n{said[-3000:]}")
    printed = json.loads(text[text.index("{"):])
    check(job)
    return told | {"seconds": printed["seconds"], "sent": printed.get("bytes_sent", 0), "stages": printed.get("stages", 0)}


def opened(path):
    import numpy as np
    if path.endswith("npy"):
        return np.load(path, mmap_mode="r")
    import zarr
    return zarr.open_array(path, mode="r")


def check(job):
    """Some planes and lines of the result."""
    import numpy as np
    source, target = opened(job["source"]), opened(job["target"])
    axes = job["axes"] or range(source.ndim)
    assert target.shape == tuple(source.shape[axis] for axis in axes)
    for axis in range(source.ndim):
        key = [slice(None, None, 97)] * source.ndim
        key[axis] = source.shape[axis] * 2 // 3
        turned = tuple(key[each] for each in axes)
        kept = [each for each in axes if each != axis]
        wanted = np.asarray(source[tuple(key)]).transpose([sorted(kept).index(each) for each in kept])
        assert np.array_equal(np.asarray(target[turned]), wanted), job


def make(path, shape, chunks):
    import numpy as np
    random = np.random.default_rng(0)
    if path.endswith("npy"):
        array = np.lib.format.open_memmap(path, "w+", "f4", shape)
    else:
        import zarr
        array = zarr.create_array(store=path, shape=shape, chunks=chunks, dtype="f4", zarr_format=2, compressors=None, overwrite=True)
    for first in range(0, shape[0], 16):
        array[first:first + 16] = random.random((min(16, shape[0] - first), *shape[1:]), "f4")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--gib", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rechunker", help="a Python that has it")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--only", action="append", help="some of what is compared")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--job", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        PEERS[options.one](options.job)
        return
    shape = (max(16, int(options.gib * 256)), 1024, 1024)
    for title in options.case or CASES:
        source, target, old, new, axes = CASES[title]
        job = {"source": f"{options.folder}/{source}", "target": f"{options.folder}/{target}", "axes": axes,
               "chunks": extents(new, shape) if new else None}
        make(job["source"], shape, tuple(extents(old, shape)) if old else None)
        names = ["strideview", "strideview, Dask", "strideview, MPI", "dask, tasks", "dask, p2p", "rechunker"]
        names = [name for name in names if not options.only or name in options.only]
        if axes or not options.rechunker:  # it has no order of axes
            names = [name for name in names if name != "rechunker"]
        if "LIBSV_MPI" not in os.environ:
            names = [name for name in names if name != "strideview, MPI"]
        found = {name: [] for name in names}
        for _ in range(options.rounds):
            for name in names:
                found[name].append(measure(name, job, options))
        print(f"{title}: {shape} float32, {options.rounds} rounds")
        print(f"  {'':18}{'s':>8}{'peak MiB':>10}{'read GiB':>10}{'written':>9}{'sockets':>9}{'ranks':>7}{'stages':>8}")
        for name, rounds in found.items():
            of = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
            print(f"  {name:18}{of['seconds']:8.2f}{of['peak'] / 2**20:10.0f}{of['read'] / 2**30:10.2f}{of['written'] / 2**30:9.2f}"
                  f"{of['sockets'] / 2**30:9.2f}{of['sent'] / 2**30:7.2f}{of['stages']:8.0f}", flush=True)
        for path in (job["source"], job["target"], job["target"] + ".temp"):
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)


if __name__ == "__main__":
    main()
