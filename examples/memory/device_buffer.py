"""RMM's DeviceBuffer by its names: to the device and back, and pickling with the bytes out of band."""

import pickle

import numpy as np

from strideview.memory import DeviceBuffer

numbers = np.arange(1000, dtype="float64")
buffer = DeviceBuffer.to_device(numbers)
assert buffer.copy_to_host().tobytes() == numbers.tobytes()

twin = DeviceBuffer(size=buffer.size)
twin.copy_from_device(buffer)
print("a copy on the device:", twin.tobytes() == numbers.tobytes())

frames = []
data = pickle.dumps(buffer, protocol=5, buffer_callback=frames.append)
print(f"{len(frames)} frame of {frames[0].raw().nbytes} bytes, the rest is short: {len(data) < 300}")
loaded = pickle.loads(data, buffers=[bytes(frame.raw()) for frame in frames])  # as they come from a socket
print("loaded:", type(loaded).__name__, loaded.tobytes() == numbers.tobytes(), loaded.ptr != buffer.ptr)
