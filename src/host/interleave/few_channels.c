/*
 * The loop few_channels: transposes with one short axis, of up to 64 elements, as deinterleaving of pixels to planes or
 * interleaving of planes to pixels. Beyond the cache pixels are rearranged in a buffer, from which whole lines are
 * stored. Where several streams are faster (row_streams), several places of the planes alternate.
 */
#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/interleave/run.h"
#include "host/transpose/transpose.h"
#include "host/interleave/few_channels.h"
#include "host/loop/crowding.h"

/* Measured: doc/internals/copy_experiments.md#how-are-a-few-channels-taken-apart-and-put-together. */
enum {
    LONG_PIXEL_BYTES = 32, /* bytes of a pixel from which on places alternate even if planes begin anywhere in a line */
    MIN_TILED_PLANES = 4, /* planes that tiles deinterleave faster from the last-level cache */
    MIN_TILED_ITEM_BYTES = 4, /* bytes of an element for which they do so */
    MAX_PLANES = 32, /* with more planes blocks are faster, unless places alternate */
    FEW_PLANES = 8, /* planes that need no buffer, and whose next run is prefetched */
    PLANE_CHUNK_BYTES = 256, /* bytes of each plane in a buffer */
    PIXEL_CHUNK_BYTES = 2048, /* bytes of pixels in a buffer, about */
    PREFETCH_BYTES = 8192 /* prefetch distance over all planes that are interleaved */
};

/* --- which plans ----------------------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#how-are-a-few-channels-taken-apart-and-put-together. */
enum {
    MAX_CHANNELS = 64, /* elements of a pixel */
    MAX_PIXEL_BYTES = 256, /* bytes of a pixel */
    MAX_LINE_PIXEL_BYTES = 192, /* bytes of a pixel of whole lines that is interleaved */
    MAX_PLANE_PITCH_BYTES = 131072, /* bytes from plane to plane if such a pixel is more than one line */
    MIN_PIXELS_PER_CHANNEL = 4 /* pixels of a run for each channel */
};

/* Whether there is a kernel for pixels of so many channels: multiples of 16 bytes, and a few smaller sizes. */
static bool has_loop(int64_t channels, int64_t item)
{
    return channels > SVI_CHANNELS || channels * item >= SVI_UNIT || (channels == 4 && item == 1);
}

/* Whether these strides make many dense pixels of a few elements. */
static bool has_pixels(const struct svi_plan *plan, const int64_t *strides, int32_t channel, int32_t pixel)
{
    const int64_t channels = plan->shape[channel], size = channels * plan->item;

    return strides[channel] == plan->item && strides[pixel] == size && channels <= MAX_CHANNELS &&
           size <= MAX_PIXEL_BYTES && plan->shape[pixel] >= SVI_LEAST_PIXELS &&
           plan->shape[pixel] >= MIN_PIXELS_PER_CHANNEL * channels && has_loop(channels, plan->item);
}

static bool is_apart(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->src, plan->src_axis, plan->ndim - 1);
}

static bool is_together(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->dst, plan->ndim - 1, plan->src_axis);
}

static bool is_matrix(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (plan->item & (plan->item - 1)) == 0 &&
           plan->src[plan->src_axis] == plan->item && plan->dst[plan->ndim - 1] == plan->item;
}

/* Mostly, tiles or blocks of tiles are faster if pixels of the destination are whole lines. */
bool svi_is_channels(const struct svi_plan *plan)
{
    return is_matrix(plan) && (is_apart(plan) || (is_together(plan) && plan->dst[plan->src_axis] % SVI_LINE != 0));
}

/* The largest number of planes whose lines at a pixel share a set of L1. */
static int64_t planes_of_a_set(int64_t pitch, int64_t planes)
{
    const uint64_t apart = svi_gcd(svi_abs(pitch), SVI_WAY);
    const int64_t sets = SVI_WAY / svi_larger((int64_t)apart, SVI_LINE);

    return svi_divide_up(planes, sets);
}

/* Beyond the cache blocks are faster only for long pixels, for planes that evict each other, and for some that are far
 * apart. */
static bool has_short_lines(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t pixel = plan->dst[plan->src_axis], pitch = plan->src[last];

    if (pixel % SVI_LINE != 0 || planes_of_a_set(pitch, plan->shape[last]) > SVI_WAYS)
        return false;
    return pixel == SVI_LINE || (pixel <= MAX_LINE_PIXEL_BYTES && svi_abs(pitch) <= MAX_PLANE_PITCH_BYTES);
}

/* --- places ------------------------------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#are-several-streams-faster-than-one. */
enum {
    MAX_PLACES = 4, /* places of the planes that are copied alternately */
    PIECE_BYTES = 128, /* bytes of each plane that a place stores at a time */
    MAX_BUFFERS_BYTES = 32768, /* bytes of the buffers of all places */
    MIN_PLACE_BYTES = 1024 /* bytes of a plane in each place */
};

