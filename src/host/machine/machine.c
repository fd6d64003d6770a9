/*
 * Asks the processor (cpuid) for its instruction sets, caches and family, and makes struct svi_machine of the answers
 * and of the environment. Elsewhere than on x86 caches have default sizes and the tuning is the cautious one.
 */
#include "host/machine/machine.h"
#include "host/machine/tuning_file.h"
#include "host/isa/baseline.h"
#include "host/isa/avx2.h"
#include "host/isa/avx512.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Levels of caches. LAST is above all levels that there are. */
enum { L2 = 2, LAST = 7 };

enum {
    DEFAULT_L2_KIB = 256,            /* of processors that do not tell */
    DEFAULT_LAST_KIB = 8192,         /* of processors that do not tell */
    LARGE_L2_BYTES = 1024 * SVI_KIB  /* from here on last_cache_l2s limits the last-level cache */
};

/* --- what the processor says ---------------------------------------------- */

#ifdef __x86_64__
#include <cpuid.h>

enum { MIN_CACHE_KIB = 16, MAX_CACHE_KIB = 1 << 22 }; /* other sizes of a cache are not believed */
enum { CACHE_LEAVES = 1 << 22 };                      /* bit of leaf 0x80000001, ecx: AMD has the list of caches */

struct regs {
    unsigned a, b, c, d;
};

static struct regs ask_cpuid(unsigned leaf, unsigned subleaf)
{
    struct regs r = {0, 0, 0, 0};

    __get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d);
    return r;
}

