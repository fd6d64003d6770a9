"""The commands of strideview beside copy and explain: what they print, and with which code they end."""

import fcntl
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from strideview.cli import bench, doctor, quantities
from strideview.cli import main as program
from strideview.cli.errors import CODES


@pytest.fixture
def run(capsys):
    """(exit code, what was printed, what was said of errors) of a command."""
    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            program.main([str(word) for word in arguments])
        said = capsys.readouterr()
        return ended.value.code or 0, said.out, said.err

    return call


@pytest.fixture
def file(tmp_path):
    np.save(tmp_path / "in.npy", np.asfortranarray(np.zeros((3, 4), ">i2")))
    return tmp_path / "in.npy"


# --- the program


def test_help_states_the_exit_codes(run):
    code, text, _ = run("--help")
    assert code == 0 and all(f"{number:4} {what}" in text for number, what in CODES.items())
    assert {line.split()[0] for line in text.splitlines() if line.strip()} >= set(program.COMMANDS)
    for name in program.COMMANDS:
        code, text, _ = run(name, "--help")
        assert code == 0 and text.startswith(f"usage: strideview {name}")


def test_version(run):
    assert run("--version") == (0, f"strideview {sv.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["info"], ["info", "a", "b"], ["copy", "a"], ["bench", "--size", "x"],
                                       ["draw", "(3,)*4", "--form", "jpeg"], ["completion", "sh"]])
def test_wrong_arguments(run, arguments):
    code, printed, said = run(*arguments)
    assert code == 2 and not printed and said.startswith("usage: strideview")


def test_paths_of_the_library(run):
    code, text, _ = run("--includedir")
    assert code == 0 and text.strip() == sv.get_include()


