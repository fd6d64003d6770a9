"""Reads the declarations of include/sv.h, and of the headers that it includes, into plain records.

Refuses what parsers of other languages could not read, or would read as
something else. Needs pycparser.
"""

import keyword
import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from pycparser import c_ast, c_parser

BEGIN, END = "/* >>> declarations */", "/* <<< declarations */"
MARKS = re.compile(r"\bSV_(OUT|TAKE|OPT)\b")
INTEGERS = ("int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "uintptr_t")
NUMBERS = INTEGERS + ("double",)
PRELUDE = "".join(f"typedef int {name};" for name in INTEGERS)

FORBIDDEN = {
    r"^\s*#": "a preprocessor line",
    r"//": "a // comment",
    r"\bunion\b": "a union",
    r"\bstruct\b[^;{*]*\{": "a struct body",
    r"\benum\s+\w": "a named enum",
    r":": "a bit-field",
    r"\[": "an array",
    r"\.\.\.": "variable arguments",
    r"\b(int|long|short|signed|unsigned|float|bool|_Bool)\b": "a type without a fixed width",
    r"\b(inline|static|extern|register|volatile|restrict|_Atomic)\b": "a qualifier",
    r"__\w+|\b_[A-Z]\w+": "an extension",
    r"\bSV_(?!API\b|OUT\b|TAKE\b|OPT\b)\w+\s*\(": "a macro",
}

# Words that cannot name a parameter in C++, Rust, Julia, Go, JavaScript or Lua; Python's own list is added.
KEYWORDS = set(keyword.kwlist) | set(
    """
    abstract alignas alignof and and_eq as asm async auto await baremodule become begin bitand bitor bool box break
    case catch chan char class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit
    continue crate debugger decltype default defer delete do double dyn elseif end enum eval explicit export extends
    extern fallthrough false final float fn for friend from func function global go goto if impl implements import in
    inline instanceof int interface is lambda let local long loop macro map match mod module move mut mutable namespace
    new nil noexcept not not_eq operator or or_eq override package priv private protected pub public quote range ref
    register reinterpret_cast repeat requires return select self short signed sizeof static static_assert static_cast
    struct super switch template then this thread_local throw trait true try type typedef typeid typename typeof union
    unsafe unsigned unsized until use using var virtual void volatile wchar_t where while with xor xor_eq yield
    """.split()
)


# Their parameters have the order of other libraries' functions: no context comes first, or outputs not last.
FOREIGN = {
    "sv_handler_allocate_callback",
    "sv_handler_allocate_from",
    "sv_torch_allocate_callback",
    "sv_torch_free_callback",
}


class HeaderError(Exception):
    """Something in the declaration region that a binding could not carry."""


@dataclass(frozen=True)
class Type:
    base: str
    const: bool = False
    depth: int = 0  # number of *
    struct: bool = False  # named with the word struct
    array: bool = False  # "*const *": an array of pointers that is only read

    def __str__(self):
        words = "const " * self.const + "struct " * self.struct + self.base
        stars = "*const *" if self.array else "*" * self.depth
        return f"{words} {stars}" if self.depth else words

    def declare(self, name):
        return f"{self}{'' if self.depth else ' '}{name}"


@dataclass(frozen=True)
class Parameter:
    name: str
    type: Type
    marks: frozenset = frozenset()  # of OUT, TAKE, OPT

    @property
    def is_callback(self):
        return self.type.base.endswith("_callback")

    @property
    def is_pointer(self):
        return self.type.depth > 0 or self.is_callback


@dataclass(frozen=True)
class Constant:
    name: str
    text: str  # as the header writes it
    type: str
    doc: str

    @property
    def value(self):
        return int(self.text, 0)


@dataclass(frozen=True)
class Section:
    title: str


@dataclass(frozen=True)
class Constants:  # one anonymous enum
    constants: tuple
    doc: str


@dataclass(frozen=True)
class Number:  # typedef of a fixed-width number
    name: str
    base: str
    doc: str


@dataclass(frozen=True)
class Handle:  # typedef struct x x
    name: str
    doc: str


@dataclass(frozen=True)
class Struct:  # struct x, only named
    name: str
    doc: str


@dataclass(frozen=True)
class Callback:
    name: str
    result: Type
    parameters: tuple
    doc: str


@dataclass(frozen=True)
class Function:
    name: str
    result: Type
    parameters: tuple
    doc: str


def read_files(path, seen=None):
    """(name, text) of a header and of those that it includes with quotes, each once, in the order in which a compiler
    reads them."""
    path = Path(path).resolve()
    seen = set() if seen is None else seen
    if path in seen:
        return []
    seen.add(path)
    text = path.read_text()
    files = []
    for name in re.findall(r'^#include "(.*)"$', text, re.M):
        files += read_files(path.parent / name, seen)
    return [*files, (path.name, text)]


def read_text(path):
    """One text for a header and those that it includes, as sv-single.h has it."""
    return "".join(re.sub(r'^#include ".*"\n', "", text, flags=re.M) for _, text in read_files(path))


def read(path):
    """The declarations of a header and of those that it includes."""
    return Header(*((name, text) for name, text in read_files(path) if BEGIN in text))


class Header:
    """The declarations, in the order in which a compiler reads them."""

    def __init__(self, *files):
        """Each file is a pair of a name and a text, in which the two marks enclose the declarations."""
        self.items = []
        region, find_place = join_regions(files)
        try:
            self._read_region(region)
        except (HeaderError, c_parser.ParseError) as error:
            raise HeaderError(re.sub(r"@:(\d+)", lambda match: find_place(int(match[1])), str(error))) from None

    def _read_region(self, region):
        code, self._comments = split_comments(region)
        lint_text(code)
        self._marks = find_marks(code)
        self._lines = code.split("\n")
        bare = re.sub(r"\bSV_(API|OUT|TAKE|OPT)\b", "", code)
        tree = c_parser.CParser().parse(f'{PRELUDE}\n# 1 "@"\n{bare}', "@")
        sections = find_sections(self._comments)
        for node in tree.ext[len(INTEGERS) :]:
            while sections and sections[0][0] < node.coord.line:
                self.items.append(Section(sections.pop(0)[1]))
            self.items.append(self._read(node))
        lint_items(self)

    def every(self, kind):
        return [item for item in self.items if isinstance(item, kind)]

    @property
    def functions(self):
        return self.every(Function)

    @property
    def constants(self):
        return [constant for group in self.every(Constants) for constant in group.constants]

    @property
    def version(self):
        value = {constant.name: constant.value for constant in self.constants}
        return tuple(value[f"SV_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))

    @property
    def abi_version(self):
        return next(constant.value for constant in self.constants if constant.name == "SV_ABI_VERSION")

    def _read(self, node):
        inner = node.type
        if isinstance(inner, c_ast.Enum):
            return self._read_constants(inner)
        doc = self._doc(node)
        if isinstance(inner, c_ast.Struct):
            return Struct(inner.name, doc)
        if isinstance(inner, c_ast.FuncDecl):
            return self._read_function(node, doc)
        if isinstance(inner, c_ast.PtrDecl) and isinstance(inner.type, c_ast.FuncDecl):
            parameters = read_parameters(inner.type, self._marks.get(node.name))
            return Callback(node.name, read_type(inner.type.type), parameters, doc)
        if isinstance(inner.type, c_ast.Struct):
            return Handle(node.name, doc)
        return Number(node.name, read_type(inner).base, doc)

    def _read_function(self, node, doc):
        parameters = read_parameters(node.type, self._marks.get(node.name))
        return Function(node.name, read_type(node.type.type), parameters, doc)

    def _read_constants(self, enum):
        """An enum has the type of the typedef right before it; without one it is int32_t, or uint32_t when its comment
        speaks of bits."""
        doc = self._doc(enum)
        before = self.items[-1] if self.items else None
        kind = "uint32_t" if re.search(r"\bbits\b", doc, re.I) else "int32_t"
        if isinstance(before, Number):
            kind = before.name
        constants = [Constant(e.name, read_value(e), kind, self._doc(e)) for e in enum.values.enumerators]
        return Constants(tuple(constants), doc)

    def _doc(self, node):
        """The comment that ends on the line above, or the one that follows on the same line. Functions without a blank
        line between them can share the comment above the first one."""
        line = node.coord.line
        for first, last, text in self._comments:
            if text.startswith("/**<") and first == line or text.startswith("/** ") and last == line - 1:
                return clean_comment(text)
            if text.startswith("/**\n") and last == line - 1:
                return clean_comment(text)
        if line > 1 and self._lines[line - 2].endswith(";") and isinstance(self.items[-1], Function):
            return self.items[-1].doc
        return ""


def find_region(text):
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise HeaderError("the two marks of the declaration region must stand once each")
    before, rest = text.split(BEGIN)
    return rest.split(END)[0], before.count("\n") + 1


def join_regions(files):
    """The regions as one text, and a function that turns one of its line numbers, from 1, into a file and a line."""
    joined, starts = "", []
    for name, text in files:
        region, first_line = find_region(text)
        starts.append((joined.count("\n") + 1, name, first_line))
        joined += region + "\n"

    def find_place(number):
        start, name, first_line = starts[bisect_right(starts, number, key=lambda entry: entry[0]) - 1]
        return f"{name}:{first_line + number - start}"

    return joined, find_place


def split_comments(region):
    """The region with blanks for comments, and (first line, last line, text) of each comment."""
    comments = []

    def blank(match):
        first = 1 + region.count("\n", 0, match.start())
        lines = match.group().count("\n")
        comments.append((first, first + lines, match.group()))
        return "\n" * lines

    return re.sub(r"/\*.*?\*/", blank, region, flags=re.S), comments


def find_sections(comments):
    found = ((line, re.fullmatch(r"/\* -+ (.*?) -+ \*/", text)) for line, _, text in comments)
    return [(line, match.group(1)) for line, match in found if match]


def clean_comment(text):
    lines = re.sub(r"^/\*\*<?|\*/$", "", text).split("\n")
    return "\n".join(re.sub(r"^ \* ?", "", line).rstrip() for line in lines).strip()


def first_sentence(doc):
    paragraph = " ".join(doc.split("\n\n")[0].split())
    return re.match(r".*?\.(?=\s|$)|.*", paragraph).group()


def find_marks(code):
    """Marks of each parameter of each exported function and of each callback, by position."""
    found = re.findall(r"\bSV_API\b[^;()]*?(\w+)\(([^()]*)\);", code)
    found += re.findall(r"\btypedef\b[^;()]*\(\*(\w+)\)\(([^()]*)\);", code)
    return {name: [frozenset(MARKS.findall(part)) for part in text.split(",")] for name, text in found}


def read_type(node):
    qualifiers = []
    while isinstance(node, c_ast.PtrDecl):
        qualifiers.append(node.quals)
        node = node.type
    array = qualifiers == [[], ["const"]]
    if any(qualifiers) and not array:
        raise HeaderError(f"{node.coord}: a qualifier after *, other than that of an array, *const *")
    struct = isinstance(node.type, c_ast.Struct)
    base = node.type.name if struct else " ".join(node.type.names)
    return Type(base, "const" in node.quals, len(qualifiers), struct, array)


def read_parameters(function, marks=None):
    nodes = function.args.params if function.args else []
    if not nodes:
        raise HeaderError(f"{function.coord}: () says nothing of the parameters; write (void)")
    types = [read_type(node.type) for node in nodes]
    if types == [Type("void")]:
        return ()
    marks = marks or [frozenset()] * len(nodes)
    return tuple(Parameter(node.name, kind, mark) for node, kind, mark in zip(nodes, types, marks))


def read_value(enumerator):
    value, sign = enumerator.value, ""
    if isinstance(value, c_ast.UnaryOp) and value.op == "-":
        value, sign = value.expr, "-"
    if not isinstance(value, c_ast.Constant):
        raise HeaderError(f"{enumerator.coord}: {enumerator.name} needs a plain number")
    return sign + value.value


def lint_text(code):
    for number, line in enumerate(code.split("\n"), 1):
        for pattern, what in FORBIDDEN.items():
            if re.search(pattern, line):
                raise HeaderError(f"@:{number}: {what}: {line.strip()}")


def lint_items(header):
    known = {item.name: type(item) for item in header.items if not isinstance(item, (Constants, Section))}
    for constant in header.constants:
        low = 0 if constant.type == "uint32_t" else -(2**31)
        if not low <= constant.value < 2**31:
            raise HeaderError(f"{constant.name}: {constant.value} does not fit {constant.type}")
    for number in header.every(Number):
        if number.base not in NUMBERS:
            raise HeaderError(f"{number.name}: {number.base} is no number of fixed width")
    for callback in header.every(Callback):
        lint_signature(callback, known)
        if not callback.name.endswith("_callback"):
            raise HeaderError(f"{callback.name}: the name of a callback ends with _callback")
        if callback.name in FOREIGN:
            continue
        if not callback.parameters or callback.parameters[0] != Parameter("ctx", Type("void", depth=1)):
            raise HeaderError(f"{callback.name}: the first parameter of a callback is void *ctx")
    for function in header.functions:
        if function.name not in header._marks:
            raise HeaderError(f"{function.name}: no SV_API")
        if not function.doc:
            raise HeaderError(f"{function.name}: no comment")
        lint_signature(function, known)


def lint_signature(function, known):
    if not allowed(function.result, known, result=True):
        raise HeaderError(f"{function.name}: result {function.result}")
    outputs = False
    for parameter in function.parameters:
        where = f"{function.name}: {parameter.name or 'a parameter without a name'}"
        if parameter.name is None or parameter.name in KEYWORDS:
            raise HeaderError(f"{where} cannot be a name in every language")
        if not allowed(parameter.type, known):
            raise HeaderError(f"{where}: type {parameter.type}")
        if parameter.marks and not parameter.is_pointer:
            raise HeaderError(f"{where}: marked, but not a pointer")
        if parameter.type.array and "OUT" in parameter.marks:
            raise HeaderError(f"{where}: an output that is only read")
        if parameter.type.depth > 1 and not parameter.type.array and "OUT" not in parameter.marks:
            raise HeaderError(f"{where}: an array of pointers that is read is written *const *")
        if outputs and "OUT" not in parameter.marks and function.name not in FOREIGN:
            raise HeaderError(f"{where}: an input after an output")
        outputs = "OUT" in parameter.marks


def allowed(kind, known, result=False):
    """Numbers and callbacks by value or to be written; char, void, handles and foreign structs only behind pointers."""
    if kind.struct:
        return known.get(kind.base) is Struct and kind.depth > 0
    if kind.base in NUMBERS or known.get(kind.base) is Number:
        return kind.depth > 0 or not kind.const
    if known.get(kind.base) is Callback:
        return kind.depth <= 1 and not kind.const
    if kind == Type("void"):
        return result
    return kind.depth > 0 and (kind.base in ("char", "void") or known.get(kind.base) is Handle)
