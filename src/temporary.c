#include "temporary.h"

#include "alloc.h"
#include "backends.h"

/* Each repeated element once. */
static int64_t packed_bytes(const sv_layout *src)
{
    int64_t nbytes = src->itemsize;

    for (int32_t k = 0; k < src->ndim; k++)
        if (svi_layout_byte_strides(src)[k] != 0)
            nbytes *= svi_layout_shape(src)[k];
    return nbytes;
}

/* The dense form of what src holds, each repeated element once. */
static sv_status pack(const sv_layout *src, struct svi_geometry *g)
{
    svi_layout_load(src, g);
    for (int32_t k = 0; k < g->ndim; k++)
        if (g->strides[k] == 0)
            g->shape[k] = 1;
    return svi_geometry_to_dense(g, SV_ORDER_K, 0, NULL, 0);
}

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
    const struct svi_request step_in = {&t->plan, svi_cpu, t->memory, job->src_device, src, stream, flags};
    const struct svi_request step_out = {&t->plan, job->dst_device, dst, svi_cpu, t->memory, stream, flags};
    struct svi_geometry *packed = &t->packed;
    const struct svi_backend *in, *out;

    SVI_TRY(find_backend(svi_cpu, job->src_device, NULL, &in));
    SVI_TRY(find_backend(job->dst_device, svi_cpu, &job->plan.chain, &out));
    SVI_TRY(pack(job->src, packed));
    svi_plan_make(packed->ndim, packed->shape, packed->strides, svi_layout_byte_strides(job->src), packed->itemsize,
                  &t->plan);
    SVI_TRY(in->copy(&step_in));
    SVI_TRY(svi_geometry_broadcast(packed, job->dst->ndim, svi_layout_shape(job->dst)));
    svi_job_plan(job, &job->plan.chain, packed->strides, &t->plan);
    return out->copy(&step_out);
}

sv_status svi_temporary_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct svi_temporary *t = svi_malloc(sizeof *t + (size_t)packed_bytes(job->src));
    sv_status status;

    if (t == NULL)
        return SV_ERROR_MEMORY;
    status = copy_twice(job, dst, src, t, stream);
    svi_free(t);
    return status;
}
