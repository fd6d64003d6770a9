#include "temporary.h"

#include "alloc.h"
#include "backends.h"
#include "detour.h"

static sv_status find_backend(struct svi_device dst, struct svi_device src, const struct svi_chain *chain,
                              const struct svi_backend **out)
{
    *out = svi_backend_search(dst, src, chain);
    if (*out == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "src and dst share bytes of device memory: there is no temporary for it");
    return SV_OK;
}

/* Both steps wait, since the temporary ends with the call. */
static sv_status copy_twice(const struct svi_job *job, char *dst, const char *src, struct svi_temporary *t,
                            uintptr_t stream)
{
    const uint32_t flags = job->flags | SV_COPY_BLOCKING;
    const struct svi_request in = {&t->in, svi_cpu, t->memory, job->src_device, src, stream, flags};
    const struct svi_request out = {&t->out, job->dst_device, dst, svi_cpu, t->memory, stream, flags};
    const struct svi_backend *reader, *writer;

    SVI_TRY(find_backend(svi_cpu, job->src_device, NULL, &reader));
    SVI_TRY(find_backend(job->dst_device, svi_cpu, &job->plan.chain, &writer));
    svi_detour_make(&job->plan, SVI_SIDE_SRC, &t->in, &t->out);
    SVI_TRY(reader->copy(&in));
    return writer->copy(&out);
}

sv_status svi_temporary_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct svi_temporary *t = svi_malloc(sizeof *t + (size_t)svi_detour_nbytes(&job->plan));
    sv_status status;

    if (t == NULL)
        return SV_ERROR_MEMORY;
    status = copy_twice(job, dst, src, t, stream);
    svi_free(t);
    return status;
}
