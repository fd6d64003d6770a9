/*
 * Arrow arrays in: numbers of one size, and fixed-size lists and tensors of them, which are more axes. What an array has
 * besides its numbers (validity, bits, offsets, a dictionary) is refused, with the call that gives plain numbers.
 */
#include "protocols/arrow.h"

#include <stdlib.h>

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "protocols/arrow_abi.h"
#include "protocols/arrow_formats.h"

/* One array, and the axes that are found in it from the outermost inwards. */
struct numbers {
    PyObject *object; /* whose text it is */
    sv_dtype dtype;   /* opaque: dates and times, whose dtype strideview._items asks the object for */
    int64_t itemsize;
    int32_t ndim;
    int64_t shape[SV_MAX_NDIM];
    int64_t first;    /* index of the first number */
    const char *data;
};

/* By the beginning of a format. The texts say what to type. */
static const struct {
    const char *format, *text;
} refusals[] = {
    {"b", "packs truth values as bits: pass np.asarray(x), which unpacks them"},
    {"u", "holds texts at offsets: pass np.array(x.to_pylist(), 'U')"},
    {"U", "holds texts at offsets: pass np.array(x.to_pylist(), 'U')"},
    {"vu", "holds texts at offsets: pass np.array(x.to_pylist(), 'U')"},
    {"z", "holds bytes at offsets: pass np.array(x.to_pylist(), 'S')"},
    {"Z", "holds bytes at offsets: pass np.array(x.to_pylist(), 'S')"},
    {"vz", "holds bytes at offsets: pass np.array(x.to_pylist(), 'S')"},
    {"w:", "holds bytes of a fixed size: pass np.array(x.to_pylist(), 'S')"},
    {"d:", "holds decimals: pass x.cast('float64')"},
    {"ts", "has a time zone, which views do not keep: pass np.asarray(x), which has the times of UTC"},
    {"t", "holds dates or times that NumPy has in another size: pass np.asarray(x)"},
    {"+s", "has several columns: pass one of them, x.column(i) or x.field(i)"},
    {"+l", "holds lists of different lengths: pass x.flatten()"},
    {"+L", "holds lists of different lengths: pass x.flatten()"},
    {"+v", "holds lists of different lengths: pass x.flatten()"},
    {"n", "holds nothing but nulls: pass np.zeros(len(x))"},
};

static int refuse_arrow(const struct numbers *n, const char *text)
{
    PyErr_Format(PyExc_BufferError, "%.100s %s", Py_TYPE(n->object)->tp_name, text);
    return -1;
}

static int refuse_format(const struct numbers *n, const char *format)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (strncmp(format, refusals[i].format, strlen(refusals[i].format)) == 0)
            return refuse_arrow(n, refusals[i].text);
    PyErr_Format(PyExc_BufferError, "%.100s has Arrow's format \"%.40s\", which is no number of a fixed size",
                 Py_TYPE(n->object)->tp_name, format);
    return -1;
}

/* Nulls among the elements, whose number an array need not know. */
static int64_t count_nulls(const struct ArrowArray *array, int64_t begin, int64_t count)
{
    const unsigned char *valid = array->n_buffers > 0 ? array->buffers[0] : NULL;
    int64_t nulls = 0;

    if (valid == NULL || array->null_count == 0)
        return 0;
    for (int64_t i = begin; i < begin + count; i++)
        nulls += (valid[i / 8] >> (i % 8) & 1) == 0;
    return nulls;
}

/* Elements begin to begin + count of an array, from its own offset on, must all be there. 0 or -1. */
static int check_valid(const struct numbers *n, const struct ArrowArray *array, int64_t begin, int64_t count)
{
    const int64_t nulls = count_nulls(array, array->offset + begin, count);

    if (nulls == 0)
        return 0;
    PyErr_Format(PyExc_BufferError, "%.100s has %lld nulls, which memory of numbers has not: pass x.fill_null(0)",
                 Py_TYPE(n->object)->tp_name, (long long)nulls);
    return -1;
}

