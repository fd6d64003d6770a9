/* The object that a MemoryResource is: made, collected as garbage and let go; and its allocator. */
#include "objects/resource_object.h"

#include "base/helper.h"
#include "base/state.h"
#include "execution/release.h"
#include "objects/python_allocator.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

/* --- from the first to the last reference --------------------------------------- */

PyObject *svpy_resource_wrap(struct svpy_state *state, PyTypeObject *type, sv_allocator *handle, PyObject *base)
{
    PyObject *self = type->tp_alloc(type, 0); /* zeros */

    if (self == NULL) {
        sv_allocator_release(handle);
        return NULL;
    }
    SELF(self)->state = state;
    SELF(self)->native = handle;
    SELF(self)->base = SELF(Py_XNewRef(base));
    SELF(self)->by_source = base != NULL && SELF(base)->source == svpy_allocator_of(base);
    return self;
}

void svpy_resource_dealloc(PyObject *object)
{
    svpy_resource *self = SELF(object);
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    if (self->weakrefs != NULL)
        PyObject_ClearWeakRefs(object);
    if (self->source_cell != NULL)
        self->source_cell->resource = NULL;
    if (self->cell != NULL)
        self->cell->resource = NULL;
    sv_allocator_release(self->source);
    sv_allocator_release(self->native);
    Py_XDECREF(self->callable);
    Py_XDECREF(self->blocks);
    svpy_drop((PyObject *)self->base);
    type->tp_free(object);
    Py_DECREF(type);
}

int svpy_resource_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(SELF(self)->base);
    Py_VISIT(SELF(self)->callable);
    Py_VISIT(SELF(self)->blocks);
    return 0;
}

/* base stays: the allocator calls it. A cycle goes through the function or through a class of Python. */
int svpy_resource_clear(PyObject *self)
{
    Py_CLEAR(SELF(self)->callable);
    return 0;
}

/* --- as an allocator --------------------------------------------------------------- */

const sv_allocator *svpy_allocator_of(PyObject *resource)
{
    if (svpy_is_source(SELF(resource)))
        return svpy_source_of(SELF(resource));
    if (SELF(resource)->native != NULL)
        return SELF(resource)->native;
    PyErr_Format(PyExc_TypeError, "%.100s has no memory: it must override allocate() and deallocate()",
                 Py_TYPE(resource)->tp_name);
    return NULL;
}

PyObject *svpy_resource_given(const struct svpy_state *state, PyObject *object, const char *name)
{
    PyObject *function, *found;

    if (svpy_is_resource(state, object))
        return Py_NewRef(object);
    function = svpy_helper("strideview._foreign", "adapt");
    found = function == NULL ? NULL : PyObject_CallFunction(function, "Os", object, name);
    Py_XDECREF(function);
    return found;
}
