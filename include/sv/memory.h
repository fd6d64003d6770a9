/*
 * libsv: buffers, and the memory that they are made of.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * A buffer is bytes with an owner: one allocation of any kind of memory. Most programs get theirs by sv_empty(),
 * which makes an array, and need nothing of this header. A buffer of host memory takes one call, and a view makes an
 * array:
 *
 *     sv_buffer_new(NULL, nbytes, 0, SV_BUFFER_ZERO, 0, &buffer);
 *     sv_view_from_buffer(buffer, layout, SV_FLOAT32, 0, 0, &view);
 *
 * Other memory comes from an allocator, which is given instead of NULL:
 *
 *     sv_allocator_device(0, &allocator);                      memory of the first CUDA device
 *     sv_buffer_new(allocator, nbytes, 0, 0, stream, &buffer);
 *
 * Section memory names the kinds of memory, allocator makes allocators, also of your own functions and for other
 * libraries, and buffer has the calls on buffers: make, adopt, slice, read, write, resize, migrate, and share.
 *
 * The handle of a buffer stays while the memory may move: sv_buffer_resize() and sv_buffer_migrate() change what is
 * behind it. Whatever points into the memory counts as an export and keeps it in place: views, slices, DLPack
 * tensors, sv_buffer_begin_export(), and for their duration the calls that read or write. Exports are references too.
 *
 *     state      call                               then
 *     open, n    view, slice, export                open, n + 1
 *     open, n    their end                          open, n - 1
 *     open, 0    resize, reserve, shrink, migrate   moving, then open
 *     open, 0    detach                             detached: no memory, 0 bytes
 *     open, 0    close                              closed: no memory, 0 bytes
 *     any        the last release                   freed
 *
 * With exports, the calls that need none answer SV_ERROR_BLOCKED; so do all calls on a buffer that is moving, which
 * another thread brings about. Closed and detached ones answer SV_ERROR_STATE, and 0 or NULL where there is no
 * status. The comments of functions do not repeat these two.
 *
 * Threads    Any two calls may be made at the same time, on one buffer. One of them comes first, and the other is
 *            done after it or refused as above. Whether the bytes
 *            themselves may be read and written at the same time is up to the callers.
 * Streams    What a kernel, a copy or another library does with the memory on a stream is told by
 *            sv_buffer_record_use(), after the work was put on the stream; the memory is not freed before that work
 *            is done. The stream may end before the buffer does. Calls with a stream work in its order as copies do
 *            (first page of sv/copy.h): those of device memory return at once unless a side is host memory or they
 *            are to block. Pinned memory of a pool is the host's to touch as soon as the buffer is there: making,
 *            moving or adopting one waits until the stream has allocated it. Reads, writes and fills of it wait for
 *            their stream. Of what streams write later, who touches the memory by its address or through a view waits
 *            for it, by sv_stream_synchronize().
 * Release    never waits for a device. Memory of pools is freed in the order of the buffer's stream, after all
 *            recorded uses. Other memory that the driver frees, and any whose recorded uses are not done, is
 *            deferred: the next allocation of its kind on its device frees it, or sv_memory_collect(). Memory that
 *            was adopted is freed by the thread that drops the last reference, if no use is left.
 * Lost       When a free fails, or the wait before it, the memory is given up and counted (SV_STAT_LOST_BYTES), and
 *            never freed: a device may still write to it.
 */
#ifndef SV_MEMORY_H
#define SV_MEMORY_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- memory ------------------------------------------------------------- */

/** Kinds of memory, by who can touch it. Each but the last two has a device type of DLPack: SV_DEVICE_CPU,
 * SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA and SV_DEVICE_CUDA_MANAGED. */
typedef int32_t sv_memory;

enum {
    SV_MEMORY_UNKNOWN = 0, /**< not known */
    SV_MEMORY_HOST = 1,    /**< ordinary memory of this process */
    SV_MEMORY_PINNED = 2,  /**< page-locked memory of the host, which CUDA devices read and write too */
    SV_MEMORY_DEVICE = 3,  /**< memory of one CUDA device */
    SV_MEMORY_MANAGED = 4, /**< one address for host and devices; the driver moves the pages */
    SV_MEMORY_FOREIGN = 5  /**< of another kind of device: kept and passed on, never touched */
};

/** Name of a kind of memory, as static text: "host", "pinned", "device", "managed" or "foreign"; NULL of no kind. */
SV_API const char *sv_memory_name(sv_memory kind);

/** Find out what kind of memory an address belongs to.
 *
 * CUDA's driver is asked where one of its devices is ready, and where none is, all memory is the host's. The first
 * call may load the driver, as for sv_device_probe(). The answer is no check: for the driver an address that was
 * freed, or never allocated, is ordinary memory of the host. Asking costs up to some microseconds, so ask once for
 * each allocation.
 *
 * @param pointer         any address; NULL is SV_MEMORY_UNKNOWN
 * @param kind            receives the kind, never SV_MEMORY_FOREIGN
 * @param traits          receives SV_TRAIT bits. SV_TRAIT_CUDA is set for ordinary memory of the host too where every
 *                        device reads that; SV_TRAIT_ORDERED for memory of a pool; SV_TRAIT_REGISTERED where it is
 *                        certain
 * @param device_address  receives its address for devices, which is another one for some registered memory; NULL:
 *                        they cannot use it
 * @param host_address    receives its address for the host; NULL: it cannot use it */
SV_API sv_status sv_pointer_query(SV_OPT const void *pointer, SV_OUT sv_memory *kind, SV_OUT SV_OPT uint32_t *traits,
                                  SV_OUT SV_OPT int32_t *device_id, SV_OUT SV_OPT void **device_address,
                                  SV_OUT SV_OPT void **host_address);

