/*
 * One library that copies between layouts, as tests/bench/copy meets it: found when the program runs, asked for a plan
 * of each case, and left out of those that it cannot express.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stddef.h>

#include "copy_cases.h"

struct bench_peer_options {
    const char *libraries; /* files that are looked at before the usual names, ':' between them; NULL: none */
    const char *hptt;      /* what make makes of hptt.cpp, or NULL */
    bool measure;          /* also plans that are chosen after measuring, where a library has them */
    int threads;
};

enum { BENCH_VERSION = 64 };

struct bench_peer {
    const char *name;
    const char *measured; /* the name of plans chosen after measuring, or NULL */

    /* Writes the version. False: it is not there. */
    bool (*open)(const struct bench_peer_options *options, char version[BENCH_VERSION]);

    /* NULL: it cannot express this copy. The addresses are those that the layouts count from. */
    void *(*plan)(const struct bench_case *c, char *dst, char *src, bool measure);
    void (*run)(void *plan);
    void (*release)(void *plan);
};

extern const struct bench_peer bench_fftw, bench_hptt, bench_openblas, bench_mkl, bench_onednn, bench_libxsmm;

/*
 * The first of the given files, else of names (NULL behind the last), that can be opened and has the symbol. NULL:
 * none has.
 */
void *bench_library(const char *files, const char *const *names, const char *symbol);

/* Sets *function, a pointer to a function, to what a library has by a name of two parts. False: no library, no such. */
bool bench_function(void *function, void *library, const char *prefix, const char *name);

/*
 * A copy of rows by two axes, the destination's larger stride first: how many, and strides in elements, all positive.
 * A copy by one axis is one row.
 */
struct bench_matrix {
    int64_t rows, columns;
    int64_t dst_row, dst_column, src_row, src_column;
};

/* False: the copy has more axes, repeats or reverses elements, converts, or is dense. */
bool bench_matrix_of(const struct bench_case *c, struct bench_matrix *m);

#endif
