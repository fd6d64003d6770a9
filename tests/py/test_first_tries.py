"""Ten jobs as people write them first, and a hundred mistakes: what was typed, and the text that ends the search.

Each text is one sentence without a line of its own for every protocol, and says what to type.
"""

import ctypes
import io
import mmap
import pathlib
import types

import numpy as np
import pytest

import strideview as sv
from peers import device_view, need

# --- ten jobs --------------------------------------------------------------------------------


def job_picture_to_tensor():
    """A picture of Pillow as planes of float32 for PyTorch."""
    Image, torch = need("PIL.Image"), need("torch")
    picture = Image.fromarray(np.arange(24, dtype="u1").reshape(2, 4, 3))
    planes = sv.empty((3, 2, 4))
    sv.copy(planes, sv.view(picture).permute(dims=(2, 0, 1)), scale=1 / 255)
    tensor = torch.from_dlpack(planes)
    assert tuple(tensor.shape) == (3, 2, 4) and abs(float(tensor[1, 0, 1]) - 4 / 255) < 1e-6


def job_tensor_to_picture():
    Image, torch = need("PIL.Image"), need("torch")
    pixels = sv.empty((2, 4, 3), "uint8")
    sv.copy(pixels, sv.view(torch.full((3, 2, 4), 0.5)).permute(1, 2, 0), scale=255)
    assert Image.fromarray(np.asarray(pixels)).getpixel((3, 1)) == (128, 128, 128)


def job_table_to_matrix():
    """Columns of pandas as a matrix for a model."""
    pandas = need("pandas")
    table = pandas.DataFrame({"height": [1.5, 2.5, 3.5], "count": [1, 2, 3], "kind": pandas.Categorical(["a", "b", "a"])})
    matrix = sv.zeros((3, 3))
    matrix[:, 0] = table["height"]
    sv.copy(matrix[:, 1], table["count"], casting="same_kind")
    matrix[:, 2] = table["kind"].cat.codes
    assert matrix.tolist() == [[1.5, 1, 0], [2.5, 2, 1], [3.5, 3, 0]]


def job_big_endian_file():
    """Numbers of FITS or of a network, as they are in the file."""
    file = np.arange(12, dtype=">i2").tobytes()
    image = sv.view(np.frombuffer(file, ">i2")).reshape(3, 4)
    out = sv.empty(image.shape, "float32")
    sv.copy(out, image, scale=2, bias=1)
    assert image[1, 2].item() == 6 and out[1, 2].item() == 13 and image.astype("int16").tolist() == image.tolist()


def job_video_frame():
    """The brightness of a frame, written in place."""
    av = need("av")
    frame = av.VideoFrame(64, 48, "yuv420p")
    luma = sv.view(frame.planes[0])
    sv.copy(luma[:48, :64], np.full((48, 64), 77, "u1"))
    assert (frame.to_ndarray()[:48] == 77).all()


def job_mapped_file(folder=None):
    """A part of a file, without reading the rest."""
    memory = mmap.mmap(-1, 4096)
    memory[:8] = np.array([1.5, 2.5], "f4").tobytes()
    view = sv.StridedMemoryView.from_buffer(memory, (2,), dtype="f4")
    assert view.tolist() == [1.5, 2.5]
    del view


def job_arrow_column():
    """A column of Arrow in, a result out to it."""
    pa = need("pyarrow")
    column = pa.chunked_array([[1.0, 2.0], [3.0]])
    whole = sv.empty(3, "float64")
    sv.copy_batch(whole, column)
    assert pa.array(whole[::2].contiguous()).to_pylist() == [1, 3]


def job_records():
    """A field of records, and dates among them."""
    records = sv.zeros(3, [("time", "M8[s]"), ("value", "f8")])
    records["time"][...] = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "M8[s]")
    records["value"][1] = 2.5
    assert np.asarray(records)["value"].tolist() == [0, 2.5, 0] and str(records["time"][1].item()) == "2020-01-02 00:00:00"


def job_labelled_array():
    """An array of xarray, its axes turned, in another library."""
    xarray, torch = need("xarray"), need("torch")
    field = xarray.DataArray(np.arange(6.0).reshape(2, 3), dims=("y", "x"))
    tensor = torch.from_dlpack(sv.view(field.transpose("x", "y")).contiguous())
    assert tensor.tolist() == [[0, 3], [1, 4], [2, 5]]


