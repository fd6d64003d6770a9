/*
 * Short rows in another order in the source than in the destination. They are walked in blocks of two axes: the one
 * along which rows are neighbours in the destination, and the one along which they are neighbours in the source. So a
 * line of either side that holds several rows stays in L1 until all of them are copied, and there are enough rows at a
 * time even if one of the axes is short.
 */
#include "host/loop/facts.h"
#include "host/loop/loop.h"

/* Measured: doc/internals/copy_experiments.md#how-are-short-rows-in-another-order-copied. */
enum {
    MAX_ROW_BYTES =
        192, /* bytes of a row; several of them share a line, or reaching a row takes longer than copying it */
    MAX_BLOCK_ROWS = 16, /* rows of a block along the axis of the destination */
    MAX_BLOCK_AREA = 256, /* rows of a block along both axes: L1 holds their lines of both sides */
    FEW_ROWS = 8 /* with fewer rows at a time the other axis is better */
};

/* A block: its rows and their steps along axis j of the destination and axis i of the source. */
struct block {
    int32_t i, j;
    int64_t rows_i, rows_j;
};

/* False: the axis of neighbours in the destination also has the smallest step in the source. */
static bool find_block(const struct svi_plan *plan, struct block *b)
{
    b->j = plan->ndim - 2;
    b->i = svi_fastest_axis(plan, b->j, -1);
    if (b->i < 0 || svi_abs(plan->src[b->i]) >= svi_abs(plan->src[b->j]))
        return false;
    b->rows_j = svi_smaller(plan->shape[b->j], MAX_BLOCK_ROWS);
    b->rows_i = svi_smaller(plan->shape[b->i], MAX_BLOCK_AREA / b->rows_j);
    return true;
}

static void copy_turned_block(const struct svi_isa *isa, const struct svi_plan *plan, const struct block *b, char *dst,
                              const char *src, int64_t rows_i, int64_t rows_j)
{
    const bool along_i = rows_j < FEW_ROWS && rows_j < rows_i;
    const int32_t in = along_i ? b->i : b->j, out = along_i ? b->j : b->i;
    const int64_t count = along_i ? rows_j : rows_i;
    struct svi_rows rows = {dst, plan->dst[in], src, plan->src[in], along_i ? rows_i : rows_j, svi_row_nbytes(plan)};

    for (int64_t k = 0; k < count; k++) {
        isa->cached_rows(&rows, SVI_PREFETCH_NONE, 1);
        rows.dst += plan->dst[out];
        rows.src += plan->src[out];
    }
}

static void copy_plane(const struct svi_isa *isa, const struct svi_plan *plan, const struct block *b, char *dst,
                       const char *src)
{
    for (int64_t j = 0; j < plan->shape[b->j]; j += b->rows_j)
        for (int64_t i = 0; i < plan->shape[b->i]; i += b->rows_i)
            copy_turned_block(isa, plan, b, dst + j * plan->dst[b->j] + i * plan->dst[b->i],
                              src + j * plan->src[b->j] + i * plan->src[b->i],
                              svi_smaller(plan->shape[b->i] - i, b->rows_i),
                              svi_smaller(plan->shape[b->j] - j, b->rows_j));
}

static bool can_turn(const struct svi_host_copy *c)
{
    struct block b;

    return c->machine->isa->cached_rows != NULL && find_block(c->plan, &b);
}

static bool refuses_turned_rows(const struct svi_host_copy *c)
{
    struct block b;

    if (!c->machine->tuning->turns_rows)
        return svi_refuse(c, "it was not measured to be faster on this processor");
    if (svi_refuse_more(c, "bytes of a row", svi_row_nbytes(c->plan), MAX_ROW_BYTES) || !find_block(c->plan, &b))
        return true;
    return b.rows_j >= MAX_BLOCK_ROWS && c->plan->reach <= (uint64_t)c->machine->l2_bytes &&
           svi_refuse(c, "rows are many at a time, in L2");
}

static bool rows_turned(const struct svi_host_copy *c)
{
    struct svi_odometer outer;
    struct block b;

    find_block(c->plan, &b);
    for (svi_odometer_init(&outer, c->plan, b.j, b.i, c->dst, c->src); !outer.ended; svi_odometer_next(&outer))
        copy_plane(c->machine->isa, c->plan, &b, outer.dst, outer.src);
    return true;
}

const struct svi_loop svi_loop_rows_turned = {
    .name = "rows_turned",
    .can = can_turn,
    .refuses = refuses_turned_rows,
    .run = rows_turned,
    .what = "short rows in another order, by blocks of two axes",
};
