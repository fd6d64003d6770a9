#include "memory/shared_list.h"

#include "base/alloc.h"
#include "base/lock.h"

struct entry {
    struct entry *next;
    sv_buffer *root;
    const void *base; /* of its memory at the time: root may have moved since */
    int64_t maker; /* a process that was forked has its parent's list, and cannot use what is there */
    struct svi_process process;
    int64_t serial;
};

static struct entry *entries;
static int64_t serials;

/* --- entries ------------------------------------------------------------------- */

/* The end of root's memory. */
static void forget_root(sv_buffer *root)
{
    struct entry **at, *entry;

    svi_lock(SVI_LOCK_SHARED);
    for (at = &entries; *at != NULL && (*at)->root != root;)
        at = &(*at)->next;
    entry = *at;
    if (entry != NULL)
        *at = entry->next;
    svi_unlock(SVI_LOCK_SHARED);
    svi_free(entry);
}

/* NULL with the message set when out of memory. */
static struct entry *make_entry(sv_buffer *root)
{
    struct entry *entry;

    if (!svi_lock_guards_forks()) {
        svi_fail(SV_ERROR_MEMORY, "no memory to prepare for forks");
        return NULL;
    }
    entry = svi_malloc(sizeof *entry);
    if (entry != NULL) {
        entry->root = root;
        entry->base = root->storage.block.pointer;
        entry->maker = svi_process_self().id;
    }
    return entry;
}

/* With the lock. Other threads find root from here on, and its last reference is counted down. */
static void push_entry(struct entry *entry)
{
    entry->next = entries;
    entries = entry;
    entry->root->ending = forget_root;
}

sv_status svi_shared_add(sv_buffer *root, const struct svi_ipc_blob *blob)
{
    struct entry *entry = make_entry(root);

    if (entry == NULL)
        return SV_ERROR_MEMORY;
    entry->process = blob->process;
    entry->serial = blob->serial;
    svi_lock(SVI_LOCK_SHARED);
    push_entry(entry);
    svi_unlock(SVI_LOCK_SHARED);
    return SV_OK;
}

/* With the lock. */
static struct entry *entry_of(const sv_buffer *root)
{
    struct entry *entry = entries;

    while (entry != NULL && entry->root != root)
        entry = entry->next;
    return entry;
}

sv_status svi_shared_number(sv_buffer *root, struct svi_ipc_blob *blob)
{
    struct entry *spare = make_entry(root), *entry;

    if (spare == NULL)
        return SV_ERROR_MEMORY;
    blob->process = svi_process_self();
    svi_lock(SVI_LOCK_SHARED);
    entry = entry_of(root);
    if (entry == NULL) {
        entry = spare;
        entry->base = NULL;
        push_entry(entry);
    }
    if (entry->base != root->storage.block.pointer) {
        entry->base = root->storage.block.pointer;
        entry->process = blob->process;
        entry->serial = ++serials;
    }
    blob->serial = entry->serial;
    svi_unlock(SVI_LOCK_SHARED);
    if (entry != spare)
        svi_free(spare);
    return SV_OK;
}

sv_buffer *svi_shared_find(const struct svi_ipc_blob *blob)
{
    const int64_t self = svi_process_self().id;
    const void *base = NULL;
    sv_buffer *root = NULL;

    svi_lock(SVI_LOCK_SHARED);
    for (struct entry *entry = entries; entry != NULL && root == NULL; entry = entry->next) {
        if (entry->maker == self && entry->serial == blob->serial && entry->process.id == blob->process.id &&
            entry->process.start == blob->process.start && svi_word_export_alive(svi_buffer_word_of(entry->root))) {
            root = entry->root;
            base = entry->base;
        }
    }
    svi_unlock(SVI_LOCK_SHARED);
    if (root != NULL && root->storage.block.pointer != base) { /* its memory moved, and this is gone */
        svi_buffer_unhold(root);
        root = NULL;
    }
    return root;
}
