/*
 * Transposes of which one axis is short: pixels of a few items are taken apart
 * into planes, or put together from planes.
 */
#include "channel_job.h"
#include "checked.h"
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/scratch.h"

enum {
    MOST_BYTES = 256,     /* of a pixel, */
    SHORT_LINES = 192,    /* and of one that is lines, put together from planes */
    SMALL_PLANE = 131072, /* bytes apart at most, where it is more than one line */
    LONG_PIXEL = 32,      /* from which on places take turns wherever planes begin */
    LEAST_PIXELS = 64,    /* of a run; */
    LONGER = 4,           /* times as many as a pixel has items */
    SHORT_RUN = 1280,     /* bytes of one of planes, of which there are a few */
    MANY = 32,            /* planes, for stores that take turns between them, where places do not; */
    FEW = 8,              /* that need no buffer for it, and of which those of the next run are fetched as well */
    SMALL_BUFFER = 7168,  /* bytes that a frame has room for */
    JOIN_AHEAD = 8192,    /* prefetch distance over all planes that are put together */
    BY_EIGHT = SVI_TILE_ITEMS, /* runs for pixels of 8 bytes, */
    BY_FOUR                    /* and of 4 */
};

/* --- what a plan asks for --------------------------------------------------- */

/* Of a vector's 16 bytes, or of a size that there is a run for: others of few units are for few_units.c. */
static bool has_run(int64_t channels, int64_t item)
{
    return channels > SVI_CHANNELS || channels * item >= SVI_UNIT || (channels == 4 && item == 1);
}

/* Pixels of channels are dense by these strides, few items each, and many. */
static bool has_pixels(const struct svi_plan *plan, const int64_t *strides, int32_t channel, int32_t pixel)
{
    const int64_t size = plan->shape[channel] * plan->item;

    return strides[channel] == plan->item && strides[pixel] == size && plan->shape[channel] <= SVI_CHANNEL_MOST &&
           size <= MOST_BYTES && plan->shape[pixel] >= LEAST_PIXELS &&
           plan->shape[pixel] >= LONGER * plan->shape[channel] && has_run(plan->shape[channel], plan->item);
}

static bool is_split(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->src, plan->tile, plan->ndim - 1);
}

static bool joins(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->dst, plan->ndim - 1, plan->tile);
}

static bool is_matrix(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (plan->item & (plan->item - 1)) == 0 &&
           plan->src[plan->tile] == plan->item && plan->dst[plan->ndim - 1] == plan->item;
}

/* Tiles, or blocks of them, do better where pixels of the destination are whole lines; mostly. */
bool svi_is_channels(const struct svi_plan *plan)
{
    return is_matrix(plan) && (is_split(plan) || (joins(plan) && plan->dst[plan->tile] % SVI_LINE != 0));
}

/* Planes whose lines at a pixel share a set of the first cache, at most. */
static int64_t planes_of_a_set(int64_t pitch, int64_t planes)
{
    const uint64_t apart = svi_gcd(svi_abs(pitch), SVI_WAY);
    const int64_t sets = SVI_WAY / svi_larger((int64_t)apart, SVI_LINE);

    return (planes + sets - 1) / sets;
}

/* Past the cache blocks do better with long pixels only, planes that drive each other out of it, or some far apart. */
static bool has_short_lines(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t pixel = plan->dst[plan->tile], pitch = plan->src[last];

    if (!is_matrix(plan) || !joins(plan) || pixel % SVI_LINE != 0 ||
        planes_of_a_set(pitch, plan->shape[last]) > SVI_WAYS)
        return false;
    return pixel == SVI_LINE || (pixel <= SHORT_LINES && svi_abs(pitch) <= SMALL_PLANE);
}

/* Index of a pixel's run in the tables. */
static int kind_of(const struct svi_channel_job *j)
{
    if (j->item == 1 && (j->channels == 8 || j->channels == 4))
        return j->channels == 8 ? BY_EIGHT : BY_FOUR;
    return __builtin_ctzll((unsigned long long)j->item);
}

/* A few planes take turns, each stored once. */
static svi_channel_run *direct_of(const struct svi_channel_job *j, int kind, bool narrow)
{
    const int64_t group = svi_smaller(j->channels, 16 / j->item);

    if (j->is_join || !j->past_cache || j->pitch % SVI_LINE != 0 || j->channels > FEW || j->channels % group != 0)
        return NULL;
    return narrow ? j->isa->split_narrow_stream : j->isa->split_channels_stream[kind];
}

