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
    const struct svi_plan *plan;
    int64_t row;          /* bytes of a run of both sides, */
    int32_t ndim;         /* and the axes in front of it */
    int32_t rows, planes; /* axes of one call; -1: none */
    int64_t count;
};

static void find_shared_row(struct calls *c)
{
    const struct svi_plan *plan = c->plan;

    c->row = plan->item;
    c->ndim = plan->ndim;
    while (c->ndim > 0 && plan->dst[c->ndim - 1] == c->row && plan->src[c->ndim - 1] == c->row)
        c->row *= plan->shape[--c->ndim];
}

/* --- what one call copies ------------------------------------------------------------------- */

static bool is_pitch(const struct calls *c, int64_t stride)
{
    return stride >= c->row && stride <= LONGEST_PITCH;
}

static bool is_rows(const struct calls *c, int32_t axis)
{
    return is_pitch(c, c->plan->dst[axis]) && is_pitch(c, c->plan->src[axis]);
}

/* A plane is told by its number of rows, gaps between planes included. */
static bool has_planes(int64_t plane, int64_t pitch, int64_t rows)
{
    return plane % pitch == 0 && plane / pitch >= rows;
}

static bool is_planes(const struct svi_plan *plan, int32_t axis, int32_t rows)
{
    return axis != rows && has_planes(plan->dst[axis], plan->dst[rows], plan->shape[rows]) &&
           has_planes(plan->src[axis], plan->src[rows], plan->shape[rows]);
}

/* The longest such axis. */
static int32_t find_planes(const struct calls *c, int32_t rows)
{
    const struct svi_plan *plan = c->plan;
    int32_t found = -1;

    for (int32_t axis = 0; axis < c->ndim; axis++)
        if (is_planes(plan, axis, rows) && (found < 0 || plan->shape[axis] > plan->shape[found]))
            found = axis;
    return found;
}

static int64_t extent_of_axis(const struct calls *c, int32_t axis)
{
    return axis < 0 ? 1 : c->plan->shape[axis];
}

/* Rows, or planes of rows, so that there are as few calls as can be. */
static void find_calls(const struct svi_plan *plan, struct calls *out)
{
    int64_t most = 1;

    out->plan = plan;
    find_shared_row(out);
    out->rows = out->planes = -1;
    out->count = 1;
    for (int32_t rows = 0; rows < out->ndim; rows++) {
        const int32_t planes = is_rows(out, rows) ? find_planes(out, rows) : -1;
        const int64_t copied = plan->shape[rows] * extent_of_axis(out, planes);

        if (!is_rows(out, rows) || copied <= most)
            continue;
        most = copied;
        out->rows = rows;
        out->planes = planes;
    }
    for (int32_t axis = 0; axis < out->ndim; axis++)
        if (axis != out->rows && axis != out->planes)
            out->count *= plan->shape[axis];
}

bool svi_gpu_is_pitched(const struct svi_plan *plan)
{
    struct calls calls;

    if (plan->kind == SVI_CLASS_CAST)
        return false;
    find_calls(plan, &calls);
    return calls.ndim == 0 || (calls.row >= SHORTEST_ROW && calls.count <= MOST_CALLS);
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
    const struct svi_plan *plan = c->plan;
    const int64_t to = plan->dst[c->rows], from = plan->src[c->rows];
    struct svi_gpu_rows rows = {
        .dst = dst,
        .src = src,
        .width = c->row,
        .rows = plan->shape[c->rows],
        .planes = extent_of_axis(c, c->planes),
        .dst_pitch = to,
        .src_pitch = from,
    };

    if (c->planes >= 0) {
        rows.dst_height = plan->dst[c->planes] / to;
        rows.src_height = plan->src[c->planes] / from;
    }
    return queue->calls->copy_rows(queue, &rows);
}

static sv_status call_once(const struct calls *c, char *dst, const char *src, const struct svi_gpu_queue *queue)
{
    return c->rows >= 0 ? enqueue_planes(c, dst, src, queue) : queue->calls->copy(queue, dst, src, c->row);
}

/* The next step along the axes that no call copies. false: there is none. */
static bool step_outer_axes(const struct calls *c, int64_t *index, char **dst, const char **src)
{
    const struct svi_plan *plan = c->plan;

    for (int32_t axis = c->ndim - 1; axis >= 0; axis--) {
        if (axis == c->rows || axis == c->planes)
            continue;
        *dst += plan->dst[axis];
        *src += plan->src[axis];
        if (++index[axis] < plan->shape[axis])
            return true;
        *dst -= plan->shape[axis] * plan->dst[axis];
        *src -= plan->shape[axis] * plan->src[axis];
        index[axis] = 0;
    }
    return false;
}

static sv_status copy_all(const struct calls *c, void *dst, const void *src, const struct svi_gpu_queue *queue)
{
    char *to = (char *)dst + c->plan->dst_offset;
    const char *from = (const char *)src + c->plan->src_offset;
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
    if (calls.ndim > 0)
        return copy_all(&calls, request->dst, request->src, queue);
    return queue->calls->copy_peer(queue, (char *)request->dst + request->plan->dst_offset, request->dst_device.id,
                                   (const char *)request->src + request->plan->src_offset, request->src_device.id,
                                   calls.row);
}
