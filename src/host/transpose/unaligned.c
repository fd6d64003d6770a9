/*
 * Transposes beyond the cache, of elements of any size, to rows of the destination that begin anywhere in a line. The
 * blocks of a column panel are packed into a buffer one after another (block_run.c). A few columns at a time are
 * transposed to a stage, behind the carried partial line of each, and stored by whole lines. Only the ends of rows are
 * stored through the cache.
 */
#include <string.h>

#include "base/checked.h"
#include "host/transpose/blocking.h"
#include "host/base/buffer.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/transpose/block_run.h"
#include "host/transpose/blocks.h"
#include "host/transpose/element_tiles.h"

/* Measured: doc/internals/copy_experiments.md#what-does-a-destination-cost-that-begins-within-a-line. */
enum {
    MAX_BYTES_PANEL_BYTES = 1024, /* bytes of a row of a block of single bytes, which has many rows */
    MIN_RUN_BYTES = 256, /* bytes of each row of the destination that a block makes, at least */
    MAX_RUN_BYTES = 4096, /* bytes of each row of the destination that a block makes, at most */
    MAX_NARROW_PANEL_BYTES = 512, /* bytes of a row of a narrow block */
    NARROW_ROWS_FACTOR = 4, /* a narrow block has so many times as many rows */
    ROW_MULTIPLE = 16, /* rows of a block are a multiple of it */
    MIN_GROUP_COLUMNS = 4, /* columns that are transposed together */
    MIN_ROW_BYTES = 4096, /* bytes of a row of the destination; a shorter row gets further axes */
    MIN_WORTH_ROW_BYTES = 256, /* bytes of such a row, with all its axes, that is worth it */
    MAX_SHIFT_ITEM_BYTES = 24, /* bytes of an element that funnel shifts move */
    MAX_TILED_PITCH_BYTES = 1024, /* pitch of the destination up to which tiles are faster on some processors */
    MAX_TILED_WIDTH_BYTES = 256, /* bytes of a row of the source up to which tiles are faster on some processors */
    MAX_TILED_ROWS = 8192, /* rows of the source up to which they are */
    MIN_TILED_RUN_BYTES = 64, /* with close pitches: tiles are faster for rows of the destination longer than this */
    MIN_TILED_WIDE_RUN_BYTES = 128, /* with short rows of the source: tiles are faster for rows longer than this */
    PAD_BYTES = SVI_LINE /* bytes behind the buffer; elements are moved as whole vectors */
};

struct work {
    const struct svi_isa *isa;
    const struct svi_tile *tile; /* NULL: elements are copied one by one */
    int64_t shift_columns;       /* columns that a funnel shift transposes at a time; 0: no funnel shifts */
    int64_t group;               /* columns on the stage */
    int64_t stage_pitch;         /* bytes from column to column of the stage */
    char *stage;                 /* for each column a line, then its elements of the block */
    char *carry;                 /* for each column of the panel the last line before the block */
};

/* --- a group of columns --------------------------------------------------------- */

/* Transposes columns [first, first + count) of the block to the stage. Tiles may include columns after these. */
static void stage_group(const struct work *w, const struct svi_packed *packed, int64_t first, int64_t count)
{
    const int64_t item = packed->blocks->blocking->item, rows = packed->blocks->rows;
    const char *from = packed->buffer + first * item;
    char *to = w->stage + SVI_LINE;

    for (int64_t k = 0; k < count; k++)
        memcpy(w->stage + k * w->stage_pitch, w->carry + (first + k) * SVI_LINE, SVI_LINE);
    if (w->tile == NULL) {
        for (int64_t k = 0; k < count; k++)
            svi_take_column(to + k * w->stage_pitch, from + k * item, packed->pitch, rows, (size_t)item);
        return;
    }
    for (int64_t row = 0; row < rows; row += w->tile->rows)
        w->tile->run(to + row * item, w->stage_pitch, from + row * packed->pitch, packed->pitch,
                     svi_divide_up(count, w->tile->columns), item);
}

/* Stores the whole lines of the rows on the stage. */
static void flush_group(const struct work *w, const struct svi_packed *packed, int64_t first, int64_t count,
                        bool begins, bool ends)
{
    const struct svi_blocks *b = packed->blocks;
    const int64_t nbytes = b->rows * b->blocking->item;

    for (int64_t k = 0; k < count; k++) {
        svi_store_carried(w->isa->nt->copy, b->dst + b->offset[first + k], w->stage + k * w->stage_pitch + SVI_LINE,
                          nbytes, begins, ends, w->carry + (first + k) * SVI_LINE);
        svi_bring_part(packed->walk, 1, b->columns);
    }
}

