/* fill(dst, value): a number of Python as an item of a dtype. What the dtype cannot hold is an error. */
#include "copies/fill.h"

#include <math.h>

#include "base/dtype.h"
#include "base/errors.h"
#include "base/signature.h"
#include "base/state.h"
#include "copies/byteorder.h"
#include "copies/copy.h"
#include "copies/opaque.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "execution/threads.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

/* DLPack's type codes; all others are floating types. */
enum { CODE_INT = 0, CODE_UINT = 1, CODE_OPAQUE = 3, CODE_COMPLEX = 5, CODE_BOOL = 6 };
enum {
    MOST = 16,        /* bytes of an item */
    LONG_FILL = 32768 /* bytes from which other threads may run meanwhile */
};

static uint32_t bits_of(sv_dtype dtype)
{
    return dtype >> 8 & 0xff;
}

static int refuse_range(PyObject *value, sv_dtype dtype)
{
    PyObject *name = svpy_dtype_name(dtype);

    if (name != NULL)
        PyErr_Format(PyExc_OverflowError, "%R is out of the range of %U", value, name);
    Py_XDECREF(name);
    return -1;
}

static sv_status view_filled_item(void *item, int64_t itemsize, sv_dtype dtype, sv_view **out)
{
    sv_layout *layout = NULL;
    sv_status status = sv_layout_new(0, NULL, NULL, itemsize, &layout);

    if (status == SV_OK)
        status = sv_view_new(layout, dtype, item, 0, itemsize, SV_DEVICE_CPU, 0, 0, NULL, NULL, out);
    sv_layout_release(layout);
    return status;
}

/* Conversions that need no call of libsv. Whether it was one of them. */
static int convert_simple(void *to, sv_dtype dst, const void *from, sv_dtype src)
{
    double wide;
    float narrow;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (src == SV_INT64 || src == SV_UINT64) {
        memcpy(to, from, bits_of(dst) / 8);
        return 1;
    }
#endif
    if (dst == src) {
        memcpy(to, from, bits_of(dst) / 8);
    } else if (dst == SV_FLOAT32 && src == SV_FLOAT64) {
        memcpy(&wide, from, sizeof wide);
        narrow = (float)wide;
        memcpy(to, &narrow, sizeof narrow);
    } else if (dst == SV_FLOAT64 && src == SV_FLOAT32) {
        memcpy(&narrow, from, sizeof narrow);
        wide = narrow;
        memcpy(to, &wide, sizeof wide);
    } else {
        return 0;
    }
    return 1;
}

/* Convert one number to another dtype; integers keep their low bits. 0 or -1. */
static int convert_number(void *to, sv_dtype dst, void *from, sv_dtype src)
{
    sv_view *target = NULL, *source = NULL;
    sv_status status;

    if (convert_simple(to, dst, from, src))
        return 0;
    status = view_filled_item(to, sv_dtype_itemsize(dst), dst, &target);
    if (status == SV_OK)
        status = view_filled_item(from, sv_dtype_itemsize(src), src, &source);
    if (status == SV_OK)
        status = sv_copy(target, source, SV_COPY_CAST_UNSAFE, 0);
    sv_view_release(source);
    sv_view_release(target);
    if (status != SV_OK)
        svpy_raise(status);
    return status == SV_OK ? 0 : -1;
}

/* A number of another kind than the dtype: what to type instead. Other exceptions stand. -1. */
static int refuse_kind(PyObject *value, sv_dtype dtype, const char *kind, const char *instead)
{
    PyObject *name;

    if (!PyErr_ExceptionMatches(PyExc_TypeError) || !(PyFloat_Check(value) || PyComplex_Check(value)))
        return -1;
    PyErr_Clear();
    name = svpy_dtype_name(dtype);
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "%U takes no %s, and the value is %R: pass %s", name, kind, value, instead);
    Py_XDECREF(name);
    return -1;
}

