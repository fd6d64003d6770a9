/* The table of calls by which copies are done, filled with the CUDA runtime's. */
#include "gpu/cuda/calls_cuda.h"

#include "gpu/cuda/api.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/library.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/scratch_pool.h"
#include "gpu/launch_parts.h"
#include "gpu/ring.h"
#include "gpu/host_part.h"

enum { RINGS = 8 };

static struct svi_gpu_ring rings[RINGS] = {SVI_GPU_RING, SVI_GPU_RING, SVI_GPU_RING, SVI_GPU_RING,
                                           SVI_GPU_RING, SVI_GPU_RING, SVI_GPU_RING, SVI_GPU_RING};

static sv_status check_call(cudaError_t error, const char *what)
{
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, what);
}

static cudaStream_t stream_of(const struct svi_gpu_queue *queue)
{
    return svi_cuda_stream(queue->stream);
}

/* --- copies and kernels ------------------------------------------------------------------------------- */

static sv_status enqueue_copy(const struct svi_gpu_queue *queue, void *dst, const void *src, int64_t nbytes)
{
    return check_call(svi_cuda_api.copy(dst, src, (size_t)nbytes, cudaMemcpyDefault, stream_of(queue)), "copying");
}

static struct cudaPitchedPtr make_pitched_pointer(const void *pointer, int64_t pitch, int64_t height, int64_t width)
{
    return (struct cudaPitchedPtr){
        .ptr = (void *)(uintptr_t)pointer, .pitch = (size_t)pitch, .xsize = (size_t)width, .ysize = (size_t)height};
}

static cudaError_t copy_planes(const struct svi_gpu_rows *r, cudaStream_t stream)
{
    const struct cudaMemcpy3DParms planes = {
        .srcPtr = make_pitched_pointer(r->src, r->src_pitch, r->src_height, r->width),
        .dstPtr = make_pitched_pointer(r->dst, r->dst_pitch, r->dst_height, r->width),
        .extent = {(size_t)r->width, (size_t)r->rows, (size_t)r->planes},
        .kind = cudaMemcpyDefault,
    };

    return svi_cuda_api.copy_planes(&planes, stream);
}

static sv_status enqueue_rows(const struct svi_gpu_queue *queue, const struct svi_gpu_rows *r)
{
    const cudaStream_t stream = stream_of(queue);

    return check_call(r->planes > 1
                          ? copy_planes(r, stream)
                          : svi_cuda_api.copy_rows(r->dst, (size_t)r->dst_pitch, r->src, (size_t)r->src_pitch,
                                                   (size_t)r->width, (size_t)r->rows, cudaMemcpyDefault, stream),
                      "copying rows");
}

static sv_status enqueue_peer(const struct svi_gpu_queue *queue, void *dst, int dst_device, const void *src,
                              int src_device, int64_t nbytes)
{
    return check_call(svi_cuda_api.copy_peer(dst, dst_device, src, src_device, (size_t)nbytes, stream_of(queue)),
                      "copying from one device to another");
}

static sv_status enqueue_kernel(const struct svi_gpu_queue *queue, struct svi_launch_shape *shape, void *dst,
                                const void *src)
{
    void *arguments[] = {&shape->block, &dst, &src};
    const cudaLaunchConfig_t config = {.gridDim = {shape->grid, shape->copies, 1},
                                       .blockDim = {SVI_LAUNCH_THREADS, 1, 1},
                                       .dynamicSmemBytes = shape->shared,
                                       .stream = stream_of(queue)};
    cudaKernel_t function = NULL;

    SVI_TRY(svi_cuda_kernel(shape->kernel, &function));
    return check_call(svi_cuda_api.launch(&config, (const void *)function, arguments), "launching the copy");
}

/* --- pinned memory ------------------------------------------------------------------------------------- */

static sv_status allocate_pinned(int64_t nbytes, void **out)
{
    const cudaError_t error =
        svi_cuda_api.allocate_host(out, (size_t)nbytes, cudaHostAllocPortable | cudaHostAllocMapped);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail_to_allocate(error, nbytes, "pinned memory for a copy");
}

static void free_pinned(void *memory)
{
    if (svi_cuda_api.release_host(memory) != cudaSuccess)
        svi_cuda_api.last_error();
}

static sv_status find_mapped(const void *pinned, char **out)
{
    struct cudaPointerAttributes attributes;

    SVI_TRY(check_call(svi_cuda_api.pointer(&attributes, pinned), "asking for the device's address of pinned memory"));
    *out = attributes.devicePointer;
    return SV_OK;
}

/* --- streams and events -------------------------------------------------------------------------------- */

static sv_status make_stream(uintptr_t *out)
{
    cudaStream_t made;

    SVI_TRY(check_call(svi_cuda_api.new_stream(&made, cudaStreamNonBlocking), "making a stream"));
    *out = (uintptr_t)made;
    return SV_OK;
}

static sv_status end_made_stream(uintptr_t stream)
{
    return check_call(svi_cuda_api.end_stream((cudaStream_t)stream), "ending a stream");
}

static sv_status synchronize_queue(const struct svi_gpu_queue *queue)
{
    return check_call(svi_cuda_api.synchronize(stream_of(queue)), "waiting for the copy");
}

static sv_status is_queue_captured(const struct svi_gpu_queue *queue, bool *out)
{
    return svi_cuda_is_captured(stream_of(queue), out);
}

static sv_status make_event(void **out)
{
    cudaEvent_t made;

    SVI_TRY(check_call(svi_cuda_api.new_event(&made, cudaEventDisableTiming), "making an event"));
    *out = made;
    return SV_OK;
}

static sv_status end_made_event(void *event)
{
    return check_call(svi_cuda_api.end_event(event), "ending an event");
}

static sv_status record_queue(const struct svi_gpu_queue *queue, void *event)
{
    return check_call(svi_cuda_api.record(event, stream_of(queue)), "recording a stream");
}

static sv_status let_queue_wait(const struct svi_gpu_queue *queue, void *event)
{
    return check_call(svi_cuda_api.wait(stream_of(queue), event, 0), "letting a stream wait");
}

static sv_status await_event(void *event)
{
    return check_call(svi_cuda_api.event_synchronize(event), "waiting for staging memory");
}

static sv_status is_event_done(void *event, bool *out)
{
    const cudaError_t error = svi_cuda_api.event_query(event);

    *out = error == cudaSuccess;
    if (error != cudaErrorNotReady)
        return check_call(error, "asking for staging memory");
    svi_cuda_api.last_error();
    return SV_OK;
}

const struct svi_gpu_calls svi_cuda_calls = {
    .copy = enqueue_copy,
    .copy_rows = enqueue_rows,
    .copy_peer = enqueue_peer,
    .launch = enqueue_kernel,
    .copy_on_host = svi_gpu_copy_on_host,
    .allocate_scratch = svi_cuda_allocate_scratch,
    .free_scratch = svi_cuda_free_scratch,
    .allocate_pinned = allocate_pinned,
    .free_pinned = free_pinned,
    .find_mapped = find_mapped,
    .new_stream = make_stream,
    .end_stream = end_made_stream,
    .synchronize = synchronize_queue,
    .is_captured = is_queue_captured,
    .new_event = make_event,
    .end_event = end_made_event,
    .record = record_queue,
    .wait = let_queue_wait,
    .await_event = await_event,
    .is_done = is_event_done,
    .begin = svi_cuda_begin,
    .end = svi_cuda_end,
    .enter = svi_cuda_enter,
    .leave = svi_cuda_leave,
    .rings = rings,
    .ring_count = RINGS,
};
