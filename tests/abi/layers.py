"""TAP: the layers of doc/architecture.md hold, by the includes and by the symbols."""

import re
import shutil

import circles
import tap

SOURCES = circles.sources("src")

# What the library may call of the outside; malloc and free only where every allocation is, pages only where huge ones are.
C_LIBRARY = set(
    """
    memchr memcmp memcpy memmove memset snprintf strchr strcmp strcspn strlen strncmp strspn strtol strtoll strtoul
    strtoull vsnprintf
    __errno_location __stack_chk_fail __tls_get_addr _GLOBAL_OFFSET_TABLE_
    """.split()
)
ONLY_IN = {"malloc": "alloc", "calloc": "alloc", "free": "alloc", "getenv": "host/ source_host", "mincore": "host/"}
ONLY_IN |= {"strstr": "system_memory", "sysconf": "system_memory source_host host/"}
ONLY_IN |= dict.fromkeys(["open", "read", "close"], "read_file")
ONLY_IN |= {"clock_gettime": "clock"}
ONLY_IN |= {"getpid": "process", "pthread_atfork": "lock"}
ONLY_IN |= dict.fromkeys(("madvise", "mmap", "munmap"), "source_host")
ONLY_IN |= {f"pthread_mutex_{verb}": "lock" for verb in ("lock", "unlock")}
CUDA_ONLY = r"cuda[A-Z]\w*|__cuda\w+|dl(open|sym|close|error|addr)|getpid|atexit|pthread_(atfork|once|mutex_(un|try)?lock)"
COMPILER = r"__(u?(div|mod|divmod)|fix\w*|float)ti\w*|__(asan|ubsan|gcov|lsan|sanitizer)_\w+"

# Headers from outside, and the keys of doc/architecture.md that may include them.
OUTSIDE = {"dlpack/": {"dtype", "device", "view", "view_dlpack"}, "cuda": {"cuda/"}}

# Backends get plans and addresses, never a handle.
BACKEND_SEES = {"text", "affine", "chain", "numbers", "inline", "status", "alloc", "checked", "canon", "in_place", "plan", "backend",
                "device", "memory", "detour", "split", "read_file"}


def layers():
    """{file stem or "folder/": number of its row}, from the table under "## Layers"."""
    text = (tap.root / "doc/architecture.md").read_text().split("## Layers")[1].split("\n## ")[0]
    rows = re.findall(r"^\| \w+ \| ((?:`[\w/]+` ?)+) \|", text, re.M)
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"`([\w/]+)`", row)}


def key(path):
    relative = path.relative_to(tap.root / "src")
    return relative.parts[0] + "/" if len(relative.parts) > 1 else relative.stem


def included(path):
    """(line number, name, file in src or None) of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
        if match:
            places = (path.parent / match.group(1), tap.root / "src" / match.group(1))
            yield number, match.group(1), next((place for place in places if place.exists()), None)


def table_is_the_tree():
    """the table of layers names every source file and no other"""
    named, found = set(layers()), {key(path) for path in SOURCES}
    yield from (f"{name} is in src/, not in the table" for name in sorted(found - named))
    yield from (f"{name} is in the table, not in src/" for name in sorted(named - found))


def includes_go_up():
    """an include goes to a header of the same layer or of one above"""
    row = layers()
    for path in SOURCES:
        for line, name, target in included(path):
            if target and row.get(key(target), 0) > row.get(key(path), 0):
                yield f"{path.name}:{line} includes {name} of a lower layer"


def backends_see_plans():
    """host/ and cuda/ include no handle"""
    for path in SOURCES:
        for line, name, target in included(path):
            if key(path) in ("host/", "cuda/") and target and key(target) not in BACKEND_SEES | {key(path)}:
                yield f"{path.name}:{line} includes {name}"


def outside_headers():
    """CUDA headers are included in src/cuda/ only, DLPack's where tensors are read"""
    for path in SOURCES:
        for line, name, target in included(path):
            for prefix, allowed in OUTSIDE.items():
                if not target and name.startswith(prefix) and key(path) not in allowed:
                    yield f"{path.name}:{line} includes {name}"


