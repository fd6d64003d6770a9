"""Prepares the C headers for Doxygen, and writes their pages: headers.py SOURCE HEADERS PAGES.

The headers are written to be read as they are. For Doxygen their sections become groups, the statuses that end a comment
become @retval, and a function that shares the comment of the one above refers to it. A header's page has the text that
the header begins with and its sections in their order.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEADERS = ("base", "dtype", "layout", "view", "copy", "memory", "device")  # in the order of sv.h
SECTION = re.compile(r"^/\* --- (.+?) -+ \*/$", re.M)
STATUS = re.compile(r"^( \* )(SV_ERROR_[A-Z_]+)  +", re.M)
DECLARATION = re.compile(r"^(?:SV_API|typedef)\b[^;]*?\b(\w+)\([^;]*;", re.M)


def group_name(header: str, section: str) -> str:
    return f"{header}_{re.sub(r'[^a-z]+', '_', section.lower())}"


def declarations(text: str) -> str:
    return text.split("/* >>> declarations */")[1].split("/* <<< declarations */")[0]


def sections(text: str) -> list[str]:
    return [found[1] for found in SECTION.finditer(declarations(text))]


def refer_to_comments(text: str) -> str:
    """Functions right below a documented one, without a blank line, share its comment."""
    out: list[str] = []
    documented, end = "", 0
    for found in DECLARATION.finditer(text):
        between = text[end:found.start()]
        out.append(between)
        if end and between == "\n" and documented and "/**" not in text[found.end():].split("\n")[0]:
            out.append(f"/** See {documented}(). */\n")
        else:
            documented = found[1]
        out.append(found.group())
        end = found.end()
    return "".join(out) + text[end:]


def for_doxygen(header: str, text: str) -> str:
    body = STATUS.sub(r"\1@retval \2 ", refer_to_comments(declarations(text)))
    parts = SECTION.split(body)
    opened = [f"/** @defgroup {group_name(header, name)} {name}\n * @{{ */\n{content}\n/** @}} */\n"
              for name, content in zip(parts[1::2], parts[2::2])]
    return f"/** @file */\n#include <stdint.h>\n#include <stddef.h>\n{parts[0]}{''.join(opened)}"


def introduction(text: str) -> tuple[str, str]:
    """(title, text in reStructuredText) of the comment that a header begins with; what is set in columns stays so."""
    comment = text.split("*/")[0]
    lines = [line[3:] for line in comment.split("\n")[1:]]
    title = lines[0].removeprefix("libsv: ").rstrip(".")
    out: list[str] = []
    for block in re.split(r"\n\s*\n", "\n".join(lines[1:]).strip("\n")):
        if "Copyright" in block:
            continue
        in_columns = any(line.startswith("    ") or re.search(r"\S {2,}\S", line) for line in block.split("\n"))
        out.append(".. code-block:: text\n\n" + re.sub("^", "    ", block, flags=re.M) if in_columns else escape(block))
    return title, "\n\n".join(out)


def escape(text: str) -> str:
    return re.sub(r"([\\*`_|])", r"\\\1", text)


def page(header: str, text: str) -> str:
    title, intro = introduction(text)
    title = f"sv/{header}.h: {title}"
    parts = [f"{title}\n{'=' * len(title)}\n", intro]
    for name in sections(text):
        heading = name[0].upper() + name[1:]
        parts.append(f"{heading}\n{'-' * len(heading)}\n\n.. doxygengroup:: {group_name(header, name)}\n   :content-only:\n")
    return "\n\n".join(parts) + "\n"


def main(source: Path, headers: Path, pages: Path) -> None:
    (headers / "sv").mkdir(parents=True, exist_ok=True)
    (pages / "c").mkdir(parents=True, exist_ok=True)
    for header in HEADERS:
        text = (source / f"include/sv/{header}.h").read_text()
        (headers / f"sv/{header}.h").write_text(for_doxygen(header, text))
        (pages / f"c/{header}.rst").write_text(page(header, text))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
