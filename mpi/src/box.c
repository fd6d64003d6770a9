/* Boxes of elements, and plans of copies between them. */
#include "box.h"

#include "failure.h"

int64_t svm_box_size(const struct svm_box *box)
{
    int64_t size = 1;

    for (int32_t k = 0; k < box->ndim; k++)
        size *= box->shape[k];
    return size;
}

bool svm_box_is_run(const struct svm_box *box, int64_t itemsize)
{
    for (int32_t k = box->ndim - 1; k >= 0; k--) {
        if (box->shape[k] > 1 && box->strides[k] != itemsize)
            return false;
        itemsize *= box->shape[k];
    }
    return true;
}

void svm_box_make_run(struct svm_box *box, int64_t itemsize)
{
    for (int32_t k = box->ndim - 1; k >= 0; k--) {
        box->strides[k] = itemsize;
        itemsize *= box->shape[k];
    }
}

/* The box at the address of the element [0,...,0] of a view, of which nothing is read or written. */
static sv_status view_of_box(const sv_view *view, const struct svm_box *box, sv_view **out)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(view));
    sv_layout *layout = NULL;
    sv_status status = svm_of_libsv(sv_layout_new_bytes(box->ndim, box->shape, box->strides, itemsize, &layout));

    if (status == SV_OK)
        status = svm_of_libsv(sv_view_new(layout, sv_view_dtype(view), sv_view_data(view), INT64_MIN, INT64_MAX,
                                          sv_view_device_type(view), sv_view_device_id(view), 0, NULL, NULL, out));
    sv_layout_release(layout);
    return status;
}

sv_status svm_box_plan(const sv_view *dst, const struct svm_box *dst_box, const sv_view *src,
                       const struct svm_box *src_box, uint32_t flags, sv_plan **out)
{
    sv_view *to = NULL, *of = NULL;
    sv_status status;

    if ((status = view_of_box(dst, dst_box, &to)) == SV_OK && (status = view_of_box(src, src_box, &of)) == SV_OK)
        status = svm_of_libsv(sv_plan_new(to, of, flags, out));
    sv_view_release(of);
    sv_view_release(to);
    return status;
}