/* A view is made of what the producer says, so what it says must fit together. */
static int check_consistent(const struct numbers *n, const struct ArrowArray *array, int64_t begin, int64_t count)
{
    if (array->length < 0 || array->offset < 0 || array->n_buffers < 0 ||
        (array->n_buffers > 0 && array->buffers == NULL) || begin < 0 || count < 0 || begin > array->length ||
        count > array->length - begin)
        return refuse_arrow(n, "gave an Arrow array whose lengths do not fit together");
    return 0;
}

/* Whether NumPy has the dates or times as well. */
static bool is_time(const char *format)
{
    for (size_t i = 0; i < SVPY_ARROW_TIMES; i++)
        if (strcmp(format, svpy_arrow_times[i].format) == 0)
            return true;
    return strcmp(format, SVPY_ARROW_DATES) == 0;
}

static int read_format(const struct numbers *n, const char *format, sv_dtype *out, int64_t *itemsize)
{
    for (size_t i = 0; i < SVPY_ARROW_NUMBERS; i++)
        if (strcmp(format, svpy_arrow_numbers[i].format) == 0) {
            *out = svpy_arrow_numbers[i].dtype;
            *itemsize = sv_dtype_itemsize(*out);
            return 0;
        }
    *out = SV_OPAQUE;
    *itemsize = sizeof(int64_t);
    return is_time(format) ? 0 : refuse_format(n, format);
}

static int read_numbers(struct numbers *n, const struct ArrowSchema *schema, const struct ArrowArray *array,
                        int64_t begin, int64_t count)
{
    if (read_format(n, schema->format, &n->dtype, &n->itemsize) < 0)
        return -1;
    if (array->n_buffers != 2)
        return refuse_arrow(n, "gave an Arrow array of numbers without two buffers");
    n->first = array->offset + begin;
    n->data = array->buffers[1];
    return n->data != NULL || count == 0 ? 0 : refuse_arrow(n, "gave an Arrow array without its numbers");
}

/* "+w:3": each element is a list of three of the child's. */
static int read_list_size(const struct numbers *n, const char *format, int64_t *out)
{
    char *end;
    const long long extent = strtoll(format + 3, &end, 10);

    if (end == format + 3 || *end != '\0' || extent < 0 || n->ndim >= SV_MAX_NDIM)
        return refuse_format(n, format);
    *out = extent;
    return 0;
}

/* Elements begin to begin + count of one level, whose child is the next. */
static int read_level(struct numbers *n, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    int64_t begin = 0, count = array->length, extent = 0;

    n->shape[0] = count;
    n->ndim = 1;
    for (;;) {
        if (check_consistent(n, array, begin, count) < 0)
            return -1;
        if (schema->dictionary != NULL)
            return refuse_arrow(n, "holds numbers of a dictionary: pass x.indices, or x.dictionary_decode()");
        if (check_valid(n, array, begin, count) < 0)
            return -1;
        if (strncmp(schema->format, "+w:", 3) != 0)
            return read_numbers(n, schema, array, begin, count);
        if (schema->n_children != 1 || array->n_children != 1)
            return refuse_arrow(n, "gave an Arrow list without its numbers");
        if (read_list_size(n, schema->format, &extent) < 0)
            return -1;
        if (__builtin_mul_overflow(begin + array->offset, extent, &begin) ||
            __builtin_mul_overflow(count, extent, &count))
            return refuse_arrow(n, "gave an Arrow array whose lengths do not fit together");
        n->shape[n->ndim++] = extent;
        schema = schema->children[0];
        array = array->children[0];
    }
}

/* --- tensors ----------------------------------------------------------------------- */

