#include "memory/block_list.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/lock.h"

enum { BUCKET_BITS = 12 };

struct svi_block_entry {
    struct svi_block_entry *next_in_bucket;
    struct svi_block_entry *before, *after; /* by number */
    int64_t number;
    const void *pointer;
    int64_t nbytes;
    uintptr_t stream;
};

struct svi_block_list {
    int lock; /* one of those that lists share */
    struct svi_block_entry *first, *last;
    int64_t count, numbers; /* that are in the list, and that were given */
    struct svi_block_entry *buckets[1 << BUCKET_BITS];
};

static atomic_uint lists; /* that were made, which take the shared locks in turn */

struct svi_block_list *svi_block_list_new(void)
{
    struct svi_block_list *list = svi_calloc(sizeof *list);

    if (list != NULL)
        list->lock = SVI_LOCK_BLOCKS + (int)(atomic_fetch_add(&lists, 1) % SVI_BLOCK_LOCKS);
    return list;
}

void svi_block_list_end(struct svi_block_list *list)
{
    if (list == NULL)
        return;
    while (list->first != NULL) {
        struct svi_block_entry *entry = list->first;

        list->first = entry->after;
        svi_free(entry);
    }
    svi_free(list);
}

struct svi_block_entry *svi_block_entry_new(void)
{
    return svi_malloc(sizeof(struct svi_block_entry));
}

void svi_block_entry_drop(struct svi_block_entry *entry)
{
    svi_free(entry);
}

static struct svi_block_entry **bucket_of(struct svi_block_list *list, const void *pointer)
{
    return &list->buckets[(uint64_t)(uintptr_t)pointer * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BUCKET_BITS)];
}

void svi_block_list_add(struct svi_block_list *list, struct svi_block_entry *entry, const struct svi_block *block)
{
    struct svi_block_entry **bucket = bucket_of(list, block->pointer);

    entry->pointer = block->pointer;
    entry->nbytes = block->nbytes;
    entry->stream = block->stream;
    entry->after = NULL;
    svi_lock(list->lock);
    entry->number = ++list->numbers;
    entry->next_in_bucket = *bucket;
    *bucket = entry;
    entry->before = list->last;
    *(list->last != NULL ? &list->last->after : &list->first) = entry;
    list->last = entry;
    list->count++;
    svi_unlock(list->lock);
}

/* Takes the block's entry out. Where its size is another one it stays, and nbytes tells it. NULL: there is none. */
static struct svi_block_entry *take_out(struct svi_block_list *list, const struct svi_block *block, int64_t *nbytes)
{
    struct svi_block_entry **link = bucket_of(list, block->pointer), *entry;

    while (*link != NULL && (*link)->pointer != block->pointer)
        link = &(*link)->next_in_bucket;
    entry = *link;
    if (entry == NULL)
        return NULL;
    *nbytes = entry->nbytes;
    if (entry->nbytes != block->nbytes)
        return NULL;
    *link = entry->next_in_bucket;
    *(entry->before != NULL ? &entry->before->after : &list->first) = entry->after;
    *(entry->after != NULL ? &entry->after->before : &list->last) = entry->before;
    list->count--;
    return entry;
}

sv_status svi_block_list_remove(struct svi_block_list *list, const struct svi_block *block)
{
    struct svi_block_entry *entry;
    int64_t nbytes = 0;

    svi_lock(list->lock);
    entry = take_out(list, block, &nbytes);
    svi_unlock(list->lock);
    svi_free(entry);
    if (entry != NULL)
        return SV_OK;
    if (nbytes == 0)
        return svi_fail(SV_ERROR_STATE, "no live block of this allocator begins at %p", block->pointer);
    return svi_fail(SV_ERROR_INVALID, "the block at %p has %" PRId64 " bytes, not %" PRId64, block->pointer, nbytes,
                    block->nbytes);
}

/* --- visiting --------------------------------------------------------------- */

/* Up to room entries, in order; how many there are. */
static int64_t copy_entries(struct svi_block_list *list, struct svi_block_entry *out, int64_t room)
{
    int64_t count, copied = 0;

    svi_lock(list->lock);
    count = list->count;
    for (const struct svi_block_entry *e = list->first; e != NULL && copied < room; e = e->after)
        out[copied++] = *e;
    svi_unlock(list->lock);
    return count;
}

/* Other threads may add blocks while there is no lock. */
static sv_status snapshot_list(struct svi_block_list *list, struct svi_block_entry **out, int64_t *count)
{
    struct svi_block_entry *entries = NULL;
    int64_t room = 0, found;

    while ((found = copy_entries(list, entries, room)) > room) {
        svi_free(entries);
        room = found + found / 8;
        entries = svi_malloc((size_t)room * sizeof *entries);
        if (entries == NULL)
            return SV_ERROR_MEMORY;
    }
    *out = entries;
    *count = found;
    return SV_OK;
}

sv_status svi_block_list_visit(struct svi_block_list *list, sv_block_callback visit, void *ctx)
{
    struct svi_block_entry *entries;
    int64_t count;

    SVI_TRY(snapshot_list(list, &entries, &count));
    for (int64_t i = 0; i < count; i++)
        if (visit(ctx, entries[i].number, entries[i].pointer, entries[i].nbytes, entries[i].stream) != 0)
            break;
    svi_free(entries);
    return SV_OK;
}
