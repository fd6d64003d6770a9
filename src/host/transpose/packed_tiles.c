/*
 * Transposes in cache whose rows share few sets of L1 on both sides. Each line of the source would be evicted from L1
 * before the next tile reads it. So some rows are packed into a buffer while the next ones are prefetched, and each row
 * of the destination gets a run of several lines.
 */
#include "host/transpose/blocking.h"
#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/loop/loop.h"
#include "host/base/memory_hints.h"
#include "host/transpose/transpose.h"
#include "host/transpose/blocks.h"
#include "host/transpose/cached.h"

/* Measured: doc/internals/copy_experiments.md#transposes-in-cache. */
enum {
    RUN_BYTES = 256, /* bytes of a row of the destination that a block has */
    PACKED_BYTES = 28672, /* bytes of a packed block, which stays in L1 until it is stored */
    L2_PARTS = 8 /* both sides together take more than L2 / L2_PARTS; L1 keeps smaller ones without packing */
};

static void pack_block(const struct svi_isa *isa, const struct svi_blocks *b, char *buffer, int64_t pitch)
{
    struct svi_rows rows = {buffer, pitch, b->src + b->row[0], b->pitch, b->rows, b->columns * b->blocking->item};

    if (b->pitch != 0) {
        isa->cached_rows(&rows, SVI_PREFETCH_NONE, 1);
        return;
    }
    rows.count = 1;
    for (int64_t k = 0; k < b->rows; k++, rows.dst += pitch) {
        rows.src = b->src + b->row[k];
        isa->cached_rows(&rows, SVI_PREFETCH_NONE, 1);
    }
}

/* Prefetches rows [row, end) of a block to L2, if it has them. Inline, since a compiler may drop calls that only
 * prefetch. */
SVI_INLINE void prefetch_block_rows(const struct svi_blocks *b, int64_t row, int64_t end)
{
    const int64_t nbytes = b->columns * b->blocking->item;

    for (; row < svi_smaller(end, b->rows); row++)
        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            svi_prefetch_l2(b->src + b->row[row] + k);
}

/* Stores a packed block, and prefetches the next one to L2. */
static void store_packed_block(const struct svi_tile *tile, const struct svi_blocks *b, const struct svi_blocks *next,
                               const char *buffer, int64_t pitch)
{
    const int64_t item = b->blocking->item, dst_pitch = b->blocking->columns.other, past = b->rows - tile->rows;
    const int64_t some = next->rows * tile->columns / b->columns + 1;
    int64_t row = 0;

    for (int64_t i = 0; i < b->columns; i += tile->columns, row += some) {
        const int64_t column = svi_smaller(i, b->columns - tile->columns);
        char *const to = b->dst + b->offset[column];

        prefetch_block_rows(next, row, row + some);
        tile->down(to, dst_pitch, buffer + column * item, pitch, svi_tiles_in(b->rows, tile->rows), item);
        if (svi_beyond_tiles(b->rows, tile->rows) != 0)
            tile->down(to + past * item, dst_pitch, buffer + past * pitch + column * item, pitch, 1, item);
    }
}

/* Chooses blocks that have a run of each row of the destination. False: there are too few elements for a tile. */
static bool choose_packed_blocks(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                                 const struct svi_tile *tile)
{
    struct svi_axis_group *const rows = &blocking->rows, *const columns = &blocking->columns;
    const int64_t count = RUN_BYTES / m->item;
    bool taken[SVI_PLAN_NDIM] = {false};

    blocking->item = m->item;
    taken[plan->ndim - 1] = taken[plan->src_axis] = true;
    svi_axis_group_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, count, taken);
    svi_axis_group_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, 0, NULL);
    svi_blocking_outer(blocking, plan, taken);
    rows->block = rows->unit * svi_smaller(svi_larger(count / rows->unit, 1), rows->steps);
    columns->block = svi_smaller(PACKED_BYTES / count / SVI_LINE * SVI_LINE / m->item, columns->items);
    rows->granule = tile->rows;
    columns->granule = tile->columns;
    return rows->items >= tile->rows && columns->items >= tile->columns;
}

