"""The end of processes, forks and fresh imports while copies on the fake CUDA runtime use rings of pinned memory."""

import os
import subprocess
import sys

import fake  # noqa: F401  (skips where there is no such package)
import pytest

BUILT = os.path.abspath(os.environ.get("builddir", "."))

# What each script begins with: copies through a ring that nobody waits for. Host and device are other ways round.
BEGIN = """
import os
import sys
import fake
import numpy as np
import strideview as sv
from test_fake import DeviceArray

fake.lib.fake_start(fake.LAZY, 1)
stream = fake.lib.fake_new_stream(0, 1)
numbers = np.arange(150 * 160, dtype="f4").reshape(150, 160)
device = sv.view(DeviceArray((150, 160), "f4", 0), -1)

def send():
    turned = np.ascontiguousarray(numbers.T).T
    sv.view(turned).copy_to(device, stream=stream, blocking=False)
    turned[...] = 0

def arrived():
    back = np.zeros((160, 150), "f4").T
    sv.view(back).copy_from(device, stream=stream)
    return np.array_equal(back, numbers)

send()
assert fake.lib.fake_unfinished() > 0
"""


def run(script):
    done = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True, timeout=120,
                          cwd=os.path.dirname(os.path.abspath(__file__)), env={**os.environ, "builddir": BUILT})
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")


@pytest.mark.parametrize("how", ["print('fine')", "print('fine'); sys.exit()",
                                 "print('fine', flush=True); os._exit(0)"],
                         ids=["at the end", "sys.exit", "os._exit"])
def test_the_interpreter_exits_with_a_ring_in_use(how):
    run(how)


def test_copies_of_functions_that_run_at_exit():
    run("""
import atexit
def last():
    send()
    assert arrived()
    print('fine')
atexit.register(last)
""")


def test_threads_that_copy_while_the_interpreter_exits():
    run("""
import threading
def copy():
    while True:
        send()
for _ in range(3):
    threading.Thread(target=copy, daemon=True).start()
print('fine')
""")


def test_a_child_is_told_that_it_was_forked():
    run("""
child = os.fork()
if child == 0:
    for copy in (send, arrived):
        try:
            copy()
            os._exit(1)
        except RuntimeError as error:
            if "forked" not in str(error):
                os._exit(2)
    there = np.zeros((150, 160), "f4")
    sv.copy(there, numbers[:, ::-1])
    os._exit(0 if np.array_equal(there, numbers[:, ::-1]) else 3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert arrived()
send()
assert arrived()
print('fine')
""")


def test_a_child_that_ends_as_programs_do():
    run("""
child = os.fork()
if child == 0:
    sys.exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert arrived()
print('fine')
""")


def test_workers_that_were_forked():
    run("""
import multiprocessing
def work(n):
    try:
        send()
    except RuntimeError as error:
        return "forked" in str(error) and float(np.asarray(sv.view(numbers).T)[n, n]) == numbers[n, n]
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(work, range(8)) == [True] * 8
    assert arrived()
    print('fine')
""")


def test_a_fresh_import_goes_on_with_the_rings():
    run("""
import gc
import importlib
old = sv
for name in [name for name in sys.modules if name.split(".")[0] == "strideview"]:
    del sys.modules[name]
sv = importlib.import_module("strideview")
assert sv is not old
send()
assert arrived()
del old
gc.collect()
send()
assert arrived()
print('fine')
""")


if __name__ == "__main__":
    import tap
    tap.main(__file__)
