/* Each instruction set of this machine, in cache and beyond it, and memory with nothing mapped around it. */
#ifndef SVI_TEST_ARENA_H
#define SVI_TEST_ARENA_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h> /* the file that includes this defines _DEFAULT_SOURCE, for MAP_ANONYMOUS */

#include "host/loop/facts.h"
#include "support/pairs.h"

enum { ARENA = 1 << 20, PAGE = 65536, MARGIN = 64 };

static const char *const names[] = {"plain", "sse2", "avx2", "avx512", "neon"};

/* Machines that this one can play: each table, as if caches were large or as good as none, and by the tuning of some
   that have it, Intel's without permutations of bytes. */
static const struct svi_tuning *const tunings[] = {&svi_tuning_amd, &svi_tuning_zen4, &svi_tuning_intel};
static struct svi_machine machines[6 * sizeof names / sizeof *names];
static int machine_count;

static unsigned char *dst_arena, *src_arena, *expected;

static unsigned char *guarded(void)
{
    unsigned char *all = mmap(NULL, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert(all != MAP_FAILED && mprotect(all + PAGE, ARENA, PROT_READ | PROT_WRITE) == 0);
    return all + PAGE;
}

/* For svi_alloc, on one thread. */
static inline void *sometimes_memory(size_t nbytes)
{
    return test_between(0, 1) ? malloc(nbytes) : NULL;
}

static void set_up(void)
{
    const bool has_bytes = svi_machine().permutes_bytes;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (svi_isa_named(names[i]) != NULL) {
            const struct svi_isa *isa = svi_isa_named(names[i]);
            const size_t count = strncmp(isa->name, "avx", 3) == 0 ? sizeof tunings / sizeof *tunings : 1;

            for (size_t k = 0; k < count; k++) {
                const bool intel = tunings[k] == &svi_tuning_intel, bytes = has_bytes && !intel;
                const int64_t second = i % 2 == 0 ? 1 << 18 : intel ? 1 << 13 : 1, large = (int64_t)1 << 40;

                machines[machine_count++] = (struct svi_machine){isa, large, second, bytes, tunings[k]};
                machines[machine_count++] = (struct svi_machine){isa, 1, 1, bytes, tunings[k]};
            }
        }
    machines[machine_count++] = (struct svi_machine){svi_isa_named(NULL), 1, 1, false, &svi_tuning_other};
    dst_arena = guarded();
    src_arena = guarded();
    expected = malloc(ARENA);
    for (size_t k = 0; k < ARENA; k++)
        src_arena[k] = (unsigned char)test_mix(k);
}

/* Every field at either end of its range, or in between. */
static inline const struct svi_tuning *random_tuning(const struct svi_tuning *base)
{
    static struct svi_tuning tuning;
    const int64_t kind = test_between(0, 3);

    tuning = *base;
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++) {
        const int64_t end = kind == 0 || (kind > 1 && test_between(0, 1)) ? f->least : f->most;
        const int64_t power = f->least > 0 ? f->least << test_between(0, 12) : 0;

        svi_tuning_set(&tuning, f, end);
        if (kind == 3)
            svi_tuning_set(&tuning, f, power);
    }
    return &tuning;
}

#endif
