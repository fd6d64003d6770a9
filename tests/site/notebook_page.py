"""A page made of what notebooks show of objects of the package, usual and odd ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import strideview as sv


def objects() -> Iterator[Any]:
    layout = sv.StridedLayout.dense((3, 4, 5), 1)
    view = sv.zeros((3, 4, 5), "uint8")
    yield view[::-1, :, ::2]
    yield layout.permute(2, 0, 1)
    yield view[1, 1, 1]
    yield view[:0]
    yield sv.StridedLayout.dense((1,) * 62 + (2, 3), 4)
    yield sv.StridedLayout.dense((1000, 1000), 8)
    yield sv.StridedLayout((5,), None, 4).sliding_window(3)
    yield sv.memory.default("host").allocate(1000)
    yield sv.Plan(sv.empty((5, 3, 4), "float32"), view.permute(2, 0, 1), scale=1 / 255)
    with sv.memory.tag("<b>frames & more</b>"), sv.memory.record(stacks=2) as recording:
        kept = sv.empty((480, 640), "float32", memory="host")
    yield sv.memory.report(recording)
    del kept


def page() -> str:
    blocks = "".join(f"<section>{x._repr_html_()}</section><hr>" for x in objects())
    return ('<!doctype html><html lang="en" style="color-scheme: light dark"><head><meta charset="utf-8">'
            f'<title>Blocks of notebooks</title><link rel="icon" href="data:,"></head><body>{blocks}</body></html>')
