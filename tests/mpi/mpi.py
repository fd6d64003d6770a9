"""TAP: libsv_mpi passes its programs under every MPI that is here, with 1 to 8 ranks; what it exports is its header."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("srcdir", "."), "tests/abi"))

import model  # noqa: E402
import network  # noqa: E402
import tap  # noqa: E402

HEADER = tap.root / "mpi/include/sv_mpi.h"
BUILT = set()
# Ranks, and the argument of the program: rounds, or at each how many'th call a rank fails. Few where ranks wait for a
# processor, above all those of MPICH, which ask again and again meanwhile.
PROGRAMS = {
    "redistribute": {1: 300, 2: 100, 3: 40, 4: 20, 5: 8, 6: 6, 7: 5, 8: 5},
    "halo": {1: 300, 2: 100, 3: 40, 4: 20, 5: 10, 6: 6, 7: 5, 8: 5},
    "halo_faults": {1: 1, 2: 1, 3: 1, 5: 2},
    "halo_refusals": dict.fromkeys((1, 3, 6), 0),
    "messages": {1: 60, 2: 60, 3: 30, 4: 12, 5: 9, 6: 9, 7: 6, 8: 6},
    "refusals": dict.fromkeys(range(1, 9), 0),
    "relabel": {1: 0},
    "relabelled": {1: 60, 2: 60, 4: 20, 8: 6},
    "reading": {1: 60, 2: 60, 4: 12, 8: 5},
    "faults": {1: 1, 2: 1, 3: 7, 6: 41},
    "devices": {1: 60, 2: 60, 3: 30, 5: 8},
}
# The same where some pairs of ranks share memory and some do not: as the library is told by machines.h, and with two hosts.
MIXED = {"redistribute": {3: 30, 4: 15, 5: 8}, "halo": {3: 30, 5: 10, 8: 5}}
NETWORK = {"redistribute": {2: 20, 4: 10}, "halo": {2: 20, 4: 10}, "messages": {2: 20, 4: 10}}
LARGE = {"large": {2: 0}}  # 4 GiB of memory, and minutes
# What of libsv and of C comes first to these programs, which also have the sources of libsv_mpi.
FAILING = "faults", "halo_faults"
WRAPPED = "malloc calloc realloc sv_buffer_new sv_plan_new sv_plan_execute svm_block_map svm_probe"
ON_FAKE = "devices",  # with libsv on the fake CUDA runtime
# That runtime closes pages while operations use them; the kernel, by which MPICH copies from other processes, then stops short.
BY_SHARED_MEMORY = {"UCX_TLS": "self,posix"}
EXAMPLES = [  # program, ranks, arguments, what it prints; some ranks have nothing
    ("transpose", 1, "5 7", "5 x 7 by 1 ranks: 0 elements are wrong"),
    ("transpose", 3, "1000 700", "1000 x 700 by 3 ranks: 0 elements are wrong"),
    ("transpose", 4, "2 3", "2 x 3 by 4 ranks: 0 elements are wrong"),
    ("transpose", 5, "13 11", "13 x 11 by 5 ranks: 0 elements are wrong"),
    ("stencil", 1, "5 2", "5^3 by 1 x 1 x 1 ranks, 2 steps: differs by 0"),
    ("stencil", 3, "8 3", "8^3 by 3 x 1 x 1 ranks, 3 steps: differs by 0"),
    ("stencil", 4, "11 5", "11^3 by 2 x 2 x 1 ranks, 5 steps: differs by 0"),
    ("stencil", 5, "3 2", "3^3 by 5 x 1 x 1 ranks, 2 steps: differs by 0"),
]
# More ranks than processors, as root, in containers that refuse what Open MPI copies by.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_btl": "self,vader",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def environment():
    """That of this process without settings of make."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"MAKE(FLAGS|LEVEL)|MFLAGS", name)}
    return kept | ENVIRONMENT


def implementations():
    """(name, compiler's wrapper, mpiexec) of each MPI, by Debian's names or the usual ones."""
    found = [(name, f"mpicc.{name}", f"mpiexec.{name}") for name in ("openmpi", "mpich")]
    found = [each for each in found if all(map(shutil.which, each[1:]))]
    usual = os.environ.get("MPICC") or "mpicc", "mpiexec"
    if not found and all(map(shutil.which, usual)):
        found = [("mpi", *usual)]
    return found


def library():
    """The directory of libsv.so, which programs without a sanitizer can load."""
    path = tap.loadable()
    undefined = "\n".join(tap.lines(*tap.tool("NM", "nm"), "-D", "--undefined-only", path))
    if "__tsan_" in undefined or "__asan_" in undefined:
        raise tap.Skip("libsv.so is built with a sanitizer")
    return path.parent


