/* Which of its protocols an object is viewed by. */
#include "protocols/import.h"

#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/stream.h"
#include "objects/buffer_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/array.h"
#include "protocols/arrow.h"
#include "protocols/buffer.h"
#include "protocols/buffer_export.h"
#include "protocols/current.h"
#include "protocols/dlpack.h"
#include "protocols/exchange.h"
#include "protocols/failures.h"
#include "protocols/interface.h"
#include "protocols/ndarray.h"
#include "protocols/sycl.h"
#include "protocols/type_cache.h"

/* --- ways ----------------------------------------------------------------- */

/* A way in. It gives a view, or NULL: with an exception, or without one where the object does not offer this way. */
typedef sv_view *way(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                     const struct svpy_protocols *protocols);

static sv_view *by_table(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                         const struct svpy_protocols *protocols)
{
    return protocols->table == NULL ? NULL : svpy_from_table(state, object, streams, protocols->table);
}

static sv_view *by_dlpack(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                          const struct svpy_protocols *protocols)
{
    if (!protocols->dlpack && svpy_has_attribute(object, state->names.dlpack) <= 0)
        return NULL;
    return svpy_from_producer(state, object, streams, protocols);
}

static sv_view *by_buffer(struct svpy_state *Py_UNUSED(state), PyObject *object,
                          struct svpy_streams *Py_UNUSED(streams), const struct svpy_protocols *protocols)
{
    return protocols->buffer ? svpy_from_buffer(object) : NULL;
}

static sv_view *by_arrow(struct svpy_state *Py_UNUSED(state), PyObject *object,
                         struct svpy_streams *Py_UNUSED(streams), const struct svpy_protocols *protocols)
{
    return protocols->arrow ? svpy_from_arrow(object) : NULL;
}

static sv_view *by_cuda_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                                  const struct svpy_protocols *Py_UNUSED(protocols))
{
    return svpy_from_cuda_interface(state, object, streams);
}

static sv_view *by_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *Py_UNUSED(streams),
                             const struct svpy_protocols *Py_UNUSED(protocols))
{
    return svpy_from_interface(state, object);
}

/* Memory of the host's too is viewed as such, whatever DLPack calls its device. */
static sv_view *by_shared_sycl(struct svpy_state *state, PyObject *object, struct svpy_streams *Py_UNUSED(streams),
                               const struct svpy_protocols *protocols)
{
    return protocols->sycl ? svpy_from_sycl(state, object, true) : NULL;
}

/* Who tells of no stream has nothing left to wait for: dpctl waits before it answers. */
static sv_view *by_device_sycl(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                               const struct svpy_protocols *protocols)
{
    sv_view *view = protocols->sycl ? svpy_from_sycl(state, object, false) : NULL;

    if (view != NULL)
        streams->ready = SVPY_NOTHING;
    return view;
}

static const struct {
    const char *name;
    way *take;
} ways[] = {
    {"exchange table", by_table},
    {"__sycl_usm_array_interface__", by_shared_sycl},
    {"__dlpack__", by_dlpack},
    {"__cuda_array_interface__", by_cuda_interface},
    {"__sycl_usm_array_interface__", by_device_sycl},
    {"__array_interface__", by_interface},
    {"__arrow_c_array__", by_arrow}, /* a picture is a list of pixels to Arrow */
    {"buffer", by_buffer},
};

enum { WAY_BUFFER = sizeof ways / sizeof *ways - 1 };

/* NULL without an exception means that the next way is tried. */
static sv_view *try_way(int i, struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                        const struct svpy_protocols *protocols, struct svpy_failures *failed)
{
    sv_view *view = ways[i].take(state, object, streams, protocols);

    if (view == NULL && ways[i].take == by_arrow && PyErr_Occurred()) /* its text says most, and it is all */
        svpy_drop_failures(failed);
    else if (view == NULL && PyErr_Occurred())
        svpy_record_failure(failed, ways[i].name);
    return view;
}

