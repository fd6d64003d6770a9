/*
 * Runs of bytes: copies of one run, and the functions that a plan of one run is executed by without any table. In cache
 * a run is copied by vectors, by `rep movsb` or by memcpy; beyond the NT threshold by non-temporal stores.
 */
#include <string.h>

#include "host/base/elements.h"
#include "host/kernels.h"

enum { PAGE_BYTES = 4096 };

static inline void rep_movsb(char *dst, const char *src, size_t nbytes)
{
#ifdef __x86_64__
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(nbytes) : : "memory");
#else
    memcpy(dst, src, nbytes);
#endif
}

/* `rep movsb` is slow where dst is less than a line further into its page than src. */
bool svi_has_fast_movsb(const struct svi_machine *machine, const char *dst, const char *src)
{
    const uintptr_t further = ((uintptr_t)dst - (uintptr_t)src) % PAGE_BYTES;

    return machine->moves_strings && (further == 0 || further >= SVI_LINE);
}

/* The instruction does not begin before the last one is done, so the next row is prefetched meanwhile. */
void svi_movsb_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        __builtin_prefetch(src + src_pitch);
        rep_movsb(dst, src, (size_t)nbytes);
    }
}

static void copy_cached(const struct svi_machine *machine, char *dst, const char *src, size_t nbytes)
{
    if (svi_fetches_rows(machine) && nbytes >= (size_t)machine->tuning->fetched_run_bytes)
        machine->isa->move_rows(dst, 0, src, 0, 1, (int64_t)nbytes);
    else if (svi_has_fast_movsb(machine, dst, src))
        rep_movsb(dst, src, nbytes);
    else
        memcpy(dst, src, nbytes);
}

/* Several streams of pieces, read alternately. nbytes: a piece or more. */
static void interleave_nt(const struct svi_isa *isa, char *dst, const char *src, size_t nbytes, int64_t piece,
                          int streams)
{
    const size_t head = (size_t)-(uintptr_t)dst % SVI_LINE;
    const int64_t body = (int64_t)(nbytes - head) / (piece * streams) * streams;

    isa->stream_copy(dst, src, head);
    isa->stream_turns(dst + head, piece, src + head, piece, body, piece, 0, streams);
    dst += (int64_t)head + body * piece;
    src += (int64_t)head + body * piece;
    isa->stream_copy(dst, src, nbytes - head - (size_t)(body * piece));
}

bool svi_is_contiguous_nt(const struct svi_host_copy *c)
{
    return c->beyond_cache && c->machine->isa->stream_copy != NULL;
}

bool svi_contiguous_nt(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;
    const struct svi_tuning *tuning = c->machine->tuning;
    const size_t nbytes = (size_t)c->plan->nbytes;

    if (tuning->row_streams && c->plan->nbytes >= tuning->contiguous_stream_bytes)
        interleave_nt(isa, c->dst, c->src, nbytes, tuning->contiguous_stream_bytes, tuning->contiguous_streams);
    else
        isa->stream_copy(c->dst, c->src, nbytes);
    isa->fence();
    return true;
}

bool svi_contiguous(const struct svi_host_copy *c)
{
    copy_cached(c->machine, c->dst, c->src, (size_t)c->plan->nbytes);
    return true;
}

/* --- what plans of one run in cache are executed by ------------------------------ */

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
    copy_cached(&machine, dst + plan->dst_offset, src + plan->src_offset, (size_t)plan->nbytes);
    return SV_OK;
}

/* Up to twice half bytes, a constant; the plan's offsets are 0. */
SVI_INLINE sv_status run_halves(const struct svi_plan *plan, char *dst, const char *src, size_t half)
{
    svi_copy_ends(dst, src, (size_t)plan->nbytes, half);
    return SV_OK;
}

static sv_status run_1_to_2(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 1);
}

static sv_status run_2_to_4(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 2);
}

static sv_status run_4_to_8(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 4);
}

static sv_status run_8_to_16(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 8);
}

static sv_status run_16_to_32(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 16);
}

static sv_status run_32_to_64(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return run_halves(plan, dst, src, 32);
}

/* By the logarithm of the length, rounded up: without a call; from 64 bytes on by vectors. */
static svi_run *const shortest[] = {run_1_to_2,  run_1_to_2,   run_2_to_4,  run_4_to_8,
                                    run_8_to_16, run_16_to_32, run_32_to_64};

enum { SHORTEST = sizeof shortest / sizeof *shortest };

svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const int log = plan->nbytes > 1 ? 64 - __builtin_clzll((unsigned long long)plan->nbytes - 1) : 0;

    if (log >= SHORTEST + SVI_DENSE)
        return run_long;
    if ((plan->dst_offset | plan->src_offset) != 0)
        return run_memcpy;
    if (log < SHORTEST)
        return shortest[log];
    return isa->dense[log - SHORTEST] != NULL ? isa->dense[log - SHORTEST] : run_memcpy;
}
