"""A tensor like an ndarray, on the device: step by step, and in one call.

Without a CUDA device it is made in memory of the host.
"""

import numpy as np

import strideview as sv

kind = "device" if any(d.name == "cuda:0" and d.state == "ready" for d in sv.devices()) else "host"
array = np.arange(24, dtype="float32").reshape(2, 3, 4).transpose(2, 0, 1)

view = sv.view(array)                                   # describes the array
layout = view.layout.to_dense("K")                      # the same shape and order of axes, without gaps
buffer = sv.memory.default(kind).allocate(layout.required_size_in_bytes())
tensor = buffer.view(view.dtype, layout)                # the bytes of the buffer, through the layout
sv.copy(tensor, view)
print(f"{buffer.size} bytes, shape {tensor.shape}, strides {tensor.strides}")

short = sv.empty_like(array, memory=kind)               # the same in one call
sv.copy(short, array)

for made in (tensor, short):
    back = np.empty_like(array)
    sv.copy(back, made)
    print("came back:", np.array_equal(back, array))
