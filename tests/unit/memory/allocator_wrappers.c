/* Allocators that count, limit, log and try again what they get from another one. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/allocator.h"
#include "memory/deferred.h"

/* --- below them: memory that can be made to fail ------------------------------- */

static struct {
    int failing;          /* so many allocations fail with status */
    sv_status status, free_status;
    int allocated, freed;
} source;

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    const size_t unit = alignment < 64 ? 64 : (size_t)alignment;

    (void)ctx, (void)stream;
    source.allocated++;
    if (source.failing > 0) {
        source.failing--;
        return source.status;
    }
    *out = aligned_alloc(unit, ((size_t)nbytes + unit - 1) / unit * unit);
    return SV_OK;
}

static sv_status free_memory(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)nbytes, (void)alignment, (void)stream;
    source.freed++;
    free(pointer);
    return source.free_status;
}

static sv_allocator *base(void)
{
    sv_allocator *a = NULL;

    source.status = SV_ERROR_MEMORY;
    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 5, allocate, free_memory, NULL, NULL, &a),
                 SV_OK);
    return a;
}

static sv_allocator *track(sv_allocator *below, const char *name, uint32_t flags)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_tracked(below, name, flags, &a), SV_OK);
    sv_allocator_release(below);
    return a;
}

static sv_allocator *limit(sv_allocator *below, int64_t most)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_limited(below, most, &a), SV_OK);
    sv_allocator_release(below);
    return a;
}

static void *get(const sv_allocator *a, int64_t nbytes)
{
    void *pointer = NULL;

    cr_assert_eq(sv_allocator_allocate(a, nbytes, 64, 9, &pointer), SV_OK, "%s", sv_last_message());
    return pointer;
}

static void give(const sv_allocator *a, void *pointer, int64_t nbytes)
{
    cr_expect_eq(sv_allocator_free(a, pointer, nbytes, 64, 9), SV_OK, "%s", sv_last_message());
}

static int64_t stat(const sv_allocator *a, int32_t which)
{
    int64_t value = -1;

    cr_assert_eq(sv_allocator_stats(a, which, &value), SV_OK, "%s", sv_last_message());
    return value;
}

/* --- all of them ---------------------------------------------------------------- */

static void ignore(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)nbytes, (void)stream;
}

static int32_t refuse(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

Test(allocator_wrappers, have_the_facts_of_their_base_and_nest)
{
    sv_allocator *below = base(), *all[5] = {NULL};

    cr_assert_eq(sv_allocator_tracked(below, "images", 0, &all[0]), SV_OK);
    cr_assert_eq(sv_allocator_limited(all[0], 1 << 20, &all[1]), SV_OK);
    cr_assert_eq(sv_allocator_logged(all[1], ignore, NULL, NULL, &all[2]), SV_OK);
    cr_assert_eq(sv_allocator_retrying(all[2], 1, refuse, NULL, NULL, &all[3]), SV_OK);
    cr_assert_eq(sv_allocator_cached(all[3], 0, &all[4]), SV_OK);
    sv_allocator_release(below);
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(sv_allocator_kind(all[i]), SV_MEMORY_FOREIGN);
        cr_expect(sv_allocator_device_type(all[i]) == SV_DEVICE_ROCM && sv_allocator_device_id(all[i]) == 5);
        cr_expect_eq(sv_allocator_alignment(all[i]), i < 4 ? sv_allocator_alignment(all[0]) : 256);
        cr_expect_str_eq(sv_allocator_name(all[i]), "images");
        give(all[i], get(all[i], 100), 100);
        cr_expect_eq(stat(all[i], SV_STAT_TOTAL_COUNT), i + 1);
    }
    for (int i = 0; i < 5; i++)
        sv_allocator_release(all[i]);
    cr_expect_eq(source.allocated, source.freed);
}

