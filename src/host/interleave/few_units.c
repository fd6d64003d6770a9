/*
 * Pixels of 2 to 4 units, each unit of 1 to 16 bytes, too few for tiles: taken
 * apart into planes, put together from planes, or with other units in another
 * order, and converted where it is asked for. Vectors are shuffled with masks
 * that are made once for a copy.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "pixel_job.h"
#include "host/base/scratch.h"

/* --- masks ------------------------------------------------------------------ */

typedef uint16_t words __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

enum { BYTES = SVI_CHANNELS * 16, NOTHING = 0x80 /* in a mask puts a 0 */ };

/* 256 parts of a unit's number, of up to 64, that make its pixel's, by the units of a pixel. */
static const uint16_t part_of_pixel[SVI_CHANNELS + 1] = {0, 256, 128, 86, 64};

/* Where each byte of a step comes from. */
static void find_sources(const struct svi_recipe *r, uint8_t *source)
{
    const bool splits = r->form == SVI_SPLIT, joins = r->form == SVI_JOIN;
    const int log = __builtin_ctz((unsigned)r->unit);
    const uint16_t pixel = splits ? 1 : (uint16_t)r->to, part = part_of_pixel[pixel];
    const uint16_t in_plane = (uint16_t)(splits ? (16 >> log) - 1 : -1);
    const uint16_t pixel_step = joins ? 1 : (uint16_t)r->from, channel_step = joins ? (uint16_t)(16 >> log) : 1;
    const uint16_t first = r->backwards ? (uint16_t)(r->from - 1) : 0;
    const uint16_t turn = (uint16_t)(r->from == 1 ? 0 : r->backwards ? -1 : 1);
    words at = {0, 1, 2, 3, 4, 5, 6, 7};

    for (int n = 0; n < 16 * r->to; n += 8, at += 8) {
        const words unit = at >> log, k = (unit & in_plane) * part >> 8;
        const words channel = first + turn * (splits ? at >> 4 : unit - k * pixel);
        const words from = (k * pixel_step + channel * channel_step) << log | (at & (uint16_t)(r->unit - 1));

        for (int b = 0; b < 8; b++)
            source[n + b] = (uint8_t)from[b];
    }
}

static void make_masks(const struct svi_recipe *r, struct svi_pixels *p)
{
    _Alignas(16) uint8_t source[BYTES];

    find_sources(r, source);
    for (int to = 0; to < r->to; to++) {
        bytes at;

        memcpy(&at, source + 16 * to, sizeof at);
        for (int from = 0; from < r->from; from++) {
            const bytes here = (bytes)(at >> 4 == (uint8_t)from), mask = (here & at & 15) | (~here & NOTHING);

            memcpy(p->mask[to][from], &mask, sizeof mask);
        }
    }
}

/* --- all of it -------------------------------------------------------------- */

enum {
    AHEAD_OF_ONE = 4096, /* prefetch distance where one plane is taken, */
    SHORT_RUN = 1536,    /* and bytes of a row that are few; */
    LEAST_OF_ONE = 4096, /* bytes of one plane from which on it pays past the cache to go there, */
    LEAST_OF_ALL = 7168, /* of all planes that are taken apart, */
    LEAST_JOINED = 1280, /* and where they follow each other */
    NEAR = 4096          /* bytes to what is fetched, at least */
};

