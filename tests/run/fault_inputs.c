/* What the calls of the fault suite are given. */
#include "fault.h"

static void end_versioned(struct DLManagedTensorVersioned *self)
{
    (void)self;
    given.ended++;
}

static void end_unversioned(struct DLManagedTensor *self)
{
    (void)self;
    given.ended++;
}

void fault_end(void *ctx)
{
    (void)ctx;
    given.ended++;
}

static int64_t foreign_shape[2] = {4, 6}, foreign_strides[2] = {8, 1};

struct fault_inputs given = {
    .unit_shape = {1, 24, 1},
    .shape = {4, 6},
    .start = {1, 1},
    .stop = {3, 4},
    .axes = {1, 0},
    .versioned = {.version = {1, 3}, .deleter = end_versioned},
    .unversioned = {.deleter = end_unversioned},
};

/* Layouts that do not nest: see overlap.c. */
static bool make_unnested(void)
{
    static const int64_t shape[3] = {7, 5, 3}, strides[3] = {15, 21, 35};
    static const int64_t large_shape[5] = {30, 31, 32, 33, 34};
    static const int64_t large_strides[5] = {10000019, 10000079, 10000103, 10000121, 10000139};
    static char bytes[7 * 5 * 3];

    return sv_layout_new_bytes(3, shape, strides, 1, &given.coprime) == SV_OK &&
           sv_layout_new_bytes(5, large_shape, large_strides, 1, &given.large) == SV_OK &&
           sv_view_from_pointer(given.coprime, SV_UINT8, given.cells, sizeof given.cells, 0, &given.scattered) ==
               SV_OK &&
           sv_view_from_pointer(given.coprime, SV_UINT8, given.cells + 2, sizeof given.cells - 8, 0, &given.shifted) ==
               SV_OK &&
           sv_view_from_host(SV_UINT8, 3, shape, NULL, bytes, 0, &given.gathered) == SV_OK;
}

/* --- allocators ---------------------------------------------------------- */

void fault_log_nothing(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)nbytes, (void)stream;
}

int32_t fault_say_no(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

sv_status fault_allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    return sv_allocator_allocate(ctx, nbytes, alignment, stream, out);
}

sv_status fault_release(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    return sv_allocator_free(ctx, pointer, nbytes, alignment, stream);
}

void *fault_torch_allocate(int64_t nbytes, int32_t device, void *stream)
{
    void *block = NULL;

    (void)device, (void)stream;
    return sv_allocator_allocate(given.allocator, nbytes, 256, 0, &block) == SV_OK ? block : NULL;
}

void fault_torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream)
{
    (void)device, (void)stream;
    (void)sv_allocator_free(given.allocator, pointer, nbytes, 256, 0);
}

/* Tracked, limited, cached, logged and retrying. */
static bool make_wrapped(void)
{
    sv_allocator *tracked = NULL, *limited = NULL, *cached = NULL, *logged = NULL;
    const bool made = sv_allocator_tracked(given.allocator, NULL, SV_ALLOCATOR_BLOCKS, &tracked) == SV_OK &&
                      sv_allocator_limited(tracked, LARGE, &limited) == SV_OK &&
                      sv_allocator_cached(limited, 0, &cached) == SV_OK &&
                      sv_allocator_logged(cached, fault_log_nothing, NULL, NULL, &logged) == SV_OK &&
                      sv_allocator_retrying(logged, 2, fault_say_no, NULL, NULL, &given.wrapped) == SV_OK;

    sv_allocator_release(tracked);
    sv_allocator_release(limited);
    sv_allocator_release(cached);
    sv_allocator_release(logged);
    return made;
}

static bool make_allocators(void)
{
    return sv_allocator_host(0, &given.allocator) == SV_OK &&
           sv_allocator_tracked(given.allocator, NULL, SV_ALLOCATOR_BLOCKS, &given.tracked) == SV_OK &&
           sv_allocator_allocate(given.tracked, 64, 0, 0, &given.block) == SV_OK && make_wrapped() &&
           sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, fault_allocate, fault_release, NULL,
                                  given.allocator, &given.called) == SV_OK &&
           sv_allocator_from_torch(0, fault_torch_allocate, fault_torch_free, &given.torch) == SV_OK;
}

