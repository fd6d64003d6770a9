/* Views of raw memory that an object holds: a Buffer as cuda.core has it, or whatever lends a contiguous buffer. */
#include "protocols/from_buffer.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/buffer_struct.h"
#include "objects/kept_dtype.h"
#include "objects/layout_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/buffer_export.h"

/* Address, size and device of a Buffer. */
struct held {
    uintptr_t address;
    int64_t size;
    int32_t device_type, device_id;
};

/* An attribute that is an address or a number; None means 0. */
static int read_address(PyObject *buffer, const char *name, uintptr_t *out)
{
    PyObject *told = PyObject_GetAttrString(buffer, name);
    int failed = told == NULL;

    *out = 0;
    if (told != NULL && told != Py_None)
        failed = svpy_address(told, out) < 0;
    Py_XDECREF(told);
    return failed ? -1 : 0;
}

static int read_number(PyObject *buffer, const char *name, int64_t *out)
{
    PyObject *told = PyObject_GetAttrString(buffer, name);
    int failed = told == NULL;

    *out = 0;
    if (told != NULL && told != Py_None)
        failed = svpy_int64(told, out) < 0;
    Py_XDECREF(told);
    return failed ? -1 : 0;
}

static int read_extent(PyObject *buffer, struct held *h)
{
    return read_address(buffer, "handle", &h->address) < 0 ? -1 : read_number(buffer, "size", &h->size);
}

/* The truth of an attribute: 1, 0, or -1 with an exception. absent is the answer where there is none. */
static int ask_truth_of(PyObject *buffer, const char *name, int absent)
{
    PyObject *told = svpy_get_attribute_text(buffer, name);
    int answer = told == NULL ? absent : PyObject_IsTrue(told);

    Py_XDECREF(told);
    return PyErr_Occurred() ? -1 : answer;
}

/* Without a driver all memory is the host's. cuda.core raises there, since it asks the driver. */
static bool has_no_driver(void)
{
    sv_device_state state;

    return sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK && state == SV_STATE_NO_DRIVER;
}

static int read_buffer_place(PyObject *buffer, struct held *h)
{
    int device = ask_truth_of(buffer, "is_device_accessible", 0);
    int host = device < 0 ? -1 : ask_truth_of(buffer, "is_host_accessible", 1);
    int managed = host < 0 ? -1 : ask_truth_of(buffer, "is_managed", 0);
    int64_t id = 0;

    if (managed < 0 && has_no_driver() && svpy_clear_exception() == 0) {
        device = managed = 0;
        host = 1;
    }
    if (managed < 0)
        return -1;
    if (!device && !host) {
        PyErr_SetString(PyExc_BufferError, "neither host nor device can read the buffer");
        return -1;
    }
    h->device_type = managed   ? SV_DEVICE_CUDA_MANAGED
                     : !device ? SV_DEVICE_CPU
                     : host    ? SV_DEVICE_CUDA_HOST
                               : SV_DEVICE_CUDA;
    if (h->device_type == SV_DEVICE_CUDA && read_number(buffer, "device_id", &id) < 0)
        return -1;
    h->device_id = id < 0 || id > INT32_MAX ? -1 : (int32_t)id;
    return 0;
}

/* Whether the first element may begin there. */
static int check_offset(int64_t offset, int64_t size)
{
    if (offset >= 0 && offset <= size)
        return 0;
    PyErr_Format(PyExc_ValueError, "offset is %lld, the memory has %lld bytes", (long long)offset, (long long)size);
    return -1;
}

/* View the memory that an object describes by handle and size. */
static sv_view *view_of_held(PyObject *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset, uint32_t flags)
{
    const int readonly = ask_truth_of(buffer, "readonly", 0);
    struct held h;
    sv_view *view = NULL;
    sv_status status;

    if (readonly < 0)
        return NULL;
    if (read_extent(buffer, &h) < 0)
        return NULL;
    if (read_buffer_place(buffer, &h) < 0)
        return NULL;
    if (check_offset(offset, h.size) < 0)
        return NULL;
    flags |= readonly ? SV_READ_ONLY : 0;
    status = sv_view_new(layout, dtype, (void *)(h.address + (uintptr_t)offset), -offset, h.size - offset, h.device_type, h.device_id, flags,
                         svpy_end_object, buffer, &view);
    if (status != SV_OK)
        return svpy_raise(status);
    Py_INCREF(buffer);
    return view;
}