/* Of a job whose recipe is made. Field by field: to clear them all takes as long as a small copy. */
static void begin(struct svi_pixel_job *j, const struct svi_machine *machine, const struct svi_plan *plan)
{
    const struct svi_recipe *r = &j->recipe;
    const bool takes_one = r->form == SVI_SPLIT && r->to == 1;
    const bool alone = takes_one && (machine->isa->split_alone & r->unit) != 0;

    j->isa = machine->isa;
    j->item = (size_t)plan->src_item;
    j->plane = svi_plane_of(plan, r->channel, r->pixel);
    j->first = r->backwards ? j->plane.src[0] * (r->from - 1) : 0;
    j->step = machine->isa->vector >> __builtin_ctz((unsigned)r->unit);
    j->past_cache = svi_is_past_cache(machine, plan);
    j->in_turns = machine->tuning->row_streams && takes_one;
    j->ends = machine->isa->split_ends && alone;
    j->ahead = r->to == 1 ? AHEAD_OF_ONE : machine->tuning->units_prefetch_bytes / (r->form == SVI_JOIN ? r->from : 1);
    j->cast = NULL;
    j->converting = NULL;
    j->pixels.from = r->from;
    j->pixels.to = r->to;
    j->pixels.unit = r->unit;
    j->pixels.src_pitch = r->form == SVI_JOIN ? j->plane.src[0] : 0;
    j->pixels.dst_pitch = r->form == SVI_SPLIT ? j->plane.dst[0] : 0;
    j->pixels.ahead = 0;
    j->is_far = false;
    if (!alone)
        make_masks(r, &j->pixels);
}

/*
 * Where the next run is near, the same place of one so many further on, for the processor does not foresee several
 * planes that are close to each other; other runs that are near it does.
 */
static int64_t to_fetch(const struct svi_pixel_job *j, int64_t next)
{
    const int64_t distance = (int64_t)svi_abs(next);

    if (distance >= NEAR)
        return next;
    if (j->recipe.form != SVI_JOIN || svi_abs(j->plane.src[0]) >= NEAR || distance == 0)
        return 0;
    return (NEAR + distance - 1) / distance * next;
}

/* Whether pixels follow each other from run to run, and are near each other in the source. */
static bool are_joined(const struct svi_pixel_job *j, const struct svi_odometer_axis *rows)
{
    return j->recipe.form != SVI_SPLIT && j->isa->stream_copy != NULL &&
           rows->dst == j->plane.count[1] * j->plane.dst[1] && svi_abs(rows->src) < 2 * NEAR;
}

/* False: out of memory. */
static bool run_rows(struct svi_pixel_job *j, struct svi_odometer *outer)
{
    char *buffer = svi_scratch_new(svi_pixel_rows_scratch());
    struct svi_odometer_axis rows;

    if (buffer == NULL)
        return false;
    rows = svi_odometer_take(outer, outer->ndim - 1);
    j->pixels.ahead = to_fetch(j, rows.src);
    do
        svi_pixel_rows(j, &rows, buffer, outer->dst, outer->src);
    while (svi_odometer_next(outer));
    j->isa->fence();
    svi_scratch_free(buffer);
    return true;
}

/* Whether runs may go by way of a buffer. */
static bool has_chunks(const struct svi_pixel_job *j)
{
    return j->past_cache || j->cast != NULL;
}

static void run_all(struct svi_pixel_job *j, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;
    bool more;

    svi_odometer_init(&outer, plan, plan->ndim, j->recipe.pixel, dst, src);
    if (j->recipe.channel >= 0)
        svi_odometer_take(&outer, j->recipe.channel - (j->recipe.channel > j->recipe.pixel));
    if (j->is_far && outer.ndim > 0 && are_joined(j, &outer.axis[outer.ndim - 1]) && run_rows(j, &outer))
        return;
    j->buffer = has_chunks(j) && plan->nbytes > SVI_PIXEL_SMALL ? svi_scratch_new(SVI_PIXEL_BUFFER) : NULL;
    do {
        dst = outer.dst, src = outer.src;
        more = svi_odometer_next(&outer);
        j->end = src + j->plane.count[1] * j->plane.src[1];
        j->next = more ? outer.src : j->end;
        if (j->is_far)
            j->pixels.ahead = to_fetch(j, j->next - src);
        svi_pixel_job_run(j, dst, src);
    } while (more);
    svi_scratch_free(j->buffer);
    if (j->past_cache)
        j->isa->fence();
}

