"""TAP: examples/copy does what its comment says, and refuses what is no picture."""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

program = Path(os.environ.get("builddir", ".")) / "examples/copy"
random.seed(1)


def expected(pixels, height, width):
    """Rows from an eighth to seven eighths, mirrored, one plane after another."""
    top, bottom = height // 8, height - height // 8
    planes = bytearray()
    for colour in range(3):
        for row in range(top, bottom):
            begin = row * width * 3
            planes += pixels[begin + colour : begin + width * 3 : 3][::-1]
    return b"P5\n%d %d\n255\n" % (width, 3 * (bottom - top)) + planes


def run(directory, content):
    source, target = directory / "in.ppm", directory / "out.pgm"
    target.unlink(missing_ok=True)
    if content is not None:
        source.write_bytes(content)
    else:
        source.unlink(missing_ok=True)
    done = subprocess.run([program, source, target], capture_output=True, text=True)
    return done, target.read_bytes() if target.exists() else None


def picture(height, width):
    pixels = random.randbytes(height * width * 3)
    return pixels, b"P6\n%d %d\n255\n" % (width, height) + pixels


def header_of(largest):
    return b"P6\n10 10\n%d\n" % largest


def is_right(directory, height, width):
    pixels, content = picture(height, width)
    done, written = run(directory, content)
    return done.returncode == 0 and written == expected(pixels, height, width)


def is_refused(directory, content):
    done, written = run(directory, content)
    return done.returncode == 1 and written is None and len(done.stderr.splitlines()) == 1


with tempfile.TemporaryDirectory() as name:
    directory = Path(name)
    results = [(f"{h} x {w} picture", is_right(directory, h, w)) for h, w in ((1, 1), (8, 5), (33, 64), (200, 311))]
    results += [
        ("no file", is_refused(directory, None)),
        ("no picture", is_refused(directory, b"GIF89a")),
        ("picture cut short", is_refused(directory, picture(9, 9)[1][:-1])),
        ("no rows", is_refused(directory, b"P6 5 0 255\n")),
        ("65,536 values a colour", is_refused(directory, header_of(65535) + bytes(600))),
        ("128 values a colour", is_refused(directory, header_of(127) + bytes(600))),
        ("2,556 values a colour", is_refused(directory, header_of(2555) + bytes(600))),
        ("no number of values", is_refused(directory, b"P6\n10 10\n" + bytes(600))),
        ("no white space", is_refused(directory, header_of(255)[:-1] + bytes(600))),
        ("more columns than it takes", is_refused(directory, b"P6 1000001 255 255\n" + bytes(600))),
    ]
print(f"1..{len(results)}")
for number, (name, good) in enumerate(results, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
sys.exit(not all(good for _, good in results))
