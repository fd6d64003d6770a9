/*
 * Facts about transposes, by which their loops are chosen. Tiles of an instruction set turn two axes: one that is a run
 * in the source (its rows), and one that is a run in the destination, whose rows are columns of the source.
 */
#include "blocking.h"

enum {
    SHORT_SOURCE_BYTES = 16,      /* of a row of the source, or */
    SHORT_SOURCE_BYTES_OF_2 = 48, /* of elements of 1 or 2 bytes, between which */
    APART_BYTES = 1024,           /* come in the destination; */
    SHORT_RUN_BYTES = 32,         /* of a row of that, which are less than is worth storing; */
    TINY_BYTES = 128,             /* of a plane of a tile or a few */

    /* Small transposes of whole tiles: bytes of a side, and of its rows in the source; */
    SMALL_BYTES = 16384,
    SMALL_ROW_BYTES = 256,
    DENSE_BYTES = 32768, /* the same where rows of the destination are so close that lines of all of them stay; */
    MOST_ROWS = 256,     /* elements of these: longer rows of few columns are for few_channels.c */

    /* Transposes that stay in the last-level cache, by tiles: bytes of a row of the source, which a strip reads whole, up
     * to which the lines of all of its columns in the destination stay in L1 and L2 until they are complete; */
    FEW_COLUMNS_BYTES = 256,
    FEW_WIDE_COLUMNS = 128, /* or so many columns of items of 8 bytes and more; */
    WIDE_ITEM = 8,
    PART_LINES_FACTOR = 4,    /* times as many where rows begin anywhere, so that no loop stores whole lines alone; */
    WHOLE_ROW_BYTES = 512,    /* bytes of a row that may lie apart from the next one: it has few parts of lines; */
    LEAST_RUN_BYTES = 256,    /* of a row of the destination; */
    SHORT_JOINED_BYTES = 512, /* of rows that follow each other, which are written as one run; */
    PLANE_BYTES = 32768,      /* of a plane that L1 holds */
    TILED_PLANES = 4,         /* of which tiles take as many or more apart faster from there */
    TILED_ITEM_BYTES = 4,     /* if these are bytes of an element, or more */

    CACHED_ITEM_BYTES = 4,     /* of an element of which a cached transpose without runs is worth two passes */
    NESTED_BYTES = 8192,       /* of a block that is itself worth two passes, at least */
    SHORT_PLANE_BYTES = 512,   /* of a run of a plane, */
    SHORT_PIXELS_BYTES = 288   /* or of pixels */
};

/* The widest set of tiles that fit; NULL: none does. */
const struct svi_tile *svi_tile_that_fits(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const int64_t rows = plan->shape[plan->ndim - 1], columns = plan->shape[plan->tile];
    const int size = __builtin_ctzll((unsigned long long)plan->item);

    if ((plan->item & (plan->item - 1)) != 0)
        return NULL;
    while (isa != NULL && (rows < isa->store[size].rows || columns < isa->store[size].columns ||
                           isa->store[size].rows == 0))
        isa = isa->narrower;
    return isa != NULL ? &isa->store[size] : NULL;
}

/* Whether both axes are runs, of elements of any size. */
static bool is_matrix(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] == plan->item && svi_abs(plan->src[plan->tile]) == (uint64_t)plan->item;
}

bool svi_has_tiles(const struct svi_isa *isa, const struct svi_plan *plan)
{
    return is_matrix(plan) && svi_tile_that_fits(isa, plan) != NULL;
}

/* Whether rows of the destination are short, or those of the source are and go to rows far apart. */
static bool has_short_rows(const struct svi_plan *plan)
{
    const int64_t width = plan->shape[plan->tile] * plan->item;

    if (svi_row_nbytes(plan) <= SHORT_RUN_BYTES)
        return true;
    return width <= (plan->item <= 2 ? SHORT_SOURCE_BYTES_OF_2 : SHORT_SOURCE_BYTES) &&
           plan->dst[plan->tile] >= APART_BYTES;
}

/* Whether a plane takes longer to come to than its tiles do. */
static bool is_tiny(const struct svi_plan *plan)
{
    return plan->item < SVI_UNIT && plan->shape[plan->tile] * svi_row_nbytes(plan) <= TINY_BYTES;
}

/* Whether it is beyond the NT threshold: of bytes from twice as much, too. */
static bool streams(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->isa->stream_copy != NULL && svi_is_beyond_l2(machine, plan, plan->item == 1 ? 2 : 1);
}

bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (!svi_has_tiles(machine->isa, plan))
        return true;
    return streams(machine, plan) ? has_short_rows(plan) : is_tiny(plan);
}

/* Rows of the source that run backwards are taken from their other end. */
struct svi_matrix svi_matrix_of(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const int64_t end = plan->src[i] < 0 ? plan->shape[i] - 1 : 0;

    return (struct svi_matrix){
        .rows = plan->shape[j],
        .columns = plan->shape[i],
        .item = plan->item,
        .dst = c->dst + end * plan->dst[i],
        .dst_pitch = plan->src[i] < 0 ? -plan->dst[i] : plan->dst[i],
        .src = c->src + end * plan->src[i],
        .src_pitch = plan->src[j],
    };
}

/* --- which loops --------------------------------------------------------------- */

static bool has_few_columns(const struct svi_matrix *m)
{
    const int64_t most = m->item >= WIDE_ITEM ? FEW_WIDE_COLUMNS * m->item : FEW_COLUMNS_BYTES;
    const int64_t width = m->columns * m->item, times = m->dst_pitch % SVI_LINE != 0 ? PART_LINES_FACTOR : 1;
    const bool dense = svi_abs(m->src_pitch) <= (uint64_t)(2 * width) || width >= WHOLE_ROW_BYTES;

    return dense && width <= times * most && m->rows * m->item >= LEAST_RUN_BYTES;
}

/* Whether all lines that a strip of tiles writes in part stay in the inner caches until the next strip. */
static bool keeps_lines_in_cache(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);
    const int64_t run = m.rows * m.item;

    if (!svi_stays_in_last_cache(c->machine, c->plan) || svi_tile_of(c) == NULL)
        return false;
    if (m.dst_pitch == run && svi_abs(m.src_pitch) == (uint64_t)(m.columns * m.item) &&
        (run * m.columns <= PLANE_BYTES || (run <= SHORT_JOINED_BYTES && run % SVI_LINE != 0)))
        return true;
    return has_few_columns(&m);
}

bool svi_is_matrix_streamed(const struct svi_host_copy *c)
{
    return streams(c->machine, c->plan) && is_matrix(c->plan) && (c->plan->item & (c->plan->item - 1)) == 0 &&
           !keeps_lines_in_cache(c);
}

/* Rows that begin anywhere in a line, with which cached.c is faster, from twice as much. */
bool svi_is_unaligned(const struct svi_host_copy *c)
{
    return svi_is_beyond_l2(c->machine, c->plan, 2) || svi_tile_of(c) == NULL;
}

bool svi_is_matrix_tiled(const struct svi_host_copy *c)
{
    return svi_has_tiles(c->machine->isa, c->plan);
}

/* --- small ones of whole tiles -------------------------------------------------- */

/* Whether a line of each row of the destination stays in L1 until it is complete. */
static bool is_small(const struct svi_plan *plan)
{
    const int64_t rows = plan->shape[plan->tile], width = rows * plan->item;

    if (plan->shape[plan->ndim - 1] > MOST_ROWS)
        return false;
    if (plan->nbytes <= SMALL_BYTES)
        return width <= SMALL_ROW_BYTES;
    return plan->nbytes <= DENSE_BYTES && width <= 2 * SMALL_ROW_BYTES && plan->dst[plan->tile] <= DENSE_BYTES / rows;
}

const struct svi_tile *svi_whole_tile(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const struct svi_tile *tile;

    if (plan->ndim != 2 || !is_small(plan) || !is_matrix(plan) || plan->src[i] < 0)
        return NULL;
    tile = svi_tile_that_fits(isa, plan);
    return tile != NULL && svi_beyond_tiles(plan->shape[j], tile->rows) == 0 &&
           svi_beyond_tiles(plan->shape[i], tile->columns) == 0 ? tile : NULL;
}

/*
 * What is in front of the first whole vector of the destination's rows, and the last tiles; returns the row behind the
 * first. Not inline: small ones have no time for it.
 */
static __attribute__((noinline)) int64_t ends(const struct svi_tile *tile, const struct svi_plan *plan, char *dst,
                                              const char *src)
{
    const struct svi_matrix m = {plan->shape[1], plan->shape[0], plan->item,  dst,
                                 plan->dst[0],   src,            plan->src[1]};
    const int64_t first = svi_first_strip(tile, &m);

    if (first == 0)
        return 0;
    svi_matrix_strip(tile, &m, 0);
    svi_matrix_strip(tile, &m, m.rows - tile->rows);
    return first + tile->rows;
}

