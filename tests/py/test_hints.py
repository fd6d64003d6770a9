"""What users of NumPy, PyTorch and einops type first is there, or the AttributeError says what to type."""

import pickle
import re
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import need
from strideview._core import _hints

FUNCTIONS, METHODS = _hints()

# What they type most, by libraries; NumPy's own list of methods is asked for by itself.
NUMPY = """abs absolute add all allclose amax amin any append apply_along_axis arange argmax argmin argsort argwhere around
array array_equal array_split asanyarray asarray ascontiguousarray asfortranarray astype atleast_1d atleast_2d atleast_3d
average bincount block broadcast_arrays broadcast_shapes broadcast_to can_cast ceil clip column_stack concat concatenate
copy copyto corrcoef cos cov cross cumprod cumsum delete diag diagonal diff divide dot dsplit dstack dtype einsum empty
empty_like equal exp expand_dims eye fft fill_diagonal flip fliplr flipud float16 float32 float64 floor frombuffer
from_dlpack fromfile fromfunction fromiter full full_like gradient histogram hsplit hstack hypot identity insert int16
int32 int64 int8 interp isclose isfinite isin isinf isnan kron linalg linspace load loadtxt log log10 log2 logical_and
logical_not logical_or logspace matmul matrix_transpose max maximum may_share_memory mean median memmap meshgrid mgrid min
minimum mod moveaxis multiply nan_to_num ndarray ndim newaxis nonzero ones ones_like outer pad percentile permute_dims power
prod promote_types put quantile random ravel repeat require reshape resize result_type roll rollaxis rot90 round save savetxt
savez searchsorted shape shares_memory sign sin size sort split sqrt squeeze stack std subtract sum swapaxes take tan
tanh tensordot tile trace transpose tri tril triu uint16 uint32 uint64 uint8 unique var vsplit vstack where zeros
zeros_like""".split()
TORCH = """Tensor abs add allclose arange argmax argmin argsort as_strided as_tensor bfloat16 cat chunk clip clone complex64
concat cos cuda cumsum device diag dtype einsum empty empty_like empty_strided equal exp eye flatten flip float16 float32
float64 from_dlpack from_numpy frombuffer full full_like gather half hstack index_select int16 int32 int64 int8 is_tensor
isnan linspace load log long manual_seed masked_select matmul max mean median meshgrid min moveaxis movedim narrow no_grad norm
numel ones ones_like outer permute prod rand randint randn ravel repeat_interleave reshape roll rot90 round save sin
softmax sort split sqrt squeeze stack std sum swapaxes swapdims t take tan tanh tensor tensor_split tensordot tile transpose
tril triu uint8 unbind unique unsqueeze var vstack where zeros zeros_like""".split()
EINOPS = "rearrange repeat reduce pack unpack einsum parse_shape asnumpy".split()
TENSOR = """abs add add_ all any argmax argmin argsort as_strided backward bfloat16 bmm bool byte char chunk clamp clone
contiguous copy_ cos cpu cuda cumprod cumsum data data_ptr detach diag diagonal diff dim div double element_size eq exp expand
expand_as fill_ flatten flip float floor gather ge get_device gt half index_select int is_contiguous is_cuda
is_floating_point is_pinned isnan item itemsize le log long lt masked_fill masked_fill_ masked_select matmul max mean median
min mm moveaxis movedim mul narrow nbytes ndim ndimension ne nelement new_empty new_full new_ones new_tensor new_zeros
nonzero norm numel numpy outer permute pin_memory pow prod ravel record_stream relu repeat repeat_interleave requires_grad_
reshape reshape_as resize_ roll round scatter scatter_ select shape short sigmoid sign sin size softmax sort split sqrt
squeeze squeeze_ std storage storage_offset stride sub sum swapaxes swapdims t tanh tensor_split tile to tolist topk
transpose transpose_ tril triu type type_as unbind unflatten unfold unique unsqueeze unsqueeze_ untyped_storage var
view view_as where zero_ T H mT real imag""".split()


@pytest.mark.parametrize("name", sorted({*NUMPY, *TORCH, *EINOPS}))
def test_functions_are_here_or_hinted(name):
    assert (name in sv.__all__) != (name in FUNCTIONS)


@pytest.mark.parametrize("name", sorted({*TENSOR, *(name for name in dir(np.ndarray) if name[0] != "_")}))
def test_methods_are_here_or_hinted(name):
    here = name in vars(sv.StridedMemoryView) and name not in METHODS
    assert here != (name in METHODS)


