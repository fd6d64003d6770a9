"""TAP: the headers stand alone, in every language that includes them, and sv.h still says what it said."""

import ctypes
import os
import re
import shlex
import shutil
import site
import subprocess
import tempfile
from pathlib import Path

import tap

STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
HEADERS = ["sv.h", *sorted(f"sv/{path.name}" for path in (tap.root / "include/sv").glob("*.h"))]
MAIN = "int main(void) { return sv_status_name(SV_OK) == NULL; }\n"
KERNEL = """
using strideview::array;
static_assert(array<float, 3>::rank() == 3 && array<float, 0>::rank() == 0, "");
static_assert(sizeof(array<char, 0>) == 8 && sizeof(array<double, 5>) == 88, "8 + 16 bytes an axis");
int main()
{
    static int cells[] = {0, 1, 2, 3, 4, 5};
    const array<int, 2> turned = {cells + 3, {3, 2}, {1, -3}};
    const array<const int, 0> one = {cells + 4};
    turned(2, 1) += 10;
    return !(turned(0, 0) == 3 && cells[2] == 12 && turned(2u, 1L) == 12 && turned.size() == 6 && turned.extent(1) == 2 &&
             turned.stride(1) == -3 && turned.data() == cells + 3 && one() == 4 && one.size() == 1);
}
"""
KERNEL_FAULTS = [
    "void f(array<const int, 1> a) { a(0) = 1; }",
    "int f(array<int, 2> a) { return a(0); }",
    "int f(array<int, 2> a) { return a(0, 1, 2); }",
    "array<int, 65> a;",
]


def faults(compiler, language, standard, text):
    """What a compiler says to a text that includes sv.h. Nothing is written."""
    with tempfile.NamedTemporaryFile("w", suffix="." + language) as source:
        source.write(text)
        source.flush()
        include = ["-I", str(tap.root / "include"), "-I", str(tap.root / "tests")]
        command = [*compiler, f"-std={standard}", *STRICT, *include, source.name]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        yield " ".join(command)
        yield from run.stderr.splitlines()


def texts():
    """For each header a program that includes it before all else, and twice."""
    for header in HEADERS:
        yield f'#include "{header}"\n' * 2 + MAIN


def version(command):
    """What tells one compiler from another: gcc and cc are often one, by their own names."""
    return tap.lines(*command, "--version")[0].partition(" ")[2]


def compilers(*names):
    """Commands of the compilers that are here, each compiler once: names, or commands in lists of words."""
    commands = [name if isinstance(name, list) else [name] for name in names]
    found = {version(command): command for command in reversed(commands) if shutil.which(command[0])}
    if not found:
        raise tap.Skip(f"none of {', '.join(map(shlex.join, commands))}")
    return list(found.values())


def compiles_as_c():
    """each before all else and twice, as C11 and C17, without a warning"""
    for compiler in compilers(tap.tool("CC", "cc"), "gcc", "clang", "cc"):
        for standard in "c11", "c17":
            for text in texts():
                yield from faults(compiler, "c", standard, text)


def compiles_as_cpp():
    """each before all else and twice, as C++11 to C++20, without a warning"""
    for compiler in compilers("g++", "clang++"):
        for standard in "c++11", "c++17", "c++20":
            for text in texts():
                yield from faults(compiler, "cpp", standard, text)


def wrapper_in_cpp():
    """sv.hpp twice, and its tests, as C++17 to C++23, without RTTI and without a warning; 250 lines"""
    alone = '#include "sv.hpp"\nint main() { return sv::view() ? 1 : 0; }\n'
    tests = [f'#include "{tap.root}/tests/run/{name}"\n' for name in ("hpp.cpp", "hpp_other.cpp")]
    for compiler in compilers("g++", "clang++"):
        for standard in "c++17", "c++20", "c++2b":
            if standard != "c++2b" or not list(faults(compiler, "cpp", standard, "")):
                command = [*compiler, "-fno-rtti", "-I", str(tap.root / "src")]
                for text in '#include "sv.hpp"\n' + alone, '#include "sv_mdspan.hpp"\n' + alone, *tests:
                    yield from faults(command, "cpp", standard, text)
    if len((tap.root / "include/sv.hpp").read_text().splitlines()) > 250:
        yield "sv.hpp has more than 250 lines"


def wrapper_is_inline():
    """sv.hpp defines nothing that a second source with it would define once more"""
    text = '#include "sv.hpp"\ntemplate sv_status sv::fill(std::nothrow_t, const view &, const float &, uint32_t, uintptr_t);\n'
    for compiler in compilers("g++", "clang++"):
        with tempfile.TemporaryDirectory() as folder:
            source, object_file = Path(folder, "wrapper.cpp"), Path(folder, "wrapper.o")
            source.write_text(text)
            tap.lines(*compiler, "-std=c++17", "-c", "-I", tap.root / "include", "-o", object_file, source)
            symbols = [line.split() for line in tap.lines(*tap.tool("NM", "nm"), "--defined-only", object_file)]
            if not any(kind == "W" for _, kind, _ in symbols):
                yield f"{compiler[0]}: nm shows none of its functions"
            yield from (f"{compiler[0]}: {name}" for _, kind, name in symbols if kind in "TDBRCG")


