/* The out-of-place copies of matrices that OpenBLAS and MKL have: B = 1 * op(A), with leading dimensions. */
#define _GNU_SOURCE /* setenv */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { REAL4, REAL8, COMPLEX8, COMPLEX16, TYPES };
static const char *const dtypes[TYPES] = {"float32", "float64", "complex64", "complex128"};

static int type_of(const struct bench_case *c)
{
    int type = 0;

    while (type < TYPES && strcmp(c->dtype, dtypes[type]) != 0)
        type++;
    return type;
}

/* B, of rows and columns in C order, is A or its transpose: A is what the source looks like in C order. */
struct planned {
    bool transposed;
    int64_t rows, columns, lda, step_a, ldb, step_b; /* of A; elements */
    char *a, *b;
    int type;
};

static struct planned *plan_of(const struct bench_case *c, char *dst, char *src)
{
    int type = type_of(c);
    struct bench_matrix m;
    struct planned *p;

    if (type == TYPES || !bench_matrix_of(c, &m))
        return NULL;
    p = malloc(sizeof *p);
    if (p == NULL)
        abort();
    *p = (struct planned){.transposed = m.src_row < m.src_column,
                          .rows = m.rows,
                          .columns = m.columns,
                          .lda = m.src_row,
                          .step_a = m.src_column,
                          .ldb = m.dst_row,
                          .step_b = m.dst_column,
                          .a = src + sv_layout_byte_offset(c->src),
                          .b = dst + sv_layout_byte_offset(c->dst),
                          .type = type};
    if (p->transposed) {
        p->rows = m.columns;
        p->columns = m.rows;
        p->lda = m.src_column;
        p->step_a = m.src_row;
    }
    return p;
}

static bool has_steps(const struct planned *p)
{
    return p->step_a != 1 || p->step_b != 1;
}

/* --- OpenBLAS: cblas_?omatcopy ---------------------------------------------- */

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 }; /* of cblas.h */

static struct {
    void (*s)(int order, int op, int rows, int columns, float alpha, const void *a, int lda, void *b, int ldb);
    void (*d)(int order, int op, int rows, int columns, double alpha, const void *a, int lda, void *b, int ldb);
    void (*c)(int order, int op, int rows, int columns, const float *alpha, const void *a, int lda, void *b, int ldb);
    void (*z)(int order, int op, int rows, int columns, const double *alpha, const void *a, int lda, void *b, int ldb);
} openblas;

static bool find_openblas(void *library, const char *prefix, int threads, char version[BENCH_VERSION])
{
    char cblas[32];
    void (*set_threads)(int);
    const char *(*config)(void);

    snprintf(cblas, sizeof cblas, "%scblas_", prefix);
    if (!bench_function(&openblas.s, library, cblas, "somatcopy") ||
        !bench_function(&openblas.d, library, cblas, "domatcopy") ||
        !bench_function(&openblas.c, library, cblas, "comatcopy") ||
        !bench_function(&openblas.z, library, cblas, "zomatcopy") ||
        !bench_function(&config, library, prefix, "openblas_get_config") ||
        !bench_function(&set_threads, library, prefix, "openblas_set_num_threads"))
        return false;
    set_threads(threads);
    if (sscanf(config(), "OpenBLAS %63s", version) != 1)
        snprintf(version, BENCH_VERSION, "of unknown version");
    return true;
}

/* Functions of the wheel scipy-openblas32 have a prefix. Libraries with integers of 64 bits have other names. */
static bool open_openblas(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL}, *const none[] = {NULL};
    void *library;

    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* it starts as many when it is opened */
    library = bench_library(options->libraries, none, "scipy_openblas_get_config");
    if (library != NULL)
        return find_openblas(library, "scipy_", options->threads, version);
    library = bench_library(options->libraries, names, "openblas_get_config");
    return find_openblas(library, "", options->threads, version);
}

static void *plan_openblas(const struct bench_case *c, char *dst, char *src, bool measure)
{
    struct planned *p = plan_of(c, dst, src);

    (void)measure;
    if (p != NULL && (has_steps(p) || p->lda > INT32_MAX || p->ldb > INT32_MAX)) {
        free(p);
        p = NULL;
    }
    return p;
}

static void run_openblas(void *ctx)
{
    static const float one4[2] = {1, 0};
    static const double one8[2] = {1, 0};
    const struct planned *p = ctx;
    int op = p->transposed ? TRANSPOSED : AS_IT_IS;
    int rows = (int)p->rows, columns = (int)p->columns, lda = (int)p->lda, ldb = (int)p->ldb;

    switch (p->type) {
    case REAL4: openblas.s(ROW_MAJOR, op, rows, columns, 1, p->a, lda, p->b, ldb); break;
    case REAL8: openblas.d(ROW_MAJOR, op, rows, columns, 1, p->a, lda, p->b, ldb); break;
    case COMPLEX8: openblas.c(ROW_MAJOR, op, rows, columns, one4, p->a, lda, p->b, ldb); break;
    default: openblas.z(ROW_MAJOR, op, rows, columns, one8, p->a, lda, p->b, ldb); break;
    }
}

const struct bench_peer bench_openblas = {"OpenBLAS", NULL, open_openblas, plan_openblas, run_openblas, free};

