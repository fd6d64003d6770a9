/* Items of another size are the same bytes in the same order, and the largest size is the largest that is taken. */
#include "fuzz/fuzz.h"

const char fuzz_name[] = "repack";

/* With the axis last, bytes follow in the order of the walk. */
static void check_bytes(const sv_layout *layout, const sv_layout *other, int32_t axis)
{
    static const int32_t last = -1;
    sv_layout *turned = NULL, *other_turned = NULL;

    fuzz_check(sv_layout_move_axes(layout, 1, &axis, &last, &turned) == SV_OK, "turned");
    fuzz_check(sv_layout_move_axes(other, 1, &axis, &last, &other_turned) == SV_OK, "the other turned");
    fuzz_check(sv_layout_same_bytes(turned, other_turned), "the same bytes");
    if (sv_layout_size(layout) > 0)
        fuzz_check(sv_layout_byte_offset(turned) == fuzz_offset(other_turned, 0), "the first byte");
    sv_layout_release(other_turned);
    sv_layout_release(turned);
}

static void check_largest(const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis)
{
    int64_t largest = 0;

    if (itemsize < sv_layout_itemsize(layout) || sv_layout_size(layout) == 0)
        return;
    fuzz_check(sv_layout_max_itemsize(layout, itemsize, address, axis, &largest) == SV_OK, "largest");
    fuzz_check(largest == itemsize, "largest of %lld is %lld", (long long)itemsize, (long long)largest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sv_status known[] = {SV_ERROR_RANGE, SV_ERROR_INDEX, SV_ERROR_INVALID, SV_ERROR_LAYOUT,
                                      SV_ERROR_ALIGNMENT, SV_ERROR_OVERFLOW};
    struct fuzz_input in = {data, data + size};
    sv_layout *layout = fuzz_layout(&in), *out = NULL, *back = NULL;
    int32_t axis = (int32_t)fuzz_between(&in, -3, 4);
    int64_t itemsize = fuzz_byte(&in) & 1 ? INT64_C(1) << fuzz_between(&in, 0, 5) : fuzz_number(&in), largest = 0;
    uintptr_t address = (uintptr_t)fuzz_number(&in) * (fuzz_byte(&in) & 1 ? 1 : 16);
    sv_status status;

    if (layout == NULL)
        return 0;
    status = sv_layout_repack(layout, itemsize, address, axis, 1, &out);
    if (status == SV_OK) {
        fuzz_check(sv_layout_itemsize(out) == itemsize, "item size");
        fuzz_check(sv_layout_nbytes(out) == sv_layout_nbytes(layout), "bytes");
        if (itemsize != sv_layout_itemsize(layout)) {
            check_bytes(layout, out, axis);
            check_largest(layout, itemsize, address, axis);
            status = sv_layout_repack(out, sv_layout_itemsize(layout), 0, axis, 1, &back);
            fuzz_check(status == SV_OK || itemsize < sv_layout_itemsize(layout), "back");
            fuzz_check(status != SV_OK || sv_layout_same_bytes(out, back) || sv_layout_ndim(out) > 1, "the bytes back");
        }
    } else {
        fuzz_check(out == NULL && fuzz_one_of(status, 6, known), "refused: %s", sv_status_name(status));
    }
    sv_layout_release(back);
    sv_layout_release(out);
    out = NULL;
    if (itemsize > 0 && sv_layout_max_itemsize(layout, itemsize, address, axis, &largest) == SV_OK) {
        fuzz_check(sv_layout_repack(layout, largest, address, axis, 1, &out) == SV_OK, "%lld is not taken",
                   (long long)largest);
        sv_layout_release(out);
    }
    sv_layout_release(layout);
    return 0;
}
