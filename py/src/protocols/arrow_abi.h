/* The structures of Arrow's C data interface, as its specification has them. */
#ifndef SVPY_ARROW_ABI_H
#define SVPY_ARROW_ABI_H

#include <stdint.h>

#define ARROW_SCHEMA "arrow_schema" /* names of capsules */
#define ARROW_ARRAY "arrow_array"

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif
