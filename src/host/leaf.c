/* The table of leaves, and the order in which they are tried: leaf.h. */
#include "leaf.h"

static void nothing(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine, (void)plan, (void)dst, (void)src;
}

/* Faster kernels that are tried before a kernel's own loop. */
enum {
    STAGED = 1,   /* stage.c: copies larger than the cache are staged and stored without going through it */
    SHUFFLED = 2, /* shuffle.c: short rows are permuted in registers */
    COMBED = 4,   /* comb.c: items at a regular step */
    BRAIDED = 8,  /* braid.c: small records */
    RELAYED = 16, /* relay.c: two steps by way of a buffer */
    UNTILED = 32  /* the same, for transposes without tiles */
};

static const struct svi_kernel pixels = {"pixels", NULL, svi_host_pixels, RELAYED};
static const struct svi_kernel channels = {"channels", NULL, svi_host_channels, RELAYED};
static const struct svi_kernel across = {"across", svi_across_first, svi_transpose_rest, UNTILED};
static const struct svi_kernel across_rows = {"across", svi_across_first, svi_host_rows, 0};
static const struct svi_kernel pixels_again = {"pixels", NULL, svi_host_pixels, COMBED};
static const struct svi_kernel gather = {"gather", NULL, svi_host_gather, 0};
static const struct svi_kernel column = {"column", NULL, svi_host_column, STAGED | COMBED};
static const struct svi_kernel scatter = {"scatter", NULL, svi_host_scatter, COMBED};
static const struct svi_kernel of_class[SVI_CLASS_CAST] = {
    [SVI_CLASS_EMPTY] = {"nothing", NULL, nothing, 0},
    [SVI_CLASS_CONTIGUOUS] = {"contiguous", NULL, svi_host_contiguous, 0},
    [SVI_CLASS_ROWS] = {"rows", NULL, svi_host_rows, STAGED | BRAIDED},
    [SVI_CLASS_REPEAT] = {"repeat", NULL, svi_host_repeat, STAGED | COMBED},
    [SVI_CLASS_REVERSED] = {"reversed", NULL, svi_host_reversed, STAGED | SHUFFLED | BRAIDED},
    [SVI_CLASS_TRANSPOSE] = {"transpose", svi_transpose_first, svi_transpose_rest, UNTILED},
    [SVI_CLASS_GATHER] = {"generic", NULL, svi_host_generic, STAGED | SHUFFLED | COMBED | BRAIDED},
    [SVI_CLASS_SCATTER] = {"generic", NULL, svi_host_generic, COMBED | BRAIDED},
    [SVI_CLASS_STRIDED] = {"generic", NULL, svi_host_generic, COMBED | BRAIDED},
};

enum { WIDE = 8 }; /* bytes of an item, and more */

/* Combs, where there are any, are faster for rows of items a few times each, unless these are wide. */
static const struct svi_kernel *of_pixels(const struct svi_plan *plan)
{
    switch (plan->kind) {
    case SVI_CLASS_GATHER: return &gather;
    case SVI_CLASS_REPEAT: return plan->ndim > 2 && plan->item < WIDE ? &pixels_again : &pixels;
    default: return &pixels;
    }
}

const struct svi_kernel *svi_kernel_of(const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return &of_class[SVI_CLASS_CONTIGUOUS];
    if (svi_is_channels(plan))
        return &channels;
    if (svi_is_scatter(plan))
        return &scatter;
    if (svi_is_pixels(plan))
        return of_pixels(plan);
    if (svi_is_column(plan))
        return &column;
    if (svi_is_across(plan))
        return plan->kind == SVI_CLASS_ROWS ? &across_rows : &across;
    return &of_class[plan->kind];
}

/* --- run ------------------------------------------------------------------ */

/* Rows of fewer bytes than these are faster by permutations. */
enum {
    SHORT_REVERSED = 64,
    SHORT_OF_BYTES = 24, /* of single bytes, backwards */
    SHORT_OF_WIDE = 33   /* of wide items, with gaps; of others all */
};

static bool has_short_rows(const struct svi_plan *plan)
{
    const int64_t nbytes = plan->shape[plan->ndim - 1] * plan->item;

    if (plan->kind == SVI_CLASS_REVERSED)
        return nbytes < (plan->item == 1 ? SHORT_OF_BYTES : SHORT_REVERSED);
    return plan->item < WIDE || nbytes < SHORT_OF_WIDE;
}

static bool takes_two_steps(const struct svi_kernel *kernel, const struct svi_machine *machine,
                            const struct svi_plan *plan)
{
    if (plan->kind != SVI_CLASS_TRANSPOSE)
        return false;
    return (kernel->flags & RELAYED) != 0 || ((kernel->flags & UNTILED) != 0 && svi_lacks_tiles(machine, plan));
}

void svi_run_kernel(const struct svi_kernel *kernel, const struct svi_machine *machine, const struct svi_plan *plan,
                    char *dst, const char *src, svi_host_attempt *two_steps)
{
    const uint32_t flags = kernel->flags;

    dst += plan->dst_offset;
    src += plan->src_offset;
    if ((flags & COMBED) != 0 && plan->nbytes >= SVI_COMB_LEAST && svi_host_comb(machine, plan, dst, src))
        return;
    if ((flags & SHUFFLED) != 0 && has_short_rows(plan) && svi_host_shuffle(machine, plan, dst, src))
        return;
    if ((flags & BRAIDED) != 0 && plan->nbytes >= SVI_BRAID_LEAST && svi_host_braid(machine, plan, dst, src))
        return;
    if ((flags & STAGED) != 0 && machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan) &&
        svi_host_stage(machine, plan, kernel->run, dst, src))
        return;
    if (kernel->first != NULL && kernel->first(machine, plan, dst, src))
        return;
    if (two_steps != NULL && takes_two_steps(kernel, machine, plan) && two_steps(machine, plan, dst, src))
        return;
    kernel->run(machine, plan, dst, src);
}

void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  svi_host_attempt *two_steps)
{
    const struct svi_tile *tile = svi_tiles_of(machine, plan);

    if (tile != NULL)
        svi_host_whole_tiles(tile, plan, dst + plan->dst_offset, src + plan->src_offset);
    else
        svi_run_kernel(svi_kernel_of(plan), machine, plan, dst, src, two_steps);
}

void svi_host_run_leaf(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, NULL);
}
