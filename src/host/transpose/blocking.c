/* Which axes make the blocks of a transpose, and how they are cut: blocking.h. */
#include <string.h>

#include "alloc.h"
#include "checked.h"
#include "blocking.h"

enum {
    MANY_LINES = 8,      /* after so many it is no matter that the last block begins within the one before */
    WIDE_LINES = 16,     /* lines of columns of a block in the order of the source */
    MOST_BEHIND = 2048,  /* rows of a group that begins within a line, at most, and */
    SHORT_BYTES = 4096,  /* bytes of such rows of one axis, whose ends are worth being taken together; */
    NEXT_STEPS = 4,      /* of the axis that continues them at least, the last of which is copied by itself, */
    NEXT_BYTES = 448     /* or bytes of columns */
};

/* --- axis groups -------------------------------------------------------------- */

int32_t svi_side_axis(const struct svi_plan *plan, const int64_t *run, int64_t nbytes, const bool *taken)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k] && run[k] == nbytes)
            return k;
    return -1;
}

void svi_side_make(struct svi_side *side, const struct svi_plan *plan, const int64_t *run, const int64_t *other,
                   int64_t steps, int64_t other_step, int64_t least, bool *taken)
{
    *side = (struct svi_side){.item = plan->item, .unit = 1, .steps = steps, .other = other_step, .granule = 1};
    while (side->unit * side->steps < least && side->inner < SVI_GROUP_AXES) {
        const int32_t k = svi_side_axis(plan, run, side->unit * side->steps * plan->item, taken);

        if (k < 0)
            break;
        taken[k] = true;
        side->shape[side->inner] = side->steps;
        side->stride[side->inner++] = side->other;
        side->unit *= side->steps;
        side->steps = plan->shape[k];
        side->other = other[k];
    }
    side->items = side->unit * side->steps;
}

int64_t svi_side_offset(const struct svi_side *side, int64_t index)
{
    const int64_t all = side->unit * side->steps;
    int64_t offset = 0;

    index += side->lead;
    if (side->lead != 0 && index >= all) {
        index -= all;
        offset = side->next;
    }
    for (int32_t k = 0; k < side->inner; k++) {
        offset += index % side->shape[k] * side->stride[k];
        index /= side->shape[k];
    }
    return offset + index * side->other;
}

bool svi_side_cut(struct svi_side *side, int64_t item, int64_t items)
{
    const int64_t line = SVI_LINE / item, multiple = line / (int64_t)svi_gcd((uint64_t)line, (uint64_t)side->unit);
    const int64_t blocks = (side->items + items / 2 - 1) / items;
    const int64_t steps = blocks > 1 ? (side->steps + blocks - 1) / blocks : side->steps;

    side->block = side->unit * ((steps + multiple - 1) / multiple * multiple);
    return side->items * item % SVI_LINE == 0 && side->block <= 2 * items;
}

/* --- tables of offsets ------------------------------------------------------------ */

/* Blocks begin with any element of a unit. */
static int64_t count_offsets(const struct svi_side *side)
{
    return side->lead != 0 ? side->items : side->unit - 1 + svi_side_largest(side);
}

static void make_offsets(struct svi_side *side, int64_t *offset)
{
    const int64_t count = count_offsets(side);

    side->offset = offset;
    for (int64_t k = 0; k < count; k++)
        offset[k] = svi_side_offset(side, k);
}

bool svi_shape_open(struct svi_shape *shape)
{
    const int64_t rows = count_offsets(&shape->rows), columns = count_offsets(&shape->columns);
    int64_t *offset = svi_malloc((size_t)(rows + columns) * sizeof *offset);

    if (offset == NULL)
        return false;
    make_offsets(&shape->rows, offset);
    make_offsets(&shape->columns, offset + rows);
    return true;
}

void svi_shape_close(struct svi_shape *shape)
{
    svi_free(shape->rows.offset);
}

/* --- rows ------------------------------------------------------------------------- */

/* Whether each step of the axes that are no rows goes on by whole lines. */
static bool keeps_lines(const struct svi_plan *plan, const bool *rows)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!rows[k] && plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* Whether rows share lines along an axis: its last step, or the last line of columns, is copied by itself. */
static bool goes_on(const struct svi_plan *plan, const struct svi_matrix *m, int32_t next)
{
    return next >= 0 && plan->shape[next] >= NEXT_STEPS &&
           (next != plan->tile || (m->dst_pitch > 0 && m->columns * m->item >= NEXT_BYTES));
}

/*
 * Rows that are whole lines but begin within one: of one axis where another goes on with them, or of several. They are
 * cut from element head on: behind the last element is the first of the next step again or, where there is none, what
 * is no whole line belongs to no block.
 */
static bool choose_rows_behind(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                               int64_t head, bool *mine, int64_t items, struct svi_body *body)
{
    const int64_t all = rows->items, line = SVI_LINE / m->item, blocks = svi_larger((all + items / 2) / items, 1);
    int32_t next;

    if (m->rows < line || all > MOST_BEHIND || all % line != 0 || !keeps_lines(plan, mine) ||
        (rows->unit == 1 && all * m->item > SHORT_BYTES))
        return false;
    next = svi_side_axis(plan, plan->dst, all * m->item, mine);
    next = goes_on(plan, m, next) ? next : -1;
    if (next < 0 && rows->unit == 1)
        return false;
    rows->lead = body->lead = head;
    rows->next = next >= 0 ? plan->src[next] : 0;
    rows->items = next >= 0 ? all : all - line;
    rows->block = ((all + blocks - 1) / blocks + line - 1) / line * line;
    body->next = next;
    body->outer = plan->ndim;
    while (mine[body->outer - 1])
        body->outer--;
    return true;
}

