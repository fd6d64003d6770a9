/* What the kernels of an instruction set take: the types of their arguments and of the functions. */
#ifndef SVI_HOST_KERNELS_H
#define SVI_HOST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "host/base/memory_hints.h"

enum { SVI_LINE = 64, SVI_UNIT = 16 }; /* bytes of a cache line, and of the least non-temporal store */

/* The first line at an address or behind: memory for one more makes a buffer of whole lines. */
static inline char *svi_line_from(char *address)
{
    return address + -(uintptr_t)address % SVI_LINE;
}

typedef uint8_t svi_unit __attribute__((vector_size(SVI_UNIT)));

/*
 * Transposes count tiles that follow each other along rows of the source, or down: along those of the destination. Row
 * i of the destination is column i of the source; pitches are from row to row, of any sign. Addresses of any alignment.
 */
typedef void svi_tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item);

/* rows and columns are of the source, in items, powers of 2; columns make 16 or 32 bytes. Not there: rows is 0. */
struct svi_tile {
    int32_t rows;
    int32_t columns;
    svi_tiles *run, *down; /* down: NULL where items are no power of 2 */
};

enum { SVI_TILE_ITEMS = 5, SVI_THIRDS = 4, SVI_WHOLE_THIRDS = 3 }; /* 1, 2, 4, 8, 16 bytes; 3, 6, 12, 24; 3, 6, 12 */

/* Lines of the next block of a transpose, which are brought between the stores of one: prefetched to L1, and those at
 * ahead to L2; or copied to a buffer, and those at ahead prefetched to L1. */
struct svi_bring {
    const char *from, *ahead;
    char *to;                              /* NULL: they are prefetched */
    int64_t lines;                         /* which follow each other there */
    void (*next)(struct svi_bring *bring); /* brings the rest of them and finds more; NULL: the block is complete */
};

/* Rows of the source, or of a packed buffer, that become whole lines of the destination. */
struct svi_line_tiles {
    char *dst;
    const int64_t *column; /* where each column of the source goes, from dst */
    const char *src;
    const int64_t *row; /* where each row is, from src; NULL: they are pitch bytes apart */
    int64_t pitch;
    int64_t width;  /* bytes of the rows: SVI_TILES_WIDTH */
    int64_t count;  /* lines that they make of each column */
    int64_t item;   /* 1, 2, 4, 8 or 16 bytes */
    enum svi_op op; /* of turn_cast_stream */
    bool buffered;  /* rows are those of a buffer, and what is brought goes to one */
    struct svi_bring *bring; /* of stream_tiles: for each line that is stored it brings one */
};

/* Bytes of the rows: lines of the source are read whole where items are long. */
#define SVI_TILES_WIDTH(item, buffered) ((buffered) || (item) < 8 ? SVI_UNIT : SVI_LINE)

/* By non-temporal stores. */
typedef void svi_stream_tiles(const struct svi_line_tiles *t);

/*
 * Where columns go on: column i at dst + column[i]. carry NULL: they are whole lines. Else they begin anywhere in a
 * line, aligned to elements, and of 12 or 24 bytes to 4, and carry has the line before of each, which is not all stored
 * yet, and gets the last one. first: there is none before, and the rows that come are a line or more; last: none comes
 * after, so all is stored; else rows are whole lines.
 */
struct svi_columns {
    char *dst;
    const int64_t *column;
    char *carry;
    bool first, last;
};

/*
 * SVI_LINE bytes of rows at a pitch, each line read once; those at next, of as many rows, are prefetched. Elements of
 * 4, 8 or 16 bytes; or, with a carry, of 12 or 24, of which as many columns as are three lines.
 */
typedef void svi_source_lines(const struct svi_columns *columns, const char *src, const char *next, int64_t pitch,
                              int64_t rows, int64_t item);

/*
 * Half of that, of elements of 1 or 2 bytes: lines of SVI_PACKED_ROWS rows go to a panel, so that 16 / item vectors,
 * step bytes apart, have columns in their lanes; and from vectors of more such rows, which follow each other there,
 * nbytes go to each column.
 */
enum { SVI_PACKED_ROWS = 32 };
typedef void svi_pack_rows(char *to, int64_t step, const char *src, const char *next, int64_t pitch, int64_t item);
typedef void svi_store_panel(const struct svi_columns *columns, const char *from, int64_t nbytes, int64_t item);

/*
 * Transposes 16 bytes of rows of a buffer, count lines of items down the rows, to lines beyond the cache, of rows that
 * begin anywhere in one: column i goes on at dst[i], where carry has the line before, and gets the last. dst is aligned
 * to items, or to 4 bytes; anyhow for items of 3. Of those, and of 6, 12 and 24 bytes, count is a multiple of 3, and 12
 * bytes of rows, or one item, are transposed.
 */
typedef void svi_shift_columns(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry,
                               int64_t item);

/*
 * count elements that are step bytes apart, of any sign, become contiguous in dst. ahead: the prefetch distance, 0 for
 * none. beyond_cache: the copy is beyond the cache.
 */
typedef void svi_column(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool beyond_cache,
                        int item);

enum {
    SVI_WINDOWS = 8,
    SVI_GAP = -(1 << 30) /* in place of an offset, or anything less than its half: the destination has a gap there */
};

/* Which bytes a line of the destination takes of up to a vector of the source at each of some places, its windows. */
struct svi_permuted_line {
    _Alignas(SVI_LINE) unsigned char lane[SVI_LINE]; /* of each byte: its number in its window */
    uint64_t stored;                                 /* bits of those that are stored, */
    uint64_t of[SVI_WINDOWS];                        /* and of those from each window */
    uint64_t read[SVI_WINDOWS];                      /* bits of the bytes of a window up to the last that is needed */
    int64_t from[SVI_WINDOWS];                       /* bytes from the beginning of the period to its first */
    int32_t windows;
};

