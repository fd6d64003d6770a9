"""strideview copy: what arrives in the output, against NumPy; how it ends where something is wrong."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from math import prod

import numpy as np
import pytest

from strideview.cli import main as program
from strideview.cli.files import target

DTYPES = ["u1", "i2", "<f4", ">f4", "f8", "f2", "c8", "?"]


def run(*arguments):
    """The exit code."""
    with pytest.raises(SystemExit) as ended:
        program.main([str(word) for word in arguments])
    return ended.value.code


def numbers(shape, dtype="f4", seed=0):
    made = np.random.default_rng(seed).integers(0, 100, shape)
    return made.astype(dtype)


@pytest.fixture
def file(tmp_path):
    """A .npy of the numbers in a folder, which has nothing else."""
    def save(array, name="in.npy"):
        np.save(tmp_path / name, array)
        return tmp_path / name

    return save


def left(folder):
    """The names in a folder, hidden ones too."""
    return sorted(os.listdir(folder))


# --- what arrives


CASES = {
    "as it is": ([], lambda a: a),
    "permuted": (["--permute", "2,0,1"], lambda a: a.transpose(2, 0, 1)),
    "sliced": (["--slice", "1:,::-2,3"], lambda a: a[1:, ::-2, 3]),
    "with an ellipsis": (["--slice", "...,::3"], lambda a: a[..., ::3]),
    "flipped": (["--flip", "0,2"], lambda a: a[::-1, :, ::-1]),
    "flipped whole": (["--flip", "all"], lambda a: a[::-1, ::-1, ::-1]),
    "reshaped": (["--reshape", "-1,7"], lambda a: a.reshape(-1, 7)),
    "one after the other": (["--permute", "1,0,2", "--flip", "0", "--slice", "2:9"], lambda a: a.transpose(1, 0, 2)[::-1][2:9]),
    "the other way round": (["--slice", "2:4", "--permute", "1,0,2"], lambda a: a[2:4].transpose(1, 0, 2)),
    "converted": (["--dtype", "float16"], lambda a: a.astype("f2")),
    "into the other byte order": (["--dtype", ">i4"], lambda a: a.astype(">i4")),
    "scaled": (["--dtype", "float32", "--scale", "1/255", "--bias", "-0.5"],
               lambda a: a * np.float32(1 / 255) + np.float32(-0.5)),
    "scaled along an axis": (["--dtype", "float64", "--scale", "1,2,3,4,5,6,7", "--scale-axis", "-1"],
                             lambda a: a.astype("f8") * np.arange(1, 8)),
    "one element": (["--slice", "0,0,0"], lambda a: a[0, 0, 0]),
    "nothing": (["--slice", "5:5"], lambda a: a[5:5]),
}


@pytest.mark.parametrize("limit", ["600", "20K", "1G"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", CASES)
def test_what_arrives(file, tmp_path, name, order, limit):
    options, expected = CASES[name]
    array = numbers((6, 11, 7))
    source = file(array)
    assert run("copy", source, tmp_path / "out.npy", *options, "--order", order, "--memory-limit", limit, "--quiet") == 0
    found, wanted = np.load(tmp_path / "out.npy"), np.asarray(expected(array))
    assert found.dtype == wanted.dtype or "--dtype" in options
    assert found.shape == wanted.shape and np.array_equal(found, wanted)
    assert found.flags.f_contiguous if order == "F" else found.flags.c_contiguous
    assert left(tmp_path) == ["in.npy", "out.npy"]


def random_case(seed):
    """An array, the words that rearrange it, what comes of it, and a limit."""
    pick = random.Random(seed)
    shape = tuple(pick.choice([1, 2, 3, 5, 8, 13, 40]) for _ in range(pick.randint(1, 4)))
    array = numbers(shape, pick.choice(DTYPES), seed)
    array = np.asfortranarray(array) if pick.random() < 0.3 else array
    words, wanted = [], array
    for _ in range(pick.randint(0, 3)):
        kind = pick.choice(["permute", "flip", "slice"])
        if kind == "permute":
            axes = pick.sample(range(wanted.ndim), wanted.ndim)
            words += ["--permute", ",".join(map(str, axes))]
            wanted = wanted.transpose(axes)
        elif kind == "flip":
            axes = pick.sample(range(wanted.ndim), pick.randint(1, wanted.ndim))
            words += ["--flip", ",".join(map(str, axes))]
            wanted = np.flip(wanted, axes)
        else:
            key = [slice(pick.randint(0, extent - 1), None, pick.choice([1, 1, 2, 3])) for extent in wanted.shape]
            words += ["--slice", ",".join(f"{each.start}::{each.step}" for each in key)]
            wanted = wanted[tuple(key)]
    return array, words, wanted, pick.choice([400, 1000, 5000, 100000])


@pytest.mark.parametrize("seed", range(120))
def test_random_copies(file, tmp_path, seed):
    array, words, wanted, limit = random_case(seed)
    source = file(array)
    order = "CF"[seed % 2]
    assert run("copy", source, tmp_path / "out.npy", *words, "--memory-limit", limit, "--order", order, "--quiet") == 0
    found = np.load(tmp_path / "out.npy")
    assert found.dtype == wanted.dtype and np.array_equal(found, wanted), (words, limit)


@pytest.mark.parametrize("limit", [3000, 50000, 1 << 20])
def test_buffers_keep_to_the_limit(file, tmp_path, capsys, limit):
    source = file(numbers((300, 400)))
    assert run("copy", source, tmp_path / "out.npy", "--permute", "1,0", "--memory-limit", limit, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["buffer_bytes"] <= limit and told["shape"] == [400, 300] and told["nbytes"] == 480000
    assert told["blocks"] == 1 if limit == 1 << 20 else told["blocks"] > 1


# --- formats


def test_raw_files(tmp_path):
    array = numbers((5, 6), "<i2")
    (tmp_path / "in.raw").write_bytes(b"header" + array.tobytes())
    assert run("copy", tmp_path / "in.raw", tmp_path / "out.raw", "--shape", "5,6", "--input-dtype", "<i2", "--offset", "6",
               "--permute", "1,0", "--quiet") == 0
    assert (tmp_path / "out.raw").read_bytes() == array.T.tobytes()


@pytest.mark.parametrize("compressed", [False, True])
def test_members_of_archives(tmp_path, compressed):
    arrays = {"first": numbers((4, 5)), "second": numbers((3, 2), "u1", 1)}
    (np.savez_compressed if compressed else np.savez)(tmp_path / "in.npz", **arrays)
    assert run("copy", f"{tmp_path}/in.npz:second", f"{tmp_path}/out.npz:turned", "--permute", "1,0", "--quiet") == 0
    with np.load(tmp_path / "out.npz") as found:
        assert found.files == ["turned"] and np.array_equal(found["turned"], arrays["second"].T)
    assert left(tmp_path) == ["in.npz", "out.npz"]


def test_safetensors(tmp_path):
    array = numbers((4, 6))
    np.save(tmp_path / "in.npy", array)
    assert run("copy", tmp_path / "in.npy", f"{tmp_path}/a.safetensors:weight", "--dtype", "bfloat16", "--quiet") == 0
    data = (tmp_path / "a.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    assert header["weight"] == {"dtype": "BF16", "shape": [4, 6], "data_offsets": [0, 48]} and size % 8 == 0
    assert run("copy", f"{tmp_path}/a.safetensors:weight", tmp_path / "out.npy", "--dtype", "float32", "--quiet") == 0
    assert np.array_equal(np.load(tmp_path / "out.npy"), array)


@pytest.mark.parametrize("name, package", [("a.zarr", "zarr"), ("a.h5", "h5py")])
def test_chunked_files(file, tmp_path, name, package):
    pytest.importorskip(package)
    array = numbers((50, 60))
    source = file(array)
    out = f"{tmp_path}/{name}:there"
    assert run("copy", source, out, "--permute", "1,0", "--chunks", "16,16", "--memory-limit", "8K", "--quiet") == 0
    assert run("copy", out, tmp_path / "back.npy", "--slice", "::-1,5:", "--memory-limit", "8K", "--quiet") == 0
    assert np.array_equal(np.load(tmp_path / "back.npy"), array.T[::-1, 5:])


@pytest.mark.parametrize("words, is_packed", [([], True), (["--uncompressed"], False)])
def test_compressed_stores(file, tmp_path, words, is_packed):
    pytest.importorskip("zarr")
    assert run("copy", file(numbers((50, 60))), tmp_path / "a.zarr", "--quiet", *words) == 0
    taken = sum(path.stat().st_size for path in (tmp_path / "a.zarr").rglob("*") if path.is_file() and path.name != "zarr.json")
    assert (taken < 50 * 60 * 4) == is_packed and (is_packed or taken == 50 * 60 * 4)


@pytest.mark.parametrize("name, package", [("a.zarr", "zarr"), ("a.h5", "h5py")])
def test_packages_that_are_missing(file, tmp_path, capsys, monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert run("copy", file(numbers((3, 4))), f"{tmp_path}/{name}") == 6
    assert f"pip install {package}" in capsys.readouterr().err
    assert left(tmp_path) == ["in.npy"]


# --- what is wrong


@pytest.mark.parametrize("options, code, words", [
    (["--permute", "0,0,1"], 1, "axis 0"),
    (["--permute", "0,1"], 1, "2 axes"),
    (["--slice", "9"], 1, "9"),
    (["--reshape", "5,5"], 1, "reshape"),
    (["--flip", "3"], 1, "axis 3"),
    (["--dtype", "float99"], 1, "float99"),
    (["--casting", "safe", "--dtype", "int8"], 1, "casting safe"),
    (["--scale", "1,2"], 2, "--scale-axis"),
    (["--scale", "1,2", "--scale-axis", "0"], 1, "2 numbers"),
    (["--memory-limit", "4"], 1, "--memory-limit"),
    (["--uncompressed"], 1, "--uncompressed"),
    (["--memory-limit", "x"], 2, "memory-limit"),
    (["--permute", "x"], 2, "permute"),
])
def test_options_that_are_refused(file, tmp_path, capsys, options, code, words):
    source = file(numbers((4, 5, 6)))
    assert run("copy", source, tmp_path / "out.npy", *options) == code
    said = capsys.readouterr().err
    assert words in said and (code == 2 or said.count("\n") == 1)
    assert left(tmp_path) == ["in.npy"]


def test_inputs_that_are_refused(file, tmp_path, capsys):
    source = file(numbers((4, 5)))
    cut, other = tmp_path / "cut.npy", tmp_path / "other.npy"
    cut.write_bytes(source.read_bytes()[:-1])
    other.write_bytes(b"no array at all")
    for path, words in (tmp_path / "none.npy", "No such file"), (cut, "cut short"), (other, "other.npy"), (tmp_path, ""):
        assert run("copy", path, tmp_path / "out.npy") in (2, 3)
        said = capsys.readouterr().err
        assert words in said and said.count("\n") == 1
    assert left(tmp_path) == ["cut.npy", "in.npy", "other.npy"]


def test_outputs_that_are_refused(file, tmp_path, capsys):
    source = file(numbers((4, 5)))
    (tmp_path / "there.npy").write_bytes(b"kept")
    for path, words in [(source, "is the input"), (tmp_path / "there.npy", "--force"), (tmp_path / "no/out.npy", "no folder")]:
        assert run("copy", source, path) == 4
        assert words in capsys.readouterr().err
    assert run("copy", source, source, "--force") == 4
    assert run("copy", source, tmp_path / "out.xyz") == 2
    assert (tmp_path / "there.npy").read_bytes() == b"kept"
    assert run("copy", source, tmp_path / "there.npy", "--force", "--quiet") == 0
    assert np.array_equal(np.load(tmp_path / "there.npy"), np.load(source))
    assert left(tmp_path) == ["in.npy", "there.npy"]


def test_no_space(file, tmp_path):
    """A limit of the process stands for a full disk: both are asked before the first byte."""
    source = file(numbers((100, 100)))

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    ended = subprocess.run([sys.executable, "-m", "strideview", "copy", source, tmp_path / "out.npy"], preexec_fn=limited,
                           capture_output=True, text=True, check=False)
    assert ended.returncode == 5 and ended.stderr.count("\n") == 1 and "out.npy" in ended.stderr
    assert left(tmp_path) == ["in.npy"]


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_leave_nothing(tmp_path, number, code):
    """Read from a pipe that never ends, so that the copy is not done before the signal."""
    np.save(tmp_path / "in.npy", np.zeros((2000, 2000), "f8"))
    process = subprocess.Popen([sys.executable, "-c", SLOW, "copy", str(tmp_path / "in.npy"), str(tmp_path / "out.npy"),
                                "--permute", "1,0", "--memory-limit", "10K", "--quiet"], stderr=subprocess.PIPE, text=True)
    while not any(name.endswith(".part") for name in left(tmp_path)):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(30) == code
    assert process.stderr.read().count("\n") == 1
    process.stderr.close()
    assert left(tmp_path) == ["in.npy"]


class SignalAtLine:
    """Sends a signal where the program is at a line of its own, counted from 0."""

    def __init__(self, number):
        self.number, self.lines = number, 0

    def __call__(self, frame, event, _argument):
        if f"cli{os.sep}" not in frame.f_code.co_filename:
            return None
        if event == "line":
            if self.lines == self.number:
                os.kill(os.getpid(), signal.SIGINT)
            self.lines += 1
        return self


def run_with_signal(number, *arguments):
    """(the exit code, how many lines there were)"""
    tracer, before = SignalAtLine(number), sys.gettrace()
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    sys.settrace(tracer)
    try:
        return run(*arguments), tracer.lines
    finally:
        sys.settrace(before)
        signal.signal(signal.SIGINT, handler)


@pytest.mark.parametrize("name", ["out.npy", "out.npz", "out.h5", "out.zarr"])
def test_a_signal_at_any_line(file, tmp_path, capsys, name):
    """Nothing is left, or all of the output; also where a file is made, closed, renamed and removed."""
    if name.endswith(("h5", "zarr")):
        pytest.importorskip({"out.h5": "h5py", "out.zarr": "zarr"}[name])
    source = file(numbers((3, 4, 5)))
    command = "copy", source, tmp_path / name, "--permute", "2,0,1", "--memory-limit", "1K", "--quiet"
    code, lines = run_with_signal(-1, *command)
    assert code == 0 and lines > 200
    whole, codes = left(tmp_path), set()
    step = max(lines // (150 if os.environ.get("SV_TEST_SCALE") else 40), 1)  # from another line on each time
    for number in range(random.randrange(step), lines, step):
        target.remove(tmp_path / name)
        try:
            code = run_with_signal(number, *command)[0]
        except KeyboardInterrupt:  # before the program answers signals, or afterwards
            code = None
        codes.add(code)
        assert left(tmp_path) in ([whole] if code == 0 else [["in.npy"], whole]), f"line {number}"
    assert 130 in codes
    capsys.readouterr()


# A block takes a while, so that a signal comes before the last.
SLOW = """
import time
from strideview.cli.files import ends
read = ends.FileReader.read
def slow(self, begin, extents):
    time.sleep(0.02)
    return read(self, begin, extents)
