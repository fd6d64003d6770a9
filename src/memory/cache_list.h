/*
 * The caches of the process: what frees blocks that it keeps (block_cache.h), so that a lack of memory in one place is
 * answered by all caches of the device, and sv_memory_collect() empties them.
 */
#ifndef SVI_CACHE_LIST_H
#define SVI_CACHE_LIST_H

#include "memory/deferred.h"

/* The head of a cache. */
struct svi_cache_entry {
    struct svi_cache_entry *next; /* which was made later */
    int64_t number;
    struct svi_device device;

    /* Frees what it keeps, as far as effort allows. True: something was freed. */
    bool (*trim)(struct svi_cache_entry *self, enum svi_effort effort);

    /* A reference, which keeps the entry from its end. The first is called with a lock held. */
    void (*retain)(struct svi_cache_entry *self);
    void (*release)(struct svi_cache_entry *self);
};

/* Enters a cache whose fields are set, but next and number. */
void svi_cache_list_add(struct svi_cache_entry *entry);

/* Before the last reference is dropped. */
void svi_cache_list_remove(struct svi_cache_entry *entry);

/* Trims all caches of a device; of NULL: of all devices. True: something was freed. */
bool svi_cache_list_trim(const struct svi_device *of, enum svi_effort effort);

#endif
