/*
 * libsv: devices and streams.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * This header tells which kinds of devices there are, whether they can be used here, and what they can do; and it
 * orders the work of their streams. A program that uses host memory only needs none of it.
 *
 *     sv_device_probe(SV_DEVICE_CUDA, &state, &count);          state is SV_STATE_READY where CUDA can be used
 *     sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_MEMORY_FREE, &bytes);
 *     sv_stream_synchronize(SV_DEVICE_CUDA, 0, stream);         what was put on the stream is done
 *
 * A stream is a number: 0 (the runtime's) and 1 (DLPack's) the legacy default stream of the device, 2 the calling
 * thread's default stream, else the runtime's handle, which belongs to a device of its own. 2 is another stream on
 * each thread: as an argument it is that of the thread that calls. What a buffer keeps of it is that of the thread
 * that named it. On any other thread the buffer goes by the legacy default stream instead, which waits for those of
 * all threads. Host memory has no streams: work on it is done when its call returns. Which copies a stream orders is
 * told on the first page of sv/copy.h.
 */
#ifndef SV_DEVICE_H
#define SV_DEVICE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- device ------------------------------------------------------------- */

/** Kinds of memory, numbered as DLPack (1.3) numbers devices. */
enum {
    SV_DEVICE_CPU = 1,
    SV_DEVICE_CUDA = 2,
    SV_DEVICE_CUDA_HOST = 3,
    SV_DEVICE_OPENCL = 4,
    SV_DEVICE_VULKAN = 7,
    SV_DEVICE_METAL = 8,
    SV_DEVICE_VPI = 9,
    SV_DEVICE_ROCM = 10,
    SV_DEVICE_ROCM_HOST = 11,
    SV_DEVICE_EXT = 12,
    SV_DEVICE_CUDA_MANAGED = 13,
    SV_DEVICE_ONEAPI = 14,
    SV_DEVICE_WEBGPU = 15,
    SV_DEVICE_HEXAGON = 16,
    SV_DEVICE_MAIA = 17,
    SV_DEVICE_TRN = 18
};

/** Facts of a kind of memory, as bits of sv_device_traits(). */
enum {
    SV_TRAIT_HOST = 1,    /**< the host reads and writes it */
    SV_TRAIT_CUDA = 2,    /**< kernels on CUDA devices read and write it */
    SV_TRAIT_MANAGED = 4, /**< a driver moves it between host and devices */
    SV_TRAIT_HANDLES = 8, /**< the data pointer is a handle, which offsets must not be added to */

    /* of single allocations, never of a kind of memory: */
    SV_TRAIT_READ_ONLY = 16,  /**< libsv must not write it */
    SV_TRAIT_ORDERED = 32,    /**< allocated and freed in the order of a stream, from a pool */
    SV_TRAIT_REGISTERED = 64, /**< pages of the host that were page-locked after they had been allocated */
    SV_TRAIT_SHARED = 128     /**< it belongs to another process */
};

/** Name of a kind of memory, for programs and their output: "cpu", "cuda", "cuda_host", "cuda_managed", "oneapi". It
 * is the end of the constant's name in lower case, as static text; NULL for a number that no device type has. */
SV_API const char *sv_device_name(int32_t device_type);

/** The SV_TRAIT bits that hold for all memory of a kind; 0 for a number that no device type has. They hold whether or
 * not its devices can be used here (see sv_device_probe()). Some machines allow more, such as CUDA kernels that read
 * all memory of the host. */
SV_API uint32_t sv_device_traits(int32_t device_type);

/** Whether a kind of device can be used, and if not, what is missing. */
typedef int32_t sv_device_state;

enum {
    SV_STATE_READY = 0,          /**< one or more devices answer */
    SV_STATE_NO_BACKEND = 1,     /**< this build has no code for it */
    SV_STATE_NO_DRIVER = 2,      /**< no driver is installed */
    SV_STATE_DRIVER_TOO_OLD = 3, /**< the driver is older than the runtime in this library */
    SV_STATE_NO_DEVICE = 4,      /**< a driver, but no device */
    SV_STATE_STUB_DRIVER = 5,    /**< only the toolkit's stub library was found in the driver's place */
    SV_STATE_BROKEN = 6          /**< the driver answers with another error */
};

/** Find out whether a kind of device can be used, and how many there are: 0 unless ready. Managed memory can where
 * CUDA devices can; pinned memory is the host's, and needs no driver. The first call for CUDA loads the driver, which
 * can take a second; later ones answer at once. */
