/* Which of its protocols an object is viewed by. */
#include "protocols/import.h"

#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/stream.h"
#include "objects/buffer_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/buffer.h"
#include "protocols/buffer_export.h"
#include "protocols/current.h"
#include "protocols/dlpack.h"
#include "protocols/exchange.h"
#include "protocols/interface.h"
#include "protocols/ndarray.h"
#include "protocols/sycl.h"
#include "protocols/type_cache.h"

/* --- ways ----------------------------------------------------------------- */

/* The exceptions of attempts that failed. */
struct failures {
    int count;
    bool type_errors; /* and nothing else */
    PyObject *first[3];
    PyObject *text;
};

static void drop_failures(struct failures *failed)
{
    for (int i = 0; i < 3; i++)
        Py_CLEAR(failed->first[i]);
    Py_CLEAR(failed->text);
}

/* Put the pending exception on record, unless it is one that no other way could mend. */
static void record_failure(struct failures *failed, const char *way)
{
    PyObject *error[3], *text;

    if (svpy_must_propagate())
        return;
    failed->type_errors = (failed->count == 0 || failed->type_errors) && PyErr_ExceptionMatches(PyExc_TypeError);
    PyErr_Fetch(&error[0], &error[1], &error[2]);
    PyErr_NormalizeException(&error[0], &error[1], &error[2]);
    text = failed->text == NULL ? PyUnicode_FromFormat("%s: %S", way, error[1])
                                : PyUnicode_FromFormat("%U; %s: %S", failed->text, way, error[1]);
    if (text == NULL)
        svpy_clear_exception(); /* an exception that cannot be told */
    else
        Py_XSETREF(failed->text, text);
    for (int i = 0; i < 3; i++) {
        if (failed->count == 0)
            failed->first[i] = error[i];
        else
            Py_XDECREF(error[i]);
    }
    failed->count++;
}

/* One failure is raised as it is; of several all are told. */
/* What NumPy would make an array of. */
static bool is_like_array(PyObject *object)
{
    return PySequence_Check(object) || PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object) ||
           PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__array__");
}

static void give_up(PyObject *object, struct failures *failed)
{
    PyObject *type, *value, *traceback;

    if (failed->count == 0) {
        PyErr_Format(svpy_protocol_error(),
                     "%.100s has no __dlpack__(), no array interface and no buffer, so its memory cannot be viewed%s",
                     Py_TYPE(object)->tp_name, is_like_array(object) ? "; try np.asarray(x)" : "");
        return;
    }
    if (failed->count == 1 || failed->text == NULL) {
        PyErr_Restore(failed->first[0], failed->first[1], failed->first[2]);
        failed->first[0] = failed->first[1] = failed->first[2] = NULL;
        drop_failures(failed);
        return;
    }
    PyErr_Format(failed->type_errors ? PyExc_TypeError : PyExc_BufferError, "%.100s cannot be viewed by %U",
                 Py_TYPE(object)->tp_name, failed->text);
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL)
        PyException_SetCause(value, Py_XNewRef(failed->first[1]));
    PyErr_Restore(type, value, traceback);
    drop_failures(failed);
}

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
    {"buffer", by_buffer},
};

enum { WAY_BUFFER = sizeof ways / sizeof *ways - 1 };

/* NULL without an exception means that the next way is tried. */
static sv_view *try_way(int i, struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                        const struct svpy_protocols *protocols, struct failures *failed)
{
    sv_view *view = ways[i].take(state, object, streams, protocols);

    if (view == NULL && PyErr_Occurred())
        record_failure(failed, ways[i].name);
    return view;
}

/* --- the choice ----------------------------------------------------------- */

/* Try every way, the best first. */
static sv_view *by_any(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                       const struct svpy_protocols *protocols)
{
    struct failures failed = {0};
    sv_view *view = protocols->buffer_first ? try_way(WAY_BUFFER, state, object, streams, protocols, &failed) : NULL;

    for (int i = 0; view == NULL && !PyErr_Occurred() && i < WAY_BUFFER + !protocols->buffer_first; i++)
        view = try_way(i, state, object, streams, protocols, &failed);
    if (view == NULL && !PyErr_Occurred())
        give_up(object, &failed);
    else if (failed.count > 0)
        drop_failures(&failed);
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
static sv_view *take_new(struct svpy_state *state, PyObject *object, int64_t given, int64_t *ready, way *by)
{
    struct svpy_streams streams = {given, SVPY_ABSENT};
    sv_view *view =
        PyCapsule_CheckExact(object) ? svpy_from_capsule(object) : take_numbers(state, object, &streams, by);

    if (view != NULL && streams.ready == SVPY_ABSENT &&
        svpy_stream_on(sv_view_device_type(view), streams.given, &streams.ready) < 0) {
        sv_view_release(view);
        return NULL;
    }
    *ready = streams.ready;
    return view;
}

sv_view *svpy_acquire(struct svpy_state *state, PyObject *object, int64_t stream, svpy_side *out)
{
    sv_view *view = take_known(state, object, false);

    *out = (svpy_side){view, SVPY_NOTHING, NULL, object};
    if (view != NULL || PyErr_Occurred())
        return view;
    if (svpy_is_buffer(state, object))
        return take_buffer(state, (svpy_buffer *)object, stream, out);
    if (!svpy_is_view(state, object)) {
        out->handle = take_new(state, object, stream, &out->stream, by_any);
        return (sv_view *)out->handle;
    }
    *out = svpy_side_of((svpy_view *)object);
    return order_again(state, out, stream) < 0 ? NULL : sv_view_retain((sv_view *)out->handle);
}

/* What is a view already stays the same object. */
static PyObject *import_object(struct svpy_state *state, PyObject *object, PyObject *stream, way *by)
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
    if (view == NULL && svpy_is_buffer(state, object)) {
        view = take_buffer(state, (svpy_buffer *)object, given, &side);
        ready = side.stream;
    } else if (view == NULL) {
        view = take_new(state, object, given, &ready, by);
    }
    return view == NULL ? NULL : svpy_view_wrap(state, view, object, ready);
}

PyObject *svpy_import(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    return import_object(state, object, stream, by_any);
}

PyObject *svpy_import_dlpack(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    return import_object(state, object, stream, by_table_or_dlpack);
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
    return need_interface(state, svpy_from_interface(state, object), object, "__array_interface__", SVPY_NOTHING);
}

PyObject *svpy_import_cuda_interface(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    struct svpy_streams streams = {SVPY_ABSENT, SVPY_NOTHING};
    sv_view *view =
        svpy_stream(stream, &streams.given) < 0 ? NULL : svpy_from_cuda_interface(state, object, &streams);

    return need_interface(state, view, object, "__cuda_array_interface__", streams.ready);
}
