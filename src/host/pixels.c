/*
 * Pixels of 2 to 4 units, each unit of 1 to 16 bytes, too few for tiles: taken
 * apart into planes, put together from planes, or with other units in another
 * order, and converted where it is asked for. Vectors are shuffled with masks
 * that are made once for a copy.
 */
#include "cast.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum form {
    NONE,
    SPLIT, /* pixels to planes; to one plane: every second, third or fourth unit */
    JOIN,  /* planes to pixels */
    MIX    /* pixels to pixels: of fewer units, of the same backwards, of one unit again and again */
};

struct recipe {
    enum form form;
    int from, to;    /* units of a pixel of both sides */
    int unit;        /* bytes; a power of two */
    int32_t pixel;   /* axis */
    int32_t channel; /* axis, or -1: a pixel of the destination is an item */
    bool backwards;  /* units */
};

enum {
    LEAST = 512,    /* bytes of a copy: below, masks take longer than it */
    LEAST_RUN = 128 /* bytes of each unit of a run of pixels: below, it is mostly ends */
};

static const struct recipe none = {NONE, 0, 0, 0, 0, 0, false};

/* --- what a plan asks for --------------------------------------------------- */

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

static struct recipe of_transpose(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const int item = (int)plan->item;

    if (plan->dst[last] == item && has_channels(plan, tile, plan->src, last))
        return (struct recipe){SPLIT, (int)plan->shape[tile], (int)plan->shape[tile], item, last, tile, false};
    if (plan->src[tile] == item && has_channels(plan, last, plan->dst, tile))
        return (struct recipe){JOIN, (int)plan->shape[last], (int)plan->shape[last], item, tile, last, false};
    return none;
}

/* Items a few units apart. */
static struct recipe of_gather(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last];
    int64_t unit = 16;
    int from, to;

    if (step < item || step > SVI_CHANNELS * 16)
        return none;
    while (item % unit != 0 || step % unit != 0)
        unit /= 2;
    if (step / unit > SVI_CHANNELS)
        return none;
    from = (int)(step / unit);
    to = (int)(item / unit);
    return (struct recipe){to == 1 ? SPLIT : MIX, from, to, (int)unit, last, -1, false};
}

static struct recipe of_reversed(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], size = count * plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[pixel] != size || plan->src[pixel] != size)
        return none;
    return (struct recipe){MIX, (int)count, (int)count, (int)plan->item, pixel, last, true};
}

static bool is_worth_it(const struct svi_plan *plan, const struct recipe *r)
{
    return plan->shape[r->pixel] * r->unit >= LEAST_RUN;
}

/* Each item two to four times. */
static struct recipe of_repeat(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], item = plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[last] != item || plan->dst[pixel] != count * item ||
        plan->src[pixel] != item)
        return none;
    return (struct recipe){MIX, 1, (int)count, (int)item, pixel, last, false};
}

static struct recipe recipe_of(const struct svi_plan *plan)
{
    struct recipe r = none;

    if (plan->kind == SVI_CLASS_TRANSPOSE)
        r = of_transpose(plan);
    else if (plan->kind == SVI_CLASS_GATHER)
        r = of_gather(plan);
    else if (plan->kind == SVI_CLASS_REVERSED)
        r = of_reversed(plan);
    else if (plan->kind == SVI_CLASS_REPEAT)
        r = of_repeat(plan);
    if (r.form == NONE || (r.unit & (r.unit - 1)) != 0 || !is_worth_it(plan, &r))
        return none;
    return r;
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    return plan->nbytes >= LEAST && recipe_of(plan).form != NONE;
}

/* --- masks ------------------------------------------------------------------ */

/* Byte b of unit c of pixel k: in which vector of a group it is, and where. */
static int place(bool planes, int channels, int unit, int k, int c, int b)
{
    return planes ? 16 * c + k * unit + b : (k * channels + c) * unit + b;
}

