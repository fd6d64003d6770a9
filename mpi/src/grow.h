/* Lists that grow. */
#ifndef SVM_GROW_H
#define SVM_GROW_H

#include <stddef.h>
#include <stdint.h>

/* The items of a list of count items, with room for one more: moved to twice the memory where *capacity is reached.
 * NULL: there is no memory, and the list is as it was. */
void *svm_grow(void *items, int64_t count, int64_t *capacity, size_t itemsize);

#endif
