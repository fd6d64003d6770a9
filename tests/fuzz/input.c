#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

void fuzz_check(bool ok, const char *format, ...)
{
    va_list args;

    if (ok)
        return;
    fprintf(stderr, "%s: ", fuzz_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, " (last message: %s)\n", sv_last_message());
    abort();
}

uint8_t fuzz_byte(struct fuzz_input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint64_t whole(struct fuzz_input *in)
{
    uint64_t number = 0;

    for (int i = 0; i < 8; i++)
        number = number << 8 | fuzz_byte(in);
    return number;
}

int64_t fuzz_number(struct fuzz_input *in)
{
    uint8_t kind = fuzz_byte(in);
    int8_t near = 0;

    if (kind < 200)
        return kind - 100;
    if (kind < 220)
        return (int64_t)whole(in);
    near = (int8_t)fuzz_byte(in);
    if (kind < 238)
        return (int64_t)((UINT64_C(1) << (near & 63)) + (uint64_t)(kind - 229));
    return (int64_t)((UINT64_C(1) << 63) + (uint64_t)(int64_t)near);
}

int64_t fuzz_between(struct fuzz_input *in, int64_t low, int64_t high)
{
    return low + fuzz_byte(in) % (high - low + 1);
}

sv_layout *fuzz_layout(struct fuzz_input *in)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    uint8_t way = fuzz_byte(in);
    int32_t ndim = (int32_t)fuzz_between(in, 0, way < 8 ? SV_MAX_NDIM : 5);
    int64_t itemsize = way & 8 ? fuzz_number(in) : fuzz_between(in, 1, 16);
    sv_layout *layout = NULL;

    for (int32_t k = 0; k < ndim; k++)
        shape[k] = way & 16 ? fuzz_number(in) : fuzz_between(in, 0, 15) % 8;
    for (int32_t k = 0; k < ndim && way & 32; k++)
        strides[k] = fuzz_number(in);
    if (way & 64)
        sv_layout_new_bytes(ndim, shape, way & 32 ? strides : NULL, itemsize, &layout);
    else
        sv_layout_new(ndim, shape, way & 32 ? strides : NULL, itemsize, &layout);
    return layout;
}

int64_t fuzz_offset(const sv_layout *layout, int64_t index)
{
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
    uint64_t offset = (uint64_t)sv_layout_byte_offset(layout);

    for (int32_t k = sv_layout_ndim(layout) - 1; k >= 0; k--) {
        offset += (uint64_t)(index % shape[k]) * (uint64_t)strides[k];
        index /= shape[k];
    }
    return (int64_t)offset;
}

bool fuzz_one_of(sv_status status, int count, const sv_status *statuses)
{
    for (int i = 0; i < count; i++)
        if (statuses[i] == status)
            return true;
    return false;
}
