/* What an instruction set brings: small kernels in tables, which the copy kernels are made of. */
#ifndef SVI_HOST_ISA_H
#define SVI_HOST_ISA_H

#include "host/base/kernels.h"

struct svi_isa {
    const char *name;
    int64_t vector;                 /* bytes */
    const struct svi_isa *narrower; /* with smaller tiles; NULL at the end */

    struct svi_tile store[SVI_TILE_ITEMS]; /* in cache: destination rows of a vector or a line */
    svi_stream_tiles *stream_tiles;        /* NULL: not there */
    svi_shift_columns *shift_columns;      /* NULL: not there */
    uint32_t shift_items;                  /* bit n: for items of n bytes */

    /* The same for items of 3, 6, 12, 24 bytes. Tiles read 4 bytes behind the last column, and write up to 16 behind
     * the last row. */
    struct svi_tile store_thirds[SVI_THIRDS];

    /* The same of 3, 6, 12 bytes, in cache: they read and write nothing but their elements. */
    struct svi_tile whole_thirds[SVI_WHOLE_THIRDS];

    svi_source_lines *source_lines; /* NULL: not there; these three are together */
    svi_pack_rows *pack_rows;
    svi_store_panel *store_panel;

    /* The same of the source through the operation op, of rows at a pitch; count lines of the source are so many bytes
     * of a column, which may be more or less. There where has_cast_stream is. */
    svi_stream_tiles *turn_cast_stream;

    svi_column *column; /* of elements of 1, 2, 4, 8, 16 bytes. NULL: not there */

    svi_permute_lines *permute_lines[2]; /* [1]: where machine->bytes is. NULL: not there */

    /* Such a line, by the offset of each byte in the source. False: it comes from too many places. There, too. */
    bool (*make_permuted_line)(struct svi_permuted_line *line, const int32_t *offset);

    svi_run *dense; /* in L1: more than a line. NULL: memcpy serves as well */

    /* In cache: rows of nbytes, 4 or more, each one element repeated, which divides 16 bytes. NULL: not there. */
    void (*fill_rows)(const struct svi_rows *rows, int64_t item);

    /* In cache: rows of more than a unit, by that many stores each at least. NULL: not there. */
    void (*cached_rows)(const struct svi_rows *rows, enum svi_row_prefetch prefetch, int64_t stores);

    /* Non-temporal stores: any size and alignment. NULL: memcpy serves as well. */
    void (*stream_copy)(char *dst, const char *src, size_t nbytes);

    /*
     * The same of planes from a buffer, by whole lines, alternately one of each of 1, 2 or 4 places; for each a line is
     * prefetched, from next on. Rows of the buffer have the offset modulo 64 of their planes; the partial line in front
     * of each is stored with it, and the last one is carried there. There where stream_copy is.
     */
    void (*stream_planes)(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch,
                          int64_t src_place, int64_t planes, int64_t nbytes, const char *next, int64_t next_place,
                          int places);

    /* The same of whole lines of 16 bytes, repeated. There where stream_copy is. */
    void (*stream_fill)(char *dst, uint64_t low, uint64_t high, int64_t lines);

    /* The same of rows of whole lines, or of units of 4 bytes or more to which they are aligned; some rows of each of
     * several distant parts alternately. */
    void (*stream_rows)(const struct svi_rows *rows, struct svi_fetch fetch, int64_t streams, int64_t some);

    /* The same of whole lines, group rows alternately, line by line. ahead: the prefetch distance, 0 for none. */
    void (*stream_turns)(const struct svi_rows *rows, int64_t ahead, int group);

    /* The same of rows of a line or more that begin anywhere; partial lines go through the cache. ahead and dst_ahead:
     * prefetch distances on both sides. */
    void (*stream_parts)(const struct svi_rows *rows, int64_t ahead, int64_t dst_ahead);

    /* Pixels of up to SVI_CHANNELS units, by masks; [1]: to whole lines, by non-temporal stores. NULL: not there. */
    svi_pixels_run *units[2];
    int maskless_units; /* sizes of units, added up, of which a single plane needs no masks, */
    bool maskless_exact; /* and nothing behind its last unit is read */

    /* Whether a conversion is done in registers on the way to memory. NULL: none is. */
    bool (*has_cast_stream)(enum svi_op op);

    /* Deinterleaved, each unit through the operation p->op: nbytes of it become whole lines, beyond the cache. There
     * where has_cast_stream is. */
    svi_pixels_run *split_cast_stream;

    /* Pixels of more units, of 16 bytes, or of 4 bytes, as many on both sides; without masks. 16 bytes from each pixel
     * on are read, or written. NULL: not there. */
    svi_pixels_run *channels[SVI_PIXEL_FORMS][2];

    /* nbytes of the source, whole lines. NULL: not there. */
    void (*scatter)(const struct svi_spread *spread, char *dst, const char *src, int64_t nbytes);

    /* Reverses the nbytes in front of end, whole lines of elements of 1, 2, 4, 8, 16 bytes. beyond_cache: by
     * non-temporal stores, dst is aligned to a line; quarters: four parts of it alternately. NULL: not there. */
    void (*reverse)(char *dst, const char *end, int64_t nbytes, int item, bool beyond_cache, bool quarters);

    /* In cache: rows of elements of up to 16 bytes in front of src; those of a power of 2 make a unit and more. There
     * where reverse is. */
    void (*reverse_rows)(const struct svi_rows *rows, int item);

    struct svi_steps steps[2]; /* [1]: where machine->bytes is */

    /* Always there. */
    svi_convert_run *convert;
    svi_scale_run *scale;

    /* After non-temporal stores, before another thread or device learns of them. */
    void (*fence)(void);
};

#endif
