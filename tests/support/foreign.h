/* DLPack tensors as a producer holds them, right and wrong ones, for the tests of what takes them. */
#ifndef SVI_TEST_FOREIGN_H
#define SVI_TEST_FOREIGN_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include <dlpack/dlpack.h>

#include "sv.h"

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

static inline void delete_versioned(struct DLManagedTensorVersioned *self)
{
    struct foreign *f = self->manager_ctx;

    f->deleted++;
    f->deleted_pointer = self;
}

static inline void delete_unversioned(struct DLManagedTensor *self)
{
    struct foreign *f = self->manager_ctx;

    f->deleted++;
    f->deleted_pointer = self;
}

/* 2 x 3 floats, the rows 4 floats apart. */
static inline void foreign_init(struct foreign *f)
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

static inline void foreign_change(struct foreign *f, const struct change changes[CHANGES])
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

static inline sv_status take(struct foreign *f, enum form form, uint32_t flags, sv_view **out)
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

enum { V = 1 }; /* only the versioned form can say it */

#endif
