"""TAP: every snippet and picture of the pages for beginners is cut from a program that tests run, or made by one.

A block follows one of these marks: "run" and "prints", which tests/docs/readme.py runs; "run with NAME", a program of its
own for where the package NAME is installed; "from FILE", of readme.py, too; "cut from FILE", lines of a file that the
table below says who runs. A picture follows "drawn: EXPRESSION", a layout. pages.py --draw writes the pictures.
"""

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import strideview as sv

root = Path(os.environ.get("srcdir", Path(__file__).parents[2]))
PAGES = [root / "doc" / f"{name}.md" for name in ("abi", "coming_from", "concepts", "quick_start", "recipes")]
BLOCK = re.compile(r"(?:<!-- ([^>]*) -->\n)?```(\w[\w+]*)\n(.*?)```", re.S)
PROGRAMS = {"c", "c++", "cpp", "cython", "python", "rust"}
PICTURE = re.compile(r"<!-- drawn: (.*) -->\n!\[[^]]*\]\((\S+\.svg)\)")
FIRST = "green: 0.2 0.4 0.6\ngreen: 0.8 1.0 0.0\n"

# Who runs a file that blocks are cut from.
RUN_BY = {
    "examples/collate.py": "tests/py/test_scale.py",
    "examples/extensions/plain.c": "tests/py/test_extensions.py",
    "examples/extensions/with_cython.pyx": "tests/py/test_extensions.py",
    "examples/extensions/with_nanobind.cpp": "tests/py/test_extensions.py",
    "examples/extensions/with_pybind11.cpp": "tests/py/test_extensions.py",
    "examples/first.cpp": "tests/docs/pages.py",
    "rust/strideview/examples/planes.rs": "tests/abi/rust_crates.py",
}


def blocks():
    """(page, mark, language, text) of each fenced block."""
    for page in PAGES:
        for mark, language, text in BLOCK.findall(page.read_text()):
            yield page, mark, language, text


def every_block_has_a_mark():
    found = [(page, mark) for page, mark, language, _ in blocks() if language in PROGRAMS]
    bare = [page.name for page, mark in found
            if not re.match(r"(run|given|from \S+|cut from \S+|run with \S+)$", mark)]
    print(f"# {len(found)} blocks, without a mark: {bare}")
    return len(found) >= 10 and not bare


def is_cut_from(text, program):
    """Whether these lines stand in a file, all of them deeper by as much, or not."""
    shown, lines = text.rstrip("\n").split("\n"), program.read_text().split("\n")
    return any(textwrap.dedent("\n".join(lines[i:i + len(shown)])) == textwrap.dedent("\n".join(shown))
               for i in range(len(lines)))


def blocks_are_those_of_programs():
    cut = [(page, mark.removeprefix("cut from "), text) for page, mark, _, text in blocks() if mark.startswith("cut from ")]
    wrong = [f"{page.name}: {name}" for page, name, text in cut
             if name not in RUN_BY or not is_cut_from(text, root / name)]
    idle = [name for name, runner in RUN_BY.items()
            if not (root / runner).exists() or Path(name).stem not in (root / runner).read_text()
            and Path(name).parent.name not in (root / runner).read_text()]
    print(f"# {len(cut)} blocks, not of their program: {wrong}, run by nobody: {idle}")
    return len(cut) >= 5 and not wrong and not idle


def programs_with_peers():
    """What needs another package is run where that is installed."""
    good = True
    for page in PAGES:
        for name in sorted(set(re.findall(r"<!-- run with (\w+) -->", page.read_text()))):
            if importlib.util.find_spec(name) is None:
                print(f"# {page.name}: no {name}")
                continue
            program = "".join(text for where, mark, _, text in blocks() if where == page and mark == f"run with {name}")
            run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
            expected = "".join(re.findall(rf"<!-- prints with {name} -->\n```\n(.*?)```", page.read_text(), re.S))
            if run.returncode != 0 or run.stdout != expected:
                good = False
                print("".join(f"# {page.name}: {line}\n" for line in (run.stdout + run.stderr).splitlines()), end="")
    return good


def pictures():
    for page in PAGES:
        for expression, name in PICTURE.findall(page.read_text()):
            layout = eval(expression, {"sv": sv})
            title = f"shape {layout.shape}, strides {layout.strides}" + f", offset {layout.slice_offset}" * bool(layout.slice_offset)
            yield page.parent / name, sv.draw(layout, title=title)


def pictures_are_drawn():
    made = list(pictures())
    wrong = [path.name for path, text in made if not path.exists() or path.read_text() != text]
    print(f"# {len(made)} pictures, not as drawn: {wrong}")
    return len(made) >= 5 and not wrong


def the_first_program_in_cpp_runs():
    program = Path(os.environ.get("builddir", ".")) / "examples/first_cpp"
    if not program.exists():
        print("# no C++17")
        return True
    run = subprocess.run([program], capture_output=True, text=True)
    return (run.returncode, run.stdout, run.stderr) == (0, FIRST, "")


if sys.argv[1:] == ["--draw"]:
    for path, text in pictures():
        path.write_text(text)
    sys.exit()

checks = [
    ("every program has a mark", every_block_has_a_mark),
    ("blocks are those of programs that are run", blocks_are_those_of_programs),
    ("programs with other packages print what the pages say", programs_with_peers),
    ("pictures are what strideview draws", pictures_are_drawn),
    ("the first program in C++ prints what it should", the_first_program_in_cpp_runs),
]
print(f"1..{len(checks)}")
for number, (name, check) in enumerate(checks, 1):
    print(f"{'ok' if check() else 'not ok'} {number} - {name}")
