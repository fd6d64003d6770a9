"""Why a copy is done the way it is: Plan.explain(), explain() and the command line."""

import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import strideview as sv


def chosen(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith("-> ")]


@pytest.mark.parametrize(
    ("dst", "src", "kind"),
    [
        (np.zeros((64, 64), "f4"), np.zeros((64, 64), "f4").T, "transpose"),
        (np.zeros((50, 40), "f8"), np.zeros((50, 80), "f8")[:, :40], "rows"),
        (np.zeros(1000, "u1"), np.zeros(1000, "u1"), "contiguous"),
        (np.zeros(1000, "u2"), np.zeros(1000, "u2")[::-1], "reversed"),
        (np.zeros((), "u2"), np.zeros((), "u2"), "contiguous"),
    ],
)
def test_one_loop_is_marked(dst, src, kind):
    plan = sv.Plan(dst, src)
    assert plan.explain().startswith(f"class {kind}: ")
    assert chosen(plan.explain()) == [plan.kernel]
    assert len(chosen(sv.explain(dst, src))) == 1


def test_nothing_is_copied():
    dst, src = np.zeros((30, 40)), np.ones((40, 30)).T
    sv.explain(dst, src)
    assert not dst.any()


def test_no_element():
    text = sv.explain(np.zeros((0, 3)), np.zeros((0, 3)))
    assert text == "class empty: there is no element\n"


def test_conversions():
    dst, src = np.zeros((100, 70)), np.ones((70, 100), "f4").T
    with pytest.raises(TypeError, match="casting="):
        sv.explain(dst, src)
    assert chosen(sv.explain(dst, src, casting="safe")) == ["convert_blocks"]


def test_arguments():
    plan = sv.Plan(np.zeros(3), np.zeros(3))
    with pytest.raises(TypeError, match="both arrays, or none"):
        plan.explain(np.zeros(3))
    with pytest.raises(TypeError):
        plan.explain(1, 2)
    with pytest.raises(ValueError):
        sv.explain(np.zeros(3), np.zeros(4))


def command(*arguments, limit=None, **environment):
    """limit: of the address space, in bytes."""
    def restrict():
        if limit is not None and not os.environ.get("LD_PRELOAD"):  # sanitizers need all addresses there are
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return subprocess.run([sys.executable, "-m", "strideview", "explain", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, preexec_fn=restrict)


def test_command_line():
    out = command("(64, 64)*4", "(64, 64):(1, 64)*4", "--dtype", "float32")
    assert out.returncode == 0 and out.stdout.startswith("class transpose: ") and not out.stderr
    assert command("(64, 64)*4", "(64, 64):(1, -64)*4+16128").returncode == 0
    wrong = command("(64, 64)*4", "(64, 63)*4")
    assert wrong.returncode == 1 and "does not broadcast" in wrong.stderr and "Traceback" not in wrong.stderr
    wrong = command("(64, 64", "(64, 63)*4")
    assert wrong.returncode == 1 and "Traceback" not in wrong.stderr


@pytest.mark.parametrize("dst, src, dtype", [
    ("(1,)*99999999999", "(1,)*99999999999", None), ("(99999999999, 999)*8", "(99999999999, 999):(1, 99999999999)*8", None),
    ("(5, 7)*3", "(5, 7):(1, 5)*3", None), ("(3,)*4", "(3,):(0,)*4", "float32"), ("(0, 3)*4", "(0, 3)*4", None),
])
def test_command_line_maps_no_memory(dst, src, dtype):
    """Of layouts that it only describes, whatever their size is: also where it could map none."""
    out = command(dst, src, *(["--dtype", dtype] if dtype else []), limit=4 << 30)
    assert out.returncode == 0 and "->" in out.stdout + "->" * ("empty" in out.stdout) and not out.stderr


@pytest.mark.parametrize("dst, src, said", [
    ("(1,)*9223372036854775807", "(1,)*9223372036854775807", "more than there are addresses"),
    ("(9223372036854775807, 9)*8", "(2, 9)*8", "strideview: "), ("(2,):(-1,)*4", "(2,)*4", "strideview: "),
    ("(2,)*99999999999999999999999", "(2,)*4", "strideview: "), ("(" * 9999, "(2,)*4", "strideview: "),
    ("", "(2,)*8", "strideview: "),
])
def test_command_line_says_in_one_line_what_is_wrong(dst, src, said):
    for arguments in ((dst, src), (src, dst)):
        out = command(*arguments)
        assert out.returncode == 1 and said in out.stderr and out.stderr.count("\n") == 1 and not out.stdout
    assert command(dst, src, "--dtype", "nothing").stderr.count("\n") == 1


def test_tuning_of_a_file(tmp_path):
    file, copy = tmp_path / "my.tuning", ("(512, 512)*4", "(512, 512):(1, 512)*4")
    for text, told in (("base = intel\nblock_rows = 32\n", f"tuned for Intel by {file};"),
                       ("block_rows = 33\n", "SV_HOST_TUNING is ignored: line 1: the value is not one"),
                       (None, "SV_HOST_TUNING is ignored: the file cannot be read")):
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
        out = command(*copy, SV_HOST_TUNING=str(file))
        assert out.returncode == 0 and told in out.stdout and not out.stderr
    assert "SV_HOST_TUNING" not in command(*copy).stdout


if __name__ == "__main__":
    import tap
    tap.main(__file__)
