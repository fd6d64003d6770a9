/*
 * Where the best way differs between families of processors: one constant instance for each that was measured, and a
 * cautious one for all others. Loops ask for a field, never for a maker. Sizes of caches are asked of the processor
 * itself (machine.h), and what an instruction set can do stands in its table (isa.h).
 */
#ifndef SVI_HOST_TUNING_H
#define SVI_HOST_TUNING_H

#include <stdbool.h>

struct svi_tuning {
    const char *name; /* of the processors that it was measured on */

    /* Caches. */
    bool slow_last_cache;      /* it is, line by line: copies of some times the second cache are past it */
    bool nta_prefetch;         /* what is read once is fetched for one use, and is still there when it is needed */
    bool prefetch_destination; /* what will be written in cache is worth fetching: stores to lines not there are slow */

    /* Rows and runs. */
    bool row_streams;          /* several places that are read in turns are faster than one after the other */
    bool short_rows_cached;    /* lines that two short rows share are stored through the cache, not past it */
    bool joins_all_rows;       /* dense rows that begin anywhere are put together whatever their length */

    /* Elements. */
    bool single_loads;         /* elements in lines of their own go one by one, fetched along the row */
    bool elements_near;        /* within the second cache, elements of 4 bytes and more go one by one */
    bool gathers;              /* the gather instruction is faster than loads and shuffles */
    bool wide_shuffles;        /* permutations of 4-byte elements pay, too */

    /* Transposes past the cache. */
    bool source_order;         /* blocks are walked in the order of the source, whose lines are read once and whole */
    bool foresees_rows;        /* the processor reads ahead of up to 32 rows by itself */
    bool small_planes_only;    /* planes of whole lines that follow each other go together only where rows are short */
};

extern const struct svi_tuning svi_tuning_amd;   /* measured on Zen 5: two cores of an EPYC in a virtual machine */
extern const struct svi_tuning svi_tuning_intel; /* measured on Sapphire Rapids: two cores of a Xeon in one */
extern const struct svi_tuning svi_tuning_other; /* as AMD's: plain orders, and no instruction that is rarely fast */

#endif
