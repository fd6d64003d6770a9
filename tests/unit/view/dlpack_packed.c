/* DLPack tensors of elements below a byte. */
#include "support/foreign.h"

/* Packed elements, in groups that fill bytes. strides of the tensor: all 0 means NULL. */
Test(dlpack_packed, packed_elements)
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

/* Elements below a byte, one in each: the type keeps its name, and who cannot be told of the padding gets nothing. */
Test(dlpack_packed, padded_elements)
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
