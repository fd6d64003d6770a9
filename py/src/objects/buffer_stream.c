/* The stream that the last work on the memory of a Buffer was put on, and waiting for it. */
#include "objects/buffer_stream.h"

#include "base/errors.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/buffer_struct.h"

/* The Buffer's own last work, and what calls without a stream did by views of it. */
static int list_work(const svpy_buffer *self, int64_t streams[2])
{
    const svpy_work *work = svpy_buffer_root(self)->work;
    int count = 0;

    if (self->stream >= 0)
        streams[count++] = svpy_recall(self->stream);
    if (work != NULL && work->stream >= 0 && (count == 0 || work->stream != streams[0]))
        streams[count++] = work->stream;
    return count;
}

int svpy_buffer_await_work(const svpy_buffer *self)
{
    const int32_t device_type = sv_buffer_device_type(self->handle), device_id = sv_buffer_device_id(self->handle);
    sv_status status = SV_OK;
    int64_t streams[2];
    const int count = list_work(self, streams);

    for (int k = 0; k < count && status == SV_OK; k++) {
        Py_BEGIN_ALLOW_THREADS
        status = sv_stream_synchronize(device_type, device_id, (uintptr_t)streams[k]);
        Py_END_ALLOW_THREADS
    }
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
    sv_status status = SV_OK;
    int64_t streams[2];
    int count;

    if (!svpy_has_streams(device_type))
        return svpy_buffer_await_work(self);
    count = list_work(self, streams);
    for (int k = 0; k < count && status == SV_OK; k++)
        status = svpy_order_after(device_type, device_id, (int64_t)stream, device_type, device_id, streams[k]);
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
