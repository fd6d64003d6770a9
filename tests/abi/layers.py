"""TAP: the floors of the house: folders use those below them only, by the includes and by the symbols."""

import re
import shutil

import circles
import tap

# What a folder of src/ uses, besides itself: from below.
FLOORS = {
    "base": "",
    "dtype": "base",
    "layout": "base",
    "overlap": "base layout",
    "plan": "base dtype overlap",
    "backend": "base plan",
    "host": "base dtype plan backend",
    "gpu": "base dtype plan backend host",
    "device": "base backend host gpu",
    "memory": "base backend device",
    "view": "base dtype layout overlap backend memory",
    "copy": "base dtype layout overlap plan backend host device memory view",
}

# The same within src/host/. Loops are one floor: those that copy by blocks take what is left over to others.
LOOPS = "loop convert interleave permute rows strided transpose"
HOST_FLOORS = {
    "base": "",
    "isa": "base",
    "machine": "base isa",
    **dict.fromkeys(LOOPS.split(), "base machine " + LOOPS),
    "dispatch": "base machine " + LOOPS,
    "compound": "base machine dispatch " + LOOPS,
    "front": "base machine dispatch compound " + LOOPS,
}

# Headers from outside, and the folders that include them.
OUTSIDE = {"dlpack/": "dtype backend view", "cuda": "gpu/cuda"}


def users(uses, under):
    """(file, its folder, the file that it uses, that one's folder) of all below a folder of src/."""
    for user in sorted(uses):
        for used in sorted(uses[user]):
            if user.startswith(under) and used.startswith(under):
                yield user, user.removeprefix(under).split("/")[0], used, used.removeprefix(under).split("/")[0]


def faults(floors, uses, under=""):
    for user, here, used, there in users(uses, under):
        if here not in floors or there != here and there not in floors[here].split():
            yield f"{user} uses {used}"


def by_symbols(floors, under=""):
    """Who uses whose symbols, checked like includes."""
    uses = {circles.name(path, "src"): set() for path in circles.sources("src")}
    circles.add_symbols(uses, "src", circles.library_symbols())
    if not any(uses.values()):
        yield "no symbol was found"
    yield from faults(floors, uses, under)


def folders_are_floors():
    """src/ and src/host/ have the folders that have a floor, each with a README, and no file beside them; so has tests/unit"""
    for folder, floors, others in ("src", FLOORS, {"local.mk"}), ("src/host", HOST_FLOORS, {"README.md"}):
        found = {path.name for path in (tap.root / folder).iterdir() if not path.name.startswith((".", "lib", "tests_"))}
        yield from (f"{folder}/{name} is no floor" for name in sorted(found - set(floors) - others))
        yield from (f"{folder}/{name} is not there" for name in sorted(set(floors) - found))
    units = {path.name for path in (tap.root / "tests/unit").iterdir() if path.is_dir() and path.name[0] != "."}
    yield from (f"tests/unit/{name} is no floor" for name in sorted(units - set(FLOORS)))
    for name in [*FLOORS, "gpu/cuda"]:
        if not (tap.root / "src" / name / "README.md").exists():
            yield f"src/{name} has no README.md"


def includes_go_down():
    """a file of src/ includes headers of its own folder and of those below"""
    yield from faults(FLOORS, circles.includes("src"))


def symbols_go_down():
    """a file of src/ uses functions and tables of its own folder and of those below"""
    yield from by_symbols(FLOORS)


def host_includes_go_down():
    """so do includes within src/host/"""
    yield from faults(HOST_FLOORS, circles.includes("src"), "host/")


def host_symbols_go_down():
    """and symbols within src/host/"""
    yield from by_symbols(HOST_FLOORS, "host/")


def includes_say_the_folder():
    """an include within src/ begins with the folder"""
    for path in circles.sources("src"):
        for header in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
            if not (tap.root / "src" / header).exists() and not (tap.root / "include" / header).exists():
                yield f"{path.name} includes {header}"


def gpu_knows_no_cuda():
    """a file of src/gpu/ that is not in src/gpu/cuda/ uses nothing of that folder, by the includes and the symbols"""
    uses = circles.includes("src")
    circles.add_symbols(uses, "src", circles.library_symbols())
    for user in sorted(uses):
        if user.startswith("gpu/") and not user.startswith("gpu/cuda/"):
            yield from (f"{user} uses {used}" for used in sorted(uses[user]) if used.startswith("gpu/cuda/"))


