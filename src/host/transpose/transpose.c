/*
 * Two axes by the tiles of the instruction set: one that is a run in the source
 * (its rows), one that is a run in the destination (its rows are columns of the
 * source). Elsewhere there are too few items for a tile, or no tiles: svi_host_tile.
 */
#include "host/base/elements.h"
#include "host/kernels.h"

enum {
    SMALL = 16384,  /* bytes of a side that is made of whole tiles */
    WIDTH = 256,    /* and of its rows in the source */
    DENSE = 32768,  /* the same where rows of the destination are so close that lines of all of them stay; */
    LONG = 256,     /* items of these: longer rows of few columns are for few_channels.c */
    NARROW = 16,    /* bytes of a row of the source, or */
    NARROW_2 = 48,  /* of items of 1 or 2 bytes, between which */
    APART = 1024,   /* bytes come in the destination */
    SHORT_RUN = 32, /* bytes of a row of that, which are less than is worth storing */
    TINY = 128      /* bytes of a plane of a tile or a few */
};

/* The widest set of tiles that fit; NULL when none does. */
static const struct svi_isa *isa_for(const struct svi_isa *isa, const struct svi_matrix *m, int size)
{
    if (m->item & (m->item - 1))
        return NULL;
    while (isa != NULL && (m->rows < isa->store[size].rows || m->columns < isa->store[size].columns ||
                           isa->store[size].rows == 0))
        isa = isa->narrower;
    return isa;
}

static bool is_matrix(const struct svi_plan *plan)
{
    const int64_t item = plan->item, step = plan->src[plan->tile];

    return plan->dst[plan->ndim - 1] == item && (step == item || step == -item);
}

/* Whether a line of each row of the destination stays in the first cache until it is complete. */
static bool is_small(const struct svi_plan *plan)
{
    const int64_t rows = plan->shape[plan->tile], width = rows * plan->item;

    if (plan->shape[plan->ndim - 1] > LONG)
        return false;
    if (plan->nbytes <= SMALL)
        return width <= WIDTH;
    return plan->nbytes <= DENSE && width <= 2 * WIDTH && plan->dst[plan->tile] <= DENSE / rows;
}

/* Sides of tiles are powers of 2. */
const struct svi_tile *svi_whole_tile(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const struct svi_matrix m = {.rows = plan->shape[j], .columns = plan->shape[i], .item = plan->item};
    const int size = __builtin_ctzll((unsigned long long)plan->item);
    const struct svi_tile *tile;

    if (plan->ndim != 2 || !is_small(plan) || !is_matrix(plan) || plan->src[i] < 0)
        return NULL;
    isa = isa_for(isa, &m, size);
    tile = isa != NULL ? &isa->store[size] : NULL;
    return tile != NULL && (m.rows & (tile->rows - 1)) == 0 && (m.columns & (tile->columns - 1)) == 0 ? tile : NULL;
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
    const int64_t count = plan->shape[0] >> __builtin_ctz((unsigned)tile->columns);
    int64_t row = plan->nbytes > SMALL ? ends(tile, plan, dst, src) : 0;

    for (; row <= plan->shape[1] - tile->rows; row += tile->rows)
        tile->run(dst + row * plan->item, plan->dst[0], src + row * plan->src[1], plan->src[1], count, false);
}

/* Rows of the source that run backwards are taken from their other end. */
static struct svi_matrix matrix_of(const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const int64_t end = plan->src[i] < 0 ? plan->shape[i] - 1 : 0;

    return (struct svi_matrix){
        .rows = plan->shape[j],
        .columns = plan->shape[i],
        .item = plan->item,
        .dst = dst + end * plan->dst[i],
        .dst_pitch = plan->src[i] < 0 ? -plan->dst[i] : plan->dst[i],
        .src = src + end * plan->src[i],
        .src_pitch = plan->src[j],
    };
}

bool svi_has_tiles(const struct svi_isa *isa, const struct svi_plan *plan)
{
    const struct svi_matrix m = {
        .rows = plan->shape[plan->ndim - 1], .columns = plan->shape[plan->tile], .item = plan->item};

    return is_matrix(plan) && isa_for(isa, &m, __builtin_ctzll((unsigned long long)plan->item)) != NULL;
}

/* Whether rows of the destination are short, or those of the source are and go to rows far apart. */
static bool is_narrow(const struct svi_plan *plan)
{
    const int64_t width = plan->shape[plan->tile] * plan->item;

    if (plan->shape[plan->ndim - 1] * plan->item <= SHORT_RUN)
        return true;
    return width <= (plan->item <= 2 ? NARROW_2 : NARROW) && plan->dst[plan->tile] >= APART;
}

/* Whether a plane takes longer to come to than its tiles do. */
static bool is_tiny(const struct svi_plan *plan)
{
    return plan->item < SVI_UNIT && plan->shape[plan->tile] * plan->shape[plan->ndim - 1] * plan->item <= TINY;
}

/* Bytes go past the cache from twice as much, too. */
static bool streams(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->isa->stream_copy != NULL && svi_is_past_second(machine, plan, plan->item == 1 ? 2 : 1);
}

/* The widest that fits; NULL: none does. */
static const struct svi_tile *tile_of(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int size = __builtin_ctzll((unsigned long long)plan->item);
    const struct svi_matrix m = {
        .rows = plan->shape[plan->ndim - 1], .columns = plan->shape[plan->tile], .item = plan->item};
    const struct svi_isa *isa = isa_for(machine->isa, &m, size);

    return isa != NULL ? &isa->store[size] : NULL;
}

bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (!is_matrix(plan) || tile_of(machine, plan) == NULL)
        return true;
    return streams(machine, plan) ? is_narrow(plan) : is_tiny(plan);
}

/* --- which loops --------------------------------------------------------------- */

static int size_of(const struct svi_plan *plan)
{
    return __builtin_ctzll((unsigned long long)plan->item);
}

bool svi_is_matrix_streamed(const struct svi_host_copy *c)
{
    return streams(c->machine, c->plan) && is_matrix(c->plan) && (c->plan->item & (c->plan->item - 1)) == 0;
}

/* Rows that begin anywhere in a line, with which cached.c is faster, from twice as much. */
bool svi_is_matrix_ragged(const struct svi_host_copy *c)
{
    return svi_is_past_second(c->machine, c->plan, 2) || tile_of(c->machine, c->plan) == NULL;
}

bool svi_is_matrix_tiled(const struct svi_host_copy *c)
{
    return is_matrix(c->plan) && tile_of(c->machine, c->plan) != NULL;
}

bool svi_is_braid_without_tiles(const struct svi_host_copy *c)
{
    return svi_is_braid(c) && svi_lacks_tiles(c->machine, c->plan);
}

bool svi_matrix_planes(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    return svi_host_planes(c, tile_of(c->machine, c->plan), &m);
}

bool svi_matrix_by_source(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    return svi_host_whole(c, tile_of(c->machine, c->plan), size_of(c->plan), &m);
}

bool svi_matrix_by_lines(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    return svi_host_lines(c, tile_of(c->machine, c->plan), size_of(c->plan), &m);
}

bool svi_matrix_carried(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    return tile_of(c->machine, c->plan) != NULL && svi_host_carry(c, c->plan, &m);
}

bool svi_matrix_ragged(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    return svi_host_ragged(c, c->plan, &m);
}

bool svi_matrix_tiled(const struct svi_host_copy *c)
{
    const struct svi_matrix m = matrix_of(c->plan, c->dst, c->src);

    svi_host_near(c->machine, tile_of(c->machine, c->plan), c->plan, &m);
    return true;
}
