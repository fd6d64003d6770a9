/*
 * libsv: copies.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * A copy moves every element of one view to the place with the same index in another one, whatever the strides and
 * the kinds of memory of both. It can convert elements, and it broadcasts:
 *
 *     sv_copy(dst, src, 0, 0);                                 the same element type
 *     sv_copy(dst, src, SV_COPY_CAST, 0);                      float32 to float64, for example
 *     sv_copy(dst, src, SV_COPY_BLOCKING, stream);             a device is done on return
 *     sv_fill(dst, &zero, sizeof zero, 0, 0);                  one item everywhere
 *
 * sv_copy_scaled() multiplies and adds on the way, between all memory that copies go between. A plan keeps what a copy decides, for copies that are repeated.
 * sv_copy_batch() does many copies in one call. sv_copy_parallel() and sv_plan_with_threads() use threads of yours.
 *
 * The two kinds of memory decide who copies, in which order with the work on streams, what the call waits for, and what
 * is done when it returns. With SV_COPY_BLOCKING all is done, so that the stream is waited for. sv_copy_placement()
 * tells it of two views.
 *
 *     to \ from     CPU            CUDA           CUDA_HOST      ROCM_HOST      CUDA_MANAGED
 *     CPU           host           fetch          host           host           shared
 *     CUDA          send           within, peers  pinned         -              within
 *     CUDA_HOST     host           pinned         host           host           shared
 *     ROCM_HOST     host           -              host           host           shared
 *     CUDA_MANAGED  shared         within         shared         shared         managed
 *
 *              copied by                 stream of      waits for               done on return
 *     host     the host                  none           nothing                 all
 *     shared   the host                  any device     the stream and devices  all
 *     within   the device                the device     nothing                 nothing
 *     managed  the device of the stream  any device     nothing                 nothing
 *     pinned   the device                the device     nothing                 nothing
 *     send     the device                the device     a free ring             reading src
 *     fetch    the device                the device     the stream              all
 *     peers    the device of the stream  either device  nothing                 nothing
 *
 * - host: the stream is not read. Where a stream works on pinned memory, wait for it first, by
 *   sv_stream_synchronize().
 * - shared: devices without SV_PROPERTY_CONCURRENT_MANAGED are waited for as a whole, since the host may not use managed
 *   memory while any kernel runs there: no other thread may launch one, or capture a stream of the device, meanwhile.
 * - managed, peers: the device of a default stream is that of dst. The device numbers of managed memory do not matter
 *   otherwise. peers take scratch memory of the default pools of both devices.
 * - within, pinned, peers: both sides are in use until the stream is done. A kernel copies within a device; pinned
 *   memory is copied by the device's copy engine, by a kernel, or by both in chunks through scratch memory of the
 *   default pool.
 * - send, fetch: what is not one run of bytes on both sides goes in chunks through a ring, 16 MiB of pinned memory,
 *   which libsv keeps: sv_memory_collect() frees it. What is sent without a ring has arrived on return.
 * - Two sides of one device that share bytes need a temporary of the device's default pool. Without such a pool they go
 *   by way of the host, as managed memory that shares bytes does: the host waits as for shared, and all is done.
 * - Managed memory where sv_device_probe() does not answer SV_STATE_READY counts as CPU memory, since no device can
 *   have work on it.
 * - sv_fill(): a device fills its memory in the order of the stream, without waiting; managed memory is filled by the
 *   host, as for shared.
 */
#ifndef SV_COPY_H
#define SV_COPY_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- copy --------------------------------------------------------------- */

/** Bits of a copy's flags. */
enum {
    SV_COPY_NO_TEMP = 1,      /**< SV_ERROR_OVERLAP rather than a temporary */
    SV_COPY_TRUST = 2,        /**< the caller knows that no two elements of dst share a byte, if proof is too hard */
    SV_COPY_BLOCKING = 4,     /**< return when the elements have arrived, on devices too */
    SV_COPY_CAST = 8,         /**< convert to the same kind or a later one: bool, unsigned, signed, floating, complex */
    SV_COPY_CAST_UNSAFE = 16, /**< convert elements to any kind: fractions, signs and imaginary parts may be lost */
    SV_COPY_SWAP = 32,        /**< first reverse the bytes of each number of src, of complex ones those of each part */
    SV_COPY_NO_WAIT = 64,     /**< SV_ERROR_BLOCKED, and nothing is done, rather than wait for a device */
    SV_COPY_NON_TEMPORAL = 128 /**< the host stores past its caches, whatever the size, as it does for large copies */
};

