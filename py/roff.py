"""The comments of the headers as man(7) text: blocks, and the lines that each becomes. For gen_man.py."""

import re
import textwrap
from dataclasses import dataclass

PLAIN = str.maketrans({"\\": "\\e", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga"})
# Names that stand out: functions of libsv, its constants and its headers.
NAMES = re.compile(r"\b(sv_\w+(?=\(\))|SV_\w+|sv/\w+\.h|sv(?:_\w+)?\.hp?p?)\b")


@dataclass(frozen=True)
class Block:
    """A part of a comment. kind is text, code (as it stands), bullet, param, status or label; tag is what an item tells of."""

    kind: str
    text: str
    tag: str = ""


def escape(text):
    """A hyphen between letters may break a line and be of any length; elsewhere it is the sign that one types."""
    return re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])", r"\\-", text.translate(PLAIN))


def escape_code(text):
    return text.translate(PLAIN).replace("-", "\\-").replace("'", "\\(aq")


def protect(line):
    """A line of text that begins like a request is none."""
    return "\\&" + line if line[:1] in (".", "'") else line


def filled(text):
    """Lines of running text; names of the library are bold."""
    text = NAMES.sub(lambda match: f"\\fB{match[0]}\\fP", escape(" ".join(text.split())))
    return [protect(line) for line in textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False)]


# --- a comment becomes blocks


def blocks(doc):
    """The blocks of a comment, or of the first page of a header."""
    found = []
    for group in re.split(r"\n[ \t]*\n", doc.strip("\n")):
        lines = group.split("\n")
        items = labels(lines)
        if items:
            found += items
        elif lines[0].startswith("    "):
            found.append(Block("code", textwrap.dedent(group)))
        else:
            found += running(lines)
    return found


def labels(lines):
    """Blocks of a list whose texts all begin in one column, behind labels in another; else None."""
    first = re.fullmatch(r"( *)(\S+(?: \S+)*)( {2,})(?=\S)(.*)", lines[0])
    if not first or first[2].startswith("@param") or not first[1] and first[2].startswith("SV_"):
        return None
    column = first.start(4)
    items = []
    for line in lines:
        label, text = line[:column], line[column:]
        if text.startswith(" ") or not text or re.search(r"\S {2,}\S", text) or label and not label.endswith("  "):
            return None
        if re.match(re.escape(first[1]) + r"\S", label):
            items.append([label.strip(), text])
        elif items:
            items[-1][0] = f"{items[-1][0]} {label.strip()}".strip()
            items[-1][1] += f"\n{text}"
        else:
            return None
    return [Block("label", text, tag) for tag, text in items]


ITEMS = (
    ("param", re.compile(r"@param (\w+)()\s+(.*)")),
    ("status", re.compile(r"(SV_ERROR_\w+((?:, SV_ERROR_\w+)*))  +(\S.*)")),
    ("bullet", re.compile(r"(-)( )(.*)")),
)


def running(lines):
    """Blocks of lines without a blank one: text, and items that go on in lines that are indented."""
    found = []
    for line in lines:
        for kind, pattern in ITEMS:
            match = pattern.fullmatch(line)
            if match:
                found.append(Block(kind, match[3], match[1]))
                break
        else:
            goes_on = found and (line.startswith("  ") if found[-1].kind != "text" else True)
            if goes_on:
                found[-1] = Block(found[-1].kind, f"{found[-1].text}\n{line.strip()}", found[-1].tag)
            else:
                found.append(Block("text", line.strip()))
    return found


# --- blocks become lines


def lines_of(found):
    """The lines of a section, without a paragraph mark before the first text."""
    lines = []
    for number, block in enumerate(found):
        if block.kind == "text":
            lines += ([".PP"] if number else []) + filled(block.text)
        elif block.kind == "code":
            lines += [".PP", ".RS 4", ".nf", *map(protect, escape_code(block.text).split("\n")), ".fi", ".RE"]
        elif block.kind == "bullet":
            lines += [".IP \\(bu 3", *filled(block.text)]
        else:
            font = ".I" if block.kind == "param" else ".B"
            lines += [".TP", f"{font} {escape_code(block.tag)}", *filled(block.text)]
    return lines
