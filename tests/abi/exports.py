"""TAP: the names the libraries show, what they write to, and what they need."""

import re
import shutil

import tap


def global_names(path, *options):
    """(type, name) of each global that a library defines."""
    found = (line.split() for line in tap.lines(*tap.tool("NM", "nm"), "-g", "--defined-only", *options, path))
    return {(words[1], words[2].split("@")[0]) for words in found if len(words) == 3}


def shared_exports():
    """libsv.so exports the functions of sv.h and its version nodes only"""
    shown = global_names(tap.library("libsv.so"), "-D")
    names = {name for kind, name in shown if not (kind == "A" and re.fullmatch(r"SV_\d+\.\d+", name))}
    public = set(tap.public_names())
    yield from (f"{name} is declared, not exported" for name in sorted(public - names))
    yield from (f"{name} is exported, not declared" for name in sorted(names - public))


def versions():
    """each function is exported by the version node of its release, which sv.map names it in"""
    text = (tap.root / "bindings/sv.map").read_text()
    listed = {name: node for node, body in re.findall(r"^(SV_[\d.]+) \{(.*?)^\}", text, re.M | re.S)
              for name in re.findall(r"^ +(sv_\w+);", body, re.M)}
    yield from (f"{name} is not in sv.map" for name in tap.public_names() if name not in listed)
    lines = tap.lines(*tap.tool("NM", "nm"), "-D", "-g", "--defined-only", tap.library("libsv.so"))
    exported = dict(line.split()[2].split("@@") for line in lines if "@@" in line)
    if not exported:
        raise tap.Skip("the linker made no versions")
    yield from (f"{name} has {exported.get(name)}, not {node}" for name, node in listed.items() if exported.get(name) != node)


def static_globals():
    """every global of libsv.a begins with sv_ or svi_"""
    names = {name for _, name in global_names(tap.library("libsv.a"))}
    missing = set(tap.public_names()) - names
    yield from (f"{name} is missing" for name in sorted(missing))
    yield from sorted(name for name in names if not name.startswith(("sv_", "svi_", "__odr_asan")))


WRITABLE = "tests/abi/writable.txt"


def writable_rows():
    """{(source, variable): why it is writable}"""
    rows = [line.split(" | ") for line in (tap.root / WRITABLE).read_text().splitlines() if line and line[0] != "#"]
    return {(source, name): why for source, name, why in rows}


def writable_variables(path):
    """(source, variable) of all that the objects of a library write to, but for what each thread has for itself"""
    sources = {source.stem: source for source in sorted((tap.root / "src").rglob("*.c"))}
    source = None
    for line in tap.lines(*tap.tool("NM", "nm"), "--format=sysv", path):
        if member := re.match(r"Symbols from .*\[\w+?-([\w.-]+)\.l?o\]:", line):
            source = sources[member[1]].relative_to(tap.root).as_posix()
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and fields[2] in "BCDbd" and not re.match(r"\.tbss|\.tdata|\.data\.rel\.ro", fields[6]):
            yield source, re.sub(r"\.\d+$", "", fields[0])


def writable():
    """each variable that is written to has a row in tests/abi/writable.txt, which says why"""
    tap.loadable()
    rows = writable_rows()
    found = set(writable_variables(tap.library("libsvcore.a")))
    if len(found) < 10:
        yield f"only {len(found)} variables were found: nm answers otherwise than expected"
    yield from (f"{source}: {name} has no row in {WRITABLE}" for source, name in sorted(found - rows.keys()))
    for source, name in rows:
        file = tap.root / source
        if not file.is_file() or not re.search(rf"\b{name}\b", file.read_text()):
            yield f"{WRITABLE}: {source} has no {name}"


def needed_libraries():
    """libsv.so needs the C library only"""
    if not shutil.which("readelf"):
        raise tap.Skip("no readelf")
    text = "\n".join(tap.lines("readelf", "-d", tap.loadable()))
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    yield from (name for name in needed if not re.match(r"(libc|ld-linux[\w-]*)\.so\.\d+$", name))


if __name__ == "__main__":
    tap.report(shared_exports, versions, static_globals, writable, needed_libraries)
