/* Chooses the axes of the groups of a transpose (blocking.h), and cuts them into blocks. */
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "plan/part.h"
#include "host/transpose/blocking.h"

/* Measured: doc/internals/copy_experiments.md#which-blocks-are-read-in-place. */
enum {
    MANY_LINES = 8, /* lines after which it does not matter that the last block overlaps the one before */
    WIDE_LINES = 16, /* lines of columns of a block in the order of the source */
    MAX_UNALIGNED_ROWS = 2048, /* rows of a group that begins within a line */
    MAX_SHORT_BYTES = 4096, /* bytes of such rows, of one axis, whose ends are worth joining */
    MIN_NEXT_STEPS = 4, /* extent of the axis that continues them; its last index is copied by itself */
    MIN_NEXT_BYTES = 448 /* bytes of columns, if that axis is the one of columns */
};

/* --- axis groups -------------------------------------------------------------- */

/* The axis that is not taken and whose stride in run is nbytes; -1: none. */
static int32_t find_adjacent_axis(const struct svi_plan *plan, const int64_t *run, int64_t nbytes, const bool *taken)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k] && run[k] == nbytes)
            return k;
    return -1;
}

void svi_axis_group_make(struct svi_axis_group *group, const struct svi_plan *plan, const int64_t *run,
                         const int64_t *other, int64_t steps, int64_t other_step, int64_t least, bool *taken)
{
    *group = (struct svi_axis_group){.item = plan->item, .unit = 1, .steps = steps, .other = other_step, .granule = 1};
    while (group->unit * group->steps < least && group->inner < SVI_GROUP_AXES) {
        const int32_t k = find_adjacent_axis(plan, run, group->unit * group->steps * plan->item, taken);

        if (k < 0)
            break;
        taken[k] = true;
        group->shape[group->inner] = group->steps;
        group->stride[group->inner++] = group->other;
        group->unit *= group->steps;
        group->steps = plan->shape[k];
        group->other = other[k];
    }
    group->items = group->unit * group->steps;
}

int64_t svi_axis_group_offset(const struct svi_axis_group *group, int64_t index)
{
    const int64_t all = group->unit * group->steps;
    int64_t offset = 0;

    index += group->lead;
    if (group->lead != 0 && index >= all) {
        index -= all;
        offset = group->next;
    }
    for (int32_t k = 0; k < group->inner; k++) {
        offset += index % group->shape[k] * group->stride[k];
        index /= group->shape[k];
    }
    return offset + index * group->other;
}

bool svi_axis_group_cut(struct svi_axis_group *group, int64_t item, int64_t items)
{
    const int64_t line = SVI_LINE / item, multiple = line / (int64_t)svi_gcd((uint64_t)line, (uint64_t)group->unit);
    const int64_t blocks = (group->items + items / 2 - 1) / items;
    const int64_t steps = blocks > 1 ? svi_divide_up(group->steps, blocks) : group->steps;

    group->block = group->unit * svi_round_up(steps, multiple);
    return group->items * item % SVI_LINE == 0 && group->block <= 2 * items;
}

/* --- tables of offsets ------------------------------------------------------------ */

/* The number of offsets that a group needs: blocks may begin with any element of a unit. */
static int64_t count_offsets(const struct svi_axis_group *group)
{
    return group->lead != 0 ? group->items : group->unit - 1 + svi_axis_group_largest(group);
}

static void make_offsets(struct svi_axis_group *group, int64_t *offset)
{
    const int64_t count = count_offsets(group);

    group->offset = offset;
    for (int64_t k = 0; k < count; k++)
        offset[k] = svi_axis_group_offset(group, k);
}

bool svi_blocking_open(struct svi_blocking *blocking)
{
    const int64_t rows = count_offsets(&blocking->rows), columns = count_offsets(&blocking->columns);
    int64_t *offset = svi_malloc((size_t)(rows + columns) * sizeof *offset);

    if (offset == NULL)
        return false;
    make_offsets(&blocking->rows, offset);
    make_offsets(&blocking->columns, offset + rows);
    return true;
}

