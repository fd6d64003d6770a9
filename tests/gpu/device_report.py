"""Tells what measure.py measured: a table as text, a summary, JSON and a picture. Targets are shown, none fails."""

import json

import copy_report
import device_peers

HEAD = ["case", "kernel", "time", "GB/s", "ratio", "to", "target", "", "best peer", "libsv is faster", "all peers"]
LEFT = (0, 1, 5, 7, 8, 10)


def cells(row):
    if "wrong" in row:
        return [row["name"], row["wrong"], *[""] * (len(HEAD) - 2)]
    peer = copy_report.best_peer(row)
    verdict = ("met" if copy_report.is_met(row) else "missed") if row["target"] else ""
    ratio = f"{row['to_best']:.2f}" if "to_best" in row else ""
    speed = f"{row['gbs']:.0f}" if "gbs" in row else ""
    all_peers = [f"{name} {times:.2f}" for name, times in row["ahead"].items()]
    all_peers += [f"{name}: {note}" for name, note in row.get("notes", {}).items()]
    nearest = [peer[0], f"{peer[1]:.2f}"] if peer else ["", ""]
    return [row["name"], row.get("kernel", ""), copy_report.time_text(row["ns"]), speed, ratio, row["of"],
            copy_report.target_text(row), verdict, *nearest, ", ".join(all_peers)]


def text(out):
    """The table, a part for each group, and the summary."""
    rows = out["rows"]
    versions = ", ".join(f"{name} {number}" for name, number in out["versions"].items()) or "no other library"
    parts = [f"{out['machine']}, {out['clock']}; libsv {out['libsv']}; {versions}"]
    table = copy_report.aligned([HEAD, *map(cells, rows)], LEFT).splitlines()
    parts.append(table[0])
    for group in dict.fromkeys(row["group"] for row in rows):
        parts.append("\n".join([group, *(line for row, line in zip(rows, table[1:]) if row["group"] == group)]))
    right = [row for row in rows if "wrong" not in row]
    return "\n\n".join([*parts, "\n".join(copy_report.summary(right, list(device_peers.WAYS)))]) + "\n"


def write_json(out, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(json.dumps(out, indent=1))


def write(out, folder):
    """JSON, table and, where matplotlib is installed, the picture; what was written."""
    write_json(out, folder)
    paths = [folder / name for name in ("bench.json", "bench.txt", "bench.svg")]
    paths[1].write_text(text(out))
    rows = [row for row in out["rows"] if "to_best" in row]
    if not rows:
        return paths[:2]
    try:
        copy_report.draw(rows, paths[2], list(device_peers.WAYS), "speed, of what the table compares each copy with")
    except ImportError:
        return paths[:2]
    return paths
