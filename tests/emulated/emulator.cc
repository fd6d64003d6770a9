// The compiler calls a __tsan_ hook for every load and store of the kernels, which are compiled with -fsanitize=thread;
// the hooks are those below, not the sanitizer's.
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "fiber.h"
#include "traffic.h"

struct dim3 {
    unsigned x, y, z;
};

enum { MOST_SHARED = 232448, MOST_THREADS = 1024 };

extern "C" {
dim3 threadIdx, blockIdx, blockDim, gridDim;
alignas(1024) unsigned char svi_shared[MOST_SHARED];
int emulated_planted;
}

enum State { READY, WAITING, DONE };

struct Thread {
    struct fiber fiber;
    State state;
    int barrier;
};

// Of one byte of shared memory: who wrote and read it last, and in which epoch. Barriers begin epochs.
struct Cell {
    uint32_t written, read;
    uint16_t writer, reader;
};

enum { SEVERAL = 0xffff };

static Thread threads[MOST_THREADS];
static unsigned current;
static const struct emulated_launch *launch;
static bool traced;
static Cell cells[MOST_SHARED];
static uint32_t epoch, first_epoch;
static enum emulated_fault fault;
static char text[256];

// --- faults ---------------------------------------------------------------------------------

static void leave(State state)
{
    threads[current].state = state;
    fiber_leave(&threads[current].fiber);
}

// The thread does not come back.
static void fail(enum emulated_fault what, const char *words, uintptr_t address, size_t nbytes)
{
    if (fault == EMULATED_NOTHING) {
        fault = what;
        snprintf(text, sizeof text, "%s: %zu bytes at %#zx by thread %u of block %u", words, nbytes, (size_t)address,
                 current, blockIdx.x);
    }
    leave(DONE);
}

static void check_shared(uintptr_t offset, size_t nbytes, bool write)
{
    if (offset + nbytes > launch->shared)
        fail(EMULATED_SHARED, "outside shared memory", offset, nbytes);
    if (offset % nbytes != 0)
        fail(EMULATED_MISALIGNED, "misaligned in shared memory", offset, nbytes);
    for (Cell *cell = cells + offset; cell < cells + offset + nbytes; cell++) {
        const bool others_write = cell->written == epoch && cell->writer != current;
        const bool others_read = cell->read == epoch && cell->reader != current;

        if (!write && cell->written < first_epoch)
            fail(EMULATED_UNWRITTEN, "shared memory is read before it is written", offset, nbytes);
        if (others_write || (write && others_read))
            fail(EMULATED_RACE, write ? "race on a write to shared memory" : "race on a read of shared memory", offset,
                 nbytes);
        if (write)
            cell->written = epoch, cell->writer = uint16_t(current);
        else
            cell->reader = others_read ? uint16_t(SEVERAL) : uint16_t(current), cell->read = epoch;
    }
}

static const struct emulated_region *find_region(uintptr_t address, size_t nbytes)
{
    for (size_t i = 0; i < launch->nregions; i++) {
        const struct emulated_region *region = &launch->regions[i];
        const uintptr_t begin = (uintptr_t)region->begin;

        if (address >= begin && address + nbytes <= begin + region->nbytes)
            return region;
    }
    return NULL;
}

static void check_global(const struct emulated_region *region, uintptr_t address, size_t nbytes, bool write)
{
    if (region == NULL)
        fail(EMULATED_OUTSIDE, write ? "write outside" : "read outside", address, nbytes);
    if (address % nbytes != 0)
        fail(EMULATED_MISALIGNED, "misaligned", address, nbytes);
    if (write && !region->writable)
        fail(EMULATED_READ_ONLY, "write to what is read", address, nbytes);
    if (!write || region->writes == NULL)
        return;
    for (size_t i = 0; i < nbytes; i++)
        if (region->writes[address - (uintptr_t)region->begin + i]++ != 0)
            fail(EMULATED_TWICE, "written twice", address, nbytes);
}

// --- hooks ----------------------------------------------------------------------------------

// A kernel's own variables, and its parameters.
static bool is_private(uintptr_t address)
{
    return fiber_has(address) || address - (uintptr_t)launch->block < launch->block_nbytes;
}

static inline void access(void *pointer, size_t nbytes, bool write, const void *place)
{
    const uintptr_t address = (uintptr_t)pointer, offset = address - (uintptr_t)svi_shared;
    const bool shared = offset < MOST_SHARED;

    if (shared)
        check_shared(offset, nbytes, write);
    else if (is_private(address))
        return;
    else
        check_global(find_region(address, nbytes), address, nbytes, write);
    if (traced)
        traffic_add(current, {(uintptr_t)place, shared ? offset : address, uint32_t(nbytes), write, shared});
}

