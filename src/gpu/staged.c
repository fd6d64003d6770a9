/*
 * Between a device and memory that only its copy engine reaches well: chunk by chunk through scratch memory, where one
 * half is rows for the copy engine and the other is a kernel's, which converts. So the scratch memory has the items of
 * the far side. All of it is in the order of one stream, so that one scratch memory is enough, and a capture can record
 * it.
 */
#include "base/alloc.h"
#include "gpu/ring.h"
#include "plan/split.h"
#include "gpu/device_scratch.h"
#include "gpu/kernel_copy.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

enum { LEAST_CHUNK = 1 << 16 /* bytes */, MOST_CHUNKS = 4 /* of a ring's slots: the scratch memory at most */ };

/* What a chunk needs; too much for the stack. */
struct halves {
    struct svi_split split;
    struct svi_plan part, in, out;
};

static const struct svi_plan *find_far_half(const struct svi_plan *plan, int32_t far_side, struct halves *h)
{
    svi_detour_make(plan, far_side, far_side, &h->in, &h->out);
    return far_side == SVI_SIDE_SRC ? &h->in : &h->out;
}

bool svi_gpu_is_staged(const struct svi_plan *plan, int32_t far_side)
{
    struct halves *h = svi_malloc(sizeof *h);
    const bool out = h != NULL && svi_gpu_is_pitched(find_far_half(plan, far_side, h));

    svi_free(h);
    return out;
}

bool svi_gpu_find_far_run(const struct svi_plan *plan, int32_t far_side, int64_t *offset, int64_t *nbytes)
{
    struct halves *h = svi_malloc(sizeof *h);
    const struct svi_plan *half;
    bool out;

    if (h == NULL)
        return false;
    half = find_far_half(plan, far_side, h);
    out = half->kind == SVI_CLASS_CONTIGUOUS;
    *offset = far_side == SVI_SIDE_SRC ? half->src_offset : half->dst_offset;
    *nbytes = half->nbytes;
    svi_free(h);
    return out;
}

int64_t svi_gpu_staged_calls(const struct svi_plan *plan, int32_t far_side)
{
    struct halves *h = svi_malloc(sizeof *h);
    const int64_t out = h == NULL ? 1 : svi_gpu_pitched_calls(find_far_half(plan, far_side, h));

    svi_free(h);
    return out;
}

static sv_status copy_staged_chunk(const struct svi_request *request, int32_t far_side, char *scratch,
                                   const struct halves *h, const struct svi_gpu_queue *queue)
{
    if (far_side == SVI_SIDE_SRC) {
        SVI_TRY(svi_gpu_copy_pitched(&h->in, scratch, request->src, queue));
        return svi_gpu_launch(&h->out, request->dst, scratch, queue);
    }
    SVI_TRY(svi_gpu_launch(&h->in, scratch, request->src, queue));
    return svi_gpu_copy_pitched(&h->out, request->dst, scratch, queue);
}

static sv_status copy_staged_chunks(const struct svi_request *request, int32_t far_side,
                                    const struct svi_gpu_scratch *scratch, struct halves *h,
                                    const struct svi_gpu_queue *queue)
{
    svi_split_chunks(request->plan, far_side, far_side, scratch->nbytes, &h->split);
    for (int64_t i = 0; i < h->split.count; i++) {
        svi_split_part(request->plan, &h->split, i, &h->part);
        svi_detour_make(&h->part, far_side, far_side, &h->in, &h->out);
        SVI_TRY(copy_staged_chunk(request, far_side, scratch->memory, h, queue));
    }
    return SV_OK;
}

sv_status svi_gpu_copy_staged(const struct svi_request *request, int32_t far_side, const struct svi_gpu_queue *queue)
{
    const int64_t nbytes = svi_detour_nbytes(request->plan, far_side);
    const int64_t most = MOST_CHUNKS * svi_gpu_chunk_nbytes, wanted = nbytes < most ? nbytes : most;
    struct halves *h = svi_malloc(sizeof *h);
    struct svi_gpu_scratch scratch;
    sv_status status = SV_ERROR_MEMORY, given;

    if (h != NULL)
        status = svi_gpu_scratch_take(request, queue, queue->device, wanted, LEAST_CHUNK, &scratch);
    if (status == SV_OK) {
        status = copy_staged_chunks(request, far_side, &scratch, h, queue);
        given = svi_gpu_scratch_give(request, queue, &scratch);
        status = status == SV_OK ? given : status;
    }
    svi_free(h);
    return status;
}
