/*
 * Copies and fills. Memory that the runtime did not allocate or register is pageable: a copy reads it at the call, and
 * when it writes there it is done on return. Unless the device reaches pageable memory: then nothing is staged, and it
 * may be read and written later, which is the least that the runtime promises.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

/* depth planes of height rows of width bytes. */
struct rows {
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch, width, height, dst_plane, src_plane, depth;
};

static size_t extent(size_t plane, size_t pitch, const struct rows *r)
{
    return (r->depth - 1) * plane + (r->height - 1) * pitch + r->width;
}

static void copy_rows(struct fake_operation *o)
{
    char *dst = fake_bytes(o->dst);
    const char *src = fake_bytes(o->src);

    for (size_t plane = 0; plane < o->depth; plane++)
        for (size_t row = 0; row < o->height; row++)
            memmove(dst + plane * o->dst_plane + row * o->dst_pitch, src + plane * o->src_plane + row * o->src_pitch,
                    o->width);
}

static void fill(struct fake_operation *o)
{
    memset(fake_bytes(o->dst), o->byte, o->nbytes);
}

/* --- one copy ----------------------------------------------------------------------- */

static void keep_source(struct fake_operation *o)
{
    char *held = malloc(o->width * o->height * o->depth);

    for (size_t plane = 0; plane < o->depth; plane++)
        for (size_t row = 0; row < o->height; row++)
            memcpy(held + (plane * o->height + row) * o->width,
                   o->src + plane * o->src_plane + row * o->src_pitch, o->width);
    o->held = held;
    o->src = held;
    o->src_pitch = o->width;
    o->src_plane = o->width * o->height;
}

static void touch_rows(struct fake_operation *o, const char *base, size_t plane, size_t pitch, bool write)
{
    for (size_t k = 0; k < o->depth; k++)
        for (size_t row = 0; row < o->height; row++)
            fake_touch(o, base + k * plane + row * pitch, o->width, write);
}

static cudaError_t give(struct fake_operation *o, bool from_pageable, bool to_pageable)
{
    const int stream = o->stream;
    cudaError_t error;

    fake.moved += (int64_t)(o->width * o->height * o->depth);
    if (from_pageable)
        keep_source(o);
    else
        touch_rows(o, o->src, o->src_plane, o->src_pitch, false);
    if (!to_pageable)
        touch_rows(o, o->dst, o->dst_plane, o->dst_pitch, true);
    o->run = copy_rows;
    error = fake_give(o);
    if (!to_pageable)
        return error;
    fake_perform(fake.streams[stream].last);
    fake_learn(&fake.streams[stream].clock);
    return fake.sticky;
}

static bool is_staged(const struct fake_stream *s, bool pageable)
{
    return pageable && fake.attributes[s->device][cudaDevAttrPageableMemoryAccess] == 0;
}

/* Pages of files and shared memory are no memory for the driver's own copy: it takes up to a thousand times as long, and
 * some systems hang. What a program has of its own files, its variables among it, is private and writable. */
static bool is_mapped_file(const void *address)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long long begin, end, number = 0;
    char line[512], access[5];
    bool found = false;

    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL)
        found = sscanf(line, "%llx-%llx %4s %*s %*s %llu", &begin, &end, access, &number) == 4 &&
                (uintptr_t)address >= begin && (uintptr_t)address < end;
    if (maps != NULL)
        fclose(maps);
    return found && number != 0 && strcmp(access, "rw-p") != 0;
}

static void refuse_files(const void *pageable)
{
    if (is_mapped_file(pageable))
        fake_fault("the driver copies pages of a file");
}

static cudaError_t copy(const struct rows *r, cudaStream_t stream)
{
    const bool from_pageable = fake_find(r->src) == NULL, to_pageable = fake_find(r->dst) == NULL;
    struct fake_stream *s = fake_find_stream(stream);
    struct fake_operation *o;
    cudaError_t error;

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (r->width == 0 || r->height == 0 || r->depth == 0)
        return cudaSuccess;
    error = fake_check(r->dst, extent(r->dst_plane, r->dst_pitch, r));
    if (error == cudaSuccess)
        error = fake_check(r->src, extent(r->src_plane, r->src_pitch, r));
    if (error != cudaSuccess)
        return error;
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    if (s->capture != NULL && (from_pageable || to_pageable))
        return fake_spoil(s->capture, cudaErrorStreamCaptureUnsupported);
    if (from_pageable || to_pageable)
        refuse_files(from_pageable ? r->src : r->dst);
    o = fake_new_operation(s, "a copy");
    o->dst = r->dst;
    o->src = r->src;
    o->dst_pitch = r->dst_pitch;
    o->src_pitch = r->src_pitch;
    o->width = r->width;
    o->height = r->height;
    o->dst_plane = r->dst_plane;
    o->src_plane = r->src_plane;
    o->depth = r->depth;
    return give(o, is_staged(s, from_pageable), is_staged(s, to_pageable));
}

