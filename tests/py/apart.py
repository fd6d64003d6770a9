"""Runs code in an interpreter of its own, so that a crash is a failed test and not the end of all tests."""

import os
import subprocess
import sys
import textwrap


def run_apart(code, **environment):
    """Fails unless the code ends well and writes nothing to stderr. Returns what it wrote to stdout.

    Python's allocator fills freed blocks, so that code which reads one gets nonsense.
    """
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], capture_output=True, text=True,
                          cwd=os.path.dirname(os.path.abspath(__file__)),
                          env={**os.environ, "PYTHONMALLOC": "debug", **environment})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr or f"ended by {done.returncode}"
    return done.stdout
