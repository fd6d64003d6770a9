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
    const int64_t line = SVI_LINE / shape->item, width = WIDTH / shape->item;

    svi_side_cut_anywhere(&shape->columns, svi_smaller(width, svi_side_items(&shape->columns) / line * line));
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

/* Memory for the widest block. */
struct room {
    char *buffer; /* SVI_BAND bytes of each column, */
    char *rows;   /* SVI_LAID rows of which some are not there, */
    char *kept;   /* and what waits of each column */
};

/* The rows that are too few to be laid. */
static void lay_last(struct band *d, int64_t row, int64_t end, const char *src, char *rows)
{
    for (int64_t k = row; k < end; k++)
        memcpy(rows + (k - row) * d->width, src + (k - row) * d->pitch, (size_t)d->width);
    d->pitch = d->width;
    lay(d, row, end, rows, rows);
}

/* Rows [row, row + rows) of a block of all. */
static void resume(const struct svi_blocks *b, const struct svi_isa *isa, int size, int64_t row, int64_t rows,
                   const char *next, const struct room *room)
{
    const int64_t item = b->shape->item, pitch = b->shape->rows.other, whole = rows / SVI_LAID * SVI_LAID;
    const int64_t line = SVI_LINE / item, laid = (rows + line - 1) / line * line;
    const bool first = row == 0, last = row + rows == b->rows;
    struct band band = {isa->lay[size], room->buffer, item, b->columns * item, pitch, laid};
    const char *src = b->src + row * pitch;

    lay(&band, 0, whole, src, next);
    if (whole < rows)
        lay_last(&band, whole, rows, src + whole * pitch, room->rows);
    for (int64_t at = 0; at < band.width; at += SVI_LINE)
        isa->resume[size](b->dst + row * item, b->offset + at / item, room->buffer + at * laid, rows * item,
                          room->kept + at / item * SVI_KEPT, first, last);
}

static void walk_anywhere(const struct svi_shape *shape, const struct svi_isa *isa, int size, char *dst,
                          const char *src, const struct room *room)
{
    const int64_t some = SVI_BAND / shape->item, pitch = shape->rows.other;
    struct svi_blocks b, next;
    bool more;

    svi_blocks_begin(&next, shape, dst, src);
    do {
        b = next;
        more = svi_blocks_next(&next);
        for (int64_t row = 0; row < b.rows; row += some)
            resume(&b, isa, size, row, svi_smaller(some, b.rows - row),
                   row + some < b.rows ? b.src + (row + some) * pitch : next.src, room);
    } while (more);
}

bool svi_bands_anywhere(const struct svi_shape *shape, const struct svi_isa *isa, int size, char *dst,
                        const char *src)
{
    const int64_t columns = shape->columns.block, width = columns * shape->item;
    char *memory = svi_malloc((size_t)(columns * (SVI_BAND + SVI_KEPT) + SVI_LAID * width + 2 * SVI_LINE));
    struct room room;

    if (memory == NULL)
        return false;
    room.buffer = svi_line_from(memory);
    room.rows = room.buffer + columns * SVI_BAND;
    room.kept = room.rows + SVI_LAID * width;
    walk_anywhere(shape, isa, size, dst, src, &room);
    svi_free(memory);
    return true;
}
