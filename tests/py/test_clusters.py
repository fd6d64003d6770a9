"""Views between the processes of Dask and Ray, on real local clusters: out of band, and without copies where there need be none."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import strideview as sv

ROWS = 256


def whole():
    return sv.view(np.arange(ROWS * 128, dtype="f8").reshape(ROWS, 128))


CASES = {
    "dense": lambda v: v, "transposed": lambda v: v.T, "rows": lambda v: v[::2], "reversed": lambda v: v[:, ::-1],
    "part": lambda v: v[3:9, 5:7], "empty": lambda v: v[:0], "one element": lambda v: v[3, 4],
    "bytes": lambda v: sv.view(bytes(range(200))),
}


def total(view):
    """On a worker: what came, and the sum of its elements."""
    return type(view).__name__, tuple(view.shape), float(np.asarray(view).sum())


def same(view):
    return view


def expected(view):
    return "StridedMemoryView", tuple(view.shape), float(np.asarray(view).sum())


# --- Dask


def address(memory):
    return np.frombuffer(memory, "u1").ctypes.data


def test_frames_of_dask_are_the_memory_itself():
    """A view without gaps is sent from where it lies, one with gaps is packed once, and what comes is not copied."""
    protocol = pytest.importorskip("distributed.protocol")
    for name, arrange in CASES.items():
        view = arrange(whole())
        header, frames = protocol.serialize(view)
        assert header["serializer"] == "pickle"
        data = [frame for frame in frames if memoryview(frame).nbytes == view.nbytes and view.nbytes > 100]
        if name in ("dense", "transposed", "bytes"):
            assert [address(frame) for frame in data] == [view.ptr]
        received = [bytearray(frame) for frame in frames]  # as a worker gets them
        back = protocol.deserialize(header, received)
        assert np.array_equal(np.asarray(back), np.asarray(view))
        if data:
            inside = [address(frame) <= back.ptr < address(frame) + len(frame) for frame in received if len(frame) == view.nbytes]
            assert any(inside), name


@pytest.fixture(scope="module")
def registered():
    """What Dask has done when it is imported, where the package is installed."""
    sizeof = pytest.importorskip("dask.sizeof").sizeof
    from strideview._dask import register_sizeof

    register_sizeof(sizeof)
    return sizeof


def test_dask_names_views_by_their_elements():
    """Equal ones have one name, others another one; a view with gaps is packed part by part, not as a whole."""
    tokenize = pytest.importorskip("dask.tokenize").tokenize

    from strideview._dask import BLOCK_BYTES

    large = sv.view(np.arange(8 << 20, dtype="u1").reshape(8, 1024, 1024))
    views = {name: arrange(whole()) for name, arrange in CASES.items()}
    views |= {"large": large, "gaps": large[:, :, ::2], "more gaps": large[:, ::3, ::-1], "row": large[:1, :, ::2]}
    names = {name: tokenize(view) for name, view in views.items()}
    assert names == {name: tokenize(view) for name, view in views.items()} and len(set(names.values())) == len(names)
    assert tokenize(whole()[::2]) == names["rows"]
    changed = np.array(views["gaps"])
    changed[-1, -1, -1] += 1
    assert tokenize(sv.view(changed)) != tokenize(sv.view(np.array(views["gaps"])))
    tracemalloc.start()
    tokenize(large[:, :, ::2])
    assert BLOCK_BYTES <= tracemalloc.get_traced_memory()[1] <= 2 * BLOCK_BYTES + (1 << 16) < large[:, :, ::2].nbytes
    tracemalloc.stop()


def test_dask_counts_the_elements(registered):
    sizeof = registered
    view = whole()
    assert view.nbytes <= sizeof(view) < view.nbytes + 1000
    buffer = sv.memory.default("host").allocate(5000)
    assert 5000 <= sizeof(buffer) < 6000


@pytest.fixture(scope="module")
def dask_client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        yield client


@pytest.mark.parametrize("name", CASES)
def test_views_on_a_cluster_of_dask(dask_client, name):
    view = CASES[name](whole())
    placed = dask_client.scatter(view, direct=True)
    for source in view, placed:
        assert dask_client.submit(total, source, pure=False).result(60) == expected(view)
        back = dask_client.submit(same, source, pure=False).result(60)
        assert np.array_equal(np.asarray(back), np.asarray(view)) and back.dtype == view.dtype


def test_from_worker_to_worker(dask_client):
    first, second = sorted(dask_client.scheduler_info()["workers"])
    made = dask_client.submit(same, whole().T, workers=[first], pure=False)
    assert dask_client.submit(total, made, workers=[second], pure=False).result(60) == expected(whole().T)


# --- what Dask finds of the installed package

REGISTERED = """
import sys
{before}
from distributed.protocol import cuda
import strideview as sv
assert sv.StridedMemoryView in cuda.cuda_serialize._lookup and sv.Buffer in cuda.cuda_deserialize._lookup
import dask.sizeof, numpy
assert dask.sizeof.sizeof(sv.view(numpy.zeros(1000))) >= 8000
assert not any(type(finder).__module__.startswith("strideview") for finder in sys.meta_path)
import inspect
assert "cuda_dumps" in inspect.getsource(cuda)
"""
ORDERS = {
    "as distributed is imported": "import distributed", "dask first": "import dask.sizeof\nimport dask.array",
    "names first": "import dask.tokenize", "delayed": "import dask.delayed",
    "strideview first": "import strideview", "by hand, twice":
    "from strideview._dask_cuda import register_when_imported as register\nregister()\nregister()\nimport distributed\nregister()",
}


@pytest.mark.parametrize("name", ORDERS)
def test_dask_registers_by_itself(tmp_path, name):
    pytest.importorskip("distributed.protocol.cuda")
    folder = tmp_path / "strideview-0.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: strideview\nVersion: 0.1\n")
    (folder / "entry_points.txt").write_text("[dask.sizeof]\nstrideview = strideview._dask:register_sizeof\n")
    paths = os.pathsep.join([str(tmp_path), str(Path(sv.__file__).parents[1])])
    done = subprocess.run([sys.executable, "-c", REGISTERED.format(before=ORDERS[name])], capture_output=True, text=True, timeout=100,
                          env=os.environ | {"PYTHONPATH": paths})
    assert done.returncode == 0 and "Failed" not in done.stderr, done.stderr


# --- Ray


@pytest.fixture(scope="module")
def ray():
    module = pytest.importorskip("ray")
    paths = os.pathsep.join([os.path.dirname(os.path.dirname(sv.__file__)), os.path.dirname(__file__)])
    module.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False,
                runtime_env={"env_vars": {"PYTHONPATH": paths}})
    yield module
    module.shutdown()


@pytest.mark.parametrize("name", CASES)
def test_views_on_ray(ray, name):
    view = CASES[name](whole())
    place = ray.put(view)
    there = ray.get(place)
    assert np.array_equal(np.asarray(there), np.asarray(view)) and there.dtype == view.dtype
    assert ray.get(ray.remote(total).remote(place)) == expected(view)


def allocated(call):
    """(what a call gives, bytes of the arrays and buffers that it made meanwhile)"""
    before = sv.memory.stats()["total_bytes"]
    made = call()
    return made, sv.memory.stats()["total_bytes"] - before


def is_in_store(view):
    """Whether its memory is that of Ray's store, which all processes of a machine map."""
    with open("/proc/self/maps") as file:
        maps = [line.split(maxsplit=5) for line in file if "plasma" in line]
    ends = [[int(end, 16) for end in words[0].split("-")] for words in maps]
    return any(low <= view.ptr and view.ptr + view.nbytes <= high for low, high in ends)


