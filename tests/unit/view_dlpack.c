#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "view.h"

/* --- constants ----------------------------------------------------------- */

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
#define DTYPE(code, bits, lanes) ((code) + 256 * (bits) + 65536 * (lanes))

SAME(SV_DEVICE_CPU, kDLCPU);
SAME(SV_DEVICE_CUDA, kDLCUDA);
SAME(SV_DEVICE_CUDA_HOST, kDLCUDAHost);
SAME(SV_DEVICE_OPENCL, kDLOpenCL);
SAME(SV_DEVICE_VULKAN, kDLVulkan);
SAME(SV_DEVICE_METAL, kDLMetal);
SAME(SV_DEVICE_VPI, kDLVPI);
SAME(SV_DEVICE_ROCM, kDLROCM);
SAME(SV_DEVICE_ROCM_HOST, kDLROCMHost);
SAME(SV_DEVICE_EXT, kDLExtDev);
SAME(SV_DEVICE_CUDA_MANAGED, kDLCUDAManaged);
SAME(SV_DEVICE_ONEAPI, kDLOneAPI);
SAME(SV_DEVICE_WEBGPU, kDLWebGPU);
SAME(SV_DEVICE_HEXAGON, kDLHexagon);
SAME(SV_DEVICE_MAIA, kDLMAIA);
SAME(SV_DEVICE_TRN, kDLTrn);

SAME(SV_BOOL, DTYPE(kDLBool, 8, 1));
SAME(SV_INT8, DTYPE(kDLInt, 8, 1));
SAME(SV_INT16, DTYPE(kDLInt, 16, 1));
SAME(SV_INT32, DTYPE(kDLInt, 32, 1));
SAME(SV_INT64, DTYPE(kDLInt, 64, 1));
SAME(SV_UINT8, DTYPE(kDLUInt, 8, 1));
SAME(SV_UINT16, DTYPE(kDLUInt, 16, 1));
SAME(SV_UINT32, DTYPE(kDLUInt, 32, 1));
SAME(SV_UINT64, DTYPE(kDLUInt, 64, 1));
SAME(SV_FLOAT16, DTYPE(kDLFloat, 16, 1));
SAME(SV_FLOAT32, DTYPE(kDLFloat, 32, 1));
SAME(SV_FLOAT64, DTYPE(kDLFloat, 64, 1));
SAME(SV_FLOAT128, DTYPE(kDLFloat, 128, 1));
SAME(SV_BFLOAT16, DTYPE(kDLBfloat, 16, 1));
SAME(SV_COMPLEX32, DTYPE(kDLComplex, 32, 1));
SAME(SV_COMPLEX64, DTYPE(kDLComplex, 64, 1));
SAME(SV_COMPLEX128, DTYPE(kDLComplex, 128, 1));
SAME(SV_FLOAT8_E3M4, DTYPE(kDLFloat8_e3m4, 8, 1));
SAME(SV_FLOAT8_E4M3, DTYPE(kDLFloat8_e4m3, 8, 1));
SAME(SV_FLOAT8_E4M3B11FNUZ, DTYPE(kDLFloat8_e4m3b11fnuz, 8, 1));
SAME(SV_FLOAT8_E4M3FN, DTYPE(kDLFloat8_e4m3fn, 8, 1));
SAME(SV_FLOAT8_E4M3FNUZ, DTYPE(kDLFloat8_e4m3fnuz, 8, 1));
SAME(SV_FLOAT8_E5M2, DTYPE(kDLFloat8_e5m2, 8, 1));
SAME(SV_FLOAT8_E5M2FNUZ, DTYPE(kDLFloat8_e5m2fnuz, 8, 1));
SAME(SV_FLOAT8_E8M0FNU, DTYPE(kDLFloat8_e8m0fnu, 8, 1));
SAME(SV_FLOAT4_E2M1FN_X2, DTYPE(kDLFloat4_e2m1fn, 4, 2));

/* --- a foreign tensor ---------------------------------------------------- */

enum { PLACES = 66, DEPTH = 2 };

/* As a producer would hold it: the structure, its numbers and a count of deletions. */
struct foreign {
    struct DLManagedTensorVersioned versioned;
    struct DLManagedTensor unversioned;
    int64_t shape[PLACES], strides[PLACES];
    int deleted;
    void *deleted_pointer;
};

static float cells[64];

static void delete_versioned(struct DLManagedTensorVersioned *self)
{
    struct foreign *f = self->manager_ctx;

    f->deleted++;
    f->deleted_pointer = self;
}

static void delete_unversioned(struct DLManagedTensor *self)
{
    struct foreign *f = self->manager_ctx;

    f->deleted++;
    f->deleted_pointer = self;
}

/* 2 x 3 floats, the rows 4 floats apart. */
static void foreign_init(struct foreign *f)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < PLACES; i++)
        f->shape[i] = f->strides[i] = 1;
    f->shape[0] = 2;
    f->shape[1] = 3;
    f->strides[0] = 4;
    f->versioned.version = (DLPackVersion){1, 3};
    f->versioned.manager_ctx = f;
    f->versioned.deleter = delete_versioned;
    f->versioned.dl_tensor = (DLTensor){.data = cells + 16,
                                        .device = {kDLCPU, 0},
                                        .ndim = DEPTH,
                                        .dtype = {kDLFloat, 32, 1},
                                        .shape = f->shape,
                                        .strides = f->strides};
}

/* One number put somewhere into a struct foreign. */
struct change {
    size_t offset, size;
    uint64_t value;
};

