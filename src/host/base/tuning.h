/*
 * What differs between families of processors: one constant instance for each family that was measured, and a cautious
 * one for all others. Loops ask for a field, never for a maker. Sizes of caches are asked of the processor itself
 * (machine.h); what an instruction set can do stands in its table (isa.h). svi_tuning_fields lists every field with its
 * unit, its range and what it is for: a file of SV_HOST_TUNING, `make tune` and doc/tuning.md go by that list.
 */
#ifndef SVI_HOST_TUNING_H
#define SVI_HOST_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct svi_tuning {
    const char *name; /* of the processors that it was measured on */

    /* Caches. NT: non-temporal. */
    bool slow_last_cache;      /* line by line: copies of slow_cache_l2s times L2 count as larger than the cache */
    bool nta_prefetch;         /* lines that are read once are prefetched with the NTA hint, and stay until then */
    bool prefetch_destination; /* stores to lines that are in no cache are slow: these are prefetched */
    bool partial_lines_nt;     /* NT stores of parts of lines cost hardly more than those of whole ones */
    int32_t nt_cache_64ths;    /* of the last-level cache: copies that reach over more than that use NT stores */
    int32_t nt_contiguous_64ths; /* the same of contiguous copies */
    int32_t last_cache_l2s; /* L2 sizes of the last-level cache that serve copies, where L2 is large; 0: all of it */
    int32_t slow_cache_l2s; /* L2 sizes, see slow_last_cache */
    int32_t repeat_store_l2s; /* L2 sizes up to which a store to a crowded L1 set is repeated until its line is out */

    /* Rows and runs. */
    bool row_streams; /* several streams that are read alternately are faster than one */
    bool short_rows_cached; /* lines that two short rows share are stored through the cache */
    bool joins_all_rows; /* contiguous rows that begin anywhere are joined whatever their length */
    bool buffers_pieces; /* short pieces beyond the cache leave by way of a buffer, by whole lines */
    bool turns_rows; /* short rows in another order go by blocks of two axes */
    bool shuffles_odd; /* elements of 3 to 15 bytes are drawn together and turned in registers */
    int32_t contiguous_streams; /* of a contiguous copy */
    int32_t contiguous_stream_bytes; /* of each of them in one round */
    int32_t row_stream_count; /* of short rows that are no whole lines */
    int32_t nt_row_bytes; /* from which on rows that begin anywhere use NT stores */
    int32_t row_prefetch_bytes; /* prefetch distance over rows */
    int32_t fetched_run_bytes; /* from which on the destination of a contiguous copy is prefetched */
    int32_t plain_row_bytes; /* of rows, a few at a time, up to which a call for vectors is not worth it */

    /* Elements. */
    bool single_loads; /* elements in lines of their own go one by one, prefetched along the row */
    bool permutes_all; /* periods of a permutation pay whatever the number of items in a line */
    bool scalar_loads_in_l2; /* within L2, elements of 4 bytes and more go one by one */
    int32_t units_prefetch_bytes; /* prefetch distance over pixels of 2 to 4 units */
    int32_t channels_prefetch_bytes; /* over pixels of more channels that are taken apart */
    int32_t nt_planes; /* that channels are taken apart to by NT stores; fewer through the cache */

    /* Transposes with NT stores. Rows and columns are those of the source. */
    bool source_order; /* blocks follow the order of the source, whose lines are read once and whole */
    bool source_order_crowded; /* only where rows share sets of the caches or begin anywhere in a line */
    bool foresees_rows; /* the processor itself prefetches up to foreseen_rows rows at a time */
    bool small_planes_only; /* of planes that are contiguous, only those of short rows are joined */
    bool mixes_loads; /* the next block is read between the stores of one, not after some of them */
    bool tiles_close_sides; /* rows that begin anywhere, short or close to each other, go by tiles */
    int32_t block_rows; /* of a block, */
    int32_t block_row_bytes; /* bytes of each of them, */
    int32_t block_column_bytes; /* and of each of its columns at least */
    int32_t foreseen_rows; /* of a block where the processor foresees rows */
    int32_t packed_item_bytes; /* of elements, up to which blocks are packed that do not stay in the caches */
    int32_t packed_row_bytes; /* of a block's rows that are packed to a buffer */
    int32_t direct_prefetch_bytes; /* prefetch distance to L2 of blocks that are read in place; */
    int32_t packed_prefetch_bytes; /* of blocks that are packed */
    int32_t source_order_rows; /* read at a time in the source's order, */
    int32_t source_order_column_bytes; /* and bytes that each column gets of them */
    int32_t source_order_pitch_bytes; /* between rows from which on that order is faster */
    int32_t panel_row_bytes; /* of a row panel of 1- and 2-byte elements in that order */
    int32_t carried_row_bytes; /* of rows of the destination that begin anywhere, at least, in that order */
    int32_t carried_l2_64ths; /* of L2: room for partial lines that are carried on to the next rows */
    int32_t unaligned_rows; /* of a block of a column panel where columns begin anywhere in a line, */
    int32_t unaligned_panel_bytes; /* bytes of each of them, */
    int32_t unaligned_prefetch_bytes; /* and its prefetch distance */
    int32_t plane_bytes; /* of a contiguous plane that is joined to the next one, at most */

    /* Transposes in cache. */
    bool packs_rows; /* of the source that share few sets of L1, from beyond L2 */
    int32_t cached_block_rows; /* of a block, */
    int32_t cached_block_row_bytes; /* and bytes of each */
    int32_t listed_plane_items; /* of planes of many axes, up to which a list of offsets is faster than tiles */

    /* Conversions. */
    int32_t cast_prefetch_bytes; /* prefetch distance */
    int32_t cast_block_row_bytes; /* of a block of a transpose that converts */
    int32_t cast_joined_bytes; /* of a run of several rows of the destination that a block stores; 0: of one */
    int32_t cast_row_items; /* of rows beyond the cache that are converted one by one; shorter ones by blocks */
    int32_t cast_pixels; /* of a run beyond the cache that are rearranged as they convert; 0: always */
};