/** Copy every element of src to the place with the same index in dst.
 *
 * src is broadcast to the shape of dst. Both may have any strides. If they share bytes, dst gets what src held before
 * the call: elements are copied in an order that allows it where there is one (both sides in the same order, moved,
 * spread or drawn together), are exchanged where two axes of equal extent of the same memory change places (a square
 * matrix transposed in place), and else go through a temporary of the size of src.
 *
 * @param dst     where to; neither read-only nor overlapping itself
 * @param src     where from; of the same dtype, unless SV_COPY_CAST or SV_COPY_CAST_UNSAFE is given
 * @param flags   SV_COPY bits, not both SV_COPY_BLOCKING and SV_COPY_NO_WAIT
 * @param stream  for devices and managed memory, see the first page
 *
 * SV_COPY_NON_TEMPORAL is for blocks of what as a whole is larger than the caches, and for what a processor reads that
 * shares no cache with this one: by non-temporal stores, as copies larger than the cache have them anyway. A smaller
 * copy whose result this processor reads next is slower by it. Devices do not know it, nor do instruction sets without such
 * stores, and a plan that was measured has the stores that were the fastest.
 *
 * SV_ERROR_READ_ONLY    dst is read-only
 * SV_ERROR_DTYPE        dtypes differ, and are not to be converted, or cannot be: opaque, below a byte, float128,
 *                       unlike numbers of lanes
 * SV_ERROR_LAYOUT       src does not broadcast to the shape of dst
 * SV_ERROR_OVERLAP      elements of dst share bytes, or may and SV_COPY_TRUST is not given; or src and dst share
 *                       bytes, or may, so that a temporary is needed, and SV_COPY_NO_TEMP is given
 * SV_ERROR_MEMORY       there is no room for a temporary; dst is as it was
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices
 * SV_ERROR_STATE        the call would wait for a stream that is being captured, or stream is a legacy default stream
 *                       that a captured one waits for; nothing is done, the capture stays valid. One that waits on a
 *                       stream that is not captured is not a part of any graph, and leaves captures of others valid
 * SV_ERROR_BLOCKED      SV_COPY_NO_WAIT is given, and the call would wait: for the stream, as all copies to CPU
 *                       memory do, or for another copy that uses pinned memory of libsv
 * SV_ERROR_CUDA         the CUDA runtime refused. Where it did so after the copy had begun, dst holds any mixture of
 *                       old and new
 *
 * Conversions give what NumPy's and ml_dtypes' do, in the default floating-point environment, with which C programs
 * begin. No number is clamped to the end of a range:
 *
 * - To a floating dtype: rounded once, to the nearest, ties to even. What is too large becomes infinity, or NaN where
 *   the dtype has no infinity. NaN stays NaN, on RISC-V without its sign and payload.
 * - To an integer dtype: the fraction is cut off, and the low bits are kept. NaN and infinities become 0.
 * - To bool: whether the number is not 0. From complex to real: the imaginary part is dropped.
 *
 * A call takes at most 16 KiB of stack, without what a callback of the caller takes, and at most 128 KiB of memory,
 * small copies mostly none; but about half a megabyte, at most one and a half, where the order of axes changes in
 * more memory than a cache holds. Without that memory the copy is slower, or done by one thread. */
SV_API sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream);

/** sv_copy() with memory of the caller's for what it needs on a device. That is for chunks that are rearranged there,
 * 4 MiB at most, and temporaries of the size of src where both sides share bytes. Copies of the host take none of it.
 *
 * @param scratch  of memory of the CUDA device that copies, between two devices that of the stream; NULL: its default
 *                 pool. The memory is allocated and freed by this call, in the order of the stream where the
 *                 allocator can. What the other device needs is always of its default pool
 *
 * SV_ERROR_INVALID  scratch allocates no memory of a CUDA device
 * SV_ERROR_DEVICE   scratch allocates memory of another device
 * and what sv_copy() and sv_buffer_new() answer. */
SV_API sv_status sv_copy_with(const sv_view *dst, const sv_view *src, SV_OPT const sv_allocator *scratch,
                              uint32_t flags, uintptr_t stream);

