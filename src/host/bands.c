/*
 * Transposes of bytes and pairs of them past the cache in the order of the
 * source, on Intel's processors. Of so many rows as it takes to make a line or
 * two of each column some are read at a time, no more than the processor itself
 * reads ahead of, a long piece of each; they wait in a buffer for the others.
 */
#include "alloc.h"
#include "blocks.h"
#include "kernels.h"

enum {
    RUN = 128,    /* bytes that each row of the destination gets at a time, */
    WIDTH = 2048, /* from pieces of rows of as many bytes; */
    PITCH = 2048  /* rows are as many bytes apart at least: few of them in one page */
};

/* Pairs that stay in the caches are as fast or faster from there. */
static bool choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                   struct svi_body *body)
{
    struct svi_side *columns = &shape->columns;
    int64_t block;

    if (!svi_shape_choose_lines(shape, plan, m, false, body))
        return false;
    block = columns->unit * columns->block;
    svi_side_cut_anywhere(columns, svi_larger(WIDTH / m->item / block, 1) * block);
    svi_side_cut_anywhere(&shape->rows, RUN / m->item);
    return m->item == 1 || !svi_stays_in_cache(shape);
}

/* A block goes to the buffer; what comes next is at next. */
static void lay(const struct svi_blocks *b, svi_lays *lays, int64_t rows, int64_t width, const char *next, char *buffer)
{
    const int64_t item = b->shape->item, pitch = b->shape->rows.other, step = rows * item * SVI_LINE / 16;
    const char *src = svi_blocks_src(b);

    for (int64_t row = 0; row < rows; row += SVI_LAID)
        for (int64_t at = 0; at < width; at += SVI_LINE) {
            const char *from = src + row * pitch + at;
            const char *after = at + SVI_LINE < width ? from + SVI_LINE :
                                row + SVI_LAID < rows ? src + (row + SVI_LAID) * pitch :
                                                        next;

            lays(buffer + at * rows + row * item * SVI_LINE / 16, step, from, after, pitch);
        }
}

static void walk(const struct svi_shape *shape, svi_lays *lays, svi_raises *raises, char *dst, const char *src,
                 char *buffer)
{
    const int64_t item = shape->item;
    struct svi_blocks b, next;
    bool more;

    svi_blocks_begin(&next, shape, dst, src);
    do {
        int64_t rows, width;

        b = next;
        more = svi_blocks_next(&next);
        rows = svi_blocks_rows(&b);
        width = svi_blocks_columns(&b) * item;
        lay(&b, lays, rows, width, svi_blocks_src(&next), buffer);
        for (int64_t at = 0; at < width; at += SVI_LINE)
            raises(svi_blocks_dst(&b), shape->columns.offset + at / item, buffer + at * rows, rows * item / SVI_LINE);
    } while (more);
}

static bool run(const struct svi_machine *machine, int size, const struct svi_shape *shape, char *dst, const char *src)
{
    const int64_t width = shape->columns.unit * shape->columns.block * shape->item;
    char *buffer = svi_malloc((size_t)(width * shape->rows.block));

    if (buffer == NULL)
        return false;
    walk(shape, machine->isa->lay[size], machine->isa->raise[size], dst, src, buffer);
    svi_free(buffer);
    machine->isa->fence();
    return true;
}

bool svi_host_bands(const struct svi_machine *machine, const struct svi_tile *tile, int size,
                    const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_shape *shape;
    struct svi_matrix first;
    struct svi_body body;
    bool done;

    if (!machine->intel || machine->isa->lay[size] == NULL || svi_abs(m->src_pitch) < PITCH ||
        (uintptr_t)m->dst % (uintptr_t)m->item != 0)
        return false;
    shape = svi_malloc(sizeof *shape);
    if (shape == NULL)
        return false;
    done = choose(shape, plan, m, &body) && (tile != NULL || !svi_has_edges(m, &body));
    if (done) {
        first = svi_matrix_part(m, body.first, body.rows, 0, body.columns);
        done = run(machine, size, shape, first.dst, first.src);
    }
    svi_free(shape);
    if (done && svi_has_edges(m, &body))
        svi_host_edges(tile, plan, m, &body);
    return done;
}
