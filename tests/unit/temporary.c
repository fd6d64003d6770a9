/* When a copy takes memory, how much, and what becomes of it. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "alloc.h"
#include "temporary.h"
#include "unit/views.h"

static size_t asked, calls, given_back;

static void *count(size_t nbytes)
{
    asked = nbytes;
    calls++;
    return malloc(nbytes);
}

static void *refuse(size_t nbytes)
{
    (void)nbytes;
    calls++;
    return NULL;
}

static void release(void *pointer)
{
    given_back++;
    free(pointer);
}

/* What the table of allocations sees of one copy. */
static sv_status copy_watched(const sv_view *dst, const sv_view *src, uint32_t flags, void *(*allocate)(size_t))
{
    const struct svi_alloc kept = svi_alloc;
    sv_status status;

    asked = calls = given_back = 0;
    svi_alloc = (struct svi_alloc){allocate, release};
    status = sv_copy(dst, src, flags, 0);
    svi_alloc = kept;
    return status;
}

static const int64_t eight[1] = {8}, bytes[1] = {1}, backwards[1] = {-1}, odd[1] = {2};

Test(temporary, no_allocation_without_overlap)
{
    char to[16] = {0}, from[16] = "abcdefgh";
    sv_view *dst = test_view(to, 1, eight, odd, 1, 0), *src = test_view(from, 1, eight, bytes, 1, 0);
    sv_view *between = test_view(to + 1, 1, eight, odd, 1, 0);

    cr_expect_eq(copy_watched(dst, src, SV_COPY_NO_TEMP, refuse), SV_OK, "%s", sv_last_message());
    cr_expect_eq(copy_watched(between, dst, SV_COPY_NO_TEMP, refuse), SV_OK, "%s", sv_last_message());
    cr_expect_eq(calls, 0);
    cr_expect_eq(memcmp(to, "aabbccddeeffgghh", 16), 0);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(between);
}

Test(temporary, onto_itself_does_nothing)
{
    static const int64_t column[2] = {8, 1}, strides[2] = {1, 99}, others[2] = {1, -5};
    char block[] = "abcdefgh";
    sv_view *dst = test_view(block, 2, column, strides, 1, 0), *src = test_view(block, 2, column, others, 1, 0);

    cr_expect_eq(copy_watched(dst, dst, SV_COPY_NO_TEMP, refuse), SV_OK, "%s", sv_last_message());
    cr_expect_eq(copy_watched(dst, src, SV_COPY_NO_TEMP, refuse), SV_OK, "%s", sv_last_message());
    cr_expect_eq(calls, 0);
    cr_expect_str_eq(block, "abcdefgh");
    sv_view_release(dst);
    sv_view_release(src);
}

Test(temporary, overlap_needs_a_temporary)
{
    char block[] = "abcdefgh";
    sv_view *dst = test_view(block, 1, eight, bytes, 1, 0), *src = test_view(block + 7, 1, eight, backwards, 1, 0);

    cr_expect_eq(copy_watched(dst, src, SV_COPY_NO_TEMP, count), SV_ERROR_OVERLAP);
    cr_expect_eq(calls, 0);
    cr_expect_eq(copy_watched(dst, src, 0, refuse), SV_ERROR_MEMORY);
    cr_expect_eq(calls, 1);
    cr_expect_str_eq(block, "abcdefgh");
    cr_expect_eq(copy_watched(dst, src, 0, count), SV_OK);
    cr_expect_eq(calls, 1);
    cr_expect_eq(asked, sizeof(struct svi_temporary) + 8);
    cr_expect_eq(given_back, 1);
    cr_expect_str_eq(block, "hgfedcba");
    sv_view_release(dst);
    sv_view_release(src);
}

/* Of 64 elements that are 8 places, 8 go to the temporary. */
Test(temporary, temporary_holds_repeated_elements_once)
{
    static const int64_t square[2] = {8, 8}, dense[2] = {8, 1}, repeated[2] = {1, 0}, repeating[2] = {0, 1};
    char block[64];
    sv_view *dst = test_view(block, 2, square, dense, 1, 0), *rows = test_view(block + 28, 1, eight, bytes, 1, 0);
    sv_view *repeat = test_view(block + 28, 2, square, repeated, 1, 0);
    sv_view *repeats = test_view(block + 28, 2, square, repeating, 1, 0);
    const sv_view *sources[] = {rows, repeat, repeats};

    for (size_t i = 0; i < 3; i++) {
        for (int k = 0; k < 64; k++)
            block[k] = (char)k;
        cr_expect_eq(copy_watched(dst, sources[i], 0, count), SV_OK, "%s", sv_last_message());
        cr_expect_eq(calls, 1);
        cr_expect_eq(asked, sizeof(struct svi_temporary) + 8, "source %zu: %zu bytes", i, asked);
        for (int k = 0; k < 64; k++)
            cr_expect_eq(block[k], 28 + (i == 1 ? k / 8 : k % 8), "source %zu, place %d: %d", i, k, block[k]);
    }
    sv_view_release(dst);
    sv_view_release(rows);
    sv_view_release(repeat);
    sv_view_release(repeats);
}
