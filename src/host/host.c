/* The host backend: memory that this process reads and writes by itself. */
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "items.h"
#include "kernels.h"

static void nothing(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine, (void)plan, (void)dst, (void)src;
}

/* What a kernel leaves to others where these are faster. */
enum {
    STAGED = 1,   /* past the cache it writes to a buffer */
    SHUFFLED = 2, /* short rows are for permutations, */
    COMBED = 4,   /* items at a step for combs, */
    BRAIDED = 8   /* and small records for strands */
};

struct kernel {
    const char *name;
    svi_host_kernel *run;
    uint32_t leaves;
};

static const struct kernel pixels = {"pixels", svi_host_pixels, 0};
static const struct kernel channels = {"channels", svi_host_channels, 0};
static const struct kernel across = {"across", svi_host_across, 0};
static const struct kernel pixels_again = {"pixels", svi_host_pixels, COMBED};
static const struct kernel gather = {"gather", svi_host_gather, 0};
static const struct kernel column = {"column", svi_host_column, STAGED | COMBED};
static const struct kernel scatter = {"scatter", svi_host_scatter, COMBED};
static const struct kernel of_class[SVI_CLASS_COUNT] = {
    [SVI_CLASS_EMPTY] = {"nothing", nothing, 0},
    [SVI_CLASS_CONTIGUOUS] = {"contiguous", svi_host_contiguous, 0},
    [SVI_CLASS_ROWS] = {"rows", svi_host_rows, STAGED | BRAIDED},
    [SVI_CLASS_REPEAT] = {"repeat", svi_host_repeat, STAGED | COMBED},
    [SVI_CLASS_REVERSED] = {"reversed", svi_host_reversed, STAGED | SHUFFLED | BRAIDED},
    [SVI_CLASS_TRANSPOSE] = {"transpose", svi_host_transpose, 0},
    [SVI_CLASS_GATHER] = {"generic", svi_host_generic, STAGED | SHUFFLED | COMBED | BRAIDED},
    [SVI_CLASS_SCATTER] = {"generic", svi_host_generic, COMBED | BRAIDED},
    [SVI_CLASS_STRIDED] = {"generic", svi_host_generic, COMBED | BRAIDED},
    [SVI_CLASS_CAST] = {"cast", svi_host_cast, 0},
};

enum { WIDE = 8 }; /* bytes of an item, and more */

/* Combs, where there are any, are faster for rows of items a few times each, unless these are wide. */
static const struct kernel *of_pixels(const struct svi_plan *plan)
{
    switch (plan->kind) {
    case SVI_CLASS_GATHER: return &gather;
    case SVI_CLASS_REPEAT: return plan->ndim > 2 && plan->item < WIDE ? &pixels_again : &pixels;
    default: return &pixels;
    }
}

static const struct kernel *choose(const struct svi_plan *plan)
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
    return svi_is_across(plan) ? &across : &of_class[plan->kind];
}

/* --- run ------------------------------------------------------------------ */

/* Bytes of a row below which permutations are faster than what there is for longer ones. */
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

static void run(const struct svi_machine *machine, const struct kernel *kernel, const struct svi_plan *plan, char *dst,
                const char *src)
{
    const uint32_t leaves = kernel->leaves;

    dst += plan->dst_offset;
    src += plan->src_offset;
    if (svi_host_broadcast(machine, plan, dst, src))
        return;
    if ((leaves & COMBED) != 0 && plan->nbytes >= SVI_COMB_LEAST && svi_host_comb(machine, plan, dst, src))
        return;
    if ((leaves & SHUFFLED) != 0 && has_short_rows(plan) && svi_host_shuffle(machine, plan, dst, src))
        return;
    if ((leaves & BRAIDED) != 0 && plan->nbytes >= SVI_BRAID_LEAST && svi_host_braid(machine, plan, dst, src))
        return;
    if ((leaves & STAGED) != 0 && machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan) &&
        svi_host_stage(machine, plan, kernel->run, dst, src))
        return;
    kernel->run(machine, plan, dst, src);
}

/* NULL unless a transpose is made of nothing but such tiles: then nothing else is asked. */
static const struct svi_tile *tile_for(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->kind != SVI_CLASS_TRANSPOSE || svi_is_past_cache(machine, plan))
        return NULL;
    return svi_whole_tile(machine->isa, plan);
}

void svi_host_run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const struct svi_tile *tile = tile_for(machine, plan);

    if (tile != NULL)
        svi_host_whole_tiles(tile, plan, dst + plan->dst_offset, src + plan->src_offset);
    else
        run(machine, choose(plan), plan, dst, src);
}

/* --- the backend ---------------------------------------------------------- */

static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    *count = 1;
    snprintf(detail, SVI_DETAIL, "%s",
             svi_devices[device_type].pageable ? "memory of this process" : "the host reads and writes this memory");
    return SV_STATE_READY;
}

static bool reaches(struct svi_device dst, struct svi_device src)
{
    return svi_devices[dst.type].on_host && svi_devices[src.type].on_host;
}

/* --- what is chosen for a plan ---------------------------------------------- */

static sv_status run_kernel(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    run(&machine, with, plan, dst, src);
    return SV_OK;
}

static sv_status run_tiles(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    svi_host_whole_tiles(with, plan, dst + plan->dst_offset, src + plan->src_offset);
    return SV_OK;
}

static svi_run *run_for(const struct svi_machine *machine, const struct kernel *kernel, const struct svi_plan *plan)
{
    if (kernel->run != svi_host_contiguous || svi_is_past_cache(machine, plan))
        return run_kernel;
    return svi_dense_run(machine->isa, plan);
}

static void choose_run(const struct svi_plan *plan, struct svi_choice *out)
{
    const struct svi_machine machine = svi_machine();
    const struct svi_tile *tile = tile_for(&machine, plan);
    const struct kernel *kernel = tile == NULL ? choose(plan) : &of_class[SVI_CLASS_TRANSPOSE];

    out->kernel = kernel->name;
    out->run = tile != NULL ? run_tiles : run_for(&machine, kernel, plan);
    out->with = tile != NULL ? (const void *)tile : kernel;
}

static sv_status copy(const struct svi_plan *plan, struct svi_device dst_device, void *dst,
                      struct svi_device src_device, const void *src, uintptr_t stream, bool blocking)
{
    const struct svi_machine machine = svi_machine();

    (void)dst_device, (void)src_device, (void)stream, (void)blocking;
    if (plan->kind != SVI_CLASS_EMPTY)
        svi_host_run(&machine, plan, dst, src);
    return SV_OK;
}

/* Work is done when its call returns. */
static void copy_in_place(const struct svi_plan *plan, int32_t way, void *dst, const void *src)
{
    const struct svi_machine machine = svi_machine();

    svi_host_in_place(&machine, plan, way, dst, src);
}

static sv_status wait(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    (void)device, (void)stream, (void)other_device, (void)other;
    return SV_OK;
}

static sv_status synchronize(struct svi_device device, uintptr_t stream)
{
    (void)device, (void)stream;
    return SV_OK;
}

const struct svi_backend svi_host = {
    .name = "host",
    .family = SVI_FAMILY_HOST,
    .probe = probe,
    .reaches = reaches,
    .casts = true,
    .splits = true,
    .choose = choose_run,
    .copy = copy,
    .copy_in_place = copy_in_place,
    .wait = wait,
    .synchronize = synchronize,
};