def job_batches():
    """Patches of an image by einops' notation."""
    image = np.arange(32, dtype="u1").reshape(4, 8)
    patches = sv.empty((8, 2, 2), "uint8")
    sv.rearrange(image, "(y h) (x w) -> (y x) h w", h=2, w=2, out=patches)
    assert patches[0].tolist() == [[0, 1], [8, 9]]


JOBS = [job for name, job in globals().items() if name.startswith("job_")]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
def test_jobs(job):
    job()


def test_there_are_ten():
    assert len(JOBS) == 10


# --- a hundred mistakes ------------------------------------------------------------------------

def closed():
    buffer = sv.memory.default("host").allocate(16)
    buffer.close()
    return buffer


def sandbox():
    """What the lines below are typed after."""
    return {
        "sv": sv, "np": np, "io": io, "pathlib": pathlib, "v": sv.zeros((2, 3, 4)), "d": sv.zeros(4), "row": np.ones(3),
        "ints": sv.zeros(3, "int32"), "bytes_": sv.zeros(3, "uint8"), "buf": bytearray(28), "chw": sv.zeros((3, 4, 4)),
        "image": np.zeros((4, 4, 3), "u1"), "frozen": sv.view(b"abc"), "closed": closed(), "host": sv.memory.default("host"),
        "gpu": sv.view(device_view((2, 3))), "dates": sv.zeros(3, "M8[s]"), "texts": np.array(["a", "b"], object),
        "big": np.arange(3, dtype=">f8"), "masked": np.ma.masked_array([1.0, 2.0], [0, 1]),
        "huge": sv.view(np.broadcast_to(np.float32(1), (1 << 20, 1 << 20))), "layout": sv.StridedLayout((2, 3), None, 4),
        "record": sv.zeros(2, [("a", "i4"), ("b", "f4")]), "frame": types.SimpleNamespace(width=3),
        "pointers": (ctypes.py_object * 2)(1, 2), "tile": sv.view(np.broadcast_to(np.zeros(3), (2, 3)))}