/** What a driver can be told of managed memory, so that it places its pages better. */
enum {
    SV_ADVICE_READ_MOSTLY = 1,     /**< it is rarely written: each device may have a copy */
    SV_ADVICE_NOT_READ_MOSTLY = 2,
    SV_ADVICE_PREFER = 3,          /**< it is best kept in the memory of one device, or of the host */
    SV_ADVICE_NOT_PREFER = 4,
    SV_ADVICE_ACCESSED_BY = 5,     /**< one device, or the host, uses it from where it lies */
    SV_ADVICE_NOT_ACCESSED_BY = 6
};

/** Called when nothing needs the memory any more: once, on the thread that drops the last reference. It must not call
 * back into a handle of that memory. */
typedef void (*sv_release_callback)(void *ctx);

/* --- allocator ---------------------------------------------------------- */

/** Where bytes come from: the system, a CUDA driver, a pool, callbacks, or another allocator.
 *
 * An allocator that wraps another one counts, limits or logs what it gets from that, or tries again. Most programs
 * need none: a buffer of host memory is made without. No lock of libsv is held while a callback or a driver is
 * called. What was allocated keeps the allocator it came from. */
typedef struct sv_allocator sv_allocator;

/** How an allocator works: bits of its flags. */
enum {
    SV_ALLOCATOR_HUGE_PAGES = 1,   /**< host: ask the system for huge pages for 2 MiB and more; a hint */
    SV_ALLOCATOR_BLOCKS = 2,       /**< tracked: keep a list of live blocks */
    SV_ALLOCATOR_GUARD = 4,        /**< host: find writes past the end of a block when it is freed */
    SV_ALLOCATOR_NO_HUGE_PAGES = 8 /**< host: ask the system for none, however large a block is; a hint */
};

/** Allocates nbytes bytes, more than 0, at a multiple of alignment, a power of two.
 *
 * It does so in the order of stream where the memory is ordered by streams. An error travels to the caller of libsv
 * as it is, with the text that a failed call of libsv left; one that is no sv_status becomes SV_ERROR_INVALID.
 * SV_ERROR_MEMORY is the one that is tried again. */
typedef sv_status (*sv_allocate_callback)(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream,
                                          SV_OUT void **out);

/** Frees what was allocated with the same nbytes and alignment; stream can be another one. After an error the memory
 * counts as lost, and is not freed again. */
typedef sv_status (*sv_free_callback)(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);

/** What happened, for sv_memory_callback. */
enum {
    SV_EVENT_ALLOCATED = 1, /**< a block */
    SV_EVENT_FREED = 2,     /**< a block will be freed now, so that its address cannot be another's yet */
    SV_EVENT_FAILED = 3     /**< an allocation, and pointer is NULL; or the free that was told before */
};

/** Told by a logged allocator. What it does to sv_last_message() is undone. */
typedef void (*sv_memory_callback)(void *ctx, int32_t event, SV_OPT const void *pointer, int64_t nbytes,
                                   uintptr_t stream);

/** Asked when an allocation of nbytes failed with SV_ERROR_MEMORY; attempt counts from 1. It answers 0 to let it fail,
 * another number to try again. */
typedef int32_t (*sv_no_memory_callback)(void *ctx, int64_t nbytes, int32_t attempt);

/** One live block of a tracked allocator; number counts its allocations from 1. It answers 0 to go on, another number
 * to stop. */
typedef int32_t (*sv_block_callback)(void *ctx, int64_t number, const void *pointer, int64_t nbytes,
                                     uintptr_t stream);

/** Make an allocator of ordinary host memory, of any alignment. No driver is needed or loaded, ever.
 *
 * For blocks of 4 MiB and more Linux is asked for huge pages, as NumPy does: writing to new memory then takes a third
 * of the time. SV_HOST_HUGE_PAGES=0 in the environment of the process, read once, leaves that out.
 * SV_ALLOCATOR_HUGE_PAGES asks in any case, from 2 MiB on, for pages that share nothing with other blocks.
 * SV_ALLOCATOR_NO_HUGE_PAGES asks Linux for pages of the usual size: a block that is only touched here and there then
 * takes less memory. Where the kernel has no huge pages all three allocate as well.
 *
 * With SV_ALLOCATOR_GUARD new memory is filled with a pattern unless zeros are asked for, freed memory with another,
 * and a block whose end was overwritten answers SV_ERROR_STATE when it is freed, and stays, so that one can look at
 * it.
 *
 * @param flags  SV_ALLOCATOR_GUARD, and SV_ALLOCATOR_HUGE_PAGES or SV_ALLOCATOR_NO_HUGE_PAGES (both:
 *               SV_ERROR_INVALID) */
SV_API sv_status sv_allocator_host(uint32_t flags, SV_OUT sv_allocator **out);

/** Make an allocator of page-locked host memory, which CUDA devices use at the address that the host has for it. */
SV_API sv_status sv_allocator_pinned(SV_OUT sv_allocator **out);

/** Make an allocator of memory of a CUDA device, by cudaMalloc(). A free may wait for the device; a pool's does not. */
SV_API sv_status sv_allocator_device(int32_t device_id, SV_OUT sv_allocator **out);

/** Make an allocator of managed memory: one address for the host and all CUDA devices, whose pages the driver moves.
 *
 * @param device_id  the device that is current when it is allocated */
SV_API sv_status sv_allocator_managed(int32_t device_id, SV_OUT sv_allocator **out);

