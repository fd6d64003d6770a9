/*
 * Register tiles of transposes for vectors of any number of 16-byte lanes. avx512.c, avx2.c and baseline.c include it
 * after they have defined the vector:
 *
 *     vec                          the type; LANES of 16 bytes
 *     STORE_VECTORS                vectors in a destination row of a tile in cache
 *     load_lanes(src, step)        loads 16 bytes each from src, src + step, ...
 *     load_rows(src, row, step)    loads them from src + row[0], src + row[step], ...
 *     store(dst, v), stream(dst, v)
 *     stream_half(dst, src)        stores half a line by non-temporal stores
 *     VEC(name)                    on x86-64 the instruction of that name; else
 *     low(a, b, item)              interleaves the lower halves of each lane of a and b
 *     high(a, b, item)             interleaves the upper halves
 *
 * and with SVI_AVX512, for vectors of four lanes:
 *
 *     load_halves(src, step)       loads 32 bytes each from src and src + step
 *     even(a, b), odd(a, b)        lanes 0 and 2, 1 and 3, of a and then of b
 */
#ifndef SVI_HOST_LANES_H
#define SVI_HOST_LANES_H

#include "host/base/isa.h"

enum { VECTOR = 16 * LANES, VECTORS_OF_LINE = SVI_LINE / VECTOR, ROW = STORE_VECTORS * VECTOR };

#ifdef __x86_64__
SVI_INLINE vec low(vec a, vec b, int item)
{
    switch (item) {
    case 1: return VEC(unpacklo_epi8)(a, b);
    case 2: return VEC(unpacklo_epi16)(a, b);
    case 4: return VEC(unpacklo_epi32)(a, b);
    default: return VEC(unpacklo_epi64)(a, b);
    }
}

SVI_INLINE vec high(vec a, vec b, int item)
{
    switch (item) {
    case 1: return VEC(unpackhi_epi8)(a, b);
    case 2: return VEC(unpackhi_epi16)(a, b);
    case 4: return VEC(unpackhi_epi32)(a, b);
    default: return VEC(unpackhi_epi64)(a, b);
    }
}
#endif

/* Stores a whole line. AVX-512 stores it in two halves, which is a tenth faster on some processors. */
SVI_INLINE void stream_line(char *dst, const char *src)
{
    stream_half(dst, src);
    stream_half(dst + SVI_LINE / 2, src + SVI_LINE / 2);
}

typedef void put_vector(char *dst, vec v);

/* How pixels and tiles are stored: through the cache, by non-temporal stores, or (a value of enum svi_op) converted and
 * then by non-temporal stores (cast_streams.h). */
enum { PUT_STORE = -2, PUT_STREAM = -1 };

#ifdef SVI_CONVERTS
SVI_INLINE void put_by(char *dst, vec v, int how);
#else
SVI_INLINE void put_by(char *dst, vec v, int how)
{
    if (how == PUT_STORE)
        store(dst, v);
    else
        stream(dst, v);
}
#endif

/* Prefetches a line. once is a constant. */
SVI_INLINE void fetch_line(const char *at, bool once)
{
    if (once)
        svi_prefetch_once(at);
    else
        svi_prefetch(at);
}

/* One step of a transpose: log2(n) of them transpose n items of n rows in each lane. */
SVI_INLINE void in_turns(vec *v, int n, int item)
{
    vec t[16];

#pragma GCC unroll 8
    for (int k = 0; k < n / 2; k++) {
        t[2 * k] = low(v[k], v[k + n / 2], item);
        t[2 * k + 1] = high(v[k], v[k + n / 2], item);
    }
#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = t[k];
}

/* Transposes 16 bytes of each of VECTOR / item rows to 16 / item vectors. */
SVI_INLINE void columns(vec *v, const char *src, int64_t pitch, int item)
{
    const int n = 16 / item;

#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = load_lanes(src + k * pitch, n * pitch);
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, item);
}

/* A tile of 16 bytes of each row. */
SVI_INLINE void narrow_tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    const int rows = 16 / item;
    vec v[STORE_VECTORS][16];

#pragma GCC unroll 4
    for (int k = 0; k < STORE_VECTORS; k++)
        columns(v[k], src + k * (VECTOR / item) * src_pitch, src_pitch, item);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < STORE_VECTORS; k++)
            store(dst + i * dst_pitch + k * VECTOR, v[k][i]);
}

#ifdef SVI_AVX512
#define TILE_BYTES(item) ((item) == 1 || (item) == 16 ? 16 : 32)

/* A tile of 32 bytes of each row: half as many loads, and as much of everything else. */
SVI_INLINE void wide_tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    const int n = 16 / item;
    vec a[8], b[8];

#pragma GCC unroll 8
    for (int k = 0; k < n; k++) {
        a[k] = load_halves(src + k * src_pitch, n * src_pitch);
        b[k] = load_halves(src + (k + 2 * n) * src_pitch, n * src_pitch);
    }
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2) {
        in_turns(a, n, item);
        in_turns(b, n, item);
    }
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        store(dst + i * dst_pitch, even(a[i], b[i]));
        store(dst + (i + n) * dst_pitch, odd(a[i], b[i]));
    }
}

#else
#define TILE_BYTES(item) 16
#define wide_tile narrow_tile /* there is no wider tile */
#endif

SVI_INLINE void tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down,
                      int item)
{
    const int64_t dst_step = down ? ROW : TILE_BYTES(item) / item * dst_pitch;
    const int64_t src_step = down ? ROW / item * src_pitch : TILE_BYTES(item);

    for (; count > 0; count--, dst += dst_step, src += src_step)
        if (TILE_BYTES(item) == 16)
            narrow_tile(dst, dst_pitch, src, src_pitch, item);
        else
            wide_tile(dst, dst_pitch, src, src_pitch, item);
}

