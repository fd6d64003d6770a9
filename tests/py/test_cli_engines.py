"""strideview copy by workers of Dask, on a real local cluster, and by way of a raw file; what arrives, against NumPy."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from strideview.cli import main as program
from strideview.cli.errors import CommandError
from strideview.cli.files.blocks import plan_blocks
from strideview.cli.files.sides import ChunkSide, FileSide
from strideview.cli.files.staging import between, cost_of, strides_of

SPACE = 5  # the exit code


def run(*arguments):
    """The exit code."""
    with pytest.raises(SystemExit) as ended:
        program.main([str(word) for word in arguments])
    return ended.value.code


def numbers(shape, dtype="f4"):
    return np.random.default_rng(0).integers(0, 100, shape).astype(dtype)


def left(folder):
    return sorted(os.listdir(folder))


def save(path, array, chunks):
    """A file of the format that its name says."""
    if path.suffix == ".zarr":
        zarr = pytest.importorskip("zarr")
        zarr.create_array(store=path, shape=array.shape, chunks=chunks, dtype=array.dtype)[...] = array
    elif path.suffix == ".h5":
        h5py = pytest.importorskip("h5py")
        with h5py.File(path, "w") as file:
            file.create_dataset("data", data=array, chunks=chunks)
    else:
        np.save(path, array)


def load(path):
    if path.suffix == ".zarr":
        return pytest.importorskip("zarr").open_array(path, mode="r")[...]
    if path.suffix == ".h5":
        with pytest.importorskip("h5py").File(path) as file:
            return file["data"][...]
    return np.load(path)


def local_cluster():
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0", memory_limit=0,
                                    silence_logs=50)


@pytest.fixture(scope="module")
def cluster():
    with local_cluster() as made:
        yield made


@pytest.fixture
def mortals():
    """(address, client) of a cluster whose workers may be killed."""
    distributed = pytest.importorskip("distributed")
    with local_cluster() as made, distributed.Client(made.scheduler_address) as client:
        yield made.scheduler_address, client


def set_limit(what, nbytes):
    """The soft limit of this process; None: none."""
    most = resource.getrlimit(what)[1]
    resource.setrlimit(what, (most if nbytes is None else nbytes, most))


def without_limits():
    for what in resource.RLIMIT_FSIZE, resource.RLIMIT_DATA:
        set_limit(what, None)


@pytest.fixture
def client(cluster):
    """For tests that limit workers."""
    import distributed
    with distributed.Client(cluster) as made:
        yield made
        made.run(without_limits)


CASES = {  # the files, the words, what comes of an array
    "a permuted file": ("in.npy", "out.npy", ["--permute", "2,0,1", "--dtype", "float64", "--scale", "1/2"],
                        lambda a: a.transpose(2, 0, 1).astype("f8") / 2),
    "a file to chunks": ("in.npy", "out.zarr", ["--chunks", "7,5,30", "--flip", "0"], lambda a: a[::-1]),
    "chunks to other chunks": ("in.zarr", "out.zarr", ["--chunks", "8,9,10", "--permute", "2,1,0", "--slice", "1:,::-1"],
                               lambda a: a.transpose(2, 1, 0)[1:, ::-1]),
    "chunks of HDF5 to a file": ("in.h5", "out.npy", ["--order", "F"], lambda a: a),
    "a file to a dense dataset": ("in.npy", "out.h5", [], lambda a: a),
    "an archive": ("in.npy", "out.npz", [], lambda a: a),
    "nothing": ("in.npy", "out.npy", ["--slice", "3:3"], lambda a: a[3:3]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_workers_of_dask_copy(cluster, tmp_path, capsys, name):
    source, out, words, expected = CASES[name]
    array = numbers((40, 50, 30))
    save(tmp_path / source, array, (4, 50, 30))
    assert run("copy", tmp_path / source, tmp_path / out, *words, "--dask", cluster.scheduler_address, "--memory-limit", "50K",
               "--json") == 0
    wanted = expected(array)
    found = np.load(tmp_path / out)["arr_0"] if out.endswith("npz") else load(tmp_path / out)
    assert found.shape == wanted.shape and np.array_equal(found, wanted)
    assert left(tmp_path) == sorted([source, out])
    told = json.loads(capsys.readouterr().out)
    between = array.nbytes if told["stages"] == 2 else 0
    assert told["processes"] == 2 and told["bytes_written"] == wanted.size * np.dtype(told["dtype"]).itemsize + between
    assert told["buffer_bytes"] <= 50 << 10
    if out.endswith("zarr"):  # each chunk was written once
        assert told["writes"] == told["blocks"] >= 2


def test_workers_have_a_block_each():
    """A limit that would allow one block is halved until there are as many as workers."""
    from strideview.cli.engines import plan_shares

    shape, source, target = (64, 64), FileSide((256, 4), 4), ChunkSide((16, 16), 4, (0, 0))
    assert plan_blocks(shape, source, target, 1 << 20).number == 1
    assert plan_shares(shape, source, target, 1 << 20, 3).number >= 3
    assert plan_shares((16, 16), source, target, 1 << 20, 3).number == 1  # one chunk is written by one worker


def test_a_cluster_of_its_own(tmp_path):
    pytest.importorskip("distributed")
    array = numbers((30, 40))
    np.save(tmp_path / "in.npy", array)
    ended = subprocess.run([sys.executable, "-m", "strideview", "copy", tmp_path / "in.npy", tmp_path / "out.npy", "--permute",
                            "1,0", "--dask", "1", "--quiet"], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert np.array_equal(np.load(tmp_path / "out.npy"), array.T)


def has_children(number):
    """Whether a process has started others, from any of its threads."""
    for thread in os.listdir(f"/proc/{number}/task"):
        with open(f"/proc/{number}/task/{thread}/children") as file:
            if file.read():
                return True
    return False


@pytest.mark.parametrize("seconds", [0, 0.4, 1.5])
def test_ctrl_c_of_a_terminal(tmp_path, seconds):
    """All processes of a program get it, and its workers say nothing. While they begin it is not heard, so it comes again."""
    pytest.importorskip("distributed")
    np.save(tmp_path / "in.npy", numbers((600, 500, 40)))
    words = [sys.executable, "-m", "strideview", "copy", tmp_path / "in.npy", tmp_path / "out.npy", "--permute", "2,1,0",
             "--quiet", "--dask", "2", "--memory-limit", "2K"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # jobs of shells ignore it
    while not has_children(process.pid):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(seconds)
    heard: list = []
    while not heard:  # once it has said so it ends, as every program does by another one
        os.killpg(process.pid, signal.SIGINT)
        heard = select.select([process.stderr], [], [], 4)[0]
    said = process.communicate(timeout=60)[1]
    assert (process.returncode, said, left(tmp_path)) == (130, "strideview: stopped by SIGINT\n", ["in.npy"])


# --- what goes wrong on a worker


def test_files_that_workers_do_not_share(cluster, tmp_path, capsys):
    np.savez_compressed(tmp_path / "in.npz", a=numbers((5, 6)))
    pytest.importorskip("h5py")
    address = cluster.scheduler_address
    assert run("copy", tmp_path / "in.npz", tmp_path / "out.npy", "--dask", address) == 1
    assert "unpacked by one process" in capsys.readouterr().err
    np.save(tmp_path / "in.npy", numbers((5, 6)))
    assert run("copy", tmp_path / "in.npy", tmp_path / "out.h5", "--chunks", "2,2", "--dask", address) == 1
    assert "in chunks is written by one process" in capsys.readouterr().err
    assert left(tmp_path) == ["in.npy", "in.npz"]


def test_schedulers_that_are_not_there(tmp_path, capsys):
    distributed = pytest.importorskip("distributed")
    np.save(tmp_path / "in.npy", numbers((5, 6)))
    import dask
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        assert run("copy", tmp_path / "in.npy", tmp_path / "out.npy", "--dask", "tcp://127.0.0.1:9") == 1
    assert capsys.readouterr().err.startswith("strideview: --dask tcp://127.0.0.1:9: ")
    assert left(tmp_path) == ["in.npy"]
    assert distributed  # only skipped without it


def limit_files(nbytes):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    set_limit(resource.RLIMIT_FSIZE, nbytes)


@pytest.mark.parametrize("name", ["out.npy", "out.zarr"])
def test_a_full_disk_of_a_worker(cluster, client, tmp_path, capsys, name):
    """A limit of the worker's processes stands for it."""
    if name.endswith("zarr"):
        pytest.importorskip("zarr")
    np.save(tmp_path / "in.npy", np.random.default_rng(0).random((300, 400)))
    client.run(limit_files, 3000)
    words = ["--chunks", "100,100"] if name.endswith("zarr") else []
    assert run("copy", tmp_path / "in.npy", tmp_path / name, *words, "--memory-limit", "1M", "--dask", cluster.scheduler_address) == SPACE
    assert name in capsys.readouterr().err
    assert left(tmp_path) == ["in.npy"]


