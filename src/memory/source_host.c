/*
 * Ordinary memory of the process: what svi_malloc() gives, for which the system is asked for huge pages from 4 MiB on,
 * or for none. A block of a larger alignment than that has the true address right before it; one of 2 MiB and more can
 * be pages of its own, for which the system is asked in any case. With guard bytes behind it a block tells at its end
 * whether it was written past.
 */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/allocator.h"
#include "base/checked.h"
#include "base/lock.h"
#include "memory/source_host.h"

enum {
    OWN_ALIGNMENT = _Alignof(max_align_t), /* of what svi_malloc() gives */
    HUGE_PAGE = 1 << 21,
    ADVISED_BYTES = 1 << 22, /* of a block of the heap, as NumPy has it: smaller ones share pages with others */
    GUARD = 32,
    GUARD_BYTE = 0xfd,
    NEW_BYTE = 0xcd,
    FREED_BYTE = 0xdd
};

struct host {
    sv_allocator allocator;
    uint32_t flags;
};

/* --- huge pages for blocks of the heap ------------------------------------ */

#ifdef MADV_HUGEPAGE

/* Unless SV_HOST_HUGE_PAGES is 0 in the environment, which is read once. */
static bool are_huge_pages_wanted(void)
{
    static atomic_int wanted; /* 0: not read yet; 1: no; 2: yes */
    int now = atomic_load_explicit(&wanted, memory_order_relaxed);

    if (now == 0) {
        const char *text = getenv("SV_HOST_HUGE_PAGES");

        now = text != NULL && strcmp(text, "0") == 0 ? 1 : 2;
        atomic_store_explicit(&wanted, now, memory_order_relaxed);
    }
    return now == 2;
}

/*
 * A hint for the whole pages of a block. With pages of 4 KiB a new array costs more than what is written to it. The
 * heap may give memory that was advised for another block, so that either advice is given anew.
 */
static void advise_huge_pages(char *block, size_t nbytes, uint32_t flags)
{
    const int advice = flags & SV_ALLOCATOR_NO_HUGE_PAGES ? MADV_NOHUGEPAGE : MADV_HUGEPAGE, saved = errno;
    const long page = sysconf(_SC_PAGESIZE);

    if (page > 0 && (advice == MADV_NOHUGEPAGE || are_huge_pages_wanted())) {
        const size_t head = (size_t)(-(uintptr_t)block & (uintptr_t)(page - 1));

        madvise(block + head, (nbytes - head) & ~((size_t)page - 1), advice);
    }
    errno = saved;
}

#else

static void advise_huge_pages(char *block, size_t nbytes, uint32_t flags)
{
    (void)block, (void)nbytes, (void)flags;
}

#endif

/* --- blocks of the heap --------------------------------------------------- */

static sv_status take_plain(struct svi_block *block, uint32_t flags)
{
    const size_t nbytes = (size_t)block->nbytes;
    void *made;

    if ((int64_t)nbytes != block->nbytes)
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes do not fit this machine's addresses", block->nbytes);
    made = block->wants_zeros ? svi_calloc(nbytes) : svi_malloc(nbytes);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    if (nbytes >= ADVISED_BYTES)
        advise_huge_pages(made, nbytes, flags);
    block->pointer = made;
    block->is_zero = block->wants_zeros;
    return SV_OK;
}

/* Heap addresses are multiples of OWN_ALIGNMENT, so there is room for the true address before the next multiple. */
static sv_status take_aligned(struct svi_block *block, uint32_t flags)
{
    struct svi_block whole = *block;
    sv_status status;
    char *base;
    size_t step;

    if (svi_add(block->nbytes, block->alignment, &whole.nbytes))
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes at a multiple of %" PRId64 " do not fit int64",
                        block->nbytes, block->alignment);
    status = take_plain(&whole, flags);
    if (status == SV_ERROR_MEMORY)
        return svi_fail(status, "no memory for %" PRId64 " bytes", block->nbytes); /* those that were asked for */
    SVI_TRY(status);
    base = whole.pointer;
    step = (size_t)block->alignment - ((uintptr_t)base & (uintptr_t)(block->alignment - 1));
    block->pointer = base + step;
    block->is_zero = whole.is_zero;
    ((void **)block->pointer)[-1] = base;
    return SV_OK;
}

static sv_status take_heap(struct svi_block *block, uint32_t flags)
{
    return block->alignment <= OWN_ALIGNMENT ? take_plain(block, flags) : take_aligned(block, flags);
}

static void give_heap(const struct svi_block *block)
{
    svi_free(block->alignment <= OWN_ALIGNMENT ? block->pointer : ((void **)block->pointer)[-1]);
}

/* --- huge pages ----------------------------------------------------------- */

static void unmap_range(char *from, const char *to)
{
    if (from < to)
        munmap(from, (size_t)(to - from));
}

static int64_t whole_pages(int64_t nbytes)
{
    return nbytes + (-nbytes & (HUGE_PAGE - 1));
}

