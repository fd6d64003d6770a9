"""rearrange(): equal to reshape, transpose, reshape of NumPy; errors that point at what is wrong."""

import random

import numpy as np
import pytest

import strideview as sv
from peers import address, device_view, need, numbers
from rounds import are_enough, rounds_of, seed_of

PICTURES = numbers((2, 6, 4, 3))


@pytest.mark.parametrize("pattern, sizes, of", [
    ("b h w c -> b c h w", {}, lambda a: a.transpose(0, 3, 1, 2)),
    ("b h w c->b c h w", {}, lambda a: a.transpose(0, 3, 1, 2)),
    ("  b h  w c ->   (b) (h w)c ", {}, lambda a: a.reshape(2, 24, 3)),
    ("b h w c -> (b h w c)", {}, lambda a: a.reshape(-1)),
    ("... c -> c ...", {}, lambda a: a.transpose(3, 0, 1, 2)),
    ("... -> (...)", {}, lambda a: a.reshape(-1)),
    ("... -> ...", {}, lambda a: a),
    ("b h w c ... -> ... b h w c", {}, lambda a: a),
    ("b ... c -> c (b ...)", {}, lambda a: a.transpose(3, 0, 1, 2).reshape(3, 48)),
    ("b (h s) w c -> b s h w c", {"s": 2}, lambda a: a.reshape(2, 3, 2, 4, 3).transpose(0, 2, 1, 3, 4)),
    ("b (h s) w c -> b s h w c", {"h": 3}, lambda a: a.reshape(2, 3, 2, 4, 3).transpose(0, 2, 1, 3, 4)),
    ("b (h s) w c -> b s h w c", {"h": 3, "s": 2, "b": 2}, lambda a: a.reshape(2, 3, 2, 4, 3).transpose(0, 2, 1, 3, 4)),
    ("b (h 2) w 3 -> b 2 h w 3", {}, lambda a: a.reshape(2, 3, 2, 4, 3).transpose(0, 2, 1, 3, 4)),
    ("2 h (w 1) c -> 1 2 h w 1 c ()", {}, lambda a: a.reshape(1, 2, 6, 4, 1, 3, 1)),
    ("b h w c -> b (1 h) w (c 1) 1 1", {}, lambda a: a.reshape(2, 6, 4, 3, 1, 1)),
    ("b_1 _h w é -> é w b_1 _h", {}, lambda a: a.transpose(3, 2, 0, 1)),
    ("b (w1 w2 w3) w c -> w3 b w1 w2 w c", {"w1": np.int64(1), "w3": 3},
     lambda a: a.reshape(2, 1, 2, 3, 4, 3).transpose(3, 0, 1, 2, 4, 5)),
])
def test_equals_numpys(pattern, sizes, of):
    wanted = of(PICTURES)
    found = sv.rearrange(PICTURES, pattern, **sizes)
    assert np.array_equal(np.asarray(found), wanted) and np.shares_memory(np.asarray(found), PICTURES)
    assert sv.rearrange(sv.view(PICTURES), pattern, **sizes).layout == found.layout
    assert sv.rearrange(sv.view(PICTURES).layout, pattern, **sizes) == found.layout


# --- random patterns ----------------------------------------------------------

class Case:
    """A pattern, what NumPy makes of it, and an array of any strides it is for."""

    def __init__(self, seed, least=0, extents=(0, 1, 1, 2, 2, 3, 4)):
        self.random = random.Random(seed)
        count = self.random.randint(least, 6)
        self.names = [f"n{i}" for i in range(count)]
        self.extents = [self.random.choice(extents) for _ in self.names]
        self.left = self.groups(range(count))
        self.order = self.random.sample(range(count), count) if self.random.random() < .6 else list(range(count))
        self.right = self.groups(self.order)
        self.sizes, left = {}, []
        for group in self.left:
            open_ = self.random.choice(group) if group else None
            if any(self.extents[i] == 0 for i in group if i != open_):
                open_ = None
            self.sizes.update({self.names[i]: self.extents[i] for i in group
                               if i != open_ or self.random.random() < .1})
            left.append(group)
        self.pattern = f"{self.text(self.left)} -> {self.text(self.right)}"
        self.shape = tuple(self.product(group) for group in self.left)

    def groups(self, places):
        groups = []
        for i in places:
            if groups and self.random.random() < .4:
                groups[-1].append(i)
            else:
                groups.append([i])
        while self.random.random() < .2:
            groups.insert(self.random.randint(0, len(groups)), [])
        return groups

    def product(self, group):
        return int(np.prod([self.extents[i] for i in group], dtype=int))

    def text(self, groups):
        return " ".join(self.names[group[0]] if len(group) == 1 and self.random.random() < .8 else
                        self.random.choice(("1", "()")) if not group else
                        "(" + " ".join(self.names[i] for i in group) + ")" for group in groups)

    def array(self):
        """Of any order of the axes, with gaps, reversals and repetition."""
        ndim = len(self.shape)
        order = self.random.sample(range(ndim), ndim) if self.random.random() < .4 else range(ndim)
        gaps = [self.random.choice((1, 1, 1, 2)) for _ in order]
        array = numbers([self.shape[i] * gap for i, gap in zip(order, gaps)], "int16")
        array = array[(*(slice(None, None, -gap if self.random.random() < .2 else gap) for gap in gaps), ...)]
        array = array.transpose(np.argsort(order, kind="stable"))
        if ndim and self.random.random() < .1 and array.shape[0]:
            array = np.broadcast_to(array[:1], array.shape)
        return array

    def moved(self, array):
        return array.reshape(self.extents).transpose(self.order)

    def wanted(self, array):
        return self.moved(array).reshape([self.product(group) for group in self.right])


