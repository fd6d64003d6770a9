#define _DEFAULT_SOURCE

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/allocator.h"
#include "memory/deferred.h"
#include "memory/source_host.h"

static sv_allocator *host(uint32_t flags)
{
    sv_allocator *allocator = NULL;

    cr_assert_eq(sv_allocator_host(flags, &allocator), SV_OK, "%s", sv_last_message());
    return allocator;
}

static bool is_aligned(const void *pointer, int64_t alignment)
{
    return ((uintptr_t)pointer & (uintptr_t)(alignment - 1)) == 0;
}

static bool is_all(const void *pointer, unsigned char byte, int64_t nbytes)
{
    const unsigned char *bytes = pointer;

    for (int64_t i = 0; i < nbytes; i++)
        if (bytes[i] != byte)
            return false;
    return true;
}

/* --- the handle ---------------------------------------------------------- */

Test(allocator, host_needs_nothing_and_says_what_it_is)
{
    sv_allocator *a = host(0), *same;

    cr_expect_eq(sv_allocator_kind(a), SV_MEMORY_HOST);
    cr_expect_eq(sv_allocator_device_type(a), SV_DEVICE_CPU);
    cr_expect_eq(sv_allocator_device_id(a), 0);
    cr_expect_eq(sv_allocator_traits(a), SV_TRAIT_HOST);
    cr_expect_eq(sv_allocator_alignment(a), INT64_C(1) << 62);
    cr_expect_str_eq(sv_allocator_name(a), "host");
    same = sv_allocator_retain(a);
    cr_expect_eq(same, a);
    sv_allocator_release(same);
    sv_allocator_release(a);
}

Test(allocator, none_is_no_allocator)
{
    void *pointer = NULL;

    cr_expect_null(sv_allocator_retain(NULL));
    sv_allocator_release(NULL);
    cr_expect_eq(sv_allocator_kind(NULL), SV_MEMORY_UNKNOWN);
    cr_expect_eq(sv_allocator_device_type(NULL), 0);
    cr_expect_eq(sv_allocator_device_id(NULL), 0);
    cr_expect_eq(sv_allocator_traits(NULL), 0);
    cr_expect_eq(sv_allocator_alignment(NULL), 0);
    cr_expect_null(sv_allocator_name(NULL));
    cr_expect_eq(sv_allocator_allocate(NULL, 1, 0, 0, &pointer), SV_ERROR_NULL);
    cr_expect_eq(sv_allocator_free(NULL, &pointer, 1, 0, 0), SV_ERROR_NULL);
}

Test(allocator, unknown_flags_are_refused)
{
    static const uint32_t flags[] = {2, 16, 0x80000000, UINT32_MAX,
                                     SV_ALLOCATOR_HUGE_PAGES | SV_ALLOCATOR_NO_HUGE_PAGES};
    sv_allocator *a = NULL;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        cr_expect_eq(sv_allocator_host(flags[i], &a), SV_ERROR_INVALID);
        cr_expect_null(a);
    }
}

Test(allocator, the_default_one_is_always_there)
{
    const sv_allocator *a = svi_allocator_default();
    void *pointer = NULL;

    cr_expect_eq(svi_allocator_default(), a);
    cr_expect_eq(a->traits, svi_devices[SV_DEVICE_CPU].traits);
    sv_allocator_release(sv_allocator_retain(a));
    cr_assert_eq(sv_allocator_allocate(a, 100, 0, 0, &pointer), SV_OK);
    cr_expect_eq(sv_allocator_free(a, pointer, 100, 0, 0), SV_OK);
}

Test(allocator, only_without_flags_blocks_are_plain)
{
    sv_allocator *plain = host(0), *huge = host(SV_ALLOCATOR_HUGE_PAGES), *guarded = host(SV_ALLOCATOR_GUARD);

    cr_expect(plain->plain && svi_allocator_default()->plain && !huge->plain && !guarded->plain);
    sv_allocator_release(plain);
    sv_allocator_release(huge);
    sv_allocator_release(guarded);
}

/* --- raw memory ----------------------------------------------------------- */

