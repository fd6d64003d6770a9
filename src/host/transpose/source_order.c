/*
 * Transposes in the order of the source, by non-temporal stores (tuning: source_order). A few rows, which the processor
 * prefetches itself, are read by whole lines, each once, transposed in registers, and become a line or two of each
 * column, so no row can evict another from a cache. Elements of 1 or 2 bytes need more rows for a line and are packed
 * to a row panel first. If columns begin anywhere in a line, the partial line of each is carried on to its next rows.
 */
#include <string.h>

#include "base/checked.h"
#include "base/alloc.h"
#include "host/transpose/blocking.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/transpose/blocks.h"
#include "host/transpose/blocks_nt.h"
#include "host/transpose/element_tiles.h"

/* Measured: doc/internals/copy_experiments.md#where-is-the-order-of-the-source-faster. */
enum {
    THIRDS_ROWS = 16, /* rows of elements of 12 and 24 bytes that are read at a time */
    MAX_PANEL_ITEM_BYTES = 2, /* bytes of an element that is transposed by a panel */
    MIN_UNALIGNED_PITCH_BYTES = 960, /* pitch of rows if columns begin anywhere in a line */
    MIN_THIRDS_PITCH_BYTES = 1536, /* the same for elements of 12 and 24 bytes */
    MIN_THIRDS_COLUMN_BYTES = 256, /* bytes of a column of elements of 12 and 24 bytes */
    MIN_BYTES_COLUMN_BYTES = 1024, /* bytes of a column of single bytes */
    MIN_JOINED_COLUMN_BYTES =
        2560, /* bytes of a column that the next one follows directly; partial lines of shorter ones cost more */
    MIN_CARRIED_LINES = 512 /* partial lines that are carried */
};

/* Some rows of a block. */
struct part {
    struct svi_columns to; /* where its columns go on */
    const char *src;
    const char *next;      /* what is read after it */
    int64_t rows, columns;
};

struct work {
    const struct svi_isa *isa;
    const struct svi_blocking *blocking;
    bool by_panel;           /* elements are short */
    int64_t rows;            /* that are read at a time, of so many */
    int64_t blocks;          /* that are continued together: their columns find room in carry */
    char *carry;             /* a line of each column; NULL: they are whole lines, so none is carried */
    char *panel;
};

/* Skips count columns. */
static void next_columns(struct svi_columns *to, int64_t count)
{
    to->column += count;
    if (to->carry != NULL)
        to->carry += count * SVI_LINE;
}

static void run_lines(const struct work *w, const struct part *part)
{
    const int64_t item = w->blocking->item, line = svi_items_of_lines(item), pitch = w->blocking->rows.other;
    struct svi_columns to = part->to;
    const char *from = part->src;

    for (int64_t i = 0; i < part->columns; i += line, from += line * item) {
        const char *next = i + line < part->columns ? from + line * item : part->next;

        w->isa->source_order->lines(&to, from, next, pitch, part->rows, item);
        next_columns(&to, line);
    }
}

/* --- by way of a row panel ---------------------------------------------------------- */

/* Packs rows [row, end), multiples of SVI_PACKED_ROWS, to a panel that has room for `laid` rows. */
static void pack_panel_rows(const struct work *w, int64_t laid, int64_t width, int64_t row, int64_t end,
                            const char *src, int64_t pitch, const char *next)
{
    const int64_t item = w->blocking->item, group = SVI_PACKED_ROWS * pitch, column = item * SVI_LINE / SVI_UNIT;

    for (; row < end; row += SVI_PACKED_ROWS, src += group)
        for (int64_t at = 0; at < width; at += SVI_LINE) {
            const char *below = row + SVI_PACKED_ROWS < end ? src + group : next;
            const char *after = at + SVI_LINE < width ? src + at + SVI_LINE : below;

            w->isa->source_order->pack_rows(w->panel + at * laid + row * column, laid * column, src + at, after, pitch,
                                            item);
        }
}

static void run_panel(const struct work *w, const struct part *part)
{
    const int64_t item = w->blocking->item, width = part->columns * item, line = SVI_LINE / item, rows = part->rows;
    const int64_t pitch = w->blocking->rows.other, laid = svi_round_up(rows, line);
    const int64_t whole = rows - rows % SVI_PACKED_ROWS;
    struct svi_columns to = part->to;
    char *rest = w->panel + laid * width;

    pack_panel_rows(w, laid, width, 0, whole, part->src, pitch, part->next);
    for (int64_t k = whole; k < rows; k++)
        memcpy(rest + (k - whole) * width, part->src + k * pitch, (size_t)width);
    pack_panel_rows(w, laid, width, whole, rows, rest, width, rest);
    for (int64_t i = 0; i < part->columns; i += line) {
        w->isa->source_order->store_panel(&to, w->panel + i * item * laid, rows * item, item);
        next_columns(&to, line);
    }
}

