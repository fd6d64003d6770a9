"""Objects whose own code, called in the middle of an import, pulls the ground away."""

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import address, need, numbers

# --- dictionaries that change while they are read ------------------------------

CLEARING = """
    import numpy as np, strideview as sv

    source = np.arange(24, dtype="f4").reshape(2, 3, 4)[:, ::-1]

    class Clearing:
        '''A number that empties the dictionary it stands in when it is asked for.'''
        def __init__(self, number):
            self.number = number
        def ask(self):
            self.fields.clear()
            [tuple(range(900, 900 + n)) for n in range(1, 8) for _ in range(100)]
            return self.number
        __index__ = __bool__ = ask

    class Exporter:
        pass

    address, shape, strides = source.__array_interface__["data"][0], source.shape, source.strides
    for cuda in (False, True):
        fields = {"version": 3, "shape": shape, "strides": strides, "typestr": "".join(["<", "f4"]),
                  "data": (address, False), "mask": None, "stream": None, "descr": [("", "<f4")]}
        fields = {key: tuple(list(value)) if isinstance(value, tuple) else value for key, value in fields.items()}
        clearing = Clearing(%s)
        fields[%r] = %s
        clearing.fields, fields = fields, None
        exporter = Exporter()
        setattr(exporter, "__cuda_array_interface__" if cuda else "__array_interface__", clearing.fields)
        try:
            view = sv.view(exporter)
        except (TypeError, ValueError, BufferError) as error:
            continue
        assert view.ptr == address and view.shape == shape, view
        assert view.layout.strides_in_bytes in (strides, (48, 16, 4)), view
    """

PLACES = [
    ("shape", "2", "(clearing, 3, 4)"),
    ("shape", "4", "(2, 3, clearing)"),
    ("strides", "48", "(clearing, -16, 4)"),
    ("strides", "4", "(48, -16, clearing)"),
    ("data", "address", "(clearing, False)"),
    ("data", "False", "(address, clearing)"),
    ("version", "3", "clearing"),
    ("stream", "-1", "clearing"),
    ("offset", "0", "clearing"),
]


@pytest.mark.parametrize("key, number, value", PLACES)
def test_dictionary_that_is_cleared_while_it_is_read(key, number, value):
    run_apart(CLEARING % (number, key, value))


def test_sycl_dictionary_that_is_cleared_while_it_is_read():
    run_apart("""
        import strideview as sv

        class Clearing:
            def __index__(self):
                fields.clear()
                [tuple(range(900, 900 + n)) for n in range(1, 8) for _ in range(100)]
                return 2

        for key in ("shape", "strides", "offset"):
            fields = {"version": 1, "shape": (2, 2), "strides": (2, 2), "typestr": "".join(["<", "f4"]),
                      "data": (4096, False), "offset": 2, "syclobj": None}
            fields[key] = Clearing() if key == "offset" else (Clearing(), 2)
            exporter = type("Exporter", (), {"__sycl_usm_array_interface__": fields})()
            try:
                view = sv.view(exporter)
            except (TypeError, ValueError, BufferError):
                continue
            assert view.shape == (2, 2), view
        """)


# --- exceptions that nobody may catch -------------------------------------------

class Stop(BaseException):
    """As KeyboardInterrupt, which an import must not swallow nor turn into another error."""


class Watch:
    """Counts the calls of the code of foreign objects, and raises in one of them."""

    def __init__(self, error=None, at=0):
        self.error, self.at, self.count = error, at, 0

    def look(self):
        self.count += 1
        if self.count == self.at:
            raise self.error

    def type(self, only=None, **names):
        """A new type, of which every attribute that is asked for counts, or those named, and every call of a method."""
        watch = self

        def watched(function):
            def call(*args, **keywords):
                watch.look()
                return function(*args, **keywords)
            return call

        def look_up(base):
            def look(self, name):
                if only is None or name in only:
                    watch.look()
                return base.__getattribute__(self, name)
            return look

        meta = type("Meta", (type,), {"__getattribute__": look_up(type)})
        names = {name: watched(value) if callable(value) else value for name, value in names.items()}
        return meta("Watched", (), {"__getattribute__": look_up(object), **names})


