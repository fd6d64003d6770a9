/* Host memory of the package's own. */
#include "svpy.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

/* calloc() leaves large blocks to the system, whose pages are zero before they are touched, but has no alignment. */
static void *new_zeros(int64_t nbytes, void **block)
{
    *block = calloc((size_t)nbytes + ALIGNMENT, 1);
    return *block == NULL ? NULL : (void *)(((uintptr_t)*block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void *new_block(int64_t nbytes, void **block)
{
    *block = aligned_alloc(ALIGNMENT, ((size_t)nbytes / ALIGNMENT + 1) * ALIGNMENT);
    return *block;
}

sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, bool zeros, sv_view **out)
{
    int64_t nbytes = sv_layout_nbytes(layout);
    sv_status status;
    void *base, *block;

    if (nbytes > PY_SSIZE_T_MAX - ALIGNMENT)
        return SV_ERROR_MEMORY;
    base = zeros ? new_zeros(nbytes, &block) : new_block(nbytes, &block);
    if (base == NULL)
        return SV_ERROR_MEMORY;
    status = sv_view_new(layout, dtype, base, 0, nbytes, SV_DEVICE_CPU, 0, 0, free, block, out);
    if (status != SV_OK)
        free(block);
    return status;
}

static sv_view *allocate(const sv_layout *layout, sv_dtype dtype, bool zeros)
{
    sv_view *view = NULL;
    sv_status status = svpy_allocate_plain(layout, dtype, zeros, &view);

    if (status == SV_ERROR_MEMORY)
        return (void *)PyErr_NoMemory();
    return status == SV_OK ? view : svpy_raise(status);
}

sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype)
{
    return allocate(layout, dtype, false);
}

sv_view *svpy_allocate_zeros(const sv_layout *layout, sv_dtype dtype)
{
    return allocate(layout, dtype, true);
}