def backends_see_no_handle():
    """host/ and gpu/ get plans and addresses, never a handle"""
    for user, used in circles.includes("src").items():
        if user.startswith(("host/", "gpu/")) and "base/handle" in used:
            yield f"{user} includes base/handle.h"


def outside_headers():
    """CUDA headers are included in src/gpu/cuda/ only, DLPack's where tensors are read"""
    for path in circles.sources("src"):
        folders = {str(parent) for parent in path.relative_to(tap.root / "src").parents}
        for header in re.findall(r"^\s*#\s*include\s+<([^>]+)>", path.read_text(), re.M):
            for prefix, allowed in OUTSIDE.items():
                if header.startswith(prefix) and not folders & set(allowed.split()):
                    yield f"{path.name} includes {header}"


# What runs any plan: front/compound.c alone, for front/.
RUNS = {"svi_run_plan", "svi_host_run_leaf", "svi_host_run_block", "svi_host_run"}


def host_runs_end():
    """a loop of src/host runs no plan, and a copy that is made of others cannot come back to itself"""
    uses, runs = {}, set()
    for path, symbol, kind in circles.library_symbols():
        uses.setdefault(circles.name(path, "src"), set())
        if kind == "U" and symbol in RUNS:
            runs.add(circles.name(path, "src"))
    circles.add_symbols(uses, "src", circles.library_symbols())
    compounds = {user for user in uses if user.startswith("host/compound/")}
    for user in sorted(runs):
        if user.startswith("host/") and not user.startswith(("host/compound/", "host/front/")):
            yield f"{user} runs plans, and is no compound"
    for start in ["host/dispatch/dispatch", *sorted(compounds)]:
        others = compounds if start not in compounds else {start}
        yield from (f"{start} comes to {back}" for back in sorted(others & set(circles.reached(uses, start))))


def no_circles():
    """no files of src/ use each other in a circle, where a declaration counts as well"""
    if not circles.library_symbols():
        yield "no symbol was found"
    yield from circles.faults(circles.uses_of("src", circles.library_symbols()), "src")


def no_circles_of_imports():
    """nor do modules of py/strideview/ import each other in a circle, imports within functions counted"""
    uses = circles.imports("py/strideview")
    if "_resources" not in uses.get("_recording", ()):
        yield "no import was found"
    yield from circles.faults(uses, "py/strideview")


# The folders of py/src, from above. A file uses its own folder and those of the rows below, so never another of its row.
PACKAGE_ROWS = [
    {"module"},  # strideview._core, its functions, and the C API
    {"arrays", "memory"},  # the types that users touch: StridedLayout and StridedMemoryView; Buffer and MemoryResource
    {"copies"},  # copies, plans and fills
    {"protocols"},  # memory of other libraries in, and ours out
    {"objects"},  # the objects of each type, from the first to the last reference, and fresh memory
    {"execution"},  # threads, streams, calls and callbacks of libsv
    {"base"},  # Python's values and exceptions, and the state of the module
]


def package_goes_down():
    """a file of py/src/ uses its own folder and folders below, a declaration counts as well"""
    rows = {folder: number for number, row in enumerate(PACKAGE_ROWS) for folder in row}
    uses = package_uses()
    found = {user.split("/")[0] for user in uses}
    yield from (f"py/src/{folder} is in no row" for folder in sorted(found - rows.keys()))
    yield from (f"py/src/{folder} has no file" for folder in sorted(rows.keys() - found))
    yield from (f"py/src/{folder} has no README.md" for folder in rows if not (tap.root / "py/src" / folder / "README.md").exists())
    for user in sorted(uses):
        for used in sorted(uses[user]):
            above, below = user.split("/")[0], used.split("/")[0]
            if above != below and rows.get(below, 0) <= rows.get(above, 0):
                yield f"py/src/{user} uses {used}"


def package_uses():
    return circles.uses_of("py/src", circles.package_symbols())


def no_circles_in_python():
    """nor do files of py/src/"""
    if not circles.package_symbols():
        yield "no symbol was found"
    yield from circles.faults(package_uses(), "py/src")


if __name__ == "__main__":
    if not shutil.which(tap.tool("NM", "nm")[0]):
        print("1..0 # SKIP no nm")
    else:
        tap.report(
            folders_are_floors,
            includes_go_down,
            symbols_go_down,
            host_includes_go_down,
            host_symbols_go_down,
            includes_say_the_folder,
            gpu_knows_no_cuda,
            backends_see_no_handle,
            outside_headers,
            host_runs_end,
            no_circles,
            no_circles_in_python,
            package_goes_down,
            no_circles_of_imports,
        )