Test(allocator, any_alignment_is_granted)
{
    static const uint32_t flags[] = {0, SV_ALLOCATOR_HUGE_PAGES, SV_ALLOCATOR_GUARD, SV_ALLOCATOR_NO_HUGE_PAGES,
                                     SV_ALLOCATOR_GUARD | SV_ALLOCATOR_HUGE_PAGES};
    static const int64_t sizes[] = {1, 15, 100, 4096, 2097151, 2097152, 3000001};

    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        sv_allocator *a = host(flags[f]);

        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int64_t alignment = 0; alignment <= 8388608; alignment = alignment == 0 ? 1 : 4 * alignment) {
                void *pointer = NULL;

                cr_assert_eq(sv_allocator_allocate(a, sizes[i], alignment, 7, &pointer), SV_OK);
                cr_assert(is_aligned(pointer, alignment == 0 ? 64 : alignment), "%p", pointer);
                memset(pointer, 1, (size_t)sizes[i]);
                cr_assert_eq(sv_allocator_free(a, pointer, sizes[i], alignment, 7), SV_OK);
            }
        sv_allocator_release(a);
    }
}

Test(allocator, raw_memory_is_checked)
{
    static const struct {
        int64_t nbytes, alignment;
        sv_status status;
    } cases[] = {
        {0, 0, SV_OK},
        {0, 1, SV_OK},
        {0, 512, SV_OK},
        {0, INT64_C(1) << 62, SV_OK},
        {0, 3, SV_ERROR_INVALID},
        {16, 3, SV_ERROR_INVALID},
        {16, 96, SV_ERROR_INVALID},
        {16, -1, SV_ERROR_INVALID},
        {16, -64, SV_ERROR_INVALID},
        {16, INT64_MIN, SV_ERROR_INVALID},
        {16, INT64_MAX, SV_ERROR_INVALID},
        {-1, 0, SV_ERROR_INVALID},
        {INT64_MIN, 64, SV_ERROR_INVALID},
        {INT64_MAX, 64, SV_ERROR_OVERFLOW},
        {INT64_MAX - 63, 64, SV_ERROR_OVERFLOW},
        {INT64_MAX / 2 + 1, INT64_C(1) << 62, SV_ERROR_OVERFLOW},
    };
    sv_allocator *a = host(0);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *pointer = a;
        const sv_status status = sv_allocator_allocate(a, cases[i].nbytes, cases[i].alignment, 0, &pointer);

        cr_expect_eq(status, cases[i].status, "row %zu: %s", i, sv_status_name(status));
        cr_expect_eq(pointer, status == SV_OK ? NULL : a, "row %zu", i);
    }
    sv_allocator_release(a);
}

Test(allocator, what_is_freed_is_checked)
{
    sv_allocator *a = host(0);
    int block;

    cr_expect_eq(sv_allocator_free(a, NULL, 0, 0, 0), SV_OK);
    cr_expect_eq(sv_allocator_free(a, NULL, 16, 0, 0), SV_OK);
    cr_expect_eq(sv_allocator_free(a, &block, 0, 0, 0), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_free(a, &block, -4, 0, 0), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_free(a, &block, 4, 12, 0), SV_ERROR_INVALID);
    sv_allocator_release(a);
}

static void *no_memory(size_t nbytes)
{
    (void)nbytes;
    errno = ENOMEM;
    return NULL;
}

Test(allocator, want_of_memory_is_told_and_leaves_all_as_it_was)
{
    const struct svi_alloc kept = svi_alloc;
    sv_allocator *a = host(0), *b = a;
    void *pointer = a;

    svi_alloc = (struct svi_alloc){no_memory, free, NULL};
    errno = 0;
    cr_expect_eq(sv_allocator_allocate(a, 12345, 8, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "12345"));
    cr_expect_eq(sv_allocator_host(0, &b), SV_ERROR_MEMORY);
    svi_alloc = kept;
    cr_expect_eq(errno, 0);
    cr_expect_eq(pointer, a);
    cr_expect_eq(b, a);
    sv_allocator_release(a);
}

