"""Reads the headers one by one: what each tells on its first page, and what it declares. For gen_man.py."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from read_header import BEGIN, Constants, Section, clean_comment, find_region, read, read_files, split_comments

HEADER = Path(__file__).resolve().parent.parent / "include/sv.h"


@dataclass
class Topic:
    """A header: its first page, and what it declares."""

    path: str  # sv/copy.h
    title: str
    intro: str
    notes: list
    items: list = field(default_factory=list)

    @property
    def name(self):
        return self.path.replace("/", "_")

    def every(self, kind):
        return [item for item in self.items if isinstance(item, kind)]


def intro_of(text):
    """Title and text of the comment that a header begins with."""
    comment = clean_comment(re.match(r"/\*(.*?)\*/", text, re.S)[0].replace("/*", "/**", 1))
    title, _, rest = comment.partition("\n")
    rest = re.sub(r"\A\n*Copyright .*\n", "", rest.lstrip("\n"))
    return title.removeprefix("libsv: ").rstrip("."), rest.strip("\n")


def read_topics():
    """The headers in the order of sv.h, with the declarations of each, and all declarations together."""
    topics, regions = [], []
    for name, text in read_files(HEADER):
        path = name if name == "sv.h" else f"sv/{name}"
        region = find_region(text)[0] if BEGIN in text else ""
        notes = [clean_comment(note.replace("/*", "/**", 1)) for note in re.findall(r"(?s)^/\*\n.*?\*/", region, re.M)]
        topics.append(Topic(path, *intro_of(text), notes))
        regions.append(split_comments(region)[0])
    header = read(HEADER)
    heading = []
    for item in header.items:
        heading.append(item)
        if not isinstance(item, Section):
            home_of(item, topics, regions).items += heading
            heading = []
    return topics, header


def home_of(item, topics, regions):
    """A name is declared before its use, and so by the first header that has it outside comments."""
    name = item.constants[0].name if isinstance(item, Constants) else item.name
    return next(topic for topic, region in zip(topics, regions) if re.search(rf"\b{name}\b", region))
