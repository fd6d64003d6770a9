"""Tells what tests/bench/copy and copy_peers.py measured: a table, a summary, a document and a plot.

    python copy_report.py [--document FILE] [--plot FILE] MEASURED.json ...
"""

import argparse
import json
import math
import re
import statistics
import sys
from pathlib import Path

from report import processor, replaced, table

CASES = Path(__file__).with_name("copy_cases.txt")
LIBRARIES = ["NumPy", "PyTorch", "JAX", "FFTW", "HPTT", "OpenBLAS", "MKL", "oneDNN", "libxsmm"]  # the order of colours too
MEASURED = " measured"  # behind the name of a library that times its plans before it takes one
COLOURS = ["#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#eeca3b", "#b279a2", "#9d755d", "#ff9da6"]
UNITS = {"copy": "", "fill": " of a fill", "ns": " ns", "memcpy + ns": " ns + memcpy"}

# Transposes at ordinary pitch, where two threads are to reach so much of what two reach in a contiguous copy.
OF_TWO = 0.85
ORDINARY = {"T 7264^2 f32", "T 43408x1216 f32", "T 1216x43408 f32", "T 5776^2 f64", "T 3000^2 c128", "T 11584^2 u16",
            "T 16000x16064 u8"}


# --- what was measured --------------------------------------------------------


def library(peer):
    return peer.removesuffix(MEASURED)


def merged(files):
    """The rows of all files, one for each case and number of threads, in the order of the list, with how many times faster
    libsv is than each peer; and what made them. Of what was measured twice the later file counts."""
    rows, facts = {}, {"versions": {}, "missing": []}
    read = [json.loads(Path(path).read_text()) for path in files]
    for measured in sorted(read, key=lambda m: "isa" not in m):
        facts["versions"].update(measured["versions"])
        facts["missing"] += measured.get("missing", [])
        facts.update({key: measured[key] for key in ("compiler", "isa") if key in measured})
        for row in measured["rows"]:
            key = measured["threads"], row["name"]
            if "to_best" in row:
                ahead = {**rows.get(key, {"ahead": {}})["ahead"], **{peer: of["ahead"] for peer, of in row["peers"].items()}}
                rows[key] = {**row, "threads": key[0], "ahead": ahead}
            elif key in rows:
                rows[key]["ahead"].update((peer, times) for peer, times in row["ahead"].items() if peer != "memcpy")
    for (threads, name), row in rows.items():
        if threads > 1:
            row["unit"], row["target"] = "copy", OF_TWO if name in ORDINARY else 0
    facts["missing"] = [name for name in LIBRARIES if name in facts["missing"] and name not in facts["versions"]]
    order = {line.split("|")[1].strip(): k for k, line in enumerate(CASES.read_text().splitlines()) if "|" in line}
    return sorted(rows.values(), key=lambda row: (row["threads"], order.get(row["name"], 0))), facts


def best_peer(row):
    """The peer that comes nearest and how many times faster libsv is, or None."""
    return min(row["ahead"].items(), key=lambda item: item[1], default=None)


def is_met(row):
    if row["unit"] == "ns":
        return row["ns"] <= row["target"]
    if row["unit"] == "memcpy + ns":
        return row["ns"] <= row["ns"] * row["to_memcpy"] + row["target"]
    return row["to_best"] >= row["target"]


# --- words ----------------------------------------------------------------------


def time_text(ns):
    return f"{ns:.0f} ns" if ns < 1e4 else f"{ns / 1e3:.0f} us" if ns < 1e6 else f"{ns / 1e6:.1f} ms"


def found_text(row):
    """What the target is about."""
    return time_text(row["ns"]) if "ns" in row["unit"] else f"{row['to_best']:.2f}"


def target_text(row):
    return f"{row['target']:g}{UNITS[row['unit']]}" if row["target"] else ""


def cells(row):
    peer = best_peer(row)
    verdict = ("met" if is_met(row) else "**missed**") if row["target"] else ""
    nearest = [peer[0], f"{row['to_best'] / peer[1]:.2f}", f"{peer[1]:.2f}"] if peer else ["", "", ""]
    return [row["name"], time_text(row["ns"]), f"{row['to_memcpy']:.2f}", f"{row['to_best']:.2f}", target_text(row), verdict,
            *nearest]


HEAD = ["case", "time", "of memcpy", "of C", "target", "", "best peer", "of C", "libsv is faster"]


