"""TAP: each derived declaration of the API has every function. languages.py runs a program with it in each language."""

import ctypes
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

# Pixels of 2 x 2 x 3 bytes, copied out as three planes.
PLANES = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]


def needs(program):
    path = shutil.which(program)
    if not path:
        raise tap.Skip(f"no {program}")
    return path


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


def read_header():
    sys.path.insert(0, str(tap.root / "py"))
    try:
        import read_header
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return read_header, read_header.read(tap.root / "include/sv.h")


def header_classes():
    """What a compiler of C passes of each function: {name: [result, argument, ...]}."""
    reader, header = read_header()
    numbers = {number.name: number.base for number in header.every(reader.Number)}
    sizes = {"int32_t": "int", "uint32_t": "int", "double": "double", "void": "void"}

    def of(kind, is_pointer):
        return "pointer" if is_pointer or kind.depth else sizes.get(numbers.get(kind.base, kind.base), "long")

    return {f.name: [of(f.result, False), *(of(p.type, p.is_callback) for p in f.parameters)] for f in header.functions}


def fortran_declarations():
    """Fortran: bindings/strideview.f90 declares every function"""
    text = (tap.root / "bindings/strideview.f90").read_text()
    yield from sorted(set(tap.public_names()) ^ set(re.findall(r"^ +(?:function|subroutine) (sv_\w+)\(.*(?:bind\(c\)|&)$", text, re.M)))
    yield from (f"longer than a line may be: {line}" for line in text.splitlines() if len(line) > 132)


def fortran_addresses():
    """Fortran: an address is passed by value where C has one star, and by reference where it has two"""
    text = (tap.root / "bindings/strideview.f90").read_text()
    bodies = dict(re.findall(r"^ +(?:function|subroutine) (sv_\w+)\((.*?)^ +end (?:function|subroutine)", text, re.M | re.S))
    for function in read_header()[1].functions:
        declared = dict((name, kind) for kind, name in re.findall(r"^ +(\S.*) :: (\w+)", bodies[function.name], re.M))
        for parameter in function.parameters:
            kind = declared.get(parameter.name, "nothing")
            by_value = parameter.type.depth == (0 if parameter.is_callback else 1)
            if kind.startswith(("type(c_ptr)", "type(c_funptr)")) and ("value" in kind) != by_value:
                yield f"{function.name}: {parameter.name} is {kind}, in C {parameter.type}"


def fortran_prototypes():
    """Fortran: what gfortran passes of each function is what a compiler of C does"""
    gfortran = needs("gfortran")
    wanted = header_classes()
    with tempfile.TemporaryDirectory() as folder:
        options = ["-std=f2018", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-J", folder]
        tap.lines(gfortran, *options, tap.root / "bindings/strideview.f90")
        prototypes = tap.lines(gfortran, "-fc-prototypes", *options[-3:], tap.root / "bindings/strideview.f90")
    found = {}
    for line in prototypes:
        match = re.fullmatch(r"(\w+ \**)(sv_\w+) \((.*)\);", line)
        if match:
            declared = [match[1], *filter(None, re.split(r", ", match[3]))]
            found[match[2]] = ["pointer" if "*" in text else text.split()[0] for text in declared]
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            yield f"{name}: {found.get(name)}, not {wanted.get(name)}"


if __name__ == "__main__":
    tap.report(
        version_is_the_headers,
        cffi_declarations,
        ctypes_main_job,
        ctypes_beside_a_script,
        ctypes_refuses,
        cython_declarations,
        fortran_declarations,
        fortran_addresses,
        fortran_prototypes,
    )