static int refuse_integer(PyObject *value, sv_dtype dtype)
{
    if (PyComplex_Check(value))
        return refuse_kind(value, dtype, "complex number", "int(x.real)");
    return refuse_kind(value, dtype, "float", "int(x), or copy an array with casting='unsafe'");
}

static int read_signed(PyObject *value, sv_dtype dtype, char *item)
{
    PyObject *number = PyNumber_Index(value);
    int overflow = 0;
    long long read;
    int64_t kept;

    if (number == NULL)
        return refuse_integer(value, dtype);
    read = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    kept = read;
    if (overflow || (bits_of(dtype) < 64 && kept >> (bits_of(dtype) - 1) != kept >> 63))
        return refuse_range(value, dtype);
    return convert_number(item, dtype, &kept, SV_INT64);
}

static int read_unsigned(PyObject *value, sv_dtype dtype, char *item)
{
    PyObject *number = PyNumber_Index(value);
    unsigned long long read;
    uint64_t kept;

    if (number == NULL)
        return refuse_integer(value, dtype);
    read = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return -1;
    kept = read;
    if (PyErr_Occurred() || (bits_of(dtype) < 64 && kept >> bits_of(dtype) != 0)) {
        PyErr_Clear();
        return refuse_range(value, dtype);
    }
    return convert_number(item, dtype, &kept, SV_UINT64);
}

/* parts: 1, or 2 for a complex number. */
static int read_floating(PyObject *value, sv_dtype dtype, char *item, int parts)
{
    const sv_dtype wide = parts == 2 ? SV_COMPLEX128 : SV_FLOAT64;
    double number[2] = {0, 0}, back[2] = {0, 0};

    if (parts == 2) {
        Py_complex z = PyComplex_AsCComplex(value);

        number[0] = z.real;
        number[1] = z.imag;
    } else {
        number[0] = PyFloat_AsDouble(value);
    }
    if (PyErr_Occurred())
        return refuse_kind(value, dtype, "complex number", "x.real");
    if (convert_number(item, dtype, number, wide) < 0)
        return -1;
    if (convert_number(back, wide, item, dtype) < 0)
        return -1;
    for (int k = 0; k < parts; k++)
        if (isfinite(number[k]) && !isfinite(back[k]))
            return refuse_range(value, dtype);
    return 0;
}

static int read_bool(PyObject *value, char *item)
{
    int truth = PyObject_IsTrue(value);

    *item = (char)(truth > 0);
    return truth < 0 ? -1 : 0;
}

/* Read the bytes of an opaque item. */
static int read_raw_item(PyObject *value, int64_t itemsize, char *item)
{
    Py_buffer buffer;
    int64_t given;

    if (PyObject_GetBuffer(value, &buffer, PyBUF_SIMPLE) < 0)
        return -1;
    given = buffer.len;
    if (given == itemsize && given <= MOST)
        memcpy(item, buffer.buf, (size_t)given);
    PyBuffer_Release(&buffer);
    if (given == itemsize)
        return 0;
    PyErr_Format(PyExc_ValueError, "%lld bytes for items of %lld", (long long)given, (long long)itemsize);
    return -1;
}

static int write_lane(PyObject *value, sv_dtype one, char *item)
{
    switch (bits_of(one) % 8 == 0 ? (int)(one & 0xff) : CODE_OPAQUE) {
    case CODE_INT: return read_signed(value, one, item);
    case CODE_UINT: return read_unsigned(value, one, item);
    case CODE_BOOL: return read_bool(value, item);
    case CODE_COMPLEX: return read_floating(value, one, item, 2);
    case CODE_OPAQUE: PyErr_SetString(PyExc_TypeError, "numbers below a byte have no fill value"); return -1;
    default: return read_floating(value, one, item, 1);
    }
}

