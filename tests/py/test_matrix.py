"""Who can hand what to whom: every producer through a view to every consumer, type by type.

    python test_matrix.py --document     writes doc/interchange.md
    python test_matrix.py --rows NAME    the rows that a package has part in, as JSON
"""

import functools
import json
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from matrix import CONSUMERS, PRODUCERS, REFUSED, Missing, bytes_of
from peers import name_of

DOCUMENT = Path(__file__).parents[2] / "doc" / "interchange.md"
VIEW = "sv.view"  # the first row of each table
OLD_NUMPY = Path(sys.prefix) / "peers" / "numpy-1.26"  # ./bootstrap --peers puts it there


# --- what happens -------------------------------------------------------------

@functools.cache
def viewed(producer, dtype, form):
    """(view, bytes in C order), or why there is none. The view tells what the producer does."""
    try:
        exporter, content, address, readonly = PRODUCERS[producer][0](dtype, form)
    except Missing as why:
        return why
    try:
        view = sv.view(exporter)
    except REFUSED as error:
        return error
    assert bytes_of(view) == content
    assert not view.size or address in (None, view.ptr)
    assert readonly in (None, view.readonly)
    return view, content


@pytest.fixture(scope="module", autouse=True)
def views_of_this_module():
    """Which live no longer than it."""
    yield
    viewed.cache_clear()


def taken(view, content, back):
    """What a consumer made of it, which is wrong in nothing that it tells."""
    assert back.content in (None, content)
    assert back.shape in (None, view.shape)
    shared = back.address in (None, view.ptr)
    if shared and back.strides is not None and view.size:
        moving = [(ours, theirs) for extent, ours, theirs in zip(view.shape, view.layout.strides_in_bytes, back.strides)
                  if extent > 1]
        assert all(ours == theirs for ours, theirs in moving)
    words = ["the same memory" if shared and back.address else "the same bytes" if back.address is None else "a copy"]
    if shared and view.size and back.readonly is not None and back.readonly != view.readonly:
        words.append("read-only" if back.readonly else "no longer read-only")
    if back.dtype not in (None, name_of(view)):
        words.append(f"as {re.sub('void[0-9]+', 'void', back.dtype)}")
    return ", ".join(words)


def why(error, name):
    """The reason as it is told, without what differs from type to type."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    text = re.sub(r": \(.*|; (?!DLPack).*|\. .*|\.$", "", text)
    text = re.sub(r"(code|type)[=: ]*'?\d+'?", r"\1", text.replace(name, "it") if name != "opaque" else text)
    return f"refused: {text[:100].strip()}"


def outcome(producer, consumer, dtype, form):
    """A few words; None where there is nothing to hand over, or somebody is not installed."""
    made = viewed(producer, dtype, form)
    if isinstance(made, Exception):
        return None
    view, content = made
    take, _, promised = CONSUMERS[consumer]
    try:
        back = take(view)
    except Missing:
        return None
    except REFUSED as error:
        assert str(error)
        plain = form == "whole" and not view.readonly
        assert not (plain and name_of(view) in promised), error
        return why(error, name_of(view))
    return taken(view, content, back)


def outcomes(producer, consumer):
    """{(dtype, form): words}. Of no elements there is nothing to share: as for some, where it was taken."""
    _, _, dtypes, forms = PRODUCERS[producer]
    found = {(dtype, form): outcome(producer, consumer, dtype, form) for dtype in dtypes for form in forms}
    for dtype, form in found:
        some = found[dtype, "whole"]
        if form == "empty" and found[dtype, form] and "refused" not in found[dtype, form] and "refused" not in some:
            found[dtype, form] = some
    return {key: words for key, words in found.items() if words}


# --- the table ----------------------------------------------------------------

def listed(some, everything):
    """Names, as short as can be."""
    rest = [name for name in everything if name not in some]
    if not rest:
        return "all"
    if len(rest) < min(4, len(some)):
        return "all but " + " ".join(rest)
    some = list(some)
    for stem in ("float6_", "float8_"):
        kinds = [name for name in everything if name.startswith(stem)]
        if len(kinds) > 1 and set(kinds) <= set(some):
            some[some.index(kinds[0])] = stem + "*"
            some = [name for name in some if name not in kinds]
    return " ".join(some)


def grouped(found, dtypes, forms):
    """[words, types, forms] of {(dtype, form): words}; together they are all of it."""
    dtypes = [dtype for dtype in dtypes if any((dtype, form) in found for form in forms)]
    groups = {}
    for words in dict.fromkeys(found.values()):
        for form in forms:
            types = tuple(dtype for dtype in dtypes if found.get((dtype, form)) == words)
            if types:
                groups.setdefault((words, types), []).append(form)
    return [[words, listed(types, dtypes), listed(same, forms)] for (words, types), same in groups.items()]


def rows(producer, consumer):
    """What happens on the way from one to the other."""
    return grouped(outcomes(producer, consumer), *PRODUCERS[producer][2:])


def rows_of_view(producer):
    """What happens on the way in."""
    _, _, dtypes, forms = PRODUCERS[producer]
    found = {}
    for dtype in dtypes:
        for form in forms:
            made = viewed(producer, dtype, form)
            if isinstance(made, Missing):
                continue
            if isinstance(made, Exception):
                found[dtype, form] = why(made, dtype)
            else:
                kind = "opaque bytes" if name_of(made[0]) == "opaque" else "viewed"
                found[dtype, form] = kind + (", read-only" if made[0].readonly else "")
    return grouped(found, dtypes, forms)


def package_of(consumer):
    return None if consumer == VIEW else CONSUMERS[consumer][1]


def all_rows(package=None):
    """{producer: {consumer: rows}}, of the pairs that a package has part in."""
    table = {}
    for producer in PRODUCERS:
        for consumer in (VIEW, *CONSUMERS):
            if package in (None, PRODUCERS[producer][1], package_of(consumer)):
                found = rows_of_view(producer) if consumer == VIEW else rows(producer, consumer)
                if found:
                    table.setdefault(producer, {})[consumer] = found
    return table


def versions():
    """Of all that is installed."""
    found = {"CPython": ".".join(platform.python_version_tuple()[:2])}
    for _, package, *_ in [*PRODUCERS.values(), *CONSUMERS.values()]:
        try:
            found.setdefault(package, package and version(package))
        except PackageNotFoundError:
            pass
    return {package: number for package, number in found.items() if package}


def lines_of(table):
    """Markdown, a table for each producer."""
    for producer, consumers in table.items():
        yield from ["", f"### {producer}", "", "| to | what happens | types | forms |", "|---|---|---|---|"]
        for consumer, found in consumers.items():
            for row in found:
                yield "| " + " | ".join(cell.replace("|", "\\|") for cell in [consumer, *row]) + " |"


INTRODUCTION = """# Who can hand what to whom

