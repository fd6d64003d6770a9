/* What tests/bench/copy calls of oneDNN. ONEDNN is the version, 2 or 3. */
#include "fake_peer.h"

enum { UNIMPLEMENTED = 3, FROM = 1, TO = 17 };

struct version {
    int major, minor, patch;
};

struct format {
    int ndim, type;
    int64_t shape[MOST], strides[MOST];
};

struct memory {
    struct format format;
    void *address;
};

struct argument {
    int which;
    struct memory *memory;
};

static int engine, stream;

const struct version *dnnl_version(void);
const struct version *dnnl_version(void)
{
    static const struct version version = {ONEDNN, 8, 7};

    return &version;
}

int dnnl_engine_create(void **out, int kind, size_t index);
int dnnl_engine_create(void **out, int kind, size_t index)
{
    *out = &engine;
    return kind != 1 || index != 0;
}

int dnnl_stream_create(void **out, void *of, unsigned flags);
int dnnl_stream_create(void **out, void *of, unsigned flags)
{
    *out = &stream;
    return of != &engine || flags != 1;
}

int dnnl_stream_wait(void *s);
int dnnl_stream_wait(void *s)
{
    return s != &stream;
}

static struct format described(int ndim, const int64_t *shape, int type, const int64_t *strides)
{
    struct format f = {.ndim = ndim, .type = type};

    for (int k = 0; k < ndim; k++) {
        f.shape[k] = shape[k];
        f.strides[k] = strides[k];
    }
    return f;
}

#if ONEDNN == 2
int dnnl_memory_desc_init_by_strides(struct format *out, int ndim, const int64_t *shape, int type,
                                     const int64_t *strides);
int dnnl_memory_desc_init_by_strides(struct format *out, int ndim, const int64_t *shape, int type,
                                     const int64_t *strides)
{
    *out = described(ndim, shape, type, strides);
    return 0;
}
#else
int dnnl_memory_desc_create_with_strides(struct format **out, int ndim, const int64_t *shape, int type,
                                         const int64_t *strides);
int dnnl_memory_desc_create_with_strides(struct format **out, int ndim, const int64_t *shape, int type,
                                         const int64_t *strides)
{
    *out = malloc(sizeof **out);
    **out = described(ndim, shape, type, strides);
    return 0;
}

int dnnl_memory_desc_destroy(struct format *format);
int dnnl_memory_desc_destroy(struct format *format)
{
    free(format);
    return 0;
}
#endif

int dnnl_memory_create(struct memory **out, const struct format *format, void *of, void *address);
int dnnl_memory_create(struct memory **out, const struct format *format, void *of, void *address)
{
    *out = malloc(sizeof **out);
    **out = (struct memory){*format, address};
    return of != &engine;
}

int dnnl_memory_destroy(struct memory *memory);
int dnnl_memory_destroy(struct memory *memory)
{
    free(memory);
    return 0;
}

/* What is in a recipe is in the memory as well, but for whether it is one. */
int dnnl_reorder_primitive_desc_create(void **out, const struct format *src, void *src_engine, const struct format *dst,
                                       void *dst_engine, const void *attributes);
int dnnl_reorder_primitive_desc_create(void **out, const struct format *src, void *src_engine, const struct format *dst,
                                       void *dst_engine, const void *attributes)
{
    if (src->type != dst->type || src_engine != &engine || dst_engine != &engine || attributes != NULL)
        return UNIMPLEMENTED;
    *out = malloc(1);
    return 0;
}

int dnnl_primitive_desc_destroy(void *recipe);
int dnnl_primitive_desc_destroy(void *recipe)
{
    free(recipe);
    return 0;
}

int dnnl_primitive_create(void **out, const void *recipe);
int dnnl_primitive_create(void **out, const void *recipe)
{
    *out = malloc(1);
    return recipe == NULL;
}

int dnnl_primitive_destroy(void *primitive);
int dnnl_primitive_destroy(void *primitive)
{
    free(primitive);
    return 0;
}

int dnnl_primitive_execute(const void *primitive, void *s, int count, const struct argument *arguments);
int dnnl_primitive_execute(const void *primitive, void *s, int count, const struct argument *arguments)
{
    static const size_t sizes[] = {0, 2, 2, 4, 4, 1, 1};
    const struct memory *src = arguments[0].memory, *dst = arguments[1].memory;
    struct job j = {
        .ndim = src->format.ndim, .item = sizes[src->format.type], .dst = dst->address, .src = src->address};

    if (primitive == NULL || s != &stream || count != 2 || arguments[0].which != FROM || arguments[1].which != TO)
        return UNIMPLEMENTED;
    for (int k = 0; k < j.ndim; k++) {
        j.shape[k] = src->format.shape[k];
        j.from[k] = src->format.strides[k] * (int64_t)j.item;
        j.to[k] = dst->format.strides[k] * (int64_t)j.item;
    }
    copy(&j);
    return 0;
}
