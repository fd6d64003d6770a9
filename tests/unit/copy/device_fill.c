/* Fills of device memory, by a backend whose device is the host: what is written where, and by how many calls. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/checked.h"
#include "copy/device_fill.h"
#include "backend/memory.h"
#include "support/pairs.h"
#include "host/front/host.h"

enum { STREAM = 110, DEVICE = 3, KERNEL_AXES = 2 };

static int sets, copies, waits, fills, fail_at;

static sv_status answer(void)
{
    return sets + copies + waits + fills == fail_at ? svi_fail(SV_ERROR_CUDA, "call %d fails", fail_at) : SV_OK;
}

static sv_status set(int32_t device_id, void *pointer, int32_t byte, int64_t nbytes, uintptr_t stream)
{
    cr_assert(device_id == DEVICE && stream == STREAM && nbytes > 0 && byte >= 0 && byte < 256);
    sets++;
    memset(pointer, byte, (size_t)nbytes);
    return answer();
}

static sv_status copy(const struct svi_request *request)
{
    cr_assert(request->dst_device.id == DEVICE && request->src_device.id == DEVICE && request->stream == STREAM);
    cr_assert((request->flags & SV_COPY_BLOCKING) == 0);
    copies++;
    SVI_TRY(svi_host.copy(request));
    return answer();
}

static sv_status synchronize(struct svi_device device, uintptr_t stream)
{
    cr_assert(device.id == DEVICE && stream == STREAM);
    waits++;
    return answer();
}

static sv_status fill(const struct svi_request *request)
{
    cr_assert(request->dst_device.id == DEVICE && request->stream == STREAM && request->plan->ndim <= KERNEL_AXES);
    fills++;
    SVI_TRY(svi_host.copy(request));
    return answer();
}

static const struct svi_driver operations = {.set = set};
static const struct svi_backend backend = {.copy = copy, .synchronize = synchronize, .driver = &operations};
static const struct svi_backend with_kernel = {.copy = copy, .fill = fill, .fill_axes = KERNEL_AXES,
                                               .synchronize = synchronize, .driver = &operations};

static struct svi_job job_of(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize,
                             uint32_t flags)
{
    static const int64_t still[PAIR_NDIM];
    struct svi_job job = {.dst_device = {SV_DEVICE_CUDA, DEVICE}, .backend = &backend, .flags = flags};

    svi_plan_make(ndim, shape, strides, still, itemsize, &job.plan);
    sets = copies = waits = fills = 0;
    return job;
}

/* Doublings of an axis. */
static int doublings(int64_t extent)
{
    int count = 0;

    for (int64_t done = 1; done < extent; done *= 2)
        count++;
    return count;
}

Test(device_fill, every_item_and_no_other_byte)
{
    struct test_pair p;
    char item[24];

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        int64_t lower, upper, nbytes, index[PAIR_NDIM] = {0};
        struct svi_job job;
        char *to, *expected;
        int most = 0;

        test_pair_random(&p, 1500);
        if (test_pair_is_empty(&p) || p.itemsize > SVI_PLAN_ITEM)
            continue;
        for (int64_t i = 0; i < p.itemsize; i++)
            item[i] = round % 4 == 0 ? 7 : (char)test_between(0, 3);
        test_hull(p.ndim, p.shape, p.dst, p.itemsize, &lower, &upper);
        nbytes = upper - lower;
        to = calloc(2, (size_t)nbytes);
        expected = to + nbytes;
        do
            memcpy(expected - lower + test_offset(p.ndim, index, p.dst), item, (size_t)p.itemsize);
        while (test_next(p.ndim, p.shape, index));
        job = job_of(p.ndim, p.shape, p.dst, p.itemsize, round % 3 == 0 ? SV_COPY_BLOCKING : 0);
        if (round % 2)
            job.backend = &with_kernel;
        for (int32_t axis = 0; axis < job.plan.ndim - (round % 2 ? KERNEL_AXES : 0); axis++)
            most += doublings(job.plan.shape[axis]);
        cr_assert_eq(svi_device_fill(&job, to - lower, item, STREAM), SV_OK, "%s", sv_last_message());
        cr_assert_eq(memcmp(to, expected, (size_t)nbytes), 0, "%d axes of items of %d bytes",
                     job.plan.ndim, (int)p.itemsize);
        cr_assert(sets <= p.itemsize && copies <= most, "%d sets, %d copies", sets, copies);
        cr_assert(round % 2 == 0 || (fills == 1 && sets == 0) || (fills == 0 && sets == 1 && copies == 0),
                  "one launch, or one set of a run of equal bytes");
        cr_assert_eq(waits, round % 3 == 0);
        free(to);
    }
}

static const struct {
    const char *name, *item;
    int32_t itemsize;
    int64_t shape[2], strides[2];
    int sets, copies;
} cases[] = {
    {"one item", "abcd", 4, {1, 1}, {4, 4}, 4, 0},
    {"equal bytes, in a run", "aaaa", 4, {8, 125}, {500, 4}, 1, 0},
    {"equal bytes, in rows", "aaaa", 4, {8, 125}, {600, 4}, 1, 3},
    {"equal bytes, with gaps", "aaaa", 4, {1, 64}, {4, 8}, 1, 6},
    {"two numbers", "aabbaabb", 8, {1, 1024}, {8, 8}, 4, 10},
    {"an extent that is no power of two", "ab", 2, {1, 1025}, {2, 2}, 2, 11},
    {"a transpose", "ab", 2, {8, 16}, {2, 16}, 2, 7},
};

Test(device_fill, calls)
{
    static char to[8 * 1024 + 8];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct svi_job job = job_of(2, cases[i].shape, cases[i].strides, cases[i].itemsize, 0);

        cr_expect_eq(svi_device_fill(&job, to, cases[i].item, STREAM), SV_OK);
        cr_expect_eq(sets, cases[i].sets, "%s: %d sets", cases[i].name, sets);
        cr_expect_eq(copies, cases[i].copies, "%s: %d copies", cases[i].name, copies);
    }
}

Test(device_fill, the_kernel_can_fail)
{
    static const int64_t shape[3] = {2, 5, 3}, strides[3] = {48, 8, 2};
    char to[128];

    for (fail_at = 1; fail_at <= 3; fail_at++) {
        struct svi_job job = job_of(3, shape, strides, 2, 0);

        job.backend = &with_kernel;
        cr_expect_eq(svi_device_fill(&job, to, "ab", STREAM), fail_at <= 2 ? SV_ERROR_CUDA : SV_OK);
        cr_expect(fills == 1 && copies == (fail_at > 1), "call %d", fail_at);
    }
    fail_at = 0;
}

/* Two sets, two copies along the last axis, three along the first, and the wait. */
Test(device_fill, every_call_can_fail)
{
    enum { CALLS = 2 + 2 + 3 + 1 };
    static const int64_t shape[2] = {5, 3}, strides[2] = {8, 2};
    char to[64];

    for (fail_at = 1; fail_at <= CALLS + 1; fail_at++) {
        const struct svi_job job = job_of(2, shape, strides, 2, SV_COPY_BLOCKING);
        const sv_status status = svi_device_fill(&job, to, "ab", STREAM);

        cr_expect_eq(status, fail_at <= CALLS ? SV_ERROR_CUDA : SV_OK, "call %d", fail_at);
        cr_expect_eq(sets + copies + waits, svi_smaller(fail_at, CALLS), "nothing is called after call %d", fail_at);
    }
}
