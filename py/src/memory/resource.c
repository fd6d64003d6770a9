/* MemoryResource: where memory comes from, a sv_allocator or a class that Python code derives. */
#include "memory/resource.h"

#include <structmember.h>

#include "base/arguments.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/stream.h"
#include "memory/buffer_create.h"
#include "memory/resource_attributes.h"
#include "memory/resource_create.h"
#include "memory/resource_stats.h"
#include "memory/resource_wrapper.h"
#include "objects/place.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

static PyObject *resource_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(keywords))
{
    struct svpy_state *state = svpy_state_of_derived(type, svpy_resource_dealloc);

    if (type != state->resource_type)
        return svpy_resource_wrap(state, type, NULL, NULL);
    PyErr_SetString(PyExc_TypeError, "MemoryResource alone has no memory: take MemoryResource.host(), pinned(), "
                    "device(), managed() or pool(), or derive a class that overrides allocate() and deallocate()");
    return NULL;
}

static PyObject *resource_allocate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"allocate", 2, 1, {"size"}, SVPY_ALLOCATING};
    struct svpy_state *state = SELF(self)->state;
    PyObject *size, *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &size, options) < 0)
        return NULL;
    return svpy_buffer_allocate(state, state->buffer_type, self, SELF(self)->native, size, options);
}

static PyObject *resource_deallocate(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "deallocate", 3, 2, {"ptr", "size"}, SVPY_BIT(STREAM) | SVPY_BIT(ALIGNMENT)};
    const sv_allocator *native = SELF(object)->native;
    PyObject *values[2], *options[SVPY_OPTIONS];
    uintptr_t address = 0, stream;
    int64_t size, alignment = 0;
    svpy_call call;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (native == NULL) {
        PyErr_Format(PyExc_NotImplementedError, "%.100s does not override deallocate()", Py_TYPE(object)->tp_name);
        return NULL;
    }
    if (svpy_address(values[0], &address) < 0)
        return NULL;
    if (svpy_size(values[1], "size", &size) < 0)
        return NULL;
    if (options[SVPY_ALIGNMENT] != NULL && svpy_size(options[SVPY_ALIGNMENT], "alignment", &alignment) < 0)
        return NULL;
    if (svpy_stream_for(sv_allocator_device_type(native), options[SVPY_STREAM], &stream) < 0)
        return NULL;
    call = svpy_call_begin(SVPY_CLOSING | (sv_allocator_kind(native) == SV_MEMORY_HOST ? 0 : SVPY_UNLOCK));
    if (svpy_call_end(call, sv_allocator_free(native, (void *)address, size, alignment, stream)) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* --- the type ------------------------------------------------------------------------ */

static PyMethodDef resource_methods[] = {
    {"allocate", SVPY_NAMED(resource_allocate),
     PyDoc_STR("allocate($self, /, size, stream=None, *, alignment=0, zero=False)\n--\n\n"
               "A Buffer of size bytes, which are not initialised unless zero is true.\n\n"
               "size is an int >= 0; an empty Buffer has no memory. alignment is 0, for the usual one of this kind\n"
               "of memory (64 bytes on the host, 4096 pinned, 256 on devices), or a power of two. stream: where\n"
               "the memory is stream-ordered it may be used from there on in that stream, and is freed in it,\n"
               "unless set_deallocation_stream() names another. MemoryError where there is no memory left.\n"
               "A derived class may override it, to return a Buffer of from_handle(ptr, size, mr=self), or an\n"
               "address as an int; stream is then None or an int, given by name.")},
    {"deallocate", SVPY_NAMED(resource_deallocate),
     PyDoc_STR("deallocate($self, /, ptr, size, stream=None, *, alignment=0)\n--\n\n"
               "Free memory that came from this resource and belongs to no Buffer.\n\n"
               "size and alignment are those that it was allocated with. Buffers free their memory themselves;\n"
               "a derived class that overrides allocate() overrides this too, which they call.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef resource_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(svpy_resource, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyDoc_STRVAR(resource_doc,
             "MemoryResource(*args, **keywords)\n--\n\n"
             "Where memory comes from.\n\n"
             "host(), pinned(), device(), managed() and pool() make one. These make one of another, whatever it is:\n"
             "tracked() counts, limited() refuses, cached() keeps, logged() tells, retrying() makes room and tries\n"
             "again. A derived class may give memory itself, by allocate() and\n"
             "deallocate(); what they raise reaches who wanted memory, whoever called them. What its memory is, is\n"
             "said by kind, or as in cuda.core by is_host_accessible, is_device_accessible, is_managed and\n"
             "device_id. Any thread may use a resource; Buffers keep the one that they came from.");

/* The least of its limits and of those that it wraps; -1: none. */
static int64_t find_limit(const svpy_resource *self)
{
    int64_t least = -1;

    for (; self != NULL; self = self->base)
        if (self->is_limited && (least < 0 || self->limit < least))
            least = self->limit;
    return least;
}

static PyObject *resource_repr(PyObject *self)
{
    PyObject *kind = PyObject_GetAttrString(self, "kind"), *name = NULL, *text = NULL;
    const int64_t limit = find_limit(SELF(self));
    char limited[64] = "";

    if (kind != NULL)
        name = PyObject_GetAttrString(self, "name");
    if (limit >= 0)
        PyOS_snprintf(limited, sizeof limited, ", limited to %lld bytes", (long long)limit);
    if (name != NULL)
        text = PyUnicode_FromFormat("<%s %R of kind %R%s>", _PyType_Name(Py_TYPE(self)), name, kind, limited);
    Py_XDECREF(name);
    Py_XDECREF(kind);
    return text;
}

static PyType_Slot resource_slots[] = {
    {Py_tp_doc, (void *)resource_doc},
    {Py_tp_new, resource_new},
    {Py_tp_dealloc, svpy_resource_dealloc},
    {Py_tp_traverse, svpy_resource_traverse},
    {Py_tp_clear, svpy_resource_clear},
    {Py_tp_repr, resource_repr},
    {Py_tp_methods, svpy_resource_making},
    {Py_tp_getset, svpy_resource_getset},
    {Py_tp_members, resource_members},
    {0, NULL},
};

static PyType_Spec resource_spec = {
    .name = "strideview.MemoryResource",
    .basicsize = sizeof(svpy_resource),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = resource_slots,
};

int svpy_resource_init(struct svpy_state *state, PyObject *module)
{
    static PyMethodDef *const tables[] = {resource_methods, svpy_wrapping, svpy_counting};
    PyObject *made = PyType_FromModuleAndSpec(module, &resource_spec, NULL);

    state->resource_type = (PyTypeObject *)made;
    if (made == NULL)
        return -1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (svpy_add_methods(state->resource_type, tables[i]) < 0)
            return -1;
    return PyModule_AddObjectRef(module, "MemoryResource", made);
}
