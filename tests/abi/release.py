"""TAP: what must agree before a release agrees, and each disagreement is seen; an archive made twice is the same."""

import hashlib
import os
import re
import shutil
import subprocess
import sys

import tap

sys.path.insert(0, str(tap.root / "packaging"))
import check_release  # noqa: E402

HEADER, CONFIGURE, CHANGES = "include/sv/base.h", "configure.ac", "ChangeLog"
VERSION = check_release.header_version(check_release.read_file)
ROW = next(line for line in check_release.read_file(CONFIGURE).splitlines() if re.match(rf"dnl +{VERSION} ", line))
HEAD = check_release.read_file(CHANGES).splitlines()[0]

# (what is changed: a file, a text and what stands there instead), and words of the fault that is told.
PLANTED = [
    ([(HEADER, "SV_VERSION_PATCH = ", "SV_VERSION_PATCH = 9")], "rust/Cargo.toml: "),
    ([("rust/Cargo.toml", f'version = "{VERSION}"', 'version = "0.0.7"')], "rust/Cargo.toml: 0.0.7, but"),
    ([("rust/Cargo.lock", f'version = "{VERSION}"', 'version = "0.0.7"')], "rust/Cargo.lock: 0.0.7, but"),
    ([("packaging/debian/changelog", f"({VERSION}-", "(0.0.7-")], "packaging/debian/changelog: 0.0.7, but"),
    ([("packaging/spack/package.py", f'version("{VERSION}"', 'version("0.0.7"')], f"there is no version {VERSION}"),
    ([("packaging/conda/meta.yaml", f'version = "{VERSION}"', 'version = "0.0.7"')], "packaging/conda/meta.yaml: 0.0.7, but"),
    ([("packaging/conda/meta.yaml", "{% set version", "{% set revision")], "no version matches"),
    ([(CHANGES, f"libsv {VERSION} (", "libsv 0.0.7 (")], "begins with 0.0.7"),
    ([(CHANGES, HEAD, f"libsv {VERSION} (soon)")], "is dated soon"),
    ([(CHANGES, HEAD, f"{HEAD}\n\nlibsv 99.0.0 (2020-01-01)")], "not in order"),
    ([(CHANGES, HEAD, "Changes")], "the first line"),
    ([(CONFIGURE, ROW, "")], "the last row"),
    ([(CONFIGURE, "SV_LIBTOOL_VERSION], [", "SV_LIBTOOL_VERSION], [7")], "SV_LIBTOOL_VERSION is"),
    ([(CONFIGURE, ROW, re.sub(r"libsv\.so\.\d+", "libsv.so.7", ROW))], "has soname libsv.so.7"),
    ([(HEADER, "SV_ABI_VERSION = ", "SV_ABI_VERSION = 7")], "SV_ABI_VERSION = 7"),
    ([("tests/abi/local.mk", f"tests/abi/{check_release.series(VERSION)}.table", "")], "is not in EXTRA_DIST"),
    ([("bindings/sv.map", "SV_0.1 {", "SV_99.0 {")], "node SV_99.0 is of a later version"),
    ([(CONFIGURE, ROW, f"{ROW}\ndnl   98.0.0  1:0:0  libsv.so.1")], "the last row"),
]
TRIPLES = [  # of a release, its names, those of the next one, and the triple of that
    ((0, 0, 0), {"a"}, {"a"}, (0, 1, 0)),
    ((3, 2, 1), {"a"}, {"a", "b"}, (4, 0, 2)),
    ((3, 2, 1), {"a", "b"}, {"a"}, (4, 0, 0)),
    ((3, 2, 1), {"a", "b"}, {"a", "c"}, (4, 0, 0)),
]


def changed(changes):
    """A reader of the tree's files with changes made to their texts."""
    def read(path):
        text = check_release.read_file(path)
        for file, before, after in changes:
            if file == path:
                if before not in text:
                    raise ValueError(f"{path} has no {before}")
                text = text.replace(before, after)
        return text
    return read


def tree_is_consistent():
    """versions, ChangeLog, the libtool triple and the frozen declarations agree"""
    yield from check_release.faults()


