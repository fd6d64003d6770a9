"""Why a copy is done the way it is, and who does it: Plan.explain(), explain(), placement() and the command line."""

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


WHOLE = np.zeros((20, 20), "f4")


@pytest.mark.parametrize(("dst", "src", "method", "told"), [
    (np.zeros(9), np.zeros(9), "direct", "directly"),
    (np.zeros(9), np.zeros(9)[::-1], "direct", "directly"),
    (WHOLE[1:], WHOLE[:-1], "in place", "in place"),
    (WHOLE, WHOLE.T, "in place", "in place"),
    (WHOLE, WHOLE[::-1], "temporary", "by a temporary of 1600 bytes"),
    (WHOLE, WHOLE, "nothing", "without moving a byte"),
])
def test_placement_on_the_host(dst, src, method, told):
    assert sv.placement(dst, src) == ("cpu", None, "nothing", "all", method)
    assert sv.placement(dst, src, blocking=False).method == method
    line = f"\nplacement host: by the host, {told}; waits for nothing; done on return: all\n"
    assert line in sv.explain(dst, src) and line in sv.Plan(dst, src).explain(dst, src)


def test_placement_refuses_what_a_copy_does():
    with pytest.raises(TypeError, match="casting="):
        sv.placement(np.zeros(3), np.zeros(3, "f4"))
    assert sv.placement(np.zeros(3), np.zeros(3, "f4"), casting="safe").method == "direct"
    assert sv.placement(np.zeros(3), np.zeros(3), byteswap=True).method == "direct"
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    for dst, src, options in ((np.zeros(3), np.zeros(4), {}), (read_only, np.zeros(3), {}), (np.zeros(3), np.zeros(3), {"stream": -1})):
        with pytest.raises(ValueError) as refused:
            sv.placement(dst, src, **options)
        with pytest.raises(type(refused.value)):
            sv.copy(dst, src, **options)
    with pytest.raises(TypeError):
        sv.placement(np.zeros(3))
    assert sv.placement(np.zeros(0), np.zeros(0)).method == "nothing"


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


@pytest.mark.parametrize("dst, src, told", [
    ("cpu", "cuda_host", "placement host: by the host, directly; "),
    ("cuda:1", "cpu", "placement send: by CUDA device 1, in chunks through a ring of pinned memory; waits for a free ring; "),
    ("cpu", "cuda", "placement fetch: by CUDA device 0, in chunks through a ring of pinned memory; waits for the stream; "),
    ("cuda:1", "cuda:1", "placement within: by CUDA device 1, directly; waits for nothing; done on return: nothing"),
    ("cuda:1", "cuda:0", "placement peers: by CUDA device 1 or that of the stream, directly; "),
])
def test_command_line_of_devices(dst, src, told):
    """Whether there is a device or not."""
    out = command("(64, 64)*4", "(64, 64):(1, 64)*4", "--dst-device", dst, "--src-device", src)
    if sv.devices()[-1].state == "no backend" and "cuda" in (dst + src).replace("cuda_host", ""):
        assert out.returncode == 1 and "no backend copies" in out.stderr
        return
    assert out.returncode == 0 and told in out.stdout and not out.stderr
    assert ("\ncuda: " in out.stdout) == ("host: by" not in told)


@pytest.mark.parametrize("device", ["nowhere", "cuda:x", "cuda:-1", "cuda:99999999999", ":", "oneapi", "cuda:1:1"])
def test_command_line_says_which_device_is_none(device):
    out = command("(2,)*4", "(2,)*4", "--src-device", device)
    assert out.returncode == 1 and "strideview: " in out.stderr and out.stderr.count("\n") == 1 and not out.stdout


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