def linked_with_fake():
    """What a program has in the place of libsv.so, so that it stands on the fake CUDA runtime."""
    fake, core = tap.build / "tests/fake/.libs/libfake.a", tap.build / ".libs/libsvcore.a"
    if not fake.exists() or not core.exists() or not os.environ.get("CUDA_LIBS"):
        raise tap.Skip("the fake CUDA runtime was not built")
    included = [f"-I{tap.root / 'src'}", f"-I{tap.root / 'tests'}", *tap.tool("CUDA_CPPFLAGS", "")]
    return included, ["-Wl,--whole-archive", fake, "-Wl,--no-whole-archive", core, *tap.tool("CUDA_LIBS", "")]


def build(name, compiler, program, source=None):
    """A program, and once for each MPI libsv_mpi, so that one build tree serves all."""
    place, libdir = tap.build / "mpi-build" / name, library()
    place.mkdir(parents=True, exist_ok=True)
    command = [compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
               *(f"-I{tap.root / folder}" for folder in ("include", "mpi/include"))]
    link = [f"-L{libdir}", "-lsv", f"-Wl,-rpath,{libdir}"]
    sources = sorted((tap.root / "mpi/src").glob("*.c"))
    if name not in BUILT:
        tap.lines(*command, "-fPIC", "-shared", "-o", place / "libsv_mpi.so", *sources, *link)
        tap.lines("cc", "-O1", "-fPIC", "-shared", "-o", place / "yield.so", tap.root / "tests/mpi/yield.c", "-ldl")
        BUILT.add(name)
    if program in FAILING:
        own = [*sources, *(f"-Wl,--wrap={each}" for each in WRAPPED.split())]
    elif program in ON_FAKE:
        included, link = linked_with_fake()
        own = [*sources, *included]
    else:
        own = [f"-L{place}", f"-Wl,-rpath,{place}", "-lsv_mpi"]
    tap.lines(*command, "-o", place / program, tap.root / (source or f"tests/mpi/{program}.c"), *own, *link, "-lm")
    return place / program


def launch(name, mpiexec, ranks):
    """The command before a program's: ranks of MPICH let others run while they wait."""
    place = tap.build / "mpi-build" / name
    return [mpiexec, *(["-genv", "LD_PRELOAD", place / "yield.so"] if name == "mpich" else []), "-n", str(ranks)]


def run(name, compiler, mpiexec, program):
    made, variables = build(name, compiler, program), environment() | (BY_SHARED_MEMORY if program in ON_FAKE else {})
    for ranks, argument in (PROGRAMS | LARGE)[program].items():
        yield from run_program(f"{mpiexec} -n {ranks} {program} {argument}", [*launch(name, mpiexec, ranks), made, str(argument)],
                               variables)


def mixed(name, compiler, mpiexec):
    for program, cases in MIXED.items():
        made = build(name, compiler, program)
        for ranks, rounds in cases.items():
            yield from run_program(f"{mpiexec} -n {ranks} {program} {rounds}, 2 machines",
                                   [*launch(name, mpiexec, ranks), made, str(rounds)], environment() | {"SV_TEST_MACHINES": "2"})


def over_a_network(name, compiler, mpiexec):
    """Of Open MPI alone: MPICH 4.0 with UCX 1.13 and TCP does not always return from MPI_Finalize()."""
    if name != "openmpi":
        raise tap.Skip("MPI_Finalize() does not always return")
    variables = {word: value for word, value in environment().items() if word != "OMPI_MCA_btl"}
    try:
        with network.hosts() as hosts:
            for program, cases in NETWORK.items():
                made = build(name, compiler, program)
                for ranks, rounds in cases.items():
                    yield from run_program(f"{ranks} ranks of two hosts: {program} {rounds}",
                                           hosts.command(name, ranks, [made, str(rounds)]), variables)
    except network.Missing as reason:
        raise tap.Skip(reason) from None


def killed(name, compiler, mpiexec):
    """Nobody waits for a rank that is killed in the middle of an execution: MPI ends the others."""
    made = build(name, compiler, "faults")
    for call in 0, 9:
        try:
            done = subprocess.run([*launch(name, mpiexec, 3), made, "kill", str(call)], capture_output=True, text=True, timeout=60,
                                  env=environment())
        except subprocess.TimeoutExpired:
            yield f"{mpiexec} -n 3 faults kill {call}: still there after a minute"
            continue
        if done.returncode == 0:
            yield f"{mpiexec} -n 3 faults kill {call}: nobody was killed"
            yield from (done.stdout + done.stderr).splitlines()