/* Transposes columns whose rows continue from and to other blocks in registers, without the stage. */
static void shift_group(const struct work *w, const struct svi_packed *packed, int64_t first)
{
    const struct svi_blocks *b = packed->blocks;
    const int64_t item = b->blocking->item, lines = b->rows * item / SVI_LINE;
    char *to[SVI_UNIT];

    for (int64_t k = 0; k < w->shift_columns; k++)
        to[k] = b->dst + b->offset[first + k];
    w->isa->shift->columns(to, packed->buffer + first * item, packed->pitch, lines, w->carry + first * SVI_LINE, item);
    svi_bring_part(packed->walk, w->shift_columns, b->columns);
}

/* Whether columns are aligned to elements, or to the largest power of 2 of bytes, up to 4, that divides elements. */
static bool has_aligned_columns(const struct svi_blocks *b)
{
    const int64_t item = b->blocking->item;
    uintptr_t bits = (uintptr_t)b->dst;

    for (int64_t k = 0; k < b->columns; k++)
        bits |= (uintptr_t)b->offset[k];
    return bits % (uintptr_t)svi_smaller(item & -item, 4) == 0;
}

static void store_shifted_block(void *work, const struct svi_packed *packed)
{
    const struct work *w = work;
    const struct svi_blocks *b = packed->blocks;
    const struct svi_odometer_axis *rows = &b->at.axis[b->row_axis];
    const bool begins = rows->index == 0, ends = rows->index == rows->extent - 1;
    const bool shifts = !begins && !ends && w->shift_columns > 0 && has_aligned_columns(b);

    for (int64_t k = 0; k < b->columns;) {
        const int64_t count = svi_smaller(w->group, b->columns - k);

        if (shifts && count >= w->shift_columns) {
            shift_group(w, packed, k);
            k += w->shift_columns;
            continue;
        }
        stage_group(w, packed, k, count);
        flush_group(w, packed, k, count, begins, ends);
        k += count;
    }
}

/* --- which blocks ------------------------------------------------------------------ */

/* The tile for elements of 2^n or 3 * 2^n bytes. */
static const struct svi_tile *tile_of(const struct svi_isa *isa, int64_t item)
{
    const int size = __builtin_ctzll((unsigned long long)item);
    const struct svi_tile *tile = NULL;

    if (item >> size == 1 && size < SVI_TILE_ITEMS)
        tile = &isa->store[size];
    else if (item >> size == 3 && size < SVI_THIRDS)
        tile = &isa->store_thirds[size];
    return tile != NULL && tile->rows > 0 ? tile : NULL;
}

/* Chooses columns of a line at least, then rows, then more columns, since an axis may continue both. */
static void choose_axes(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                        int64_t columns)
{
    bool first[SVI_PLAN_NDIM] = {false}, taken[SVI_PLAN_NDIM];

    first[plan->src_axis] = first[plan->ndim - 1] = true;
    svi_axis_group_make(&blocking->columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch,
                        svi_items_of_lines(plan->item), first);
    memcpy(taken, first, sizeof taken);
    svi_axis_group_make(&blocking->rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, MIN_ROW_BYTES / plan->item,
                        taken);
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        taken[k] = k == plan->src_axis || (taken[k] && !first[k]);
    svi_axis_group_make(&blocking->columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, columns, taken);
    svi_blocking_outer(blocking, plan, taken);
}

/* Cuts columns into panels of about the same width, of at most `columns`. False: these are less than a line. */
static bool cut_columns(struct svi_blocking *blocking, int64_t columns, int64_t line)
{
    const int64_t items = blocking->columns.items, panels = svi_divide_up(items, columns);

    svi_blocking_cut_columns(blocking, svi_round_up(svi_divide_up(items, panels), line));
    return items >= line;
}

