#include "run/calls.h"

#include <dlpack/dlpack.h>
#include <stdio.h>
#include <string.h>

#include "memory/deferred.h"
#include "sv.h"
#include "tap.h"

#include "tests/run/null_table.h"
#include "support/tasks.h"

const struct function *const functions_begin = functions;
const struct function *const functions_end = functions + sizeof functions / sizeof *functions;

/* --- what arguments point at --------------------------------------------- */

static int ended; /* deleters and release callbacks called */

static struct {
    sv_layout *layout, *spare_layout;
    sv_layout_builder *builder;
    sv_view *view, *target, *spare_view;
    sv_plan *plan, *spare_plan;
    sv_view *src_addresses, *dst_addresses;
    sv_allocator *allocator, *tracked, *for_torch, *spare_allocator;
    sv_buffer *buffer, *spare_buffer;
    void *block; /* of it */
    float memory[6], other[6];
    DLTensor bare;
    DLManagedTensorVersioned tensor;
    DLManagedTensor old_tensor;
    unsigned char out[MAX_ARGUMENTS][SLOT];
} fixture;

static int64_t shape[3] = {2, 3, 1}, strides[3] = {3, 1, 1}, byte_strides[3] = {12, 4, 4};
static int64_t start[1] = {0}, stop[1] = {2}, step[1] = {1};
static int64_t extents[1] = {2}, window[1] = {1};
static int32_t axes[3] = {2, 0, 1}, places[1] = {0};

static char blob[SV_IPC_NBYTES]; /* which tells of nothing */
static void *addresses[2]; /* of src and dst */

static void count_release(void *ctx)
{
    (void)ctx;
    ended++;
}

static void count_delete(struct DLManagedTensorVersioned *self)
{
    (void)self;
    ended++;
}

static void count_delete_old(struct DLManagedTensor *self)
{
    (void)self;
    ended++;
}

static sv_status allocate_memory(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    (void)ctx, (void)nbytes, (void)alignment, (void)stream;
    *out = fixture.block;
    return SV_OK;
}

static sv_status free_memory(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    return SV_OK;
}

static void log_memory(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)nbytes, (void)stream;
}

static int32_t say_no(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

static int32_t visit_block(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)number, (void)pointer, (void)nbytes, (void)stream;
    return 0;
}

static int32_t handle_allocate(void *ctx, void **pointer, size_t nbytes, void *stream)
{
    return allocate_memory(ctx, (int64_t)nbytes, 1, (uintptr_t)stream, pointer);
}

static int32_t handle_free(void *ctx, void *pointer, size_t nbytes, void *stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)stream;
    return 0;
}

static void *torch_allocate(int64_t nbytes, int32_t device, void *stream)
{
    (void)nbytes, (void)device, (void)stream;
    return fixture.block;
}

static void torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream)
{
    (void)pointer, (void)nbytes, (void)device, (void)stream;
}

/* Of memory that PyTorch can have. */
static bool make_for_torch(void)
{
    return sv_allocator_from_torch(0, torch_allocate, torch_free, &fixture.for_torch) == SV_OK;
}

/* Counted and listed. */
static bool make_tracked(void)
{
    return sv_allocator_tracked(fixture.allocator, "tag", SV_ALLOCATOR_BLOCKS, &fixture.tracked) == SV_OK;
}

/* Whose blocks are all the same, and need not be freed. */
static bool make_allocator(void)
{
    static _Alignas(64) char block[64];

    fixture.block = block;
    return sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate_memory, free_memory, NULL, NULL,
                                  &fixture.allocator) == SV_OK;
}

/* An array of one address for each side. */
static bool make_addresses(void)
{
    static const int64_t one = 1;

    return sv_view_from_host(SV_UINT64, 1, &one, NULL, &addresses[0], SV_READ_ONLY, &fixture.src_addresses) == SV_OK &&
           sv_view_from_host(SV_UINT64, 1, &one, NULL, &addresses[1], SV_READ_ONLY, &fixture.dst_addresses) == SV_OK;
}

static bool make_buffers(void)
{
    return sv_buffer_new(NULL, 2 * sizeof fixture.memory, 0, 0, 0, &fixture.buffer) == SV_OK &&
           sv_buffer_new(NULL, sizeof fixture.memory, 0, 0, 0, &fixture.spare_buffer) == SV_OK;
}

