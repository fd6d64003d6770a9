/*
 * oneDNN's reorder between two plain formats, with strides, of as many axes as it has. It converts as well. Versions 2
 * and 3 differ in how a format is described: a structure, or a handle. Passing either on is passing a pointer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

/* Of dnnl_types.h. */
enum { MOST_AXES = 12, CPU = 1, IN_ORDER = 1, FROM = 1, TO = 17 };
enum { F16 = 1, BF16, F32, S32, S8, U8 };
enum { STRUCTURE = 4096 }; /* version 2's description, of some hundred bytes */

struct argument {
    int which;
    void *memory;
};

struct version {
    int major, minor, patch;
};

static struct {
    const struct version *(*version)(void);
    int (*engine_create)(void **engine, int kind, size_t index);
    int (*stream_create)(void **stream, void *engine, unsigned flags);
    int (*stream_wait)(void *stream);
    int (*describe)(void *format, int ndim, const int64_t *shape, int type, const int64_t *strides);
    int (*forget)(void *format); /* NULL: version 2 */
    int (*memory_create)(void **memory, const void *format, void *engine, void *address);
    int (*memory_destroy)(void *memory);
    int (*reorder_create)(void **recipe, const void *src, void *src_engine, const void *dst, void *dst_engine,
                          const void *attributes);
    int (*recipe_destroy)(void *recipe);
    int (*create)(void **primitive, const void *recipe);
    int (*destroy)(void *primitive);
    int (*execute)(const void *primitive, void *stream, int count, const struct argument *arguments);
} dnnl;

static void *engine, *stream;

/* A side of a copy as oneDNN knows it. */
struct side {
    union {
        void *handle;
        char structure[STRUCTURE];
    } format;
    void *memory;
};

struct planned {
    struct side dst, src;
    void *primitive;
};

static bool find_functions(void *library)
{
    return bench_function(&dnnl.version, library, "dnnl_", "version") &&
           bench_function(&dnnl.engine_create, library, "dnnl_", "engine_create") &&
           bench_function(&dnnl.stream_create, library, "dnnl_", "stream_create") &&
           bench_function(&dnnl.stream_wait, library, "dnnl_", "stream_wait") &&
           bench_function(&dnnl.memory_create, library, "dnnl_", "memory_create") &&
           bench_function(&dnnl.memory_destroy, library, "dnnl_", "memory_destroy") &&
           bench_function(&dnnl.reorder_create, library, "dnnl_", "reorder_primitive_desc_create") &&
           bench_function(&dnnl.recipe_destroy, library, "dnnl_", "primitive_desc_destroy") &&
           bench_function(&dnnl.create, library, "dnnl_", "primitive_create") &&
           bench_function(&dnnl.destroy, library, "dnnl_", "primitive_destroy") &&
           bench_function(&dnnl.execute, library, "dnnl_", "primitive_execute");
}

static bool open(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    static const char *const names[] = {"libdnnl.so.3", "libdnnl.so.2", NULL};
    void *library = bench_library(options->libraries, names, "dnnl_reorder_primitive_desc_create");

    if (!find_functions(library))
        return false;
    if (!bench_function(&dnnl.describe, library, "dnnl_", "memory_desc_create_with_strides"))
        bench_function(&dnnl.describe, library, "dnnl_", "memory_desc_init_by_strides");
    bench_function(&dnnl.forget, library, "dnnl_", "memory_desc_destroy");
    if (dnnl.describe == NULL || dnnl.engine_create(&engine, CPU, 0) != 0 ||
        dnnl.stream_create(&stream, engine, IN_ORDER) != 0)
        return false;
    snprintf(version, BENCH_VERSION, "%d.%d.%d", dnnl.version()->major, dnnl.version()->minor, dnnl.version()->patch);
    return true;
}

