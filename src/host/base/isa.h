/*
 * The table of an instruction set: its kernels, in groups by what they do. A group is a table that is whole, or NULL
 * where the instruction set has none of its kernels; `plain` has the conversions alone. A loop tests its group in
 * `can`, so `refuses`, which is called before, must not rely on it. kernels.h has the kernels' types; src/host/isa/ has
 * one constant table for each set.
 */
#ifndef SVI_HOST_ISA_H
#define SVI_HOST_ISA_H

#include "host/base/kernels.h"

/*
 * Kernels that store beyond the cache, by non-temporal stores. NULL: memcpy serves as well.
 *
 * copy     any size and alignment.
 * planes   planes from a buffer, by whole lines, alternately one of each of 1, 2 or 4 places. A line is prefetched for
 *          each, from next on. Rows of the buffer have the offset modulo SVI_LINE of their planes. The partial line in
 *          front of each is stored with it, and the last partial line is carried to that place.
 * fill     whole lines of the same 16 bytes.
 * rows     rows of whole lines, or of units of 4 bytes or more to which they are aligned; `some` rows of each of
 *          `streams` distant parts alternately.
 * turns    rows of whole lines, `group` rows alternately, line by line. ahead: the prefetch distance, 0 for none.
 * parts    rows of a line or more that begin anywhere; partial lines are stored through the cache. ahead and dst_ahead:
 *          the prefetch distances on both sides.
 * tiles    transposes rows to whole lines.
 * fence    after the stores, before another thread or device reads the destination.
 */
struct svi_nt_kernels {
    void (*copy)(char *dst, const char *src, size_t nbytes);
    void (*planes)(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch, int64_t src_place,
                   int64_t planes, int64_t nbytes, const char *next, int64_t next_place, int places);
    void (*fill)(char *dst, uint64_t low, uint64_t high, int64_t lines);
    void (*rows)(const struct svi_rows *rows, struct svi_fetch fetch, int64_t streams, int64_t some);
    void (*turns)(const struct svi_rows *rows, int64_t ahead, int group);
    void (*parts)(const struct svi_rows *rows, int64_t ahead, int64_t dst_ahead);
    svi_stream_tiles *tiles;
    void (*fence)(void);
};

/* Columns that begin anywhere in a line, for items of n bytes where bit n of items is set. */
struct svi_shift_kernels {
    svi_shift_columns *columns;
    uint32_t items;
};

/* Transposes in the order of the source, whose lines are read once and whole. */
struct svi_source_order_kernels {
    svi_source_lines *lines;
    svi_pack_rows *pack_rows;
    svi_store_panel *store_panel;
};

/*
 * Runs in cache.
 *
 * copy   a contiguous copy of more than a line in L1.
 * fill   rows of 4 bytes or more, each of which is one element repeated. The element's size divides 16 bytes.
 */
struct svi_run_kernels {
    svi_run *copy;
    void (*fill)(const struct svi_rows *rows, int64_t item);
};

/* Pixels of more than SVI_CHANNELS units, of 16 bytes, or of 4 bytes if as many on both sides. 16 bytes are read or
 * written from each pixel on. [form][0] stores through the cache, [form][1] by non-temporal stores; NULL: by none. */
struct svi_channel_kernels {
    svi_pixels_run *loops[SVI_PIXEL_FORMS][2];
};

/*
 * Pixels of up to SVI_CHANNELS units, by the masks of struct svi_pixels.
 *
 * cached           stores through the cache.
 * nt               stores whole lines by non-temporal stores.
 * maskless_units   the sum of the unit sizes of which a single plane is taken without masks.
 * maskless_exact   such planes are taken without reading anything behind their last unit.
 */
struct svi_pixel_kernels {
    svi_pixels_run *cached, *nt;
    int maskless_units;
    bool maskless_exact;
};

/*
 * Reversed runs.
 *
 * line   reverses the nbytes in front of end: whole lines of elements of 1, 2, 4, 8 or 16 bytes. beyond_cache: uses
 *        non-temporal stores, and dst is aligned to a line. quarters: four parts of it alternately.
 * rows   reverses rows in cache, of elements of up to 16 bytes in front of src. Rows of elements of 1, 2, 4, 8 or 16
 *        bytes are a unit or more.
 */
struct svi_reverse_kernels {
    void (*line)(char *dst, const char *end, int64_t nbytes, int item, bool beyond_cache, bool quarters);
    void (*rows)(const struct svi_rows *rows, int item);
};

/*
 * Permutations within lines.
 *
 * lines       [1] is for processors that permute bytes (machine->permutes_bytes).
 * make_line   makes a line of the offset of each of its bytes in the source. False: they come from too many places.
 */
struct svi_permute_kernels {
    svi_permute_lines *lines[2];
    bool (*make_line)(struct svi_permuted_line *line, const int32_t *offset);
};

/*
 * Conversions in registers on the way to memory beyond the cache.
 *
 * has     whether it converts by an operation.
 * split   deinterleaves pixels, and converts each unit by the operation p->op: nbytes of it become whole lines.
 * tiles   transposes rows at a pitch through the operation t->op. count lines of the source become more or fewer bytes
 *         of a column.
 */
struct svi_cast_kernels {
    bool (*has)(enum svi_op op);
    svi_pixels_run *split;
    svi_stream_tiles *tiles;
};

struct svi_isa {
    const char *name;
    int64_t vector;                 /* bytes of a vector */
    const struct svi_isa *narrower; /* the set with the next smaller tiles; NULL at the end */

    /*
     * Register tiles of transposes in cache. A tile that the set does not have has no rows. Those of store have rows
     * of a vector or a line. Those of store_thirds read 4 bytes behind the last column, and write up to 16 bytes behind
     * the last row; those of whole_thirds read and write nothing but their elements.
     */
    struct svi_tile store[SVI_TILE_ITEMS];
    struct svi_tile store_thirds[SVI_THIRDS];
    struct svi_tile whole_thirds[SVI_WHOLE_THIRDS];

    const struct svi_nt_kernels *nt;
    const struct svi_shift_kernels *shift;
    const struct svi_source_order_kernels *source_order;
    const struct svi_run_kernels *runs;
    const struct svi_channel_kernels *channels;
    const struct svi_pixel_kernels *pixels;
    const struct svi_reverse_kernels *reverse;
    const struct svi_permute_kernels *permute;
    const struct svi_cast_kernels *cast;
    const struct svi_steps *steps; /* two: [1] is for processors that permute bytes */

    svi_column *column; /* elements of 1, 2, 4, 8 or 16 bytes at a step; NULL: the set has none */

    /* Rows of more than a unit in cache, by at least `stores` stores each. NULL: the set has none. */
    void (*cached_rows)(const struct svi_rows *rows, enum svi_row_prefetch prefetch, int64_t stores);

    /* Spreads nbytes of the source, which are whole lines. NULL: the set has none. */
    void (*scatter)(const struct svi_spread *spread, char *dst, const char *src, int64_t nbytes);

    svi_convert_run *convert; /* every set has these two */
    svi_scale_run *scale;
};

#endif
