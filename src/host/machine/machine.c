#include "machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

enum { KIB = 1024, DEFAULT_SECOND = 256, DEFAULT_CACHE = 8 * KIB }; /* KiB */
enum { SECOND = 2, LAST = 7 }; /* levels */
enum { LARGE_SECOND = 1 * KIB }; /* KiB */

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

static bool has_avx2(void)
{
    return (kept_registers() & 0x06) == 0x06 && (ask(1, 0).c & bit_F16C) && (ask(7, 0).b & bit_AVX2);
}

static bool has_avx512(void)
{
    const unsigned needed = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;

    return has_avx2() && (kept_registers() & 0xe6) == 0xe6 && (ask(7, 0).b & needed) == needed;
}

enum { BYTE_PERMUTATIONS = 1 << 1 }; /* of leaf 7's c: AVX512_VBMI */

static bool has_bytes(void)
{
    return has_avx512() && (ask(7, 0).c & BYTE_PERMUTATIONS) != 0;
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

static int maker(void)
{
    switch (ask(0, 0).b) {
    case signature_AMD_ebx: return SVI_TUNED_AMD;
    case signature_INTEL_ebx: return SVI_TUNED_INTEL;
    default: return SVI_TUNED_OTHER;
    }
}

/* AMD's masks what it writes to memory; measured where it has AVX-512. Others write such a part in pieces. */
static bool has_parts(void)
{
    return maker() == SVI_TUNED_AMD && has_avx512();
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

static bool has_bytes(void)
{
    return false;
}

static int maker(void)
{
    return SVI_TUNED_OTHER;
}

static int64_t cache_kib(unsigned level)
{
    return level == SECOND ? DEFAULT_SECOND : DEFAULT_CACHE;
}
#endif

/* --- tables --------------------------------------------------------------- */

static bool always(void)
{
    return true;
}

_Atomic(const struct svi_tuning *) svi_tunings[SVI_TUNINGS] = {
    [SVI_TUNED_OTHER] = &svi_tuning_other,
    [SVI_TUNED_AMD] = &svi_tuning_amd,
    [SVI_TUNED_INTEL] = &svi_tuning_intel,
};

const struct svi_isa *const svi_isas[] = {
#ifdef __x86_64__
    &svi_isa_avx512, &svi_isa_avx2, &svi_isa_sse2,
#endif
#ifdef __AARCH64EL__
    &svi_isa_neon,
#endif
    &svi_isa_plain,
};

/* Whether this processor has them. */
static bool (*const here[])(void) = {
#ifdef __x86_64__
    has_avx512, has_avx2, always,
#endif
#ifdef __AARCH64EL__
    always,
#endif
    always,
};

enum { TABLES = sizeof svi_isas / sizeof *svi_isas };

static unsigned find(const char *name)
{
    for (unsigned k = 0; k < TABLES; k++)
        if ((name == NULL || strcmp(svi_isas[k]->name, name) == 0) && here[k]())
            return k;
    return TABLES;
}

const struct svi_isa *svi_isa_named(const char *name)
{
    unsigned k = find(name);

    return k < TABLES ? svi_isas[k] : NULL;
}

/* --- found once ----------------------------------------------------------- */

_Atomic uint64_t svi_machine_word;

/* Behind a large L2 the last-level cache may be far away, and other programs have most of it. */
static int64_t last_kib(const struct svi_tuning *tuning)
{
    const int64_t last = cache_kib(LAST), second = cache_kib(SECOND), most = tuning->last_cache_l2s * second;

    return tuning->last_cache_l2s != 0 && second >= LARGE_SECOND && last > most ? most : last;
}

/* --- a file of tuning ----------------------------------------------------------- */

static _Atomic(const char *) fault;
static _Atomic int fault_line;

struct svi_tuning_fault svi_machine_fault(void)
{
    return (struct svi_tuning_fault){atomic_load(&fault), atomic_load(&fault_line)};
}

/* The file's tuning is never freed, since copies go on with it. */
struct loaded {
    struct svi_tuning tuning;
    char name[SVI_TUNING_NAME];
};

/* Threads that meet keep the one that came first. */
static void keep(struct loaded *loaded)
{
    const struct svi_tuning *none = NULL;

    if (!atomic_compare_exchange_strong(&svi_tunings[SVI_TUNED_BY_FILE], &none, &loaded->tuning))
        svi_free(loaded);
}

static struct svi_tuning_fault load(const char *path, const struct svi_tuning *family)
{
    struct loaded *loaded = svi_malloc(sizeof *loaded);
    struct svi_tuning_fault found = {"out of memory", 0};

    if (loaded == NULL)
        return found;
    found = svi_tuning_read(path, family, &loaded->tuning);
    if (found.why != NULL) {
        svi_free(loaded);
        return found;
    }
    snprintf(loaded->name, sizeof loaded->name, "%s by %s", loaded->tuning.name, path);
    loaded->tuning.name = loaded->name;
    keep(loaded);
    return found;
}

/* Index of svi_tunings. */
static int choose_tuning(void)
{
    const char *path = getenv("SV_HOST_TUNING");
    struct svi_tuning_fault found;

    if (path == NULL || *path == '\0')
        return maker();
    found = load(path, svi_tunings[maker()]);
    atomic_store(&fault_line, found.line);
    atomic_store(&fault, found.why);
    return found.why == NULL ? SVI_TUNED_BY_FILE : maker();
}

uint64_t svi_machine_look(void)
{
    const int tuning = choose_tuning();
    unsigned index = find(getenv("SV_HOST_ISA"));
    uint64_t word;

    if (index == TABLES)
        index = find(NULL);
    word = (uint64_t)last_kib(svi_tunings[tuning]) << SVI_CACHE_BIT |
           svi_bits((uint64_t)cache_kib(SECOND), 0, SVI_SECOND_BITS) << SVI_SECOND_BIT |
           (uint64_t)tuning << SVI_TUNING_BIT | (uint64_t)has_bytes() << SVI_BYTES_BIT |
           (uint64_t)has_parts() << SVI_PARTS_BIT | (index + 1);
    atomic_store_explicit(&svi_machine_word, word, memory_order_release);
    return word;
}
