/*
 * The constants that differ between families of processors: one instance for each family that was measured, and a
 * cautious one for all others. Loops read a field and never ask which processor it is. Sizes of caches are in struct
 * svi_machine, and what an instruction set can do in its table (isa.h). svi_tuning_fields lists every field with its
 * unit, range and purpose; files of SV_HOST_TUNING, `make tune` and doc/tuning.md use that list.
 * doc/internals/copy_experiments.md#which-constant-is-backed-by-what names the measurement of each field.
 */
#ifndef SVI_HOST_TUNING_H
#define SVI_HOST_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct svi_tuning {
    const char *name; /* the processors that it was measured on */

    /* Caches. */
    bool slow_last_cache; /* copies of slow_cache_l2s times L2 count as beyond the last-level cache, which is slow */
    bool nta_prefetch; /* prefetches of lines that are read once have the NTA hint */
    bool prefetch_destination; /* stores to lines in no cache are slow, so the destination is prefetched */
    bool partial_lines_nt; /* non-temporal stores of partial lines cost hardly more than those of whole lines */
    int32_t nt_cache_64ths; /* 64ths of the last-level cache; larger copies use non-temporal stores */
    int32_t nt_contiguous_64ths; /* 64ths of the last-level cache; larger contiguous copies use non-temporal stores */
    int32_t last_cache_l2s; /* sizes of L2, if it is large, of the last-level cache that serve copies; 0: all of it */
    int32_t slow_cache_l2s; /* limit of a slow last-level cache, in sizes of L2 */
    int32_t repeat_store_l2s; /* limit, in sizes of L2, of copies that repeat stores to crowded sets of L1 */

    /* Rows and runs. */
    bool row_streams; /* several streams that are read alternately are faster than one */
    bool short_rows_cached; /* lines that two short rows share are stored through the cache */
    bool joins_all_rows; /* contiguous rows that begin anywhere are joined whatever their length */
    bool buffers_pieces; /* short pieces beyond the cache are collected in a buffer and stored by whole lines */
    bool turns_rows; /* short rows in another order are copied by blocks of two axes */
    bool shuffles_odd; /* elements of 3 to 15 bytes are gathered and transposed by byte shuffles */
    int32_t contiguous_streams; /* streams of a contiguous copy */
    int32_t contiguous_stream_bytes; /* bytes of each of these streams in a round */
    int32_t row_stream_count; /* streams of short rows that are no whole lines */
    int32_t nt_row_bytes; /* least bytes of rows that begin anywhere and use non-temporal stores */
    int32_t row_prefetch_bytes; /* prefetch distance over rows */
    int32_t fetched_run_bytes; /* least bytes of a contiguous copy whose destination is prefetched */
    int32_t plain_row_bytes; /* bytes of rows, a few at a time, up to which a call of vector code does not pay */

    /* Elements. */
    bool single_loads; /* elements in lines of their own are copied one by one, prefetched along the row */
    bool permutes_all; /* permutations pay whatever the number of items in a line */
    bool scalar_loads_in_l2; /* within L2, elements of 4 bytes and more are copied one by one */
    int32_t units_prefetch_bytes; /* prefetch distance over pixels of 2 to 4 units */
    int32_t channels_prefetch_bytes; /* prefetch distance over pixels of more channels that are deinterleaved */
    int32_t nt_planes; /* least planes that are deinterleaved by non-temporal stores */

    /* Transposes with NT stores. Rows and columns are those of the source. */
    bool source_order; /* blocks are in the order of the source, whose lines are read once and whole */
    bool source_order_crowded; /* the same only if rows share sets of the caches or begin anywhere in a line */
    bool foresees_rows; /* the processor prefetches up to foreseen_rows rows at a time itself */
    bool small_planes_only; /* of contiguous planes, only those of short rows are joined */
    bool mixes_loads; /* the next block is read between the stores of the present one, not after some of them */
    bool tiles_close_sides; /* rows that begin anywhere and are short or close to each other are transposed by tiles */
    int32_t block_rows; /* rows of a block */
    int32_t block_row_bytes; /* bytes of each row of a block */
    int32_t block_column_bytes; /* least bytes of each column of a block */
    int32_t foreseen_rows; /* rows of a block if the processor prefetches rows itself */
    int32_t packed_item_bytes; /* bytes of an element up to which blocks that do not stay in the caches are packed */
    int32_t packed_row_bytes; /* bytes of each row of a block that is packed to a buffer */
    int32_t direct_prefetch_bytes; /* prefetch distance to L2 of blocks that are read in place */
    int32_t packed_prefetch_bytes; /* prefetch distance of blocks that are packed */
    int32_t source_order_rows; /* rows that are read at a time in the order of the source */
    int32_t source_order_column_bytes; /* bytes that each column gets of these rows */
    int32_t source_order_pitch_bytes; /* pitch of rows from which on the order of the source is faster */
    int32_t panel_row_bytes; /* bytes of a row of the panel of 1- and 2-byte elements in that order */
    int32_t carried_row_bytes; /* least bytes of rows of the destination that begin anywhere, in that order */
    int32_t carried_l2_64ths; /* 64ths of L2 for partial lines that are carried on to the next rows */
    int32_t unaligned_rows; /* rows of a block of a column panel if columns begin anywhere in a line */
    int32_t unaligned_panel_bytes; /* bytes of each row of such a block */
    int32_t unaligned_prefetch_bytes; /* prefetch distance of such a block */
    int32_t plane_bytes; /* most bytes of a contiguous plane that is joined to the next one */

    /* Transposes in cache. */
    bool packs_rows; /* rows of the source that share few sets of L1 are packed, from beyond L2 */
    int32_t cached_block_rows; /* rows of a block */
    int32_t cached_block_row_bytes; /* bytes of each row of a block */
    int32_t listed_plane_items; /* items of a plane, among many, up to which a list of offsets is faster than tiles */

    /* Conversions. */
    int32_t cast_prefetch_bytes; /* prefetch distance of conversions */
    int32_t cast_block_row_bytes; /* bytes of each row of a block of a transpose that converts */
    int32_t cast_joined_bytes; /* least bytes of a run of several rows that a block stores; 0: of one row */
    int32_t cast_row_items; /* least items of rows beyond the cache that are converted one by one, not by blocks */
    int32_t cast_pixels; /* least items of runs of pixels beyond the cache that are rearranged as they convert */
};

