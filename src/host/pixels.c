/*
 * Pixels of 2 to 4 units, each unit of 1 to 16 bytes, too few for tiles: taken
 * apart into planes, put together from planes, or with other units in another
 * order, and converted where it is asked for. Vectors are shuffled with masks
 * that are made once for a copy.
 */
#include "cast.h"
#include "items.h"
#include "keep.h"
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
    LEAST_RUN = 128, /* bytes of each unit of a run of pixels: below, it is mostly ends */
    LEAST_CONVERTED = 2 * SVI_BLOCK /* items of a run that are converted in registers; its ends take a block each */
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

enum {
    CHUNK = 1024,       /* bytes of each unit that are put in order in cache before they are stored past it */
    AHEAD = 8192,       /* bytes of the source that are fetched before they are needed, */
    AHEAD_OF_ONE = 4096 /* where one plane of them is taken */
};

struct job {
    const struct svi_isa *isa;
    struct recipe recipe;
    struct svi_pixels pixels;
    struct svi_plane plane; /* channels, pixels */
    int64_t first;               /* from the first item to the lowest byte of its pixel in the source */
    int64_t step;                /* pixels of a step of vectors */
    bool past_cache;
    int64_t ahead;               /* bytes of the source, of each plane of it, that are fetched before they are needed: */
    const char *end, *next;      /* after the end of this run, or of its first plane, those of the next */
    size_t item;                 /* of the source */
    const struct svi_cast *cast; /* NULL: items stay as they are */
    svi_pixels_run *converting;  /* past the cache, at once; NULL: by way of a buffer */
};

static svi_pixels_run *in_cache(const struct job *j)
{
    const struct svi_isa *isa = j->isa;

    return j->recipe.form == SPLIT ? isa->split : j->recipe.form == JOIN ? isa->join : isa->mix;
}

static svi_pixels_run *past_cache(const struct job *j)
{
    const struct svi_isa *isa = j->isa;

    if (j->converting != NULL)
        return j->converting;
    return j->recipe.form == SPLIT ? isa->split_stream : j->recipe.form == JOIN ? isa->join_stream : isa->mix_stream;
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
static void each(const struct job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    struct svi_plane part = j->plane;

    part.count[1] = to - from;
    items_of(&part, dst + from * part.dst[1], src + from * part.src[1], j->item);
}

/* Of count pixels in whole steps: a pixel of the source may end before its last unit does. */
static int64_t whole(const struct job *j, int64_t count)
{
    const int64_t safe = count - (j->recipe.channel < 0);

    return safe > 0 ? safe / j->step * j->step : 0;
}

/* From a place of this run. */
static int64_t ahead_of(const struct job *j, const char *src)
{
    if (!j->past_cache)
        return 0;
    return j->ahead + (j->end - src > j->ahead ? 0 : j->next - j->end);
}

/* --- by way of a buffer, for destinations of any alignment and of another type */

/* count pixels, whole steps or all that are left, by the pitches of the buffer. */
static void fill(const struct job *j, const struct svi_pixels *p, char *buffer, const char *src, int64_t count,
                 int64_t left)
{
    const struct recipe *r = &j->recipe;
    const int64_t body = svi_smaller(count, whole(j, left));
    struct svi_plane rest = j->plane;

    in_cache(j)(p, buffer, src + j->first, body * r->unit);
    rest.count[1] = count - body;
    rest.dst[0] = r->form == SPLIT ? p->dst_pitch : (int64_t)j->item;
    rest.dst[1] = r->form == SPLIT ? r->unit : r->unit * r->to;
    items_of(&rest, buffer + body * rest.dst[1], src + body * rest.src[1], j->item);
}

static void put_row(const struct job *j, char *dst, char *row, int64_t nbytes, bool first, bool last)
{
    struct svi_ahead nothing = {.rows = 0}; /* the kernels fetch by themselves */

    if (j->cast != NULL)
        svi_cast_run(j->cast, dst, row, nbytes / (int64_t)j->item, &nothing);
    else
        svi_keep_put(j->isa->stream_copy, dst, row, nbytes, first, last);
}

static void buffered(const struct job *j, char *dst, const char *src, int64_t count)
{
    _Alignas(SVI_LINE) char buffer[SVI_CHANNELS * (CHUNK + 3 * SVI_LINE)];
    const int64_t rows = j->recipe.form == SPLIT ? j->recipe.to : 1, wide = rows == 1 ? j->recipe.to : 1;
    const int64_t some = CHUNK / j->recipe.unit;
    char *row = buffer + (j->cast != NULL ? 0 : (uintptr_t)dst % SVI_LINE);
    struct svi_pixels p = j->pixels;

    p.dst_pitch = svi_keep_pitch(CHUNK, j->pixels.dst_pitch);
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

/* --- without one -------------------------------------------------------------- */

static void near(const struct job *j, char *dst, const char *src, int64_t count)
{
    const int64_t body = whole(j, count);

    in_cache(j)(&j->pixels, dst, src + j->first, body * j->recipe.unit);
    each(j, dst, src, body, count);
}

/* Pixels until the destination, each plane of it, is at the beginning of a line; negative where it never is. */
static int64_t head_of(const struct job *j, const char *dst, int64_t count)
{
    if (j->recipe.form == SPLIT && j->pixels.dst_pitch % SVI_LINE != 0)
        return -1;
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * j->plane.dst[1]) % SVI_LINE == 0)
            return k;
    return -1;
}