static bool make_view(float *memory, sv_view **out)
{
    return sv_view_from_pointer(fixture.layout, SV_FLOAT32, memory, sizeof fixture.memory, 0, out) == SV_OK;
}

bool set_up(void)
{
    memset(&fixture, 0, sizeof fixture);
    memset(fixture.out, UNTOUCHED, sizeof fixture.out);
    ended = 0;
    fixture.bare = (DLTensor){
        .data = fixture.memory,
        .device = {kDLCPU, 0},
        .ndim = 3,
        .dtype = {kDLFloat, 32, 1},
        .shape = shape,
        .strides = strides,
    };
    fixture.tensor.version = (DLPackVersion){1, 0};
    fixture.tensor.deleter = count_delete;
    fixture.tensor.dl_tensor = fixture.bare;
    fixture.old_tensor.deleter = count_delete_old;
    fixture.old_tensor.dl_tensor = fixture.bare;
    addresses[0] = fixture.memory;
    addresses[1] = fixture.other;
    if (sv_layout_new(3, shape, NULL, 4, &fixture.layout) != SV_OK ||
        !make_view(fixture.memory, &fixture.view) || !make_view(fixture.other, &fixture.target) ||
        sv_layout_builder_new(&fixture.builder) != SV_OK ||
        sv_layout_builder_start(fixture.builder, fixture.layout) != SV_OK ||
        sv_plan_new(fixture.target, fixture.view, 0, &fixture.plan) != SV_OK || !make_allocator() ||
        !make_addresses() || !make_tracked() || !make_for_torch() || !make_buffers())
        return tap_ok(false, "fixture: %s", sv_last_message());
    fixture.spare_plan = sv_plan_retain(fixture.plan);
    fixture.spare_allocator = sv_allocator_retain(fixture.allocator);
    fixture.spare_layout = sv_layout_retain(fixture.layout);
    fixture.spare_view = sv_view_retain(fixture.view);
    return true;
}

void tear_down(void)
{
    sv_layout_builder_release(fixture.builder);
    sv_allocator_release(fixture.for_torch);
    sv_allocator_release(fixture.tracked);
    sv_buffer_release(fixture.spare_buffer);
    sv_buffer_release(fixture.buffer);
    svi_deferred_drain(svi_cpu, false, SVI_EFFORT_FREE); /* what sv_buffer_release_later() left */
    sv_allocator_release(fixture.spare_allocator);
    sv_allocator_release(fixture.allocator);
    sv_plan_release(fixture.spare_plan);
    sv_plan_release(fixture.plan);
    sv_view_release(fixture.dst_addresses);
    sv_view_release(fixture.src_addresses);
    sv_view_release(fixture.spare_view);
    sv_view_release(fixture.target);
    sv_view_release(fixture.view);
    sv_layout_release(fixture.spare_layout);
    sv_layout_release(fixture.layout);
}

/* --- right arguments ----------------------------------------------------- */

static double half = 0.5;

