/*
 * The loop few_units: pixels of 2 to 4 units of 1 to 16 bytes, which are too few for register tiles, are deinterleaved,
 * interleaved or swizzled by byte shuffles. The masks are made once for a copy. Pixels are also converted on the way.
 */
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/interleave/run.h"
#include "host/interleave/few_units.h"
#include "host/interleave/few_channels.h"
#include "plan/part.h"

/* --- which plans ----------------------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#pixels-of-2-to-4-units. */
enum {
    MIN_COPY_BYTES = 256, /* making masks takes longer than a copy of fewer bytes */
    MIN_UNIT_RUN_BYTES = 128 /* bytes of each unit of a run; shorter runs are mostly head and tail */
};

/* Limits below which one plane is copied as fast element by element, by the logarithm of the element's bytes: bytes of
 * a copy, and bytes of each of several runs. */
static const int32_t least_copy[] = {1024, 1024, 1024, 1024, 131072};
static const int32_t least_run[] = {160, 160, 128, 2048, 4096};

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

static bool of_transpose(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1, tile = plan->src_axis;
    const bool deinterleaves = plan->dst[last] == plan->item && has_channels(plan, tile, plan->src, last);

    if (!deinterleaves && !(plan->src[tile] == plan->item && has_channels(plan, last, plan->dst, tile)))
        return false;
    *out = svi_pixel_axes(plan, deinterleaves);
    return true;
}

/* The pixels of a gather: elements a few units apart. */
static bool of_gather(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last];
    const int log = __builtin_ctzll((uint64_t)(item | step | SVI_UNIT));
    const int64_t from = step >> log, to = item >> log;

    if (step < item || from > SVI_CHANNELS)
        return false;
    *out = (struct svi_pixel_layout){
        to == 1 ? SVI_DEINTERLEAVE : SVI_SWIZZLE, (int)from, (int)to, 1 << log, last, -1, false};
    return true;
}

/* The pixels of a copy that reverses the units of each pixel, or repeats a unit two to four times. */
static bool of_pixels(const struct svi_plan *plan, bool reversed, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t item = plan->item, count = plan->shape[last], from = reversed ? count : 1;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[last] != item || plan->dst[pixel] != count * item ||
        plan->src[pixel] != from * item)
        return false;
    *out = (struct svi_pixel_layout){SVI_SWIZZLE, (int)from, (int)count, (int)item, pixel, last, reversed};
    return true;
}

static bool of_class(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    switch (plan->kind) {
    case SVI_CLASS_TRANSPOSE: return of_transpose(plan, out);
    case SVI_CLASS_GATHER: return of_gather(plan, out);
    case SVI_CLASS_REVERSED: return of_pixels(plan, true, out);
    case SVI_CLASS_REPEAT: return of_pixels(plan, false, out);
    default: return false;
    }
}

static bool layout_of(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    return of_class(plan, out) && (out->unit & (out->unit - 1)) == 0 &&
           (plan->shape[out->pixel] * out->unit >= MIN_UNIT_RUN_BYTES || plan->shape[out->pixel] >= SVI_LEAST_PIXELS);
}

/* Whether one plane is long enough. */
static bool is_long(const struct svi_plan *plan, const struct svi_pixel_layout *l)
{
    const int log = __builtin_ctz((unsigned)l->unit);
    const int64_t nbytes = plan->shape[l->pixel] * l->unit;

    return plan->nbytes >= least_copy[log] && (nbytes == plan->nbytes || nbytes >= least_run[log]);
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    struct svi_pixel_layout l;

    if (plan->nbytes < MIN_COPY_BYTES || !layout_of(plan, &l))
        return false;
    return plan->kind != SVI_CLASS_GATHER || l.form != SVI_DEINTERLEAVE || is_long(plan, &l);
}

/* --- masks ------------------------------------------------------------------ */

typedef uint16_t words __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

enum {
    MAX_PIXELS_BYTES = SVI_CHANNELS * 16, /* bytes of the pixels that a mask covers */
    NOTHING = 0x80 /* in a mask: the byte becomes 0 */
};

/* [n]: 256 / n, rounded up. A multiplication by it divides numbers up to 64 by n, the units of a pixel. */
static const uint16_t part_of_pixel[SVI_CHANNELS + 1] = {0, 256, 128, 86, 64};

