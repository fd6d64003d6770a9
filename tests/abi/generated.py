"""TAP: generated files are those of sv.h, and the generator refuses what a binding could not carry."""

import re
import sys

import tap

sys.path.insert(0, str(tap.root / "py"))

ENUM = "enum { SV_OK = 0 };"
GOOD = "/** Do it. */\nSV_API int32_t sv_x("
MANY = "/** Types. */\ntypedef struct sv_h sv_h;\nstruct DLManagedTensor;\n"

# Text of a region, and words of the refusal.
REFUSED = [
    ("#define SV_X 1", "a preprocessor line"),
    (ENUM + " // why", "a // comment"),
    ("struct sv_s { int32_t a; };", "a struct body"),
    ("union sv_u { int32_t a; };", "a union"),
    ("enum sv_e { SV_OK = 0 };", "a named enum"),
    ("enum { SV_OK };", "needs a plain number"),
    ("enum { SV_A = 1 << 3 };", "needs a plain number"),
    ("enum { SV_A = 0x80000000 };", "does not fit int32_t"),
    ("/** Bits of it. */\nenum { SV_A = -1 };", "does not fit uint32_t"),
    (GOOD + "int a);", "a type without a fixed width"),
    (GOOD + "long a);", "a type without a fixed width"),
    (GOOD + "bool a);", "a type without a fixed width"),
    ("typedef int sv_n;", "a type without a fixed width"),
    ("static inline int32_t sv_f(void);", "a qualifier"),
    (GOOD + "int32_t a) __attribute__((pure));", "an extension"),
    (GOOD + "int32_t a[3]);", "an array"),
    (GOOD + "int32_t a, ...);", "variable arguments"),
    (GOOD + ");", "write (void)"),
    (GOOD + "int32_t);", "a parameter without a name"),
    (GOOD + "int32_t fn);", "fn cannot be a name"),
    (GOOD + "int32_t lambda);", "lambda cannot be a name"),
    (GOOD + "int32_t end);", "end cannot be a name"),
    (MANY + GOOD + "sv_h handle);", "type sv_h"),
    (MANY + GOOD + "struct DLManagedTensor tensor);", "type struct DLManagedTensor"),
    (GOOD + "struct DLTensor *tensor);", "type struct DLTensor *"),
    (GOOD + "int32_t *const a);", "a qualifier after *"),
    (GOOD + "int32_t *const *const a);", "a qualifier after *"),
    (GOOD + "int32_t **const a);", "a qualifier after *"),
    (GOOD + "void *volatile *a);", "a qualifier"),
    (GOOD + "void **a);", "is written *const *"),
    (MANY + GOOD + "const sv_h **handles);", "is written *const *"),
    (GOOD + "SV_OUT void *const *a);", "an output that is only read"),
    (GOOD + "char a);", "type char"),
    (GOOD + "SV_OUT int32_t *out, int32_t a);", "an input after an output"),
    (GOOD + "SV_OPT int32_t a);", "marked, but not a pointer"),
    ("SV_API int32_t sv_x(void);", "no comment"),
    ("/** Do it. */\nint32_t sv_x(void);", "no SV_API"),
    ("typedef void (*sv_x_callback)(int32_t a);", "void *ctx"),
    ("typedef void (*sv_x)(void *ctx);", "ends with _callback"),
]


def reader():
    try:
        import read_header
    except ImportError as error:
        raise tap.Skip(str(error)) from None
    return read_header


def region(text):
    return "sv.h", f"/* >>> declarations */\n{text}\n/* <<< declarations */\n"


def committed_files():
    """committed files are what py/gen_bindings.py makes of sv.h and dtypes.def (if not: make bindings)"""
    reader()
    import gen_bindings
    import read_dtypes

    header = gen_bindings.read(tap.root / "include/sv.h")
    for path, text in {**read_dtypes.outputs(), **gen_bindings.outputs(header)}.items():
        yield from gen_bindings.difference(path, text)


def table_is_appended_to():
    """the table of strideview.h begins as that of each release did"""
    reader()
    import gen_bindings

    header = gen_bindings.read(tap.root / "include/sv.h")
    names = list(gen_bindings.frozen_table(header))
    own = {"acquire", "open", "close", "view_of", "layout_of", "view_object", "layout_object", "set_error", "reserved", "size", "abi",
           "release", "instance", "view_type", "layout_type"}
    yield from (f"{name} is a name of the table's own" for name in sorted(own & set(names)))
    for file in sorted((tap.root / "tests/abi").glob("*.table")):
        released = file.read_text().split()
        if not released or names[:len(released)] != released:
            yield f"{file.name} is not how the table begins"


def wrong_since(functions, first_release):
    """Functions whose comment says since when, though the first release had them, or does not, though it had not."""
    for function in functions:
        is_first = function.name.removeprefix("sv_") in first_release
        if is_first == ("Since " in function.doc):
            yield f"{function.name}: the first release had it" if is_first else f"{function.name}: since when?"


