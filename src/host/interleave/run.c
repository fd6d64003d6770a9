/*
 * All runs of a copy of pixels. In cache they are copied one by one. Beyond the cache whole lines are stored by
 * non-temporal stores, directly or, where planes are no whole lines, from a buffer. Conversions use that buffer too.
 */
#include "host/interleave/run.h"

#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/convert/convert.h"

enum {
    SMALL_COPY_BYTES = 16384, /* bytes of a copy whose buffer is in a frame */
    MIN_NEXT_BYTES = 4096 /* bytes to the next run that is prefetched */
};

void svi_pixel_run_begin(struct svi_pixel_run *r, const struct svi_machine *machine, const struct svi_plan *plan,
                         const struct svi_pixel_layout *layout)
{
    const bool deinterleaves = layout->form == SVI_DEINTERLEAVE, interleaves = layout->form == SVI_INTERLEAVE;

    /* Field by field, since clearing the masks too takes as long as a small copy. */
    r->isa = machine->isa;
    r->pixels.form = layout->form;
    r->pixel = layout->pixel;
    r->channel = layout->channel;
    r->pixels.from = layout->from;
    r->pixels.to = layout->to;
    r->pixels.unit = layout->unit;
    r->pixels.nta = false;
    r->pixels.ahead = 0;
    r->body = NULL;
    r->plane = svi_plane_of(plan, layout->channel, layout->pixel);
    r->pixels.src_pitch = interleaves ? r->plane.src[0] : 0;
    r->pixels.dst_pitch = deinterleaves ? r->plane.dst[0] : 0;
    r->item = (size_t)plan->src_item;
    r->first = layout->reversed ? r->plane.src[0] * (layout->from - 1) : 0;
    r->uses_nt = svi_is_beyond_cache(machine, plan);
    r->prefetch_next = false;
    r->foresees = true;
    r->cast = NULL;
}

/* The prefetch distance at src. Near the end of a run it reaches into the next run; if runs are short, always. */
static int64_t find_pixels_ahead(const struct svi_pixel_run *r, const char *src)
{
    const int64_t length = r->plane.count[1] * r->plane.src[1];

    if (!r->uses_nt)
        return 0;
    if (r->pixels.form != SVI_INTERLEAVE && length <= r->ahead)
        return length + r->gap;
    return r->ahead + (r->end - src > r->ahead ? 0 : r->gap);
}

/* --- in cache, and to buffers ---------------------------------------------------- */

static void copy_pixel_items(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    switch (item) {
    case 1: svi_items(plane, dst, src, 1); break;
    case 2: svi_items(plane, dst, src, 2); break;
    case 4: svi_items(plane, dst, src, 4); break;
    case 8: svi_items(plane, dst, src, 8); break;
    default: svi_items(plane, dst, src, item); break;
    }
}

/* Bytes from pixel to pixel, or from element to element of a plane, before the conversion. */
static int64_t dense_step(const struct svi_pixel_run *r)
{
    return r->pixels.form == SVI_DEINTERLEAVE ? r->pixels.unit : (int64_t)r->pixels.unit * r->pixels.to;
}

static void run_pixel_steps(const struct svi_pixel_run *r, const struct svi_pixels *p, char *dst, const char *src,
                            int64_t from, int64_t count)
{
    r->cached(p, dst, src + from * r->plane.src[1] + r->first, count * r->pixels.unit);
}

/*
 * Copies pixels [from, to) of a run to dst, by the pitches of p. The last step of a run is moved back and copies some
 * pixels again, even before dst; a step within the run may copy some behind `to`. Pixels for which no step fits the run
 * are copied element by element.
 */
