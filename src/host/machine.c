#include "machine.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, DEFAULT_SECOND = 256, DEFAULT_CACHE = 8 * KIB }; /* KiB */
enum { SECOND = 2, LAST = 7 }; /* levels */
enum { LARGE_SECOND = 1 * KIB, SECONDS = 16 }; /* KiB; times as large a last cache serves copies */

/* --- what the processor says ---------------------------------------------- */

#ifdef __x86_64__
#include <cpuid.h>

enum { LEAST = 16, MOST = 1 << 22 }; /* KiB of a cache that is believed */
enum { CACHE_LEAVES = 1 << 22 };     /* of leaf 0x80000001's c: AMD has the list of caches */

struct regs {
    unsigned a, b, c, d;
};

static struct regs ask(unsigned leaf, unsigned subleaf)
{
    struct regs r = {0, 0, 0, 0};

    __get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d);
    return r;
}

/* Which registers the system keeps for each thread. */
static unsigned kept_registers(void)
{
    unsigned low, high;

    if (!(ask(1, 0).c & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

enum { FAST_STRINGS = 1 << 4 }; /* of leaf 7's d: FSRM */

static bool moves_strings(void)
{
    return (ask(7, 0).d & FAST_STRINGS) != 0;
}

static bool has_avx2(void)
{
    return (kept_registers() & 0x06) == 0x06 && (ask(1, 0).c & bit_F16C) && (ask(7, 0).b & bit_AVX2);
}

static bool has_avx512(void)
{
    const unsigned needed = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;

    return has_avx2() && (kept_registers() & 0xe6) == 0xe6 && (ask(7, 0).b & needed) == needed;
}

/* The largest data cache up to a level in a list of caches: Intel's leaf 4, AMD's 0x8000001D. */
static uint64_t largest_cache(unsigned leaf, unsigned level)
{
    uint64_t largest = 0;

    for (unsigned k = 0; k < 8; k++) {
        struct regs r = ask(leaf, k);
        uint64_t ways = (r.b >> 22) + 1, partitions = (r.b >> 12 & 0x3ff) + 1, line = (r.b & 0xfff) + 1;
        uint64_t nbytes = ways * partitions * line * ((uint64_t)r.c + 1);

        if ((r.a & 31) == 0)
            break;
        if ((r.a & 31) != 2 && (r.a >> 5 & 7) <= level && nbytes > largest)
            largest = nbytes;
    }
    return largest;
}

/* AMD's masks what it writes to memory; measured where it has AVX-512. Others write such a part in pieces. */
static bool has_parts(void)
{
    return ask(0, 0).b == signature_AMD_ebx && has_avx512();
}

static bool is_intel(void)
{
    return ask(0, 0).b == signature_INTEL_ebx;
}

/* A virtual machine may tell nothing, or no size that a cache has. */
static int64_t cache_kib(unsigned level)
{
    uint64_t nbytes = largest_cache(4, level), kib;

    if (nbytes == 0 && (ask(0x80000001, 0).c & CACHE_LEAVES))
        nbytes = largest_cache(0x8000001D, level);
    kib = nbytes / KIB;
    return kib >= LEAST && kib <= MOST ? (int64_t)kib : level == SECOND ? DEFAULT_SECOND : DEFAULT_CACHE;
}
#else
static bool has_parts(void)
{
    return false;
}

static bool is_intel(void)
{
    return false;
}

static int64_t cache_kib(unsigned level)
{
    return level == SECOND ? DEFAULT_SECOND : DEFAULT_CACHE;
}

static bool moves_strings(void)
{
    return false;
}
#endif

/* --- tables --------------------------------------------------------------- */

const struct svi_isa svi_isa_plain = {.name = "plain", .convert = svi_loops_plain};

static bool always(void)
{
    return true;
}

/* The best first. */
static const struct {
    const struct svi_isa *isa;
    bool (*here)(void);
} tables[] = {
#ifdef __x86_64__
    {&svi_isa_avx512, has_avx512},
    {&svi_isa_avx2, has_avx2},
    {&svi_isa_sse2, always},
#endif
#ifdef __AARCH64EL__
    {&svi_isa_neon, always},
#endif
    {&svi_isa_plain, always},
};

enum { TABLES = sizeof tables / sizeof *tables };

static unsigned find(const char *name)
{
    for (unsigned k = 0; k < TABLES; k++)
        if ((name == NULL || strcmp(tables[k].isa->name, name) == 0) && tables[k].here())
            return k;
    return TABLES;
}

const struct svi_isa *svi_isa_named(const char *name)
{
    unsigned k = find(name);

    return k < TABLES ? tables[k].isa : NULL;
}

/* --- found once ----------------------------------------------------------- */

/* One word, so that threads that meet here write the same: index of the table + 1, flags, KiB of two caches. */
enum { INDEX_BITS = 6, PARTS_BIT = INDEX_BITS, STRINGS_BIT, INTEL_BIT, SECOND_BIT };
enum { SECOND_BITS = 24, CACHE_BIT = SECOND_BIT + SECOND_BITS };

static uint64_t bits(uint64_t word, int from, int count)
{
    return word >> from & (((uint64_t)1 << count) - 1);
}

/* Behind a large second cache Intel's last one is far away, and others' programs have most of it. */
static int64_t last_kib(void)
{
    const int64_t last = cache_kib(LAST), second = cache_kib(SECOND);

    return is_intel() && second >= LARGE_SECOND && last > SECONDS * second ? SECONDS * second : last;
}

static __attribute__((noinline, cold)) uint64_t look(void)
{
    unsigned index = find(getenv("SV_HOST_ISA"));

    if (index == TABLES)
        index = find(NULL);
    return (uint64_t)last_kib() << CACHE_BIT | bits((uint64_t)cache_kib(SECOND), 0, SECOND_BITS) << SECOND_BIT |
           (uint64_t)is_intel() << INTEL_BIT | (uint64_t)moves_strings() << STRINGS_BIT |
           (uint64_t)has_parts() << PARTS_BIT | (index + 1);
}

struct svi_machine svi_machine(void)
{
    static _Atomic uint64_t found;
    uint64_t word = atomic_load_explicit(&found, memory_order_relaxed);

    if (word == 0) {
        word = look();
        atomic_store_explicit(&found, word, memory_order_relaxed);
    }
    return (struct svi_machine){tables[bits(word, 0, INDEX_BITS) - 1].isa, (int64_t)(word >> CACHE_BIT) * KIB,
                                bits(word, PARTS_BIT, 1) != 0, bits(word, STRINGS_BIT, 1) != 0,
                                (int64_t)bits(word, SECOND_BIT, SECOND_BITS) * KIB, bits(word, INTEL_BIT, 1) != 0};
}
