/* What calls of an exchange table cost, called in C as its users do. Loaded by interchange.py, which holds the GIL. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stddef.h>
#include <time.h>

#include <dlpack/dlpack.h>

double bench_managed(const DLPackExchangeAPI *table, void *object, int count);
double bench_borrowed(const DLPackExchangeAPI *table, void *object, int count);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for count tensors of the object, each ended at once; negative when there is none. */
double bench_managed(const DLPackExchangeAPI *table, void *object, int count)
{
    double start = now();

    for (int i = 0; i < count; i++) {
        struct DLManagedTensorVersioned *tensor = NULL;

        if (table->managed_tensor_from_py_object_no_sync(object, &tensor) != 0)
            return -1;
        tensor->deleter(tensor);
    }
    return now() - start;
}

/* The same of borrowed ones. */
double bench_borrowed(const DLPackExchangeAPI *table, void *object, int count)
{
    double start = now();
    DLTensor tensor;

    if (table->dltensor_from_py_object_no_sync == NULL)
        return -1;
    for (int i = 0; i < count; i++)
        if (table->dltensor_from_py_object_no_sync(object, &tensor) != 0)
            return -1;
    return now() - start;
}
