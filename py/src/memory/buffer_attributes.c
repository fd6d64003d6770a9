/* The attributes of Buffer. A closed Buffer has no memory: its address and sizes are 0. */
#include "memory/buffer_attributes.h"

#include "objects/buffer_object.h"
#include "objects/buffer_struct.h"
#include "protocols/buffer_export.h"

#define SELF(object) ((svpy_buffer *)(object))
#define HANDLE(object) (SELF(object)->handle)
#define ROOT(object) svpy_buffer_root(SELF(object))

static bool is_closed(const svpy_buffer *self)
{
    return self->handle == NULL || sv_buffer_is_closed(self->handle);
}

static PyObject *get_buffer_handle(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong((uintptr_t)sv_buffer_data(HANDLE(self)));
}

static PyObject *get_buffer_size(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_buffer_nbytes(HANDLE(self)));
}

static PyObject *get_capacity(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_buffer_capacity(HANDLE(self)));
}

static PyObject *get_alignment(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_buffer_alignment(HANDLE(self)));
}

/* Where libsv knows a resource that no Python object had a part in, such as that of migrated memory, one is made. */
static PyObject *get_memory_resource(PyObject *object, void *Py_UNUSED(closure))
{
    const svpy_buffer *root = ROOT(object);

    if (root->resource == NULL || is_closed(SELF(object)))
        Py_RETURN_NONE;
    return Py_NewRef(root->resource);
}

static PyObject *get_owner(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *owner = is_closed(SELF(self)) ? NULL : svpy_buffer_owner(SELF(self));

    return Py_NewRef(owner == NULL ? Py_None : owner);
}

static PyObject *get_parent(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(SELF(self)->parent == NULL ? Py_None : (PyObject *)SELF(self)->parent);
}

static PyObject *get_buffer_kind(PyObject *self, void *Py_UNUSED(closure))
{
    const char *name = sv_memory_name(sv_buffer_kind(HANDLE(self)));

    return name == NULL ? Py_NewRef(Py_None) : PyUnicode_FromString(name);
}

static int32_t device_id_of(const svpy_buffer *self)
{
    const sv_memory kind = sv_buffer_kind(self->handle);

    if (kind == SV_MEMORY_UNKNOWN || kind == SV_MEMORY_HOST ||
        (kind == SV_MEMORY_PINNED && svpy_buffer_root(self)->resource != NULL))
        return -1;
    return sv_buffer_device_id(self->handle);
}

static PyObject *get_buffer_device_id(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(device_id_of(SELF(self)));
}

static PyObject *has_trait(PyObject *self, uint32_t trait)
{
    return PyBool_FromLong((sv_buffer_traits(HANDLE(self)) & trait) != 0);
}

static PyObject *get_buffer_is_host_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return has_trait(self, SV_TRAIT_HOST);
}

static PyObject *get_buffer_is_device_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return has_trait(self, SV_TRAIT_CUDA);
}

static PyObject *get_buffer_is_managed(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sv_buffer_kind(HANDLE(self)) == SV_MEMORY_MANAGED);
}

static PyObject *get_readonly(PyObject *self, void *Py_UNUSED(closure))
{
    return has_trait(self, SV_TRAIT_READ_ONLY);
}

static PyObject *get_is_closed(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(is_closed(SELF(self)));
}

static PyObject *get_exports(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_buffer_exports(HANDLE(self)));
}

static PyObject *get_buffer_stream(PyObject *self, void *Py_UNUSED(closure))
{
    const uintptr_t stream = sv_buffer_stream(HANDLE(self));

    return stream == 0 ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(stream);
}

static PyObject *get_buffer_c_handle(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(HANDLE(self));
}

PyObject *svpy_buffer_repr(PyObject *self)
{
    const char *name = _PyType_Name(Py_TYPE(self));
    const sv_buffer *handle = HANDLE(self);
    char place[64];

    if (is_closed(SELF(self)))
        return PyUnicode_FromFormat("<%s, closed>", name);
    if (device_id_of(SELF(self)) < 0)
        PyOS_snprintf(place, sizeof place, "%s memory", sv_memory_name(sv_buffer_kind(handle)));
    else
        PyOS_snprintf(place, sizeof place, "%s memory of device %d", sv_memory_name(sv_buffer_kind(handle)),
                      (int)device_id_of(SELF(self)));
    return PyUnicode_FromFormat("<%s of %lld bytes at %p, %s%s>", name, (long long)sv_buffer_nbytes(handle),
                                sv_buffer_data(handle), place,
                                sv_buffer_traits(handle) & SV_TRAIT_READ_ONLY ? ", readonly" : "");
}

PyGetSetDef svpy_buffer_getset[] = {
    {"handle", get_buffer_handle, NULL,
     PyDoc_STR("Address of the memory, as an int, where its device uses it; 0 of an empty or closed Buffer."), NULL},
    {"size", get_buffer_size, NULL, PyDoc_STR("Bytes."), NULL},
    {"nbytes", get_buffer_size, NULL, PyDoc_STR("The same as size."), NULL},
    {"capacity", get_capacity, NULL, PyDoc_STR("Bytes to which resize() can grow it where it is."), NULL},
    {"alignment", get_alignment, NULL, PyDoc_STR("The largest power of two that is known to divide the address."),
     NULL},
    {"memory_resource", get_memory_resource, NULL,
     PyDoc_STR("The MemoryResource that frees the memory; None where there is none, and when closed."), NULL},
    {"owner", get_owner, NULL, PyDoc_STR("The object given to from_handle(owner=), or None."), NULL},
    {"parent", get_parent, NULL, PyDoc_STR("Of a slice: the Buffer that it is a part of, no slice itself; or None."),
     NULL},
    {"kind", get_buffer_kind, NULL, PyDoc_STR("'host', 'pinned', 'device', 'managed' or 'foreign'."), NULL},
    {"device_id", get_buffer_device_id, NULL, PyDoc_STR("Ordinal of the device; -1 for memory of the host."), NULL},
    {"is_host_accessible", get_buffer_is_host_accessible, NULL,
     PyDoc_STR("Whether the host reads and writes it."), NULL},
    {"is_device_accessible", get_buffer_is_device_accessible, NULL,
     PyDoc_STR("Whether kernels on CUDA devices read and write it."), NULL},
    {"is_managed", get_buffer_is_managed, NULL,
     PyDoc_STR("Whether the driver moves it between host and devices."), NULL},
    {"readonly", get_readonly, NULL, PyDoc_STR("Whether writing to it is refused."), NULL},
    {"is_closed", get_is_closed, NULL, PyDoc_STR("Whether close() or detach() took the memory away."), NULL},
    {"exports", get_exports, NULL,
     PyDoc_STR("How many views, slices and lent buffers point into the memory, which cannot move meanwhile."), NULL},
    {"stream", get_buffer_stream, NULL,
     PyDoc_STR("The stream that the memory is freed in, as an int; None for the default one, and on the host.\n"
               "1 where that is another thread's default stream."), NULL},
    {"c_handle", get_buffer_c_handle, NULL,
     PyDoc_STR("Address of the sv_buffer, for callers of C; it lives as long as this object."), NULL},
    {"__cuda_array_interface__", svpy_buffer_cuda_interface, NULL,
     PyDoc_STR("The CUDA array interface, version 3, of memory that CUDA devices read: bytes on one axis."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
