/*
 * Pinned memory made in C, filled, and handed on by DLPack: a shared library that a program loads, pinned.py in Python.
 *
 *     cc -shared -fPIC pinned.c $(pkg-config --cflags --libs strideview) -o libpinned.so
 *     python pinned.py ./libpinned.so
 *
 * Where there is no CUDA driver it is ordinary memory of the host.
 */
#include <stddef.h>

#include <sv.h>

/* [squares] */
/* The squares of 0 to count - 1 as a tensor of float64, whose deleter frees the memory; NULL and sv_last_message(). */
struct DLManagedTensorVersioned *squares(int64_t count)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_allocator *pinned = NULL;
    sv_view *view = NULL;

    if (sv_allocator_pinned(&pinned) != SV_OK)
        pinned = NULL; /* ordinary memory */
    if (sv_empty(pinned, SV_FLOAT64, 1, &count, 0, 0, &view) == SV_OK) {
        double *numbers = sv_view_data(view);

        for (int64_t i = 0; i < count; i++)
            numbers[i] = (double)i * (double)i;
        if (sv_view_to_dlpack(view, 0, &tensor) != SV_OK)
            tensor = NULL;
    }
    sv_view_release(view); /* the tensor keeps the memory, and the memory its allocator */
    sv_allocator_release(pinned);
    return tensor;
}
/* [squares] */