Test(allocator_wrappers, names_are_those_of_the_nearest)
{
    static const struct {
        const char *inner, *outer, *told;
    } cases[] = {
        {NULL, NULL, "callbacks"}, {"a", NULL, "a"}, {NULL, "b", "b"}, {"a", "b", "b"}, {"a", "", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[8] = "";
        sv_allocator *a;

        if (cases[i].outer != NULL)
            strcpy(name, cases[i].outer);
        a = track(track(base(), cases[i].inner, 0), cases[i].outer != NULL ? name : NULL, 0);
        name[0] = 'x'; /* the name was copied */
        cr_expect_str_eq(sv_allocator_name(a), cases[i].told);
        sv_allocator_release(a);
    }
}

Test(allocator_wrappers, ten_thousand_nest_and_end)
{
    sv_allocator *a = base();

    for (int i = 0; i < 10000; i++)
        a = track(a, NULL, 0);
    sv_allocator_release(a);
}

Test(allocator_wrappers, bad_numbers_are_refused)
{
    sv_allocator *below = base(), *a = NULL;

    cr_expect_eq(sv_allocator_tracked(below, NULL, 1, &a), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_tracked(below, NULL, 0x80000002, &a), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_limited(below, -1, &a), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_limited(below, INT64_MIN, &a), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_retrying(below, 0, refuse, NULL, NULL, &a), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_retrying(below, -1, refuse, NULL, NULL, &a), SV_ERROR_INVALID);
    cr_expect_null(a);
    sv_allocator_release(below);
}

/* --- tracked ---------------------------------------------------------------------- */

static void expect_stats(const sv_allocator *a, const int64_t (*expected)[2], int line)
{
    for (; (*expected)[0] >= 0; expected++)
        cr_expect_eq(stat(a, (int32_t)(*expected)[0]), (*expected)[1], "line %d: number %" PRId64 " is %" PRId64, line,
                     (*expected)[0], stat(a, (int32_t)(*expected)[0]));
}

#define EXPECT(a, ...) expect_stats(a, (const int64_t[][2]){__VA_ARGS__, {-1, 0}}, __LINE__)

Test(allocator_wrappers, what_is_counted)
{
    sv_allocator *a = track(base(), NULL, 0);
    void *first = get(a, 1000), *second = get(a, 24), *pointer = NULL;

    EXPECT(a, {SV_STAT_LIVE_BYTES, 1024}, {SV_STAT_LIVE_COUNT, 2}, {SV_STAT_PEAK_BYTES, 1024}, {SV_STAT_PEAK_COUNT, 2});
    give(a, first, 1000);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 24}, {SV_STAT_LIVE_COUNT, 1}, {SV_STAT_PEAK_BYTES, 1024}, {SV_STAT_PEAK_COUNT, 2});
    cr_expect_eq(sv_allocator_reset_peaks(a), SV_OK);
    EXPECT(a, {SV_STAT_PEAK_BYTES, 24}, {SV_STAT_PEAK_COUNT, 1}, {SV_STAT_TOTAL_BYTES, 1024}, {SV_STAT_TOTAL_COUNT, 2});
    source.failing = 1;
    cr_expect_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), SV_ERROR_MEMORY);
    EXPECT(a, {SV_STAT_FAILED_COUNT, 1}, {SV_STAT_LIVE_COUNT, 1}, {SV_STAT_TOTAL_COUNT, 2});
    cr_expect_eq(sv_allocator_allocate(a, 0, 8, 0, &pointer), SV_OK);
    EXPECT(a, {SV_STAT_TOTAL_COUNT, 2});
    source.free_status = SV_ERROR_CUDA;
    cr_expect_eq(sv_allocator_free(a, second, 24, 64, 0), SV_ERROR_CUDA);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 0}, {SV_STAT_LIVE_COUNT, 0}, {SV_STAT_LOST_BYTES, 24}, {SV_STAT_LOST_COUNT, 1});
    sv_allocator_release(a);
}

Test(allocator_wrappers, numbers_that_are_none)
{
    static const int32_t none[] = {-1, SV_STAT_DEFERRED_BYTES, SV_STAT_DEFERRED_COUNT, 13, INT32_MAX, INT32_MIN};
    sv_allocator *a = track(base(), NULL, 0), *untracked = limit(base(), 0);
    int64_t value = 77;

    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_eq(sv_allocator_stats(a, none[i], &value), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_stats(untracked, 0, &value), SV_ERROR_STATE);
    cr_expect_eq(sv_allocator_reset_peaks(untracked), SV_ERROR_STATE);
    cr_expect_eq(sv_allocator_visit(a, NULL, NULL), SV_ERROR_NULL);
    cr_expect_eq(value, 77);
    sv_allocator_release(a);
    sv_allocator_release(untracked);
}