SV_API sv_status sv_device_probe(int32_t device_type, SV_OUT sv_device_state *state, SV_OUT SV_OPT int32_t *count);

/** Write in words what sv_device_probe() finds, versions included. "CUDA: no driver is installed (libsv was built with
 * runtime 13.0)". */
SV_API sv_status sv_device_text(int32_t device_type, size_t capacity, SV_OUT SV_OPT char *text,
                                SV_OUT SV_OPT size_t *length);

/** Numbers that describe a device, for sv_device_property(). */
enum {
    SV_PROPERTY_MEMORY_TOTAL = 1,       /**< bytes of memory */
    SV_PROPERTY_MEMORY_FREE = 2,        /**< bytes of memory that can be had at the moment */
    SV_PROPERTY_PAGEABLE_ACCESS = 3,    /**< 1: kernels read and write ordinary memory of the host */
    SV_PROPERTY_CONCURRENT_MANAGED = 4, /**< 1: host and device may use managed memory at the same time */
    SV_PROPERTY_POOLS = 5,              /**< 1: stream-ordered pools of device memory */
    SV_PROPERTY_HOST_POOLS = 6,         /**< 1: stream-ordered pools of pinned memory */
    SV_PROPERTY_MANAGED_POOLS = 7,      /**< 1: stream-ordered pools of managed memory */
    SV_PROPERTY_IPC = 8,                /**< 1: device memory can be shared with other processes */
    SV_PROPERTY_COMPUTE_CAPABILITY = 9, /**< 10 * major + minor, such as 90 */
    SV_PROPERTY_MULTIPROCESSORS = 10    /**< how many there are */
};

/** Ask for an SV_PROPERTY number that describes a device; SV_ERROR_DEVICE if no device is ready.
 *
 * Of the host only its memory is told; its other properties are 0. Pinned memory is of the host, managed memory of a
 * CUDA device. Asking for the free memory of a CUDA device opens that device, which can take a second and some of its
 * memory. The thread's current device stays as it is. */
SV_API sv_status sv_device_property(int32_t device_type, int32_t device_id, int32_t property, SV_OUT int64_t *value);

/* --- stream ------------------------------------------------------------- */

/** Let a stream wait for another: what is put on stream from now on starts after all that other holds now.
 *
 * The host does not wait. A stream never waits for itself, so for two that are the same nothing is done and no driver
 * is needed. Types and numbers of devices are those of the memory that the streams work on. They tell which default
 * streams are meant; any other stream belongs to one device by itself.
 *
 * @param stream             the stream that shall wait
 * @param other_device_type  with SV_DEVICE_CPU there is nothing to wait for
 * @param other              the stream whose work comes first
 *
 * SV_ERROR_INVALID      SV_DEVICE_CPU would wait for a device: that is sv_stream_synchronize()
 * SV_ERROR_UNSUPPORTED  no backend knows streams of a device type, or of both together
 * SV_ERROR_STATE        a stream is being captured into a graph that cannot hold the wait: stream, while other is
 *                       not, or other, while stream is a legacy default stream. Nothing is done, and the capture
 *                       stays valid. Any other stream that waits for a captured one joins it */
SV_API sv_status sv_stream_wait(int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type,
                                int32_t other_device_id, uintptr_t other);

/** Wait, on the host, until all that a stream holds is done. With SV_DEVICE_CPU this returns at once.
 *
 * SV_ERROR_UNSUPPORTED  no backend knows streams of the device type
 * SV_ERROR_STATE        the stream is being captured, or is a legacy default stream that a captured one waits for;
 *                       the capture stays valid
 * SV_ERROR_CUDA         also tells of work that failed */
SV_API sv_status sv_stream_synchronize(int32_t device_type, int32_t device_id, uintptr_t stream);

/** Ask which device a stream belongs to, and whether it is being captured into a graph, so that what is put on it is
 * recorded and runs later. No capture is harmed by the question.
 *
 * @param device_id  the device that default streams are of
 * @param owner      receives the number of the device; NULL: not needed
 * @param captured   receives 1 or 0, which it always is of the host and of the legacy default stream; NULL: not needed
 *
 * SV_ERROR_UNSUPPORTED  no backend knows streams of the device type */
SV_API sv_status sv_stream_query(int32_t device_type, int32_t device_id, uintptr_t stream,
                                 SV_OPT SV_OUT int32_t *owner, SV_OPT SV_OUT int32_t *captured);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_DEVICE_H */
