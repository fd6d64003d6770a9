#define _DEFAULT_SOURCE /* mmap() */
#include "copies.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/backends.h"
#include "kernels.h"
#include "support/pairs.h"
#include "gpu/launch_batched.h"
#include "gpu/launch_box.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_fill.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_tile.h"
#include "host/front/host.h"

enum { GUARD = 256, FAR = 1 << 26 /* bytes; more are memory in name only, which is not there until it is touched */ };

/* Zeros. */
static char *allocate(size_t nbytes)
{
    char *memory = nbytes <= FAR ? calloc(nbytes, 1)
                                 : mmap(NULL, nbytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == NULL || memory == MAP_FAILED)
        abort();
    return memory;
}

static void release(void *memory, size_t nbytes)
{
    if (nbytes <= FAR)
        free(memory);
    else
        munmap(memory, nbytes);
}

/* The bytes of one side with a guard before and behind. */
struct side {
    char *room, *begin;
    size_t nbytes, allocated;
    int64_t first; /* bytes from begin to the element [0,...,0] */
};

static struct side make_side(const struct emulated_copy *copy, const int64_t *strides, int64_t item, int64_t skew)
{
    struct side side;
    int64_t lower, upper;

    test_hull(copy->ndim, copy->shape, strides, item, &lower, &upper);
    side.nbytes = (size_t)(upper - lower);
    side.first = -lower;
    side.allocated = side.nbytes + 3 * GUARD + (size_t)skew;
    side.room = allocate(side.allocated);
    side.begin = (char *)(((uintptr_t)side.room + 2 * GUARD - 1) & ~(uintptr_t)(GUARD - 1)) + skew;
    return side;
}

static void end_side(const struct side *side)
{
    release(side->room, side->allocated);
}

static bool is_far(const struct side *side)
{
    return side->nbytes > FAR;
}

/* The bytes around an element of a side whose elements are far apart. */
static void find_element(const struct side *side, const struct emulated_copy *copy, const int64_t *strides,
                         const int64_t *index, size_t *begin, size_t *nbytes)
{
    const size_t at = (size_t)(side->first + test_offset(copy->ndim, index, strides));
    const size_t end = at + (size_t)copy->itemsize + GUARD;

    *begin = at < GUARD ? 0 : at - GUARD;
    *nbytes = (end < side->nbytes ? end : side->nbytes) - *begin;
}

static void fill(const struct side *side, const struct emulated_copy *copy, const int64_t *strides)
{
    int64_t index[COPY_NDIM] = {0};
    size_t begin = 0, nbytes = side->nbytes;

    do {
        if (is_far(side))
            find_element(side, copy, strides, index, &begin, &nbytes);
        for (size_t i = 0; i < nbytes; i++)
            side->begin[begin + i] = (char)test_random();
    } while (is_far(side) && test_next(copy->ndim, copy->shape, index));
}

/* What is to be in the destination, as it is before the copy. */
static char *same_bytes(const struct side *dst, const struct emulated_copy *copy)
{
    char *want = allocate(dst->nbytes);
    int64_t index[COPY_NDIM] = {0};
    size_t begin = 0, nbytes = dst->nbytes;

    do {
        if (is_far(dst))
            find_element(dst, copy, copy->dst, index, &begin, &nbytes);
        memcpy(want + begin, dst->begin + begin, nbytes);
    } while (is_far(dst) && test_next(copy->ndim, copy->shape, index));
    return want;
}

static bool is_equal(const struct side *dst, const struct emulated_copy *copy, const char *want)
{
    int64_t index[COPY_NDIM] = {0};
    size_t begin = 0, nbytes = dst->nbytes;
    bool equal = true;

    do {
        if (is_far(dst))
            find_element(dst, copy, copy->dst, index, &begin, &nbytes);
        equal = equal && memcmp(want + begin, dst->begin + begin, nbytes) == 0;
    } while (is_far(dst) && test_next(copy->ndim, copy->shape, index));
    return equal;
}

svi_launch_family *emulated_find_family(const char *name)
{
    static const struct {
        const char *name;
        svi_launch_family *family;
    } families[] = {{"tile", svi_family_tile},   {"apart", svi_family_channels}, {"together", svi_family_channels},
                    {"box", svi_family_box},     {"permute", svi_family_permute}, {"flat", svi_family_flat}};

    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(name, families[i].name) == 0)
            return families[i].family;
    return NULL;
}

bool emulated_is_family(const struct emulated_result *result, const char *family)
{
    const char *name = svi_kernel_name(result->shape.kernel) + strlen("svi_");

    const size_t length = strlen(family);

    return strncmp(name, family, length) == 0 && (name[length] == '_' || name[length] == '\0');
}

static bool walks_tiles(const struct emulated_result *result)
{
    return emulated_is_family(result, "box") || emulated_is_family(result, "permute");
}

static struct svi_launch_box *box_of(struct svi_launch_shape *shape)
{
    switch (shape->kernel) {
    case SVI_KERNEL_box_cast: return &shape->block.box_cast.box;
    case SVI_KERNEL_box_scaled: return &shape->block.box_scaled.cast.box;
    default: return &shape->block.box;
    }
}

