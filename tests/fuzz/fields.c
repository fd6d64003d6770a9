/* The fields of a Py_buffer and of an array interface: a view of what they say, or a refusal that did nothing. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

const char fuzz_name[] = "fields";

static int ended;

static void end(void *ctx)
{
    fuzz_check(ctx == &ended, "released with its context");
    ended++;
}

struct fields {
    char text[64]; /* format or type string */
    int64_t itemsize, nbytes, shape[80], strides[80];
    int32_t ndim, device_type, device_id;
    uint32_t flags;
    void *pointer;
    bool plain; /* nothing in it may be refused */
    bool shaped, strided;
};

static int64_t items(const struct fields *f)
{
    uint64_t count = 1;

    for (int32_t k = 0; k < f->ndim; k++)
        count *= (uint64_t)f->shape[k];
    return (int64_t)count;
}

/* As exporters do it. */
static void make_plain(struct fuzz_input *in, struct fields *f, bool buffer)
{
    static const struct {
        char format[4], typestr[5];
        int64_t itemsize;
    } types[] = {
        {"f", "<f4", 4}, {"B", "|u1", 1}, {"Zd", "<c16", 16}, {"?", "|b1", 1}, {"<h", "<i2", 2}, {"7s", "|V7", 7},
    };
    int64_t which = fuzz_between(in, 0, 5);

    strcpy(f->text, buffer ? types[which].format : types[which].typestr);
    f->itemsize = types[which].itemsize;
    f->ndim = (int32_t)fuzz_between(in, 0, 6);
    for (int32_t k = 0; k < f->ndim; k++) {
        f->shape[k] = fuzz_between(in, 0, 7);
        f->strides[k] = (int8_t)fuzz_byte(in);
    }
    f->shaped = true;
    f->strided = fuzz_byte(in) & 1;
    f->nbytes = items(f) * f->itemsize;
    f->pointer = (void *)0x10000;
    f->device_type = SV_DEVICE_CPU;
    f->flags = fuzz_byte(in) & SV_READ_ONLY;
}

/* As nobody should; what is left of the input is the text. */
static void make_wild(struct fuzz_input *in, struct fields *f)
{
    uint8_t way = fuzz_byte(in);
    size_t length;

    f->itemsize = way & 1 ? fuzz_between(in, 1, 16) : fuzz_number(in);
    f->ndim = (int32_t)(way & 2 ? fuzz_between(in, 0, 4) : fuzz_between(in, -2, 70));
    for (int32_t k = 0; k < f->ndim; k++) {
        f->shape[k] = way & 4 ? fuzz_between(in, 0, 7) : fuzz_number(in);
        f->strides[k] = fuzz_number(in);
    }
    f->shaped = f->ndim != 1 || (way & 8);
    f->strided = way & 16;
    f->nbytes = way & 32 ? (int64_t)((uint64_t)items(f) * (uint64_t)f->itemsize) : fuzz_number(in);
    f->pointer = (void *)(uintptr_t)(way & 64 ? 0x10000 : fuzz_number(in));
    f->device_type = (int32_t)(way & 128 ? SV_DEVICE_CPU : fuzz_between(in, -1, 20));
    f->device_id = (int32_t)(way & 128 ? 0 : fuzz_number(in));
    f->flags = fuzz_byte(in) < 240 ? 0 : (uint32_t)fuzz_number(in);
    length = (size_t)(in->end - in->at) < sizeof f->text - 1 ? (size_t)(in->end - in->at) : sizeof f->text - 1;
    if (length > 0)
        memcpy(f->text, in->at, length);
}

static void check_view(const sv_view *view, const struct fields *f, bool buffer)
{
    const sv_layout *layout = sv_view_layout(view);
    int64_t itemsize = sv_layout_itemsize(layout), count = sv_layout_size(layout);
    sv_dtype dtype = sv_view_dtype(view);

    fuzz_check(sv_layout_ndim(layout) == f->ndim, "axes");
    for (int32_t k = 0; k < f->ndim; k++) {
        fuzz_check(sv_layout_shape(layout)[k] == f->shape[k] || (!f->shaped && k == 0), "extent of axis %d", (int)k);
        fuzz_check(!f->strided || count == 0 || f->shape[k] <= 1 || sv_layout_byte_strides(layout)[k] == f->strides[k],
                   "stride of axis %d", (int)k);
    }
    fuzz_check(f->strided || sv_layout_is_contiguous(layout, SV_ORDER_C), "C order");
    fuzz_check(dtype == SV_OPAQUE || sv_dtype_itemsize(dtype) == itemsize, "items of the type");
    if (buffer)
        fuzz_check(itemsize == f->itemsize && count * itemsize == f->nbytes, "as many bytes");
    fuzz_check(sv_view_is_readonly(view) == (int)(f->flags & SV_READ_ONLY), "read-only");
    fuzz_check(count == 0 || sv_view_data(view) == f->pointer, "address");
    fuzz_check(buffer || sv_view_device_type(view) == f->device_type, "device");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sv_status known[] = {SV_ERROR_RANGE,    SV_ERROR_DTYPE,  SV_ERROR_UNSUPPORTED, SV_ERROR_INVALID,
                                      SV_ERROR_PROTOCOL, SV_ERROR_DEVICE, SV_ERROR_NULL,        SV_ERROR_OVERFLOW};
    struct fuzz_input in = {data, data + size};
    uint8_t way = fuzz_byte(&in);
    bool buffer = way & 1;
    struct fields f;
    sv_view *view = NULL;
    sv_status status;

    memset(&f, 0, sizeof f);
    f.plain = way < 64;
    if (f.plain)
        make_plain(&in, &f, buffer);
    else
        make_wild(&in, &f);
    ended = 0;
    if (buffer)
        status = sv_view_from_pep3118(f.text, f.itemsize, f.ndim, f.shaped ? f.shape : NULL,
                                      f.strided ? f.strides : NULL, f.pointer, f.nbytes, f.flags, end, &ended, &view);
    else
        status = sv_view_from_array_interface(f.text, f.ndim, f.shape, f.strided ? f.strides : NULL, f.pointer,
                                              f.device_type, f.device_id, f.flags, end, &ended, &view);
    if (status == SV_OK)
        check_view(view, &f, buffer);
    else
        fuzz_check(!f.plain && view == NULL && fuzz_one_of(status, 8, known), "refused: %s", sv_status_name(status));
    fuzz_check(ended == 0, "released too early");
    sv_view_release(view);
    fuzz_check(ended == (status == SV_OK), "released %d times", ended);
    return 0;
}
