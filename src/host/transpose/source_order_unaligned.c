/*
 * Transposes past the cache whose rows begin anywhere in a line, on Intel's
 * processors. Lines of the source are read once, of so few rows that the
 * processor itself foresees them, and of each row of the destination what is no
 * whole line yet waits for the next of these rows.
 */
#include "alloc.h"
#include "blocks.h"
#include "host/kernels.h"

enum {
    RUN = 128,    /* bytes that each row of the destination gets at a time, */
    ROWS = 32,    /* from so many rows at most, */
    PITCH = 960,  /* which are as many bytes apart; */
    FEW = 16,     /* of items of 12 and 24 bytes from so many, */
    APART = 1536, /* as far apart, */
    SHORT = 256,  /* to rows of the destination of as many bytes at least; */
    BYTES = 1024, /* of those where items are bytes; */
    LONG = 2560,  /* rows of the destination are as long, or nothing goes on with them: parts of lines cost too much */
    SHARE = 4,    /* lines that wait have such a part of the second cache, */
    LINES = 512   /* or are so many */
};

static bool is_aligned(const struct svi_plan *plan, const struct svi_matrix *m)
{
    uintptr_t bits = (uintptr_t)m->dst;

    for (int32_t k = 0; k < plan->ndim; k++)
        bits |= (uintptr_t)plan->dst[k];
    return (bits & (uintptr_t)((m->item & -m->item) - 1)) == 0;
}

/* Whether another axis goes on with the rows of the destination. */
static bool go_on(const struct svi_plan *plan, int64_t nbytes)
{
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->tile && plan->dst[k] == nbytes)
            return true;
    return false;
}

static svi_carries *carries_for(const struct svi_isa *isa, int64_t item)
{
    const int size = __builtin_ctzll((unsigned long long)item);

    if (item >> size == 1 && size < SVI_TILE_ITEMS)
        return isa->carry[size];
    return item >> size == 3 && size < SVI_THIRDS ? isa->carry_thirds[size] : NULL;
}

static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_matrix *m)
{
    const struct svi_isa *isa = machine->isa;
    const bool bytes = m->item == 1, three = m->item % 3 == 0;
    const int64_t nbytes = m->rows * m->item, least = bytes ? BYTES : three ? SHORT : RUN;

    if (!machine->tuning->source_order || !(bytes ? isa->resume[0] != NULL : carries_for(isa, m->item) != NULL))
        return false;
    return svi_abs(m->src_pitch) >= (three ? APART : PITCH) && nbytes >= least &&
           (nbytes >= LONG || !go_on(plan, nbytes)) && is_aligned(plan, m);
}

struct work {
    const struct svi_isa *isa;
    svi_carries *carries; /* NULL: by way of the buffer */
    int64_t rows;         /* that go on at a time, and */
    int64_t most;         /* blocks, whose columns find room */
    char *buffer, *carry;
};

static void by_lines(const struct work *w, const struct svi_part *part)
{
    const struct svi_place *b = &part->block;
    const struct svi_shape *shape = part->shape;
    const int64_t line = svi_items_of_lines(shape->item), pitch = shape->rows.other;
    const bool first = part->row == 0, last = part->row + part->rows == shape->rows.steps;
    const char *from = b->src + part->row * pitch;

    for (int64_t i = 0; i < b->columns; i += line) {
        const bool here = i + line < b->columns;
        const char *next = here ? from + line * shape->item : part->next.src + part->next_row * pitch;

        svi_part_fetch(part, !here, here ? i + line : 0, line);
        w->carries(b->dst + part->row * shape->item, b->offset + i, from, next, pitch, part->rows,
                   part->carry + i * SVI_LINE, first, last);
        from += line * shape->item;
    }
}

/* Rows of some blocks, from where b is on; after the last of them more come of the first. False after all blocks. */
static bool go_on_with(const struct work *w, struct svi_blocks *b, int64_t row)
{
    const struct svi_place first = svi_place_of(b);
    const int64_t all = b->shape->rows.steps, rows = svi_smaller(w->rows, all - row);
    struct svi_part part = {b->shape, first, first, row, rows, row, w->carry};
    bool more, ends;

    for (int64_t left = w->most;; left--) {
        part.block = svi_place_of(b);
        more = svi_blocks_next(b);
        ends = left == 1 || !more;
        if (ends)
            part.next_row = row + rows < all ? row + rows : 0;
        part.next = ends && part.next_row != 0 ? first : svi_place_of(b);
        if (w->carries != NULL)
            by_lines(w, &part);
        else
            svi_band_resume(&part, w->isa, w->buffer);
        if (ends)
            return more;
        part.carry += part.block.columns * SVI_LINE;
    }
}

static void walk(const struct work *w, const struct svi_shape *shape, char *dst, const char *src)
{
    struct svi_blocks first, b;
    bool more;

    svi_blocks_begin(&b, shape, dst, src);
    do {
        first = b;
        for (int64_t row = 0; row < shape->rows.steps; row += w->rows) {
            b = first;
            more = go_on_with(w, &b, row);
        }
    } while (more);
}

static bool run(const struct svi_machine *machine, struct svi_shape *shape, char *dst, const char *src)
{
    const bool bytes = shape->item == 1;
    struct work w = {.isa = machine->isa, .carries = bytes ? NULL : carries_for(machine->isa, shape->item)};
    int64_t columns, lines;
    char *memory;

    if (bytes)
        svi_bands_cut(shape);
    columns = shape->columns.block;
    lines = svi_larger(machine->second / SHARE / SVI_LINE, svi_larger(columns, LINES));
    w.rows = bytes ? RUN : shape->item % 3 == 0 ? FEW : svi_smaller(ROWS, RUN / shape->item);
    w.most = lines / columns;
    memory = svi_malloc((size_t)((lines + 1) * SVI_LINE + (bytes ? svi_band_room(shape, RUN) : 0)));
    if (memory == NULL || !svi_shape_open(shape)) {
        svi_free(memory);
        return false;
    }
    w.carry = svi_line_from(memory);
    w.buffer = w.carry + lines * SVI_LINE;
    walk(&w, shape, dst, src);
    svi_shape_close(shape);
    svi_free(memory);
    machine->isa->fence();
    return true;
}

bool svi_host_carry(const struct svi_host_copy *c, const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_shape shape;
    struct svi_body body;

    if (!is_worth_it(c->machine, plan, m) || !svi_shape_choose_lines(&shape, plan, m, true, &body))
        return false;
    return c->asks || run(c->machine, &shape, m->dst, m->src);
}

bool svi_matrix_carried(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return svi_tile_of(c) != NULL && svi_host_carry(c, c->plan, &m);
}
