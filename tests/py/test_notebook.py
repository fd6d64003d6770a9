"""What notebooks show: well-formed HTML without scripts, of bounded size, that says what the objects say."""

from html.parser import HTMLParser

import pytest
from kinds import KINDS, kinds  # noqa: F401  (a fixture; before strideview)

import strideview as sv
from strideview import StridedLayout, _html, _notebook

VOID = {"br", "hr"}
FORBIDDEN = {"script", "style", "link", "iframe", "object", "embed", "img"}


class Page(HTMLParser):
    """Reads a block: fails where a tag is not closed in its place, keeps texts and cells."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.sections, self.rows = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert tag not in FORBIDDEN and not any(name.startswith("on") for name, _ in attributes)
        assert not any("javascript:" in (value or "") for _, value in attributes)
        self.tags.append(tag)
        self.open += [] if tag in VOID else [tag]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        assert "svg" in self.open  # in HTML itself "/>" closes nothing

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if "summary" in self.open:
            self.sections.append(data)
        if self.open and ("td" in self.open or "th" in self.open):
            self.rows[-1][-1] += data

    @property
    def text(self):
        return "".join(self.texts)

    def value(self, name):
        """The cell beside the one that has this name."""
        (found,) = [row[1] for row in self.rows if row[0].strip() == name]
        return found


def page_of(x):
    shown = x._repr_html_()
    assert len(shown) < 400_000
    return Page(shown)


ZEROS = bytearray(1 << 16)


def view_of(layout, dtype="u1"):
    return sv.StridedMemoryView.from_buffer(ZEROS, layout, dtype)


LAYOUTS = {
    "C order": StridedLayout.dense((3, 4, 2), 1),
    "backwards": StridedLayout.dense((4, 5), 1)[:, ::-2],
    "no axes": StridedLayout((), None, 1),
    "no elements": StridedLayout.dense((3, 0, 2), 1),
    "repeated": StridedLayout((3, 1), None, 1).broadcast_to((2, 3, 1 << 40)),
    "64 axes": StridedLayout.dense((1,) * 62 + (2, 3), 1),
    "64 axes with elements": StridedLayout.dense((1,) * 55 + (2,) * 9, 1),
    "1024 elements": StridedLayout.dense((32, 32), 1),
    "many": StridedLayout.dense((256, 256), 1),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("make", [lambda layout: layout, view_of], ids=["layout", "view"])
def test_layouts_and_views(name, make):
    layout = LAYOUTS[name]
    x = make(layout)
    page = page_of(x)
    assert type(x).__name__ in page.text
    assert page.sections == ["picture", "strides and layout"] + ["memory"] * (x is not layout)
    axes = [row for row in page.rows if row[0].isdigit() and len(row) == 4]
    assert [int(row[1]) for row in axes] == list(layout.shape[:_notebook.MOST_AXES])
    assert [int(row[2]) for row in axes] == list(layout.strides_in_bytes[:_notebook.MOST_AXES])
    assert ("svg" in page.tags) == (name not in ("no elements", "many", "1024 elements")), len(x._repr_html_())
    if layout.ndim == 64:
        assert "52 more" in page.text and "48 more axes" in page.text
    if layout.ndim <= _notebook.MOST_EXTENTS:
        assert str(layout.shape) in page.text


def test_bytes_that_a_layout_reaches():
    for layout, reach in (("C order", "0 to 23"), ("backwards", "0 to 19"), ("no axes", "0 to 0"), ("no elements", "none")):
        assert page_of(LAYOUTS[layout]).value("bytes from the base") == reach
    assert page_of(StridedLayout((4, 5), (-5, 1), 8)).value("bytes from the base") == "-120 to 39"
    assert page_of(StridedLayout.from_byte_strides((2,), (3,), 2)).rows[1][3] == "no whole number"


def test_a_view_tells_its_memory():
    view = view_of(StridedLayout.dense((2, 3), 4), "f4")
    page = page_of(view)
    assert "(2, 3) · float32 · cpu · 24 B" in page.text and "read-only" not in page.text
    assert page.value("address") == hex(view.ptr) and page.value("owner") == "bytearray"
    assert page.value("is_host_accessible") == "True" and page.value("readonly") == "False"
    assert "· read-only" in page_of(sv.view(b"abc")).text
    assert page_of(sv.empty(3)).value("owner") == "strideview"


def test_texts_are_escaped():
    class Odd:
        """Its type, its name and its records say what would be markup."""
        def __init__(self):
            self.memory = memoryview(bytearray(8))

        def __buffer__(self, flags):
            return self.memory
    Odd.__qualname__ = Odd.__name__ = "<script>alert('&')</script>"

    class Resource(sv.MemoryResource):
        def __repr__(self):
            return "<b>&\"'" + "x" * 10_000
    assert Page("<div>" + _html.text("<b>&\"'") + "</div>").text == "<b>&\"'"
    assert _html.text("<" * 1000) == "&lt;" * (_html.MOST_LETTERS - 1) + "…"
    assert _notebook.type_name(Odd()).endswith("</script>")
    shown = _html.html(Odd.__name__, [], [_html.Section("<i>", _html.table([[_html.text("<td>")]]))])
    assert "<script" not in shown and "<i>" not in shown and Page(shown).rows == [["<td>"]]
    Derived = type("<u>", (sv.StridedLayout,), {})
    page = page_of(Derived((2,), None, 1))
    assert "<u>" in page.text and "u" not in page.tags


def test_buffers():
    buffer = sv.memory.default("host").allocate(100)
    page = page_of(buffer)
    assert page.sections == ["memory", "owner"] and "Buffer 100 B · host memory" in page.text
    assert page.value("address") == hex(buffer.handle) and page.value("size") == "100" and page.value("part of") == "nothing"
    part = page_of(buffer[10:20])
    assert "Buffer of 100 bytes" in part.value("part of")
    owner = bytearray(7)
    lent = sv.Buffer.from_handle(1 << 12, 7, owner=owner, kind="host")
    assert page_of(lent).value("owner") == "bytearray"
    buffer.close()
    assert "closed" in page_of(buffer).text
    Derived = type("Derived", (sv.Buffer,), {})
    assert "Derived 7 B" in page_of(Derived.from_handle(1 << 12, 7, owner=owner, kind="host")).text


def test_memory_of_every_kind(kinds):
    """The host need not be able to read it."""
    for kind in KINDS:
        view = sv.zeros((2, 3), memory=kind)
        page = page_of(view)
        assert page.value("is_host_accessible") == str(view.is_host_accessible) == str(kind != "device")
        assert page.value("device") == str(view.device) and page.value("address") == hex(view.ptr)
        buffer = sv.memory.default(kind).allocate(30)
        page = page_of(buffer)
        assert f"30 B · {kind} memory" in page.text and page.value("device_id") == str(buffer.device_id)


def test_an_attribute_that_cannot_be_read_says_why():
    class Broken:
        @property
        def size(self):
            raise ValueError("<gone>")
    assert _notebook.facts_of(Broken(), "size") == [["size", "(ValueError: &lt;gone&gt;)"]]


@pytest.mark.parametrize("shape", [(), (0,), (5, 3, 4), (1,) * 64, (40, 50)])
def test_plans(shape):
    dst, src = sv.empty(shape, "f4"), sv.zeros(shape, "u1")
    plan = sv.Plan(dst, src, scale=0.5)
    page = page_of(plan)
    assert page.sections == ["explanation", "traffic"] and f"{plan.kind} · by {plan.kernel}" in page.text
    shown = {"".join(row).replace(" ", "") for row in page.rows}
    for line in plan.explain().splitlines():
        if line.strip():
            compact = line.replace(" ", "")
            assert compact in shown or compact.replace(":", "", 1) in shown
    assert (page.value("bytes read"), page.value("bytes written")) == tuple(map(str, plan.traffic))


def test_the_loop_that_copies_is_marked():
    plan = sv.Plan(sv.empty((5, 3)), sv.zeros((3, 5)).T)
    (chosen,) = [row[0] for row in page_of(plan).rows if row[0].startswith("->")]
    assert f"<b>{chosen[3:]}</b>" in plan._repr_html_() and chosen[3:] in plan.explain()


def test_reports_and_long_tables():
    with sv.memory.tag("<odd>"), sv.memory.record(stacks=1) as recording:
        kept = [sv.empty(10, "u1", memory="host") for _ in range(_html.MOST_ROWS + 50)]
    page = page_of(sv.memory.report(recording))
    assert page.sections == ["by kind", "by resource", "alive, where it was made"] and "<odd>" in page.text
    assert "… 50 more" in page.text and len(page.rows) < _html.MOST_ROWS + 50
    del kept
    assert _html.table([]) == '<table style="border-collapse:collapse;background:none"></table>'
    assert "nothing is alive" in page_of(type(sv.memory.report())()).text


def test_nothing_of_the_memory_is_read():
    """A view of addresses that nobody has can be shown."""
    buffer = sv.Buffer.from_handle(1 << 12, 64, borrowed=True, kind="host")
    assert hex(1 << 12) in page_of(buffer.view("f4", (4, 4))).text
