"""Lays out what Sphinx reads, from the documents as they are: stage.py SOURCE FOLDER.

The pages are README.md, ChangeLog and every page below doc/; what they link to in the tree becomes a page, too: a source
with its text, a folder with its README or a list of its files. Paths stay the same, so that links between documents hold.
README.md becomes index.md, the first page. Links that lead nowhere are left as they are, for Sphinx to refuse.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

LANGUAGES = {
    ".c": "c", ".cpp": "c++", ".cu": "c++", ".h": "c", ".hpp": "c++", ".jl": "julia", ".lua": "lua", ".mk": "make",
    ".py": "python", ".pyx": "cython", ".rs": "rust", ".sh": "sh", ".toml": "toml",
}
PICTURES = {".png", ".svg"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^```.*?^```$|``.+?``|`[^`]+?`", re.M | re.S)
ORPHAN = "---\norphan: true\n---\n\n"


class Stage:
    """The tree that Sphinx reads: each page is written once, and then those that it leads to."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source, self.folder = source.resolve(), folder
        self.written: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def page_of(self, target: Path) -> str | None:
        """The page, or the picture, that a file or folder of the tree becomes; None of what is not there."""
        name = target.relative_to(self.source).as_posix()
        if target.is_dir():
            has_readme = (target / "README.md").exists()
            return self.page_of(target / "README.md") if has_readme else f"{name}/index.md"
        if not target.is_file():
            return None
        if name == "README.md":
            return "index.md"
        return name if target.suffix == ".md" or target.suffix in PICTURES else f"{name}.md"

    def link(self, page: Path, name: str, target: str) -> str:
        """A link of a page as it is on the site; what it leads to is staged."""
        file, mark, anchor = target.partition("#")
        if not file or ":" in file:
            return target
        path = Path(os.path.normpath(page.parent / file))
        if not path.is_relative_to(self.source):
            return target
        to = self.page_of(path)
        if to is None:
            return target
        self.add(path)
        return os.path.relpath(to, Path(name).parent) + mark + anchor

    def links(self, page: Path, name: str, text: str) -> str:
        """The text of a page with the links of the site; what stands in code is no link."""
        parts, end = [], 0
        for code in FENCE.finditer(text):
            parts += [(text[end:code.start()], True), (code.group(), False)]
            end = code.end()
        parts.append((text[end:], True))

        def replaced(found: re.Match[str]) -> str:
            return found[1] + self.link(page, name, found[2]) + found[3]

        return "".join(LINK.sub(replaced, part) if prose else part for part, prose in parts)

    def add(self, path: Path, after: str = "") -> None:
        """Stage the page of a file or folder, with more text after it."""
        name = self.page_of(path)
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        if name is None or path in self.written:
            return
        self.written.add(path)
        if path.is_dir():
            names = sorted(p.name + "/" * p.is_dir() for p in path.iterdir() if p.suffix in LANGUAGES or p.is_dir())
            text = f"# {name[:-len('/index.md')]}\n\n" + "".join(f"* [{each}]({each})\n" for each in names)
            self.write(name, ORPHAN + self.links(path / "index.md", name, text))
        elif path.suffix in PICTURES:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.folder / name)
        elif path.suffix == ".md":
            inside = path.is_relative_to(self.source / "doc") or name == "index.md"
            self.write(name, ("" if inside else ORPHAN) + self.links(path, name, path.read_text()) + after)
        else:
            fence = "`" * 6
            language = LANGUAGES.get(path.suffix, "text")
            self.write(name, f"{ORPHAN}# {name[:-3]}\n\n{fence}{language}\n{path.read_text()}{fence}\n")


def contents(source: Path) -> str:
    """The tables of contents of contents.md: of the pages that are there. "FOLDER/..." is all that no line names."""
    text = (source / "doc/site/contents.md").read_text()
    named = set(text.split("\n"))
    lines: list[str] = []
    for line in text.split("\n"):
        if line.endswith("/..."):
            folder = line.removesuffix("/...")
            pages = (f"{folder}/{page.stem}" for page in (source / folder).glob("*.md"))
            lines += sorted(page for page in pages if page not in named)
        elif not line.startswith("doc/") or (source / f"{line}.md").exists():
            lines.append(line)
    return "\n".join(lines)


def main(source: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    stage = Stage(source, folder)
    stage.add(stage.source / "README.md", "\n" + contents(source))
    stage.add(stage.source / "ChangeLog")
    for page in sorted((stage.source / "doc").rglob("*.md")):
        if "site" not in page.relative_to(stage.source / "doc").parts:
            stage.add(page)
    for page in sorted((stage.source / "doc/site").rglob("*.rst")):
        stage.write(page.relative_to(stage.source / "doc/site").as_posix(), page.read_text())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