/* --- all blocks --------------------------------------------------------------------- */

/* Transposes rows of w->blocks blocks, from the block of b on, and then more rows of the first of them. False after all
 * blocks. */
static bool run_rows(const struct work *w, struct svi_blocks *b, int64_t row)
{
    const int64_t all = w->blocking->rows.steps, rows = svi_smaller(w->rows, all - row);
    const int64_t pitch = w->blocking->rows.other;
    const char *const more_rows = row + rows < all ? b->src + (row + rows) * pitch : NULL;
    struct part part = {.to = {.carry = w->carry, .first = row == 0, .last = row + rows == all}, .rows = rows};
    bool more, ends;

    for (int64_t left = w->blocks;; left--) {
        part.to.dst = b->dst + row * w->blocking->item;
        part.to.column = b->offset;
        part.src = b->src + row * pitch;
        part.columns = b->columns;
        more = svi_blocks_next(b);
        ends = left == 1 || !more;
        part.next = !ends ? b->src + row * pitch : more_rows != NULL ? more_rows : b->src;
        if (!w->by_panel)
            run_lines(w, &part);
        else
            run_panel(w, &part);
        if (ends)
            return more;
        if (w->carry != NULL)
            part.to.carry += part.columns * SVI_LINE;
    }
}

static void run_panels(struct work *w, char *dst, const char *src)
{
    struct svi_blocks first, b;
    bool more;

    svi_blocks_begin(&b, w->blocking, dst, src);
    if (w->carry == NULL)
        w->blocks = svi_blocks_count(&b, b.row_axis + 1); /* that have the same rows */
    do {
        first = b;
        for (int64_t row = 0; row < w->blocking->rows.steps; row += w->rows) {
            b = first;
            more = run_rows(w, &b, row);
        }
    } while (more);
    w->isa->nt->fence();
}

/* --- how ---------------------------------------------------------------------------- */

static int64_t choose_source_rows(const struct work *w, const struct svi_tuning *tuning, const struct svi_matrix *m)
{
    const int64_t item = m->item, all = tuning->source_order_column_bytes / item;

    if (w->by_panel)
        return all;
    if (item % 3 == 0)
        return THIRDS_ROWS;
    return svi_larger(SVI_LINE / item, svi_smaller(tuning->source_order_rows, all));
}

/* Runs all blocks. False: out of memory. */
static bool run_source_order(const struct svi_machine *machine, struct svi_blocking *blocking,
                             const struct svi_matrix *m, bool aligned)
{
    const struct svi_tuning *tuning = machine->tuning;
    struct work w = {machine->isa, blocking, .by_panel = m->item <= MAX_PANEL_ITEM_BYTES};
    const int64_t item = m->item, room = machine->l2_bytes / 64 * tuning->carried_l2_64ths / SVI_LINE;
    int64_t columns, carried = 0, packed = 0;
    char *memory;

    if (w.by_panel)
        svi_blocking_cut_columns(blocking, tuning->panel_row_bytes / item);
    columns = blocking->columns.block;
    w.rows = choose_source_rows(&w, tuning, m);
    if (!aligned)
        carried = svi_larger(room, svi_larger(columns, MIN_CARRIED_LINES)) * SVI_LINE;
    if (w.by_panel)
        packed = columns * item * (w.rows + SVI_PACKED_ROWS);
    w.blocks = carried / SVI_LINE / columns;
    memory = svi_malloc((size_t)(carried + packed + SVI_LINE));
    if (memory == NULL || !svi_blocking_open(blocking)) {
        svi_free(memory);
        return false;
    }
    w.panel = svi_line_from(memory) + carried;
    w.carry = aligned ? NULL : svi_line_from(memory);
    run_panels(&w, m->dst, m->src);
    svi_blocking_close(blocking);
    svi_free(memory);
    return true;
}

/* Whether the order of the source is ever faster on this processor. */
static bool is_for_source_order(const struct svi_tuning *tuning)
{
    return tuning->source_order || tuning->source_order_crowded;
}

static bool can_read_lines(const struct svi_host_copy *c)
{
    return c->machine->isa->source_order != NULL;
}

static bool refuses_source_order(const struct svi_host_copy *c)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const struct svi_matrix m = svi_matrix_of(c);
    const int64_t pitch = (int64_t)svi_abs(m.src_pitch);

    if (!is_for_source_order(tuning))
        return svi_reject(c, "this processor reads blocks in place as fast");
    if (pitch < tuning->source_order_pitch_bytes)
        return svi_reject(c, "its rows are near to each other");
    return !tuning->source_order && svi_would_run(&svi_loop_blocks_direct_nt, c) &&
           svi_reject(c, "blocks are read in place");
}

