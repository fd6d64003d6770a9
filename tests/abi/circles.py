"""Which files use each other in a circle, by includes, symbols of objects, declarations and imports.

In C a source and its header count as one file, named after both. A file uses another when it includes its header, when
its object names a symbol that the other defines, or when its header declares or calls one: a header with the functions
of many files would hide their circles. In Python a module uses those that it imports, also within functions. Layers
order files that are far apart; this is the rule for those within a layer.
"""

import ast
import functools
import re
from pathlib import Path

import tap

SUFFIXES = (".c", ".h", ".cu", ".cuh", ".S")

def sources(folder):
    return sorted(path for path in (tap.root / folder).rglob("*") if path.suffix in SUFFIXES)


def name(path, folder):
    """The noun of a file. X_absent.c takes the place of X.c in a build without X, so it counts as X."""
    return str(path.relative_to(tap.root / folder).with_suffix("")).removesuffix("_absent")


def includes(folder):
    """{name: names whose header it includes} of the files of a folder."""
    uses = {}
    for path in sources(folder):
        found = uses.setdefault(name(path, folder), set())
        for header in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
            places = (path.parent / header, tap.root / folder / header)
            found.update(name(place.resolve(), folder) for place in places if place.exists())
    return uses


def symbols_of(lines, pattern, paths):
    """(path of the source, symbol, kind) of each line of nm -A -P whose object is of a source."""
    for line in lines:
        match = re.match(pattern, line)
        if match and match.group(1) in paths:
            yield paths[match.group(1)], match.group(2), match.group(3)


def by_stem(folder):
    paths = {}
    for path in sources(folder):
        if path.suffix in (".c", ".S"):
            if path.stem in paths:
                raise RuntimeError(f"two sources are called {path.stem}: objects and backtraces are told apart by it")
            paths[path.stem] = path
    return paths


@functools.cache
def library_symbols():
    lines = tap.lines(*tap.tool("NM", "nm"), "-A", "-P", tap.library("libsvcore.a"))
    return list(symbols_of(lines, r".*\[(?:libsvcore_la-)?(.+)\.o\]: (\S+) (\w)", by_stem("src")))


@functools.cache
def package_symbols():
    by_stem("py/src")
    paths = {str(path.relative_to(tap.root).with_suffix("")): path for path in sources("py/src") if path.suffix == ".c"}
    objects = [path for source in paths for path in (tap.build / "py-build/temp").glob(f"*/{source}.o")]
    if not objects:
        raise tap.Skip("the Python package was not built")
    lines = tap.lines(*tap.tool("NM", "nm"), "-A", "-P", *objects)
    return list(symbols_of(lines, r".*/(py/src/.+)\.o: (\S+) (\w)", paths))


def homes(symbols):
    """{symbol: path of the source that defines it} of the symbols that other files can use."""
    return {symbol: path for path, symbol, kind in symbols if kind.isupper() and kind != "U"}


def add_symbols(uses, folder, symbols):
    home = homes(symbols)
    for path, symbol, kind in symbols:
        if kind == "U" and symbol in home:
            uses[name(path, folder)].add(name(home[symbol], folder))


def code(text):
    """C without comments, strings and #include."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|^\s*#\s*include[^\n]*'
    return re.sub(pattern, " ", text, flags=re.S | re.M)


def add_declarations(uses, folder, symbols):
    """A header uses the files that define what it declares, and what its inline functions and macros call."""
    home = homes(symbols)
    for path in sources(folder):
        if path.suffix in (".h", ".cuh"):
            text = re.sub(r"\b(struct|enum|union)\s+\w+", " ", code(path.read_text()))  # tags are no symbols
            named = home.keys() & set(re.findall(r"\b[A-Za-z_]\w*", text))
            uses[name(path, folder)].update(name(home[symbol], folder) for symbol in named)


def imports(folder):
    """{module: modules of the package that it imports}; __init__.py, which gathers them all, is left out."""
    modules = {path.stem: path for path in sorted((tap.root / folder).glob("*.py")) if path.stem != "__init__"}
    package, uses = Path(folder).name, {}
    for user, path in modules.items():
        named = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = ".".join(word for word in (package if node.level else "", node.module) if word)
                named |= {base} | {f"{base}.{alias.name}" for alias in node.names}
        uses[user] = {module for module in modules if f"{package}.{module}" in named} - {user}
    return uses


def reached(uses, start):
    """{name: the one it is used by, on a shortest way from start} of all that start uses, and what these use."""
    found, left = {}, [start]
    for user in left:
        for used in sorted(uses.get(user, ())):
            if used not in found:
                found[used] = user
                left.append(used)
    return found


def way(found, start):
    """The names on a shortest way from start back to itself."""
    names = [start, found[start]]
    while names[-1] != start:
        names.append(found[names[-1]])
    return names[::-1]


def uses_of(folder, symbols):
    """{name: names that it uses} of the files of a folder."""
    uses = includes(folder)
    add_symbols(uses, folder, symbols)
    add_declarations(uses, folder, symbols)
    return {user: used - {user} for user, used in uses.items()}


def faults(uses, folder):
    """A line for each name that is in a circle."""
    everything = {user: reached(uses, user) for user in uses}
    within = {user for user in uses if user in everything[user]}
    for user in sorted(within):
        yield f"{folder}/{user} is in a circle: " + ", which uses ".join(way(everything[user], user))