/** Make an allocator of a new pool of the CUDA driver, whose memory is allocated and freed in the order of a stream.
 * Neither waits, but a buffer of pinned memory waits until it is allocated. The pool is ended with the allocator.
 *
 * @param kind       SV_MEMORY_DEVICE; SV_MEMORY_PINNED and SV_MEMORY_MANAGED where driver and device have such pools,
 *                   which since CUDA 13 they may (else SV_ERROR_UNSUPPORTED); another is SV_ERROR_INVALID
 * @param initial    bytes that are reserved at once; 0 none
 * @param threshold  bytes that stay with the pool when they are not in use; INT64_MAX all
 * @param most       bytes that the pool may have, no less than initial (else SV_ERROR_INVALID); 0 any */
SV_API sv_status sv_allocator_pool(sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most,
                                   SV_OUT sv_allocator **out);

/** Make an allocator of a pool that somebody else has made, and ends.
 *
 * @param kind  as for sv_allocator_pool()
 * @param pool  a cudaMemPool_t; 0 is the default pool of the device */
SV_API sv_status sv_allocator_pool_view(sv_memory kind, int32_t device_id, uintptr_t pool, SV_OUT sv_allocator **out);

/** Make an allocator of two functions, which any thread calls.
 *
 * @param kind         what memory it is; SV_MEMORY_FOREIGN for device types that libsv does not touch
 * @param device_type  the one of that kind (else SV_ERROR_DEVICE)
 * @param free         called by the last owner of the memory
 * @param release      called with ctx when the allocator and all that came from it are gone
 * @param ctx          handed to the functions */
SV_API sv_status sv_allocator_callbacks(sv_memory kind, int32_t device_type, int32_t device_id,
                                        sv_allocate_callback allocate, sv_free_callback free,
                                        SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                        SV_OUT sv_allocator **out);

/** Make an allocator that counts what it gets from another one. Kind, device and traits are those of base. Counting
 * takes some tens of nanoseconds and no lock. With SV_ALLOCATOR_BLOCKS it also keeps a list of live blocks, under a
 * lock: then a free that fits no live block is refused, and sv_allocator_visit() tells what is left.
 *
 * @param name   that sv_allocator_name() tells; it is copied; NULL means that of base
 * @param flags  0 or SV_ALLOCATOR_BLOCKS */
SV_API sv_status sv_allocator_tracked(const sv_allocator *base, SV_OPT const char *name, uint32_t flags,
                                      SV_OUT sv_allocator **out);

/** Make an allocator that lets at most so many bytes of base be in use at a time. Past the limit SV_ERROR_MEMORY is
 * answered, and base is not asked. What base refuses is not counted. */
SV_API sv_status sv_allocator_limited(const sv_allocator *base, int64_t most, SV_OUT sv_allocator **out);

/** Make an allocator that keeps the blocks which are freed and gives them out again, without a call of the driver: that
 * is what makes memory of devices and pinned memory cheap. Blocks have the sizes of classes: multiples of 512 bytes up
 * to 8 KiB, and eight sizes for each power of two above, so that less than an eighth is not used; of 16 MiB and more,
 * multiples of 2 MiB. Limits and counts within base see these sizes, and those around this allocator what was asked for.
 *
 * Memory of sv_allocator_device(), also when base wraps that, is then ordered by streams (SV_TRAIT_ORDERED), as a
 * pool's is: what was freed on a stream is there for the next allocation on that stream, which begins when the work
 * before the free is done. Another stream gets it after a wait if it was freed on a default stream, and else when
 * it has been to base and back. The stream of a free may have ended. On a stream that is being captured memory comes
 * from base; a graph does not keep the memory that it uses, so the caller does, as long as the graph. All other memory
 * must not be in use when it is freed, by no stream; buffers see to that.
 *
 * What is kept goes back to base when any allocator of the device has no memory left, by sv_memory_collect(), and when
 * the allocator and all that came from it are gone; that may wait for the device, and does so in the next allocation of
 * this kind. A process that was forked gets none of it.
 *
 * @param base       whose memory is not ordered by streams yet (else SV_ERROR_UNSUPPORTED)
 * @param threshold  bytes that are kept at most; a free beyond it is one of base. INT64_MAX: no limit */
SV_API sv_status sv_allocator_cached(const sv_allocator *base, int64_t threshold, SV_OUT sv_allocator **out);

/** Make an allocator that tells what it does. ctx is handed to both callbacks.
 *
 * @param log  called by whoever allocates or frees, at the same time by several threads */
SV_API sv_status sv_allocator_logged(const sv_allocator *base, sv_memory_callback log,
                                     SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                     SV_OUT sv_allocator **out);

/** Make an allocator that asks what to do when base has no memory left, and then tries again. Deferred frees are
 * waited for before it asks. ctx is handed to both callbacks.
 *
 * @param attempts  how often it asks for one allocation, 1 or more
 * @param ask       called without a lock; it may free, and allocate */
SV_API sv_status sv_allocator_retrying(const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask,
                                       SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                       SV_OUT sv_allocator **out);

SV_API sv_allocator *sv_allocator_retain(SV_OPT const sv_allocator *allocator); /**< Add a reference. */
/** Drop a reference. Memory that came from the allocator holds references of its own. */
SV_API void sv_allocator_release(SV_OPT SV_TAKE sv_allocator *allocator);

SV_API sv_memory sv_allocator_kind(const sv_allocator *allocator);      /**< Kind of its memory. */
SV_API int32_t sv_allocator_device_type(const sv_allocator *allocator); /**< SV_DEVICE number of its memory. */
SV_API int32_t sv_allocator_device_id(const sv_allocator *allocator);   /**< Ordinal of its device, or 0. */

/** SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED where streams order it. */
SV_API uint32_t sv_allocator_traits(const sv_allocator *allocator);

/** The largest alignment that sv_allocator_allocate() grants. Buffers can have any, for which they allocate more. */
SV_API int64_t sv_allocator_alignment(const sv_allocator *allocator);