void svi_blocking_close(struct svi_blocking *blocking)
{
    svi_free(blocking->rows.offset);
}

/* --- rows ------------------------------------------------------------------------- */

bool svi_keeps_lines(const struct svi_plan *plan, const bool *rows)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!rows[k] && plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* Whether rows that share lines along an axis are worth joining: its last index, or the last line of columns, is copied
 * separately. */
static bool goes_on(const struct svi_plan *plan, const struct svi_matrix *m, int32_t next)
{
    return next >= 0 && plan->shape[next] >= MIN_NEXT_STEPS &&
           (next != plan->src_axis || (m->dst_pitch > 0 && m->columns * m->item >= MIN_NEXT_BYTES));
}

/*
 * Chooses rows that are whole lines but begin within one, and that another axis continues. They are cut from element
 * head on, and after the last element comes the first of the next index of that axis.
 */
static bool choose_rows_behind(struct svi_axis_group *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                               int64_t head, bool *mine, int64_t items, struct svi_interior *interior)
{
    const int64_t all = rows->items, line = SVI_LINE / m->item, blocks = svi_larger((all + items / 2) / items, 1);
    int32_t next;

    if (m->rows < line || all > MAX_UNALIGNED_ROWS || all % line != 0 || !svi_keeps_lines(plan, mine) ||
        (rows->unit == 1 && all * m->item > MAX_SHORT_BYTES))
        return false;
    next = find_adjacent_axis(plan, plan->dst, all * m->item, mine);
    if (!goes_on(plan, m, next))
        return false;
    rows->lead = interior->lead = head;
    rows->next = plan->src[next];
    rows->block = svi_round_up(svi_divide_up(all, blocks), line);
    interior->next = next;
    return true;
}

/* Chooses rows of several axes if they are whole lines, perhaps from a later element on; else of one axis. */
static bool choose_rows(struct svi_axis_group *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                        bool *taken, int64_t items, bool behind, struct svi_interior *interior)
{
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    bool several;

    memset(taken, 0, SVI_PLAN_NDIM * sizeof *taken);
    taken[plan->src_axis] = taken[plan->ndim - 1] = true;
    svi_axis_group_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, taken);
    taken[plan->src_axis] = false;
    *interior = (struct svi_interior){.rows = m->rows, .columns = m->columns, .next = -1};
    if (head != 0)
        several = behind && choose_rows_behind(rows, plan, m, head, taken, items, interior);
    else
        several = rows->unit > 1 && svi_keeps_lines(plan, taken) && svi_axis_group_cut(rows, m->item, items);
    if (!several) {
        for (int32_t k = 0; k < plan->ndim; k++)
            taken[k] = k == plan->ndim - 1;
        interior->first = head;
        interior->rows = (m->rows - head) / line * line;
        if (interior->rows <= 0 || !svi_keeps_lines(plan, taken))
            return false;
        svi_axis_group_make(rows, plan, plan->dst, plan->src, interior->rows, m->src_pitch, 0, taken);
        svi_axis_group_cut(rows, m->item, items);
    }
    return true;
}

/* --- columns ------------------------------------------------------------------------ */

/* Chooses the fewest axes that are whole lines, or are so long that the overlap of the last two blocks does not
 * matter. */
static bool choose_columns_of_lines(struct svi_axis_group *columns, const struct svi_plan *plan,
                                    const struct svi_matrix *m, bool *taken)
{
    const int64_t line = svi_items_of_lines(m->item);
    bool mine[SVI_PLAN_NDIM];

    taken[plan->src_axis] = true;
    for (int64_t least = line; least <= MANY_LINES * line; least *= MANY_LINES) {
        memcpy(mine, taken, sizeof mine);
        svi_axis_group_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, least, mine);
        if (columns->items % line == 0)
            break;
    }
    memcpy(taken, mine, sizeof mine);
    return columns->items >= line;
}

