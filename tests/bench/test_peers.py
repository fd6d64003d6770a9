"""tests/bench/copy finds other libraries, asks them for what they can express, and leaves out those that copy something
else. No time is looked at. Small libraries, made of fake_*.c, take the places of the real ones."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import copy_libraries
import copy_report
import pytest

CASES = """
some | transposed | float32 | (6, 5)*4 | (6, 5):(1, 6)*4 | copy | .9 | transpose
some | pitch | complex128 | (6, 5):(7, 1)*16 | (6, 5):(9, 1)*16+32 | copy | | rows
some | stepped | float64 | (3, 4)*8 | (3, 4):(24, 3)*8 | copy | | gather
some | stepped, one axis | complex64 | (4,)*8 | (4,):(2,)*8 | copy | | gather
some | three axes | int8 | (4, 2, 3)*1 | (4, 2, 3):(1, 4, 8)*1 | copy | | transpose
some | three axes that are two | int8 | (4, 2, 3)*1 | (4, 2, 3):(1, 12, 4)*1 | copy | | transpose
some | integers | uint32 | (5, 4):(8, 1)*4 | (5, 4):(1, 5)*4 | copy | | transpose
some | 2 bytes | uint16 | (5, 4):(8, 1)*2 | (5, 4)*2 | copy | | rows
some | half precision | float16 | (30,)*2+4 | (30,)*2+2 | copy | | contiguous
some | reversed | float32 | (4, 6)*4 | (4, 6):(6, -1)*4+20 | copy | | reversed
some | repeated | float32 | (5, 7)*4 | (5, 7):(0, 1)*4 | fill | | rows
some | converted | float32->float64 | (5, 7)*8 | (5, 7):(1, 5)*4 | copy | | cast
"""
BLAS = {"transposed", "pitch"}
WIDE = BLAS | {"stepped", "stepped, one axis", "three axes", "three axes that are two", "integers", "half precision"}
FAKES = [  # name, how it is compiled, its version, and what it can express
    ("OpenBLAS", "OPENBLAS=", "9.8.7", BLAS),
    ("OpenBLAS", "OPENBLAS=scipy_", "9.8.7", BLAS),
    ("MKL", "MKL", "9.8", BLAS | {"stepped", "stepped, one axis"}),
    ("oneDNN", "ONEDNN=2", "2.8.7", WIDE),
    ("oneDNN", "ONEDNN=3", "3.8.7", WIDE),
    ("libxsmm", "LIBXSMM", "of unknown version", BLAS | {"three axes that are two", "integers", "2 bytes"}),
]
RIGHT, WRONG, THREAD = 0, 1, 2


def compiled(tmp_path, option, manner):
    made = tmp_path / "fake.so"
    source = Path(__file__).with_name("fake_onednn.c" if option.startswith("ONEDNN") else "fake_blas.c")
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-pthread", f"-D{option}",
                    f"-DMANNER={manner}", "-o", made, source], check=True)
    return made


def measured(tmp_path, *options):
    if not Path("tests/bench/copy").exists():
        pytest.skip("tests/bench/copy is not built here")
    (tmp_path / "cases.txt").write_text(CASES)
    said = subprocess.run(["tests/bench/copy", "-c", tmp_path / "cases.txt", "-r", "1", *options, tmp_path / "c.json"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads((tmp_path / "c.json").read_text()), said


def which(of_c, name):
    return {row["name"] for row in of_c["rows"] if name in row["peers"]}


@pytest.mark.parametrize("name, option, version, expressed", FAKES)
def test_a_library_copies_what_it_can_express(tmp_path, name, option, version, expressed):
    of_c, said = measured(tmp_path, "-l", compiled(tmp_path, option, RIGHT))
    assert of_c["versions"][name] == version and name not in of_c["missing"]
    assert len(of_c["rows"]) == CASES.count("some |")
    assert which(of_c, name) == expressed and f": {name} " not in said


@pytest.mark.parametrize("name, option, version, expressed", FAKES)
def test_a_library_that_copies_something_else_is_found(tmp_path, name, option, version, expressed):
    of_c, said = measured(tmp_path, "-l", compiled(tmp_path, option, WRONG))
    assert not which(of_c, name)
    assert all(f"{case}: {name} copies something else" in said for case in expressed)


@pytest.mark.parametrize("name, option, version, expressed", FAKES[2:4])
def test_a_library_that_takes_more_threads_is_found(tmp_path, name, option, version, expressed):
    of_c, said = measured(tmp_path, "-l", compiled(tmp_path, option, THREAD))
    assert not which(of_c, name)
    assert all(f"{case}: {name} takes more threads than it may" in said for case in expressed)


def test_two_threads_share_a_copy_of_libxsmm(tmp_path):
    name, option, _, expressed = FAKES[-1]
    of_c, said = measured(tmp_path, "-t", "2", "-l", compiled(tmp_path, option, RIGHT))
    assert which(of_c, name) == expressed and f": {name} " not in said


def test_a_given_file_that_is_no_library_is_an_error(tmp_path):
    (tmp_path / "no.so").write_text("no library")
    with pytest.raises(subprocess.CalledProcessError):
        measured(tmp_path, "-l", tmp_path / "no.so")


def test_who_is_missing_is_told(tmp_path):
    of_c, _ = measured(tmp_path, "-p")
    assert "HPTT" in of_c["missing"] and not set(of_c["missing"]) & set(of_c["versions"])
    assert {*of_c["missing"], *of_c["versions"]} == set(copy_report.LIBRARIES[3:])
    text = copy_report.document(*copy_report.merged([tmp_path / "c.json"]))
    assert all(f"* {name}: not found here." in text for name in of_c["missing"])


def test_libraries_of_pythons_environment_are_found(tmp_path, monkeypatch, capsys):
    wheel = tmp_path / "site" / "scipy_openblas32" / "lib" / "libscipy_openblas.so"
    for file in (wheel, tmp_path / "lib" / "libdnnl.so.3"):
        file.parent.mkdir(parents=True)
        file.touch()
    (wheel.parents[1] / "__init__.py").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    copy_libraries.main("one:two")
    assert capsys.readouterr().out == f"-l one:two:{wheel}:{tmp_path}/lib/libdnnl.so.3\n"
    monkeypatch.setattr(copy_libraries, "libraries", list)
    copy_libraries.main("")
    assert capsys.readouterr().out == ""


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1] / "py"))
    import tap
    tap.main(__file__)