def objects():
    """(key, symbol, kind) of each symbol of each object of the library."""
    return [(key(path), symbol, kind) for path, symbol, kind in circles.library_symbols()]


def symbols_go_up():
    """a function or table of libsv that an object uses is of the same layer or of one above"""
    row, symbols = layers(), objects()
    home = {symbol: key for key, symbol, kind in symbols if kind.isupper() and kind != "U"}
    if not home:
        yield "no symbol was found"
    for user, symbol, kind in symbols:
        if kind == "U" and symbol in home and row.get(home[symbol], 0) > row.get(user, 0):
            yield f"{user} uses {symbol} of {home[symbol]}"


# Files of src/host that make smaller plans of one; and the only one that runs any plan.
COMPOUND, FRONT = {"two_pass", "cast", "cast_blocks", "cast_repeated", "cast_small", "cast_transpose", "exchange"}, "compound"
ABOVE = {"host", "candidates"}
RUNS = {"svi_run_plan", "svi_host_run_leaf", "svi_host_run_block", "svi_host_run"}


def host_objects():
    """{file stem: (symbols it defines, symbols it uses)} of src/host."""
    out = {}
    for path, symbol, kind in circles.library_symbols():
        if key(path) == "host/":
            defined, used = out.setdefault(path.stem, (set(), set()))
            (used if kind == "U" else defined).add(symbol)
    return out


def host_runs_end():
    """a loop of src/host runs no plan, and a copy that is made of others cannot come back to itself"""
    objects = host_objects()
    home = {symbol: stem for stem, (defined, _) in objects.items() for symbol in defined}
    uses = {stem: {home[s] for s in used if s in home} - {stem} for stem, (_, used) in objects.items()}
    runs = {stem for stem, (_, used) in objects.items() if used & RUNS}
    if "dispatch" not in uses or not uses["dispatch"]:
        yield "dispatch.o uses nothing"
    yield from (f"{stem} runs plans, and is not known for it" for stem in sorted(runs - COMPOUND - {FRONT} - ABOVE))
    yield from (f"{stem} uses {FRONT}" for stem in sorted(uses) if FRONT in uses[stem] and stem not in ABOVE)
    for start in ["dispatch", *sorted(COMPOUND)]:
        seen, left = set(), set(uses.get(start, ()))
        while left:
            stem = left.pop()
            seen.add(stem)
            left |= uses[stem] - seen
        back = seen & (COMPOUND if start == "dispatch" else {start})
        yield from (f"{start} comes to {stem}" for stem in sorted(back))


# The rows of src/host, from above: who is asked, all loops to be measured, all in order, copies made of others, the tables
# of loops, the loops by what they do, the processor, vector code, and what that is given. A file has its own row, or that of
# its folder.
HOST_ROWS = [
    {"host"},
    {"dispatch/candidates"},
    {"dispatch/compound"},
    {"convert/cast", "convert/cast_blocks", "convert/cast_repeated", "convert/cast_small", "convert/cast_transpose", "exchange",
     "transpose/two_pass"},
    {"dispatch/dispatch"},
    {"convert/", "interleave/", "kernels", "loop", "loops", "permute/", "rows/", "strided/", "transpose/"},
    {"machine/machine", "machine/tuning_file"},
    {"isa/"},
    {"base/", "isa/isa", "machine/tuning"},
]


def host_row(name):
    """The row of a file of src/host, or of its folder."""
    stem = name.removeprefix("host/")
    rows = {key: number for number, row in enumerate(HOST_ROWS) for key in row}
    return rows[stem if stem in rows else stem.split("/")[0] + "/"]


def host_goes_down():
    """a file of src/host uses files of its own row and of rows below: front, copies of copies, tables, loops, vectors"""
    uses = circles.includes("src")
    circles.add_symbols(uses, "src", circles.library_symbols())
    for user in sorted(uses):
        for used in sorted(uses[user]):
            if user.startswith("host/") and used.startswith("host/") and host_row(used) < host_row(user):
                yield f"{user} uses {used}"


