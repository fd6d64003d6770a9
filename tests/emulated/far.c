/*
 * Sides of many GiB, most of which is memory in name only: strides of 2^27 items and more, and more than 2^31 items, of
 * which a few blocks are copied.
 */
#define _DEFAULT_SOURCE /* mincore() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "copies.h"
#include "kernels.h"
#include "tap.h"
#include "host/isa/baseline.h"
#include "support/pairs.h"
#include "support/scaled.h"

/* --- numbers that are scaled ---------------------------------------------------------------------- */

/* Bytes that become float32, by a scale and a bias for each index of an axis. */
static struct emulated_scale by_plane = {.axis = 0, .src_itemsize = 1}, by_row = {.axis = 1, .src_itemsize = 1},
                             by_pixel = {.axis = 2, .src_itemsize = 1};

enum { PLANES = 3 /* indices of the axis */ };

static void choose_scales(void)
{
    static const double scales[PLANES] = {0.5, -3, 1 / 3.}, biases[PLANES] = {0, 1e6, -7.25};
    struct emulated_scale *const all[] = {&by_plane, &by_row, &by_pixel};

    for (int i = 0; i < 3; i++) {
        svi_affine_choose(SV_FLOAT32, SV_UINT8, false, &all[i]->affine);
        all[i]->affine.scale = (struct svi_factor){scales, PLANES};
        all[i]->affine.bias = (struct svi_factor){biases, PLANES};
    }
}

#define FROM_BYTES {1, {{SVI_OP_F32_FROM_U8, 1, 4, 1}}}

/* --- strides ------------------------------------------------------------------------------------ */

#define ITEMS(n) ((INT64_C(1) << 27) + 4) * (n)
#define BYTES_33 ((INT64_C(1) << 33) + 48)

