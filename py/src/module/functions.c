/* Functions of the package that make views; and the table of those that do something with them. */
#include "module/functions.h"

#include "base/arguments.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/hint.h"
#include "base/state.h"
#include "copies/batch.h"
#include "copies/casting.h"
#include "copies/fill.h"
#include "copies/placement.h"
#include "copies/scaled.h"
#include "execution/file_runs.h"
#include "memory/collect.h"
#include "memory/resource_stats.h"
#include "objects/allocate.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

/* Takes the reference of view. */
static PyObject *make_readonly(svpy_view *view)
{
    sv_view *handle = NULL;
    sv_status status = sv_view_as_readonly(view->handle, &handle);
    PyObject *made = status == SV_OK ? svpy_view_derive(handle, view) : svpy_raise(status);

    Py_DECREF(view);
    return made;
}

/* Takes the reference of view. */
static PyObject *check_writable(PyObject *view, PyObject *object)
{
    if (!sv_view_is_readonly(((svpy_view *)view)->handle))
        return view;
    PyErr_Format(PyExc_BufferError, "readonly=False asks for a writable view, but that of %.100s is read-only",
                 Py_TYPE(object)->tp_name);
    Py_DECREF(view);
    return NULL;
}

/* view(x, shape=...) and view(x, dtype=...): TypeError. 0 or -1. */
static int check_view_names(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    for (Py_ssize_t k = 0; kwnames != NULL && k < PyTuple_GET_SIZE(kwnames); k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);

        if ((PyUnicode_CompareWithASCIIString(name, "shape") == 0 ||
             PyUnicode_CompareWithASCIIString(name, "dtype") == 0) &&
            svpy_check_second(args[nargs + k]) < 0)
            return -1;
    }
    return 0;
}

static PyObject *make_view(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"view", 2, 1, {"obj"}, SVPY_BIT(STREAM) | SVPY_BIT(READONLY)};
    struct svpy_state *state = svpy_state_of_module(module);
    PyObject *object, *options[SVPY_OPTIONS], *view;
    int readonly = -1; /* not said: what the producer gives */

    if (nargs == 1 && kwnames == NULL)
        return svpy_import(state, args[0], NULL);
    if (check_view_names(args, nargs, kwnames) < 0)
        return NULL;
    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &object, options) < 0)
        return NULL;
    if (svpy_check_second(options[SVPY_STREAM]) < 0)
        return NULL;
    if (svpy_maybe_flag(options[SVPY_READONLY], &readonly) < 0)
        return NULL;
    view = svpy_import(state, object, options[SVPY_STREAM]);
    if (view == NULL || readonly < 0)
        return view;
    return readonly ? make_readonly((svpy_view *)view) : check_writable(view, object);
}

enum { SHAPE, DTYPE, ORDER, FRESH };

/* zeros(2, 3, 4), where NumPy too takes the shape as one argument. 0 or -1. */
static int check_shape(const char *function, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *shape, *text;

    if (nargs < 2 || !PyLong_CheckExact(args[0]) || !PyLong_CheckExact(args[1]))
        return 0;
    shape = PyTuple_New(nargs);
    for (Py_ssize_t i = 0; shape != NULL && i < nargs; i++)
        PyTuple_SET_ITEM(shape, i, Py_NewRef(args[i]));
    text = shape == NULL ? NULL : PyObject_Repr(shape);
    if (text != NULL)
        PyErr_Format(PyExc_TypeError, "the shape is one argument: %s(%U)", function, text);
    Py_XDECREF(text);
    Py_XDECREF(shape);
    return -1;
}