#define OF_SIZE(path) offsetof(struct foreign, path), sizeof(((struct foreign *)0)->path)
#define FIELD(path, number) {OF_SIZE(versioned.path), (uint64_t)(number)}
#define TENSOR(path, number) FIELD(dl_tensor.path, number)
#define SHAPE(axis, number) {OF_SIZE(shape[axis]), (uint64_t)(number)}
#define STRIDE(axis, number) {OF_SIZE(strides[axis]), (uint64_t)(number)}
#define TYPE(c, b, l) TENSOR(dtype.code, c), TENSOR(dtype.bits, b), TENSOR(dtype.lanes, l)

enum { CHANGES = 6 };

static void foreign_change(struct foreign *f, const struct change changes[CHANGES])
{
    foreign_init(f);
    for (int i = 0; i < CHANGES && changes[i].size > 0; i++)
        memcpy((char *)f + changes[i].offset, &changes[i].value, changes[i].size); /* little-endian */
    f->unversioned.dl_tensor = f->versioned.dl_tensor;
    f->unversioned.manager_ctx = f;
    f->unversioned.deleter = f->versioned.deleter != NULL ? delete_unversioned : NULL;
}

enum form { VERSIONED, UNVERSIONED, BARE, FORMS };

static const char *const form_names[] = {"versioned", "unversioned", "bare"};

static sv_status take(struct foreign *f, enum form form, uint32_t flags, sv_view **out)
{
    switch (form) {
    case VERSIONED:
        return sv_view_from_dlpack(&f->versioned, flags, out);
    case UNVERSIONED:
        return sv_view_from_dlpack_unversioned(&f->unversioned, flags, out);
    default:
        return sv_view_from_dltensor(&f->versioned.dl_tensor, flags, NULL, NULL, out);
    }
}

/* --- hostile tensors ----------------------------------------------------- */

enum { V = 1 }; /* only the versioned form can say it */

