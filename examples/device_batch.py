"""Batches of images for a network on a device: bytes cross the link, the device makes normalised float32 planes of them.

    python device_batch.py

images are those of a DataLoader: uint8, (batch, height, width, 3), in ordinary or pinned memory (pin_memory=True).
One call permutes, converts, scales and normalises; it is put on a stream and returns, so that the next batch can be
loaded meanwhile. From ordinary memory it returns when the images have been read. The same call between two tensors of
the device can be captured in a CUDA graph.
"""

import numpy as np

import strideview as sv

try:
    import torch
except ImportError:
    torch = None

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]  # of ImageNet, between 0 and 1


def has_device():
    """Whether the first CUDA device can be used."""
    return any(record.device == (2, 0) and record.state == "ready" for record in sv.devices())


def send(batch, images, stream):
    """(images / 255 - MEAN) / STD into a batch of planes, of any floating dtype, wherever the two are."""
    pixels = sv.view(images, stream=-1).permute(0, 3, 1, 2)
    sv.copy(batch, pixels, stream, scale=1 / 255, mean=MEAN, std=STD, axis=1)


def restore(images, batch):
    """Bytes of such a batch: rounded to the nearest, and what is out of range brought to 0 and 255."""
    mean, std = np.array(MEAN), np.array(STD)
    sv.copy(images, sv.view(batch).permute(0, 2, 3, 1), scale=255 * std, bias=255 * mean, axis=3)


def main():
    """Two batches, one in ordinary and one in pinned memory, there and back."""
    if not has_device():
        print("there is no CUDA device that can be used: nothing is sent")
        return
    images = np.random.default_rng(1).integers(0, 256, (8, 224, 224, 3), dtype="uint8")
    pinned = sv.empty(images.shape, "uint8", memory="pinned")
    sv.copy(pinned, images)
    for name, source in (("ordinary", images), ("pinned", pinned)):
        if torch is not None and torch.cuda.is_available():
            batch = torch.empty((8, 3, 224, 224), device="cuda", dtype=torch.float16)
            stream = torch.cuda.Stream()
        else:
            batch, stream = sv.empty((8, 3, 224, 224), "float16", memory="device"), None
        send(batch, source, stream)
        if stream is not None:
            stream.synchronize()
        back = np.empty_like(images)
        restore(back, batch)
        print(f"{name} memory to {type(batch).__module__}: the same images come back:", bool((back == images).all()))


if __name__ == "__main__":
    main()
