"""A latency-bandwidth model of redistributions over many ranks, from what tests/mpi/scaling measured here.

    python tests/mpi/model.py            prints the tables of doc/mpi_scaling.md
    python tests/mpi/model.py --write    writes them into it, and doc/mpi_scaling.svg

tests/mpi/scaling.txt has the measured figures: "mpi NAME" lines, each with the output of runs of tests/mpi/scaling.
The page describes the routes, and what is assumed of the network.
"""

import argparse
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, PICTURE, MEASURED = ROOT / "doc/mpi_scaling.md", ROOT / "doc/mpi_scaling.svg", ROOT / "tests/mpi/scaling.txt"
# Assumed of a cluster: ranks of a node, bytes a second that a node's network moves, seconds that a message costs its rank.
NODE, NETWORK, MESSAGE = 32, 25e9, 1.5e-6
CHUNK = 256 << 10
LOADS = (64 << 10, 1 << 20, 16 << 20, 256 << 20)  # bytes that each rank has
NAMES = {"R": "R: read in place", "S": "S: shared memory", "C": "C: chunked messages", "T": "T: derived types",
         "2": "2: two levels"}
RANKS = tuple(2 ** k for k in range(1, 16, 2))


def read(path=MEASURED):
    """{MPI: {ranks: {name: number}}}, in seconds and bytes a second."""
    found = {}
    for line in path.read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "mpi":
            of_mpi = found.setdefault(" ".join(words[1:]), {})
        elif words[0] == "ranks":
            run = of_mpi.setdefault(int(words[1]), {})
        else:
            run[words[0]] = float(words[1]) * {"ms": 1e-3, "us": 1e-6, "GB/s": 1e9}[words[2]]
    return found


class Machine:
    """What the routes take, in seconds: each rank has `load` bytes, of which every rank gets as many."""

    def __init__(self, figures):
        self.pack, self.type, self.near = figures["pack"], figures["type"], figures["latency"]
        self.told, self.chunk = figures["agreements"], figures["chunk"]

    def agree(self, ranks):
        """The two agreements of an execution: within a node each rank reads what all others tell, else two reductions."""
        return self.told * (ranks - 1) if ranks <= NODE else 2 * MESSAGE * math.ceil(math.log2(ranks))

    def shared(self, load, ranks):
        """Packed into memory of the machine and unpacked from it."""
        if ranks > NODE:
            return math.inf
        share = load / ranks
        return self.agree(ranks) + (ranks - 1) * math.ceil(share / CHUNK) * self.chunk + 2 * (load - share) / self.pack + share / self.pack

    def reading(self, load, ranks):
        """Copied by the receivers from where it lies."""
        if ranks > NODE:
            return math.inf
        return self.agree(ranks) + (ranks - 1) * self.chunk + load / self.pack

    def wire(self, load, ranks):
        """What leaves the node, which all its ranks send by one network."""
        return load * (ranks - min(ranks, NODE)) / ranks * min(ranks, NODE) / NETWORK

    def chunks(self, load, ranks):
        """Packed, sent and unpacked in chunks: one is packed while another travels. Within the node by shared memory."""
        if ranks <= NODE:
            return math.inf
        share = math.ceil(load / ranks / CHUNK)
        return self.agree(ranks) + (ranks - NODE) * share * MESSAGE + (NODE - 1) * share * self.chunk \
            + max(self.wire(load, ranks), 2 * load / self.pack)

    def types(self, load, ranks):
        """MPI_Alltoallw: a message a rank, MPI packs and unpacks, and nothing overlaps."""
        message = MESSAGE if ranks > NODE else self.near
        return (ranks - 1) * message + self.wire(load, ranks) + 2 * load / self.type

    def two_level(self, load, ranks):
        """All ranks of a node pack into its memory what goes to another node, which one of them sends. Each chunk waits
        twice for all ranks of the node."""
        if ranks <= NODE:
            return math.inf
        nodes = ranks // NODE
        rounds = math.ceil((nodes - 1) / NODE) * math.ceil(load / ranks * NODE * NODE / CHUNK)
        return self.agree(ranks) + rounds * (MESSAGE + self.agree(NODE)) \
            + max(self.wire(load, ranks), 2 * load / self.pack)

    def routes(self, load, ranks):
        return {"R": self.reading(load, ranks), "S": self.shared(load, ranks), "C": self.chunks(load, ranks), "T": self.types(load, ranks), "2": self.two_level(load, ranks)}

    def best(self, load, ranks, but=""):
        routes = self.routes(load, ranks)
        return min((key for key in routes if key not in but), key=routes.get)

    def first(self, load, route):
        """The least number of ranks, in steps of nodes beyond the first one, for which a route is the best; None: none up
        to 1024 nodes. Sources that others can read are left out for all but that route."""
        counts = (*range(2, NODE), *range(NODE, 1025 * NODE, NODE))
        return next((ranks for ranks in counts if self.best(load, ranks, "" if route == "R" else "R") == route), None)


# --- tables ---------------------------------------------------------------------------

def size(nbytes):
    return f"{nbytes >> 20} MiB" if nbytes >= 1 << 20 else f"{nbytes >> 10} KiB"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def milliseconds(seconds):
    return "" if math.isinf(seconds) else f"{seconds * 1e3:.3g}"


