/*
 * What moves bytes. A backend gets a plan and two addresses and never checks
 * them again: handles, dtypes, bounds and overlap are the front end's.
 */
#ifndef SVI_BACKEND_H
#define SVI_BACKEND_H

#include <stdbool.h>

#include "backend/device.h"
#include "backend/memory.h"
#include "backend/placement.h"
#include "backend/tasks.h"
#include "plan/plan.h"
#include "base/status.h"
#include "base/text.h"

enum { SVI_DETAIL = 256 }; /* bytes of what a probe says */

typedef sv_status svi_run(const struct svi_plan *plan, char *dst, const char *src, const void *with);

/* What a backend decides about a plan before there are addresses. */
struct svi_choice {
    const char *kernel; /* its name: static text, for tests and users' eyes; NULL: the backend's kernel() tells it */

    /* Does what copy does, where neither devices nor a stream matter. NULL: copy is needed. */
    svi_run *run;
    const void *with;
};

/* Where a copy gets device memory for itself, in the order of a stream. */
struct svi_scratch_source {
    /* See struct svi_driver: allocate sets the message when it fails. */
    sv_status (*allocate)(void *ctx, int64_t nbytes, uintptr_t stream, void **out);
    void (*free)(void *ctx, void *pointer, int64_t nbytes, uintptr_t stream);
    void *ctx;
    struct svi_device device; /* whose memory it is */
};

/* One copy, as a backend is asked for it. */
struct svi_request {
    const struct svi_plan *plan;
    struct svi_device dst_device;
    void *dst; /* address of the element [0,...,0], to which the backend adds the plan's offset; src too */
    struct svi_device src_device;
    const void *src;
    uintptr_t stream;
    uint32_t flags; /* SV_COPY bits. SV_COPY_BLOCKING: return when the bytes have arrived; the others were checked */
    const struct svi_scratch_source *scratch; /* NULL: the backend's own */
    const struct svi_threads *threads; /* for the parts of it that the host does; NULL: none but this one */
};

/* One of many copies. */
struct svi_transfer {
    char *dst;
    const char *src;
    int64_t nbytes; /* of a run of bytes; where there is a plan it is not used */
};

/* The addresses of many copies, in two arrays of as many, each of 8 bytes at a multiple of 8. */
struct svi_table {
    int64_t count;
    struct svi_device device; /* in whose memory both arrays are */
    const char *dst, *src;    /* the first of each */
    int64_t dst_step, src_step; /* bytes from one to the next, of any sign */
    int64_t alignment; /* a power of two, 1 to 16, of which all addresses are multiples */
};

enum { SVI_TRANSFERS = 128 /* that a backend gets at a time */ };

/* A loop that can do a plan. Its backend alone knows what loop and form are. */
struct svi_candidate {
    const char *name; /* static text, for users' eyes */
    const struct svi_loop *loop; /* NULL: what is chosen for a cache of the size below */
    const struct svi_form *form; /* whose list has the loop; NULL: the list that is asked before those of the forms */
    int64_t cache;     /* assumed size of the last-level cache: the machine's, 0 or INT64_MAX */
    bool beyond_cache; /* whether the copy is larger than that, which decides the kind of stores */
    bool refused;      /* it can do the plan, but refuses: others should be faster */
};

enum { SVI_CANDIDATES = 32 }; /* more than any copy has */

struct svi_backend {
    const char *name;

    enum svi_family family; /* whose device types its probe answers for, and whose streams it puts in order */

    /* State of a device type it owns. Never fails; loads drivers on the first call. detail, of
     * SVI_DETAIL bytes, gets one line of words; the device's name goes before it elsewhere. */
    sv_device_state (*probe)(int32_t device_type, int32_t *count, char *detail);

    uint32_t relations; /* that it copies between: a bit for each of enum svi_relation; 0: it is not in this build */
    bool converts;  /* it copies through a chain of one step or more, too: plans of SVI_CLASS_CAST */
    bool splits;    /* parts of a plan may be copied by several threads of the caller, each of which it waits for */

    /* Between devices that it copies between, since what runs a plan may depend on the route. */
    void (*choose)(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, struct svi_choice *out);

