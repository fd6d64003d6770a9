"""Structures of ctypes are viewed by the fields of their class: CPython's own format of them is wrong."""

import ctypes
import gc
import os
import random
import sys

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from rounds import are_enough, rounds_of, seed_of

SCALE = {"full": 10, "long": 100}.get(os.environ.get("SV_TEST_SCALE"), 1)
NUMBERS = [ctypes.c_int8, ctypes.c_uint8, ctypes.c_int16, ctypes.c_uint16, ctypes.c_int32, ctypes.c_uint32,
           ctypes.c_int64, ctypes.c_uint64, ctypes.c_float, ctypes.c_double, ctypes.c_bool]
BASES = {"little": ctypes.LittleEndianStructure, "big": ctypes.BigEndianStructure}
OTHER = BASES["big" if sys.byteorder == "little" else "little"]


def structure(name, fields, base=ctypes.Structure, **more):
    return type(base)(name, (base,), {**more, "_fields_": fields})


class Random:
    """Random classes: packed ones, derived ones, ones of either byte order, with arrays, bit fields and unions."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def kind(self, depth, other):
        choice, number = self.random, self.random.random()
        if number < 0.2 and depth < 2:
            return self.structure(depth + 1, other)
        if number < 0.3 and depth < 2:
            return self.kind(depth + 1, other) * choice.randrange(1, 4)
        if not other and number < 0.35:
            return choice.choice([ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), ctypes.CFUNCTYPE(None)])
        if not other and number < 0.4:
            return choice.choice([ctypes.c_longdouble, ctypes.c_wchar, ctypes.c_char * 5])
        if not other and number < 0.45:
            return type(ctypes.Union)("Union", (ctypes.Union,), {"_fields_": [("u", ctypes.c_int16), ("v", ctypes.c_double)]})
        return choice.choice(NUMBERS[:-1] if other else NUMBERS)

    def fields(self, depth, other, prefix):
        found = []
        for i in range(self.random.randrange(1, 5)):
            if self.random.random() < 0.05:
                found.append((f"{prefix}{i}", ctypes.c_uint32, self.random.randrange(1, 32)))
            else:
                found.append((f"{prefix}{i}", self.kind(depth, other)))
        return found

    def structure(self, depth=0, other=None):
        choice = self.random
        other = choice.random() < 0.2 if other is None else other
        more = {"_pack_": choice.choice([1, 2, 4])} if choice.random() < 0.3 else {}
        if sys.version_info >= (3, 14) and more:
            more["_layout_"] = "ms"
        made = structure("Made", self.fields(depth, other, "f"), OTHER if other else ctypes.Structure, **more)
        return structure("Derived", self.fields(depth, other, "g"), made) if choice.random() < 0.15 else made


def all_fields(kind):
    return [field for base in reversed(kind.__mro__) for field in base.__dict__.get("_fields_", ())]


def check_values(view, item, kind):
    """Every number of an item, as ctypes reads it, is where the view finds it; all else is bytes."""
    for name, field, *_ in all_fields(kind):
        part = view[name]
        assert part.nbytes == ctypes.sizeof(field)
        assert part.tobytes() == bytes(item)[getattr(kind, name).offset:][:ctypes.sizeof(field)]
        if field in NUMBERS or hasattr(field, "__ctype_be__"):
            told = np.frombuffer(part.tobytes(), part.dtype)[0]
            assert repr(told.item()) == repr(getattr(item, name)), (name, field)
        elif issubclass(field, ctypes.Structure) and getattr(part.dtype, "names", None):
            check_values(part, getattr(item, name), field)


@pytest.mark.parametrize("part", range(4))
def test_random_structures(part):
    known = 0
    for number in rounds_of(60 * SCALE):
        draw = Random(seed_of(number, part))
        kind = draw.structure()
        items = (kind * 3)()
        nbytes = ctypes.sizeof(items)
        ctypes.memmove(items, bytes(x % 2 for x in draw.random.choices(range(2), k=nbytes)), nbytes)  # also good as bool
        for view in (sv.view(items), sv.view(memoryview(items)), sv.view(items)[::-1][::-1]):
            assert view.shape == (3,) and view.itemsize == ctypes.sizeof(kind) and view.tobytes() == bytes(items)
            if any(len(field) == 3 for field in all_fields(kind)):
                assert view.dtype == "opaque"
                continue
            known += 1
            check_values(view[1], items[1], kind)
            back = np.asarray(memoryview(view))
            assert back.dtype.names == view.dtype.names
            assert back.tobytes() == np.frombuffer(bytes(items), view.dtype).tobytes() or back.dtype.hasobject is False
    assert are_enough(known, 60 * SCALE)


def test_bit_fields_are_bytes():
    """Their format says that they are whole numbers side by side, which has the right size here by chance."""
    bits = structure("Bits", [("low", ctypes.c_int32, 20), ("high", ctypes.c_int32, 20)])
    held = structure("Held", [("a", ctypes.c_int16), ("bits", bits), ("b", ctypes.c_double)])
    view = sv.view((bits * 2)((1, 2), (3, 4)))
    assert view.dtype == "opaque" and view[0].item() == bytes(bits(1, 2))
    with pytest.raises(BufferError, match="no format"):
        memoryview(view)
    items = (held * 2)((1, (2, 3), 4.5), (5, (6, 7), 8.5))
    view = sv.view(items)
    assert view["a"].tolist() == [1, 5] and view["b"].tolist() == [4.5, 8.5]
    assert view["bits"].itemsize == 8 and view["bits"].tobytes() == bytes(items[0].bits) + bytes(items[1].bits)
    assert np.asarray(memoryview(view))["b"].tolist() == [4.5, 8.5]


def test_unions_are_bytes():
    union = type(ctypes.Union)("Union", (ctypes.Union,), {"_fields_": [("i", ctypes.c_int32), ("f", ctypes.c_float)]})
    held = structure("Held", [("tag", ctypes.c_int8), ("value", union), ("end", ctypes.c_int16)])
    assert sv.view((union * 3)()).dtype == "opaque"
    items = (held * 2)()
    items[1].value.f, items[1].end = 1.5, 7
    view = sv.view(items)
    assert view["end"].tolist() == [0, 7] and view["value"][1].tobytes() == bytes(ctypes.c_float(1.5))


def test_fields_of_base_classes_and_of_the_other_byte_order():
    base = structure("Base", [("a", ctypes.c_int8)])
    derived = structure("Derived", [("b", ctypes.c_int32)], base)
    assert sv.view((derived * 2)((1, 2), (3, 4)))["b"].tolist() == [2, 4]
    other = structure("Other", [("a", ctypes.c_int16), ("b", ctypes.c_int32 * 2), ("c", ctypes.c_int8)], OTHER)
    view = sv.view((other * 2)((1, (2, 3), 4), (5, (6, 7), 8)))
    assert view.dtype == np.dtype(other)
    assert np.asarray(memoryview(view))["b"].tolist() == [[2, 3], [6, 7]]


def test_packed_structures_equal_those_of_numpy():
    packed = structure("Packed", [("a", ctypes.c_int8), ("b", ctypes.c_int32)], _pack_=1, _layout_="ms")
    items = (packed * 3)((1, 2), (3, 4), (5, 6))
    target = np.zeros(3, [("a", "i1"), ("b", "i4")])
    sv.copy(target, items)
    assert target.tolist() == [(1, 2), (3, 4), (5, 6)] and memoryview(sv.view(items)).format == memoryview(sv.view(target)).format
    with pytest.raises(TypeError, match="equal dtypes"):
        sv.copy(np.zeros(3, [("a", "i4"), ("b", "i1")]), items)


@pytest.mark.parametrize("make", [
    lambda: structure("Packed", [("a", ctypes.c_int8), ("o", ctypes.py_object)], _pack_=1, _layout_="ms"),
    lambda: type(ctypes.Union)("Union", (ctypes.Union,), {"_fields_": [("i", ctypes.c_int64), ("o", ctypes.py_object)]}),
    lambda: structure("Held", [("a", ctypes.c_int8), ("u", type(ctypes.Union)(
        "Union", (ctypes.Union,), {"_fields_": [("o", ctypes.py_object * 2)]}))]),
    lambda: structure("Derived", [], structure("Base", [("a", ctypes.c_int8), ("o", ctypes.py_object)], _pack_=1,
                                               _layout_="ms")),
])
def test_references_to_objects_are_found_where_the_format_hides_them(make):
    items = (make() * 2)()
    before = sys.getrefcount(items)
    for exporter in (items, memoryview(items), items[0]):
        with pytest.raises(BufferError, match="Python objects"):
            sv.view(exporter)
    del exporter
    gc.collect()
    assert sys.getrefcount(items) <= before + 1  # items[0] of the loop's tuple is gone


def test_items_of_one_byte_and_bytes_that_were_cast():
    packed = structure("Packed", [("a", ctypes.c_int8)], _pack_=1, _layout_="ms")
    union = type(ctypes.Union)("Union", (ctypes.Union,), {"_fields_": [("b", ctypes.c_bool), ("i", ctypes.c_int8)]})
    view = sv.view((packed * 3)((1,), (2,), (-3,)))
    assert view["a"].tolist() == [1, 2, -3] and sv.view((union * 3)()).dtype == "opaque"
    wide = structure("Wide", [("a", ctypes.c_int8), ("b", ctypes.c_int32)], _pack_=1, _layout_="ms")
    assert sv.view(memoryview((wide * 3)()).cast("B")).dtype == np.uint8


def test_a_class_that_changes_its_mind():
    """Lists of fields can be changed after the class was made."""
    kind = structure("Kind", [("a", ctypes.c_int16), ("b", ctypes.c_int32)])
    items = (kind * 2)()
    for spoil in (lambda: kind._fields_.append(("c", ctypes.c_int64)), lambda: kind._fields_.__setitem__(0, ("a", ctypes.c_int64)),
                  lambda: setattr(kind, "a", 5)):
        spoil()
        assert sv.view(items).dtype == "opaque" and sv.view(items).itemsize == 8
    kind._fields_[0] = 3
    with pytest.raises(BufferError, match="_fields_ of .*Kind"):
        sv.view(items)


def test_without_numpy():
    run_apart("""
        import sys
        sys.modules["numpy"] = None
        import ctypes, strideview as sv

        class Packed(ctypes.Structure):
            _pack_, _layout_ = 1, "ms"
            _fields_ = [("a", ctypes.c_int8), ("b", ctypes.c_int32)]

        class Other(ctypes.Structure):
            _pack_, _layout_ = 1, "ms"
            _fields_ = [("b", ctypes.c_int32), ("a", ctypes.c_int8)]

        target = (Packed * 2)()
        sv.copy(target, (Packed * 2)((1, 2), (3, 4)))
        assert target[1].b == 4
        try:
            sv.copy(target, (Other * 2)())
        except TypeError as error:
            assert "equal dtypes" in str(error)
        else:
            raise AssertionError
        """)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
