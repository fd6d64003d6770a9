"""Blocks of HTML for notebooks: a line, and sections that fold, with tables.

There is no script and no style sheet, so that a block shows where a notebook is not trusted, too. Its colours are those
of the page, light or dark, with more or less opacity. Every text is escaped, and long ones are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

MOST_LETTERS = 400  # of one text
MOST_ROWS = 200  # of one table

LINE = "border-bottom:1px solid rgba(128,128,128,.4)"
CELL = "text-align:left;vertical-align:top;padding:.1em .8em .1em 0"


class Section(NamedTuple):
    """A part that folds: its content is HTML."""

    title: str
    content: str
    is_open: bool = False


# --- HTML ----------------------------------------------------------------------

def text(value: object, most: int = MOST_LETTERS) -> str:
    """Any value as escaped text, of which the end is left out where it is long."""
    shown = str(value)
    return escape(shown if len(shown) <= most else shown[:most - 1] + "…")


def html(name: str, facts: Iterable[str], sections: Iterable[Section]) -> str:
    """The whole block; facts are escaped already."""
    parts = ['<div class="strideview" style="font-family:monospace;font-size:.92em;line-height:1.5">',
             f'<div style="{LINE}"><b>{text(name)}</b> {" · ".join(facts)}</div>']
    for title, content, is_open in sections:
        parts.append(f'<details{" open" if is_open else ""}><summary style="cursor:pointer">{text(title)}</summary>'
                     f'<div style="padding-left:1.2em;overflow-x:auto">{content}</div></details>')
    return "".join([*parts, "</div>"])


def table(lines: Sequence[Sequence[str]], names: Sequence[str] = ()) -> str:
    """Rows of escaped cells; the last cell of a row that is short spans the rest."""
    width = max(map(len, [names, *lines]), default=0)
    out = ['<table style="border-collapse:collapse;background:none">']
    if names:
        out.append(row(names, width, "th"))
    out += [row(line, width, "td") for line in lines[:MOST_ROWS]]
    if len(lines) > MOST_ROWS:
        out.append(row([f"… {len(lines) - MOST_ROWS} more"], width, "td"))
    return "".join([*out, "</table>"])


def row(cells: Sequence[str], width: int, element: str) -> str:
    out = []
    for i, cell in enumerate(cells):
        span = f' colspan="{width - i}"' if i == len(cells) - 1 and i + 1 < width else ""
        out.append(f'<{element} style="{CELL}"{span}>{cell}</{element}>')
    return f'<tr style="background:none">{"".join(out)}</tr>'
