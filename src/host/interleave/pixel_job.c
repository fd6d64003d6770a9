/* Runs of pixels: in cache, straight past it, or by way of a buffer. */
#include "pixel_job.h"

#include "host/base/carry_line.h"
#include "host/kernels.h"

enum {
    SMALL_CHUNK = 448, /* bytes of each unit in a buffer in the frame, which one or two share */
    LONG = 2048        /* of each from which on it pays in cache to begin where lines do */
};

enum {
    PARTS = 4,    /* of the source that take turns on Intel's processors where one plane is taken, */
    PIECES = 16,  /* of so many pieces each, */
    PIECE = 1024, /* of about so many bytes, */
    PLACES = 8,   /* or all of it in as many parts, line by line; */
    SOON = 1024   /* and so many are fetched before they are needed */
};

static svi_pixels_run *in_cache(const struct svi_pixel_job *j)
{
    const struct svi_isa *isa = j->isa;

    switch (j->recipe.form) {
    case SVI_SPLIT: return isa->split;
    case SVI_JOIN: return isa->join;
    default: return isa->mix;
    }
}

static svi_pixels_run *past_cache(const struct svi_pixel_job *j)
{
    const struct svi_isa *isa = j->isa;

    if (j->converting != NULL)
        return j->converting;
    switch (j->recipe.form) {
    case SVI_SPLIT: return isa->split_stream;
    case SVI_JOIN: return isa->join_stream;
    default: return isa->mix_stream;
    }
}

static void items_of(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    switch (item) {
    case 1: svi_items(plane, dst, src, 1); break;
    case 2: svi_items(plane, dst, src, 2); break;
    case 4: svi_items(plane, dst, src, 4); break;
    case 8: svi_items(plane, dst, src, 8); break;
    default: svi_items(plane, dst, src, item); break;
    }
}

/* Pixels [from, to) one by one. */
static void each(const struct svi_pixel_job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    struct svi_plane part;

    if (from == to)
        return;
    part = j->plane;
    part.count[1] = to - from;
    items_of(&part, dst + from * part.dst[1], src + from * part.src[1], j->item);
}

/* Of count pixels those whose steps may be read: a pixel of the source may end before its last unit does. */
static int64_t safe(const struct svi_pixel_job *j, int64_t count)
{
    return count - (j->recipe.channel < 0 && !j->ends);
}

/* In whole steps. */
static int64_t whole(const struct svi_pixel_job *j, int64_t count)
{
    return safe(j, count) & -j->step;
}

/* From a place of this run. */
static int64_t ahead_of(const struct svi_pixel_job *j, const char *src)
{
    if (!j->past_cache)
        return 0;
    return j->ahead + (j->end - src > j->ahead ? 0 : j->next - j->end);
}

/* --- by way of a buffer, for destinations of any alignment and of another type */

/* count pixels, whole steps or all that are left, by the pitches of the buffer. */
static void fill(const struct svi_pixel_job *j, const struct svi_pixels *p, char *buffer, const char *src,
                 int64_t count, int64_t left)
{
    const struct svi_recipe *r = &j->recipe;
    const int64_t body = svi_smaller(count, whole(j, left));
    struct svi_plane rest = j->plane;

    in_cache(j)(p, buffer, src + j->first, body * r->unit);
    rest.count[1] = count - body;
    rest.dst[0] = r->form == SVI_SPLIT ? p->dst_pitch : (int64_t)j->item;
    rest.dst[1] = r->form == SVI_SPLIT ? r->unit : r->unit * r->to;
    items_of(&rest, buffer + body * rest.dst[1], src + body * rest.src[1], j->item);
}

static void put_row(const struct svi_pixel_job *j, char *dst, char *row, int64_t nbytes, bool first, bool last)
{
    struct svi_ahead nothing = {.rows = 0}; /* the kernels fetch by themselves */

    if (j->cast != NULL)
        svi_cast_run(j->cast, dst, row, nbytes / (int64_t)j->item, &nothing);
    else
        svi_keep_put(j->isa->stream_copy, dst, row, nbytes, first, last);
}