/** Name of the nearest tracked allocator that has one, this one or one that it wraps; else of the source. Sources of
 * memory are "host", "pinned", "device", "managed", "pool", "callbacks", "handler" and "torch". */
SV_API const char *sv_allocator_name(const sv_allocator *allocator);

/** Allocate raw bytes, for programs that hand an allocator on to others. All others make buffers.
 *
 * @param nbytes     how many; with 0 the answer is NULL, and nothing is called
 * @param alignment  a power of two; 0 means that of the kind of memory: 64 for host memory, 4096 for pinned, 256 for
 *                   device and managed
 * @param stream     in whose order, where SV_TRAIT_ORDERED; else not read
 * @param pointer    receives the address
 *
 * SV_ERROR_INVALID    alignment is no power of two
 * SV_ERROR_ALIGNMENT  alignment is larger than sv_allocator_alignment(), or a callback did not heed it
 * or what the source answers. */
SV_API sv_status sv_allocator_allocate(const sv_allocator *allocator, int64_t nbytes, int64_t alignment,
                                       uintptr_t stream, SV_OUT void **pointer);

/** Free what sv_allocator_allocate() of the same allocator gave for the same nbytes and alignment.
 *
 * @param pointer  what it gave; NULL does nothing
 * @param stream   free it after what this stream has to do now, where SV_TRAIT_ORDERED; else not read, and the call
 *                 may wait for the device
 *
 * SV_ERROR_INVALID  nbytes is not above 0, or alignment no power of two; with SV_ALLOCATOR_BLOCKS also: the block has
 *                   another nbytes
 * SV_ERROR_STATE    with SV_ALLOCATOR_GUARD: the end of the block was overwritten; with SV_ALLOCATOR_BLOCKS: no live
 *                   block begins there; of a pool: the stream is being captured
 * After these nothing was freed. After another error, which the source answered, the memory is lost: it is not to be
 * used, nor freed again. */
SV_API sv_status sv_allocator_free(const sv_allocator *allocator, SV_OPT SV_TAKE void *pointer, int64_t nbytes,
                                   int64_t alignment, uintptr_t stream);

/** What is counted of memory. */
enum {
    SV_STAT_LIVE_BYTES = 0,     /**< in use */
    SV_STAT_LIVE_COUNT = 1,     /**< blocks in use */
    SV_STAT_PEAK_BYTES = 2,     /**< the most that were in use at a time */
    SV_STAT_PEAK_COUNT = 3,     /**< the most blocks that were in use at a time */
    SV_STAT_TOTAL_BYTES = 4,    /**< all that were ever allocated */
    SV_STAT_TOTAL_COUNT = 5,    /**< all blocks that were ever allocated */
    SV_STAT_FAILED_COUNT = 6,   /**< allocations that failed */
    SV_STAT_DEFERRED_BYTES = 7, /**< released, not yet freed; not of allocators */
    SV_STAT_DEFERRED_COUNT = 8, /**< blocks released, not yet freed; not of allocators */
    SV_STAT_LOST_BYTES = 9,     /**< given up, since freeing them failed */
    SV_STAT_LOST_COUNT = 10,    /**< blocks given up */
    SV_STAT_CACHED_BYTES = 11,  /**< freed, and kept for other allocations by sv_allocator_cached() */
    SV_STAT_CACHED_COUNT = 12   /**< blocks freed and kept */
};

/** Ask the nearest tracked allocator, this one or one that it wraps, for an SV_STAT number; for one of CACHED, the
 * nearest that keeps blocks. Each number is right by itself; several are not of one moment while other threads allocate.
 *
 * SV_ERROR_INVALID  no such number, or one that is not of allocators
 * SV_ERROR_STATE    none of them is tracked, or keeps blocks */
SV_API sv_status sv_allocator_stats(const sv_allocator *allocator, int32_t stat, SV_OUT int64_t *value);

/** Begin both peaks anew with what is in use now; SV_ERROR_STATE as for sv_allocator_stats(). */
SV_API sv_status sv_allocator_reset_peaks(const sv_allocator *allocator);

/** Call visit for each live block of the nearest allocator with SV_ALLOCATOR_BLOCKS (SV_ERROR_STATE if there is none).
 * The blocks are those of the moment of the call, in the order of their allocation. visit may free them. */
SV_API sv_status sv_allocator_visit(const sv_allocator *allocator, sv_block_callback visit, SV_OPT void *ctx);

/** The function of a memory handler of NVIDIA's libraries that allocates memory of a device; 0 is success. It is in
 * cuDSS, cuStateVec, cuTensorNet and cuTENSOR's own struct, with one that frees and a context. They work in the order
 * of a stream. */
typedef int32_t (*sv_handler_allocate_callback)(void *ctx, SV_OUT void **pointer, size_t nbytes, void *stream);

/** The one that frees. */
typedef int32_t (*sv_handler_free_callback)(void *ctx, void *pointer, size_t nbytes, void *stream);

/** Make an allocator of the memory handler of a CUDA device. Its memory is aligned to 256 bytes.
 *
 * @param allocate  device_alloc of the handler; where it fails, with any number but those of sv_status,
 *                  SV_ERROR_MEMORY is answered
 * @param free      device_free of the handler
 * @param release   called with ctx when the allocator and all that came from it are gone
 * @param ctx       ctx of the handler */
SV_API sv_status sv_allocator_from_handler(int32_t device_id, sv_handler_allocate_callback allocate,
                                           sv_handler_free_callback free, SV_OPT sv_release_callback release,
                                           SV_OPT SV_TAKE void *ctx, SV_OUT sv_allocator **out);

/** device_alloc of a memory handler whose context is an allocator: with it these libraries allocate from libsv. The
 * allocator must outlive the handler.
 *
 * @param allocator  the handler's ctx: an sv_allocator
 * @param stream     a cudaStream_t */
