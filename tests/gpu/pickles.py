"""Arrays of a real device between processes: by pickle, and as the frames that Dask's transport would send."""

import pickle
from functools import partial

import strideview as sv
from strideview import _dask_cuda

SHAPE = 301, 257


def as_it_is(view):
    return view


def turned(view):
    return view.T


CASES = {"dense": as_it_is, "transposed": turned, "rows": lambda view: view[::3], "reversed": lambda view: view[::-1, ::-1],
         "empty": lambda view: view[:0]}


class Received:
    """A frame as a transport gives it: nothing but the interface."""

    def __init__(self, frame):
        self.frame = frame
        self.__cuda_array_interface__ = frame.__cuda_array_interface__


def make(arrange):
    host = sv.empty(SHAPE, "float32")
    host.copy_from(sv.view(bytes(k * 7 % 251 for k in range(4 * SHAPE[0] * SHAPE[1]))).view(host.layout, "float32"))
    return arrange(host.cuda()), arrange(host)


def is_pickled(arrange):
    """A fault in words, or nothing."""
    view, host = make(arrange)
    back = pickle.loads(pickle.dumps(view, 5))
    if back.device[0] != 2 or back.cpu().tobytes() != host.tobytes():
        return "other elements, or of another device"
    with sv.memory.loading("host"):
        return None if pickle.loads(pickle.dumps(view)).tobytes() == host.tobytes() else "other elements on the host"


def is_sent(arrange):
    view, host = make(arrange)
    header, frames = _dask_cuda.take_view(view)
    back = _dask_cuda.give_view(header, [Received(frames[0])])
    if arrange in (as_it_is, turned) and frames[0].ptr != view.ptr:
        return "a copy was sent"
    return None if back.cpu().tobytes() == host.tobytes() and (not back.size or back.device == view.device) else "other elements"


def buffer_is_sent():
    buffer = sv.memory.device().allocate(5000)
    buffer.fill(b"\x03")
    header, frames = _dask_cuda.take_buffer(buffer)
    back = _dask_cuda.give_buffer(header, [Received(frames[0])])
    return None if back.tobytes() == b"\x03" * 5000 and back.handle == buffer.handle else "other bytes, or a copy"


def pickles(ground, machine):
    """Pickled and sent views, and a buffer."""
    for name, arrange in CASES.items():
        yield "pickles", f"{name}, pickled", partial(is_pickled, arrange)
        yield "pickles", f"{name}, sent", partial(is_sent, arrange)
    yield "pickles", "a buffer, sent", buffer_is_sent
