"""Writes what was measured into doc/benchmarks.md, between its marks.

    python report.py DOCUMENT C.json PYTHON.json INTERCHANGE.json
"""

import json
import platform
import re
import sys
from pathlib import Path

BEGIN, END = "<!-- measured -->", "<!-- end of what was measured -->"
PEERS = ["cuda-core", "NumPy"]


def verdict(ns, row):
    if not row.get("limit"):
        return ["", ""]
    return [f"{row['target']}: {row['limit']:.0f}", "met" if ns <= row["limit"] else "**missed**"]


def table(head, lines):
    """Markdown; the first column is text, the others are numbers."""
    rule = ["---"] + ["--:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *lines])


def c_table(measured):
    unit = next(row["ns"] for row in measured["rows"] if row["name"] == measured["unit"])
    lines = [[row["name"], f"{row['ns']:.1f}", f"{row['ns'] / unit:.2f}", *verdict(row["ns"], row)]
             for row in measured["rows"]]
    return table(["in C", "ns", f"x {measured['unit']}", "target, ns", ""], lines)


def python_table(measured, group):
    lines = []
    for row in measured["rows"]:
        if row["group"] != group:
            continue
        ours = row["ns"]["strideview"]
        peers = [cell for who in PEERS for cell in
                 ([f"{row['ns'][who]:.0f}", f"{ours / row['ns'][who]:.2f}"] if who in row["ns"] else ["", ""])]
        name = f"`{row['name']}`"
        if row["numpy"] != row["name"]:
            name += f", NumPy `{row['numpy']}`"
        lines.append([name, f"{ours:.0f}", *peers, *verdict(ours, row)])
    head = [f"{group} in Python", "ns"]
    for who in PEERS:
        head += [f"{who}, ns", "ratio"]
    return table([*head, "target, ns", ""], lines)


def interchange_table(measured):
    lines = []
    for row in measured["rows"]:
        ours, best = row["ns"]["strideview"], row["best"]
        peers = sorted((ns, who) for who, ns in row["ns"].items() if who not in ("strideview", best))
        cells = ["", ""] if best is None else [f"{best}: {row['ns'][best]:.0f}", f"{ours / row['ns'][best]:.2f}"]
        name = f"`{row['name']}`" if "(" in row["name"] or "." in row["name"] else row["name"]
        lines.append([name, f"{ours:.0f}", f"{row['wanted']:.0f}", *cells, "met" if row["met"] else "**missed**",
                      ", ".join(f"{who} {ns:.0f}" for ns, who in peers)])
    return table(["interchange", "ns", "wanted, ns", "best peer, ns", "ratio", "", "other peers, ns"], lines)


def processor():
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, re.M))
    if "model name" not in found:
        return platform.machine()
    return f"{found['model name']} (family {found.get('cpu family')}, model {found.get('model')})"


def report(of_c, of_python, of_interchange):
    numbers = {**of_python["versions"], **of_interchange["versions"]}
    versions = [f"{name} {number}" for name, number in numbers.items()]
    system = f"{platform.system()}, {' '.join(platform.libc_ver())}, {of_c['compiler']}"
    parts = [f"{processor()}; {system}; {', '.join(versions)}.", c_table(of_c), python_table(of_python, "layout"),
             python_table(of_python, "view"), interchange_table(of_interchange)]
    missing = {**of_python["missing"], **of_interchange["missing"]}
    parts += [f"Without {who}: {why}." for who, why in missing.items()]
    return "\n\n".join(parts)


def replaced(document, text):
    """The document with text between its marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"no place for the tables: {BEGIN} and {END} are missing")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


def main(document, *measured):
    read = (json.loads(Path(path).read_text()) for path in measured)
    path = Path(document)
    path.write_text(replaced(path.read_text(), report(*read)))


if __name__ == "__main__":
    main(*sys.argv[1:])