def test_the_table_hides_nothing():
    assert not set(FUNCTIONS) & set(sv.__all__) and not set(FUNCTIONS) & set(dir(sv)) and set(sv.__all__) <= set(dir(sv))
    view = sv.zeros((2, 3))
    assert not set(METHODS) & set(dir(view)) and {"shape", "copy", "__len__"} <= set(dir(view))
    for name in METHODS:
        assert not hasattr(view, name) and not hasattr(sv.StridedMemoryView, name)


@pytest.mark.parametrize("name, text", [("copyto", "sv.copy(dst, src)"), ("cat", "sv.concatenate(x, axis)"),
                                        ("linalg", "np.linalg"), ("mean", "np.mean()"), ("mgrid", "np.mgrid[...]")])
def test_functions_say_what_to_type(name, text):
    """When they are used: a module with a __getattr__() has slower functions."""
    for use in (lambda it: it(), lambda it: it(1, out=2), lambda it: it.norm, lambda it: it[1:2]):
        with pytest.raises(AttributeError, match=f"module 'strideview' has no attribute '{name}'.*{re.escape(text)}"):
            use(getattr(sv, name))
    assert text in repr(getattr(sv, name)) and text in getattr(sv, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'qwertz'$"):
        sv.qwertz  # noqa: B018


def test_dtypes_and_new_axes_have_names():
    for name in ("float32", "bfloat16", "int8", "uint64", "complex128"):
        assert sv.empty(2, getattr(sv, name)).dtype == sv.empty(2, name).dtype
    assert sv.zeros(2)[:, sv.newaxis].shape == (2, 1)


def test_the_module_is_a_plain_one():
    """Whose functions the interpreter finds without a look into its dictionary."""
    assert type(sv) is type(np.linalg) and "__getattr__" not in vars(sv)


@pytest.mark.parametrize("name, text", [("numel", "v.size"), ("data_ptr", "v.ptr"), ("ravel", "v.flatten()"),
                                        ("mean", "np.asarray(v).mean()"), ("clone", "v.copy()")])
def test_methods_say_what_to_type(name, text):
    with pytest.raises(AttributeError, match=f"'StridedMemoryView' object has no attribute '{name}': .*{re.escape(text)}"):
        getattr(sv.zeros(2), name)
    with pytest.raises(AttributeError, match="type object"):
        getattr(sv.StridedMemoryView, name)
    with pytest.raises(AttributeError):
        setattr(sv.zeros(2), name, 1)
    assert getattr(sv.zeros(2), name, 7) == 7


def test_derived_classes_have_these_names_for_themselves():
    class View(sv.StridedMemoryView):
        def numel(self):
            return self.size

    view = View(np.zeros(3))
    view.mean = 5
    assert view.numel() == 3 and view.mean == 5 and {"numel", "mean"} <= set(dir(view)) and "max" not in dir(view)
    with pytest.raises(AttributeError, match=r"'View' object has no attribute 'data_ptr': v\.ptr"):
        view.data_ptr()


def names_in(text, owner):
    return re.findall(rf"\b{owner}\.([a-zA-Z_0-9]+)", text)


def test_hints_name_what_there_is():
    """Each word of sv, of views and of NumPy that a hint has exists."""
    view = sv.zeros((2, 3))
    for text in [*FUNCTIONS.values(), *METHODS.values()]:
        for name in names_in(text, "sv"):
            assert name in sv.__all__, text
        for name in names_in(text, "v"):
            assert hasattr(view, name), text
        for name in names_in(text, "np"):
            assert hasattr(np, name), text
    for name, text in FUNCTIONS.items():
        if text == f"np.{name}() takes views, too":
            assert hasattr(np, name)
    for name, text in METHODS.items():
        if text.startswith(f"np.asarray(v).{name}()"):
            assert hasattr(np.zeros(1), name)


def test_numpys_functions_take_views():
    array = np.arange(6.0).reshape(2, 3)
    view = sv.view(array)
    for name in "mean sum max min std var prod argmax cumsum sort unique sqrt nonzero round clip".split():
        arguments = (0, 3) if name == "clip" else ()
        assert np.array_equal(getattr(np, name)(view, *arguments), getattr(np, name)(array, *arguments))


# --- functions that are there -------------------------------------------------------

ARRAY = np.arange(24, dtype="i4").reshape(2, 3, 4)


@pytest.mark.parametrize("name, arguments", [
    ("transpose", ()), ("transpose", ((1, 0, 2),)), ("moveaxis", (0, -1)), ("moveaxis", ((0, 1), (2, 0))),
    ("swapaxes", (0, 2)), ("broadcast_to", ((5, 2, 3, 4),)), ("expand_dims", (1,)), ("expand_dims", ((0, -1),)),
    ("flip", ()), ("flip", (1,)), ("flip", ((0, 2),)), ("squeeze", ()), ("reshape", ((6, -1),)), ("reshape", (24,)),
])
def test_functions_on_axes_are_numpys(name, arguments):
    wanted = getattr(np, name)(ARRAY, *arguments)
    for source in (ARRAY, sv.view(ARRAY)):
        made = getattr(sv, name)(source, *arguments)
        assert np.array_equal(np.asarray(made), wanted) and made.shape == wanted.shape
        assert sv.shares_memory(made, ARRAY)
    layout = getattr(sv, name)(sv.view(ARRAY).layout, *arguments)
    assert isinstance(layout, sv.StridedLayout) and layout == made.layout


def test_permute_dims_and_squeeze():
    assert sv.permute_dims(ARRAY, (2, 0, 1)).shape == (4, 2, 3)
    assert sv.squeeze(ARRAY[:1, :, :1]).shape == (3,) and sv.squeeze(ARRAY[:1, :, :1], 0).shape == (3, 1)
    with pytest.raises(ValueError):
        sv.squeeze(ARRAY, 0)
    with pytest.raises(ValueError, match="copy"):
        sv.reshape(ARRAY.T, 24)
    with pytest.raises(TypeError):
        sv.flip([1, 2])


@pytest.mark.parametrize("shape, strides, offset", [((3, 3), (1, 2), 0), ((2, 2), (12, -1), 3), ((), (), 23), ((0, 4), None, 5),
                                                    ((4,), (0,), 7)])
def test_as_strided(shape, strides, offset):
    for part in (ARRAY, ARRAY.reshape(-1)[:0]):
        whole = ARRAY.reshape(-1)
        view = sv.view(ARRAY).reshape(-1)[:part.size]
        made = sv.as_strided(view, shape, strides, offset=offset)
        steps = sv.StridedLayout(shape, strides, 4).strides_in_bytes
        wanted = np.lib.stride_tricks.as_strided(whole[offset:], shape, steps)
        assert np.array_equal(np.asarray(made), wanted) and made.dtype == "i4"
        assert np.array_equal(np.asarray(sv.as_strided(view, shape, strides_in_bytes=steps, offset=offset)), wanted)
    torch = need("torch")
    if strides is not None and min(strides, default=0) >= 0:
        told = torch.as_strided(torch.from_numpy(ARRAY), shape, strides, offset)
        assert told.tolist() == made.tolist()


def test_as_strided_stays_in_the_memory():
    view = sv.view(ARRAY).reshape(-1)[4:]
    assert sv.as_strided(view, (2,), (1,), offset=-4).tolist() == [0, 1]
    for shape, strides, offset in (((25,), None, 0), ((21,), None, 0), ((1,), None, 20), ((1,), None, -5), ((3,), (10,), 0)):
        with pytest.raises(ValueError):
            sv.as_strided(view, shape, strides, offset=offset)
    with pytest.raises(TypeError, match="not both"):
        sv.as_strided(view, (1,), (1,), strides_in_bytes=(4,))


@pytest.mark.parametrize("dtype, order", [(None, None), ("i4", "C"), (None, "F"), ("f8", None), ("f8", "F"), (None, "K"),
                                          ("i4", "A"), ("?", "C")])
def test_asarray_is_numpys(dtype, order):
    for source in (ARRAY, ARRAY.T, ARRAY[::-1], ARRAY[:, :0], ARRAY[1, 2, 3, ...]):
        wanted = np.asarray(source, dtype, order or "K")
        made = sv.asarray(source, dtype, order)
        assert made.dtype == wanted.dtype and np.array_equal(np.asarray(made), wanted)
        assert sv.shares_memory(made, source) == np.shares_memory(wanted, source)
        if order in ("C", "F"):
            assert made.is_contiguous_c if order == "C" else made.is_contiguous_f
        copied = sv.array(source, dtype, order=order or "K")
        assert np.array_equal(np.asarray(copied), wanted) and not np.shares_memory(np.asarray(copied), source)
        assert np.shares_memory(np.asarray(sv.array(source, dtype, order=order, copy=None)), source) == np.shares_memory(
            wanted, source)
        if not source.size:
            continue
        if not np.shares_memory(wanted, source):
            with pytest.raises(ValueError, match="copy=False"):
                sv.asarray(source, dtype, order, copy=False)
        else:
            assert sv.asarray(source, dtype, order, copy=False).ptr == sv.view(source).ptr
        for name in ("ascontiguousarray", "asfortranarray"):
            found, wanted = getattr(sv, name)(source, dtype), getattr(np, name)(source, dtype)
            assert np.array_equal(np.asarray(found), wanted) and found.shape == wanted.shape


def test_asarray_on_devices():
    view = sv.view(ARRAY)
    assert sv.asarray(view, device="cpu") is view and sv.array(view, device="cpu").ptr != view.ptr
    with pytest.raises(ValueError, match="a device is"):
        sv.asarray(view, device="mps")
    with pytest.raises(ValueError, match="copy=False"):
        sv.asarray(view, device="cuda", copy=False)
    with pytest.raises(TypeError, match=r"np\.asarray"):
        sv.asarray([1, 2])
    records = np.zeros(2, [("a", "f4"), ("b", "i2")])
    assert sv.asarray(records, records.dtype).ptr == sv.view(records).ptr and sv.array(records).dtype == records.dtype


# --- comparing ----------------------------------------------------------------------

@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "?", "c8", "u8", "f2"])
def test_values_are_compared(dtype):
    array = np.array([1, 0], dtype)
    one, none = sv.view(array)
    for other in (1, 1.0, True, 1 + 0j, np.float32(1), np.int8(1), np.True_, one, sv.view(array)[0], sv.full((), 1, "i8")):
        assert one == other and not one != other and other == one and none != other and not none == other
    if dtype != "c8":
        assert none < 1 <= one and none < one and one >= none and not none > 0
    assert one in [3, 1] and one in {one: 2}


