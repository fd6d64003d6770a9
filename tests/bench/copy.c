/*
 * How fast one layout is copied to another, beside memcpy and the best contiguous copy.
 *
 *     copy                    small forms of all cases, each verified, as TAP
 *     copy FILE [NAME]        measures the cases whose name has NAME in it, prints a table and writes FILE
 */
#define _DEFAULT_SOURCE /* clock_gettime, posix_memalign, madvise */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "backend.h"
#include "host/kernels.h"
#include "tap.h"

enum { MIB = 1024 * 1024, ROUNDS = 7, NDIM = 5, ALIGNMENT = 2 * MIB };

/*
 * The source is dense, in C order: extents and how many items its last axis is
 * longer than what is copied. Axis k of the destination, dense too, is its axis
 * perm[k]; steps are those of the source's axes, 0 for 1; a step of REPEAT has stride 0.
 */
enum { REPEAT = 99 };

struct copy_case {
    const char *name;
    const char *kernel;
    int64_t item;
    int32_t ndim;
    int64_t shape[NDIM]; /* of the source, before steps */
    int32_t perm[NDIM];
    int64_t step[NDIM];
    int64_t pitch; /* bytes between rows of the destination; 0: dense */
};

static const struct copy_case cases[] = {
    {"T 16^2 f32", "transpose", 4, 2, {16, 16}, {1, 0}, {0}, 0},
    {"T 64^2 f32", "transpose", 4, 2, {64, 64}, {1, 0}, {0}, 0},
    {"T 256^2 f32", "transpose", 4, 2, {256, 256}, {1, 0}, {0}, 0},
    {"contiguous", "contiguous", 4, 1, {33554432}, {0}, {0}, 0},
    {"T 8192^2 f32", "transpose", 4, 2, {8192, 8192}, {1, 0}, {0}, 0},
    {"T 7264^2 f32", "transpose", 4, 2, {7264, 7264}, {1, 0}, {0}, 0},
    {"T 8191^2 f32", "transpose", 4, 2, {8191, 8191}, {1, 0}, {0}, 0},
    {"T 43408x1216 f32", "transpose", 4, 2, {43408, 1216}, {1, 0}, {0}, 0},
    {"T 5776^2 f64", "transpose", 8, 2, {5776, 5776}, {1, 0}, {0}, 0},
    {"T 4096^2 f64", "transpose", 8, 2, {4096, 4096}, {1, 0}, {0}, 0},
    {"T 11584^2 u16", "transpose", 2, 2, {11584, 11584}, {1, 0}, {0}, 0},
    {"T 8192x16384 u16", "transpose", 2, 2, {8192, 16384}, {1, 0}, {0}, 0},
    {"T 16000x16064 u8", "transpose", 1, 2, {16000, 16064}, {1, 0}, {0}, 0},
    {"T 16384^2 u8", "transpose", 1, 2, {16384, 16384}, {1, 0}, {0}, 0},
    {"T 4096^2 c128", "transpose", 16, 2, {4096, 4096}, {1, 0}, {0}, 0},
    {"T 3000^2 c128", "transpose", 16, 2, {3000, 3000}, {1, 0}, {0}, 0},
    {"T 4096^2 of 12 bytes", "transpose", 12, 2, {4096, 4096}, {1, 0}, {0}, 0},
    {"P(2,1,0) 448x384x320 f32", "transpose", 4, 3, {448, 384, 320}, {2, 1, 0}, {0}, 0},
    {"P(2,1,0) 384^3 f32", "transpose", 4, 3, {384, 384, 384}, {2, 1, 0}, {0}, 0},
    {"NCHW->NHWC f32 C=64", "transpose", 4, 4, {32, 64, 112, 112}, {0, 2, 3, 1}, {0}, 0},
    {"NHWC->NCHW f32 C=64", "transpose", 4, 4, {32, 112, 112, 64}, {0, 3, 1, 2}, {0}, 0},
    {"NCHW->NHWC u8 C=3", "pixels", 1, 4, {512, 3, 224, 224}, {0, 2, 3, 1}, {0}, 0},
    {"NHWC->NCHW u8 C=3", "pixels", 1, 4, {512, 224, 224, 3}, {0, 3, 1, 2}, {0}, 0},
    {"NCHW->NHWC u8 C=4", "pixels", 1, 4, {512, 4, 224, 224}, {0, 2, 3, 1}, {0}, 0},
    {"NHWC->NCHW u8 C=4", "pixels", 1, 4, {512, 224, 224, 4}, {0, 3, 1, 2}, {0}, 0},
    {"NHWC->NCHW f32 C=3", "pixels", 4, 4, {128, 224, 224, 3}, {0, 3, 1, 2}, {0}, 0},
    {"P(0,2,1,3) f16", "rows", 2, 4, {32, 32, 512, 64}, {0, 2, 1, 3}, {0}, 0},
    {"P(0,2,1,3) f32", "rows", 4, 4, {32, 32, 512, 64}, {0, 2, 1, 3}, {0}, 0},
    {"a[::2, ::3] f32", "generic", 4, 2, {8192, 12288}, {0, 1}, {2, 3}, 0},
    {"a[::-1] f32", "rows", 4, 2, {8192, 4096}, {0, 1}, {-1, 1}, 0},
    {"a[:, ::-1] f32", "reversed", 4, 2, {8192, 4096}, {0, 1}, {1, -1}, 0},
    {"a[:, ::-1] u8", "reversed", 1, 2, {8192, 16384}, {0, 1}, {1, -1}, 0},
    {"(1,N)->(M,N) f32", "rows", 4, 2, {8192, 4096}, {0, 1}, {REPEAT, 1}, 0},
    {"(N,1)->(N,M) f32", "repeat", 4, 2, {8192, 4096}, {0, 1}, {1, REPEAT}, 0},
    {"rows of 8 B, pitch 16", "generic", 8, 2, {8388608, 2}, {0, 1}, {1, 2}, 0},
    {"rows of 32 B, pitch 64", "rows", 32, 2, {4194304, 2}, {0, 1}, {1, 2}, 0},
    {"rows of 1 KiB, pitch 2 KiB", "rows", 1024, 2, {131072, 2}, {0, 1}, {1, 2}, 0},
    {"rows of 32 B to pitch 64", "rows", 32, 2, {4194304, 1}, {0, 1}, {0}, 64},
    {"rows of 1 KiB to pitch 2 KiB", "rows", 1024, 2, {131072, 1}, {0, 1}, {0}, 2048},
};

