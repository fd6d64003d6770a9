"""What must agree before a release: versions in every file that has one, the libtool triple, the frozen declarations.

    python packaging/check_release.py [--release]

Prints one line for each fault and ends with 1 if there are any. With --release the head of ChangeLog must have a date;
without it "(not released)" serves as well, so that make check can ask the same questions on every day
(tests/abi/release.py). The version stands in include/sv/base.h, and configure.ac and setup.py read it there; the files
below cannot.
"""

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Files with a version of their own, and the pattern of each place.
COPIES = {
    "rust/Cargo.toml": r'^version = "(.*)"$',
    "rust/Cargo.lock": r'^name = "strideview(?:-sys)?"\nversion = "(.*)"$',
    "packaging/debian/changelog": r"\Alibsv \((.*)-\d+\) ",
    "packaging/spack/package.py": r'^    version\("(.*?)"',
    "packaging/conda/meta.yaml": r'^{% set version = "(.*)" %}$',
}


def read_file(path):
    return (ROOT / path).read_text()


def header_number(read, name):
    return int(re.search(rf"\b{name} = (\d+)", read("include/sv/base.h"))[1])


def header_version(read):
    return ".".join(str(header_number(read, f"SV_VERSION_{part}")) for part in ("MAJOR", "MINOR", "PATCH"))


def numbers(version):
    return tuple(map(int, version.split(".")))


def series(version):
    """The part of a version that names its frozen files: 0.1 of 0.1.3."""
    return version.rpartition(".")[0]


# --- checks: each gives its faults


def copies_of_the_version(read):
    version = header_version(read)
    for path, pattern in COPIES.items():
        found = re.findall(pattern, read(path), re.M)
        if not found:
            yield f"{path}: no version matches {pattern}"
        elif path == "packaging/spack/package.py":  # which lists older releases too
            if version not in found:
                yield f"{path}: there is no version {version}"
        else:
            yield from (f"{path}: {other}, but include/sv/base.h has {version}" for other in found if other != version)


def head_of_changelog(read, release):
    heads = re.findall(r"^libsv (\S+) \((.*)\)$", read("ChangeLog"), re.M)
    if not heads or not read("ChangeLog").startswith("libsv "):
        yield "ChangeLog: the first line is not \"libsv VERSION (DATE)\""
        return
    version = header_version(read)
    if heads[0][0] != version:
        yield f"ChangeLog: begins with {heads[0][0]}, but include/sv/base.h has {version}"
    for number, (name, date) in enumerate(heads):
        if date == "not released" and number == 0 and not release:
            continue
        try:
            datetime.date.fromisoformat(date)
        except ValueError:
            yield f"ChangeLog: {name} is dated {date}, not YYYY-MM-DD"
    order = [numbers(name) for name, _ in heads]
    if order != sorted(set(order), reverse=True):
        yield "ChangeLog: the releases are not in order, the newest first"


def triples(read):
    """[(release, (current, revision, age), soname)] of the table in configure.ac"""
    rows = re.findall(r"^dnl +(\d+\.\d+\.\d+) +(\d+):(\d+):(\d+) +(\S+)$", read("configure.ac"), re.M)
    return [(row[0], tuple(map(int, row[1:4])), row[4]) for row in rows]


def frozen_names(read, release):
    return set(read(f"tests/abi/{series(release)}.table").split())


def next_triple(triple, older, newer):
    """The triple of a release with the names newer after one with the names older: libtool's rules."""
    current, revision, age = triple
    if older - newer:
        return current + 1, 0, 0
    return (current + 1, 0, age + 1) if newer - older else (current, revision + 1, age)


def text_of(triple):
    return ":".join(map(str, triple))


def libtool_triple(read):
    rows = triples(read)
    version = header_version(read)
    if not rows or rows[-1][0] != version:
        yield f"configure.ac: the last row of the table of triples is not that of {version}"
        return
    if rows[0][1] != (0, 0, 0):
        yield f"configure.ac: the first release has {text_of(rows[0][1])}, not 0:0:0"
    for (before, triple, _), (after, given, _) in zip(rows, rows[1:]):
        wanted = next_triple(triple, frozen_names(read, before), frozen_names(read, after))
        if given != wanted:
            yield f"configure.ac: {after} has {text_of(given)}, but its names after those of {before} want {text_of(wanted)}"
    for release, (current, _, age), soname in rows:
        if soname != f"libsv.so.{current - age}":
            yield f"configure.ac: {release} has soname {soname}, but its triple makes libsv.so.{current - age}"
    used = re.findall(r"SV_LIBTOOL_VERSION\], \[(.*?)\]", read("configure.ac"))
    if used != [text_of(rows[-1][1])]:
        yield f"configure.ac: SV_LIBTOOL_VERSION is {used}, but the table has {text_of(rows[-1][1])}"
    abi = header_number(read, "SV_ABI_VERSION")
    if rows[-1][2] != f"libsv.so.{abi}":
        yield f"configure.ac: soname {rows[-1][2]}, but include/sv/base.h has SV_ABI_VERSION = {abi}"


def frozen_declarations(read):
    """Each release has its declarations in tests/abi and in the archive, and none has a node of the future."""
    packed = read("tests/abi/local.mk")
    for name in sorted({f"tests/abi/{series(release)}.{kind}" for release, _, _ in triples(read) for kind in ("h", "table")}):
        try:
            read(name)
        except FileNotFoundError:
            yield f"{name} is missing"
        if name not in packed:
            yield f"{name} is not in EXTRA_DIST of tests/abi/local.mk"
    nodes = re.findall(r"^SV_([\d.]+) \{", read("bindings/sv.map"), re.M)
    late = [node for node in nodes if numbers(node) > numbers(series(header_version(read)))]
    yield from (f"bindings/sv.map: node SV_{node} is of a later version than {header_version(read)}" for node in late)


def faults(read=read_file, release=False):
    yield from copies_of_the_version(read)
    yield from head_of_changelog(read, release)
    yield from libtool_triple(read)
    yield from frozen_declarations(read)


if __name__ == "__main__":
    found = list(faults(release="--release" in sys.argv[1:]))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
