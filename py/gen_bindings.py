#!/usr/bin/env python3
"""Derives everything that declares libsv a second time from include/sv.h and the headers in include/sv/.

The constants of element types in include/sv/dtype.h are written first, from src/dtype/dtypes.def.

    gen_bindings.py                 write the files
    gen_bindings.py --check         print how the committed files differ; 1 if they do
    gen_bindings.py --calls FILE    write what tests/run/calls.c includes, which is not committed
"""

import difflib
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True

import fortran  # noqa: E402
import read_dtypes  # noqa: E402
from read_header import (  # noqa: E402
    Callback, Constants, Function, Handle, Number, Section, Struct, Type, first_sentence, read,
)

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 118
NOTE = "Generated from include/sv.h by py/gen_bindings.py: do not edit."
TITLE = "libsv: strided array memory of every kind."


# --- what several outputs share


def wrap(head, parts, tail, separator=", "):
    """One line, or the parts on lines of their own filled to the width."""
    line = head + separator.join(parts) + tail
    if len(line) <= WIDTH:
        return line
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    lines, current = [], indent
    for number, part in enumerate(parts):
        text = part + (separator if number + 1 < len(parts) else "")
        if len(current) + len(text.rstrip()) > WIDTH and current != indent:
            lines.append(current.rstrip())
            current = indent
        current += text
    return "\n".join([head.rstrip(), *lines, current + tail])


def marks(function):
    """What the marks say, as a sentence or two: "Writes out. Takes tensor. Optional: strides."."""
    words = (("OUT", "Writes "), ("TAKE", "Takes "), ("OPT", "Optional: "))
    named = ((word, [p.name for p in function.parameters if mark in p.marks]) for mark, word in words)
    return " ".join(f"{word}{', '.join(names)}." for word, names in named if names)


def comment(prefix, *texts, indent=""):
    text = " ".join(text for text in texts if text)
    return textwrap.wrap(text, WIDTH, initial_indent=indent + prefix, subsequent_indent=indent + prefix)


def c_prototype(function):
    parameters = [p.type.declare(p.name) for p in function.parameters] or ["void"]
    return wrap(f"{function.result.declare(function.name)}(", parameters, ");")


def c_constants(group):
    lines = [f"    {constant.name} = {constant.text}" for constant in group.constants]
    return "enum {\n" + ",\n".join(lines) + "\n};"


def c_callback(callback):
    parameters = ", ".join(p.type.declare(p.name) for p in callback.parameters)
    return f"typedef {callback.result} (*{callback.name})({parameters});"


def c_item(item):
    if isinstance(item, Section):
        return f"\n/* {item.title} */"
    if isinstance(item, Constants):
        return c_constants(item)
    if isinstance(item, Number):
        return f"typedef {item.base} {item.name};"
    if isinstance(item, Handle):
        return f"typedef struct {item.name} {item.name};"
    if isinstance(item, Struct):
        return f"struct {item.name};"
    if isinstance(item, Callback):
        return c_callback(item)
    return c_prototype(item)


def c_declarations(header):
    """The region without comments and marks."""
    return [c_item(item) for item in header.items]


# --- C: cffi, export list, frozen prototypes, NULL table


def cffi_cdef(header):
    return [f"/* The C API for cffi. {NOTE} */", *c_declarations(header)]


def export_list(header):
    return sorted(function.name for function in header.functions)


def version_script(header):
    """A node for the functions of each release, which inherits from that of the release before."""
    names, before = {}, ""
    for function in table_functions(header):
        names.setdefault(since(function), []).append(function.name)
    lines = [f"# What libsv.so exports. {NOTE}", "# A released node stays as it is for ever; a new release adds one."]
    for (major, minor), of_release in names.items():
        node = f"SV_{major}.{minor}"
        hidden = "" if before else "    local:\n        *;\n"
        shown = "".join(f"        {name};\n" for name in sorted(of_release))
        lines.append(f"{node} {{\n    global:\n{shown}{hidden}}}{before};")
        before = f" {node}"
    return lines


def frozen_prototypes(header):
    major, minor, _ = header.version
    lines = [
        "/*",
        f" * Every declaration of libsv {major}.{minor}, to be read after sv.h: one that has changed does not compile.",
        " * This file follows sv.h until the version in sv.h moves on, and is then never touched again.",
        f" * {NOTE}",
        " */",
    ]
    for item in header.items:
        if isinstance(item, Constants):
            kept = [c for c in item.constants if not c.name.startswith(("SV_VERSION_", "SV_ABI_VERSION"))]
            lines += [f'_Static_assert({c.name} == {c.text}, "{c.name}");' for c in kept]
        else:
            lines.append(c_item(item))
    return lines


