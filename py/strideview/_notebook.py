"""What notebooks show of layouts, views, buffers and plans: a line, and sections that fold.

No element is read, and the size is bounded: of many axes the first are shown, and a picture that would be large is left
out. _report.py has what is shown of reports of memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ._draw import svg
from ._html import Section, html, table, text
from ._report import human
from ._strideview import ffi, lib

if TYPE_CHECKING:
    from . import Buffer, Plan, StridedLayout, StridedMemoryView

MOST_AXES = 16  # lines of a table of axes
MOST_EXTENTS = 12  # of a shape in a line
MOST_DRAWN = 1000  # elements of a picture
MOST_PICTURE = 300_000  # letters of a picture


def facts_of(x: object, *names: str) -> list[list[str]]:
    """Lines with attributes; where one cannot be read, it says why."""
    def value(name: str) -> str:
        try:
            return text(getattr(x, name))
        except Exception as error:  # of a buffer that is closed, or of an owner
            return f"({text(type(error).__name__)}: {text(error)})"

    return [[text(name), value(name)] for name in names]


def type_name(x: object) -> str:
    kind = type(x)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


# --- layouts and views ---------------------------------------------------------

def tuple_text(numbers: Sequence[int]) -> str:
    """(2, 3, 4); of many the first and how many more."""
    if len(numbers) <= MOST_EXTENTS:
        return text(tuple(numbers))
    return text(f"({', '.join(map(str, numbers[:MOST_EXTENTS]))}, … {len(numbers) - MOST_EXTENTS} more)")


def size_text(nbytes: int) -> str:
    return text(human(nbytes))


def device_text(device: tuple[int, int]) -> str:
    """ "cpu", "cuda:1"; of a type of device without a name its number."""
    name = lib.sv_device_name(device[0])
    kind = str(device[0]) if name == ffi.NULL else ffi.string(name).decode()
    return text(kind if device[0] == lib.SV_DEVICE_CPU else f"{kind}:{device[1]}")


def picture(layout: StridedLayout) -> Section:
    """Which bytes each index occupies, unless that would be large."""
    moving = prod(extent for extent, stride in zip(layout.shape, layout.strides_in_bytes) if stride)
    drawn = svg(layout, title="which bytes each index has") if layout.size and moving <= MOST_DRAWN else ""
    if not layout.size:
        return Section("picture", "no elements")
    if not drawn or len(drawn) > MOST_PICTURE:
        return Section("picture", "too many elements for a notebook; strideview.draw() of a part shows it")
    return Section("picture", drawn, is_open=True)


def axes(layout: StridedLayout) -> str:
    lines = [[str(axis), str(extent), str(stride), str(stride // layout.itemsize)
              if stride % layout.itemsize == 0 else "no whole number"]
             for axis, (extent, stride) in enumerate(zip(layout.shape[:MOST_AXES], layout.strides_in_bytes))]
    if layout.ndim > MOST_AXES:
        lines.append([f"… {layout.ndim - MOST_AXES} more axes"])
    return table(lines, ["axis", "extent", "stride in bytes", "in elements"]) if lines else "no axes"


def layout_section(layout: StridedLayout) -> Section:
    orders = [name for name, holds in (("C", layout.is_contiguous_c), ("F", layout.is_contiguous_f)) if holds]
    order = " and ".join(orders) or ("dense" if layout.is_dense else "with gaps, or with shared bytes")
    lines = [["order", order], ["item size", f"{layout.itemsize} bytes"],
             ["offset", f"{layout.slice_offset_in_bytes} bytes"],
             ["bytes from the base", text("none" if not layout.size else "{} to {}".format(*reach(layout)))],
             ["text", text(layout)]]
    return Section("strides and layout", axes(layout) + table(lines))


def reach(layout: StridedLayout) -> tuple[int, int]:
    """The first and the last byte that an element has."""
    steps = [(extent - 1) * stride for extent, stride in zip(layout.shape, layout.strides_in_bytes)]
    first = layout.slice_offset_in_bytes
    return first + sum(min(step, 0) for step in steps), first + sum(max(step, 0) for step in steps) + layout.itemsize - 1


def of_layout(layout: StridedLayout) -> str:
    facts = [tuple_text(layout.shape), f"items of {layout.itemsize}", size_text(layout.nbytes)]
    return html(type(layout).__name__, facts, [picture(layout), layout_section(layout)])


def of_view(view: StridedMemoryView) -> str:
    layout, owner = view.layout, view.exporting_obj
    facts = [tuple_text(view.shape), text(view.dtype, 80), device_text(view.device), size_text(layout.nbytes)]
    facts += ["read-only"] * view.readonly
    lines = [["address", hex(view.ptr)], ["owner", text(type_name(owner)) if owner is not None else "strideview"]]
    lines += facts_of(view, "device", "is_host_accessible", "is_device_accessible", "readonly", "stream")
    return html(type(view).__name__, facts, [picture(layout), layout_section(layout), Section("memory", table(lines))])


# --- buffers and plans -----------------------------------------------------

def of_buffer(buffer: Buffer) -> str:
    facts = [size_text(buffer.size), text(buffer.kind) + " memory"] + ["closed"] * buffer.is_closed
    owner = buffer.owner
    lines = [["resource", text(buffer.memory_resource)],
             ["owner", text(type_name(owner)) if owner is not None else "none"],
             ["part of", text(buffer.parent) if buffer.parent is not None else "nothing"]]
    memory = [["address", hex(buffer.handle)]] + facts_of(
        buffer, "size", "capacity", "alignment", "kind", "device_id", "is_host_accessible", "is_device_accessible",
        "readonly", "exports", "stream")
    return html(type(buffer).__name__, facts,
                [Section("memory", table(memory), is_open=True), Section("owner", table(lines))])


LOOP = re.compile(r"(->|  ) ?(\w+)  +(.*)")
FACT = re.compile(r"([^:]{1,40}): (.*)")


def explained(lines: str) -> Iterator[list[str]]:
    """Lines of an explanation as cells: facts by their name, loops with what is said of each, all else whole."""
    for line in lines.splitlines():
        if loop := LOOP.fullmatch(line):
            name = f"<b>{text(loop[2])}</b>" if loop[1] == "->" else text(loop[2])
            yield [text(loop[1].strip()) + " " + name, text(loop[3])]
        elif fact := FACT.fullmatch(line):
            yield [text(fact[1].strip()), text(fact[2])]
        elif line.strip():
            yield [text(line.strip())]


def of_plan(plan: Plan) -> str:
    facts = [text(plan.kind), "by " + text(plan.kernel), size_text(plan.nbytes) + " written"]
    read, written = plan.traffic
    traffic = table([["bytes read", str(read)], ["bytes written", str(written)], ["launches", str(plan.launches)]])
    return html("Plan", facts, [Section("explanation", table(list(explained(plan.explain()))), is_open=True),
                                Section("traffic", traffic)])


def block(x: Any) -> str:
    """The HTML of an object of the package, or of a class derived from its own."""
    from . import Buffer, Plan, StridedLayout, StridedMemoryView
    makers: dict[type, Callable[[Any], str]] = {
        StridedLayout: of_layout, StridedMemoryView: of_view, Buffer: of_buffer, Plan: of_plan}
    return next(make for kind, make in makers.items() if isinstance(x, kind))(x)