def received(view):
    """On a worker: whether the view lies in the store, and what arrays there are that hold its elements."""
    return is_in_store(view), sv.memory.stats()["live_bytes"]


@pytest.mark.parametrize("name", ["dense", "transposed", "rows", "reversed"])
def test_copies_of_views_on_ray(ray, name):
    """Who sends makes no array of a view without gaps, and one array of any other; who receives makes none."""
    view = CASES[name](sv.view(np.arange(4096 * 128, dtype="f8").reshape(4096, 128)))
    place, made = allocated(lambda: ray.put(view))
    assert made == (0 if name in ("dense", "transposed") else view.nbytes)
    there, made = allocated(lambda: ray.get(place))
    assert made == 0 and is_in_store(there) and not is_in_store(view)
    assert ray.get(ray.remote(received).remote(place)) == (True, 0)


def test_copies_of_views_on_dask(dask_client, registered):
    """The same of a view that is sent to a worker; there its memory is the frame that came."""
    for name in "dense", "transposed", "rows", "reversed":
        view = CASES[name](sv.view(np.arange(4096 * 128, dtype="f8").reshape(4096, 128)))
        place, made = allocated(lambda: dask_client.scatter(view, direct=True))
        assert made == (0 if name in ("dense", "transposed") else view.nbytes), name
        assert dask_client.submit(live_arrays, place, pure=False).result(60) == 0, name
        shape, made = allocated(lambda: dask_client.submit(shape_of, view).result(60))
        assert shape == view.shape and made == (0 if name in ("dense", "transposed") else view.nbytes), name


def shape_of(view):
    return view.shape


def live_arrays(_view):
    """On a worker, which has a view: bytes of the arrays there that own memory of libsv."""
    return sv.memory.stats()["live_bytes"]


def test_objects_of_ray_are_read_where_they_lie(ray):
    """Two readers of one object see the same shared memory, which nobody may write."""
    place = ray.put(whole())
    one, other = ray.get(place), ray.get(place)
    assert one.ptr == other.ptr and one.readonly and other.readonly
    with pytest.raises(ValueError, match="read-only"):
        one[0] = 1


if __name__ == "__main__":
    import tap

    tap.main(__file__)