SV_API sv_status sv_handler_allocate_from(void *allocator, SV_OUT void **pointer, size_t nbytes, SV_OPT void *stream);

/** device_free of such a handler. */
SV_API sv_status sv_handler_free_to(void *allocator, SV_OPT void *pointer, size_t nbytes, SV_OPT void *stream);

/** The function that allocates for PyTorch's CUDAPluggableAllocator; NULL: it failed. */
typedef void *(*sv_torch_allocate_callback)(int64_t nbytes, int32_t device, void *stream);

/** The one that frees. */
typedef void (*sv_torch_free_callback)(void *pointer, int64_t nbytes, int32_t device, void *stream);

/** Make an allocator of two functions that were written for PyTorch's CUDAPluggableAllocator. Its memory is of the
 * CUDA device, aligned to 256 bytes. Any thread calls the functions. */
SV_API sv_status sv_allocator_from_torch(int32_t device_id, sv_torch_allocate_callback allocate,
                                         sv_torch_free_callback free, SV_OUT sv_allocator **out);

/** Say from which allocator sv_torch_allocate() takes the memory of a device; NULL means none again. Then in Python
 * PyTorch allocates from libsv by
 *
 *     torch.cuda.memory.CUDAPluggableAllocator(path, "sv_torch_allocate", "sv_torch_free")
 *
 * with the path of this very library, strideview.library_path().
 *
 * @param device_id  number of the CUDA device, below 128
 * @param allocator  of memory that its kernels read and write; it is retained
 *
 * SV_ERROR_DEVICE   no such device number, or memory of another device
 * SV_ERROR_BLOCKED  memory of the one before is still in use */
SV_API sv_status sv_torch_use(int32_t device_id, SV_OPT const sv_allocator *allocator);

/** Allocate for PyTorch, from the allocator of sv_torch_use(). It is not to be called by anybody else. The answer is
 * NULL for 0 bytes, after a failure, and where there is no allocator; sv_last_message() then says why. stream is a
 * cudaStream_t. */
SV_API void *sv_torch_allocate(int64_t nbytes, int32_t device, SV_OPT void *stream);

/** Free what sv_torch_allocate() gave. */
SV_API void sv_torch_free(SV_OPT void *pointer, int64_t nbytes, int32_t device, SV_OPT void *stream);

/* --- buffer ------------------------------------------------------------- */

/** Bytes with an owner: one allocation of any kind of memory. The first page of this header has the rules. */
typedef struct sv_buffer sv_buffer;

/** Bits of flags, besides SV_READ_ONLY of sv/view.h, which is 1. */
enum {
    SV_BUFFER_ZERO = 2,     /**< new bytes are 0 */
    SV_BUFFER_DISCARD = 4,  /**< the contents need not be kept */
    SV_BUFFER_BORROWED = 8, /**< the caller keeps the memory alive */
    SV_BUFFER_TRUST = 16,   /**< the driver is not asked whether kind and device are right */
    SV_BUFFER_STRICT = 32   /**< an error where a hint has no effect */
};

/** Allocate memory.
 *
 * @param allocator  where from; NULL: host memory
 * @param nbytes     bytes; with 0 no allocator is called, and the address is NULL
 * @param alignment  a power of two, any, for which more is allocated where the allocator has less; 0: that of the
 *                   kind, 64 for host memory, 4096 for pinned, 256 for device and managed memory
 * @param flags      0, or SV_BUFFER_ZERO: the bytes are 0, on devices in the order of the stream
 * @param stream     in whose order memory of a pool is allocated, and freed in the end unless sv_buffer_set_stream()
 *                   names another
 *
 * SV_ERROR_INVALID  alignment is no power of two
 * and what the allocator answers. */
SV_API sv_status sv_buffer_new(SV_OPT const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags,
                               uintptr_t stream, SV_OUT sv_buffer **out);

/** Make a buffer of memory that somebody else allocated.
 *
 * @param kind         SV_MEMORY number; SV_MEMORY_UNKNOWN: the driver is asked, and device_type and device_id are not
 *                     read
 * @param device_type  the one of that kind; of SV_MEMORY_FOREIGN any that no other kind has
 * @param flags        SV_READ_ONLY; SV_BUFFER_BORROWED; SV_BUFFER_TRUST. Host memory that is said to be such is
 *                     believed anyway
 * @param stream       on which it is to be freed
 * @param free         called with ctx, pointer, nbytes, the alignment of the address and the stream: once, when the
 *                     last reference is gone and all recorded uses are done
 *
 * SV_ERROR_INVALID  neither free nor SV_BUFFER_BORROWED, or both
 * SV_ERROR_DEVICE   the driver says that it is other memory; or device_type is that of another kind */
SV_API sv_status sv_buffer_adopt(SV_OPT SV_TAKE void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type,
                                 int32_t device_id, uint32_t flags, uintptr_t stream, SV_OPT sv_free_callback free,
                                 SV_OPT SV_TAKE void *ctx, SV_OUT sv_buffer **out);

/** Page-lock host memory that somebody else allocated, so that CUDA devices use it and copies to them are fast. Such
 * copies need not block. The kind of the memory is SV_MEMORY_PINNED, with SV_TRAIT_REGISTERED.
 *
 * @param pages    host memory at any address; the system locks whole pages
 * @param nbytes   its size; with 0 no driver is called
 * @param flags    0 or SV_READ_ONLY: libsv does not write to it
 * @param release  called with ctx when the pages are unlocked: once, after the last reference is gone. Unlocking may
 *                 wait for devices, so it is deferred as other frees are, and release with it. Not called when
 *                 unlocking fails, for a device may still use the pages
 *
 * SV_ERROR_BLOCKED                some of it is page-locked already
 * SV_ERROR_CUDA, SV_ERROR_MEMORY  the driver refused */
