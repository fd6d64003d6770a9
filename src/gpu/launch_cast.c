/* Plans that convert, by items in the order of the destination. */
#include "base/checked.h"
#include "gpu/launch_families.h"
#include "gpu/launch_cast.h"

enum {
    PACKET = 4,   /* items */
    BLOCKS = 512, /* that a device has room for, about: threads have one packet before there are more */
    MOST_WORD = 8 /* bytes of an item of runs */
};

static int64_t find_cast_word(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                              int64_t item)
{
    return svi_launch_alignment(plan, address, offset, strides, SVI_NO_AXIS, SVI_NO_AXIS) >= item ? item : 0;
}

bool svi_cast_set(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                  struct svi_launch_cast *out)
{
    struct svi_axis *axes = out->at.axes;

    out->at.dst_offset = plan->dst_offset;
    out->at.src_offset = plan->src_offset;
    out->at.count = plan->nbytes / plan->item;
    out->at.naxes = plan->ndim > 0 ? plan->ndim : 1;
    out->chain = *chain;
    out->dst_word = (uint32_t)find_cast_word(plan, dst, plan->dst_offset, plan->dst, plan->item);
    out->src_word = (uint32_t)find_cast_word(plan, src, plan->src_offset, plan->src, plan->src_item);
    out->packets = 1;
    axes[0] = svi_axis_make(1, 0, 0);
    for (int32_t axis = plan->ndim - 1; axis >= 0; axis--) {
        if (plan->shape[axis] > SVI_MOST_BLOCKS)
            return false;
        *axes++ = svi_axis_make(plan->shape[axis], plan->dst[axis], plan->src[axis]);
    }
    return true;
}

bool svi_cast_set_batch(const struct svi_plan *plan, const struct svi_chain *chain, int64_t count,
                        const struct svi_transfer *transfers, struct svi_launch_scaled *out, const void **room)
{
    const uintptr_t dst = (uintptr_t)transfers->dst, src = (uintptr_t)transfers->src;
    struct svi_launch_distance *distances;

    if (!svi_cast_set(plan, dst, src, chain, &out->cast))
        return false;
    distances = (struct svi_launch_distance *)(out->cast.at.axes + out->cast.at.naxes);
    out->cast.distances = (uint32_t)((char *)distances - (char *)out);
    if (out->cast.distances + count * (int64_t)sizeof *distances > SVI_LAUNCH_BLOCK)
        return false;
    for (int64_t i = 0; i < count; i++)
        distances[i] = (struct svi_launch_distance){
            .dst = (int64_t)((uintptr_t)transfers[i].dst - dst),
            .src = (int64_t)((uintptr_t)transfers[i].src - src),
        };
    *room = distances + count;
    return true;
}

/* --- runs ---------------------------------------------------------------------------------------------- */

/* Whether a packet begins at a word or a vector, wherever the axes but the last one lead. */
static bool has_packets(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                        int64_t item)
{
    const int32_t row = plan->ndim - 1;

    return item <= MOST_WORD && strides[row] == item &&
           svi_launch_alignment(plan, address, offset, strides, row, SVI_NO_AXIS) >= svi_smaller(PACKET * item, 16);
}

bool svi_cast_is_runs(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    return plan->ndim > 0 && (plan->ndim == 1 || plan->shape[plan->ndim - 1] % PACKET == 0) &&
           has_packets(plan, dst, plan->dst_offset, plan->dst, plan->item) &&
           has_packets(plan, src, plan->src_offset, plan->src, plan->src_item);
}

bool svi_cast_end_runs(int32_t kernel, struct svi_launch_cast *launch, struct svi_launch_shape *out)
{
    const int64_t most = SVI_CONVERT_BYTES / (PACKET * (int64_t)launch->src_word);
    const int64_t units = svi_divide_up(launch->at.count, SVI_LAUNCH_UNITS);
    const int64_t packets = svi_larger(svi_smaller(units / BLOCKS, most), 1);

    launch->packets = (uint32_t)packets;
    return svi_launch_end(kernel, svi_divide_up(units, packets), 1, 0, out);
}

bool svi_family_convert(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_cast *launch = &out->block.cast;

    return plan->kind == SVI_CLASS_CAST && svi_cast_is_runs(plan, dst, src) &&
           svi_cast_set(plan, dst, src, &plan->chain, launch) && svi_cast_end_runs(SVI_KERNEL_convert, launch, out);
}

/* --- any strides --------------------------------------------------------------------------------------- */

bool svi_cast_end_any(int32_t kernel, const struct svi_launch_cast *launch, struct svi_launch_shape *out)
{
    return svi_launch_end(kernel, (launch->at.count - 1) / SVI_LAUNCH_UNITS + 1, 1, 0, out);
}

bool svi_family_cast(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_cast *launch = &out->block.cast;

    return plan->kind == SVI_CLASS_CAST && svi_cast_set(plan, dst, src, &plan->chain, launch) &&
           svi_cast_end_any(SVI_KERNEL_cast, launch, out);
}