static const struct sample {
    const char *type, *name; /* "": any name */
    struct argument value;
    const char *function; /* that alone it is for; NULL: any */
} samples[] = {
    {"sv_memory", "kind", {.number = SV_MEMORY_DEVICE}, "sv_allocator_pool"},
    {"sv_memory", "kind", {.number = SV_MEMORY_DEVICE}, "sv_allocator_pool_view"},
    {"const sv_allocator *", "allocator", {.handle = &fixture.tracked}, "sv_allocator_stats"},
    {"const sv_allocator *", "allocator", {.handle = &fixture.tracked}, "sv_allocator_reset_peaks"},
    {"const sv_allocator *", "allocator", {.handle = &fixture.tracked}, "sv_allocator_visit"},
    {"const sv_allocator *", "allocator", {.handle = &fixture.for_torch}, "sv_torch_use"},
    {"int32_t", "attempts", {.number = 1}, NULL},
    {"int32_t", "advice", {.number = SV_ADVICE_READ_MOSTLY}, NULL},
    {"int32_t", "axis", {.number = 0}, NULL},
    {"int32_t", "bits", {.number = 32}, NULL},
    {"int32_t", "code", {.number = kDLFloat}, NULL},
    {"int32_t", "count", {.number = 1}, NULL},
    {"int32_t", "device", {.number = 0}, NULL},
    {"int32_t", "device_id", {.number = 0}, NULL},
    {"int32_t", "device_type", {.number = SV_DEVICE_CPU}, NULL},
    {"int32_t", "end_axis", {.number = 0}, NULL},
    {"int32_t", "keep_dim", {.number = 1}, NULL},
    {"int32_t", "lanes", {.number = 1}, NULL},
    {"int32_t", "ndim", {.number = 3}, NULL},
    {"int32_t", "other", {.number = 1}, NULL},
    {"int32_t", "other_device_id", {.number = 0}, NULL},
    {"int32_t", "other_device_type", {.number = SV_DEVICE_CPU}, NULL},
    {"int32_t", "property", {.number = SV_PROPERTY_MEMORY_TOTAL}, NULL},
    {"int32_t", "start_axis", {.number = 0}, NULL},
    {"int32_t", "stat", {.number = SV_STAT_LIVE_BYTES}, NULL},
    {"int32_t", "threads", {.number = 2}, NULL},
    {"int64_t", "alignment", {.number = 0}, NULL},
    {"int64_t", "count", {.number = 1}, NULL},
    {"int64_t", "index", {.number = 1}, NULL},
    {"int64_t", "initial", {.number = 0}, NULL},
    {"int64_t", "itemsize", {.number = 4}, NULL},
    {"int64_t", "limit", {.number = 16}, NULL},
    {"int64_t", "limit_ns", {.number = 1}, NULL},
    {"int64_t", "capacity", {.number = 2 * sizeof fixture.memory}, NULL},
    {"int64_t", "lower", {.number = 0}, NULL},
    {"int64_t", "most", {.number = 4096}, NULL},
    {"int64_t", "nbytes", {.number = 0}, "sv_buffer_register"},
    {"int64_t", "nbytes", {.number = sizeof fixture.memory}, NULL},
    {"int64_t", "nbias", {.number = 1}, NULL},
    {"int64_t", "nscale", {.number = 1}, NULL},
    {"int64_t", "dst_offset", {.number = 1}, NULL},
    {"int64_t", "offset", {.number = 1}, NULL},
    {"int64_t", "src_offset", {.number = 2}, NULL},
    {"int64_t", "threshold", {.number = 0}, NULL},
    {"int64_t", "upper", {.number = sizeof fixture.memory}, NULL},
    {"int64_t", "work", {.number = 0}, NULL},
    {"size_t", "capacity", {.number = 0}, "sv_plan_explain"}, /* the length alone */
    {"size_t", "capacity", {.number = SLOT}, NULL},
    {"size_t", "length", {.number = SV_IPC_NBYTES}, NULL},
    {"size_t", "nbytes", {.number = 16}, NULL},
    {"sv_dtype", "dtype", {.number = SV_FLOAT32}, NULL},
    {"sv_memory", "kind", {.number = SV_MEMORY_HOST}, NULL},
    {"sv_order", "order", {.number = SV_ORDER_K}, "sv_empty_like"},
    {"sv_order", "order", {.number = SV_ORDER_AXES}, NULL},
    {"uint32_t", "flags", {.number = SV_KERNEL_HOST}, "sv_view_kernel_arg"},
    {"uint32_t", "flags", {.number = 0}, NULL},
    {"uint64_t", "mask", {.number = 2}, NULL},
    {"uintptr_t", "address", {.number = 0}, NULL},
    {"uintptr_t", "dst_address", {.number = 0}, NULL},
    {"uintptr_t", "other_address", {.number = 0}, NULL},
    {"uintptr_t", "pool", {.number = 0}, NULL},
    {"uintptr_t", "src_address", {.number = 0}, NULL},
    {"uintptr_t", "stream", {.number = 0}, NULL},
    {"const double *", "bias", {.pointer = &half}, NULL},
    {"const double *", "scale", {.pointer = &half}, NULL},
    {"const char *", "format", {.pointer = "f"}, NULL},
    {"const char *", "name", {.pointer = "float32"}, NULL},
    {"const char *", "text", {.pointer = "(2, 3)*4"}, NULL},
    {"const char *", "typestr", {.pointer = "<f4"}, NULL},
    {"const void *", "blob", {.pointer = blob}, NULL},
    {"const void *", "item", {.pointer = "item"}, NULL},
    {"const int32_t *", "axes", {.pointer = axes}, NULL},
    {"const int32_t *", "places", {.pointer = places}, NULL},
    {"const int64_t *", "byte_strides", {.pointer = byte_strides}, NULL},
    {"const int64_t *", "extents", {.pointer = extents}, NULL},
    {"const int64_t *", "shape", {.pointer = shape}, NULL},
    {"const int64_t *", "start", {.pointer = start}, NULL},
    {"const int64_t *", "step", {.pointer = step}, NULL},
    {"const int64_t *", "stop", {.pointer = stop}, NULL},
    {"const int64_t *", "strides", {.pointer = strides}, NULL},
    {"const int64_t *", "window", {.pointer = window}, NULL},
    {"const sv_allocator *", "", {.handle = &fixture.allocator}, NULL},
    {"const sv_buffer *", "", {.handle = &fixture.buffer}, NULL},
    {"const sv_layout *", "", {.handle = &fixture.layout}, NULL},
    {"const sv_layout_builder *", "", {.handle = &fixture.builder}, NULL},
    {"sv_buffer *const *", "buffers", {.pointer = &fixture.buffer}, NULL},
    {"sv_plan *const *", "plans", {.pointer = &fixture.plan}, NULL},
    {"sv_view *const *", "dst", {.pointer = &fixture.target}, NULL},
    {"sv_view *const *", "src", {.pointer = &fixture.view}, NULL},
    {"const void *const *", "src", {.pointer = addresses}, NULL},
    {"int64_t *", "failed", {.pointer = window}, NULL},
    {"void *", "pages", {.pointer = fixture.memory}, NULL},
    {"void *const *", "dst", {.pointer = addresses + 1}, NULL},
    {"const sv_plan *", "", {.handle = &fixture.plan}, NULL},
    {"const sv_view *", "dst", {.handle = &fixture.dst_addresses}, "sv_plan_execute_table"},
    {"const sv_view *", "src", {.handle = &fixture.src_addresses}, "sv_plan_execute_table"},
    {"const sv_view *", "dst", {.handle = &fixture.target}, NULL},
    {"const sv_view *", "", {.handle = &fixture.view}, NULL},
    {"const void *", "pointer", {.pointer = fixture.memory}, NULL},
    {"const void *", "dst", {.pointer = fixture.memory}, NULL},
    {"const void *", "src", {.pointer = fixture.memory}, NULL},
    {"const void *", "tensor", {.pointer = &fixture.bare}, NULL},
    {"struct DLManagedTensor *", "tensor", {.pointer = &fixture.old_tensor}, NULL},
    {"struct DLManagedTensorVersioned *", "tensor", {.pointer = &fixture.tensor}, NULL},
    {"sv_allocate_callback", "allocate", {.function = (void (*)(void))allocate_memory}, NULL},
    {"sv_allocator *", "allocator", {.handle = &fixture.spare_allocator}, NULL},
    {"sv_block_callback", "visit", {.function = (void (*)(void))visit_block}, NULL},
    {"sv_buffer *", "buffer", {.handle = &fixture.spare_buffer}, "sv_buffer_release"},
    {"sv_buffer *", "buffer", {.handle = &fixture.spare_buffer}, "sv_buffer_release_later"},
    {"sv_buffer *", "", {.handle = &fixture.buffer}, NULL},
    {"sv_free_callback", "free", {.function = (void (*)(void))free_memory}, NULL},
    {"sv_layout *", "layout", {.handle = &fixture.spare_layout}, NULL},
    {"sv_layout_builder *", "builder", {.handle = &fixture.builder}, NULL},
    {"sv_plan *", "plan", {.handle = &fixture.spare_plan}, NULL},
    {"sv_handler_allocate_callback", "allocate", {.function = (void (*)(void))handle_allocate}, NULL},
    {"sv_handler_free_callback", "free", {.function = (void (*)(void))handle_free}, NULL},
    {"sv_memory_callback", "log", {.function = (void (*)(void))log_memory}, NULL},
    {"sv_no_memory_callback", "ask", {.function = (void (*)(void))say_no}, NULL},
    {"sv_parallel_callback", "run", {.function = (void (*)(void))run_tasks}, NULL},
    {"sv_release_callback", "release", {.function = (void (*)(void))count_release}, NULL},
    {"sv_torch_allocate_callback", "allocate", {.function = (void (*)(void))torch_allocate}, NULL},
    {"sv_torch_free_callback", "free", {.function = (void (*)(void))torch_free}, NULL},
    {"sv_view *", "view", {.handle = &fixture.spare_view}, NULL},
    {"void *", "allocator", {.handle = &fixture.allocator}, NULL},
    {"void *", "base", {.pointer = fixture.memory}, NULL},
    {"void *", "ctx", {.pointer = &fixture}, NULL},
    {"void *", "dst", {.pointer = fixture.other}, NULL},
    {"void *", "pointer", {.pointer = fixture.memory}, NULL},
    {"void *", "stream", {.pointer = NULL}, NULL},
};

