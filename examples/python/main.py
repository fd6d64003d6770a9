"""Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
another type.

    python main.py
"""

from array import array

import strideview as sv

pixels, planes = bytes(range(12)), array("f", bytes(4 * 12))
source = sv.view(pixels).reshape(2, 2, 3).permute(2, 0, 1)
target = sv.view(planes).reshape(3, 2, 2)
try:
    sv.copy(target, source)
except TypeError as error:  # which says what is missing
    print(f"{type(error).__name__}: {error}")
sv.copy(target, source, casting="same_kind")
print([int(number) for number in planes])