/* --- all of them --------------------------------------------------------- */

bool fault_make_inputs(void)
{
    static const int64_t extent = 24, from = INT64_MAX, to = INT64_MIN, step = -1, large = LARGE;
    static char bytes[LARGE];
    int32_t *cells = given.cells;

    for (int i = 0; i < 64; i++)
        cells[i] = i;
    given.versioned.dl_tensor = (DLTensor){.data = cells,
                                           .device = {kDLCPU, 0},
                                           .ndim = 2,
                                           .dtype = {kDLInt, 32, 1},
                                           .shape = foreign_shape,
                                           .strides = foreign_strides};
    given.unversioned.dl_tensor = given.versioned.dl_tensor;
    return sv_layout_builder_new(&given.builder) == SV_OK &&
           sv_layout_new(2, given.shape, NULL, 4, &given.table) == SV_OK &&
           sv_layout_new(1, &extent, NULL, 4, &given.row) == SV_OK &&
           sv_layout_new(3, given.unit_shape, NULL, 4, &given.unit) == SV_OK &&
           sv_view_from_pointer(given.table, SV_INT32, cells, sizeof given.cells, 0, &given.whole) == SV_OK &&
           sv_view_from_pointer(given.row, SV_INT32, cells + 32, 96, 0, &given.source) == SV_OK &&
           sv_view_from_pointer(given.row, SV_INT32, cells + 1, 96, 0, &given.target) == SV_OK &&
           sv_layout_slice(given.row, 1, &from, &to, &step, &given.back) == SV_OK &&
           sv_view_with_layout(given.target, given.back, &given.reversed) == SV_OK &&
           sv_plan_new(given.target, given.source, 0, &given.moving) == SV_OK &&
           sv_view_from_host(SV_UINT8, 1, &large, NULL, bytes, 0, &given.wide) == SV_OK &&
           make_allocators() && make_unnested();
}

void fault_drop_inputs(void)
{
    sv_layout_builder_release(given.builder);
    sv_layout_release(given.table);
    sv_layout_release(given.row);
    sv_layout_release(given.unit);
    sv_layout_release(given.back);
    sv_layout_release(given.coprime);
    sv_layout_release(given.large);
    sv_view_release(given.whole);
    sv_view_release(given.source);
    sv_view_release(given.target);
    sv_view_release(given.reversed);
    sv_view_release(given.scattered);
    sv_view_release(given.shifted);
    sv_view_release(given.gathered);
    sv_view_release(given.wide);
    sv_plan_release(given.moving);
    if (given.block != NULL)
        (void)sv_allocator_free(given.tracked, given.block, 64, 0, 0);
    sv_allocator_release(given.torch);
    sv_allocator_release(given.called);
    sv_allocator_release(given.wrapped);
    sv_allocator_release(given.tracked);
    sv_allocator_release(given.allocator);
}

bool fault_make_fresh(void)
{
    given.ended = 0;
    return sv_buffer_new(NULL, SMALL, 0, SV_BUFFER_ZERO, 0, &given.small) == SV_OK &&
           sv_buffer_new(NULL, SMALL, 0, SV_BUFFER_ZERO, 0, &given.roomy) == SV_OK &&
           sv_buffer_reserve(given.roomy, LARGE, 0) == SV_OK &&
           sv_allocator_allocate(given.allocator, SPARE, 256, 0, &given.spare) == SV_OK;
}

void fault_drop_fresh(void)
{
    sv_buffer_release(given.small);
    sv_buffer_release(given.roomy);
    if (given.spare != NULL)
        (void)sv_allocator_free(given.allocator, given.spare, SPARE, 256, 0);
    given.small = given.roomy = NULL;
    given.spare = NULL;
}
