"""TAP: the README's examples are those of the tree, its Python prints what it says; links of all pages lead somewhere."""

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
    marks = {"examples/copy.c": "/* [copy] */\n", "examples/memory/pinned.c": "/* [squares] */\n"}
    return all(block(f"from {name}", "c") == (root / name).read_text().split(mark)[1] for name, mark in marks.items())


def python_prints():
    run = subprocess.run([sys.executable, "-c", block("run", "python")], capture_output=True, text=True)
    print("".join(f"# {line}\n" for line in (run.stdout + run.stderr).splitlines()), end="")
    return run.returncode == 0 and run.stdout != "" and run.stdout == block("prints", "")


def anchors(text):
    """Of headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_somewhere(page, target):
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    return path.exists() and (not anchor or anchor in anchors(path.read_text()))


def links_lead_somewhere():
    links = [(page, target) for page in (root / "README.md", *sorted((root / "doc").rglob("*.md")))
             for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()) if ":" not in target]
    missing = [f"{page.name}: {target}" for page, target in links if not leads_somewhere(page, target)]
    print(f"# {len(links)} links, missing: {missing}")
    return bool(links) and not missing


checks = [
    ("C examples are those of examples/", c_is_the_example),
    ("Python example prints what the README says", python_prints),
    ("links lead somewhere", links_lead_somewhere),
]
print(f"1..{len(checks)}")
for number, (name, check) in enumerate(checks, 1):
    print(f"{'ok' if check() else 'not ok'} {number} - {name}")