static void make_masks(const struct recipe *r, struct svi_pixels *p)
{
    memset(p->mask, 0x80, sizeof p->mask); /* puts a 0 */
    for (int k = 0; k < 16 / r->unit; k++)
        for (int c = 0; c < r->to; c++)
            for (int b = 0; b < r->unit; b++) {
                const int at = place(r->form == SPLIT, r->to, r->unit, k, c, b);
                const int from = r->backwards ? r->from - 1 - c : c % r->from;
                const int source = place(r->form == JOIN, r->from, r->unit, k, from, b);

                p->mask[at / 16][source / 16][at % 16] = (unsigned char)(source % 16);
            }
}

/* --- one run of pixels ------------------------------------------------------ */

enum { CHUNK = 1024 }; /* bytes of each unit that are put in order in cache before they are stored past it */

struct job {
    const struct svi_isa *isa;
    struct recipe recipe;
    struct svi_pixels pixels;
    struct svi_plane plane; /* channels, pixels */
    int64_t first;               /* from the first item to the lowest byte of its pixel in the source */
    int64_t step;                /* pixels of a step of vectors */
    size_t item;                 /* of the source */
    const struct svi_cast *cast; /* NULL: items stay as they are */
};

/* From a buffer, in which items are what they were: one run, past the cache or converted. */
static void put_run(const struct job *j, char *dst, const char *buffer, int64_t nbytes)
{
    struct svi_ahead nothing = {.rows = 0}; /* the kernels fetch by themselves */

    if (j->cast != NULL)
        svi_cast_run(j->cast, dst, buffer, nbytes / (int64_t)j->item, &nothing);
    else
        j->isa->stream_copy(dst, buffer, (size_t)nbytes);
}

/* nbytes of each unit, planes CHUNK bytes apart. */
static void put(const struct job *j, char *dst, const char *buffer, int64_t nbytes)
{
    if (j->recipe.form == SPLIT)
        for (int c = 0; c < j->recipe.to; c++)
            put_run(j, dst + c * j->pixels.dst_pitch, buffer + c * CHUNK, nbytes);
    else
        put_run(j, dst, buffer, nbytes * j->recipe.to);
}

/* Pixels [from, to) one by one; few of them, where they are converted. */
static void each(const struct job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    _Alignas(SVI_LINE) char buffer[SVI_CHANNELS * CHUNK];
    struct svi_plane part = j->plane;

    part.count[1] = to - from;
    dst += from * part.dst[1];
    src += from * part.src[1];
    if (j->cast != NULL) {
        part.dst[0] = j->recipe.form == SPLIT ? CHUNK : (int64_t)j->item;
        part.dst[1] = j->recipe.form == SPLIT ? j->recipe.unit : j->recipe.unit * j->recipe.to;
        svi_items(&part, buffer, src, j->item);
        put(j, dst, buffer, part.count[1] * j->recipe.unit);
    } else {
        svi_items(&part, dst, src, j->item);
    }
}

static svi_pixels_run *in_cache(const struct job *j)
{
    const struct svi_isa *isa = j->isa;

    return j->recipe.form == SPLIT ? isa->split : j->recipe.form == JOIN ? isa->join : isa->mix;
}

/* By way of a buffer, for destinations of any alignment and of another type. */
static void chunks(const struct job *j, char *dst, const char *src, int64_t nbytes)
{
    _Alignas(SVI_LINE) char buffer[SVI_CHANNELS * CHUNK];
    struct svi_pixels p = j->pixels;

    p.dst_pitch = CHUNK;
    for (int64_t k = 0; k < nbytes; k += CHUNK) {
        const int64_t chunk = nbytes - k < CHUNK ? nbytes - k : CHUNK, pixel = k / j->recipe.unit;

        in_cache(j)(&p, buffer, src + pixel * j->plane.src[1], chunk);
        put(j, dst + pixel * j->plane.dst[1], buffer, chunk);
    }
}

