/*
 * Operations that give the elements another shape without a copy. Reshape and split merge the axes into runs, and cut
 * these into the new axes; broadcast gives strides of 0 to axes that it adds or repeats.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/reshape.h"

static sv_status check_ndim(int32_t ndim, const int64_t *shape)
{
    if (ndim > 0)
        SVI_NEED(shape);
    if (ndim < 0 || ndim > SV_MAX_NDIM)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " axes, there can be 0 to %d", ndim, SV_MAX_NDIM);
    return SV_OK;
}

enum { SHAPE_TEXT = 128 }; /* bytes, with the NUL: two shapes and more fit a message */

/* Writes "(2, 3)". A long shape is cut and ends in "...)". */
static void write_shape(int32_t ndim, const int64_t *shape, char out[SHAPE_TEXT])
{
    static const char dots[] = "...)";
    size_t length = 1;

    out[0] = '(';
    for (int32_t i = 0; i < ndim; i++) {
        const size_t room = SHAPE_TEXT - length;
        const int written = snprintf(out + length, room, "%s%" PRId64, i > 0 ? ", " : "", shape[i]);

        if ((size_t)written + sizeof dots + 1 > room) {
            memcpy(out + length, dots, sizeof dots);
            return;
        }
        length += (size_t)written;
    }
    snprintf(out + length, SHAPE_TEXT - length, "%s)", ndim == 1 ? "," : "");
}

static __attribute__((cold)) sv_status fail_to_fill(const struct svi_geometry *g, int64_t size, int32_t ndim,
                                                    const int64_t *shape)
{
    char from[SHAPE_TEXT], to[SHAPE_TEXT];

    write_shape(g->ndim, g->shape, from);
    write_shape(ndim, shape, to);
    return svi_fail(SV_ERROR_INVALID, "%s does not make the %" PRId64 " elements of shape %s", to, size, from);
}

/* Copies shape to out. An extent of -1 becomes the one that makes size elements. */
static sv_status find_shape(const struct svi_geometry *g, int64_t size, int32_t ndim, const int64_t *shape,
                            int64_t *out)
{
    int64_t product = 1;
    int32_t unknown = -1;
    bool zero = false, large = false;

    for (int32_t i = 0; i < ndim; i++) {
        out[i] = shape[i];
        if (shape[i] < -1)
            return svi_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", shape[i], i);
        if (shape[i] == -1 && unknown >= 0)
            return svi_fail(SV_ERROR_INVALID, "axes %" PRId32 " and %" PRId32 " are both -1", unknown, i);
        if (shape[i] == -1)
            unknown = i;
        else if (shape[i] == 0)
            zero = true;
        else
            large = large || svi_mul(product, shape[i], &product);
    }
    if (unknown >= 0 && zero)
        return svi_fail(SV_ERROR_INVALID, "axis %" PRId32 " is -1 beside an extent of 0", unknown);
    if (unknown >= 0 && size == 0)
        out[unknown] = 0;
    else if (unknown >= 0 && !large && size % product == 0)
        out[unknown] = size / product;
    else if (unknown >= 0)
        return fail_to_fill(g, size, ndim, shape);
    else if (zero ? size != 0 : large || product != size)
        return fail_to_fill(g, size, ndim, shape);
    return SV_OK;
}

/* Merges neighbouring axes into runs and leaves out extents of 1, the innermost last. Returns the number of runs. */
static int32_t collapse_axes(const struct svi_geometry *g, int64_t *extents, int64_t *strides)
{
    int32_t count = 0;
    int64_t step;

    for (int32_t i = 0; i < g->ndim; i++) {
        if (g->shape[i] == 1)
            continue;
        if (count > 0 && !svi_mul(g->strides[i], g->shape[i], &step) && step == strides[count - 1])
            extents[count - 1] *= g->shape[i];
        else
            extents[count++] = g->shape[i];
        strides[count - 1] = g->strides[i];
    }
    return count;
}

static __attribute__((cold)) sv_status fail_to_reshape(const struct svi_geometry *g, int32_t ndim, const int64_t *shape,
                                                       int32_t axis)
{
    char from[SHAPE_TEXT], to[SHAPE_TEXT];

    write_shape(g->ndim, g->shape, from);
    write_shape(ndim, shape, to);
    return svi_fail(SV_ERROR_LAYOUT,
                    "shape %s does not become %s without a copy: its strides do not allow extent %" PRId64
                    " of axis %" PRId32,
                    from, to, shape[axis], axis);
}

/*
 * Finds the strides of another shape of the elements of g, which is not empty. Each new axis must be inside one run of
 * g, so the runs are cut up from the innermost axis outwards.
 */
static sv_status find_strides(const struct svi_geometry *g, int32_t ndim, const int64_t *shape, int64_t *strides)
{
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM], left = 1, next;
    int32_t run = collapse_axes(g, extents, steps);
    int64_t stride = run > 0 ? steps[run - 1] : g->itemsize;

    for (int32_t i = ndim - 1; i >= 0; i--) {
        if (shape[i] > 1 && left == 1) {
            left = extents[--run];
            stride = steps[run];
        }
        strides[i] = stride;
        if (shape[i] == 1)
            continue;
        if (left % shape[i] != 0)
            return fail_to_reshape(g, ndim, shape, i);
        left /= shape[i];
        if (!svi_mul(stride, shape[i], &next))
            stride = next;
        else if (left > 1) /* else no further axis of this run has more than one element */
            return svi_fail(SV_ERROR_OVERFLOW,
                            "stride %" PRId64 " of axis %" PRId32 " times %" PRId64 " does not fit int64", stride, i,
                            shape[i]);
    }
    return SV_OK;
}

