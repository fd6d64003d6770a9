/* Transposes that convert in registers: tiles straight from the source, as direct.c has them. */
#include "host/transpose/blocks.h"
#include "cast_job.h"

enum { RUN = 256 }; /* bytes of each row of the destination that a block makes */

static bool has_tiles(const struct svi_cast *c)
{
    return svi_converts_in_registers(c->isa, &c->plan->chain) && c->plan->chain.steps[0].src == c->plan->src_item;
}

/* Whether each step but that along the rows of the destination goes on by whole lines. */
static bool keeps_lines(const struct svi_plan *plan)
{
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* What whole lines of both sides make of the two axes. */
static bool choose_body(const struct svi_plan *plan, const char *dst, struct svi_cast_body *body)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), columns = plan->shape[plan->tile];
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);

    if (head % plan->item != 0)
        return false;
    body->first = head / plan->item;
    body->rows = (plan->shape[plan->ndim - 1] - body->first) / line * line;
    body->columns = columns - columns % (SVI_LINE / plan->src_item);
    return body->rows * plan->item >= RUN && body->columns > 0;
}

static bool choose_shape(struct svi_shape *shape, const struct svi_cast *c, const struct svi_cast_body *body)
{
    const struct svi_plan *plan = c->plan;
    const int64_t columns = c->machine->tuning->cast_block_row_bytes / plan->src_item;
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);
    bool taken[SVI_PLAN_NDIM] = {false};

    taken[i] = taken[j] = true;
    shape->item = plan->src_item;
    svi_side_make(&shape->rows, plan, plan->dst, plan->src, body->rows, plan->src[j], 0, NULL);
    svi_side_make(&shape->columns, plan, plan->src, plan->dst, body->columns, plan->dst[i], 0, NULL);
    shape->columns.item = plan->src_item;
    svi_shape_outer(shape, plan, taken);
    return svi_side_cut(&shape->rows, SVI_LINE / line, svi_larger(RUN / plan->item, line)) &&
           svi_side_cut(&shape->columns, plan->src_item, columns) && svi_stays_in_cache(shape);
}

bool svi_cast_direct(const struct svi_cast *c, char *dst, const char *src, struct svi_cast_body *body)
{
    const struct svi_plan *plan = c->plan;
    const enum svi_op op = plan->chain.steps[0].op;
    struct svi_shape shape;

    if (!has_tiles(c) || !keeps_lines(plan) || !choose_body(plan, dst, body) || !choose_shape(&shape, c, body))
        return false;
    return svi_direct(&shape, c->isa, c->isa->turn_cast_stream, op, c->machine->tuning->direct_prefetch_bytes,
                      dst + body->first * plan->item, src + body->first * plan->src[plan->ndim - 1]);
}