/* Pixels until the destination, each plane of it, is at the beginning of a line; 0 when it never is. */
static int64_t head_of(const struct job *j, const char *dst)
{
    if (j->recipe.form == SPLIT && j->pixels.dst_pitch % SVI_LINE != 0)
        return 0;
    for (int64_t k = 0; k < SVI_LINE && k < j->plane.count[1]; k++)
        if ((uintptr_t)(dst + k * j->plane.dst[1]) % SVI_LINE == 0)
            return k;
    return 0;
}

static bool has_lines(const struct job *j, const char *dst)
{
    return (uintptr_t)dst % SVI_LINE == 0 && j->pixels.dst_pitch % SVI_LINE == 0;
}

static void run(const struct job *j, char *dst, const char *src)
{
    const bool past_cache = j->pixels.past_cache;
    const int64_t count = j->plane.count[1], head = past_cache ? head_of(j, dst) : 0;
    /* A pixel of the source may end before its last unit does. */
    const int64_t body = (count - head - (j->recipe.channel < 0)) / j->step * j->step;
    const int64_t nbytes = body * j->recipe.unit;
    char *to = dst + head * j->plane.dst[1];
    const char *from = src + head * j->plane.src[1] + j->first;

    each(j, dst, src, 0, head);
    if (!past_cache && j->cast == NULL)
        in_cache(j)(&j->pixels, to, from, nbytes);
    else if (j->cast == NULL && j->recipe.form == SPLIT && has_lines(j, to))
        j->isa->split_stream(&j->pixels, to, from, nbytes);
    else
        chunks(j, to, from, nbytes);
    each(j, dst, src, head + body, count);
}

/* --- all of it -------------------------------------------------------------- */

static struct job job_of(const struct svi_machine *machine, const struct svi_plan *plan, struct recipe recipe)
{
    struct job j = {.isa = machine->isa, .recipe = recipe, .item = (size_t)plan->src_item};
    const struct recipe *r = &j.recipe;

    j.plane = svi_plane_of(plan, r->channel, r->pixel);
    j.first = r->backwards ? j.plane.src[0] * (r->from - 1) : 0;
    j.step = machine->isa->vector / r->unit;
    j.pixels.from = r->from;
    j.pixels.to = r->to;
    j.pixels.unit = r->unit;
    j.pixels.src_pitch = r->form == JOIN ? j.plane.src[0] : 0;
    j.pixels.dst_pitch = r->form == SPLIT ? j.plane.dst[0] : 0;
    j.pixels.past_cache = svi_is_past_cache(machine, plan);
    make_masks(r, &j.pixels);
    return j;
}

static void run_all(const struct job *j, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim, j->recipe.pixel, dst, src);
    if (j->recipe.channel >= 0)
        svi_odometer_take(&outer, j->recipe.channel - (j->recipe.channel > j->recipe.pixel));
    do
        run(j, outer.dst, outer.src);
    while (svi_odometer_next(&outer));
    if (j->pixels.past_cache)
        j->isa->fence();
}

void svi_host_pixels(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    struct job j;

    if (machine->isa->split == NULL) {
        (plan->kind == SVI_CLASS_TRANSPOSE ? svi_host_tile : svi_host_generic)(machine, plan, dst, src);
        return;
    }
    j = job_of(machine, plan, recipe_of(plan));
    run_all(&j, plan, dst, src);
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

bool svi_cast_pixels(const struct svi_cast *c, const struct svi_machine *machine, char *dst, const char *src)
{
    struct recipe recipe;
    struct svi_plan plain;
    struct job j;

    if (machine->isa->split == NULL || !unconverted(c->plan, &plain) || plain.nbytes < LEAST)
        return false;
    recipe = recipe_of(&plain);
    if (recipe.form == NONE)
        return false;
    j = job_of(machine, c->plan, recipe);
    j.cast = c;
    run_all(&j, c->plan, dst, src);
    return true;
}