/** Copy and convert in one pass, with a scale and a bias: every element of dst becomes src * scale + bias. Pixels of
 * bytes become the numbers that a network wants, in its layout, and go back.
 *
 * It goes between the same kinds of memory as sv_copy(), in the same order with the work on streams, waits for the same
 * and is done on return as the first page tells. Where a device copies, its kernels scale; with CPU memory through a
 * ring, the side that lets the smaller elements cross the link does. All give the same bits.
 *
 * Numbers are multiplied in float32 where each side has elements of 8 or 16 bits or float32 (bool among them),
 * otherwise in float64; scale and bias are rounded to that first. The product is rounded before the bias is added, as
 * in NumPy's src.astype("f4") * scale + bias. What dst gets is rounded once more:
 *
 * - To an integer dtype: to the nearest whole number, even in a tie. What is out of its range becomes the end of the
 *   range; NaN becomes 0. (Conversions by sv_copy() cut off, and keep low bits.)
 * - To a floating dtype, and to bool: as by sv_copy().
 *
 * scale and bias are read before the call returns, and a graph that is captured has their numbers. A kernel has room
 * for about 290 numbers of each, of float64 half as many: a longer axis takes several launches. The call takes at most
 * 16 KiB of stack, and may run on any number of threads at a time that write different elements.
 *
 * @param src     where from; broadcast as by sv_copy(); any dtype of real numbers
 * @param scale   what elements are multiplied by; NULL only where nscale is 0 (else SV_ERROR_NULL)
 * @param nscale  0: elements are not multiplied; 1: all by one number; else the extent of axis: scale has a number
 *                for each of its indices
 * @param bias    what is added; NULL only where nbias is 0 (else SV_ERROR_NULL)
 * @param nbias   of bias, as nscale
 * @param axis    of dst; read only where nscale or nbias is more than 1
 * @param flags   SV_COPY bits. Elements are converted, whether SV_COPY_CAST and SV_COPY_CAST_UNSAFE are given or not
 * @param stream  for devices and managed memory, see the first page
 *
 * SV_ERROR_LAYOUT       nscale or nbias is not 0, not 1, and not the extent of axis
 * SV_ERROR_DTYPE        a side has no numbers, or such as sv_copy() does not convert
 * SV_ERROR_UNSUPPORTED  complex numbers
 * SV_ERROR_MEMORY       there is no room for about 100 KiB, in which the host works, or for a temporary
 * and what sv_copy() answers. Where src and dst share bytes but are not the same elements of one size, a temporary of
 * the size of src is needed. */
SV_API sv_status sv_copy_scaled(const sv_view *dst, const sv_view *src, SV_OPT const double *scale, int64_t nscale,
                                SV_OPT const double *bias, int64_t nbias, int32_t axis, uint32_t flags,
                                uintptr_t stream);

/** Many scaled copies: sv_copy_scaled(dst[i], src[i], ...) for each i, all with the same scale, bias and axis, as
 * sv_copy_batch() does many copies. failed and the order of the copies are those of that function. */
SV_API sv_status sv_copy_scaled_batch(int64_t count, sv_view *const *dst, sv_view *const *src,
                                      SV_OPT const double *scale, int64_t nscale, SV_OPT const double *bias,
                                      int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream,
                                      SV_OPT int64_t *failed);

/** Write one item to every element of dst, whatever its layout. A larger item can be had by sv_copy() from a view of
 * it, which is broadcast.
 *
 * @param dst       view to fill; neither read-only nor overlapping itself
 * @param item      what every element becomes: host memory of any alignment, also in dst, for it is read first
 * @param itemsize  bytes of item, those of an element of dst (else SV_ERROR_DTYPE), 1 to 16 (else SV_ERROR_RANGE)
 * @param flags     SV_COPY_TRUST and SV_COPY_BLOCKING
 *
 * SV_ERROR_UNSUPPORTED  no backend fills memory of this device
 * and what sv_copy() answers of dst and of a device. */
SV_API sv_status sv_fill(const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream);

/** Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with less overhead for each. It saves most where
 * neighbours have the same two layouts. All that can be refused is found before the first byte is written. What can
 * fail later, because it depends on memory or on a device, leaves the copies before that one done.
 *
 * Each copy reads its source before it writes. Copies between CPU memory are done in the order of i, one after
 * another. A copy with other memory can come before or after any other of the batch: where one of the two writes
 * bytes that the other reads or writes, those bytes are as after some order of the copies, on a device each byte for
 * itself. That is not looked for; what depends on an order goes into calls of its own.
 *
 * Small copies go up to 128 in one launch of a kernel: those of the same two layouts, and those of one run of bytes,
 * whatever its length. Small are up to 1 MiB within what one device reaches, 64 KiB with CUDA_HOST memory, and about
 * 32 KiB with CPU memory, which goes through pinned memory of libsv.
 *
 * @param failed  receives, when the call fails because of one of them, its place, which the message tells too; else
 *                it is left alone */
