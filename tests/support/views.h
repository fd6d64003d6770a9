/* Views of memory that is as large as it needs to be, for the tests of what copies. */
#ifndef SVI_TEST_VIEWS_H
#define SVI_TEST_VIEWS_H

#include <criterion/criterion.h>

#include "sv.h"

/* base: the address of the first element. */
static inline sv_view *test_view(void *base, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
                                 int64_t itemsize, uint32_t flags)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, &layout), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_view_new(layout, SV_OPAQUE, base, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, flags, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

#endif