Written by `tests/py/test_matrix.py --document`: each producer's array goes through `sv.view()` to each consumer, in every type
that the producer has and in these forms: whole (2 x 3 x 4, C order), strided (axes swapped, sliced), empty, 0-d, reversed
(negative strides) and repeated (stride 0, read-only). Values, shape, strides, address and read-only are compared on each way;
what is refused says why, in the words of who refuses. `make check` makes the rows again wherever it finds the same versions.

"The same memory" is an array at the same address; "the same bytes" where the consumer tells no address, or copies as it
likes (JAX, unless the memory is aligned to 64 bytes). PyTorch and tvm-ffi have no read-only arrays.

PyTorch 2.13 ends the process where `torch.from_dlpack(x)` meets a negative stride, in a view as in an array of NumPy's;
`torch.as_tensor(x)` does so for a view. Copy such an array first: `torch.from_dlpack(sv.view(x).copy())`. `torch.asarray(x)`
reads the bytes of a view, as of any object that lends a buffer and is no NumPy array, as one axis of float32;
`torch.from_dlpack` and `torch.as_tensor` read dtype and shape. `tests/py/test_peer_warnings.py` skips the test of
a fault that the installed PyTorch no longer has.

Not in the tables, but tested (`tests/py/test_objects.py`, `test_arrow.py`, `test_byteorder.py`):

| what | as a view | as the source of a copy |
|---|---|---|
| Series, Index and DataFrame of one dtype of pandas, DataArray and Variable of xarray, Series and DataFrame of polars, and whatever else has only `__array__()` | its memory, read-only where the library says so; CopyError where only a copy could be viewed | also converted, as `np.asarray(x)` does it |
| strings, categories, dates of a time zone, nullable and other extension types of pandas, arrays of Python objects | BufferError that says what gives plain elements | the same, unless `np.asarray(x)` gives numbers |
| masked arrays | BufferError: `x.data`, or `x.filled(value)` | the same |
| Arrow arrays of numbers without nulls, fixed-size lists and fixed-shape tensors of them, by `__arrow_c_array__()` | the same memory, read-only | the same memory |
| Arrow arrays with nulls, bits, offsets or a dictionary | BufferError that says what to call | the same |
| ChunkedArray and Table of pyarrow, Series and DataFrame of polars | CopyError for pyarrow's | chunk by chunk in `copy_batch(dst, x)` |
| numbers in the other byte order, as NumPy's `">f8"` | viewed with that dtype; DLPack refuses them | copied with their bytes swapped |

A contiguous view of one axis of integers or floats is an Arrow array of the same memory: `pyarrow.array(view)`,
`polars.Series(view)`, and `view` in a query of DuckDB.