SV_API sv_status sv_buffer_register(SV_OPT void *pages, int64_t nbytes, uint32_t flags,
                                    SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                    SV_OUT sv_buffer **out);

/** Make a buffer of a part of another one, without copying; SV_ERROR_RANGE if the part does not lie within it. The
 * memory stays alive, and in place, until the slice is gone. Slices of slices are slices of the buffer that has the
 * memory.
 *
 * @param offset  first byte
 * @param flags   0, or SV_READ_ONLY; parts of read-only memory are so anyway */
SV_API sv_status sv_buffer_slice(const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags,
                                 SV_OUT sv_buffer **out);

SV_API sv_buffer *sv_buffer_retain(SV_OPT const sv_buffer *buffer); /**< Add a reference. */
/** Drop a reference. The last one frees the memory, as the first page tells, and never waits for a device. */
SV_API void sv_buffer_release(SV_OPT SV_TAKE sv_buffer *buffer);

/** Drop a reference where nothing may be called: in finalisers. If it was the last, the buffer waits for the next
 * allocation of its kind of memory, or for sv_memory_collect(). */
SV_API void sv_buffer_release_later(SV_OPT SV_TAKE sv_buffer *buffer);

/** Take the memory out of libsv's hands. The buffer is then detached, and to be released as ever.
 *
 * The caller frees the memory, some time, by free(ctx, pointer, nbytes, alignment, stream), with a stream of its
 * choice. Recorded uses: memory of a pool is handed over in the order of the stream that the call answers; for other
 * memory they must be done.
 *
 * @param buffer  buffer with one reference and no export, not a slice (SV_ERROR_STATE)
 * @param nbytes  receives the capacity
 * @param stream  receives the stream that it was to be freed on
 * @param free    receives what frees it, never NULL
 * @param ctx     receives what free needs
 *
 * SV_ERROR_BLOCKED  there are exports or other references, or work that uses the memory is not done */
SV_API sv_status sv_buffer_detach(sv_buffer *buffer, SV_OUT void **pointer, SV_OUT int64_t *nbytes,
                                  SV_OUT int64_t *alignment, SV_OUT uintptr_t *stream, SV_OUT sv_free_callback *free,
                                  SV_OUT void **ctx);

/** Free the memory now, whoever holds references: they see a closed buffer. The call may wait for the device, but not
 * for recorded uses, which defer the free. A slice only gives up its part. Closed already: nothing is done. When the
 * free fails, the call answers what it did: the buffer is closed, the memory lost.
 *
 * @param buffer  buffer without exports
 * @param stream  memory of a pool is freed in the order of this one */
SV_API sv_status sv_buffer_close(sv_buffer *buffer, uintptr_t stream);

/** Address of the first byte, where its device uses it; that of host memory is the host's. NULL without memory. */
SV_API void *sv_buffer_data(const sv_buffer *buffer);

/** Address of the first byte for the host; NULL where the host cannot touch it. */
SV_API void *sv_buffer_host_data(const sv_buffer *buffer);

SV_API int64_t sv_buffer_nbytes(const sv_buffer *buffer);   /**< Size in bytes. */
SV_API int64_t sv_buffer_capacity(const sv_buffer *buffer); /**< Bytes that the memory has room for. */

/** The alignment that the address has, and keeps when the memory moves: the one that was asked for. Of adopted memory
 * it is that of the address, and of a slice as far as it follows from the offset. */
SV_API int64_t sv_buffer_alignment(const sv_buffer *buffer);

SV_API sv_memory sv_buffer_kind(const sv_buffer *buffer);      /**< Kind of the memory. */
SV_API uint32_t sv_buffer_traits(const sv_buffer *buffer);     /**< SV_TRAIT bits of the memory. */
SV_API int32_t sv_buffer_device_type(const sv_buffer *buffer); /**< SV_DEVICE number of the memory. */
SV_API int32_t sv_buffer_device_id(const sv_buffer *buffer);   /**< Ordinal of the device, 0 for host memory. */

/** The stream that the memory is freed on; 1 where that is another thread's default stream. */
SV_API uintptr_t sv_buffer_stream(const sv_buffer *buffer);

/** The allocator that the memory came from; NULL for adopted memory, and while another thread moves it. It lives as
 * long as the buffer has that memory. */
SV_API const sv_allocator *sv_buffer_allocator(const sv_buffer *buffer);

/** The buffer that has the memory of a slice; NULL of others. */
SV_API const sv_buffer *sv_buffer_parent(const sv_buffer *buffer);

/** How many views, slices and other exports point into the memory; those of a slice count at the slice. */
SV_API int64_t sv_buffer_exports(const sv_buffer *buffer);

/** How many references there are, those of exports among them. */
SV_API int64_t sv_buffer_references(const sv_buffer *buffer);

/** Whether the buffer has lost its memory by sv_buffer_close() or sv_buffer_detach(). */
SV_API int32_t sv_buffer_is_closed(const sv_buffer *buffer);

/** The ctx of memory that was adopted with this free; with NULL, of any that was adopted. NULL of other buffers. */
SV_API void *sv_buffer_context(const sv_buffer *buffer, SV_OPT sv_free_callback free);

/** Keep the memory in place for somebody who uses its address, and the buffer alive, until sv_buffer_end_export().
 * Views and slices do it by themselves. */
SV_API sv_status sv_buffer_begin_export(sv_buffer *buffer);

/** End what sv_buffer_begin_export() began. It can drop the last reference. */
SV_API void sv_buffer_end_export(sv_buffer *buffer);

