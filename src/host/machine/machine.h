/* The processor that this process runs on, as far as copies care. */
#ifndef SVI_HOST_MACHINE_H
#define SVI_HOST_MACHINE_H

#include <stdatomic.h>

#include "host/isa/isa.h"
#include "tuning.h"

enum { SVI_KIB = 1024 };

struct svi_machine {
    const struct svi_isa *isa;
    int64_t cache;      /* bytes of the largest cache that this core reaches, or of as much as serves copies */
    bool nt_partial_lines_cheap; /* by non-temporal stores, they cost hardly more than whole ones */
    int64_t second;     /* bytes of L2 */
    bool bytes;         /* of two vectors are permuted by one instruction */
    const struct svi_tuning *tuning;
};

/* All of it in one word, so that threads that meet write the same; 0: not found yet. */
enum {
    SVI_INDEX_BITS = 6, /* of svi_isas, + 1 */
    SVI_PARTS_BIT = SVI_INDEX_BITS,
    SVI_BYTES_BIT,
    SVI_TUNING_BIT, /* of svi_tunings */
    SVI_TUNING_BITS = 2,
    SVI_SECOND_BIT = SVI_TUNING_BIT + SVI_TUNING_BITS, /* KiB */
    SVI_SECOND_BITS = 24,
    SVI_CACHE_BIT = SVI_SECOND_BIT + SVI_SECOND_BITS /* KiB */
};

extern _Atomic uint64_t svi_machine_word;
extern const struct svi_isa *const svi_isas[]; /* the best first */

enum { SVI_TUNED_OTHER, SVI_TUNED_AMD, SVI_TUNED_INTEL, SVI_TUNED_BY_FILE, SVI_TUNINGS };
extern _Atomic(const struct svi_tuning *) svi_tunings[SVI_TUNINGS];
uint64_t svi_machine_look(void) __attribute__((cold));

/* Why the file of SV_HOST_TUNING is not heeded. why is NULL where it is, and where there is none. */
struct svi_tuning_fault svi_machine_fault(void);

static inline uint64_t svi_bits(uint64_t word, int from, int count)
{
    return word >> from & (((uint64_t)1 << count) - 1);
}

/*
 * Found on the first call, from any thread. In the environment SV_HOST_ISA names a lesser instruction set,
 * SV_HOST_TUNING a file of tuning.
 */
static inline struct svi_machine svi_machine(void)
{
    uint64_t word = atomic_load_explicit(&svi_machine_word, memory_order_acquire);

    if (word == 0)
        word = svi_machine_look();
    return (struct svi_machine){
        .isa = svi_isas[svi_bits(word, 0, SVI_INDEX_BITS) - 1],
        .cache = (int64_t)(word >> SVI_CACHE_BIT) * SVI_KIB,
        .nt_partial_lines_cheap = svi_bits(word, SVI_PARTS_BIT, 1) != 0,
        .second = (int64_t)svi_bits(word, SVI_SECOND_BIT, SVI_SECOND_BITS) * SVI_KIB,
        .bytes = svi_bits(word, SVI_BYTES_BIT, 1) != 0,
        .tuning = atomic_load_explicit(&svi_tunings[svi_bits(word, SVI_TUNING_BIT, SVI_TUNING_BITS)],
                                       memory_order_relaxed),
    };
}

/* So many 64ths of a cache, whose size is a multiple of 64. */
static inline int64_t svi_64ths(int64_t nbytes, int64_t count)
{
    return (int64_t)((uint64_t)nbytes / 64 * (uint64_t)count);
}

/* Bytes of both sides together beyond which copies use NT stores. */
static inline uint64_t svi_nt_threshold(const struct svi_machine *machine)
{
    return (uint64_t)machine->cache / 64 * (uint64_t)machine->tuning->nt_cache_64ths;
}

/* The same machine for copies of blocks that are in cache: no copy is past that. */
static inline struct svi_machine svi_machine_in_cache(const struct svi_machine *machine)
{
    struct svi_machine in_cache = *machine;

    in_cache.cache = INT64_MAX;
    return in_cache;
}

/* The table of that name if this processor has it, else NULL. */
const struct svi_isa *svi_isa_named(const char *name);

#endif