/* Cuts columns into blocks of whole lines, all alike except the last. */
static void cut_into_lines(struct svi_axis_group *columns, int64_t line, int64_t items)
{
    const int64_t all = columns->items, blocks = (all + items / 2 - 1) / items;
    const int64_t even = blocks > 1 ? svi_divide_up(all, blocks) : all;

    columns->block = svi_smaller(svi_divide_up(even, line), all / line) * line;
}

/* Chooses columns of several axes that are whole lines together, or nearly; else of one axis, without its partial
 * line. */
static bool choose_columns(struct svi_axis_group *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                           bool *taken, int64_t items, struct svi_interior *interior)
{
    const int64_t line = SVI_LINE / m->item;
    bool mine[SVI_PLAN_NDIM];

    taken[plan->src_axis] = true;
    memcpy(mine, taken, sizeof mine);
    svi_axis_group_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, items, mine);
    if (columns->unit == 1 || !svi_axis_group_cut(columns, m->item, items)) {
        memcpy(mine, taken, sizeof mine);
        if (!choose_columns_of_lines(columns, plan, m, mine) || columns->unit == 1) {
            interior->columns = m->columns / line * line;
            svi_axis_group_make(columns, plan, plan->src, plan->dst, interior->columns, m->dst_pitch, 0, NULL);
            return interior->columns > 0 && svi_axis_group_cut(columns, m->item, items);
        }
        cut_into_lines(columns, line, items);
    }
    memcpy(taken, mine, sizeof mine);
    return true;
}

void svi_blocking_outer(struct svi_blocking *blocking, const struct svi_plan *plan, const bool *taken)
{
    blocking->by_source = blocking->down = false;
    blocking->outer_ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k])
            blocking->outer[blocking->outer_ndim++] =
                (struct svi_odometer_axis){.extent = plan->shape[k], .dst = plan->dst[k], .src = plan->src[k]};
    blocking->columns.granule = svi_items_of_lines(blocking->item);
}

bool svi_blocking_choose(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                         int64_t rows, int64_t columns, struct svi_interior *interior)
{
    bool taken[SVI_PLAN_NDIM];
    struct svi_plan inner;
    struct svi_matrix part = *m;

    blocking->item = m->item;
    if (!choose_rows(&blocking->rows, plan, m, taken, rows, true, interior))
        return false;
    if (interior->next >= 0) {
        svi_part_of_axes(plan, 0, &inner);
        svi_part_set_extent(&inner, interior->next, inner.shape[interior->next] - 1);
        part.columns = inner.shape[plan->src_axis];
        plan = &inner;
        m = &part;
    }
    if (!choose_columns(&blocking->columns, plan, m, taken, columns, interior))
        return false;
    if (interior->next == plan->src_axis)
        interior->columns = svi_smaller(interior->columns, part.columns);
    svi_blocking_outer(blocking, plan, taken);
    return true;
}

bool svi_blocking_choose_lines(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                               bool unaligned, struct svi_interior *interior)
{
    bool taken[SVI_PLAN_NDIM] = {false};

    blocking->item = m->item;
    if (unaligned) {
        *interior = (struct svi_interior){.rows = m->rows, .columns = m->columns, .next = -1};
        svi_axis_group_make(&blocking->rows, plan, plan->dst, plan->src, interior->rows, m->src_pitch, 0, NULL);
        taken[plan->ndim - 1] = true;
    } else if (!choose_rows(&blocking->rows, plan, m, taken, SVI_LINE / m->item, false, interior) ||
               blocking->rows.unit > 1) {
        return false;
    }
    if (!choose_columns_of_lines(&blocking->columns, plan, m, taken))
        return false;
    svi_blocking_outer(blocking, plan, taken);
    blocking->rows.block = blocking->rows.steps;
    svi_blocking_cut_columns(blocking, WIDE_LINES * svi_items_of_lines(m->item));
    blocking->by_source = true;
    return true;
}

void svi_blocking_cut_columns(struct svi_blocking *blocking, int64_t items)
{
    const int64_t line = svi_items_of_lines(blocking->item), whole = blocking->columns.items / line * line;

    blocking->columns.block = svi_smaller(items, whole);
}
