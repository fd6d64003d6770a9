/*
 * Host memory of fresh arrays. Small blocks come from the C library, since a buffer of libsv takes longer than all the
 * rest of a call; the counts here stand in for those of an allocator. Large ones come from libsv, which asks for huge
 * pages, and are counted there. Views may end on any thread, with or without the interpreter's lock.
 */
#include "objects/array_memory.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    ALIGNMENT = 64,
    SHORT_BYTES = 1 << 14, /* that are zeroed sooner than the system gives pages */
    LARGE_BYTES = 1 << 22 /* from which on huge pages pay */
};

/* Of tracemalloc: the bytes "SV". */
enum { TRACE_DOMAIN = 0x5356 };

/* What lives is what was made less what was freed, as in libsv. */
static struct {
    atomic_int_least64_t made_bytes, made_count, freed_bytes, freed_count, peak_bytes, peak_count;
} counts;

/* --- counts ------------------------------------------------------------------ */

static int64_t read_array_count(const atomic_int_least64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

static int64_t add_to_count(atomic_int_least64_t *count, int64_t number)
{
    return atomic_fetch_add_explicit(count, number, memory_order_relaxed) + number;
}

static void raise_count(atomic_int_least64_t *peak, int64_t number)
{
    int64_t before = read_array_count(peak);

    while (number > before &&
           !atomic_compare_exchange_weak_explicit(peak, &before, number, memory_order_relaxed, memory_order_relaxed))
        continue;
}

static void count_made(int64_t nbytes)
{
    raise_count(&counts.peak_bytes, add_to_count(&counts.made_bytes, nbytes) - read_array_count(&counts.freed_bytes));
    raise_count(&counts.peak_count, add_to_count(&counts.made_count, 1) - read_array_count(&counts.freed_count));
}

static void count_freed(int64_t nbytes)
{
    add_to_count(&counts.freed_bytes, nbytes);
    add_to_count(&counts.freed_count, 1);
}

int64_t svpy_array_stat(int32_t stat)
{
    switch (stat) {
    case SV_STAT_LIVE_BYTES: return read_array_count(&counts.made_bytes) - read_array_count(&counts.freed_bytes);
    case SV_STAT_LIVE_COUNT: return read_array_count(&counts.made_count) - read_array_count(&counts.freed_count);
    case SV_STAT_PEAK_BYTES: return read_array_count(&counts.peak_bytes);
    case SV_STAT_PEAK_COUNT: return read_array_count(&counts.peak_count);
    case SV_STAT_TOTAL_BYTES: return read_array_count(&counts.made_bytes);
    case SV_STAT_TOTAL_COUNT: return read_array_count(&counts.made_count);
    default: return 0;
    }
}

void svpy_array_reset_peaks(void)
{
    atomic_store_explicit(&counts.peak_bytes, svpy_array_stat(SV_STAT_LIVE_BYTES), memory_order_relaxed);
    atomic_store_explicit(&counts.peak_count, svpy_array_stat(SV_STAT_LIVE_COUNT), memory_order_relaxed);
}

/* --- small blocks ------------------------------------------------------------ */

/* Lies before the elements, in the bytes that their alignment leaves. */
struct header {
    void *block;
    int64_t nbytes;
};

_Static_assert(sizeof(struct header) <= ALIGNMENT, "a header fits");

static struct header *header_of(char *elements)
{
    return (struct header *)(elements - sizeof(struct header));
}

/* By malloc(), which reuses blocks of a thread; aligned_alloc() and calloc() do not. calloc() leaves large blocks to
 * the system, whose pages are zero before they are touched. */
static char *new_elements(int64_t nbytes, bool zeros)
{
    const size_t room = (size_t)nbytes + sizeof(struct header) + ALIGNMENT - 1;
    const bool by_system = zeros && nbytes > SHORT_BYTES;
    void *block = by_system ? calloc(room, 1) : malloc(room);
    char *elements;

    if (block == NULL)
        return NULL;
    elements = (char *)(((uintptr_t)block + sizeof(struct header) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    header_of(elements)->block = block;
    if (zeros && !by_system)
        memset(elements, 0, (size_t)nbytes);
    return elements;
}

static void end_small(void *elements)
{
    const struct header *header = header_of(elements);

    PyTraceMalloc_Untrack(TRACE_DOMAIN, (uintptr_t)elements);
    count_freed(header->nbytes);
    free(header->block);
}

static sv_status new_small(const sv_layout *layout, sv_dtype dtype, bool zeros, int64_t nbytes, sv_view **out)
{
    char *elements = new_elements(nbytes, zeros);
    sv_status status;

    if (elements == NULL)
        return SV_ERROR_MEMORY;
    header_of(elements)->nbytes = nbytes;
    status = sv_view_new(layout, dtype, elements, 0, nbytes, SV_DEVICE_CPU, 0, 0, end_small, elements, out);
    if (status != SV_OK) {
        free(header_of(elements)->block);
        return status;
    }
    count_made(nbytes);
    PyTraceMalloc_Track(TRACE_DOMAIN, (uintptr_t)elements, (size_t)nbytes);
    return SV_OK;
}

/* --- large blocks ------------------------------------------------------------ */

/* A view that tracemalloc is to forget when it ends. */
static void end_large(void *view)
{
    PyTraceMalloc_Untrack(TRACE_DOMAIN, (uintptr_t)sv_view_data(view));
    sv_view_release(view);
}

static sv_status new_large(const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype, bool zeros,
                           int64_t nbytes, sv_view **out)
{
    sv_view *made = NULL;
    sv_status status = sv_empty_layout(allocator, layout, dtype, zeros ? SV_BUFFER_ZERO : 0, 0, &made);

    if (status != SV_OK)
        return status;
    status = sv_view_new(layout, dtype, sv_view_data(made), 0, nbytes, SV_DEVICE_CPU, 0, 0, end_large, made, out);
    if (status != SV_OK)
        sv_view_release(made);
    else
        PyTraceMalloc_Track(TRACE_DOMAIN, (uintptr_t)sv_view_data(made), (size_t)nbytes);
    return status;
}

sv_status svpy_new_array_memory(const sv_allocator *large, const sv_layout *layout, sv_dtype dtype, bool zeros,
                                sv_view **out)
{
    const int64_t nbytes = sv_layout_nbytes(layout);

    if (nbytes > PY_SSIZE_T_MAX - 3 * ALIGNMENT)
        return SV_ERROR_MEMORY;
    if (nbytes >= LARGE_BYTES)
        return new_large(large, layout, dtype, zeros, nbytes, out);
    return new_small(layout, dtype, zeros, nbytes, out);
}
