/* Plans of any two layouts of one shape, and what is made of them, keep the rules of a plan; so do parts. */
#include "fuzz/fuzz.h"
#include "plan/part.h"
#include "plan/split.h"

const char fuzz_name[] = "plan";

enum { CAST_BYTES = 8 };

static void check_plan(const struct svi_plan *plan, const char *what)
{
    const char *fault = svi_plan_fault(plan);

    fuzz_check(fault == NULL, "%s, of class %s: %s", what, svi_class_name(plan->kind), fault);
}

static void check_part(const struct svi_plan *part, const char *what)
{
    const char *fault = svi_part_fault(part);

    fuzz_check(fault == NULL, "%s, of class %s: %s", what, svi_class_name(part->kind), fault);
}

/* A layout of the same shape and item size, at any strides or 0; NULL when libsv refuses it. */
static sv_layout *other_layout(struct fuzz_input *in, const sv_layout *layout)
{
    const int32_t ndim = sv_layout_ndim(layout);
    int64_t strides[SV_MAX_NDIM];
    sv_layout *out = NULL;

    for (int32_t k = 0; k < ndim; k++)
        strides[k] = fuzz_byte(in) & 1 ? sv_layout_byte_strides(layout)[k] : fuzz_number(in);
    sv_layout_new_bytes(ndim, sv_layout_shape(layout), strides, sv_layout_itemsize(layout), &out);
    return out;
}

static void choose_box(struct fuzz_input *in, const struct svi_plan *plan, int64_t *first, int64_t *count)
{
    for (int32_t k = 0; k < plan->ndim; k++) {
        count[k] = 1 + fuzz_byte(in) % svi_smaller(plan->shape[k], 200);
        first[k] = fuzz_byte(in) & 1 ? plan->shape[k] - count[k] : 0;
    }
}

static void check_boxes(struct fuzz_input *in, const struct svi_plan *plan)
{
    int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM];
    struct svi_plan out;

    choose_box(in, plan, first, count);
    svi_plan_box(plan, first, count, &out);
    check_plan(&out, "a box");
    svi_part_of_box(plan, first, count, &out);
    check_part(&out, "a box that keeps its axes");
}

static void check_parts(struct fuzz_input *in, const struct svi_plan *plan)
{
    struct svi_plan out;

    svi_part_of_axes(plan, fuzz_byte(in) % (plan->ndim + 1), &out);
    check_part(&out, "axes");
    if (out.ndim > 0) {
        svi_part_set_extent(&out, 0, 1);
        check_part(&out, "one index");
    }
    if (plan->ndim < SVI_PLAN_NDIM) {
        svi_part_with_axis(plan, fuzz_byte(in), fuzz_number(in), &out);
        check_part(&out, "one more axis");
    }
}

static void check_halves(const struct svi_plan *plan)
{
    struct svi_plan in, out;

    for (int32_t side = SVI_SIDE_DST; side <= SVI_SIDE_SRC; side++)
        for (int32_t items = SVI_SIDE_DST; items <= SVI_SIDE_SRC; items++) {
            svi_detour_make(plan, side, items, &in, &out);
            check_plan(&in, "the first half");
            check_plan(&out, "the second half");
        }
}

static void check_split(struct fuzz_input *in, const struct svi_plan *plan)
{
    struct svi_split split;
    struct svi_plan part;

    svi_split_make(plan, NULL, 1 + fuzz_byte(in), &split);
    svi_split_part(plan, &split, fuzz_byte(in) % split.count, &part);
    check_plan(&part, "a part for a thread");
}

static void check_all(struct fuzz_input *in, const struct svi_plan *plan)
{
    check_plan(plan, "a plan");
    if (plan->kind == SVI_CLASS_EMPTY)
        return;
    check_boxes(in, plan);
    check_parts(in, plan);
    check_halves(plan);
    check_split(in, plan);
}

static void check_cast(struct fuzz_input *in, const sv_layout *dst, const sv_layout *src)
{
    static const sv_dtype types[] = {SV_UINT8, SV_FLOAT16, SV_FLOAT32, SV_INT64};
    const sv_dtype to = types[fuzz_byte(in) % 4], from = types[fuzz_byte(in) % 4];
    struct svi_chain chain;
    struct svi_plan plan, plain;

    if (to == from || sv_layout_itemsize(dst) < CAST_BYTES || svi_chain_find(to, from, true, false, &chain) != SV_OK)
        return;
    svi_plan_make_cast(sv_layout_ndim(dst), sv_layout_shape(dst), sv_layout_byte_strides(dst),
                       sv_layout_byte_strides(src), &chain, 1, &plan);
    check_all(in, &plan);
    if (plan.ndim > 0 && plan.dst[plan.ndim - 1] == plan.item && plan.src[plan.ndim - 1] != plan.src_item &&
        svi_part_without_cast(&plan, &plain))
        check_plan(&plain, "a conversion without it");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, data + size};
    sv_layout *dst = fuzz_layout(&in), *src = dst == NULL ? NULL : other_layout(&in, dst);
    struct svi_plan plan;

    if (src != NULL) {
        svi_plan_make(sv_layout_ndim(dst), sv_layout_shape(dst), sv_layout_byte_strides(dst),
                      sv_layout_byte_strides(src), sv_layout_itemsize(dst), &plan);
        check_all(&in, &plan);
        check_cast(&in, dst, src);
    }
    sv_layout_release(src);
    sv_layout_release(dst);
    return 0;
}
