"""The extension strideview._strideview, for cffi's API mode: the C API. The same file has the
extension strideview._core: the types and functions written in C (py/src).

setup.py adds the library to link with.
"""

from pathlib import Path

from cffi import FFI

here = Path(__file__).parent
root = here.parent.parent
# The package that is built has a copy of the declarations beside this file.
declarations = next(folder / "_cdef.h" for folder in (root / "bindings", here) if (folder / "_cdef.h").exists())

ffibuilder = FFI()
ffibuilder.cdef(declarations.read_text())
ffibuilder.set_source(
    "strideview._strideview",
    '#include "sv.h"',
    sources=sorted(str(path.relative_to(root)) for path in (root / "py/src").rglob("*.c")),
    depends=[str(path.relative_to(root)) for folder in ("py/src", "include") for path in (root / folder).rglob("*.h")],
    include_dirs=["py/src"],
    py_limited_api=False,
    # Functions begin with a line, as in libsv: else what stands before one decides how fast it is.
    extra_compile_args=["-std=c11", "-fvisibility=hidden", "-falign-functions=64"],
    # The extension's own libsv is meant, whatever else the process has loaded.
    extra_link_args=["-Wl,-Bsymbolic"],
)