def run_program(title, command, variables):
    """What is wrong with the TAP that a program's rank 0 prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=variables)
    good = re.findall(r"^ok (\d+) - ", done.stdout, re.MULTILINE)
    plan = re.findall(r"^1\.\.(\d+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not good or plan != [str(len(good))]:
        yield f"{title}: status {done.returncode}"
        yield from (done.stdout + done.stderr).splitlines()


def run_examples(command, variables):
    """What is wrong with what the examples print; command(program, ranks) runs one."""
    for program, ranks, words, told in EXAMPLES:
        done = subprocess.run([*command(program, ranks), *words.split()], capture_output=True, text=True, timeout=600, env=variables)
        if done.returncode != 0 or done.stdout.splitlines()[:1] != [told]:
            yield f"{program} {words}, {ranks} ranks: status {done.returncode}, not {told}"
            yield from (done.stdout + done.stderr).splitlines()


def examples(name, compiler, mpiexec):
    def command(program, ranks):
        return [*launch(name, mpiexec, ranks), build(name, compiler, program, f"examples/mpi/{program}.c")]
    yield from run_examples(command, environment())


def names_for_mpi4py(name, place):
    """The wheel of mpi4py looks for libmpi.so.12 of MPICH, which Debian calls libmpich.so.12."""
    needed = re.search(r"=> (\S+/libmpich\.so\.12)", "\n".join(tap.lines("ldd", place / "libsv_mpi.so")))
    link = place / "libmpi.so.12"
    if name == "mpich" and needed and not link.exists():
        link.symlink_to(needed[1])


def environment_of_package(name, compiler):
    """That in which strideview.mpi finds libsv_mpi, where mpi4py is installed."""
    if importlib.util.find_spec("mpi4py") is None:
        raise tap.Skip("mpi4py is not installed")
    if not (tap.build / "py-build/strideview/mpi.py").exists():
        raise tap.Skip("the package is not built")
    build(name, compiler, "messages")
    place = tap.build / "mpi-build" / name
    names_for_mpi4py(name, place)
    return environment() | {
        "LIBSV_MPI": str(place / "libsv_mpi.so"), "MPI4PY_MPIABI": name,
        "PYTHONPATH": f"{tap.build / 'py-build'}:{os.environ.get('PYTHONPATH', '')}",
        "LD_LIBRARY_PATH": f"{place}:{os.environ.get('LD_LIBRARY_PATH', '')}"}


def package(name, compiler, mpiexec):
    variables = environment_of_package(name, compiler)
    for ranks in 1, 3:
        yield from run_program(f"{mpiexec} -n {ranks} package.py", [mpiexec, "-n", str(ranks), sys.executable,
                               tap.root / "tests/mpi/package.py"], variables)


def examples_in_python(name, compiler, mpiexec):
    """They print the same as those in C."""
    def command(program, ranks):
        return [mpiexec, "-n", str(ranks), sys.executable, tap.root / f"examples/mpi/{program}.py"]
    yield from run_examples(command, environment_of_package(name, compiler))


def files(name, compiler, mpiexec):
    """The program's copies between files, and what is there when a rank is killed meanwhile."""
    variables = environment_of_package(name, compiler)
    for ranks in 1, 3:
        with tempfile.TemporaryDirectory() as folder:
            yield from run_program(f"{mpiexec} -n {ranks} copy_files.py", [mpiexec, "-n", str(ranks), sys.executable,
                                   tap.root / "tests/mpi/copy_files.py", folder], variables)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([mpiexec, "-n", "3", sys.executable, tap.root / "tests/mpi/copy_files.py", folder, "killed"],
                              capture_output=True, text=True, timeout=300, env=variables)
        left = [each for each in os.listdir(folder) if each != "in.npy" and not each.endswith(".part")]
        if done.returncode == 0 or left:
            yield f"a rank was killed: status {done.returncode}, {left} is there"


def peers(name, compiler, mpiexec):
    """The program that compares with other libraries: small arrays, and whoever is installed."""
    done = subprocess.run([mpiexec, "-n", "2", sys.executable, tap.root / "tests/mpi/peers.py", "--small", "--rounds", "1"],
                          capture_output=True, text=True, timeout=600, env=environment_of_package(name, compiler))
    if done.returncode != 0 or "\nall agree\n" not in done.stdout:
        yield f"peers.py with {name}: status {done.returncode}"
        yield from (done.stdout + done.stderr).splitlines()


