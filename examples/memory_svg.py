"""Draw where the elements of a strided array lie in memory, as SVG.

Every byte is a cell, sixteen to a row. A cell shows the index of the element
that begins in it and has the colour of that element's place on one axis, so
order, gaps, steps backwards and repeats can be seen at a glance.
"""

from html import escape
from itertools import product

CELL_WIDTH, CELL_HEIGHT, PER_ROW = 62, 26, 16
COLOURS = ("#e4572e", "#29a36a", "#3d7fd9", "#b07aa1", "#d9a514", "#5ab4c5", "#8c6d52", "#7d7d7d")
MOST = 4096


def elements(shape, byte_strides):
    """Yield (index, byte offset) of each element, in C order of the indices."""
    for index in product(*map(range, shape)):
        yield index, sum(i * stride for i, stride in zip(index, byte_strides))


def memory_svg(title, shape, byte_strides, itemsize, colour_axis=0):
    """SVG text of the bytes that an array occupies, lowest address first.

    title: line above the picture.  shape, byte_strides: of the array.
    itemsize: bytes of an element.  colour_axis: the axis that colours tell apart.
    ValueError for an array of more than 4096 elements, or one without any.
    """
    where = {}
    for index, offset in elements(shape, byte_strides):
        where.setdefault(offset, []).append(index)
        if len(where) > MOST:
            raise ValueError(f"more than {MOST} elements cannot be drawn")
    if not where:
        raise ValueError("an empty array has no bytes to draw")
    lower, upper = min(where), max(where) + itemsize
    rows = -(-(upper - lower) // PER_ROW)
    width, height = 70 + PER_ROW * CELL_WIDTH, 40 + rows * CELL_HEIGHT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="monospace" font-size="12" text-anchor="middle">',
        f'<text x="8" y="18" text-anchor="start" font-size="14" fill="#444">{escape(title)}</text>',
    ]
    for row in range(rows):
        y = 30 + row * CELL_HEIGHT
        out.append(f'<text x="58" y="{y + 17}" text-anchor="end" fill="#888">{row * PER_ROW:+d}</text>')
        for byte in range(lower + row * PER_ROW, min(lower + (row + 1) * PER_ROW, upper)):
            out.append(cell(byte, y, lower, where, itemsize, colour_axis))
    out.append("</svg>\n")
    return "\n".join(out)


def cell(byte, y, lower, where, itemsize, colour_axis):
    """One byte: coloured when it belongs to an element, labelled where that begins."""
    x = 66 + (byte - lower) % PER_ROW * CELL_WIDTH
    owner = next((where[b] for b in range(byte, byte - itemsize, -1) if b in where), None)
    fill = "#f2f2f2" if owner is None else COLOURS[(owner[0][colour_axis] if owner[0] else 0) % len(COLOURS)]
    box = (
        f'<rect x="{x}" y="{y}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}" rx="3" fill="{fill}" '
        f'fill-opacity="{0.25 if owner is None else 0.85}"/>'
    )
    if byte not in where:
        return box
    label = ",".join(map(str, where[byte][0])) + ("+" if len(where[byte]) > 1 else "")
    return box + f'<text x="{x + CELL_WIDTH // 2 - 1}" y="{y + 16}" fill="#fff">{label}</text>'
