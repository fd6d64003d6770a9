/* Memory: blocks of the heap in a table, those of devices under addresses that the host cannot use. */
#include "second/second.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64, POOL = 77 };

/* Far above all addresses of a process. */
static const uintptr_t distance = UINT64_C(1) << 60;

static struct block {
    sv_memory kind;
    int32_t device_id;
    char *bytes; /* NULL: no block */
    int64_t nbytes;
    bool ordered, enrolled;
} blocks[MOST_BLOCKS];

static char *address_of(const struct block *block)
{
    return block->kind == SV_MEMORY_DEVICE ? (char *)((uintptr_t)block->bytes + distance) : block->bytes;
}

char *second_bytes(const void *pointer)
{
    const uintptr_t address = (uintptr_t)pointer;

    return (char *)(address >= distance ? address - distance : address);
}

int second_end(void)
{
    int count = second_end_streams();

    for (int i = 0; i < MOST_BLOCKS; i++)
        count += blocks[i].bytes != NULL;
    return count;
}

/* The block that has the address; NULL: none. */
static struct block *find_block(const void *pointer)
{
    for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++)
        if (b->bytes != NULL && (uintptr_t)pointer - (uintptr_t)address_of(b) < (size_t)b->nbytes)
            return b;
    return NULL;
}

static struct block *add_block(const struct block *block)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (blocks[i].bytes == NULL) {
            blocks[i] = *block;
            return &blocks[i];
        }
    abort();
}

/* At a multiple of alignment, and of no larger one. */
static sv_status make_block(sv_memory kind, int32_t device_id, int64_t nbytes, int64_t alignment, bool ordered,
                            void **out)
{
    struct block block = {.kind = kind, .device_id = device_id, .nbytes = nbytes, .ordered = ordered};
    const size_t unit = 2 * (size_t)alignment;
    char *made;

    if (nbytes > SECOND_MOST)
        return svi_fail(SV_ERROR_MEMORY, "ROCm: no memory for %lld bytes", (long long)nbytes);
    made = aligned_alloc(unit, ((size_t)(nbytes + alignment) + unit - 1) / unit * unit);
    if (made == NULL)
        abort();
    block.bytes = made + alignment;
    *out = address_of(add_block(&block));
    return SV_OK;
}

static void end_block(struct block *block)
{
    const int64_t alignments[] = {[SV_MEMORY_PINNED] = SECOND_PINNED_ALIGNMENT,
                                  [SV_MEMORY_DEVICE] = SECOND_DEVICE_ALIGNMENT};

    free(block->bytes - (block->ordered ? SECOND_POOL_ALIGNMENT : alignments[block->kind]));
    block->bytes = NULL;
}

static sv_status allocate(sv_memory kind, int32_t device_id, int64_t nbytes, void **out)
{
    second_counts[SECOND_ALLOCATE]++;
    return make_block(kind, device_id, nbytes,
                      kind == SV_MEMORY_DEVICE ? SECOND_DEVICE_ALIGNMENT : SECOND_PINNED_ALIGNMENT, false, out);
}

/* Waits for the default stream, whose work is not recorded, and for no other. */
static sv_status release(sv_memory kind, int32_t device_id, void *pointer)
{
    struct block *block = find_block(pointer);

    second_counts[SECOND_FREE]++;
    if (block == NULL || address_of(block) != pointer || block->ordered || block->kind != kind ||
        block->device_id != device_id)
        return svi_fail(SV_ERROR_INVALID, "ROCm: no such block");
    second_run_default(device_id);
    end_block(block);
    return SV_OK;
}

/* --- registered memory --------------------------------------------------------- */

static sv_status enroll(void *pages, int64_t nbytes, void **device_address)
{
    const struct block block = {.kind = SV_MEMORY_PINNED, .bytes = pages, .nbytes = nbytes, .enrolled = true};

    if (find_block(pages) != NULL)
        return svi_fail(SV_ERROR_BLOCKED, "ROCm: the memory is registered");
    add_block(&block);
    *device_address = pages;
    return SV_OK;
}

static sv_status withdraw(void *pages)
{
    struct block *block = find_block(pages);

    if (block == NULL || !block->enrolled)
        return svi_fail(SV_ERROR_INVALID, "ROCm: the memory is not registered");
    block->bytes = NULL;
    return SV_OK;
}

/* --- pools ----------------------------------------------------------------------- */

static sv_status default_pool(sv_memory kind, int32_t device_id, uintptr_t *pool)
{
    (void)device_id;
    if (kind != SV_MEMORY_DEVICE)
        return svi_fail(SV_ERROR_UNSUPPORTED, "ROCm: no pools of %s memory", sv_memory_name(kind));
    *pool = POOL;
    return SV_OK;
}

static sv_status new_pool(const struct svi_pool_request *request, uintptr_t *pool)
{
    return default_pool(request->kind, request->device_id, pool);
}

