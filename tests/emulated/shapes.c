#include "shapes.h"

struct emulated_copy emulated_copy_of(const struct emulated_shape *shape)
{
    struct emulated_copy copy = {.ndim = shape->ndim, .itemsize = shape->itemsize, .dst_skew = shape->dst_skew,
                                 .src_skew = shape->src_skew};
    const int32_t last = shape->ndim - 1;
    int64_t dst = shape->itemsize, src = shape->itemsize;

    for (int32_t i = last; i >= 0; i--) {
        const int32_t k = shape->order[i];

        copy.shape[i] = shape->shape[i];
        copy.dst[i] = dst;
        copy.src[k] = src;
        dst *= shape->shape[i];
        src *= shape->shape[k] * (k == last && shape->step > 1 ? shape->step : 1);
        if (i == last) {
            dst += shape->dst_pad * shape->itemsize;
            src += shape->src_pad * shape->itemsize;
        }
    }
    if (shape->step != 0)
        copy.src[last] *= shape->step;
    if (shape->repeat)
        copy.src[last] = 0;
    return copy;
}

static double ratio(uint64_t count, uint64_t of)
{
    return of == 0 ? 1 : (double)count / (double)of;
}

struct emulated_ratios emulated_ratios_of(const struct emulated_counts *counts, int64_t nbytes)
{
    struct emulated_ratios out;

    for (int i = 0; i < 2; i++) {
        out.moved[i] = ratio(32 * counts->sectors[i], (uint64_t)nbytes);
        out.block[i] = ratio(32 * counts->block[i], (uint64_t)nbytes);
        out.vectors[i] = ratio(counts->vectors[i], counts->accesses[i]);
        out.waves[i] = ratio(counts->waves[i], counts->ideal[i]);
    }
    return out;
}
