#!/usr/bin/env python3
"""Writes the man pages of section 3 from include/sv.h and the headers in include/sv/.

    gen_man.py DIRECTORY    which gets the pages, and loses those of names that are no more

A page a function, since that is what a programmer asks for; functions that share a comment share a page. A header is a
page, as sv_copy.h(3) for sv/copy.h, with its first page, types, constants and a line for each function. Types, and
further functions of a page, stand in the file "links" with the name of their page, to which "make install" links them.
The date is that of the release in ChangeLog, not of the run.
"""

import os
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True

import roff  # noqa: E402
from read_header import Callback, Constants, Function, Handle, Number, Section, Type, first_sentence  # noqa: E402
from read_topics import read_topics  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNRELEASED = "2026-11-29"  # the date of the pages of a version that ChangeLog calls not released
WIDTH = 72  # of a prototype: a terminal has 80 columns, of which man indents 7

# Types whose numbers are too many, or are on every page, to be listed with a function.
NOT_LISTED = ("sv_status", "sv_dtype")

STATUS = Type("sv_status")
ANSWER = (
    "SV_OK, or a negative SV_ERROR code, of which sv_last_message() then tells the facts. An output is written on SV_OK, "
    "and left as it was after any other status."
)


def release(header, changes):
    """(version, date) as the first line of ChangeLog has them."""
    version = ".".join(map(str, header.version))
    head = changes.split("\n")[0]
    dated = re.search(rf"\b{re.escape(version)}\b.*?(\d{{4}}-\d\d-\d\d)", head)
    return version, dated[1] if dated else UNRELEASED


# --- parts of pages


def section(title, lines):
    return [f".SH {title}", *lines] if lines else []


def prototype(head, parameters):
    """Roff lines of a declaration: its words bold, the names of parameters italic."""
    parts = [(str(p.type) + " " * (not p.type.depth), p.name) for p in parameters] or [("void", "")]
    lines, current, used = [], f"\\fB{roff.escape_code(head)}\\fP", len(head)
    for number, (kind, parameter) in enumerate(parts):
        end = ", " if number + 1 < len(parts) else ");"
        size = len(kind) + len(parameter) + len(end.rstrip())
        if used + size > WIDTH and number:
            lines.append(current.rstrip())
            current, used = "    ", 4
        current += f"\\fB{roff.escape_code(kind)}\\fP" + f"\\fI{parameter}\\fP" * bool(parameter) + end
        used += size + 1
    return [*lines, current]


def synopsis(path, prototypes):
    lines = [".nf", f".B #include <{path}>"]
    for declaration in prototypes:
        lines += [".PP", *declaration]
    return [*lines, ".fi"]


def constant_lines(group):
    lines = []
    for constant in group.constants:
        value = f"{constant.name} = {constant.text}"
        lines += [".TP", f".B {roff.escape_code(value)}", *(roff.filled(constant.doc) if constant.doc else ["\\&"])]
    return lines


def prefix_of(group):
    """SV_COPY of the flags of a copy: what comments call the numbers by."""
    return os.path.commonprefix([constant.name for constant in group.constants]).rsplit("_", 1)[0]


def marks(functions):
    """What the marks of the parameters say, in the words of a sentence each."""
    words = (("OUT", "Outputs: "), ("OPT", "May be NULL: "), ("TAKE", "Owned by libsv after SV_OK: "))
    told = []
    for mark, word in words:
        names = dict.fromkeys(p.name for function in functions for p in function.parameters if mark in p.marks)
        if names:
            told.append(f"{word}{', '.join(names)}.")
    return told


# --- the page of a function


class FunctionPage:
    """Functions that share a comment, of a header."""

    def __init__(self, topic, functions):
        self.topic, self.functions = topic, functions
        self.doc = functions[0].doc
        self.description, self.parameters, self.errors = [], [], []
        for block in roff.blocks(self.doc):
            self.part_of(block).append(block)

    def part_of(self, block):
        """A text behind statuses belongs to them, as "and what sv_copy() answers" does."""
        if block.kind == "param":
            return self.parameters
        after_status = self.errors and self.follows(self.errors[-1], block)
        if block.kind == "status" or after_status or block.text.startswith("Statuses as"):
            return self.errors
        return self.description

    def follows(self, before, block):
        """Whether a block comes right behind another one, without a blank line."""
        return f"{before.text.splitlines()[-1]}\n{block.text.splitlines()[0]}" in re.sub(r"\n +", "\n", self.doc)

    def groups(self, numbers):
        """The constants that the comment or a parameter's type speaks of."""
        types = {p.type.base for f in self.functions for p in f.parameters} | {f.result.base for f in self.functions}
        for group, kind in numbers:
            prefix = prefix_of(group)
            spoken = re.search(rf"\b{prefix} (bits?|numbers?)\b", self.doc)
            named = any(re.search(rf"\b{c.name}\b", self.doc) for c in group.constants) and len(group.constants) < 10
            if kind not in NOT_LISTED and prefix != "SV" and (spoken or named or kind in types):
                yield group

    def see_also(self, pages):
        own = {function.name for function in self.functions}
        named = [name for name in re.findall(r"\b(sv_\w+)\(\)", self.doc) if name in pages and name not in own]
        if len(own) > 1:  # the operations of views and builders, on layouts
            likes = (re.sub("^sv_(view|layout_builder)_", "sv_layout_", name) for name in own)
            named += sorted({name for name in likes if name in pages} - own)
        return [self.topic.name, *dict.fromkeys(named), *(["sv_base.h"] if self.topic.name != "sv_base.h" else [])]

    def first_page(self):
        """Where the page is that comments call the first page of the header."""
        if not re.search(r"\bfirst page\b(?! of sv/)", self.doc):
            return []
        return [".PP", *roff.filled(f"The first page of the header is {self.topic.name}(3).")]

    def lines(self, numbers, pages):
        names = ", ".join(function.name for function in self.functions)
        prototypes = [prototype(f"{f.result.declare(f.name)}(", f.parameters) for f in self.functions]
        parameters = roff.lines_of(self.parameters)
        for sentence in marks(self.functions):
            parameters += ([".PP"] if parameters else []) + roff.filled(sentence)
        constants = [line for group in self.groups(numbers) for line in constant_lines(group)]
        can_fail = any(function.result == STATUS for function in self.functions)
        errors = roff.lines_of(self.errors)
        if can_fail:
            errors += ([".PP"] if errors else []) + roff.filled("sv_base.h has the statuses that any function can answer.")
        return [
            *section("NAME", [f"{names} \\- {roff.escape(first_sentence(self.doc).rstrip('.:'))}"]),
            *section("SYNOPSIS", synopsis("sv.h", prototypes)),
            *section("DESCRIPTION", roff.lines_of(self.description) + self.first_page()),
            *section("PARAMETERS", parameters),
            *section("CONSTANTS", constants),
            *section("RETURN VALUE", roff.filled(ANSWER) if can_fail else []),
            *section("ERRORS", errors),
            *section("SEE ALSO", see_also_lines(self.see_also(pages))),
        ]


