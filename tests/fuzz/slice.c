/* Slices and indices, one upon another, against the arithmetic of single indices. */
#include "fuzz/fuzz.h"

const char fuzz_name[] = "slice";

__extension__ typedef __int128 wide;

static bool fits(wide number)
{
    return number >= INT64_MIN && number <= INT64_MAX;
}

/* What Python takes of an axis. Returns how many. */
static wide indices(int64_t extent, int64_t start, int64_t stop, int64_t step, wide *first)
{
    wide low = step < 0 ? -1 : 0, high = step < 0 ? (wide)extent - 1 : extent;
    wide from = start < 0 ? (wide)start + extent : start, to = stop < 0 ? (wide)stop + extent : stop, count = 0;

    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
    *first = from;
    if (extent > 100 && step > 0)
        return to > from ? (to - from - 1) / step + 1 : 0;
    if (extent > 100)
        return from > to ? (from - to - 1) / -(wide)step + 1 : 0;
    for (wide i = from; step > 0 ? i < to : i > to; i += step)
        count++;
    return count;
}

/* What must come out, or that it must be refused. */
static void check_slice(const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop,
                        const int64_t *step, sv_status status, const sv_layout *out)
{
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
    bool zero = false, beyond = false, empty = sv_layout_size(layout) == 0;
    wide offset = sv_layout_byte_offset(layout), first, taken;

    for (int32_t k = 0; k < count && k < sv_layout_ndim(layout); k++) {
        zero = zero || step[k] == 0;
        if (step[k] == 0)
            continue;
        taken = indices(shape[k], start[k], stop[k], step[k], &first);
        if (taken > 0)
            offset += first * strides[k];
        beyond = beyond || (taken > 1 && !fits((wide)strides[k] * step[k])) || !fits(offset);
        empty = empty || taken == 0;
        if (status == SV_OK) {
            fuzz_check(sv_layout_shape(out)[k] == taken, "extent of axis %d", (int)k);
            fuzz_check(taken <= 1 || empty || sv_layout_size(out) == 0 ||
                           sv_layout_byte_strides(out)[k] == (wide)strides[k] * step[k], "stride of axis %d", (int)k);
        }
    }
    if (count > sv_layout_ndim(layout))
        fuzz_check(status == SV_ERROR_INDEX, "more slices than axes: %s", sv_status_name(status));
    else if (zero)
        fuzz_check(status == SV_ERROR_INVALID || (beyond && status == SV_ERROR_OVERFLOW), "step 0: %s",
                   sv_status_name(status));
    else if (status == SV_OK)
        fuzz_check(empty || offset == sv_layout_byte_offset(out), "offset");
    else
        fuzz_check(status == SV_ERROR_OVERFLOW && beyond && sv_layout_size(layout) > 0, "refused: %s",
                   sv_status_name(status));
}

static sv_layout *slice(const sv_layout *layout, struct fuzz_input *in)
{
    int32_t ndim = sv_layout_ndim(layout), count = (int32_t)fuzz_between(in, 0, ndim < 60 ? ndim + 1 : ndim);
    int64_t start[SV_MAX_NDIM], stop[SV_MAX_NDIM], step[SV_MAX_NDIM];
    sv_layout *out = NULL;
    sv_status status;

    for (int32_t k = 0; k < count; k++) {
        start[k] = fuzz_number(in);
        stop[k] = fuzz_number(in);
        step[k] = fuzz_number(in);
    }
    status = sv_layout_slice(layout, count, start, stop, step, &out);
    fuzz_check((status == SV_OK) == (out != NULL), "an output with SV_OK only");
    check_slice(layout, count, start, stop, step, status, out);
    return out;
}

static sv_layout *take(const sv_layout *layout, struct fuzz_input *in)
{
    int32_t axis = (int32_t)fuzz_number(in), ndim = sv_layout_ndim(layout), from_start = axis < 0 ? axis + ndim : axis;
    int64_t index = fuzz_number(in);
    sv_layout *out = NULL;
    sv_status status = sv_layout_index(layout, axis, index, &out);
    bool inside = from_start >= 0 && from_start < ndim;
    int64_t extent = inside ? sv_layout_shape(layout)[from_start] : 0, at = index < 0 ? index + extent : index;
    wide offset;

    if (!inside || index < -extent || index >= extent) {
        fuzz_check(status == SV_ERROR_INDEX && out == NULL, "no such index: %s", sv_status_name(status));
        return NULL;
    }
    fuzz_check(status == SV_OK, "refused: %s", sv_status_name(status));
    offset = sv_layout_byte_offset(layout) + (wide)at * sv_layout_byte_strides(layout)[from_start];
    if (!fits(offset) && sv_layout_size(layout) == 0)
        offset = sv_layout_byte_offset(layout);
    fuzz_check(sv_layout_byte_offset(out) == offset, "offset");
    fuzz_check(sv_layout_ndim(out) == ndim - 1, "one axis less");
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, data + size};
    sv_layout *layout = fuzz_layout(&in);

    for (int steps = 0; layout != NULL && steps < 4; steps++) {
        sv_layout *out = fuzz_byte(&in) & 1 ? take(layout, &in) : slice(layout, &in);

        sv_layout_release(layout);
        layout = out;
    }
    sv_layout_release(layout);
    return 0;
}