@pytest.mark.parametrize("part", range(20))
def test_random_patterns(part):
    views = copies = 0
    for number in rounds_of(100):
        case = Case(seed_of(number, part))
        array = case.array()
        wanted = case.wanted(array)
        out = np.empty(wanted.shape, array.dtype)
        assert sv.rearrange(array, case.pattern, out=out, **case.sizes).ptr == address(out) or not out.size
        assert np.array_equal(out, wanted), case.pattern
        if array.size and not np.shares_memory(case.wanted(array), array):
            with pytest.raises(ValueError, match="cannot be merged"):
                sv.rearrange(array, case.pattern, **case.sizes)
            copies += 1
            continue
        found = sv.rearrange(array, case.pattern, **case.sizes)
        assert found.shape == wanted.shape and np.array_equal(np.asarray(found), wanted), case.pattern
        assert not array.size or np.shares_memory(np.asarray(found), array)
        views += 1
    assert are_enough(views, 50) and are_enough(copies, 3)


def test_equals_einops():
    einops = need("einops")
    for number in rounds_of(300):
        case = Case(seed_of(number), 1, (1, 2, 3))  # einops wants axes, and elements
        array = case.array()
        assert np.array_equal(einops.rearrange(array, case.pattern, **case.sizes), case.wanted(array))


# --- with out -----------------------------------------------------------------

def test_out_may_have_any_strides():
    whole = np.zeros((5, 2 * 12), PICTURES.dtype)
    out = whole[::-2, ::2][:2]
    answer = sv.rearrange(PICTURES[:, ::2, ::2, :2], "b h w c -> b (c w h)", out=out)
    assert np.array_equal(out, PICTURES[:, ::2, ::2, :2].transpose(0, 3, 2, 1).reshape(2, 12))
    assert answer.exporting_obj is out and not whole[:, 1::2].any()


def test_out_may_overlap():
    array = numbers((4, 4))
    wanted = array.T.copy()
    sv.rearrange(array, "a b -> b a", out=array)
    assert np.array_equal(array, wanted)


@pytest.mark.parametrize("out, error, text", [
    (np.zeros((2, 72), "f4").reshape(1, 144), ValueError, r"out has shape \(1, 144\), the result \(2, 72\)"),
    (np.zeros((2, 72), "f8"), TypeError, "float64"),
    (np.broadcast_to(np.zeros((1, 72), "f4"), (2, 72)), ValueError, "read-only|overlap"),
    ([[0] * 72] * 2, TypeError, "list"),
])
def test_bad_out(out, error, text):
    with pytest.raises(error, match=text):
        sv.rearrange(PICTURES, "b h w c -> b (c h w)", out=out)
    with pytest.raises(TypeError, match="layout"):
        sv.rearrange(sv.view(PICTURES).layout, "b h w c -> b (c h w)", out=out)


# --- what cannot be -----------------------------------------------------------

@pytest.mark.parametrize("pattern, of, text", [
    ("b h w c -> b (c h) w", lambda a: a, "'c' and 'h' cannot be merged without a copy: a step of 'c' is 4 bytes, "
                                          "all of 'h' 288; pass out= to copy"),
    ("b h w c -> b (h w) c", lambda a: a[:, :, 1:3], "'h' and 'w' .*: a step of 'h' is 48 bytes, all of 'w' 24;"),
    ("b h w c -> (b 1 h) w c", lambda a: a[:, ::-1], "'b' and 'h'"),
    ("b ... -> (... b)", lambda a: a, r"'...\[2\]' and 'b'"),
])
def test_pairs_that_cannot_be_merged(pattern, of, text):
    for x in (of(PICTURES), sv.view(of(PICTURES)).layout):
        with pytest.raises(ValueError, match=text):
            sv.rearrange(x, pattern)


