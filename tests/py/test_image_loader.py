"""examples/image_loader.py on real local clusters of Dask and Ray: which images come, in which memory, and what goes wrong."""

import os
import re
import signal
import sys

import numpy as np
import pytest

import strideview as sv

ROOT = os.path.abspath(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../..")))
sys.path.insert(0, os.path.join(ROOT, "examples"))

image_loader = pytest.importorskip("image_loader")

SHAPE = (12, 20, 3)


def images_of(shards):
    return np.concatenate([np.asarray(shard.open()[:]) for shard in shards])


def expected(images):
    return ((images / 255 - image_loader.MEAN) / image_loader.DEVIATION).transpose(0, 3, 1, 2)


@pytest.fixture
def shards(tmp_path):
    """Images in files of all formats that can be written here."""
    images = np.random.default_rng(0).integers(0, 256, (37, *SHAPE), dtype="uint8")
    np.save(tmp_path / "a.npy", images[:10])
    images[10:25].tofile(tmp_path / "b.raw")
    found = [image_loader.find_shard(str(tmp_path / "a.npy")), image_loader.find_shard(str(tmp_path / "b.raw"), SHAPE)]
    try:
        import zarr
    except ImportError:
        return found
    zarr.create_array(store=tmp_path / "c.zarr", shape=(12, *SHAPE), chunks=(5, *SHAPE), dtype="u1")[...] = images[25:]
    return [*found, image_loader.find_shard(str(tmp_path / "c.zarr"))]


@pytest.fixture(scope="module")
def dask_workers():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0",
                                  silence_logs=50) as cluster, distributed.Client(cluster) as client:
        yield image_loader.DaskWorkers(client)


@pytest.fixture(scope="module")
def ray_workers():
    ray = pytest.importorskip("ray")
    paths = os.pathsep.join([os.path.dirname(os.path.dirname(sv.__file__)), os.path.join(ROOT, "examples")])
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": paths}})
    yield image_loader.RayWorkers(ray)
    ray.shutdown()


@pytest.fixture(params=["dask", "ray"])
def workers(request):
    return request.getfixturevalue(f"{request.param}_workers")


@pytest.fixture
def make(shards, workers):
    """A loader of the shards; it is closed at the end."""
    made = []

    def call(size=8, **options):
        made.append(image_loader.Loader(shards, workers, size, **options))
        return made[-1]

    yield call
    for each in made:
        each.close()


@pytest.mark.parametrize("dtype, tolerance", [("float32", 1e-6), ("float16", 2e-3)])
def test_every_image_once(make, shards, dtype, tolerance):
    """In the order of the shards, the last batch with what is left."""
    images, found = images_of(shards), make(8, dtype=dtype)
    sizes, order = [], []
    for batch, numbers in found.epoch():
        assert str(batch.dtype) == dtype and batch.shape == (len(numbers), 3, *SHAPE[:2])
        assert np.allclose(np.asarray(batch).astype("f8"), expected(images[numbers]), atol=tolerance)
        sizes.append(len(numbers))
        order.extend(numbers)
        del batch
    assert order == list(range(len(images)))
    assert len(sizes) == len(found) and sizes[:-1] == [8] * (len(found) - 1) and sizes[-1] == len(images) % 8


def test_shuffled_by_a_seed(make, shards):
    images = images_of(shards)
    first, again = make(5, seed=3), make(5, seed=3, prefetch=1)
    orders = []
    for each, epoch in (first, 0), (again, 0), (first, 1):
        order = []
        for batch, numbers in each.epoch(epoch):
            assert np.allclose(np.asarray(batch), expected(images[numbers]), atol=1e-6)
            order.extend(int(number) for number in numbers)
        orders.append(order)
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2]) == list(range(len(images)))


def test_no_copy_between_processes(make):
    """Other processes have written, and what is read here is the memory that they map."""
    found = make(8)
    low = np.frombuffer(found.slots.map, "u1").ctypes.data
    before = sv.memory.stats()["total_count"]
    for batch, _ in found.epoch():
        assert low <= batch.ptr < low + len(found.slots.map)
    assert sv.memory.stats()["total_count"] == before
    assert os.getpid() != found.workers.result(found.workers.submit(found.task(0, np.arange(3))))
    assert found.slots.kind in ("pinned", "locked", "ordinary")
    del batch


def test_what_a_worker_allocates(make, dask_workers):
    """Nothing: it writes each image where it is read."""
    found = make(4)

    def allocations(task):
        before = sv.memory.stats()["total_count"]
        image_loader.fill(task)
        return sv.memory.stats()["total_count"] - before

    if found.workers is dask_workers:
        assert dask_workers.client.submit(allocations, found.task(0, np.arange(4)), pure=False).result() == 0
    else:
        assert found.workers.ray.get(found.workers.ray.remote(allocations).remote(found.task(0, np.arange(4)))) == 0


def test_torch_takes_batches_as_they_lie(make):
    torch = pytest.importorskip("torch")
    for batch, _ in make(8).epoch():
        assert torch.from_dlpack(batch).data_ptr() == batch.ptr
        break


def test_an_epoch_that_is_left_early(make, shards):
    images, found = images_of(shards), make(4, prefetch=3)
    for batch, _ in found.epoch():
        break
    for batch, numbers in found.epoch():
        assert np.allclose(np.asarray(batch), expected(images[numbers]), atol=1e-6)


def test_a_shard_that_is_cut_short(make, shards):
    """The user reads which image, of which file; the loader goes on with other epochs."""
    found = make(8, seed=1)
    whole = open(shards[1].path, "rb").read()
    os.truncate(shards[1].path, 100)
    with pytest.raises(RuntimeError, match=re.escape(shards[1].path) + ", image"):
        for batch, _ in found.epoch():
            del batch
    with open(shards[1].path, "wb") as file:
        file.write(whole)
    assert sum(len(numbers) for _, numbers in found.epoch()) == found.firsts[-1]


def test_what_is_refused(shards, tmp_path):
    with pytest.raises(ValueError, match="say the shape"):
        image_loader.find_shard(str(tmp_path / "b.raw"))
    np.save(tmp_path / "floats.npy", np.zeros((2, *SHAPE)))
    with pytest.raises(ValueError, match="not images of uint8"):
        image_loader.find_shard(str(tmp_path / "floats.npy"))
    np.save(tmp_path / "small.npy", np.zeros((2, 3, 4, 3), "u1"))
    with pytest.raises(ValueError, match="several shapes"):
        image_loader.Loader([*shards, image_loader.find_shard(str(tmp_path / "small.npy"))], None, 4)
    with pytest.raises(ValueError, match="at least 1"):
        image_loader.Loader(shards, None, 4, prefetch=0)


def test_a_worker_that_is_killed(make, shards, tmp_path):
    """Its batch is made by another one."""
    images, found = images_of(shards), make(4, prefetch=1)
    come, victim = [], None
    for batch, numbers in found.epoch():
        if victim is None:
            victim = found.workers.result(found.workers.submit(found.task(0, numbers)))
            os.kill(victim, signal.SIGKILL)
        assert np.allclose(np.asarray(batch), expected(images[numbers]), atol=1e-6)
        come.extend(numbers)
    assert come == list(range(len(images)))


if __name__ == "__main__":
    import tap

    tap.main(__file__)