def null_argument(position, parameter):
    if parameter.type.depth:
        return f"a[{position}].pointer"
    if parameter.is_callback:
        return f"({parameter.type})a[{position}].function"
    return f"({parameter.type})a[{position}].number"


def null_thunk(function):
    arguments = [null_argument(i, p) for i, p in enumerate(function.parameters)]
    returns = function.result != Type("void")
    cast = "(intptr_t)" if function.result.depth else ""
    call = wrap(f"    {'return ' if returns else ''}{cast}{function.name}(", arguments, ");")
    head = f"static int64_t call_{function.name}(const struct argument *a)\n{{\n{call}\n"
    return head + ("}" if returns else "    return 0;\n}")


def null_row(function):
    kind = {True: "RETURNS_STATUS", False: "RETURNS_VALUE"}[function.result == Type("sv_status")]
    rows = []
    for p in function.parameters:
        flags = ["POINTER"] * p.is_pointer + sorted(p.marks)
        rows.append(f'{{"{p.type}", "{p.name}", {" | ".join(flags) or "0"}}}')
    head = f'    {{"{function.name}", call_{function.name}, {kind}, {len(rows)},\n'
    return head + "     {" + ",\n      ".join(rows) + "}},"


def null_table(header):
    functions = [f for f in header.functions if any(p.is_pointer for p in f.parameters)]
    return [
        "/* Every function that takes a pointer, for tests/run/calls.c.",
        f" * {NOTE} */",
        *[null_thunk(function) for function in functions],
        "static const struct function functions[] = {",
        *[null_row(function) for function in functions],
        "};",
    ]


# --- Python: ctypes, Cython


def ctypes_type(kind):
    plain = {"char": "c_char", "void": None}.get(kind.base, "c_" + kind.base.removesuffix("_t"))
    plain = {"c_uintptr": "c_size_t", "c_size": "c_size_t"}.get(plain, plain)
    if kind.base.startswith("sv_") or kind.struct:
        plain = kind.base
    depth = kind.depth
    if depth and kind.base == "void":
        plain, depth = "c_void_p", depth - 1
    elif depth and kind.base == "char" and kind.const:
        plain, depth = "c_char_p", depth - 1
    return "POINTER(" * depth + str(plain) + ")" * depth


def ctypes_item(item):
    if isinstance(item, Section):
        return ["", f"# --- {item.title}", ""]
    if isinstance(item, Constants):
        lines = [f"{c.name} = {c.text}" + f"  # {c.doc}" * bool(c.doc) for c in item.constants]
        return comment("# ", first_sentence(item.doc)) + lines
    if isinstance(item, Number):
        return [*comment("# ", first_sentence(item.doc)), f"{item.name} = c_{item.base.removesuffix('_t')}"]
    if isinstance(item, Callback):
        types = [item.result] + [p.type for p in item.parameters]
        call = f"{item.name} = CFUNCTYPE({', '.join(map(ctypes_type, types))})"
        return [*comment("# ", first_sentence(item.doc), f"NULL is {item.name}()."), call]
    doc = first_sentence(item.doc) or "A structure of DLPack, only named here."
    return ["", f"class {item.name}(Structure):", f'    """{doc}"""', ""]


def ctypes_function(function):
    arguments = [ctypes_type(p.type) for p in function.parameters]
    names = ", ".join(p.name for p in function.parameters)
    about = comment("# ", f"({names})", first_sentence(function.doc), marks(function), indent="    ")
    comma = "," if len(arguments) == 1 else ""
    return [*about, wrap(f'    "{function.name}": ({ctypes_type(function.result)}, (', arguments, f"{comma})),")]


