/* Some memory and layouts of it, for the tests of views. */
#ifndef SVI_TEST_CELLS_H
#define SVI_TEST_CELLS_H

#include <criterion/criterion.h>

#include "sv.h"

enum { N = 100 };

static int32_t cells[N];

static inline sv_layout *bytes_layout(int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize)
{
    sv_layout *layout = NULL;

    cr_assert_eq(sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, &layout), SV_OK, "%s", sv_last_message());
    return layout;
}

static inline sv_layout *row(int64_t extent)
{
    return bytes_layout(1, &extent, NULL, 4);
}

/* view with one more axis-0 slice applied. */
static inline sv_view *sliced(const sv_view *view, int64_t start, int64_t stop, int64_t step)
{
    sv_layout *layout;
    sv_view *out;

    cr_assert_eq(sv_layout_slice(sv_view_layout(view), 1, &start, &stop, &step, &layout), SV_OK);
    cr_assert_eq(sv_view_with_layout(view, layout, &out), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return out;
}

#endif
