/*
 * Small libraries that take the places of real ones when test_peers.py compiles them: they copy between any strides,
 * slowly. MANNER: 0 it copies, 1 it forgets the last byte of each item, 2 another thread does the work.
 */
#ifndef BENCH_FAKE_PEER_H
#define BENCH_FAKE_PEER_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RIGHT, WRONG, THREAD };
enum { MOST = 12, OFTEN = 1000 };

struct job {
    int ndim;
    size_t item;
    int64_t shape[MOST], to[MOST], from[MOST]; /* strides in bytes */
    char *dst;
    const char *src;
};

static void walk(const struct job *j, int axis, char *dst, const char *src)
{
    if (axis == j->ndim)
        memcpy(dst, src, MANNER == WRONG ? j->item - 1 : j->item);
    else
        for (int64_t i = 0; i < j->shape[axis]; i++)
            walk(j, axis + 1, dst + i * j->to[axis], src + i * j->from[axis]);
}

static void *work(void *ctx)
{
    const struct job *j = ctx;

    for (int k = 0; k < (MANNER == THREAD ? OFTEN : 1); k++)
        walk(j, 0, j->dst, j->src);
    return NULL;
}

static void copy(struct job *j)
{
    pthread_t thread;

    if (MANNER == THREAD && pthread_create(&thread, NULL, work, j) == 0)
        pthread_join(thread, NULL);
    else
        work(j);
}

#endif