/* The first row for this function of this type and name. */
static bool find_sample(const struct function *f, const struct parameter *p, struct argument *out)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *s = &samples[i];

        if (strcmp(s->type, p->type) != 0 || (*s->name != '\0' && strcmp(s->name, p->name) != 0))
            continue;
        if (s->function != NULL && strcmp(s->function, f->name) != 0)
            continue;
        *out = s->value;
        if (out->handle != NULL)
            memcpy(&out->pointer, out->handle, sizeof out->pointer);
        return true;
    }
    return false;
}

bool prepare(const struct function *f, struct argument arguments[MAX_ARGUMENTS])
{
    for (int i = 0; i < f->count; i++) {
        const struct parameter *p = &f->parameters[i];

        if (p->marks & OUT)
            arguments[i] = (struct argument){.pointer = fixture.out[i]};
        else if (!find_sample(f, p, &arguments[i]))
            return tap_ok(false, "%s: there is a sample for %s %s", f->name, p->type, p->name);
    }
    return true;
}

/* --- after the call ------------------------------------------------------ */

bool is_untouched(void)
{
    const unsigned char *byte = &fixture.out[0][0];

    for (size_t i = 0; i < sizeof fixture.out; i++)
        if (byte[i] != UNTOUCHED)
            return false;
    return ended == 0;
}

