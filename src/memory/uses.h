/*
 * Work on streams that memory is used by: an event each, recorded when the caller told of it. The streams
 * themselves are not kept, since they may be destroyed before the memory is freed. Streams of another driver than that
 * of the memory may use it, so each event keeps its driver, and only streams of that one can wait for it.
 */
#ifndef SVI_USES_H
#define SVI_USES_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backend/memory.h"

struct svi_use {
    struct svi_use *next;
    const struct svi_driver *driver; /* whose event it is */
    void *event;
};

struct svi_uses {
    _Atomic(struct svi_use *) first;
    atomic_int count; /* about how many, which says when to look for those that are done */
};

/* On a stream of device. Any thread, at the same time as other calls of it, but not of the other functions. */
sv_status svi_uses_record(struct svi_uses *uses, struct svi_device device, uintptr_t stream);

/* Forgets those that are done. SV_OK with *left 0: all are. wait: waits for each. */
sv_status svi_uses_finish(struct svi_uses *uses, bool wait, int64_t *left);

/* Lets stream wait for all of its driver, and forgets those. Others are forgotten if they are done; *left counts those
 * that are not. wait: the host waits for each. */
sv_status svi_uses_order(struct svi_uses *uses, struct svi_device device, uintptr_t stream, bool wait, int64_t *left);

/* Lets stream wait for all of its driver; for others the host waits. Keeps them. */
sv_status svi_uses_follow(const struct svi_uses *uses, struct svi_device device, uintptr_t stream);

/* Gives all to uses that are empty. */
void svi_uses_move(struct svi_uses *to, struct svi_uses *from);

/* Forgets all, done or not. */
void svi_uses_forget(struct svi_uses *uses);

static inline bool svi_uses_has(const struct svi_uses *uses)
{
    return atomic_load_explicit(&uses->first, memory_order_acquire) != NULL;
}

#endif
