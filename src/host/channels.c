/*
 * Transposes of which one axis is short: pixels of a few items are taken apart
 * into planes, or put together from planes. Past the cache by way of a buffer
 * whose rows are as far into a line as those of the destination: it is filled
 * from the source, its whole lines are stored, and what is left of each row
 * goes to the beginning of it.
 */
#include "items.h"
#include "keep.h"
#include "kernels.h"
#include "matrix.h"
#include "odometer.h"

enum {
    MOST = 64,         /* items of a pixel, */
    MOST_BYTES = 256,  /* and bytes; */
    MANY = 32,         /* planes, for stores that take turns between them; */
    FEW = 8,           /* that need no buffer for it, and of which those of the next run are fetched as well */
    LEAST_PIXELS = 64, /* of a run; */
    LONGER = 4,        /* times as many as a pixel has items */
    RUN = 256,         /* bytes of each plane that are stored at a time, */
    JOINED = 2048,     /* or of pixels, about */
    AHEAD = 16384,     /* bytes of the source that are fetched before they are needed, */
    JOIN_AHEAD = 8192, /* of all planes that are put together, */
    LONG = 2048,       /* and from which on it pays in cache to begin where lines do, */
    GUARD = 16,        /* pixels at the end, where vectors reach beyond them: of a byte at least */
    BY_EIGHT = SVI_TILE_ITEMS, /* runs for pixels of 8 bytes, */
    BY_FOUR                    /* and of 4 */
};

struct job {
    const struct svi_isa *isa;
    svi_channel_run *run;
    svi_channel_run *direct; /* past the cache without a buffer; NULL: not there */
    bool is_join, past_cache;
    int32_t pixel, channel; /* axes */
    int64_t item, channels, pixels;
    int64_t pitch; /* from channel to channel, of the side that has planes */
    int64_t step;  /* pixels of a step of vectors */
    bool spills;   /* a vector reads or writes beyond its pixels */
    int64_t ahead; /* bytes of the source, of each plane of it, that are fetched before they are needed: */
    const char *end, *next; /* after the end of this run, or of its first plane, those of the next; */
    bool once;              /* for one use */
};

/* --- what a plan asks for --------------------------------------------------- */

/* Of a vector's 16 bytes, or of a size that there is a run for: others of few units are for pixels.c. */
static bool has_run(int64_t channels, int64_t item)
{
    return channels > SVI_CHANNELS || channels * item >= SVI_UNIT || (channels == 4 && item == 1);
}

/* Pixels of channels are dense by these strides, few items each, and many. */
static bool has_pixels(const struct svi_plan *plan, const int64_t *strides, int32_t channel, int32_t pixel)
{
    const int64_t size = plan->shape[channel] * plan->item;

    return strides[channel] == plan->item && strides[pixel] == size && plan->shape[channel] <= MOST &&
           size <= MOST_BYTES && plan->shape[pixel] >= LEAST_PIXELS &&
           plan->shape[pixel] >= LONGER * plan->shape[channel] && has_run(plan->shape[channel], plan->item);
}

static bool is_split(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->src, plan->tile, plan->ndim - 1);
}

/* Blocks do better where their destination is whole lines: planes that are many, and pixels. */
bool svi_is_channels(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;

    if (plan->kind != SVI_CLASS_TRANSPOSE || (plan->item & (plan->item - 1)) != 0 || plan->src[tile] != plan->item ||
        plan->dst[last] != plan->item)
        return false;
    if (is_split(plan))
        return plan->shape[tile] <= MANY || plan->dst[tile] % SVI_LINE != 0;
    return has_pixels(plan, plan->dst, last, tile) && plan->dst[tile] % SVI_LINE != 0;
}

/* Index of a pixel's run in the tables. */
static int kind_of(const struct job *j)
{
    if (j->item == 1 && (j->channels == 8 || j->channels == 4))
        return j->channels == 8 ? BY_EIGHT : BY_FOUR;
    return __builtin_ctzll((unsigned long long)j->item);
}