Where an object has several protocols, the richest is asked first. A tensor of DLPack before 1.0 cannot say that it may be
written; a writable buffer of the same object that holds all of it can. Where DLPack raised, its reason is told rather
than plain bytes of the buffer taken.
"""


def document(table, old_numpy, numbers):
    told = ", ".join(f"{package} {number}" for package, number in numbers.items())
    lines = [INTRODUCTION, f"Versions: {told}.", "", "## Everybody", *lines_of(table)]
    changed = {producer: {consumer: found for consumer, found in consumers.items()
                          if found != table[producer].get(consumer)} for producer, consumers in old_numpy["rows"].items()}
    lines += ["", f"## With NumPy {old_numpy['numpy']}", "", "What is not as above. JAX and pyarrow need a newer NumPy.",
              *lines_of({producer: consumers for producer, consumers in changed.items() if consumers})]
    return "\n".join(lines) + "\n"


def with_old_numpy():
    """What this file tells in a process that has NumPy 1.26."""
    if not OLD_NUMPY.is_dir():
        pytest.skip(f"no NumPy 1.26 in {OLD_NUMPY.parent}: ./bootstrap --peers puts it there")
    paths = os.pathsep.join([str(OLD_NUMPY), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--rows", "numpy"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": paths})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# --- tests --------------------------------------------------------------------

@pytest.fixture(scope="module")
def table():
    return {}


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("producer", PRODUCERS)
@pytest.mark.filterwarnings("ignore")
def test_hand_over(producer, consumer, table):
    found = rows(producer, consumer)
    if not found:
        pytest.skip("not installed")
    table.setdefault(producer, {VIEW: rows_of_view(producer)})[consumer] = found


def written():
    """(versions, {producer: {consumer: lines}}) of the document's first table, and the versions and rows of the other."""
    first, _, second = DOCUMENT.read_text().partition("\n## With NumPy ")
    numbers = dict(part.rsplit(" ", 1) for part in re.search(r"Versions: (.*)\.\n", first)[1].split(", "))
    return numbers, blocks(first), second.partition("\n")[0], blocks(second)


def blocks(text):
    """The lines of a table for each producer and consumer."""
    table = {}
    for section in text.split("\n### ")[1:]:
        producer, _, rest = section.partition("\n")
        for line in re.findall(r"^\| (?!to \|).*\|$", rest, re.M):
            table.setdefault(producer, {}).setdefault(line[2:].partition(" | ")[0], []).append(line)
    return table


def same_versions(producer, consumer, numbers):
    """Whether the document's row was made with what is installed here. None: the standard library, or ourselves."""
    here = versions()
    packages = {PRODUCERS[producer][1] or "CPython", package_of(consumer) or "CPython"}
    return all(here.get(package) == numbers.get(package) for package in packages)


def test_document(table):
    """doc/interchange.md says what was found, row by row, where the versions are those it names."""
    numbers, lines, _, _ = written()
    now = blocks("\n".join(lines_of(table)))
    stale = [line for producer, consumers in now.items() for consumer, found in consumers.items()
             if same_versions(producer, consumer, numbers)
             for line in set(found) ^ set(lines.get(producer, {}).get(consumer, []))]
    assert not stale, "test_matrix.py --document writes it again:\n" + "\n".join(stale)


def test_with_old_numpy(table):
    """All that NumPy 1.26 has part in, by a process of its own; the document has what is not as with the newest."""
    told = with_old_numpy()
    assert told["rows"]["NumPy array"]["np.from_dlpack"] and told["numpy"].startswith("1.26")
    numbers, first, old, second = written()
    if told["numpy"] != old:
        pytest.skip(f"the document is of NumPy {old}, not {told['numpy']}")
    found = blocks("\n".join(lines_of(told["rows"])))
    stale = [line for producer, consumers in found.items() for consumer, lines in consumers.items()
             if same_versions(producer, consumer, numbers)
             for line in set(lines) ^ set(second.get(producer, {}).get(consumer, first[producer].get(consumer, [])))]
    assert not stale, "test_matrix.py --document writes it again:\n" + "\n".join(stale)


def test_read_only_stays_read_only():
    """No way out and in again makes it writable."""
    for producer in ("read-only NumPy array", "bytes", "memoryview"):
        view, _ = viewed(producer, "B" if producer == "memoryview" else "uint8", "whole")
        ways = [view, view[:], view.T, view.view(dtype="int8"), view.view(view.layout), memoryview(view), np.asarray(view),
                np.from_dlpack(view), view.__dlpack__(max_version=(1, 3))]
        assert all(sv.view(way).readonly for way in ways)
        assert view.__array_interface__["data"][1]
        with pytest.raises((BufferError, ValueError)):
            sv.copy(view, view)


if __name__ == "__main__":
    if sys.argv[1:] == ["--document"]:
        DOCUMENT.write_text(document(all_rows(), with_old_numpy(), versions()))
    elif sys.argv[1:2] == ["--rows"]:
        print(json.dumps({"numpy": np.__version__, "rows": all_rows(sys.argv[2])}))
    else:
        import tap
        tap.main(__file__)
