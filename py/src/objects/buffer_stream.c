/* The stream that the last work on the memory of a Buffer was put on, and waiting for it. */
#include "objects/buffer_stream.h"

#include "base/errors.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/buffer_struct.h"

int svpy_buffer_await_work(const svpy_buffer *self)
{
    sv_status status;

    if (self->stream < 0)
        return 0;
    Py_BEGIN_ALLOW_THREADS
    status = sv_stream_synchronize(sv_buffer_device_type(self->handle), sv_buffer_device_id(self->handle),
                                   (uintptr_t)svpy_recall(self->stream));
    Py_END_ALLOW_THREADS
    if (status == SV_OK)
        return 0;
    svpy_raise_exchange(status);
    return -1;
}

int svpy_buffer_stream(const svpy_buffer *self, PyObject *given, uintptr_t *out)
{
    *out = sv_buffer_stream(self->handle);
    return given == NULL || given == Py_None ? 0
                                             : svpy_stream_for(sv_buffer_device_type(self->handle), given, out);
}

int svpy_buffer_order(const svpy_buffer *self, uintptr_t stream)
{
    const int32_t device_type = sv_buffer_device_type(self->handle), device_id = sv_buffer_device_id(self->handle);
    sv_status status;

    if (self->stream < 0)
        return 0;
    if (!svpy_has_streams(device_type))
        return svpy_buffer_await_work(self);
    status = sv_stream_wait(device_type, device_id, stream, device_type, device_id,
                            (uintptr_t)svpy_recall(self->stream));
    if (status == SV_OK)
        return 0;
    svpy_raise(status);
    return -1;
}

void svpy_buffer_follow(svpy_buffer *self, uintptr_t stream)
{
    if (svpy_has_streams(sv_buffer_device_type(self->handle)))
        self->stream = stream == 0 ? 1 : svpy_remember((int64_t)stream);
}
