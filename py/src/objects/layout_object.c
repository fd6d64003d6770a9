/* The object that a StridedLayout is: made and let go. layout.c has its methods. */
#include "objects/layout_object.h"

#include "base/state.h"
#include "objects/layout_struct.h"

#define HANDLE(object) (((svpy_layout *)(object))->handle)
#define STATE(object) (((svpy_layout *)(object))->state)

static void set_layout_fields(PyObject *object, struct svpy_state *state, sv_layout *handle)
{
    svpy_layout *self = (svpy_layout *)object;

    self->state = state;
    self->handle = handle;
    self->shape = self->strides = NULL;
    self->weakrefs = NULL;
}

PyObject *svpy_layout_wrap(struct svpy_state *state, sv_layout *handle)
{
    PyObject *self = svpy_pool_take(&state->layouts, state->layout_type);

    if (self == NULL)
        self = (PyObject *)PyObject_New(svpy_layout, state->layout_type);
    if (self == NULL) {
        sv_layout_release(handle);
        return NULL;
    }
    set_layout_fields(self, state, handle);
    return self;
}

/* type(...) of the type itself goes another way, by vectorcall; so does what a derived type is made of. */
PyObject *svpy_layout_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct svpy_state *state = svpy_state_of_derived(type, svpy_layout_dealloc);
    PyObject *made = PyObject_Call((PyObject *)state->layout_type, args, keywords);
    PyObject *self;

    if (made == NULL || type == state->layout_type)
        return made;
    self = type->tp_alloc(type, 0);
    if (self != NULL)
        set_layout_fields(self, state, sv_layout_retain(HANDLE(made)));
    Py_DECREF(made);
    return self;
}

void svpy_layout_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct svpy_state *state = STATE(self);

    if (((svpy_layout *)self)->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    sv_layout_release(HANDLE(self));
    Py_XDECREF(((svpy_layout *)self)->shape);
    Py_XDECREF(((svpy_layout *)self)->strides);
    if (type != state->layout_type || !svpy_pool_keep(&state->layouts, self))
        type->tp_free(self);
    Py_DECREF(type);
}
