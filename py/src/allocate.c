/* Host memory of the package's own. */
#include "svpy.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, sv_view **out)
{
    int64_t nbytes = sv_layout_nbytes(layout);
    sv_status status;
    void *base;

    if (nbytes > PY_SSIZE_T_MAX - ALIGNMENT)
        return SV_ERROR_MEMORY;
    base = aligned_alloc(ALIGNMENT, ((size_t)nbytes / ALIGNMENT + 1) * ALIGNMENT);
    if (base == NULL)
        return SV_ERROR_MEMORY;
    status = sv_view_new(layout, dtype, base, 0, nbytes, SV_DEVICE_CPU, 0, 0, free, base, out);
    if (status != SV_OK)
        free(base);
    return status;
}

sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype)
{
    sv_view *view = NULL;
    sv_status status = svpy_allocate_plain(layout, dtype, &view);

    if (status == SV_ERROR_MEMORY)
        return (void *)PyErr_NoMemory();
    return status == SV_OK ? view : svpy_raise(status);
}
