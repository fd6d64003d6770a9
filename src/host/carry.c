/*
 * Transposes past the cache whose rows begin anywhere in a line, on Intel's
 * processors. Lines of the source are read once, of so few rows that the
 * processor itself foresees them, and of each row of the destination what is no
 * whole line yet waits for the next of these rows.
 */
#include "alloc.h"
#include "blocks.h"
#include "kernels.h"

enum {
    RUN = 128,    /* bytes that each row of the destination gets at a time, */
    ROWS = 32,    /* from so many rows at most, */
    PITCH = 960,  /* which are as many bytes apart; */
    BYTES = 1024, /* of rows of the destination at least where items are bytes; */
    LONG = 2560,  /* rows of the destination are as long, or nothing goes on with them: parts of lines cost too much */
    SHARE = 4,    /* lines that wait have such a part of the second cache, */
    LINES = 512   /* or are so many */
};

static bool is_aligned(const struct svi_plan *plan, const struct svi_matrix *m)
{
    uintptr_t bits = (uintptr_t)m->dst;

    for (int32_t k = 0; k < plan->ndim; k++)
        bits |= (uintptr_t)plan->dst[k];
    return bits % (uintptr_t)m->item == 0;
}

/* Whether another axis goes on with the rows of the destination. */
static bool go_on(const struct svi_plan *plan, int64_t nbytes)
{
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->tile && plan->dst[k] == nbytes)
            return true;
    return false;
}

static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_matrix *m,
                        int size)
{
    const struct svi_isa *isa = machine->isa;
    const int64_t nbytes = m->rows * m->item;

    if (!machine->intel || (isa->carry[size] == NULL && isa->resume[size] == NULL))
        return false;
    return svi_abs(m->src_pitch) >= PITCH && nbytes >= (m->item == 1 ? BYTES : RUN) &&
           (nbytes >= LONG || !go_on(plan, nbytes)) && is_aligned(plan, m);
}

/* Parts of lines go through the cache: of what comes next they are fetched. */
static void fetch_parts(const char *dst, const int64_t *column, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        __builtin_prefetch(dst + column[i], 1);
}

/* Rows of some blocks, one line or more of columns each, from where b is on. False after the last block. */
static bool band(svi_carries *carries, struct svi_blocks *b, int64_t most, int64_t row, int64_t rows, char *carry)
{
    const struct svi_shape *shape = b->shape;
    const int64_t item = shape->item, line = SVI_LINE / item, pitch = shape->rows.other;
    const bool first = row == 0, last = row + rows == shape->rows.steps;
    bool more;

    do {
        char *to = b->dst + row * item;
        const char *from = b->src + row * pitch;
        const int64_t columns = b->columns, *offset = b->offset;

        more = svi_blocks_next(b);
        for (int64_t i = 0; i < columns; i += line) {
            const bool here = i + line < columns;
            const char *next = here ? from + SVI_LINE : b->src + row * pitch;
            const char *next_to = (here ? to : b->dst + row * item) + (last ? rows * item : 0);

            if (first || last)
                fetch_parts(next_to, here ? offset + i + line : b->offset, line);
            carries(to, offset + i, from, next, pitch, rows, carry, first, last);
            from += SVI_LINE;
            carry += line * SVI_LINE;
        }
    } while (--most > 0 && more);
    return more;
}

/* most: blocks that fit the lines of carry. */
static void walk(const struct svi_shape *shape, svi_carries *carries, int64_t most, char *dst, const char *src,
                 char *carry)
{
    const int64_t all = shape->rows.steps, rows = svi_smaller(ROWS, RUN / shape->item);
    struct svi_blocks first, b;
    bool more;

    svi_blocks_begin(&b, shape, dst, src);
    do {
        first = b;
        for (int64_t row = 0; row < all; row += rows) {
            b = first;
            more = band(carries, &b, most, row, svi_smaller(rows, all - row), carry);
        }
    } while (more);
}

static bool by_lines(const struct svi_machine *machine, const struct svi_shape *shape, svi_carries *carries, char *dst,
                     const char *src)
{
    const int64_t columns = shape->columns.block;
    const int64_t lines = svi_larger(machine->second / SHARE / SVI_LINE, svi_larger(columns, LINES));
    char *carry = svi_malloc((size_t)((lines + 1) * SVI_LINE));

    if (carry == NULL)
        return false;
    walk(shape, carries, lines / columns, dst, src, svi_line_from(carry));
    svi_free(carry);
    return true;
}

/* Bytes by way of a buffer. */
static bool run(const struct svi_machine *machine, struct svi_shape *shape, int size, char *dst, const char *src)
{
    const struct svi_isa *isa = machine->isa;
    bool done;

    if (isa->carry[size] != NULL) {
        done = by_lines(machine, shape, isa->carry[size], dst, src);
    } else {
        svi_bands_cut(shape);
        done = svi_bands_anywhere(shape, isa, size, dst, src);
    }
    isa->fence();
    return done;
}

bool svi_host_carry(const struct svi_machine *machine, const struct svi_tile *tile, int size,
                    const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct svi_shape *shape;
    struct svi_body body;
    bool done;

    if (tile == NULL || !is_worth_it(machine, plan, m, size))
        return false;
    shape = svi_malloc(sizeof *shape);
    if (shape == NULL)
        return false;
    done = svi_shape_choose_lines(shape, plan, m, true, &body) && run(machine, shape, size, m->dst, m->src);
    svi_free(shape);
    return done;
}
