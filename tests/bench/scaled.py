"""How fast scaled copies of images are, beside PyTorch and NumPy with one thread.

    python scaled.py [ROUNDS]     prints the table of doc/casts.md
"""

import statistics
import sys
import time

import numpy as np
import torch

import strideview as sv

SHAPE = (16, 224, 224, 3)
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
SCALE, BIAS = 1 / (255 * DEVIATION), -MEAN / DEVIATION


def per_channel(values, ndim, axis):
    return np.asarray(values, "f4").reshape([-1 if k == axis else 1 for k in range(ndim)])


class Batch:
    """Images in HWC, and planes in CHW: as arrays of NumPy, tensors and views of the same memory."""

    def __init__(self):
        self.images = np.random.default_rng(1).integers(0, 256, SHAPE, dtype="uint8")
        self.back = np.zeros(SHAPE, "uint8")
        self.pixels = np.zeros(SHAPE, "f4")
        self.planes = {name: np.zeros((SHAPE[0], 3, *SHAPE[1:3]), name) for name in ("f4", "f2")}
        self.views = {name: sv.view(planes).permute([0, 2, 3, 1]) for name, planes in self.planes.items()}
        self.tensor, self.floats = torch.from_numpy(self.images), torch.from_numpy(self.planes["f4"])
        self.mean, self.deviation = (torch.from_numpy(per_channel(v, 4, 1)) for v in (MEAN, DEVIATION))


def cases(b):
    """(what, libsv, PyTorch, NumPy)"""
    scale, bias = list(SCALE), list(BIAS)
    of_planes = [per_channel(v, 4, 1) for v in (SCALE, BIAS)]
    of_pixels = [per_channel(v, 4, 3) for v in (SCALE, BIAS)]
    chw = b.images.transpose(0, 3, 1, 2)
    yield ("uint8 HWC to float32 CHW, / 255", lambda: sv.copy(b.views["f4"], b.images, scale=1 / 255),
           lambda: b.tensor.permute(0, 3, 1, 2).contiguous().float().div(255),
           lambda: np.multiply(chw, np.float32(1 / 255), out=b.planes["f4"]))
    yield ("the same, (x / 255 - mean) / deviation",
           lambda: sv.copy(b.views["f4"], b.images, scale=scale, bias=bias, axis=3),
           lambda: b.tensor.permute(0, 3, 1, 2).contiguous().float().div(255).sub(b.mean).div(b.deviation),
           lambda: np.add(np.multiply(chw, of_planes[0], out=b.planes["f4"]), of_planes[1], out=b.planes["f4"]))
    yield ("the same, in place where PyTorch can",
           lambda: sv.copy(b.views["f4"], b.images, scale=scale, bias=bias, axis=3),
           lambda: b.floats.copy_(b.tensor.permute(0, 3, 1, 2)).div_(255).sub_(b.mean).div_(b.deviation), None)
    yield ("uint8 HWC to float16 CHW, / 255", lambda: sv.copy(b.views["f2"], b.images, scale=1 / 255),
           lambda: b.tensor.permute(0, 3, 1, 2).contiguous().half().div(255), None)
    yield ("uint8 to float32 HWC, per channel", lambda: sv.copy(b.pixels, b.images, scale=scale, bias=bias, axis=3),
           lambda: b.tensor.float().mul_(torch.from_numpy(of_pixels[0])).add_(torch.from_numpy(of_pixels[1])),
           lambda: np.add(np.multiply(b.images, of_pixels[0], out=b.pixels), of_pixels[1], out=b.pixels))
    yield ("float32 CHW to uint8 HWC, * 255", lambda: sv.copy(b.back, b.views["f4"], scale=255),
           lambda: b.floats.mul(255).round_().clamp_(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous(), None)


def race(functions, rounds):
    """Median seconds of each, measured in turns."""
    times = [[] for _ in functions]
    for _ in range(rounds + 2):
        for function, of_it in zip(functions, times):
            begin = time.perf_counter()
            function()
            of_it.append(time.perf_counter() - begin)
    return [statistics.median(of_it[2:]) for of_it in times]


def main():
    """Each case by all who have it."""
    torch.set_num_threads(1)
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 31
    print("| batch of 16 x 224 x 224 x 3 | libsv | PyTorch | NumPy | libsv is faster than PyTorch |")
    print("| --- | --: | --: | --: | --: |")
    for name, *functions in cases(Batch()):
        ours, theirs, *numpys = race([f for f in functions if f is not None], rounds)
        print(f"| {name} | {ours * 1e3:.2f} ms | {theirs * 1e3:.2f} ms | "
              f"{f'{numpys[0] * 1e3:.2f} ms' if numpys else ''} | {theirs / ours:.1f} |")


if __name__ == "__main__":
    main()
