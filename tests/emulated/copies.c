#define _DEFAULT_SOURCE /* mmap() */
#include "copies.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends.h"
#include "kernels.h"
#include "unit/pairs.h"

enum { GUARD = 256, FAR = 1 << 26 /* bytes; larger sides are memory in name only */ };

/* The bytes of one side with a guard before and behind. */
struct side {
    char *room, *begin;
    size_t nbytes, mapped; /* mapped: 0 where room is of malloc() */
    int64_t first; /* bytes from begin to the element [0,...,0] */
};

static struct side make_side(const struct emulated_copy *copy, const int64_t *strides, int64_t skew)
{
    struct side side;
    int64_t lower, upper;

    test_hull(copy->ndim, copy->shape, strides, copy->itemsize, &lower, &upper);
    side.nbytes = (size_t)(upper - lower);
    side.first = -lower;
    side.mapped = side.nbytes > FAR ? side.nbytes + 3 * GUARD + (size_t)skew : 0;
    side.room = side.mapped ? mmap(NULL, side.mapped, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                            : malloc(side.nbytes + 3 * GUARD + (size_t)skew);
    side.begin = (char *)(((uintptr_t)side.room + 2 * GUARD - 1) & ~(uintptr_t)(GUARD - 1)) + skew;
    return side;
}

static void end_side(const struct side *side)
{
    if (side->mapped)
        munmap(side->room, side->mapped);
    else
        free(side->room);
}

/* Elements that are far apart get bytes one by one. */
static void fill(const struct side *side, const struct emulated_copy *copy, const int64_t *strides)
{
    int64_t index[COPY_NDIM] = {0};

    for (size_t i = 0; !side->mapped && i < side->nbytes; i++)
        side->begin[i] = (char)test_random();
    do
        for (int64_t i = 0; side->mapped && i < copy->itemsize; i++)
            side->begin[side->first + test_offset(copy->ndim, index, strides) + i] = (char)test_random();
    while (side->mapped && test_next(copy->ndim, copy->shape, index));
}

/* The box of one launch; a plan whose extents are too long goes in halves. */
static void launch(const struct svi_plan *plan, const struct emulated_copy *copy, char *dst, const char *src,
                   const struct emulated_region *regions, struct emulated_counts *counts, struct emulated_result *out)
{
    if (!svi_launch_shape(plan, (uintptr_t)dst, (uintptr_t)src, &out->shape)) {
        out->fault = EMULATED_OUTSIDE;
        return;
    }

    const struct emulated_launch what = {
        .kernel = emulated_kernel_of(out->shape.kernel),
        .block = &out->shape.block,
        .block_nbytes = svi_kernel_block_bytes(out->shape.kernel),
        .dst = dst,
        .src = src,
        .grid = out->shape.grid,
        .threads = SVI_LAUNCH_THREADS,
        .shared = out->shape.shared,
        .order = copy->order,
        .nregions = 2,
        .regions = regions,
    };

    out->launches++;
    out->fault = emulated_run(&what, counts);
}

struct emulated_result emulated_copy_run(const struct emulated_copy *copy, struct emulated_counts *counts)
{
    struct side dst = make_side(copy, copy->dst, copy->dst_skew), src = make_side(copy, copy->src, copy->src_skew);
    char *want = malloc(dst.nbytes);
    uint8_t *writes = calloc(dst.nbytes, 1);
    const struct svi_device cpu = {SV_DEVICE_CPU, 0};
    const struct emulated_region regions[] = {{dst.begin, dst.nbytes, true, writes},
                                              {src.begin, src.nbytes, false, NULL}};
    struct emulated_result result = {0};
    struct svi_plan plan;

    fill(&dst, copy, copy->dst);
    fill(&src, copy, copy->src);
    memcpy(want, dst.begin, dst.nbytes);
    svi_plan_make(copy->ndim, copy->shape, copy->dst, copy->src, copy->itemsize, &plan);
    result.nbytes = plan.nbytes;
    svi_host.copy(
        &(struct svi_request){&plan, cpu, want + dst.first, cpu, src.begin + src.first, 0, SV_COPY_BLOCKING, NULL});
    launch(&plan, copy, dst.begin + dst.first, src.begin + src.first, regions, counts, &result);
    result.equal = memcmp(want, dst.begin, dst.nbytes) == 0;
    free(writes);
    free(want);
    end_side(&src);
    end_side(&dst);
    return result;
}

bool emulated_is_family(const struct emulated_result *result, const char *family)
{
    const char *name = svi_kernel_name(result->shape.kernel) + strlen("svi_");

    return strncmp(name, family, strlen(family)) == 0 && name[strlen(family)] == '_';
}
