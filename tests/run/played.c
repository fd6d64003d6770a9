#include "played.h"

#include <stdlib.h>
#include <string.h>

#include "copy/job.h"

/* Caches of 1 or 2 MiB and 32 MiB. bytes: of two vectors are permuted by one instruction. */
static const struct {
    const char *name, *isa;
    const struct svi_tuning *tuning;
    bool bytes;
} played[PLAYED] = {{"sse2", "sse2", &svi_tuning_amd, false},
                      {"avx2, Zen 3", "avx2", &svi_tuning_zen3, false},
                      {"avx2, Intel", "avx2", &svi_tuning_intel, false},
                      {"avx512", "avx512", &svi_tuning_amd, true},
                      {"avx512, Zen 4", "avx512", &svi_tuning_zen4, true},
                      {"avx512, Intel", "avx512", &svi_tuning_intel, false}};

const char *played_name(int k)
{
    return played[k].name;
}

bool is_played(int k)
{
    return svi_isa_of_architecture(played[k].isa) != NULL;
}

bool runs_here(int k)
{
    return svi_isa_named(played[k].isa) != NULL && (!played[k].bytes || svi_machine().permutes_bytes);
}

/* Counts the windows as AVX-512 does: each covers 64 bytes from the least offset that no window has covered yet. */
static bool count_windows(struct svi_permuted_line *line, const int32_t *offset)
{
    int32_t left[SVI_LINE];
    bool more = true;

    memcpy(left, offset, sizeof left);
    *line = (struct svi_permuted_line){.windows = 0};
    while (more) {
        int32_t least = INT32_MAX;

        for (int k = 0; k < SVI_LINE; k++)
            if (left[k] > SVI_GAP / 2 && left[k] < least)
                least = left[k];
        more = least < INT32_MAX;
        if (more && line->windows == SVI_WINDOWS)
            return false;
        line->windows += more;
        for (int k = 0; k < SVI_LINE; k++)
            if (more && left[k] >= least && left[k] - least < SVI_LINE)
                left[k] = SVI_GAP;
    }
    return true;
}

/* The tables of instruction sets that this processor lacks call nothing of theirs when they are asked. */
static const struct svi_isa *isa_of(int k)
{
    static struct svi_isa asked[PLAYED];
    static struct svi_permute_kernels permute[PLAYED];

    if (runs_here(k))
        return svi_isa_named(played[k].isa);
    if (asked[k].name == NULL && is_played(k)) {
        asked[k] = *svi_isa_of_architecture(played[k].isa);
        if (asked[k].permute != NULL) {
            permute[k] = *asked[k].permute;
            permute[k].make_line = count_windows;
            asked[k].permute = &permute[k];
        }
    }
    return &asked[k];
}

struct svi_machine played_machine(int k)
{
    return (struct svi_machine){.isa = isa_of(k), .cache = (int64_t)32 << 20,
                                .l2_bytes = (int64_t)(played[k].tuning == &svi_tuning_intel ? 2 : 1) << 20,
                                .permutes_bytes = played[k].bytes, .tuning = played[k].tuning};
}

static sv_view *view_of(const sv_layout *layout, const char *dtype_name, char *memory)
{
    int64_t lower, upper;
    sv_dtype dtype;
    sv_view *view;

    if (sv_dtype_parse(dtype_name, &dtype) != SV_OK || sv_layout_byte_bounds(layout, &lower, &upper) != SV_OK ||
        sv_view_new(layout, dtype, memory - (lower < 0 ? lower : 0), INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL,
                    NULL, &view) != SV_OK)
        abort();
    return view;
}

struct svi_plan played_plan(const struct bench_case *c)
{
    static char nothing[64];
    sv_view *dst = view_of(c->dst, c->dtype, nothing), *src = view_of(c->src, c->src_dtype, nothing);
    struct svi_job job;

    if (svi_job_make(dst, src, SV_COPY_CAST_UNSAFE, SVI_JOB_WHOLE, &job) != SV_OK)
        abort();
    sv_view_release(dst);
    sv_view_release(src);
    return job.plan;
}