def kernels_in_cpp():
    """sv_kernel.hpp twice, as C++17 and C++20: arrays of all ranks are read and written"""
    include = '#include "sv_kernel.hpp"\n'
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers("g++", "clang++"):
            for standard in "c++17", "c++20":
                yield from faults(compiler, "cpp", standard, include * 2 + KERNEL)
            source = Path(folder, "kernel.cpp")
            source.write_text(include + KERNEL)
            program = Path(folder, "kernel")
            subprocess.run([*compiler, "-std=c++17", "-I", tap.root / "include", "-o", program, source], check=True)
            if subprocess.run([program]).returncode != 0:
                yield f"{compiler[0]}: the program finds other elements"


def kernel_faults():
    """a const element that is written, and another number of indices, do not compile"""
    for compiler in compilers("g++", "clang++"):
        for text in KERNEL_FAULTS:
            if not list(faults(compiler, "cpp", "c++17", '#include "sv_kernel.hpp"\nusing strideview::array;\n' + text)):
                yield f"{compiler[0]}: {text}"


def kernels_in_cuda():
    """the example of a user's own kernel is compiled by nvcc, with nothing but sv_kernel.hpp, for the device"""
    nvcc = os.environ.get("NVCC")
    if not nvcc:
        raise tap.Skip("no nvcc")
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, "-std=c++17", "-ptx", "-I", tap.root / "include", "-o", Path(folder, "saxpy.ptx"),
                   tap.root / "examples/kernels/saxpy.cu"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0 or run.stderr:
            yield from run.stderr.splitlines()
        elif ".entry saxpy(" not in Path(folder, "saxpy.ptx").read_text():
            yield "no kernel saxpy"


def nvrtc():
    """The library that CuPy and cuda.core compile kernels with: a package of NVIDIA's has it, or the toolkit."""
    folders = [*map(Path, site.getsitepackages()), Path(os.environ.get("CUDA_DIR") or "/usr/local/cuda")]
    for folder in folders:
        for path in sorted([*folder.glob("nvidia/*/lib/libnvrtc.so.*"), *folder.glob("lib64/libnvrtc.so.*")]):
            for builtins in path.parent.glob("libnvrtc-builtins.so.*"):
                ctypes.CDLL(str(builtins))  # which it looks for beside itself, and under sanitizers does not find
            return ctypes.CDLL(str(path))
    raise tap.Skip("no NVRTC")


def kernels_by_nvrtc():
    """the same is compiled by NVRTC, which has no headers of a C library"""
    library, program, size = nvrtc(), ctypes.c_void_p(), ctypes.c_size_t()
    source = (tap.root / "examples/kernels/saxpy.cu").read_bytes()
    options = [b"-std=c++17", b"-I" + os.fsencode(tap.root / "include")]
    if library.nvrtcCreateProgram(ctypes.byref(program), source, b"saxpy.cu", 0, None, None) != 0:
        yield "nvrtcCreateProgram()"
        return
    status = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    if status != 0 or log.value.strip():
        yield from [f"status {status}", *log.value.decode().splitlines()]
    elif library.nvrtcGetPTXSize(program, ctypes.byref(size)) != 0 or size.value < 100:
        yield "no PTX"


def includes_little():
    """base.h includes stddef.h and stdint.h, and the others include only each other"""
    for name in HEADERS:
        text = (tap.root / "include" / name).read_text()
        included = re.findall(r"^\s*#\s*include\s*(\S+)", text, re.M)
        known = {f'"{header}"' if name == "sv.h" else f'"{header.removeprefix("sv/")}"' for header in HEADERS[1:]}
        if name == "sv/base.h":
            known = {"<stddef.h>", "<stdint.h>"}
        yield from (f"{name}: {header}" for header in included if header not in known)
    included = re.findall(r'#include "(.*)"', (tap.root / "include/sv.h").read_text())
    if sorted(included) != HEADERS[1:]:
        yield f"sv.h includes {', '.join(included)}"


def releases():
    return sorted((tap.root / "tests/abi").glob("[0-9]*.h"))


def frozen_prototypes():
    """declarations of each release still hold"""
    public = set(tap.public_names())
    for file in releases():
        yield from faults(tap.tool("CC", "cc"), "c", "c11", f'#include "sv.h"\n#include "abi/{file.name}"\n')
        declared = set(re.findall(r"\b(sv_\w+)\([^*]", file.read_text()))
        yield from (f"{name} of {file.name} is gone" for name in sorted(declared - public))


def changes_are_seen():
    """a changed prototype, type or constant does not compile"""
    frozen = releases()[-1].read_text()
    changes = {
        "int32_t sv_version(void)": "int64_t sv_version(void)",
        "int32_t sv_view_is_readonly(const sv_view *view)": "int32_t sv_view_is_readonly(sv_view *view)",
        "typedef int32_t sv_status": "typedef int64_t sv_status",
        "SV_ERROR_INDEX == -3": "SV_ERROR_INDEX == -4",
    }
    for before, after in changes.items():
        changed = frozen.replace(before, after)
        if changed == frozen:
            yield f"{before}: not found"
        if not list(faults(tap.tool("CC", "cc"), "c", "c11", '#include "sv.h"\n' + changed)):
            yield f"{after}: not seen"


if __name__ == "__main__":
    tap.report(compiles_as_c, compiles_as_cpp, wrapper_in_cpp, wrapper_is_inline, kernels_in_cpp, kernel_faults,
               kernels_in_cuda, kernels_by_nvrtc, includes_little, frozen_prototypes, changes_are_seen)
