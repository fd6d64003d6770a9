/*
 * Views as Arrow arrays: of one axis, without gaps, of numbers that Arrow has. The array keeps the memory; nothing is
 * copied. Who takes it sees later changes, which Arrow does not expect.
 */
#include "protocols/arrow_export.h"

#include <stdlib.h>

#include "base/attribute.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/signature.h"
#include "execution/stream.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/arrow_abi.h"
#include "protocols/arrow_formats.h"

/* Of dates and times, which are opaque items that keep a dtype of NumPy's. "" for others. */
static const char *format_of_times(const svpy_view *view)
{
    PyObject *kept = svpy_kept_dtype(view);
    PyObject *text = kept == NULL ? NULL : svpy_try_attribute_text(kept, "str");
    const char *found = "";

    for (size_t i = 0; i < SVPY_ARROW_TIMES; i++)
        if (text != NULL && PyUnicode_Check(text) &&
            PyUnicode_CompareWithASCIIString(text, svpy_arrow_times[i].dtype) == 0)
            found = svpy_arrow_times[i].format;
    Py_XDECREF(text);
    Py_XDECREF(kept);
    return found;
}

/* "" for what Arrow has no number for. */
static const char *format_of(const svpy_view *view)
{
    const sv_dtype dtype = sv_view_dtype(view->handle);

    for (size_t i = 0; i < SVPY_ARROW_NUMBERS; i++)
        if (svpy_arrow_numbers[i].dtype == dtype)
            return svpy_arrow_numbers[i].format;
    return dtype == SV_OPAQUE ? format_of_times(view) : "";
}

/* NumPy's "not a time" is a number of its own, Arrow's a null, which only an array with another buffer can have. */
static bool has_no_time(const svpy_view *view)
{
    const char *at = sv_view_data(view->handle);
    const int64_t count = sv_layout_size(sv_view_layout(view->handle));
    int64_t time;

    for (int64_t i = 0; i < count; i++) {
        memcpy(&time, at + i * (int64_t)sizeof time, sizeof time);
        if (time == INT64_MIN)
            return true;
    }
    return false;
}

/* --- the two structures and their capsules -------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL; /* all of it is constant */
}

/* What an array holds. */
struct held {
    const void *buffers[2];
    sv_view *view;
};

static void release_array(struct ArrowArray *array)
{
    struct held *held = array->private_data;

    sv_view_release(held->view);
    free(held);
    array->release = NULL;
}

static void end_schema_capsule(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, ARROW_SCHEMA);

    if (schema->release != NULL)
        schema->release(schema);
    free(schema);
}

static void end_array_capsule(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, ARROW_ARRAY);
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback); /* the owner's code must not see an exception that is on its way */
    if (array->release != NULL)
        array->release(array);
    free(array);
    PyErr_Restore(type, value, traceback);
}

static PyObject *schema_capsule(const char *format)
{
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    PyObject *capsule;

    if (schema == NULL)
        return svpy_no_memory((int64_t)sizeof *schema);
    schema->format = format;
    schema->name = "";
    schema->release = release_schema;
    capsule = PyCapsule_New(schema, ARROW_SCHEMA, end_schema_capsule);
    if (capsule == NULL)
        free(schema);
    return capsule;
}

static PyObject *array_capsule(const svpy_view *view)
{
    struct ArrowArray *array = calloc(1, sizeof *array);
    struct held *held = array == NULL ? NULL : calloc(1, sizeof *held);
    PyObject *capsule;

    if (held == NULL) {
        free(array);
        return svpy_no_memory((int64_t)(sizeof *array + sizeof *held));
    }
    held->view = sv_view_retain(view->handle);
    held->buffers[1] = sv_view_data(view->handle);
    array->length = sv_layout_size(sv_view_layout(view->handle));
    array->n_buffers = 2;
    array->buffers = held->buffers;
    array->private_data = held;
    array->release = release_array;
    capsule = PyCapsule_New(array, ARROW_ARRAY, end_array_capsule);
    if (capsule == NULL) {
        release_array(array);
        free(array);
    }
    return capsule;
}

/* --- the method ------------------------------------------------------------------------------ */

/* Whether Arrow can have it: 0, or -1 with an exception that says what to type. */
static int check_exportable(const svpy_view *view, const char *format)
{
    const sv_layout *layout = sv_view_layout(view->handle);
    PyObject *name;

    if (!svpy_is_host(view->handle)) {
        PyErr_SetString(PyExc_BufferError, SVPY_UNREADABLE);
        return -1;
    }
    if (format[0] == '\0') {
        name = svpy_dtype_name(sv_view_dtype(view->handle));
        if (name != NULL)
            PyErr_Format(PyExc_BufferError, "Arrow has no array of %U that a view could be: pass np.asarray(view)", name);
        Py_XDECREF(name);
        return -1;
    }
    if (sv_layout_ndim(layout) != 1) {
        PyErr_Format(PyExc_BufferError, "an Arrow array has one axis, the view %d: pass view.flatten(), or view[:, i]",
                     (int)sv_layout_ndim(layout));
        return -1;
    }
    if (!sv_layout_is_contiguous(layout, SV_ORDER_C)) {
        PyErr_SetString(PyExc_BufferError, "the view is not contiguous, as an Arrow array is: pass view.contiguous()");
        return -1;
    }
    if (svpy_await_work(view->handle, view->stream) < 0)
        return -1;
    if (format[0] != 't' || !has_no_time(view))
        return 0;
    PyErr_SetString(PyExc_BufferError, "the view holds NaT, which is a null in Arrow: pass np.asarray(view)");
    return -1;
}

PyObject *svpy_arrow_array(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"__arrow_c_array__", 1, 0, {"requested_schema"}, 0};
    const svpy_view *view = (svpy_view *)self;
    PyObject *wish, *schema, *array;
    const char *format;

    if (svpy_arguments(&signature, args, nargs, kwnames, &wish) < 0)
        return NULL;
    format = format_of(view);
    if (PyErr_Occurred() || check_exportable(view, format) < 0)
        return NULL;
    schema = schema_capsule(format);
    array = schema == NULL ? NULL : array_capsule(view);
    if (array == NULL) {
        Py_XDECREF(schema);
        return NULL;
    }
    return Py_BuildValue("(NN)", schema, array);
}
