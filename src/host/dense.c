/* Dense copies in cache, as plans run them. */
#include <string.h>

#include "items.h"
#include "kernels.h"

enum { HALF = 32 };

static sv_status run_memcpy(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    memcpy(dst + plan->dst_offset, src + plan->src_offset, (size_t)plan->nbytes);
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

/* What is dense and no longer than this is moved without a call, by the processor's vectors from 64 bytes on. */
static const struct {
    int64_t most; /* bytes */
    svi_run *run;
} shortest[] = {{2, run_1_to_2},   {4, run_2_to_4},    {8, run_4_to_8},
                {16, run_8_to_16}, {32, run_16_to_32}, {64, run_32_to_64}};

static const int64_t dense_most[SVI_DENSE] = {128, 256, 512, 4096, 16384};

svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan)
{
    if ((plan->dst_offset | plan->src_offset) != 0)
        return run_memcpy;
    for (size_t k = 0; k < sizeof shortest / sizeof *shortest; k++)
        if (plan->nbytes <= shortest[k].most)
            return shortest[k].run;
    for (int k = 0; k < SVI_DENSE; k++)
        if (plan->nbytes <= dense_most[k])
            return isa->dense[k] != NULL ? isa->dense[k] : run_memcpy;
    return run_memcpy;
}