def function_pages(topic):
    pages = []
    for item in topic.items:
        shared = isinstance(item, Function) and pages and pages[-1] and pages[-1][-1].doc == item.doc
        if shared:
            pages[-1].append(item)
        else:
            pages.append([item] if isinstance(item, Function) else [])
    return [FunctionPage(topic, functions) for functions in pages if functions]


# --- the page of a header


def see_also_lines(names):
    return [f".BR {name} (3)" + ("," if number + 1 < len(names) else "") for number, name in enumerate(names)]


def type_lines(topic):
    lines = []
    for item in topic.items:
        if not isinstance(item, (Callback, Handle, Number)):
            continue
        if isinstance(item, Callback):
            declaration = prototype(f"typedef {item.result.declare(f'(*{item.name})(')}", item.parameters)
        else:
            what = f"struct {item.name}" if isinstance(item, Handle) else item.base
            declaration = [f"\\fBtypedef {what} {item.name};\\fP"]
        lines += [".PP", ".nf", *declaration, ".fi", ".RS 4", *roff.lines_of(roff.blocks(item.doc)), ".RE"]
    return lines[1:]


def topic_lines(topic, topics):
    constants = []
    for before, group in zip([None, *topic.items], topic.items):
        if isinstance(group, Constants):
            doc = f"Values of {before.name}." if isinstance(before, Number) and not group.doc else group.doc
            constants += [".PP" if doc else ".P", *roff.lines_of(roff.blocks(doc)), *constant_lines(group)]
    constants = [line for line in constants if line != ".P"]
    functions = []
    for item in topic.items:
        if isinstance(item, Section):
            functions += [f".SS {item.title.capitalize()}"]
        elif isinstance(item, Function):
            functions += [".TP", f".BR {item.name} (3)", *roff.filled(first_sentence(item.doc))]
    functions = without_empty(functions)
    notes = [block for note in topic.notes for block in roff.blocks(note)]
    return [
        *section("NAME", [f"{topic.name} \\- {roff.escape(topic.title)}"]),
        *section("SYNOPSIS", [f".B #include <{topic.path}>"]),
        *section("DESCRIPTION", roff.lines_of(roff.blocks(topic.intro))),
        *section("TYPES", type_lines(topic)),
        *section("CONSTANTS", constants[1:]),
        *section("FUNCTIONS", functions),
        *section("NOTES", roff.lines_of(notes)),
        *section("SEE ALSO", see_also_lines([other.name for other in topics if other is not topic])),
    ]


def without_empty(lines):
    """Without the headings of sections that have no functions."""
    following = [*lines[1:], ".SS"]
    return [line for line, after in zip(lines, following) if not (line.startswith(".SS") and after.startswith(".SS"))]


# --- all pages


def pages():
    """Text of each file, by its name."""
    topics, header = read_topics()
    version, date = release(header, (ROOT / "ChangeLog").read_text())
    note = '.\\" Generated from include/sv.h by py/gen_man.py: do not edit.'
    texts, links = {}, {"libsv": "sv.h"}
    numbers, kind = [], ""
    for item in header.items:
        if isinstance(item, Constants):
            numbers.append((item, kind))
        kind = item.name if isinstance(item, Number) else ""
    written = [page for topic in topics for page in function_pages(topic)]
    known = {function.name for page in written for function in page.functions}
    for page in written:
        first, *others = (function.name for function in page.functions)
        texts[first] = page.lines(numbers, known)
        links |= dict.fromkeys(others, first)
    for topic in topics:
        texts[topic.name] = topic_lines(topic, topics)
        links |= {item.name: topic.name for kind in (Callback, Handle, Number) for item in topic.every(kind)}
    result = {}
    for name, lines in texts.items():
        head = f'.TH {name} 3 {date} "libsv {version}" "libsv"'
        result[f"{name}.3"] = "\n".join([note, head, ".nh", *lines]) + "\n"
    links = {name: target for name, target in links.items() if name not in texts}
    return result | {"links": "".join(f"{name} {target}\n" for name, target in sorted(links.items()))}


def main():
    if len(sys.argv) != 2:
        sys.exit(textwrap.dedent(__doc__).strip())
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    texts = pages()
    for path in directory.glob("*.3"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (directory / name).write_text(text)


if __name__ == "__main__":
    main()