/* Whole huge pages at a multiple of their size; they are zeros. */
static sv_status map_huge_pages(struct svi_block *block)
{
    const int64_t alignment = svi_larger(block->alignment, HUGE_PAGE);
    int64_t nbytes;
    char *base, *begin, *end;

    if (svi_add(block->nbytes, alignment + HUGE_PAGE, &nbytes))
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes at a multiple of %" PRId64 " do not fit int64",
                        block->nbytes, alignment);
    nbytes = whole_pages(block->nbytes);
    base = mmap(NULL, (size_t)(nbytes + alignment), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return svi_fail(SV_ERROR_MEMORY, "no memory for %" PRId64 " bytes", block->nbytes);
    begin = base + (-(uintptr_t)base & (uintptr_t)(alignment - 1));
    end = begin + nbytes;
    unmap_range(base, begin);
    unmap_range(end, base + nbytes + alignment);
#ifdef MADV_HUGEPAGE
    madvise(begin, (size_t)nbytes, MADV_HUGEPAGE);
#endif
    block->pointer = begin;
    block->is_zero = true;
    return SV_OK;
}

static uint32_t flags_of(const sv_allocator *self)
{
    return ((const struct host *)self)->flags;
}

static bool is_mapped(const sv_allocator *self, int64_t nbytes)
{
    return (flags_of(self) & SV_ALLOCATOR_HUGE_PAGES) && nbytes >= HUGE_PAGE;
}

static sv_status take_pages(struct svi_block *block)
{
    const int saved = errno;
    const sv_status status = map_huge_pages(block);

    errno = saved;
    return status;
}

static void give_pages(const struct svi_block *block)
{
    const int saved = errno;

    munmap(block->pointer, (size_t)whole_pages(block->nbytes));
    errno = saved;
}

/* --- the source ----------------------------------------------------------- */

static sv_status allocate_host(const sv_allocator *self, struct svi_block *block)
{
    return is_mapped(self, block->nbytes) ? take_pages(block) : take_heap(block, flags_of(self));
}

static sv_status free_host(const sv_allocator *self, const struct svi_block *block)
{
    if (is_mapped(self, block->nbytes))
        give_pages(block);
    else
        give_heap(block);
    return SV_OK;
}

static const struct svi_source source = {.name = "host", .allocate = allocate_host, .free = free_host};

/* --- guard bytes ---------------------------------------------------------- */

static sv_status take_guarded(const sv_allocator *self, struct svi_block *block)
{
    struct svi_block whole = *block;

    if (svi_add(block->nbytes, GUARD, &whole.nbytes))
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes and those of the guard do not fit int64", block->nbytes);
    SVI_TRY(allocate_host(self, &whole));
    block->pointer = whole.pointer;
    block->is_zero = whole.is_zero;
    if (!whole.is_zero)
        memset(block->pointer, NEW_BYTE, (size_t)block->nbytes);
    memset((char *)block->pointer + block->nbytes, GUARD_BYTE, GUARD);
    return SV_OK;
}

/* Stays where it was overwritten: the heap behind it may be damaged too, and a debugger can look at it. */
static sv_status give_guarded(const sv_allocator *self, const struct svi_block *block)
{
    const unsigned char *guard = (const unsigned char *)block->pointer + block->nbytes;
    struct svi_block whole = *block;

    for (int i = 0; i < GUARD; i++)
        if (guard[i] != GUARD_BYTE)
            return svi_fail(SV_ERROR_STATE, "byte %d past the end of a block of %" PRId64 " bytes at %p was written", i,
                            block->nbytes, block->pointer);
    memset(block->pointer, FREED_BYTE, (size_t)block->nbytes);
    whole.nbytes += GUARD;
    return free_host(self, &whole);
}

static const struct svi_source guarded = {.name = "host", .allocate = take_guarded, .free = give_guarded};

/* --- making one ----------------------------------------------------------- */

sv_status sv_allocator_host(uint32_t flags, sv_allocator **out)
{
    const uint32_t pages = SV_ALLOCATOR_HUGE_PAGES | SV_ALLOCATOR_NO_HUGE_PAGES;
    const bool guards = (flags & SV_ALLOCATOR_GUARD) != 0;
    struct host *made;

    SVI_NEED(out);
    if (flags & ~(pages | SV_ALLOCATOR_GUARD))
        return svi_fail(SV_ERROR_INVALID,
                        "flags 0x%" PRIx32 ", only SV_ALLOCATOR_HUGE_PAGES, SV_ALLOCATOR_NO_HUGE_PAGES and "
                        "SV_ALLOCATOR_GUARD are known",
                        flags);
    if ((flags & pages) == pages)
        return svi_fail(SV_ERROR_INVALID, "SV_ALLOCATOR_HUGE_PAGES and SV_ALLOCATOR_NO_HUGE_PAGES exclude each other");
    made = svi_allocator_make(sizeof *made, guards ? &guarded : &source, SV_MEMORY_HOST, svi_cpu);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->flags = flags;
    made->allocator.plain = flags == 0;
    *out = &made->allocator;
    return SV_OK;
}

/* Its one reference is nobody's, and never dropped. */
const sv_allocator *svi_allocator_default(void)
{
    static struct host only = {
        .allocator.handle = {.tag = SVI_TAG_ALLOCATOR, .references = 1},
        .allocator.source = &source,
        .allocator.alignment = SVI_ANY_ALIGNMENT,
        .allocator.device = {SV_DEVICE_CPU, 0},
        .allocator.kind = SV_MEMORY_HOST,
        .allocator.traits = SV_TRAIT_HOST,
        .allocator.plain = true,
    };
#ifdef SVI_CHECKS
    static bool born; /* it is among the live handles */

    svi_lock(SVI_LOCK_DEFAULT);
    if (!born)
        svi_handle_born(&only.allocator.handle);
    born = true;
    svi_unlock(SVI_LOCK_DEFAULT);
#endif
    return &only.allocator;
}
