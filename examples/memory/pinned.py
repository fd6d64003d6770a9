"""Takes a tensor from the C library of pinned.c: NumPy reads it in place, and a device would at full speed.

    python pinned.py PATH_OF_THE_LIBRARY
"""

import ctypes
import sys

import strideview as sv

library = ctypes.CDLL(sys.argv[1])
library.squares.argtypes = [ctypes.c_int64]
library.squares.restype = ctypes.c_void_p
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
new_capsule.restype = ctypes.py_object

view = sv.view(new_capsule(library.squares(5), b"dltensor_versioned", None))
print(view.dtype, view.shape, "of the host's memory:", view.is_host_accessible)
array = view.numpy()
del view
print(array[::-1])