/* Without a list a wrong size is believed, but nothing becomes negative. */
Test(allocator_wrappers, totals_never_underflow)
{
    sv_allocator *a = limit(track(base(), NULL, 0), 200);
    void *first = get(a, 100), *second = get(a, 60);

    give(a, first, 100000);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 0}, {SV_STAT_LIVE_COUNT, 1});
    give(a, second, 60);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 0}, {SV_STAT_LIVE_COUNT, 0});
    give(a, get(a, 200), 200);
    sv_allocator_release(a);
}

/* --- blocks ------------------------------------------------------------------------- */

struct visited {
    int64_t numbers[8];
    const void *pointers[8];
    int64_t nbytes;
    int count, stop_after;
    const sv_allocator *frees; /* what it visits */
};

static int32_t visit(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    struct visited *v = ctx;

    cr_expect_eq(stream, 9);
    v->numbers[v->count] = number;
    v->pointers[v->count++] = pointer;
    v->nbytes += nbytes;
    if (v->frees != NULL)
        give(v->frees, (void *)(uintptr_t)pointer, nbytes);
    return v->count == v->stop_after;
}

Test(allocator_wrappers, blocks_are_visited_in_order)
{
    sv_allocator *a = limit(track(track(base(), NULL, SV_ALLOCATOR_BLOCKS), NULL, 0), INT64_MAX);
    void *blocks[5];
    struct visited all = {.count = 0}, some = {.stop_after = 2}, freed = {.frees = a}, none = {.count = 0};

    for (int i = 0; i < 5; i++)
        blocks[i] = get(a, 10 + i);
    give(a, blocks[0], 10);
    give(a, blocks[2], 12);
    give(a, blocks[4], 14);
    blocks[4] = get(a, 100);
    cr_assert_eq(sv_allocator_visit(a, visit, &all), SV_OK);
    cr_expect(all.count == 3 && all.nbytes == 11 + 13 + 100);
    cr_expect(all.numbers[0] == 2 && all.numbers[1] == 4 && all.numbers[2] == 6);
    cr_expect(all.pointers[0] == blocks[1] && all.pointers[1] == blocks[3] && all.pointers[2] == blocks[4]);
    cr_assert_eq(sv_allocator_visit(a, visit, &some), SV_OK);
    cr_expect_eq(some.count, 2);
    cr_assert_eq(sv_allocator_visit(a, visit, &freed), SV_OK);
    cr_expect_eq(freed.count, 3);
    cr_assert_eq(sv_allocator_visit(a, visit, &none), SV_OK);
    cr_expect_eq(none.count, 0);
    cr_expect(source.allocated == 6 && source.freed == 6);
    sv_allocator_release(a);
}

Test(allocator_wrappers, frees_that_fit_no_block_are_refused)
{
    sv_allocator *a = track(base(), NULL, SV_ALLOCATOR_BLOCKS), *unlisted = track(base(), NULL, 0);
    char *block = get(a, 100);
    struct visited none = {.count = 0};

    cr_expect_eq(sv_allocator_free(a, block, 99, 64, 0), SV_ERROR_INVALID);
    cr_expect_not_null(strstr(sv_last_message(), "100 bytes, not 99"), "%s", sv_last_message());
    cr_expect_eq(sv_allocator_free(a, block + 1, 100, 64, 0), SV_ERROR_STATE);
    cr_expect_eq(source.freed, 0);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 100}, {SV_STAT_LIVE_COUNT, 1}, {SV_STAT_LOST_COUNT, 0});
    give(a, block, 100);
    cr_expect_eq(sv_allocator_free(a, block, 100, 64, 0), SV_ERROR_STATE);
    cr_expect_eq(source.freed, 1);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 0}, {SV_STAT_LIVE_COUNT, 0}, {SV_STAT_LOST_COUNT, 0});
    cr_expect_eq(sv_allocator_visit(unlisted, visit, &none), SV_ERROR_STATE);
    sv_allocator_release(a);
    sv_allocator_release(unlisted);
}

Test(allocator_wrappers, many_blocks_and_an_end_with_some_left)
{
    enum { BLOCKS = 20000 };
    sv_allocator *a = track(base(), NULL, SV_ALLOCATOR_BLOCKS), *b = track(base(), NULL, SV_ALLOCATOR_BLOCKS);
    void **blocks = malloc(BLOCKS * sizeof *blocks), *left = get(b, 8);

    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = get(a, i % 50 + 1);
    for (int i = 0; i < BLOCKS; i++)
        give(a, blocks[i * 7919 % BLOCKS], i * 7919 % BLOCKS % 50 + 1);
    EXPECT(a, {SV_STAT_LIVE_BYTES, 0}, {SV_STAT_LIVE_COUNT, 0}, {SV_STAT_TOTAL_COUNT, BLOCKS});
    free(blocks);
    sv_allocator_release(a);
    sv_allocator_release(b);
    free(left);
}

