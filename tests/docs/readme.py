"""TAP: the README's examples are those of the tree, and its Python prints what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

root = Path(os.environ.get("srcdir", Path(__file__).parents[2]))
readme = (root / "README.md").read_text()


def block(mark, language):
    """The fenced blocks that follow each <!-- mark -->, one after another."""
    return "".join(re.findall(rf"<!-- {re.escape(mark)} -->\n```{language}\n(.*?)```", readme, re.S))


def c_is_the_example():
    example = (root / "examples/copy.c").read_text()
    return block("from examples/copy.c", "c") == example.split("/* [copy] */\n")[1]


def python_prints():
    run = subprocess.run([sys.executable, "-c", block("run", "python")], capture_output=True, text=True)
    print("".join(f"# {line}\n" for line in (run.stdout + run.stderr).splitlines()), end="")
    return run.returncode == 0 and run.stdout != "" and run.stdout == block("prints", "")


def links_exist():
    targets = re.findall(r"\]\(([^)#:]+)\)", readme)
    missing = [target for target in targets if not (root / target).exists()]
    print(f"# {len(targets)} links, missing: {missing}")
    return bool(targets) and not missing


checks = [
    ("C example is examples/copy.c", c_is_the_example),
    ("Python example prints what the README says", python_prints),
    ("links lead to files", links_exist),
]
print(f"1..{len(checks)}")
for number, (name, check) in enumerate(checks, 1):
    print(f"{'ok' if check() else 'not ok'} {number} - {name}")