static void fill_pixels(const struct svi_pixel_run *r, const struct svi_pixels *p, char *dst, const char *src,
                        int64_t from, int64_t to)
{
    const int64_t there = r->plane.count[1] - r->overrun, dst_step = dense_step(r);
    const int64_t most = svi_larger(there - from, 0), wanted = to - from + r->step - 1;
    int64_t done = from + (svi_smaller(most, wanted) & -r->step);
    struct svi_plane rest;

    run_pixel_steps(r, p, dst, src, from, done - from);
    if (done < to && done < there && there >= r->step) {
        run_pixel_steps(r, p, dst + (there - r->step - from) * dst_step, src, there - r->step, r->step);
        done = there;
    }
    if (done >= to)
        return;
    rest = r->plane;
    rest.count[1] = to - done;
    rest.dst[0] = r->pixels.form == SVI_DEINTERLEAVE ? p->dst_pitch : (int64_t)r->item;
    rest.dst[1] = dst_step;
    copy_pixel_items(&rest, dst + (done - from) * dst_step, src + done * rest.src[1], r->item);
}

/* The unaligned head: pixels before the first one at which all planes begin a line. Negative: there is none. */
static int64_t count_head_pixels(const struct svi_pixel_run *r, const char *dst)
{
    if (r->pixels.form == SVI_DEINTERLEAVE && r->pixels.dst_pitch % SVI_LINE != 0)
        return -1;
    return svi_line_head(dst, r->plane.dst[1], r->plane.count[1]);
}

/* --- by way of a buffer ----------------------------------------------------------- */

/* The buffer has a row for each plane, or one row of pixels, at the offset modulo 64 of the destination, with room for
 * a step before and behind each. */
size_t svi_pixel_scratch(const struct svi_pixel_run *r, int64_t chunk)
{
    return (size_t)(r->pixels.to * (chunk + 3 * SVI_LINE) + 3 * SVI_LINE);
}

static void store_row(const struct svi_pixel_run *r, char *dst, char *row, int64_t nbytes, bool first, bool last)
{
    if (r->cast != NULL) /* the kernels prefetch */
        svi_cast_run(r->cast, &(struct svi_cast_items){dst, row, 0, nbytes / (int64_t)r->item}, NULL);
    else
        svi_store_carried(r->isa->nt->copy, dst, row, nbytes, first, last, row - SVI_LINE);
}

/* Copies pixels [from, to) of a run by way of the buffer, chunk by chunk. */
static void run_buffered_pixels(const struct svi_pixel_run *r, char *dst, const char *src, int64_t from, int64_t to)
{
    const int64_t rows = r->pixels.form == SVI_DEINTERLEAVE ? r->pixels.to : 1, front = r->pixels.to / rows * SVI_LINE;
    const int64_t some = r->chunk / r->pixels.unit;
    struct svi_pixels p = r->pixels;
    char *row = r->buffer + front;

    if (r->cast == NULL)
        row += (uintptr_t)(dst + from * r->plane.dst[1]) % SVI_LINE;
    p.dst_pitch = svi_carry_pitch(r->chunk, r->pixels.dst_pitch);
    for (int64_t k = from; k < to; k += some) {
        const int64_t end = svi_smaller(k + some, to);

        p.ahead = find_pixels_ahead(r, src + k * r->plane.src[1]);
        fill_pixels(r, &p, row, src, k, end);
        for (int64_t c = 0; c < rows; c++)
            store_row(r, dst + k * r->plane.dst[1] + c * r->pixels.dst_pitch, row + c * p.dst_pitch,
                      (end - k) * dense_step(r), k == from, end == to);
    }
}

/* --- beyond the cache ------------------------------------------------------------------ */

static void stream_pixels(const struct svi_pixel_run *r, char *dst, const char *src, int64_t from, int64_t to)
{
    struct svi_pixels p = r->pixels;

    src += from * r->plane.src[1];
    p.ahead = find_pixels_ahead(r, src);
    r->nt(&p, dst + from * r->plane.dst[1], src + r->first, (to - from) * r->pixels.unit);
}

