/*
 * The object that a StridedMemoryView is: made, derived, collected as garbage and let go. view.c has its methods. What
 * every way to a view needs is here, below all of them.
 */
#include "objects/view_object.h"

#include "base/state.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/lending.h"
#include "objects/view_struct.h"

static svpy_view *new_view(struct svpy_state *state)
{
    svpy_view *self = (svpy_view *)svpy_pool_take(&state->views, state->view_type);

    return self != NULL ? self : PyObject_GC_New(svpy_view, state->view_type);
}

/* What views of memory of ours on a device share: what the view is made from has (shared), the Buffer, or a new one. NULL
 * for all other memory. */
static svpy_work *work_of(const sv_view *view, svpy_work *shared)
{
    svpy_buffer *lender;

    if (shared != NULL)
        return svpy_work_retain(shared);
    if (svpy_is_host(view) || !svpy_has_streams(sv_view_device_type(view)))
        return NULL;
    lender = sv_view_context(view, svpy_end_lending);
    if (lender == NULL)
        return sv_view_buffer(view) == NULL ? NULL : svpy_work_new();
    lender = (svpy_buffer *)svpy_buffer_root(lender);
    if (lender->work == NULL)
        lender->work = svpy_work_new();
    return svpy_work_retain(lender->work);
}

static PyObject *set_fields(svpy_view *self, struct svpy_state *state, sv_view *handle, PyObject *exporter,
                            int64_t stream, svpy_work *shared)
{
    self->state = state;
    self->handle = handle;
    self->exporter = Py_XNewRef(exporter);
    self->work = work_of(handle, shared);
    self->stream = stream == 2 && (sv_device_traits(sv_view_device_type(handle)) & SV_TRAIT_CUDA) != 0
                       ? svpy_remember(stream)
                       : stream;
    self->next = self->previous = self;
    self->first = true;
    self->owns = false;
    self->readonly = sv_view_is_readonly(handle) ? Py_True : Py_False;
    self->kept = self->shape = self->strides = self->layout = self->dtype = self->text = NULL;
    self->weakrefs = NULL;
    if (exporter != NULL && PyType_IS_GC(Py_TYPE(exporter)) && /* else no cycle can be found through it */
        !PyObject_GC_IsTracked((PyObject *)self))
        PyObject_GC_Track(self);
    return (PyObject *)self;
}

static PyObject *wrap_shared(struct svpy_state *state, sv_view *handle, PyObject *exporter, int64_t stream,
                             svpy_work *shared)
{
    svpy_view *self = new_view(state);

    if (self != NULL)
        return set_fields(self, state, handle, exporter, stream, shared);
    sv_view_release(handle);
    return NULL;
}

PyObject *svpy_view_wrap(struct svpy_state *state, sv_view *handle, PyObject *exporter, int64_t stream)
{
    return wrap_shared(state, handle, exporter, stream, NULL);
}

PyObject *svpy_view_alias(sv_view *handle, const svpy_view *self)
{
    return wrap_shared(self->state, handle, self->exporter, self->stream, self->work);
}

sv_status svpy_view_take(struct svpy_state *state, struct DLManagedTensorVersioned *tensor, PyObject **out)
{
    svpy_view *self = new_view(state); /* first, since there is no way to give a tensor back */
    sv_view *handle = NULL;
    sv_status status;

    *out = NULL;
    if (self == NULL)
        return SV_OK;
    status = sv_view_from_dlpack(tensor, 0, &handle);
    set_fields(self, state, handle, NULL, SVPY_NOTHING, NULL);
    if (status == SV_OK)
        *out = (PyObject *)self;
    else
        Py_DECREF(self);
    return status;
}

/* --- the garbage collector ------------------------------------------------- */

static void join_ring(svpy_view *view, svpy_view *other)
{
    view->first = false;
    view->next = other->next;
    view->previous = other;
    other->next->previous = view;
    other->next = view;
}

static void leave_ring(svpy_view *view)
{
    view->next->first |= view->first;
    view->next->previous = view->previous;
    view->previous->next = view->next;
}

/* Whether nobody but the views of a ring has references to their memory. */
static bool have_all(const svpy_view *first)
{
    const svpy_view *view = first;
    int64_t count = 0;

    do {
        count++;
        view = view->next;
    } while (view != first);
    do {
        if (sv_view_references(view->handle) != count)
            return false;
        view = view->next;
    } while (view != first);
    return true;
}

