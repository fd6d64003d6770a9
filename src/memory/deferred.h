/*
 * What could not be freed when it was released: memory that a device may still use, and what finalisers left. A
 * list for each kind of memory, to which any thread adds with one atomic operation, so that a release neither waits
 * nor takes a lock. It is gone through by the next allocation of such memory and by sv_memory_collect(), never at
 * exit.
 */
#ifndef SVI_DEFERRED_H
#define SVI_DEFERRED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backend/memory.h"

/* How far a free may go. */
enum svi_effort {
    SVI_EFFORT_NONE, /* nothing that may wait for a device: a release */
    SVI_EFFORT_FREE, /* the driver's frees may wait: an allocation, sv_memory_collect() */
    SVI_EFFORT_WAIT  /* what is recorded is waited for, too */
};

/* The head of what is deferred. */
struct svi_deferred {
    struct svi_deferred *next;
    struct svi_device device;

    /* True: it is gone, and not to be touched again. False: it stays on the list. */
    bool (*finish)(struct svi_deferred *self, enum svi_effort effort);
};

/* Safe in finalisers and in any thread: nothing is called. finish and device are set. */
void svi_deferred_add(struct svi_deferred *item);

/* Finishes what it can. any: of all devices, else of this one. True: something is gone. */
bool svi_deferred_drain(struct svi_device device, bool any, enum svi_effort effort);

/* How many are left. */
int64_t svi_deferred_count(void);

/* Whether there is something of this kind: one load, for each allocation. */
bool svi_deferred_has(sv_memory kind);

#endif