def summary(rows, libraries=LIBRARIES, missing=()):
    lines = []
    peers = [(row, *best_peer(row)) for row in rows if best_peer(row)]
    if peers:
        mean = statistics.geometric_mean(times for _, _, times in peers)
        lines.append(f"libsv is {mean:.2f} times as fast as the best peer of each case, in the geometric mean of {len(peers)} cases.")
    for name in libraries:
        times = [min(t for peer, t in row["ahead"].items() if library(peer) == name) for row in rows
                 if any(library(peer) == name for peer in row["ahead"])]
        if times:
            lines.append(f"Of {name}: {statistics.geometric_mean(times):.2f} times, in {len(times)} cases, the least {min(times):.2f}.")
        elif name in missing:
            lines.append(f"{name}: not found here.")
    aimed = [row for row in rows if row["target"]]
    missed = [f"{row['name']} ({found_text(row)}, not {target_text(row)})" for row in aimed if not is_met(row)]
    lines.append(f"Targets: {len(aimed) - len(missed)} of {len(aimed)} are met. Missed: {'; '.join(missed) or 'none'}.")
    behind = [f"{row['name']} ({times:.2f} of {peer})" for row, peer, times in sorted(peers, key=lambda p: p[2]) if times < 1]
    lines.append(f"Behind a peer: {'; '.join(behind) or 'none'}.")
    return lines


# --- random copies ------------------------------------------------------------------

SIZES = {"below 30 KB": 30e3, "to 300 KB": 300e3, "to 3 MB": 3e6, "above": math.inf}  # of the destination
BEHIND, WORST = 0.95, 20  # of a peer's speed; as many copies are told


def of_limit(row):
    """The part of its limit that a copy reaches: a contiguous copy of the lines that both sides touch, or two where it
    converts, by way of a buffer."""
    passes = 2 if row["loop"].startswith("convert") else 1
    return row["to_best"] * row["traffic"] / (2 * row["nbytes"]) * passes


def size_of(row):
    return next(words for words, most in SIZES.items() if row["nbytes"] <= most)


def quantile(numbers, share):
    return sorted(numbers)[int(share * len(numbers))]


def spread_cells(name, rows):
    shares, ahead = [of_limit(row) for row in rows], [peer[1] for row in rows if (peer := best_peer(row))]
    behind = sum(times < BEHIND for times in ahead)
    return [name, str(len(rows)), *(f"{quantile(shares, share):.2f}" for share in (0.5, 0.05, 0.01)),
            f"{statistics.geometric_mean(ahead):.2f}" if ahead else "", f"{behind} of {len(ahead)}"]


def spread(rows):
    """What random copies reach, by size and by loop, and those that are the farthest behind a peer."""
    head = ["", "copies", "of limit", "5 %", "1 %", "to best peer", f"behind {BEHIND:g}"]
    lines = [head, spread_cells("all", rows)]
    for key in (size_of, lambda row: row["loop"]):
        names = sorted({key(row) for row in rows}, key=lambda name: list(SIZES).index(name) if name in SIZES else 0)
        lines += [spread_cells(name, [row for row in rows if key(row) == name]) for name in names]
    behind = sorted((row for row in rows if best_peer(row)), key=lambda row: best_peer(row)[1])[:WORST]
    worst = [f"  {times:.2f} of {peer}  {row['name']}, {row['loop']}" for row in behind
             for peer, times in [best_peer(row)] if times < 1]
    return "\n".join([aligned(lines, left=(0,)), "", "Behind a peer, the farthest first:", *(worst or ["  none"])])


# --- tables ---------------------------------------------------------------------------


def aligned(lines, left):
    """Text: columns of the greatest width, those in left to the left, the others to the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(" ".join(text.ljust(width) if k in left else text.rjust(width)
                              for k, (text, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def caches():
    """The first core's, as the system tells them."""
    found = []
    for place in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((place / name).read_text().strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found)


def by_threads(rows):
    """Words for each number of threads, and its rows."""
    words = {1: "one thread"}
    return [(words.get(threads, f"{threads} threads"), [row for row in rows if row["threads"] == threads])
            for threads in dict.fromkeys(row["threads"] for row in rows)]


