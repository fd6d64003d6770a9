/* The object that a StridedMemoryView is: made, derived, collected as garbage and let go. */
#ifndef SVPY_VIEW_OBJECT_H
#define SVPY_VIEW_OBJECT_H

#include "objects/view_struct.h"

struct DLManagedTensorVersioned;

int svpy_view_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_view_clear(PyObject *self);
PyObject *svpy_view_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
void svpy_view_dealloc(PyObject *self);

/* Takes the handle, also when it fails; exporter may be NULL. */
PyObject *svpy_view_wrap(struct svpy_state *state, sv_view *handle, PyObject *exporter, int64_t stream);

/* A view that takes the tensor. On failure out is NULL, with a status, or with SV_OK and an exception set, and the
 * tensor stays the caller's. */
sv_status svpy_view_take(struct svpy_state *state, struct DLManagedTensorVersioned *tensor, PyObject **out);

/* A view that takes the handle, of the memory of self, with the exporter and stream of self, which outlives it. */
PyObject *svpy_view_alias(sv_view *handle, const svpy_view *self);

/* A view that takes the handle, of the memory of self, with the exporter, stream and kept dtype of self. */
PyObject *svpy_view_derive(sv_view *handle, const svpy_view *self);

/* Whether the host reads and writes the memory. */
static inline int svpy_is_host(const sv_view *view)
{
    const int32_t device_type = sv_view_device_type(view);

    return device_type == SV_DEVICE_CPU || (sv_device_traits(device_type) & SV_TRAIT_HOST) != 0;
}

/* Why the host cannot have the memory in place, and what to type instead. */
#define SVPY_UNREADABLE                                                                 \
    "the memory of the view cannot be read by the host: copy it there, with sv.copy(host, view) or "     \
    "view.copy_to(host), where host may be sv.empty_like(view, memory=\"host\")"

#endif
