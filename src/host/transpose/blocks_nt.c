/*
 * Transposes beyond the cache to whole lines of the destination, by blocks that have a long run of each row. Blocks are
 * transposed from the source if its rows stay in the caches until their lines are read to the end; else they are packed
 * into a buffer first.
 */
#include "base/checked.h"
#include "plan/part.h"
#include "host/transpose/blocking.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/transpose/block_run.h"
#include "host/transpose/blocks_nt.h"
#include "host/transpose/cached.h"

/* Measured: doc/internals/copy_experiments.md#which-blocks-are-read-in-place. */
enum {
    FORESEEN_BLOCK_BYTES = 256, /* bytes of each row of a block if the processor prefetches rows itself */
    MIN_FORESEEN_ROW_BYTES = 1536, /* bytes of rows that it prefetches */
    MIN_FORESEEN_PITCH_BYTES = 2048, /* pitch of rows that it prefetches: few are in one page */
    MAX_CLOSE_PITCH_BYTES = 256, /* pitch of the source up to which tiles are faster on some processors */
    MAX_NARROW_ITEM_BYTES = 2, /* bytes of an element for which a packed block has many short rows */
    NARROW_ROW_BYTES = 512, /* bytes of each row of such a block */
    MIN_WHOLE_ITEM_BYTES = 8, /* bytes of an element for which lines are read once and whole */
    CACHE_PARTS = 64, /* parts of a cache; rows at a distance of all parts share one */
    L1_PART_BYTES = SVI_LINE, /* bytes of a part of L1 */
    L2_PART_BYTES = 1024, /* bytes of a part of L2, which has 16 times as many sets */
    L3_PART_BYTES = 32768, /* bytes of a part of L3, which has 32 times as many sets as L2 */
    MAX_L1_ROWS = 8, /* rows of a block that may share a part of L1: sets have 8 to 12 lines, some for the next rows */
    MAX_L2_ROWS = 8, /* rows that may share a part of L2: sets have 16 lines or fewer, for two blocks */
    MAX_L3_ROWS = 4 /* rows that may share a part of L3, which other threads use too */
};

/* --- what is no whole line ---------------------------------------------------- */

/* Copies strips from row on, at all indices of the axes before outer. */
static void copy_strips(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                        int32_t outer, int64_t row, int64_t end)
{
    struct svi_matrix plane = *m;
    struct svi_odometer at;

    svi_odometer_init(&at, plan, outer, plan->src_axis, m->dst, m->src);
    do {
        plane.dst = at.dst;
        plane.src = at.src;
        for (int64_t j = row; j < end; j += tile->rows)
            svi_matrix_strip(tile, &plane, svi_smaller(j, m->rows - tile->rows));
    } while (svi_odometer_next(&at));
}

bool svi_has_edges(const struct svi_matrix *m, const struct svi_interior *interior)
{
    return interior->rows < m->rows || interior->columns < m->columns || interior->lead > 0;
}

void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_interior *interior)
{
    const struct svi_matrix rest = svi_matrix_part(m, 0, m->rows, interior->columns, m->columns - interior->columns);
    const int32_t outer = plan->ndim - 1;

    copy_strips(tile, plan, m, outer, 0, interior->first);
    copy_strips(tile, plan, m, outer, interior->first + interior->rows, m->rows);
    copy_strips(tile, plan, &rest, outer, 0, rest.columns > 0 ? m->rows : 0);
}

/* If an axis continues the rows: copies the elements before the lead of its first index, and its last index, which is a
 * transpose of its own or, if that axis is the columns, their rest. */
static void copy_first_and_last(const struct svi_host_copy *c, const struct svi_tile *tile, const struct svi_matrix *m,
                                const struct svi_interior *interior)
{
    const int32_t next = interior->next;
    struct svi_matrix first = *m;
    struct svi_plan rest = *c->plan;
    struct svi_host_copy last = *c;

    if (next == rest.src_axis)
        first.columns = tile->columns;
    copy_strips(tile, c->plan, &first, next, 0, interior->lead);
    if (next == rest.src_axis)
        return;
    last.plan = &rest;
    last.dst += (rest.shape[next] - 1) * rest.dst[next];
    last.src += (rest.shape[next] - 1) * rest.src[next];
    svi_part_set_extent(&rest, next, 1);
    if (!svi_run_loop(&svi_loop_blocks_direct_nt, &last) && !svi_run_loop(&svi_loop_blocks_packed_nt, &last))
        svi_loop_tiles.run(&last);
}

/* --- which blocks --------------------------------------------------------------- */

struct blocks {
    struct svi_matrix m;
    const struct svi_tile *tile; /* NULL: none fits */
    struct svi_blocking blocking;
    struct svi_interior interior;
    int64_t ahead;
};

/* Rows of a block: as many as make a run of the destination, or so few that the processor prefetches them itself. */
static int64_t choose_block_rows(const struct svi_tuning *tuning, int64_t item, bool few)
{
    const int64_t run = tuning->block_column_bytes / item;

    return few ? svi_smaller(tuning->foreseen_rows, run) : svi_larger(tuning->block_rows, run);
}

/* Whether at most `most` rows are in any one part of a cache, which has `part` bytes. */
static bool finds_room(const struct svi_axis_group *rows, int64_t part, int most)
{
    const int64_t end = svi_smaller(rows->block, rows->items);
    int count[CACHE_PARTS] = {0};

    for (int64_t k = 0; k < end; k++)
        if (++count[(uint64_t)svi_axis_group_offset(rows, k) / (uint64_t)part % CACHE_PARTS] > most)
            return false;
    return true;
}