extern "C" {

#define HOOKS(n)                                                    \
    void __tsan_read##n(void *pointer)                              \
    {                                                               \
        access(pointer, n, false, __builtin_return_address(0));     \
    }                                                               \
    void __tsan_write##n(void *pointer)                             \
    {                                                               \
        access(pointer, n, true, __builtin_return_address(0));      \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS

// Copies of structures: parameters and variables alone.
void __tsan_read_range(void *pointer, size_t nbytes)
{
    if (!is_private((uintptr_t)pointer))
        fail(EMULATED_OUTSIDE, "no single access", (uintptr_t)pointer, nbytes);
}

void __tsan_write_range(void *pointer, size_t nbytes)
{
    __tsan_read_range(pointer, nbytes);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *)
{
}

void __tsan_func_exit(void)
{
}

void emulated_barrier(int place)
{
    threads[current].barrier = place;
    leave(WAITING);
}

}

// --- blocks ---------------------------------------------------------------------------------

static void run_thread(void)
{
    launch->kernel(launch->block, launch->dst, launch->src);
    leave(DONE);
}

// All threads until they wait or are done. Whether any waits.
static bool run_epoch(const unsigned *turn)
{
    unsigned waiting = 0, barrier = 0;
    bool same = true;

    for (unsigned i = 0; i < launch->threads; i++) {
        Thread *thread = &threads[turn[i]];

        if (thread->state == READY) {
            current = turn[i];
            threadIdx = {current, 0, 0};
            fiber_enter(&thread->fiber);
        }
        if (thread->state != WAITING)
            continue;
        same = same && (waiting == 0 || barrier == unsigned(thread->barrier));
        barrier = unsigned(thread->barrier);
        waiting++;
    }
    if (fault == EMULATED_NOTHING && waiting != 0 && (!same || waiting < launch->threads)) {
        fault = EMULATED_BARRIER;
        snprintf(text, sizeof text, "%u of %u threads of block %u reach a barrier", waiting, launch->threads,
                 blockIdx.x);
    }
    return waiting != 0;
}

static void run_block(unsigned number, const unsigned *turn)
{
    blockIdx = {number % launch->grid, number / launch->grid, 0};
    first_epoch = ++epoch;
    for (unsigned i = 0; i < launch->threads; i++) {
        fiber_start(&threads[i].fiber, i, run_thread);
        threads[i].state = READY;
    }
    while (run_epoch(turn) && fault == EMULATED_NOTHING) {
        epoch++;
        for (unsigned i = 0; i < launch->threads; i++)
            threads[i].state = READY;
    }
}

// Ascending, descending, or by a seed.
static void put_in_order(std::vector<unsigned> &turn, unsigned order, unsigned block)
{
    uint32_t random = (order * 2654435761u + block) | 1;

    for (unsigned i = 0; i < turn.size(); i++)
        turn[i] = order == EMULATED_DESCENDING ? unsigned(turn.size()) - 1 - i : i;
    for (unsigned i = unsigned(turn.size()); order >= EMULATED_SHUFFLED && i > 1; i--) {
        random = random * 1664525 + 1013904223;
        std::swap(turn[i - 1], turn[(random >> 8) % i]);
    }
}

enum emulated_fault emulated_run(const struct emulated_launch *what, struct emulated_counts *counts)
{
    const unsigned copies = what->copies == 0 ? 1 : what->copies;
    const unsigned blocks = what->blocks == 0 ? what->grid * copies : what->blocks;
    std::vector<unsigned> turn(what->threads);

    launch = what;
    fault = EMULATED_NOTHING;
    text[0] = '\0';
    traced = counts != NULL;
    gridDim = {what->grid, copies, 1};
    blockDim = {what->threads, 1, 1};
    for (unsigned i = 0; i < blocks && fault == EMULATED_NOTHING; i++) {
        put_in_order(turn, what->order, i);
        run_block(what->first + (what->order == EMULATED_DESCENDING ? blocks - 1 - i : i), turn.data());
        if (traced)
            traffic_count(what->threads, counts);
    }
    return fault;
}

const char *emulated_text(void)
{
    return text;
}

void emulated_plant(int planted)
{
    emulated_planted = planted;
}
