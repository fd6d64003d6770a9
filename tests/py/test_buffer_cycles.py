"""Cycles of memory resources, owners and Buffers are garbage, but not while anything else needs the memory."""

import ctypes
import gc
import weakref

import pytest

import strideview as sv
from resources import WRITTEN, Malloc


class Owner:
    """Keeps memory, and whatever else."""

    def __init__(self):
        self.cells = (ctypes.c_uint8 * 64)(*range(64))


@pytest.fixture(autouse=True)
def few_objects():
    """The collector looks at what the test makes, not at all modules each time."""
    gc.freeze()
    yield
    gc.unfreeze()


def owned():
    owner = Owner()
    return owner, sv.Buffer.from_handle(ctypes.addressof(owner.cells), 64, owner=owner)


def of(written, wrap=lambda resource: resource):
    def make():
        resource = written()
        return resource, sv.Buffer._allocate(wrap(resource), 64)
    return make


def direct():
    resource = Malloc()
    return resource, resource.allocate(64)


def logged():
    """The log belongs to an object that has the resource."""
    class Program:
        def tell(self, *event):
            self.told = event

    program = Program()
    program.resource = sv.MemoryResource.host().logged(program.tell)
    return program, program.resource.allocate(64)


def asked():
    class Program:
        def ask(self, nbytes, attempt):
            return False

    program = Program()
    program.resource = sv.MemoryResource.host().limited(1000).retrying(program.ask)
    return program, program.resource.allocate(64)


# What makes an object, and a Buffer that libsv has a reference to it for.
MAKERS = {
    "owner": owned, "direct": direct, "logged": logged, "retrying": asked,
    **{written.__name__: of(written) for written in WRITTEN},
    "tracked": of(Malloc, lambda resource: resource.tracked()),
    "all wrappers": of(Malloc, lambda resource: resource.limited(1 << 20).logged(print_nothing).tracked()),
}


def print_nothing(*_):
    pass


# What the object keeps.
KEPT = {
    "the Buffer": lambda buffer: buffer, "a slice": lambda buffer: buffer[3:],
    "slices": lambda buffer: [buffer[3:], buffer, buffer[1:5][2:3]], "a view": lambda buffer: buffer.view(),
    "views": lambda buffer: [buffer.view(), buffer.view()[::2], buffer.view("f4"), buffer],
    "a view of a slice": lambda buffer: buffer[4:].view(), "an import": sv.view, "a memoryview": memoryview,
    "a function": lambda buffer: lambda: buffer,
    "the resource": lambda buffer: (buffer.memory_resource, buffer),
}
OF_VIEWS = ["a view", "views", "a view of a slice", "an import", "a memoryview"]


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("maker", MAKERS)
def test_collected(maker, kept, monkeypatch):
    """A resource frees while it is whole, unless it keeps views of its memory, which are cleared with it."""
    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", lambda told: unraisable.append(told.exc_value))
    for _ in range(2):
        object_, buffer = MAKERS[maker]()
        live = getattr(object_, "live", {})
        object_.kept = KEPT[kept](buffer)
        alive = weakref.ref(object_)
        del object_, buffer
        for _ in range(3):
            gc.collect()
        assert alive() is None
        assert kept in OF_VIEWS or (live, unraisable) == ({}, [])


# What somebody else has of the memory, and how it is read.
USERS = {
    "the Buffer": lambda buffer: (lambda: buffer.tobytes()),
    "a slice": lambda buffer: (lambda part=buffer[:]: part.tobytes()),
    "a view": lambda buffer: (lambda view=buffer.view(): view.tobytes()),
    "a view of a slice": lambda buffer: (lambda view=buffer[:].view(): view.tobytes()),
    "a memoryview": lambda buffer: (lambda lent=memoryview(buffer): lent.tobytes()),
    "a tensor": lambda buffer: (lambda capsule=buffer.__dlpack__(max_version=(1, 3)): sv.view(capsule).tobytes()),
    "C": lambda buffer: retained(buffer),
    "C of a slice": lambda buffer: retained(buffer[:]),
}


class retained:
    """A reference to the handle alone."""

    def __init__(self, buffer):
        self.handle = sv.lib.sv_buffer_retain(sv.ffi.cast("sv_buffer *", buffer.c_handle))

    def __call__(self):
        nbytes = sv.lib.sv_buffer_nbytes(self.handle)
        return bytes(sv.ffi.buffer(sv.lib.sv_buffer_data(self.handle), nbytes))

    def __del__(self):
        sv.lib.sv_buffer_release(self.handle)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("maker", MAKERS)
def test_not_while_it_is_needed(maker, user):
    object_, buffer = MAKERS[maker]()
    live = getattr(object_, "live", {})
    buffer.fill(9)
    object_.kept = [buffer, buffer[1:]]
    alive, read = weakref.ref(object_), USERS[user](buffer)
    del object_, buffer
    for _ in range(3):
        gc.collect()
    assert read() == bytes([9] * 64)
    del read
    for _ in range(3):
        gc.collect()
    assert live == {} and (maker in ("logged", "retrying") or alive() is None)


def test_a_resource_frees_while_it_is_whole(monkeypatch):
    """The collector lets Buffers go before it clears what they need for that."""
    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", lambda told: unraisable.append(told))

    class Fragile(Malloc):
        def __init__(self):
            super().__init__()
            self.free = super().deallocate

        def deallocate(self, ptr, size, stream=None):
            self.free(ptr, size, stream)

    for _ in range(50):
        resource = Fragile()
        live = resource.live
        resource.buffers = [resource.allocate(8), sv.Buffer._allocate(resource, 8), resource.allocate(8)[2:]]
        del resource
        gc.collect()
        assert live == {} and unraisable == []


def test_objects_that_lived_before():
    """A Buffer of memory of one that was garbage is garbage again."""
    for _ in range(40):
        owner, buffer = owned()
        owner.kept = buffer
        alive = weakref.ref(owner)
        del owner, buffer
        gc.collect()
        assert alive() is None


def test_many_objects_do_not_nest():
    """A chain of owners ends one after the other."""
    buffer = None
    for _ in range(100000):
        owner = [buffer]
        buffer = sv.Buffer.from_handle(0, 0, owner=owner)
    del buffer, owner


if __name__ == "__main__":
    import tap
    tap.main(__file__)