/* View the bytes that an object lends by the buffer protocol. */
static sv_view *view_of_lent(PyObject *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset, uint32_t flags)
{
    Py_buffer *lent = svpy_hold_buffer(buffer, PyBUF_SIMPLE);
    sv_view *view = NULL;
    sv_status status;

    if (lent == NULL)
        return NULL;
    if (check_offset(offset, lent->len) < 0) {
        svpy_end_buffer(lent);
        return NULL;
    }
    status = sv_view_new(layout, dtype, (char *)lent->buf + offset, -offset, lent->len - offset, SV_DEVICE_CPU, 0,
                         lent->readonly ? flags | SV_READ_ONLY : flags, svpy_end_buffer, lent, &view);
    if (status == SV_OK)
        return view;
    svpy_end_buffer(lent);
    return svpy_raise(status);
}

/* Whether an object has handle and size: 1, 0, or -1 with an exception. */
static int is_held(PyObject *buffer)
{
    PyObject *handle = svpy_get_attribute_text(buffer, "handle");
    PyObject *size = handle == NULL ? NULL : svpy_get_attribute_text(buffer, "size");
    const int held = size != NULL ? 1 : PyErr_Occurred() ? -1 : 0;

    Py_XDECREF(size);
    Py_XDECREF(handle);
    return held;
}

static sv_view *view_raw_memory(const struct svpy_state *state, PyObject *buffer, const sv_layout *layout,
                                sv_dtype dtype, int64_t offset, uint32_t flags)
{
    int held;

    if (svpy_is_buffer(state, buffer))
        return svpy_buffer_handle((svpy_buffer *)buffer, layout, dtype, offset, flags);
    /* The handles of our own objects are those of C. */
    held = svpy_is_view(state, buffer) || svpy_is_layout(state, buffer) ? 0 : is_held(buffer);
    if (held != 0)
        return held < 0 ? NULL : view_of_held(buffer, layout, dtype, offset, flags);
    if (PyObject_CheckBuffer(buffer))
        return view_of_lent(buffer, layout, dtype, offset, flags);
    PyErr_Format(svpy_protocol_error(), "%.100s has no handle and size, and no buffer", Py_TYPE(buffer)->tp_name);
    return NULL;
}

/* The view that from_buffer() answers; takes the references. Memory of a Buffer may be written by a stream still. */
static PyObject *wrap_raw_view(struct svpy_state *state, sv_view *view, PyObject *buffer, PyObject *kept)
{
    const int64_t stream = svpy_is_buffer(state, buffer) ? ((svpy_buffer *)buffer)->stream : SVPY_NOTHING;
    PyObject *made = view == NULL ? NULL : svpy_view_wrap(state, view, buffer, stream);

    if (made != NULL)
        Py_XSETREF(((svpy_view *)made)->kept, kept);
    else
        Py_XDECREF(kept);
    return made;
}

/* What the elements are, opaque where no dtype is given, and how large, which may be known before: itemsize, else 0. */
static int read_dtype(PyObject *given, int64_t itemsize, struct svpy_items *out)
{
    *out = (struct svpy_items){SV_OPAQUE, 0, NULL};
    if (given != NULL && given != Py_None && svpy_read_items(given, out) < 0)
        return -1;
    if (out->itemsize == 0)
        out->itemsize = itemsize;
    if (itemsize == 0 || out->itemsize == itemsize)
        return 0;
    PyErr_Format(PyExc_ValueError, "itemsize is %lld, an element of dtype has %lld bytes", (long long)itemsize,
                 (long long)out->itemsize);
    Py_CLEAR(out->kept);
    return -1;
}

/* The type and the bytes of an element, of which one may be left out. */
static int read_element_type(PyObject *dtype_given, PyObject *size_given, struct svpy_items *out)
{
    const bool sized = size_given != NULL && size_given != Py_None;
    int64_t itemsize = 0;

    if (sized && svpy_int64(size_given, &itemsize) < 0)
        return -1;
    if (read_dtype(dtype_given, itemsize, out) < 0)
        return -1;
    if (out->itemsize != 0 || sized)
        return 0;
    PyErr_SetString(PyExc_ValueError, "dtype or itemsize is needed");
    return -1;
}

