/* Runs of more than SVI_PLAN_ITEM bytes in cache. */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    LONG_RUN = 256, /* from here on a call of memcpy pays */
    NEAREST = 32768 /* bytes of both sides that are in the first cache */
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

SVI_INLINE void rows(const struct svi_plan *plan, char *dst, const char *src, size_t nbytes, run *copy)
{
    const int32_t row = plan->ndim - 2;
    const int64_t count = plan->shape[row], dst_step = plan->dst[row], src_step = plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do {
        char *to = outer.dst;
        const char *from = outer.src;

        for (int64_t i = 0; i < count; i++, to += dst_step, from += src_step)
            copy(to, from, nbytes);
    } while (svi_odometer_next(&outer));
}

/* By the vectors of the processor. From behind the second cache several lines of a row are enough by themselves. */
static void rows_of_vectors(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                            int64_t nbytes, bool far)
{
    const int32_t row = plan->ndim - 2;
    const bool again = svi_stores_again(machine, plan, row) && (!far || nbytes <= SVI_LINE);
    const int64_t stores = again ? svi_stores_each(plan->dst[row], plan->shape[row]) : 1;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        machine->isa->near_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes,
                                far && plan->src[row] != nbytes, stores);
    while (svi_odometer_next(&outer));
}

/* What will be written is fetched. */
static void rows_fetched(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                         int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->move_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes);
    while (svi_odometer_next(&outer));
}

/* By what the processor has for strings. */
static void rows_of_strings(const struct svi_plan *plan, char *dst, const char *src, int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        svi_string_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], (size_t)nbytes);
    while (svi_odometer_next(&outer));
}

/* A string begins while what vectors stored before is on its way. */
static void rows_in_turns(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                          int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    const int64_t dst_step = plan->dst[row], src_step = plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do {
        char *to = outer.dst;
        const char *from = outer.src;

        for (int64_t i = 0; i < plan->shape[row]; i++, to += dst_step, from += src_step)
            if (i % 2 == 0)
                svi_string_rows(to, dst_step, from, src_step, 1, (size_t)nbytes);
            else
                isa->near_rows(to, dst_step, from, src_step, 1, nbytes, true, 1);
    } while (svi_odometer_next(&outer));
}

/* Rows of both sides begin as far into a line. */
static bool is_alike(const struct svi_plan *plan, const char *dst, const char *src)
{
    uint64_t all = (uintptr_t)dst - (uintptr_t)src;

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        all |= (uint64_t)plan->dst[k] - (uint64_t)plan->src[k];
    return all % SVI_LINE == 0;
}

/* Bytes of a row from which on it pays to fetch what will be written; far: from behind the second cache. */
static int64_t fetched_from(const struct svi_plan *plan, const char *dst, int64_t nbytes, bool far)
{
    if (!svi_has_lines(plan, dst))
        return far ? 1024 : 1536;
    if (!far)
        return 1024;
    return plan->dst[plan->ndim - 2] != nbytes ? 256 : 512;
}

/* --- which of them ------------------------------------------------------------- */

static bool is_far(const struct svi_host_copy *c)
{
    return c->plan->reach > (uint64_t)c->machine->second;
}

static bool moves_strings(const struct svi_host_copy *c)
{
    return c->plan->reach > NEAREST && svi_row_nbytes(c->plan) >= c->machine->tuning->movsb_row_bytes &&
           svi_moves_string(c->machine, c->dst, c->src);
}

/* Bytes of a row from which on the string instruction is faster behind the second cache. */
static int64_t far_string(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const struct svi_tuning *tuning = c->machine->tuning;

    if (!is_alike(plan, c->dst, c->src))
        return tuning->movsb_odd_row_bytes;
    if (c->machine->isa->near_rows != NULL && plan->src[plan->ndim - 2] != svi_row_nbytes(plan))
        return tuning->movsb_l2_row_bytes;
    return tuning->movsb_row_bytes;
}

bool svi_is_rows_fetched(const struct svi_host_copy *c)
{
    return c->plan->reach > NEAREST && svi_fetches_rows(c->machine) &&
           svi_row_nbytes(c->plan) >= fetched_from(c->plan, c->dst, svi_row_nbytes(c->plan), is_far(c));
}

bool svi_is_rows_of_strings(const struct svi_host_copy *c)
{
    return moves_strings(c) && (!is_far(c) || svi_row_nbytes(c->plan) >= far_string(c));
}

bool svi_is_rows_in_turns(const struct svi_host_copy *c)
{
    return moves_strings(c) && svi_row_nbytes(c->plan) >= c->machine->tuning->movsb_alternating_row_bytes &&
           is_alike(c->plan, c->dst, c->src);
}

bool svi_is_rows_of_vectors(const struct svi_host_copy *c)
{
    return c->machine->isa->near_rows != NULL;
}

bool svi_rows_fetched(const struct svi_host_copy *c)
{
    rows_fetched(c->machine->isa, c->plan, c->dst, c->src, svi_row_nbytes(c->plan));
    return true;
}

bool svi_rows_of_strings(const struct svi_host_copy *c)
{
    rows_of_strings(c->plan, c->dst, c->src, svi_row_nbytes(c->plan));
    return true;
}

bool svi_rows_in_turns(const struct svi_host_copy *c)
{
    rows_in_turns(c->machine->isa, c->plan, c->dst, c->src, svi_row_nbytes(c->plan));
    return true;
}

bool svi_rows_of_vectors(const struct svi_host_copy *c)
{
    rows_of_vectors(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan), is_far(c));
    return true;
}

bool svi_rows_plain(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);

    if (nbytes <= 32)
        rows(c->plan, c->dst, c->src, (size_t)nbytes, run_32);
    else if (nbytes < LONG_RUN)
        rows(c->plan, c->dst, c->src, (size_t)nbytes, run_short);
    else
        rows(c->plan, c->dst, c->src, (size_t)nbytes, run_long);
    return true;
}