SV_API sv_status sv_copy_batch(int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags,
                               uintptr_t stream, SV_OPT int64_t *failed);

/** Copy arrays beside each other into one: src[0] to the first places along an axis of dst, src[1] to those behind them,
 * and so on. It is sv_copy_batch() of each source and its part of dst, and so are its order and what it refuses. Where
 * parts share cache lines of ordinary host memory, as columns of a matrix in C order do, all are copied together, block
 * by block, by way of a buffer of about 400 KiB; without memory for it one by one.
 *
 * @param axis    of dst
 * @param src     each has the shape of dst but for its extent along axis, or has no such axis and takes one place
 * @param flags   SV_COPY bits
 * @param failed  as for sv_copy_batch(); also of a source whose shape does not fit
 *
 * SV_ERROR_LAYOUT  a source does not fit, or all together do not fill dst
 * SV_ERROR_MEMORY  no memory for views of the parts; dst is as it was
 * and what sv_copy_batch() answers. */
SV_API sv_status sv_copy_stack(const sv_view *dst, int32_t axis, int64_t count, sv_view *const *src, uint32_t flags,
                               uintptr_t stream, SV_OPT int64_t *failed);

/** What a call waits for, on the host, as sv_copy_placement() answers. */
enum {
    SV_WAITS_NOTHING = 0, /**< nothing */
    SV_WAITS_RING = 1,    /**< copies before it that use the pinned memory of libsv, if all of that is in use */
    SV_WAITS_STREAM = 2,  /**< all that the stream holds */
    SV_WAITS_DEVICES = 3  /**< the same, and devices that do not have SV_PROPERTY_CONCURRENT_MANAGED */
};

/** What of a copy is done when the call returns, as sv_copy_placement() answers. */
enum {
    SV_DONE_NOTHING = 0, /**< it is in the order of the stream, which uses both sides until then */
    SV_DONE_READING = 1, /**< src has been read; the stream uses dst until then */
    SV_DONE_ALL = 2      /**< the elements have arrived */
};

/** By which way elements go, as sv_copy_placement() answers. */
enum {
    SV_METHOD_NOTHING = 0,        /**< there is nothing to do: no element, or each is its own source */
    SV_METHOD_DIRECT = 1,         /**< straight, or in chunks that the copy allocates by itself */
    SV_METHOD_RING = 2,           /**< in chunks through pinned memory of libsv */
    SV_METHOD_IN_PLACE = 3,       /**< the two sides share bytes: in an order that allows it, or by exchange */
    SV_METHOD_TEMPORARY = 4,      /**< they do, and src is first copied to a temporary beside it */
    SV_METHOD_HOST_TEMPORARY = 5, /**< the same of device or managed memory, and the temporary is on the host */
    SV_METHOD_TASKS = 6           /**< by the caller's threads, which sv_plan_explain() tells of plans with threads */
};

/** Tell how sv_copy(dst, src, flags, stream) would be done: by whom, in which order with the work on streams, and what
 * the call waits for. It is the row of the table on the first page, and more exact where the layouts and addresses are
 * known to do better. Nothing is copied, and nothing is put on the stream or waited for.
 *
 * by and the device depend on the kinds of memory alone (and the stream, as told there). Where no other answer is
 * asked for, nothing else is looked at.
 *
 * @param by           kind of the device that copies: SV_DEVICE_CPU, which is the host, or SV_DEVICE_CUDA
 * @param device_type  kind of the device whose stream orders the copy; SV_DEVICE_CPU: the stream is not read
 * @param device_id    its number. It tells whose default streams are meant, as for sv_stream_synchronize()
 * @param waits        SV_WAITS number
 * @param done         SV_DONE number
 * @param method       SV_METHOD number
 *
 * Statuses as for sv_copy(), but what only shows while it is done: no memory, a stream that is captured, a ring in
 * use. */
SV_API sv_status sv_copy_placement(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream,
                                   SV_OUT SV_OPT int32_t *by, SV_OUT SV_OPT int32_t *device_type,
                                   SV_OUT SV_OPT int32_t *device_id, SV_OUT SV_OPT int32_t *waits,
                                   SV_OUT SV_OPT int32_t *done, SV_OUT SV_OPT int32_t *method);