def checks_of(name, compiler, mpiexec):
    for program, ranks in (PROGRAMS | (LARGE if "SV_TEST_BIG" in os.environ else {})).items():
        def check(program=program):
            return run(name, compiler, mpiexec, program)
        check.__doc__ = f"{program} with {name}, {', '.join(map(str, ranks))} ranks"
        yield check

    others = {"ranks that share memory with some others": mixed, "ranks of two hosts": over_a_network, "a rank that is killed": killed, "examples of examples/mpi": examples, "strideview.mpi": package,
              "examples of examples/mpi in Python": examples_in_python, "strideview copy --mpi": files,
              "redistributions of other libraries agree": peers}
    for title, function in others.items():
        def one(function=function):
            return function(name, compiler, mpiexec)
        one.__doc__ = f"{title} with {name}"
        yield one


def names_of_the_header():
    return set(re.findall(r"\b(sv_mpi_\w+)\(", HEADER.read_text().split(">>> declarations")[1]))


def exports():
    """libsv_mpi exports the functions of its header, and nothing else, and stays for the calls that MPI makes of it"""
    path = tap.build / ".libs/libsv_mpi.so"
    if not path.exists():
        raise tap.Skip("configured without MPI")
    names = {line.split()[-1] for line in tap.lines(*tap.tool("NM", "nm"), "-D", "--defined-only", path)}
    yield from sorted(names ^ names_of_the_header())
    if not any("NODELETE" in line for line in tap.lines("readelf", "-d", path)):
        yield "it can be unloaded"


def figures_run():
    """the programs of figures compile, and that of scaling prints what the model reads"""
    found = implementations()
    if not found:
        raise tap.Skip("no MPI")
    name, compiler, mpiexec = found[0]
    for program in "speed", "halo_speed":
        build(name, compiler, program)
    made = build(name, compiler, "scaling")
    done = subprocess.run([mpiexec, "-n", "2", made, "1"], capture_output=True, text=True, timeout=600, env=environment())
    words = set(re.findall(r"^(\w+) [0-9.e+-]+ ", done.stdout, re.MULTILINE))
    recorded = set(next(iter(model.read().values()))[2]) | {"ranks"}
    if words != recorded:
        yield f"scaling: status {done.returncode}, it prints {sorted(words)}, not {sorted(recorded)}"
        yield from done.stderr.splitlines()


def model_is_right():
    """the model of many ranks has the numbers that its formulae give by hand, and the page has its tables and picture"""
    machine = model.Machine({"pack": 4e9, "type": 1e9, "latency": 1e-6, "agreements": 2e-6, "chunk": 3e-6})
    load = 1 << 20
    wire = load * 32 * (1 - 32 / 1024) / 25e9
    by_hand = {
        ("R", 2): 2e-6 + 3e-6 + load / 4e9,
        ("S", 2): 2e-6 + 2 * 3e-6 + (2 * load / 2 + load / 2) / 4e9,
        ("S", 8): 7 * 2e-6 + 7 * 3e-6 + (2 * load - load / 8) / 4e9,
        ("T", 2): 1e-6 + 2 * load / 1e9,
        ("C", 1024): 2 * 1.5e-6 * 10 + 992 * 1.5e-6 + 31 * 3e-6 + wire,
        ("T", 1024): 1023 * 1.5e-6 + wire + 2 * load / 1e9,
        ("2", 1024): 2 * 1.5e-6 * 10 + 4 * (1.5e-6 + 31 * 2e-6) + wire,
    }
    for (route, ranks), expected in by_hand.items():
        found = machine.routes(load, ranks)[route]
        if abs(found - expected) > 1e-9 * expected:
            yield f"route {route} with {ranks} ranks: {found}, not {expected}"
    page = model.PAGE.read_text()
    yield from (f"the page has another table: {name}" for name, content in model.tables().items()
                if f"<!-- model: {name} -->\n{content}\n" not in page)
    if model.PICTURE.read_text() != model.picture():
        yield "the page has another picture"


def all_are_tested():
    """every function of the header is called by a program of tests/mpi"""
    used = "".join((tap.root / f"tests/mpi/{name}").read_text() for name in [*(f"{each}.c" for each in PROGRAMS), "pairs.h", "ranks.h"])
    yield from sorted(name for name in names_of_the_header() if f"{name}(" not in used)


def main():
    found = implementations()
    programs = [check for each in found for check in checks_of(*each)]
    if not found:
        def none():
            """programs with an MPI"""
            raise tap.Skip("no mpicc and mpiexec")
        programs = [none]
    tap.report(*programs, exports, all_are_tested, figures_run, model_is_right)


if __name__ == "__main__":
    main()
