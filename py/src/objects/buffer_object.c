/*
 * The object that a Buffer is: made, cut into slices, lent, collected as
 * garbage and let go. buffer_type.c has its type.
 */
#include "objects/buffer_object.h"

#include "base/errors.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"
#include "objects/deallocate.h"
#include "objects/lending.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_buffer *)(object))

/* --- making one ------------------------------------------------------------------- */

static PyObject *new_buffer(struct svpy_state *state, PyTypeObject *type)
{
    PyObject *self;

    if (type != state->buffer_type)
        return type->tp_alloc(type, 0);
    self = svpy_pool_take(&state->buffers, type);
    return self != NULL ? self : (PyObject *)PyObject_GC_New(svpy_buffer, type);
}

static svpy_buffer *make_buffer(struct svpy_state *state, PyTypeObject *type, sv_buffer *handle)
{
    svpy_buffer *self = SELF(new_buffer(state, type));

    if (self == NULL) {
        sv_buffer_release(handle);
        return NULL;
    }
    self->state = state;
    self->handle = handle;
    self->resource = NULL;
    self->parent = NULL;
    self->next = self->previous = self;
    self->lent = 0;
    self->stream = SVPY_NOTHING;
    self->work = NULL;
    self->changes = false;
    self->weakrefs = NULL;
    if (!PyObject_GC_IsTracked((PyObject *)self))
        PyObject_GC_Track((PyObject *)self);
    return self;
}

PyObject *svpy_buffer_wrap(struct svpy_state *state, PyTypeObject *type, sv_buffer *handle, PyObject *resource)
{
    svpy_buffer *self = make_buffer(state, type, handle);

    if (self == NULL)
        return NULL;
    self->resource = Py_XNewRef(resource);
    if ((sv_buffer_traits(handle) & SV_TRAIT_ORDERED) != 0) /* the memory is there for others after its stream */
        svpy_buffer_follow(self, sv_buffer_stream(handle));
    return (PyObject *)self;
}

static void join_slices(svpy_buffer *self, svpy_buffer *root)
{
    self->next = root->next;
    self->previous = root;
    root->next->previous = self;
    root->next = self;
}

static void leave_slices(svpy_buffer *self)
{
    self->next->previous = self->previous;
    self->previous->next = self->next;
    self->next = self->previous = self;
}

PyObject *svpy_buffer_slice(svpy_buffer *self, int64_t offset, int64_t nbytes, uint32_t flags)
{
    svpy_buffer *root = self->parent != NULL ? self->parent : self, *made;
    sv_buffer *handle = NULL;
    sv_status status;

    if (svpy_buffer_check_still(self) < 0)
        return NULL;
    status = sv_buffer_slice(self->handle, offset, nbytes, flags, &handle);
    if (status != SV_OK)
        return svpy_raise(status);
    made = make_buffer(self->state, self->state->buffer_type, handle);
    if (made == NULL)
        return NULL;
    made->parent = SELF(Py_NewRef((PyObject *)root));
    made->stream = self->stream;
    join_slices(made, root);
    return (PyObject *)made;
}

PyObject *svpy_buffer_share(svpy_buffer *self, PyTypeObject *type)
{
    svpy_buffer *made = make_buffer(self->state, type, svpy_buffer_hold(self));

    if (made == NULL)
        return NULL;
    made->resource = Py_XNewRef(self->resource);
    made->parent = SELF(Py_XNewRef((PyObject *)self->parent));
    made->stream = self->stream;
    made->work = svpy_work_retain(self->work);
    if (self->parent != NULL)
        join_slices(made, self->parent);
    return (PyObject *)made;
}

/* --- what others hold of it ---------------------------------------------------------- */

sv_status svpy_free_owner(void *ctx, void *Py_UNUSED(pointer), int64_t Py_UNUSED(nbytes),
                          int64_t Py_UNUSED(alignment), uintptr_t Py_UNUSED(stream))
{
    svpy_end_object(ctx);
    return SV_OK;
}

PyObject *svpy_buffer_owner(const svpy_buffer *self)
{
    return sv_buffer_context(svpy_buffer_root(self)->handle, svpy_free_owner);
}

/* --- the garbage collector -------------------------------------------------------------- */

/* Whether its memory is held by nothing but Python objects that have references to this one. */
static bool has_all(const svpy_buffer *self)
{
    int64_t expected = 1 + self->lent;

    for (const svpy_buffer *slice = self->next; slice != self; slice = slice->next) {
        if (slice->handle == NULL)
            continue;
        if (sv_buffer_references(slice->handle) != 1 + slice->lent)
            return false;
        expected++;
    }
    return sv_buffer_references(self->handle) == expected;
}

/* The Python object that libsv frees the memory by, or NULL. */
static PyObject *held_by(const svpy_buffer *self)
{
    PyObject *owner = sv_buffer_context(self->handle, svpy_free_owner);

    return owner != NULL ? owner : sv_buffer_context(self->handle, svpy_free_by_resource);
}