def document(rows, facts):
    versions = ", ".join(f"{name} {number}" for name, number in sorted(facts["versions"].items()))
    parts = [f"{processor()}; {caches()}; compiled by {facts['compiler']}; kernels: {facts['isa']}.\nPeers: {versions}."]
    for words, members in by_threads(rows):
        parts += [f"## With {words}", "\n".join(f"* {line}" for line in summary(members, missing=facts["missing"]))]
        for group in dict.fromkeys(row["group"] for row in members):
            lines = [cells(row) for row in members if row["group"] == group]
            parts += [f"### {group[0].upper()}{group[1:]}", table(HEAD, lines)]
    return "\n\n".join(parts)


# --- picture ----------------------------------------------------------------------


def panels(rows):
    """Two columns of groups, of about the same height."""
    groups = [(group, [row for row in rows if row["group"] == group]) for group in dict.fromkeys(row["group"] for row in rows)]
    left, half = [], sum(len(members) + 3 for _, members in groups) / 2
    while groups and sum(len(members) + 3 for _, members in left) + len(groups[0][1]) / 2 < half:
        left.append(groups.pop(0))
    return left, groups


def draw_group(axis, group, rows, libraries):
    places = range(len(rows))
    axis.barh(places, [row["to_best"] for row in rows], color="#c9c9c9", height=0.7)
    for name, colour in zip(libraries, COLOURS):
        points = [(row["to_best"] / min(of), k) for k, row in enumerate(rows)
                  if (of := [times for peer, times in row["ahead"].items() if library(peer) == name])]
        if points:
            axis.plot(*zip(*points), "o", color=colour, markersize=3)
    marks = [(row["target"], k) for k, row in enumerate(rows) if row["target"] and "ns" not in row["unit"]]
    if marks:
        axis.plot(*zip(*marks), "|", color="black", markersize=6)
    axis.axvline(1, color="black", linewidth=0.5)
    axis.set(xlim=(0, 1.25), ylim=(len(rows) - 0.4, -0.6), title=group)
    axis.set_yticks(places, [row["name"] for row in rows])
    axis.tick_params(axis="y", length=0)
    axis.spines[["top", "right", "left"]].set_visible(False)


def draw(rows, path, libraries=LIBRARIES, title="speed, of the best contiguous copy of as many bytes"):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "font.size": 6, "axes.titlesize": 7, "axes.titlelocation": "left",
                         "font.sans-serif": ["DejaVu Sans"], "svg.hashsalt": "libsv"})
    columns = [column for column in panels(rows) if column]
    tallest = max(sum(len(members) + 3 for _, members in column) for column in columns)
    figure = plt.figure(figsize=(4.2 * len(columns), 0.13 * tallest))
    for k, column in enumerate(columns):
        top = 0.0
        for group, members in column:
            bottom = top + (len(members) + 3) / tallest
            height = len(members) / tallest
            width = 1 / len(columns)
            axis = figure.add_axes([(k + 0.45) * width, 1 - bottom + 1 / tallest, 0.52 * width, height])
            draw_group(axis, group, members, libraries)
            top = bottom
    handles = [plt.Line2D([], [], color=colour, marker="o", linestyle="", markersize=3)
               for _, colour in zip(libraries, COLOURS)]
    figure.legend([plt.Rectangle((0, 0), 1, 1, color="#c9c9c9"), *handles, plt.Line2D([], [], color="black", marker="|", linestyle="")],
                  ["libsv", *libraries, "target"], ncols=6, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False,
                  title=title)
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    text = re.sub(r"(\.\d)\d+", r"\1", Path(path).read_text())  # a tenth of a point will do
    Path(path).write_text(re.sub(r"<!--.*?-->|^ +| *; *(?=\")", "", text, flags=re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("measured", nargs="+")
    parser.add_argument("--document", type=Path, help="where the tables go, between its marks")
    parser.add_argument("--spread", action="store_true", help="also the parts of their limits that copies reach, by loop")
    parser.add_argument("--plot", help="where the picture goes")
    options = parser.parse_args()
    rows, facts = merged(options.measured)
    if not rows:
        sys.exit("nothing was measured")
    for words, members in by_threads(rows):
        print(f"With {words}:\n")
        print(aligned([HEAD, *map(cells, members)], left=(0, 6)))
        print("\n".join(["", *summary(members, missing=facts["missing"]), ""]))
        if options.spread:
            print(spread(members))
    if options.document:
        options.document.write_text(replaced(options.document.read_text(), document(rows, facts)))
    if options.plot:
        draw([row for row in rows if row["threads"] == 1], options.plot)


if __name__ == "__main__":
    main()