/* --- limited ------------------------------------------------------------------------- */

Test(allocator_wrappers, a_limit_is_kept_and_failures_are_not_counted)
{
    enum { HALF = 1 << 19 };
    sv_allocator *a = limit(base(), 2 * HALF);
    void *first, *second, *pointer = NULL;

    source.failing = 3;
    for (int i = 0; i < 3; i++)
        cr_expect_eq(sv_allocator_allocate(a, 2 * HALF, 64, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_eq(sv_allocator_allocate(a, 2 * HALF + 1, 64, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_eq(sv_allocator_allocate(a, INT64_MAX, 64, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_eq(source.allocated, 3);
    first = get(a, HALF);
    second = get(a, HALF);
    cr_expect_eq(sv_allocator_allocate(a, 1, 64, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "the limit is 1048576, and 1048576 are in use"));
    cr_expect_eq(sv_allocator_allocate(a, 0, 64, 0, &pointer), SV_OK);
    give(a, first, HALF);
    give(a, get(a, 1), 1);
    source.free_status = SV_ERROR_CUDA;
    cr_expect_eq(sv_allocator_free(a, second, HALF, 64, 0), SV_ERROR_CUDA);
    cr_expect_eq(sv_allocator_allocate(a, HALF + 1, 64, 0, &pointer), SV_ERROR_MEMORY, "lost memory is in use");
    cr_expect_null(pointer);
    sv_allocator_release(a);
}

/* --- logged ---------------------------------------------------------------------------- */

static struct {
    int32_t events[8];
    const void *pointers[8];
    int count, released;
} told;

/* Fails by itself, which must not be seen. */
static void log_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    cr_expect(nbytes == 40 && stream == 9);
    told.events[told.count] = event;
    told.pointers[told.count++] = pointer;
    cr_expect_eq(sv_allocator_host(99, (sv_allocator **)ctx), SV_ERROR_INVALID);
}

static void end_log(void *ctx)
{
    (void)ctx;
    told.released++;
}

Test(allocator_wrappers, all_that_happens_is_logged)
{
    sv_allocator *below = base(), *a = NULL, *unused = NULL;
    void *block, *pointer = NULL;

    cr_assert_eq(sv_allocator_logged(below, log_event, end_log, &unused, &a), SV_OK);
    block = get(a, 40);
    give(a, block, 40);
    source.failing = 1;
    cr_expect_eq(sv_allocator_allocate(a, 40, 64, 9, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "answered SV_ERROR_MEMORY"), "%s", sv_last_message());
    cr_expect_eq(sv_allocator_allocate(a, 0, 64, 9, &pointer), SV_OK);
    block = get(a, 40);
    source.free_status = SV_ERROR_CUDA;
    cr_expect_eq(sv_allocator_free(a, block, 40, 64, 9), SV_ERROR_CUDA);
    cr_expect_not_null(strstr(sv_last_message(), "answered SV_ERROR_CUDA"), "%s", sv_last_message());
    cr_expect_eq(told.count, 6);
    cr_expect(told.events[0] == SV_EVENT_ALLOCATED && told.events[1] == SV_EVENT_FREED);
    cr_expect(told.pointers[0] == told.pointers[1] && told.pointers[0] != NULL);
    cr_expect(told.events[2] == SV_EVENT_FAILED && told.pointers[2] == NULL);
    cr_expect(told.events[4] == SV_EVENT_FREED && told.events[5] == SV_EVENT_FAILED && told.pointers[5] == block);
    sv_allocator_release(below);
    cr_expect_eq(told.released, 0);
    sv_allocator_release(a);
    cr_expect_eq(told.released, 1);
}

/* --- retrying ----------------------------------------------------------------------------- */

static struct {
    int asked, yes; /* so often it answers yes */
    int32_t last;
    sv_allocator *limited; /* of which it frees this: */
    void *block;
} asking;

static int32_t ask(void *ctx, int64_t nbytes, int32_t attempt)
{
    int64_t value;

    (void)ctx, (void)nbytes;
    asking.asked++;
    asking.last = attempt;
    cr_expect_eq(sv_allocator_stats(NULL, 0, &value), SV_ERROR_NULL); /* a text that must not be seen */
    if (asking.block != NULL) {
        give(asking.limited, asking.block, 100);
        asking.block = NULL;
    }
    return asking.yes-- > 0;
}

Test(allocator_wrappers, attempts_are_bounded)
{
    static const struct {
        int failing, attempts, yes, asked;
        sv_status answered, told;
    } cases[] = {
        {0, 3, 9, 0, SV_ERROR_MEMORY, SV_OK},
        {1, 3, 9, 1, SV_ERROR_MEMORY, SV_OK},
        {3, 3, 9, 3, SV_ERROR_MEMORY, SV_OK},
        {4, 3, 9, 3, SV_ERROR_MEMORY, SV_ERROR_MEMORY},
        {9, 3, 0, 1, SV_ERROR_MEMORY, SV_ERROR_MEMORY},
        {9, 3, 1, 2, SV_ERROR_MEMORY, SV_ERROR_MEMORY},
        {1, 1, 9, 1, SV_ERROR_MEMORY, SV_OK},
        {1, 3, 9, 0, SV_ERROR_CUDA, SV_ERROR_CUDA},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_allocator *below = base(), *a = NULL;
        void *pointer = NULL;
        sv_status status;

        cr_assert_eq(sv_allocator_retrying(below, cases[i].attempts, ask, NULL, NULL, &a), SV_OK);
        source.status = cases[i].answered;
        source.failing = cases[i].failing;
        asking.asked = 0;
        asking.yes = cases[i].yes;
        status = sv_allocator_allocate(a, 100, 64, 0, &pointer);
        cr_expect_eq(status, cases[i].told, "row %zu: %s", i, sv_status_name(status));
        cr_expect_eq(asking.asked, cases[i].asked, "row %zu: %d", i, asking.asked);
        cr_expect(asking.asked == 0 || asking.last == asking.asked);
        if (status == SV_OK)
            give(a, pointer, 100);
        else
            cr_expect_not_null(strstr(sv_last_message(), "callback that allocates answered"), "%s", sv_last_message());
        sv_allocator_release(below);
        sv_allocator_release(a);
    }
}

Test(allocator_wrappers, the_one_who_is_asked_may_free_memory_of_the_same_allocator)
{
    sv_allocator *limited = limit(base(), 100), *a = NULL;
    void *pointer = NULL;

    asking.limited = limited;
    asking.block = get(limited, 100);
    asking.yes = 1;
    cr_assert_eq(sv_allocator_retrying(limited, 5, ask, NULL, NULL, &a), SV_OK);
    cr_assert_eq(sv_allocator_allocate(a, 50, 64, 9, &pointer), SV_OK, "%s", sv_last_message());
    cr_expect_eq(asking.asked, 1);
    give(a, pointer, 50);
    sv_allocator_release(limited);
    sv_allocator_release(a);
}

static int drains;

/* The first time that it is waited for it is gone. */
static bool finish(struct svi_deferred *self, enum svi_effort effort)
{
    cr_expect(self->device.type == SV_DEVICE_ROCM && self->device.id == 5);
    drains += effort == SVI_EFFORT_WAIT;
    return effort == SVI_EFFORT_WAIT && drains == 1;
}

Test(allocator_wrappers, deferred_frees_are_waited_for_before_it_asks)
{
    sv_allocator *below = base(), *a = NULL;
    struct svi_deferred waiting = {.device = {SV_DEVICE_ROCM, 5}, .finish = finish};
    void *pointer = NULL;

    svi_deferred_add(&waiting);
    cr_assert_eq(sv_allocator_retrying(below, 5, ask, NULL, NULL, &a), SV_OK);
    source.failing = 1;
    cr_assert_eq(sv_allocator_allocate(a, 50, 64, 9, &pointer), SV_OK);
    cr_expect(drains == 1 && asking.asked == 0);
    give(a, pointer, 50);
    svi_deferred_add(&waiting);
    source.failing = 2;
    asking.yes = 9;
    cr_assert_eq(sv_allocator_allocate(a, 50, 64, 9, &pointer), SV_OK);
    cr_expect(drains == 2 && asking.asked == 2);
    give(a, pointer, 50);
    drains = 0;
    cr_expect(svi_allocator_drain(a));
    sv_allocator_release(below);
    sv_allocator_release(a);
}