/** Copy bytes to host memory, where they have arrived on return. With 0 bytes nothing is done.
 *
 * @param offset  first byte of the buffer
 * @param flags   0 or SV_COPY_BLOCKING
 * @param stream  device memory: in the order of this one
 *
 * SV_ERROR_RANGE  bytes outside the buffer; nothing is copied
 * and what sv_copy() answers of a device. */
SV_API sv_status sv_buffer_read(const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags,
                                uintptr_t stream);

/** Copy bytes from host memory, which is free for other use on return; else as sv_buffer_read().
 *
 * SV_ERROR_READ_ONLY  the buffer is read-only */
SV_API sv_status sv_buffer_write(sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags,
                                 uintptr_t stream);

/** Copy bytes between two buffers of any kinds of memory, or within one; else as sv_buffer_write(). Parts that overlap
 * are copied as if they were read first. The stream is as in sv_copy().
 *
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices */
SV_API sv_status sv_buffer_copy(sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset,
                                int64_t nbytes, uint32_t flags, uintptr_t stream);

/** Write one item again and again; else as sv_buffer_write().
 *
 * @param nbytes    how many, a multiple of itemsize (else SV_ERROR_LAYOUT)
 * @param item      host memory, read before the call returns
 * @param itemsize  1, 2, 4, 8 or 16 bytes (else SV_ERROR_INVALID)
 * @param stream    as in sv_fill() */
SV_API sv_status sv_buffer_fill(sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize,
                                uint32_t flags, uintptr_t stream);

/** Change the size. The bytes that both sizes have are kept; those after them are undefined.
 *
 * Within the capacity nothing moves, so that a smaller buffer keeps its memory (see sv_buffer_shrink()); beyond it
 * the buffer gets new memory of its allocator, of exactly nbytes. Two kinds of host memory are copied by the host,
 * which waits for recorded uses. The old memory is freed, or deferred, as at a release, and a free that fails is told
 * by sv_memory_collect().
 *
 * @param buffer  buffer without exports, unless it has this size already; not a slice (SV_ERROR_STATE)
 * @param flags   SV_BUFFER_ZERO: new bytes are 0. SV_BUFFER_DISCARD: no byte need be kept; with both, all are 0
 * @param stream  work on device memory is done in the order of this one, after all recorded uses. When bytes are
 *                copied or written, it becomes the buffer's stream; memory of a pool is used after what the stream
 *                until then holds, which must be alive
 *
 * SV_ERROR_READ_ONLY    zeros were to be written to read-only memory
 * SV_ERROR_UNSUPPORTED  adopted memory of less than nbytes, which has no allocator
 * and what sv_buffer_new() and sv_buffer_copy() answer. After an error the buffer is as it was, and within the
 * capacity of the same size. */
SV_API sv_status sv_buffer_resize(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream);

/** Get memory for a larger size before it is needed; else as sv_buffer_resize(). The size stays, and so do the bytes;
 * the capacity becomes exactly the one that is asked for, unless it is larger already: then exports do not matter. */
SV_API sv_status sv_buffer_reserve(sv_buffer *buffer, int64_t capacity, uintptr_t stream);

/** Give back what the size does not need: the buffer moves to memory of exactly its size; else as sv_buffer_resize().
 * When that is its capacity, nothing is done, and exports do not matter. Host memory of up to 64 KiB that
 * sv_buffer_new() made is returned to the system with the handle. */
SV_API sv_status sv_buffer_shrink(sv_buffer *buffer, uintptr_t stream);

/** Move the bytes to another kind of memory, or another device; else as sv_buffer_resize().
 *
 * The handle stays; kind, device, traits, addresses and allocator become those of the new memory, and the capacity
 * becomes the size. It is of the alignment that was asked for, or that of the new kind where this is more. Adopted
 * memory is freed by what it was adopted with; the new memory is libsv's, and not read-only.
 *
 * @param buffer     buffer without exports
 * @param allocator  where to; NULL: host memory. If the memory is from this one, nothing is done
 * @param flags      0, or SV_BUFFER_DISCARD: the bytes need not be kept
 * @param stream     as for sv_buffer_resize(). A default stream is that of the new device; of the old one, where the
 *                   new memory is managed and the old is not: its use on another device has to wait for that
 *
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices */
SV_API sv_status sv_buffer_migrate(sv_buffer *buffer, SV_OPT const sv_allocator *allocator, uint32_t flags,
                                   uintptr_t stream);

/** Name another stream that the memory is freed on. Exports do not matter; a slice is SV_ERROR_STATE. For memory of a
 * pool, the new stream waits for what the old one holds now; both must be alive. Then the answer can be one of
 * sv_stream_wait(). */
SV_API sv_status sv_buffer_set_stream(sv_buffer *buffer, uintptr_t stream);

/** Tell that work which has been put on a stream uses the memory. The memory is not freed, moved or handed over before
 * all that the stream holds now is done. The stream may end before the buffer. Where the memory is ordered by streams
 * and this is the one that it will be freed on, there is nothing to do, and no driver is called. Ordinary host memory has no streams:
 * the call does nothing. A program whose kernels read such memory keeps the buffer until they are done.
 *
 * @param buffer  buffer; a slice stands for the whole memory that it is part of
 * @param stream  the stream; a default one is that of the memory's device, and for pinned memory of device 0
 *
 * SV_ERROR_STATE        also: the stream is being captured, and something was to be recorded
 * SV_ERROR_MEMORY       no memory for what is recorded
 * SV_ERROR_UNSUPPORTED  libsv knows no streams of such a device */
SV_API sv_status sv_buffer_record_use(const sv_buffer *buffer, uintptr_t stream);