def says_since_when():
    """a comment has a line "Since" if and only if the first release did not have the function"""
    functions = reader().read(tap.root / "include/sv.h").functions
    first_release = (tap.root / "tests/abi/0.1.table").read_text().split()
    yield from wrong_since(functions, first_release)
    first_release.remove("copy")
    if list(wrong_since(functions, first_release)) != ["sv_copy: since when?"]:
        yield "a later function without Since is not seen"


def releases_in_order():
    """a function of a later release comes behind those of the first one, and has a node of its own in the version script"""
    read_header = reader()
    import gen_bindings

    text = GOOD.replace("Do it.", "Do it. Since 0.2.") + "void);\n" + GOOD.replace("sv_x", "sv_y") + "void);"
    header = read_header.Header(region(text))
    if list(gen_bindings.frozen_table(header)) != ["y", "x"]:
        yield "the table is in another order"
    script = " ".join(" ".join(gen_bindings.version_script(header)).split())
    if "SV_0.1 { global: sv_y;" not in script or "SV_0.2 { global: sv_x; } SV_0.1;" not in script:
        yield script


# What functions with the same arguments have in the same order. Names on a line are never together.
ORDER = [
    ["plan"], ["dst"], ["src"], ["view"], ["layout", "builder"],
    ["format", "typestr", "dtype"], ["ndim"], ["shape"], ["byte_strides"], ["base", "pointer"],
    ["lower"], ["upper"], ["nbytes"], ["device_type"], ["device_id"], ["flags"], ["release"], ["ctx"], ["stream"], ["out"],
]


def one_order():
    """the functions that make and copy views have their arguments in one order"""
    read_header = reader()
    place = {name: number for number, names in enumerate(ORDER) for name in names}
    functions = read_header.read(tap.root / "include/sv.h").functions
    chosen = [f for f in functions if re.match(r"sv_(view_(new|from_|with_|to_)|copy$|fill$|plan_(new|execute))", f.name)]
    if len(chosen) < 15:
        yield f"only {len(chosen)} functions"
    for function in chosen:
        places = [place[p.name] for p in function.parameters if p.name in place]
        if places != sorted(places):
            yield f"{function.name}: {', '.join(p.name for p in function.parameters)}"


def refuses():
    """the generator refuses what parsers of other languages cannot read"""
    read_header = reader()
    for text, words in REFUSED:
        try:
            read_header.Header(region(text))
        except read_header.HeaderError as error:
            if words not in str(error):
                yield f"{error}, not {words}: {text}"
        else:
            yield f"taken: {text}"


def names_the_place():
    """a refusal names the header and the line"""
    read_header = reader()
    first, second = region(GOOD + "void);"), ("other.h", "\n" + region(MANY + "typedef long sv_n;")[1])
    for text in second[1], second[1].replace("typedef long", "typedef typedef"):
        try:
            read_header.Header(first, (second[0], text))
        except read_header.HeaderError as error:
            if not str(error).startswith("other.h:6:"):
                yield str(error)
        else:
            yield f"taken: {text}"


def shared_comments():
    """functions without a blank line between them share a comment, and others do not"""
    read_header = reader()
    text = GOOD + "void);\nSV_API int32_t sv_y(void);"
    if [f.doc for f in read_header.Header(region(text)).functions] != ["Do it.", "Do it."]:
        yield "the second one has another comment"
    try:
        read_header.Header(region(text.replace("\nSV_API int32_t sv_y", "\n\nSV_API int32_t sv_y")))
    except read_header.HeaderError as error:
        if "no comment" not in str(error):
            yield str(error)
    else:
        yield "one after a blank line is taken"


def takes():
    """the generator takes what sv.h is made of"""
    read_header = reader()
    text = MANY + "/** Bits. */\nenum { SV_A = 0x10, SV_B = 1 };\n" + GOOD
    text += "SV_OPT const sv_h *handle, sv_h *const *many, const void *const *any, SV_OUT sv_h **out,\n"
    text += "    SV_OUT SV_OPT int64_t *length);"
    header = read_header.Header(region(text))
    function = header.functions[0]
    found = [(p.name, str(p.type), "".join(sorted(p.marks))) for p in function.parameters]
    wanted = [
        ("handle", "const sv_h *", "OPT"),
        ("many", "sv_h *const *", ""),
        ("any", "const void *const *", ""),
        ("out", "sv_h **", "OUT"),
        ("length", "int64_t *", "OPTOUT"),
    ]
    if found != wanted:
        yield f"{found}, not {wanted}"
    if [(c.value, c.type) for c in header.constants] != [(16, "uint32_t"), (1, "uint32_t")]:
        yield f"constants {header.constants}"
    if read_header.first_sentence(function.doc) != "Do it.":
        yield f"comment {function.doc!r}"


if __name__ == "__main__":
    tap.report(committed_files, table_is_appended_to, says_since_when, releases_in_order, one_order, refuses,
               names_the_place, shared_comments, takes)
