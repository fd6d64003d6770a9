/* Lists that grow by doubling, so that appending takes constant time on average. */
#include "grow.h"

#include <stdlib.h>

enum { LEAST_CAPACITY = 8 };

void *svm_grow(void *items, int64_t count, int64_t *capacity, size_t itemsize)
{
    const int64_t more = *capacity > 0 ? 2 * *capacity : LEAST_CAPACITY;

    if (count < *capacity)
        return items;
    items = realloc(items, (size_t)more * itemsize);
    if (items != NULL)
        *capacity = more;
    return items;
}