/*
 * Whether a buffer can be given back to an exporter that the collector has
 * cleared. Not to a memoryview: what it needs for that is gone by then, and
 * CPython reads NULL. So with any type that both takes buffers back and can be
 * cleared, but for Buffer, which keeps its memory while it is lent; a class
 * derived from one that cannot, as bytearray, loses its attributes only.
 */
static bool outlives_clear(const svpy_view *view)
{
    const PyTypeObject *type = Py_TYPE(view->exporter);
    const PyBufferProcs *procs = type->tp_as_buffer;
    const releasebufferproc release = procs == NULL ? NULL : procs->bf_releasebuffer;

    if (release == NULL || release == view->state->buffer_type->tp_as_buffer->bf_releasebuffer)
        return true;
    while (type->tp_base != NULL && type->tp_base->tp_as_buffer != NULL &&
           type->tp_base->tp_as_buffer->bf_releasebuffer == release)
        type = type->tp_base;
    return type->tp_clear == NULL;
}

/*
 * Each view of a ring has a reference to the exporter, and their common memory
 * mostly has one more. Where only the views keep the memory, the first of them
 * visits that reference too; else no cycle through it could be collected. Only
 * the exporter is visited twice: the others visit it as well, so it stays
 * reachable when the first view alone is garbage.
 */
int svpy_view_traverse(PyObject *self, visitproc visit, void *arg)
{
    const svpy_view *view = (svpy_view *)self;

    Py_VISIT(Py_TYPE(self));
    Py_VISIT(view->exporter);
    if (view->first && view->exporter != NULL && svpy_held_by(view->handle) == view->exporter && have_all(view) &&
        outlives_clear(view))
        Py_VISIT(view->exporter);
    return 0;
}

int svpy_view_clear(PyObject *self)
{
    PyObject *exporter = ((svpy_view *)self)->exporter;

    ((svpy_view *)self)->exporter = NULL;
    svpy_drop(exporter);
    return 0;
}

/* --- from the first to the last reference ------------------------------------ */

PyObject *svpy_view_derive(sv_view *handle, const svpy_view *self)
{
    PyObject *made = svpy_view_alias(handle, self);

    if (made != NULL)
        ((svpy_view *)made)->kept = Py_XNewRef(self->kept);
    if (made != NULL && self->exporter != NULL && PyType_IS_GC(Py_TYPE(self->exporter)))
        join_ring((svpy_view *)made, (svpy_view *)self);
    return made;
}

/* type(...) of the type itself goes another way, by vectorcall; so does what a derived type is made of. */
PyObject *svpy_view_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct svpy_state *state = svpy_state_of_derived(type, svpy_view_dealloc);
    PyObject *made = PyObject_Call((PyObject *)state->view_type, args, keywords);
    const svpy_view *from = (svpy_view *)made;
    PyObject *self;

    if (made == NULL || type == state->view_type)
        return made;
    self = type->tp_alloc(type, 0);
    if (self != NULL) {
        set_fields((svpy_view *)self, state, sv_view_retain(from->handle), from->exporter, from->stream, from->work);
        ((svpy_view *)self)->kept = Py_XNewRef(from->kept);
        join_ring((svpy_view *)self, (svpy_view *)made);
    }
    Py_DECREF(made);
    return self;
}

/* The code of an owner must not see an exception that is on its way. */
static void release_view_quietly(sv_view *handle)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    sv_view_release(handle);
    PyErr_Restore(type, value, traceback);
}

static void forget_answers(svpy_view *view)
{
    Py_XDECREF(view->kept);
    Py_XDECREF(view->shape);
    Py_XDECREF(view->strides);
    Py_XDECREF(view->layout);
    Py_XDECREF(view->dtype);
    Py_XDECREF(view->text);
}

void svpy_view_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    svpy_view *view = (svpy_view *)self;
    struct svpy_state *state = view->state;

    PyObject_GC_UnTrack(self);
    if (view->next != view)
        leave_ring(view);
    if (view->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    if (PyErr_Occurred())
        release_view_quietly(view->handle);
    else
        sv_view_release(view->handle);
    svpy_work_release(view->work);
    svpy_drop(view->exporter);
    forget_answers(view);
    if (type != state->view_type || !svpy_pool_keep(&state->views, self))
        type->tp_free(self);
    Py_DECREF(type);
}
