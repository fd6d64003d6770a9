/* Two axes of a transpose: a run in the source, its rows, and a run in the destination, whose rows are its columns. */
#ifndef SVI_HOST_MATRIX_H
#define SVI_HOST_MATRIX_H

#include "checked.h"
#include "host/isa/isa.h"

struct svi_matrix {
    int64_t rows, columns; /* of the source */
    int64_t item;
    char *dst;
    int64_t dst_pitch; /* a column of the source is a row of the destination */
    const char *src;
    int64_t src_pitch;
};

static inline struct svi_matrix svi_matrix_part(const struct svi_matrix *m, int64_t row, int64_t rows, int64_t column,
                                                int64_t columns)
{
    struct svi_matrix p = *m;

    p.rows = rows;
    p.columns = columns;
    p.dst += column * m->dst_pitch + row * m->item;
    p.src += row * m->src_pitch + column * m->item;
    return p;
}

/* How many tiles of size, a power of 2, and what is left over. */
static inline int64_t svi_tiles_in(int64_t extent, int32_t size)
{
    return extent >> __builtin_ctz((unsigned)size);
}

static inline int64_t svi_beyond_tiles(int64_t extent, int32_t size)
{
    return extent & (size - 1);
}

enum { SVI_STRIPS = 4 }; /* from as many on it pays to store the rows of one again, or to fetch those of the next */

/* Where strips of tiles begin so that they store whole vectors of rows that begin as far into one: not behind row 0. */
static inline int64_t svi_first_strip(const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t width = tile->rows * m->item, past = (int64_t)((uintptr_t)m->dst & (uintptr_t)(width - 1));

    if (m->rows < SVI_STRIPS * tile->rows || past == 0 || ((m->dst_pitch & (width - 1)) | (past & (m->item - 1))) != 0)
        return 0;
    return -past / m->item;
}

/* The row of a strip that begins before the first row or ends behind the last. */
static inline int64_t svi_row_of_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    return svi_larger(svi_smaller(row, m->rows - tile->rows), 0);
}

/* A strip of tiles from row on; what is left over is in a tile that is moved back, over what others write as well. */
static inline void svi_matrix_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    struct svi_matrix p = svi_matrix_part(m, row, tile->rows, 0, m->columns);

    tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, svi_tiles_in(m->columns, tile->columns));
    if (svi_beyond_tiles(m->columns, tile->columns) != 0) {
        p = svi_matrix_part(m, row, tile->rows, m->columns - tile->columns, tile->columns);
        tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, 1);
    }
}

#endif