/* --- the choice ----------------------------------------------------------- */

static sv_view *take_numbers(struct svpy_state *state, PyObject *object, struct svpy_streams *streams, way *by);

/* Whether a buffer is only one axis of bytes, and the object does not say that this is its shape. Where a richer protocol
 * gave a reason not to view the object, that is told instead. 1, 0, or -1 with an exception. */
static int is_poorer(PyObject *object, const sv_view *view)
{
    const sv_layout *layout = sv_view_layout(view);
    PyObject *told, *shape;
    int same;

    if (sv_layout_ndim(layout) != 1 || sv_layout_itemsize(layout) != 1)
        return 0;
    told = svpy_try_attribute_text(object, "shape");
    shape = told == NULL ? NULL : Py_BuildValue("(L)", (long long)sv_layout_size(layout));
    same = shape == NULL ? 0 : PyObject_RichCompareBool(told, shape, Py_EQ);
    Py_XDECREF(shape);
    Py_XDECREF(told);
    if (same >= 0 && !PyErr_Occurred())
        return !same;
    return svpy_clear_exception() < 0 ? -1 : 1;
}

/* The array that __array__() gives is viewed in place of the object. NULL without an exception where there is none. */
static sv_view *by_array(struct svpy_state *state, PyObject *object, struct svpy_streams *streams);

/* Try every way, the best first. */
static sv_view *by_any(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                       const struct svpy_protocols *protocols)
{
    struct svpy_failures failed = {0};
    sv_view *view = protocols->buffer_first ? try_way(WAY_BUFFER, state, object, streams, protocols, &failed) : NULL;

    for (int i = 0; view == NULL && !PyErr_Occurred() && i < WAY_BUFFER + !protocols->buffer_first; i++) {
        view = try_way(i, state, object, streams, protocols, &failed);
        if (view != NULL && i == WAY_BUFFER && failed.count > 0 && is_poorer(object, view) != 0) {
            sv_view_release(view);
            view = NULL;
        }
    }
    if (view == NULL && !PyErr_Occurred() && failed.count == 0)
        view = by_array(state, object, streams);
    if (view == NULL && !PyErr_Occurred())
        svpy_give_up(object, &failed);
    else if (failed.count > 0)
        svpy_drop_failures(&failed);
    return view;
}

static sv_view *by_array(struct svpy_state *state, PyObject *object, struct svpy_streams *streams)
{
    PyObject *array = svpy_array_of(object, streams->may_copy);
    sv_view *view = array == NULL ? NULL : take_numbers(state, array, streams, by_any);

    if (view == NULL)
        Py_XDECREF(array);
    else
        streams->array = array;
    return view;
}

/* DLPack alone, without a call of Python where there is a table. */
static sv_view *by_table_or_dlpack(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                                   const struct svpy_protocols *protocols)
{
    sv_view *view = by_table(state, object, streams, protocols);

    return view != NULL || PyErr_Occurred() ? view : svpy_from_producer(state, object, streams, protocols);
}

static sv_view *take_numbers(struct svpy_state *state, PyObject *object, struct svpy_streams *streams, way *by)
{
    struct svpy_protocols protocols;
    const bool failed = svpy_protocols_of(state, Py_TYPE(object), &protocols) < 0;
    sv_view *view = failed ? NULL : by(state, object, streams, &protocols);
    const char *reason = NULL;

    if (view == NULL || (svpy_refusal_of_values(state, object, view, &protocols, &reason) == 0 && reason == NULL))
        return view;
    if (reason != NULL)
        PyErr_Format(PyExc_BufferError, reason, Py_TYPE(object)->tp_name);
    sv_view_release(view);
    return NULL;
}