static const struct hostile {
    const char *name;
    struct change changes[CHANGES];
    sv_status status;
    const char *message;
    int only;
} hostile[] = {
    {"major 0", {FIELD(version.major, 0)}, SV_ERROR_VERSION, "0.3", V},
    {"major 2", {FIELD(version.major, 2)}, SV_ERROR_VERSION, "2.3", V},
    {"major huge", {FIELD(version.major, UINT32_MAX)}, SV_ERROR_VERSION, "4294967295", V},
    {"ndim -1", {TENSOR(ndim, -1)}, SV_ERROR_PROTOCOL, "ndim is -1", 0},
    {"ndim least", {TENSOR(ndim, INT32_MIN)}, SV_ERROR_PROTOCOL, "-2147483648", 0},
    {"ndim 65", {TENSOR(ndim, 65)}, SV_ERROR_RANGE, "ndim is 65", 0},
    {"ndim most", {TENSOR(ndim, INT32_MAX)}, SV_ERROR_RANGE, "2147483647", 0},
    {"no shape", {TENSOR(shape, 0)}, SV_ERROR_PROTOCOL, "shape is NULL", 0},
    {"extent -1", {SHAPE(1, -1)}, SV_ERROR_PROTOCOL, "axis 1 is -1", 0},
    {"extent least", {SHAPE(0, INT64_MIN)}, SV_ERROR_PROTOCOL, "axis 0 is -9223372036854775808", 0},
    {"negative behind 0", {SHAPE(0, 0), SHAPE(1, -5)}, SV_ERROR_PROTOCOL, "axis 1 is -5", 0},
    {"size overflows", {SHAPE(0, INT64_MAX), SHAPE(1, 2), STRIDE(0, 0), STRIDE(1, 0)}, SV_ERROR_OVERFLOW, "", 0},
    {"size wraps to 0", {SHAPE(0, 1LL << 32), SHAPE(1, 1LL << 32), STRIDE(0, 0)}, SV_ERROR_OVERFLOW, "", 0},
    {"bytes overflow", {SHAPE(0, 1LL << 62), SHAPE(1, 1), STRIDE(0, 0)}, SV_ERROR_OVERFLOW, "", 0},
    {"compact overflows", {SHAPE(0, 1LL << 40), SHAPE(1, 1LL << 40), TENSOR(strides, 0)}, SV_ERROR_OVERFLOW, "", 0},
    {"stride overflows", {STRIDE(0, INT64_MAX)}, SV_ERROR_OVERFLOW, "", 0},
    {"stride least", {STRIDE(0, INT64_MIN)}, SV_ERROR_OVERFLOW, "", 0},
    {"least stride of bytes", {STRIDE(0, INT64_MIN), TYPE(kDLUInt, 8, 1)}, SV_ERROR_OVERFLOW, "", 0},
    {"span overflows", {STRIDE(0, INT64_MAX / 4), SHAPE(0, 3)}, SV_ERROR_OVERFLOW, "", 0},
    {"spans overflow together", {STRIDE(0, 1LL << 60), STRIDE(1, 1LL << 59)}, SV_ERROR_OVERFLOW, "", 0},
    {"all fields 0", {TYPE(0, 0, 0)}, SV_ERROR_DTYPE, "", 0},
    {"no bits", {TYPE(kDLFloat, 0, 1)}, SV_ERROR_DTYPE, "0", 0},
    {"no lanes", {TYPE(kDLFloat, 32, 0)}, SV_ERROR_DTYPE, "0", 0},
    {"opaque handles", {TYPE(kDLOpaqueHandle, 64, 1)}, SV_ERROR_DTYPE, "3", 0},
    {"code 18", {TYPE(18, 32, 1)}, SV_ERROR_DTYPE, "18", 0},
    {"code 255", {TYPE(255, 8, 1)}, SV_ERROR_DTYPE, "255", 0},
    {"bits 7", {TYPE(kDLInt, 7, 1)}, SV_ERROR_DTYPE, "7", 0},
    {"bits 24", {TYPE(kDLInt, 24, 1)}, SV_ERROR_DTYPE, "24", 0},
    {"bool of a bit", {TYPE(kDLBool, 1, 8)}, SV_ERROR_DTYPE, "1", 0},
    {"old bool", {TYPE(kDLUInt, 1, 1)}, SV_ERROR_DTYPE, "1", 0},
    {"bfloat 32", {TYPE(kDLBfloat, 32, 1)}, SV_ERROR_DTYPE, "32", 0},
    {"float 8", {TYPE(kDLFloat, 8, 1)}, SV_ERROR_DTYPE, "8", 0},
    {"float 80", {TYPE(kDLFloat, 80, 1)}, SV_ERROR_DTYPE, "80", 0},
    {"complex 16", {TYPE(kDLComplex, 16, 1)}, SV_ERROR_DTYPE, "16", 0},
    {"fp8 of 16 bits", {TYPE(kDLFloat8_e5m2, 16, 1)}, SV_ERROR_DTYPE, "16", 0},
    {"fp6 of 8 bits", {TYPE(kDLFloat6_e2m3fn, 8, 1)}, SV_ERROR_DTYPE, "8", 0},
    {"fp6 alone", {TYPE(kDLFloat6_e2m3fn, 6, 1)}, SV_ERROR_LAYOUT, "6", 0},
    {"fp4 of 8 bits", {TYPE(kDLFloat4_e2m1fn, 8, 1)}, SV_ERROR_DTYPE, "8", 0},
    {"packed fp4", {TYPE(kDLFloat4_e2m1fn, 4, 1)}, SV_ERROR_LAYOUT, "4", 0},
    {"packed int4", {TYPE(kDLInt, 4, 1)}, SV_ERROR_LAYOUT, "4", 0},
    {"int4 by threes", {TYPE(kDLInt, 4, 3)}, SV_ERROR_LAYOUT, "12", 0},
    {"padded fp4 pair", {TYPE(kDLFloat4_e2m1fn, 4, 2), FIELD(flags, 4)}, SV_ERROR_UNSUPPORTED, "padded", V},
    {"padded int2 by fours", {TYPE(kDLInt, 2, 4), FIELD(flags, 4)}, SV_ERROR_UNSUPPORTED, "2 bits", V},
    {"padded nonsense", {TYPE(kDLInt, 7, 1), FIELD(flags, 4)}, SV_ERROR_DTYPE, "7", V},
    {"device 0", {TENSOR(device.device_type, 0)}, SV_ERROR_DEVICE, "0", 0},
    {"device 5", {TENSOR(device.device_type, 5)}, SV_ERROR_DEVICE, "5", 0},
    {"device 6", {TENSOR(device.device_type, 6)}, SV_ERROR_DEVICE, "6", 0},
    {"device 19", {TENSOR(device.device_type, 19)}, SV_ERROR_DEVICE, "19", 0},
    {"device -1", {TENSOR(device.device_type, -1)}, SV_ERROR_DEVICE, "-1", 0},
    {"device number -1", {TENSOR(device.device_id, -1)}, SV_ERROR_DEVICE, "-1", 0},
    {"no data", {TENSOR(data, 0)}, SV_ERROR_PROTOCOL, "data is NULL", 0},
    {"no data but an offset", {TENSOR(data, 0), TENSOR(byte_offset, 64)}, SV_ERROR_PROTOCOL, "data is NULL", 0},
    {"no data on a GPU", {TENSOR(data, 0), TENSOR(device.device_type, kDLCUDA)}, SV_ERROR_PROTOCOL, "data is NULL", 0},
    {"offset beyond int64", {TENSOR(byte_offset, 1ULL << 63)}, SV_ERROR_OVERFLOW, "9223372036854775808", 0},
    {"so of nothing", {TENSOR(byte_offset, 1ULL << 63), SHAPE(0, 0)}, SV_ERROR_OVERFLOW, "9223372036854775808", 0},
    {"so behind a handle",
     {TENSOR(byte_offset, 1ULL << 63), TENSOR(device.device_type, kDLVulkan)},
     SV_ERROR_OVERFLOW,
     "9223372036854775808",
     0},
    {"handle's offset and span overflow",
     {TENSOR(byte_offset, INT64_MAX - 4), TENSOR(device.device_type, kDLVulkan)},
     SV_ERROR_OVERFLOW,
     "",
     0},
    {"offset wraps", {TENSOR(data, UINTPTR_MAX - 15), TENSOR(byte_offset, 16)}, SV_ERROR_OVERFLOW, "byte_offset 16", 0},
    {"end wraps", {TENSOR(data, UINTPTR_MAX - 15)}, SV_ERROR_OVERFLOW, "leave the address space", 0},
    {"beginning wraps", {TENSOR(data, 8), STRIDE(0, -4)}, SV_ERROR_OVERFLOW, "leave the address space", 0},
};

