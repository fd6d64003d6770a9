"""Stream 2, the per-thread default, of two threads: one number and two streams, on the fake CUDA runtime."""

import gc
import threading

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order  # noqa: F401  (a fixture)

NBYTES = 4096
PATTERN = bytes(range(256)) * 16
KINDS = ("device", "managed", "pool", "managed pool")


def allocate(kind, stream=2):
    resource = sv.MemoryResource.pool("managed" if "managed" in kind else "device") if "pool" in kind else \
        getattr(sv.MemoryResource, kind)()
    return resource.allocate(NBYTES, stream=stream)


def by_another_thread(function, *arguments):
    """Its answer; the thread has ended then."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(function(*arguments)))
    thread.start()
    thread.join()
    return answers[0]


def source_of(kind):
    """Bytes that are there for everybody."""
    made = allocate(kind)
    made.write(PATTERN)
    return made


def written(kind, source):
    """A Buffer and a view of it that the stream 2 of this thread writes."""
    buffer = allocate(kind)
    view = buffer.view("u1")
    view.copy_from(source, stream=2)
    assert view.stream == 2
    return buffer, view


def written_buffer(kind, source):
    buffer = allocate(kind)
    buffer.copy_from(source, stream=2)
    return buffer, buffer.view("u1")


def written_slice(kind, source):
    buffer, view = written(kind, source)
    return buffer, view[:].T.reshape(NBYTES)


def back(view, stream=None):
    out = np.zeros(NBYTES, "u1")
    sv.copy(out, view, stream)
    return out.tobytes()


def copied(buffer, view):
    target = allocate("device")
    sv.copy(target.view("u1"), view, 2)
    return target.tobytes()


def copied_by_batch(buffer, view):
    target = allocate("device").view("u1")
    sv.copy_batch([target], [view], 2)
    return back(target)


def copied_by_plan(buffer, view):
    target = allocate("device").view("u1")
    sv.Plan(target, view).execute(target, view, 2)
    return back(target)


def copied_as_buffer(buffer, view):
    other = sv.view(buffer, 2)
    target = allocate("device").view("u1")
    target.copy_from(other, stream=2)
    return back(target)


def written_over(buffer, view):
    other = allocate("device", 1)
    other.write(PATTERN[::-1])
    view.copy_from(other, stream=2)
    return back(view)[::-1]


def filled(buffer, view):
    view.fill(1, stream=2)
    assert back(view) == b"\1" * NBYTES
    return PATTERN


def filled_as_buffer(buffer, view):
    sv.Buffer.fill(buffer, 1, stream=2)
    assert buffer.tobytes() == b"\1" * NBYTES
    return PATTERN


def handed_on(buffer, view):
    other = sv.view(view.__dlpack__(stream=2, max_version=(1, 3)), 2)
    target = allocate("device").view("u1")
    target.copy_from(other, stream=2)
    return back(target)


def told(buffer, view):
    """A consumer waits for the stream that the interface names."""
    class Array:
        __cuda_array_interface__ = view.__cuda_array_interface__
    assert view.stream == Array.__cuda_array_interface__["stream"] == 1
    target = allocate("device").view("u1")
    target.copy_from(sv.view(Array(), 2), stream=2)
    return back(target)


READS = {
    "copy": copied, "batch": copied_by_batch, "plan": copied_by_plan,
    "overwrite": written_over, "fill": filled, "dlpack": handed_on, "interface": told,
    "view": lambda buffer, view: back(sv.view(view, 2), 2), "host copy": lambda buffer, view: back(view, 2),
    "tobytes": lambda buffer, view: view.tobytes(), "list": lambda buffer, view: bytes(view.tolist()),
}
BUFFER_READS = {
    "fill": filled_as_buffer, "view": copied_as_buffer, "tobytes": lambda buffer, view: buffer.tobytes(2),
    "read": lambda buffer, view: buffer.read(0, NBYTES), "copy_to": lambda buffer, view: buffer.copy_to().tobytes(),
}


def check(read, write, kind):
    source = source_of(kind)
    buffer, view = by_another_thread(write, kind, source)
    assert read(buffer, view) == PATTERN
    del buffer, view, source
    gc.collect()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("write", [written, written_slice], ids=["view", "slice"])
@pytest.mark.parametrize("name", READS)
def test_what_another_threads_stream_writes(any_order, name, write, kind):
    check(READS[name], write, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BUFFER_READS)
def test_what_another_threads_stream_writes_to_a_buffer(any_order, name, kind):
    check(BUFFER_READS[name], written_buffer, kind)


@pytest.mark.parametrize("name", ["release", "close", "resize", "migrate", "detach", "set stream"])
@pytest.mark.parametrize("kind", ["pool", "managed pool"])
def test_memory_of_another_threads_stream(any_order, kind, name):
    source = source_of(kind)
    buffer, view = by_another_thread(written_buffer, kind, source)
    del view
    assert buffer.stream == 1
    if name == "close":
        buffer.close()
    elif name == "resize":
        buffer.resize(2 * NBYTES, stream=2)
        assert buffer.stream == 2 and buffer.tobytes()[:NBYTES] == PATTERN
    elif name == "migrate":
        buffer.migrate(sv.MemoryResource.device(), stream=2)
        assert buffer.tobytes() == PATTERN
    elif name == "detach":
        _, _, free = buffer.detach()
        by_another_thread(free)
    elif name == "set stream":
        buffer.set_deallocation_stream(2)
    del buffer, source
    gc.collect()


def test_one_threads_stream_is_one_stream(any_order):
    """Nothing is recorded, and nothing waits."""
    source = source_of("pool")
    buffer, view = written("pool", source)
    target = allocate("pool").view("u1")
    before = len(fake.log())
    target.copy_from(view, stream=2)
    calls = [line.split(":")[1].split()[0] for line in fake.log()[before:]]
    assert "wait" not in calls and "synchronize" not in calls
    assert view.stream == target.stream == view.__cuda_array_interface__["stream"] == 2
    assert back(target) == PATTERN
    del buffer, view, target, source


if __name__ == "__main__":
    import tap
    tap.main(__file__)