void svi_host_whole_tiles(const struct svi_tile *tile, const struct svi_plan *plan, char *dst, const char *src)
{
    const int64_t count = svi_tiles_in(plan->shape[0], tile->columns);
    int64_t row = plan->nbytes > SMALL_BYTES ? ends(tile, plan, dst, src) : 0;

    for (; row <= plan->shape[1] - tile->rows; row += tile->rows)
        tile->run(dst + row * plan->item, plan->dst[0], src + row * plan->src[1], plan->src[1], count,
                  plan->item);
}

/* --- two passes --------------------------------------------------------------------- */

/* Whether a side has no runs: the destination, */
bool svi_is_spread(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] != plan->item;
}

/* the source, */
bool svi_is_sparse(const struct svi_plan *plan)
{
    return svi_abs(plan->src[plan->tile]) != (uint64_t)plan->item;
}

/* or either, of two long axes. */
bool svi_is_stepped(const struct svi_plan *plan)
{
    return (plan->item & (plan->item - 1)) == 0 && (svi_is_spread(plan) || svi_is_sparse(plan)) &&
           plan->shape[plan->tile] > SVI_SHORT_AXIS && plan->shape[plan->ndim - 1] > SVI_SHORT_AXIS;
}

/* Whether a pass is worth two passes of its own. */
bool svi_is_nested(const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_spread(plan) && plan->item <= CACHED_ITEM_BYTES &&
           plan->nbytes > NESTED_BYTES;
}

bool svi_has_pixels(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (svi_is_channels(plan) || svi_is_pixels(plan));
}

/* Pixels into planes. */
static bool deinterleaves(const struct svi_plan *plan)
{
    return plan->src[plan->ndim - 1] == plan->item * plan->shape[plan->tile];
}

bool svi_is_apart_by_tiles(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    return deinterleaves(plan) && plan->shape[plan->tile] >= TILED_PLANES && plan->item >= TILED_ITEM_BYTES &&
           plan->reach > (uint64_t)c->machine->second && svi_stays_in_last_cache(c->machine, plan) &&
           svi_has_tiles(c->machine->isa, plan);
}

/* Whether runs of each plane are short, and not whole lines, but follow each other: those of blocks are longer. */
static bool has_short_planes(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t run = plan->item * plan->shape[last];

    if (!deinterleaves(plan) || run >= SHORT_PLANE_BYTES || run % SVI_LINE == 0)
        return false;
    for (int32_t k = 0; k < last; k++)
        if (k != plan->tile && plan->dst[k] == run)
            return true;
    return false;
}

/* Bytes of pixels that follow each other on both sides: of one plane, or of all where these do. */
static int64_t common_run(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const bool apart = deinterleaves(plan);
    const int64_t run = plan->item * plan->shape[apart ? last : tile];

    if ((apart ? plan->dst[tile] : plan->src[last]) != run)
        return run;
    return run * plan->shape[apart ? tile : last];
}

/* Whether what follows a short run of pixels in the destination is elsewhere in the source. */
static bool goes_elsewhere(const struct svi_plan *plan)
{
    int32_t next = -1, nearest = -1;

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->tile) {
            next = k;
            if (nearest < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[nearest]))
                nearest = k;
        }
    return next != nearest && common_run(plan) < SHORT_PIXELS_BYTES;
}

/* Whether elements of both sides are a few times their size apart, as periodic permutations take them. */
static bool is_near(const struct svi_plan *plan)
{
    const int64_t most = SVI_CHANNELS * plan->item;

    return plan->dst[plan->ndim - 1] <= most && svi_abs(plan->src[plan->tile]) <= (uint64_t)most;
}

static bool are_steps_worth_it(const struct svi_plan *plan, bool beyond_cache)
{
    if (plan->item < CACHED_ITEM_BYTES)
        return true;
    if (plan->item == CACHED_ITEM_BYTES)
        return beyond_cache || is_near(plan);
    if (svi_is_spread(plan))
        return beyond_cache && !svi_is_sparse(plan) && is_near(plan) && plan->item < SVI_UNIT;
    return beyond_cache;
}

bool svi_is_worth_two_passes(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const bool beyond_cache = svi_is_beyond_cache(machine, plan);

    if ((plan->nbytes <= SVI_BUFFER_BYTES && !svi_is_nested(plan)) || machine->isa->units[0] == NULL)
        return false;
    if (svi_is_stepped(plan))
        return are_steps_worth_it(plan, beyond_cache);
    if (!svi_has_pixels(plan))
        return true;
    return beyond_cache && (svi_is_pixels(plan) ? goes_elsewhere(plan) : has_short_planes(plan));
}