MISTAKES = """
# what is passed as an array
sv.view(None)                                     | None is no array
sv.view(3)                                        | np.asarray(3) makes an array of it
sv.view(2.5)                                      | np.asarray(2.5)
sv.view(1j)                                       | np.asarray(1j)
sv.view(True)                                     | np.asarray(True)
sv.view([1, 2, 3])                                | try np.asarray(x)
sv.view((1, 2))                                   | try np.asarray(x)
sv.view(range(3))                                 | try np.asarray(x)
sv.view({"a": 1})                                 | try np.asarray(list(x.values()))
sv.view({1, 2})                                   | try np.fromiter(x, dtype)
sv.view(n for n in [1])                           | try np.fromiter(x, dtype)
sv.view("file.npy")                               | np.load('file.npy', mmap_mode='r')
sv.view(pathlib.Path("file.npy"))                 | np.load('file.npy', mmap_mode='r')
sv.view(pathlib.Path("raw.bin"))                  | np.memmap('raw.bin', dtype)
sv.view("some text")                              | text.encode()
sv.view(open(__file__, "rb"))                     | mmap.mmap(x.fileno(), 0, access=mmap.ACCESS_READ)
sv.view(np.ndarray)                               | ndarray is a class and no array
sv.view(int)                                      | int is a class and no array
sv.view(frame)                                    | has no __dlpack__(), no array interface and no buffer
sv.view(texts)                                    | x.astype('U') of texts
sv.view(np.array([1, None]))                      | x.astype('float64') of numbers
sv.view(np.zeros(2, [("a", "O")]))                | Python objects in a field
sv.view(masked)                                   | view x.data, or x.filled(value)
sv.view(pointers)                                 | Python objects
sv.view(closed)                                   | closed
sv.view()                                         | missing required argument 'obj'
# shapes and dtypes where they are not taken
sv.view(buf, (4, 7))                              | sv.view(x).reshape((4, 7))
sv.view(buf, [4, 7])                              | sv.view(x).reshape((4, 7))
sv.view(buf, shape=(4, 7))                        | sv.StridedMemoryView.from_buffer(x, (4, 7), dtype=...)
sv.view(buf, "f4")                                | sv.StridedMemoryView.from_buffer(x, shape, dtype='f4')
sv.view(buf, dtype="f4")                          | from_buffer(x, shape, dtype='f4')
sv.view(buf, np.float32)                          | dtype='float32'
sv.StridedMemoryView(buf, (4, 7))                 | view() takes no shape
sv.zeros(2, 3, 4)                                 | zeros((2, 3, 4))
sv.zeros(2, 3)                                    | zeros((2, 3))
sv.ones(2, 3)                                     | ones((2, 3))
sv.empty(2, 3, 4)                                 | empty((2, 3, 4))
sv.empty(3, object)                               | texts are 'U10' or 'S10'
sv.empty(3, "U")                                  | 'U10'
sv.empty(3, "opaque")                             | dtype='V8'
sv.empty(3, "floot32")                            | floot32
sv.empty(3, 1.5)                                  | 1.5 is no dtype
sv.empty(3, device="gpu")                         | 'cuda:1'
sv.empty(3, device=(3, 0))                        | memory='pinned'
sv.empty(3, memory="gpu")                         | host, pinned, device, managed
sv.empty(3, memry="host")                         | Did you mean 'memory'?
v.view((6, 4))                                    | another shape is had by v.reshape(shape)
# copies
sv.copy(d, 0)                                     | sv.fill(dst, 0)
sv.copy(d, 1.5)                                   | dst[...] = 1.5
sv.copy(d, [1, 2, 3, 4])                          | np.asarray(x)
sv.copy(d, v)                                     | src (2, 3, 4) does not broadcast to dst (4,)
sv.copy(v, d[:3])                                 | src (3,) does not broadcast to dst (2, 3, 4)
d.copy_from(v)                                    | src (2, 3, 4) does not broadcast to dst (4,)
v.copy_to(d)                                      | src (2, 3, 4) does not broadcast to dst (4,)
sv.copy_batch([d], [v])                           | place 0: src (2, 3, 4) does not broadcast to dst (4,)
sv.Plan(d, v)                                     | src (2, 3, 4) does not broadcast to dst (4,)
d.__setitem__(..., v)                             | src (2, 3, 4) does not broadcast to dst (4,)
sv.copy(d, v, scale=2)                            | src (2, 3, 4) does not broadcast to dst (4,)
sv.copy(ints, row)                                | casting='unsafe'
sv.copy(ints, np.ones(3, "i8"))                   | casting='same_kind'
sv.copy(ints, np.ones(3, "i8"), casting="same")   | 'same_kind'
sv.copy(ints, np.ones(3, "i8"), cast="unsafe")    | Did you mean 'casting'?
sv.copy(frozen, bytes_)                           | dst is read-only
sv.copy(tile, row)                                | read-only
sv.copy(dates, ints)                              | items of
sv.copy(ints, big)                                | casting='unsafe'
sv.copy(chw, chw, scale=np.ones((3, 1, 1)))       | scale=x.ravel(), axis=-3
sv.copy(chw, chw, bias=np.ones((1, 3, 1)))        | bias=x.ravel(), axis=-2
sv.copy(chw, chw, scale=np.ones((3, 4, 1)))       | one for each index of one axis of dst
sv.copy(chw, chw, scale=[1, 2, 3])                | need axis=
sv.copy(chw, chw, scale=[1, 2], axis=0)           | scale has 2 values, axis 0 of dst has 3
sv.copy(chw, chw, scale="2")                      | a number or a sequence of numbers
sv.copy_batch([d, d], [d])                        | 2 destinations for 1 sources
sv.copy_batch(3, [d])                             | not iterable
# elements
ints.__setitem__(0, 1.5)                          | pass int(x)
ints.fill(1.5)                                    | pass int(x)
ints.__setitem__(0, 1j)                           | int(x.real)
d.__setitem__(0, 1j)                              | x.real
ints.__setitem__(..., row)                        | sv.copy(dst, x, casting='unsafe')
ints.__setitem__(0, None)                         | None is no array
ints.__setitem__(0, "a")                          | str is no array
bytes_.__setitem__(0, 300)                        | 300 is out of the range of uint8
bytes_.fill(-1)                                   | -1 is out of the range of uint8
d[5]                                              | index 5
d["a"]                                            | have no fields
record["c"]                                       | no field 'c' among 'a', 'b'
v.item()                                          | needs one element, not 24
float(d)                                          | item() gives an element
bool(d)                                           | ambiguous
dates.fill(3)                                     | not with a number
# axes
v.transpose(0, 2)                                 | swapaxes(0, 2) exchanges two
v.permute(0, 2)                                   | swapaxes(0, 2)
v.permute()                                       | axes are needed
v.permute(0, 1, 3)                                | axis 3
v.permute(0, 0, 1)                                | axis 0 is given twice
v.flip(dims=(0,))                                 | Did you mean 'axis'?
v.reshape(5, 5)                                   | (5, 5) does not make the 24 elements of shape (2, 3, 4)
v.reshape(-1, 5)                                  | (-1, 5) does not make the 24 elements
v.reshape(-1, -1)                                 | both -1
v.permute(2, 0, 1).reshape(-1)                    | view.contiguous().reshape(...) copies
v.permute(2, 0, 1).flatten()                      | view.contiguous().flatten()
v.broadcast_to((3, 4, 5))                         | shape (2, 3, 4) does not broadcast to (3, 4, 5)
v.squeeze(0)                                      | extent 2
v.swapaxes(0, 3)                                  | axis 3
# einops' notation
sv.rearrange(v, "hwc -> chw")                     | 'h w c -> c h w'
sv.rearrange(v, "h,w,c -> c,h,w")                 | 'h w c -> c h w'
sv.rearrange(v, "h w c => c h w")                 | '=>' is written '->'
sv.rearrange(v, "h w c \N{RIGHTWARDS ARROW} c h w") | is written '->'
sv.rearrange(v, "h w c")                          | no '->'
sv.rearrange(v, "h w c -> c h")                   | 'w' stands on the left only
sv.rearrange(v, "a b -> b a")                     | has 2 axes on the left, the array has 3
sv.rearrange(v, "(a b) w c -> a b w c", a=3)      | 2 is no multiple of 3
sv.rearrange(v, "(a b) w c -> a b w c")           | give one, as b=...
sv.rearrange(v, "h w c -> (c h) w")               | pass out= to copy
sv.rearrange(v, (2, 0, 1))                        | a pattern is a str
# to other libraries, and memory
np.from_dlpack(sv.view(big))                      | view.astype('float64')
sv.zeros(3, "M8[D]").__arrow_c_array__()          | np.asarray(view)
v.__arrow_c_array__()                             | view.flatten()
d[::2].__arrow_c_array__()                        | view.contiguous()
np.asarray(closed)                                | the Buffer is closed
memoryview(closed)                                | the Buffer is closed
closed.view("f4")                                 | closed
gpu.numpy()                                       | sv.copy(host, view)
np.asarray(gpu)                                   | sv.copy(host, view)
memoryview(gpu)                                   | sv.empty_like(view, memory="host")
gpu.__array_interface__                           | sv.copy(host, view)
gpu.__arrow_c_array__()                           | sv.copy(host, view)
host.allocate(16).export_ipc()                    | multiprocessing.shared_memory.SharedMemory
sv.zeros((1 << 20, 1 << 20, 1 << 5))              | no memory for 140737488355328 bytes
host.allocate(1 << 50)                            | no memory for 1125899906842624 bytes
huge.copy()                                       | no memory for 4398046511104 bytes
huge.astype("f8")                                 | no memory for 8796093022208 bytes
huge.tobytes()                                    | no memory for 4398046511104 bytes
sv.empty_like(huge)                               | no memory for 4398046511104 bytes
sv.zeros(1 << 62)                                 | does not fit int64
"""
ROWS = [tuple(part.strip() for part in line.rsplit("|", 1)) for line in MISTAKES.splitlines()
        if line and not line.startswith("#")]


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("typed, text", ROWS, ids=[row[0] for row in ROWS])
def test_mistakes(typed, text):
    names = {**sandbox(), "__file__": __file__}
    with pytest.raises(Exception) as told:
        eval(typed, names)
    said = str(told.value)
    assert text in said
    assert type(told.value) in (TypeError, ValueError, BufferError, OverflowError, MemoryError, KeyError, AttributeError,
                                RuntimeError, sv.BoundsError, sv.CopyError, sv.ProtocolError), type(told.value)
    if "rearrange" not in typed:  # whose texts show the place in the pattern
        assert "\n" not in said
    assert len(said) < 300 and "SV_" not in said and "__dlpack__:" not in said


def test_there_are_a_hundred():
    assert len(ROWS) == len(set(ROWS)) >= 100


# What device memory has: the copy goes by the driver, which says why it cannot; nothing is read as if it were the host's.
@pytest.mark.parametrize("typed", ["gpu[0, 0].item()", "float(gpu[0, 0])", "gpu.tolist()", "gpu.tobytes()"])
def test_elements_of_devices(typed):
    if any(device.state == "ready" for device in sv.devices() if device.name.startswith("cuda")):
        pytest.skip("there is a device, and the address is none of it")
    with pytest.raises((ValueError, NotImplementedError, RuntimeError), match="CUDA|driver"):
        eval(typed, sandbox())


if __name__ == "__main__":
    import tap
    tap.main(__file__)