/* Each was measured on two cores of a virtual machine. */
extern const struct svi_tuning svi_tuning_amd; /* Zen 5 and later */
extern const struct svi_tuning svi_tuning_zen4; /* Zen 4 */
extern const struct svi_tuning svi_tuning_zen3; /* Zen 3 and earlier */
extern const struct svi_tuning svi_tuning_intel; /* Intel; measured on Sapphire Rapids */
extern const struct svi_tuning svi_tuning_other; /* all others: AMD's, without instructions that are rarely fast */

/* The families by the names that a file of tuning uses; ends with a NULL name. */
extern const struct svi_tuning_family {
    const char *name;
    const struct svi_tuning *tuning;
} svi_tuning_families[];

enum svi_tuning_kind { SVI_TUNING_FLAG, SVI_TUNING_MULTIPLE, SVI_TUNING_POWER };

struct svi_tuning_field {
    const char *name;
    size_t offset;
    const char *unit;
    enum svi_tuning_kind kind; /* a bool, a multiple of least, or a power of 2 */
    int32_t least, most; /* every value from least to most is safe */
    bool zero; /* a multiple may also be 0 */
    const char *purpose;
    const char *loops; /* the names of the loops that use the field, with ' ' between; NULL: it only chooses loops */
};

extern const struct svi_tuning_field svi_tuning_fields[]; /* ends with a NULL name */

/* Whether a loop uses a field. */
bool svi_tuning_is_of(const struct svi_tuning_field *field, const char *loop);

int32_t svi_tuning_get(const struct svi_tuning *tuning, const struct svi_tuning_field *field);

/* Sets a field. False: the field cannot have this value, and nothing is done. */
bool svi_tuning_set(struct svi_tuning *tuning, const struct svi_tuning_field *field, int64_t value);

/*
 * A file of SV_HOST_TUNING has lines `name = value` of the fields of struct svi_tuning. The first line may be
 * `base = amd|zen4|zen3|intel|cautious`, the family whose values the other fields have. `#` begins a comment. A file
 * with a fault is ignored as a whole.
 */
enum {
    SVI_TUNING_FILE = 16384, /* most bytes of a file */
    SVI_TUNING_NAME = 256 /* most bytes of the name of a tuning and its file */
};

/* Why a file is ignored. */
struct svi_tuning_fault {
    const char *why; /* NULL: the file is used */
    int line; /* counted from 1; 0: the fault is in no line */
};

#endif
