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
#include "recipe.h"

/* --- masks ------------------------------------------------------------------ */

/* Byte b of unit c of pixel k: in which vector of a group it is, and where. */
static int place(bool planes, int channels, int unit, int k, int c, int b)
{
    return planes ? 16 * c + k * unit + b : (k * channels + c) * unit + b;
}

static void make_masks(const struct svi_recipe *r, struct svi_pixels *p)
{
    memset(p->mask, 0x80, sizeof p->mask); /* puts a 0 */
    for (int k = 0; k < 16 / r->unit; k++)
        for (int c = 0; c < r->to; c++)
            for (int b = 0; b < r->unit; b++) {
                const int at = place(r->form == SVI_SPLIT, r->to, r->unit, k, c, b);
                const int from = r->backwards ? r->from - 1 - c : c % r->from;
                const int source = place(r->form == SVI_JOIN, r->from, r->unit, k, from, b);

                p->mask[at / 16][source / 16][at % 16] = (unsigned char)(source % 16);
            }
}

/* --- one run of pixels ------------------------------------------------------ */

enum {
    CHUNK = 1024,       /* bytes of each unit that are put in order in cache before they are stored past it */
    AHEAD = 16384,      /* bytes of the source that are fetched before they are needed, */
    AHEAD_OF_ONE = 4096 /* where one plane of them is taken */
};

enum {
    PARTS = 4,    /* of the source that take turns on Intel's processors where one plane is taken, */
    PIECES = 16,  /* of so many pieces each, */
    PIECE = 1024, /* of about so many bytes, */
    SOON = 1024   /* and so many are fetched before they are needed */
};

struct job {
    const struct svi_isa *isa;
    struct svi_recipe recipe;
    struct svi_pixels pixels;
    struct svi_plane plane; /* channels, pixels */
    int64_t first;               /* from the first item to the lowest byte of its pixel in the source */
    int64_t step;                /* pixels of a step of vectors */
    bool past_cache;
    bool in_turns;               /* several parts of the source do */
    bool ends;                   /* nothing is read behind the last unit */
    int64_t ahead;               /* bytes of the source, of each plane of it, fetched before they are needed: */
    const char *end, *next;      /* after the end of this run, or of its first plane, those of the next */
    size_t item;                 /* of the source */
    const struct svi_cast *cast; /* NULL: items stay as they are */
    svi_pixels_run *converting;  /* past the cache, at once; NULL: by way of a buffer */
};

static svi_pixels_run *in_cache(const struct job *j)
{
    const struct svi_isa *isa = j->isa;

    switch (j->recipe.form) {
    case SVI_SPLIT: return isa->split;
    case SVI_JOIN: return isa->join;
    default: return isa->mix;
    }
}

static svi_pixels_run *past_cache(const struct job *j)
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
static void each(const struct job *j, char *dst, const char *src, int64_t from, int64_t to)
{
    struct svi_plane part = j->plane;

    part.count[1] = to - from;
    items_of(&part, dst + from * part.dst[1], src + from * part.src[1], j->item);
}

/* Of count pixels in whole steps: a pixel of the source may end before its last unit does. */
static int64_t whole(const struct job *j, int64_t count)
{
    const int64_t safe = count - (j->recipe.channel < 0 && !j->ends);

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
    const struct svi_recipe *r = &j->recipe;
    const int64_t body = svi_smaller(count, whole(j, left));
    struct svi_plane rest = j->plane;

    in_cache(j)(p, buffer, src + j->first, body * r->unit);
    rest.count[1] = count - body;
    rest.dst[0] = r->form == SVI_SPLIT ? p->dst_pitch : (int64_t)j->item;
    rest.dst[1] = r->form == SVI_SPLIT ? r->unit : r->unit * r->to;
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
    const int64_t rows = j->recipe.form == SVI_SPLIT ? j->recipe.to : 1, wide = rows == 1 ? j->recipe.to : 1;
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
    if (j->recipe.form == SVI_SPLIT && j->pixels.dst_pitch % SVI_LINE != 0)
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

/* The same, in turns a piece of each of several parts that follow each other: so many pixels are done. */
static int64_t stream_in_turns(const struct job *j, char *dst, const char *src, int64_t count, int64_t line)
{
    const int64_t dst_step = j->plane.dst[1], src_step = j->plane.src[1];
    const int64_t piece = svi_larger(PIECE / src_step / line, 1) * line, part = PIECES * piece;
    struct svi_pixels p = j->pixels;
    int64_t done = 0;

    p.ahead = SOON;
    for (; done + PARTS * part <= count; done += PARTS * part)
        for (int64_t k = done; k < done + part; k += piece)
            for (int64_t at = k; at < k + PARTS * part; at += part)
                past_cache(j)(&p, dst + at * dst_step, src + at * src_step + j->first, piece * j->recipe.unit);
    return done;
}

/* Whole lines past the cache; while the last of them are, the next run is fetched. */
static void direct(const struct job *j, char *dst, const char *src, int64_t head, int64_t count)
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

static struct job job_of(const struct svi_machine *machine, const struct svi_plan *plan, struct svi_recipe recipe)
{
    struct job j = {.isa = machine->isa, .recipe = recipe, .item = (size_t)plan->src_item};
    const struct svi_recipe *r = &j.recipe;

    j.plane = svi_plane_of(plan, r->channel, r->pixel);
    j.first = r->backwards ? j.plane.src[0] * (r->from - 1) : 0;
    j.step = machine->isa->vector / r->unit;
    j.pixels.from = r->from;
    j.pixels.to = r->to;
    j.pixels.unit = r->unit;
    j.pixels.src_pitch = r->form == SVI_JOIN ? j.plane.src[0] : 0;
    j.pixels.dst_pitch = r->form == SVI_SPLIT ? j.plane.dst[0] : 0;
    j.past_cache = svi_is_past_cache(machine, plan);
    j.in_turns = machine->intel && r->form == SVI_SPLIT && r->to == 1;
    j.ends = machine->isa->split_ends && r->form == SVI_SPLIT && r->to == 1 && r->unit > 1;
    j.ahead = (r->to == 1 ? AHEAD_OF_ONE : AHEAD) / (r->form == SVI_JOIN ? r->from : 1);
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
    j = job_of(machine, plan, svi_recipe_of(plan));
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

enum { LEAST_CONVERTED = 2 * SVI_BLOCK }; /* items of a run converted in registers; its ends take a block each */

/* One operation, on units that are items. */
static svi_pixels_run *converting(const struct svi_isa *isa, const struct svi_plan *plan, const struct svi_recipe *r)
{
    if (isa->split_cast_stream == NULL || plan->chain.count != 1 || r->form != SVI_SPLIT ||
        plan->shape[r->pixel] < LEAST_CONVERTED)
        return NULL;
    return isa->split_cast_stream[plan->chain.steps[0].op];
}

bool svi_cast_pixels(const struct svi_cast *c, const struct svi_machine *machine, char *dst, const char *src)
{
    struct svi_recipe recipe;
    struct svi_plan plain;
    struct job j;

    if (machine->isa->split == NULL || !unconverted(c->plan, &plain) || plain.nbytes < SVI_PIXELS_LEAST)
        return false;
    recipe = svi_recipe_of(&plain);
    if (recipe.form == SVI_NO_PIXELS)
        return false;
    j = job_of(machine, c->plan, recipe);
    j.cast = c;
    j.converting = converting(j.isa, c->plan, &recipe);
    run_all(&j, c->plan, dst, src);
    return true;
}
