#include "memory/cache_list.h"

#include <stddef.h>

#include "base/lock.h"

/* With SVI_LOCK_CACHES, in the order of their numbers. */
static struct svi_cache_entry *first;
static int64_t numbers; /* the last one that was given */

void svi_cache_list_add(struct svi_cache_entry *entry)
{
    struct svi_cache_entry **end = &first;

    entry->next = NULL;
    svi_lock(SVI_LOCK_CACHES);
    entry->number = ++numbers;
    while (*end != NULL)
        end = &(*end)->next;
    *end = entry;
    svi_unlock(SVI_LOCK_CACHES);
}

void svi_cache_list_remove(struct svi_cache_entry *entry)
{
    struct svi_cache_entry **link = &first;

    svi_lock(SVI_LOCK_CACHES);
    while (*link != NULL && *link != entry)
        link = &(*link)->next;
    if (*link != NULL)
        *link = entry->next;
    svi_unlock(SVI_LOCK_CACHES);
}

/* The first one after a number, retained; NULL: there is none. */
static struct svi_cache_entry *find_after(int64_t number, const struct svi_device *of)
{
    struct svi_cache_entry *entry;

    svi_lock(SVI_LOCK_CACHES);
    for (entry = first; entry != NULL; entry = entry->next)
        if (entry->number > number && (of == NULL || (entry->device.type == of->type && entry->device.id == of->id)))
            break;
    if (entry != NULL)
        entry->retain(entry);
    svi_unlock(SVI_LOCK_CACHES);
    return entry;
}

/* No lock is held while one is trimmed, so that others may come and go. */
bool svi_cache_list_trim(const struct svi_device *of, enum svi_effort effort)
{
    struct svi_cache_entry *entry;
    int64_t number = 0;
    bool any = false;

    while ((entry = find_after(number, of)) != NULL) {
        number = entry->number;
        any = entry->trim(entry, effort) || any;
        entry->release(entry);
    }
    return any;
}