/* Chunks of so many bytes of each unit. */
static void by_chunks(const struct svi_pixel_job *j, char *buffer, int64_t chunk, char *dst, const char *src,
                      int64_t count)
{
    const int64_t rows = j->recipe.form == SVI_SPLIT ? j->recipe.to : 1, wide = rows == 1 ? j->recipe.to : 1;
    const int64_t some = chunk / j->recipe.unit;
    char *row = buffer + (j->cast != NULL ? 0 : (uintptr_t)dst % SVI_LINE);
    struct svi_pixels p = j->pixels;

    p.dst_pitch = svi_keep_pitch(chunk, j->pixels.dst_pitch);
    for (int64_t k = 0; k < count; k += some) {
        const int64_t part = svi_smaller(some, count - k);
        char *to = dst + k * j->plane.dst[1];

        p.ahead = ahead_of(j, src + k * j->plane.src[1]);
        fill(j, &p, row, src + k * j->plane.src[1], part, count - k);
        for (int64_t c = 0; c < rows; c++)
            put_row(j, to + c * j->pixels.dst_pitch, row + c * p.dst_pitch, part * j->recipe.unit * wide, k == 0,
                    k + part == count);
    }
}

/* Apart from who has a larger buffer, for its memory. */
static __attribute__((noinline)) void by_small_chunks(const struct svi_pixel_job *j, char *dst, const char *src,
                                                      int64_t count)
{
    _Alignas(SVI_LINE) char buffer[SVI_CHANNELS * (SMALL_CHUNK + 3 * SVI_LINE)];

    by_chunks(j, buffer, j->recipe.to <= 2 ? SVI_CHANNELS / j->recipe.to * SMALL_CHUNK : SMALL_CHUNK, dst, src, count);
}

/* The buffer that others allocate, in the frame. */
static __attribute__((noinline)) void in_frame(const struct svi_pixel_job *j, char *dst, const char *src,
                                               int64_t count)
{
    _Alignas(SVI_LINE) char buffer[SVI_PIXEL_BUFFER];

    by_chunks(j, buffer, SVI_PIXEL_CHUNK, dst, src, count);
}

/* Whether allocating takes too long. Several steps of a conversion leave less of the stack. */
static bool is_small(const struct svi_pixel_job *j)
{
    return j->cast != NULL && j->cast->plan->nbytes <= SVI_PIXEL_SMALL && j->cast->plan->chain.count == 1;
}

static void buffered(const struct svi_pixel_job *j, char *dst, const char *src, int64_t count)
{
    if (j->buffer != NULL)
        by_chunks(j, j->buffer, SVI_PIXEL_CHUNK, dst, src, count);
    else if (is_small(j))
        in_frame(j, dst, src, count);
    else
        by_small_chunks(j, dst, src, count);
}

/* --- without one -------------------------------------------------------------- */

/* Pixels until the destination, each plane of it, is at the beginning of a line; negative where it never is. */
static int64_t head_of(const struct svi_pixel_job *j, const char *dst, int64_t count)
{
    if (j->recipe.form == SVI_SPLIT && j->pixels.dst_pitch % SVI_LINE != 0)
        return -1;
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * j->plane.dst[1]) % SVI_LINE == 0)
            return k;
    return -1;
}

static void near_steps(const struct svi_pixel_job *j, char *dst, const char *src, int64_t from, int64_t count)
{
    in_cache(j)(&j->pixels, dst + from * j->plane.dst[1], src + from * j->plane.src[1] + j->first,
                count * j->recipe.unit);
}

/* So many pixels may come again, so that what follows them are whole lines. */
static int64_t begin(const struct svi_pixel_job *j, char *dst, const char *src, int64_t count)
{
    int64_t head = 0;

    if (count * j->recipe.unit >= LONG && whole(j, count) >= 2 * j->step)
        head = head_of(j, dst, count);
    if (head <= 0 || head > j->step)
        return 0;
    near_steps(j, dst, src, 0, j->step);
    return head;
}

