/* What the parts of the fault suite share: the inputs of the calls, what calls write to, and the rows of calls. */
#ifndef SVI_TEST_FAULT_H
#define SVI_TEST_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include <dlpack/dlpack.h>

#include "sv.h"

/* --- what the calls are given -------------------------------------------- */

struct fault_inputs {
    int32_t cells[64];
    int64_t unit_shape[3], shape[2], start[2], stop[2];
    int32_t axes[2];
    sv_layout *table, *row, *unit, *back;
    sv_layout *coprime; /* whether its elements share bytes takes a search, */
    sv_layout *large;   /* a search and a lattice */
    sv_layout_builder *builder;
    sv_view *whole, *source, *target;
    sv_view *reversed; /* the memory of target backwards */
    sv_view *scattered, *shifted, *gathered; /* two of that layout, and what can be copied to it */
    sv_plan *moving;   /* source to target */
    sv_view *wide;           /* LARGE bytes */
    sv_allocator *allocator; /* host memory */
    sv_allocator *tracked;   /* the same, listed, with one live block: */
    void *block;
    sv_allocator *wrapped;   /* the same behind every wrapper, */
    sv_allocator *called;    /* by callbacks */
    sv_allocator *torch;     /* and by functions such as PyTorch's */
    struct DLManagedTensorVersioned versioned;
    struct DLManagedTensor unversioned;
    int ended; /* deleters and release callbacks run */
    /* Made anew for each call, which may end them: */
    sv_buffer *small; /* SMALL bytes, all 0 */
    sv_buffer *roomy; /* the same, and room for LARGE */
    void *spare;      /* SPARE bytes of the allocator, aligned to 256; a call that frees them makes this NULL */
};

enum { SMALL = 256, LARGE = 1 << 20, SPARE = 256 };

extern struct fault_inputs given;

bool fault_make_inputs(void);
void fault_drop_inputs(void);

/* What is made anew for each call. */
bool fault_make_fresh(void);
void fault_drop_fresh(void);

/* The release callback of memory that a call takes. */
void fault_end(void *ctx);

/* Callbacks of allocators: the allocator given, which is ctx or the only one. */
void fault_log_nothing(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream);
int32_t fault_say_no(void *ctx, int64_t nbytes, int32_t attempt);
sv_status fault_allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out);
sv_status fault_release(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);
void *fault_torch_allocate(int64_t nbytes, int32_t device, void *stream);
void fault_torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream);

/* --- the calls ----------------------------------------------------------- */

/* All that a call writes to. */
struct fault_outputs {
    sv_layout *layout;
    sv_layout_builder *builder;
    sv_view *view;
    sv_plan *plan;
    sv_allocator *allocator;
    sv_buffer *buffer;
    void *block; /* of the allocator given, as many bytes as the cells */
    struct DLManagedTensorVersioned *versioned;
    struct DLManagedTensor *unversioned;
    const int64_t *strides;
    int64_t numbers[2];
    int32_t axes[2];
    size_t length;
    char text[256];
    sv_dtype dtype;
    int32_t count;
    sv_device_state state;
    sv_answer answer;
    sv_layout *other_layout;
    int64_t extents[SV_MAX_NDIM];
};

enum fault_memory {
    ALLOCATES_NOTHING,
    ALLOCATES,
    TAKES_OWNERSHIP /* allocates, and of something, which nobody else ends if it fails */
};

struct fault_row {
    const char *name; /* of the function */
    sv_status (*call)(struct fault_outputs *o);
    enum fault_memory memory;
};

struct fault_rows {
    int count;
    const struct fault_row *rows;
};

extern const struct fault_rows fault_buffer, fault_ground, fault_layout, fault_layout_ops, fault_layout_builder,
    fault_memory, fault_view, fault_copy;

/* For functions that cannot fail: SV_OK when the answer is right. */
static inline sv_status fault_right(bool answer)
{
    return answer ? SV_OK : SV_ERROR_INVALID;
}

#endif
