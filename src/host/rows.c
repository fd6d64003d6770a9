/* Runs of more than SVI_PLAN_ITEM bytes, one after another. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    LONG_RUN = 256,  /* from here on a call of memcpy pays */
    AHEAD = 2048,    /* bytes that are fetched before they are needed */
    STREAM_RUN = 512 /* and stores past the cache, though the ends of a run are not whole lines */
};

typedef void run(char *restrict dst, const char *restrict src, size_t nbytes);

/* 16 to 32 bytes: the halves overlap. */
SVI_INLINE void run_32(char *restrict dst, const char *restrict src, size_t nbytes)
{
    char head[16], tail[16];

    memcpy(head, src, 16);
    memcpy(tail, src + nbytes - 16, 16);
    memcpy(dst, head, 16);
    memcpy(dst + nbytes - 16, tail, 16);
}

/* 32 bytes and more. */
SVI_INLINE void run_short(char *restrict dst, const char *restrict src, size_t nbytes)
{
    size_t k = 0;

    for (; k + 32 <= nbytes; k += 32)
        memcpy(dst + k, src + k, 32);
    if (k < nbytes)
        memcpy(dst + nbytes - 32, src + nbytes - 32, 32);
}

SVI_INLINE void run_long(char *restrict dst, const char *restrict src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

/* The next rows are on their way while this one is stored: the processor does not foresee where they begin. */
static void stream_rows(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        size_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    const int64_t ahead = AHEAD / (int64_t)nbytes + 1;
    const size_t lines = nbytes < AHEAD ? nbytes : AHEAD;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        for (int64_t i = 0; i < plan->shape[row]; i++) {
            const char *from = outer.src + i * plan->src[row];

            for (size_t k = 0; k < lines; k += SVI_LINE)
                __builtin_prefetch(from + ahead * plan->src[row] + k, 0, 3);
            machine->isa->stream_copy(outer.dst + i * plan->dst[row], from, nbytes);
        }
    while (svi_odometer_next(&outer));
    machine->isa->fence();
}

SVI_INLINE void rows(const struct svi_plan *plan, char *dst, const char *src, size_t nbytes, run *copy)
{
    const int32_t row = plan->ndim - 2;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        for (int64_t i = 0; i < plan->shape[row]; i++)
            copy(outer.dst + i * plan->dst[row], outer.src + i * plan->src[row], nbytes);
    while (svi_odometer_next(&outer));
}

void svi_host_rows(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const size_t nbytes = (size_t)(plan->shape[plan->ndim - 1] * plan->item);

    if (nbytes >= STREAM_RUN && machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan))
        stream_rows(machine, plan, dst, src, nbytes);
    else if (nbytes <= 32)
        rows(plan, dst, src, nbytes, run_32);
    else if (nbytes < LONG_RUN)
        rows(plan, dst, src, nbytes, run_short);
    else
        rows(plan, dst, src, nbytes, run_long);
}