ends.FileReader.read = slow
from strideview.cli.main import main
main()
"""


def test_an_output_that_another_program_makes_meanwhile(file, tmp_path, capsys, monkeypatch):
    from strideview.cli.files.target import Target

    source, out = file(numbers((4, 5))), tmp_path / "out.npy"
    rename = Target.rename
    monkeypatch.setattr(Target, "rename", lambda self: (out.write_bytes(b"other"), rename(self)))
    assert run("copy", source, out) == 4
    assert out.read_bytes() == b"other" and left(tmp_path) == ["in.npy", "out.npy"]


@pytest.mark.skipif("SV_TEST_BIG" not in os.environ, reason="4 GiB of disk: SV_TEST_BIG=FOLDER")
def test_four_gibibytes_in_one(capsys):
    folder = os.environ["SV_TEST_BIG"]
    array = np.lib.format.open_memmap(f"{folder}/in.npy", "w+", "f4", (32768, 32768))
    for row in range(0, 32768, 1024):
        array[row:row + 1024] = np.arange(row, row + 1024, dtype="f4")[:, None] * 32768 + np.arange(32768, dtype="f4")
    del array
    ended = subprocess.run([sys.executable, "-m", "strideview", "copy", f"{folder}/in.npy", f"{folder}/out.npy", "--permute", "1,0",
                            "--force", "--json"], capture_output=True, text=True, check=True,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30)))
    with capsys.disabled():
        print(ended.stdout)
    there, back = np.load(f"{folder}/in.npy", mmap_mode="r"), np.load(f"{folder}/out.npy", mmap_mode="r")
    assert np.array_equal(back[::511, ::97], there[::97, ::511].T)
    assert prod(back.shape) == 1 << 30


if __name__ == "__main__":
    import tap

    tap.main(__file__)
