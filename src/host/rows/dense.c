/* Dense copies in cache, as plans run them. */
#include <string.h>

#include "host/base/elements.h"
#include "host/kernels.h"

enum { HALF = 32 };

static sv_status run_memcpy(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    memcpy(dst + plan->dst_offset, src + plan->src_offset, (size_t)plan->nbytes);
    return SV_OK;
}

static sv_status run_long(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    (void)with;
    svi_move(&machine, dst + plan->dst_offset, src + plan->src_offset, (size_t)plan->nbytes);
    return SV_OK;
}

/* A short run by its ends of half, which meet or have something in common; offsets are 0. */
SVI_INLINE sv_status ends(const struct svi_plan *plan, char *dst, const char *src, size_t half)
{
    const size_t behind = (size_t)plan->nbytes - half;
    char first[HALF], last[HALF];

    memcpy(first, src, half);
    memcpy(last, src + behind, half);
    memcpy(dst, first, half);
    memcpy(dst + behind, last, half);
    return SV_OK;
}

static sv_status run_1_to_2(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, 1);
}

static sv_status run_2_to_4(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, 2);
}

static sv_status run_4_to_8(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, 4);
}

static sv_status run_8_to_16(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, 8);
}

static sv_status run_16_to_32(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, 16);
}

static sv_status run_32_to_64(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return ends(plan, dst, src, HALF);
}

/* By the logarithm of the length, rounded up: moved without a call, from 64 bytes on by the processor's vectors. */
static svi_run *const shortest[] = {run_1_to_2,  run_1_to_2,   run_2_to_4,  run_4_to_8,
                                    run_8_to_16, run_16_to_32, run_32_to_64};

enum { SHORTEST = sizeof shortest / sizeof *shortest };

static int logarithm(int64_t nbytes)
{
    return nbytes > 1 ? 64 - __builtin_clzll((unsigned long long)nbytes - 1) : 0;
}

svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const int log = logarithm(plan->nbytes);

    if (log >= SHORTEST + SVI_DENSE)
        return run_long;
    if ((plan->dst_offset | plan->src_offset) != 0)
        return run_memcpy;
    if (log < SHORTEST)
        return shortest[log];
    return isa->dense[log - SHORTEST] != NULL ? isa->dense[log - SHORTEST] : run_memcpy;
}