/*
 * Rows at a large distance may evict each other before a line is read to its end. Elements of 8 bytes need only eight
 * rows for a line of the destination, so only L3 must keep the prefetched lines; those of 16 bytes need four.
 */
bool svi_stays_in_cache(const struct svi_blocking *blocking)
{
    const struct svi_axis_group *rows = &blocking->rows;

    if (blocking->item >= MIN_WHOLE_ITEM_BYTES)
        return blocking->item > MIN_WHOLE_ITEM_BYTES || finds_room(rows, L3_PART_BYTES, MAX_L3_ROWS);
    return finds_room(rows, L1_PART_BYTES, MAX_L1_ROWS) && finds_room(rows, L2_PART_BYTES, MAX_L2_ROWS);
}

/* Chooses blocks that are read from the source. If their rows are too many for the caches, half of them may fit. */
static bool choose_direct(struct blocks *b, const struct svi_host_copy *c)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const int64_t item = b->m.item;
    const bool foreseen = tuning->foresees_rows && item > MAX_NARROW_ITEM_BYTES &&
                          b->m.columns * item >= MIN_FORESEEN_ROW_BYTES &&
                          svi_abs(b->m.src_pitch) >= MIN_FORESEEN_PITCH_BYTES;
    const int64_t most = choose_block_rows(tuning, item, foreseen);
    const int64_t width = foreseen ? FORESEEN_BLOCK_BYTES : tuning->block_row_bytes;
    struct svi_axis_group *rows = &b->blocking.rows;

    b->ahead = foreseen ? 0 : tuning->direct_prefetch_bytes;
    for (int64_t count = most; count >= most / 2; count /= 2) {
        if (!svi_blocking_choose(&b->blocking, c->plan, &b->m, count, width / item, &b->interior))
            continue;
        if (foreseen && rows->unit == 1)
            rows->block = svi_smaller(rows->block, count);
        if (rows->items * item >= tuning->block_column_bytes && svi_stays_in_cache(&b->blocking))
            return true;
    }
    if ((item <= tuning->packed_item_bytes || svi_abs(b->m.src_pitch) % L3_PART_BYTES == 0) &&
        svi_refuse(c, "rows of a block are few, or share sets of the caches"))
        return false;
    return svi_blocking_choose(&b->blocking, c->plan, &b->m, most, width / item, &b->interior);
}

static bool choose_packed(struct blocks *b, const struct svi_host_copy *c)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const struct svi_matrix *m = &b->m;
    const bool narrow = m->item <= MAX_NARROW_ITEM_BYTES;
    const int64_t rows = choose_block_rows(tuning, m->item, tuning->foresees_rows && !narrow);
    const int64_t columns = (narrow ? NARROW_ROW_BYTES : tuning->packed_row_bytes) / m->item;

    if (tuning->tiles_close_sides && svi_abs(m->src_pitch) <= MAX_CLOSE_PITCH_BYTES &&
        c->plan->reach <= 2 * (uint64_t)c->machine->cache &&
        svi_refuse(c, "rows of the source are close to each other"))
        return false;
    b->ahead = tuning->packed_prefetch_bytes;
    return svi_blocking_choose(&b->blocking, c->plan, m, rows, columns, &b->interior);
}

typedef bool choose_blocks(struct blocks *b, const struct svi_host_copy *c);

static bool choose_nt_blocks(struct blocks *b, const struct svi_host_copy *c, choose_blocks *how)
{
    b->m = svi_matrix_of(c);
    b->tile = svi_tile_of(c);
    return (uintptr_t)c->dst % (uintptr_t)c->plan->item == 0 && how(b, c) &&
           (b->tile != NULL || !svi_has_edges(&b->m, &b->interior));
}

/* --- the loops -------------------------------------------------------------------- */

static bool run_nt_blocks(const struct svi_host_copy *c, choose_blocks *how)
{
    const struct svi_isa *isa = c->machine->isa;
    struct svi_block_run by = {
        .packs = how == choose_packed, .mixes = c->machine->tuning->mixes_loads, .op = SVI_OP_COUNT};
    struct blocks b;
    struct svi_matrix m;

    if (!choose_nt_blocks(&b, c, how))
        return false;
    if (c->machine->tuning->source_order && isa->source_order != NULL && svi_has_dear_edges(&b.m, &b.interior) &&
        svi_refuse(c, "edges are dear, and are carried on in the order of the source"))
        return false;
    if (c->dry_run)
        return true;
    by.ahead = b.ahead;
    b.blocking.by_source = c->machine->tuning->source_order;
    m = svi_matrix_part(&b.m, b.interior.first, b.interior.rows, 0, b.interior.columns);
    if (!svi_run_blocks(&b.blocking, isa, &by, m.dst + b.interior.lead * m.item, m.src))
        return false;
    isa->nt->fence();
    if (svi_has_edges(&b.m, &b.interior))
        svi_host_edges(b.tile, c->plan, &b.m, &b.interior);
    if (b.interior.lead > 0)
        copy_first_and_last(c, b.tile, &b.m, &b.interior);
    return true;
}

static bool blocks_direct_nt(const struct svi_host_copy *c)
{
    return run_nt_blocks(c, choose_direct);
}

const struct svi_loop svi_loop_blocks_direct_nt = {
    .name = "blocks_direct_nt",
    .run = blocks_direct_nt,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "beyond the cache, to whole lines of the destination, block by block",
};

static bool blocks_packed_nt(const struct svi_host_copy *c)
{
    return run_nt_blocks(c, choose_packed);
}

const struct svi_loop svi_loop_blocks_packed_nt = {
    .name = "blocks_packed_nt",
    .run = blocks_packed_nt,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "the same where rows of a block share sets of the caches: packed into a buffer first",
};
