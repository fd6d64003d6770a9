"""The commands of `run`: check, bench, random and tune."""

import argparse
import sys
from pathlib import Path

import suites


def find_machine():
    """The machine, or None, and why it is not there."""
    try:
        import machine
    except ImportError as error:
        return None, f"{suites.NO_PACKAGE} ({error})"
    words, ready = machine.cuda_words()
    if not ready:
        return None, f"{suites.NO_DRIVER} ({words})"
    try:
        return machine.Driver(), ""
    except (OSError, RuntimeError) as error:
        return None, f"no driver that works: skipped ({error})"


def parse(arguments):
    parser = argparse.ArgumentParser(prog="run", description="Checks and measures libsv on a machine with a GPU.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="run the suites, bit for bit against the host engine")
    check.add_argument("--only", choices=["programs", "copies"], help="C programs alone, or copies alone")
    check.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of the copies")
    bench = commands.add_parser("bench", help="measure copies beside the driver's and other libraries'")
    bench.add_argument("part", nargs="?", default="", help="of the names of those that are measured")
    bench.add_argument("--group", default="", help="what their group begins with")
    bench.add_argument("--cases", type=Path, help="another list")
    bench.add_argument("--out", type=Path, default=Path("results"), help="where results go [results]")
    bench.add_argument("--rounds", type=int, default=9)
    bench.add_argument("--without", action="append", default=[], help="a library that shall not take part")
    search = commands.add_parser("random", help="time random copies beside dense ones, and tell the slowest")
    search.add_argument("--seed", type=int, default=1, help="of the copies")
    search.add_argument("--count", type=int, default=200, help="how many [200]")
    search.add_argument("--least", type=int, default=2 << 20, help="bytes of a copy [2 MiB]")
    search.add_argument("--most", type=int, default=256 << 20, help="bytes of a copy [256 MiB]")
    search.add_argument("--rounds", type=int, default=3)
    tune = commands.add_parser("tune", help="measure what the constants of src/gpu should be")
    tune.add_argument("part", nargs="?", default="", help="of the names of the questions")
    tune.add_argument("--out", type=Path, default=Path("results"), help="where results go [results]")
    tune.add_argument("--rounds", type=int, default=5)
    tune.add_argument("--most", type=int, default=64 << 20, help="bytes of a copy [64 MiB]")
    return parser.parse_args(arguments)


def bench(options, folder, machine):
    import device_report
    import measure

    def wanted(case):
        return options.part in case["name"] and case["group"].startswith(options.group)

    def each(out):
        row = out["rows"][-1]
        print("  ".join(cell for cell in device_report.cells(row) if cell), flush=True)
        device_report.write_json(out, options.out)

    cases = measure.read_cases(options.cases or measure.CASES)
    program = folder and not options.part and not options.group and Path(folder, "bin", "device_launch")
    out = measure.measure_all(machine, cases, program or None, options.rounds, options.without, wanted, each)
    print("\n" + device_report.text(out))
    print("written:", *device_report.write(out, options.out))
    return int(any("wrong" in row for row in out["rows"]))


def main(arguments, folder, machine=None):
    """folder: the bundle; None in tests, which bring their machine. The exit status."""
    options = parse(arguments)
    machine, why = (machine, "") if machine else find_machine()
    print(f"{machine.name}, {machine.clock}" if machine else why, flush=True)
    if options.command == "check":
        short = why.partition(" (")[0]
        return suites.run(folder, folder and str(Path(folder, "run")), machine, short, options.every, options.only)
    if machine is None:
        print(f"{options.command} needs a device")
        return 1
    if options.command == "bench":
        return bench(options, folder, machine)
    if options.command == "random":
        import random_search

        return random_search.run(machine, options.seed, options.count, options.least, options.most, options.rounds)
    import tune

    return tune.run(machine, options.out, options.part, options.rounds, options.most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
