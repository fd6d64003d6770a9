/*
 * Items of so few bytes that it takes many rows to make lines of a column: some
 * are read at a time, no more than the processor itself reads ahead of, a long
 * piece of each, and wait in a buffer for the others.
 */
#include "alloc.h"
#include "blocks.h"

enum { WIDTH = 2048 }; /* bytes of a piece */

void svi_bands_cut(struct svi_shape *shape, int64_t rows)
{
    const int64_t line = SVI_LINE / shape->item, width = WIDTH / shape->item;

    svi_side_cut_anywhere(&shape->columns, svi_smaller(width, svi_side_items(&shape->columns) / line * line));
    svi_side_cut_anywhere(&shape->rows, rows);
}

/* A block goes to the buffer; what comes next is at next. */
static void lay(const struct svi_blocks *b, svi_lays *lays, int64_t rows, int64_t width, const char *next, char *buffer)
{
    const int64_t item = b->shape->item, pitch = b->shape->rows.other, step = rows * item * SVI_LINE / 16;
    const char *src = b->src;

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
        rows = b.rows;
        width = b.columns * item;
        lay(&b, lays, rows, width, next.src, buffer);
        for (int64_t at = 0; at < width; at += SVI_LINE)
            raises(b.dst, b.offset + at / item, buffer + at * rows, rows * item / SVI_LINE);
    } while (more);
}

bool svi_bands(const struct svi_shape *shape, const struct svi_isa *isa, int size, char *dst, const char *src)
{
    const int64_t width = shape->columns.block * shape->item;
    char *buffer = svi_malloc((size_t)(width * shape->rows.block));

    if (buffer == NULL)
        return false;
    walk(shape, isa->lay[size], isa->raise[size], dst, src, buffer);
    svi_free(buffer);
    return true;
}
