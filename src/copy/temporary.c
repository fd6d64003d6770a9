#include "copy/temporary.h"

#include "base/alloc.h"
#include "device/backends.h"
#include "plan/detour.h"
#include "backend/memory.h"
#include "copy/scratch_source.h"

/* --- in host memory --------------------------------------------------------- */

static sv_status find_temporary_backend(struct svi_device dst, struct svi_device src, const struct svi_chain *chain,
                                        const struct svi_backend **out)
{
    *out = svi_backend_search(dst, src, chain);
    if (*out == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "src and dst share bytes of device memory: there is no temporary for it");
    return SV_OK;
}

/* Both steps wait, since the temporary ends with the call. */
static sv_status copy_by_host(const struct svi_job *job, char *dst, const char *src, struct svi_temporary *t,
                              uintptr_t stream)
{
    const uint32_t flags = (job->flags & ~(uint32_t)SV_COPY_NO_WAIT) | SV_COPY_BLOCKING;
    const struct svi_request in = {&t->in, svi_cpu, t->memory, job->src_device, src, stream, flags, NULL, NULL};
    const struct svi_request out = {&t->out, job->dst_device, dst, svi_cpu, t->memory, stream, flags, NULL, NULL};
    const struct svi_backend *reader, *writer;

    SVI_TRY(find_temporary_backend(svi_cpu, job->src_device, NULL, &reader));
    SVI_TRY(find_temporary_backend(job->dst_device, svi_cpu, &job->plan.chain, &writer));
    svi_detour_make(&job->plan, SVI_SIDE_SRC, SVI_SIDE_SRC, &t->in, &t->out);
    SVI_TRY(reader->copy(&in));
    return writer->copy(&out);
}

static bool is_host_device(struct svi_device device)
{
    return svi_device_has(device.type, SV_TRAIT_HOST);
}

static sv_status run_by_host(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    const bool waits = !is_host_device(job->dst_device) || !is_host_device(job->src_device);
    struct svi_temporary *t;
    sv_status status;

    if (waits && (job->flags & SV_COPY_NO_WAIT))
        return svi_fail(SV_ERROR_BLOCKED, "the temporary is host memory, for which the copy would wait for the stream");
    t = svi_malloc(sizeof *t + (size_t)svi_detour_nbytes(&job->plan, SVI_SIDE_SRC));
    if (t == NULL)
        return SV_ERROR_MEMORY;
    status = copy_by_host(job, dst, src, t, stream);
    svi_free(t);
    return status;
}

/* --- in device memory ------------------------------------------------------- */

/* Whether both sides are memory of one device, more of which its backend allocates. */
static bool is_within_device(const struct svi_job *job)
{
    const struct svi_device dst = job->dst_device, src = job->src_device;

    return job->backend->driver != NULL && svi_memory_kind_of(dst.type) == SV_MEMORY_DEVICE && src.type == dst.type &&
           src.id == dst.id;
}

int32_t svi_temporary_method(const struct svi_job *job)
{
    return job->backend->family == SVI_FAMILY_HOST || is_within_device(job) ? SV_METHOD_TEMPORARY
                                                                            : SV_METHOD_HOST_TEMPORARY;
}

static sv_status copy_by_device(const struct svi_job *job, char *dst, const char *src, struct svi_temporary *t,
                                void *memory, uintptr_t stream)
{
    const struct svi_device device = job->dst_device;
    const struct svi_request in = {&t->in, device, memory, device, src, stream, 0, NULL, NULL};
    const struct svi_request out = {&t->out, device, dst, device, memory, stream, job->flags, NULL, NULL};

    svi_detour_make(&job->plan, SVI_SIDE_SRC, SVI_SIDE_SRC, &t->in, &t->out);
    SVI_TRY(job->backend->copy(&in));
    return job->backend->copy(&out);
}

/* The memory is that of the caller's allocator. */
static sv_status run_in_scratch(const struct svi_job *job, char *dst, const char *src, struct svi_temporary *t,
                                uintptr_t stream)
{
    const int64_t nbytes = svi_detour_nbytes(&job->plan, SVI_SIDE_SRC);
    struct svi_scratch scratch;
    const struct svi_scratch_source *source = svi_scratch_begin(&scratch, job->scratch);
    sv_status status;
    void *memory;

    if (source->device.id != job->dst_device.id)
        return svi_fail(SV_ERROR_DEVICE, "scratch is memory of device %d, the copy is on device %d",
                        (int)source->device.id, (int)job->dst_device.id);
    SVI_TRY(source->allocate(source->ctx, nbytes, stream, &memory));
    status = copy_by_device(job, dst, src, t, memory, stream);
    source->free(source->ctx, memory, nbytes, stream);
    return status;
}

/* The memory is allocated and freed in the order of the stream. */
static sv_status run_in_pool(const struct svi_job *job, char *dst, const char *src, struct svi_temporary *t,
                             uintptr_t stream)
{
    const struct svi_driver *driver = job->backend->driver;
    const int32_t device_id = job->dst_device.id;
    sv_status status, freed;
    uintptr_t pool;
    void *memory;

    SVI_TRY(driver->default_pool(SV_MEMORY_DEVICE, device_id, &pool));
    SVI_TRY(driver->allocate_from_pool(device_id, pool, svi_detour_nbytes(&job->plan, SVI_SIDE_SRC), stream, &memory));
    status = copy_by_device(job, dst, src, t, memory, stream);
    freed = driver->free_in_order(device_id, memory, stream);
    return status != SV_OK ? status : freed;
}

static sv_status run_by_device(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct svi_temporary *t = svi_malloc(sizeof *t);
    sv_status status;

    if (t == NULL)
        return SV_ERROR_MEMORY;
    status = job->scratch != NULL ? run_in_scratch(job, dst, src, t, stream) : run_in_pool(job, dst, src, t, stream);
    svi_free(t);
    return status;
}

/* Where the device has no pools its memory goes by way of the host. */
sv_status svi_temporary_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    sv_status status;

    if (!is_within_device(job))
        return run_by_host(job, dst, src, stream);
    status = run_by_device(job, dst, src, stream);
    if (status == SV_ERROR_UNSUPPORTED && job->scratch == NULL)
        status = run_by_host(job, dst, src, stream);
    return status;
}