/* Finds the byte of the source's vectors that each byte of the destination's vectors comes from. */
static void find_sources(const struct svi_pixel_layout *l, uint8_t *source)
{
    const bool to_planes = l->form == SVI_DEINTERLEAVE, from_planes = l->form == SVI_INTERLEAVE;
    const int log = __builtin_ctz((unsigned)l->unit);
    const uint16_t pixel = to_planes ? 1 : (uint16_t)l->to, part = part_of_pixel[pixel];
    const uint16_t in_plane = (uint16_t)(to_planes ? (16 >> log) - 1 : -1);
    const uint16_t pixel_step = from_planes ? 1 : (uint16_t)l->from;
    const uint16_t channel_step = from_planes ? (uint16_t)(16 >> log) : 1;
    const uint16_t first = l->reversed ? (uint16_t)(l->from - 1) : 0;
    const uint16_t turn = (uint16_t)(l->from == 1 ? 0 : l->reversed ? -1 : 1);
    words at = {0, 1, 2, 3, 4, 5, 6, 7};

    for (int n = 0; n < 16 * l->to; n += 8, at += 8) {
        const words unit = at >> log, k = (unit & in_plane) * part >> 8;
        const words channel = first + turn * (to_planes ? at >> 4 : unit - k * pixel);
        const words from = (k * pixel_step + channel * channel_step) << log | (at & (uint16_t)(l->unit - 1));

        for (int b = 0; b < 8; b++)
            source[n + b] = (uint8_t)from[b];
    }
}

static void make_masks(const struct svi_pixel_layout *l, struct svi_pixels *p)
{
    _Alignas(16) uint8_t source[MAX_PIXELS_BYTES];

    find_sources(l, source);
    for (int to = 0; to < l->to; to++) {
        bytes at;

        memcpy(&at, source + 16 * to, sizeof at);
        for (int from = 0; from < l->from; from++) {
            const bytes here = (bytes)(at >> 4 == (uint8_t)from), mask = (here & at & 15) | (~here & NOTHING);

            memcpy(p->mask[to][from], &mask, sizeof mask);
        }
    }
}

/* --- all of it -------------------------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#pixels-of-2-to-4-units. */
enum {
    PLANE_PREFETCH_BYTES = 4096, /* prefetch distance if only one plane is taken */
    CHUNK_BYTES = 768, /* bytes of each unit in a buffer, which a frame has room for */
    MIN_NT_PLANE_BYTES = 4096, /* bytes of a run for which non-temporal stores pay: of one plane */
    MIN_NT_PLANES_BYTES = 7168, /* of all planes together */
    MIN_NT_DENSE_PLANES_BYTES = 1280, /* of all planes together if they are contiguous */
    MIN_NT_PIXELS_BYTES = 6144, /* of pixels */
    MIN_CONVERTED_ELEMENTS = 2 * SVI_BLOCK /* elements of a run that is converted in registers */
};

static void begin_units(struct svi_pixel_run *r, const struct svi_machine *machine, const struct svi_plan *plan,
                        const struct svi_pixel_layout *l)
{
    const int64_t nbytes = (plan->shape[l->pixel] - 1) * l->unit;
    const struct svi_isa *const isa = svi_pixel_isa(machine->isa, false, l->form, nbytes);
    const bool maskless = l->form == SVI_DEINTERLEAVE && l->to == 1 && (isa->pixels->maskless_units & l->unit) != 0;

    svi_pixel_run_begin(r, machine, plan, l);
    r->isa = isa;
    r->cached = isa->pixels->cached;
    r->nt = isa->pixels->nt;
    r->step = isa->vector >> __builtin_ctz((unsigned)l->unit);
    r->overrun = l->channel < 0 && !(isa->pixels->maskless_exact && maskless); /* the last pixel may lack units */
    r->ahead = machine->tuning->units_prefetch_bytes / (l->form == SVI_INTERLEAVE ? l->from : 1);
    if (l->to == 1)
        r->ahead = PLANE_PREFETCH_BYTES;
    r->chunk = CHUNK_BYTES;
    r->scratch = svi_pixel_scratch(r, CHUNK_BYTES);
    if (!maskless)
        make_masks(l, &r->pixels);
}

