/*
 * Items of so few bytes that it takes many rows to make lines of a column: some
 * are read at a time, no more than the processor itself reads ahead of, a long
 * piece of each, and wait in a buffer for the others.
 */
#include <string.h>

#include "alloc.h"
#include "blocks.h"

enum { WIDTH = 2048 }; /* bytes of a piece */

void svi_bands_cut(struct svi_shape *shape)
{
    svi_shape_cut_columns(shape, WIDTH / shape->item);
}

/* Pieces of rows, SVI_LAID times some, that go to a buffer for as many rows as it is laid out for. */
struct band {
    svi_lays *lays;
    char *buffer;
    int64_t item, width, pitch; /* bytes */
    int64_t laid;               /* rows */
};

/* Rows [row, end) from src on; what comes next is at next. */
static void lay(const struct band *d, int64_t row, int64_t end, const char *src, const char *next)
{
    const int64_t step = d->laid * d->item * SVI_LINE / 16;

    for (; row < end; row += SVI_LAID, src += SVI_LAID * d->pitch)
        for (int64_t at = 0; at < d->width; at += SVI_LINE) {
            const char *after = at + SVI_LINE < d->width ? src + at + SVI_LINE :
                                row + SVI_LAID < end     ? src + SVI_LAID * d->pitch :
                                                           next;

            d->lays(d->buffer + at * d->laid + row * d->item * SVI_LINE / 16, step, src + at, after, d->pitch);
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
        struct band band;

        b = next;
        more = svi_blocks_next(&next);
        band = (struct band){lays, buffer, item, b.columns * item, shape->rows.other, b.rows};
        lay(&band, 0, b.rows, b.src, next.src);
        for (int64_t at = 0; at < band.width; at += SVI_LINE)
            raises(b.dst, b.offset + at / item, buffer + at * b.rows, b.rows * item / SVI_LINE);
    } while (more);
}

bool svi_bands(const struct svi_shape *shape, const struct svi_isa *isa, int size, char *dst, const char *src)
{
    const int64_t width = shape->columns.block * shape->item;
    char *memory = svi_malloc((size_t)(width * shape->rows.block + SVI_LINE));

    if (memory == NULL)
        return false;
    walk(shape, isa->lay[size], isa->raise[size], dst, src, svi_line_from(memory));
    svi_free(memory);
    return true;
}

/* --- columns that begin anywhere in a line ---------------------------------------- */

int64_t svi_band_room(const struct svi_shape *shape, int64_t rows)
{
    return shape->columns.block * shape->item * (rows + SVI_LAID);
}

/* The rows that are too few to be laid; after a copy of them. */
static void lay_last(struct band *d, int64_t row, int64_t end, const char *src, char *rows)
{
    for (int64_t k = row; k < end; k++)
        memcpy(rows + (k - row) * d->width, src + (k - row) * d->pitch, (size_t)d->width);
    d->pitch = d->width;
    lay(d, row, end, rows, rows);
}

/* Of bytes, the only ones that have no quicker way. */
void svi_band_resume(const struct svi_part *part, const struct svi_isa *isa, char *buffer)
{
    const struct svi_place *b = &part->block;
    const int64_t pitch = part->shape->rows.other, rows = part->rows, whole = rows / SVI_LAID * SVI_LAID;
    const int64_t laid = (rows + SVI_LINE - 1) / SVI_LINE * SVI_LINE;
    const bool first = part->row == 0, last = part->row + rows == part->shape->rows.steps;
    struct band band = {isa->lay[0], buffer, 1, b->columns, pitch, laid};
    const char *src = b->src + part->row * pitch;

    lay(&band, 0, whole, src, part->next.src + part->next_row * pitch);
    if (whole < rows)
        lay_last(&band, whole, rows, src + whole * pitch, buffer + laid * band.width);
    for (int64_t at = 0; at < band.width; at += SVI_LINE) {
        if (at + SVI_LINE < band.width)
            svi_part_fetch(part, false, at + SVI_LINE, SVI_LINE);
        isa->resume[0](b->dst + part->row, b->offset + at, buffer + at * laid, rows, part->carry + at * SVI_LINE,
                       first, last);
    }
}
