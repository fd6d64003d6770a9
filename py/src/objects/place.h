/* Where memory is and how much of it: arguments, and what resources say of themselves. 0, or -1 with an exception. */
#ifndef SVPY_PLACE_H
#define SVPY_PLACE_H

#include "base/python.h"

/* A number of bytes, 0 or more; a bool is refused. */
int svpy_size(PyObject *object, const char *name, int64_t *out);

/* The kind of memory that a text names. */
int svpy_memory_kind(PyObject *text, sv_memory *out);

/* The number of a device or of what a text names, such as "cuda:1"; -1 for "cpu". */
int svpy_device_number(PyObject *object, int64_t *out);

/* The number of a CUDA device; 0 for NULL. */
int svpy_ordinal(PyObject *object, int32_t *out);
int32_t svpy_device_type_of(sv_memory kind);

/* The kind of a resource's memory; and its device, as libsv numbers it. */
int svpy_resource_kind(PyObject *self, sv_memory *out);
int svpy_resource_place(PyObject *self, sv_memory *kind, int32_t *device_type, int32_t *device_id);

#endif