VIEW = type("View", (), {})()  # stands for a view, which would live as long as this module


@pytest.mark.parametrize("other", [None, "1", [1], (1,), np.zeros(1), VIEW, object(), b"1", ..., sv.StridedMemoryView],
                         ids=lambda other: type(other).__name__)
def test_all_other_comparisons_are_refused(other):
    other = sv.zeros(1) if other is VIEW else other
    for view in (sv.zeros(()), sv.zeros(2), sv.zeros((0,)), sv.zeros((1, 1))):
        for compare, sign in ((lambda a, b: a == b, "=="), (lambda a, b: a != b, "!="), (lambda a, b: a < b, "<"),
                              (lambda a, b: a >= b, ">=")):
            with pytest.raises(TypeError, match=rf"np\.asarray\(v\) {sign} w"):
                compare(view, other)
    with pytest.raises(TypeError, match=r"with int: np\.asarray\(v\) == w"):
        sv.zeros(2) == 0  # noqa: B015
    with pytest.raises(TypeError, match="np.asarray"):
        sv.zeros(()) == sv.zeros(2)  # noqa: B015
    assert (np.zeros(2) == sv.zeros(2)).all()  # NumPy is asked first


def test_records_are_compared_by_their_values():
    array = np.array([(1, 2.5), (1, 2.5), (3, 2.5)], [("a", "i4"), ("b", "f4")])
    first, second, third = sv.view(array)
    assert first == second and first != third
    with pytest.raises(TypeError, match="no number for elements of int4"):
        sv.zeros((), "int4") == 0  # noqa: B015
    with pytest.raises(TypeError, match="no number for elements of float128"):
        sv.zeros((), "float128") == 1  # noqa: B015