/* Of several axes where they are whole lines without an end, or, behind, begin later; else of one. */
static bool choose_rows(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m, bool *taken,
                        int64_t items, bool behind, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    bool several;

    memset(taken, 0, SVI_PLAN_NDIM * sizeof *taken);
    taken[plan->tile] = taken[plan->ndim - 1] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, taken);
    taken[plan->tile] = false;
    *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
    if (head != 0)
        several = behind && choose_rows_behind(rows, plan, m, head, taken, items, body);
    else
        several = rows->unit > 1 && keeps_lines(plan, taken) && svi_side_cut(rows, m->item, items);
    if (!several) {
        for (int32_t k = 0; k < plan->ndim; k++)
            taken[k] = k == plan->ndim - 1;
        body->first = head;
        body->rows = (m->rows - head) / line * line;
        if (body->rows <= 0 || !keeps_lines(plan, taken))
            return false;
        svi_side_make(rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, taken);
        svi_side_cut(rows, m->item, items);
    }
    return true;
}

/* --- columns ------------------------------------------------------------------------ */

/* As few axes as are whole lines, or so long that it is no matter that the last block begins within the one before. */
static bool choose_columns_of_lines(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                                    bool *taken)
{
    const int64_t line = svi_items_of_lines(m->item);
    bool mine[SVI_PLAN_NDIM];

    taken[plan->tile] = true;
    for (int64_t least = line; least <= MANY_LINES * line; least *= MANY_LINES) {
        memcpy(mine, taken, sizeof mine);
        svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, least, mine);
        if (columns->items % line == 0)
            break;
    }
    memcpy(taken, mine, sizeof mine);
    return columns->items >= line;
}

/* Blocks of whole lines, alike but for the last. */
static void cut_into_lines(struct svi_side *columns, int64_t line, int64_t items)
{
    const int64_t all = columns->items, blocks = (all + items / 2 - 1) / items;
    const int64_t even = blocks > 1 ? (all + blocks - 1) / blocks : all;

    columns->block = svi_smaller((even + line - 1) / line, all / line) * line;
}

/* Several axes that are whole lines together, or nearly; else one, but for what is no whole line. */
static bool choose_columns(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                           bool *taken, int64_t items, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;
    bool mine[SVI_PLAN_NDIM];

    taken[plan->tile] = true;
    memcpy(mine, taken, sizeof mine);
    svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, items, mine);
    if (columns->unit == 1 || !svi_side_cut(columns, m->item, items)) {
        memcpy(mine, taken, sizeof mine);
        if (!choose_columns_of_lines(columns, plan, m, mine) || columns->unit == 1) {
            body->columns = m->columns / line * line;
            svi_side_make(columns, plan, plan->src, plan->dst, body->columns, m->dst_pitch, 0, NULL);
            return body->columns > 0 && svi_side_cut(columns, m->item, items);
        }
        cut_into_lines(columns, line, items);
    }
    memcpy(taken, mine, sizeof mine);
    return true;
}

void svi_shape_outer(struct svi_shape *shape, const struct svi_plan *plan, const bool *taken)
{
    shape->by_source = shape->down = false;
    shape->outer.ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k]) {
            shape->outer.shape[shape->outer.ndim] = plan->shape[k];
            shape->outer.dst[shape->outer.ndim] = plan->dst[k];
            shape->outer.src[shape->outer.ndim++] = plan->src[k];
        }
    shape->columns.granule = svi_items_of_lines(shape->item);
}

bool svi_shape_choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m, int64_t rows,
                      int64_t columns, struct svi_body *body)
{
    bool taken[SVI_PLAN_NDIM];
    struct svi_plan inner;
    struct svi_matrix part = *m;

    shape->item = m->item;
    if (!choose_rows(&shape->rows, plan, m, taken, rows, true, body))
        return false;
    if (body->next >= 0) {
        inner = *plan;
        inner.shape[body->next]--;
        part.columns = inner.shape[plan->tile];
        plan = &inner;
        m = &part;
    }
    if (!choose_columns(&shape->columns, plan, m, taken, columns, body))
        return false;
    if (body->next == plan->tile)
        body->columns = svi_smaller(body->columns, part.columns);
    svi_shape_outer(shape, plan, taken);
    return true;
}

bool svi_shape_choose_lines(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                            bool ragged, struct svi_body *body)
{
    bool taken[SVI_PLAN_NDIM] = {false};

    shape->item = m->item;
    if (ragged) {
        *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
        svi_side_make(&shape->rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, NULL);
        taken[plan->ndim - 1] = true;
    } else if (!choose_rows(&shape->rows, plan, m, taken, SVI_LINE / m->item, false, body) || shape->rows.unit > 1) {
        return false;
    }
    if (!choose_columns_of_lines(&shape->columns, plan, m, taken))
        return false;
    svi_shape_outer(shape, plan, taken);
    shape->rows.block = shape->rows.steps;
    svi_shape_cut_columns(shape, WIDE_LINES * svi_items_of_lines(m->item));
    shape->by_source = true;
    return true;
}

void svi_shape_cut_columns(struct svi_shape *shape, int64_t items)
{
    const int64_t line = svi_items_of_lines(shape->item), whole = shape->columns.items / line * line;

    shape->columns.block = svi_smaller(items, whole);
}
