/*
 * Transposes past the cache whose rows begin anywhere in a line, on Intel's
 * processors. Lines of the source are read once, of so few rows that the
 * processor itself foresees them, and of each row of the destination what is no
 * whole line yet waits for the next of these rows.
 */
#include <string.h>

#include "alloc.h"
#include "blocks.h"
#include "kernels.h"

enum {
    RUN = 128,    /* bytes that each row of the destination gets at a time, */
    ROWS = 32,    /* from so many rows at most, */
    LEAST = 4096, /* which have as many bytes */
    PITCH = 2048, /* and are as far apart */
    SHARE = 2     /* what waits has a part of the second cache */
};

static bool is_aligned(const struct svi_plan *plan, const struct svi_matrix *m)
{
    uintptr_t bits = (uintptr_t)m->dst;

    for (int32_t k = 0; k < plan->ndim; k++)
        bits |= (uintptr_t)plan->dst[k];
    return bits % (uintptr_t)m->item == 0;
}

static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_matrix *m,
                        int size)
{
    return machine->intel && machine->isa->carry[size] != NULL && m->columns * m->item >= LEAST &&
           svi_abs(m->src_pitch) >= PITCH && m->rows * m->item >= RUN && is_aligned(plan, m);
}

/* What waits when all rows are done. */
static void finish(const struct svi_matrix *m, const char *carry)
{
    for (int64_t i = 0; i < m->columns; i++) {
        char *end = m->dst + i * m->dst_pitch + m->rows * m->item;
        const size_t some = (uintptr_t)end % SVI_LINE;

        memcpy(end - some, carry + (i + 1) * SVI_LINE - some, some);
    }
}

/* Whole lines of rows and columns. */
static void strip(svi_carries *run, const struct svi_matrix *m, char *carry)
{
    const int64_t line = SVI_LINE / m->item, band = svi_smaller(ROWS, RUN / m->item);

    for (int64_t row = 0; row < m->rows; row += band)
        for (int64_t i = 0; i < m->columns; i += line) {
            const struct svi_matrix p = svi_matrix_part(m, row, svi_smaller(band, m->rows - row), i, line);

            run(p.dst, p.dst_pitch, p.src, p.src_pitch, p.rows / line, carry + i * SVI_LINE, row == 0);
        }
    finish(m, carry);
}

static void plane(svi_carries *run, const struct svi_matrix *m, int64_t width, char *carry)
{
    for (int64_t i = 0; i < m->columns; i += width) {
        const struct svi_matrix part = svi_matrix_part(m, 0, m->rows, i, svi_smaller(width, m->columns - i));

        strip(run, &part, carry);
    }
}

bool svi_host_carry(const struct svi_machine *machine, const struct svi_tile *tile, int size,
                    const struct svi_plan *plan, const struct svi_matrix *m)
{
    const int64_t line = SVI_LINE / m->item, columns = m->columns / line * line;
    const int64_t most = svi_larger(machine->second / SHARE, LEAST / m->item * SVI_LINE) / SVI_LINE / line * line;
    const struct svi_body body = {0, m->rows / line * line, columns, m->columns - columns};
    const int64_t width = svi_smaller(most, columns);
    struct svi_matrix whole = svi_matrix_part(m, 0, body.rows, 0, columns);
    struct svi_odometer outer;
    char *carry;

    if (tile == NULL || !is_worth_it(machine, plan, m, size))
        return false;
    carry = svi_malloc((size_t)(width * SVI_LINE));
    if (carry == NULL)
        return false;
    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, m->dst, m->src);
    do {
        whole.dst = outer.dst;
        whole.src = outer.src;
        plane(machine->isa->carry[size], &whole, width, carry);
    } while (svi_odometer_next(&outer));
    svi_free(carry);
    machine->isa->fence();
    svi_host_edges(tile, plan, m, &body);
    return true;
}
