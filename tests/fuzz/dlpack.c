/* Tensors of any kind: taken whole or refused untouched, and handed on as they came. No element is read. */
#include <string.h>

#include <dlpack/dlpack.h>

#include "fuzz/fuzz.h"

const char fuzz_name[] = "dlpack";

static int ended;

static void end_versioned(struct DLManagedTensorVersioned *self)
{
    (void)self;
    ended++;
}

static void end_unversioned(struct DLManagedTensor *self)
{
    (void)self;
    ended++;
}

struct numbers {
    int64_t shape[80], strides[80];
};

static DLTensor make_tensor(struct fuzz_input *in, struct numbers *numbers)
{
    uint8_t way = fuzz_byte(in);
    DLTensor t = {
        .data = (void *)(uintptr_t)(way & 1 ? 0x1000 : fuzz_number(in)),
        .device = {(DLDeviceType)(way & 2 ? kDLCPU : (int)fuzz_between(in, -1, 20)),
                   (int32_t)(way & 2 ? 0 : fuzz_number(in))},
        .ndim = (int32_t)(way & 4 ? fuzz_between(in, 0, 5) : fuzz_between(in, -2, 70)),
        .dtype = {(uint8_t)(way & 8 ? kDLFloat : fuzz_byte(in)), (uint8_t)(way & 8 ? 32 : fuzz_byte(in)),
                  (uint16_t)(way & 8 ? 1 : fuzz_between(in, 0, 9))},
        .byte_offset = way & 16 ? 0 : (uint64_t)fuzz_number(in),
    };

    for (int32_t k = 0; k < t.ndim; k++) {
        numbers->shape[k] = way & 32 ? fuzz_between(in, 0, 7) : fuzz_number(in);
        numbers->strides[k] = fuzz_number(in);
    }
    t.shape = fuzz_byte(in) < 8 ? NULL : numbers->shape;
    t.strides = way & 64 ? NULL : numbers->strides;
    return t;
}

/* The old form tells neither that nothing may be written nor that elements below a byte have one each. */
static sv_status status_of_old_form(const sv_view *view, bool padded)
{
    if (sv_view_is_readonly(view))
        return SV_ERROR_READ_ONLY;
    return padded ? SV_ERROR_UNSUPPORTED : SV_OK;
}

static void check_handed_on(const sv_view *view, bool padded)
{
    struct DLManagedTensorVersioned *out = NULL;
    struct DLManagedTensor *old = NULL;
    sv_view *again = NULL;
    sv_status status = sv_view_to_dlpack(view, 0, &out);

    fuzz_check((sv_view_borrow(view) != NULL) == (status == SV_OK), "borrowed: %s", sv_status_name(status));
    if (status != SV_OK)
        return;
    fuzz_check(padded == ((out->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0), "padded");
    fuzz_check(sv_view_from_dlpack(out, 0, &again) == SV_OK, "taken again");
    fuzz_check(sv_view_data(again) == sv_view_data(view), "the same data");
    fuzz_check(sv_layout_size(sv_view_layout(again)) == sv_layout_size(sv_view_layout(view)), "as many elements");
    fuzz_check(sv_view_is_readonly(again) == sv_view_is_readonly(view), "read-only");
    sv_view_release(again);
    status = sv_view_to_dlpack_unversioned(view, &old);
    fuzz_check(status == status_of_old_form(view, padded), "old form: %s", sv_status_name(status));
    if (status == SV_OK)
        old->deleter(old);
}

/* Elements below a byte, packed: the same numbers in groups. */
static void check_grouped(const sv_view *view, const DLTensor *t)
{
    uint32_t group = (sv_view_dtype(view) >> 16) / t->dtype.lanes;
    uint64_t count = 1;

    for (int32_t k = 0; k < t->ndim; k++)
        count *= (uint64_t)t->shape[k];
    fuzz_check(group > 1 && group * t->dtype.lanes * t->dtype.bits % 8 == 0, "a group fills bytes");
    fuzz_check((uint64_t)sv_layout_size(sv_view_layout(view)) * group == count, "as many elements in groups");
    check_handed_on(view, false);
}

/* padded: elements below a byte have one each, the tensor said. */
static void check_view(const sv_view *view, const DLTensor *t, bool padded)
{
    const bool parts = t->dtype.bits * t->dtype.lanes % 8 != 0;
    const sv_layout *layout = sv_view_layout(view);

    fuzz_check(t->ndim >= 0 && sv_layout_ndim(layout) == t->ndim, "axes");
    if (parts && !padded) {
        check_grouped(view, t);
        return;
    }
    for (int32_t k = 0; k < t->ndim; k++)
        fuzz_check(sv_layout_shape(layout)[k] == t->shape[k], "extent of axis %d", (int)k);
    fuzz_check(sv_view_dtype(view) == (t->dtype.code | (uint32_t)t->dtype.bits << 8 | (uint32_t)t->dtype.lanes << 16),
               "dtype");
    fuzz_check(sv_view_device_type(view) == (int32_t)t->device.device_type, "device type");
    fuzz_check(sv_view_device_id(view) == t->device.device_id, "device");
    check_handed_on(view, parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sv_status known[] = {SV_ERROR_VERSION, SV_ERROR_PROTOCOL, SV_ERROR_RANGE, SV_ERROR_DTYPE,
                                      SV_ERROR_LAYOUT, SV_ERROR_UNSUPPORTED, SV_ERROR_DEVICE, SV_ERROR_OVERFLOW,
                                      SV_ERROR_INVALID};
    struct fuzz_input in = {data, data + size};
    uint8_t way = fuzz_byte(&in);
    struct numbers numbers;
    struct DLManagedTensorVersioned tensor = {.version = {1, fuzz_byte(&in)}, .deleter = end_versioned};
    struct DLManagedTensor old = {.deleter = end_unversioned};
    uint32_t flags = way & 64 ? (uint32_t)fuzz_number(&in) : way >> 7;
    sv_view *view = NULL;
    sv_status status;
    bool owning = (way & 3) != 2, versioned = (way & 3) % 3 == 0;

    memset(&numbers, 0, sizeof numbers);
    tensor.dl_tensor = old.dl_tensor = make_tensor(&in, &numbers);
    tensor.flags = way & 4 ? (uint64_t)fuzz_number(&in) : 0;
    if (way & 8 && way & 16)
        tensor.version.major = (uint32_t)fuzz_number(&in);
    ended = 0;
    if ((way & 3) == 2)
        status = sv_view_from_dltensor(&old.dl_tensor, flags, NULL, NULL, &view);
    else if ((way & 3) == 1)
        status = sv_view_from_dlpack_unversioned(&old, flags, &view);
    else
        status = sv_view_from_dlpack(&tensor, flags, &view);
    if (status == SV_OK)
        check_view(view, &old.dl_tensor, versioned && (tensor.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED));
    else
        fuzz_check(view == NULL && fuzz_one_of(status, 9, known), "refused: %s", sv_status_name(status));
    fuzz_check(ended == 0, "ended too early");
    sv_view_release(view);
    fuzz_check(ended == (status == SV_OK && owning), "ended %d times", ended);
    return 0;
}
