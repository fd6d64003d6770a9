"""TAP: a call of every function of sv.h, with arguments as a program has them, compiles without a warning."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

sys.path.insert(0, str(tap.root / "py"))

STRICT = ["-Wpedantic", "-Wall", "-Wextra", "-Wconversion", "-Wcast-qual", "-Werror", "-fsyntax-only"]
OLDEST_STRICT_GCC = 14  # from which on C's pointers of other types are errors, not warnings


def header():
    try:
        import read_header
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return read_header.read(tap.root / "include/sv.h")


# --- the program


def declared(parameter, name):
    """(declaration of a variable as a caller would have it, the argument that it is). A caller's own handles and
    memory are not const: libsv promises not to change them, not the caller."""
    kind = parameter.type
    struct = "struct " * kind.struct
    if parameter.is_callback and not kind.depth:
        return "", f"{kind.base}_of_mine"
    if not kind.depth:
        return f"{kind.base} {name} = 0;", name
    if kind.base == "char" and kind.const:
        return "", '"text"'
    if kind.array:
        return f"{'const ' * kind.const}{kind.base} *{name}[2] = {{0, 0}};", name
    if kind.base == "char":
        return f"char {name}[64];", name
    if kind.base == "void" and kind.depth == 1 and not kind.array:
        return f"float {name}[2] = {{0, 0}};", name
    if "OUT" in parameter.marks or parameter.name == "failed":
        stars = "*" * (kind.depth - 1)
        return f"{'const ' * kind.const}{struct}{kind.base} {stars}{name}{' = 0' if stars else ''};", f"&{name}"
    if kind.base.endswith("_t"):
        return f"{kind.base} {name}[2] = {{0, 0}};", name
    return f"{struct}{kind.base} *{name} = 0;", name


def statement(function):
    """A block that calls a function, and again with NULL for each argument that may be NULL."""
    pairs = [declared(p, f"{p.name}{i}") for i, p in enumerate(function.parameters)]
    lines = [f"        {text}" for text, _ in pairs if text]
    full = [argument for _, argument in pairs]
    least = ["0" if "OPT" in p.marks else a for p, (_, a) in zip(function.parameters, pairs)]
    for arguments in [full] if full == least else [full, least]:
        call = f"{function.name}({', '.join(arguments)})"
        if str(function.result) == "void":
            lines.append(f"        {call};")
        else:
            lines.append(f"        {{ {function.result.declare('result')} = {call}; (void)result; }}")
    return "\n".join(["    {", *lines, "    }"])


def callback(item):
    parameters = ", ".join(p.type.declare(p.name) for p in item.parameters)
    ignored = " ".join(f"(void){p.name};" for p in item.parameters)
    result = "" if str(item.result) == "void" else " return 0;" if item.result.depth else " return SV_OK;"
    head = f"{item.result} {item.name}_of_mine({parameters})"
    return f"static {head}\n{{ {ignored}{result} }}"


def program(declarations):
    from read_header import Callback

    used = {p.type.base for f in declarations.functions for p in f.parameters}
    lines = ['#include "sv.h"', "", *(callback(c) for c in declarations.every(Callback) if c.name in used), ""]
    lines += ["int main(void)", "{", *map(statement, declarations.functions), "    return 0;", "}"]
    return "\n".join(lines) + "\n"


# --- compilers


def compiles(compiler, language, standard, text, include=None):
    """What a compiler says. Nothing is written."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"uses.{language}")
        source.write_text(text)
        command = [*compiler, f"-std={standard}", *STRICT, "-I", str(include or tap.root / "include"), str(source)]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        yield " ".join(command)
        yield from run.stderr.splitlines()[:40]


def found(name):
    path = shutil.which(name)
    if not path:
        raise tap.Skip(f"no {name}")
    return [path]


def newest(name):
    """The newest of gcc-14, gcc-15 and so on, or gcc where that is new enough."""
    for version in range(OLDEST_STRICT_GCC + 6, OLDEST_STRICT_GCC - 1, -1):
        if shutil.which(f"{name}-{version}"):
            return [f"{name}-{version}"]
    if shutil.which(name) and int(tap.lines(name, "-dumpversion")[0].split(".")[0]) >= OLDEST_STRICT_GCC:
        return [name]
    raise tap.Skip(f"no {name} {OLDEST_STRICT_GCC} or later")


def with_cc():
    """as C11, with the compiler of this build"""
    yield from compiles(tap.tool("CC", "cc"), "c", "c11", program(header()))


def with_clang():
    """as C11, with clang"""
    yield from compiles(found("clang"), "c", "c11", program(header()))


def with_newest_gcc():
    """as C11 and C23, with a gcc that takes pointers of other types for errors"""
    for standard in "c11", "c23":
        yield from compiles(newest("gcc"), "c", standard, program(header()))


def with_gxx():
    """as C++17, with g++"""
    yield from compiles(found("g++"), "cpp", "c++17", program(header()))


def with_clangxx():
    """as C++17, with clang++"""
    yield from compiles(found("clang++"), "cpp", "c++17", program(header()))


def with_newest_gxx():
    """as C++17 and C++23, with the newest g++"""
    for standard in "c++17", "c++23":
        yield from compiles(newest("g++"), "cpp", standard, program(header()))


def is_seen():
    """a function that its callers' arrays do not fit does not compile"""
    text = program(header())
    from read_header import read_text

    changed = re.sub(r"\bsv_(view|plan) \*const \*", r"const sv_\1 **", read_text(tap.root / "include/sv.h"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sv.h").write_text(changed)
        for compiler, language, standard in (tap.tool("CC", "cc"), "c", "c11"), (["g++"], "cpp", "c++17"):
            if shutil.which(compiler[0]) and not list(compiles(compiler, language, standard, text, folder)):
                yield f"{standard}: it does"


def with_the_single_header():
    """as C11 and C++11, with sv-single.h alone, which declares the same functions"""
    path = tap.build / "sv-single.h"
    if not path.exists():
        raise tap.Skip("make sv-single.h")
    declared = re.findall(r"^SV_API [^;(]*?(\w+)\(", path.read_text(), re.M)
    yield from (f"{name} is declared once too often, or too seldom"
                for name in sorted({*declared, *tap.public_names()}) if declared.count(name) != 1)
    text = program(header()).replace('"sv.h"', '"sv-single.h"')
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        yield from compiles(tap.tool("CC", "cc"), "c", "c11", text, folder)
        yield from compiles(found("g++"), "cpp", "c++11", text, folder)


def says_what_it_calls():
    """every function is called"""
    text = program(header())
    yield from (name for name in tap.public_names() if f"{name}(" not in text)


if __name__ == "__main__":
    tap.report(
        says_what_it_calls, with_cc, with_clang, with_newest_gcc, with_gxx, with_clangxx, with_newest_gxx, is_seen,
        with_the_single_header
    )
