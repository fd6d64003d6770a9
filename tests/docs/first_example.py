"""TAP: examples/first, of which the README shows a part, prints what it should."""

import os
import subprocess
import sys
from pathlib import Path

EXPECTED = """\
three planes
green: 0.2 0.4 0.6
green: 0.8 1.0 0.0
"""

done = subprocess.run([Path(os.environ.get("builddir", ".")) / "examples/first"], capture_output=True, text=True)
right = done.returncode == 0 and done.stdout == EXPECTED and done.stderr == ""
print("1..1")
print(f"{'ok' if right else 'not ok'} 1 - pixels become scaled planes")
for line in [] if right else (done.stdout + done.stderr).splitlines():
    print("#", line)
sys.exit(not right)
