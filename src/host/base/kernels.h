/*
 * The kernels that loops are made of: the types of the functions and of their arguments. A kernel does a small part of
 * a copy (a tile, a line, a row) with the vectors of one instruction set; isa.h puts the kernels of a set in a table.
 * Pitches and steps are bytes, of any sign. Addresses have any alignment unless a comment says otherwise. "Lines" are
 * cache lines; "beyond the cache" means that a copy is too large for it and uses non-temporal stores.
 */
#ifndef SVI_HOST_KERNELS_H
#define SVI_HOST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "host/base/memory_hints.h"

enum {
    SVI_LINE = 64, /* bytes of a cache line */
    SVI_UNIT = 16  /* bytes of the smallest non-temporal store */
};

/* Rounds an address up to a line. A buffer of whole lines needs one line more than it holds. */
static inline char *svi_line_from(char *address)
{
    return address + -(uintptr_t)address % SVI_LINE;
}

typedef uint8_t svi_unit __attribute__((vector_size(SVI_UNIT)));

/* Transposes count neighbouring tiles: column i of the source becomes row i of the destination. Pitches are from row to
 * row. */
typedef void svi_tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item);

/* A register tile. An instruction set that lacks the tile has 0 rows. */
struct svi_tile {
    int32_t rows;    /* items along a column of the source: a power of 2 */
    int32_t columns; /* items along a row of the source: a power of 2; 16 or 32 bytes */
    svi_tiles *run;  /* transposes tiles that follow each other along rows of the source */
    svi_tiles *down; /* the same along rows of the destination; NULL for items of no power of 2 */
};

enum {
    SVI_TILE_ITEMS = 5,  /* tiles of items of 1, 2, 4, 8 and 16 bytes */
    SVI_THIRDS = 4,      /* tiles of items of 3, 6, 12 and 24 bytes */
    SVI_WHOLE_THIRDS = 3 /* tiles of items of 3, 6 and 12 bytes */
};

/*
 * Lines of the next block of a transpose, which are fetched between the stores of the present block. Either lines at
 * from are prefetched to L1 and lines at ahead to L2, or lines at from are copied to a buffer and lines at ahead are
 * prefetched to L1.
 */
struct svi_bring {
    const char *from, *ahead;
    char *to;                              /* the buffer; NULL: lines are prefetched */
    int64_t lines;                         /* contiguous lines at from and ahead */
    void (*next)(struct svi_bring *bring); /* fetches the rest of them and finds more; NULL: the block is complete */
};

/* Rows of the source, or of a packed buffer, that become whole lines of the destination. */
struct svi_line_tiles {
    char *dst;
    const int64_t *column; /* offset of each column of the source from dst */
    const char *src;
    const int64_t *row;      /* offset of each row from src; NULL: rows are pitch bytes apart */
    int64_t pitch;           /* bytes */
    int64_t width;           /* bytes of a row: SVI_TILES_WIDTH */
    int64_t count;           /* lines that the rows make of each column */
    int64_t item;            /* 1, 2, 4, 8 or 16 bytes */
    enum svi_op op;          /* of svi_cast_kernels.tiles only: the conversion */
    bool buffered;           /* the rows are in a buffer, and lines are fetched to a buffer */
    struct svi_bring *bring; /* of svi_nt_kernels.tiles only: it fetches a line for each line that is stored */
};

/* Bytes of a row. Of long items whole lines of the source are read. */
#define SVI_TILES_WIDTH(item, buffered) ((buffered) || (item) < 8 ? SVI_UNIT : SVI_LINE)

/* Transposes rows to whole lines, by non-temporal stores. */
typedef void svi_stream_tiles(const struct svi_line_tiles *t);

/*
 * Columns of the destination that are stored a few rows of the source at a time: column i continues at dst + column[i].
 * Without carry, each part is whole lines. With carry, columns begin anywhere in a line, aligned to elements (those of
 * 12 or 24 bytes to 4); the partial line at the end of a part is kept in carry and stored with the next part.
 */
struct svi_columns {
    char *dst;
    const int64_t *column;
    char *carry; /* a line for each column, or NULL */
    bool first;  /* nothing is carried to this part, which has a line or more of each column */
    bool last;   /* no part comes after, so partial lines are stored; other parts have rows of whole lines */
};

/*
 * Transposes SVI_LINE bytes of each of some rows, so that each line of the source is read once. As many rows at next
 * are prefetched. Elements have 4, 8 or 16 bytes; with a carry also 12 or 24, and three lines of each row are read.
 */
typedef void svi_source_lines(const struct svi_columns *columns, const char *src, const char *next, int64_t pitch,
                              int64_t rows, int64_t item);

enum { SVI_PACKED_ROWS = 32 }; /* rows of elements of 1 or 2 bytes that are packed to a panel at a time */

/* Packs a line of each of SVI_PACKED_ROWS rows to a panel. Each 16 / item vectors of the panel, step bytes apart, have
 * parts of columns in their lanes. As many rows at next are prefetched. */
typedef void svi_pack_rows(char *to, int64_t step, const char *src, const char *next, int64_t pitch, int64_t item);

/* Stores nbytes of each column from the vectors of a panel, in which packed rows follow each other. */
typedef void svi_store_panel(const struct svi_columns *columns, const char *from, int64_t nbytes, int64_t item);

/*
 * Transposes 16 bytes of the rows of a buffer to columns that begin anywhere in a line, by funnel shifts and
 * non-temporal stores. Each column gets count lines. Column i continues at dst[i]; carry has the partial line before
 * it, and gets the last one. dst is aligned to items, or to 4 bytes for items of more; for items of 3 bytes it has any
 * alignment. For items of 3, 6, 12 and 24 bytes, count is a multiple of 3, and 12 bytes of the rows, or one item, are
 * transposed.
 */
