/* The ways of the CUDA backend to copy. All enqueue on a stream of the device that is current, and set the message when
 * they fail. */
#ifndef SVI_CUDA_COPIES_H
#define SVI_CUDA_COPIES_H

#include "cuda/api.h"
#include "cuda/launch_parts.h"

/* kernel_copy.c: by kernels, both addresses being within the device's reach. The second: by how many operations; then
 * a fill, whose plan is as of launch_shape.h; then one launch; the last: copies as of struct svi_backend's copy_batched,
 * in one launch where that can be. */
sv_status svi_cuda_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream);
int64_t svi_cuda_kernel_launches(const struct svi_plan *plan);
sv_status svi_cuda_launch_fill(const struct svi_plan *plan, void *dst, const char *item, cudaStream_t stream);
sv_status svi_cuda_launch_shaped(struct svi_launch_shape *shape, void *dst, const void *src, cudaStream_t stream);
sv_status svi_cuda_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                               cudaStream_t stream);

/* mapped.c: by a kernel that reads or writes pinned memory; or by the copy engine, if devices have no address of it. The
 * second: that address, NULL where there is none. */
sv_status svi_cuda_copy_mapped(const struct svi_request *request, int device, cudaStream_t stream);
sv_status svi_cuda_find_mapped(const void *pinned, char **out);

/* batched_copy.c: many small copies in one launch, as of struct svi_backend. */
bool svi_cuda_batches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags);
sv_status svi_cuda_copy_batched(const struct svi_request *request, int device, int64_t count,
                                const struct svi_transfer *transfers, cudaStream_t stream);

/* batched_ring.c: the same with ordinary memory of the host, by way of a slot of pinned memory, for copies that need no
 * more than their part of it. Returns when the host's sides have been read or written. */
bool svi_cuda_fits_slot(const struct svi_plan *plan);
sv_status svi_cuda_copy_gathered(const struct svi_request *request, int device, int64_t count,
                                 const struct svi_transfer *transfers, cudaStream_t stream);

/* pitched.c: by the copy engine. The first: whether that is few calls and long rows. */
bool svi_cuda_is_pitched(const struct svi_plan *plan);
int64_t svi_cuda_pitched_calls(const struct svi_plan *plan);
sv_status svi_cuda_copy_pitched(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream);
sv_status svi_cuda_copy_peer(const struct svi_request *request, cudaStream_t stream);

/*
 * staged.c: in chunks by way of scratch memory of the device, where the rest is a kernel's. The far side, which only
 * the copy engine reaches, is memory of the host or another device. The second: whether the far side is one run. The
 * third: how many calls that is for the far half.
 */
bool svi_cuda_is_staged(const struct svi_plan *plan, int32_t far_side);
bool svi_cuda_is_staged_dense(const struct svi_plan *plan, int32_t far_side);
int64_t svi_cuda_staged_calls(const struct svi_plan *plan, int32_t far_side);
sv_status svi_cuda_copy_staged(const struct svi_request *request, int device, int32_t far_side, cudaStream_t stream);

/* packed.c: between two devices, by dense scratch memory of the one that is not device. The first: bytes of one of its
 * slots, of so much scratch memory. */
int64_t svi_cuda_packed_slot(int64_t payload, int64_t scratch);
sv_status svi_cuda_copy_packed(const struct svi_request *request, int device, cudaStream_t stream);

/* ringed.c: between ordinary memory of the host and a device, by way of a ring of pinned memory. Returns when the
 * host's side has been read or written. */
sv_status svi_cuda_copy_ringed(const struct svi_request *request, int device, cudaStream_t stream);

/* launch_count.c: how many operations a copy by the route that the decision is for gives to a stream, at aligned
 * addresses and with all the scratch memory that it asks for. As of struct svi_backend. */
int64_t svi_cuda_count_launches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                                uint32_t flags);

/* device_scratch.c: memory of the device in the order of the stream, from the request's source or a pool of libsv's own.
 * As many bytes as wanted or fewer, at least; SV_ERROR_UNSUPPORTED or SV_ERROR_MEMORY where there are none. */
struct svi_cuda_scratch {
    char *memory;
    int64_t nbytes;
    int device;
    bool own_pool; /* counted by the pool of the device */
};

sv_status svi_cuda_scratch_take(const struct svi_request *request, int device, int64_t wanted, int64_t least,
                                struct svi_cuda_scratch *out);
sv_status svi_cuda_scratch_give(const struct svi_request *request, const struct svi_cuda_scratch *scratch);

/* Ends the pools that nothing is allocated from. */
void svi_cuda_scratch_trim(void);

#endif
