/* The processor that this process runs on, as far as copies care. */
#ifndef SVI_HOST_MACHINE_H
#define SVI_HOST_MACHINE_H

#include <stdatomic.h>

#include "host/base/isa.h"
#include "host/base/tuning.h"

enum { SVI_KIB = 1024 };

struct svi_machine {
    const struct svi_isa *isa;
    int64_t cache;      /* bytes of the largest cache that this core reaches, or of as much as serves copies */
    int64_t second;     /* bytes of L2 */
    bool bytes;         /* of two vectors are permuted by one instruction */
    const struct svi_tuning *tuning;
};

/* NULL: nobody has found it yet. Tests put machines of their own here. */
extern _Atomic(const struct svi_machine *) svi_machine_found;
struct svi_machine svi_machine_first(void) __attribute__((cold));

/* Finds it anew: for tests, on one thread. */
void svi_machine_look(void);

/* Why the file of SV_HOST_TUNING is not heeded. why is NULL where it is, and where there is none. */
struct svi_tuning_fault svi_machine_fault(void);

/*
 * Found on the first call, from any thread. In the environment SV_HOST_ISA names a lesser instruction set,
 * SV_HOST_TUNING a file of tuning.
 */
static inline struct svi_machine svi_machine(void)
{
    const struct svi_machine *found = atomic_load_explicit(&svi_machine_found, memory_order_acquire);

    return found != NULL ? *found : svi_machine_first();
}

/* Bytes of so many 64ths of the last-level cache. */
static inline uint64_t svi_cache_share(const struct svi_machine *machine, int32_t share_64ths)
{
    return (uint64_t)machine->cache / 64 * (uint64_t)share_64ths;
}

/* Bytes of both sides together beyond which copies use NT stores, but contiguous ones. */
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

/* The same machine for copies of blocks that are in cache: no copy is past that. */
static inline struct svi_machine svi_machine_in_cache(const struct svi_machine *machine)
{
    return svi_machine_with_cache(machine, INT64_MAX);
}

/* The table of that name if this processor has it, else NULL. */
const struct svi_isa *svi_isa_named(const char *name);

/* The same of every instruction set that is compiled in. Those that this processor lacks may be asked, not run. */
const struct svi_isa *svi_isa_of_architecture(const char *name);

#endif
