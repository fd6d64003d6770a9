"""TAP: what no file of the library does, or only one: outside calls, locks, hints to caches, device facts, names."""

import re
import shutil

import circles
import tap

SOURCES = circles.sources("src")
PACKAGE_SOURCES = circles.sources("py/src")

# What the library may call of the outside; malloc and free only where every allocation is, pages only where huge ones are.
C_LIBRARY = set(
    """
    memchr memcmp memcpy memmove memset snprintf strchr strcmp strcspn strlen strncmp strspn strtol strtoll strtoul
    strtoull vsnprintf
    __errno_location __stack_chk_fail __tls_get_addr _GLOBAL_OFFSET_TABLE_
    """.split()
)
ONLY_IN = {"malloc": "alloc", "calloc": "alloc", "free": "alloc", "getenv": "host/ source_host", "mincore": "host/"}
ONLY_IN |= {"strstr": "system_memory", "sysconf": "system_memory source_host own_pages host/"}
ONLY_IN |= {"open": "read_file own_pages", "close": "read_file own_pages", "read": "read_file", "pread": "own_pages"}
ONLY_IN |= {"clock_gettime": "clock"}
ONLY_IN |= {"getpid": "process", "pthread_atfork": "lock"}
ONLY_IN |= dict.fromkeys(("madvise", "mmap", "munmap"), "source_host")
ONLY_IN |= {f"pthread_mutex_{verb}": "lock" for verb in ("lock", "unlock")}
CUDA_ONLY = r"cuda[A-Z]\w*|__cuda\w+|dl(open|sym|close|error|addr)|getpid|atexit|pthread_(atfork|once|mutex_(un|try)?lock)"
COMPILER = r"__(u?(div|mod|divmod)|fix\w*|float)ti\w*|__(asan|ubsan|gcov|lsan|sanitizer)_\w+"


def top(path):
    """The folder of src/ that a source is in."""
    return path.relative_to(tap.root / "src").parts[0] + "/"


def objects():
    """(folder, file stem, symbol, kind) of each symbol of each object of the library."""
    return [(top(path), path.stem, symbol, kind) for path, symbol, kind in circles.library_symbols()]


def hints_in_one_place():
    """prefetches and non-temporal stores of src/host are those of memory_hints.h, so that they can be traced"""
    bare = re.compile(r"\b(__builtin_prefetch|_mm_prefetch|__builtin_nontemporal_store|__builtin_ia32_movnt\w*)\b"
                      r"|(?<!SVI_NT_STORE\()\b(_mm\d*_stream_\w+|HALF_BITS\(stream\))")
    for path in SOURCES:
        if top(path) != "host/" or path.name == "memory_hints.h":
            continue
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if bare.search(text):
                yield f"{path.name}:{line}: {text.strip()}"


def calls_little():
    """the library prints nothing, ends nothing, and allocates in one place"""
    home = {symbol for _, _, symbol, kind in objects() if kind != "U"}
    for folder, stem, symbol, kind in objects():
        plain = re.sub(r"^__(\w+)_chk$", r"\1", symbol)
        if kind.upper() not in "UW" or symbol in home or plain in C_LIBRARY or re.fullmatch(COMPILER, symbol):
            continue
        allowed = ONLY_IN.get(plain, "").split()
        if folder in allowed or stem in allowed or folder == "gpu/" and re.fullmatch(CUDA_ONLY, plain):
            continue
        yield f"{stem} uses {symbol}"


def locks_survive_forks():
    """every lock of src/ that a thread may wait for is one of lock.h, which fork() takes, or of gpu/"""
    waits = r"pthread_(mutex|once|cond|spin|rwlock|barrier)\w*|sem_\w+|mtx_\w+|once_flag|cnd_\w+|thrd_\w+"
    spins = r"while \(!?atomic_(load|flag_test_and_set|exchange)"
    for path in SOURCES:
        if path.stem == "lock" or top(path) == "gpu/":
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
    if not lists.search((tap.root / "src/backend/device.c").read_text()):
        yield "src/backend/device.c has no table"
    for path in [*SOURCES, *PACKAGE_SOURCES]:
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if path.name != "device.c" and lists.search(text):
                yield f"{path.relative_to(tap.root)}:{line}: {text.strip()}"


def static_functions(path):
    """Names of the static functions that a file defines or declares at its top level."""
    text = re.sub(r"__attribute__\(\(.*?\)\)|_Atomic\([^()]*\)", " ", circles.code(path.read_text()))
    return set(re.findall(r"^(?:static|SVI_INLINE)\b[^;={}()]*?\b(\w+)\(", text, re.M))


def static_names_tell_files_apart():
    """no static function of a source of src/ or py/src/ shares its name, so that profiles tell which one runs"""
    # Exempt: names that the templates of src/host/isa/, its headers, require of its sources, the same ones for each
    # instruction set; inline functions that only headers define; kernels (*.cu, *.cuh).
    isa = tap.root / "src/host/isa"
    required = {word for path in isa.glob("*.h") for word in re.findall(r"\w+", circles.code(path.read_text()))}
    for sources in (SOURCES, PACKAGE_SOURCES):
        homes = {}
        for path in sources:
            if path.suffix in (".c", ".h"):
                for symbol in static_functions(path):
                    homes.setdefault(symbol, []).append(path)
        for symbol, paths in sorted(homes.items()):
            exempt = symbol in required and all(path.parent == isa for path in paths)
            if len(paths) > 1 and not exempt and any(path.suffix == ".c" for path in paths):
                yield f"{symbol} is in " + ", ".join(str(path.relative_to(tap.root)) for path in paths)


def one_fallible_call_a_statement():
    """a statement of py/src/ asks one call whether it failed, and none assigns within an expression"""
    asked = re.compile(r"\) *(?:< 0|[=!]= NULL|[=!]= SV_OK)")
    assigning = re.compile(r"(?<!for )\((?:\w|->|[.*\[\]])+ = ")
    for path in PACKAGE_SOURCES:
        for statement in re.split(r"[;{}]", circles.code(path.read_text())):
            text = " ".join(statement.split())
            if len(asked.findall(text)) > 1 or assigning.search(text):
                yield f"{path.relative_to(tap.root)}: {text}"


if __name__ == "__main__":
    if not shutil.which(tap.tool("NM", "nm")[0]):
        print("1..0 # SKIP no nm")
    else:
        tap.report(
            hints_in_one_place,
            calls_little,
            locks_survive_forks,
            package_locks_survive_forks,
            failing_says_why,
            device_facts_in_one_table,
            static_names_tell_files_apart,
            one_fallible_call_a_statement,
        )