ARRAY = numbers((2, 3))
numpy_records = np.zeros(3, [("a", "f4"), ("b", "i2")])
DEVICE = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3}
DLPACK = {"__dlpack__": lambda self, **how: ARRAY.__dlpack__(**how), "__dlpack_device__": lambda self: (1, 0)}


def dlpack(watch):
    sv.view(watch.type(**DLPACK)())


def dlpack_without_versions(watch):
    sv.view(watch.type(__dlpack__=lambda self, stream=None: ARRAY.__dlpack__(), __dlpack_device__=lambda self: (1, 0))())


def dlpack_of_an_object(watch):
    made = watch.type()()
    made.__dlpack__, made.__dlpack_device__ = lambda **how: ARRAY.__dlpack__(**how), lambda: (1, 0)
    sv.view(made)


def dlpack_by_name(watch):
    sv.StridedMemoryView.from_dlpack(watch.type(**DLPACK)())


def tensor(watch):
    made = watch.type(is_neg=lambda self: False, is_conj=lambda self: False, requires_grad=False,
                      __dlpack_c_exchange_api__=None, __c_dlpack_exchange_api__=0, **DLPACK)
    sv.view(made())


def interface(watch):
    sv.view(watch.type(__array_interface__=ARRAY.__array_interface__)())


def interface_with_a_dtype(watch):
    fields = np.zeros(4, "V1").__array_interface__
    assert sv.view(watch.type(__array_interface__=fields, dtype="int8")()).dtype == "int8"


def cuda_interface(watch):
    device = watch.type(id="none", index=1)()
    assert sv.view(watch.type(__cuda_array_interface__=DEVICE, device=device)()).device == (2, 1)


def sycl(watch):
    fields = {"version": 1, "shape": (2,), "strides": (1,), "typestr": "<f4", "data": (4096, False), "syclobj": None}
    sv.view(watch.type(__sycl_usm_array_interface__=fields, get_usm_type=lambda self: "device",
                       __dlpack_device__=lambda self: (14, 3))())


def stream(watch):
    sv.view(ARRAY, watch.type(__cuda_stream__=lambda self: (0, 1))())


def lent_buffer(watch):
    sv.StridedMemoryView.from_buffer(watch.type(handle=address(ARRAY), size=24, is_device_accessible=False,
                                                is_host_accessible=True, is_managed=False)(), 6, dtype="float32")


def record_dtype(watch):
    told = {"itemsize": 6, "names": ("a", "b"), "str": "|V6", "descr": [("a", "<f4"), ("b", "<i2")]}
    item = watch.type(only=told, **told)()  # numpy.dtype(item) asks for more, and forgets all that goes wrong
    view = sv.view(watch.type(__array_interface__=numpy_records.__array_interface__, dtype=item)())
    assert view.__array_interface__["shape"] == (3,)


def nothing(watch):
    """A failure of every way, each with an exception whose text is asked for."""
    class Odd(Exception):
        def __str__(self):
            watch.look()
            return "odd"

    def fail(self, **how):
        raise Odd

    with pytest.raises(BufferError):
        sv.view(watch.type(__dlpack__=fail, __dlpack_device__=fail, __array_interface__=property(fail),
                           __cuda_array_interface__=3)())


WAYS = [dlpack, dlpack_without_versions, dlpack_of_an_object, dlpack_by_name, tensor, interface, interface_with_a_dtype,
        cuda_interface, sycl, stream, lent_buffer, record_dtype, nothing]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", [Stop, KeyboardInterrupt, MemoryError])
def test_what_nobody_may_catch_is_raised(way, error):
    """In whichever call of foreign code it comes."""
    watch = Watch()
    way(watch)
    assert watch.count >= 2
    for at in range(1, watch.count + 1):
        with pytest.raises(error):
            way(Watch(error, at))


@pytest.mark.parametrize("way", WAYS)
def test_what_else_foreign_code_raises(way):
    """It may be told or, where the answer only helps, be forgotten."""
    watch = Watch()
    way(watch)
    for at in range(1, watch.count + 1):
        for error in (AttributeError, RuntimeError, ZeroDivisionError):
            try:
                way(Watch(error, at))
            except (error, TypeError, ValueError, BufferError, AssertionError):
                pass


# --- names that are not what they seem ------------------------------------------