def measured_table(found):
    rows, names = [], {"columns": "rows to columns", "transpose": "transposed", "stencil": "a step of the stencil",
                       "halos": "its halos alone"}
    for mpi, runs in found.items():
        for name, told in names.items():
            rows.append([f"{told}, {mpi}", *(milliseconds(runs[ranks][name]) for ranks in (1, 2, 4))])
    return table(["ms", "1 rank", "2 ranks", "4 ranks"], rows)


def parameter_table(found):
    names = {"memcpy": ("`memcpy`, GB/s", 1e9), "pack": ("packing by `sv_copy`, GB/s", 1e9), "type": ("packing by `MPI_Pack`, GB/s", 1e9),
             "message": ("messages of 4 MiB, GB/s", 1e9), "latency": ("latency of MPI, us", 1e-6), "agreements": ("both agreements of an execution, us", 1e-6),
             "chunk": ("a chunk of 64 bytes each way, us", 1e-6)}
    return table(["two ranks at once", *found], [[told, *(f"{runs[2][name] / unit:.3g}" for runs in found.values())]
                                                for name, (told, unit) in names.items()])


def winner_table(machine):
    return table(["bytes of a rank", *map(str, RANKS)],
                 [[size(load), *(f"{machine.best(load, ranks)} {milliseconds(min(machine.routes(load, ranks).values()))}" for ranks in RANKS)]
                  for load in LOADS])


def first_table(machine):
    return table(["bytes of a rank", *NAMES.values()],
                 [[size(load), *(str(machine.first(load, key) or "never") for key in NAMES)] for load in LOADS])


def route_table(machine, load):
    routes = [machine.routes(load, ranks) for ranks in RANKS]
    return table([f"ms, {size(load)} a rank", *map(str, RANKS)], [[told, *(milliseconds(each[key]) for each in routes)] for key, told in NAMES.items()])


def tables():
    """{name: text} of all that the page has."""
    found = read()
    machine = Machine(next(iter(found.values()))[2])
    return {"measured": measured_table(found), "parameters": parameter_table(found), "winners": winner_table(machine),
            "first": first_table(machine),
            "routes": route_table(machine, 16 << 20)}


# --- the picture ----------------------------------------------------------------------

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555")


def panel(left, title, series, labels):
    """Lines over numbers of ranks, both axes logarithmic: {name: [(ranks, milliseconds)]}."""
    points = [point for each in series.values() for point in each]
    low_x, high_x = (math.log2(f(x for x, _ in points)) for f in (min, max))
    low_y, high_y = (f(math.log10(g(y for _, y in points))) for f, g in ((math.floor, min), (math.ceil, max)))

    def at(x, y):
        return (left + 50 + 270 * (math.log2(x) - low_x) / (high_x - low_x), 260 - 220 * (math.log10(y) - low_y) / (high_y - low_y))

    yield f'<text x="{left + 185}" y="20" text-anchor="middle" font-weight="bold">{title}</text>'
    for power in range(low_y, high_y + 1):
        y = at(2 ** low_x, 10 ** power)[1]
        yield f'<path d="M{left + 50} {y:.0f}h270" stroke="#ddd"/><text x="{left + 44}" y="{y + 4:.0f}" text-anchor="end">{10 ** power:g}</text>'
    for x in labels:
        yield f'<text x="{at(x, 1)[0]:.0f}" y="278" text-anchor="middle">{x}</text>'
    yield f'<text x="{left + 185}" y="296" text-anchor="middle">ranks</text><text x="{left + 8}" y="34">ms</text>'
    for n, (name, each) in enumerate(series.items()):
        path = " ".join(f"{'ML'[i > 0]}{x:.0f} {y:.0f}" for i, (x, y) in enumerate(at(*point) for point in each))
        yield f'<path d="{path}" fill="none" stroke="{COLOURS[n]}" stroke-width="2"/>'
        yield f'<text x="{left + 60}" y="{316 + 16 * n}" fill="{COLOURS[n]}">{name}</text>'


def picture():
    found = read()
    name, runs = next(iter(found.items()))
    machine = Machine(runs[2])
    shown = {"rows to columns": "columns", "transposed": "transpose", "a step of the stencil": "stencil"}
    here = {told: [(ranks, run[key] * 1e3) for ranks, run in sorted(runs.items())] for told, key in shown.items()}
    there = {told: [(ranks, machine.routes(16 << 20, ranks)[key] * 1e3) for ranks in RANKS if not math.isinf(machine.routes(16 << 20, ranks)[key])]
             for key, told in NAMES.items()}
    parts = [*panel(0, f"measured, {name}, two cores", here, (1, 2, 4)), *panel(340, "model, 16 MiB a rank", there, RANKS)]
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 690 390" font-family="sans-serif" font-size="12">\n'
            '<rect width="690" height="390" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def place(text, name, content):
    """The page with a table behind its mark."""
    mark = f"<!-- model: {name} -->\n"
    return re.sub(re.escape(mark) + r"(\|.*\n)*", lambda _: mark + content, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="into the page, and the picture")
    is_written = parser.parse_args().write
    text = PAGE.read_text() if is_written else ""
    for name, content in tables().items():
        text = place(text, name, content) if is_written else f"{text}{content}\n"
    if is_written:
        PAGE.write_text(text)
        PICTURE.write_text(picture())
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
