/* Items to places that are a step apart, by masked stores of whole lines. */
#include "host/base/elements.h"
#include "host/kernels.h"

/* Items until the destination is at the beginning of a line; 0 when it never is among count. */
static int64_t head_of(const char *dst, int64_t step, int64_t count)
{
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * step) % SVI_LINE == 0)
            return k;
    return 0;
}

SVI_INLINE void row(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst, const char *src,
                    size_t item)
{
    const int64_t size = (int64_t)item, step = s->lines * size, line = SVI_LINE / size;
    const int64_t head = head_of(dst, step, count), body = (count - head) / line * line, done = head + body;

    svi_line(head, dst, step, src, size, item);
    isa->scatter(s, dst + head * step, src + head * size, body * size);
    svi_line(count - done, dst + done * step, step, src + done * size, size, item);
}

void svi_scatter_items(const struct svi_isa *isa, const struct svi_spread *spread, int64_t count, char *dst,
                       const char *src, int64_t item)
{
    if (item == 4)
        row(isa, spread, count, dst, src, 4);
    else if (item == 8)
        row(isa, spread, count, dst, src, 8);
    else
        row(isa, spread, count, dst, src, 16);
}
