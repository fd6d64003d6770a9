/* DLPack tensors that are refused. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "support/foreign.h"
#include "support/pairs.h"

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

Test(dlpack_refused, hostile_tensors)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        for (enum form form = VERSIONED; form < FORMS; form++)
            if (form == VERSIONED || hostile[i].only != V)
                refuse(&hostile[i], form);
}

Test(dlpack_refused, null_arguments_and_unknown_flags)
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
Test(dlpack_refused, foreign_major_is_not_read_on)
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

/* --- random damage ------------------------------------------------------- */

static int64_t number(void)
{
    static const int64_t some[] = {0, 1, 2, 3, 4, 64, 1LL << 31, 1LL << 32, 1LL << 61, 1LL << 62, INT64_MAX, INT64_MIN};
    int64_t n = some[test_random() % (sizeof some / sizeof *some)];

    return test_random() % 4 == 0 && n != INT64_MIN ? -n : n;
}

static unsigned char *any_byte(void *field, size_t size)
{
    return (unsigned char *)field + test_random() % size;
}

static unsigned char any_bit(void)
{
    return (unsigned char)(1u << test_random() % 8);
}

/* Anything but wild shape and strides pointers, the context and the deleter. */
static void damage(struct foreign *f)
{
    DLTensor *t = &f->versioned.dl_tensor;

    for (uint64_t n = test_random() % 4 + 1; n > 0; n--)
        switch (test_random() % 10) {
        case 0: t->ndim = (int32_t)number(); break;
        case 1: t->ndim = (int32_t)(test_random() % 66); break;
        case 2: f->shape[test_random() % 4] = number(); break;
        case 3: f->strides[test_random() % 4] = number(); break;
        case 4: t->byte_offset = (uint64_t)number(); break;
        case 5: *any_byte(&t->dtype, sizeof t->dtype) = any_bit(); break;
        case 6: *any_byte(&t->device, sizeof t->device) ^= any_bit(); break;
        case 7: *any_byte(&t->data, sizeof t->data) = (unsigned char)test_random(); break;
        case 8: f->versioned.flags ^= 1ULL << test_random() % 64; break;
        default:
            if (test_random() % 2)
                t->shape = test_random() % 4 ? f->shape : NULL;
            else
                t->strides = test_random() % 4 ? f->strides : NULL;
        }
    if (test_random() % 16 == 0)
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

enum { ROUNDS = 10000 }; /* of each form */

Test(dlpack_refused, random_damage)
{
    for (enum form form = 0; form < FORMS; form++) {
        int taken = 0, refused = 0;

        for (int64_t i = 0; i < ROUNDS; i++) {
            struct foreign f;
            sv_view *view = NULL;
            sv_status status;

            if (!test_round(form * ROUNDS + i, FORMS * ROUNDS))
                continue;
            foreign_init(&f);
            damage(&f);
            status = take(&f, form, 0, &view);
            cr_assert_eq(status == SV_OK, view != NULL, "%s", form_names[form]);
            cr_assert_eq(f.deleted, 0, "%s", form_names[form]);
            if (status == SV_OK)
                use(view);
            sv_view_release(view);
            cr_assert_eq(f.deleted, status == SV_OK && form != BARE, "%s", form_names[form]);
            taken += status == SV_OK;
            refused += status != SV_OK;
        }
        cr_assert(taken > 1000 && refused > 1000, "%s: %d taken, %d refused: the damage is not telling",
                  form_names[form], taken, refused);
    }
}
