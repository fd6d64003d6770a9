/* What tests/bench/copy calls of OpenBLAS (OPENBLAS is the prefix of its names), MKL or libxsmm: one at a time. */
#include "fake_peer.h"

/* Rows of a, to rows of b, or to its columns. Strides in items. */
static void matrix(int transposed, size_t item, int64_t rows, int64_t columns, const void *a, int64_t lda,
                   int64_t step_a, void *b, int64_t ldb, int64_t step_b)
{
    int64_t size = (int64_t)item;
    struct job j = {2, item, {rows, columns}, {ldb * size, step_b * size}, {lda * size, step_a * size}, b, a};

    if (transposed) {
        j.to[0] = step_b * size;
        j.to[1] = ldb * size;
    }
    copy(&j);
}

#ifdef OPENBLAS
#define NAME_OF(prefix, name) prefix##name
#define NAME(prefix, name) NAME_OF(prefix, name)

const char *NAME(OPENBLAS, openblas_get_config)(void);
const char *NAME(OPENBLAS, openblas_get_config)(void)
{
    return "OpenBLAS 9.8.7 FAKE";
}

void NAME(OPENBLAS, openblas_set_num_threads)(int threads);
void NAME(OPENBLAS, openblas_set_num_threads)(int threads)
{
    if (threads != 1)
        abort();
}

#define OMATCOPY(letter, number, item)                                                                               \
    void NAME(OPENBLAS, cblas_##letter##omatcopy)(int order, int op, int rows, int columns, number alpha,            \
                                                  const void *a, int lda, void *b, int ldb);                         \
    void NAME(OPENBLAS, cblas_##letter##omatcopy)(int order, int op, int rows, int columns, number alpha,            \
                                                  const void *a, int lda, void *b, int ldb)                          \
    {                                                                                                                \
        (void)alpha;                                                                                                 \
        if (order == 101)                                                                                            \
            matrix(op == 112, item, rows, columns, a, lda, 1, b, ldb, 1);                                            \
    }
OMATCOPY(s, float, 4)
OMATCOPY(d, double, 8)
OMATCOPY(c, const float *, 8)
OMATCOPY(z, const double *, 16)
#endif

#ifdef MKL
struct complex8 {
    float real, imaginary;
};

struct complex16 {
    double real, imaginary;
};

void MKL_Set_Num_Threads(int threads);
void MKL_Set_Num_Threads(int threads)
{
    if (threads != 1)
        abort();
}

void MKL_Get_Version_String(char *text, int length);
void MKL_Get_Version_String(char *text, int length)
{
    strncpy(text, "Some Library Version 9.8-Product Build 7", (size_t)length);
}

#define OMATCOPY(name, number, item)                                                                                 \
    void MKL_##name##omatcopy(char order, char op, size_t rows, size_t columns, number alpha, const void *a,         \
                              size_t lda, void *b, size_t ldb);                                                      \
    void MKL_##name##omatcopy(char order, char op, size_t rows, size_t columns, number alpha, const void *a,         \
                              size_t lda, void *b, size_t ldb)                                                       \
    {                                                                                                                \
        (void)alpha;                                                                                                 \
        if (order == 'R')                                                                                            \
            matrix(op == 'T', item, (int64_t)rows, (int64_t)columns, a, (int64_t)lda, 1, b, (int64_t)ldb, 1);        \
    }                                                                                                                \
    void MKL_##name##omatcopy2(char order, char op, size_t rows, size_t columns, number alpha, const void *a,        \
                               size_t lda, size_t step_a, void *b, size_t ldb, size_t step_b);                       \
    void MKL_##name##omatcopy2(char order, char op, size_t rows, size_t columns, number alpha, const void *a,        \
                               size_t lda, size_t step_a, void *b, size_t ldb, size_t step_b)                        \
    {                                                                                                                \
        (void)alpha;                                                                                                 \
        if (order == 'R')                                                                                            \
            matrix(op == 'T', item, (int64_t)rows, (int64_t)columns, a, (int64_t)lda, (int64_t)step_a, b,            \
                   (int64_t)ldb, (int64_t)step_b);                                                                   \
    }
OMATCOPY(S, float, 4)
OMATCOPY(D, double, 8)
OMATCOPY(C, struct complex8, 8)
OMATCOPY(Z, struct complex16, 16)
#endif

#ifdef LIBXSMM
void libxsmm_init(void);
void libxsmm_init(void)
{
}

/* Rows of column-major matrices are columns here. Each thread has some of them. */
static void part(int transposed, void *out, const void *in, unsigned item, int m, int n, int ldi, int ldo, int thread,
                 int threads)
{
    int begin = n * thread / threads, end = n * (thread + 1) / threads;
    int64_t step = (int64_t)begin * item;

    matrix(transposed, item, end - begin, m, (const char *)in + step * ldi, ldi, 1,
           (char *)out + (transposed ? step : step * ldo), ldo, 1);
}

void libxsmm_otrans_thread(void *out, const void *in, unsigned item, int m, int n, int ldi, int ldo, int thread,
                           int threads);
void libxsmm_otrans_thread(void *out, const void *in, unsigned item, int m, int n, int ldi, int ldo, int thread,
                           int threads)
{
    part(1, out, in, item, m, n, ldi, ldo, thread, threads);
}

void libxsmm_matcopy_thread(void *out, const void *in, unsigned item, int m, int n, int ldi, int ldo, int thread,
                            int threads);
void libxsmm_matcopy_thread(void *out, const void *in, unsigned item, int m, int n, int ldi, int ldo, int thread,
                            int threads)
{
    part(0, out, in, item, m, n, ldi, ldo, thread, threads);
}
#endif
