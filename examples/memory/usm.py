"""dpctl's three classes of memory, by their names: on CUDA, shared memory is managed and host memory is pinned."""

import numpy as np

from strideview.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared

text = b"as in a program for dpctl"

shared = MemoryUSMShared(32, alignment=64)
shared.memset()
shared.copy_from_host(text)

device = MemoryUSMDevice(shared, copy=True)             # another kind: a copy, when it is asked for
host = MemoryUSMHost(32)
host.copy_from_device(device)                           # from any kind to any kind
again = MemoryUSMShared(shared)                         # the same kind: the same memory

for memory in (shared, device, host, again):
    print(f"{memory.get_usm_type():6}  {memory.nbytes} bytes  {memory.tobytes().rstrip(bytes(1)).decode()}")

numbers = np.zeros(8, "int32")
assert host.copy_to_host(numbers) is numbers            # into memory that is there, of any dtype
print("the same memory:", again.handle == shared.handle, "- its bytes as int32:", numbers[:2])
