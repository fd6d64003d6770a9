/*
 * What layouts and views cost in C.
 *
 *     layouts            does each row once and says as TAP whether it did right
 *     layouts FILE       measures them, prints a table and writes it to FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlpack/dlpack.h>

#include "plan/plan.h"
#include "sv.h"
#include "tap.h"
#include "timing.h"

enum { ROUNDS = 1001, SIDE = 16, NBYTES = SIDE * SIDE * 4 };

/* --- what the rows work on, and what they have done ----------------------- */

static sv_layout *whole; /* 4-d, dense */
static sv_layout *thin;  /* 4-d, two extents of 1 */
static sv_layout *kept;  /* made by the last row */
static sv_layout_builder *builder;
static sv_view *target, *source, *kept_view;
static const struct DLManagedTensorVersioned *borrowed;
static float in[SIDE * SIDE], out[SIDE * SIDE];
static int deleted;
static struct svi_pair pair;
static struct svi_plan plan;
static void *volatile block;
static volatile size_t nbytes = NBYTES; /* not known to the compiler */

/* Each row that makes a layout releases the one made before. */
static void keep(sv_layout *layout)
{
    sv_layout_release(kept);
    kept = layout;
}

static char text[256];

static void put_numbers(const char *name, int32_t count, const int64_t *numbers)
{
    size_t used = strlen(text);

    used += (size_t)snprintf(text + used, sizeof text - used, "%s", name);
    for (int32_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %" PRId64, numbers[i]);
}

static const char *describe(const sv_layout *layout)
{
    int32_t ndim = sv_layout_ndim(layout);
    int64_t offset = sv_layout_byte_offset(layout);

    text[0] = '\0';
    put_numbers("shape", ndim, sv_layout_shape(layout));
    put_numbers(" strides", ndim, sv_layout_byte_strides(layout));
    put_numbers(" offset", 1, &offset);
    return text;
}

static const char *kept_layout(void)
{
    return describe(kept);
}

static const char *layout_of_kept_view(void)
{
    return describe(sv_view_layout(kept_view));
}

static const char *canonical_pair(void)
{
    text[0] = '\0';
    put_numbers("shape", pair.ndim, pair.shape);
    put_numbers(" dst", pair.ndim, pair.dst);
    put_numbers(" src", pair.ndim, pair.src);
    return text;
}

static const char *made_plan(void)
{
    snprintf(text, sizeof text, "%s, axes:", svi_class_name(plan.kind));
    put_numbers("", plan.ndim, plan.shape);
    return text;
}

static const char *borrowed_tensor(void)
{
    text[0] = '\0';
    put_numbers("shape", borrowed->dl_tensor.ndim, borrowed->dl_tensor.shape);
    return text;
}

static const char *deleted_tensor(void)
{
    return deleted > 0 ? "deleted" : "not deleted";
}

static const char *copied_bytes(void)
{
    bool same = memcmp(in, out, sizeof in) == 0;

    memset(out, 0, sizeof out);
    return same ? "the same" : "not the same";
}

static const char *allocated(void)
{
    return block != NULL ? "a block" : "nothing";
}

/* --- rows ----------------------------------------------------------------- */

static void allocate(void)
{
    block = malloc(nbytes / 4);
    free(block);
}

static void new_layout(void)
{
    static const int64_t shape[8] = {2, 3, 4, 5, 6, 7, 8, 9};
    sv_layout *layout = NULL;

    sv_layout_new(8, shape, NULL, 4, &layout);
    keep(layout);
}

static void new_layout_of_strides(void)
{
    static const int64_t shape[8] = {2, 2, 2, 2, 2, 2, 2, 2}, strides[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    sv_layout *layout = NULL;

    sv_layout_new(8, shape, strides, 4, &layout);
    keep(layout);
}

static void permute(void)
{
    static const int32_t axes[4] = {3, 1, 0, 2};
    sv_layout *layout = NULL;

    sv_layout_permute(whole, 4, axes, &layout);
    keep(layout);
}

static void slice(void)
{
    static const int64_t start[4] = {0, 1, 0, 4}, stop[4] = {2, 3, INT64_MAX, INT64_MIN}, step[4] = {1, 1, 2, -1};
    sv_layout *layout = NULL;

    sv_layout_slice(whole, 4, start, stop, step, &layout);
    keep(layout);
}

static void take_index(void)
{
    sv_layout *layout = NULL;

    sv_layout_index(whole, 0, 1, &layout);
    keep(layout);
}

static void reshape(void)
{
    static const int64_t shape[4] = {6, 2, 2, -1};
    sv_layout *layout = NULL;

    sv_layout_reshape(whole, 4, shape, &layout);
    keep(layout);
}

static void broadcast(void)
{
    static const int64_t shape[4] = {7, 3, 6, 5};
    sv_layout *layout = NULL;

    sv_layout_broadcast(thin, 4, shape, &layout);
    keep(layout);
}

static void squeeze(void)
{
    sv_layout *layout = NULL;

    sv_layout_squeeze(thin, 0, NULL, &layout);
    keep(layout);
}

static void unsqueeze(void)
{
    static const int32_t axes[1] = {1};
    sv_layout *layout = NULL;

    sv_layout_unsqueeze(whole, 1, axes, &layout);
    keep(layout);
}

static void to_dense(void)
{
    sv_layout *layout = NULL;

    sv_layout_to_dense(whole, SV_ORDER_F, 0, NULL, 0, &layout);
    keep(layout);
}

/* whole[1:, ::2].transpose(0, 2, 3, 1) as 2-d, by a builder and by a handle for each step */
static const int64_t chain_start[2] = {1, 0}, chain_stop[2] = {2, 3}, chain_step[2] = {1, 2}, chain_shape[2] = {20, 2};
static const int32_t chain_axes[4] = {0, 2, 3, 1};

static void chain_by_builder(void)
{
    sv_layout *layout = NULL;

    sv_layout_builder_start(builder, whole);
    sv_layout_builder_slice(builder, 2, chain_start, chain_stop, chain_step);
    sv_layout_builder_permute(builder, 4, chain_axes);
    sv_layout_builder_reshape(builder, 2, chain_shape);
    sv_layout_builder_finish(builder, &layout);
    keep(layout);
}

static void chain_by_layouts(void)
{
    sv_layout *sliced = NULL, *permuted = NULL, *layout = NULL;

    sv_layout_slice(whole, 2, chain_start, chain_stop, chain_step, &sliced);
    sv_layout_permute(sliced, 4, chain_axes, &permuted);
    sv_layout_reshape(permuted, 2, chain_shape, &layout);
    sv_layout_release(sliced);
    sv_layout_release(permuted);
    keep(layout);
}

/* A 2-d transpose, and 8 axes of 2 whose order is mixed and of which none join. */
static const int64_t shape_2[2] = {30, 20}, dst_2[2] = {80, 4}, src_2[2] = {4, 120};
static const int64_t shape_8[8] = {2, 2, 2, 2, 2, 2, 2, 2};
static const int64_t dst_8[8] = {512, 256, 128, 64, 32, 16, 8, 4}, src_8[8] = {4, 64, 8, 128, 16, 256, 32, 512};

static void canon(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src)
{
    pair.ndim = ndim;
    pair.itemsize = 4;
    pair.dst_offset = pair.src_offset = 0;
    for (int32_t k = 0; k < ndim; k++) {
        pair.shape[k] = shape[k];
        pair.dst[k] = dst[k];
        pair.src[k] = src[k];
    }
    svi_canonicalise(&pair);
}

static void canon_2(void)
{
    canon(2, shape_2, dst_2, src_2);
}

static void canon_8(void)
{
    canon(8, shape_8, dst_8, src_8);
}

static void canon_8_sorting(void)
{
    canon(8, shape_8, src_8, dst_8);
}

static void plan_2(void)
{
    svi_plan_make(2, shape_2, dst_2, src_2, 4, &plan);
}

static void plan_8(void)
{
    svi_plan_make(8, shape_8, dst_8, src_8, 4, &plan);
}

static void count_deleted(struct DLManagedTensorVersioned *self)
{
    (void)self;
    deleted++;
}

static void import_dlpack(void)
{
    static int64_t shape[2] = {SIDE, SIDE}, strides[2] = {SIDE, 1};
    static struct DLManagedTensorVersioned tensor = {.version = {1, 3}, .deleter = count_deleted};
    sv_view *view = NULL;

    deleted = 0;
    tensor.dl_tensor = (DLTensor){.data = in, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1},
                                  .shape = shape, .strides = strides};
    sv_view_from_dlpack(&tensor, 0, &view);
    sv_view_release(view);
}

static void export_dlpack(void)
{
    struct DLManagedTensorVersioned *tensor = NULL;

    sv_view_to_dlpack(source, 0, &tensor);
    deleted = tensor != NULL;
    tensor->deleter(tensor);
}

static void borrow(void)
{
    borrowed = sv_view_borrow(source);
}

static void view_of_builder(void)
{
    sv_view *view = NULL;

    sv_layout_builder_start(builder, sv_view_layout(source));
    sv_layout_builder_permute(builder, 2, NULL);
    sv_view_with_builder(source, builder, &view);
    sv_view_release(kept_view);
    kept_view = view;
}

static void copy_by_memcpy(void)
{
    memcpy(out, in, nbytes);
}

static void copy(void)
{
    sv_copy(target, source, 0, 0);
}

#define MALLOC "malloc + free"
#define MEMCPY "memcpy of 1 KiB"

static struct bench_row rows[] = {
    {MALLOC, allocate, allocated, "a block", NULL, 0, 0, 0},
    {"new layout, 8-d, C order", new_layout, kept_layout,
     "shape 2 3 4 5 6 7 8 9 strides 725760 241920 60480 12096 2016 288 36 4 offset 0", MALLOC, 1, 60, 0},
    {"new layout, 8-d, given strides", new_layout_of_strides, kept_layout,
     "shape 2 2 2 2 2 2 2 2 strides 4 8 16 32 64 128 256 512 offset 0", MALLOC, 1, 60, 0},
    {"permute, 4-d", permute, kept_layout, "shape 5 3 2 4 strides 4 80 240 20 offset 0", MALLOC, 2, 0, 0},
    {"slice, 4-d", slice, kept_layout, "shape 2 2 2 5 strides 240 80 40 -4 offset 96", MALLOC, 2, 0, 0},
    {"index, 4-d", take_index, kept_layout, "shape 3 4 5 strides 80 20 4 offset 240", MALLOC, 2, 0, 0},
    {"reshape, 4-d", reshape, kept_layout, "shape 6 2 2 5 strides 80 40 20 4 offset 0", MALLOC, 2, 0, 0},
    {"broadcast, 4-d", broadcast, kept_layout, "shape 7 3 6 5 strides 0 20 0 4 offset 0", MALLOC, 2, 0, 0},
    {"squeeze, 4-d", squeeze, kept_layout, "shape 3 5 strides 20 4 offset 0", MALLOC, 2, 0, 0},
    {"unsqueeze, 4-d", unsqueeze, kept_layout, "shape 2 1 3 4 5 strides 240 240 80 20 4 offset 0", MALLOC, 2, 0, 0},
    {"to_dense, 4-d, F order", to_dense, kept_layout, "shape 2 3 4 5 strides 4 8 24 96 offset 0", MALLOC, 2, 0, 0},
    {"three operations by a builder, 4-d", chain_by_builder, kept_layout, "shape 20 2 strides 4 160 offset 240", NULL,
     0, 0, 0},
    {"three operations, three layouts, 4-d", chain_by_layouts, kept_layout, "shape 20 2 strides 4 160 offset 240", NULL,
     0, 0, 0},
    {"canonical form of a pair, 2-d", canon_2, canonical_pair, "shape 30 20 dst 80 4 src 4 120", NULL, 0, 20, 0},
    {"canonical form of a pair, 8-d", canon_8, canonical_pair,
     "shape 2 2 2 2 2 2 2 2 dst 512 256 128 64 32 16 8 4 src 4 64 8 128 16 256 32 512", NULL, 0, 100, 0},
    {"canonical form of a pair, 8-d, sorting", canon_8_sorting, canonical_pair,
     "shape 2 2 2 2 2 2 2 2 dst 512 256 128 64 32 16 8 4 src 4 16 64 256 8 32 128 512", NULL, 0, 100, 0},
    {"plan of a copy, 2-d", plan_2, made_plan, "transpose, axes: 30 20", NULL, 0, 20, 0},
    {"plan of a copy, 8-d", plan_8, made_plan, "transpose, axes: 2 2 2 2 2 2 2 2", NULL, 0, 100, 0},
    {"view of a DLPack tensor, 2-d", import_dlpack, deleted_tensor, "deleted", NULL, 0, 0, 0},
    {"DLPack tensor of a view, 2-d", export_dlpack, deleted_tensor, "deleted", NULL, 0, 0, 0},
    {"transposed view by a builder, 2-d", view_of_builder, layout_of_kept_view, "shape 16 16 strides 4 64 offset 0",
     NULL, 0, 0, 0},
    {"borrow a view", borrow, borrowed_tensor, "shape 16 16", NULL, 0, 0, 0},
    {MEMCPY, copy_by_memcpy, copied_bytes, "the same", NULL, 0, 0, 0},
    {"copy of 1 KiB, dense, 2-d", copy, copied_bytes, "the same", MEMCPY, 1, 40, 0},
};

enum { COUNT = sizeof rows / sizeof *rows };

/* --- all of it ------------------------------------------------------------ */

static bool set_up(void)
{
    static const int64_t whole_shape[4] = {2, 3, 4, 5}, thin_shape[4] = {1, 3, 1, 5}, side[2] = {SIDE, SIDE};
    sv_layout *square = NULL;
    bool ok;

    for (int i = 0; i < SIDE * SIDE; i++)
        in[i] = (float)i;
    ok = sv_layout_new(4, whole_shape, NULL, 4, &whole) == SV_OK &&
         sv_layout_new(4, thin_shape, NULL, 4, &thin) == SV_OK && sv_layout_new(2, side, NULL, 4, &square) == SV_OK &&
         sv_layout_builder_new(&builder) == SV_OK &&
         sv_view_from_pointer(square, SV_FLOAT32, in, sizeof in, SV_READ_ONLY, &source) == SV_OK &&
         sv_view_from_pointer(square, SV_FLOAT32, out, sizeof out, 0, &target) == SV_OK;
    sv_layout_release(square);
    return ok;
}

static void tear_down(void)
{
    keep(NULL);
    sv_layout_builder_release(builder);
    sv_layout_release(thin);
    sv_layout_release(whole);
    sv_view_release(kept_view);
    sv_view_release(source);
    sv_view_release(target);
}

static int verify(void)
{
    for (int i = 0; i < COUNT; i++)
        tap_ok(bench_is_right(&rows[i]), "%s", rows[i].name);
    return tap_done();
}

static int measure(const char *path)
{
    for (int i = 0; i < COUNT; i++)
        if (!bench_is_right(&rows[i]))
            return 1;
    bench_measure(COUNT, rows, ROUNDS);
    bench_print(COUNT, rows, MALLOC);
    return bench_write(COUNT, rows, MALLOC, path) ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = 1;

    if (set_up())
        status = argc > 1 ? measure(argv[1]) : verify();
    tear_down();
    return status;
}