/* What oneDNN calls a type, or 0. */
static int type_of(const char *dtype)
{
    static const struct {
        const char *dtype;
        int type;
    } types[] = {{"float16", F16}, {"bfloat16", BF16}, {"float32", F32},
                 {"int32", S32},   {"int8", S8},       {"uint8", U8}};

    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(dtype, types[k].dtype) == 0)
            return types[k].type;
    return 0;
}

static const void *format_of(const struct side *side)
{
    return dnnl.forget != NULL ? side->format.handle : &side->format;
}

/* Of items of type; parts of them, of S32, are an axis more. False: oneDNN does not take these strides. */
static bool open_side(struct side *side, const sv_layout *layout, int type, char *base)
{
    const int64_t *strides = sv_layout_byte_strides(layout), *shape = sv_layout_shape(layout);
    int64_t item = sv_layout_itemsize(layout), extents[MOST_AXES], steps[MOST_AXES];
    int32_t ndim = sv_layout_ndim(layout);
    int64_t word = type == S32 ? 4 : item, parts = item / word;

    if (ndim + (parts > 1) > MOST_AXES)
        return false;
    for (int32_t k = 0; k < ndim; k++) {
        if (strides[k] <= 0 || strides[k] % word != 0)
            return false;
        extents[k] = shape[k];
        steps[k] = strides[k] / word;
    }
    if (parts > 1) {
        extents[ndim] = parts;
        steps[ndim++] = 1;
    }
    if (ndim == 0 || dnnl.describe(&side->format, ndim, extents, type, steps) != 0)
        return false;
    if (dnnl.memory_create(&side->memory, format_of(side), engine, base + sv_layout_byte_offset(layout)) == 0)
        return true;
    if (dnnl.forget != NULL)
        dnnl.forget(side->format.handle);
    return false;
}

static void close_side(struct side *side)
{
    dnnl.memory_destroy(side->memory);
    if (dnnl.forget != NULL)
        dnnl.forget(side->format.handle);
}

static void *primitive_of(const struct side *dst, const struct side *src)
{
    void *recipe, *primitive = NULL;

    if (dnnl.reorder_create(&recipe, format_of(src), engine, format_of(dst), engine, NULL) != 0)
        return NULL;
    if (dnnl.create(&primitive, recipe) != 0)
        primitive = NULL;
    dnnl.recipe_destroy(recipe);
    return primitive;
}

static void release(void *ctx)
{
    struct planned *p = ctx;

    dnnl.destroy(p->primitive);
    close_side(&p->dst);
    close_side(&p->src);
    free(p);
}

/* False: nothing is left open. */
static bool fill(struct planned *p, const struct bench_case *c, int to, int from, char *dst, char *src)
{
    if (!open_side(&p->dst, c->dst, to, dst))
        return false;
    if (open_side(&p->src, c->src, from, src)) {
        p->primitive = primitive_of(&p->dst, &p->src);
        if (p->primitive != NULL)
            return true;
        close_side(&p->src);
    }
    close_side(&p->dst);
    return false;
}

/* Items of other types that are as many bytes as one or some numbers of 4 bytes are copied as those. */
static void *plan(const struct bench_case *c, char *dst, char *src, bool measure)
{
    int to = type_of(c->dtype), from = type_of(c->src_dtype);
    struct planned *p;

    (void)measure;
    if (strcmp(c->dtype, c->src_dtype) == 0 && to == 0 && sv_layout_itemsize(c->dst) % 4 == 0)
        to = from = S32;
    p = to != 0 && from != 0 ? malloc(sizeof *p) : NULL;
    if (p != NULL && !fill(p, c, to, from, dst, src)) {
        free(p);
        p = NULL;
    }
    return p;
}

static void run(void *ctx)
{
    const struct planned *p = ctx;
    const struct argument arguments[] = {{FROM, p->src.memory}, {TO, p->dst.memory}};

    if (dnnl.execute(p->primitive, stream, 2, arguments) != 0 || dnnl.stream_wait(stream) != 0)
        abort();
}

const struct bench_peer bench_onednn = {"oneDNN", NULL, open, plan, run, release};
