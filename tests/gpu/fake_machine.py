"""The fake CUDA runtime of tests/fake in the place of a driver, so that what needs a GPU runs in make check."""

import ctypes
import time

import fake  # before strideview
import pytest
from machine import NON_BLOCKING, Machine

import strideview as sv

RELAXED = 2  # of cudaStreamCaptureMode
CUDA = 2  # of DLPack's device types

fake.lib.fake_begin_capture.argtypes = [ctypes.c_void_p, ctypes.c_int]
fake.lib.fake_end_capture.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
fake.lib.fake_launch_graph.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
fake.lib.fake_end_graph.argtypes = [ctypes.c_void_p]


def bytes_at(address, nbytes):
    return sv.Buffer.from_handle(address, nbytes, borrowed=True).view()


class FakeMachine(Machine):
    """Times are those of the host's clock, and mean nothing."""

    name, clock = "fake CUDA runtime", "the host's clock"

    def new_stream(self):
        return fake.lib.fake_new_stream(0, NON_BLOCKING)

    def end_stream(self, stream):
        fake.lib.fake_end_stream(stream)

    def wait(self, stream):
        assert sv.lib.sv_stream_synchronize(CUDA, 0, stream) == 0

    def seconds(self, run, stream, calls):
        begin = time.perf_counter()
        for _ in range(calls):
            run()
        self.wait(stream)
        return (time.perf_counter() - begin) / calls

    def copy(self, dst, src, nbytes, stream):
        sv.copy(bytes_at(dst, nbytes), bytes_at(src, nbytes), stream=stream, blocking=False)

    def copy_rows(self, dst, dst_pitch, src, src_pitch, width, count, stream):
        views = [bytes_at(address, count * pitch).view(sv.StridedLayout((count, width), (pitch, 1), 1))
                 for address, pitch in ((dst, dst_pitch), (src, src_pitch))]
        sv.copy(*views, stream=stream, blocking=False)

    def set(self, dst, nbytes, stream):
        sv.fill(bytes_at(dst, nbytes), 7, stream=stream)

    def pinned_block(self, nbytes):
        return sv.MemoryResource.pinned().allocate(nbytes).close

    def bare_launch(self, stream):
        return lambda: None

    def begin_capture(self, stream):
        assert fake.lib.fake_begin_capture(stream, RELAXED) == 0

    def end_capture(self, stream):
        graph = ctypes.c_void_p()
        assert fake.lib.fake_end_capture(stream, ctypes.byref(graph)) == 0
        return graph

    def drop_capture(self, stream):
        fake.lib.fake_end_capture(stream, None)

    def launch_graph(self, graph, stream):
        fake.lib.fake_launch_graph(graph, stream)

    def end_graph(self, graph):
        fake.lib.fake_end_graph(graph)


@pytest.fixture
def machine(runtime):
    yield FakeMachine()
    sv.memory.collect(wait=True)  # what a release would have had to wait for