extern const struct svi_tuning svi_tuning_amd; /* measured on Zen 5: two cores of an EPYC in a virtual machine */
extern const struct svi_tuning svi_tuning_zen4; /* measured on Zen 4: as before */
extern const struct svi_tuning svi_tuning_zen3; /* and earlier ones; measured on Zen 3: as before */
extern const struct svi_tuning svi_tuning_intel; /* measured on Sapphire Rapids: two cores of a Xeon in one */
extern const struct svi_tuning svi_tuning_other; /* as AMD's: plain orders, and no instruction that is rarely fast */

/* What a file calls them; ends with a NULL name. */
extern const struct svi_tuning_family {
    const char *name;
    const struct svi_tuning *tuning;
} svi_tuning_families[];

enum svi_tuning_kind { SVI_TUNING_FLAG, SVI_TUNING_MULTIPLE, SVI_TUNING_POWER };

struct svi_tuning_field {
    const char *name;
    size_t offset;
    const char *unit;
    enum svi_tuning_kind kind; /* a bool, a multiple of least, or a power of two */
    int32_t least, most; /* every value within is safe; 0 is allowed of multiples where zero is set */
    bool zero;
    const char *purpose;
    const char *loops; /* the names of those that go by it, ' ' between; NULL: it only decides which loop runs */
};

extern const struct svi_tuning_field svi_tuning_fields[]; /* ends with a NULL name */

/* Whether a loop goes by it. */
bool svi_tuning_is_of(const struct svi_tuning_field *field, const char *loop);

int32_t svi_tuning_get(const struct svi_tuning *tuning, const struct svi_tuning_field *field);

/* False, and nothing is done: it is no value that the field can have. */
bool svi_tuning_set(struct svi_tuning *tuning, const struct svi_tuning_field *field, int64_t value);

/*
 * A file of SV_HOST_TUNING: lines `name = value` of the fields of struct svi_tuning, the first of which may be
 * `base = amd|zen4|zen3|intel|cautious`, whose values the other fields have. `#` begins a comment. A file with anything
 * wrong in it is not heeded at all.
 */
enum { SVI_TUNING_FILE = 16384 /* bytes at most */, SVI_TUNING_NAME = 256 /* of a tuning and its file */ };

/* Why a file is not heeded. */
struct svi_tuning_fault {
    const char *why; /* NULL: it is */
    int line; /* from 1 on; 0: no line of it */
};

#endif