/* values: shape, dtype and order. */
static PyObject *make_fresh(struct svpy_state *state, PyObject *const *values, PyObject *const *options, bool zeros)
{
    int64_t extents[SV_MAX_NDIM];
    int32_t axes[SV_MAX_NDIM], count = 0, ndim = svpy_extents(values[SHAPE], extents);
    sv_order order = SV_ORDER_C;
    struct svpy_items items = {SV_FLOAT32, sizeof(float), NULL};
    sv_layout *layout = NULL;
    PyObject *made = NULL;
    sv_status status;

    if (ndim < 0)
        return NULL;
    if (values[ORDER] != NULL && svpy_order(values[ORDER], 0, &order, &count, axes) < 0)
        return NULL;
    if (order == SV_ORDER_AXES && count != ndim) {
        PyErr_Format(PyExc_ValueError, "an order of %d axes for %d", count, ndim);
        return NULL;
    }
    if (svpy_is_given(values[DTYPE]) && svpy_read_items(values[DTYPE], &items) < 0)
        return NULL;
    if (items.itemsize == 0) {
        PyErr_SetString(PyExc_TypeError, "opaque items have no size of their own: dtype='V8' is of 8 bytes");
        return NULL;
    }
    status = sv_layout_new_dense(ndim, extents, order, axes, items.itemsize, &layout);
    if (status == SV_OK)
        made = svpy_new_array(state, layout, items.dtype, items.kept, zeros, options);
    else
        svpy_raise(status);
    sv_layout_release(layout);
    Py_XDECREF(items.kept);
    return made;
}

static PyObject *make_empty(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"empty", 3, 1, {"shape", "dtype", "order"}, SVPY_PLACING};
    PyObject *values[FRESH], *options[SVPY_OPTIONS];

    if (check_shape(signature.function, args, nargs) < 0)
        return NULL;
    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return make_fresh(svpy_state_of_module(module), values, options, false);
}

static PyObject *make_zeros(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"zeros", 3, 1, {"shape", "dtype", "order"}, SVPY_PLACING};
    PyObject *values[FRESH], *options[SVPY_OPTIONS];

    if (check_shape(signature.function, args, nargs) < 0)
        return NULL;
    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return make_fresh(svpy_state_of_module(module), values, options, true);
}

static PyObject *answer_can_cast(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"can_cast", 3, 2, {"from_", "to", "casting"}};
    sv_casting casting = SV_CASTING_SAFE;
    sv_dtype from, to;
    PyObject *values[3];

    (void)module;
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_dtype(values[0], &from) < 0)
        return NULL;
    if (svpy_dtype(values[1], &to) < 0)
        return NULL;
    if (values[2] != NULL && svpy_casting_level(values[2], &casting) < 0)
        return NULL;
    return PyBool_FromLong(sv_can_cast(from, to, casting));
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