def ctypes_module(header):
    lines = [
        f'"""The C API of {TITLE[:-1]}, for ctypes.',
        "",
        "load(strideview.library_path()) gives the library with every function",
        "declared; the path may name any other libsv as well.",
        "",
        NOTE,
        '"""',
        "",
        "from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t,",
        "                    c_uint32, c_uint64, c_void_p)",
        "",
    ]
    for item in header.items:
        if not isinstance(item, Function):
            lines += ctypes_item(item)
    lines += ["", "# Result and arguments of every function.", "FUNCTIONS = {"]
    for function in header.functions:
        lines += ctypes_function(function)
    return lines + [
        "}",
        "",
        "",
        "def load(path: str) -> CDLL:",
        '    """Open the library at path and declare its functions. ImportError if it has another ABI version."""',
        "    library = CDLL(path)",
        "    for name, (result, arguments) in FUNCTIONS.items():",
        "        function = getattr(library, name)",
        "        function.restype = result",
        "        function.argtypes = arguments",
        "    if library.sv_abi_version() != SV_ABI_VERSION:",
        '        raise ImportError(f"{path} has ABI version {library.sv_abi_version()}, not {SV_ABI_VERSION}")',
        "    return library",
    ]


def cython_item(item):
    if isinstance(item, Section):
        return ["", f"# {item.title}"]
    if isinstance(item, Constants):
        return ["enum:"] + [f"    {constant.name}" for constant in item.constants]
    if isinstance(item, Number):
        return [f"ctypedef {item.base} {item.name}"]
    if isinstance(item, Handle):
        return [f"ctypedef struct {item.name}:", "    pass"]
    if isinstance(item, Struct):
        return [f"struct {item.name}:", "    pass"]
    if isinstance(item, Callback):
        return [c_callback(item).replace("typedef", "ctypedef").replace(";", " noexcept")]
    parameters = [p.type.declare(p.name).replace("struct ", "") for p in item.parameters]
    return wrap(f"    {item.result.declare(item.name).replace('struct ', '')}(", parameters, ")")[4:].split("\n")


def cython_pxd(header):
    lines = [f"# The C API for Cython. {NOTE}", "from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t"]
    lines += ["", 'cdef extern from "sv.h" nogil:']
    for item in header.items:
        for line in cython_item(item):
            lines.append(line if line.startswith("        ") or not line else f"    {line}")
    return lines


# --- the C table of the Python package


def member(function):
    """sv_view_data() is view_data in the table."""
    return function.name.removeprefix("sv_")


def since(function):
    """The release that had the function first: 0.1, unless its comment names another."""
    named = re.search(r"Since (\d+)\.(\d+)\.", function.doc)
    return (int(named[1]), int(named[2])) if named else (0, 1)


def table_functions(header):
    """In the order of their releases, and within one in that of the header: so the table is only ever appended to."""
    return sorted(header.functions, key=since)


def table_member(function):
    parameters = [p.type.declare(p.name) for p in function.parameters] or ["void"]
    head = function.result.declare(f"(*{member(function)})")
    return wrap(f"    {head}(", parameters, ");")


def table_struct(header):
    return replaced("include/strideview.h", map(table_member, table_functions(header)))


def table_rows(header):
    return replaced("py/src/module/api.c", (f"    .{member(f)} = {f.name}," for f in table_functions(header)))


def frozen_table(header):
    """Names in the order of the table. The file of a release is never touched again."""
    return map(member, table_functions(header))


def replaced(path, lines):
    """The file with the lines between its marks, and the rest as it is."""
    before, begin, rest = (ROOT / path).read_text().partition("    /* >>> from sv.h */\n")
    _, end, after = rest.partition("    /* <<< from sv.h */\n")
    return [before + begin + "".join(f"{line}\n" for line in lines) + end + after.removesuffix("\n")]


def cython_member(function):
    declared = [p.type.declare(p.name).replace("struct ", "") for p in function.parameters]
    head = function.result.declare(f"(*{member(function)})").replace("struct ", "")
    return wrap(f"        {head}(", declared, ") noexcept nogil").split("\n")


