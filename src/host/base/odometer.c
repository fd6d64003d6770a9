#include "odometer.h"

static void flip(struct svi_odometer *o, struct svi_odometer_axis *axis)
{
    o->dst += axis->dst * (axis->extent - 1);
    o->src += axis->src * (axis->extent - 1);
    axis->dst = -axis->dst, axis->src = -axis->src;
}

void svi_odometer_by_source(struct svi_odometer *o)
{
    for (int32_t k = 0; k < o->ndim; k++) {
        struct svi_odometer_axis axis = o->axis[k];
        int32_t i = k;

        if (axis.src < 0)
            flip(o, &axis);
        for (; i > 0 && o->axis[i - 1].src < axis.src; i--)
            o->axis[i] = o->axis[i - 1];
        o->axis[i] = axis;
    }
}

void svi_odometer_seek(struct svi_odometer *o, int64_t steps)
{
    for (int32_t k = o->ndim - 1; k >= 0; k--) {
        struct svi_odometer_axis *axis = &o->axis[k];

        axis->index = steps % axis->extent;
        steps /= axis->extent;
        o->dst += axis->index * axis->dst;
        o->src += axis->index * axis->src;
    }
}

struct svi_odometer_axis svi_odometer_take(struct svi_odometer *o, int32_t k)
{
    const struct svi_odometer_axis axis = o->axis[k];

    for (o->ndim--; k < o->ndim; k++)
        o->axis[k] = o->axis[k + 1];
    return axis;
}
