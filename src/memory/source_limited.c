/* A limit on what is in use: bytes are reserved before the base is asked, and given back when it fails or has freed. */
#include <inttypes.h>

#include "memory/allocator.h"

struct limited {
    sv_allocator allocator;
    int64_t most;
    atomic_int_least64_t used;
};

static struct limited *limited_of(const sv_allocator *self)
{
    return (struct limited *)self;
}

static sv_status reserve_bytes(struct limited *limited, int64_t nbytes)
{
    int_least64_t used = atomic_load_explicit(&limited->used, memory_order_relaxed);

    do
        if (nbytes > limited->most - used)
            return svi_fail(SV_ERROR_MEMORY,
                            "no memory for %" PRId64 " bytes: the limit is %" PRId64 ", and %" PRId64 " are in use",
                            nbytes, limited->most, (int64_t)used);
    while (!atomic_compare_exchange_weak_explicit(&limited->used, &used, used + nbytes, memory_order_relaxed,
                                                  memory_order_relaxed));
    return SV_OK;
}

/* Never below 0, whatever size a caller frees. */
static void return_bytes(struct limited *limited, int64_t nbytes)
{
    int_least64_t used = atomic_load_explicit(&limited->used, memory_order_relaxed);

    while (!atomic_compare_exchange_weak_explicit(&limited->used, &used, used > nbytes ? used - nbytes : 0,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

static sv_status allocate_limited(const sv_allocator *self, struct svi_block *block)
{
    sv_status status;

    SVI_TRY(reserve_bytes(limited_of(self), block->nbytes));
    status = self->base->source->allocate(self->base, block);
    if (status != SV_OK)
        return_bytes(limited_of(self), block->nbytes);
    return status;
}

/* What could not be freed is still in use. */
static sv_status free_limited(const sv_allocator *self, const struct svi_block *block)
{
    SVI_TRY(self->base->source->free(self->base, block));
    return_bytes(limited_of(self), block->nbytes);
    return SV_OK;
}

static const struct svi_source source = {.name = "limited", .allocate = allocate_limited, .free = free_limited};

sv_status sv_allocator_limited(const sv_allocator *base, int64_t most, sv_allocator **out)
{
    struct limited *made;

    SVI_TRY(svi_allocator_check(base, "base"));
    SVI_NEED(out);
    if (most < 0)
        return svi_fail(SV_ERROR_INVALID, "most is %" PRId64 " bytes", most);
    made = svi_allocator_wrap(sizeof *made, &source, base);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->most = most;
    *out = &made->allocator;
    return SV_OK;
}
