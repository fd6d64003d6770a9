/*
 * The memory of a Buffer lent to views and Py_buffers, which neither moves nor ends meanwhile; and which object the memory
 * of a view holds, by lending or by a plain reference.
 */
#include "objects/lending.h"

#include "base/errors.h"
#include "execution/release.h"
#include "objects/buffer_struct.h"

int svpy_buffer_check_still(const svpy_buffer *self)
{
    if (!self->changes)
        return 0;
    PyErr_SetString(PyExc_BufferError, "the buffer is being moved by another thread");
    return -1;
}

int svpy_buffer_begin_lending(svpy_buffer *self)
{
    sv_status status;

    if (svpy_buffer_check_still(self) < 0)
        return -1;
    status = sv_buffer_begin_export(self->handle);
    if (status != SV_OK) {
        svpy_raise(status);
        return -1;
    }
    self->lent++;
    return 0;
}

static void end_lending(void *ctx)
{
    svpy_buffer_end_lending(ctx);
    Py_DECREF((PyObject *)ctx);
}

void svpy_end_lending(void *ctx)
{
    PyGILState_STATE state;

    if (!Py_IsInitialized())
        return;
    state = PyGILState_Ensure();
    svpy_end_in_turn(end_lending, ctx);
    PyGILState_Release(state);
}

const sv_buffer *svpy_buffer_below(const sv_view *view)
{
    const svpy_buffer *lender = sv_view_context(view, svpy_end_lending);

    return lender != NULL ? lender->handle : sv_view_buffer(view);
}

PyObject *svpy_held_by(const sv_view *view)
{
    PyObject *object = sv_view_context(view, svpy_end_object);
    const Py_buffer *buffer;

    if (object == NULL)
        object = sv_view_context(view, svpy_end_lending);
    buffer = object != NULL ? NULL : sv_view_context(view, svpy_end_buffer);
    return buffer != NULL ? buffer->obj : object;
}