static const struct {
    const char *name, *family;
    struct emulated_copy copy;
} strided[] = {
    {"long rows", "line", {2, 1, {5, 4096}, {4096, 1}, {BYTES_33, 1}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"long rows from the last to the first", "line", {2, 1, {5, 4096}, {4096, 1}, {-BYTES_33, 1}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"long rows that go far apart", "line", {2, 1, {5, 4099}, {BYTES_33 + 1, 1}, {5000, 1}, 0, 0, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"short rows", "rows", {2, 1, {40, 201}, {202, 1}, {BYTES_33 / 8 + 1, 1}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"short rows that go far apart", "rows", {2, 1, {40, 201}, {BYTES_33 / 8 + 1, 1}, {203, 1}, 0, 0, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of 4 bytes", "tile", {2, 4, {64, 70}, {288, 4}, {4, ITEMS(4)}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of 4 bytes backwards", "tile", {2, 4, {64, 70}, {288, 4}, {4, -ITEMS(4)}, 0, 0, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of 4 bytes, both backwards", "tile", {2, 4, {64, 70}, {288, 4}, {-4, -ITEMS(4)}, 0, 0, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles that go far apart", "tile", {2, 4, {64, 70}, {ITEMS(4), 4}, {4, 272}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of bytes at odd addresses", "tile", {2, 1, {150, 130}, {131, 1}, {1, ITEMS(1) + 1}, 1, 3, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of 16 bytes", "tile", {2, 16, {32, 33}, {544, 16}, {16, ITEMS(16)}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles around an axis", "tile", {3, 2, {3, 130, 70}, {18200, 140, 2}, {BYTES_33, 2, 262}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"pixels of rows far apart", "apart", {3, 1, {3, 5, 700}, {3600, 701, 1}, {1, BYTES_33, 3}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"planes far apart", "together", {2, 4, {900, 3}, {12, 4}, {4, BYTES_33}, 4, 0, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"pixels to planes far apart", "apart", {2, 2, {3, 2000}, {BYTES_33, 2}, {-2, 6}, 0, 2, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"boxes around an axis", "box", {3, 3, {3, 40, 50}, {6000, 150, 3}, {BYTES_33, 3, 120}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"boxes around an axis, all backwards", "box",
     {3, 6, {3, 40, 50}, {12000, 300, 6}, {-BYTES_33, -6, -240}, 1, 3, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"boxes that go far apart", "box", {3, 3, {3, 300, 13}, {BYTES_33, 39, 3}, {11700, 3, 900}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"permutations of items of 3 bytes", "permute",
     {3, 3, {3, 40, 50}, {6000, 150, 3}, {BYTES_33, 3, 120}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"permutations that go far apart, backwards", "permute",
     {3, 2, {3, 40, 50}, {BYTES_33, 100, 2}, {-BYTES_33, -2, 82}, 0, 2, 3, {0}, 0, 0, NULL, NULL, false, false}},
    {"items of 3 bytes far apart", "flat", {2, 3, {64, 70}, {210, 3}, {3, ITEMS(3)}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps", "flat", {2, 4, {40, 50}, {400, 8}, {ITEMS(4), 12}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps along the last axis", "flat", {2, 2, {3, 50}, {100, 2}, {2, ITEMS(2)}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps of bytes that go far apart", "flat", {2, 1, {40, 50}, {ITEMS(1), 3}, {100, -2}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"rows of one item", "repeat", {2, 4, {5, 900}, {3600, 4}, {BYTES_33, 0}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"rows backwards", "reverse", {2, 2, {5, 900}, {1800, 2}, {-BYTES_33, -2}, 0, 0, 2, {0}, 0, 0, NULL, NULL, false, false}},
    {"numbers that are converted", "convert",
     {2, 8, {5, 300}, {2400, 8}, {BYTES_33 / 4 * 4, 4}, 0, 0, 2, {1, {{SVI_OP_F64_FROM_F32, 1, 8, 4}}}, 0, 0, NULL, NULL, false, false}},
    {"numbers of odd rows that are converted", "cast",
     {2, 8, {5, 301}, {2408, 8}, {BYTES_33 / 4 * 4, 4}, 0, 0, 2, {1, {{SVI_OP_F64_FROM_F32, 1, 8, 4}}}, 0, 0, NULL, NULL, false, false}},
    {"transposes that convert around an axis", "box_cast",
     {3, 4, {3, 40, 50}, {8000, 200, 4}, {-BYTES_33, -1, 40}, 0, 1, 2, {1, {{SVI_OP_F32_FROM_U8, 1, 4, 1}}}, 0, 0, NULL, NULL, false, false}},
    {"numbers that are converted and go far apart", "cast",
     {2, 4, {5, 300}, {BYTES_33 / 4 * 4, 4}, {8, 40}, 0, 0, 2, {1, {{SVI_OP_F32_FROM_F64, 1, 4, 8}}}, 0, 0, NULL, NULL, false, false}},
    {"numbers that are scaled", "scale", {2, 4, {3, 300}, {1200, 4}, {BYTES_33, 1}, 0, 0, 2, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"pixels that are scaled", "scale",
     {3, 4, {4, 100, 3}, {1200, 12, 4}, {BYTES_33, 3, 1}, 0, 0, 3, {0}, 0, 0, &by_pixel, NULL, false, false}},
    {"numbers that are scaled and go far apart, backwards", "scaled",
     {2, 4, {3, 301}, {BYTES_33 / 4 * 4, 4}, {-301, -1}, 0, 1, 2, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"transposes that scale around an axis", "box_scaled",
     {3, 4, {3, 40, 50}, {8000, 200, 4}, {BYTES_33, 1, 40}, 0, 1, 3, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"a table of rows", "batched", {3, 1, {4, 6, 300}, {BYTES_33, 301, 1}, {1802, 300, 1}, 0, 0, 2, {0}, 0, 0, NULL, NULL, true, false}},
    {"a table of numbers that are converted", "batched_cast",
     {3, 4, {4, 6, 50}, {1200, 200, 4}, {-BYTES_33, BYTES_33 * 4, 2}, 0, 1, 2, FROM_BYTES, 0, 0, NULL, NULL, true, false}},
    {"a batch of numbers that are converted", "batched_cast",
     {3, 4, {4, 6, 50}, {1200, 200, 4}, {-BYTES_33, BYTES_33 * 4, 2}, 0, 1, 2, FROM_BYTES, 0, 0, NULL, NULL, false, true}},
    {"a batch of numbers that are scaled", "batched_scaled",
     {3, 4, {4, 3, 50}, {-BYTES_33 / 4 * 4, 200, 4}, {150, 50, 1}, 0, 0, 3, {0}, 0, 0, &by_row, NULL, false, true}},
    {"a table of numbers that are scaled", "batched_scaled",
     {3, 4, {4, 3, 50}, {-BYTES_33 / 4 * 4, 200, 4}, {150, 50, 1}, 0, 0, 3, {0}, 0, 0, &by_row, NULL, true, false}},
};

/* Twelve axes of two, each on the source twice as far as the one before and some bytes, up to 2^32. */
static struct emulated_copy many_axes(void)
{
    struct emulated_copy copy = {.ndim = 64, .itemsize = 4, .order = 2};
    int64_t next = 4;

    for (int32_t k = 63; k >= 0; k--) {
        copy.shape[k] = k % 5 == 0 && k < 60 ? 2 : 1;
        copy.dst[k] = next;
        copy.src[k] = (k % 10 == 0 ? -1 : 1) * ((INT64_C(1) << (21 + k / 5)) + 8);
        next *= copy.shape[k];
    }
    return copy;
}

static void test_strides(const char *name, const char *family, const struct emulated_copy *copy)
{
    struct emulated_copy by_family = *copy;
    struct emulated_result result;
    bool ok;

    by_family.family = emulated_find_family(family);
    result = emulated_copy_run(&by_family, NULL);
    ok = result.fault == EMULATED_NOTHING && result.equal && emulated_is_family(&result, family);

    if (!tap_ok(ok, "far: %s", name))
        tap_note("%s: %s", svi_kernel_name(result.shape.kernel), emulated_text());
}

/* --- counts --------------------------------------------------------------------------------------- */

/* The destination is dense or has gaps at the end of rows; the items of the source may be anywhere. */
static const struct {
    const char *name, *family;
    struct emulated_copy copy;
} counted[] = {
    {"aligned rows", "line", {2, 1, {3, 2147483712}, {2147483728, 1}, {2147483744, 1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"rows of any length", "line", {2, 1, {3, 2147487747}, {2147487748, 1}, {2147487750, 1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"short rows", "rows", {2, 1, {33554435, 200}, {201, 1}, {203, 1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of bytes", "tile", {2, 1, {65552, 65568}, {65568, 1}, {1, 65552}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"tiles of 4 bytes, odd", "tile", {2, 4, {40003, 70001}, {280004, 4}, {4, 160012}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"pixels to planes", "apart", {2, 1, {3, 715827883}, {715827904, 1}, {1, 3}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"planes to pixels", "together", {2, 2, {536870915, 5}, {10, 2}, {2, 1073741830}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"items of 3 bytes", "box", {2, 3, {65536, 40032}, {120096, 3}, {3, 196608}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"three bytes of four by vectors", "permute", {2, 1, {1073741824, 3}, {3, 1}, {4, 1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps of bytes", "flat", {2, 1, {131072, 131075}, {131075, 1}, {262152, 2}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps of 4 bytes, backwards", "flat", {2, 4, {65536, 65535}, {262140, 4}, {-524288, -8}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"three bytes of four", "flat", {2, 1, {1073741825, 3}, {3, 1}, {4, 1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps of bytes along one axis", "flat", {1, 1, {4294967299}, {1}, {3}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps of 2 bytes, backwards along one axis", "flat", {1, 2, {4294967299}, {2}, {-4}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"one item", "repeat", {2, 4, {3, 1073741829}, {4294967328, 4}, {4, 0}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"rows backwards", "reverse", {2, 1, {3, 2147483681}, {2147483696, 1}, {2147483683, -1}, 0, 0, 0, {0}, 0, 0, NULL, NULL, false, false}},
    {"steps that are converted", "cast", {2, 4, {65536, 65539}, {262156, 4}, {131079, 2}, 0, 0, 0, FROM_BYTES, 0, 0, NULL, NULL, false, false}},
    {"runs that are converted", "convert",
     {2, 4, {3, 1073741828}, {4294967328, 4}, {1073741844, 1}, 0, 0, 0, FROM_BYTES, 0, 0, NULL, NULL, false, false}},
    {"transposes that convert", "box_cast", {2, 4, {65536, 65536}, {262144, 4}, {1, 65536}, 0, 0, 0, FROM_BYTES, 0, 0, NULL, NULL, false, false}},
    {"steps that are scaled", "scaled",
     {3, 4, {3, 32768, 32771}, {4295360512, 131084, 4}, {2147844096, 65542, 2}, 0, 0, 0, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"rows that are scaled", "scale",
     {2, 4, {3, 1073741828}, {4294967328, 4}, {1073741844, 1}, 0, 0, 0, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"pixels that are scaled", "scale",
     {3, 4, {3, 357913944, 3}, {4294967360, 12, 4}, {1073741844, 3, 1}, 0, 0, 0, {0}, 0, 0, &by_pixel, NULL, false, false}},
    {"transposes that scale", "box_scaled",
     {3, 4, {3, 32768, 32768}, {4294967296, 131072, 4}, {1073741824, 1, 32768}, 0, 0, 0, {0}, 0, 0, &by_plane, NULL, false, false}},
    {"a table of steps that are converted", "batched_cast",
     {3, 4, {1, 65536, 65539}, {17180655616, 262156, 4}, {8590393344, 131079, 2}, 0, 0, 0, FROM_BYTES, 0, 0, NULL, NULL, true, false}},
    {"a table of steps that are scaled", "batched_scaled",
     {4, 4, {2, 3, 32768, 32771}, {12886081536, 4295360512, 131084, 4}, {6443532288, 2147844096, 65542, 2}, 0, 0, 0, {0}, 0, 0,
      &by_row, NULL, true, false}},
};

/* Any number of bytes that come again after a while, which is no divisor of 2^31, in little memory. */
static char *periodic_memory(size_t nbytes)
{
    enum { PERIOD = 257 * 4096 };
    FILE *file = tmpfile();
    char *memory = mmap(NULL, nbytes + PERIOD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (file == NULL || memory == MAP_FAILED)
        abort();
    for (int i = 0; i < PERIOD; i++)
        fputc((int)(test_random() & 255), file);
    fflush(file);
    for (size_t at = 0; at < nbytes; at += PERIOD)
        if (mmap(memory + at, PERIOD, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) == MAP_FAILED)
            abort();
    fclose(file);
    return memory;
}

static char *empty_memory(size_t nbytes)
{
    char *memory = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        abort();
    madvise(memory, nbytes, MADV_NOHUGEPAGE);
    return memory;
}

struct sides {
    const struct emulated_copy *copy;
    struct svi_chain chain; /* without a step: nothing is converted */
    char *dst, *src; /* the first bytes */
    uint8_t *writes;
    size_t dst_nbytes, src_nbytes;
    int64_t src_first; /* bytes to the element [0,...,0] */
};

/* The element that has a byte of the destination, and how many bytes of it come before. */
static int64_t find_index(const struct sides *sides, size_t byte, int64_t *index)
{
    int64_t rest = (int64_t)byte;

    for (int32_t k = 0; k < sides->copy->ndim; k++) {
        index[k] = rest / sides->copy->dst[k];
        rest %= sides->copy->dst[k];
    }
    return rest;
}

static double value_at(const struct svi_factor *factor, int64_t index)
{
    return factor->values[svi_factor_step(factor) * index];
}

/* What a byte of the destination is to be. */
static char find_wanted(const struct sides *sides, size_t byte)
{
    const struct emulated_scale *scale = sides->copy->scale;
    int64_t index[COPY_NDIM];
    const int64_t within = find_index(sides, byte, index);
    const char *const from = sides->src + sides->src_first + test_offset(sides->copy->ndim, index, sides->copy->src);
    char item[SVI_STEP_ITEM];

    if (sides->chain.count == 0)
        return from[within];
    test_scale_chain(&svi_isa_plain, &sides->chain, scale == NULL ? 1 : value_at(&scale->affine.scale, index[scale->axis]),
                     scale == NULL ? 0 : value_at(&scale->affine.bias, index[scale->axis]), item, from);
    return item[within];
}

/* Bytes that were written, or -1 where one is wrong. Forgets them. */
static int64_t check_written(const struct sides *sides)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (sides->dst_nbytes + page - 1) / page;
    unsigned char *resident = malloc(pages);
    int64_t count = 0;

    if (mincore(sides->writes, sides->dst_nbytes, resident) != 0)
        abort();
    for (size_t i = 0; i < pages; i++)
        for (size_t byte = i * page; resident[i] & 1 && byte < (i + 1) * page && byte < sides->dst_nbytes; byte++)
            if (sides->writes[byte] != 0 && count >= 0)
                count = sides->dst[byte] == find_wanted(sides, byte) ? count + 1 : -1;
    free(resident);
    madvise(sides->writes, sides->dst_nbytes, MADV_DONTNEED);
    madvise(sides->dst, sides->dst_nbytes, MADV_DONTNEED);
    return count;
}

/* The bytes that one block of the kernel writes; -1 for a wrong one, or a fault. */
static int64_t run_block(const struct sides *sides, const struct emulated_table *table,
                         const struct svi_launch_shape *shape, unsigned block)
{
    const bool by_table = sides->copy->by_table;
    const struct emulated_region regions[] = {{sides->dst, sides->dst_nbytes, true, sides->writes},
                                              {sides->src, sides->src_nbytes, false, NULL},
                                              {table, sizeof *table, false, NULL}};
    const struct emulated_launch launch = {
        .kernel = emulated_kernel_of(shape->kernel),
        .block = &shape->block,
        .block_nbytes = svi_kernel_block_bytes(shape->kernel),
        .dst = by_table ? (char *)table->dst : sides->dst,
        .src = by_table ? (const char *)table->src : sides->src + sides->src_first,
        .grid = shape->grid,
        .copies = shape->copies,
        .threads = SVI_LAUNCH_THREADS,
        .first = block,
        .blocks = 1,
        .shared = shape->shared,
        .nregions = 3,
        .regions = regions,
    };

    return emulated_run(&launch, NULL) == EMULATED_NOTHING ? check_written(sides) : -1;
}

static struct sides make_sides(const struct emulated_copy *copy)
{
    struct sides sides = {.copy = copy, .chain = copy->chain};
    int64_t lower, upper;

    if (copy->scale != NULL)
        svi_affine_steps(&copy->scale->affine, copy->itemsize, &sides.chain);

    test_hull(copy->ndim, copy->shape, copy->dst, copy->itemsize, &lower, &upper);
    sides.dst_nbytes = (size_t)(upper - lower);
    sides.dst = empty_memory(sides.dst_nbytes);
    sides.writes = (uint8_t *)empty_memory(sides.dst_nbytes);
    test_hull(copy->ndim, copy->shape, copy->src, emulated_src_item(copy), &lower, &upper);
    sides.src_nbytes = (size_t)(upper - lower);
    sides.src = periodic_memory(sides.src_nbytes);
    sides.src_first = -lower;
    return sides;
}

static void end_sides(const struct sides *sides)
{
    munmap(sides->src, sides->src_nbytes);
    munmap(sides->writes, sides->dst_nbytes);
    munmap(sides->dst, sides->dst_nbytes);
}

/* A launch of one of the parts that a plan is cut into where it has too many items. Whether it has few enough at last. */
static bool shape_part(const struct svi_plan *plan, svi_launch_family *family, const struct sides *sides,
                       struct svi_launch_shape *shape)
{
    struct svi_plan part = *plan, half;

    while (!family(&part, (uintptr_t)sides->dst, (uintptr_t)(sides->src + sides->src_first), shape)) {
        if (part.ndim == 0)
            return false;
        svi_launch_half(&part, (int32_t)test_between(0, 1), &half);
        part = half;
    }
    return true;
}

/* Words of a box have 8 bytes at most. */
static int64_t most_of_block(const struct sides *sides, const struct emulated_result *result)
{
    const struct svi_launch_box *box = &result->shape.block.box;
    const struct svi_launch_permute *permute = &result->shape.block.permute;

    if (emulated_is_family(result, "permute"))
        return (int64_t)permute->per * permute->runs * permute->run_bytes;
    if (result->shape.kernel == SVI_KERNEL_box_cast)
        return (int64_t)result->shape.block.box_cast.box.per * SVI_BOX_CAST_ITEMS * sides->copy->itemsize;
    if (result->shape.kernel == SVI_KERNEL_box_scaled)
        return (int64_t)result->shape.block.box_scaled.cast.box.per * SVI_BOX_CAST_ITEMS * sides->copy->itemsize;
    if (emulated_is_family(result, "box"))
        return (int64_t)box->per * box->items * 8;
    if (sides->chain.count > 0) /* a thread's share of runs */
        return SVI_LAUNCH_THREADS * SVI_CONVERT_BYTES / emulated_src_item(sides->copy) * sides->copy->itemsize;
    return SVI_LAUNCH_BYTES + 32;
}

/* A launch of the copy or of a part of it. */
static bool find_shape(const struct sides *sides, svi_launch_family *family, const struct svi_plan *plan,
                       struct emulated_table *table, struct svi_launch_shape *shape)
{
    if (sides->copy->by_table)
        return emulated_find_many(sides->copy, sides->dst, sides->src + sides->src_first, table, shape);
    return shape_part(plan, family != NULL ? family : svi_launch_shape, sides, shape);
}

/* The first block, the last, those in the middle, and some others. */
static void test_count(const char *name, const char *family, const struct emulated_copy *copy)
{
    const struct sides sides = make_sides(copy);
    struct emulated_result result = {0};
    struct emulated_table table;
    struct svi_plan plan;
    bool ok;

    emulated_make_plan(copy, &plan);
    ok = plan.nbytes / copy->itemsize > INT64_C(1) << 31;
    for (int i = 0; i < 8 && ok; i++) {
        const bool shaped = find_shape(&sides, emulated_find_family(family), &plan, &table, &result.shape);
        const unsigned last = result.shape.grid * result.shape.copies - 1;
        const unsigned blocks[] = {0, last, last / 2, last / 2 + 1};
        const unsigned block = i < 4 ? blocks[i] : (unsigned)test_between(0, last);
        const int64_t written = shaped ? run_block(&sides, &table, &result.shape, block) : -1;

        ok = written >= 0 && written <= most_of_block(&sides, &result) && (written > 0 || block == last) &&
             emulated_is_family(&result, family);
        if (!ok)
            tap_note("block %u of %u: %lld bytes, %s", block, last + 1, (long long)written, emulated_text());
    }
    if (!tap_ok(ok, "more than 2^31 items: %s", name))
        tap_note("%s", svi_kernel_name(result.shape.kernel));
    end_sides(&sides);
}

/* Some systems promise no more memory than they have. */
static bool has_room(void)
{
    const size_t nbytes = (size_t)1 << 37;
    void *memory = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory != MAP_FAILED && munmap(memory, nbytes) == 0;
}

int main(void)
{
    const struct emulated_copy many = many_axes();

    choose_scales();
    if (!has_room()) {
        tap_skip("kernels with sides of many GiB", "no address space for them");
        return tap_done();
    }
    for (size_t i = 0; i < sizeof strided / sizeof *strided; i++)
        test_strides(strided[i].name, strided[i].family, &strided[i].copy);
    test_strides("64 axes", "many", &many);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        test_count(counted[i].name, counted[i].family, &counted[i].copy);
    return tap_done();
}
