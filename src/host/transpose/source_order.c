/*
 * Transposes past the cache in the order of the source, on Intel's processors.
 * Lines of so few rows that the processor itself reads ahead of them are turned
 * in registers, each read once and whole, and become a line or two of each
 * column, wherever that lies: no row can drive another out of a cache. Bytes,
 * of which it takes more rows to make a line, go by way of a buffer.
 */
#include "blocks.h"
#include "host/kernels.h"

enum {
    RUN = 128,        /* bytes that each row of the destination gets at a time, */
    ROWS = 32,        /* from so many rows at most, */
    FEW = 16,         /* or from fewer, of which some are stored as fast: where lines of a column are an odd number
                         apart, so that all lines take turns, and from rows */
    CROWDED = 131072, /* so far apart that they share sets of the second cache; */
    PITCH = 2048,     /* rows are as many bytes apart at least: few of them in one page; */
    NARROW = 2        /* bytes of an item that make lines so in the former case only; shorter ones never do */
};

static bool is_odd(const struct svi_matrix *m)
{
    return m->dst_pitch / SVI_LINE % 2 != 0;
}

static bool takes_bands(const struct svi_matrix *m)
{
    return m->item < NARROW || (m->item == NARROW && !is_odd(m));
}

static bool choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                   struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;
    const bool few = is_odd(m) || svi_abs(m->src_pitch) % CROWDED == 0;

    if (!svi_shape_choose_lines(shape, plan, m, false, body))
        return false;
    if (takes_bands(m)) {
        svi_bands_cut(shape);
        svi_side_cut_anywhere(&shape->rows, RUN / m->item);
        return true;
    }
    shape->rows.block = svi_larger(line, svi_smaller(few ? FEW : ROWS, RUN / m->item));
    return true;
}

static void walk(const struct svi_shape *shape, svi_wholes *whole, char *dst, const char *src)
{
    const int64_t line = SVI_LINE / shape->item, pitch = shape->rows.other;
    struct svi_blocks b;
    bool more;

    svi_blocks_begin(&b, shape, dst, src);
    do {
        const int64_t columns = b.columns, lines = b.rows / line, *offset = b.offset;
        char *to = b.dst;
        const char *from = b.src;

        more = svi_blocks_next(&b);
        for (int64_t i = 0; i < columns; i += line) {
            const char *next = i + line < columns ? from + SVI_LINE : b.src;

            whole(to, offset + i, from, next, pitch, lines);
            from += SVI_LINE;
        }
    } while (more);
}

static bool run(const struct svi_shape *shape, const struct svi_isa *isa, int size, const struct svi_matrix *m)
{
    if (takes_bands(m)) {
        if (!svi_bands(shape, isa, size, m->dst, m->src))
            return false;
    } else {
        walk(shape, isa->whole[size], m->dst, m->src);
    }
    isa->fence();
    return true;
}

bool svi_matrix_by_source(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;
    const struct svi_tile *tile = svi_tile_of(c);
    const struct svi_matrix m = svi_matrix_of(c);
    struct svi_shape shape;
    struct svi_matrix first;
    struct svi_body body;
    bool done;

    if (!c->machine->tuning->source_order || isa->whole[SVI_TILE_ITEMS - 1] == NULL || svi_abs(m.src_pitch) < PITCH ||
        (uintptr_t)m.dst % (uintptr_t)m.item != 0)
        return false;
    if (!choose(&shape, c->plan, &m, &body) || (tile == NULL && svi_has_edges(&m, &body)))
        return false;
    if (c->asks)
        return true;
    if (!svi_shape_open(&shape))
        return false;
    first = svi_matrix_part(&m, body.first, body.rows, 0, body.columns);
    done = run(&shape, isa, svi_size_of(c->plan), &first);
    svi_shape_close(&shape);
    if (done && svi_has_edges(&m, &body))
        svi_host_edges(tile, c->plan, &m, &body);
    return done;
}