/* --- plan --------------------------------------------------------------- */

/** What sv_copy() decides before it moves a byte: which elements go where, and by which kernel. It is made once, and
 * executed with other addresses each time, by any threads at the same time. A plan keeps the layouts of the two views
 * but not their memory. */
typedef struct sv_plan sv_plan;

/** Plan the copy that sv_copy(dst, src, flags, ...) would do. The addresses of dst and src do not matter.
 *
 * Statuses as for sv_copy(), but what depends on addresses: that is for sv_plan_execute(). */
SV_API sv_status sv_plan_new(const sv_view *dst, const sv_view *src, uint32_t flags, SV_OUT sv_plan **out);

/** Plan the copy that sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, ...) would do. The plan keeps
 * the numbers of scale and bias. Its class is "cast", and sv_plan_explain() tells by what it scales.
 *
 * Statuses as for sv_copy_scaled(), but what depends on addresses: that is for sv_plan_execute(). */
SV_API sv_status sv_plan_new_scaled(const sv_view *dst, const sv_view *src, SV_OPT const double *scale, int64_t nscale,
                                    SV_OPT const double *bias, int64_t nbias, int32_t axis, uint32_t flags,
                                    SV_OUT sv_plan **out);

SV_API sv_plan *sv_plan_retain(SV_OPT const sv_plan *plan); /**< Add a reference. */
SV_API void sv_plan_release(SV_OPT SV_TAKE sv_plan *plan);  /**< Drop a reference. */

/** Copy between these addresses of the elements [0,...,0], as sv_view_data() gives them. That the memory is there, on
 * the devices of the plan, and that dst may be written, is the caller's word. Any alignment will do, and NULL where
 * there are no elements. Whether the two share bytes is found out each time, as sv_copy() does.
 *
 * SV_ERROR_OVERLAP      dst and src share bytes, or may, so that a temporary is needed, and the plan has
 *                       SV_COPY_NO_TEMP
 * SV_ERROR_UNSUPPORTED  they do, in memory that has no temporary
 * and what sv_copy() answers of a device. */
SV_API sv_status sv_plan_execute(const sv_plan *plan, SV_OPT void *dst, SV_OPT const void *src, uintptr_t stream);

/** Copy between these views: sv_plan_execute() with everything checked.
 *
 * SV_ERROR_READ_ONLY  dst is read-only
 * SV_ERROR_DTYPE      another dtype than that of the view that the plan was made of
 * SV_ERROR_LAYOUT     another shape, strides or item size
 * SV_ERROR_DEVICE     another device
 * and what sv_plan_execute() answers. */
SV_API sv_status sv_plan_execute_views(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream);

/** Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for each i. The same plan may be there often.
 * The order of the copies, failed and the statuses are those of sv_copy_batch(). */
SV_API sv_status sv_plan_execute_batch(int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src,
                                       uintptr_t stream, SV_OPT int64_t *failed);

/** Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i], stream) for each i. All are checked before
 * the first. The order of the copies, failed and the statuses are those of sv_copy_batch(). */
SV_API sv_status sv_plan_execute_views_batch(const sv_plan *plan, int64_t count, sv_view *const *dst,
                                             sv_view *const *src, uintptr_t stream, SV_OPT int64_t *failed);

/** Many executions of one plan, between addresses that lie in two arrays: sv_plan_execute(plan, dst[i], src[i],
 * stream) for each i, for pages of a cache and the like. Where the plan copies with memory that the kernels of a device
 * reach, an array may be in such memory too: up to 65,535 copies are then one launch, for which no address passes the
 * host, and which a graph may record; the arrays are read when the stream comes to it, and have to stay until then.
 * Arrays of CPU memory have been read when the call returns; for copies within a device, 512 addresses and more go to it
 * in one piece, and fewer, or in a graph, by 128 in a launch.
 *
 * The copies are done in any order, or at once. That no dst shares bytes with another dst or with a src is the caller's
 * word, as are the addresses in memory that the host does not read; those that it reads are all checked before the first
 * copy. An address of CUDA_HOST memory is one by which the device knows it, where the device reads the array.
 *
 * @param dst        one axis of addresses of elements [0,...,0], of SV_INT64 or SV_UINT64, at multiples of 8
 * @param src        as many, in memory of the same device as dst
 * @param alignment  a power of two of which all addresses are multiples: 16 and more give the fastest kernels. 0: the
 *                   largest one, up to 16, that divides the item sizes of both sides
 * @param failed     receives the place of an address that was read on the host and refused, or of a copy that failed
 *
 * SV_ERROR_DTYPE        dst or src has no 64-bit integers
 * SV_ERROR_LAYOUT       they do not have one axis each, or not as many addresses
 * SV_ERROR_ALIGNMENT    an address is no such multiple, or does not lie at a multiple of 8
 * SV_ERROR_INVALID      alignment is no power of two, and not 0
 * SV_ERROR_DEVICE       dst and src are in memory of different devices
 * SV_ERROR_UNSUPPORTED  who copies does not read their memory
 * and what sv_plan_execute() answers. */
