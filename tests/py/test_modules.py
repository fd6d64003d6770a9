"""One state in an interpreter: reload, second install, subinterpreters, what the module declares."""

import importlib
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import strideview as sv

SOURCES = Path(__file__).resolve().parents[2] / "py/src"
TYPES = ["StridedLayout", "StridedMemoryView", "Plan", "BoundsError", "CopyError", "TooHardError"]

BEFORE = """
import gc, importlib, sys, weakref
import numpy as np
import strideview as sv

array = np.arange(6.0).reshape(2, 3)
old = sv
layout, view, capsule, lent = sv.StridedLayout((2, 3), None, 4), sv.view(array), sv.view(array).__dlpack__(), sv.view(array)
exported, borrowed = memoryview(lent), np.from_dlpack(lent)
plan = sv.Plan(array, array)
weak = weakref.ref(view), weakref.ref(layout)

def forget(which):
    for name in [name for name in sys.modules if which(name)]:
        del sys.modules[name]
"""

AFTER = """
def check(view, layout):
    assert view.T.shape == (3, 2) and view[1:, ::2].shape == (1, 2) and view[0].layout.ndim == 1
    assert layout[:, 1].shape == (2,) and layout.T.T == layout and layout.flatten().ndim == 1
    assert view.dtype == "float64" and view.exporting_obj is array

check(view, layout)
check(sv.view(array), sv.StridedLayout((2, 3), None, 4))
assert sv.view(view) is view and type(view) is sv.StridedMemoryView and type(sv.view(array)) is type(view)
assert layout == sv.StridedLayout((2, 3), None, 4) and sv.view(array).layout == view.layout
assert isinstance(sv.view(array).view(layout=view.layout), old.StridedMemoryView)
assert weak[0]() is view and weak[1]() is layout
assert exported.tolist() == array.tolist() == borrowed.tolist() == sv.view(capsule).__array__().tolist()
for other in (old, sv):
    target = other.empty((3, 2), "float64")
    other.copy(target, view.T)
    assert np.asarray(target).tolist() == array.T.tolist()
    for bad in (lambda: view[9], lambda: other.view(array)[9]):
        try:
            bad()
        except other.BoundsError:
            continue
        raise AssertionError(bad)
plan.execute(array.copy(), view)
import pickle
assert pickle.loads(pickle.dumps(layout)) == layout
"""

AGAIN = {
    "reload": "assert importlib.reload(sv) is sv",
    "the package": 'forget(lambda name: name == "strideview"); import strideview as sv',
    "everything": 'forget(lambda name: name.split(".")[0] == "strideview"); import strideview as sv',
    "the core": 'forget(lambda name: name == "strideview._core"); importlib.reload(sv)',
    "everything, and the old one is gone": """
forget(lambda name: name.split(".")[0] == "strideview")
del sv, old
gc.collect()
import strideview as sv
old = sv
""",
}


def run(code, **environment):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], capture_output=True, text=True,
                          env={**os.environ, "PYTHONMALLOC": "debug", **environment})
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("how", AGAIN)
def test_installed_again(how):
    """The types stay the same, so that what was made before is what it was."""
    assert run(BEFORE + AGAIN[how] + "\n" + AFTER) == (0, "")


def test_reload_here():
    before = [getattr(sv, name) for name in TYPES]
    view = sv.view(np.arange(6).reshape(2, 3))
    importlib.reload(sv)
    assert [getattr(sv, name) for name in TYPES] == before and view.T.shape == (3, 2)


FLAT = """
import resource
def used():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

for i in range(1100):
    if i == 100:
        before = used()
    importlib.reload(sv)
    forget(lambda name: name == "strideview._core")
    importlib.reload(sv)
    assert sv.view(array).T.shape == (3, 2)
assert used() - before < 1 << 20, used() - before
"""


def test_memory_stays_flat():
    # AddressSanitizer keeps what is freed, and so no use of memory is flat, unless it is told not to.
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
    assert run(BEFORE + FLAT, PYTHONMALLOC="default", ASAN_OPTIONS=options) == (0, "")


# --- other interpreters

INSIDE = """
try:
    import strideview
except ImportError as error:
    print(error, file=told, flush=True)
else:
    print("imported", file=told, flush=True)
"""

SUBINTERPRETER = """
import os, sys, tempfile
{first}
path = tempfile.mkstemp()[1]
code = "import sys; sys.path[:] = " + repr(sys.path) + "; told = open(" + repr(path) + ", 'a')" + {inside!r}
{run}
print(open(path).read().splitlines()[0] if os.path.getsize(path) else "nothing was told")
os.unlink(path)
{last}
"""

RUNS = {
    "with a shared lock": """
import _testcapi
if hasattr(_testcapi, "run_in_subinterp"): _testcapi.run_in_subinterp(code)
else: sys.exit("no _testcapi.run_in_subinterp")""",
    "by _xxsubinterpreters": """
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
one = interpreters.create()
interpreters.run_string(one, code)
interpreters.destroy(one)""",
}
FIRST = BEFORE.replace("import gc, importlib, sys, weakref", "import gc, importlib, weakref")
ORDERS = {"before": ("", BEFORE + AFTER.replace("sv.view(capsule).__array__().tolist()", "array.tolist()")),
          "after": (BEFORE, AFTER), "alone": ("", "")}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("way", RUNS)
def test_subinterpreters_are_refused(way, order):
    """Whether the main interpreter imports it before, afterwards or never; its objects stay what they are."""
    first, last = ORDERS[order]
    code, told = run(SUBINTERPRETER.format(first=first, inside=INSIDE, run=RUNS[way], last=last))
    if "no _testcapi" in told or "No module named '_testcapi'" in told:
        pytest.skip("this Python has no _testcapi")
    assert code == 0 and "imported" not in told.splitlines(), told
    assert "interpreter" in told, told


# --- what the module declares


def test_lock_is_declared():
    """A free-threaded Python turns the lock on when it imports the package: cffi's module alone would not."""
    text = (SOURCES / "module/module.c").read_text()
    slots = re.search(r"PyModuleDef_Slot slots\[\] = \{(.*?)\n\};", text, re.S)[1]
    assert "{Py_mod_gil, Py_MOD_GIL_USED}" in slots
    assert "{Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED}" in slots
    if hasattr(sys, "_is_gil_enabled"):
        assert sys._is_gil_enabled()


def test_no_other_state():
    """Objects of Python are in the state of the module: a static one is shared by all that import the package."""
    kept = re.compile(r"^(?:static )?(?:struct \w+|[A-Z]\w+|svpy_\w+|sv_\w+) \**\w+(?:\[\w*\])?(?: = NULL)?;", re.M)
    found = {(path.name, text) for path in SOURCES.rglob("*.c") for text in kept.findall(path.read_text())}
    assert found == {("state.c", "struct svpy_state *svpy_only_state;")}


if __name__ == "__main__":
    import tap
    tap.main(__file__)
