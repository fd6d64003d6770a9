/* Transposes in cache: one plane of two axes. */
#include "kernels.h"

enum {
    BLOCK_ROWS = 64,   /* of the source: its rows of the destination stay near */
    BLOCK_BYTES = 256, /* of each */
    SETS = 64,         /* of the first cache, and lines of each that are counted on */
    WAYS = 8,
    SMALL = SETS * WAYS * SVI_LINE / 2, /* bytes of a side that stay there anyhow */
    STAGE = 32768                       /* bytes of the buffer */
};

/* From where the source lies. */
static void direct(const struct svi_tile *tile, const struct svi_matrix *m, int64_t width)
{
    for (int64_t j = 0; j < m->rows; j += BLOCK_ROWS)
        for (int64_t i = 0; i < m->columns; i += width) {
            const int64_t end = svi_smaller(j + BLOCK_ROWS, m->rows);

            const struct svi_matrix block = svi_matrix_part(m, 0, m->rows, i, svi_smaller(width, m->columns - i));

            for (int64_t row = j; row < end; row += tile->rows)
                svi_matrix_strip(tile, &block, svi_smaller(row, m->rows - tile->rows));
        }
}

/* --- by way of a buffer --------------------------------------------------- */

static void buffered(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_matrix *m, char *buffer,
                     int64_t pitch)
{
    struct svi_matrix staged = *m;

    staged.src = buffer;
    staged.src_pitch = pitch;
    isa->copy_rows(buffer, pitch, m->src, m->src_pitch, m->rows, m->columns * m->item);
    for (int64_t i = 0; i < m->columns; i += tile->columns)
        svi_matrix_fall(tile, &staged, svi_smaller(i, m->columns - tile->columns));
}

/* Each row of the destination gets runs of several lines at once. */
static void blocks(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_matrix *m)
{
    _Alignas(SVI_LINE) char buffer[STAGE];
    const int64_t rows = BLOCK_BYTES / m->item, pitch = STAGE / rows - SVI_LINE, columns = pitch / m->item;

    for (int64_t j = 0; j < m->rows; j += rows)
        for (int64_t i = 0; i < m->columns; i += columns) {
            const int64_t row = svi_smaller(j, m->rows - tile->rows), column = svi_smaller(i, m->columns - tile->columns);
            const struct svi_matrix block =
                svi_matrix_part(m, row, svi_smaller(j + rows, m->rows) - row, column,
                                svi_smaller(i + columns, m->columns) - column);

            buffered(isa, tile, &block, buffer, pitch);
        }
}

/* --- which ---------------------------------------------------------------- */

/* Rows pitch bytes apart, most at most, a line of each of which the first cache holds. */
static int64_t rows_that_stay(int64_t pitch, int64_t most)
{
    unsigned char lines[SETS] = {0};

    for (int64_t row = 0; row < most; row++)
        if (++lines[(uint64_t)(row * pitch) / SVI_LINE % SETS] > WAYS)
            return row;
    return most;
}

void svi_host_near(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t line = SVI_LINE / m->item, width = BLOCK_BYTES / m->item;
    int64_t stay = width;

    if (m->rows * m->columns * m->item > SMALL && m->rows > tile->rows)
        stay = rows_that_stay(m->dst_pitch, svi_smaller(width, m->columns));
    if (stay >= svi_smaller(width, m->columns))
        direct(tile, m, width);
    else if (stay >= line)
        direct(tile, m, line);
    else
        blocks(isa, tile, m);
}
