"""TAP: what is written in Julia is parsed, calls libsv as the header has it, and passes its tests where julia is.

The parser is tree-sitter's, which ./bootstrap --peers installs: most machines that test libsv have no julia.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import tap

BINDINGS = tap.root / "bindings/StrideView.jl"
PACKAGE = tap.root / "julia/StrideView"
WRITTEN = [tap.root / "examples/julia/main.jl", *sorted(PACKAGE.glob("*/*.jl"))]

# Functions that call the function they are given, with the arguments behind it and one more, the output.
CALLERS = ("made", "new_view")


def parser():
    try:
        import tree_sitter
        import tree_sitter_julia
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language()))


def arities():
    """How many parameters each function has in sv.h."""
    sys.path.insert(0, str(tap.root / "py"))
    try:
        import read_header
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return {f.name: len(f.parameters) for f in read_header.read(tap.root / "include/sv.h").functions}


def nodes(tree):
    left = [tree.root_node]
    while left:
        node = left.pop()
        yield node
        left += reversed(node.children)


def syntax_faults(text):
    for node in nodes(parser().parse(text)):
        if node.type == "ERROR" or node.is_missing:
            yield f"line {node.start_point[0] + 1}: {node.text.decode()[:60]}"


def member(node):
    """sv_copy of the expression sv.sv_copy; "" of any other."""
    match = re.fullmatch(r"sv\.(\w+)", node.text.decode()) if node.type == "field_expression" else None
    return match[1] if match else ""


def call_faults(text, wanted):
    """Calls of functions of sv.h with another number of arguments than it has."""
    for node in nodes(parser().parse(text)):
        if node.type != "call_expression":
            continue
        called, listed = node.named_children[0], node.named_children[-1]
        arguments = [child for child in listed.named_children if "comment" not in child.type]
        name, given = member(called), len(arguments)
        if called.text.decode() in CALLERS:
            place = next((number for number, child in enumerate(arguments) if member(child)), None)
            if place is not None:
                name, given = member(arguments[place]), len(arguments) - place
        if name.startswith("sv_"):
            splat = any(child.type == "splat_expression" for child in arguments)
            if splat or given != wanted.get(name):
                yield f"line {node.start_point[0] + 1}: {name} takes {wanted.get(name)} arguments, not {given}"


def is_parsed():
    """every file is parsed, and what they include is there"""
    for path in [BINDINGS, *WRITTEN]:
        yield from (f"{path.relative_to(tap.root)}, {fault}" for fault in syntax_faults(path.read_bytes()))
        for name in re.findall(r'^include\("(.*)"\)$', path.read_text(), re.M):
            if not (path.parent / name).is_file():
                yield f"{path.relative_to(tap.root)} includes {name}, which is not there"
    if len(WRITTEN) < 8:
        yield f"only {len(WRITTEN)} files"


def calls_are_the_headers():
    """calls that people wrote have the names and the numbers of arguments of sv.h"""
    wanted, count = arities(), 0
    for path in WRITTEN:
        text = path.read_bytes()
        count += len(re.findall(rb"\bsv\.sv_\w+\(|\b(?:made|new_view)\([^()]*\bsv\.sv_", text))
        yield from (f"{path.relative_to(tap.root)}, {fault}" for fault in call_faults(text, wanted))
    if count < 30:
        yield f"only {count} calls"


def bindings_are_the_headers():
    """the generated functions pass on as many arguments as sv.h has, by the names of their own"""
    found = {}
    for name, parameters, called, passed in re.findall(
        r"^function (sv_\w+)\(([^()]*)\)\n +@ccall libsv\.(\w+)\(([^()]*)\)::", BINDINGS.read_text(), re.M
    ):
        own, typed = re.findall(r"\w+", parameters), re.findall(r"(\w+)::", passed)
        if name != called or own != typed:
            yield f"{name}({', '.join(own)}) calls {called}({', '.join(typed)})"
        found[name] = len(own)
    wanted = arities()
    yield from (f"{name}: {found.get(name)}, not {wanted.get(name)}" for name in sorted(found.keys() | wanted.keys())
                if found.get(name) != wanted.get(name))


def names_are_the_bindings():
    """and all names that they use of the bindings are there"""
    there = set(re.findall(r"^(?:const|function|mutable struct) (\w+)", BINDINGS.read_text(), re.M))
    for path in WRITTEN:
        used = set(re.findall(r"\bsv\.([A-Za-z_]\w*)", path.read_text()))
        yield from (f"{path.relative_to(tap.root)}: {name}" for name in sorted(used - there))


def faults_are_seen():
    """what these checks look for would be found"""
    if not list(syntax_faults(b"function f(x)\n    x[1\nend\n")):
        yield "an open bracket is not seen"
    wanted = {"sv_copy": 4, "sv_view_permute": 4}
    for text, faults in (
        (b"check(sv.sv_copy(a, b, 0, 0))", 0),
        (b"check(sv.sv_copy(a, b, 0))", 1),
        (b"check(sv.sv_copy(arguments...))", 1),
        (b"sv.sv_cpy(a, b, 0, 0)", 1),
        (b"made(owner, sv.sv_view_permute, a, 3, axes)", 0),
        (b"made(owner, sv.sv_view_permute, a, axes)", 1),
        (b"new_view(sv.sv_view_permute, a, 3, axes, out)", 1),
    ):
        if len(list(call_faults(text, wanted))) != faults:
            yield f"{text.decode()}: {list(call_faults(text, wanted))}"


LIFETIMES = """
import ctypes, importlib.util, sys
spec = importlib.util.spec_from_file_location("sv_ctypes", sys.argv[1])
sv = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sv)
ctypes.CDLL(sys.argv[2])
lib = sv.load(f"libsv.so.{sv.SV_ABI_VERSION}")