/* The memory that sv_buffer_detach() gave: where its outputs lie among the arguments. */
static void free_detached(void)
{
    sv_free_callback end;
    void *pointer, *ctx;
    int64_t nbytes, alignment;

    memcpy(&pointer, fixture.out[1], sizeof pointer);
    memcpy(&nbytes, fixture.out[2], sizeof nbytes);
    memcpy(&alignment, fixture.out[3], sizeof alignment);
    memcpy(&end, fixture.out[5], sizeof end);
    memcpy(&ctx, fixture.out[6], sizeof ctx);
    tap_ok(end(ctx, pointer, nbytes, alignment, 0) == SV_OK, "sv_buffer_detach: what frees the memory frees it");
}

void give_back(const struct function *f, const struct argument *arguments)
{
    if (strcmp(f->name, "sv_buffer_begin_export") == 0)
        sv_buffer_end_export(arguments[0].pointer);
    if (strcmp(f->name, "sv_buffer_detach") == 0)
        free_detached();
    if (strcmp(f->name, "sv_torch_use") == 0)
        (void)sv_torch_use((int32_t)arguments[0].number, NULL);
    for (int i = 0; i < f->count; i++) {
        const char *type = f->parameters[i].type;
        void *pointer;

        if (!(f->parameters[i].marks & OUT) || arguments[i].pointer == NULL)
            continue;
        memcpy(&pointer, fixture.out[i], sizeof pointer);
        if (strcmp(type, "sv_layout_builder **") == 0)
            sv_layout_builder_release(pointer);
        else if (strcmp(type, "sv_layout **") == 0)
            sv_layout_release(pointer);
        else if (strcmp(type, "sv_view **") == 0)
            sv_view_release(pointer);
        else if (strcmp(type, "sv_plan **") == 0)
            sv_plan_release(pointer);
        else if (strcmp(type, "sv_allocator **") == 0)
            sv_allocator_release(pointer);
        else if (strcmp(type, "sv_buffer **") == 0)
            sv_buffer_release(pointer);
        else if (strcmp(type, "struct DLManagedTensorVersioned **") == 0)
            ((DLManagedTensorVersioned *)pointer)->deleter(pointer);
        else if (strcmp(type, "struct DLManagedTensor **") == 0)
            ((DLManagedTensor *)pointer)->deleter(pointer);
    }
}