/* Several places of planes do, of whole lines, or of pixels that are not the shortest. */
static bool takes_turns(const struct svi_channel_job *j)
{
    return !j->is_join && !j->spills && (j->pitch % SVI_LINE == 0 || j->channels * j->item >= LONG_PIXEL);
}

static struct svi_channel_job job_of(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const bool is_join = !is_split(plan);
    struct svi_channel_job j = {.isa = machine->isa, .is_join = is_join, .item = plan->item};
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
    j.in_turns = machine->tuning->row_streams && j.past_cache && j.direct == NULL && takes_turns(&j);
    j.ahead = is_join ? JOIN_AHEAD / j.channels / SVI_LINE * SVI_LINE : machine->tuning->channels_prefetch_bytes;
    return j;
}

/* --- all of it ---------------------------------------------------------------- */

/* Whether what is written one after the other is, or pixels are, of two items. */
static bool is_short(const struct svi_channel_job *j)
{
    const int64_t run = j->pixels * j->item;

    return j->channels == 2 || (j->pitch == run ? run * j->channels : run) < SHORT_RUN;
}

/* A few planes of whole lines, and pixels of a few, are stored past the cache as they come, and in it in short runs. */
static bool needs_no_buffer(const struct svi_channel_job *j, const struct svi_plan *plan)
{
    return j->past_cache && (j->is_join || j->pitch % SVI_LINE == 0 || is_short(j)) &&
           j->isa->split_stream != NULL && svi_is_pixels(plan);
}

/* Many planes of whole lines, no places of which take turns. */
static bool is_for_blocks(const struct svi_channel_job *j)
{
    return !j->is_join && j->channels > MANY && j->pitch % SVI_LINE == 0 && !j->in_turns;
}

static void run_all(struct svi_channel_job *j, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;
    bool more;

    svi_odometer_init(&outer, plan, plan->ndim, j->pixel, dst, src);
    svi_odometer_take(&outer, j->channel - (j->channel > j->pixel));
    do {
        dst = outer.dst, src = outer.src;
        more = svi_odometer_next(&outer);
        j->begin = src;
        j->end = src + svi_channel_job_bytes(j, j->is_join, j->pixels);
        j->next = more && (j->channels <= FEW || j->in_turns) ? outer.src : j->end; /* else none more is foreseen */
        svi_channel_job_run(j, dst, src);
    } while (more);
    if (j->past_cache)
        j->isa->fence();
}

/* Of copies in cache, whose buffers are smaller. */
static __attribute__((noinline)) void run_small(struct svi_channel_job *j, const struct svi_plan *plan, char *dst,
                                                const char *src)
{
    _Alignas(SVI_LINE) char buffer[SMALL_BUFFER];

    j->buffer = buffer;
    run_all(j, plan, dst, src);
}

/* False: out of memory. */
static bool run_buffered(struct svi_channel_job *j, const struct svi_plan *plan, char *dst, const char *src)
{
    const size_t nbytes = svi_channel_job_scratch(j);

    if (nbytes <= SMALL_BUFFER) {
        run_small(j, plan, dst, src);
        return true;
    }
    j->buffer = svi_scratch_new(nbytes);
    if (j->buffer == NULL)
        return false;
    run_all(j, plan, dst, src);
    svi_scratch_free(j->buffer);
    return true;
}

bool svi_is_channels_as_pixels(const struct svi_host_copy *c)
{
    const struct svi_channel_job j = job_of(c->machine, c->plan);

    return needs_no_buffer(&j, c->plan);
}

bool svi_is_channels_buffered(const struct svi_host_copy *c)
{
    const struct svi_channel_job j = job_of(c->machine, c->plan);

    return j.run != NULL && !is_for_blocks(&j);
}

bool svi_is_short_lines(const struct svi_host_copy *c)
{
    struct svi_channel_job j;

    if (!has_short_lines(c->plan))
        return false;
    j = job_of(c->machine, c->plan);
    return j.run != NULL && j.past_cache;
}

bool svi_channels_buffered(const struct svi_host_copy *c)
{
    struct svi_channel_job j = job_of(c->machine, c->plan);

    return run_buffered(&j, c->plan, c->dst, c->src);
}
