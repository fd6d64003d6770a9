"""Images a second of examples/image_loader.py beside PyTorch's DataLoader, alternately, each with two worker processes.

    PYTHONPATH=py-build python images.py FOLDER [--images 2048] [--size 64] [--rounds 5]

Shards of uint8 images of 224 x 224 x 3 become shuffled batches of float32, NCHW, normalised. Each loader runs in a
process of its own, one epoch to start its workers and to read the files, then one that is timed. The median of rounds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "examples"))
SHARDS, IMAGE = 4, (224, 224, 3)


def timed(epoch, count):
    """Images a second of the second epoch."""
    for number in 0, 1:
        begin, seen, total = time.perf_counter(), 0, 0.0
        for images in epoch(number):
            seen += images.shape[0]
            total += float(images[0, 0, 0, 0])  # somebody looks at it
        seconds = time.perf_counter() - begin
        assert seen == count
    print(json.dumps({"rate": seen / seconds}))


def ours(paths, size, workers, dtype="float32"):
    import image_loader
    made = image_loader.Loader([image_loader.find_shard(path) for path in paths], workers, size, seed=1, dtype=dtype)
    timed(lambda number: (np.asarray(batch) for batch, _ in made.epoch(number)), int(made.firsts[-1]))


def by_dask(paths, size, dtype="float32"):
    import distributed
    import image_loader
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster, \
            distributed.Client(cluster) as client:
        ours(paths, size, image_loader.DaskWorkers(client), dtype)


def by_ray(paths, size):
    import ray
    import image_loader
    where = os.pathsep.join([os.path.dirname(image_loader.__file__), os.environ.get("PYTHONPATH", "")])
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": where}})
    ours(paths, size, image_loader.RayWorkers(ray))
    ray.shutdown()


def by_torch(paths, size, collate, item):
    import torch
    shards = [np.load(path, mmap_mode="r") for path in paths]
    each = shards[0].shape[0]

    class Images(torch.utils.data.Dataset):
        def __len__(self):
            return each * len(shards)

        def __getitem__(self, number):
            return item(shards[number // each][number % each])

    made = torch.utils.data.DataLoader(Images(), size, shuffle=True, num_workers=2, collate_fn=collate, persistent_workers=True,
                                       prefetch_factor=2)
    timed(lambda number: made, each * len(shards))


def torch_by_images(paths, size):
    """As its tutorials have it: each image is converted and normalised, then they are stacked."""
    import image_loader
    import torch
    mean, deviation = (torch.tensor(each, dtype=torch.float32)[:, None, None] for each in (image_loader.MEAN, image_loader.DEVIATION))

    def item(image):
        return (torch.from_numpy(image.copy()).permute(2, 0, 1).float() / 255 - mean) / deviation

    by_torch(paths, size, None, item)


def torch_by_batches(paths, size):
    """A batch of bytes is stacked first, then converted in place."""
    import image_loader
    import torch
    mean, deviation = (torch.tensor(255 * each, dtype=torch.float32)[:, None, None] for each in (image_loader.MEAN, image_loader.DEVIATION))

    def collate(images):
        batch = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)
        return batch.sub_(mean).div_(deviation)

    by_torch(paths, size, collate, lambda image: image)


def torch_and_collate(paths, size):
    """With examples/collate.py, which is one pass by strideview."""
    import collate
    by_torch(paths, size, collate.collate, lambda image: image)


LOADERS = {"image_loader.py, Dask": by_dask, "image_loader.py, Ray": by_ray,
           "image_loader.py, Dask, float16": lambda paths, size: by_dask(paths, size, "float16"),
           "DataLoader, image by image": torch_by_images, "DataLoader, by batches": torch_by_batches,
           "DataLoader, collate.py": torch_and_collate}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--images", type=int, default=2048)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    paths = [f"{options.folder}/{k}.npy" for k in range(SHARDS)]
    if options.one:
        LOADERS[options.one](paths, options.size)
        return
    random = np.random.default_rng(0)
    for path in paths:
        np.save(path, random.integers(0, 256, (options.images // SHARDS, *IMAGE), "uint8"))
    rates = {name: [] for name in LOADERS}
    for _ in range(options.rounds):
        for name in LOADERS:
            command = [sys.executable, os.path.abspath(__file__), options.folder, "--size", str(options.size), "--one", name]
            ended = subprocess.run(command, capture_output=True, text=True)
            if ended.returncode != 0:
                raise SystemExit(f"{name}: status {ended.returncode}\n{ended.stderr[-3000:]}")
            rates[name].append(json.loads(ended.stdout.splitlines()[-1])["rate"])
    for name, each in rates.items():
        print(f"{name:28} {statistics.median(each):8.0f} images/s  ({min(each):.0f} to {max(each):.0f})")
    for path in paths:
        os.unlink(path)


if __name__ == "__main__":
    main()