typedef void svi_shift_columns(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry,
                               int64_t item);

/* Gathers count elements, step bytes apart, to contiguous memory. ahead: the prefetch distance in bytes, 0 for none. */
typedef void svi_column(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool beyond_cache,
                        int item);

enum {
    SVI_WINDOWS = 8,     /* most windows of a permuted line */
    SVI_GAP = -(1 << 30) /* in place of an offset: the destination has a gap there. So is all below half of it. */
};

/* A line of the destination whose bytes come from a few windows of the source. A window is up to a vector of bytes. */
struct svi_permuted_line {
    _Alignas(SVI_LINE) unsigned char lane[SVI_LINE]; /* place of each byte in its window */
    uint64_t stored;                                 /* a bit for each byte that is stored */
    uint64_t of[SVI_WINDOWS];                        /* a bit for each byte that comes from the window */
    uint64_t read[SVI_WINDOWS];                      /* a bit for each byte of the window up to the last one needed */
    int64_t from[SVI_WINDOWS];                       /* bytes from the beginning of the period to the window */
    int32_t windows;                                 /* their number */
};

struct svi_rows;

/* Makes lines of one permutation. streams: the lines are whole and aligned, and stored by non-temporal stores. */
typedef void svi_permute_lines(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                               bool streams);

/* A mask of the first n bytes of a line: none for n <= 0, all for n >= SVI_LINE. */
static inline uint64_t svi_bits_below(int64_t n)
{
    return n <= 0 ? 0 : n >= SVI_LINE ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

enum { SVI_CHANNELS = 4 }; /* most units of a pixel that is rearranged by masks */

/* A pixel is a few units side by side. A plane has one unit of each pixel. */
enum svi_pixel_form {
    SVI_DEINTERLEAVE, /* pixels to planes; to one plane: every second, third or fourth unit */
    SVI_INTERLEAVE,   /* planes to pixels */
    SVI_SWIZZLE,      /* pixels to pixels: of fewer units, of the same in reverse, or of one unit repeated */
    SVI_PIXEL_FORMS
};

/* How pixels of `from` units become pixels of `to` units. */
struct svi_pixels {
    enum svi_pixel_form form;
    int from, to;
    int unit;                     /* bytes, a power of 2 */
    enum svi_op op;               /* the conversion of svi_cast_kernels.split */
    bool nta;                     /* of svi_channel_kernels only: prefetches have the NTA hint */
    int64_t dst_pitch, src_pitch; /* bytes from plane to plane, on a side that has planes */
    int64_t ahead;                /* prefetch distance in bytes, in the source or in each of its planes; 0: none */
    unsigned char mask[SVI_CHANNELS][SVI_CHANNELS][16]; /* [to][from]: the bytes that a vector takes from another */
};

/* Rearranges pixels: nbytes of each unit, a multiple of the vector size. */
typedef void svi_pixels_run(const struct svi_pixels *pixels, char *dst, const char *src, int64_t nbytes);

struct svi_fetch {
    int64_t ahead; /* prefetch distance in bytes; 0: no prefetch */
    bool once;     /* prefetches have the NTA hint */
};

/* How one line of the source becomes several lines of the destination, with gaps between the elements. */
struct svi_spread {
    int lines; /* of the destination: 2 to SVI_CHANNELS */
    bool beyond_cache;
    uint32_t word[SVI_CHANNELS][SVI_LINE / 4]; /* number of the source's word for each 4 bytes of a line */
    uint16_t there[SVI_CHANNELS];              /* a bit for each word that is stored */
};

enum { SVI_BLOCK = 64 }; /* numbers that conversions handle at a time */

/* Converts SVI_BLOCK * blocks numbers by an operation that does not scale. */
typedef void svi_convert_run(int op, void *restrict dst, const void *restrict src, int64_t blocks);

/* A scale and a bias for each number of a block, as float32 or float64. 1 and -0 change nothing. */
struct svi_factors {
    const char *scale, *bias;
    int64_t step; /* bytes to the factors of the next block; 0: all blocks have the same */
};

/* Converts SVI_BLOCK * blocks numbers by an operation that scales. dst and src may be the same. */
typedef void svi_scale_run(int op, void *dst, const void *src, int64_t blocks, const struct svi_factors *factors);

/* count rows of nbytes on both sides. */
struct svi_rows {
    char *dst;
    int64_t dst_pitch;
    const char *src;
    int64_t src_pitch;
    int64_t count, nbytes;
};

/* Removes the first count rows. */
SVI_INLINE void svi_next_rows(struct svi_rows *r, int64_t count)
{
    r->dst += count * r->dst_pitch;
    r->src += count * r->src_pitch;
    r->count -= count;
}

/* count rows, beginning with row first. */
SVI_INLINE struct svi_rows svi_some_rows(const struct svi_rows *r, int64_t first, int64_t count)
{
    return (struct svi_rows){
        r->dst + first * r->dst_pitch, r->dst_pitch, r->src + first * r->src_pitch, r->src_pitch, count, r->nbytes};
}

/* On which sides the next row is prefetched. BOTH is only for rows of 4 lines or more. */
enum svi_row_prefetch { SVI_PREFETCH_NONE, SVI_PREFETCH_SRC, SVI_PREFETCH_BOTH };

/* Gathers rows whose elements are step bytes apart in the source, at most a line. The bytes between them are read. */
typedef void svi_step_rows(const struct svi_rows *rows, int64_t step, int item);

/* Rows at a step by byte shuffles, for elements of 3, 5, 6, 7, 9 and more bytes, of at most bytes / 2 and a unit. */
struct svi_steps {
    int bytes; /* of the source that one shuffle reads */
    int least; /* elements among them for which a shuffle is worth it */
    svi_step_rows *run;
};

#endif
