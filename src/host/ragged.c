/*
 * Transposes past the cache where rows of the destination begin anywhere in a
 * line: what is complete of them is put together in a buffer first.
 */
#include "kernels.h"

enum {
    SIDE = 64,         /* columns staged together; bytes have twice as many */
    RUN = 512,         /* bytes of each that a block adds, at most */
    RAGGED_ROWS = 128, /* of a block, at most */
    STRIP = 16,        /* rows staged at a time where there are no tiles */
    STAGE = SIDE * (RUN + 2 * SVI_LINE) /* bytes */
};

/* Lines of the next block, row by row. */
struct ahead {
    const char *row;
    int64_t at, width, pitch;
};

static void fetch(struct ahead *next, int64_t lines)
{
    for (; lines > 0; lines--) {
        __builtin_prefetch(next->row + next->at, 0, 2); /* the first cache is full */
        next->at += SVI_LINE;
        if (next->at >= next->width) {
            next->at = 0;
            next->row += next->pitch;
        }
    }
}

/* Rows [row, row + count) of m go to the buffer, whose rows are pitch apart. */
static void stage_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row, int64_t count)
{
    struct svi_plan plan;
    struct svi_matrix p;

    if (tile != NULL) {
        svi_matrix_strip(tile, m, row);
        return;
    }
    p = svi_matrix_part(m, row, count, 0, m->columns);
    plan.ndim = 2;
    plan.tile = 0;
    plan.item = m->item;
    plan.shape[0] = p.columns, plan.shape[1] = p.rows;
    plan.dst[0] = p.dst_pitch, plan.dst[1] = m->item;
    plan.src[0] = m->item, plan.src[1] = p.src_pitch;
    svi_host_tile(NULL, &plan, p.dst, p.src);
}

static char *line_of(char *address)
{
    return address - (uintptr_t)address % SVI_LINE;
}

/*
 * Rows [from, to) of m's columns, the lines that are complete with them: first
 * come those rows again whose items are in the line that from is in.
 */
static void ragged_block(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_matrix *m,
                         int64_t from, int64_t to, struct ahead *next)
{
    _Alignas(SVI_LINE) char buffer[STAGE];
    const int64_t again = (SVI_LINE + m->item - 1) / m->item, begin = from > again ? from - again : 0;
    const int64_t step = tile != NULL ? tile->rows : STRIP, lines = next->width / SVI_LINE;
    struct svi_matrix staged = svi_matrix_part(m, begin, to - begin, 0, m->columns);

    staged.dst = buffer;
    staged.dst_pitch = STAGE / (m->item < 2 ? 2 * SIDE : SIDE);
    for (int64_t row = 0; row < staged.rows; row += step) {
        fetch(next, step * lines);
        stage_strip(tile, &staged, tile != NULL ? svi_smaller(row, staged.rows - step) : row,
                    svi_smaller(step, staged.rows - row));
    }
    for (int64_t i = 0; i < m->columns; i++) {
        char *line = m->dst + i * m->dst_pitch, *first = line + begin * m->item;
        char *start = from > 0 ? line_of(line + from * m->item) : line;
        char *end = to < m->rows ? line_of(line + to * m->item) : line + to * m->item;

        isa->stream_copy(start, staged.dst + i * staged.dst_pitch + (start - first), (size_t)(end - start));
    }
}

void svi_host_ragged(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t rows = m->item > 4 ? RUN / m->item : RAGGED_ROWS;
    const int64_t columns = svi_smaller(m->item < 2 ? 2 * SIDE : SIDE, m->columns);

    for (int64_t j = 0; j < m->rows; j += rows)
        for (int64_t i = 0; i < m->columns; i += columns) {
            struct svi_matrix block = svi_matrix_part(m, 0, m->rows, svi_smaller(i, m->columns - columns), columns);
            const char *corner = block.src + j * m->src_pitch + columns * m->item;
            struct ahead next = {corner, 0, columns * m->item, m->src_pitch};

            ragged_block(isa, tile, &block, j, svi_smaller(j + rows, m->rows), &next);
        }
    isa->fence();
}