def cython_table(header):
    return [
        "# The C table for Cython: typed access to the arrays of Python objects. strideview.h tells about it.",
        f"# {NOTE}",
        "from cpython.ref cimport PyObject",
        "from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t",
        "from strideview.sv cimport *",
        "",
        'cdef extern from "strideview.h":',
        "    enum:",
        *(f"        {name}" for name in re.findall(r"^    (STRIDEVIEW_\w+) = ", (ROOT / "include/strideview.h").read_text(),
                                                   re.M)),
        "    ctypedef struct strideview_array:",
        "        void *data",
        "        const int64_t *shape",
        "        const int64_t *byte_strides",
        "        int64_t size",
        "        int64_t itemsize",
        "        int32_t ndim",
        "        sv_dtype dtype",
        "        int32_t device_type",
        "        int32_t device_id",
        "        int32_t readonly",
        "    ctypedef struct strideview_api:",
        "        uint32_t size",
        "        int32_t abi",
        "        const char *release",
        "        const void *instance",
        "        sv_view *(*acquire)(object, uint32_t flags, int64_t stream) except NULL",
        "        int (*open)(object, uint32_t flags, int64_t stream, strideview_array *out) except -1",
        "        int (*open_as)(",
        "            object, uint32_t flags, sv_dtype dtype, int32_t ndim, int64_t stream, strideview_array *out) except -1",
        "        void (*close)(strideview_array *array) noexcept nogil",
        "        const sv_view *(*view_of)(object) except NULL",
        "        const sv_layout *(*layout_of)(object) except NULL",
        "        object (*view_object)(const sv_view *view, PyObject *exporter)",
        "        object (*layout_object)(const sv_layout *layout)",
        "        object (*set_error)(sv_status status)",
        *(line for function in table_functions(header) for line in cython_member(function)),
        "    const strideview_api *strideview_import() except NULL",
    ]


# --- Rust


def rust_type(kind):
    numbers = {"size_t": "usize", "uintptr_t": "usize", "double": "f64", "char": "c_char", "void": "c_void"}
    if kind.base.endswith(("32_t", "64_t")):
        numbers[kind.base] = kind.base.replace("uint", "u").replace("int", "i").removesuffix("_t")
    name = numbers.get(kind.base, kind.base)
    if not kind.depth:
        return name
    outer = "*const " if kind.array else "*mut " * (kind.depth - 1)
    return outer + ("*const " if kind.const else "*mut ") + name


def rust_signature(parameters, result):
    arguments = [f"{p.name}: {rust_type(p.type)}" for p in parameters]
    return arguments, "" if result == Type("void") else f" -> {rust_type(result)}"


def rust_item(item):
    if isinstance(item, Section):
        return ["", f"// {item.title}"]
    if isinstance(item, Constants):
        lines = []
        for c in item.constants:
            lines += comment("/// ", first_sentence(c.doc))
            lines.append(f"pub const {c.name}: {rust_type(Type(c.type))} = {c.text};")
        return lines
    about = comment("/// ", first_sentence(item.doc))
    if isinstance(item, Number):
        return [*about, f"pub type {item.name} = {rust_type(Type(item.base))};"]
    if isinstance(item, Callback):
        arguments, result = rust_signature(item.parameters, item.result)
        return [*about, f"pub type {item.name} = Option<unsafe extern \"C\" fn({', '.join(arguments)}){result}>;"]
    body = "    _opaque: [u8; 0],\n    _marker: PhantomData<(*mut u8, PhantomPinned)>,"
    return [*about, "#[repr(C)]", f"pub struct {item.name} {{\n{body}\n}}"]


def rust_function(function):
    arguments, result = rust_signature(function.parameters, function.result)
    about = comment("/// ", first_sentence(function.doc), marks(function), indent="    ")
    return [*about, wrap(f"    pub fn {function.name}(", arguments, f"){result};")]


def rust_module(header):
    lines = [
        f"//! The C API of {TITLE} Its header says what each function does.",
        "//!",
        f"//! {NOTE}",
        "#![allow(non_camel_case_types, dead_code)]",
        "",
        "use std::marker::{PhantomData, PhantomPinned};",
        "use std::os::raw::{c_char, c_void};",
        "",
    ]
    for item in header.items:
        if not isinstance(item, Function):
            lines += rust_item(item)
    lines += ["", '#[link(name = "sv")]', 'unsafe extern "C" {']
    for function in header.functions:
        lines += rust_function(function)
    return [*lines, "}"]


# --- Julia, LuaJIT


def julia_type(kind):
    names = {"size_t": "Csize_t", "uintptr_t": "UInt", "double": "Float64", "char": "UInt8", "void": "Cvoid"}
    if kind.base.endswith(("32_t", "64_t")):
        names[kind.base] = kind.base.replace("uint", "UInt").replace("int", "Int").removesuffix("_t")
    name = names.get(kind.base, kind.base)
    if kind.base == "char" and kind.const and kind.depth == 1:
        return "Cstring"
    return "Ptr{" * kind.depth + name + "}" * kind.depth


