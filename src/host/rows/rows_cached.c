/*
 * Rows in cache: runs of more than 16 bytes, at any pitch. They are copied by vectors; long ones by `rep movsb` where
 * it is fast, or with their destination prefetched where stores to lines that are not in L1 are slow.
 */
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    MIN_MEMCPY_BYTES = 256, /* of a row, from which on a call of memcpy is worth it */
    L1_BYTES = 32768        /* of both sides together, that are in L1 */
};

/* Calls copy for the rows along the second to last axis, at each index of the axes in front of it. */
static bool copy_rows(const struct svi_host_copy *c, svi_copy_rows *copy)
{
    const struct svi_plan *const plan = c->plan;
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(plan);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, c->dst, c->src);
    do
        copy(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes);
    while (svi_odometer_next(&outer));
    return true;
}

static bool is_beyond_l2(const struct svi_host_copy *c)
{
    return c->plan->reach > (uint64_t)c->machine->second;
}

/* Whether the rows of both sides have the same offset modulo 64. */
static bool is_aligned_alike(const struct svi_host_copy *c)
{
    uint64_t all = (uintptr_t)c->dst - (uintptr_t)c->src;

    for (int32_t k = 0; k < c->plan->ndim - 1; k++)
        all |= (uint64_t)c->plan->dst[k] - (uint64_t)c->plan->src[k];
    return all % SVI_LINE == 0;
}

/* --- rows_prefetched --- */

/* Least bytes of a row whose destination is worth a prefetch. */
static int64_t min_prefetched_bytes(const struct svi_host_copy *c)
{
    const bool far = is_beyond_l2(c);

    if (!svi_has_lines(c->plan, c->dst))
        return far ? 1024 : 1536;
    if (!far)
        return 1024;
    return c->plan->dst[c->plan->ndim - 2] != svi_row_nbytes(c->plan) ? 256 : 512;
}

bool svi_is_rows_prefetched(const struct svi_host_copy *c)
{
    return c->plan->reach > L1_BYTES && svi_fetches_rows(c->machine) &&
           svi_row_nbytes(c->plan) >= min_prefetched_bytes(c);
}

bool svi_rows_prefetched(const struct svi_host_copy *c)
{
    return copy_rows(c, c->machine->isa->move_rows);
}

/* --- rows_string --- */

static bool has_fast_movsb(const struct svi_host_copy *c)
{
    return c->plan->reach > L1_BYTES && svi_row_nbytes(c->plan) >= c->machine->tuning->movsb_row_bytes &&
           svi_has_fast_movsb(c->machine, c->dst, c->src);
}

/* Least bytes of a row that `rep movsb` copies faster than vectors do. */
static int64_t min_movsb_bytes(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const struct svi_tuning *tuning = c->machine->tuning;

    if (!is_beyond_l2(c))
        return tuning->movsb_row_bytes;
    if (!is_aligned_alike(c))
        return tuning->movsb_odd_row_bytes;
    if (c->machine->isa->near_rows != NULL && plan->src[plan->ndim - 2] != svi_row_nbytes(plan))
        return tuning->movsb_l2_row_bytes;
    return tuning->movsb_row_bytes;
}

bool svi_is_rows_string(const struct svi_host_copy *c)
{
    return has_fast_movsb(c) && svi_row_nbytes(c->plan) >= min_movsb_bytes(c);
}

bool svi_rows_string(const struct svi_host_copy *c)
{
    return copy_rows(c, svi_movsb_rows);
}

/* --- rows_alternating: `rep movsb` begins while what vectors stored before is on its way --- */

bool svi_is_rows_alternating(const struct svi_host_copy *c)
{
    return has_fast_movsb(c) && svi_row_nbytes(c->plan) >= c->machine->tuning->movsb_alternating_row_bytes &&
           is_aligned_alike(c);
}

bool svi_rows_alternating(const struct svi_host_copy *c)
{
    const int32_t row = c->plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(c->plan), src_pitch = c->plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, row, -1, c->dst, c->src);
    do
        for (int64_t i = 0; i < c->plan->shape[row]; i++) {
            char *const dst = outer.dst + i * c->plan->dst[row];
            const char *const src = outer.src + i * src_pitch;

            if (i % 2 == 0)
                svi_movsb_rows(dst, 0, src, src_pitch, 1, nbytes);
            else
                c->machine->isa->near_rows(dst, 0, src, src_pitch, 1, nbytes, true, 1);
        }
    while (svi_odometer_next(&outer));
    return true;
}

/* --- rows_vectors --- */

bool svi_is_rows_vectors(const struct svi_host_copy *c)
{
    return c->machine->isa->near_rows != NULL;
}

/* Beyond L2 the several lines of a row keep enough stores under way by themselves. */
bool svi_rows_vectors(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(plan);
    const bool far = is_beyond_l2(c), again = svi_stores_again(c->machine, plan, row) && (!far || nbytes <= SVI_LINE);
    const int64_t stores = again ? svi_stores_each(plan->dst[row], plan->shape[row]) : 1;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, c->dst, c->src);
    do
        c->machine->isa->near_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes,
                                   far && plan->src[row] != nbytes, stores);
    while (svi_odometer_next(&outer));
    return true;
}

/* --- rows_plain --- */

/* By steps of 32 bytes, or their two halves of 16; the last one overlaps the one before. */
SVI_INLINE void copy_short(char *restrict dst, const char *restrict src, size_t nbytes)
{
    for (size_t k = 0; k + 32 < nbytes; k += 32)
        memcpy(dst + k, src + k, 32);
    if (nbytes < 32)
        svi_copy_ends(dst, src, nbytes, 16);
    else
        memcpy(dst + nbytes - 32, src + nbytes - 32, 32);
}

static void plain_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch)
        if (nbytes < MIN_MEMCPY_BYTES)
            copy_short(dst, src, (size_t)nbytes);
        else
            memcpy(dst, src, (size_t)nbytes);
}

bool svi_rows_plain(const struct svi_host_copy *c)
{
    return copy_rows(c, plain_rows);
}