/* And threads as many packets. */
static void set_packets(struct svi_launch_shape *shape, uint32_t packets)
{
    struct svi_launch_cast *cast =
        shape->kernel == SVI_KERNEL_scale ? &shape->block.scaled.cast : &shape->block.cast;
    const uint32_t most = SVI_CONVERT_BYTES / (4 * cast->src_word);
    const int64_t each = SVI_LAUNCH_UNITS * (int64_t)(packets < most ? packets : most);

    cast->packets = packets < most ? packets : most;
    shape->grid = (uint32_t)((cast->at.count - 1) / each + 1);
}

/* Small copies have as many tiles for each block as large ones; 0: as many as they are. */
static void set_tiles(struct svi_launch_shape *shape, bool is_permute, uint32_t per)
{
    uint32_t *const of_block = is_permute ? &shape->block.permute.per : &box_of(shape)->per;

    if (per == 0)
        return;
    *of_block = per;
    shape->grid = ((is_permute ? shape->block.permute.tiles : box_of(shape)->tiles) - 1) / per + 1;
}

int64_t emulated_src_item(const struct emulated_copy *copy)
{
    if (copy->scale != NULL)
        return copy->scale->src_itemsize;
    return copy->chain.count > 0 ? (int64_t)svi_chain_src_bytes(&copy->chain) : copy->itemsize;
}

void emulated_make_plan(const struct emulated_copy *copy, struct svi_plan *out)
{
    if (copy->scale != NULL)
        svi_affine_make_plan(copy->ndim, copy->shape, copy->dst, copy->src, 1, copy->scale->axis,
                             &copy->scale->affine, out);
    else if (copy->chain.count > 0)
        svi_plan_make_cast(copy->ndim, copy->shape, copy->dst, copy->src, &copy->chain, 1, out);
    else
        svi_plan_make(copy->ndim, copy->shape, copy->dst, copy->src, copy->itemsize, out);
}

/* --- many copies ---------------------------------------------------------------------------------------- */

/* What is copied between two of the addresses. */
static struct emulated_copy without_first_axis(const struct emulated_copy *copy)
{
    struct emulated_copy rest = *copy;

    rest.ndim--;
    for (int32_t k = 0; k < rest.ndim; k++) {
        rest.shape[k] = copy->shape[k + 1];
        rest.dst[k] = copy->dst[k + 1];
        rest.src[k] = copy->src[k + 1];
    }
    return rest;
}

static bool find_table(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                       struct emulated_table *table, struct svi_launch_shape *shape)
{
    struct svi_table arrays = {.count = count, .device = svi_cpu, .dst = (const char *)table->dst,
                               .src = (const char *)table->src, .dst_step = sizeof *table->dst,
                               .src_step = sizeof *table->src};
    uint64_t bits = 16;

    for (int64_t i = 0; i < count; i++) {
        table->dst[i] = (uint64_t)(uintptr_t)transfers[i].dst;
        table->src[i] = (uint64_t)(uintptr_t)transfers[i].src;
        bits |= table->dst[i] | table->src[i];
    }
    arrays.alignment = (int64_t)(bits & -bits);
    return svi_launch_table(plan, count, &arrays, shape);
}

bool emulated_find_many(const struct emulated_copy *copy, char *dst, const char *src, struct emulated_table *table,
                        struct svi_launch_shape *shape)
{
    struct emulated_copy rest = without_first_axis(copy);
    struct svi_transfer transfers[EMULATED_ENTRIES];
    struct emulated_scale scale;
    struct svi_plan plan;

    if (copy->scale != NULL) {
        scale = *copy->scale;
        scale.axis--;
        rest.scale = &scale;
    }
    for (int64_t i = 0; i < copy->shape[0]; i++)
        transfers[i] = (struct svi_transfer){.dst = dst + i * copy->dst[0], .src = src + i * copy->src[0]};
    emulated_make_plan(&rest, &plan);
    return copy->by_table ? find_table(&plan, copy->shape[0], transfers, table, shape)
                          : svi_launch_batched(&plan, copy->shape[0], transfers, shape);
}

static bool find_shape(const struct svi_plan *plan, const struct emulated_copy *copy, bool fills, char *dst,
                       const char *src, struct emulated_table *table, struct svi_launch_shape *out)
{
    if (copy->by_table || copy->by_batch)
        return emulated_find_many(copy, dst, src, table, out);
    if (fills)
        return svi_family_fill(plan, (uintptr_t)dst, src, out);
    return (copy->family != NULL ? copy->family : svi_launch_shape)(plan, (uintptr_t)dst, (uintptr_t)src, out);
}

static struct emulated_launch launch_of(const struct svi_launch_shape *shape, char *dst, const char *src,
                                        unsigned order)
{
    return (struct emulated_launch){
        .kernel = emulated_kernel_of(shape->kernel),
        .block = &shape->block,
        .block_nbytes = svi_kernel_block_bytes(shape->kernel),
        .dst = dst,
        .src = src,
        .grid = shape->grid,
        .threads = SVI_LAUNCH_THREADS,
        .shared = shape->shared,
        .order = order,
    };
}