@pytest.mark.parametrize("pattern, mark, text", [
    ("b h) w -> b", "   ^", "'\\)' without '\\('"),
    ("b (h w -> b", "  ^", "'\\(' without '\\)'"),
    ("b ((h) w) -> b", "   ^", "inside parentheses"),
    ("b h w c", "       ^", "no '->'"),
    ("", "^", "no '->'"),
    ("b - > b", "  ^", "'-' is no name"),
    ("b -> b -> b", "       ^", "a second '->'"),
    ("b h _ c -> b", "    ^", "'_' is no name"),
    ("b 3h -> 3h b", "  ^", "'3h' is no name"),
    ("b h, w c -> b", "   ^", "blanks between them, as in 'b h w c -> b'"),
    ("b 0 -> 0 b", "  ^", "1 or more"),
    ("b .. -> b", "  ^", "'.' is no name"),
    ("a a -> a", "  ^", "'a' stands twice"),
    ("a (b 2) 2 -> a b 2", "        ^", "'2' stands twice"),
    ("a b -> a (b a)", "            ^", "'a' stands twice"),
    ("... a ... -> a ...", "      ^", "'\\.\\.\\.' stands twice"),
    ("b h w c -> b c h", "    ^", "'w' stands on the left only"),
    ("b h -> b h c", "           ^", "'c' stands on the right only"),
    ("b h w c -> b h w c ...", "                   ^", "on the right only"),
    ("b ... -> b", "  ^", "on the left only"),
    ("b 3 -> b", "  ^", "'3' stands on the left only"),
    ("b (h ...) -> b h ...", "     ^", "inside parentheses on the left"),
    ("b (h x) w c -> b h x w c", "     ^", "'h' and 'x' are both unknown: give one, as x="),
])
def test_malformed_patterns(pattern, mark, text):
    with pytest.raises(ValueError, match=text) as told:
        sv.rearrange(PICTURES, pattern)
    assert str(told.value).split("\n")[1:] == [f"  {pattern}", f"  {mark}"]


@pytest.mark.parametrize("pattern, sizes, error, text", [
    ("b h w -> b h w", {}, ValueError, "has 3 axes on the left, the array has 4"),
    ("a b c d e ... -> a b c d e ...", {}, ValueError, "has 5 axes and '...' on the left, the array has 4"),
    ("b (h s) w c -> b s h w c", {"s": 4}, ValueError,
     r"axis 1 of extent 6 cannot be split into \(h s\): 6 is no multiple of 4"),
    ("b (h s) w c -> b s h w c", {"s": 0}, ValueError, "no multiple of 0"),
    ("b (h s) w c -> b s h w c", {"s": 2, "h": 2}, ValueError, r"axis 1 has extent 6, \(h s\) makes it 4"),
    ("b 5 w c -> b 5 w c", {}, ValueError, r"axis 1 has extent 6, \(5\) makes it 5"),
    ("b h w 1 -> b h w", {}, ValueError, r"axis 3 has extent 3, \(1\) makes it 1"),
    ("b h w c -> b h w c", {"c": 4}, ValueError, "makes it 4"),
    ("b h w c -> b h w c", {"x": 4}, TypeError, "a size for 'x'"),
    ("b h w c -> b h w c", {"c": -3}, ValueError, "negative"),
    ("b h w c -> b h w c", {"c": 3.0}, TypeError, "integer"),
    ("b h w c ->\nb h w c", {}, ValueError, "one line"),
    (None, {}, TypeError, "a pattern is a str, not NoneType"),
])
def test_what_does_not_fit(pattern, sizes, error, text):
    for x in (PICTURES, sv.view(PICTURES).layout):
        with pytest.raises(error, match=text):
            sv.rearrange(x, pattern, **sizes)


def test_bad_calls():
    for call in (lambda: sv.rearrange(PICTURES), lambda: sv.rearrange(), lambda: sv.rearrange([1, 2], "a -> a"),
                 lambda: sv.rearrange(PICTURES, "b h w c -> b h w c", PICTURES)):
        with pytest.raises(TypeError):
            call()


# --- corners ------------------------------------------------------------------

def test_without_axes_and_without_elements():
    number = np.array(7.)
    assert sv.rearrange(number, " -> ").shape == () and sv.rearrange(number, " -> 1 ()").shape == (1, 1)
    assert sv.rearrange(number, "... -> (...)").shape == (1,)
    assert sv.rearrange(np.zeros((0, 3)), "(a 4) b -> b (a 4)").shape == (3, 0)
    with pytest.raises(ValueError, match="any extent would do"):
        sv.rearrange(np.zeros((0, 3)), "(a b) c -> a b c", a=0)


def test_64_axes():
    layout = sv.StridedLayout.dense((2,) * 3 + (1,) * 61, 1)
    assert sv.rearrange(layout, "... a b -> b a ...") == layout.permute(63, 62, *range(62))
    assert sv.rearrange(layout, "(a 1) ... -> (a ...)").shape == (8,)
    with pytest.raises(ValueError):
        sv.rearrange(sv.StridedLayout.dense((4,), 1), "a -> a" + " 1" * 64)


def test_memory_of_a_device_and_opaque_items():
    device = sv.rearrange(device_view((2, 3, 4)), "a b c -> c (a b)")
    assert device.shape == (4, 6) and device.device == (2, 0)
    records = np.zeros((4, 6), "S5")
    records[1, 2] = b"hello"
    assert np.asarray(sv.rearrange(records, "(a 2) b -> 2 b a"))[1, 2, 0] == b"hello"
    records.flags.writeable = False
    assert sv.rearrange(records, "a b -> b a").readonly


if __name__ == "__main__":
    import tap
    tap.main(__file__)
