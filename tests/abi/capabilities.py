"""TAP: every function of sv.h, every capability that is named, and every answer of the pages on memory, has a test."""

import re

import tap

TABLE = "tests/capabilities.txt"
MEMORY, CASES = "doc/memory.md", "doc/memory_cases.md"
COMPARED = ["feature", "dpctl.memory", "RMM", "CuVec, NumCu", "cuda.core", "libsv", "test"]


def rows():
    """(line number, [capability, test file, name of the test inside])"""
    for number, line in enumerate((tap.root / TABLE).read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, [field.strip() for field in line.split("|")]


def holds(path, name):
    text = path.read_text()
    if path.suffix == ".py":
        return re.search(rf"^ *(async )?def {re.escape(name)}\(", text, re.M)
    if "<criterion/" in text:
        return re.search(rf"^Test\(\w+, {re.escape(name)}[,)]", text, re.M)
    return name in text


def functions_have_tests():
    """each function of sv.h has a row in tests/capabilities.txt"""
    named = {row[0] for _, row in rows()}
    yield from (f"{name} has no row" for name in tap.public_names() if name not in named)
    yield from (f"{name} is no function of sv.h" for name in named if name.startswith("sv_") and name not in tap.public_names())


def tests_exist():
    """each row names a test that exists and that make check runs"""
    makefile = tap.makefiles()
    for number, row in rows():
        if len(row) != 3 or not all(row):
            yield f"{TABLE}:{number}: not capability | file | test"
        elif not (tap.root / row[1]).is_file():
            yield f"{TABLE}:{number}: {row[1]} does not exist"
        elif not holds(tap.root / row[1], row[2]):
            yield f"{TABLE}:{number}: {row[1]} has no test {row[2]}"
        elif row[0].startswith("sv_") and row[0] not in (tap.root / row[1]).read_text():
            yield f"{TABLE}:{number}: {row[1]} does not call {row[0]}"
        elif not re.search(rf"{re.escape(row[1].removesuffix('.c'))}\b", makefile):
            yield f"{TABLE}:{number}: {row[1]} is in no makefile"


def named_tests(text):
    """What a page writes as `tests/unit/memory/buffer.c:name`: (file, name of the test inside)."""
    return re.findall(r"`(tests/[\w/]+\.(?:c|py)):([^`]+)`", text)


def lines_of(page):
    """(line number, cells) of each row of the tables of a page, but their heads and rules"""
    for number, line in enumerate((tap.root / page).read_text().splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and not set(cells[0]) <= set("-: "):
            yield number, cells


def pages_name_tests_that_exist():
    """each test that a page of doc/ names exists"""
    makefile = tap.makefiles()
    for page in sorted((tap.root / "doc").rglob("*.md")):
        for file, name in named_tests(page.read_text()):
            if not (tap.root / file).is_file() or not holds(tap.root / file, name):
                yield f"{page.name}: no test {file}:{name}"
            elif not re.search(rf"{re.escape(file.removesuffix('.c'))}\b", makefile):
                yield f"{page.name}: {file} is in no makefile"


def the_page_on_memory_names_functions():
    """functions that doc/memory.md names exist"""
    known = {*tap.public_names(), "sv_layout", "sv_view", "sv_allocator", "sv_buffer"}
    yield from sorted(set(re.findall(r"`(sv_[a-z_]+)", (tap.root / MEMORY).read_text())) - known)


def features_have_tests():
    """each row of doc/memory.md's comparison answers yes and names a test, or no and says why"""
    rows = [(number, cells) for number, cells in lines_of(MEMORY) if len(cells) == len(COMPARED)]
    if len(rows) < 40 or rows[0][1] != COMPARED:
        yield f"{MEMORY}: {len(rows)} rows of seven cells, the first is not {COMPARED}"
    for number, cells in rows[1:]:
        answer, tests = cells[-2:]
        if answer.startswith("yes: "):
            if not named_tests(tests):
                yield f"{MEMORY}:{number}: yes, but no test"
        elif not answer.startswith("no: ") or tests:
            yield f"{MEMORY}:{number}: neither yes with a test nor no with a reason"


def cases_have_tests():
    """doc/memory_cases.md has each of its cases once, with a test"""
    rows = [(number, cells) for number, cells in lines_of(CASES) if len(cells) == 5 and cells[0].isdigit()]
    if [int(cells[0]) for _, cells in rows] != list(range(1, 66)):
        yield f"{CASES}: not the numbers from 1 to 65"
    for number, cells in rows:
        if not named_tests(cells[4]):
            yield f"{CASES}:{number}: no test"


def tests_have_names_of_their_own():
    """no test hides one of its name above it in the same file"""
    for path in sorted(tap.root.glob("tests/**/test_*.py")):
        names = re.findall(r"^def (test_\w+)", path.read_text(), re.M)
        yield from (f"{path.name}: {name}" for name in sorted(set(names)) if names.count(name) > 1)


if __name__ == "__main__":
    tap.report(functions_have_tests, tests_exist, pages_name_tests_that_exist, the_page_on_memory_names_functions,
               features_have_tests, cases_have_tests, tests_have_names_of_their_own)