static void refuse(const struct hostile *row, enum form form)
{
    struct foreign f, before;
    sv_view *out = (sv_view *)&f;
    sv_status status;

    foreign_change(&f, row->changes);
    before = f;
    status = take(&f, form, 0, &out);
    cr_assert_eq(status, row->status, "%s, %s: %s %s", row->name, form_names[form], sv_status_name(status),
                 sv_last_message());
    cr_assert(strstr(sv_last_message(), row->message), "%s, %s: %s", row->name, form_names[form], sv_last_message());
    cr_assert_eq(out, (sv_view *)&f, "%s, %s: out written", row->name, form_names[form]);
    cr_assert_eq(f.deleted, 0, "%s, %s: deleted", row->name, form_names[form]);
    cr_assert_eq(memcmp(&f, &before, sizeof f), 0, "%s, %s: tensor written", row->name, form_names[form]);
}

Test(view_dlpack, hostile_tensors)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        for (enum form form = VERSIONED; form < FORMS; form++)
            if (form == VERSIONED || hostile[i].only != V)
                refuse(&hostile[i], form);
}

Test(view_dlpack, null_arguments_and_unknown_flags)
{
    struct foreign f;
    sv_view *out = NULL;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(sv_view_from_dlpack(NULL, 0, &out), SV_ERROR_NULL);
    cr_assert_eq(sv_view_from_dlpack_unversioned(NULL, 0, &out), SV_ERROR_NULL);
    cr_assert_eq(sv_view_from_dltensor(NULL, 0, NULL, NULL, &out), SV_ERROR_NULL);
    for (enum form form = VERSIONED; form < FORMS; form++) {
        cr_assert_eq(take(&f, form, 0, NULL), SV_ERROR_NULL);
        cr_assert_eq(take(&f, form, SV_IS_COPIED, &out), SV_ERROR_INVALID);
        cr_assert_eq(take(&f, form, 1u << 31, &out), SV_ERROR_INVALID);
    }
    cr_assert_null(out);
    cr_assert_eq(f.deleted, 0);
}

/* Of another major version nothing behind flags is there to be read. */
Test(view_dlpack, foreign_major_is_not_read_on)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), prefix = offsetof(struct DLManagedTensorVersioned, dl_tensor);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct DLManagedTensorVersioned *tensor;
    DLPackVersion version = {2, 0};
    sv_view *out = NULL;

    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    tensor = (struct DLManagedTensorVersioned *)(void *)(pages + page - prefix);
    memcpy(tensor, &version, sizeof version);
    cr_assert_eq(sv_view_from_dlpack(tensor, 0, &out), SV_ERROR_VERSION);
    munmap(pages, 2 * page);
}

/* --- valid tensors ------------------------------------------------------- */

