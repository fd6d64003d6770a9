/* libxsmm: transposes and copies of matrices, by kernels that it compiles when it meets their shape. */
#include <stdio.h>
#include <stdlib.h>

#include "parallel.h"
#include "peer.h"

enum { MOST_ITEM = 255 }; /* bytes */

/* Column-major: m items lie together; ldi and ldo are leading dimensions. */
typedef void xsmm_function(void *out, const void *in, unsigned typesize, int m, int n, int ldi, int ldo, int thread,
                           int threads);

static xsmm_function *transpose, *copy;
static int thread_count;

struct planned {
    xsmm_function *function;
    int m, n, ldi, ldo;
    unsigned item;
    void *out;
    const void *in;
};

static bool open(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    static const char *const names[] = {"libxsmm.so.1", "libxsmm.so", NULL};
    void *library = bench_library(options->libraries, names, "libxsmm_otrans_thread");
    void (*init)(void);

    thread_count = options->threads;
    if (!bench_function(&init, library, "libxsmm_", "init") ||
        !bench_function(&transpose, library, "libxsmm_", "otrans_thread") ||
        !bench_function(&copy, library, "libxsmm_", "matcopy_thread"))
        return false;
    init();
    snprintf(version, BENCH_VERSION, "of unknown version"); /* it has no function that tells */
    return true;
}

static void *plan(const struct bench_case *c, char *dst, char *src, bool measure)
{
    int64_t item = sv_layout_itemsize(c->dst);
    struct bench_matrix m;
    struct planned *p;
    bool transposed;

    (void)measure;
    if (item > MOST_ITEM || !bench_matrix_of(c, &m) || m.dst_column != 1)
        return NULL;
    transposed = m.src_row < m.src_column;
    if ((transposed ? m.src_row : m.src_column) != 1 || m.dst_row > INT32_MAX || m.src_row > INT32_MAX ||
        m.src_column > INT32_MAX)
        return NULL;
    p = malloc(sizeof *p);
    if (p == NULL)
        abort();
    *p = (struct planned){.function = transposed ? transpose : copy,
                          .m = (int)(transposed ? m.rows : m.columns),
                          .n = (int)(transposed ? m.columns : m.rows),
                          .ldi = (int)(transposed ? m.src_column : m.src_row),
                          .ldo = (int)m.dst_row,
                          .item = (unsigned)item,
                          .out = dst + sv_layout_byte_offset(c->dst),
                          .in = src + sv_layout_byte_offset(c->src)};
    return p;
}

static void run_part(void *ctx, int64_t thread)
{
    const struct planned *p = ctx;

    p->function(p->out, p->in, p->item, p->m, p->n, p->ldi, p->ldo, (int)thread, thread_count);
}

static void run(void *ctx)
{
    if (thread_count == 1)
        run_part(ctx, 0);
    else
        bench_parallel((void *)(intptr_t)thread_count, thread_count, run_part, ctx);
}

const struct bench_peer bench_libxsmm = {"libxsmm", NULL, open, plan, run, free};