def test_a_worker_that_is_killed(mortals, tmp_path):
    """Another one copies what it had, and the output is whole."""
    address, client = mortals
    array = numbers((600, 500, 8))
    np.save(tmp_path / "in.npy", array)
    victim = sorted(client.run(os.getpid).values())[0]
    codes = []
    thread = threading.Thread(target=lambda: codes.append(subprocess.run(
        [sys.executable, "-m", "strideview", "copy", tmp_path / "in.npy", tmp_path / "out.npy", "--permute", "2,1,0",
         "--memory-limit", "40K", "--quiet", "--dask", address], timeout=300).returncode))
    thread.start()
    until = time.monotonic() + 60
    while not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(victim, signal.SIGKILL)
    thread.join()
    assert codes == [0]
    assert np.array_equal(np.load(tmp_path / "out.npy"), array.T)
    assert left(tmp_path) == ["in.npy", "out.npy"]


def die_at_a_read():
    from strideview.cli.files import ends
    ends.FileReader.read = lambda *_: os.kill(os.getpid(), signal.SIGKILL)


def test_blocks_that_kill_their_workers(mortals, tmp_path, capsys):
    address, client = mortals
    np.save(tmp_path / "in.npy", numbers((50, 60)))

    def allow_no_death(dask_scheduler):
        dask_scheduler.allowed_failures = 0

    client.run_on_scheduler(allow_no_death)
    client.run(die_at_a_read)
    assert run("copy", tmp_path / "in.npy", tmp_path / "out.npy", "--dask", address) == 1
    assert "workers of Dask died" in capsys.readouterr().err
    assert left(tmp_path) == ["in.npy"]


