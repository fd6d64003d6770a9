/*
 * Transposes past the cache in the order of the source, on Intel's processors.
 * Lines of so few rows that the processor itself reads ahead of them are turned
 * in registers, each read once and whole, and become a line or two of each
 * column, wherever that lies: no row can drive another out of a cache.
 */
#include "alloc.h"
#include "blocks.h"
#include "kernels.h"

enum {
    RUN = 128,        /* bytes that each row of the destination gets at a time, */
    ROWS = 32,        /* from so many rows at most, */
    FEW = 16,         /* or from fewer, of which some are stored as fast: where lines of a column are an odd number
                         apart, so that all lines take turns, and from rows */
    CROWDED = 131072, /* so far apart that they share sets of the second cache; */
    PITCH = 2048,     /* rows are as many bytes apart at least: few of them in one page; */
    NARROW = 2        /* bytes of an item up to which only in the former case: else see bands.c */
};

static bool choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                   struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;
    const bool odd = m->dst_pitch / SVI_LINE % 2 != 0, few = odd || svi_abs(m->src_pitch) % CROWDED == 0;

    if ((m->item <= NARROW && !odd) || !svi_shape_choose_lines(shape, plan, m, false, body))
        return false;
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
        const int64_t columns = svi_blocks_columns(&b), lines = svi_blocks_rows(&b) / line;
        char *to = svi_blocks_dst(&b);
        const char *from = svi_blocks_src(&b);

        more = svi_blocks_next(&b);
        for (int64_t i = 0; i < columns; i += line) {
            const char *next = i + line < columns ? from + SVI_LINE : svi_blocks_src(&b);

            whole(to, shape->columns.offset + i, from, next, pitch, lines);
            from += SVI_LINE;
        }
    } while (more);
}

bool svi_host_whole(const struct svi_machine *machine, const struct svi_tile *tile, int size,
                    const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_shape *shape;
    struct svi_matrix first;
    struct svi_body body;
    bool done;

    if (!machine->intel || machine->isa->whole[size] == NULL || svi_abs(m->src_pitch) < PITCH ||
        (uintptr_t)m->dst % (uintptr_t)m->item != 0)
        return false;
    shape = svi_malloc(sizeof *shape);
    if (shape == NULL)
        return false;
    done = choose(shape, plan, m, &body) && (tile != NULL || !svi_has_edges(m, &body));
    if (done) {
        first = svi_matrix_part(m, body.first, body.rows, 0, body.columns);
        walk(shape, machine->isa->whole[size], first.dst, first.src);
        machine->isa->fence();
        if (svi_has_edges(m, &body))
            svi_host_edges(tile, plan, m, &body);
    }
    svi_free(shape);
    return done;
}