/* --- MKL: mkl_?omatcopy, and mkl_?omatcopy2 where an axis has a step ----------- */

struct complex8 {
    float real, imaginary;
};

struct complex16 {
    double real, imaginary;
};

static struct {
    void (*s)(char order, char op, size_t rows, size_t columns, float alpha, const void *a, size_t lda, void *b,
              size_t ldb);
    void (*d)(char order, char op, size_t rows, size_t columns, double alpha, const void *a, size_t lda, void *b,
              size_t ldb);
    void (*c)(char order, char op, size_t rows, size_t columns, struct complex8 alpha, const void *a, size_t lda,
              void *b, size_t ldb);
    void (*z)(char order, char op, size_t rows, size_t columns, struct complex16 alpha, const void *a, size_t lda,
              void *b, size_t ldb);
    void (*s2)(char order, char op, size_t rows, size_t columns, float alpha, const void *a, size_t lda, size_t step_a,
               void *b, size_t ldb, size_t step_b);
    void (*d2)(char order, char op, size_t rows, size_t columns, double alpha, const void *a, size_t lda, size_t step_a,
               void *b, size_t ldb, size_t step_b);
    void (*c2)(char order, char op, size_t rows, size_t columns, struct complex8 alpha, const void *a, size_t lda,
               size_t step_a, void *b, size_t ldb, size_t step_b);
    void (*z2)(char order, char op, size_t rows, size_t columns, struct complex16 alpha, const void *a, size_t lda,
               size_t step_a, void *b, size_t ldb, size_t step_b);
} mkl;

static bool find_omatcopy(void *library)
{
    return bench_function(&mkl.s, library, "MKL_", "Somatcopy") &&
           bench_function(&mkl.d, library, "MKL_", "Domatcopy") &&
           bench_function(&mkl.c, library, "MKL_", "Comatcopy") &&
           bench_function(&mkl.z, library, "MKL_", "Zomatcopy") &&
           bench_function(&mkl.s2, library, "MKL_", "Somatcopy2") &&
           bench_function(&mkl.d2, library, "MKL_", "Domatcopy2") &&
           bench_function(&mkl.c2, library, "MKL_", "Comatcopy2") &&
           bench_function(&mkl.z2, library, "MKL_", "Zomatcopy2");
}

static bool open_mkl(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};
    void *library;
    void (*set_threads)(int);
    void (*version_string)(char *text, int length);
    char text[256] = "";
    const char *number;

    setenv("MKL_THREADING_LAYER", options->threads == 1 ? "SEQUENTIAL" : "GNU", 0); /* the OpenMP of this program */
    library = bench_library(options->libraries, names, "MKL_Somatcopy");
    if (!find_omatcopy(library) ||
        !bench_function(&set_threads, library, "MKL_", "Set_Num_Threads") ||
        !bench_function(&version_string, library, "MKL_", "Get_Version_String"))
        return false;
    set_threads(options->threads);
    version_string(text, sizeof text - 1);
    number = strstr(text, "Version ");
    if (number == NULL || sscanf(number, "Version %63[^- ]", version) != 1)
        snprintf(version, BENCH_VERSION, "of unknown version");
    return true;
}

static void *plan_mkl(const struct bench_case *c, char *dst, char *src, bool measure)
{
    (void)measure;
    return plan_of(c, dst, src);
}

static void run_mkl_steps(const struct planned *p, char op)
{
    size_t rows = (size_t)p->rows, columns = (size_t)p->columns, lda = (size_t)p->lda, ldb = (size_t)p->ldb;
    size_t step_a = (size_t)p->step_a, step_b = (size_t)p->step_b;

    switch (p->type) {
    case REAL4: mkl.s2('R', op, rows, columns, 1, p->a, lda, step_a, p->b, ldb, step_b); break;
    case REAL8: mkl.d2('R', op, rows, columns, 1, p->a, lda, step_a, p->b, ldb, step_b); break;
    case COMPLEX8: mkl.c2('R', op, rows, columns, (struct complex8){1, 0}, p->a, lda, step_a, p->b, ldb, step_b); break;
    default: mkl.z2('R', op, rows, columns, (struct complex16){1, 0}, p->a, lda, step_a, p->b, ldb, step_b); break;
    }
}

static void run_mkl(void *ctx)
{
    const struct planned *p = ctx;
    size_t rows = (size_t)p->rows, columns = (size_t)p->columns, lda = (size_t)p->lda, ldb = (size_t)p->ldb;
    char op = p->transposed ? 'T' : 'N';

    if (has_steps(p)) {
        run_mkl_steps(p, op);
        return;
    }
    switch (p->type) {
    case REAL4: mkl.s('R', op, rows, columns, 1, p->a, lda, p->b, ldb); break;
    case REAL8: mkl.d('R', op, rows, columns, 1, p->a, lda, p->b, ldb); break;
    case COMPLEX8: mkl.c('R', op, rows, columns, (struct complex8){1, 0}, p->a, lda, p->b, ldb); break;
    default: mkl.z('R', op, rows, columns, (struct complex16){1, 0}, p->a, lda, p->b, ldb); break;
    }
}

const struct bench_peer bench_mkl = {"MKL", NULL, open_mkl, plan_mkl, run_mkl, free};
