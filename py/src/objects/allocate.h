/* Fresh memory as a view, of the host or where memory= and device= say. */
#ifndef SVPY_ALLOCATE_H
#define SVPY_ALLOCATE_H

#include "base/options.h"
#include "base/python.h"

struct svpy_state;

/* Fresh host memory, aligned to 64 bytes, of a layout without gaps. */
sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype);

/* Where an array is to be made, as bits of a signature. */
#define SVPY_PLACING \
    (SVPY_BIT(MEMORY) | SVPY_BIT(DEVICE) | SVPY_BIT(ALIGNMENT) | SVPY_BIT(STREAM) | SVPY_BIT(HUGE_PAGES))

/* A view of fresh memory where options say. zeros: its bytes are zero. kept: the dtype of opaque items, or NULL. */
PyObject *svpy_new_array(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, PyObject *kept, bool zeros,
                         PyObject *const *options);

/* The method of the module that says whether arrays without options are made here. */
PyObject *svpy_set_array_resource(PyObject *module, PyObject *resource);

/* The same without Python. SV_ERROR_MEMORY comes without a message. */
sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, bool zeros, sv_view **out);

#endif
