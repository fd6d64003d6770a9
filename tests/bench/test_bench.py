"""The benchmarks run, find what is wrong, and their reports say what they measured. No time is looked at."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import copy_peers
import copy_random
import copy_report
import copy_sides
import interchange
import layouts
import loader
import measured as measured_plans
import numpy as np
import pytest
import report


@pytest.fixture(scope="module")
def measured():
    found, missing = layouts.rows()  # verifies every result
    layouts.measure(found, rounds=1, batch=0)
    layouts.add_targets(found)
    return {"versions": layouts.versions(missing), "missing": missing, "rows": found}


@pytest.fixture(scope="module")
def handed_over():
    found, missing = interchange.rows()  # verifies every result
    layouts.measure(found, rounds=1, batch=0)
    interchange.add_targets(found)
    return {"versions": interchange.versions(), "missing": missing, "rows": found}


def test_every_row_is_measured(measured, handed_over):
    for row in measured["rows"] + handed_over["rows"]:
        assert row["ns"].keys() == row["cells"].keys() and all(ns > 0 for ns in row["ns"].values())
    assert "exchange tables" not in handed_over["missing"]


def test_wrong_results_are_found(monkeypatch):
    monkeypatch.setattr(layouts, "LAYOUTS", [("x.permuted((1, 0))", "x")])
    with pytest.raises(AssertionError):
        layouts.rows()


def test_hand_overs_that_go_wrong_are_found(monkeypatch):
    monkeypatch.setattr(interchange, "ROWS", [("view(array)", 1, {interchange.OURS: "view(array[1:])"})])
    with pytest.raises(AssertionError):
        interchange.rows()


def test_report_has_every_row(measured, handed_over):
    of_c = {"compiler": "gcc 1", "unit": "a", "rows": [{"name": "a", "ns": 2.0, "limit": 0, "target": ""},
                                                   {"name": "b", "ns": 3.0, "limit": 2.0, "target": "a"}]}
    text = report.report(of_c, measured, handed_over)
    assert "| a | 2.0 | 1.00 |  |  |" in text
    assert "| b | 3.0 | 1.50 | a: 2 | **missed** |" in text
    for row in measured["rows"]:
        assert f"| `{row['name']}`" in text
    for row in handed_over["rows"]:
        assert f"| {row['name']} |" in text.replace("`", "")


def test_report_keeps_what_is_around_it():
    document = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    new = report.replaced(document, "new")
    assert "old" not in new and new.startswith("before\n") and new.endswith("\nafter\n") and "\nnew\n" in new
    assert report.replaced(new, "new") == new


# --- copies -------------------------------------------------------------------

COPIES = """
some | transposed | float32 | (6, 5)*4 | (6, 5):(1, 6)*4 | copy | .9 | transpose
some | sliced | float64 | (3, 4)*8 | (3, 4):(24, 3)*8 | copy | | gather
some | rotated, reversed | uint8 | (4, 2, 3)*1 | (4, 2, 3):(1, -12, 4)*1+12 | copy | | transpose
some | repeated | complex128 | (5, 7)*16 | (5, 7):(0, 1)*16 | fill | .95 | rows
others | spread | uint16 | (5, 4):(8, 1)*2 | (5, 4)*2 | ns | 100 | rows
others | behind the start | float16 | (30,)*2+4 | (30,)*2+2 | memcpy + ns | 40 | contiguous
"""
QUICK = [copy_peers.OURS, copy_peers.MEMCPY, copy_peers.NUMPY]


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.txt"
    path.write_text(COPIES)
    return copy_sides.read_cases(path)


def test_the_list_of_copies_is_read():
    found = copy_sides.read_cases()
    assert len(found) > 150 and len({case["name"] for case in found}) == len(found)
    assert all(case["dst"].shape == case["src"].shape for case in found)
    assert sum(case["name"].startswith("TTC") for case in found) == 57


def test_every_copy_is_measured(cases):
    for case in cases:
        row = copy_peers.measure(case, QUICK, rounds=1)
        assert row["ns"].keys() == set(QUICK) and all(ns > 0 for ns in row["ns"].values()), case["name"]


def test_random_copies_are_cases(tmp_path):
    lines = copy_random.cases(seed=1, count=50, least=64, most=8192)
    (tmp_path / "random.txt").write_text("\n".join(lines))
    found = copy_sides.read_cases(tmp_path / "random.txt")
    assert lines == copy_random.cases(seed=1, count=50, least=64, most=8192) != copy_random.cases(2, 50, 64, 8192)
    assert len({case["name"] for case in found}) == 50 and len(lines[0]) < 2048
    assert {case["src"].ndim for case in found} > {1, 2, 3, 4, 5, 6}
    assert any(case["src"].slice_offset for case in found) and any(0 in case["src"].strides for case in found)
    for case in found[:10]:
        assert copy_peers.measure(case, QUICK, rounds=1)["ns"].keys() == set(QUICK), case["name"]
    assert all(len(case["name"]) < 48 and case["dst"].is_unique for case in found)


def test_plans_are_measured(cases):
    rows = [measured_plans.measure(case, rounds=1, limit=0.001) for case in cases]
    assert all(row["loops"] > 0 and row["ratio"] > 0 and " -> " in row["change"] for row in rows)
    assert f"{len(rows)} copies" in measured_plans.summary(rows) and "0 copies" in measured_plans.summary([])


def test_batches_of_a_loader_are_the_same():
    batches = [way().copy() for way in loader.ways(images=2).values()]
    assert all(np.array_equal(batch, batches[0]) for batch in batches) and batches[0].shape == (2, 3, 224, 224)
    seconds, faults = loader.measure(lambda: batches[0], 1)
    assert seconds > 0 and faults >= 0


@pytest.mark.parametrize("name", [copy_peers.TORCH, copy_peers.JAX])
def test_peers_copy_the_same(cases, name):
    if not os.environ.get("SV_TEST_SCALE"):
        pytest.skip("long to import: SV_TEST_SCALE=full")
    if name not in copy_peers.set_threads(1, [name]):
        pytest.skip("not installed")
    did = [case["name"] for case in cases if name in copy_peers.runs_of(copy_sides.Sides(case), [copy_peers.OURS, name])]
    assert "transposed" in did and "repeated" in did


def test_a_source_is_expressed_by_a_dense_array(cases):
    for case in cases[:4]:
        sides = copy_sides.Sides(case)
        extents, axes = copy_peers.dense_source(case["src"])
        dense = np.zeros(int(np.prod(extents)), sides.dtype)
        known = sides.src_bytes.view(sides.dtype)[: dense.size]
        dense[: known.size] = known
        made = copy_peers.expressed(np, dense.reshape(extents), axes, case["dst"].shape)
        assert np.array_equal(made, sides.src), case["name"]


def test_wrong_copies_are_found(cases, monkeypatch):
    monkeypatch.setitem(copy_peers.WAYS, copy_peers.TORCH, lambda sides: lambda: sides.dst.fill(0))
    with pytest.raises(AssertionError, match="transposed: PyTorch"):
        copy_peers.runs_of(copy_sides.Sides(cases[0]), [copy_peers.OURS, copy_peers.TORCH])


# What hptt.cpp makes of HPTT, for any axes and slow. WRONG: it forgets the last byte.
HPTT = """
#include <stdlib.h>
#include <string.h>
struct plan { int ndim, perm[8], shape[8]; long to[8], from[8]; const char *src; char *dst; };
void *bench_hptt_plan(const char *dtype, int ndim, const int *perm, const int *shape, const int *src_outer,
                      const int *dst_outer, const void *src, void *dst, int threads, int measure)
{
    struct plan *p = calloc(1, sizeof *p);
    long to = 4, from = 4;

    if (strcmp(dtype, "float32") != 0 || ndim > 8 || threads != 1 || measure)
        return NULL;
    p->ndim = ndim; p->src = src; p->dst = dst;
    for (int k = ndim - 1; k >= 0; to *= dst_outer[k], from *= src_outer[k], k--) {
        p->perm[k] = perm[k]; p->shape[k] = shape[k]; p->to[k] = to; p->from[k] = from;
    }
    return p;
}
static void copy(const struct plan *p, int axis, char *dst, const char *src)
{
    if (axis == p->ndim)
        memcpy(dst, src, WRONG ? 3 : 4);
    else
        for (int i = 0; i < p->shape[p->perm[axis]]; i++)
            copy(p, axis + 1, dst + i * p->to[axis], src + i * p->from[p->perm[axis]]);
}
void bench_hptt_run(void *plan) { copy(plan, 0, ((struct plan *)plan)->dst, ((struct plan *)plan)->src); }
void bench_hptt_release(void *plan) { free(plan); }
"""


def measured_in_c(tmp_path, *options, text=COPIES):
    if not Path("tests/bench/copy").exists():
        pytest.skip("tests/bench/copy is not built here")
    (tmp_path / "cases.txt").write_text(text)
    out = tmp_path / "c.json"
    said = subprocess.run(["tests/bench/copy", "-c", tmp_path / "cases.txt", "-r", "1", *options, out], check=True,
                          capture_output=True, text=True).stdout
    return json.loads(out.read_text()), said


def test_two_threads_copy_the_same(tmp_path):
    of_c, _ = measured_in_c(tmp_path, "-t", "2")
    assert of_c["threads"] == 2 and len(of_c["rows"]) == 6


def test_random_copies_are_measured(tmp_path):
    of_c, _ = measured_in_c(tmp_path, text="\n".join(copy_random.cases(seed=2, count=20, least=64, most=8192)))
    assert len(of_c["rows"]) == 20 and all(row["ns"] > 0 for row in of_c["rows"])
    rows = [{**row, "ahead": {"NumPy": 0.5 if k == 3 else 2.0}} for k, row in enumerate(of_c["rows"])]
    text = copy_report.spread(rows)
    assert " 20 " in text and "1 of 20" in text and f"0.50 of NumPy  {rows[3]['name']}, {rows[3]['loop']}" in text


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_given_library_takes_part_where_it_is_right(tmp_path, wrong):
    (tmp_path / "hptt.c").write_text(HPTT)
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", f"-DWRONG={wrong}", "-o", tmp_path / "hptt.so",
                    tmp_path / "hptt.c"], check=True)
    of_c, said = measured_in_c(tmp_path, "-h", tmp_path / "hptt.so")
    peers = {row["name"]: row["peers"] for row in of_c["rows"]}
    assert len(peers) == 6 and ("HPTT" in peers["transposed"]) == (not wrong) and "HPTT" not in peers["sliced"]
    assert ("transposed: HPTT copies something else" in said) == bool(wrong)


def test_report_tells_every_copy(tmp_path, cases):
    of_c, _ = measured_in_c(tmp_path)
    python = {"versions": copy_peers.versions(QUICK), "threads": 1,
              "rows": [copy_peers.measure(case, QUICK, rounds=1) for case in cases]}
    (tmp_path / "python.json").write_text(json.dumps(python))
    rows, facts = copy_report.merged([tmp_path / "python.json", tmp_path / "c.json"])
    text = copy_report.document(rows, facts)
    assert len(rows) == 6 and f"NumPy {np.__version__}" in text and "### Some" in text and "With one thread" in text
    for case in cases:
        assert f"| {case['name']} |" in text
    pytest.importorskip("matplotlib")
    copy_report.draw(rows, tmp_path / "copy.svg")
    assert all(case["name"] in (tmp_path / "copy.svg").read_text() for case in cases)


def test_report_finds_misses_and_who_is_ahead():
    row = {"group": "g", "ns": 100.0, "plan_ns": 90.0, "to_memcpy": 0.5, "to_best": 0.4, "unit": "copy", "target": 0.5,
           "ahead": {"FFTW": 2.0, "FFTW measured": 0.8, "NumPy": 4.0}}
    others = [{**row, "name": "met", "target": 0.3, "ahead": {"NumPy": 3.2}}, {**row, "name": "no target", "target": 0, "ahead": {}},
              {**row, "name": "in time", "unit": "ns", "target": 120}, {**row, "name": "overhead", "unit": "memcpy + ns", "target": 40}]
    text = "\n".join(copy_report.summary([{**row, "name": "missed"}, *others[:2]]))
    assert "libsv is 1.60 times as fast" in text and "Of FFTW: 0.80 times" in text
    assert "1 of 2 are met. Missed: missed (0.40, not 0.5)." in text and "missed (0.80 of FFTW measured)" in text
    assert copy_report.is_met(others[2]) and not copy_report.is_met(others[3])


if __name__ == "__main__":
    import sys
    from pathlib import Path
    sys.path.append(str(Path(__file__).parents[1] / "py"))
    import tap
    tap.main(__file__)