def test_a_reader_that_has_seen_enough(tmp_path):
    np.savez(tmp_path / "many.npz", **{f"member_{k}": np.zeros(3) for k in range(2000)})
    process = subprocess.Popen([sys.executable, "-m", "strideview", "info", tmp_path / "many.npz"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    assert b"many.npz:member_0" in process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 0 and process.stderr.read() == b""
    process.stderr.close()


# --- info


def test_info_of_one_array(run, file):
    code, text, _ = run("info", file)
    assert code == 0 and text.splitlines() == [
        str(file), "  format  npy", "  shape   (3, 4)", "  dtype   >i2", "  order   F", "  strides (2, 6) bytes",
        "  size    24 bytes (24 B)", "  offset  128 bytes"]
    code, text, _ = run("info", file, "--json")
    [told] = json.loads(text)
    assert code == 0 and told["shape"] == [3, 4] and told["order"] == "F" and told["offset"] == 128 and told["nbytes"] == 24


@pytest.mark.parametrize("save, packed", [(np.savez, False), (np.savez_compressed, True)])
def test_info_of_members(run, tmp_path, save, packed):
    save(tmp_path / "a.npz", one=np.zeros((100, 2)), two=np.ones(5, "u1"))
    code, text, _ = run("info", tmp_path / "a.npz")
    assert code == 0 and f"{tmp_path}/a.npz:one" in text and f"{tmp_path}/a.npz:two" in text
    assert ("compressed" in text) == packed
    code, text, _ = run("info", f"{tmp_path}/a.npz:two", "--json")
    [told] = json.loads(text)
    assert code == 0 and told["shape"] == [5] and told["dtype"] == "uint8"
    assert run("info", f"{tmp_path}/a.npz:three")[0] == 3


def test_info_of_raw_files(run, tmp_path):
    (tmp_path / "a.raw").write_bytes(bytes(30))
    code, text, _ = run("info", tmp_path / "a.raw", "--shape", "2,7", "--dtype", "<f2", "--offset", "2", "--json")
    assert code == 0 and json.loads(text)[0]["strides"] == [14, 2]
    assert run("info", tmp_path / "a.raw", "--shape", "4,7", "--dtype", "<f2")[0] == 3
    assert run("info", tmp_path / "a.raw")[0] in (1, 2)


def test_info_of_empty_and_single(run, tmp_path):
    for shape in (), (0, 5), (1,) * 32:
        np.save(tmp_path / "a.npy", np.zeros(shape))
        code, text, _ = run("info", tmp_path / "a.npy", "--json")
        assert code == 0 and json.loads(text)[0]["shape"] == list(shape)


# --- draw


def test_draw(run, file, tmp_path):
    layout = sv.StridedLayout.parse("(3, 4):(1, 3)*2")
    assert run("draw", "(3, 4):(1, 3)*2") == (0, sv.draw(layout, "text") + "\n", "")
    code, text, _ = run("draw", file)
    assert code == 0 and text == sv.draw(layout, "text") + "\n"
    assert run("draw", "(3, 4)*2", "--form", "svg", "--axis", "1", "--path")[1].startswith("<svg")
    assert run("draw", "(3, 4)*2", "--output", tmp_path / "a.svg", "--title", "A & B") == (0, "", "")
    assert "A &amp; B" in (tmp_path / "a.svg").read_text()
    code, _, said = run("draw", "(3, 4)*2", "--output", tmp_path / "a.svg")
    assert code == 4 and "--force" in said
    assert run("draw", "(3, 4)*2", "--output", tmp_path / "a.svg", "--force")[0] == 0


@pytest.mark.parametrize("arguments, code", [
    (["(3, 4"], 1), (["no.npy"], 3), (["(3, 4)*2", "--path"], 2), (["(3, 4)*2", "--form", "png"], 2),
    (["(3, 4)*2", "--output", "/nowhere/a.svg"], 4), (["(3, 4)*2", "--form", "svg", "--axis", "7"], 1),
])
def test_draw_refuses(run, arguments, code):
    ended, printed, said = run("draw", *arguments)
    assert ended == code and not printed and said.startswith("strideview: ") and said.count("\n") == 1


def test_draw_as_png(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    code, _, said = run("draw", "(3,)*4", "--output", tmp_path / "a.png")
    assert code == 6 and "pip install cairosvg" in said and not (tmp_path / "a.png").exists()


# --- doctor, tune, bench, completion


def test_doctor(run):
    code, text, _ = run("doctor")
    for name in "strideview", "python", "instructions", "tuning", "caches", "threads", "memory", "huge pages", "numpy", "torch":
        assert any(line[2:].startswith(name) for line in text.splitlines()), name
    found = {each["name"]: each for each in json.loads(run("doctor", "--json")[1])}
    assert code == 0 and found["numpy"]["text"] == np.__version__ and set(found) >= {d.name for d in sv.devices() if d.name != "cpu"}
    assert all(each["advice"] for each in found.values() if each["state"] == "missing")
    assert all(each["state"] in ("good", "note", "missing") for each in found.values())


def test_doctor_of_an_unknown_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "HUGE_PAGES", str(tmp_path / "none"))
    assert doctor.huge_pages().state == "note"
    (tmp_path / "pages").write_text("always [madvise] never\n")
    monkeypatch.setattr(doctor, "HUGE_PAGES", str(tmp_path / "pages"))
    assert doctor.huge_pages().state == "good"
    (tmp_path / "pages").write_text("always madvise [never]\n")
    assert "echo madvise" in doctor.huge_pages().advice
    monkeypatch.setattr(doctor, "in_use", lambda: {"machine": [
        "host: SV_HOST_TUNING is ignored: the file cannot be read", "host: scalar, tuned for other; caches 1; more"]})
    states = {(found.name, found.state) for found in doctor.processor()}
    assert states >= {("tuning", "missing"), ("tuning", "note"), ("caches", "good")}
    assert set(doctor.ADVICE) >= {"no driver", "no device", "no backend"}


def test_tune(run):
    code, text, _ = run("tune")
    assert code == 0 and "host: " in text and "make tune" in text
    told = json.loads(run("tune", "--json")[1])
    assert told["machine"] and told["file"] == os.environ.get("SV_HOST_TUNING")


def test_bench(run, tmp_path):
    code, text, _ = run("bench", "--size", "64K", "--rounds", "1")
    assert code == 0 and all(case.name in text for case in bench.CASES)
    told = json.loads(run("bench", "--size", "64K", "--rounds", "2", "--only", "transpose", "--json")[1])
    assert [row["name"] for row in told["copies"]] == [case.name for case in bench.CASES if "transpose" in case.name]
    assert all(seconds > 0 for row in told["copies"] for seconds in row["seconds"].values()) and told["numpy"] == np.__version__
    assert run("bench", "--only", "nothing")[0] == run("bench", "--rounds", "0")[0] == 2


@pytest.mark.parametrize("case", bench.CASES, ids=lambda case: case.name)
def test_bench_compares_the_same_copies(case):
    """Every contestant writes what NumPy writes."""
    dst, src = bench.arrays(case, 1 << 14)
    numbers = np.asarray(src)
    numbers[...] = np.random.default_rng(1).integers(0, 100, numbers.shape)
    bench.by_numpy(case, dst, src)()
    wanted = np.asarray(dst).copy()
    for make in bench.CONTESTANTS.values():
        dst.fill(0)
        call = make(case, dst, src)
        if call is not None:
            call()
            assert np.allclose(np.asarray(dst), wanted, rtol=1e-6, atol=0)


def test_bench_as_a_diagram(run, tmp_path, monkeypatch):
    if bench.optional("matplotlib") is not None:
        assert run("bench", "--size", "16K", "--rounds", "1", "--only", "mirrored", "--plot", tmp_path / "a.svg")[0] == 0
        assert "mirrored" in (tmp_path / "a.svg").read_text()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, said = run("bench", "--size", "16K", "--rounds", "1", "--only", "mirrored", "--plot", tmp_path / "b.svg")
    assert code == 6 and "pip install matplotlib" in said


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(run, tmp_path, shell):
    pytest.importorskip("shtab")
    code, text, _ = run("completion", shell)
    assert code == 0 and all(name in text for name in program.COMMANDS) and "permute" in text
    if shell == "bash":
        (tmp_path / "script").write_text(text)
        assert subprocess.run(["bash", "-n", tmp_path / "script"], check=False).returncode == 0


def test_completion_without_its_package(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, _, said = run("completion", "bash")
    assert code == 6 and "pip install shtab" in said


# --- the page of the command line


PAGE = Path(os.environ["srcdir"]) / "doc" / "command_line.md" if "srcdir" in os.environ else None


def blocks_of(text, mark, language):
    """The blocks of a language that stand behind a mark."""
    return re.findall(rf"<!-- {mark} -->\n```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.skipif(PAGE is None, reason="without the source tree")
def test_the_page_prints_what_the_commands_print(run, tmp_path, monkeypatch):
    text = PAGE.read_text()
    monkeypatch.chdir(tmp_path)
    for code in blocks_of(text, "made", "python"):
        exec(code, {})
    sessions = blocks_of(text, "run", "console")
    assert len(sessions) == 3
    for session in sessions:
        for command, printed in re.findall(r"^\$ strideview (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE):
            assert run(*shlex.split(command)) == (0, printed, ""), command


@pytest.mark.skipif(PAGE is None, reason="without the source tree")
def test_the_page_has_all_commands_and_codes():
    text = PAGE.read_text()
    assert "".join(f"| {number} | {what} |\n" for number, what in CODES.items()) in text
    rows = dict(re.findall(r"^\| `(\w+)[^`]*` \| (.*?) (?:\(\[.*)?\|$", text, re.MULTILINE))
    assert {name: what.replace(" in a shell", "") for name, what in program.COMMANDS.items()} == rows


# --- values of options


@pytest.mark.parametrize("text, value", [
    ("4096", 4096), ("1K", 1024), ("1.5GiB", 3 << 29), ("256 MB", 256 << 20), ("2t", 2 << 40), ("0", 0)])
def test_sizes(text, value):
    assert quantities.size(text) == value


@pytest.mark.parametrize("reads, text", [
    (quantities.size, "-1"), (quantities.size, "1X"), (quantities.size, ""), (quantities.integers, "1,a"),
    (quantities.extents, "3,-1"), (quantities.key, "1:2:3:4"), (quantities.key, "a"), (quantities.key, ""),
    (quantities.number, "1/0"), (quantities.number, "x"), (quantities.number, "1/2/3"), (quantities.number, "1/2/3/4"), (quantities.numbers, "1,,2")])
def test_values_that_are_none(reads, text):
    with pytest.raises(quantities.argparse.ArgumentTypeError):
        reads(text)


@pytest.mark.parametrize("text, value", [
    ("1:2,::-1", (slice(1, 2), slice(None, None, -1))), ("...,3", (..., 3)), ("[:, -1]", (slice(None), -1))])
def test_keys(text, value):
    assert quantities.key(text) == value


def test_numbers():
    assert quantities.numbers("1/255") == 1 / 255 and quantities.numbers("1,-2.5,1e-3/2") == [1, -2.5, 0.0005]


@pytest.mark.parametrize("nbytes, text", [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (1 << 40, "1.0 TiB"), (5 << 50, "5120.0 TiB")])
def test_human(nbytes, text):
    assert quantities.human(nbytes) == text


# --- progress on a terminal


SLOW = """
import sys, time
if sys.argv.pop(1) == "text":
    sys.modules["tqdm"] = None
from strideview.cli.files import ends
read = ends.FileReader.read
def slow(self, begin, extents):
    time.sleep(0.05)
    return read(self, begin, extents)
ends.FileReader.read = slow
from strideview.cli.main import main
main()
"""


@pytest.mark.parametrize("kind", ["text", "bar"])
def test_progress_on_a_terminal(tmp_path, kind):
    np.save(tmp_path / "in.npy", np.zeros((100, 100), "f8"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen([sys.executable, "-c", SLOW, kind, "copy", tmp_path / "in.npy", tmp_path / "out.npy",
                                "--permute", "1,0", "--memory-limit", "20K"], stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the terminal's other end is closed
        pass
    os.close(ours)
    with process:
        assert "78.1 KiB in" in process.stdout.read()
    assert process.returncode == 0 and b"/s" in shown
    assert b" left" in shown or kind == "bar"


def test_import_brings_no_command_line():
    """import strideview stays small."""
    begin = time.monotonic()
    code = "import sys, strideview; print([name for name in sys.modules if 'strideview.cli' in name or name == 'argparse'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    assert time.monotonic() - begin < 60


if __name__ == "__main__":
    import tap

    tap.main(__file__)
