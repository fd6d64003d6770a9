"""Layouts that `run check` copies between all kinds of memory, as in copy_cases.txt, with S for the size of an item."""

import re

import strideview as sv

ITEMSIZES = {1: "uint8", 2: "uint16", 4: "float32", 8: "float64", 16: "complex128"}

# destination's memory, source's memory
DIRECTIONS = [("device", "device"), ("device", "host"), ("host", "device"), ("device", "pinned"), ("pinned", "device"),
              ("device", "managed"), ("managed", "device"), ("managed", "managed"), ("managed", "host"),
              ("host", "managed")]

LAYOUTS = """
dense                      | (7000,)*S                     | (7000,)*S
one item                   | (1,)*S                        | (1,)*S
nothing                    | (3, 0)*S                      | (3, 0)*S
dense, moved by an item    | (7000,)*S+S                   | (7000,)*S
rows                       | (61, 40):(64, 1)*S            | (61, 40):(50, 1)*S
long rows                  | (9, 2100):(2112, 1)*S         | (9, 2100):(2101, 1)*S+S
planes of rows             | (5, 17, 70):(1700, 90, 1)*S   | (5, 17, 70):(1500, 75, 1)*S
transposed                 | (96, 80)*S                    | (96, 80):(1, 96)*S
transposed, odd pitches    | (97, 83):(85, 1)*S+S          | (97, 83):(1, 101)*S+3S
transposed, large          | (300, 320)*S                  | (300, 320):(1, 300)*S
transposed both ways       | (90, 70):(1, 96)*S            | (90, 70):(70, 1)*S
transposed and reversed    | (96, 80)*S                    | (96, 80):(-1, 96)*S+95S
axes reversed              | (16, 17, 18)*S                | (16, 17, 18):(1, 16, 272)*S
channels last to first     | (3, 40, 41)*S                 | (3, 40, 41):(1, 123, 3)*S
channels first to last     | (40, 41, 3)*S                 | (40, 41, 3):(41, 1, 1640)*S
short axes                 | (500, 3, 3)*S                 | (500, 3, 3):(9, 1, 3)*S
many axes                  | (2, 3, 2, 3, 2, 3, 2, 3)*S    | (2, 3, 2, 3, 2, 3, 2, 3):(1, 2, 6, 12, 36, 72, 216, 432)*S
backwards                  | (60, 300)*S                   | (60, 300):(300, -1)*S+299S
upside down                | (60, 50)*S                    | (60, 50):(-50, 1)*S+2950S
splat                      | (5000,)*S                     | (5000,):(0,)*S
rows repeated              | (50, 60)*S                    | (50, 60):(0, 1)*S
items repeated             | (50, 300)*S                   | (50, 300):(1, 0)*S
every second and third     | (50, 60)*S                    | (50, 60):(240, 3)*S
to every second            | (50, 60):(120, 2)*S           | (50, 60)*S
windows that overlap       | (50, 16)*S                    | (50, 16):(1, 1)*S
"""

# (destination's dtype, source's dtype)
CONVERSIONS = [("float32", "uint8"), ("float16", "float32"), ("float32", "float16"), ("bfloat16", "float32"),
               ("float32", "bfloat16"), ("float64", "int32"), ("int16", "float64"),
               ("complex64", "float32"), ("bool", "int8")]
SCALES = [("float32", "uint8"), ("float16", "uint8"), ("bfloat16", "uint8"), ("uint8", "float32"), ("int16", "float16"),
          ("float64", "int32"), ("int64", "float64"), ("float32", "float32"), ("uint8", "bfloat16")]
FLOATING = ("float16", "bfloat16", "float32", "float64", "complex64")  # converted to each other whatever their bits
CONVERTED = ("dense", "rows", "transposed", "channels last to first", "every second and third")


def layout_of(text, itemsize):
    """A layout of items of this size: "*S" is "*4", "+3S" is "+12"."""
    return sv.StridedLayout.parse(re.sub(r"(\d*)S", lambda found: str(int(found[1] or 1) * itemsize), text))


def pairs():
    """(name, destination, source), the layouts as texts."""
    return [tuple(part.strip() for part in line.split("|")) for line in LAYOUTS.strip().splitlines()]
