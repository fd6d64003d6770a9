"""tests/py/tap.py gives a plan, and says what went wrong, whatever a file of tests does."""

import subprocess
import sys
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("tap.py")

FILES = [
    ("passes", "def test_one(): pass", 0, ["ok 1 - test_one", "1..1"]),
    ("fails", "def test_one(): assert 0", 1, ["not ok 1 - test_one", "1..1"]),
    ("skips_a_test", "import pytest\ndef test_one(): pytest.skip('so')", 0, ["ok 1 - test_one # SKIP so", "1..1"]),
    ("skips_as_a_whole", "import pytest\npytest.importorskip('nonesuch', reason='no nonesuch')\ndef test_one(): pass", 0,
     ["1..0 # SKIP no nonesuch"]),
    ("cannot_be_imported", "import nonesuch", 1, ["not ok 1 - test_cannot_be_imported.py"]),
    ("has_no_tests", "", 1, ["not ok 1 - pytest stopped: NO_TESTS_COLLECTED", "1..1"]),
    ("cannot_be_read", "def", 1, ["not ok 1 - test_cannot_be_read.py"]),
]


@pytest.mark.parametrize("name, text, status, wanted", FILES, ids=[name for name, *_ in FILES])
def test_what_a_file_does(name, text, status, wanted, tmp_path):
    file = tmp_path / f"test_{name}.py"
    file.write_text(text)
    done = subprocess.run([sys.executable, RUNNER, file], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert (int(done.returncode != 0), [line for line in wanted if line not in lines]) == (status, [])
    assert len([line for line in lines if line.startswith("1..")]) == 1


def test_other_files_write_tap_themselves(tmp_path):
    (tmp_path / "own.py").write_text("import beside\nprint(__name__, beside.here)")
    (tmp_path / "beside.py").write_text("here = 1")
    done = subprocess.run([sys.executable, RUNNER, tmp_path / "own.py"], capture_output=True, text=True)
    assert done.stdout == "__main__ 1\n"
