/*
 * The calls of a driver by which copies are done. gpu/cuda/ fills this table with CUDA's, launch_count.c one with calls
 * that only count. Nothing here is of a driver's types: streams are numbers as everywhere, 0 the default one, and
 * events are the driver's pointers.
 *
 * Each call sets the message when it fails, and leaves no error pending in the driver.
 */
#ifndef SVI_GPU_CALLS_H
#define SVI_GPU_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct svi_gpu_ring;
struct svi_launch_shape;
struct svi_plan;
struct svi_threads;

/* Where the work of a copy goes: a stream of a device, by the calls of its driver. */
struct svi_gpu_queue {
    const struct svi_gpu_calls *calls;
    int device;
    uintptr_t stream;
    void *state; /* of the calls, where they need more than this; CUDA's have none */
};

/* What the copy engine does in one call: rows of width bytes, and planes of such rows. */
struct svi_gpu_rows {
    void *dst;
    const void *src;
    int64_t width, rows, planes;
    int64_t dst_pitch, src_pitch;   /* bytes from row to row */
    int64_t dst_height, src_height; /* rows from plane to plane, where there are several */
};

/* Memory of a device that a copy has for itself, in the order of a stream. */
struct svi_gpu_scratch {
    char *memory; /* NULL: there is none */
    int64_t nbytes;
    int device;
    bool own_pool; /* the driver's note: it is of a pool of libsv's own */
};

/* What a call changes of its thread for its own duration: the current device, and how the thread takes calls that a
 * stream capture forbids. */
struct svi_gpu_scope {
    int device, before;
    bool is_relaxed;
    int mode; /* of the thread, where is_relaxed: the driver's number */
};

enum { SVI_GPU_ANY_DEVICE = -1 /* the one that is current */ };

struct svi_gpu_calls {
    /* Work in the order of the queue's stream. Its device is the thread's, which it stays. */
    sv_status (*copy)(const struct svi_gpu_queue *queue, void *dst, const void *src, int64_t nbytes);
    sv_status (*copy_rows)(const struct svi_gpu_queue *queue, const struct svi_gpu_rows *rows);
    sv_status (*copy_peer)(const struct svi_gpu_queue *queue, void *dst, int dst_device, const void *src,
                           int src_device, int64_t nbytes);
    sv_status (*launch)(const struct svi_gpu_queue *queue, struct svi_launch_shape *shape, void *dst, const void *src);

    /* The part of a copy that the host does, before it returns; by threads of the caller where there are any. */
    sv_status (*copy_on_host)(const struct svi_plan *plan, void *dst, const void *src,
                              const struct svi_threads *threads);

    /* Memory of a device in the order of the queue's stream, which may be of another device.
     * SV_ERROR_UNSUPPORTED or SV_ERROR_MEMORY where there is none. */
    sv_status (*allocate_scratch)(const struct svi_gpu_queue *queue, int device, int64_t nbytes,
                                  struct svi_gpu_scratch *out);
    sv_status (*free_scratch)(const struct svi_gpu_queue *queue, const struct svi_gpu_scratch *scratch);

    /* Pinned memory, which all devices reach. */
    sv_status (*allocate_pinned)(int64_t nbytes, void **out);
    void (*free_pinned)(void *memory);

    /* By which address devices reach pinned memory; NULL: by none. */
    sv_status (*find_mapped)(const void *pinned, char **out);

    /* A stream of the thread's device that waits for no other, and no other for it. Ends when its work is done. */
    sv_status (*new_stream)(uintptr_t *out);
    sv_status (*end_stream)(uintptr_t stream);
    sv_status (*synchronize)(const struct svi_gpu_queue *queue);
    sv_status (*is_captured)(const struct svi_gpu_queue *queue, bool *out);

    /* Events of the thread's device: where a stream stands at the call of record, for which a stream or the host waits.
     * An event ends when that has come. */
    sv_status (*new_event)(void **out);
    sv_status (*end_event)(void *event);
    sv_status (*record)(const struct svi_gpu_queue *queue, void *event);
    sv_status (*wait)(const struct svi_gpu_queue *queue, void *event);
    sv_status (*await_event)(void *event);
    sv_status (*is_done)(void *event, bool *out);

    /* For calls that no stream puts in order, such as allocations: makes device the thread's, while captures stay
     * valid. */
    sv_status (*begin)(int device, struct svi_gpu_scope *scope);

    /* Gives back what begin changed. Returns status, unless that is SV_OK and giving back fails. */
    sv_status (*end)(const struct svi_gpu_scope *scope, sv_status status);

    /* The thread's device alone, for work. */
    sv_status (*enter)(int device, int *before);
    sv_status (*leave)(int device, int before, sv_status status);

    struct svi_gpu_ring *rings; /* ring_count of them, with such events and such pinned memory */
    int ring_count;
};

#endif