static void store_tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item)
{
    switch (item) {
    case 1: tiles(dst, dst_pitch, src, src_pitch, count, false, 1); break;
    case 2: tiles(dst, dst_pitch, src, src_pitch, count, false, 2); break;
    case 4: tiles(dst, dst_pitch, src, src_pitch, count, false, 4); break;
    case 8: tiles(dst, dst_pitch, src, src_pitch, count, false, 8); break;
    default: tiles(dst, dst_pitch, src, src_pitch, count, false, 16); break;
    }
}

static void store_tiles_down(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count,
                             int64_t item)
{
    switch (item) {
    case 1: tiles(dst, dst_pitch, src, src_pitch, count, true, 1); break;
    case 2: tiles(dst, dst_pitch, src, src_pitch, count, true, 2); break;
    case 4: tiles(dst, dst_pitch, src, src_pitch, count, true, 4); break;
    case 8: tiles(dst, dst_pitch, src, src_pitch, count, true, 8); break;
    default: tiles(dst, dst_pitch, src, src_pitch, count, true, 16); break;
    }
}

#define SVI_STORE_TILE(item) {ROW / (item), TILE_BYTES(item) / (item), store_tiles, store_tiles_down}
#define SVI_STORE_TILES {SVI_STORE_TILE(1), SVI_STORE_TILE(2), SVI_STORE_TILE(4), SVI_STORE_TILE(8), SVI_STORE_TILE(16)}

/* --- beyond the NT threshold: whole lines of the destination ---------------------- */

/* columns() of rows at any addresses, each of which is read from row. */
SVI_INLINE void columns_of_rows(vec *v, const char *src, const int64_t *row, int item)
{
    const int n = 16 / item;

#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = load_rows(src, row + k, n);
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, item);
}

/* Transposes 16 bytes of rows of the source to 16 / item rows of the destination, each of which gets nbytes for a
 * vector. */
SVI_INLINE void stream_tile(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                            int item, int nbytes, int how)
{
    const int rows = 16 / item, rows_of_vector = VECTOR / item;
    vec v[4][16];

#pragma GCC unroll 4
    for (int k = 0; k < VECTORS_OF_LINE; k++)
        if (row == NULL)
            columns(v[k], src + k * rows_of_vector * pitch, pitch, item);
        else
            columns_of_rows(v[k], src, row + k * rows_of_vector, item);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            put_by(dst + column[i] + k * nbytes, v[k][i], how);
}

enum bringing { BRING_NOTHING, BRING_TO_CACHE, BRING_TO_BUFFER };

/* Fetches count lines, or none if fewer are left. count is a constant. */
SVI_INLINE void bring_lines(struct svi_bring *b, int count, enum bringing to)
{
    if (to == BRING_NOTHING)
        return;
    if (b->lines < count) {
        if (b->next != NULL)
            b->next(b);
        if (b->lines < count)
            return;
    }
#pragma GCC unroll 16
    for (int k = 0; k < count; k++) {
        if (to == BRING_TO_CACHE) {
            svi_prefetch(b->from + k * SVI_LINE);
            svi_prefetch_l2(b->ahead + k * SVI_LINE);
            continue;
        }
        svi_prefetch(b->ahead + k * SVI_LINE);
#pragma GCC unroll 4
        for (int v = 0; v < SVI_LINE; v += VECTOR)
            store(b->to + k * SVI_LINE + v, load(b->from + k * SVI_LINE + v));
    }
    b->from += count * SVI_LINE;
    b->ahead += count * SVI_LINE;
    b->to += to == BRING_TO_BUFFER ? count * SVI_LINE : 0;
    b->lines -= count;
}

/* width: bytes of a row of the tiles; a constant where lines are fetched. */
SVI_INLINE void stream_tiles_by(const struct svi_line_tiles *tiles, bool even, enum bringing to, int64_t width,
                                int item, int nbytes, int how)
{
    const struct svi_line_tiles t = *tiles; /* a copy, which is kept in registers */
    const int line = SVI_LINE / item;

    for (int64_t r = 0; r < t.count; r++) {
        if (item == 16) /* one line for each tile would be too few at a time */
            bring_lines(t.bring, (int)width / item, to);
#pragma GCC unroll 4
        for (int64_t i = 0; i < width; i += 16) {
            if (item < 16)
                bring_lines(t.bring, 16 / item, to);
            stream_tile(t.dst + r * VECTORS_OF_LINE * nbytes, t.column + i / item,
                        t.src + i + (even ? r * line * t.pitch : 0), even ? NULL : t.row + r * line, t.pitch, item,
                        nbytes, how);
        }
    }
}

SVI_INLINE void stream_tiles_of(const struct svi_line_tiles *t, int item)
{
    const int width = SVI_TILES_WIDTH(item, false);

    if (t->buffered)
        stream_tiles_by(t, true, BRING_TO_BUFFER, SVI_TILES_WIDTH(item, true), item, VECTOR, PUT_STREAM);
    else if (t->row == NULL)
        stream_tiles_by(t, true, BRING_TO_CACHE, width, item, VECTOR, PUT_STREAM);
    else
        stream_tiles_by(t, false, BRING_TO_CACHE, width, item, VECTOR, PUT_STREAM);
}

static void stream_tiles(const struct svi_line_tiles *t)
{
    switch (t->item) {
    case 1: stream_tiles_of(t, 1); break;
    case 2: stream_tiles_of(t, 2); break;
    case 4: stream_tiles_of(t, 4); break;
    case 8: stream_tiles_of(t, 8); break;
    case 16: stream_tiles_of(t, 16); break;
    }
}

#endif