static sv_view *take_ndarray(PyObject *object, bool exchangeable)
{
    sv_view *view = svpy_from_ndarray(object);

    if (view == NULL || !exchangeable || sv_view_borrow(view) != NULL)
        return view;
    sv_view_release(view); /* __dlpack__() will say what is wrong */
    return NULL;
}

/* A tensor, where nothing speaks against it. */
static sv_view *take_lent(struct svpy_state *state, PyObject *object, const struct svpy_protocols *known)
{
    const struct svpy_protocols protocols = *known; /* which another import may change */
    sv_view *view = svpy_from_lent(object, protocols.table);
    const char *reason;

    if (view == NULL || (svpy_refusal_of_values(state, object, view, &protocols, &reason) == 0 && reason == NULL))
        return view;
    sv_view_release(view); /* take_numbers() will say why */
    return NULL;
}

/* What was met before, on the host, without more ado; NULL, mostly without an exception, for everything else. */
static sv_view *take_known(struct svpy_state *state, PyObject *object, bool exchangeable)
{
    const struct svpy_protocols *known = svpy_type_cache_place(state, Py_TYPE(object));

    if (!svpy_is_cached(known, Py_TYPE(object)))
        return NULL;
    if (known->ndarray)
        return take_ndarray(object, exchangeable);
    return known->lent ? take_lent(state, object, known) : NULL;
}

/* Who has memory already may want to work on another stream than those on which it is ready. 0 or -1. */
static int order_again(struct svpy_state *state, const svpy_side *side, int64_t given)
{
    int64_t wanted;

    if (given == SVPY_ABSENT)
        return 0;
    if (svpy_stream_on(sv_view_device_type(side->handle), given, &wanted) < 0)
        return -1;
    return svpy_wait_for_side(state, side->handle, wanted, side, false);
}

/* The bytes of a Buffer. */
static sv_view *take_buffer(struct svpy_state *state, svpy_buffer *buffer, int64_t given, svpy_side *out)
{
    sv_view *view = svpy_buffer_handle(buffer, NULL, SV_UINT8, 0, 0);

    *out = (svpy_side){view, buffer->stream, svpy_buffer_root(buffer)->work, (PyObject *)buffer};
    if (view == NULL || order_again(state, out, given) == 0)
        return view;
    sv_view_release(view);
    return NULL;
}

/* A handle of an object that is neither known nor a view, and the stream that its memory is ready on. */
static sv_view *take_new(struct svpy_state *state, PyObject *object, struct svpy_streams *streams, way *by)
{
    sv_view *view =
        PyCapsule_CheckExact(object) ? svpy_from_capsule(object) : take_numbers(state, object, streams, by);

    if (view != NULL && streams->ready == SVPY_ABSENT &&
        svpy_stream_on(sv_view_device_type(view), streams->given, &streams->ready) < 0) {
        sv_view_release(view);
        Py_CLEAR(streams->array);
        return NULL;
    }
    return view;
}

static sv_view *acquire_new(struct svpy_state *state, PyObject *object, int64_t given, int64_t *ready, bool may_copy)
{
    struct svpy_streams streams = {given, SVPY_ABSENT, may_copy, NULL};
    sv_view *view = take_new(state, object, &streams, by_any);

    *ready = streams.ready;
    Py_XDECREF(streams.array); /* which the handle keeps */
    return view;
}

sv_view *svpy_acquire(struct svpy_state *state, PyObject *object, int64_t stream, svpy_side *out, bool may_copy)
{
    sv_view *view = take_known(state, object, false);

    *out = (svpy_side){view, SVPY_NOTHING, NULL, object};
    if (view != NULL || PyErr_Occurred())
        return view;
    if (svpy_is_buffer(state, object))
        return take_buffer(state, (svpy_buffer *)object, stream, out);
    if (!svpy_is_view(state, object)) {
        out->handle = acquire_new(state, object, stream, &out->stream, may_copy);
        return (sv_view *)out->handle;
    }
    *out = svpy_side_of((svpy_view *)object);
    return order_again(state, out, stream) < 0 ? NULL : sv_view_retain((sv_view *)out->handle);
}

