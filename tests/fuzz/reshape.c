/* Reshaping is the same elements in the same order, and is refused only where no strides can say that. */
#include "fuzz/fuzz.h"

const char fuzz_name[] = "reshape";

enum { WALK = 2000 }; /* elements that are looked at */

__extension__ typedef __int128 wide;

/* Whether any strides give the elements this shape: each stride is what the first step along its axis takes. */
static bool is_possible(const sv_layout *layout, int32_t ndim, const int64_t *shape)
{
    int64_t block = 1, size = sv_layout_size(layout);
    wide strides[SV_MAX_NDIM], origin = sv_layout_byte_offset(layout);

    for (int32_t k = ndim - 1; k >= 0; k--) {
        strides[k] = shape[k] > 1 ? fuzz_offset(layout, block) - origin : 0;
        if (strides[k] < INT64_MIN || strides[k] > INT64_MAX)
            return false;
        block *= shape[k];
    }
    for (int64_t i = 0; i < size; i++) {
        int64_t rest = i;
        wide offset = origin;

        for (int32_t k = ndim - 1; k >= 0; k--) {
            offset += rest % shape[k] * strides[k];
            rest /= shape[k];
        }
        if (offset != fuzz_offset(layout, i))
            return false;
    }
    return true;
}

/* Whether shape is one for so many elements; finds the extent of -1. */
static bool is_shape(int32_t ndim, int64_t *shape, int64_t size)
{
    int64_t known = 1;
    int32_t open = -1;

    for (int32_t k = 0; k < ndim; k++) {
        if (shape[k] < -1 || (shape[k] == -1 && open >= 0))
            return false;
        if (shape[k] == -1)
            open = k;
    }
    for (int32_t k = 0; k < ndim; k++)
        if (shape[k] == 0)
            return size == 0 && open < 0;
    if (size == 0 && open >= 0)
        shape[open] = 0;
    if (size == 0)
        return open >= 0;
    for (int32_t k = 0; k < ndim; k++)
        if (k != open && __builtin_mul_overflow(known, shape[k], &known))
            return false;
    if (open < 0)
        return known == size;
    if (size % known != 0)
        return false;
    shape[open] = size / known;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, data + size};
    sv_layout *layout = fuzz_layout(&in), *out = NULL, *back = NULL;
    int64_t shape[SV_MAX_NDIM], count = sv_layout_size(layout);
    int32_t ndim = (int32_t)fuzz_between(&in, 0, 6);
    sv_status status;

    if (layout == NULL)
        return 0;
    for (int32_t k = 0; k < ndim; k++) /* often a divisor of what is left */
        shape[k] = fuzz_byte(&in) < 16 ? fuzz_number(&in) : fuzz_between(&in, -1, 8);
    status = sv_layout_reshape(layout, ndim, shape, &out);
    if (!is_shape(ndim, shape, count)) {
        fuzz_check(status == SV_ERROR_INVALID && out == NULL, "another number of elements: %s", sv_status_name(status));
    } else if (status == SV_OK) {
        fuzz_check(sv_layout_size(out) == count && sv_layout_ndim(out) == ndim, "size");
        for (int64_t i = 0; i < count && i < WALK; i++)
            fuzz_check(fuzz_offset(layout, i) == fuzz_offset(out, i), "element %d", (int)i);
        for (int64_t i = count > WALK ? count - WALK : 0; i < count; i++)
            fuzz_check(fuzz_offset(layout, i) == fuzz_offset(out, i), "element %d from the end", (int)(count - i));
        fuzz_check(sv_layout_same_bytes(layout, out), "the same bytes");
        fuzz_check(sv_layout_reshape(out, sv_layout_ndim(layout), sv_layout_shape(layout), &back) == SV_OK, "back");
        fuzz_check(sv_layout_same_bytes(layout, back), "the same bytes again");
    } else {
        fuzz_check(status == SV_ERROR_LAYOUT, "refused: %s", sv_status_name(status));
        fuzz_check(count > WALK || !is_possible(layout, ndim, shape), "refused though it can be");
    }
    sv_layout_release(back);
    sv_layout_release(out);
    sv_layout_release(layout);
    return 0;
}
