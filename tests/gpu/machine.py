"""What checks and measurements need of CUDA besides strideview: streams, times, dense copies, captures.

Driver calls the driver's own library, so that no toolkit is needed. Tests use FakeMachine (fake_machine.py).
"""

import ctypes
from contextlib import contextmanager

import strideview as sv

NON_BLOCKING, THREAD_LOCAL = 1, 1  # of CUstream_flags and CUstreamCaptureMode
UNIFIED = 4  # of CUmemorytype: the address tells

# A kernel that does nothing, in PTX, which every driver compiles.
NOTHING = b".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n"


class Rows(ctypes.Structure):
    """CUDA_MEMCPY2D."""

    _fields_ = [(side + name, kind) for side in ("src", "dst") for name, kind in (
        ("x", ctypes.c_size_t), ("y", ctypes.c_size_t), ("kind", ctypes.c_int), ("host", ctypes.c_void_p),
        ("device", ctypes.c_uint64), ("array", ctypes.c_void_p), ("pitch", ctypes.c_size_t))]
    _fields_ += [("width", ctypes.c_size_t), ("count", ctypes.c_size_t)]


def cuda_words():
    """The words of libsv for CUDA on this machine, and whether device 0 is ready."""
    found = next(device for device in sv.devices() if device.name in ("cuda", "cuda:0"))
    return found.text, found.state == "ready"


class Machine:
    """What is made of the few operations that a derived class has."""

    @contextmanager
    def stream(self):
        stream = self.new_stream()
        try:
            yield stream
        finally:
            self.wait(stream)
            self.end_stream(stream)

    @contextmanager
    def graph(self, stream, work):
        """The capture of what work() gives to the stream."""
        self.begin_capture(stream)
        try:
            work()
        except BaseException:
            self.drop_capture(stream)
            raise
        graph = self.end_capture(stream)
        try:
            yield graph
        finally:
            self.wait(stream)
            self.end_graph(graph)


class Driver(Machine):
    """libcuda on one device, in the context that the CUDA runtime of libsv uses too."""

    clock = "CUDA events"

    def __init__(self, device=0, library="libcuda.so.1"):
        self.lib = ctypes.CDLL(library)
        number, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(number), device)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, len(name), number)
        self.name = name.value.decode()
        self.events = [self.made("cuEventCreate", 0) for _ in range(2)]

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")

    def made(self, name, *arguments):
        handle = ctypes.c_void_p()
        self.call(name, ctypes.byref(handle), *arguments)
        return handle

    # --- streams ----------------------------------------------------------------

    def new_stream(self):
        return self.made("cuStreamCreate", NON_BLOCKING).value

    def end_stream(self, stream):
        self.call("cuStreamDestroy_v2", ctypes.c_void_p(stream))

    def wait(self, stream):
        self.call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def seconds(self, run, stream, calls):
        """Of one of so many calls, by the device's clock."""
        begin, end = self.events
        self.call("cuEventRecord", begin, ctypes.c_void_p(stream))
        for _ in range(calls):
            run()
        self.call("cuEventRecord", end, ctypes.c_void_p(stream))
        self.call("cuEventSynchronize", end)
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), begin, end)
        return milliseconds.value * 1e-3 / calls

    # --- work -------------------------------------------------------------------

    def copy(self, dst, src, nbytes, stream):
        """The driver's own copy of so many bytes between addresses of any memory: cudaMemcpyAsync()."""
        self.call("cuMemcpyAsync", ctypes.c_uint64(dst), ctypes.c_uint64(src), ctypes.c_size_t(nbytes),
                  ctypes.c_void_p(stream))

    def copy_rows(self, dst, dst_pitch, src, src_pitch, width, count, stream):
        """The driver's copy of rows of so many bytes: cudaMemcpy2DAsync()."""
        sides = [(0, 0, UNIFIED, None, address, None, pitch) for address, pitch in ((src, src_pitch), (dst, dst_pitch))]
        parameters = Rows(*sides[0], *sides[1], width, count)
        self.call("cuMemcpy2DAsync_v2", ctypes.byref(parameters), ctypes.c_void_p(stream))

    def set(self, dst, nbytes, stream):
        """The driver's own fill: what a device writes at most."""
        self.call("cuMemsetD8Async", ctypes.c_uint64(dst), ctypes.c_ubyte(7), ctypes.c_size_t(nbytes),
                  ctypes.c_void_p(stream))

    def pinned_block(self, nbytes):
        """A function that frees a block of pinned memory, which nothing uses."""
        block = self.made("cuMemAllocHost_v2", ctypes.c_size_t(nbytes))
        return lambda: self.call("cuMemFreeHost", block)

    def bare_launch(self, stream):
        """A function that launches a kernel that does nothing."""
        function = ctypes.c_void_p()
        module = self.made("cuModuleLoadData", NOTHING)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"nothing")
        launch = self.lib.cuLaunchKernel
        arguments = function, 1, 1, 1, 256, 1, 1, 0, ctypes.c_void_p(stream), None, None
        return lambda: launch(*arguments)

    # --- captures -----------------------------------------------------------------

    def begin_capture(self, stream):
        self.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), THREAD_LOCAL)

    def end_capture(self, stream):
        graph, run = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
        self.call("cuGraphInstantiateWithFlags", ctypes.byref(run), graph, ctypes.c_ulonglong(0))
        self.call("cuGraphDestroy", graph)
        return run

    def drop_capture(self, stream):
        graph = ctypes.c_void_p()
        self.lib.cuStreamEndCapture(ctypes.c_void_p(stream), ctypes.byref(graph))
        if graph.value:
            self.call("cuGraphDestroy", graph)

    def launch_graph(self, graph, stream):
        self.call("cuGraphLaunch", graph, ctypes.c_void_p(stream))

    def end_graph(self, graph):
        self.call("cuGraphExecDestroy", graph)