PyMethodDef svpy_functions[] = {
    {"view", FAST(make_view),
     PyDoc_STR("view(obj, stream=None, *, readonly=None)\n--\n\n"
               "View the memory of an array. Nothing is copied.\n\n"
               "obj speaks DLPack (NumPy, PyTorch, JAX, CuPy, ...), an array interface (NumPy's, CUDA's,\n"
               "dpctl's), the buffer protocol (bytes, array.array, ctypes, mmap, ...) or Arrow's interface, has\n"
               "__array__() that gives its own memory (pandas, xarray; CopyError where it would copy), or is a\n"
               "DLPack capsule, or a view, which is returned as it is. Items that are no number, such as records,\n"
               "are opaque, and so are numbers in the other byte order, whose bytes copies swap: dtype tells of them.\n"
               "stream says where memory of a device is going to be used: an int by the rules of the\n"
               "array API (CUDA: 1 legacy default, 2 per-thread default, else a handle; ROCm: 0 or a\n"
               "handle), an object with __cuda_stream__ (or cuda.core's GraphBuilder), or -1 to order nothing.\n"
               "0, by which the runtime and PyTorch mean it, is the default stream; producers are told 1 on CUDA. That stream\n"
               "waits for the producer's work; host memory has none. None: the stream that the producer\n"
               "itself works on, now and later, where it tells one (PyTorch, CuPy, Numba), else the\n"
               "default stream. See copy().\n"
               "Where the memory lies is told by the producer: NumPy arrays are host memory even when\n"
               "it is pinned.\n"
               "A producer that cannot say whether writing is allowed gives a read-only view. readonly=True makes\n"
               "a read-only view of any memory; readonly=False raises BufferError where the view is not writable.")},
    {"empty", FAST(make_empty),
     PyDoc_STR("empty(shape, dtype='float32', order='C', *, memory=None, device=None, alignment=None,\n"
               "      huge_pages=None, stream=None)\n--\n\n"
               "A view of fresh memory, not initialised: by default of the host, aligned to 64 bytes.\n\n"
               "order is 'C', 'F' or a permutation of the axes, the slowest first.\n"
               "dtype is that of numbers, or of any items of a fixed size: 'M8[us]', '<U2', records, '>f8'.\n"
               "memory is a kind, 'host', 'pinned', 'device' or 'managed', or a MemoryResource. device is 'cpu' or a CUDA\n"
               "device, as a number, 'cuda:1', a pair such as view.device, or a device of PyTorch, JAX, CuPy or cuda.core;\n"
               "its memory is meant where memory is None. alignment is a power of two. huge_pages: of host\n"
               "memory, whether Linux is asked for huge pages; None: from 4 MiB on. stream: where the memory is used\n"
               "first, and then freed.")},
    {"can_cast", FAST(answer_can_cast),
     PyDoc_STR("can_cast(from_, to, casting='safe')\n--\n\n"
               "Whether copy(casting=casting) converts elements of one dtype to another.\n\n"
               "As numpy.can_cast() for NumPy's dtypes; a conversion is 'safe' where it keeps each value, with\n"
               "infinities, NaN and -0. False where no copy converts, as from and to dtypes below a byte.")},
    {"_zeros", FAST(make_zeros),
     PyDoc_STR("_zeros(shape, dtype='float32', order='C', *, memory=None, device=None, alignment=None,\n"
               "       huge_pages=None, stream=None)\n--\n\nempty() whose bytes are zero.")},
    {"fill", FAST(svpy_fill),
     PyDoc_STR("fill(dst, value, stream=None)\n--\n\n"
               "Write one value to every element of dst, a view or anything view() takes.\n\n"
               "value is a number that the dtype can hold (else OverflowError), or where items are opaque,\n"
               "one of an equal dtype or its bytes. Items have 16 bytes at most. stream and Ctrl-C as for copy().")},
    {"copy", FAST(svpy_copy),
     PyDoc_STR("copy(dst, src, stream=None, *, blocking=None, casting='no', byteswap=False, executor=None,\n"
               "     threads=None, progress=None, allocator=None, scale=None, bias=None, axis=None, mean=None,\n"
               "     std=None)\n--\n\n"
               "Copy every element of src to the place with the same index in dst.\n\n"
               "Both are views or anything view() takes; src is broadcast to the shape of dst. Any strides\n"
               "are welcome, and the two may overlap. What has __array__() alone is converted as np.asarray(src) does.\n"
               "Without a stream a device copies on the stream that the library of dst works on now, else that of\n"
               "src, else on that of our own memory, after what both sides have under way. Within devices the\n"
               "copy then is under way on return, and what the libraries or this package do next with the memory\n"
               "comes after it; a graph that a library captures gets it. It is done on return where the host reads\n"
               "one side, or a library tells no stream.\n"
               "On a stream that is given, the copy waits for what dst and src have under way, and dst.stream\n"
               "becomes that stream. Views made from dst before, and arrays that are no views, do not learn it;\n"
               "memory is kept until the copy is done. blocking: done on return, or not.\n"
               "Ctrl-C is answered between pieces of a copy of 256 MiB and more within host memory, unless the\n"
               "two overlap; dst then is written in part.\n"
               "Dtypes are equal, or casting, one of NumPy's five words, allows a conversion: 'safe' where nothing\n"
               "is lost, 'same_kind' of integers to wider or\n"
               "narrower ones, to floating and complex ones, 'unsafe' of any number to any other, by\n"
               "NumPy's rules. Items that are no number (records, dates, strings) are copied between equal\n"
               "dtypes only; raw memory, of from_buffer(itemsize=) or NumPy's void, takes and gives any of its\n"
               "size. byteswap: src has the bytes of its numbers in the other order, and its dtype does not say so.\n"
               "executor has a map() and threads, as those of concurrent.futures, which help the calling thread\n"
               "with copies within host memory, and with what the host does of copies between ordinary memory and\n"
               "a device. They are asked where half a millisecond or more is left to do;\n"
               "threads that come late, or never, are not waited for. A capsule named 'sv_parallel_callback' has\n"
               "such a function of C (context: its ctx), which is called as sv_copy_parallel() does it. threads:\n"
               "how many copy at a time; None: os.cpu_count(). What map() raises is raised, and dst then may be\n"
               "written in part.\n"
               "progress: progress(done, total) is called with bytes, where Ctrl-C is answered and at the end; a\n"
               "function that takes one argument, as bar.update of tqdm.tqdm(total=dst.nbytes), gets the bytes since\n"
               "the last call. What it raises ends the copy and is raised.\n"
               "scale, bias: with one of them, elements become src * scale + bias in the dtype of dst, whatever it is\n"
               "unless casting is given, in one pass, on a device as on the host: copy(chw, hwc, scale=1/255). Each is\n"
               "a number, or a sequence of one for each index of axis, an axis of dst. It is calculated in float32, in\n"
               "float64 where a dtype of either has 64 bits or integers of 32. Integers are rounded to the nearest,\n"
               "even in a tie, and kept within their range.\n"
               "mean, std: what is scaled so becomes (x - mean) / std, as torchvision's normalize() does it: copy(chw,\n"
               "hwc, scale=1/255, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225], axis=0). It is done by a\n"
               "scale of scale / std and a bias of (bias - mean) / std, which are calculated in float64.")},
    {"copy_batch", FAST(svpy_copy_batch),
     PyDoc_STR("copy_batch(dst, src, stream=None, *, blocking=None, casting='no', byteswap=False, scale=None,\n"
               "           bias=None, axis=None, mean=None, std=None)\n--\n\n"
               "copy(dst[i], src[i], ...) for each i: in this order between arrays of the CPU, else in any order.\n\n"
               "dst and src are sequences of as many arrays. src may also be an array in chunks, for as many arrays\n"
               "or for one that is as long, or a table, for a sequence of its columns (pyarrow, polars).\n"
               "All are checked before the first is copied; an error names the place. Where a device takes part and a\n"
               "copy reads or writes bytes that another one writes, these are as after some order of the two, each byte\n"
               "for itself: make such copies by calls of their own.")},
    {"_placement", FAST(svpy_placement),
     PyDoc_STR("_placement(dst, src, stream=None, *, blocking=None, casting='no', byteswap=False)\n--\n\nplacement().")},
    {"_copy_stack", FAST(svpy_copy_stack),
     PyDoc_STR("_copy_stack(dst, src, axis, stream=None, *, blocking=None, casting='no', byteswap=False)\n--\n\n"
               "Copy the arrays src beside each other along an axis of dst.")},
    {"_count_arrays", svpy_count_arrays, METH_NOARGS,
     PyDoc_STR("_count_arrays()\n--\n\n{name: number} of arrays whose memory is no Buffer.")},
    {"_set_array_resource", svpy_set_array_resource, METH_O,
     PyDoc_STR("_set_array_resource(resource, /)\n--\n\nWho counts arrays without options; None: they are Buffers.")},
    {"_hint_functions", svpy_hint_functions, METH_O,
     PyDoc_STR("_hint_functions(names, /)\n--\n\nPut what says which function to call into a dict of a module's names.")},
    {"_hints", svpy_all_hints, METH_NOARGS,
     PyDoc_STR("_hints()\n--\n\n{name: what is called instead} of functions, and of methods of views.")},
    {"_move_runs", FAST(svpy_move_runs),
     PyDoc_STR("_move_runs(fd, memory, writing, run, extents, steps, pitches, offset)\n--\n\n"
               "Read or write a box of runs of bytes: steps are between runs in the file, pitches in memory, neither\n"
               "is negative. The number of bytes moved, fewer than the box has where the file ends.")},
    {"_collect", svpy_collect, METH_O, PyDoc_STR("_collect(wait, /)\n--\n\nmemory.collect().")},
    {NULL, NULL, 0, NULL},
};
