/*
 * The processor that this process runs on: its instruction set, caches and tuning. Found once, on the first copy. In
 * the environment, SV_HOST_ISA names a smaller instruction set and SV_HOST_TUNING a file of tuning.
 */
#ifndef SVI_HOST_MACHINE_H
#define SVI_HOST_MACHINE_H

#include <stdatomic.h>

#include "host/base/isa.h"
#include "host/base/tuning.h"

enum { SVI_KIB = 1024 };

struct svi_machine {
    const struct svi_isa *isa;
    int64_t cache;  /* bytes of the last-level cache, or of the part of it that serves copies */
    int64_t l2_bytes;
    bool permutes_bytes;     /* one instruction permutes the bytes of two vectors (AVX-512 VBMI) */
    const struct svi_tuning *tuning;
};

/* NULL before the first copy. Tests put machines of their own here. */
extern _Atomic(const struct svi_machine *) svi_machine_found;

/* Finds the machine. Any thread may be the first. */
struct svi_machine svi_machine_first(void) __attribute__((cold));

/* Finds the machine again. For tests, on one thread. */
void svi_machine_look(void);

/* Why the file of SV_HOST_TUNING is ignored. `why` is NULL if it is used, or if there is none. */
struct svi_tuning_fault svi_machine_fault(void);

/* The machine; the first call finds it. */
static inline struct svi_machine svi_machine(void)
{
    const struct svi_machine *found = atomic_load_explicit(&svi_machine_found, memory_order_acquire);

    return found != NULL ? *found : svi_machine_first();
}

/* Bytes of a number of 64ths of the last-level cache. */
static inline uint64_t svi_cache_share(const struct svi_machine *machine, int32_t share_64ths)
{
    return (uint64_t)machine->cache / 64 * (uint64_t)share_64ths;
}

/* Bytes of both sides together from which copies use non-temporal stores, except contiguous copies. */
static inline uint64_t svi_nt_threshold(const struct svi_machine *machine)
{
    return svi_cache_share(machine, machine->tuning->nt_cache_64ths);
}

/* The same machine with a last-level cache of another size. */
static inline struct svi_machine svi_machine_with_cache(const struct svi_machine *machine, int64_t cache)
{
    struct svi_machine as = *machine;

    as.cache = cache;
    return as;
}

/* The same machine for copies of blocks in cache: no copy is beyond the cache. */
static inline struct svi_machine svi_machine_in_cache(const struct svi_machine *machine)
{
    return svi_machine_with_cache(machine, INT64_MAX);
}

/* The table of an instruction set that this processor has; NULL: it does not have it, or there is none of that name. */
const struct svi_isa *svi_isa_named(const char *name);

/* The table of any instruction set that is compiled in. If this processor lacks it, its kernels must not be called. */
const struct svi_isa *svi_isa_of_architecture(const char *name);

#endif