/* Sides have less than 2^31 elements, so all of it is one launch. */
static void launch(const struct svi_plan *plan, const struct emulated_copy *copy, bool fills, char *dst,
                   const char *src, struct emulated_region *regions, struct emulated_counts *counts,
                   struct emulated_result *out)
{
    struct emulated_launch what;
    struct emulated_table table;

    regions[2] = (struct emulated_region){&table, sizeof table, false, NULL};
    if (!find_shape(plan, copy, fills, dst, src, &table, &out->shape)) {
        out->fault = EMULATED_OUTSIDE;
        return;
    }
    if (walks_tiles(out)) {
        regions[0].writes = NULL; /* tiles at the end of an axis share items, which have one value */
        set_tiles(&out->shape, emulated_is_family(out, "permute"), copy->box_tiles);
    }
    if (copy->packets != 0 &&
        (out->shape.kernel == SVI_KERNEL_convert || out->shape.kernel == SVI_KERNEL_scale))
        set_packets(&out->shape, copy->packets);

    what = launch_of(&out->shape, copy->by_table ? (char *)table.dst : dst,
                     copy->by_table ? (const char *)table.src : fills ? NULL : src, copy->order);
    what.copies = out->shape.copies;
    what.nregions = 3;
    what.regions = regions;
    out->launches++;
    out->fault = emulated_run(&what, counts);
}

static struct emulated_result run(const struct emulated_copy *copy, bool fills, struct emulated_counts *counts)
{
    struct side dst = make_side(copy, copy->dst, copy->itemsize, copy->dst_skew);
    struct side src = make_side(copy, copy->src, emulated_src_item(copy), copy->src_skew);
    uint8_t *writes = (uint8_t *)allocate(dst.nbytes);
    const struct svi_device cpu = {SV_DEVICE_CPU, 0};
    struct emulated_region regions[3] = {{dst.begin, dst.nbytes, true, writes},
                                         {src.begin, src.nbytes, false, NULL}};
    struct emulated_result result = {0};
    struct svi_plan plan;
    char *want;

    fill(&dst, copy, copy->dst);
    fill(&src, copy, copy->src);
    want = same_bytes(&dst, copy);
    emulated_make_plan(copy, &plan);
    result.nbytes = plan.nbytes;
    svi_host.copy(
        &(struct svi_request){&plan, cpu, want + dst.first, cpu, src.begin + src.first, 0, SV_COPY_BLOCKING, NULL, NULL});
    launch(&plan, copy, fills, dst.begin + dst.first, src.begin + src.first, regions, counts, &result);
    result.equal = is_equal(&dst, copy, want);
    release(writes, dst.nbytes);
    release(want, dst.nbytes);
    end_side(&src);
    end_side(&dst);
    return result;
}

struct emulated_result emulated_copy_run(const struct emulated_copy *copy, struct emulated_counts *counts)
{
    return run(copy, false, counts);
}

static int64_t count_written(const struct side *dst, const uint8_t *writes)
{
    int64_t count = 0;

    for (size_t i = 0; i < dst->nbytes; i++)
        count += writes[i];
    return count;
}

struct emulated_result emulated_copy_count(const struct emulated_copy *copy, unsigned blocks,
                                           struct emulated_counts *counts)
{
    struct side dst = make_side(copy, copy->dst, copy->itemsize, copy->dst_skew);
    struct side src = make_side(copy, copy->src, copy->itemsize, copy->src_skew);
    uint8_t *writes = (uint8_t *)allocate(dst.nbytes);
    struct emulated_region regions[] = {{dst.begin, dst.nbytes, true, writes}, {src.begin, src.nbytes, false, NULL}};
    struct emulated_result result = {.equal = true};
    struct svi_plan plan;

    emulated_make_plan(copy, &plan);
    if (find_shape(&plan, copy, false, dst.begin + dst.first, src.begin + src.first, NULL, &result.shape)) {
        const unsigned grid = result.shape.grid, count = grid < blocks ? grid : blocks;

        if (walks_tiles(&result)) {
            regions[0].writes = NULL;
            set_tiles(&result.shape, emulated_is_family(&result, "permute"), copy->box_tiles);
        }
        result.launches = 1;
        result.nbytes_of_all = plan.nbytes;
        for (unsigned i = 0; i < count && result.fault == EMULATED_NOTHING; i++) {
            struct emulated_launch what = launch_of(&result.shape, dst.begin + dst.first, src.begin + src.first, 0);

            what.nregions = 2;
            what.regions = regions;
            what.first = (unsigned)((uint64_t)result.shape.grid * i / count);
            what.blocks = 1;
            result.fault = emulated_run(&what, counts);
        }
        result.nbytes = walks_tiles(&result) ? (int64_t)((double)plan.nbytes / result.shape.grid * count)
                                             : count_written(&dst, writes);
    }
    release(writes, dst.nbytes);
    end_side(&src);
    end_side(&dst);
    return result;
}

struct emulated_result emulated_fill_run(const struct emulated_copy *copy, struct emulated_counts *counts)
{
    return run(copy, true, counts);
}