SV_API sv_status sv_plan_execute_table(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment,
                                       uintptr_t stream, SV_OPT int64_t *failed);

/** What kind of copy it is, as static text; later versions may know more kinds. "empty", "contiguous", "rows",
 * "repeat", "reversed", "transpose", "gather", "scatter", "strided" or "cast". */
SV_API const char *sv_plan_class(const sv_plan *plan);

/** Name of the kernel that does it, as static text for eyes and tests, which may change from version to version.
 * "nothing" where there are no elements. A kernel of the host is the loop that runs on this processor for addresses
 * at which pages begin; others may be copied by another loop. */
SV_API const char *sv_plan_kernel(const sv_plan *plan);

/** Write what a plan does and why, in lines of English text for people. Nothing is copied.
 *
 * The text tells its canonical form, the traffic, and which loops of the host were asked before the one that does the
 * copy, marked "->", what each is for, its kind of stores, and the blocks, streams and prefetch distances that it
 * goes by (doc/tuning.md). It may change from version to version. A capacity of 16384 is always enough.
 *
 * The loop depends on the processor, its caches and where in a cache line both sides begin: the answer is of this
 * machine and these addresses.
 *
 * @param dst  address of the element [0,...,0], which is not read or written; NULL: one where a page begins
 * @param src  the same of the source */
SV_API sv_status sv_plan_explain(const sv_plan *plan, SV_OPT const void *dst, SV_OPT const void *src, size_t capacity,
                                 SV_OUT SV_OPT char *text, SV_OUT SV_OPT size_t *length);

SV_API int64_t sv_plan_nbytes(const sv_plan *plan); /**< Bytes that are written, each once. */

/** Bytes that go to and from memory, in whole cache lines of 64 bytes, where every line is moved once. It is an
 * estimate, exact where elements follow each other from the beginning of a line and gaps are lines. */
SV_API sv_status sv_plan_traffic(const sv_plan *plan, SV_OUT int64_t *read, SV_OUT int64_t *written);

/** How many operations one execution gives to a stream: launches of kernels and copies by a device's copy engine.
 *
 * 0 where the host does it all; 1 for copies within the memory of a device, but for those of 2^31 items and more.
 * Told for aligned addresses of two sides that share no bytes, and with all the memory for chunks that the copy asks
 * for; events and allocations are not counted. It takes longer the more chunks there are. */
SV_API int64_t sv_plan_launches(const sv_plan *plan);

/* --- threads ------------------------------------------------------------ */

/** One of the tasks that a copy is split into. Any thread may call it; it fails silently, for the copy tells. */
typedef void (*sv_task_callback)(void *ctx, int64_t index);

/** The caller's threads: calls task(task_ctx, index) once for each index from 0 to count - 1.
 *
 * It does so in any order, by any threads, this one among them or not, and returns when all calls have returned.
 * libsv has no threads of its own. Tasks never wait for each other, so any number of threads will do, and all indices
 * in one thread. Returns SV_OK; or an error, and then it must still not return before the calls that it has begun.
 * examples/threads.c has one for OpenMP and one for a pool of POSIX threads.
 *
 * It also sees how far a copy is: one that calls the tasks on this thread, one after the other, may tell in between how
 * many of count are done, and end the copy by returning an error (in_turn() there). */
typedef sv_status (*sv_parallel_callback)(void *ctx, int64_t count, sv_task_callback task, void *task_ctx);

