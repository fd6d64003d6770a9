"""TAP: each derived declaration of the API loads the library, and does its main job where a program shows it."""

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

# Pixels of 2 x 2 x 3 bytes, copied out as three planes: what the program in each language prints.
PLANES = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]


def needs(program):
    path = shutil.which(program)
    if not path:
        raise tap.Skip(f"no {program}")
    return path


def prints_planes(*command, **environment):
    run = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env={**os.environ, **environment}, cwd=tap.build
    )
    if run.returncode != 0 or run.stdout.strip() != str(PLANES):
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}, not {PLANES}"


def cffi_declarations():
    """cffi: bindings/_cdef.h finds every function"""
    try:
        import cffi
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    ffi = cffi.FFI()
    ffi.cdef((tap.root / "bindings/_cdef.h").read_text())
    lib = ffi.dlopen(str(tap.loadable()))
    yield from (name for name in tap.public_names() if not hasattr(lib, name))
    if (lib.SV_ERROR_INDEX, lib.SV_BOOL) != (-3, 0x010806):
        yield f"constants {lib.SV_ERROR_INDEX}, {lib.SV_BOOL}"


def ctypes_module():
    path = tap.root / "bindings/sv_ctypes.py"
    spec = importlib.util.spec_from_file_location("sv_ctypes", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def version_is_the_headers():
    """the library has the version, the ABI version and the features that sv/base.h knows"""
    text = (tap.root / "include/sv/base.h").read_text()
    value = {name: int(number) for name, number in re.findall(r"\b(SV_\w+) = (\d+)\b", text)}
    major, minor, patch = (value[f"SV_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    lib = ctypes_module().load(str(tap.loadable()))
    for answer, wanted in (
        (lib.sv_version(), 10000 * major + 100 * minor + patch),
        (lib.sv_version_text(), f"{major}.{minor}.{patch}".encode()),
        (lib.sv_abi_version(), value["SV_ABI_VERSION"]),
    ):
        if answer != wanted:
            yield f"{answer}, not {wanted}"
    unknown = lib.sv_features() & ~(value["SV_FEATURE_CUDA"] | value["SV_FEATURE_CHECKS"])
    if unknown:
        yield f"features {unknown:#x} have no name"


def ctypes_main_job():
    """ctypes: bindings/sv_ctypes.py declares every function and does the main job"""
    sv = ctypes_module()
    lib = sv.load(str(tap.loadable()))
    yield from sorted(set(tap.public_names()) ^ set(sv.FUNCTIONS))

    def made(kind, function, *arguments):
        out = ctypes.POINTER(kind)()
        status = function(*arguments, ctypes.byref(out))
        if status != sv.SV_OK:
            raise RuntimeError(lib.sv_last_message().decode())
        return out

    pixels, copied = (ctypes.c_uint8 * 12)(*range(12)), (ctypes.c_uint8 * 12)()
    hwc = made(sv.sv_layout, lib.sv_layout_new, 3, (ctypes.c_int64 * 3)(2, 2, 3), None, 1)
    chw = made(sv.sv_layout, lib.sv_layout_permute, hwc, 3, (ctypes.c_int32 * 3)(2, 0, 1))
    dense = made(sv.sv_layout, lib.sv_layout_to_dense, chw, sv.SV_ORDER_C, 0, None, 0)
    source = made(sv.sv_view, lib.sv_view_from_pointer, chw, sv.SV_UINT8, pixels, 12, sv.SV_READ_ONLY)
    target = made(sv.sv_view, lib.sv_view_from_pointer, dense, sv.SV_UINT8, copied, 12, 0)
    if lib.sv_copy(target, source, 0, 0) != sv.SV_OK or list(copied) != PLANES:
        yield f"{list(copied)}: {lib.sv_last_message().decode()}"
    for view in target, source:
        lib.sv_view_release(view)
    for layout in dense, chw, hwc:
        lib.sv_layout_release(layout)


def ctypes_beside_a_script():
    """ctypes: a script that imports ctypes has a copy of sv_ctypes.py beside it"""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(tap.root / "bindings/sv_ctypes.py", folder)
        script = Path(folder, "script.py")
        script.write_text("import sys, ctypes, sv_ctypes\nprint(sv_ctypes.load(sys.argv[1]).sv_version_text().decode())\n")
        version = ctypes_module().load(str(tap.loadable())).sv_version_text().decode()
        run = subprocess.run([sys.executable, script, tap.loadable()], capture_output=True, text=True)
        if run.stdout.strip() != version:
            yield from (run.stdout + run.stderr).splitlines()
            yield f"not {version}"


def ctypes_refuses():
    """ctypes: a library of another ABI version is refused"""
    sv = ctypes_module()
    sv.SV_ABI_VERSION += 1
    try:
        sv.load(str(tap.loadable()))
    except ImportError:
        return
    yield "it was loaded"


def cython_declarations():
    """Cython: a module that takes every name from sv.pxd is translated and compiled"""
    try:
        from Cython.Compiler.Main import CompilationOptions, compile
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    import sysconfig

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "all.pyx")
        names = tap.public_names()
        source.write_text(f"from sv cimport {', '.join(names)}, SV_OK\n" + "print(sv_version(), SV_OK)\n")
        shutil.copy(tap.root / "bindings/sv.pxd", folder)
        if compile(str(source), CompilationOptions(language_level=3, include_path=[folder])).num_errors:
            yield "not translated"
            return
        include = ["-I", sysconfig.get_path("include"), "-I", tap.root / "include"]
        tap.lines(*tap.tool("CC", "cc"), "-fsyntax-only", *include, source.with_suffix(".c"))


def luajit_main_job():
    """LuaJIT: examples/luajit does the main job"""
    program, modules = tap.root / "examples/luajit/main.lua", tap.root / "bindings/?.lua"
    luajit = needs("luajit")
    yield from prints_planes(luajit, program, LIBSV=str(tap.loadable()), LUA_PATH=str(modules))


def rust_main_job():
    """Rust: examples/rust compiles without a warning and does the main job"""
    rustc, library = needs("rustc"), tap.loadable()
    version = tuple(map(int, re.search(r"(\d+)\.(\d+)", tap.lines(rustc, "--version")[0]).groups()))
    if version < (1, 82):
        raise tap.Skip("rustc is older than 1.82")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "main")
        source = tap.root / "examples/rust/main.rs"
        for edition in ("2021", "2024") if version >= (1, 85) else ("2021",):
            tap.lines(rustc, "--edition", edition, "-D", "warnings", "-L", library.parent, "-o", program, source)
            yield from prints_planes(program, LD_LIBRARY_PATH=str(library.parent))


def julia_text():
    """Julia: bindings/StrideView.jl calls every function and closes what it opens"""
    text = (tap.root / "bindings/StrideView.jl").read_text()
    called = re.findall(r"@ccall libsv\.(\w+)\(", text)
    yield from sorted(set(tap.public_names()) ^ set(called))
    bare = re.sub(r'(?s)"""\n.*?"""\n|(?-s:#.*)|"[^"\n]*"', "", text)
    for left, right in ("()", "{}", "[]"):
        if bare.count(left) != bare.count(right):
            yield f"{bare.count(left)} {left} and {bare.count(right)} {right}"
    opened = len(re.findall(r"^(?:module|function|mutable struct)\b", text, re.M))
    closed = len(re.findall(r"\bend$", text, re.M))
    if opened != closed:
        yield f"{opened} blocks are opened, {closed} closed"


def julia_main_job():
    """Julia: examples/julia does the main job"""
    julia = needs("julia")
    yield from prints_planes(julia, tap.root / "examples/julia/main.jl", LIBSV=str(tap.loadable()))


if __name__ == "__main__":
    tap.report(
        version_is_the_headers,
        cffi_declarations,
        ctypes_main_job,
        ctypes_beside_a_script,
        ctypes_refuses,
        cython_declarations,
        luajit_main_job,
        rust_main_job,
        julia_text,
        julia_main_job,
    )