def test_another_class_is_called_ndarray():
    """What is read as NumPy's C struct is of the type that NumPy's C API names."""
    run_apart("""
        import numpy, strideview as sv

        original = numpy.ndarray
        class Fake:
            __slots__ = tuple("abcdefghijklmnop")
            def __dlpack__(self, **how):
                raise ValueError("no memory here")
            def __dlpack_device__(self):
                return (1, 0)
            @property
            def __array_interface__(self):
                raise ValueError("none here either")

        class Lending(bytearray):
            __slots__ = Fake.__slots__  # as large as an array of NumPy
            __dlpack__, __dlpack_device__ = Fake.__dlpack__, Fake.__dlpack_device__
            shape = property(lambda self: (len(self),))  # so that the buffer tells all

        for fake in (Fake, Lending, int, None):
            numpy.ndarray = fake
            assert sv.view(numpy.arange(3)).shape == (3,)
            for _ in range(2):
                try:
                    sv.view(Fake())
                except BufferError as error:
                    assert "no memory here" in str(error)
                else:
                    assert False
            class Later(Lending):
                pass
            for kind in (Lending, Later):
                for _ in range(2):
                    assert sv.view(kind(b"123")).shape == (3,)
        """)


def test_descriptors_of_another_type():
    """A getter or a method of C, put into a class whose objects it does not know, is not called past its own check."""
    run_apart("""
        import numpy, sys
        try:
            import torch
        except ImportError:
            sys.exit()
        import strideview as sv

        class Wrong:
            requires_grad, is_neg, is_conj = (vars(torch._C.TensorBase)[name]
                                              for name in ("requires_grad", "is_neg", "is_conj"))
            def __init__(self, array):
                self.array = array
            def __dlpack__(self, **how):
                return self.array.__dlpack__(**how)
            def __dlpack_device__(self):
                return (1, 0)

        for dtype in ("f4", "c8"):
            for _ in range(2):
                try:
                    sv.view(Wrong(numpy.zeros(3, dtype)))
                except BufferError as error:
                    assert "resolve" in str(error)
        Wrong.is_neg = Wrong.is_conj = lambda self: False
        assert sv.view(Wrong(numpy.zeros(3, "f4"))).shape == (3,)
        """)


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("make", [sv.view, sv.StridedMemoryView.from_dlpack])
def test_negated_tensors_of_any_strides_are_refused(make):
    torch = need("torch")
    pairs = torch.complex(torch.arange(8.), torch.arange(8.) + 1).conj()
    half = torch.complex(torch.arange(8.).half(), torch.arange(8.).half() + 1).conj()
    cases = [torch.imag(pairs).as_strided((4,), (1,)), torch.imag(pairs).as_strided((2, 2), (3, 1)),
             torch.imag(pairs).as_strided((), ()), torch.imag(half).as_strided((4,), (1,)), torch.imag(pairs)[::3],
             torch._neg_view(torch.arange(4.)), torch._neg_view(pairs.resolve_conj()), pairs.as_strided((3,), (1,))]
    for lazy in cases:
        assert lazy.is_neg() or lazy.is_conj()
        for _ in range(2):
            with pytest.raises(BufferError, match="resolve"):
                make(lazy)
        resolved = lazy.resolve_conj().resolve_neg()
        assert np.array_equal(np.asarray(make(resolved)), resolved.numpy())


TEXTS = [lambda text: sv.empty(2, text), lambda text: sv.view(ARRAY).view(dtype=text),
         lambda text: sv.StridedMemoryView.from_buffer(bytearray(8), 2, dtype=text)]


@pytest.mark.parametrize("take", TEXTS)
@pytest.mark.parametrize("text", ["float32\0junk", "float32\0", "\0", "<f4\0", "\0float32", "float32\0é"])
def test_names_that_hold_a_nul(take, text):
    with pytest.raises((ValueError, TypeError)):
        take(text)


@pytest.mark.parametrize("function", [
    lambda text: sv.copy(sv.empty(2), sv.empty(2), casting=text), lambda text: sv.empty((2, 2), order=text),
    lambda text: sv.view(ARRAY).layout.to_dense(text), sv.StridedLayout.parse])
@pytest.mark.parametrize("text", ["no\0", "unsafe\0", "C\0", "F\0", "K\0", "(3)x4\0"])
def test_words_that_hold_a_nul(function, text):
    with pytest.raises((ValueError, TypeError)):
        function(text)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
