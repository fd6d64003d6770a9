"""The bundle for machines with a GPU: it is small, refers to nothing outside, and checks itself without a driver."""

import ctypes
import os
import re
import subprocess
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import bundle
import pytest
import suites

import strideview as sv

PLAIN = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Made at one place and moved to another."""
    place = tmp_path_factory.mktemp("bundle")
    bundle.make(Path(".").resolve(), place / "made", with_cccl=False)
    return (place / "made").rename(place / "moved")


def run(folder, *arguments):
    """Without any package that is installed here."""
    command = [sys.executable, "-I", "-S", folder / "run", *arguments]
    return subprocess.run(command, cwd="/", env=PLAIN, capture_output=True, text=True)


def programs(folder):
    return [*(folder / "bin").iterdir(), *folder.rglob("*.so*")]


def test_it_is_small(folder):
    assert bundle.size(folder) < 64 << 20


def test_nothing_in_it_refers_to_the_build_tree(folder):
    trees = {os.fsencode(path.resolve()) for path in (Path("."), bundle.SOURCE)}
    for path in folder.rglob("*"):
        assert not path.is_symlink()
        assert not path.is_file() or not any(tree + b"/" in path.read_bytes() for tree in trees), path


def test_programs_find_the_library_beside_them(folder):
    for path in programs(folder):
        dynamic = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
        paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic)
        # Python puts ways of its own into what it loads.
        assert path.suffix == ".so" or all(text == "$ORIGIN/../lib" for text in paths), path
        libraries = subprocess.run(["ldd", path], env=PLAIN, capture_output=True, text=True).stdout
        assert "not found" not in libraries, path
        if "[libsv.so.0]" in dynamic.replace("soname: [libsv.so.0]", ""):
            assert str(folder) in re.search(r"libsv.so.0 => (\S+)", libraries)[1]
            assert os.path.samefile(re.search(r"libsv.so.0 => (\S+)", libraries)[1], folder / "lib" / "libsv.so.0")


def test_it_checks_what_it_can(folder):
    done = run(folder, "check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^library +1 ", done.stdout, re.M) and re.search(r"^package +1 ", done.stdout, re.M)
    for name in suites.PROGRAMS:
        assert re.search(rf"^{name} +[1-9]\d* +0 ", done.stdout, re.M), done.stdout
    if next(device for device in sv.devices() if device.name == "cuda").state != "ready":
        for name in ("cuda", "memory_device", "layouts", "conversions", "scales", "random copies", "batches", "captures",
                     "torch graphs"):
            assert re.search(rf"^{name} .*no CUDA driver: skipped", done.stdout, re.M), done.stdout


def test_without_a_driver_nothing_is_measured(folder):
    if next(device for device in sv.devices() if device.name == "cuda").state == "ready":
        pytest.skip("there is a device")
    for command in ("bench", "random", "tune"):
        done = run(folder, command)
        assert done.returncode == 1 and "no CUDA driver" in done.stdout and not done.stderr


def test_every_module_is_there_and_needs_nothing_else(folder):
    modules = sorted(path.stem for path in (folder / "gpu").glob("*.py"))
    places = [str(folder / "gpu"), str(folder / "python")]
    code = f"import sys; sys.path[:0] = {places!r}; import {', '.join(modules)}; measure.read_cases()"
    done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {"commands", "measure", "tune", "compare"} <= set(modules)


# In the place of compute-sanitizer: runs the program, and finds what FOUND says.
SANITIZER = """#!/bin/sh
tool=$2
while [ "${1#--}" != "$1" ]; do shift 2; done
echo "========= COMPUTE-SANITIZER"
"$@" || exit
case $tool in
racecheck) echo "========= RACECHECK SUMMARY: $FOUND hazards displayed ($FOUND errors, 0 warnings)";;
*) echo "========= ERROR SUMMARY: $FOUND errors";;
esac
[ $FOUND = 0 ] || exit 97
"""


@pytest.mark.parametrize("errors", [0, 3])
def test_what_the_sanitizer_finds_is_told(tmp_path, monkeypatch, capsys, errors):
    (tmp_path / "bin").mkdir()
    (tmp_path / "run").write_text("print('16 passed, 0 failed, 0 skipped')")
    (tmp_path / "sanitizer").write_text(SANITIZER)
    for name in {name for name, _ in suites.SANITIZED}:
        (tmp_path / "bin" / name).write_text("#!/bin/sh\necho 'ok 1 - fine'\necho 1..1\n")
    for path in (tmp_path / "sanitizer", *(tmp_path / "bin").iterdir()):
        path.chmod(0o755)
    monkeypatch.setenv("FOUND", str(errors))
    results = list(suites.sanitized(tmp_path, str(tmp_path / "run"), str(tmp_path / "sanitizer")))
    assert [result.suite for result in results[:2]] == ["cuda under memcheck", "cuda under racecheck"]
    assert results[-1].suite == "copies under memcheck" and len(results) == len(suites.SANITIZED) + 1
    assert all(bool(result.failed) == bool(errors) and f"{errors} " in result.note for result in results)
    assert all(result.passed == 1 for result in results[:-1])


def test_a_program_that_fails_is_told(folder, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "run").write_bytes((folder / "run").read_bytes())
    for name in ("gpu", "lib", "python"):
        (tmp_path / name).symlink_to(folder / name)
    for name in suites.PROGRAMS:
        text = "#!/bin/sh\necho 'ok 1 - fine'\necho 'ok 2 - not here # SKIP no'\necho 1..2\n"
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "bin" / "threads").write_text("#!/bin/sh\necho 'not ok 1 - broken'\necho 1..1\nexit 1\n")
    (tmp_path / "bin" / "cuda").write_text("#!/bin/sh\necho 'ok 1 - fine'\nkill -SEGV $$\n")
    done = run(tmp_path, "check", "--only", "programs")
    assert done.returncode == 1 and "threads: not ok 1 - broken" in done.stdout and "ended early" in done.stdout
    assert f"{len(suites.PROGRAMS) + 1} passed, 2 failed, {len(suites.PROGRAMS) - 2} skipped" in done.stdout


def test_cccl_is_compiled(tmp_path):
    if not os.environ.get("SV_TEST_SCALE"):
        pytest.skip("long to compile: SV_TEST_SCALE=full")
    if not os.environ.get("NVCC") or bundle.cccl_headers() is None:
        pytest.skip("no nvcc, or no headers of CCCL with cuda::copy() of mdspans")
    bundle.put_cccl(Path(".").resolve(), tmp_path)
    library = tmp_path / "lib" / "libcccl_copy.so"
    assert os.fsencode(bundle.SOURCE) not in library.read_bytes()
    copy = ctypes.CDLL(str(library)).cccl_copy
    assert copy(3, 1, None, None, None, None, None, None) == copy(4, 5, None, None, None, None, None, None) == 2


def test_the_wheel_has_the_package(folder):
    (path,) = folder.glob("strideview-*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        record = wheel.read(next(name for name in names if name.endswith("RECORD"))).decode()
        tag = f"Tag: {path.stem.split('-', 2)[2]}"
        assert tag in wheel.read(next(name for name in names if name.endswith("WHEEL"))).decode()
    assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)
    packed = {name for name in names if name.startswith("strideview/")}
    assert packed == {str(file.relative_to(folder / "python")) for file in (folder / "python" / "strideview").rglob("*")
                      if file.is_file()}


def test_a_folder_that_is_no_bundle_stays(tmp_path):
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(SystemExit, match="no bundle"):
        bundle.make(Path(".").resolve(), tmp_path)
    assert (tmp_path / "letter").exists()


def test_another_python_is_looked_for(tmp_path, monkeypatch):
    loader = SourceFileLoader("run_script", str(bundle.SOURCE / "tests" / "gpu" / "run"))
    script = module_from_spec(spec_from_loader("run_script", loader))
    loader.exec_module(script)
    monkeypatch.setattr(script, "PACKAGE", tmp_path)
    assert script.fitting_python() is None
    (tmp_path / "_strideview.cpython-399-x86_64-linux-gnu.so").touch()
    assert script.fitting_python() == ""
    broken, works = tmp_path / "broken" / "python3.99", tmp_path / "works" / "python3.99"
    for path, text in ((broken, "exit 127"), (works, "echo 42")):
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", str(path.parent))
        assert script.fitting_python() == (str(path) if path == works else "")
    (tmp_path / f"_strideview{script.EXTENSION_SUFFIXES[0]}").touch()
    assert script.fitting_python() is None


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1] / "py"))
    import tap
    tap.main(__file__)
