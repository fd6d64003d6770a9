#include "blocking.h"

#include <string.h>

enum {
    MANY = 8,     /* times a line, after which it is no matter that the last block begins within the one before */
    WIDE = 16,    /* lines of columns in the order of the source */
    SHORT = 4096, /* bytes of rows of one axis whose ends are worth being taken together; */
    STEPS = 4,    /* of the axis that goes on with them at least, the last of which is copied by itself, */
    LONG = 448    /* or bytes of columns */
};

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
    if (next < 0 || plan->shape[next] < STEPS)
        return false;
    return next != plan->tile || (m->dst_pitch > 0 && m->columns * m->item >= LONG);
}

/* Rows that are whole lines but begin within one: of one axis where another goes on with them, or of several. */
static bool choose_rows_behind(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                               int64_t head, bool *mine, int64_t items, struct svi_body *body)
{
    const int64_t all = svi_side_items(rows), line = SVI_LINE / m->item;
    int32_t next;

    if (m->rows < line || all > SVI_SIDE / 2 || all % line != 0 || !keeps_lines(plan, mine) ||
        (rows->unit == 1 && all * m->item > SHORT))
        return false;
    next = svi_side_axis(plan, plan->dst, all * m->item, mine);
    if (!goes_on(plan, m, next))
        next = -1;
    if (next < 0 && rows->unit == 1)
        return false;
    svi_side_cut_behind(rows, m->item, items, head, next >= 0 ? plan->src[next] : 0, next < 0);
    body->lead = head;
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
    bool mine[SVI_PLAN_NDIM] = {false}, several;

    mine[plan->tile] = mine[plan->ndim - 1] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, mine);
    mine[plan->tile] = false;
    *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
    if (head != 0)
        several = behind && choose_rows_behind(rows, plan, m, head, mine, items, body);
    else
        several = rows->unit > 1 && keeps_lines(plan, mine) && svi_side_cut(rows, m->item, items);
    if (!several) {
        for (int32_t k = 0; k < plan->ndim; k++)
            mine[k] = k == plan->ndim - 1;
        body->first = head;
        body->rows = (m->rows - head) / line * line;
        if (body->rows <= 0 || !keeps_lines(plan, mine))
            return false;
        svi_side_make(rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, mine);
        svi_side_cut(rows, m->item, items);
    }
    memcpy(taken, mine, sizeof mine);
    return true;
}

/* As few axes as are whole lines, or so long that it is no matter that the last block begins within the one before. */
static bool choose_columns_of_lines(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                                    bool *taken)
{
    const int64_t line = svi_items_of_lines(m->item);
    bool mine[SVI_PLAN_NDIM];

    taken[plan->tile] = true;
    for (int64_t least = line; least <= MANY * line; least *= MANY) {
        memcpy(mine, taken, sizeof mine);
        svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, least, mine);
        if (svi_side_items(columns) % line == 0)
            break;
    }
    memcpy(taken, mine, sizeof mine);
    return svi_side_items(columns) >= line;
}

/* Blocks of whole lines, alike but for the last. */
static void cut_into_lines(struct svi_side *columns, int64_t line, int64_t items)
{
    const int64_t all = svi_side_items(columns), blocks = (all + items / 2 - 1) / items;
    const int64_t even = blocks > 1 ? (all + blocks - 1) / blocks : all;

    svi_side_cut_anywhere(columns, svi_smaller((even + line - 1) / line, all / line) * line);
}

/* Of one axis, but for what is no whole line. */
static bool choose_axis(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                        int64_t items, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;

    body->columns = m->columns / line * line;
    body->rest = m->columns - body->columns;
    svi_side_make(columns, plan, plan->src, plan->dst, body->columns, m->dst_pitch, 0, NULL);
    return body->columns > 0 && svi_side_cut(columns, m->item, items);
}

static bool choose_columns(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                           bool *taken, int64_t items, struct svi_body *body)
{
    bool mine[SVI_PLAN_NDIM];

    memcpy(mine, taken, sizeof mine);
    mine[plan->tile] = true;
    svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, items, mine);
    if (columns->unit > 1 && svi_side_cut(columns, m->item, items)) {
        memcpy(taken, mine, sizeof mine);
        return true;
    }
    memcpy(mine, taken, sizeof mine);
    if (choose_columns_of_lines(columns, plan, m, mine) && columns->unit > 1) {
        cut_into_lines(columns, SVI_LINE / m->item, items);
        memcpy(taken, mine, sizeof mine);
        return true;
    }
    taken[plan->tile] = true;
    return choose_axis(columns, plan, m, items, body);
}

void svi_shape_axis(struct svi_plan *plan, int64_t count, int64_t dst, int64_t src)
{
    plan->shape[plan->ndim] = count;
    plan->dst[plan->ndim] = dst;
    plan->src[plan->ndim++] = src;
}

void svi_shape_outer(struct svi_shape *shape, const struct svi_plan *plan, const bool *taken)
{
    shape->by_source = false;
    shape->outer.ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k])
            svi_shape_axis(&shape->outer, plan->shape[k], plan->dst[k], plan->src[k]);
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
    if (body->next == plan->tile) {
        body->columns = svi_smaller(body->columns, part.columns);
        body->rest = part.columns + 1 - body->columns;
    }
    svi_shape_outer(shape, plan, taken);
    return true;
}

static bool choose_rows_of_axis(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                                bool *taken, bool ragged, struct svi_body *body)
{
    if (!ragged)
        return choose_rows(rows, plan, m, taken, SVI_LINE / m->item, false, body) && rows->unit == 1;
    *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
    svi_side_make(rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, NULL);
    for (int32_t k = 0; k < plan->ndim; k++)
        taken[k] = k == plan->ndim - 1;
    return true;
}

bool svi_shape_choose_lines(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                            bool ragged, struct svi_body *body)
{
    bool taken[SVI_PLAN_NDIM];

    shape->item = m->item;
    if (!choose_rows_of_axis(&shape->rows, plan, m, taken, ragged, body) ||
        !choose_columns_of_lines(&shape->columns, plan, m, taken))
        return false;
    svi_shape_outer(shape, plan, taken);
    shape->rows.block = shape->rows.steps;
    svi_shape_cut_columns(shape, WIDE * svi_items_of_lines(m->item));
    shape->by_source = true;
    return true;
}

void svi_shape_cut_columns(struct svi_shape *shape, int64_t items)
{
    const int64_t line = svi_items_of_lines(shape->item), whole = svi_side_items(&shape->columns) / line * line;

    svi_side_cut_anywhere(&shape->columns, svi_smaller(items, whole));
}