def julia_item(item):
    if isinstance(item, Section):
        return ["", f"# {item.title}", ""]
    if isinstance(item, Constants):
        return [f"const {c.name} = {julia_type(Type(c.type))}({c.text})" for c in item.constants]
    about = comment("# ", first_sentence(item.doc))
    if isinstance(item, Number):
        return [*about, f"const {item.name} = {julia_type(Type(item.base))}"]
    if isinstance(item, Callback):
        types = ", ".join(julia_type(p.type) for p in item.parameters)
        return [*about, f"# From @cfunction(f, {julia_type(item.result)}, ({types},)).", f"const {item.name} = Ptr{{Cvoid}}"]
    return [*about, f"mutable struct {item.name} end"]


def julia_function(function):
    names = ", ".join(p.name for p in function.parameters)
    typed = [f"{p.name}::{julia_type(p.type)}" for p in function.parameters]
    doc = comment("", first_sentence(function.doc), marks(function))
    escaped = "\n".join(doc).replace("\\", "\\\\").replace("$", "\\$").replace('"', '\\"')
    call = wrap(f"    @ccall libsv.{function.name}(", typed, f")::{julia_type(function.result)}")
    return ["", '"""', escaped, '"""', f"function {function.name}({names})", call, "end"]


def julia_module(header):
    lines = [
        f"# The C API of {TITLE} Its header says what each function does.",
        f"# {NOTE}",
        "module StrideView",
        "",
        "# The environment variable LIBSV names another library than the installed one. It is loaded first, and is then the",
        "# one that has this name; so the module can be compiled ahead of time.",
        f'const libsv = "libsv.so.{header.abi_version}"',
        "",
    ]
    for item in header.items:
        lines += julia_function(item) if isinstance(item, Function) else julia_item(item)
    return lines + [
        "",
        "function __init__()",
        '    haskey(ENV, "LIBSV") && Base.Libc.Libdl.dlopen(ENV["LIBSV"])',
        '    sv_abi_version() == SV_ABI_VERSION || error("$libsv has another ABI version than this module")',
        "end",
        "",
        "end",
    ]


def lua_module(header):
    return [
        f"-- The C API of {TITLE} Its header says what each function does.",
        f"-- {NOTE}",
        'local ffi = require("ffi")',
        "",
        "ffi.cdef [[",
        *c_declarations(header),
        "]]",
        "",
        "-- The environment variable LIBSV names another library than the installed one.",
        f'local sv = ffi.load(os.getenv("LIBSV") or "libsv.so.{header.abi_version}")',
        'assert(sv.sv_abi_version() == sv.SV_ABI_VERSION, "libsv has another ABI version than this module")',
        "return sv",
    ]


# --- main


def outputs(header):
    """Text of each generated file, by path."""
    major, minor, _ = header.version
    emitters = {
        "bindings/_cdef.h": cffi_cdef,
        "bindings/api.pxd": cython_table,
        "bindings/libsv.sym": export_list,
        "bindings/StrideView.jl": julia_module,
        "bindings/sv.lua": lua_module,
        "bindings/sv.map": version_script,
        "bindings/sv.pxd": cython_pxd,
        "bindings/sv_ctypes.py": ctypes_module,
        "bindings/strideview.f90": lambda header: fortran.module(header, TITLE, NOTE),
        "bindings/sv_sys.rs": rust_module,
        "include/strideview.h": table_struct,
        "py/src/module/api.c": table_rows,
        f"tests/abi/{major}.{minor}.h": frozen_prototypes,
        f"tests/abi/{major}.{minor}.table": frozen_table,
    }
    return {path: "\n".join(emit(header)) + "\n" for path, emit in emitters.items()}


def difference(path, text):
    file = ROOT / path
    committed = file.read_text() if file.exists() else ""
    return list(difflib.unified_diff(committed.splitlines(), text.splitlines(), path, f"{path} as sv.h has it", lineterm=""))


def update(files, check):
    """Write the files that differ, or print how they do; how many do."""
    stale = 0
    for path, text in files.items():
        lines = difference(path, text)
        if not lines:
            continue
        stale += 1
        if check:
            print("\n".join(lines))
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text)
            print(f"wrote {path}")
    return stale


def main():
    if "--calls" in sys.argv[1:]:
        pathlib.Path(sys.argv[-1]).write_text("\n".join(null_table(read(ROOT / "include/sv.h"))) + "\n")
        return 0
    check = "--check" in sys.argv[1:]
    stale = update(read_dtypes.outputs(), check)
    stale += update(outputs(read(ROOT / "include/sv.h")), check)
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