def test_views_are_hashed_as_objects():
    array = np.zeros(2)
    view, other = sv.view(array), sv.view(array)
    assert hash(view) == hash(view) and len({view, other}) == 2 and view in {view}
    assert weakref.WeakSet([view, other]) and weakref.ref(view)() is view
    assert pickle.loads(pickle.dumps(view))[0] == 0


def test_values_are_formatted():
    view = sv.view(np.array([3.14159, 2]))
    assert f"{view[0]:.2f}" == "3.14" and f"{sv.full((), 7, 'i4'):04d}" == "0007"
    assert f"{view}" == str(view) and f"{view[0]}" == str(view[0]) and format(view) == str(view)
    for bad in (view, sv.zeros((1,))):
        with pytest.raises(TypeError, match="without axes"):
            f"{bad:.2f}"
    with pytest.raises(ValueError):
        f"{view[0]:d}"


@pytest.mark.parametrize("index", [np.array([0, 1]), np.array([True, False]), True, (np.array([0]), 0), ((0, 1), 0),
                                   VIEW, np.zeros((), "?"), (slice(None), [0, 1]), range(2), np.True_], ids=str)
def test_indices_that_choose_elements_say_what_to_call(index):
    index = sv.zeros(2, "i4") if index is VIEW else index
    view = sv.zeros((2, 2))
    with pytest.raises(TypeError, match=r"np\.asarray\(v\)\[index\]"):
        view[index]
    with pytest.raises(TypeError, match=r"np\.asarray\(v\)\[index\]"):
        view[index] = 1
    torch = need("torch")
    with pytest.raises(TypeError, match=r"np\.asarray\(v\)\[index\]"):
        view[torch.tensor([0, 1])]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
