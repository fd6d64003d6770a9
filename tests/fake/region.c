/* Allocations, by their addresses. Memory that was freed keeps its addresses for a while, so that a use of it is seen. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake/runtime.h"

enum { SKEW = 256 }; /* what the runtime aligns memory of devices to, and no more */

size_t fake_page(void)
{
    static size_t page;

    if (page == 0)
        page = (size_t)sysconf(_SC_PAGESIZE);
    return page;
}

/* --- search -------------------------------------------------------------------- */

struct fake_region *fake_find_in(struct fake_region *list, const void *pointer)
{
    const char *p = pointer;

    for (struct fake_region *r = list; r != NULL; r = r->next)
        if (p >= r->at && p < r->at + r->nbytes)
            return r;
    return NULL;
}

struct fake_region *fake_find(const void *pointer)
{
    return fake_find_in(fake.regions, pointer);
}

char *fake_bytes(const void *pointer)
{
    const struct fake_region *r = fake_find(pointer);

    return r == NULL || r->whose == NULL ? (char *)pointer : r->whose->at + ((const char *)pointer - r->at);
}

cudaError_t fake_check(const void *pointer, size_t nbytes)
{
    const struct fake_region *r = fake_find(pointer);

    if (r == NULL) {
        if (fake_find_in(fake.graves, pointer) == NULL)
            return cudaSuccess;
        fake_fault("memory is used that was freed");
        return cudaErrorInvalidValue;
    }
    if (r->freeing || (r->whose != NULL && r->whose->dead)) {
        fake_fault("memory is used that was freed");
        return cudaErrorInvalidValue;
    }
    if (nbytes > r->nbytes - (size_t)((const char *)pointer - r->at)) {
        fake_fault("%zu bytes at +%zu leave an allocation of %zu", nbytes, (size_t)((const char *)pointer - r->at),
                   r->nbytes);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* --- allocations ----------------------------------------------------------------- */

static size_t *budget(const struct fake_region *r)
{
    return r->kind == HELD_PINNED ? &fake.locked : r->kind == HELD_DEVICE ? &fake.used[r->device] : NULL;
}

/* Whole pages with one that nobody may touch behind them. */
static bool map(struct fake_region *r)
{
    const size_t page = fake_page(), skew = r->kind == HELD_PINNED ? 0 : SKEW;

    r->npages = (skew + r->nbytes + page - 1) / page;
    r->map_nbytes = (r->npages + 1) * page;
    r->map = mmap(NULL, r->map_nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->map == MAP_FAILED)
        return false;
    if (fake.protects)
        mprotect(r->map + r->npages * page, page, PROT_NONE);
    r->pages = r->map;
    r->at = r->map + skew;
    if (r->kind != HELD_ALIAS) /* its bytes are elsewhere */
        memset(r->map, 0xa5, r->npages * page);
    return true;
}

/* Of the device that is current. NULL: there is no such memory left. */
struct fake_region *fake_new_region(enum fake_kind kind, size_t nbytes)
{
    struct fake_region *r = calloc(1, sizeof *r);
    size_t *used;

    r->kind = kind;
    r->nbytes = nbytes;
    r->device = fake_thread()->device;
    used = budget(r);
    if (used != NULL) {
        const size_t limit = kind == HELD_PINNED ? fake.settings.host_memory : fake.settings.device_memory;

        if (nbytes > limit - *used) {
            free(r);
            return NULL;
        }
    }
    if (kind != HELD_REGISTERED && !map(r)) {
        free(r);
        return NULL;
    }
    if (used != NULL)
        *used += nbytes;
    r->users = calloc(r->npages + 1, sizeof *r->users);
    r->next = fake.regions;
    fake.regions = r;
    return r;
}

/* --- what was freed -------------------------------------------------------------- */

static void forget(struct fake_region *r)
{
    if (r->map != NULL)
        munmap(r->map, r->map_nbytes);
    free(r->discarded);
    free(r->users);
    free(r);
}

/* Leaves the last ones. */
void fake_clear_graves(int left)
{
    struct fake_region **link = &fake.graves;

    for (int i = 0; *link != NULL && i < left; i++)
        link = &(*link)->next;
    while (*link != NULL) {
        struct fake_region *r = *link;

        *link = r->next;
        fake.ngraves--;
        forget(r);
    }
}

static void bury(struct fake_region *r)
{
    r->dead = true;
    fake_protect(r, 0, r->npages);
    madvise(r->map, r->map_nbytes, MADV_DONTNEED);
    r->next = fake.graves;
    fake.graves = r;
    if (++fake.ngraves > 2 * MAX_GRAVES)
        fake_clear_graves(MAX_GRAVES);
}

void fake_end_region(struct fake_region *r)
{
    struct fake_region **link = &fake.regions;
    size_t *used = budget(r);

    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    if (used != NULL)
        *used -= r->nbytes;
    if (r->pool != NULL)
        r->pool->used -= r->nbytes;
    memset(r->users, 0, r->npages * sizeof *r->users);
    if (r->map != NULL) {
        bury(r);
        return;
    }
    fake_protect(r, 0, r->npages); /* the owner of registered pages has them again */
    forget(r);
}
