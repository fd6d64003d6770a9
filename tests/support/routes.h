/* Copies of the kinds that go by other routes of src/gpu/route.c, of less and more than a chunk, over the fake runtime. */
#ifndef ROUTES_H
#define ROUTES_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda/cuda.h"
#include "gpu/ring.h"
#include "gpu/route.h"
#include "host/front/host.h"
#include "support/fake_sides.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0}, first = {SV_DEVICE_CUDA, 0},
                               second = {SV_DEVICE_CUDA, 1}, managed = {SV_DEVICE_CUDA_MANAGED, 0};

enum { CHUNK = 4096 };

static inline void begin_chunks(enum fake_policy policy, unsigned seed)
{
    begin(policy, seed);
    svi_gpu_chunk_nbytes = CHUNK;
    svi_gpu_driven_nbytes = 4 << 20;
}

/* --- layouts ------------------------------------------------------------------------------- */

static const struct layouts {
    const char *name;
    int32_t ndim;
    int64_t itemsize, shape[3], dst[3], src[3];
    int64_t dst_origin, src_origin; /* bytes to the element [0,...,0] */
} layouts[] = {
    {"dense", 1, 4, {5000}, {4}, {4}, 0, 0},
    {"one item", 0, 8, {0}, {0}, {0}, 0, 0},
    {"long rows", 2, 1, {30, 700}, {701, 1}, {703, 1}, 0, 0},
    {"short rows", 2, 4, {500, 10}, {44, 4}, {48, 4}, 0, 0},
    {"transpose", 2, 4, {100, 120}, {480, 4}, {4, 400}, 0, 0},
    {"large transpose", 2, 4, {150, 160}, {640, 4}, {4, 600}, 0, 0},
    {"small transpose", 2, 2, {7, 9}, {18, 2}, {2, 14}, 0, 0},
    {"backwards", 1, 4, {5000}, {4}, {-4}, 0, 19996},
    {"repeated", 2, 4, {40, 300}, {1200, 4}, {4, 0}, 0, 0},
    {"odd items, permuted", 3, 3, {11, 23, 30}, {2070, 90, 3}, {3, 33, 759}, 0, 0},
    {"planes", 3, 1, {4, 30, 520}, {16672, 521, 1}, {21200, 530, 1}, 0, 0},
    {"many planes", 3, 1, {70, 2, 520}, {1590, 530, 1}, {1050, 525, 1}, 0, 0},
    {"planes between rows", 3, 1, {70, 2, 520}, {1600, 530, 1}, {1050, 525, 1}, 0, 0},
    {"steps", 2, 4, {60, 70}, {1120, 8}, {840, 12}, 0, 0},
    {"gaps in the source", 2, 4, {100, 120}, {480, 4}, {8, 808}, 0, 0},
    {"gaps in the destination", 2, 4, {100, 120}, {1000, 8}, {4, 400}, 0, 0},
    {"gaps and repeats", 2, 4, {50, 200}, {1608, 8}, {12, 0}, 0, 0},
    {"gaps on both sides", 2, 4, {60, 70}, {1124, 8}, {844, 12}, 0, 0},
    {"few rows with gaps", 2, 4, {4, 3}, {40, 8}, {60, 12}, 0, 0},
};

enum { LAYOUTS = sizeof layouts / sizeof *layouts, ROOM = 128 << 10 };

static inline void make_plan(const struct layouts *l, struct svi_plan *plan)
{
    svi_plan_make(l->ndim, l->shape, l->dst, l->src, l->itemsize, plan);
}

/* --- memory --------------------------------------------------------------------------------- */

static inline char *allocate(struct svi_device device)
{
    return side_new(device.type, device.id, ROOM);
}

static inline void release(struct svi_device device, char *memory)
{
    side_free(device.type, memory);
}

static char pattern[ROOM], before[ROOM], expected[ROOM], arrived[ROOM];

static inline void expect_all(const struct layouts *l)
{
    struct svi_plan plan;

    for (size_t i = 0; i < ROOM; i++)
        pattern[i] = (char)(i * 7 + i / 251);
    memset(before, 0x55, ROOM);
    memcpy(expected, before, ROOM);
    make_plan(l, &plan);
    cr_assert_eq(svi_host.copy(&(struct svi_request){&plan, cpu, expected + l->dst_origin, cpu,
                                                     pattern + l->src_origin, 0, SV_COPY_BLOCKING, NULL, NULL}),
                 SV_OK);
}

static inline struct svi_request request_of(const struct layouts *l, const struct svi_plan *plan, struct svi_device dst,
                                     char *to, struct svi_device src, char *from, uint32_t flags)
{
    return (struct svi_request){plan, dst, to + l->dst_origin, src, from + l->src_origin, (uintptr_t)stream, flags,
                                NULL, NULL};
}

/* Copies twice, the second time after the first without waiting, and scribbles over what the call was done with. */
static inline void expect_copied(const struct layouts *l, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    char *to = allocate(dst), *from = allocate(src);
    struct svi_plan plan;
    struct svi_request request;

    make_plan(l, &plan);
    request = request_of(l, &plan, dst, to, src, from, flags);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(svi_cuda.copy(&request), SV_OK, "%s: %s", l->name, sv_last_message());
    if (src.type == SV_DEVICE_CPU)
        memset(from, 0x77, ROOM);
    if (dst.type == SV_DEVICE_CPU)
        memcpy(arrived, to, ROOM);
    else
        fake_read(arrived, to, ROOM);
    cr_assert_eq(memcmp(arrived, expected, ROOM), 0, "%s: %d to %d", l->name, (int)src.type, (int)dst.type);
    release(dst, to);
    release(src, from);
}

static inline const struct layouts *layout_called(const char *name)
{
    size_t i = 0;

    while (i < LAYOUTS && strcmp(layouts[i].name, name) != 0)
        i++;
    cr_assert_lt(i, LAYOUTS, "%s", name);
    return &layouts[i];
}

/* Operations of the calls that were made since the last fake_reset(). */
static inline int given_to_streams(void)
{
    return fake_count(FAKE_CALL(launch)) + fake_count(FAKE_CALL(copy)) + fake_count(FAKE_CALL(copy_rows)) + fake_count(FAKE_CALL(copy_planes)) +
           fake_count(FAKE_CALL(copy_peer));
}

#endif
