"""TAP: the man pages of py/gen_man.py have every function, all that the headers say, and nothing that formatters mind."""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import tap

sys.path.insert(0, str(tap.root / "py"))


def generator():
    try:
        import gen_man
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return gen_man


@functools.cache
def read_topics():
    return generator().read_topics()


@functools.cache
def written():
    """Text of each page by its name, and the page of each link."""
    files = generator().pages()
    links = dict(line.split() for line in files.pop("links").splitlines())
    return {name.removesuffix(".3"): text for name, text in files.items()}, links


def plain(text):
    """What a reader sees of a page, or more: the words without requests and escapes."""
    text = re.sub(r"(?m)^\.(TH|nf|fi|nh|RS|RE|IP|PP|TP|SH|SS)\b.*|^\.(BR|B|I) |\\f[BIP]|\\&", "", text)
    for escape, character in (("\\-", "-"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\(aq", "'"), ("\\e", "\\")):
        text = text.replace(escape, character)
    return text


def words(text):
    """The words of a comment, with those labels that stand over their text on a page."""
    return Counter(word for word in re.sub(r"@param |(?m:^ *- )", " ", text).split())


def lacks(name, text, page):
    missing = words(text) - words(plain(page))
    if missing:
        yield f"{name} lacks {' '.join(missing)}"


def every_name():
    """each function, type and header has a page, or is a link to one"""
    pages, links = written()
    header = read_topics()[1]
    types = [item.name for item in header.items if hasattr(item, "name") and not item.name.startswith("DL")]
    wanted = set(types) | set(tap.public_names()) | {"libsv", "sv.h"}
    wanted |= {f"sv_{path.name}" for path in (tap.root / "include/sv").glob("*.h")}
    yield from (f"{name} has no page" for name in sorted(wanted - pages.keys() - links.keys()))
    yield from (f"{name} is no name" for name in sorted(pages.keys() | links.keys() - wanted) if name not in wanted)
    yield from (f"{name} is a link to {page}, which is none" for name, page in links.items() if page not in pages)
    for name, text in pages.items():
        yield from (f"{name} names {other}" for other in re.findall(r"^\.BR (\S+) \(3\)", text, re.M)
                    if other not in pages and other not in links)


def all_that_is_said():
    """a page has every word of the comment that it is made of"""
    pages, links = written()
    topics, header = read_topics()
    for function in header.functions:
        name = links.get(function.name, function.name)
        yield from lacks(function.name, function.doc, pages[name])
    for topic in topics:
        others = [item.doc for item in topic.items if hasattr(item, "doc") and item not in header.functions]
        constants = [f"{c.name} = {c.text} {c.doc}" for item in topic.items for c in getattr(item, "constants", ())]
        for text in (topic.title, topic.intro, *topic.notes, *others, *constants):
            if "dlpack.h" not in text:
                yield from lacks(topic.name, text, pages[topic.name])


def says_how_it_is_called():
    """the prototypes of the pages are those of sv.h"""
    pages, links = written()
    text = "#include <sv.h>\n"
    for name in tap.public_names():
        page = plain(re.search(r"(?ms)^\.SH SYNOPSIS\n(.*?)^\.SH ", pages[links.get(name, name)])[1])
        found = re.search(rf"(?ms)^[\w *]*\b{name}\([^()]*\);", page)
        if found:
            text += found[0] + "\n"
        else:
            yield f"{name} is not declared by its page"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "pages.c")
        source.write_text(text)
        tap.lines(*tap.tool("CC", "cc"), "-fsyntax-only", "-Wall", "-Werror", "-I", tap.root / "include", source)


def constants_with_functions():
    """a page lists the flags that its function takes, and not those of others"""
    pages, _ = written()
    for name, wanted, others in (
        ("sv_copy", ("SV_COPY_CAST", "SV_COPY_NO_WAIT"), ("SV_BUFFER_ZERO", "SV_INT8")),
        ("sv_layout_to_dense", ("SV_ORDER_AXES",), ("SV_COPY_CAST",)),
        ("sv_copy_placement", ("SV_WAITS_RING", "SV_DONE_ALL", "SV_METHOD_TASKS"), ("SV_ORDER_C",)),
    ):
        yield from (f"{name} lacks {word}" for word in wanted if f"{word} =" not in pages[name])
        yield from (f"{name} has {word}" for word in others if f"{word} =" in pages[name])


# A comment, and the lines of its page.
LAID_OUT = [
    ("Two\nlines.", ["Two lines."]),
    (".TH is no request\n\n'nor this", ["\\&.TH is no request", ".PP", "\\&'nor this"]),
    ("A \\ and -1, --x, a-b", ["A \\e and \\-1, \\-\\-x, a-b"]),
    ("Call sv_copy() with SV_OK", ["Call \\fBsv_copy\\fP() with \\fBSV_OK\\fP"]),
    ("@param dst  where to;\n            not src", [".TP", ".I dst", "where to; not src"]),
    ("SV_ERROR_A, SV_ERROR_B  both\nand more", [".TP", ".B SV_ERROR_A, SV_ERROR_B", "both", ".PP", "and more"]),
    ("- one\n  of them\n- two", [".IP \\(bu 3", "one of them", ".IP \\(bu 3", "two"]),
    ("    code(-1);\n      more", [".PP", ".RS 4", ".nf", "code(\\-1);", "  more", ".fi", ".RE"]),
    ("    long, text,    what it is,\n      length       and was", [".TP", ".B long, text, length", "what it is, and was"]),
    ("    a  b  c\n    d  e  f", [".PP", ".RS 4", ".nf", "a  b  c", "d  e  f", ".fi", ".RE"]),
]


def is_laid_out():
    """each form of a comment becomes the lines it should"""
    generator()
    import roff

    for comment, wanted in LAID_OUT:
        if roff.lines_of(roff.blocks(comment)) != wanted:
            yield f"{comment!r}: {roff.lines_of(roff.blocks(comment))}, not {wanted}"


def into_folder(folder, **environment):
    script = tap.root / "py/gen_man.py"
    subprocess.run([sys.executable, script, folder], check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"} | environment)
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def is_reproducible():
    """pages are the same in any year, place and order, and those of names that are no more go"""
    generator()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        Path(two, "sv_gone.3").write_text("")
        first = into_folder(one, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")
        if first != into_folder(two, PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C.UTF-8"):
            yield "they differ"
        dates = {re.search(rb'^\.TH \S+ 3 (\S+) "libsv [\d.]+" "libsv"$', text, re.M)[1]
                 for name, text in first.items() if name != "links"}
        header = read_topics()[1]
        version, date = generator().release(header, (tap.root / "ChangeLog").read_text())
        if generator().release(header, f"libsv {version} (2027-01-31)\n\n(2026-01-01)") != (version, "2027-01-31"):
            yield "the date is not that of the release"
        if dates != {date.encode()}:
            yield f"{dates}, not {date}"
        if len(dates) != 1 or not re.fullmatch(rb"\d{4}-\d\d-\d\d", dates.pop()):
            yield "they have no date"


def minds(program, *options):
    """What a formatter says of all pages."""
    if not shutil.which(program):
        raise tap.Skip(f"no {program}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in written()[0].items():
            Path(folder, f"{name}.3").write_text(text)
        run = subprocess.run([program, *options, *sorted(os.listdir(folder))], capture_output=True, text=True, cwd=folder)
        yield from (run.stdout + run.stderr).splitlines()[:40]
        if run.returncode != 0:
            yield f"status {run.returncode}"


def mandoc():
    """mandoc has no warning"""
    return minds("mandoc", "-Tlint", "-W", "warning")


def groff():
    """groff has no warning"""
    return minds("groff", "-man", "-ww", "-z")


if __name__ == "__main__":
    tap.report(every_name, all_that_is_said, says_how_it_is_called, constants_with_functions,
               is_laid_out, is_reproducible, mandoc, groff)