/*
 * Hints for managed memory, each for any number of buffers, which are taken whole: slices are for parts. A driver
 * that has a call for many gets one call. A hint that has no effect is SV_OK: on other kinds of memory, on buffers of
 * no bytes, and where the device or the driver cannot do it. With SV_BUFFER_STRICT other kinds are SV_ERROR_DEVICE,
 * and what a driver cannot do is SV_ERROR_UNSUPPORTED. When one buffer is refused, nothing is done to any.
 */

/** Move memory to where it will be used, in the order of a stream.
 *
 * @param device_type  SV_DEVICE_CUDA, or SV_DEVICE_CPU: to the host (else SV_ERROR_DEVICE)
 * @param flags        0 or SV_BUFFER_STRICT
 * @param stream       a stream of any device, not one that is being captured (SV_ERROR_STATE) */
SV_API sv_status sv_buffer_prefetch(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                                    uint32_t flags, uintptr_t stream);

/** Say that the contents are not needed any more, in the order of a stream; else as sv_buffer_prefetch(). It tells too
 * where the memory will be used next: its pages are there then, without their contents, which are undefined until
 * they are written. Drivers take no legacy default stream for it; those before 13.0 do not have it.
 *
 * SV_ERROR_READ_ONLY  a buffer is read-only */
SV_API sv_status sv_buffer_discard(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                                   uint32_t flags, uintptr_t stream);

/** Tell the driver how memory will be used, by an SV_ADVICE number. It holds until the opposite is told. When the
 * driver fails, buffers before the one it failed on have been advised on.
 *
 * @param device_type  as in sv_buffer_prefetch(); read with SV_ADVICE_PREFER, SV_ADVICE_ACCESSED_BY and
 *                     SV_ADVICE_NOT_ACCESSED_BY
 * @param flags        0 or SV_BUFFER_STRICT */
SV_API sv_status sv_buffer_advise(int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type,
                                  int32_t device_id, uint32_t flags);

enum { SV_IPC_NBYTES = 160 /**< bytes that tell another process of a buffer */ };

/** Describe device memory for another process of this machine, in SV_IPC_NBYTES bytes that can be sent by any way.
 *
 * Memory of sv_allocator_device(), wrapped or not, can be exported, and slices of it. The memory must stay until the
 * other process is done with it: neither process knows what the other does. Nor do the two wait for each other's
 * streams. Other processes see the driver's whole allocation, which can have other small blocks in it; blocks of 2
 * MiB and more have one to themselves.
 *
 * @param capacity  room in blob; 0: only whether it can be exported is checked, the length is told, and blob may be
 *                  NULL
 * @param blob      receives the bytes
 * @param length    receives how many
 *
 * SV_ERROR_DEVICE       host, pinned, managed or foreign memory
 * SV_ERROR_UNSUPPORTED  memory of a pool or of callbacks, adopted memory, memory of another process; there is no CUDA
 *                       device
 * SV_ERROR_CUDA         the driver failed; it cannot share memory of this device */
SV_API sv_status sv_buffer_export_ipc(const sv_buffer *buffer, size_t capacity, SV_OUT SV_OPT void *blob,
                                      SV_OUT SV_OPT size_t *length);

/** Open device memory of another process.
 *
 * The bytes are checked before a driver sees any of them, and the size with what the driver opened. Take them from
 * somebody trusted: whoever can write them chooses which memory is opened, and which part of it. The buffer is a
 * slice of one with SV_TRAIT_SHARED that has the whole allocation: one for all parts of it that are imported while it
 * lives. In the process that exported it, it is a slice of the buffer itself.
 *
 * @param blob    what sv_buffer_export_ipc() wrote
 * @param length  SV_IPC_NBYTES
 * @param flags   0 or SV_READ_ONLY; memory that was read-only is so anyway
 *
 * SV_ERROR_PROTOCOL  another length; damaged, or no such bytes at all; more memory than the driver opened
 * SV_ERROR_VERSION   written by a later version
 * SV_ERROR_DEVICE    this process does not see the device
 * SV_ERROR_STATE     this process exported it, and has closed, freed or moved it
 * SV_ERROR_CUDA      the driver failed; the memory is gone */
SV_API sv_status sv_buffer_import_ipc(const void *blob, size_t length, uint32_t flags, SV_OUT sv_buffer **out);

/** Bits of flags of sv_memory_collect(). */
enum {
    SV_COLLECT_WAIT = 1 /**< wait for the work that uses the memory */
};

/** Free the memory whose free had to wait when its buffer was released.
 *
 * That is what a device may have been using, and what finalisers left by sv_buffer_release_later(). An allocation of
 * the same kind of memory does so too; a program that has stopped to allocate calls this one. It also frees what
 * allocators of sv_allocator_cached() keep, and the pinned memory that libsv keeps for copies between CPU and CUDA
 * memory, unless a copy is using it.
 *
 * Deleters of adopted memory are called on this thread. In a process that was forked after a device was opened,
 * memory of devices stays as it is. The failure of a free, in a release or here, that was told by no other call, is
 * answered once: its memory is lost, and the next call goes on.
 *
 * @param flags  0: frees what no recorded work uses any more, which may wait for the device; SV_COLLECT_WAIT: waits
 *               for that work first
 * @param left   receives how many buffers still wait, or allocators that have ended and kept blocks */
SV_API sv_status sv_memory_collect(uint32_t flags, SV_OUT SV_OPT int64_t *left);

/** How much memory buffers own: what was allocated for them, and what they adopted with a function that frees it.
 *
 * @param kind   SV_MEMORY number; SV_MEMORY_UNKNOWN: all kinds together
 * @param stat   SV_STAT number: of LIVE, PEAK, TOTAL, DEFERRED, LOST and CACHED (else SV_ERROR_INVALID)
 * @param value  receives bytes, or a number of buffers */
SV_API sv_status sv_memory_stats(sv_memory kind, int32_t stat, SV_OUT int64_t *value);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_MEMORY_H */
