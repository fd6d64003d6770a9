"""TAP: the names the libraries show, and what they need."""

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
    text = (tap.root / "src/sv.map").read_text()
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


def needed_libraries():
    """libsv.so needs the C library only"""
    if not shutil.which("readelf"):
        raise tap.Skip("no readelf")
    text = "\n".join(tap.lines("readelf", "-d", tap.loadable()))
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    yield from (name for name in needed if not re.match(r"(libc|ld-linux[\w-]*)\.so\.\d+$", name))


if __name__ == "__main__":
    tap.report(shared_exports, versions, static_globals, needed_libraries)
