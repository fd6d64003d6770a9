"""TAP: who writes the fields of a plan: plan.c and part.c alone, which keep the rules of its canonical form."""

import concurrent.futures
import functools
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

import circles
import tap

MAKERS = {"plan/plan.c", "plan/part.c"}
HEADER = '#include "plan/plan.h"\nvoid change(struct svi_plan *plan, const struct svi_plan *other, int64_t *from);\n'
CHANGES = {
    "a field": "plan->item = 2",
    "an extent": "plan->shape[1]++",
    "all of it": "*plan = *other",
    "strides by a pointer": "__builtin_memcpy(plan->dst, from, 16)",
}


def has_plans(path):
    """Whether a source names a plan or what has one; a source that does not cannot write its fields."""
    return re.search(r"\bplan\b|\bsvi_(job|affine|request)\b", path.read_text())


@functools.cache
def command():
    """The compiler with the flags that the library is built with, as far as they say what a source means."""
    variables = dict(re.findall(r"^(\w+) = ?(.*)$", Path("Makefile").read_text(), re.M))
    flags = "$(CC) $(DEFS) $(AM_CPPFLAGS) $(libsvcore_la_CPPFLAGS) $(CPPFLAGS)"
    while "$(" in flags:
        flags = re.sub(r"\$\((\w+)\)", lambda match: variables.get(match[1], ""), flags)
    return [*shlex.split(flags), "-fsyntax-only", "-DSVI_SEALED=const"]


def faults(source):
    """What the compiler says of a source in which the fields of plans are const."""
    run = subprocess.run([*command(), source], capture_output=True, text=True)
    return [line for line in run.stderr.splitlines() if re.search(r"error:|discards", line)]


def writes_in_one_place():
    """no source but plan.c and part.c writes a field of a plan, or gives a pointer to one away to be written"""
    built = sorted({path for path, _, _ in circles.library_symbols() if path.suffix == ".c"})
    sources = [path for path in built if has_plans(path) and str(path.relative_to(tap.root / "src")) not in MAKERS]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(faults, sources):
            yield from found


def writes_are_seen():
    """and that is seen: sources that do it do not compile"""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "change.c")
        for what, statement in CHANGES.items():
            source.write_text(HEADER.replace(";\n", f"\n{{\n    {statement};\n}}\n"))
            if not faults(source):
                yield what


if __name__ == "__main__":
    tap.report(writes_in_one_place, writes_are_seen)
