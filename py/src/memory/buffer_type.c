/* Buffer: bytes of any kind of memory, with an owner. */
#include "memory/buffer_type.h"

#include <structmember.h>

#include "base/helper.h"
#include "base/notebook.h"
#include "base/state.h"
#include "memory/buffer_access.h"
#include "memory/buffer_attributes.h"
#include "memory/buffer_close.h"
#include "memory/buffer_copy.h"
#include "memory/buffer_create.h"
#include "memory/buffer_hint.h"
#include "memory/buffer_size.h"
#include "memory/buffer_view.h"
#include "objects/buffer_object.h"
#include "objects/buffer_struct.h"
#include "protocols/buffer_export.h"

#define SELF(object) ((svpy_buffer *)(object))

static PyObject *buffer_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(keywords))
{
    PyErr_Format(PyExc_TypeError, "%.100s is made by allocate() of a MemoryResource or by from_handle()",
                 _PyType_Name(type));
    return NULL;
}

static Py_ssize_t buffer_length(PyObject *self)
{
    return (Py_ssize_t)sv_buffer_nbytes(SELF(self)->handle);
}

static PyObject *buffer_subscript(PyObject *self, PyObject *key)
{
    Py_ssize_t start, stop, step, count;

    if (!PySlice_Check(key)) {
        PyErr_Format(PyExc_TypeError, "a Buffer has slices only, not %.100s: view() has items", Py_TYPE(key)->tp_name);
        return NULL;
    }
    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    if (step != 1) {
        PyErr_Format(PyExc_ValueError, "the step of a slice must be 1, not %zd", step);
        return NULL;
    }
    count = PySlice_AdjustIndices(buffer_length(self), &start, &stop, step);
    return svpy_buffer_slice(SELF(self), start, count, 0);
}

/* With the memory, where it is the interpreter's process that pays for it. */
static PyObject *buffer_sizeof(PyObject *object, PyObject *Py_UNUSED(unused))
{
    const svpy_buffer *self = SELF(object);
    const bool owned = self->parent == NULL && self->resource != NULL && sv_buffer_kind(self->handle) == SV_MEMORY_HOST;

    return PyLong_FromLongLong(Py_TYPE(object)->tp_basicsize + (owned ? sv_buffer_capacity(self->handle) : 0));
}

/* Pickling; strideview._buffer_pickle does the work. */
static PyObject *buffer_reduce(PyObject *self, PyObject *protocol)
{
    PyObject *function = svpy_helper("strideview._buffer_pickle", "reduce");
    PyObject *answer = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, self, protocol, NULL);

    Py_XDECREF(function);
    return answer;
}

static PyMethodDef buffer_methods[] = {
    {"__reduce_ex__", buffer_reduce, METH_O,
     PyDoc_STR("__reduce_ex__($self, protocol, /)\n--\n\n"
               "Pickled are class, kind, alignment and bytes, which from protocol 5 on can go out of band.")},
    {"__sizeof__", buffer_sizeof, METH_NOARGS,
     PyDoc_STR("__sizeof__($self, /)\n--\n\nBytes of the object, with ordinary memory of the host that it owns.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef buffer_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(svpy_buffer, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyDoc_STRVAR(buffer_doc,
             "Buffer(*args, **keywords)\n--\n\n"
             "Bytes of any kind of memory, with an owner.\n\n"
             "Made by allocate() of a MemoryResource, or from_handle(). The memory is freed by close(), at the end\n"
             "of a with block, or with the last reference to the Buffer and all that was made of it: slices, views,\n"
             "arrays of other libraries. While one of those exists the memory stays where it is.\n"
             "len() is its size in bytes; b[i:j] is a part of it as a Buffer. np.asarray(b) and memoryview(b) see\n"
             "bytes of memory that the host reads. Two Buffers are equal when they are the same object.\n"
             "Arguments stream are as for strideview.copy(); None is the stream of the last\n"
             "work on the memory, or the default stream.");

static PyType_Slot buffer_slots[] = {
    {Py_tp_doc, (void *)buffer_doc},
    {Py_tp_new, buffer_new},
    {Py_tp_dealloc, svpy_buffer_dealloc},
    {Py_tp_traverse, svpy_buffer_traverse},
    {Py_tp_clear, svpy_buffer_clear},
    {Py_tp_finalize, svpy_buffer_finalize},
    {Py_tp_repr, svpy_buffer_repr},
    {Py_tp_methods, svpy_buffer_making},
    {Py_tp_getset, svpy_buffer_getset},
    {Py_tp_members, buffer_members},
    {Py_mp_length, buffer_length},
    {Py_mp_subscript, buffer_subscript},
    {Py_bf_getbuffer, svpy_buffer_getbuffer},
    {Py_bf_releasebuffer, svpy_buffer_releasebuffer},
    {0, NULL},
};

static PyType_Spec buffer_spec = {
    .name = "strideview.Buffer",
    .basicsize = sizeof(svpy_buffer),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = buffer_slots,
};

int svpy_buffer_init(struct svpy_state *state, PyObject *module)
{
    static PyMethodDef *const shared[] = {svpy_buffer_viewing, svpy_buffer_exporting, svpy_buffer_copying,
                                          svpy_buffer_working, svpy_buffer_ending,    svpy_buffer_sizing,
                                          svpy_buffer_hinting, svpy_showing,          buffer_methods};
    PyObject *made = PyType_FromModuleAndSpec(module, &buffer_spec, NULL);

    state->buffer_type = (PyTypeObject *)made;
    if (made == NULL)
        return -1;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (svpy_add_methods(state->buffer_type, shared[i]) < 0)
            return -1;
    return PyModule_AddObjectRef(module, "Buffer", made);
}