Test(allocator, more_huge_pages_than_there_are)
{
    sv_allocator *a = host(SV_ALLOCATOR_HUGE_PAGES);
    void *pointer = NULL;

    errno = 0;
    cr_expect_eq(sv_allocator_allocate(a, INT64_C(1) << 60, 64, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "1152921504606846976"));
    cr_expect_eq(sv_allocator_allocate(a, INT64_MAX - 4096, 64, 0, &pointer), SV_ERROR_OVERFLOW);
    cr_expect_eq(errno, 0);
    cr_expect_null(pointer);
    sv_allocator_release(a);
}

/* --- zeros ---------------------------------------------------------------- */

Test(allocator, zeros_where_they_are_asked_for)
{
    static const uint32_t flags[] = {0, SV_ALLOCATOR_HUGE_PAGES, SV_ALLOCATOR_GUARD, SV_ALLOCATOR_NO_HUGE_PAGES};
    static const int64_t sizes[] = {40, 5000, 2500000};

    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int64_t alignment = 8; alignment <= 4096; alignment *= 8) {
                sv_allocator *a = host(flags[f]);
                struct svi_block block = {.nbytes = sizes[i], .alignment = alignment, .wants_zeros = true};

                cr_assert_eq(svi_block_allocate(a, &block), SV_OK);
                cr_expect(block.is_zero && is_all(block.pointer, 0, sizes[i]));
                memset(block.pointer, 3, (size_t)sizes[i]);
                cr_expect_eq(svi_block_free(a, &block), SV_OK);
                sv_allocator_release(a);
            }
}

/* --- guard bytes ----------------------------------------------------------- */

Test(allocator, guard_bytes_find_writes_past_the_end)
{
    static char *lost[32]; /* keeps what was given up in reach */
    sv_allocator *a = host(SV_ALLOCATOR_GUARD);

    for (int past = 0; past < 32; past++) {
        void *pointer = NULL;

        cr_assert_eq(sv_allocator_allocate(a, 100, 64, 0, &pointer), SV_OK);
        cr_expect(is_all(pointer, 0xcd, 100));
        lost[past] = pointer;
        lost[past][100 + past] ^= 1;
        cr_expect_eq(sv_allocator_free(a, pointer, 100, 64, 0), SV_ERROR_STATE);
        cr_expect_not_null(strstr(sv_last_message(), "100 bytes"));
        lost[past][100 + past] ^= 1;
        cr_expect_eq(sv_allocator_free(a, pointer, 100, 64, 0), SV_OK);
    }
    sv_allocator_release(a);
}

/* --- deferred frees --------------------------------------------------------- */

static int drained[2]; /* without waiting, and with */
static bool frees;

static bool finish(struct svi_deferred *self, enum svi_effort effort)
{
    const bool wait = effort == SVI_EFFORT_WAIT;

    cr_expect(svi_is_cpu(self->device) && effort != SVI_EFFORT_NONE);
    drained[wait]++;
    svi_fail(SV_ERROR_CUDA, "a deferred free failed");
    return wait && frees;
}

static int failing;

static void *no_memory_yet(size_t nbytes)
{
    return failing-- > 0 ? NULL : malloc(nbytes);
}

Test(allocator, deferred_frees_are_drained_first_and_waited_for_before_failing)
{
    const struct svi_alloc kept = svi_alloc;
    sv_allocator *a = host(0);
    struct svi_deferred waiting = {.device = svi_cpu, .finish = finish};
    void *pointer = NULL;

    svi_deferred_add(&waiting);
    cr_assert_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), SV_OK);
    cr_expect_eq(sv_allocator_free(a, pointer, 8, 8, 0), SV_OK);
    cr_expect(drained[0] == 1 && drained[1] == 0);

    svi_alloc = (struct svi_alloc){no_memory_yet, free, NULL};
    failing = 1;
    cr_expect_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "no memory for 8 bytes");
    cr_expect(drained[0] == 2 && drained[1] == 1);
    failing = 1;
    frees = true;
    cr_assert_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), SV_OK);
    svi_alloc = kept;
    cr_expect(drained[0] == 3 && drained[1] == 2);
    cr_expect_eq(sv_allocator_free(a, pointer, 8, 8, 0), SV_OK);
    svi_deferred_add(&waiting);
    cr_expect(svi_allocator_drain(a));
    cr_expect(!svi_allocator_drain(a));
    sv_allocator_release(a);
}