struct svi_rows;

/* Lines that are made alike, at any pitch on both sides. streams: by non-temporal stores, of whole lines to such. */
typedef void svi_permute_lines(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                               bool streams);

/* A mask of the first n bytes of a line: none for n <= 0, all from SVI_LINE on. */
static inline uint64_t svi_bits_below(int64_t n)
{
    return n <= 0 ? 0 : n >= SVI_LINE ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

enum { SVI_CHANNELS = 4 };

/* A pixel is a few units side by side. A plane has one unit of each pixel. */
enum svi_pixel_form {
    SVI_DEINTERLEAVE, /* pixels to planes; to one plane: every second, third or fourth unit */
    SVI_INTERLEAVE,   /* planes to pixels */
    SVI_SWIZZLE,      /* pixels to pixels: of fewer units, of the same in reverse, or of one unit repeated */
    SVI_PIXEL_FORMS
};

/* Pixels of from units become pixels of to units. */
struct svi_pixels {
    enum svi_pixel_form form;
    int from, to;
    int unit;                     /* bytes, a power of 2 */
    enum svi_op op;               /* the conversion of split_cast_stream */
    bool nta;                     /* prefetches have the NTA hint: of channels only */
    int64_t dst_pitch, src_pitch; /* bytes from plane to plane, on a side that has planes */
    int64_t ahead;                /* prefetch distance, in the source or in each plane of it; 0: no prefetch */
    unsigned char mask[SVI_CHANNELS][SVI_CHANNELS][16]; /* of the bytes that vector [to] takes from vector [from] */
};

/* nbytes of each unit, a multiple of the vector size. */
typedef void svi_pixels_run(const struct svi_pixels *pixels, char *dst, const char *src, int64_t nbytes);

/* A prefetch so many bytes ahead, 0 for none; once: with the NTA hint. */
struct svi_fetch {
    int64_t ahead;
    bool once;
};

/* One line of the source becomes several lines of the destination, whose elements have gaps between them. */
struct svi_spread {
    int lines;                                  /* 2 to SVI_CHANNELS */
    bool beyond_cache;                            /* the copy is beyond the cache */
    uint32_t word[SVI_CHANNELS][SVI_LINE / 4];  /* of the source, for each 4 bytes of a line */
    uint16_t there[SVI_CHANNELS];               /* bits of those that are stored */
};

enum { SVI_BLOCK = 64 };

/*
 * Operations of scaled conversions, besides those of chain.h. To the nearest whole number, even in a tie, brought into
 * the range, and 0 for NaN: of each type of enum svi_whole. And of float32 or float64, which integers and small
 * floating numbers become first: multiplied by a scale, with a bias added.
 */
enum {
    SVI_NEAREST_FROM_F32 = SVI_OP_COUNT,
    SVI_NEAREST_FROM_F64 = SVI_NEAREST_FROM_F32 + SVI_WHOLE_COUNT,
    SVI_SCALE_F32 = SVI_NEAREST_FROM_F64 + SVI_WHOLE_COUNT,
    SVI_SCALE_U8,
    SVI_SCALE_I8,
    SVI_SCALE_U16,
    SVI_SCALE_I16,
    SVI_SCALE_F16,
    SVI_SCALE_BF16,
    SVI_SCALE_F64
};

/* An operation that does not scale on SVI_BLOCK * blocks numbers. */
typedef void svi_convert_run(int op, void *restrict dst, const void *restrict src, int64_t blocks);

/* Of the numbers of a block, as float32 or float64. A scale of 1 and a bias of -0 change nothing. */
struct svi_factors {
    const char *scale, *bias;
    int64_t step; /* bytes to those of the next block; 0: all blocks have the same */
};

/* One that does. dst and src may be the same. */
typedef void svi_scale_run(int op, void *dst, const void *src, int64_t blocks, const struct svi_factors *factors);

/* Rows of nbytes, at any pitch. */
struct svi_rows {
    char *dst;
    int64_t dst_pitch;
    const char *src;
    int64_t src_pitch;
    int64_t count, nbytes;
};

SVI_INLINE void svi_next_rows(struct svi_rows *r, int64_t count)
{
    r->dst += count * r->dst_pitch;
    r->src += count * r->src_pitch;
    r->count -= count;
}

/* count of them, from one on. */
SVI_INLINE struct svi_rows svi_some_rows(const struct svi_rows *r, int64_t first, int64_t count)
{
    return (struct svi_rows){
        r->dst + first * r->dst_pitch, r->dst_pitch, r->src + first * r->src_pitch, r->src_pitch, count, r->nbytes};
}

/* Of the next row: on both sides only for rows of 4 lines or more. */
enum svi_row_prefetch { SVI_PREFETCH_NONE, SVI_PREFETCH_SRC, SVI_PREFETCH_BOTH };

/* Rows whose elements are a step apart in the source, at most a line; what is between them is read. */
typedef void svi_step_rows(const struct svi_rows *rows, int64_t step, int item);

/* By shuffles of so many bytes of the source, or more such parts; elements are of 3, 5, 6, 7, 9 and more bytes, at most
 * half of a part and a unit. */
struct svi_steps {
    int bytes, least; /* of a part, and elements of it that are worth a shuffle */
    svi_step_rows *run; /* NULL: not there */
};

#endif