enum { COUNT = sizeof cases / sizeof *cases };

/* --- a case as layouts ------------------------------------------------------ */

struct layouts {
    int64_t shape[NDIM], dst[NDIM], src[NDIM]; /* byte strides */
    int64_t dst_bytes, src_bytes, src_offset, nbytes;
};

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

static void set_axis(const struct copy_case *c, struct layouts *l, int32_t k, int64_t stride)
{
    int64_t step = c->step[k] == 0 ? 1 : c->step[k];

    l->shape[k] = c->shape[k];
    l->src[k] = stride * step;
    if (step == REPEAT)
        l->src[k] = 0;
    else
        l->shape[k] = (c->shape[k] + magnitude(step) - 1) / magnitude(step);
    if (step < 0)
        l->src_offset += stride * (c->shape[k] - 1);
}

/* small: extents of 100 at most */
static struct layouts layouts_of(const struct copy_case *given, int small)
{
    struct copy_case c = *given;
    struct layouts plain = {.src_bytes = c.item}, l;

    for (int32_t k = 0; k < c.ndim; k++)
        if (small && c.shape[k] > 100)
            c.shape[k] = 100 - (c.shape[k] % 2);
    for (int32_t k = c.ndim - 1; k >= 0; k--) {
        set_axis(&c, &plain, k, plain.src_bytes);
        plain.src_bytes *= c.shape[k];
    }
    l = plain;
    l.nbytes = l.dst_bytes = c.item;
    for (int32_t k = c.ndim - 1; k >= 0; k--) {
        if (k == 0 && c.pitch > 0)
            l.dst_bytes = c.pitch;
        l.shape[k] = plain.shape[c.perm[k]];
        l.src[k] = plain.src[c.perm[k]];
        l.dst[k] = l.dst_bytes;
        l.dst_bytes *= l.shape[k];
        l.nbytes *= l.shape[k];
    }
    return l;
}

/* --- copies ----------------------------------------------------------------- */

static struct svi_machine machine;

static void copy(const struct copy_case *c, const struct layouts *l, char *dst, const char *src)
{
    struct svi_plan plan;

    svi_plan_make(c->ndim, l->shape, l->dst, l->src, c->item, &plan);
    svi_host_run(&machine, &plan, dst, src + l->src_offset);
}

static int next(const struct copy_case *c, const struct layouts *l, int64_t *index)
{
    for (int32_t k = c->ndim - 1; k >= 0; k--) {
        if (++index[k] < l->shape[k])
            return 1;
        index[k] = 0;
    }
    return 0;
}

/* Element by element; what is between rows of the destination must stay 0. */
static int is_right(const struct copy_case *c, const struct layouts *l, const char *dst, const char *src)
{
    int64_t index[NDIM] = {0}, at = 0;

    do {
        int64_t to = 0, from = l->src_offset;

        for (int32_t k = 0; k < c->ndim; k++) {
            to += index[k] * l->dst[k];
            from += index[k] * l->src[k];
        }
        for (; at < to; at++)
            if (dst[at] != 0)
                return 0;
        if (memcmp(dst + to, src + from, (size_t)c->item) != 0)
            return 0;
        at = to + c->item;
    } while (next(c, l, index));
    return 1;
}

static char *allocate(int64_t nbytes)
{
    void *block = NULL;

    if (posix_memalign(&block, ALIGNMENT, (size_t)nbytes + 64) != 0)
        abort();
#ifdef MADV_HUGEPAGE
    madvise(block, (size_t)nbytes, MADV_HUGEPAGE); /* as NumPy does */
#endif
    return block;
}

