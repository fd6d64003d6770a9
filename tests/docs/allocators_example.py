"""TAP: examples/allocators serves a library that takes a memory handler, and tells what that forgot to free."""

import os
import subprocess
import sys
from pathlib import Path

EXPECTED = """\
attempt 1: no room for 500000 bytes, the cache is emptied
500000 bytes: solved
2000000 bytes: no memory for 2000000 bytes: the limit is 1048576, and 1000 are in use
peak: 600000 bytes
solver: block 3, 1000 bytes, was not freed
"""

done = subprocess.run([Path(os.environ.get("builddir", ".")) / "examples/allocators"], capture_output=True, text=True)
right = done.returncode == 0 and done.stdout == EXPECTED and done.stderr == ""
print("1..1")
print(f"{'ok' if right else 'not ok'} 1 - a handler, a limit, a cache that makes room, and a leak")
for line in [] if right else (done.stdout + done.stderr).splitlines():
    print("#", line)
sys.exit(not right)
