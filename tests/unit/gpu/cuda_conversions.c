/* Copies with devices that convert, over the fake runtime: what the host makes of the same numbers. */
#include <criterion/criterion.h>
#include <string.h>

#include "device/backends.h"
#include "support/routes.h"

static const struct {
    sv_dtype dst, src;
    bool swapped;
} conversions[] = {
    {SV_FLOAT32, SV_INT16, false},   {SV_FLOAT32, SV_INT16, true},  {SV_FLOAT16, SV_FLOAT64, false},
    {SV_COMPLEX64, SV_UINT8, false}, {SV_INT64, SV_FLOAT32, false}, {SV_BOOL, SV_COMPLEX128, false},
};

enum { CONVERTED_ROWS = 60, CONVERTED_COLUMNS = 70, CONVERTED = CONVERTED_ROWS * CONVERTED_COLUMNS };

/* A transpose to rows with gaps, with so many gaps of an item between two on both sides, and what the host makes of
 * it. */
static void plan_conversion(size_t i, int64_t gap, struct svi_plan *plan)
{
    struct svi_chain chain;
    int64_t dst[2], src[2];

    cr_assert_eq(svi_chain_find(conversions[i].dst, conversions[i].src, true, conversions[i].swapped, &chain), SV_OK);
    dst[1] = (int64_t)svi_chain_dst_bytes(&chain);
    dst[0] = (CONVERTED_COLUMNS * (1 + gap) + 3) * dst[1];
    dst[1] *= 1 + gap;
    src[0] = (int64_t)svi_chain_src_bytes(&chain);
    src[1] = (CONVERTED_ROWS * (1 + gap) + gap) * src[0];
    src[0] *= 1 + gap;
    svi_plan_make_cast(2, (const int64_t[]){CONVERTED_ROWS, CONVERTED_COLUMNS}, dst, src, &chain, 1, plan);
    expect_all(layout_called("one item"));
    memcpy(expected, before, ROOM);
    svi_host.copy(&(struct svi_request){plan, cpu, expected, cpu, pattern, 0, SV_COPY_BLOCKING, NULL, NULL});
}

static void expect_converted(size_t i, int64_t gap, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    char *to = allocate(dst), *from = allocate(src);
    struct svi_plan plan;

    plan_conversion(i, gap, &plan);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    cr_assert_eq(svi_backend_search(dst, src, &plan.chain), &svi_cuda);
    fake_reset();
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, (uintptr_t)stream, flags, NULL, NULL}), SV_OK,
                 "%s", sv_last_message());
    if (dst.id == 0) /* what is told is for a stream of the destination's device */
        cr_expect_eq(given_to_streams(), svi_cuda.launches(&plan, dst, src, flags), "conversion %zu: %d to %d", i,
                     (int)src.type, (int)dst.type);
    if (dst.type == SV_DEVICE_CPU)
        memcpy(arrived, to, ROOM);
    else
        fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0, "conversion %zu: %d to %d", i, (int)src.type, (int)dst.type);
    release(dst, to);
    release(src, from);
}

Test(cuda_conversions, conversions)
{
    static const struct {
        struct svi_device dst, src;
    } pairs[] = {{first, first}, {first, cpu},    {cpu, first},    {first, pinned},
                 {pinned, first}, {first, managed}, {managed, first}, {managed, managed},
                 {first, second}, {second, first}};
    static const enum fake_policy policies[] = {FAKE_EAGER, FAKE_LAZY, FAKE_RANDOM};

    for (size_t policy = 0; policy < 3; policy++)
        for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
            for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
                begin_chunks(policies[policy], (unsigned)(i * 10 + k));
                expect_converted(i, 0, pairs[k].dst, pairs[k].src, k % 2 ? SV_COPY_BLOCKING : 0);
                if (conversions[i].src != SV_COMPLEX128) /* for which there is no room */
                    expect_converted(i, 1, pairs[k].dst, pairs[k].src, k % 2 ? SV_COPY_BLOCKING : 0);
                cr_assert_str_eq(end(), "");
            }
}

/* Of what the two sides have, the smaller crosses the link, where a ring or packed memory is on the way. */
Test(cuda_conversions, conversions_of_payload)
{
    enum { SMALLER_SOURCE = 0, SMALLER_DESTINATION = 2 }; /* two bytes each */

    begin_chunks(FAKE_LAZY, 1);
    for (size_t i = SMALLER_SOURCE; i <= SMALLER_DESTINATION; i += SMALLER_DESTINATION) {
        expect_converted(i, 0, cpu, first, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 0, first, cpu, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 1, first, second, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 1, second, first, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
    }
    cr_assert_str_eq(end(), "");
}