def hints_in_one_place():
    """prefetches and non-temporal stores of src/host are those of memory_hints.h, so that they can be traced"""
    bare = re.compile(r"\b(__builtin_prefetch|_mm_prefetch|__builtin_nontemporal_store|__builtin_ia32_movnt\w*)\b"
                      r"|(?<!SVI_NT_STORE\()\b(_mm\d*_stream_\w+|HALF_BITS\(stream\))")
    for path in SOURCES:
        if key(path) != "host/" or path.name == "memory_hints.h":
            continue
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if bare.search(text):
                yield f"{path.name}:{line}: {text.strip()}"


def calls_little():
    """the library prints nothing, ends nothing, and allocates in one place"""
    home = {symbol for _, symbol, kind in objects() if kind != "U"}
    for user, symbol, kind in objects():
        plain = re.sub(r"^__(\w+)_chk$", r"\1", symbol)
        if kind.upper() not in "UW" or symbol in home or plain in C_LIBRARY or re.fullmatch(COMPILER, symbol):
            continue
        if user in ONLY_IN.get(plain, "").split() or user == "cuda/" and re.fullmatch(CUDA_ONLY, plain):
            continue
        yield f"{user} uses {symbol}"


def locks_survive_forks():
    """every lock of src/ that a thread may wait for is one of lock.h, which fork() takes, or of cuda/"""
    waits = r"pthread_(mutex|once|cond|spin|rwlock|barrier)\w*|sem_\w+|mtx_\w+|once_flag|cnd_\w+|thrd_\w+"
    spins = r"while \(!?atomic_(load|flag_test_and_set|exchange)"
    for path in SOURCES:
        if key(path) in ("lock", "cuda/"):
            continue
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if re.search(rf"\b({waits})|{spins}", text):
                yield f"{path.name}:{line}: {text.strip()}"


def package_locks_survive_forks():
    """and each lock of the Python package is given to os.register_at_fork()"""
    for path in sorted((tap.root / "py/strideview").glob("*.py")):
        text = path.read_text()
        for name in re.findall(r"(\w+) = (?:threading|_thread)\.(?:R?Lock|allocate_lock|Condition|Semaphore)\(", text):
            if f"os.register_at_fork(before={name}.acquire" not in text:
                yield f"{path.name}: {name}"


def failing_says_why():
    """no status is returned without a message (svi_malloc has set the one of SV_ERROR_MEMORY)"""
    for path in SOURCES:
        if path.name == "error.c":  # finds the status of a CUDA error, and fails with it
            continue
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\breturn\b((?!svi_fail\()[^;\"])*\bSV_ERROR_(?!MEMORY\b)", text):
                yield f"{path.name}:{line}: {text.strip()}"


def device_facts_in_one_table():
    """only device.c lists device types: others ask it, src/ by svi_devices, py/src/ by sv_device_traits()"""
    lists = re.compile(r"\bcase SV_DEVICE_|\[SV_DEVICE_")
    if not lists.search((tap.root / "src/device.c").read_text()):
        yield "src/device.c has no table"
    for path in [*SOURCES, *circles.sources("py/src")]:
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if path.name != "device.c" and lists.search(text):
                yield f"{path.relative_to(tap.root)}:{line}: {text.strip()}"


def no_circles():
    """no files of src/ use each other in a circle"""
    if not circles.library_symbols():
        yield "no symbol was found"
    yield from circles.faults(circles.uses_of("src", circles.library_symbols(), declarations=False), "src")


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
    """nor do files of py/src/, where a declaration counts as well"""
    if not circles.package_symbols():
        yield "no symbol was found"
    yield from circles.faults(package_uses(), "py/src")


if __name__ == "__main__":
    if not shutil.which(tap.tool("NM", "nm")[0]):
        print("1..0 # SKIP no nm")
    else:
        tap.report(
            table_is_the_tree,
            includes_go_up,
            backends_see_plans,
            outside_headers,
            symbols_go_up,
            host_runs_end,
            host_goes_down,
            hints_in_one_place,
            device_facts_in_one_table,
            no_circles,
            no_circles_in_python,
            package_goes_down,
            no_circles_of_imports,
            calls_little,
            locks_survive_forks,
            package_locks_survive_forks,
            failing_says_why,
        )