def test_a_copy_that_is_interrupted(cluster, tmp_path):
    """Nothing is left of it, and it can be done again."""
    array = numbers((600, 500, 40))
    np.save(tmp_path / "in.npy", array)
    words = [sys.executable, "-m", "strideview", "copy", tmp_path / "in.npy", tmp_path / "out.npy", "--permute", "2,1,0",
             "--quiet", "--dask", cluster.scheduler_address]
    process = subprocess.Popen([*words, "--memory-limit", "2K"], stderr=subprocess.PIPE, text=True)
    while not any(name.endswith(".part") for name in left(tmp_path)):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=120)[1]
    assert (process.returncode, said, left(tmp_path)) == (143, "strideview: stopped by SIGTERM\n", ["in.npy"])
    assert subprocess.run(words, timeout=120).returncode == 0
    assert np.array_equal(np.load(tmp_path / "out.npy"), array.T)


def limit_memory(more):
    """This process may have so many bytes more than it has."""
    with open("/proc/self/status") as file:
        has = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData:"))
    set_limit(resource.RLIMIT_DATA, has + more)


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="sanitizers take memory of their own")
@pytest.mark.parametrize("limit, code", [("8M", 0), ("400M", 1)])
def test_memory_of_workers(cluster, client, tmp_path, capsys, limit, code):
    """128 MiB by workers that may have 40 MiB more; blocks of the whole are too much for them."""
    with open(tmp_path / "in.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (8192, 4096)})
        file.truncate(file.tell() + (128 << 20))
    client.run(limit_memory, 40 << 20)
    words = ["--permute", "1,0", "--quiet", "--memory-limit", limit, "--dask", cluster.scheduler_address]
    assert run("copy", tmp_path / "in.npy", tmp_path / "out.npy", *words) == code
    assert left(tmp_path) == ["in.npy"] + ["out.npy"] * (code == 0)
    (tmp_path / "in.npy").unlink()
    (tmp_path / "out.npy").unlink(missing_ok=True)


def test_few_chunks_at_work():
    """Large chunks: one or two at once; small ones as many as Zarr has set. Two that overlap leave the setting as it was."""
    zarr = pytest.importorskip("zarr")
    from strideview.cli.files.zarr_store import AT_WORK, Concurrency

    def now():
        return zarr.config.get("async.concurrency")

    shared, usual = Concurrency(), now()
    first, second = shared.few(AT_WORK // 2), shared.few(AT_WORK * 9)
    with first:
        assert now() == 2
        second.__enter__()
        assert now() == 1
    assert now() == 1
    second.__exit__(None, None, None)
    assert now() == usual
    with shared.few(1000):
        assert now() == usual


# --- by way of a file


def across(shape, chunk):
    """Chunks that are long along the first axis, and chunks that are long along the others."""
    return ChunkSide((1, *shape[1:]), 4, (0,) * len(shape)), ChunkSide((shape[0], *(chunk,) * (len(shape) - 1)), 4, (0,) * len(shape))


def test_a_file_between_costs_less_where_chunks_cross():
    shape, limit = (256, 128, 128), 2 << 20
    source, target = across(shape, 8)
    straight = cost_of(plan_blocks(shape, source, target, limit), source, target)
    best = between(shape, source, target, 4, limit, plan_blocks)
    assert best.cost * 3 < straight
    assert best.first.nbytes <= limit and best.second.nbytes <= limit
    assert between(shape, source, target, 4, 1000, plan_blocks) is None
    with pytest.raises(CommandError):
        plan_blocks(shape, source, target, 1000)


def test_little_memory_for_a_file_between():
    """Where gaps that are read as well take too much memory, the runs are read one by one, of a file in a good order."""
    shape, limit = (512, 1024, 1024), 128 << 20
    source, target = ChunkSide((4, 1024, 1024), 4, (0, 0, 0)), ChunkSide((512, 64, 128), 4, (0, 0, 0))
    best = between(shape, source, target, 4, limit, plan_blocks)
    assert best.cost < 2.5 * 4 * 4 * np.prod(shape) and max(best.first.nbytes, best.second.nbytes) <= limit


@pytest.mark.parametrize("shape, order, strides", [((2, 3, 5), (0, 1, 2), (60, 20, 4)), ((2, 3, 5), (2, 0, 1), (12, 4, 24)),
                                                   ((7,), (0,), (4,)), ((), (), ())])
def test_strides_of_orders(shape, order, strides):
    assert strides_of(shape, order, 4) == strides


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_chunks_that_cross(tmp_path, capsys, dtype):
    pytest.importorskip("zarr")
    array = numbers((200, 64, 48))
    save(tmp_path / "in.zarr", array, (1, 64, 48))
    for limit, stages in ("400K", 2), ("64M", 1):
        assert run("copy", tmp_path / "in.zarr", tmp_path / "out.zarr", "--permute", "1,2,0", "--chunks", "8,8,200", "--dtype", dtype,
                   "--scale", "2", "--memory-limit", limit, "--json", "--force") == 0
        told = json.loads(capsys.readouterr().out)
        assert told["stages"] == stages and told["buffer_bytes"] <= {"400K": 400 << 10, "64M": 64 << 20}[limit]
        assert np.array_equal(load(tmp_path / "out.zarr"), array.transpose(1, 2, 0).astype(dtype) * 2)
        assert left(tmp_path) == ["in.zarr", "out.zarr"]


def test_one_block_that_is_too_large(tmp_path, capsys):
    """For one chunk of the output nearly all of the file would be read, with its gaps: it goes by a file with other steps."""
    pytest.importorskip("zarr")
    array = numbers((512, 16, 16))
    np.save(tmp_path / "in.npy", array)
    for limit, stages in ("450K", 2), ("2M", 1):
        assert run("copy", tmp_path / "in.npy", tmp_path / "out.zarr", "--permute", "1,2,0", "--chunks", "8,8,512",
                   "--memory-limit", limit, "--json", "--force") == 0
        told = json.loads(capsys.readouterr().out)
        assert told["stages"] == stages and told["buffer_bytes"] <= {"450K": 450 << 10, "2M": 2 << 20}[limit]
        assert np.array_equal(load(tmp_path / "out.zarr"), array.transpose(1, 2, 0))
    assert run("copy", tmp_path / "in.npy", tmp_path / "out.zarr", "--permute", "1,2,0", "--chunks", "8,8,512",
               "--memory-limit", "100K", "--force") == 1
    assert "--memory-limit" in capsys.readouterr().err


if __name__ == "__main__":
    import tap

    tap.main(__file__)