/* Whether runs of the destination are so short that the partial lines at their ends cost more than non-temporal stores
 * save. */
static bool are_mostly_ends(const struct svi_pixel_run *r)
{
    const uint64_t run = (uint64_t)r->plane.count[1] * svi_abs(r->plane.dst[1]);

    if (r->pixels.form != SVI_DEINTERLEAVE)
        return run < MIN_NT_PIXELS_BYTES;
    if (r->pixels.to == 1)
        return run < MIN_NT_PLANE_BYTES;
    return run * (uint64_t)r->pixels.to <
           (r->plane.dst[0] == (int64_t)run ? MIN_NT_DENSE_PLANES_BYTES : MIN_NT_PLANES_BYTES);
}

static bool can_run_units(const struct svi_host_copy *c)
{
    struct svi_pixel_layout layout;

    return c->machine->isa->pixels != NULL && layout_of(c->plan, &layout);
}

static bool refuses_maskless_channels(const struct svi_host_copy *c)
{
    struct svi_pixel_layout layout;

    return svi_is_channels(c->plan) && layout_of(c->plan, &layout) && layout.from >= SVI_CHANNELS &&
           svi_refuse(c, "four channels need no masks");
}

static bool few_units(const struct svi_host_copy *c)
{
    struct svi_pixel_layout layout;
    struct svi_pixel_run r;

    layout_of(c->plan, &layout);
    begin_units(&r, c->machine, c->plan, &layout);
    r.prefetch_next = r.uses_nt && are_mostly_ends(&r);
    if (r.prefetch_next)
        r.uses_nt = false;
    return svi_pixel_runs(&r, c->plan, c->dst, c->src);
}

const struct svi_loop svi_loop_few_units = {
    .name = "few_units",
    .can = can_run_units,
    .refuses = refuses_maskless_channels,
    .run = few_units,
    .stores = SVI_STORES_BY_SIZE,
    .what = "pixels of 2 to 4 units, deinterleaved, interleaved or swizzled by byte shuffles",
};

/* --- and converted ---------------------------------------------------------- */

/* Whether the last axis is a run of the destination alone: else there are no pixels. */
static bool has_runs_to_make(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return last >= 0 && plan->dst[last] == plan->item && plan->src[last] != plan->src_item;
}

/* The kernel that converts in registers, by one operation, if units are elements. NULL: there is none. */
static svi_pixels_run *find_cast_stream(const struct svi_pixel_run *r, const struct svi_plan *plan)
{
    const bool one = svi_converts_in_registers(r->isa, &plan->chain) && r->pixels.form == SVI_DEINTERLEAVE;

    return one && r->plane.count[1] >= MIN_CONVERTED_ELEMENTS ? r->isa->cast->split : NULL;
}

/* Not inline, so that the second plan takes no stack while the copy runs. */
static __attribute__((noinline)) bool find_layout(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    struct svi_plan plain;

    return has_runs_to_make(plan) && svi_part_without_cast(plan, &plain) && plain.nbytes >= MIN_COPY_BYTES &&
           layout_of(&plain, out);
}

bool svi_can_cast_pixels(const struct svi_host_copy *c)
{
    struct svi_pixel_layout layout;

    return c->machine->isa->pixels != NULL && find_layout(c->plan, &layout);
}

bool svi_refuses_cast_pixels(const struct svi_host_copy *c)
{
    const int64_t least = c->machine->tuning->cast_pixels;
    struct svi_pixel_layout layout;

    if (least == 0)
        return false;
    if (svi_refuse_in_cache(c))
        return true;
    if (!find_layout(c->plan, &layout))
        return false;
    if (layout.form == SVI_SWIZZLE)
        return svi_refuse(c, "its units stay together");
    return svi_refuse_less(c, "pixels of a run", c->plan->shape[layout.pixel], least);
}

bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_pixel_layout layout;
    struct svi_pixel_run r;

    find_layout(c->plan, &layout);
    begin_units(&r, c->machine, c->plan, &layout);
    r.cast = c;
    r.pixels.op = c->plan->chain.steps[0].op;
    r.nt = find_cast_stream(&r, c->plan);
    return svi_pixel_runs(&r, c->plan, dst, src);
}