/* The registers that the system saves for each thread: XCR0. */
static unsigned read_saved_registers(void)
{
    unsigned low, high;

    if (!(ask_cpuid(1, 0).c & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has_avx2(void)
{
    return (read_saved_registers() & 0x06) == 0x06 && (ask_cpuid(1, 0).c & bit_F16C) && (ask_cpuid(7, 0).b & bit_AVX2);
}

static bool has_avx512(void)
{
    const unsigned needed = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;

    return has_avx2() && (read_saved_registers() & 0xe6) == 0xe6 && (ask_cpuid(7, 0).b & needed) == needed;
}

enum { BYTE_PERMUTATIONS = 1 << 1 }; /* bit of leaf 7, ecx: AVX512_VBMI */

static bool has_bytes(void)
{
    return has_avx512() && (ask_cpuid(7, 0).c & BYTE_PERMUTATIONS) != 0;
}

/* Bytes of the largest data cache up to a level, by a leaf that lists caches: 4 (Intel) or 0x8000001D (AMD). */
static uint64_t largest_cache(unsigned leaf, unsigned level)
{
    uint64_t largest = 0;

    for (unsigned k = 0; k < 8; k++) {
        struct regs r = ask_cpuid(leaf, k);
        uint64_t ways = (r.b >> 22) + 1, partitions = (r.b >> 12 & 0x3ff) + 1, line = (r.b & 0xfff) + 1;
        uint64_t nbytes = ways * partitions * line * ((uint64_t)r.c + 1);

        if ((r.a & 31) == 0)
            break;
        if ((r.a & 31) != 2 && (r.a >> 5 & 7) <= level && nbytes > largest)
            largest = nbytes;
    }
    return largest;
}

/* Numbers of families. A base family of EXTENDED means that the extended family is added. */
enum { ZEN_5 = 0x1a, ZEN_4_AND_3 = 0x19, EXTENDED = 0xf };

/* The family in leaf 1. */
static unsigned find_cpu_family(void)
{
    const unsigned a = ask_cpuid(1, 0).a, base = a >> 8 & 0xf;

    return base == EXTENDED ? base + (a >> 20 & 0xff) : base;
}

/* Zen 4 and Zen 3 have the same family; only Zen 4 has AVX-512. */
static const struct svi_tuning *tuning_of_zen(void)
{
    if (find_cpu_family() >= ZEN_5)
        return &svi_tuning_amd;
    return find_cpu_family() == ZEN_4_AND_3 && (ask_cpuid(7, 0).b & bit_AVX512F) ? &svi_tuning_zen4 : &svi_tuning_zen3;
}

static const struct svi_tuning *tuning_of_family(void)
{
    switch (ask_cpuid(0, 0).b) {
    case signature_AMD_ebx: return tuning_of_zen();
    case signature_INTEL_ebx: return &svi_tuning_intel;
    default: return &svi_tuning_other;
    }
}

/* KiB of a cache. 0: the processor does not tell, or tells no possible size, as some virtual machines do. */
static int64_t cache_kib(unsigned level)
{
    uint64_t nbytes = largest_cache(4, level), kib;

    if (nbytes == 0 && (ask_cpuid(0x80000001, 0).c & CACHE_LEAVES))
        nbytes = largest_cache(0x8000001D, level);
    kib = nbytes / SVI_KIB;
    return kib >= MIN_CACHE_KIB && kib <= MAX_CACHE_KIB ? (int64_t)kib : 0;
}
#else
static bool has_bytes(void)
{
    return false;
}

static const struct svi_tuning *tuning_of_family(void)
{
    return &svi_tuning_other;
}

static int64_t cache_kib(unsigned level)
{
    (void)level;
    return 0;
}
#endif

/* --- tables --------------------------------------------------------------- */

static bool is_always_there(void)
{
    return true;
}

/* All instruction sets that are compiled in, the best first. */
static const struct {
    const struct svi_isa *isa;
    bool (*here)(void);
} tables[] = {
#ifdef __x86_64__
    {&svi_isa_avx512, has_avx512},     {&svi_isa_avx2, has_avx2}, {&svi_isa_sse2, is_always_there},
#endif
#ifdef __AARCH64EL__
    {&svi_isa_neon, is_always_there},
#endif
    {&svi_isa_plain, is_always_there},
};

/* The first instruction set of a name (NULL: any name) that this processor has. elsewhere: it may lack it. */
static const struct svi_isa *find_isa(const char *name, bool elsewhere)
{
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if ((name == NULL || strcmp(tables[k].isa->name, name) == 0) && (elsewhere || tables[k].here()))
            return tables[k].isa;
    return NULL;
}

const struct svi_isa *svi_isa_named(const char *name)
{
    return find_isa(name, false);
}

const struct svi_isa *svi_isa_of_architecture(const char *name)
{
    return find_isa(name, true);
}

/* --- found once ----------------------------------------------------------- */

_Atomic(const struct svi_machine *) svi_machine_found;
static struct svi_machine found[2]; /* [0]: of the first caller. [1]: of a concurrent one, without a file of tuning */
static struct svi_tuning_fault fault; /* of found[0]; written before svi_machine_found is */

struct svi_tuning_fault svi_machine_fault(void)
{
    const struct svi_machine *machine = atomic_load_explicit(&svi_machine_found, memory_order_acquire);

    return machine == &found[0] ? fault : (struct svi_tuning_fault){NULL, 0};
}

/* The tuning of the file that the environment names, or that of the family if there is none or it has a fault. */
static const struct svi_tuning *choose_tuning(void)
{
    static struct svi_tuning tuning;
    static char name[SVI_TUNING_NAME];
    const char *path = getenv("SV_HOST_TUNING");
    const struct svi_tuning *family = tuning_of_family();

    fault.why = NULL;
    if (path == NULL || *path == '\0')
        return family;
    fault = svi_tuning_read(path, family, &tuning);
    if (fault.why != NULL)
        return family;
    snprintf(name, sizeof name, "%s by %s", tuning.name, path);
    tuning.name = name;
    return &tuning;
}

static int64_t cache_bytes(unsigned level, int64_t otherwise_kib)
{
    const int64_t kib = cache_kib(level);

    return (kib != 0 ? kib : otherwise_kib) * SVI_KIB;
}

static struct svi_machine machine_by(const struct svi_tuning *tuning)
{
    const struct svi_isa *isa = svi_isa_named(getenv("SV_HOST_ISA"));
    const int64_t l2 = cache_bytes(L2, DEFAULT_L2_KIB), last = cache_bytes(LAST, DEFAULT_LAST_KIB);

    /* Behind a large L2 the last-level cache may be slow, and other programs use most of it. */
    const bool in_part = tuning->last_cache_l2s != 0 && l2 >= LARGE_L2_BYTES && last > tuning->last_cache_l2s * l2;

    return (struct svi_machine){
        .isa = isa != NULL ? isa : svi_isa_named(NULL),
        .cache = in_part ? tuning->last_cache_l2s * l2 : last,
        .l2_bytes = l2,
        .permutes_bytes = has_bytes(),
        .tuning = tuning,
    };
}

void svi_machine_look(void)
{
    found[0] = machine_by(choose_tuning());
    atomic_store_explicit(&svi_machine_found, &found[0], memory_order_release);
}

/* Without a lock, which fork() could leave locked in the child. Concurrent callers find a machine of their own. */
struct svi_machine svi_machine_first(void)
{
    static atomic_int callers;
    const struct svi_machine *none = NULL;

    switch (atomic_fetch_add(&callers, 1)) {
    case 0: svi_machine_look(); return found[0];
    case 1:
        found[1] = machine_by(tuning_of_family());
        atomic_compare_exchange_strong(&svi_machine_found, &none, &found[1]);
        return found[1];
    default: return machine_by(tuning_of_family());
    }
}