/* Chooses blocks. False: the loop is not worth it. */
static bool choose_unaligned(struct work *w, struct svi_blocking *blocking, const struct svi_machine *machine,
                             const struct svi_plan *plan, const struct svi_matrix *m)
{
    const struct svi_tuning *tuning = machine->tuning;
    const int64_t item = plan->item, bytes = tuning->unaligned_panel_bytes, line = svi_items_of_lines(item);
    const int64_t columns = svi_larger((item == 1 ? svi_smaller(MAX_BYTES_PANEL_BYTES, bytes) : bytes) / item, line);
    int64_t rows = svi_larger(svi_smaller(tuning->unaligned_rows, MAX_RUN_BYTES / item), MIN_RUN_BYTES / item);

    w->tile = tile_of(w->isa, item);
    if (w->isa->shift != NULL && item <= MAX_SHIFT_ITEM_BYTES && (w->isa->shift->items >> item & 1) != 0)
        w->shift_columns = item % 3 == 0 ? w->tile->columns : SVI_UNIT / item;
    w->group = svi_larger(MIN_GROUP_COLUMNS, SVI_LINE / item);
    rows = svi_larger(rows / ROW_MULTIPLE, 1) * ROW_MULTIPLE;
    if (w->tile != NULL) {
        w->group = svi_round_up(w->group, w->tile->columns);
        rows = svi_round_up(rows, w->tile->rows);
    }
    blocking->item = item;
    choose_axes(blocking, plan, m, columns);
    blocking->down = true;
    if (blocking->rows.items * item < MIN_WORTH_ROW_BYTES || blocking->columns.items * item < SVI_LINE)
        return false;
    blocking->columns.block = blocking->columns.items;
    if (!svi_blocking_is_dense(blocking) && !cut_columns(blocking, columns, line))
        return false;
    if (blocking->columns.items * item < MAX_NARROW_PANEL_BYTES)
        rows *= NARROW_ROWS_FACTOR;
    blocking->rows.block = rows; /* perhaps more than there are; tiles read them */
    w->stage_pitch = svi_odd_lines(SVI_LINE + rows * item + PAD_BYTES);
    return true;
}

static bool run_unaligned(const struct svi_host_copy *c, const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_blocking blocking;
    struct work w = {.isa = c->machine->isa};
    const struct svi_block_run by = {.packs = true,
                                     .ahead = c->machine->tuning->unaligned_prefetch_bytes,
                                     .op = SVI_OP_COUNT,
                                     .store = store_shifted_block,
                                     .work = &w};
    int64_t stage;
    bool done;

    if (!choose_unaligned(&w, &blocking, c->machine, plan, m))
        return false;
    if (c->dry_run)
        return true;
    stage = w.group * w.stage_pitch + PAD_BYTES;
    w.stage = svi_scratch_new((size_t)(stage + svi_axis_group_largest(&blocking.columns) * SVI_LINE));
    if (w.stage == NULL)
        return false;
    w.carry = w.stage + stage;
    done = svi_run_blocks(&blocking, w.isa, &by, m->dst, m->src);
    svi_scratch_free(w.stage);
    w.isa->nt->fence();
    return done;
}

static bool can_stream(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL;
}

/* Whether rows of the destination are close to each other, or rows of the source are short. */
static bool has_close_sides(const struct svi_matrix *m)
{
    const int64_t run = m->rows * m->item;

    if (m->item > 1 && run > MIN_TILED_RUN_BYTES && m->dst_pitch <= MAX_TILED_PITCH_BYTES)
        return true;
    return run > MIN_TILED_WIDE_RUN_BYTES && m->rows <= MAX_TILED_ROWS && m->columns * m->item <= MAX_TILED_WIDTH_BYTES;
}

static bool refuses_close_sides(const struct svi_host_copy *c)
{
    struct svi_matrix m;

    if (svi_refuses_unaligned(c))
        return true;
    if (!c->machine->tuning->tiles_close_sides || svi_tile_of(c) == NULL)
        return false;
    m = svi_matrix_of(c);
    return has_close_sides(&m) && svi_refuse(c, "rows of a side are close to each other");
}

static bool unaligned_nt(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return run_unaligned(c, c->plan, &m);
}

const struct svi_loop svi_loop_unaligned_nt = {
    .name = "unaligned_nt",
    .can = can_stream,
    .refuses = refuses_close_sides,
    .run = unaligned_nt,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "beyond the cache, to rows that begin anywhere in a line",
};

static bool unaligned_odd(const struct svi_host_copy *c)
{
    struct svi_plan plan;
    struct svi_matrix m;

    return svi_odd_matrix(c, &plan, &m) && run_unaligned(c, &plan, &m);
}

const struct svi_loop svi_loop_unaligned_odd = {
    .name = "unaligned_odd",
    .can = can_stream,
    .refuses = svi_refuses_odd,
    .run = unaligned_odd,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "elements of odd sizes, or short rows, beyond the cache",
};