/* Read the value and repeat it in all lanes of the item. */
static int read_fill_item(PyObject *value, const svpy_view *view, char *item)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(view->handle));
    const sv_dtype dtype = sv_view_dtype(view->handle), one = (dtype & 0xffff) | 1u << 16;
    int64_t bytes = bits_of(dtype) / 8;

    if (itemsize > MOST) {
        PyErr_Format(PyExc_ValueError, "items of %lld bytes; at most %d are filled", (long long)itemsize, MOST);
        return -1;
    }
    if (dtype == SV_OPAQUE) {
        if (svpy_check_filling(view, value, itemsize) < 0)
            return -1;
        return read_raw_item(value, itemsize, item);
    }
    if (write_lane(value, one, item) < 0)
        return -1;
    for (int64_t done = bytes; done < itemsize; done += bytes)
        memcpy(item + done, item, (size_t)bytes);
    return 0;
}

/* --- the filling ------------------------------------------------------------ */

/* A long fill of host memory: the item is broadcast by a copy in pieces, between which signals are handled. */
static sv_status fill_in_pieces(const sv_view *view, char *item, int64_t stream, svpy_threads *pieces)
{
    sv_view *source = NULL;
    sv_status status = view_filled_item(item, sv_layout_itemsize(sv_view_layout(view)), sv_view_dtype(view), &source);

    if (status == SV_OK)
        status = sv_copy_parallel(view, source, pieces->count, pieces->run, pieces->ctx, 0,
                                  (uintptr_t)stream);
    sv_view_release(source);
    return status;
}

static sv_status write_item(const sv_view *view, char *item, uint32_t flags, int64_t stream)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(view)), nbytes = sv_layout_nbytes(sv_view_layout(view));
    svpy_threads pieces = {.count = 1};
    sv_status status;

    if (nbytes < LONG_FILL)
        return sv_fill(view, item, itemsize, flags, (uintptr_t)stream);
    if (svpy_is_host(view))
        svpy_make_interruptible(nbytes, &pieces);
    pieces.state = PyEval_SaveThread();
    status = pieces.count > 1 ? fill_in_pieces(view, item, stream, &pieces)
                              : sv_fill(view, item, itemsize, flags, (uintptr_t)stream);
    PyEval_RestoreThread(pieces.state);
    return status;
}

static PyObject *fill_view(svpy_view *view, PyObject *value, PyObject *const *options)
{
    const svpy_side side = svpy_side_of(view);
    svpy_ordering order;
    char item[MOST];

    if (read_fill_item(value, view, item) < 0)
        return svpy_fill_swapped(view, value, options[SVPY_STREAM]) == 1 ? Py_NewRef(Py_None) : NULL;
    if (options[SVPY_STREAM] == NULL && sv_view_device_type(view->handle) == SV_DEVICE_CPU) /* which has no streams */
        return svpy_copy_tell(write_item(view->handle, item, SV_COPY_BLOCKING, 0)) < 0 ? NULL : Py_NewRef(Py_None);
    if (svpy_copy_how(options, &order) < 0)
        return NULL;
    if (svpy_ordering_begin(view->state, &side, NULL, &order) < 0)
        return NULL;
    if (svpy_copy_tell(write_item(view->handle, item, order.flags, order.stream < 0 ? 0 : order.stream)) < 0)
        return NULL;
    svpy_ordering_end(view->state, view, &side, NULL, &order);
    Py_RETURN_NONE;
}

PyObject *svpy_view_fill(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"fill", 2, 1, {"value"}, SVPY_BIT(STREAM)};
    PyObject *value, *options[SVPY_OPTIONS];

    if (nargs == 1 && kwnames == NULL)
        return fill_view((svpy_view *)self, args[0], svpy_absent);
    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &value, options) < 0)
        return NULL;
    return fill_view((svpy_view *)self, value, options);
}

PyObject *svpy_fill(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"fill", 3, 2, {"dst", "value"}, SVPY_BIT(STREAM)};
    PyObject *values[2], *options[SVPY_OPTIONS], *target, *answer;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    target = svpy_import(svpy_state_of_module(module), values[0], options[SVPY_STREAM]);
    if (target == NULL)
        return NULL;
    answer = fill_view((svpy_view *)target, values[1], options);
    Py_DECREF(target);
    return answer;
}