/* Bytes from plane to plane in the buffer of a place. */
static int64_t choose_plane_pitch(const struct svi_pixel_run *r)
{
    const int64_t pitch = r->pixels.dst_pitch;

    return pitch % SVI_LINE == 0 ? PIECE_BYTES + SVI_LINE : svi_carry_pitch(PIECE_BYTES, pitch);
}

/* Stores the first piece of each plane of a place, which may begin within a line. */
static void put_first(const struct svi_pixel_run *r, char *dst, char *row, int64_t pitch, int64_t nbytes)
{
    for (int64_t c = 0; c < r->pixels.to; c++)
        svi_store_carried(r->isa->nt->copy, dst + c * r->pixels.dst_pitch, row + c * pitch, nbytes, true, false,
                          row + c * pitch - SVI_LINE);
}

/* Stores the rest of each plane. */
static void put_last(const struct svi_pixel_run *r, char *dst, const char *row, int64_t pitch)
{
    for (int64_t c = 0; c < r->pixels.to; c++) {
        const size_t left = (uintptr_t)(dst + c * r->pixels.dst_pitch) % SVI_LINE;

        memcpy(dst + c * r->pixels.dst_pitch - left, row + c * pitch - left, left);
    }
}

/* Copies count pixels, of whole lines, at each of several places, which are `apart` pixels from each other. */
static void run_places(const struct svi_pixel_run *r, char *dst, const char *src, int64_t count, int64_t apart,
                       int places)
{
    const int64_t unit = r->pixels.unit, src_step = r->plane.src[1], pitch = choose_plane_pitch(r);
    const int64_t room = (r->pixels.to * pitch / SVI_LINE + 1) * SVI_LINE;
    const int64_t dst_apart = apart * unit, src_apart = apart * src_step, some = PIECE_BYTES / unit;
    const bool unaligned = ((uintptr_t)dst | (uint64_t)r->pixels.dst_pitch) % SVI_LINE != 0;
    char *row = r->buffer + SVI_LINE + (uintptr_t)dst % SVI_LINE;
    struct svi_pixels p = r->pixels;

    p.dst_pitch = pitch;
    for (int64_t k = 0; k < count; k += some) {
        const int64_t end = svi_smaller(k + some, count), nbytes = (end - k) * unit;
        const char *from = src + k * src_step, *next = end < count ? src + end * src_step : r->end + r->gap;

        for (int place = 0; place < places; place++)
            r->cached(&p, row + place * room, from + place * src_apart, nbytes);
        for (int place = 0; unaligned && k == 0 && place < places; place++)
            put_first(r, dst + place * dst_apart, row + place * room, pitch, nbytes);
        if (!unaligned || k > 0)
            r->isa->nt->planes(dst + k * unit, r->pixels.dst_pitch, dst_apart, row, pitch, room, r->pixels.to, nbytes,
                               next, src_apart, places);
    }
    for (int place = 0; unaligned && count > 0 && place < places; place++)
        put_last(r, dst + place * dst_apart + count * unit, row + place * room, pitch);
}

/* Uses as many places as have room in L1. */
static void all_places(const struct svi_pixel_run *r, char *dst, const char *src, int64_t count)
{
    const int64_t line = SVI_LINE / r->pixels.unit, each = r->pixels.to * choose_plane_pitch(r);
    const int places = each * MAX_PLACES <= MAX_BUFFERS_BYTES ? MAX_PLACES : each * 2 <= MAX_BUFFERS_BYTES ? 2 : 1;
    const int64_t apart = count / places / line * line, done = places * apart;

    if (apart * r->pixels.unit < MIN_PLACE_BYTES) {
        run_places(r, dst, src, count, 0, 1);
        return;
    }
    run_places(r, dst, src, apart, apart, places);
    if (done < count)
        run_places(r, dst + done * r->pixels.unit, src + done * r->plane.src[1], count - done, 0, 1);
}

/* --- what a plan asks for --------------------------------------------------------- */

/* Whether a few planes of whole lines are stored from registers, without copying a channel twice. */
static bool goes_direct(const struct svi_pixel_run *r)
{
    return r->pixels.form == SVI_DEINTERLEAVE && r->pixels.dst_pitch % SVI_LINE == 0 && r->pixels.to <= FEW_PLANES &&
           r->pixels.to % svi_smaller(r->pixels.to, SVI_UNIT / r->pixels.unit) == 0;
}

/* Whether places may alternate: if planes are whole lines, or pixels are not the shortest. */
static bool has_places(const struct svi_pixel_run *r)
{
    return r->pixels.form == SVI_DEINTERLEAVE && r->overrun == 0 &&
           (r->pixels.dst_pitch % SVI_LINE == 0 || r->plane.src[1] >= LONG_PIXEL_BYTES);
}

