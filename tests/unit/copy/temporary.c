/* When a copy takes memory, how much, and what becomes of it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "backend/memory.h"
#include "copy/temporary.h"
#include "support/views.h"
#include "host/front/host.h"

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
    svi_alloc = (struct svi_alloc){allocate, release, NULL};
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

/* --- of a device whose memory is the host's ---------------------------------- */

enum { STREAM = 110, DEVICE = 3, POOL = 9 };

static struct {
    int calls, fail_at, copies, waits;
    bool has_pool;
    size_t asked;
    void *memory; /* allocated, and not freed */
} device;

static sv_status answer(void)
{
    return ++device.calls == device.fail_at ? svi_fail(SV_ERROR_CUDA, "call %d fails", device.calls) : SV_OK;
}

static sv_status default_pool(sv_memory kind, int32_t device_id, uintptr_t *pool)
{
    cr_assert(kind == SV_MEMORY_DEVICE && device_id == DEVICE);
    if (!device.has_pool)
        return svi_fail(SV_ERROR_UNSUPPORTED, "no pools");
    *pool = POOL;
    return answer();
}

static sv_status allocate_from_pool(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out)
{
    cr_assert(device_id == DEVICE && pool == POOL && stream == STREAM && device.memory == NULL);
    SVI_TRY(answer());
    device.asked = (size_t)nbytes;
    *out = device.memory = malloc((size_t)nbytes);
    return SV_OK;
}

static sv_status free_in_order(int32_t device_id, void *pointer, uintptr_t stream)
{
    cr_assert(device_id == DEVICE && pointer == device.memory && stream == STREAM);
    free(pointer);
    device.memory = NULL;
    return answer();
}

static sv_status copy_on_device(const struct svi_request *request)
{
    cr_assert_eq(request->stream, STREAM);
    device.copies++;
    device.waits += (request->flags & SV_COPY_BLOCKING) != 0;
    SVI_TRY(answer());
    return svi_host.copy(request);
}

static const struct svi_driver operations = {
    .default_pool = default_pool, .allocate_from_pool = allocate_from_pool, .free_in_order = free_in_order};
static const struct svi_backend backend = {.copy = copy_on_device, .driver = &operations};

/* Eight bytes are reversed, in device memory. */
static sv_status reverse(char *block, uint32_t flags)
{
    sv_view *dst = test_view(block, 1, eight, bytes, 1, 0), *src = test_view(block + 7, 1, eight, backwards, 1, 0);
    struct svi_job job;
    sv_status status;

    cr_assert_eq(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job), SV_OK);
    job.dst_device = job.src_device = (struct svi_device){SV_DEVICE_CUDA, DEVICE};
    job.backend = &backend;
    status = svi_temporary_run(&job, block, block + 7, STREAM);
    sv_view_release(dst);
    sv_view_release(src);
    return status;
}

Test(temporary, in_device_memory_nothing_waits)
{
    char block[] = "abcdefgh";

    device.has_pool = true;
    cr_expect_eq(reverse(block, 0), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(block, "hgfedcba");
    cr_expect(device.copies == 2 && device.waits == 0 && device.asked == 8 && device.memory == NULL);
    cr_expect_eq(reverse(block, SV_COPY_BLOCKING), SV_OK);
    cr_expect_str_eq(block, "abcdefgh");
    cr_expect_eq(device.waits, 1);
}

/* Pool, memory, two copies, and giving it back: dst is as it was until the second copy. */
Test(temporary, every_call_of_a_device_can_fail)
{
    device.has_pool = true;
    for (device.fail_at = 1; device.fail_at <= 5; device.fail_at++) {
        char block[] = "abcdefgh";

        device.calls = 0;
        cr_expect_eq(reverse(block, 0), SV_ERROR_CUDA, "call %d", device.fail_at);
        cr_expect_str_eq(block, device.fail_at < 5 ? "abcdefgh" : "hgfedcba");
        cr_expect_null(device.memory, "call %d", device.fail_at);
    }
}

/* Without pools it is the host's turn, which finds no such memory on a device. */
Test(temporary, devices_without_pools)
{
    char block[] = "abcdefgh";

    device.has_pool = false;
    cr_expect_neq(reverse(block, 0), SV_OK);
    cr_expect(strcmp(sv_last_message(), "no pools") != 0);
    cr_expect_str_eq(block, "abcdefgh");
    cr_expect_eq(device.copies, 0);
}
