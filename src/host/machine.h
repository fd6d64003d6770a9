/* The processor that this process runs on, as far as copies care. */
#ifndef SVI_HOST_MACHINE_H
#define SVI_HOST_MACHINE_H

#include "isa.h"

struct svi_machine {
    const struct svi_isa *isa;
    int64_t cache;      /* bytes of the largest cache that this core reaches, or of as much as serves copies */
    bool parts;         /* parts of lines that are stored past the cache cost hardly more than whole ones */
    bool moves_strings; /* fast, of any length, as it says */
    int64_t second;     /* bytes of the second cache */
    bool intel;         /* where makers differ in what was measured: Intel's, else as AMD's */
};

/* Found on the first call, from any thread; SV_HOST_ISA in the environment names a lesser instruction set. */
struct svi_machine svi_machine(void);

/* The table of that name if this processor has it, else NULL. */
const struct svi_isa *svi_isa_named(const char *name);

#endif