/** sv_copy() by several threads of the caller.
 *
 * Copies between host memories are split where they move 1 MiB or more, in cache lines of both sides together as
 * sv_plan_traffic() predicts them, or 256 KiB where items do not move in runs (classes other than contiguous, rows
 * and repeat): along whole cache lines of the destination, into one task for each thread, and about four where these
 * are as large. Of a copy between ordinary memory and a device the host's part is split so, chunk by chunk: run is
 * called for each, and must not wait for threads that are in such a copy themselves. Smaller copies, others with a
 * device, and those of a source and a destination that share bytes are done as by sv_copy(), and run is not called.
 *
 * The smallest that are split pay only with threads that are awake, as OpenMP's are for a while. Waking threads takes
 * as long as a copy of some MiB: where run must do that, threads is best 1 below about 8 MiB, in runs 16 MiB.
 *
 * @param threads  how many threads run has, 1 or more
 * @param run      the caller's threads; NULL only where threads is 1
 * @param ctx      what run needs
 *
 * Statuses as for sv_copy(), the first failure of a task among them, told on this thread; what run answered, if that
 * is an error; and
 * SV_ERROR_STATE  run called a task twice (the second call does nothing), one that is none, or not all
 * After these dst may be written in part. */
SV_API sv_status sv_copy_parallel(const sv_view *dst, const sv_view *src, int32_t threads,
                                  SV_OPT sv_parallel_callback run, SV_OPT void *ctx, uint32_t flags, uintptr_t stream);

/** sv_copy_scaled() by several threads of the caller, where sv_copy_parallel() would share a copy that converts.
 *
 * That is from 256 KiB of both sides on, in place too. One that needs a temporary is done by this thread. Else all is as
 * for the two functions; after what sv_copy_parallel() answers about threads and run, dst may be written in
 * part. */
SV_API sv_status sv_copy_scaled_parallel(const sv_view *dst, const sv_view *src, SV_OPT const double *scale,
                                         int64_t nscale, SV_OPT const double *bias, int64_t nbias, int32_t axis,
                                         int32_t threads, SV_OPT sv_parallel_callback run, SV_OPT void *ctx,
                                         uint32_t flags, uintptr_t stream);

/** The same plan, executed by several threads of the caller, as sv_copy_parallel() does. run is called by each
 * execution, so it is to serve as many at a time as there are. ctx is what it needs, while the plan is executed. */
SV_API sv_status sv_plan_with_threads(const sv_plan *plan, int32_t threads, SV_OPT sv_parallel_callback run,
                                  SV_OPT void *ctx, SV_OUT sv_plan **out);

/** The same plan with memory of the caller's, as for sv_copy_with(); NULL: the default pool. */
SV_API sv_status sv_plan_with_allocator(const sv_plan *plan, SV_OPT const sv_allocator *scratch, SV_OUT sv_plan **out);

/** The same plan, done by the loop that is the fastest on this memory.
 *
 * The loops of the host that can do the copy are timed, the likeliest first: for copies that are executed thousands
 * of times. Every loop does the whole copy, so dst holds the copy on return, even if the plan has SV_COPY_NO_WAIT. A
 * loop that is clearly slower than another is dropped; measuring ends when one is left, when the difference is
 * certain, or when the time is over. What sv_plan_new() chose stays unless another loop is faster by more than 3 %.
 * Times are of repeated copies between the same arrays, which are in the caches as far as they fit.
 *
 * Nobody else may use dst during the call. The new plan is as any other: several threads may execute it at a time,
 * between any addresses. Where its loop cannot do a copy, because the memory is aligned in another way or there is no
 * memory for a block, the loop that sv_plan_new() would choose does it. sv_plan_kernel() tells the loop,
 * sv_plan_explain() all times. A plan of sv_plan_with_threads() is measured with its threads; made from a measured
 * plan, it keeps the loop. A measured plan can be measured again, and begins anew.
 *
 * Where there is nothing to choose from, the copy is done and the new plan is like the given one: with a device,
 * without a clock, without elements, and where one loop alone can do the copy.
 *
 * @param limit_ns  time limit in nanoseconds; 0: one second. The runs that have begun end, and the chosen loop is
 *                  always run
 *
 * Statuses as for sv_plan_execute_views(), and
 * SV_ERROR_OVERLAP  dst and src are host memory and share bytes, or may
 * SV_ERROR_STATE    the copy is a device's, and its stream is being captured
 * SV_ERROR_MEMORY   out of memory; dst may be written */
SV_API sv_status sv_plan_measure(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns,
                                 uintptr_t stream, SV_OUT sv_plan **out);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_COPY_H */