/* Whether so few bytes follow each other in the destination that its lines of two runs are too many. */
static bool are_mostly_ends(const struct svi_pixel_job *j)
{
    const struct svi_recipe *r = &j->recipe;
    const uint64_t run = (uint64_t)j->plane.count[1] * svi_abs(j->plane.dst[1]);

    if (r->form != SVI_SPLIT)
        return run < SVI_PIXEL_ROW;
    if (r->to == 1)
        return run < LEAST_OF_ONE;
    return run * (uint64_t)r->to < (j->plane.dst[0] == (int64_t)run ? LEAST_JOINED : LEAST_OF_ALL);
}

bool svi_has_pixel_loops(const struct svi_host_copy *c)
{
    return c->machine->isa->split != NULL;
}

/* Rows past the cache of which one plane is taken, and each by itself would be mostly its ends. */
bool svi_is_pixels_short(const struct svi_host_copy *c)
{
    return c->past_cache && c->plan->kind == SVI_CLASS_GATHER && svi_has_pixel_loops(c) &&
           c->plan->shape[c->plan->ndim - 1] * c->plan->item < SHORT_RUN;
}

bool svi_pixels_in_registers(const struct svi_host_copy *c)
{
    struct svi_pixel_job j;

    svi_recipe_of(c->plan, &j.recipe);
    begin(&j, c->machine, c->plan);
    j.is_far = j.past_cache && are_mostly_ends(&j);
    if (j.is_far)
        j.past_cache = false;
    run_all(&j, c->plan, c->dst, c->src);
    return true;
}

/* --- and converted ---------------------------------------------------------- */

/* The same plan if items stayed as they are in the source. False: there is none, or it has rows. */
static bool unconverted(const struct svi_plan *plan, struct svi_plan *out)
{
    const int32_t last = plan->ndim - 1;

    out->ndim = plan->ndim;
    out->tile = plan->tile;
    out->item = out->src_item = plan->src_item;
    out->nbytes = plan->nbytes / plan->item * plan->src_item;
    for (int32_t k = 0; k <= last; k++) {
        if (plan->dst[k] % plan->item != 0)
            return false;
        out->shape[k] = plan->shape[k];
        out->dst[k] = plan->dst[k] / plan->item * plan->src_item;
        out->src[k] = plan->src[k];
    }
    out->kind = plan->src[last] == 0                 ? SVI_CLASS_REPEAT
                : plan->src[last] == -plan->src_item ? SVI_CLASS_REVERSED
                : plan->tile != last                 ? SVI_CLASS_TRANSPOSE
                                                     : SVI_CLASS_GATHER;
    return plan->dst[last] == plan->item && plan->src[last] != plan->src_item;
}

enum { LEAST_CONVERTED = 2 * SVI_BLOCK }; /* items of a run converted in registers; its ends take a block each */

/* One operation, on units that are items. */
static svi_pixels_run *converting(const struct svi_isa *isa, const struct svi_plan *plan, const struct svi_recipe *r)
{
    if (isa->split_cast_stream == NULL || plan->chain.count != 1 || r->form != SVI_SPLIT ||
        plan->shape[r->pixel] < LEAST_CONVERTED)
        return NULL;
    return isa->split_cast_stream[plan->chain.steps[0].op];
}

/* Not inline: the plan's memory is not needed while items move. */
static __attribute__((noinline)) bool find_recipe(const struct svi_plan *plan, struct svi_recipe *out)
{
    struct svi_plan plain;

    return unconverted(plan, &plain) && plain.nbytes >= SVI_PIXELS_LEAST && svi_recipe_of(&plain, out);
}

bool svi_is_cast_units(const struct svi_host_copy *c)
{
    struct svi_recipe r;

    return c->machine->isa->split != NULL && find_recipe(c->plan, &r);
}

bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_pixel_job j;

    find_recipe(c->plan, &j.recipe);
    begin(&j, c->machine, c->plan);
    j.cast = c;
    j.converting = converting(j.isa, c->plan, &j.recipe);
    run_all(&j, c->plan, dst, src);
    return true;
}