/* The resources that the block has references to, one after the other: the next one from at on, or NULL. */
struct keepers {
    const svpy_resource *at;
    bool by_source;
};

static struct keepers first_of(const svpy_buffer *self)
{
    const sv_allocator *allocator = sv_buffer_allocator(self->handle);
    const svpy_resource *at = (svpy_resource *)self->resource;

    if (at == NULL || allocator == NULL || sv_buffer_capacity(self->handle) == 0 ||
        (at->source != allocator && at->native != allocator))
        return (struct keepers){NULL, false};
    return (struct keepers){at, at->source == allocator};
}

static const svpy_resource *next_of(struct keepers *keepers)
{
    while (keepers->at != NULL) {
        const svpy_resource *at = keepers->at;
        const bool keeps = keepers->by_source || at->keeps;

        *keepers = (struct keepers){keepers->by_source ? NULL : at->base, at->by_source};
        if (keeps)
            return at;
    }
    return NULL;
}

bool svpy_buffer_holds(const svpy_buffer *self)
{
    struct keepers keepers;

    if (self->parent != NULL)
        return svpy_buffer_holds(self->parent);
    if (self->handle == NULL || sv_buffer_is_closed(self->handle))
        return false;
    if (held_by(self) != NULL)
        return true;
    keepers = first_of(self);
    return next_of(&keepers) != NULL;
}

/* Visit the references that a live block has. */
static int visit_resources(const svpy_buffer *self, visitproc visit, void *arg)
{
    struct keepers keepers = first_of(self);

    for (const svpy_resource *at = next_of(&keepers); at != NULL; at = next_of(&keepers))
        Py_VISIT((PyObject *)at);
    return 0;
}

int svpy_buffer_traverse(PyObject *object, visitproc visit, void *arg)
{
    const svpy_buffer *self = SELF(object);
    PyObject *held;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->resource);
    Py_VISIT(self->parent);
    if (self->parent != NULL || self->handle == NULL || sv_buffer_is_closed(self->handle) || !has_all(self))
        return 0;
    held = held_by(self);
    if (held == NULL)
        return visit_resources(self, visit, arg);
    Py_VISIT(held);
    return 0;
}

/* Release the handle of a slice and its reference to the parent. */
static void end_slice(svpy_buffer *self)
{
    sv_buffer *handle = self->handle;

    leave_slices(self);
    self->handle = NULL;
    sv_buffer_release(handle);
}

/*
 * The collector calls this before it clears any of the objects that are garbage
 * together, so that a resource still can free and an owner is still whole.
 * Slices may come before or after what they were cut from.
 */
void svpy_buffer_finalize(PyObject *object)
{
    svpy_buffer *self = SELF(object), *root = self->parent != NULL ? self->parent : self;
    PyObject *type, *value, *traceback;

    if (self->handle == NULL || self->lent > 0 || !svpy_buffer_holds(self))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    if (self->parent != NULL)
        end_slice(self);
    if ((root == self || PyObject_GC_IsFinalized((PyObject *)root)) && root->next == root && root->lent == 0 &&
        has_all(root))
        sv_buffer_close(root->handle, sv_buffer_stream(root->handle));
    PyErr_Restore(type, value, traceback);
}

int svpy_buffer_clear(PyObject *object)
{
    svpy_buffer_finalize(object);
    Py_CLEAR(SELF(object)->resource);
    return 0;
}

/* --- its end ---------------------------------------------------------------------------------- */

int svpy_buffer_shut(svpy_buffer *self, uintptr_t stream)
{
    svpy_call call;

    if (self->lent > 0) {
        PyErr_Format(PyExc_BufferError, "the memory is in use: %lld views and buffers of it exist",
                     (long long)self->lent);
        return -1;
    }
    if (self->parent != NULL) {
        if (self->handle != NULL)
            end_slice(self);
        return 0;
    }
    call = svpy_call_begin(SVPY_CLOSING);
    if (svpy_call_end(call, sv_buffer_close(self->handle, stream)) < 0)
        return -1;
    Py_CLEAR(self->resource);
    return 0;
}

/* The code of a resource or an owner must not see an exception that is on its way. */
static void release_buffer_quietly(sv_buffer *handle)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    sv_buffer_release(handle);
    PyErr_Restore(type, value, traceback);
}

void svpy_buffer_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    svpy_buffer *self = SELF(object);
    struct svpy_state *state = self->state;

    PyObject_GC_UnTrack(object);
    if (self->next != self)
        leave_slices(self);
    if (self->weakrefs != NULL)
        PyObject_ClearWeakRefs(object);
    if (PyErr_Occurred())
        release_buffer_quietly(self->handle);
    else
        sv_buffer_release(self->handle);
    svpy_work_release(self->work);
    svpy_drop(self->resource);
    svpy_drop((PyObject *)self->parent);
    if (type != state->buffer_type || PyObject_GC_IsFinalized(object) || !svpy_pool_keep(&state->buffers, object))
        type->tp_free(object);
    Py_DECREF(type);
}
