"""TAP: sv.h stands alone, in every language that includes it, and still says what it said."""

import re
import shutil
import subprocess
import tempfile

import tap

STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
ALONE = '#include "sv.h"\nint main(void) { return sv_version() == 0; }\n'
TWICE = '#include "sv.h"\n' + ALONE


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


def compilers(*names):
    found = [[name] for name in names if shutil.which(name)]
    if not found:
        raise tap.Skip(f"none of {', '.join(names)}")
    return found


def compiles_as_c():
    """alone and twice, as C11 and C17, without a warning"""
    for compiler in [tap.tool("CC", "cc"), *compilers("gcc", "clang", "cc")]:
        for standard in "c11", "c17":
            for text in ALONE, TWICE:
                yield from faults(compiler, "c", standard, text)


def compiles_as_cpp():
    """alone and twice, as C++11 to C++20, without a warning"""
    for compiler in compilers("g++", "clang++"):
        for standard in "c++11", "c++17", "c++20":
            for text in ALONE, TWICE:
                yield from faults(compiler, "cpp", standard, text)


def includes_little():
    """includes stddef.h and stdint.h only"""
    included = re.findall(r"^\s*#\s*include\s*(\S+)", (tap.root / "include/sv.h").read_text(), re.M)
    if sorted(included) != ["<stddef.h>", "<stdint.h>"]:
        yield " ".join(included)


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
    tap.report(compiles_as_c, compiles_as_cpp, includes_little, frozen_prototypes, changes_are_seen)