static bool source_order(const struct svi_host_copy *c)
{
    const struct svi_tile *tile = svi_tile_of(c);
    const struct svi_matrix m = svi_matrix_of(c);
    struct svi_blocking blocking;
    struct svi_matrix first;
    struct svi_interior interior;

    if ((uintptr_t)m.dst % (uintptr_t)m.item != 0 ||
        !svi_blocking_choose_lines(&blocking, c->plan, &m, false, &interior) ||
        (tile == NULL && svi_has_edges(&m, &interior)))
        return false;
    if (svi_has_dear_edges(&m, &interior) && svi_reject(c, "edges are dear"))
        return false;
    if (c->dry_run)
        return true;
    first = svi_matrix_part(&m, interior.first, interior.rows, 0, interior.columns);
    if (!run_source_order(c->machine, &blocking, &first, true))
        return false;
    if (svi_has_edges(&m, &interior))
        svi_host_edges(tile, c->plan, &m, &interior);
    return true;
}

const struct svi_loop svi_loop_source_order = {
    .name = "source_order",
    .can = can_read_lines,
    .refuses = refuses_source_order,
    .run = source_order,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "beyond the cache, source line by source line, to whole lines (Intel)",
};

/* --- columns that begin anywhere in a line ---------------------------------------------- */

/* Whether columns are aligned to elements, or to the largest power of 2 of bytes that divides elements. */
static bool is_dst_aligned(const struct svi_plan *plan, const struct svi_matrix *m)
{
    uintptr_t bits = (uintptr_t)m->dst;

    for (int32_t k = 0; k < plan->ndim; k++)
        bits |= (uintptr_t)plan->dst[k];
    return (bits & (uintptr_t)((m->item & -m->item) - 1)) == 0;
}

/* Whether another axis continues the columns in the destination. */
static bool are_joined(const struct svi_plan *plan, int64_t nbytes)
{
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->src_axis && plan->dst[k] == nbytes)
            return true;
    return false;
}

static bool has_lines(int64_t item)
{
    return (item <= SVI_PLAN_ITEM && (item & (item - 1)) == 0) || item == 12 || item == 24;
}

static bool is_worth_carrying(const struct svi_tuning *tuning, const struct svi_plan *plan, const struct svi_matrix *m)
{
    const bool bytes = m->item == 1, three = m->item % 3 == 0;
    const int64_t nbytes = m->rows * m->item;
    const int64_t least = bytes ? MIN_BYTES_COLUMN_BYTES : three ? MIN_THIRDS_COLUMN_BYTES : tuning->carried_row_bytes;

    return svi_abs(m->src_pitch) >= (three ? MIN_THIRDS_PITCH_BYTES : MIN_UNALIGNED_PITCH_BYTES) && nbytes >= least &&
           (nbytes >= MIN_JOINED_COLUMN_BYTES || !are_joined(plan, nbytes));
}

static bool carry_lines(const struct svi_host_copy *c, const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_blocking blocking;
    struct svi_interior interior;

    if (!has_lines(m->item) || !is_dst_aligned(plan, m))
        return false;
    if (!is_for_source_order(c->machine->tuning) && svi_reject(c, "this processor reads blocks in place as fast"))
        return false;
    if (!is_worth_carrying(c->machine->tuning, plan, m) && svi_reject(c, "rows are near, or columns short"))
        return false;
    if (!svi_blocking_choose_lines(&blocking, plan, m, true, &interior))
        return false;
    return c->dry_run || run_source_order(c->machine, &blocking, m, false);
}

static bool source_order_unaligned(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return svi_tile_of(c) != NULL && carry_lines(c, c->plan, &m);
}

const struct svi_loop svi_loop_source_order_unaligned = {
    .name = "source_order_unaligned",
    .can = can_read_lines,
    .refuses = svi_refuses_unaligned,
    .run = source_order_unaligned,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "beyond the cache, source line by source line, to rows that begin anywhere",
};

static bool source_order_odd(const struct svi_host_copy *c)
{
    struct svi_plan plan;
    struct svi_matrix m;

    return svi_odd_matrix(c, &plan, &m) && carry_lines(c, &plan, &m);
}

const struct svi_loop svi_loop_source_order_odd = {
    .name = "source_order_odd",
    .can = can_read_lines,
    .refuses = svi_refuses_odd,
    .run = source_order_odd,
    .late = true,
    .stores = SVI_STORES_NT,
    .what = "elements of odd sizes beyond the cache, source line by source line (Intel)",
};
