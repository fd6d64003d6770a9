"""The figures of doc/internals/cuda.md: those of kernel_code.txt, and what tests/emulated/counted counts. With --write
they are written there.
"""

import re
import sys

import kernel_table
import tap

DOCUMENT = tap.root / "doc/internals/cuda.md"
TOLERANCE = 0.02  # compilers may merge accesses of the emulated kernels in other ways


def in_words(counts):
    return ", ".join(f"{count} of {size}" for size, count in counts.items())


def compiled():
    """What kernel_code.txt asserts."""
    _, most, rows, _ = kernel_table.table()
    yield f"{len(kernel_table.listed())} kernels, which take less than {most >> 10} KiB for all architectures together."
    yield ""
    yield "| kernel | blocks | registers | bytes in flight | loads, bytes | stores, bytes |"
    yield "|---|--:|--:|--:|---|---|"
    for row in rows:
        figures = f"{row.blocks} | {row.registers} | {row.in_flight.replace('x', ' ')}"
        yield f"| `{row.name}` | {figures} | {in_words(row.loads)} | {in_words(row.stores)} |"


def counted():
    """[(kernel, [figures])] of each shape."""
    path = tap.build / "tests/emulated/counted"
    if not path.exists():
        raise tap.Skip("the kernels are not emulated here")
    for line in tap.lines(path, "--figures"):
        kernel, *figures = line.split()
        yield kernel.removeprefix("svi_"), list(map(float, figures))


def family(kernel):
    row, _ = kernel_table.row_of(kernel)
    return row.name if row else kernel


def traffic():
    """The greatest figures of the shapes that the kernels of a row copy."""
    families = {}
    shapes = list(counted())
    for kernel, figures in shapes:
        name = family(kernel)
        families[name] = list(map(max, families.get(name, figures), figures))
    yield f"{len(shapes)} shapes:"
    yield ""
    yield "| kernel | sectors read | sectors written | waves of loads | waves of stores |"
    yield "|---|--:|--:|--:|--:|"
    order = [row.name for row in kernel_table.table()[2]]
    for name in sorted(families, key=lambda name: order.index(name) if name in order else len(order)):
        read, written, all_read, all_written, *waves = (f"{figure:.2f}" for figure in families[name])
        loads, stores = ("-" if figure == "0.00" else figure for figure in waves)
        yield f"| `{name}` | {read} ({all_read}) | {written} ({all_written}) | {loads} | {stores} |"


FIGURES = {"compiled": compiled, "traffic": traffic}


def block(text, name):
    """(begin, end) of what is between the comments of a block of figures."""
    match = re.search(rf"(?<=<!-- figures: {name} -->\n)\n.*?(?=<!-- end of figures -->)", text, re.S)
    if not match:
        raise LookupError(f"{DOCUMENT.name} has no figures: {name}")
    return match.span()


def written(name):
    return "\n" + "\n".join(FIGURES[name]()) + "\n\n"


def is_same(one, other):
    """Whether two lines differ in no word, and in numbers by no more than compilers of the emulated kernels do."""
    words = [re.split(r"[ ()]+", line) for line in (one, other)]
    return len(words[0]) == len(words[1]) and all(
        a == b or ("." in a + b and abs(float(a) - float(b)) < TOLERANCE) for a, b in zip(*words, strict=True)
    )


def differences(name):
    text = DOCUMENT.read_text()
    begin, end = block(text, name)
    there, now = text[begin:end].splitlines(), written(name).splitlines()
    yield from (f"it has {line}" for line in there if not any(is_same(line, other) for other in now))
    yield from (f"it is {line}" for line in now if not any(is_same(line, other) for other in there))
    if len(there) != len(now):
        yield f"{len(there)} lines, not {len(now)}"


def compiled_figures():
    """doc/internals/cuda.md has the rows of kernel_code.txt, and the number of kernels (if not: make kernel-figures)"""
    yield from differences("compiled")


def traffic_figures():
    """doc/internals/cuda.md has the traffic that tests/emulated/counted counts (if not: make kernel-figures)"""
    yield from differences("traffic")


def write():
    text = DOCUMENT.read_text()
    for name in FIGURES:
        begin, end = block(text, name)
        text = text[:begin] + written(name) + text[end:]
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
    else:
        tap.report(compiled_figures, traffic_figures)
