"""Pictures of where the elements of an array lie in memory: draw()."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from colorsys import hls_to_rgb
from html import escape
from itertools import product
from math import ceil, gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from . import StridedLayout

MOST_ELEMENTS = 4096  # at different addresses
MOST_CELLS = 1 << 16
MOST_LABELS = 600  # of more elements, only the colours are shown


class Place(NamedTuple):
    """The elements that begin at one byte."""

    byte: int  # offset from the base
    first: tuple[int, ...]  # index of the first of them
    elements: int


class Segment(NamedTuple):
    """A run of bytes that the same elements occupy, or none."""

    lower: int
    upper: int
    places: list[Place]
    label: str


class Box(NamedTuple):
    """The part of a segment that lies in one row."""

    column: int
    cells: int
    places: list[Place]
    label: str
    begins: bool  # whether an element begins here


class Row(NamedTuple):
    """The boxes of one row."""

    byte: int  # offset of the first column
    boxes: list[Box]
    elided: int  # bytes left out before the row


class TooLarge(Exception):
    """More than a picture can show."""


class Memory:
    """The bytes of a layout: whose they are, in rows of cells.

    A cell is as many bytes as all steps and items are multiples of. A row is as
    long as some axis steps, if that fits, so that rows show the pattern.
    """

    def __init__(self, layout: StridedLayout, widest: Callable[[Memory], int]) -> None:
        self.shape: tuple[int, ...] = layout.shape
        self.itemsize: int = layout.itemsize
        strides = layout.strides_in_bytes
        self.steps: list[int] = [stride if extent > 1 else 0 for extent, stride in zip(layout.shape, strides)]
        self.first = layout.slice_offset_in_bytes
        self.places = self.find_places()
        self.cell = gcd(self.itemsize, *self.steps)
        if len(self.places) * (self.itemsize // self.cell) > MOST_CELLS:
            raise TooLarge
        self.has_labels = len(self.places) <= MOST_LABELS
        self.item_cells = self.itemsize // self.cell
        self.segments = list(self.find_segments())
        self.columns = self.choose_columns(widest(self))
        self.rows = list(self.find_rows())
        self.columns = max(box.column + box.cells for row in self.rows for box in row.boxes)

    def find_places(self) -> list[Place]:
        repeats = prod(extent for extent, step in zip(self.shape, self.steps) if step == 0)
        moving = [range(extent if step else 1) for extent, step in zip(self.shape, self.steps)]
        if prod(map(len, moving)) > MOST_ELEMENTS:
            raise TooLarge
        found: dict[int, tuple[tuple[int, ...], int]] = {}
        for index in product(*moving):
            byte = self.first + sum(i * step for i, step in zip(index, self.steps))
            first, count = found.get(byte, (index, 0))
            found[byte] = first, count + repeats
        return [Place(byte, *found[byte]) for byte in sorted(found)]

    def choose_columns(self, most: int) -> int:
        """Cells of a row: the widest step that fits, else a part of a wider one; some of them where rows are many."""
        span = (self.places[-1].byte + self.itemsize - self.places[0].byte) // self.cell
        steps = sorted(abs(step) // self.cell for step in self.steps if step)
        whole = [step for step in reversed(steps) if 4 <= step <= most]
        parts = [part for step in steps if step > most for part in range(most, 7, -1) if step % part == 0]
        if whole or parts:
            period = (whole or parts)[0]
            room = most if span > 40 * period else period
        else:
            period, room = max((step for step in steps if step < 4), default=1), min(most, 16)
        return min(max(room // period, 1) * period, span)

    def find_segments(self) -> Iterator[Segment]:
        starts = [place.byte for place in self.places]
        ends = sorted({*starts, *(start + self.itemsize for start in starts)})
        for lower, upper in zip(ends, ends[1:]):
            places = self.places[bisect_right(starts, lower - self.itemsize):bisect_right(starts, lower)]
            begins = bool(places) and places[-1].byte == lower
            count = sum(place.elements for place in places)
            label = name(places[-1]) if begins else ""
            if count > 1 and (begins or len(places) > 1):
                label += f" ×{count}"
            yield Segment(lower, upper, places, label)

    def letters(self, spare: int) -> float:
        """Letters a cell needs so that labels fit, each with that many to spare."""
        if not self.has_labels:
            return 0
        return max((len(s.label) + spare) / ((s.upper - s.lower) / self.cell) for s in self.segments)

    def find_rows(self) -> Iterator[Row]:
        """Cut the segments into rows; where whole rows have no element, they are left out."""
        width = self.columns * self.cell
        boxes: list[Box] = []
        start, elided = self.places[0].byte, 0
        for lower, upper, places, label in self.segments:
            if not places and upper >= start + 2 * width:
                yield Row(start, boxes, elided)
                start, boxes, elided = upper, [], upper - lower
                continue
            while lower < upper:
                if lower == start + width:
                    yield Row(start, boxes, elided)
                    start, boxes, elided = lower, [], 0
                end = min(upper, start + width)
                begins = bool(places) and places[-1].byte == lower
                boxes.append(Box((lower - start) // self.cell, (end - lower) // self.cell, places, label, begins))
                lower, label = end, ""
        yield Row(start, boxes, elided)


def name(place: Place) -> str:
    return ",".join(map(str, place.first)) or "()"


# --- SVG ---------------------------------------------------------------------

HEADER, ELISION, LETTER = 46, 18, 6.7
PATTERN = ('<defs><pattern id="strideview-shared" width="6" height="6" patternUnits="userSpaceOnUse" '
           'patternTransform="rotate(45)"><rect width="2" height="6" fill="#fff" fill-opacity=".3"/></pattern>'
           '<marker id="strideview-arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" '
           'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#222"/></marker></defs>')


class Svg:
    """Writes the picture of a Memory."""

    def __init__(self, memory: Memory, title: str, axis: int | None, path: bool) -> None:
        self.memory, self.title = memory, title
        moving = [i for i, step in enumerate(memory.steps) if step]
        self.axis = axis if axis is not None else moving[0] if moving else None
        self.width, self.height = cell_size(memory)
        self.margin = 24 + LETTER * max(len(str(row.byte)) for row in memory.rows)
        self.path = path
        self.out: list[str] = []  # below the path
        self.over: list[str] = []  # above it

    def colour(self, index: tuple[int, ...]) -> tuple[str, str]:
        """(fill, colour of text on it): the hue tells the index on one axis, dark to light the order of the rest."""
        shape, axis = self.memory.shape, self.axis
        if axis is None:
            return "#3b6fb6", "#fff"
        hue = .58 + index[axis] / max(shape[axis] * 1.1, 3)
        order = count = 0
        for i, (extent, step) in enumerate(zip(shape, self.memory.steps)):
            if i != axis and step:
                order, count = order * extent + index[i], max(count, 1) * extent
        red, green, blue = hls_to_rgb(hue % 1, .4 + .3 * order / max(count - 1, 1), .55)
        bright = .3 * red + .59 * green + .11 * blue > .55
        return "#%02x%02x%02x" % tuple(round(255 * c) for c in (red, green, blue)), "#000" if bright else "#fff"

    def text(self, x: float, y: float, text: str, fill: str = "#777", anchor: str = "middle",
             out: list[str] | None = None) -> None:
        (self.out if out is None else out).append(
            f'<text x="{x:g}" y="{y:g}" fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>')

    def box(self, box: Box, byte: int, y: float) -> None:
        """One run of cells; a tooltip tells its bytes and elements."""
        memory = self.memory
        x, width = self.margin + box.column * self.width, box.cells * self.width - 2
        lower = byte + box.column * memory.cell
        upper = lower + box.cells * memory.cell - 1
        where = f"byte {lower}" if lower == upper else f"bytes {lower} to {upper}"
        rect = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{self.height - 2}" rx="3"'
        if not box.places:
            self.out.append(f'<g>{rect} fill="#ececec"/><title>{where}: not used</title></g>')
            return
        count = sum(place.elements for place in box.places)
        names = "; ".join(f"[{name(place)}]" + f" ×{place.elements}" * (place.elements > 1)
                          for place in box.places[:12])
        shown = box.places[-1] if box.begins else box.places[0]
        fill, ink = self.colour(shown.first)
        edge = ' stroke="#000" stroke-width="2"' if box.begins and not any(shown.first) else ""
        self.out.append(f'<g>{rect} fill="{fill}"{edge}/>')
        if count > 1:
            self.out.append(f'{rect} fill="url(#strideview-shared)"/>')
        self.out.append(f'<title>{where}: {names}{"; ..." if len(box.places) > 12 else ""}</title>')
        if memory.has_labels and 0 < len(box.label) * LETTER <= width:
            self.text(x + width / 2, y + self.height / 2 + 3, box.label.strip(), ink, out=self.over)
        self.out.append("</g>")

    def columns(self) -> None:
        """Above the columns, how far each is from the beginning of its row, as far as there is room."""
        memory = self.memory
        every = ceil(7 * len(f"+{memory.columns * memory.cell}") / self.width)
        for column in range(0, memory.columns, every):
            self.text(self.margin + (column + .5) * self.width - 1, HEADER - 5, f"+{column * memory.cell}")

    def arrows(self, centres: list[tuple[float, float]]) -> None:
        for (x, y), (to_x, to_y) in zip(centres, centres[1:]):
            self.out.append(f'<path d="M{x:g},{y:g} L{(x + to_x) / 2:g},{(y + to_y) / 2:g} L{to_x:g},{to_y:g}" '
                            'stroke="#222" stroke-opacity=".5" fill="none" marker-mid="url(#strideview-arrow)"/>')

    def legend(self) -> str:
        memory = self.memory
        parts = ["offsets in bytes"]
        if self.axis is not None:
            parts.append(f"hue: axis {self.axis}" + (", dark to light: the others" if len(memory.shape) > 1 else ""))
        boxes = [box for row in memory.rows for box in row.boxes]
        if any(box.places and (len(box.places) > 1 or box.places[0].elements > 1) for box in boxes):
            parts.append("hatched, ×n: shared")
        if any(not box.places for box in boxes):
            parts.append("grey: not used")
        return "; ".join(parts)

    def draw(self) -> str:
        y: float = HEADER
        centres: dict[tuple[int, ...], tuple[float, float]] = {}
        for row in self.memory.rows:
            if row.elided:
                self.text(self.margin, y + ELISION - 6, f"⋮ {row.elided} bytes not used", anchor="start")
                y += ELISION
            self.text(self.margin - 8, y + self.height / 2 + 3, str(row.byte), anchor="end")
            for box in row.boxes:
                self.box(box, row.byte, y)
                if box.begins:
                    middle = self.margin + (box.column + box.cells / 2) * self.width
                    centres[box.places[-1].first] = middle, y + self.height / 2 - 1
            y += self.height
        if self.path:
            self.arrows([centre for _, centre in sorted(centres.items())])
        self.columns()
        legend = self.legend()
        self.text(8, y + 16, legend, anchor="start")
        width = max(self.margin + self.memory.columns * self.width, 8 + 8 * len(self.title), 8 + LETTER * len(legend))
        return frame(self.title, width + 8, y + 26, self.out + self.over)


def frame(title: str, width: float, height: float, parts: list[str]) -> str:
    size = f'width="{ceil(width)}" height="{ceil(height)}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {ceil(width)} {ceil(height)}" '
        'font-family="monospace" font-size="11">', PATTERN, f'<rect {size} fill="#fff"/>',
        f'<text x="8" y="18" font-size="13" fill="#333">{escape(title)}</text>', *parts, "</svg>\n"])


def cell_size(memory: Memory) -> tuple[float, int]:
    """Width and height of a cell in pixels."""
    if not memory.has_labels:
        return max(12 / memory.item_cells, 3), 13
    return max(ceil(memory.letters(1) * LETTER), 12), 24


# --- either ------------------------------------------------------------------

def layout_of(x: Any) -> tuple[StridedLayout, Any]:
    from . import StridedLayout, StridedMemoryView, view
    if isinstance(x, StridedLayout):
        return x, x
    x = x if isinstance(x, StridedMemoryView) else view(x)
    return x.layout, x


def why_not(layout: StridedLayout) -> str | None:
    """Why a layout cannot be drawn, or None."""
    return "no elements" if layout.size == 0 else None


def svg(x: Any, title: str | None = None, axis: int | None = None, path: bool = False) -> str:
    """The picture as SVG; see draw()."""
    layout, x = layout_of(x)
    title = repr(x) if title is None else title
    if axis is not None and not 0 <= axis < layout.ndim:
        raise ValueError(f"no axis {axis} among {layout.ndim}")
    try:
        reason = why_not(layout)
        if reason is None:
            memory = Memory(layout, lambda memory: int(max(980 // cell_size(memory)[0], 4)))
            return Svg(memory, title, axis, path).draw()
    except TooLarge:
        reason = "too many elements to draw"
    parts = [f'<text x="8" y="38" fill="#777">{reason}</text>']
    return frame(title, 16 + 8 * max(len(title), len(reason)), 48, parts)


def text(x: Any, title: str | None = None) -> str:
    """The picture in letters; see draw()."""
    layout, x = layout_of(x)
    lines = [repr(x) if title is None else title]
    reason = why_not(layout)
    if reason is None:
        try:
            memory = Memory(layout, lambda memory: max(100 // (letters_of_cell(memory) + 1), 4))
        except TooLarge:
            reason = "too many elements to draw"
    if reason is not None:
        return "\n".join([*lines, f"({reason})"])
    margin = max(len(str(row.byte)) for row in memory.rows)
    width = letters_of_cell(memory)
    for row in memory.rows:
        if row.elided:
            lines.append(f"{'':{margin}}  ... {row.elided} bytes")
        lines.append(f"{row.byte:{margin}}  " + " ".join(written(memory, box, width) for box in row.boxes).rstrip())
    return "\n".join(lines)


def letters_of_cell(memory: Memory) -> int:
    return max(ceil(memory.letters(1)) - 1, 1)


def written(memory: Memory, box: Box, width: int) -> str:
    """A box in letters: the index and dashes up to the end of the item, or a dot for each cell that is not used."""
    if not box.places:
        return " ".join([".".ljust(width)] * box.cells)
    room = box.cells * (width + 1) - 1
    label = box.label.strip()
    if not memory.has_labels:
        label = "+" if len(box.places) > 1 or box.places[0].elements > 1 else "#"
    elif len(label) > room:
        label = "~"
    return label.ljust(room, "-" if box.cells > 1 or not label else " ")


def draw(x: Any, form: str = "svg", *, title: str | None = None, axis: int | None = None, path: bool = False) -> str:
    """A picture of memory: which bytes each index of a layout, a view or an array occupies.

    form: "svg" or "text", both as a str.  title: the line above it; the repr
    of x if None.  Of SVG alone: axis, whose index the hue of an element tells
    (the first that moves), and path=True for arrows through the elements in C
    order of their indices.

    Bytes count from the base of x, which its offset is from. Runs of bytes that
    no element has are left out when they are long. Of more than 4096 elements
    the answer is a picture that says so.
    """
    if form not in ("svg", "text"):
        raise ValueError(f"a picture is 'svg' or 'text', not {form!r}")
    if form == "svg":
        return svg(x, title, axis, path)
    if axis is not None or path:
        raise TypeError("axis and path are of pictures as SVG")
    return text(x, title)