/* There is room behind for what is more than nbytes. */
static void scatter_bytes(char *dst, int64_t nbytes)
{
    uint64_t x = 88172645463325252u;

    for (int64_t k = 0; k < nbytes; k += 8) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(dst + k, &x, 8);
    }
}

static const char *kernel_of(const struct copy_case *c)
{
    struct layouts l = layouts_of(c, 0);
    struct svi_plan plan;

    svi_plan_make(c->ndim, l.shape, l.dst, l.src, c->item, &plan);
    return svi_host.kernel(&plan);
}

/* --- verify ----------------------------------------------------------------- */

static int verify(void)
{
    for (int i = 0; i < COUNT; i++) {
        struct layouts l = layouts_of(&cases[i], 1);
        char *dst = allocate(l.dst_bytes), *src = allocate(l.src_bytes);

        scatter_bytes(src, l.src_bytes);
        memset(dst, 0, (size_t)l.dst_bytes);
        copy(&cases[i], &l, dst, src);
        tap_ok(is_right(&cases[i], &l, dst, src), "%s", cases[i].name);
        tap_ok(strcmp(kernel_of(&cases[i]), cases[i].kernel) == 0, "%s by %s", cases[i].name, kernel_of(&cases[i]));
        free(dst);
        free(src);
    }
    return tap_done();
}

/* --- measure ---------------------------------------------------------------- */

/* Of this thread: what else runs here does not count, but for the memory's bandwidth. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

/* Of the case; and how much longer memcpy and the best contiguous copy of as many bytes take, in the same round. */
struct result {
    double seconds, to_memcpy, to_best;
};

static double least_contiguous(char *dst, const char *src, int64_t nbytes)
{
    static const char *const names[] = {"avx2", "avx512", "sse2"};
    double least = 1e9;

    for (int i = 0; i < 3; i++) {
        const struct svi_isa *isa = svi_isa_named(names[i]);
        double begin = now();

        if (isa == NULL || isa->stream_copy == NULL)
            continue;
        isa->stream_copy(dst, src, (size_t)nbytes);
        least = now() - begin < least ? now() - begin : least;
    }
    return least;
}

static struct result measure_case(const struct copy_case *c, const struct layouts *l, char *dst, char *src,
                                  char *flat)
{
    const int64_t calls = l->nbytes < MIB ? 8 * MIB / l->nbytes : 1;
    double seconds[ROUNDS], to_memcpy[ROUNDS], to_best[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double begin = now(), by_memcpy, contiguous = 1e9;

        for (int64_t k = 0; k < calls; k++)
            copy(c, l, dst, src);
        seconds[round] = (now() - begin) / (double)calls;
        begin = now();
        for (int64_t k = 0; k < calls; k++)
            memcpy(flat, src, (size_t)l->nbytes);
        by_memcpy = (now() - begin) / (double)calls;
        if (calls == 1)
            contiguous = least_contiguous(flat, src, l->nbytes);
        to_memcpy[round] = by_memcpy / seconds[round];
        to_best[round] = (contiguous < by_memcpy ? contiguous : by_memcpy) / seconds[round];
    }
    return (struct result){median(seconds), median(to_memcpy), median(to_best)};
}

static int measure_one(const struct copy_case *c, FILE *file)
{
    struct layouts l = layouts_of(c, 0);
    int64_t room = l.src_bytes > l.nbytes ? l.src_bytes : l.nbytes;
    char *dst = allocate(l.dst_bytes), *src = allocate(room), *flat = allocate(room);
    struct result r;
    int right;

    scatter_bytes(src, room);
    memset(dst, 0, (size_t)l.dst_bytes);
    memset(flat, 0, (size_t)room);
    copy(c, &l, dst, src);
    right = is_right(c, &l, dst, src);
    r = measure_case(c, &l, dst, src, flat);
    printf("%-32s %11.0f %7.2f %7.2f %7.2f   %s\n", c->name, r.seconds * 1e9, (double)l.nbytes * 1e-9 / r.seconds,
           r.to_memcpy, r.to_best, right ? "" : "WRONG");
    fflush(stdout);
    fprintf(file, "%s\t%.9f\t%.4f\t%.4f\n", c->name, r.seconds, r.to_memcpy, r.to_best);
    free(dst);
    free(src);
    free(flat);
    return right;
}

static int measure(const char *path, const char *part)
{
    FILE *file = fopen(path, "w");
    int right = 1;

    if (file == NULL)
        return 1;
    printf("%-32s %11s %7s %7s %7s   (%s)\n", "", "ns", "GB/s", "memcpy", "best", machine.isa->name);
    for (int i = 0; i < COUNT; i++)
        if (strstr(cases[i].name, part) != NULL)
            right &= measure_one(&cases[i], file);
    return fclose(file) == 0 && right ? 0 : 1;
}

int main(int argc, char **argv)
{
    machine = svi_machine();
    return argc > 1 ? measure(argv[1], argc > 2 ? argv[2] : "") : verify();
}