static sv_status end_pool(int32_t device_id, uintptr_t pool)
{
    (void)device_id;
    return pool == POOL ? SV_OK : svi_fail(SV_ERROR_INVALID, "ROCm: no such pool");
}

static sv_status allocate_from_pool(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out)
{
    (void)pool, (void)stream;
    second_counts[SECOND_ALLOCATE_FROM_POOL]++;
    return make_block(SV_MEMORY_DEVICE, device_id, nbytes, SECOND_POOL_ALIGNMENT, true, out);
}

static void run_free(const struct second_operation *self)
{
    end_block(find_block(self->dst));
}

static sv_status free_in_order(int32_t device_id, void *pointer, uintptr_t stream)
{
    const struct second_operation operation = {.run = run_free, .dst = pointer};
    const struct block *block = find_block(pointer);

    second_counts[SECOND_FREE_IN_ORDER]++;
    if (block == NULL || !block->ordered || block->device_id != device_id)
        return svi_fail(SV_ERROR_INVALID, "ROCm: no such block");
    return second_give(device_id, stream, &operation);
}

static sv_status check_order(int32_t device_id, uintptr_t stream)
{
    (void)device_id, (void)stream;
    return SV_OK;
}

/* --- what is known ----------------------------------------------------------------- */

static sv_status query(const void *pointer, struct svi_pointer *out)
{
    const struct block *block = find_block(pointer);

    *out = (struct svi_pointer){.kind = SV_MEMORY_HOST, .traits = SV_TRAIT_HOST, .device = svi_cpu};
    out->host_address = (void *)(uintptr_t)pointer;
    if (block == NULL)
        return SV_OK;
    out->kind = block->kind;
    out->device = (struct svi_device){svi_family_device_type(SVI_FAMILY_ROCM, block->kind), block->device_id};
    out->traits = svi_devices[out->device.type].traits | (block->ordered ? SV_TRAIT_ORDERED : 0);
    out->device_address = out->host_address;
    if (block->kind == SV_MEMORY_DEVICE)
        out->host_address = NULL;
    return SV_OK;
}

static void run_set(const struct second_operation *self)
{
    memset(second_bytes(self->dst), self->byte, (size_t)self->nbytes);
}

static sv_status set(int32_t device_id, void *pointer, int32_t byte, int64_t nbytes, uintptr_t stream)
{
    const struct second_operation operation = {.run = run_set, .dst = pointer, .byte = byte, .nbytes = nbytes};

    return second_give(device_id, stream, &operation);
}

static sv_status property(int32_t device_id, int32_t number, int64_t *value)
{
    *value = 1000 * device_id + number;
    return SV_OK;
}

static void trim(void)
{
    second_counts[SECOND_TRIM]++;
}

/* --- other processes ------------------------------------------------------------------ */

static sv_status identify(int32_t device_id, unsigned char uuid[SVI_UUID])
{
    memset(uuid, 0x90 + device_id, SVI_UUID);
    return SV_OK;
}

static sv_status ipc_export(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE])
{
    (void)device_id;
    memset(handle, 0, SVI_IPC_HANDLE);
    memcpy(handle, &base, sizeof base);
    return SV_OK;
}

static sv_status ipc_open(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base, int64_t *nbytes)
{
    const struct block *block;

    memcpy(base, handle, sizeof *base);
    block = find_block(*base);
    if (block == NULL || block->device_id != device_id)
        return svi_fail(SV_ERROR_INVALID, "ROCm: no such memory to open");
    *nbytes = block->nbytes;
    return SV_OK;
}

static sv_status ipc_close(int32_t device_id, void *base)
{
    (void)device_id;
    return find_block(base) != NULL ? SV_OK : svi_fail(SV_ERROR_INVALID, "ROCm: no such memory to close");
}

/* prefetch, discard and advise are for managed memory, of which there is none. */
const struct svi_driver second_driver = {
    .alignments = {[SV_MEMORY_PINNED] = SECOND_PINNED_ALIGNMENT, [SV_MEMORY_DEVICE] = SECOND_DEVICE_ALIGNMENT},
    .pool_alignment = SECOND_POOL_ALIGNMENT,
    .allocate = allocate,
    .free = release,
    .enroll = enroll,
    .withdraw = withdraw,
    .new_pool = new_pool,
    .default_pool = default_pool,
    .end_pool = end_pool,
    .allocate_from_pool = allocate_from_pool,
    .free_in_order = free_in_order,
    .check_order = check_order,
    .query = query,
    .record = second_record,
    .is_done = second_is_done,
    .wait = second_wait,
    .order = second_order,
    .end_event = second_end_event,
    .set = set,
    .identify = identify,
    .ipc_export = ipc_export,
    .ipc_open = ipc_open,
    .ipc_close = ipc_close,
    .trim = trim,
    .property = property,
};