static bool has_crowded_rows(int64_t pitch, int64_t count)
{
    return svi_rows_that_stay(pitch, count) < count;
}

/* Refuses unless lines crowd on both sides: as many rows as a line of the other side has elements; for bytes twice as
 * many, whose tiles take longer. */
static bool refuses_packed_tiles(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int64_t rows = SVI_LINE / plan->item / (plan->item == 1 ? 2 : 1);

    if (!c->machine->tuning->packs_rows)
        return svi_refuse(c, "this processor reads rows that share sets of L1 as fast");
    if (plan->reach <= (uint64_t)c->machine->l2_bytes / L2_PARTS)
        return svi_refuse(c, "L1 keeps both sides");
    return !(has_crowded_rows(plan->src[plan->ndim - 1], svi_smaller(rows, plan->shape[plan->ndim - 1])) &&
             has_crowded_rows(plan->dst[plan->src_axis], svi_smaller(rows, plan->shape[plan->src_axis]))) &&
           svi_refuse(c, "rows of a side share no sets of L1");
}

static bool can_pack(const struct svi_host_copy *c)
{
    const int64_t item = c->plan->item;

    return c->machine->isa->cached_rows != NULL && (item & (item - 1)) == 0 && svi_has_tiles(c->machine, c->plan);
}

/* A tile of as many rows and fewer columns, so that fewer rows of the destination are stored at once. */
static const struct svi_tile *find_narrower_tile(const struct svi_host_copy *c, const struct svi_tile *tile)
{
    const struct svi_isa *isa = c->machine->isa->narrower;
    const struct svi_tile *other = isa != NULL ? &isa->store[__builtin_ctzll((unsigned long long)c->plan->item)] : tile;

    return other->rows == tile->rows && other->columns < tile->columns ? other : tile;
}

/* This block, the next one, and the buffer of one block. */
struct packing {
    struct svi_blocks now, next;
    _Alignas(SVI_LINE) char buffer[];
};

static struct packing *new_packing(const struct svi_blocking *blocking)
{
    const int64_t pitch = svi_axis_group_largest(&blocking->columns) * blocking->item + 2 * SVI_LINE;

    return svi_scratch_new(sizeof(struct packing) + (size_t)(svi_axis_group_largest(&blocking->rows) * pitch));
}

static bool packed_tiles(const struct svi_host_copy *c)
{
    const struct svi_tile *tile = find_narrower_tile(c, svi_tile_of(c));
    const struct svi_matrix m = svi_matrix_of(c);
    struct svi_blocking blocking;
    struct packing *p;
    bool more;

    if (!choose_packed_blocks(&blocking, c->plan, &m, tile))
        return false;
    if (c->dry_run)
        return true;
    p = new_packing(&blocking);
    if (p == NULL || !svi_blocking_open(&blocking)) {
        svi_scratch_free(p);
        return false;
    }
    svi_blocks_begin(&p->next, &blocking, m.dst, m.src);
    do {
        p->now = p->next;
        more = svi_blocks_next(&p->next);
        pack_block(c->machine->isa, &p->now, p->buffer, svi_odd_lines(p->now.columns * p->now.blocking->item));
        store_packed_block(tile, &p->now, &p->next, p->buffer, svi_odd_lines(p->now.columns * p->now.blocking->item));
    } while (more);
    svi_blocking_close(&blocking);
    svi_scratch_free(p);
    return true;
}

const struct svi_loop svi_loop_packed_tiles = {
    .name = "packed_tiles",
    .can = can_pack,
    .refuses = refuses_packed_tiles,
    .run = packed_tiles,
    .late = true,
    .what = "in cache from a packed buffer, where rows of both sides share few sets of L1 (AMD)",
};