/* A layout of the numbers: in C order, or as the metadata of a tensor says, which strideview._arrow reads. */
static sv_layout *make_layout(const struct numbers *n, const struct ArrowSchema *schema)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    sv_layout *layout = NULL;
    PyObject *function, *told, *extents, *steps;
    int32_t ndim = n->ndim, count = n->ndim;
    bool strided = false;
    sv_status status;

    memcpy(shape, n->shape, sizeof shape);
    if (schema->metadata != NULL && n->ndim == 2) {
        function = svpy_helper("strideview._arrow", "tensor");
        told = function == NULL
                   ? NULL
                   : PyObject_CallFunction(function, "KLL", (unsigned long long)(uintptr_t)schema->metadata,
                                           (long long)shape[0], (long long)shape[1]);
        Py_XDECREF(function);
        if (told == NULL)
            return NULL;
        strided = told != Py_None && PyArg_ParseTuple(told, "OO", &extents, &steps);
        if (strided)
            ndim = svpy_extents(extents, shape);
        if (strided && ndim >= 0)
            count = svpy_extents(steps, strides);
        Py_DECREF(told);
    }
    if (PyErr_Occurred() || ndim < 0 || count != ndim)
        return NULL;
    status = sv_layout_new(ndim, shape, strided ? strides : NULL, n->itemsize, &layout);
    return status == SV_OK ? layout : svpy_raise_exchange(status);
}

/* --- ownership ----------------------------------------------------------------------- */

/* Arrays are released on any thread; those of Python code take the lock themselves. */
static void end_arrow(void *ctx)
{
    struct ArrowArray *array = ctx;

    if (array->release != NULL)
        array->release(array);
    free(array);
}

/* Takes the array out of its capsule. */
static sv_view *view_of_arrow(const struct numbers *n, const sv_layout *layout, struct ArrowArray *array)
{
    struct ArrowArray *own = malloc(sizeof *own);
    sv_view *view = NULL;
    sv_status status;

    if (own == NULL)
        return svpy_no_memory((int64_t)sizeof *own);
    *own = *array;
    status = sv_view_new(layout, n->dtype, (void *)(n->data == NULL ? NULL : n->data + n->first * n->itemsize), 0,
                         sv_layout_nbytes(layout), SV_DEVICE_CPU, 0, SV_READ_ONLY, end_arrow, own, &view);
    if (status == SV_OK) {
        array->release = NULL;
        return view;
    }
    free(own);
    return svpy_raise_exchange(status);
}

static sv_view *read_capsules(PyObject *object, PyObject *schema_capsule, PyObject *array_capsule)
{
    const struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, ARROW_SCHEMA);
    struct ArrowArray *array = schema == NULL ? NULL : PyCapsule_GetPointer(array_capsule, ARROW_ARRAY);
    struct numbers n = {.object = object};
    sv_layout *layout;
    sv_view *view;

    if (array == NULL)
        return NULL;
    if (schema->release == NULL || schema->format == NULL || array->release == NULL) {
        refuse_arrow(&n, "gave an Arrow array that was released");
        return NULL;
    }
    if (read_level(&n, schema, array) < 0)
        return NULL;
    layout = make_layout(&n, schema);
    view = layout == NULL ? NULL : view_of_arrow(&n, layout, array);
    sv_layout_release(layout);
    return view;
}

sv_view *svpy_from_arrow(PyObject *object)
{
    PyObject *pair = PyObject_CallMethod(object, "__arrow_c_array__", NULL);
    sv_view *view = NULL;

    if (pair == NULL)
        return NULL;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2 && PyCapsule_CheckExact(PyTuple_GET_ITEM(pair, 0)) &&
        PyCapsule_CheckExact(PyTuple_GET_ITEM(pair, 1)))
        view = read_capsules(object, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
    else
        PyErr_Format(PyExc_TypeError, "__arrow_c_array__() of %.100s returned no pair of capsules",
                     Py_TYPE(object)->tp_name);
    Py_DECREF(pair);
    return view;
}