/* A few planes take turns, each stored once. */
static svi_channel_run *direct_of(const struct job *j, int kind, bool narrow)
{
    const int64_t group = svi_smaller(j->channels, 16 / j->item);

    if (j->is_join || !j->past_cache || j->pitch % SVI_LINE != 0 || j->channels > FEW || j->channels % group != 0)
        return NULL;
    return narrow ? j->isa->split_narrow_stream : j->isa->split_channels_stream[kind];
}

static struct job job_of(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const bool is_join = !is_split(plan);
    struct job j = {.isa = machine->isa, .is_join = is_join, .item = plan->item};
    bool narrow;
    int kind;

    j.past_cache = svi_is_past_cache(machine, plan);
    j.pixel = is_join ? tile : last;
    j.channel = is_join ? last : tile;
    j.channels = plan->shape[j.channel];
    j.pixels = plan->shape[j.pixel];
    j.pitch = is_join ? plan->src[last] : plan->dst[tile];
    j.step = j.isa->vector / j.item;
    kind = kind_of(&j);
    narrow = j.item == 1 && j.channels >= 5 && j.channels <= 7 && j.isa->split_narrow != NULL;
    j.spills = kind < BY_EIGHT && j.channels * j.item < 16;
    if (narrow)
        j.run = is_join ? j.isa->join_narrow : j.isa->split_narrow;
    else
        j.run = (is_join ? j.isa->join_channels : j.isa->split_channels)[kind];
    j.direct = direct_of(&j, kind, narrow);
    j.once = svi_fetches_once(machine);
    j.ahead = is_join ? JOIN_AHEAD / j.channels / SVI_LINE * SVI_LINE : AHEAD;
    return j;
}

/* --- a run of pixels --------------------------------------------------------- */

/* Bytes from one pixel to a later one, on a side that has planes or pixels. */
static int64_t bytes_of(const struct job *j, bool planes, int64_t pixels)
{
    return pixels * j->item * (planes ? 1 : j->channels);
}

/* Pixels in whole steps that neither read nor write beyond count. */
static int64_t whole(const struct job *j, int64_t count)
{
    const int64_t safe = count - (j->spills ? GUARD : 0);

    return safe > 0 ? safe / j->step * j->step : 0;
}

/* From a place of this run. */
static struct svi_fetch fetch_of(const struct job *j, const char *src)
{
    if (!j->past_cache)
        return (struct svi_fetch){0, false};
    return (struct svi_fetch){j->ahead + (j->end - src > j->ahead ? 0 : j->next - j->end), j->once};
}

static void run(const struct job *j, char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count)
{
    j->run(dst, j->is_join ? src_pitch : dst_pitch, src, j->channels, count / j->step, fetch_of(j, src));
}

/* A few pixels by way of a copy of the source; the destination has room for all of them. */
static void rest(const struct job *j, char *dst, int64_t dst_pitch, const char *src, int64_t count)
{
    _Alignas(SVI_LINE) char copy[2 * SVI_LINE * MOST + SVI_UNIT];
    const int64_t rows = j->is_join ? j->channels : 1;
    const int64_t steps = (count + j->step - 1) / j->step, copy_pitch = 2 * SVI_LINE;
    const size_t nbytes = (size_t)bytes_of(j, j->is_join, count);

    for (int64_t c = 0; c < rows; c++)
        memcpy(copy + c * copy_pitch, src + c * j->pitch, nbytes);
    j->run(dst, j->is_join ? copy_pitch : dst_pitch, copy, j->channels, steps, (struct svi_fetch){0, false});
}

/* count pixels, whole steps or all that are left; nothing may be read behind those. */
static void fill(const struct job *j, char *buffer, int64_t pitch, const char *src, int64_t count, int64_t left)
{
    const int64_t body = svi_smaller(count, whole(j, left));

    run(j, buffer, pitch, src, j->pitch, body);
    if (body < count)
        rest(j, buffer + bytes_of(j, !j->is_join, body), pitch, src + bytes_of(j, j->is_join, body), count - body);
}

