/*
 * What moves bytes. A backend gets a plan and two addresses and never checks
 * them again: handles, dtypes, bounds and overlap are the front end's.
 */
#ifndef SVI_BACKEND_H
#define SVI_BACKEND_H

#include <stdbool.h>

#include "plan.h"
#include "status.h"

struct svi_device {
    int32_t type; /* SV_DEVICE number */
    int32_t id;
};

enum { SVI_DETAIL = 256 }; /* bytes of what a probe says */

typedef sv_status svi_run(const struct svi_plan *plan, char *dst, const char *src, const void *with);

/* What a backend decides about a plan before there are addresses. */
struct svi_choice {
    const char *kernel; /* its name: static text, for tests and users' eyes */

    /* Does what copy does, where neither devices nor a stream matter. NULL: copy is needed. */
    svi_run *run;
    const void *with;
};

struct svi_backend {
    const char *name;

    /* Device types that its probe answers for. */
    bool (*owns)(int32_t device_type);

    /* State of a device type it owns. Never fails; loads drivers on the first call. detail, of
     * SVI_DETAIL bytes, gets one line of words; the device's name goes before it elsewhere. */
    sv_device_state (*probe)(int32_t device_type, int32_t *count, char *detail);

    /* Whether it copies between these two. Called before copy, without loading drivers. */
    bool (*reaches)(struct svi_device dst, struct svi_device src);

    bool casts; /* plans of SVI_CLASS_CAST too */

    void (*choose)(const struct svi_plan *plan, struct svi_choice *out);

    /* dst and src are the addresses of the elements [0,...,0]; the plan's offsets are added here.
     * blocking: return when the bytes have arrived. Sets the message when it fails. */
    sv_status (*copy)(const struct svi_plan *plan, struct svi_device dst_device, void *dst,
                      struct svi_device src_device, const void *src, uintptr_t stream, bool blocking);

    /* The same for two sides that share bytes, by one of in_place.h's ways but SVI_WAY_NONE. NULL: by none. */
    void (*copy_in_place)(const struct svi_plan *plan, int32_t way, void *dst, const void *src);

    /* Device types whose streams it puts in order. */
    bool (*orders)(int32_t device_type);

    /* Records where other stands and lets stream wait for that, without waiting itself. The two differ. device is that
     * of the default streams. Sets the message when it fails, as does the next one. */
    sv_status (*wait)(struct svi_device device, uintptr_t stream, uintptr_t other);

    /* Returns when the stream has nothing left to do. */
    sv_status (*synchronize)(struct svi_device device, uintptr_t stream);
};

extern const struct svi_backend svi_host;
extern const struct svi_backend svi_cuda; /* absent.c when CUDA is not built: same name, SV_DEVICE_NO_BACKEND */

/* The table of backends, in the order they are asked. */
extern const struct svi_backend *const svi_backends[];
extern const int svi_backend_count;

/* NULL when none reaches both. */
const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src);

/* The same; most copies are within ordinary memory. */
static inline const struct svi_backend *svi_backend_for(struct svi_device dst, struct svi_device src)
{
    return dst.type == SV_DEVICE_CPU && src.type == SV_DEVICE_CPU ? &svi_host : svi_backend_search(dst, src);
}

/* NULL when none knows streams of this device type. */
const struct svi_backend *svi_backend_of_streams(int32_t device_type);

#endif