/* How many pixels 16 bytes read at a pixel reach beyond it. Pixels of 4 and 8 bytes have kernels of their own. */
static int64_t overrun_of(const struct svi_pixel_layout *l)
{
    return l->from == 8 || l->from == 4 ? 0 : (SVI_UNIT - 1) / (l->from * l->unit);
}

/* Also for machines without kernels, as loops refuse before they say what they can. */
static void begin_channels(struct svi_pixel_run *r, const struct svi_machine *machine, const struct svi_plan *plan)
{
    const struct svi_pixel_layout l = svi_pixel_axes(plan, is_apart(plan));
    const struct svi_channel_kernels *kernels;

    svi_pixel_run_begin(r, machine, plan, &l);
    r->uses_nt = r->uses_nt && (l.form != SVI_DEINTERLEAVE || l.to >= machine->tuning->nt_planes);
    r->isa = svi_pixel_isa(machine->isa, true, l.form, (r->plane.count[1] - overrun_of(&l)) * l.unit);
    r->overrun = overrun_of(&l);
    kernels = r->isa->channels;
    r->cached = kernels != NULL ? kernels->loops[l.form][0] : NULL;
    r->nt = kernels != NULL && r->uses_nt && goes_direct(r) ? kernels->loops[l.form][1] : NULL;
    r->step = r->isa->vector / l.unit;
    r->pixels.nta = machine->tuning->nta_prefetch;
    if (machine->tuning->row_streams && r->uses_nt && r->nt == NULL && has_places(r))
        r->body = all_places;
    r->foresees = l.from <= FEW_PLANES || r->body != NULL;
    if (l.form == SVI_INTERLEAVE) {
        r->ahead = PREFETCH_BYTES / l.from / SVI_LINE * SVI_LINE;
        r->chunk = svi_larger(PIXEL_CHUNK_BYTES / l.from / SVI_LINE, 1) * SVI_LINE;
    } else {
        r->ahead = machine->tuning->channels_prefetch_bytes;
        r->chunk = PLANE_CHUNK_BYTES;
    }
    r->scratch = svi_pixel_scratch(r, r->chunk);
    if (r->body != NULL)
        r->scratch = (size_t)svi_larger((int64_t)r->scratch, MAX_BUFFERS_BYTES + (MAX_PLACES + 2) * SVI_LINE);
}

static bool can_run_channels(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    return c->machine->isa->channels != NULL && is_matrix(plan) && (is_apart(plan) || is_together(plan));
}

/* Whether the copy is in the last-level cache, where tiles are faster. */
static bool is_for_tiles(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    return plan->src[plan->ndim - 1] == plan->item * plan->shape[plan->src_axis] &&
           plan->shape[plan->src_axis] >= MIN_TILED_PLANES && plan->item >= MIN_TILED_ITEM_BYTES &&
           plan->reach > (uint64_t)c->machine->l2_bytes && svi_stays_in_last_cache(c->machine, plan) &&
           svi_has_tiles(c->machine, plan);
}

/* Blocks are faster for many planes of whole lines of which no places alternate. */
static bool refuses_few_channels(const struct svi_host_copy *c)
{
    struct svi_pixel_run r;

    if (is_for_tiles(c))
        return svi_refuse(c, "channels from the last-level cache are taken apart faster by tiles");
    if (c->plan->shape[c->plan->src_axis] <= MAX_PLANES || c->plan->dst[c->plan->src_axis] % SVI_LINE != 0)
        return false;
    begin_channels(&r, c->machine, c->plan);
    return r.pixels.form == SVI_DEINTERLEAVE && r.body == NULL &&
           svi_refuse_more(c, "planes of whole lines", r.pixels.to, MAX_PLANES);
}

/* Refuses pixels of the destination that are whole lines, unless few_channels is faster. */
static bool refuses_lines(const struct svi_host_copy *c)
{
    if (svi_refuse_in_cache(c))
        return true;
    if ((uintptr_t)c->dst % SVI_LINE != 0 && c->machine->tuning->source_order)
        return svi_refuse(c, "blocks carry what is no whole line to the next pixel");
    return !has_short_lines(c->plan) && svi_refuse(c, "its pixels are long, or its planes share sets of L1");
}

static bool refuses_channels_or_lines(const struct svi_host_copy *c)
{
    return svi_is_channels(c->plan) ? refuses_few_channels(c) : refuses_lines(c);
}

static bool few_channels(const struct svi_host_copy *c)
{
    struct svi_pixel_run r;

    begin_channels(&r, c->machine, c->plan);
    return svi_pixel_runs(&r, c->plan, c->dst, c->src);
}

const struct svi_loop svi_loop_few_channels = {
    .name = "few_channels",
    .can = can_run_channels,
    .refuses = refuses_channels_or_lines,
    .run = few_channels,
    .stores = SVI_STORES_BY_SIZE,
    .what = "one short axis, whose channels are deinterleaved or interleaved",
};