static void stream(const struct job *j, char *dst, const char *src, int64_t count)
{
    struct svi_pixels p = j->pixels;

    p.ahead = ahead_of(j, src);
    past_cache(j)(&p, dst, src + j->first, count * j->recipe.unit);
}

/* What is not whole lines: no more items than bytes of a line. */
static void ends(const struct job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    _Alignas(SVI_LINE) char items[SVI_LINE * SVI_STEP_ITEM];
    struct svi_plane part = j->plane;

    if (j->cast == NULL) {
        each(j, dst, src, from, to);
    } else if (from < to) {
        part.count[1] = to - from;
        part.dst[1] = (int64_t)j->item;
        items_of(&part, items, src + from * part.src[1], j->item);
        svi_host_convert(j->isa, &j->cast->plan->chain, dst + from * j->plane.dst[1], items, to - from);
    }
}

/* Whole lines past the cache; while the last of them are, the next run is fetched. */
static void direct(const struct job *j, char *dst, const char *src, int64_t head, int64_t count)
{
    const int64_t dst_step = j->plane.dst[1], src_step = j->plane.src[1];
    const int64_t line = SVI_LINE / svi_smaller(j->recipe.unit, dst_step);
    const int64_t tail = head + whole(j, count - head) / line * line;
    const int64_t last = svi_larger(tail - j->ahead / src_step / line * line, head);

    ends(j, dst, src, 0, head);
    stream(j, dst + head * dst_step, src + head * src_step, last - head);
    stream(j, dst + last * dst_step, src + last * src_step, tail - last);
    ends(j, dst, src, tail, count);
}

static bool goes_direct(const struct job *j)
{
    return j->past_cache && (j->cast == NULL || j->converting != NULL);
}

static void run(const struct job *j, char *dst, const char *src)
{
    const int64_t count = j->plane.count[1], head = goes_direct(j) ? head_of(j, dst, count) : -1;

    if (j->cast == NULL && !j->past_cache)
        near(j, dst, src, count);
    else if (head >= 0)
        direct(j, dst, src, head, count);
    else
        buffered(j, dst, src, count);
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
    j.past_cache = svi_is_past_cache(machine, plan);
    j.ahead = (r->to == 1 ? AHEAD_OF_ONE : AHEAD) / (r->form == JOIN ? r->from : 1);
    make_masks(r, &j.pixels);
    return j;
}

static void run_all(struct job *j, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;
    bool more;

    svi_odometer_init(&outer, plan, plan->ndim, j->recipe.pixel, dst, src);
    if (j->recipe.channel >= 0)
        svi_odometer_take(&outer, j->recipe.channel - (j->recipe.channel > j->recipe.pixel));
    do {
        dst = outer.dst, src = outer.src;
        more = svi_odometer_next(&outer);
        j->end = src + j->plane.count[1] * j->plane.src[1];
        j->next = more ? outer.src : j->end;
        run(j, dst, src);
    } while (more);
    if (j->past_cache)
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

/* One operation, on single units. */
static svi_pixels_run *converting(const struct svi_isa *isa, const struct svi_plan *plan, const struct recipe *r)
{
    if (isa->gather_cast_stream == NULL || plan->chain.count != 1 || r->form != SPLIT || r->to != 1 ||
        plan->shape[r->pixel] < LEAST_CONVERTED)
        return NULL;
    return isa->gather_cast_stream[plan->chain.steps[0].op];
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
    j.converting = converting(j.isa, c->plan, &recipe);
    run_all(&j, c->plan, dst, src);
    return true;
}
