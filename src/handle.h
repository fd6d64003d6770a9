/* What every handle begins with: a tag, poisoned when freed, and a count of references. */
#ifndef SVI_HANDLE_H
#define SVI_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "status.h"

enum {
    SVI_TAG_LAYOUT = 0x53564c31,
    SVI_TAG_BUILDER = 0x53564231,
    SVI_TAG_VIEW = 0x53565631,
    SVI_TAG_PLAN = 0x53565031,
    SVI_TAG_DEAD = 0x5356dead
};

struct svi_handle {
    uint32_t tag;
    atomic_int_least64_t references;
};

static inline void svi_handle_init(struct svi_handle *handle, uint32_t tag)
{
    handle->tag = tag;
    atomic_init(&handle->references, 1);
}

static inline void svi_handle_retain(const struct svi_handle *handle)
{
    atomic_fetch_add_explicit(&((struct svi_handle *)handle)->references, 1, memory_order_relaxed);
}

/* True when that was the last reference: the caller frees. Who holds the only one need not count it down. */
static inline bool svi_handle_drop(struct svi_handle *handle)
{
    if (atomic_load_explicit(&handle->references, memory_order_acquire) != 1 &&
        atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) != 1)
        return false;
    handle->tag = SVI_TAG_DEAD;
    return true;
}

/* NULL is none, and under --enable-checks neither is anything but a live handle of this type. */
static inline bool svi_handle_is(const struct svi_handle *handle, uint32_t tag)
{
#ifdef SVI_CHECKS
    return handle != NULL && handle->tag == tag;
#else
    (void)tag;
    return handle != NULL;
#endif
}

static inline sv_status svi_handle_check(const struct svi_handle *handle, uint32_t tag, const char *name)
{
    if (svi_handle_is(handle, tag))
        return SV_OK;
    if (handle == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL", name);
    return svi_fail(SV_ERROR_STATE, "%s is %s", name, handle->tag == SVI_TAG_DEAD ? "freed" : "another handle");
}

#endif
