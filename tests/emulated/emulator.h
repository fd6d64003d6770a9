/*
 * Kernels run on the host, block after block, the threads of a block as fibers.
 * Each load and store of a kernel is seen: those outside of what may be read or
 * written, misaligned ones, bytes written twice, races and reads before writes
 * in shared memory, barriers that not all threads reach. On request the traffic
 * is counted as a GPU would see it. State is static: one launch at a time.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emulated_fault {
    EMULATED_NOTHING,
    EMULATED_OUTSIDE,    /* of all regions */
    EMULATED_READ_ONLY,  /* written */
    EMULATED_MISALIGNED,
    EMULATED_RACE,       /* in shared memory, without a barrier between two threads */
    EMULATED_UNWRITTEN,  /* shared memory is read first */
    EMULATED_BARRIER,    /* that some threads do not reach */
    EMULATED_TWICE,      /* a byte is written */
    EMULATED_SHARED,     /* outside of the launch's shared memory */
};

/* Memory that a kernel may touch, exactly. */
struct emulated_region {
    const void *begin;
    size_t nbytes;
    bool writable;
    uint8_t *writes; /* counts of each byte's writes, 0 at first, of which none may exceed 1; NULL: they may */
};

/* void svi_NAME(block, dst, src), by way of a function that takes the block from memory. */
typedef void emulated_kernel(const void *block, char *dst, const char *src);

enum emulated_order { EMULATED_ASCENDING, EMULATED_DESCENDING, EMULATED_SHUFFLED /* and up: seeds */ };

struct emulated_launch {
    emulated_kernel *kernel;
    const void *block;   /* parameter block */
    size_t block_nbytes; /* which may be read */
    char *dst;
    const char *src;
    unsigned grid, threads;
    unsigned copies; /* of the grid, along y; 0: 1 */
    unsigned first, blocks; /* the blocks that run, those of a copy before the next one's; 0 blocks: all */
    unsigned shared; /* bytes */
    unsigned order;  /* of blocks and threads */
    size_t nregions;
    const struct emulated_region *regions;
};

/* Loads are [0], stores [1]. */
struct emulated_counts {
    uint64_t requests[2]; /* of warps to global memory */
    uint64_t sectors[2];  /* of 32 bytes, of all requests */
    uint64_t block[2];    /* of 32 bytes, distinct ones of each block */
    uint64_t accesses[2]; /* of threads to global memory */
    uint64_t vectors[2];  /* those of 16 bytes among them */
    uint64_t shared[2];   /* of threads to shared memory */
    uint64_t waves[2];    /* of 128 bytes, of requests to shared memory: bank conflicts make more */
    uint64_t ideal[2];    /* without any conflict */
};

/* The first fault, of which emulated_text() tells more. counts, if not NULL, gets more added; that takes its time. */
enum emulated_fault emulated_run(const struct emulated_launch *launch, struct emulated_counts *counts);
const char *emulated_text(void);

/* The fault that kernels have from now on, of planted.h; 0: none. */
void emulated_plant(int planted);

#ifdef __cplusplus
}
#endif

#endif
