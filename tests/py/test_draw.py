"""Pictures of memory: what they say is what a loop over the indices finds."""

import random
import re
from collections import Counter
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

import strideview as sv
from rounds import rounds_of, seed_of
from strideview import StridedLayout

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = {
    "C order": StridedLayout.dense((3, 4, 2), 1),
    "F order": StridedLayout.dense((4, 6), 4, "F"),
    "transposed slice": StridedLayout.dense((6, 10), 4)[1:4, ::3].permute((1, 0)),
    "backwards": StridedLayout.dense((4, 5), 2)[::-1, ::-2],
    "before the base": StridedLayout((4, 5), (-5, 1), 8),
    "repeated": StridedLayout((3, 1), None, 4).broadcast_to((2, 3, 4)),
    "window": StridedLayout((5, 4), (1, 1), 1),
    "window of bytes": StridedLayout.from_byte_strides((4, 3), (8, 2), 4),
    "odd steps": StridedLayout.from_byte_strides((3, 3), (17, 5), 4),
    "no axes": StridedLayout((), None, 4),
    "padded rows": StridedLayout((4, 5), (8, 1), 4),
    "far apart": StridedLayout((3, 2, 4), (1 << 40, 1000, 1), 4),
    "many": StridedLayout.dense((40, 90), 4),
    "wide items": StridedLayout((3, 2), (2, 7), 24),
}


def owners(layout):
    """For each byte from the base, the set of indices that occupy it."""
    found = {}
    for index in product(*map(range, layout.shape)):
        first = layout.slice_offset_in_bytes + sum(i * step for i, step in zip(index, layout.strides_in_bytes))
        for byte in range(first, first + layout.itemsize):
            found.setdefault(byte, []).append(index)
    return found


def boxes(picture):
    """(first byte, last byte, text of the tooltip) of each box."""
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        where, names = group.find(f"{SVG}title").text.split(": ")
        numbers = [int(number) for number in re.findall(r"-?\d+", where)]
        yield numbers[0], numbers[-1], names


def assert_drawn(layout):
    expected, drawn, gaps = owners(layout), Counter(), Counter()
    for first, last, names in boxes(sv.draw(layout)):
        if names == "not used":
            gaps.update(range(first, last + 1))
            continue
        for byte in range(first, last + 1):
            drawn[byte] += 1
            repeats = sum(int(n or 1) for n in re.findall(r"\](?: ×(\d+))?", names))
            listed = [tuple(map(int, re.findall(r"\d+", index))) for index in re.findall(r"\[(.*?)\]", names)]
            assert set(listed) <= set(expected[byte])
            assert repeats == len(expected[byte]) or names.endswith("...")
    assert drawn == dict.fromkeys(expected, 1)  # each byte once, and no other
    assert not gaps.keys() & expected.keys() and set(gaps.values()) <= {1}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_byte_once(name):
    assert_drawn(LAYOUTS[name])


def test_random_layouts():
    for number in rounds_of(300):
        rng = random.Random(seed_of(number))
        shape = [rng.randint(1, 4) for _ in range(rng.randint(0, 4))]
        strides = [rng.choice((0, rng.randint(-30, 30), rng.randint(-3000, 3000))) for _ in shape]
        assert_drawn(StridedLayout.from_byte_strides(shape, strides, rng.choice((1, 2, 3, 4, 8))))


@pytest.mark.parametrize("name", LAYOUTS)
def test_labels_stand_in_order(name):
    layout = LAYOUTS[name]
    if layout.size > 600:
        return
    written = [text.text for text in ElementTree.fromstring(sv.draw(layout, title="")).iter(f"{SVG}text")]
    labels = [t.split(" ×")[0] for t in written if t and re.fullmatch(r"(\d+(,\d+)*|\(\))( ×\d+)?", t)]
    first = {}
    for index in product(*map(range, layout.shape)):
        byte = layout.slice_offset_in_bytes + sum(i * step for i, step in zip(index, layout.strides_in_bytes))
        first.setdefault(byte, ",".join(map(str, index)) or "()")
    expected = [first[byte] for byte in sorted(first)]
    assert labels[-len(expected):] == expected  # before them the offsets at the left of the rows
    in_text = re.findall(r"(?<![\d,.])(\d+(?:,\d+)+)", sv.draw(layout, "text", title=""))
    assert layout.ndim < 2 or in_text == expected


def test_text():
    assert sv.draw(LAYOUTS["padded rows"], "text", title="rows of 32 bytes") == """\
rows of 32 bytes
 0  0,0 0,1 0,2 0,3 0,4 .   .   .
32  1,0 1,1 1,2 1,3 1,4 .   .   .
64  2,0 2,1 2,2 2,3 2,4 .   .   .
96  3,0 3,1 3,2 3,3 3,4"""
    assert sv.draw(StridedLayout((2, 2), (1000, -1), 2), "text") == """\
StridedLayout(shape=(2, 2), strides=(1000, -1), itemsize=2)
  -2  0,1 0,0
      ... 1996 bytes
1998  1,1 1,0"""
    halves = StridedLayout.from_byte_strides((3,), (2,), 4)
    assert sv.draw(halves, "text").splitlines()[1:] == ["0  0    1 ×2 2 ×2 ----"]


def test_rows_are_as_long_as_an_axis_steps():
    lines = sv.draw(StridedLayout.dense((3, 20), 1), "text").splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["0", "20", "40"]


def test_arrays_and_views():
    array = np.zeros((3, 4), "i4")[:, ::-1]
    view = sv.view(array)
    assert sv.draw(array) == sv.draw(view)
    assert "dtype=int32" in sv.draw(view) and "a &lt; b" in sv.draw(view, title="a < b")
    assert sv.draw(view, axis=1) != sv.draw(view, axis=0) == sv.draw(view)
    assert sv.draw(view, path=True).count("<path d=\"M") == 1 + 11  # the arrow's head, and from each to the next


@pytest.mark.parametrize("layout, reason", [
    (StridedLayout((0, 3), None, 4), "no elements"),
    (StridedLayout.dense((100, 1000), 4), "too many elements"),
    (StridedLayout((2, 2), None, 1 << 40)[:, :], None),
    (StridedLayout.from_byte_strides((2,), (1,), 1 << 40), "too many elements"),
    (StridedLayout((1 << 62,), (0,), 1), None),
    (StridedLayout((2,), (2**63 - 2,), 1), None),
    (StridedLayout((1,) * 64, None, 1), None),
])
def test_what_cannot_be_drawn_says_so(layout, reason):
    for form in "svg", "text":
        picture = sv.draw(layout, form)
        assert reason is None or (reason in picture and len(picture) < 1200)
    ElementTree.fromstring(sv.draw(layout))
    assert layout._repr_svg_() == sv.draw(layout)  # what notebooks show


def test_options_that_make_no_sense():
    layout = StridedLayout((2,), None, 1)
    for call in (lambda: sv.draw(layout, "png"), lambda: sv.draw(layout, axis=1), lambda: sv.draw(layout, axis=-1)):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: sv.draw(7), lambda: sv.draw(layout, "text", axis=0), lambda: sv.draw(layout, "text", path=True),
                 lambda: sv.draw(layout, nothing=1)):
        with pytest.raises(TypeError):
            call()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