/* --- the table ------------------------------------------------------------------------ */

cudaError_t cuda_copy(void *dst, const void *src, size_t nbytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct rows rows = {dst, src, nbytes, nbytes, nbytes, 1, 0, 0, 1};
    cudaError_t error = ENTER(copy, "%zu %s", nbytes, fake_stream_name(stream));

    if (error == cudaSuccess && kind != cudaMemcpyDefault)
        fake_fault("a copy is of kind %d, not cudaMemcpyDefault", (int)kind);
    return fake_leave(error == cudaSuccess ? copy(&rows, stream) : error);
}

/* Pitches are never less than the width, nor more than devices take. */
cudaError_t cuda_copy_rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct rows rows = {dst, src, dst_pitch, src_pitch, width, height, 0, 0, 1};
    cudaError_t error = ENTER(copy_rows, "%zux%zu %s", height, width, fake_stream_name(stream));

    if (error == cudaSuccess && kind != cudaMemcpyDefault)
        fake_fault("a copy is of kind %d, not cudaMemcpyDefault", (int)kind);
    if (error == cudaSuccess &&
        (dst_pitch < width || src_pitch < width || dst_pitch > INT32_MAX || src_pitch > INT32_MAX))
        error = cudaErrorInvalidPitchValue;
    return fake_leave(error == cudaSuccess ? copy(&rows, stream) : error);
}

static bool has_legal_pitch(const struct cudaPitchedPtr *p, const struct cudaExtent *e)
{
    return p->pitch >= e->width && p->pitch <= INT32_MAX && (e->depth <= 1 || p->ysize >= e->height);
}

/* Of memory alone, from its first byte on. */
cudaError_t cuda_copy_planes(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    const struct rows rows = {p->dstPtr.ptr, p->srcPtr.ptr, p->dstPtr.pitch, p->srcPtr.pitch, p->extent.width,
                              p->extent.height, p->dstPtr.pitch * p->dstPtr.ysize, p->srcPtr.pitch * p->srcPtr.ysize,
                              p->extent.depth};
    cudaError_t error = ENTER(copy_planes, "%zux%zux%zu %s", rows.depth, rows.height, rows.width,
                              fake_stream_name(stream));

    if (error == cudaSuccess && p->kind != cudaMemcpyDefault)
        fake_fault("a copy is of kind %d, not cudaMemcpyDefault", (int)p->kind);
    if (error == cudaSuccess && (p->srcArray != NULL || p->dstArray != NULL || p->srcPos.x + p->srcPos.y + p->srcPos.z +
                                 p->dstPos.x + p->dstPos.y + p->dstPos.z != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !(has_legal_pitch(&p->dstPtr, &p->extent) && has_legal_pitch(&p->srcPtr, &p->extent)))
        error = cudaErrorInvalidPitchValue;
    return fake_leave(error == cudaSuccess ? copy(&rows, stream) : error);
}

static bool is_of(const void *pointer, int device)
{
    const struct fake_region *r = fake_find(pointer);

    return r != NULL && (r->device == device || r->kind != HELD_DEVICE);
}

cudaError_t cuda_copy_peer(void *dst, int dst_device, const void *src, int src_device, size_t nbytes,
                           cudaStream_t stream)
{
    const struct rows rows = {dst, src, nbytes, nbytes, nbytes, 1, 0, 0, 1};
    cudaError_t error = ENTER(copy_peer, "%d<-%d %zu %s", dst_device, src_device, nbytes, fake_stream_name(stream));

    if (error == cudaSuccess && (dst_device < 0 || dst_device >= fake.settings.devices || src_device < 0 ||
                                 src_device >= fake.settings.devices))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && !(is_of(dst, dst_device) && is_of(src, src_device)))
        error = cudaErrorInvalidValue;
    return fake_leave(error == cudaSuccess ? copy(&rows, stream) : error);
}

cudaError_t cuda_set(void *pointer, int byte, size_t nbytes, cudaStream_t stream)
{
    cudaError_t error = ENTER(set, "%zu %s", nbytes, fake_stream_name(stream));
    struct fake_stream *s;
    struct fake_operation *o;

    if (error != cudaSuccess)
        return fake_leave(error);
    s = fake_find_stream(stream);
    if (s == NULL)
        return fake_leave(cudaErrorInvalidResourceHandle);
    if (fake_find(pointer) == NULL)
        return fake_leave(cudaErrorInvalidValue);
    error = fake_check(pointer, nbytes);
    if (error != cudaSuccess)
        return fake_leave(error);
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return fake_leave(cudaErrorStreamCaptureImplicit);
    o = fake_new_operation(s, "a fill");
    o->dst = pointer;
    o->byte = byte;
    o->nbytes = nbytes;
    o->run = fill;
    fake_touch(o, pointer, nbytes, true);
    return fake_leave(fake_give(o));
}