/* Copies whole lines from head on, by body, or by nt in two parts, of which the second prefetches the next run. */
static void by_lines(const struct svi_pixel_run *r, char *dst, const char *src, int64_t head)
{
    const int64_t dst_step = r->plane.dst[1], src_step = r->plane.src[1], count = r->plane.count[1];
    const int64_t line = SVI_LINE / svi_smaller(r->pixels.unit, dst_step);
    const int64_t lines = svi_larger(count - head - r->overrun, 0) / line * line, tail = head + lines;
    const int64_t last = svi_larger(tail - r->ahead / src_step / line * line, head);

    run_buffered_pixels(r, dst, src, 0, head);
    if (r->body != NULL) {
        r->body(r, dst + head * dst_step, src + head * src_step, tail - head);
    } else {
        stream_pixels(r, dst, src, head, last);
        stream_pixels(r, dst, src, last, tail);
    }
    run_buffered_pixels(r, dst, src, tail, count);
}

static void run_pixel_run(const struct svi_pixel_run *r, char *dst, const char *src)
{
    int64_t head = -1;

    if (!r->uses_nt && r->cast == NULL) {
        fill_pixels(r, &r->pixels, dst, src, 0, r->plane.count[1]);
        return;
    }
    if (r->uses_nt && (r->nt != NULL || r->body != NULL))
        head = count_head_pixels(r, dst);
    if (head < 0 && r->body != NULL)
        head = 0;
    if (head >= 0)
        by_lines(r, dst, src, head);
    else
        run_buffered_pixels(r, dst, src, 0, r->plane.count[1]);
}

/* --- all of them ------------------------------------------------------------------------ */

/*
 * The prefetch distance over short runs: to the next run, or to a later one if that is near and planes are close to
 * each other. Hardware prefetchers follow other runs that are near.
 */
static int64_t distance_to(const struct svi_pixel_run *r, int64_t next)
{
    const int64_t distance = (int64_t)svi_abs(next);

    if (distance >= MIN_NEXT_BYTES)
        return next;
    if (r->pixels.form != SVI_INTERLEAVE || svi_abs(r->plane.src[0]) >= MIN_NEXT_BYTES || distance == 0)
        return 0;
    return svi_divide_up(MIN_NEXT_BYTES, distance) * next;
}

static void run_each(struct svi_pixel_run *r, struct svi_odometer *outer)
{
    const int64_t length = r->plane.count[1] * r->plane.src[1];
    bool more;

    do {
        char *const dst = outer->dst;
        const char *const src = outer->src;

        more = svi_odometer_next(outer);
        r->end = src + length;
        r->gap = more && r->foresees ? outer->src - r->end : 0;
        if (r->prefetch_next)
            r->pixels.ahead = distance_to(r, r->gap + length);
        run_pixel_run(r, dst, src);
    } while (more);
    if (r->uses_nt)
        r->isa->nt->fence();
}

/* Runs a small copy with a buffer in the frame, since allocating takes as long as the copy. Not for conversions of
 * several steps, which need more stack. */
static __attribute__((noinline)) void run_in_frame(struct svi_pixel_run *r, struct svi_odometer *outer)
{
    _Alignas(SVI_LINE) char buffer[SVI_SCRATCH_OWN];

    r->buffer = buffer;
    run_each(r, outer);
}

static bool run_buffered(struct svi_pixel_run *r, const struct svi_plan *plan, struct svi_odometer *outer)
{
    if (plan->nbytes <= SMALL_COPY_BYTES && plan->chain.count <= 1 && r->scratch <= SVI_SCRATCH_OWN) {
        run_in_frame(r, outer);
        return true;
    }
    r->buffer = svi_scratch_new(r->scratch);
    if (r->buffer == NULL)
        return false;
    run_each(r, outer);
    svi_scratch_free(r->buffer);
    return true;
}

bool svi_pixel_runs(struct svi_pixel_run *r, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim, r->pixel, dst, src);
    if (r->channel >= 0)
        svi_odometer_take(&outer, r->channel - (r->channel > r->pixel));
    if (r->uses_nt || r->cast != NULL)
        return run_buffered(r, plan, &outer);
    run_each(r, &outer);
    return true;
}