static void put_in_cache(char *dst, const char *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

static void buffered(const struct job *j, char *dst, const char *src, int64_t pixels)
{
    _Alignas(SVI_LINE) char buffer[MOST * (RUN + 3 * SVI_LINE)];
    const int64_t share = JOINED / j->channels / SVI_LINE * SVI_LINE;
    const int64_t nbytes = j->is_join ? svi_larger(share, SVI_LINE) : RUN, some = nbytes / j->item;
    const int64_t pitch = svi_keep_pitch(RUN, j->pitch);
    svi_put *put = j->past_cache ? j->isa->stream_copy : put_in_cache;
    char *row = buffer + (uintptr_t)dst % SVI_LINE;

    for (int64_t k = 0; k < pixels; k += some) {
        const int64_t count = svi_smaller(some, pixels - k), width = bytes_of(j, !j->is_join, count);
        const bool last = k + count == pixels;
        char *to = dst + bytes_of(j, !j->is_join, k);

        fill(j, row, pitch, src + bytes_of(j, j->is_join, k), count, pixels - k);
        for (int64_t c = 0; c < (j->is_join ? 1 : j->channels); c++)
            svi_keep_put(put, to + c * j->pitch, row + c * pitch, width, k == 0, last);
    }
}

/* So many pixels may come again, so that what follows them are whole lines of planes. */
static int64_t begin(const struct job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE), head = before / j->item;

    if (j->is_join || j->pitch % SVI_LINE != 0 || before % j->item != 0 || pixels * j->item < LONG ||
        head > j->step || whole(j, pixels) < j->step)
        return 0;
    if (head > 0)
        run(j, dst, j->pitch, src, j->pitch, j->step);
    return head;
}

static void in_cache(const struct job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t head = begin(j, dst, src, pixels), body = whole(j, pixels - head);

    dst += head * j->item;
    src += bytes_of(j, j->is_join, head);
    pixels -= head;
    run(j, dst, j->pitch, src, j->pitch, body);
    if (body < pixels)
        buffered(j, dst + bytes_of(j, !j->is_join, body), src + bytes_of(j, j->is_join, body), pixels - body);
}

/* Whole lines without a buffer. Planes begin at one place of a line, all of them. */
static void direct(const struct job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE), line = SVI_LINE / j->item;
    const int64_t head = before % j->item == 0 ? svi_smaller(before / j->item, pixels) : pixels;
    const int64_t body = whole(j, pixels - head) / line * line, tail = pixels - head - body;

    if (head > 0)
        buffered(j, dst, src, head);
    dst += head * j->item;
    src += bytes_of(j, false, head);
    if (body > 0)
        j->direct(dst, j->pitch, src, j->channels, body / j->step, (struct svi_fetch){j->ahead, j->once});
    if (tail > 0)
        buffered(j, dst + body * j->item, src + bytes_of(j, false, body), tail);
}

static void run_all(const struct job *j, char *dst, const char *src)
{
    if (j->direct != NULL)
        direct(j, dst, src, j->pixels);
    else if (j->past_cache)
        buffered(j, dst, src, j->pixels);
    else
        in_cache(j, dst, src, j->pixels);
}

/* --- all of it ---------------------------------------------------------------- */

/* A few planes of whole lines are stored past the cache as they come, and so are pixels of a few planes. */
static bool needs_no_buffer(const struct job *j, const struct svi_plan *plan)
{
    return j->past_cache && (j->is_join || j->pitch % SVI_LINE == 0) && j->isa->split_stream != NULL &&
           svi_is_pixels(plan);
}

void svi_host_channels(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;
    struct job j = job_of(machine, plan);
    bool more;

    if (svi_host_relay(machine, plan, dst, src))
        return;
    if (j.run == NULL) {
        svi_host_transpose(machine, plan, dst, src);
        return;
    }
    if (needs_no_buffer(&j, plan)) {
        svi_host_pixels(machine, plan, dst, src);
        return;
    }
    svi_odometer_init(&outer, plan, plan->ndim, j.pixel, dst, src);
    svi_odometer_take(&outer, j.channel - (j.channel > j.pixel));
    do {
        dst = outer.dst, src = outer.src;
        more = svi_odometer_next(&outer);
        j.end = src + bytes_of(&j, j.is_join, j.pixels);
        j.next = more && j.channels <= FEW ? outer.src : j.end; /* of many, the processor foresees no more */
        run_all(&j, dst, src);
    } while (more);
    if (j.past_cache)
        machine->isa->fence();
}
