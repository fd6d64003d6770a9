"""TAP: examples/threads transposes with a pool of threads, with OpenMP where the compiler has it, and in turn."""

import os
import subprocess
import sys
from pathlib import Path

program = Path(os.environ.get("builddir", ".")) / "examples/threads"


def lines(side):
    done = subprocess.run([program, str(side)], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


results = []
for side in (1, 511, 512, 1025, 2048):
    code, said = lines(side)
    right = [f"{way}: transposed {side} x {side}" for way in ("pool", "OpenMP", "in turn")]
    ended = ["in turn: ended at half"] * (side >= 511)
    results.append((f"{side} x {side} by {len(said)} ways",
                    code == 0 and said in (right + ended, right[:1] + right[2:] + ended)))
results.append(("no side", lines(0) == (2, [])))
print(f"1..{len(results)}")
for number, (name, good) in enumerate(results, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
sys.exit(not all(good for _, good in results))
