/* Rows, and planes of rows, moved by a device's copy engine: between host and device or two devices, at any pitch,
 * without a kernel. */
#include "gpu/pitched.h"

enum {
    LONGEST_PITCH = INT32_MAX, /* that every device takes */
    SHORTEST_ROW = 512,        /* bytes: shorter ones are faster by a kernel */
    MOST_CALLS = 64
};

/* How the copy engine sees a plan: what one call copies, and the axes along which it is called again. */
struct calls {
    struct svi_plan joined; /* a run in both sides is one item */
    int32_t rows, planes;   /* axes of one call; -1: none */
    int64_t count;
};

static void join_runs(struct svi_plan *plan)
{
    while (plan->ndim > 0 && plan->dst[plan->ndim - 1] == plan->item && plan->src[plan->ndim - 1] == plan->item)
        plan->item *= plan->shape[--plan->ndim];
}

/* --- what one call copies ------------------------------------------------------------------- */

static bool has_pitch(const struct svi_plan *plan, int64_t stride)
{
    return stride >= plan->item && stride <= LONGEST_PITCH;
}

static bool is_rows(const struct svi_plan *joined, int32_t axis)
{
    return has_pitch(joined, joined->dst[axis]) && has_pitch(joined, joined->src[axis]);
}

/* A plane is told by its number of rows, gaps between planes included. */
static bool has_planes(int64_t plane, int64_t pitch, int64_t rows)
{
    return plane % pitch == 0 && plane / pitch >= rows;
}

static bool is_planes(const struct svi_plan *joined, int32_t axis, int32_t rows)
{
    return axis != rows && has_planes(joined->dst[axis], joined->dst[rows], joined->shape[rows]) &&
           has_planes(joined->src[axis], joined->src[rows], joined->shape[rows]);
}

/* The longest such axis. */
static int32_t find_planes(const struct svi_plan *joined, int32_t rows)
{
    int32_t found = -1;

    for (int32_t axis = 0; axis < joined->ndim; axis++)
        if (is_planes(joined, axis, rows) && (found < 0 || joined->shape[axis] > joined->shape[found]))
            found = axis;
    return found;
}

static int64_t extent_of_axis(const struct svi_plan *joined, int32_t axis)
{
    return axis < 0 ? 1 : joined->shape[axis];
}

/* Rows, or planes of rows, so that there are as few calls as can be. */
static void find_calls(const struct svi_plan *plan, struct calls *out)
{
    int64_t most = 1;

    out->joined = *plan;
    join_runs(&out->joined);
    out->rows = out->planes = -1;
    out->count = 1;
    for (int32_t rows = 0; rows < out->joined.ndim; rows++) {
        const int32_t planes = is_rows(&out->joined, rows) ? find_planes(&out->joined, rows) : -1;
        const int64_t copied = out->joined.shape[rows] * extent_of_axis(&out->joined, planes);

        if (!is_rows(&out->joined, rows) || copied <= most)
            continue;
        most = copied;
        out->rows = rows;
        out->planes = planes;
    }
    for (int32_t axis = 0; axis < out->joined.ndim; axis++)
        if (axis != out->rows && axis != out->planes)
            out->count *= out->joined.shape[axis];
}

bool svi_gpu_is_pitched(const struct svi_plan *plan)
{
    struct calls calls;

    if (plan->kind == SVI_CLASS_CAST)
        return false;
    find_calls(plan, &calls);
    return calls.joined.ndim == 0 || (calls.joined.item >= SHORTEST_ROW && calls.count <= MOST_CALLS);
}

int64_t svi_gpu_pitched_calls(const struct svi_plan *plan)
{
    struct calls calls;

    find_calls(plan, &calls);
    return calls.count;
}

/* --- calls ------------------------------------------------------------------------------------ */

static sv_status enqueue_planes(const struct calls *c, char *dst, const char *src, const struct svi_gpu_queue *queue)
{
    const struct svi_plan *joined = &c->joined;
    const int64_t to = joined->dst[c->rows], from = joined->src[c->rows];
    struct svi_gpu_rows rows = {
        .dst = dst,
        .src = src,
        .width = joined->item,
        .rows = joined->shape[c->rows],
        .planes = extent_of_axis(joined, c->planes),
        .dst_pitch = to,
        .src_pitch = from,
    };

    if (c->planes >= 0) {
        rows.dst_height = joined->dst[c->planes] / to;
        rows.src_height = joined->src[c->planes] / from;
    }
    return queue->calls->copy_rows(queue, &rows);
}

static sv_status call_once(const struct calls *c, char *dst, const char *src, const struct svi_gpu_queue *queue)
{
    return c->rows >= 0 ? enqueue_planes(c, dst, src, queue) : queue->calls->copy(queue, dst, src, c->joined.item);
}

/* The next step along the axes that no call copies. false: there is none. */
static bool step_outer_axes(const struct calls *c, int64_t *index, char **dst, const char **src)
{
    const struct svi_plan *joined = &c->joined;

    for (int32_t axis = joined->ndim - 1; axis >= 0; axis--) {
        if (axis == c->rows || axis == c->planes)
            continue;
        *dst += joined->dst[axis];
        *src += joined->src[axis];
        if (++index[axis] < joined->shape[axis])
            return true;
        *dst -= joined->shape[axis] * joined->dst[axis];
        *src -= joined->shape[axis] * joined->src[axis];
        index[axis] = 0;
    }
    return false;
}

static sv_status copy_all(const struct calls *c, void *dst, const void *src, const struct svi_gpu_queue *queue)
{
    char *to = (char *)dst + c->joined.dst_offset;
    const char *from = (const char *)src + c->joined.src_offset;
    int64_t index[SVI_PLAN_NDIM] = {0};

    do
        SVI_TRY(call_once(c, to, from, queue));
    while (step_outer_axes(c, index, &to, &from));
    return SV_OK;
}

sv_status svi_gpu_copy_pitched(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_gpu_queue *queue)
{
    struct calls calls;

    find_calls(plan, &calls);
    return copy_all(&calls, dst, src, queue);
}

/* Of a single run the driver is told both devices, so that neither has to read the other's memory. */
sv_status svi_gpu_copy_peer(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    struct calls calls;

    if (request->plan->kind == SVI_CLASS_CAST)
        return svi_fail(SV_ERROR_UNSUPPORTED, "a conversion between two devices on a stream of a third");
    find_calls(request->plan, &calls);
    if (calls.joined.ndim > 0)
        return copy_all(&calls, request->dst, request->src, queue);
    return queue->calls->copy_peer(queue, (char *)request->dst + calls.joined.dst_offset, request->dst_device.id,
                                   (const char *)request->src + calls.joined.src_offset, request->src_device.id,
                                   calls.joined.item);
}
