/*
 * What memory resources tell. Of a class that gives memory itself either kind or the names of cuda.core
 * (is_host_accessible and so on) are overridden; the rest is derived from those.
 */
#include "memory/resource_attributes.h"

#include "base/state.h"
#include "objects/place.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

/* Whether the type of an object has another attribute of this name than MemoryResource: 1, 0, or -1. */
static int is_overridden(PyObject *self, const char *name)
{
    PyObject *ours = PyObject_GetAttrString((PyObject *)SELF(self)->state->resource_type, name);
    PyObject *found = ours == NULL ? NULL : PyObject_GetAttrString((PyObject *)Py_TYPE(self), name);
    const int answer = found == NULL ? -1 : found != ours;

    Py_XDECREF(found);
    Py_XDECREF(ours);
    return answer;
}

static int ask_truth(PyObject *self, const char *name)
{
    PyObject *told = PyObject_GetAttrString(self, name);
    const int answer = told == NULL ? -1 : PyObject_IsTrue(told);

    Py_XDECREF(told);
    return answer;
}

/* Find the kind from the attributes that cuda.core has. */
static int kind_of_access(PyObject *self, sv_memory *out)
{
    const int host = ask_truth(self, "is_host_accessible");
    const int device = host < 0 ? -1 : ask_truth(self, "is_device_accessible");
    const int managed = device < 0 ? -1 : ask_truth(self, "is_managed");

    if (managed < 0)
        return -1;
    if (managed)
        *out = SV_MEMORY_MANAGED;
    else if (device)
        *out = host ? SV_MEMORY_PINNED : SV_MEMORY_DEVICE;
    else
        *out = host ? SV_MEMORY_HOST : SV_MEMORY_FOREIGN;
    return 0;
}

static PyObject *get_resource_kind(PyObject *self, void *Py_UNUSED(closure))
{
    sv_memory kind;

    if (SELF(self)->native != NULL)
        kind = sv_allocator_kind(SELF(self)->native);
    else if (kind_of_access(self, &kind) < 0)
        return NULL;
    return PyUnicode_FromString(sv_memory_name(kind));
}

/* kinds: a bit for each kind of memory that has the access. */
static PyObject *has_access(PyObject *self, unsigned int kinds, bool otherwise)
{
    sv_memory kind;
    int overridden;

    if (SELF(self)->native != NULL)
        return PyBool_FromLong(kinds >> sv_allocator_kind(SELF(self)->native) & 1);
    overridden = is_overridden(self, "kind");
    if (overridden < 0 || (overridden && svpy_resource_kind(self, &kind) < 0))
        return NULL;
    return PyBool_FromLong(overridden ? kinds >> kind & 1 : otherwise);
}

static PyObject *get_resource_is_host_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return has_access(self, 1u << SV_MEMORY_HOST | 1u << SV_MEMORY_PINNED | 1u << SV_MEMORY_MANAGED, true);
}

static PyObject *get_resource_is_device_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return has_access(self, 1u << SV_MEMORY_PINNED | 1u << SV_MEMORY_DEVICE | 1u << SV_MEMORY_MANAGED, false);
}

static PyObject *get_resource_is_managed(PyObject *self, void *Py_UNUSED(closure))
{
    return has_access(self, 1u << SV_MEMORY_MANAGED, false);
}

static PyObject *get_resource_device_id(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_allocator *native = SELF(self)->native;
    const sv_memory kind = native == NULL ? SV_MEMORY_HOST : sv_allocator_kind(native);

    return PyLong_FromLong(kind == SV_MEMORY_HOST || kind == SV_MEMORY_PINNED ? -1 : sv_allocator_device_id(native));
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_allocator *native = SELF(self)->native;

    return PyUnicode_FromString(native == NULL ? _PyType_Name(Py_TYPE(self)) : sv_allocator_name(native));
}

static PyObject *get_base(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(SELF(self)->base == NULL ? Py_None : (PyObject *)SELF(self)->base);
}

static PyObject *get_resource_c_handle(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_allocator *allocator = svpy_allocator_of(self);

    return allocator == NULL ? NULL : PyLong_FromVoidPtr((void *)allocator);
}

PyGetSetDef svpy_resource_getset[] = {
    {"kind", get_resource_kind, NULL,
     PyDoc_STR("What its memory is: 'host', 'pinned', 'device', 'managed' or 'foreign'."), NULL},
    {"device_id", get_resource_device_id, NULL, PyDoc_STR("Ordinal of the device; -1 for memory of the host."), NULL},
    {"is_host_accessible", get_resource_is_host_accessible, NULL,
     PyDoc_STR("Whether the host reads and writes it."), NULL},
    {"is_device_accessible", get_resource_is_device_accessible, NULL,
     PyDoc_STR("Whether kernels on CUDA devices read and write it."), NULL},
    {"is_managed", get_resource_is_managed, NULL,
     PyDoc_STR("Whether the driver moves it between host and devices."), NULL},
    {"name", get_name, NULL,
     PyDoc_STR("The name of the nearest tracked resource, else of the source: 'host', 'pool', ..., or of the class."),
     NULL},
    {"base", get_base, NULL, PyDoc_STR("The resource that this one was made of, or None."), NULL},
    {"c_handle", get_resource_c_handle, NULL,
     PyDoc_STR("Address of the sv_allocator, for callers of C; it lives as long as this object."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