sv_status svi_geometry_reshape(struct svi_geometry *g, int32_t ndim, const int64_t *shape)
{
    int64_t extents[SV_MAX_NDIM], strides[SV_MAX_NDIM], size = 0;

    SVI_TRY(check_ndim(ndim, shape));
    SVI_TRY(svi_shape_count(g->ndim, g->shape, g->itemsize, &size));
    SVI_TRY(find_shape(g, size, ndim, shape, extents));
    if (size > 0)
        SVI_TRY(find_strides(g, ndim, extents, strides));
    else
        for (int32_t i = 0; i < ndim; i++)
            strides[i] = 0;
    svi_geometry_set_axes(g, ndim, extents, strides);
    return SV_OK;
}

static void load_axis(const struct svi_geometry *g, int32_t axis, struct svi_geometry *run)
{
    run->ndim = 1;
    run->itemsize = g->itemsize;
    run->shape[0] = g->shape[axis];
    run->strides[0] = g->strides[axis];
}

/* The strides of the parts of one axis, which is cut up as a run in a reshape. */
static sv_status cut_axis(const struct svi_geometry *run, bool is_empty, int32_t count, const int64_t *extents,
                          int64_t *strides)
{
    if (!is_empty)
        return find_strides(run, count, extents, strides);
    for (int32_t i = 0; i < count; i++)
        strides[i] = 0;
    return SV_OK;
}

sv_status svi_geometry_split_axis(struct svi_geometry *g, int32_t axis, int32_t count, const int64_t *extents)
{
    int64_t found[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    struct svi_geometry run;
    int32_t added;

    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    if (count > 0)
        SVI_NEED(extents);
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId32 " extents is negative", count);
    added = count - 1;
    if (added > SV_MAX_NDIM - g->ndim)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " more than %" PRId32 " axes, there can be 0 to %d", added, g->ndim,
                        SV_MAX_NDIM);
    load_axis(g, axis, &run);
    SVI_TRY(find_shape(&run, run.shape[0], count, extents, found));
    SVI_TRY(cut_axis(&run, svi_geometry_is_empty(g), count, found, strides));

    memmove(g->shape + axis + count, g->shape + axis + 1, (size_t)(g->ndim - axis - 1) * sizeof *g->shape);
    memmove(g->strides + axis + count, g->strides + axis + 1, (size_t)(g->ndim - axis - 1) * sizeof *g->strides);
    for (int32_t i = 0; i < count; i++) {
        g->shape[axis + i] = found[i];
        g->strides[axis + i] = strides[i];
    }
    g->ndim += added;
    return SV_OK;
}

/* What the two shapes are called where one does not broadcast to the other. */
struct roles {
    const char *from, *to;
};

static __attribute__((cold)) sv_status fail_to_broadcast(const struct svi_geometry *g, int32_t ndim,
                                                         const int64_t *shape, const struct roles *roles)
{
    char from[SHAPE_TEXT], to[SHAPE_TEXT];

    write_shape(g->ndim, g->shape, from);
    write_shape(ndim, shape, to);
    return svi_fail(SV_ERROR_LAYOUT, "%s%s does not broadcast to %s%s", roles->from, from, roles->to, to);
}

static sv_status broadcast(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const struct roles *roles)
{
    int64_t strides[SV_MAX_NDIM], nbytes = g->itemsize;
    int32_t added;
    bool overflow = false;

    SVI_TRY(check_ndim(ndim, shape));
    added = ndim - g->ndim;
    if (added < 0)
        return fail_to_broadcast(g, ndim, shape, roles);
    for (int32_t i = 0; i < ndim; i++) {
        int64_t extent = i < added ? 1 : g->shape[i - added];

        if (shape[i] < 0)
            return svi_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", shape[i], i);
        if (extent != 1 && extent != shape[i])
            return fail_to_broadcast(g, ndim, shape, roles);
        strides[i] = i < added || extent != shape[i] ? 0 : g->strides[i - added];
        overflow |= svi_mul(nbytes, shape[i], &nbytes);
    }
    if (overflow) /* an empty shape may overflow on the way */
        SVI_TRY(svi_shape_count(ndim, shape, g->itemsize, &nbytes));
    svi_geometry_set_axes(g, ndim, shape, strides);
    return SV_OK;
}

sv_status svi_geometry_broadcast(struct svi_geometry *g, int32_t ndim, const int64_t *shape)
{
    static const struct roles roles = {"shape ", ""};

    return broadcast(g, ndim, shape, &roles);
}

sv_status svi_geometry_broadcast_src(struct svi_geometry *g, int32_t ndim, const int64_t *shape)
{
    static const struct roles roles = {"src ", "dst "};

    return broadcast(g, ndim, shape, &roles);
}