static const struct valid {
    const char *name;
    struct change changes[CHANGES];
    void *data; /* of the view */
    int64_t size, lower, upper;
    int64_t stride; /* in bytes, of axis 0 */
    int readonly, only;
} valid[] = {
    {"plain", {{0}}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"newer minor", {FIELD(version.minor, 99)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"oldest minor", {FIELD(version.minor, 0)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"no strides", {TENSOR(strides, 0)}, cells + 16, 6, 0, 24, 12, 0, 0},
    {"no deleter", {FIELD(deleter, 0)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"read-only", {FIELD(flags, 1)}, cells + 16, 6, 0, 28, 16, 1, V},
    {"copied", {FIELD(flags, 2)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"padding does not matter", {FIELD(flags, 4)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"unknown flags", {FIELD(flags, ~7ULL)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"offset", {TENSOR(byte_offset, 8)}, cells + 18, 6, 0, 28, 16, 0, 0},
    {"misaligned", {TENSOR(byte_offset, 1)}, (char *)cells + 65, 6, 0, 28, 16, 0, 0},
    {"negative stride", {STRIDE(0, -4)}, cells + 16, 6, -16, 12, -16, 0, 0},
    {"zero strides", {STRIDE(0, 0), STRIDE(1, 0)}, cells + 16, 6, 0, 4, 0, 0, 0},
    {"overlapping", {STRIDE(0, 1)}, cells + 16, 6, 0, 16, 4, 0, 0},
    {"scalar", {TENSOR(ndim, 0), TENSOR(shape, 0), TENSOR(strides, 0)}, cells + 16, 1, 0, 4, 0, 0, 0},
    {"scalar with arrays", {TENSOR(ndim, 0)}, cells + 16, 1, 0, 4, 0, 0, 0},
    {"64 axes", {TENSOR(ndim, 64)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"empty", {SHAPE(1, 0)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty without data", {SHAPE(1, 0), TENSOR(data, 0)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty at the top", {SHAPE(1, 0), TENSOR(data, -1), TENSOR(byte_offset, 9)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty beyond measure", {SHAPE(0, INT64_MAX), SHAPE(1, 0), STRIDE(0, 1)}, NULL, 0, 0, 0, 4, 0, 0},
    {"empty, mad stride", {SHAPE(1, 0), STRIDE(0, INT64_MAX)}, NULL, 0, 0, 0, 0, 0, 0},
    {"one row, mad stride", {SHAPE(0, 1), STRIDE(0, INT64_MAX)}, cells + 16, 3, 0, 12, 0, 0, 0},
    {"one row, least stride", {SHAPE(0, 1), STRIDE(0, INT64_MIN)}, cells + 16, 3, 0, 12, 0, 0, 0},
    {"one row, its stride", {SHAPE(0, 1), STRIDE(0, 77)}, cells + 16, 3, 0, 12, 308, 0, 0},
    {"CPU 3", {TENSOR(device.device_id, 3)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"GPU 3", {TENSOR(device.device_type, kDLCUDA), TENSOR(device.device_id, 3)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"handle", {TENSOR(device.device_type, kDLMetal), TENSOR(byte_offset, 8)}, cells + 16, 6, 8, 36, 16, 0, 0},
    {"handle NULL", {TENSOR(device.device_type, kDLMetal), TENSOR(data, 0)}, NULL, 6, 0, 28, 16, 0, 0},
    {"fp4 by twos", {TYPE(kDLFloat4_e2m1fn, 4, 2)}, cells + 16, 6, 0, 7, 4, 0, 0},
    {"int4 by eights", {TYPE(kDLInt, 4, 8)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"float by fours", {TYPE(kDLFloat, 32, 4)}, cells, 6, 0, 112, 64, 0, 0},
    {"highest address",
     {TENSOR(data, UINTPTR_MAX - 28)},
     (void *)(UINTPTR_MAX - 28),
     6,
     0,
     28,
     16,
     0,
     0},
};

static void accept(const struct valid *row, enum form form)
{
    struct foreign f, before;
    sv_view *view = NULL;
    int64_t lower, upper;
    const char *name = row->name;

    foreign_change(&f, row->changes);
    if (f.versioned.dl_tensor.dtype.lanes == 4)
        f.versioned.dl_tensor.data = f.unversioned.dl_tensor.data = cells;
    before = f;
    cr_assert_eq(take(&f, form, 0, &view), SV_OK, "%s, %s: %s", name, form_names[form], sv_last_message());
    cr_assert_eq(memcmp(&f, &before, sizeof f), 0, "%s: tensor written", name);
    cr_assert_eq(sv_view_data(view), row->data, "%s: %p", name, sv_view_data(view));
    cr_assert_eq(sv_layout_ndim(sv_view_layout(view)), f.versioned.dl_tensor.ndim, "%s", name);
    cr_assert_eq(sv_layout_size(sv_view_layout(view)), row->size, "%s", name);
    cr_assert_eq(sv_view_bounds(view, &lower, &upper), SV_OK);
    cr_assert(lower == row->lower && upper == row->upper, "%s: %ld to %ld", name, (long)lower, (long)upper);
    if (sv_layout_ndim(sv_view_layout(view)) > 0)
        cr_assert_eq(sv_layout_byte_strides(sv_view_layout(view))[0], row->stride, "%s: stride %ld", name,
                     (long)sv_layout_byte_strides(sv_view_layout(view))[0]);
    cr_assert_eq(sv_view_is_readonly(view), row->readonly, "%s", name);
    cr_assert_eq(sv_view_device_type(view), (int32_t)f.versioned.dl_tensor.device.device_type, "%s", name);
    cr_assert_eq(sv_view_device_id(view), f.versioned.dl_tensor.device.device_id, "%s", name);
    cr_assert_not_null(sv_view_borrow(view), "%s", name);
    cr_assert_eq(f.deleted, 0, "%s", name);
    sv_view_release(view);
    cr_assert_eq(f.deleted, form != BARE && before.versioned.deleter != NULL, "%s, %s", name, form_names[form]);
    if (f.deleted)
        cr_assert_eq(f.deleted_pointer, form == VERSIONED ? (void *)&f.versioned : (void *)&f.unversioned, "%s", name);
}

Test(view_dlpack, valid_tensors)
{
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        for (enum form form = VERSIONED; form < FORMS; form++)
            if (form == VERSIONED || valid[i].only != V)
                accept(&valid[i], form);
}

Test(view_dlpack, read_only_on_request)
{
    for (enum form form = VERSIONED; form < FORMS; form++) {
        struct foreign f;
        sv_view *view;

        foreign_change(&f, (struct change[CHANGES]){{0}});
        cr_assert_eq(take(&f, form, SV_READ_ONLY, &view), SV_OK);
        cr_assert_eq(sv_view_is_readonly(view), 1);
        sv_view_release(view);
    }
}

Test(view_dlpack, numbers_are_copied_out)
{
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    f.shape[0] = INT64_MAX;
    f.strides[0] = INT64_MIN;
    cr_assert_eq(sv_layout_shape(sv_view_layout(view))[0], 2);
    cr_assert_eq(sv_layout_byte_strides(sv_view_layout(view))[0], 16);
    sv_view_release(view);
}

Test(view_dlpack, deleter_waits_for_the_last_view_and_export)
{
    struct DLManagedTensorVersioned *tensor;
    struct DLManagedTensor *old;
    struct foreign f;
    sv_view *view, *fixed;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    cr_assert_eq(sv_view_retain(view), view);
    cr_assert_eq(sv_view_as_readonly(view, &fixed), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(fixed, 0, &tensor), SV_OK);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_OK);
    sv_view_release(view);
    sv_view_release(view);
    sv_view_release(fixed);
    cr_assert_eq(f.deleted, 0);
    tensor->deleter(tensor);
    cr_assert_eq(f.deleted, 0);
    old->deleter(old);
    cr_assert_eq(f.deleted, 1);
}

/* The layout lies in the view's block, which stays for as long as either is held. */
Test(view_dlpack, layout_outlives_the_view)
{
    struct foreign f;
    sv_view *view, *turned, *again;
    sv_layout *layout, *reversed;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    layout = sv_layout_retain(sv_view_layout(view));
    cr_assert_eq(sv_layout_permute(layout, 0, NULL, &reversed), SV_OK);
    cr_assert_eq(sv_view_with_layout(view, reversed, &turned), SV_OK);
    cr_assert_eq(sv_view_with_layout(turned, layout, &again), SV_OK);
    cr_expect_eq(sv_view_layout(again), layout, "a layout given is shared");
    sv_layout_release(reversed);
    sv_view_release(turned);
    sv_view_release(view);
    cr_expect_eq(f.deleted, 0);
    sv_view_release(again);
    cr_expect_eq(f.deleted, 1, "a layout keeps no memory alive");
    cr_expect_eq(sv_layout_shape(layout)[0], 2);
    cr_expect_eq(sv_layout_byte_strides(layout)[0], 16);
    sv_layout_release(layout);
}

/* --- export -------------------------------------------------------------- */

static void assert_same_tensor(const char *name, const DLTensor *a, const DLTensor *b)
{
    size_t nbytes = (size_t)a->ndim * sizeof(int64_t);

    cr_assert_eq(a->data, b->data, "%s", name);
    cr_assert_eq(a->byte_offset, b->byte_offset, "%s", name);
    cr_assert_eq(a->ndim, b->ndim, "%s", name);
    cr_assert_eq(memcmp(&a->dtype, &b->dtype, sizeof a->dtype), 0, "%s", name);
    cr_assert_eq(memcmp(&a->device, &b->device, sizeof a->device), 0, "%s", name);
    cr_assert_eq(a->shape == NULL, a->ndim == 0, "%s", name);
    cr_assert_eq(a->strides == NULL, a->ndim == 0, "%s", name);
    cr_assert_eq(b->shape == NULL, b->ndim == 0, "%s", name);
    cr_assert_eq(b->strides == NULL, b->ndim == 0, "%s", name);
    if (a->ndim > 0) {
        cr_assert_eq(memcmp(a->shape, b->shape, nbytes), 0, "%s", name);
        cr_assert_eq(memcmp(a->strides, b->strides, nbytes), 0, "%s", name);
    }
}

Test(view_dlpack, there_and_back)
{
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        const char *name = valid[i].name;
        struct DLManagedTensorVersioned *first, *second;
        struct DLManagedTensor *old = NULL;
        sv_view *view, *again, *third;
        struct foreign f;

        foreign_change(&f, valid[i].changes);
        cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK, "%s", name);
        cr_assert_eq(sv_view_to_dlpack(view, 0, &first), SV_OK, "%s", name);
        cr_assert(first->version.major == 1 && first->version.minor == 3);
        cr_assert_eq(first->flags, valid[i].readonly, "%s", name);
        assert_same_tensor(name, &first->dl_tensor, &sv_view_borrow(view)->dl_tensor);
        sv_view_release(view);
        cr_assert_eq(sv_view_from_dlpack(first, 0, &again), SV_OK, "%s: %s", name, sv_last_message());
        cr_assert_eq(sv_view_to_dlpack(again, SV_IS_COPIED, &second), SV_OK, "%s", name);
        cr_assert_eq(second->flags, valid[i].readonly + 2, "%s", name);
        assert_same_tensor(name, &second->dl_tensor, &first->dl_tensor);
        cr_assert_eq(sv_view_to_dlpack_unversioned(again, &old), valid[i].readonly ? SV_ERROR_READ_ONLY : SV_OK, "%s",
                     name);
        sv_view_release(again);
        if (old != NULL) {
            assert_same_tensor(name, &old->dl_tensor, &second->dl_tensor);
            cr_assert_eq(sv_view_from_dlpack_unversioned(old, 0, &third), SV_OK, "%s", name);
            sv_view_release(third);
        }
        cr_assert_eq(f.deleted, 0, "%s", name);
        second->deleter(second);
        cr_assert_eq(f.deleted, f.versioned.deleter != NULL, "%s", name);
    }
}

Test(view_dlpack, exports_may_be_scribbled_on)
{
    struct DLManagedTensorVersioned *tensor;
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK);
    tensor->dl_tensor.shape[0] = tensor->dl_tensor.strides[0] = 9;
    cr_assert_eq(sv_layout_shape(sv_view_layout(view))[0], 2);
    tensor->deleter(tensor);
    sv_view_release(view);
}

Test(view_dlpack, export_refusals)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, SV_READ_ONLY, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(NULL, 0, &tensor), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack(view, 0, NULL), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack(view, SV_READ_ONLY, &tensor), SV_ERROR_INVALID);
    cr_assert_eq(sv_view_to_dlpack_unversioned(NULL, &old), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, NULL), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_ERROR_READ_ONLY);
    cr_assert_null(tensor);
    cr_assert_null(old);
    sv_view_release(view);
    cr_assert_eq(f.deleted, 1);
}

/* --- random damage ------------------------------------------------------- */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int64_t number(void)
{
    static const int64_t some[] = {0, 1, 2, 3, 4, 64, 1LL << 31, 1LL << 32, 1LL << 61, 1LL << 62, INT64_MAX, INT64_MIN};
    int64_t n = some[next() % (sizeof some / sizeof *some)];

    return next() % 4 == 0 && n != INT64_MIN ? -n : n;
}

/* Anything but wild shape and strides pointers, the context and the deleter. */
static void damage(struct foreign *f)
{
    DLTensor *t = &f->versioned.dl_tensor;

    for (uint64_t n = next() % 4 + 1; n > 0; n--)
        switch (next() % 10) {
        case 0: t->ndim = (int32_t)number(); break;
        case 1: t->ndim = (int32_t)(next() % 66); break;
        case 2: f->shape[next() % 4] = number(); break;
        case 3: f->strides[next() % 4] = number(); break;
        case 4: t->byte_offset = (uint64_t)number(); break;
        case 5: ((unsigned char *)&t->dtype)[next() % sizeof t->dtype] = (unsigned char)(1u << next() % 8); break;
        case 6: ((unsigned char *)&t->device)[next() % sizeof t->device] ^= (unsigned char)(1u << next() % 8); break;
        case 7: ((unsigned char *)&t->data)[next() % sizeof t->data] = (unsigned char)next(); break;
        case 8: f->versioned.flags ^= 1ULL << next() % 64; break;
        default:
            if (next() % 2)
                t->shape = next() % 4 ? f->shape : NULL;
            else
                t->strides = next() % 4 ? f->strides : NULL;
        }
    if (next() % 16 == 0)
        f->versioned.version.major = (uint32_t)number();
    f->unversioned = (struct DLManagedTensor){*t, f, delete_unversioned};
}

/* All that can be done with a view without touching data. */
static void use(const sv_view *view)
{
    const int64_t start = INT64_MAX, stop = INT64_MIN, step = -2;
    int32_t ndim = sv_layout_ndim(sv_view_layout(view));
    struct DLManagedTensorVersioned *tensor;
    sv_layout *layout;
    sv_view *part, *again;

    cr_assert_eq(sv_layout_slice(sv_view_layout(view), ndim > 0, &start, &stop, &step, &layout), SV_OK, "%s",
                 sv_last_message());
    cr_assert_eq(sv_view_with_layout(view, layout, &part), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    if (sv_view_borrow(part) != NULL) {
        cr_assert_eq(sv_view_to_dlpack(part, 0, &tensor), SV_OK);
        cr_assert_eq(sv_view_from_dlpack(tensor, 0, &again), SV_OK, "%s", sv_last_message());
        sv_view_release(again);
    }
    sv_view_release(part);
}

Test(view_dlpack, random_damage)
{
    for (enum form form = 0; form < FORMS; form++) {
        int taken = 0, refused = 0;

        for (int i = 0; i < 10000; i++) {
            struct foreign f;
            sv_view *view = NULL;
            sv_status status;

            foreign_init(&f);
            damage(&f);
            status = take(&f, form, 0, &view);
            cr_assert_eq(status == SV_OK, view != NULL, "%s, case %d", form_names[form], i);
            cr_assert_eq(f.deleted, 0, "%s, case %d", form_names[form], i);
            if (status == SV_OK)
                use(view);
            sv_view_release(view);
            cr_assert_eq(f.deleted, status == SV_OK && form != BARE, "%s, case %d", form_names[form], i);
            taken += status == SV_OK;
            refused += status != SV_OK;
        }
        cr_assert(taken > 1000 && refused > 1000, "%s: %d taken, %d refused: the damage is not telling",
                  form_names[form], taken, refused);
    }
}

/* Packed elements, in groups that fill bytes. strides of the tensor: all 0 means NULL. */
Test(view_dlpack, packed_elements)
{
    static const struct {
        const char *name;
        int code, bits, lanes, ndim;
        int64_t shape[3], strides[3];
        sv_status status;
        int grouped; /* lanes afterwards */
        int64_t groups[3], byte_strides[3];
    } cases[] = {
        {"int4, C order", kDLInt, 4, 1, 2, {2, 6}, {0}, SV_OK, 2, {2, 3}, {3, 1}},
        {"int4, strides", kDLInt, 4, 1, 2, {2, 6}, {8, 1}, SV_OK, 2, {2, 3}, {4, 1}},
        {"int4, F order", kDLInt, 4, 1, 2, {6, 2}, {1, 6}, SV_OK, 2, {3, 2}, {1, 3}},
        {"int4, backwards", kDLInt, 4, 1, 2, {2, 6}, {-8, 1}, SV_OK, 2, {2, 3}, {-4, 1}},
        {"int4, repeated", kDLInt, 4, 1, 2, {2, 6}, {0, 1}, SV_OK, 2, {2, 3}, {0, 1}},
        {"int4, last axis of 1", kDLInt, 4, 1, 2, {6, 1}, {0}, SV_OK, 2, {3, 1}, {1, 1}},
        {"int4, odd strides that do not matter", kDLInt, 4, 1, 3, {1, 6, 1}, {7, 1, 9}, SV_OK, 2, {1, 3, 1}, {3, 1, 4}},
        {"int2", kDLInt, 2, 1, 1, {8}, {0}, SV_OK, 4, {2}, {1}},
        {"uint4", kDLUInt, 4, 1, 1, {8}, {1}, SV_OK, 2, {4}, {1}},
        {"fp4", kDLFloat4_e2m1fn, 4, 1, 1, {8}, {1}, SV_OK, 2, {4}, {1}},
        {"fp6", kDLFloat6_e2m3fn, 6, 1, 1, {8}, {1}, SV_OK, 4, {2}, {3}},
        {"fp6 in twos", kDLFloat6_e2m3fn, 6, 2, 1, {8}, {1}, SV_OK, 4, {4}, {3}},
        {"int4 in threes", kDLInt, 4, 3, 1, {8}, {1}, SV_OK, 6, {4}, {3}},
        {"empty", kDLInt, 4, 1, 2, {0, 6}, {7, 1}, SV_OK, 2, {0, 3}, {3, 1}},
        {"empty and odd", kDLInt, 4, 1, 2, {0, 5}, {0}, SV_OK, 2, {0, 5}, {0, 0}},
        {"one element", kDLInt, 4, 1, 1, {1}, {1}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"no axes", kDLInt, 4, 1, 0, {0}, {0}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"odd extent", kDLInt, 4, 1, 2, {2, 5}, {6, 1}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"odd extent, C order", kDLInt, 4, 1, 2, {2, 5}, {0}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"odd stride", kDLInt, 4, 1, 2, {2, 6}, {7, 1}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"no stride of 1", kDLInt, 4, 1, 2, {2, 6}, {12, 2}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"reversed", kDLInt, 4, 1, 1, {6}, {-1}, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"lanes do not fit", kDLInt, 4, 65535, 1, {8}, {1}, SV_ERROR_DTYPE, 0, {0}, {0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool strided = cases[i].strides[0] != 0 || cases[i].strides[1] != 0;
        DLTensor tensor = {.data = cells + 16,
                           .device = {kDLCPU, 0},
                           .ndim = cases[i].ndim,
                           .dtype = {(uint8_t)cases[i].code, (uint8_t)cases[i].bits, (uint16_t)cases[i].lanes},
                           .shape = (int64_t *)cases[i].shape,
                           .strides = strided ? (int64_t *)cases[i].strides : NULL};
        sv_view *view = NULL;

        cr_expect_eq(sv_view_from_dltensor(&tensor, 0, NULL, NULL, &view), cases[i].status, "%s: %s", cases[i].name,
                     sv_last_message());
        if (view == NULL)
            continue;
        cr_expect_eq(sv_view_dtype(view) >> 16, (uint32_t)cases[i].grouped, "%s", cases[i].name);
        for (int k = 0; k < cases[i].ndim; k++) {
            const sv_layout *l = sv_view_layout(view);

            cr_expect_eq(sv_layout_shape(l)[k], cases[i].groups[k], "%s: extent %d", cases[i].name, k);
            if (sv_layout_size(l) > 0)
                cr_expect_eq(sv_layout_byte_strides(l)[k], cases[i].byte_strides[k], "%s: stride %d is %d",
                             cases[i].name, k, (int)sv_layout_byte_strides(l)[k]);
        }
        sv_view_release(view);
    }
}

static void count_end(void *ctx)
{
    ++*(int *)ctx;
}

Test(view_dlpack, bare_tensors_end_with_the_last_view)
{
    float numbers[6];
    int64_t shape[] = {2, 3};
    DLTensor tensor = {.data = numbers, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
    sv_view *view = NULL, *same = NULL;
    int ended = 0;

    cr_assert_eq(sv_view_from_dltensor(&tensor, SV_READ_ONLY, count_end, &ended, &view), SV_OK);
    memset(&tensor, 0xff, sizeof tensor);
    cr_expect(sv_view_data(view) == numbers && sv_view_is_readonly(view));
    cr_assert_eq(sv_view_as_readonly(view, &same), SV_OK);
    sv_view_release(view);
    cr_expect_eq(ended, 0);
    sv_view_release(same);
    cr_expect_eq(ended, 1);

    tensor = (DLTensor){.data = NULL, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
    view = NULL;
    cr_expect_eq(sv_view_from_dltensor(&tensor, 0, count_end, &ended, &view), SV_ERROR_PROTOCOL);
    cr_expect(view == NULL && ended == 1, "what is refused stays with the caller");
}

/* Elements below a byte, one in each: the type keeps its name, and who cannot be told of the padding gets nothing. */
Test(view_dlpack, padded_elements)
{
    static const struct {
        const char *name;
        int code, bits;
    } cases[] = {
        {"int4", kDLInt, 4},
        {"int2", kDLInt, 2},
        {"uint4", kDLUInt, 4},
        {"uint2", kDLUInt, 2},
        {"float4_e2m1fn", kDLFloat4_e2m1fn, 4},
        {"float6_e2m3fn", kDLFloat6_e2m3fn, 6},
        {"float6_e3m2fn", kDLFloat6_e3m2fn, 6},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct DLManagedTensorVersioned *tensor = NULL;
        struct DLManagedTensor *old = NULL;
        char name[32] = "";
        struct foreign f;
        sv_view *view = NULL, *again = NULL;

        foreign_change(&f, (struct change[CHANGES]){TYPE(cases[i].code, cases[i].bits, 1), FIELD(flags, 4)});
        cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK, "%s: %s", cases[i].name, sv_last_message());
        cr_expect_eq(sv_dtype_name(sv_view_dtype(view), sizeof name, name, NULL), SV_OK);
        cr_expect_str_eq(name, cases[i].name);
        cr_expect_eq(sv_layout_itemsize(sv_view_layout(view)), 1, "%s", name);
        cr_expect_eq(sv_layout_shape(sv_view_layout(view))[1], 3, "%s: not grouped", name);
        cr_expect_eq(sv_layout_byte_strides(sv_view_layout(view))[0], 4, "%s", name);
        cr_expect_eq(sv_view_borrow(view)->flags, 4, "%s", name);
        cr_expect_eq(sv_view_to_dlpack_unversioned(view, &old), SV_ERROR_UNSUPPORTED, "%s", name);
        cr_expect_not_null(strstr(sv_last_message(), "padded"), "%s", sv_last_message());
        cr_assert_eq(sv_view_to_dlpack(view, SV_IS_COPIED, &tensor), SV_OK, "%s", name);
        cr_expect_eq(tensor->flags, 4 | 2, "%s", name);
        cr_expect_eq(tensor->dl_tensor.dtype.lanes, 1, "%s", name);
        cr_assert_eq(sv_view_from_dlpack(tensor, SV_READ_ONLY, &again), SV_OK, "%s", name);
        cr_expect_eq(sv_view_dtype(again), sv_view_dtype(view), "%s", name);
        cr_expect_eq(sv_view_borrow(again)->flags, 4 | 1, "%s", name);
        sv_view_release(view);
        cr_expect_eq(f.deleted, 0, "%s", name);
        sv_view_release(again);
        cr_expect_eq(f.deleted, 1, "%s", name);
    }
}