def faults_are_seen():
    """each planted disagreement is told"""
    for changes, words in PLANTED:
        found = list(check_release.faults(changed(changes)))
        if not any(words in fault for fault in found):
            yield f"{changes}: {found}"


def date_is_asked_for():
    """a release needs a date in ChangeLog, which other days do not"""
    for date, release, wanted in [("not released", False, 0), ("not released", True, 1), ("2026-02-30", False, 1),
                                  ("2026-03-01", True, 0)]:
        read = changed([(CHANGES, HEAD, f"libsv {VERSION} ({date})")])
        if len(list(check_release.head_of_changelog(read, release))) != wanted:
            yield f"{date}, release={release}"


def next_release():
    """the row of the next release is compared with the names that were added"""
    major, rest = VERSION.split(".", 1)
    [(current, revision, age)] = [row[1] for row in check_release.triples(check_release.read_file) if row[0] == VERSION]
    names = check_release.read_file(f"tests/abi/{check_release.series(VERSION)}.table")
    for triple, faulty in [((current + 1, 0, age + 1), False), ((current, revision + 1, age), True),
                           ((current + 1, 0, age), True)]:
        text = check_release.text_of(triple)
        row = f"dnl   99.{rest}  {text}  libsv.so.{triple[0] - triple[2]}"
        old = changed([(HEADER, f"SV_VERSION_MAJOR = {major}", "SV_VERSION_MAJOR = 99"),
                       (CONFIGURE, ROW, f"{ROW}\n{row}"),
                       (CONFIGURE, f"SV_LIBTOOL_VERSION], [{current}:{revision}:{age}]", f"SV_LIBTOOL_VERSION], [{text}]")])

        def read(path, old=old):
            return names + "added\n" if path.startswith("tests/abi/99.") else old(path)
        found = list(check_release.libtool_triple(read))
        if bool(found) != faulty:
            yield f"{row}: {found}"


def triples_follow_names():
    """the libtool triple moves by libtool's rules"""
    for triple, older, newer, wanted in TRIPLES:
        if check_release.next_triple(triple, older, newer) != wanted:
            yield f"{triple}, {older}, {newer}"


def script_checks():
    """release.sh --check passes"""
    run = subprocess.run(["sh", tap.root / "packaging/release.sh", "--check"], capture_output=True, text=True,
                         env={**os.environ, "PYTHON": sys.executable})
    if run.returncode != 0:
        yield from (run.stdout + run.stderr).splitlines()


def archive(folder):
    """The sum of what the Makefile's own tar makes of a folder."""
    [words] = re.findall(r"^am__tar = (.*)$", (tap.build / "Makefile").read_text(), re.M)
    if "--sort=name" not in words:
        raise tap.Skip("tar does not sort names")
    run = subprocess.run(["sh", "-c", words.replace("$$", "$")], cwd=folder, capture_output=True, check=True,
                         env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "tardir": "libsv"})
    return hashlib.sha256(run.stdout).hexdigest()


def copied(source, target):
    """A copy of a folder that was made in another order, with another umask and at another time."""
    target.mkdir()
    for path in sorted(source.iterdir(), reverse=True):
        if path.is_dir():
            copied(path, target / path.name)
        else:
            shutil.copyfile(path, target / path.name)
            (target / path.name).chmod(0o700 if os.access(path, os.X_OK) else 0o600)
    target.chmod(0o700)


def archive_is_reproducible():
    """an archive is the same bytes from another copy of the same files; release.sh makes all of it twice"""
    if not (tap.build / "Makefile").exists() or not shutil.which("make"):
        raise tap.Skip("this is no build tree")
    folder = tap.build / "full-archive"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "other").mkdir(parents=True)
    tap.lines("env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "make", "-s", "distdir", f"distdir={folder.name}/libsv")
    first = archive(folder)
    copied(folder / "libsv", folder / "other/libsv")
    if archive(folder / "other") != first:
        yield "the archives differ"
    with (folder / "other/libsv/ChangeLog").open("a") as file:
        file.write("x")
    if archive(folder / "other") == first:
        yield "a changed file is not seen"
    shutil.rmtree(folder)


if __name__ == "__main__":
    tap.report(tree_is_consistent, faults_are_seen, date_is_asked_for, next_release, triples_follow_names, script_checks,
               archive_is_reproducible)
