/* Which memory MPI takes, and which memory messages are packed in. */
#include "memory.h"

#include "failure.h"

/* Open MPI, MPICH and those that are made of them tell by this function, if they have it, whether they take addresses of
 * CUDA devices. */
__attribute__((weak)) int MPIX_Query_cuda_support(void);

static bool knows_cuda(void)
{
    return MPIX_Query_cuda_support != NULL && MPIX_Query_cuda_support() == 1;
}

bool svm_memory_is_of_host(const sv_view *view)
{
    return (sv_device_traits(sv_view_device_type(view)) & (SV_TRAIT_HOST | SV_TRAIT_MANAGED)) == SV_TRAIT_HOST;
}

static bool is_of_known_device(const sv_view *view)
{
    return sv_view_device_type(view) == SV_DEVICE_CUDA && knows_cuda();
}

bool svm_memory_is_taken(const sv_view *view)
{
    return svm_memory_is_of_host(view) || is_of_known_device(view);
}

sv_status svm_memory_to_pack(const sv_view *dst, const sv_view *src, sv_allocator **out)
{
    *out = NULL;
    if (svm_memory_is_of_host(dst) && svm_memory_is_of_host(src))
        return SV_OK;
    if (is_of_known_device(dst) && sv_view_device_type(src) == SV_DEVICE_CUDA &&
        sv_view_device_id(dst) == sv_view_device_id(src))
        return svm_of_libsv(sv_allocator_device(sv_view_device_id(dst), out));
    return svm_of_libsv(sv_allocator_pinned(out));
}

sv_status svm_memory_wait(const sv_view *view)
{
    if (!is_of_known_device(view))
        return SV_OK;
    return svm_of_libsv(sv_stream_synchronize(sv_view_device_type(view), sv_view_device_id(view), 0));
}