/* The last step may write some pixels again. */
static void near(const struct svi_pixel_job *j, char *dst, const char *src, int64_t count)
{
    const int64_t head = begin(j, dst, src, count), body = whole(j, count - head), there = safe(j, count);
    int64_t done = head + body;

    near_steps(j, dst, src, head, body);
    if (done < there && there >= j->step) {
        near_steps(j, dst, src, there - j->step, j->step);
        done = there;
    }
    each(j, dst, src, done, count);
}

static void stream(const struct svi_pixel_job *j, char *dst, const char *src, int64_t count)
{
    struct svi_pixels p = j->pixels;

    p.ahead = ahead_of(j, src);
    past_cache(j)(&p, dst, src + j->first, count * j->recipe.unit);
}

/* What is not whole lines: no more items than bytes of a line. */
static void ends(const struct svi_pixel_job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    _Alignas(SVI_LINE) char items[SVI_LINE * SVI_STEP_ITEM];
    const struct svi_plane *all = &j->plane;
    struct svi_plane part = *all;

    if (j->cast == NULL) {
        each(j, dst, src, from, to);
        return;
    }
    part.count[0] = 1;
    part.count[1] = to - from;
    part.dst[1] = (int64_t)j->item;
    for (int64_t c = 0; c < all->count[0] && from < to; c++) {
        items_of(&part, items, src + c * all->src[0] + from * all->src[1], j->item);
        svi_host_convert(j->isa, &j->cast->plan->chain, dst + c * all->dst[0] + from * all->dst[1], items, to - from);
    }
}

static bool goes_by_lines(const struct svi_pixel_job *j)
{
    return j->isa->gather_turns != NULL && j->converting == NULL && j->recipe.unit > 1;
}

/* The same, in turns a piece of each of several parts that follow each other: so many pixels are done. */
static int64_t stream_in_turns(const struct svi_pixel_job *j, char *dst, const char *src, int64_t count, int64_t line)
{
    const int64_t dst_step = j->plane.dst[1], src_step = j->plane.src[1];
    const int64_t piece = svi_larger(PIECE / src_step / line, 1) * line, part = PIECES * piece;
    struct svi_pixels p = j->pixels;
    int64_t done = 0;

    if (goes_by_lines(j)) {
        const int64_t some = count / PLACES / line * line;

        j->isa->gather_turns(&p, dst, some * dst_step, src + j->first, some * src_step, PLACES,
                             some * j->recipe.unit);
        return some * PLACES;
    }
    p.ahead = SOON;
    for (; done + PARTS * part <= count; done += PARTS * part)
        for (int64_t k = done; k < done + part; k += piece)
            for (int64_t at = k; at < k + PARTS * part; at += part)
                past_cache(j)(&p, dst + at * dst_step, src + at * src_step + j->first, piece * j->recipe.unit);
    return done;
}

/* Whole lines past the cache; while the last of them are, the next run is fetched. */
static void direct(const struct svi_pixel_job *j, char *dst, const char *src, int64_t head, int64_t count)
{
    const int64_t dst_step = j->plane.dst[1], src_step = j->plane.src[1];
    const int64_t line = SVI_LINE / svi_smaller(j->recipe.unit, dst_step);
    const int64_t tail = head + whole(j, count - head) / line * line;
    const int64_t last = svi_larger(tail - j->ahead / src_step / line * line, head);

    ends(j, dst, src, 0, head);
    if (j->in_turns)
        head += stream_in_turns(j, dst + head * dst_step, src + head * src_step, last - head, line);
    stream(j, dst + head * dst_step, src + head * src_step, last - head);
    stream(j, dst + last * dst_step, src + last * src_step, tail - last);
    ends(j, dst, src, tail, count);
}

static bool goes_direct(const struct svi_pixel_job *j)
{
    return j->past_cache && (j->cast == NULL || j->converting != NULL);
}

void svi_pixel_job_run(const struct svi_pixel_job *j, char *dst, const char *src)
{
    const int64_t count = j->plane.count[1], head = goes_direct(j) ? head_of(j, dst, count) : -1;

    if (j->cast == NULL && !j->past_cache)
        near(j, dst, src, count);
    else if (head >= 0)
        direct(j, dst, src, head, count);
    else
        buffered(j, dst, src, count);
}