/* bytes: strides are in bytes. */
static sv_layout *read_layout_in(PyObject *shape, PyObject *strides, bool bytes, int64_t itemsize)
{
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM];
    bool strided = strides != NULL && strides != Py_None;
    int32_t ndim = svpy_extents(shape, extents), count = ndim;
    sv_layout *layout = NULL;
    sv_status status;

    if (ndim < 0)
        return NULL;
    if (strided)
        count = svpy_extents(strides, steps);
    if (count < 0)
        return NULL;
    if (count != ndim) {
        PyErr_Format(PyExc_ValueError, "%d strides for %d extents", (int)count, (int)ndim);
        return NULL;
    }
    if (bytes)
        status = sv_layout_new_bytes(ndim, extents, strided ? steps : NULL, itemsize, &layout);
    else
        status = sv_layout_new(ndim, extents, strided ? steps : NULL, itemsize, &layout);
    return status == SV_OK ? layout : svpy_raise(status);
}

sv_layout *svpy_read_layout(PyObject *shape, PyObject *strides, int64_t itemsize)
{
    return read_layout_in(shape, strides, false, itemsize);
}

/* from_buffer(buffer, layout, dtype=None, is_readonly=False), the layout by place or by name. */
static PyObject *view_by_layout(struct svpy_state *state, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"from_buffer", 4, 2, {"buffer", "layout", "dtype", "is_readonly"}, 0};
    struct svpy_items items;
    PyObject *values[4];
    const sv_layout *layout;
    sv_view *view;
    int readonly;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (!svpy_is_layout(state, values[1])) {
        PyErr_Format(PyExc_TypeError, "layout must be a StridedLayout, not %.100s", Py_TYPE(values[1])->tp_name);
        return NULL;
    }
    layout = ((svpy_layout *)values[1])->handle;
    readonly = values[3] == NULL ? 0 : PyObject_IsTrue(values[3]);
    if (readonly < 0 || read_dtype(values[2], sv_layout_itemsize(layout), &items) < 0)
        return NULL;
    view = view_raw_memory(state, values[0], layout, items.dtype, 0, readonly ? SV_READ_ONLY : 0);
    return wrap_raw_view(state, view, values[0], items.kept);
}

/* Whether a layout is given in the place of a shape. */
static bool is_by_layout(const struct svpy_state *state, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (nargs > 1)
        return svpy_is_layout(state, args[1]);
    for (Py_ssize_t k = 0; kwnames != NULL && k < PyTuple_GET_SIZE(kwnames); k++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, k), "layout") == 0)
            return true;
    return false;
}

enum { BUFFER, SHAPE, STRIDES, BYTE_STRIDES, OFFSET, ITEMSIZE, DTYPE, READ_ONLY, VALUES };

/* By shape and strides, which are given in elements or in bytes. */
static sv_layout *read_given_layout(PyObject *const *values, int64_t itemsize)
{
    const bool bytes = svpy_is_given(values[BYTE_STRIDES]);

    if (!bytes || !svpy_is_given(values[STRIDES]))
        return read_layout_in(values[SHAPE], values[bytes ? BYTE_STRIDES : STRIDES], bytes, itemsize);
    PyErr_SetString(PyExc_TypeError, "strides= or strides_in_bytes=, not both");
    return NULL;
}

PyObject *svpy_view_of_buffer(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "from_buffer", 3, 2, {"buffer", "shape", "strides", "strides_in_bytes", "offset",
                               "itemsize", "dtype", "is_readonly"}, 0};
    struct svpy_state *state = svpy_state_of_type(type);
    struct svpy_items items;
    PyObject *values[VALUES];
    sv_layout *layout;
    sv_view *view;
    int64_t offset = 0;
    int readonly = 0;

    if (is_by_layout(state, args, nargs, kwnames))
        return view_by_layout(state, args, nargs, kwnames);
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[OFFSET] != NULL && svpy_int64(values[OFFSET], &offset) < 0)
        return NULL;
    if (svpy_flag(values[READ_ONLY], &readonly) < 0)
        return NULL;
    if (read_element_type(values[DTYPE], values[ITEMSIZE], &items) < 0)
        return NULL;
    layout = read_given_layout(values, items.itemsize);
    view = layout == NULL ? NULL
                          : view_raw_memory(state, values[BUFFER], layout, items.dtype, offset,
                                            readonly ? SV_READ_ONLY : 0);
    sv_layout_release(layout);
    return wrap_raw_view(state, view, values[BUFFER], items.kept);
}
