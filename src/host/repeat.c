/* One item to every place of the last axis. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    SHORT_FILL = 128, /* below this, item by item */
    PAGE = 4096       /* a long run is built up to this size, then repeated from cache */
};

/* Fills nbytes, of which the first item is there already. */
static void spread(char *dst, size_t item, size_t nbytes)
{
    const size_t page = PAGE / item * item;
    size_t done = item;

    while (done < nbytes) {
        size_t piece = done < page ? done : page;

        if (piece > nbytes - done)
            piece = nbytes - done;
        memcpy(dst + done, dst, piece);
        done += piece;
    }
}

/* Items that divide 16 bytes: one store after another of the same 16, the last one shifted back. */
static void stamp(char *restrict dst, const char *restrict src, size_t item, size_t nbytes)
{
    char pattern[16];
    size_t k = 0;

    memcpy(pattern, src, item);
    spread(pattern, item, sizeof pattern);
    for (; k + 16 <= nbytes; k += 16)
        memcpy(dst + k, pattern, 16);
    memcpy(dst + nbytes - 16, pattern, 16);
}

static void fill(char *dst, const char *src, size_t item, size_t nbytes)
{
    if (item == 1) {
        memset(dst, *src, nbytes);
    } else if (16 % item == 0) {
        stamp(dst, src, item, nbytes);
    } else {
        memcpy(dst, src, item);
        spread(dst, item, nbytes);
    }
}

static void fill_rows(const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const size_t nbytes = (size_t)(plan->shape[last] * plan->item);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    do
        fill(outer.dst, outer.src, (size_t)plan->item, nbytes);
    while (svi_odometer_next(&outer));
}

void svi_host_repeat(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;

    if (plan->dst[last] == plan->item && plan->shape[last] >= SHORT_FILL / plan->item)
        fill_rows(plan, dst, src);
    else
        svi_host_generic(machine, plan, dst, src);
}
