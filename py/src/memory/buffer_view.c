/* Buffer.view(): the memory as an array. */
#include "memory/buffer_view.h"

#include "base/arguments.h"
#include "base/dtype.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/buffer_struct.h"
#include "objects/layout_struct.h"
#include "objects/place.h"
#include "objects/view_object.h"
#include "protocols/buffer_export.h"
#include "protocols/from_buffer.h"

#define SELF(object) ((svpy_buffer *)(object))

/* Read shape= and strides=. *out is NULL for all items; the caller releases *made. 0, or -1 with an exception. */
static int read_layout(const struct svpy_state *state, PyObject *shape, PyObject *strides, int64_t itemsize,
                       sv_layout **made, const sv_layout **out)
{
    *made = NULL;
    *out = NULL;
    if (shape == NULL || shape == Py_None) {
        if (strides == NULL || strides == Py_None)
            return 0;
        PyErr_SetString(PyExc_ValueError, "strides are those of a shape, which is missing");
        return -1;
    }
    if (svpy_is_layout(state, shape)) {
        *out = ((svpy_layout *)shape)->handle;
        return 0;
    }
    *made = svpy_read_layout(shape, strides, itemsize);
    *out = *made;
    return *made == NULL ? -1 : 0;
}

static PyObject *buffer_view(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "view", 3, 0, {"dtype", "shape", "strides", "offset"}, SVPY_BIT(READONLY)};
    svpy_buffer *self = SELF(object);
    PyObject *values[4], *options[SVPY_OPTIONS];
    const sv_layout *layout;
    sv_layout *made;
    sv_view *view;
    sv_dtype dtype = SV_UINT8;
    int64_t offset = 0;
    int readonly = 0;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (svpy_is_given(values[0]) && svpy_dtype(values[0], &dtype) < 0)
        return NULL;
    if (values[3] != NULL && svpy_size(values[3], "offset", &offset) < 0)
        return NULL;
    if (svpy_flag(options[SVPY_READONLY], &readonly) < 0)
        return NULL;
    if (read_layout(self->state, values[1], values[2], sv_dtype_itemsize(dtype), &made, &layout) < 0)
        return NULL;
    view = svpy_buffer_handle(self, layout, dtype, offset, readonly ? SV_READ_ONLY : 0);
    sv_layout_release(made);
    return view == NULL ? NULL : svpy_view_wrap(self->state, view, object, self->stream);
}

PyMethodDef svpy_buffer_viewing[] = {
    {"view", SVPY_NAMED(buffer_view),
     PyDoc_STR("view($self, /, dtype=None, shape=None, strides=None, *, offset=0, readonly=False)\n--\n\n"
               "A StridedMemoryView of the memory, from byte offset on, which keeps it in place.\n\n"
               "dtype None is 'uint8'. shape None is one axis of all items, whose bytes must be all there are\n"
               "(ValueError); else an int, ints or a StridedLayout. strides count elements; None: C order. Every\n"
               "element must lie in the memory.")},
    {NULL, NULL, 0, NULL},
};
