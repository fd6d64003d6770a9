"""A batch for a network: images of bytes, HWC, each normalised into its place of an array of float32, NCHW.

    python collate.py

One pass over memory does what permute(), contiguous(), float(), div(), sub() and
div() do in six. collate() is for collate_fn= of torch.utils.data.DataLoader,
whose batch is then a torch.Tensor; without PyTorch it is an array of NumPy.
"""

import numpy as np

import strideview as sv

try:
    import torch
except ImportError:
    torch = None

MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # of ImageNet, between 0 and 1


def empty(shape):
    """An array of float32 whose elements are anything: a torch.Tensor where there is PyTorch."""
    if torch is None:
        return np.empty(shape, "float32")
    # Pinned, .to("cuda", non_blocking=True) overlaps. A worker process of a DataLoader cannot use CUDA after its fork.
    in_worker = torch.utils.data.get_worker_info() is not None
    return torch.empty(shape, pin_memory=torch.cuda.is_available() and not in_worker)


def collate(images):
    """(image - MEAN) / DEVIATION of images of one shape, HWC in uint8, or of (image, label) pairs."""
    pairs = [image if isinstance(image, tuple) else (image, None) for image in images]
    height, width, channels = pairs[0][0].shape
    batch = empty((len(pairs), channels, height, width))
    planes = sv.view(batch)
    for k, (image, _) in enumerate(pairs):
        # The view has the axes of the image, and the memory of the planes.
        planes[k].permute([1, 2, 0]).copy_from(image, scale=1 / (255 * DEVIATION), bias=-MEAN / DEVIATION, axis=2)
    labels = [label for _, label in pairs if label is not None]
    return (batch, labels) if labels else batch


def restore(batch):
    """Images of bytes from such a batch: rounded to the nearest, and what is out of range brought to 0 and 255."""
    count, channels, height, width = batch.shape
    images = np.empty((count, height, width, channels), "uint8")
    planes = sv.view(batch).permute([0, 2, 3, 1])
    sv.copy(images, planes, scale=255 * DEVIATION, bias=255 * MEAN, axis=3)
    return images


def main():
    """Some images there and back."""
    images = np.random.default_rng(1).integers(0, 256, (4, 48, 64, 3), dtype="uint8")
    batch = collate([image[:, ::-1] for image in images])  # mirrored on the way
    print(type(batch).__module__, tuple(batch.shape), batch.dtype)
    print("the same images come back:", bool((restore(batch) == images[:, :, ::-1]).all()))


if __name__ == "__main__":
    main()
