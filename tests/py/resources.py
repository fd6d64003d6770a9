"""Memory resources written in Python, for the tests of Buffer and MemoryResource."""

import ctypes

import strideview as sv

C = ctypes.CDLL(None)
C.aligned_alloc.restype, C.aligned_alloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
C.free.restype, C.free.argtypes = None, [ctypes.c_void_p]


class Malloc(sv.MemoryResource):
    """As cuda.core has it: allocate() gives a Buffer. It writes down what is called."""

    def __init__(self):
        self.calls, self.live = [], {}

    def take(self, size, stream):
        pointer = C.aligned_alloc(64, (size + 63) // 64 * 64)
        self.calls.append(("allocate", size, stream))
        self.live[pointer] = size
        return pointer

    def allocate(self, size, stream=None):
        return sv.Buffer.from_handle(self.take(size, stream), size, mr=self)

    def deallocate(self, ptr, size, stream=None):
        self.calls.append(("deallocate", size, stream))
        assert self.live.pop(ptr) == size
        C.free(ptr)


class Addresses(Malloc):
    """allocate() gives an address."""

    def allocate(self, size, stream=None):
        return self.take(size, stream)


class Keyword(Malloc):
    """With cuda.core's signatures of 1.0."""

    def allocate(self, size, *, stream):
        return sv.Buffer.from_handle(self.take(size, stream), size, mr=self)

    def deallocate(self, ptr, size, *, stream):
        Malloc.deallocate(self, ptr, size, stream)


class Delegating(Malloc):
    """The memory of another resource."""

    def __init__(self):
        super().__init__()
        self.other = sv.MemoryResource.host()

    def allocate(self, size, stream=None):
        self.calls.append(("allocate", size, stream))
        return self.other.allocate(size, stream)


class Crooked(Malloc):
    """Addresses that are odd, so that libsv asks for more."""

    def allocate(self, size, stream=None):
        return self.take(size + 1, stream) + 1

    def deallocate(self, ptr, size, stream=None):
        Malloc.deallocate(self, ptr - 1, size + 1, stream)


WRITTEN = [Malloc, Addresses, Keyword, Delegating, Crooked]
