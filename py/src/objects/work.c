#include "objects/work.h"

#include "execution/stream.h"

enum { LEGACY = 1, THREAD = 2 };

svpy_work *svpy_work_new(void)
{
    svpy_work *work = PyMem_Malloc(sizeof *work);

    if (work != NULL)
        *work = (svpy_work){.count = 1, .stream = SVPY_NOTHING};
    return work;
}

svpy_work *svpy_work_retain(svpy_work *work)
{
    if (work != NULL)
        work->count++;
    return work;
}

void svpy_work_release(svpy_work *work)
{
    if (work != NULL && --work->count == 0)
        PyMem_Free(work);
}

/* The default stream of a thread is no other thread's: the legacy one waits for all of them. */
int64_t svpy_home_stream(const sv_buffer *buffer)
{
    const uintptr_t stream = sv_buffer_stream(buffer);

    return stream <= THREAD ? LEGACY : (int64_t)stream;
}

void svpy_work_set(svpy_work *work, const sv_buffer *buffer, int64_t home)
{
    if (sv_buffer_record_use(buffer, (uintptr_t)home) != SV_OK)
        sv_stream_synchronize(sv_buffer_device_type(buffer), sv_buffer_device_id(buffer), (uintptr_t)home);
    work->stream = home;
}
