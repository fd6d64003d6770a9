/* Walks over the blocks of a transpose (blocking.h), by an odometer over blocks of rows, blocks of columns and outer
 * axes. */
#include "base/checked.h"
#include "host/transpose/blocking.h"
#include "host/transpose/blocks.h"

enum {
    MAX_DENSE_ROW_BYTES = 512 /* bytes of contiguous rows that are packed as one */
};

/* --- blocks ------------------------------------------------------------------- */

static int64_t blocks_in(const struct svi_axis_group *group)
{
    return svi_divide_up(group->items, group->block);
}

/* The first element of a block of a group, and in count its elements. */
static int64_t enter_side(const struct svi_axis_group *group, int64_t index, int64_t *count)
{
    const int64_t at = index * group->block, left = svi_smaller(group->block, group->items - at);

    *count = svi_smaller(svi_round_up(left, group->granule), group->items);
    return svi_smaller(at, group->items - *count);
}

/* The offset of an element from the beginning of its unit, and in unit the offset of that on the other side. */
static const int64_t *offset_in_unit(const struct svi_axis_group *group, int64_t element, int64_t *unit)
{
    *unit = group->lead != 0 ? 0 : element / group->unit * group->other;
    return group->offset + (group->lead != 0 ? element : element % group->unit);
}

static void locate_at_index(struct svi_blocks *b)
{
    const struct svi_axis_group *rows = &b->blocking->rows, *columns = &b->blocking->columns;
    const int64_t row = enter_side(rows, b->at.axis[b->row_axis].index, &b->rows);
    const int64_t column = enter_side(columns, b->at.axis[b->column_axis].index, &b->columns);
    int64_t row_unit, column_unit;

    b->row = offset_in_unit(rows, row, &row_unit);
    b->offset = offset_in_unit(columns, column, &column_unit);
    b->dst = b->at.dst + row * rows->item + column_unit;
    b->src = b->at.src + column * columns->item + row_unit;
    b->pitch = rows->unit == 1 && row + b->rows + rows->lead <= rows->steps ? rows->other : 0;
}

/* The index of an axis after a and b have changed places. */
static int32_t swap_axis_index(int32_t axis, int32_t a, int32_t b)
{
    return axis == a ? b : axis == b ? a : axis;
}

static void sort_by_source(struct svi_blocks *b)
{
    struct svi_odometer_axis *axis = b->at.axis;

    for (int32_t k = 1; k < b->at.ndim; k++)
        for (int32_t i = k; i > 0 && svi_abs(axis[i - 1].src) < svi_abs(axis[i].src); i--) {
            const struct svi_odometer_axis slower = axis[i];

            axis[i] = axis[i - 1];
            axis[i - 1] = slower;
            b->row_axis = swap_axis_index(b->row_axis, i - 1, i);
            b->column_axis = swap_axis_index(b->column_axis, i - 1, i);
        }
}

/* The odometer counts blocks of rows and of columns; locate_at_index() finds their addresses. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_blocking *blocking, char *dst, const char *src)
{
    const struct svi_axis_group *rows = &blocking->rows, *columns = &blocking->columns;

    b->blocking = blocking;
    svi_odometer_begin(&b->at, dst, src);
    for (int32_t k = 0; k < blocking->outer_ndim; k++)
        svi_odometer_add(&b->at, blocking->outer[k].extent, blocking->outer[k].dst, blocking->outer[k].src);
    if (blocking->down)
        b->column_axis = svi_odometer_add(&b->at, blocks_in(columns), 0, 0);
    b->row_axis = svi_odometer_add(&b->at, blocks_in(rows), 0, rows->block / rows->unit * rows->other);
    if (!blocking->down)
        b->column_axis = svi_odometer_add(&b->at, blocks_in(columns), 0, columns->block * blocking->item);
    if (blocking->by_source)
        sort_by_source(b);
    b->at.axis[b->row_axis].src = b->at.axis[b->column_axis].src = 0;
    locate_at_index(b);
}

bool svi_blocks_next(struct svi_blocks *b)
{
    const bool more = svi_odometer_next(&b->at);

    locate_at_index(b);
    return more;
}

bool svi_blocking_is_dense(const struct svi_blocking *blocking)
{
    const int64_t nbytes = blocking->columns.items * blocking->item;

    return blocking->down && blocking->rows.unit == 1 && blocking->rows.other == nbytes &&
           nbytes <= MAX_DENSE_ROW_BYTES && nbytes % SVI_LINE != 0;
}

int64_t svi_blocks_count(const struct svi_blocks *b, int32_t axis)
{
    int64_t count = 1;

    for (int32_t k = axis; k < b->at.ndim; k++)
        count *= b->at.axis[k].extent;
    return count;
}