    /* What users may ask of a plan, so late that copies need not find it out: the name of what runs it, NULL where
     * choose tells it; and how many operations it gives to a stream, NULL for none. The plan is not empty. */
    const char *(*kernel)(const struct svi_plan *plan, struct svi_device dst, struct svi_device src);
    int64_t (*launches)(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags);

    /* Why, in words, for addresses of elements [0,...,0]; NULL: any where pages begin. kept: the loop that measuring
     * kept; NULL: none. NULL: nothing but the kernel. */
    void (*explain)(const struct svi_plan *plan, void *dst, const void *src, const struct svi_candidate *kept,
                    struct svi_text *out);

    /* Lists the loops that can do a plan, not empty, between two addresses, and returns their count, 1 or more. The
     * first is what copy would choose; the others follow in the order in which copy asks them, those that refuse it at
     * the end. out: room for SVI_CANDIDATES. NULL: the backend has no loops to choose from, or does not tell them. */
    int (*candidates)(const struct svi_plan *plan, void *dst, const void *src, struct svi_candidate *out);

    /* Does a plan by the candidate with, which was found for this plan or for one that it is a part of. Where that loop
     * cannot do it between these addresses, or has no memory, what copy would choose does. NULL where candidates is. */
    svi_run *run_candidate;

    /* The candidate for SV_COPY_NON_TEMPORAL, of any plan: no loop but what copy chooses for copies beyond the cache. NULL:
     * the backend has no such stores. */
    const struct svi_candidate *non_temporal;

    /* Which device a stream that is no default one belongs to. NULL: there are no such streams. */
    sv_status (*find_stream_device)(uintptr_t stream, struct svi_device given, int *out);

    /* Whether a copy on the device, of addresses that may be NULL, goes through a ring of pinned memory,
     * SV_METHOD_RING. NULL: never. */
    bool (*is_ringed)(const struct svi_request *request, int device);

    /* Between two sides that share no bytes or, of a plan that scales, are the same items of one size in one order. Sets
     * the message when it fails. */
    sv_status (*copy)(const struct svi_request *request);

    /* Fills dst with the item that src is, which is read before it returns, and waits for nothing. The plan has up to
     * fill_axes axes, and a source that stands still. NULL: fills go by driver->set and copies. */
    sv_status (*fill)(const struct svi_request *request);
    int32_t fill_axes;

    /* Whether copies by this plan are better done many at a time, by copy_batched. NULL: never. */
    bool (*batches)(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags);

    /* 1 to SVI_TRANSFERS copies, each between two sides that share no bytes, in any order or all at once: by the
     * request's plan between addresses as for copy, or, where its plan is NULL, of runs of bytes. The addresses of the
     * request are not used. Where it fails, some may have been done. */
    sv_status (*copy_batched)(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers);

    /* Whether copies between two devices may be asked of copy_table with a table in memory of a third. NULL: never. */
    bool (*reads_table)(struct svi_device dst, struct svi_device src, struct svi_device table);

    /* 1 or more copies by the request's plan, in any order or all at once, between the addresses of a table. None of
     * the sides shares bytes with another. The addresses of the request are not used. */
    sv_status (*copy_table)(const struct svi_request *request, const struct svi_table *table);

    /* What copy does, for two sides that share bytes, by one of in_place.h's ways but SVI_WAY_NONE. NULL: by none. */
    void (*copy_in_place)(const struct svi_plan *plan, int32_t way, void *dst, const void *src);

    /* Records where other stands and lets stream wait for that, without waiting itself. The two differ, and it orders
     * both device types. Sets the message when it fails, as does the next one. */
    sv_status (*wait)(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other);

    /* Returns when the stream has nothing left to do. */
    sv_status (*synchronize)(struct svi_device device, uintptr_t stream);

    /* Of which device of its driver a stream is, and whether it is being captured into a graph; NULL: all streams are of
     * the device that is given, and there are no graphs. */
    sv_status (*query_stream)(struct svi_device device, uintptr_t stream, int32_t *device_id, bool *is_captured);

    /* Returns when the host may use managed memory that the stream has used, too: some devices must be idle then. */
    sv_status (*await_managed)(struct svi_device device, uintptr_t stream);

    const struct svi_driver *driver; /* NULL: it allocates none */
};

#endif
