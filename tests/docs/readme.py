"""TAP: examples of README.md and doc/ are those of the tree, their Python prints what they say; links lead somewhere."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

root = Path(os.environ.get("srcdir", Path(__file__).parents[2]))
pages = [root / "README.md", *sorted((root / "doc").rglob("*.md"))]


def blocks(page, mark, language):
    """The fenced blocks that follow each <!-- mark -->."""
    return re.findall(rf"<!-- {mark} -->\n```{language}\n(.*?)```", page.read_text(), re.S)


def parts_of(program):
    """What stands between two equal comments /* [name] */, or # [name], of an example."""
    text = program.read_text()
    found = re.findall(r"^ *(?:/\*|#) (\[\w+\])(?: \*/)?\n(.*?)^ *(?:/\*|#) \1(?: \*/)?$", text, re.M | re.S)
    return [textwrap.dedent(part) for _, part in found]


def programs_are_the_examples():
    shown = [(page, name, block) for page in pages for name in re.findall(r"<!-- from (\S+\.(?:[ch]\S*|py)) -->", page.read_text())
             for block in blocks(page, f"from {re.escape(name)}", "(?:c|cpp|python)")]
    wrong = [f"{page.name}: {name}" for page, name, block in shown if block not in parts_of(root / name)]
    print(f"# {len(shown)} blocks, not of their example: {wrong}")
    return len(shown) >= 3 and not wrong


def python_prints():
    good = [page.name for page in pages if blocks(page, "run", "python") and prints(page)]
    print(f"# {', '.join(good)}")
    return len(good) == sum(bool(blocks(page, "run", "python")) for page in pages) >= 2


def prints(page):
    """All blocks of a page are one program."""
    run = subprocess.run([sys.executable, "-c", "".join(blocks(page, "run", "python"))], capture_output=True, text=True)
    good = run.returncode == 0 and run.stdout == "".join(blocks(page, "prints", "")) != ""
    if not good:
        print("".join(f"# {page.name}: {line}\n" for line in (run.stdout + run.stderr).splitlines()), end="")
    return good


def anchors(text):
    """Of headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_somewhere(page, target):
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    return path.exists() and (not anchor or anchor in anchors(path.read_text()))


def links_lead_somewhere():
    links = [(page, target) for page in pages for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text())
             if ":" not in target]
    missing = [f"{page.name}: {target}" for page, target in links if not leads_somewhere(page, target)]
    print(f"# {len(links)} links, missing: {missing}")
    return bool(links) and not missing


checks = [
    ("programs are those of the examples", programs_are_the_examples),
    ("Python prints what the pages say", python_prints),
    ("links lead somewhere", links_lead_somewhere),
]
print(f"1..{len(checks)}")
for number, (name, check) in enumerate(checks, 1):
    print(f"{'ok' if check() else 'not ok'} {number} - {name}")