def made(kind, f, *arguments):
    out = ctypes.POINTER(kind)()
    assert f(*arguments, ctypes.byref(out)) == sv.SV_OK, lib.sv_last_message()
    return out

numbers, shape = (ctypes.c_int16 * 6)(), (ctypes.c_int64 * 2)(2, 3)
root = made(sv.sv_view, lib.sv_view_from_host, sv.SV_INT16, 2, shape, None, numbers, 0)
assert lib.sv_view_references(root) == 1
child = made(sv.sv_view, lib.sv_view_permute, root, 2, None)
assert lib.sv_view_references(root) == 2
tensor = made(sv.DLManagedTensorVersioned, lib.sv_view_to_dlpack, child, 0)
lib.sv_view_release(child)
assert lib.sv_view_references(root) > 1
address = ctypes.cast(tensor, ctypes.c_void_p).value
deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.c_void_p.from_address(address + 16).value)
deleter(address)
assert lib.sv_view_references(root) == 1
lib.sv_view_release(root)
"""


def libsv_does_what_it_relies_on():
    """libsv counts the tensors of an array's memory, and is found by its name once it was loaded by a path"""
    if platform.libc_ver()[0] != "glibc":
        raise tap.Skip("not glibc: another loader may compare paths alone")
    command = [sys.executable, "-c", LIFETIMES, tap.root / "bindings/sv_ctypes.py", tap.loadable()]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        yield from (run.stdout + run.stderr).splitlines()


def package_tests_pass():
    """the tests of the package pass"""
    julia = shutil.which("julia")
    if not julia:
        raise tap.Skip("no julia")
    with tempfile.TemporaryDirectory() as depot:
        command = [julia, "--startup-file=no", f"--project={PACKAGE}", PACKAGE / "test/runtests.jl"]
        environment = {**os.environ, "JULIA_DEPOT_PATH": f"{depot}:", "LIBSV": str(tap.loadable())}
        run = subprocess.run(command, capture_output=True, text=True, env=environment)
    if run.returncode != 0 or "Test Summary" not in run.stdout:
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}"


if __name__ == "__main__":
    tap.report(
        is_parsed,
        calls_are_the_headers,
        bindings_are_the_headers,
        names_are_the_bindings,
        faults_are_seen,
        libsv_does_what_it_relies_on,
        package_tests_pass,
    )