static PyObject *import_new(struct svpy_state *state, PyObject *object, int64_t given, way *by, bool may_copy)
{
    struct svpy_streams streams = {given, SVPY_ABSENT, may_copy, NULL};
    sv_view *view = take_new(state, object, &streams, by);
    PyObject *made =
        view == NULL ? NULL : svpy_view_wrap(state, view, streams.array == NULL ? object : streams.array, streams.ready);

    Py_XDECREF(streams.array);
    return made;
}

/* What is a view already stays the same object. */
static PyObject *import_object(struct svpy_state *state, PyObject *object, PyObject *stream, way *by, bool may_copy)
{
    int64_t given = SVPY_ABSENT, ready = SVPY_NOTHING;
    svpy_side side;
    sv_view *view;

    if (stream != NULL && svpy_stream(stream, &given) < 0)
        return NULL;
    view = take_known(state, object, by != by_any);
    if (view == NULL && PyErr_Occurred())
        return NULL;
    if (view == NULL && svpy_is_view(state, object)) {
        side = svpy_side_of((svpy_view *)object);
        return order_again(state, &side, given) < 0 ? NULL : Py_NewRef(object);
    }
    if (view == NULL && !svpy_is_buffer(state, object))
        return import_new(state, object, given, by, may_copy);
    if (view == NULL) {
        view = take_buffer(state, (svpy_buffer *)object, given, &side);
        ready = side.stream;
    }
    return view == NULL ? NULL : svpy_view_wrap(state, view, object, ready);
}

PyObject *svpy_import(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    return import_object(state, object, stream, by_any, false);
}

PyObject *svpy_import_source(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    return import_object(state, object, stream, by_any, true);
}

/* What is no stream for sure; streams of other libraries pass at no cost. */
static bool may_be_shape_or_dtype(PyObject *second)
{
    static const char dtypes[] = "numpy.dtype";

    return second != NULL &&
           (PyTuple_Check(second) || PyList_Check(second) || PyUnicode_Check(second) || PyType_Check(second) ||
            strncmp(Py_TYPE(second)->tp_name, dtypes, sizeof dtypes - 1) == 0);
}

int svpy_check_second(PyObject *second)
{
    PyObject *function, *text;

    if (!may_be_shape_or_dtype(second))
        return 0;
    function = svpy_helper("strideview._advice", "of_view");
    text = function == NULL ? NULL : PyObject_CallOneArg(function, second);
    if (text != NULL && text != Py_None)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
    Py_XDECREF(function);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *svpy_import_dlpack(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    return import_object(state, object, stream, by_table_or_dlpack, false);
}

/* NULL without an exception where the attribute is missing. */
static PyObject *need_interface(struct svpy_state *state, sv_view *view, PyObject *object, const char *name,
                                int64_t ready)
{
    if (view == NULL && !PyErr_Occurred())
        PyErr_Format(svpy_protocol_error(), "%.100s has no %s", Py_TYPE(object)->tp_name, name);
    return view == NULL ? NULL : svpy_view_wrap(state, view, object, ready);
}

PyObject *svpy_import_interface(struct svpy_state *state, PyObject *object)
{
    struct svpy_streams streams = {SVPY_ABSENT, SVPY_NOTHING, false, NULL};
    sv_view *view = take_numbers(state, object, &streams, by_interface);

    return need_interface(state, view, object, "__array_interface__", SVPY_NOTHING);
}

PyObject *svpy_import_cuda_interface(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    struct svpy_streams streams = {SVPY_ABSENT, SVPY_NOTHING, false, NULL};
    sv_view *view =
        svpy_stream(stream, &streams.given) < 0 ? NULL : svpy_from_cuda_interface(state, object, &streams);

    return need_interface(state, view, object, "__cuda_array_interface__", streams.ready);
}
