/*
 * Transposes that convert in registers, past the cache. After feeds.h, and the puts of the instruction set; with
 * SVI_PUTS_OF_I64 these have int64 to floating point too.
 */
#ifndef SVI_HOST_TURN_CAST_H
#define SVI_HOST_TURN_CAST_H

/* Items of the source have item bytes, those of the destination halves times half as many. */
SVI_INLINE void turn_cast(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                          int64_t count, struct svi_feed *feed, int item, int halves, put_vector *put)
{
    direct_tiles(dst, column, src, row, pitch, count, feed, true, item, VECTOR * halves / 2, put);
}

typedef vec pair_vectors(vec a, vec b);

/*
 * To half as many bytes: two rows of the source become one of items as large as the source's, which are pairs of the
 * destination's, before they are turned. So half as much is shuffled, and lines are stored whole.
 */
SVI_INLINE void pairs_tile(char *dst, const int64_t *column, const char *src, int64_t pitch, int item,
                           pair_vectors *pair)
{
    const int n = 16 / item, rows_of_vector = 2 * VECTOR / item;
    vec v[4][4];

#pragma GCC unroll 4
    for (int k = 0; k < VECTORS_OF_LINE; k++) {
        const char *row = src + k * rows_of_vector * pitch;

#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
            v[k][i] = pair(load_lanes(row + 2 * i * pitch, 2 * n * pitch),
                           load_lanes(row + (2 * i + 1) * pitch, 2 * n * pitch));
#pragma GCC unroll 2
        for (int i = 1; i < n; i *= 2)
            in_turns(v[k], n, item);
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            stream(dst + column[i] + k * VECTOR, v[k][i]);
}

/* A line of the destination is two of the source. */
SVI_INLINE void turn_pairs(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                           int64_t count, struct svi_feed *feed, int item, pair_vectors *pair)
{
    const int width = item < 8 ? 16 : SVI_LINE;
    struct svi_feed near = *feed;

    for (int64_t k = 0; k < SVI_LINE; k += width)
        for (int64_t r = 0; r < count; r += 2)
#pragma GCC unroll 4
            for (int i = 0; i < width; i += 16) {
                feed_lines(&near, 2 * 16 / item, false);
                pairs_tile(dst + r / 2 * SVI_LINE, column + (k + i) / item, src + row[r * (SVI_LINE / item)] + k + i,
                           pitch, item, pair);
            }
    *feed = near;
}

static void turn_f32_from_u8(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                             int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 1, 8, put_f32_from_u8);
}

static void turn_f32_from_i8(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                             int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 1, 8, put_f32_from_i8);
}

static void turn_f32_from_u16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_f32_from_u16);
}

static void turn_f32_from_i16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_f32_from_i16);
}

static void turn_f32_from_f16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_f32_from_f16);
}

static void turn_f32_from_bf16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                               int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_f32_from_bf16);
}

static void turn_i32_from_u8(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                             int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 1, 8, put_i32_from_u8);
}

static void turn_i32_from_i8(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                             int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 1, 8, put_i32_from_i8);
}

static void turn_i32_from_u16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_i32_from_u16);
}

static void turn_i32_from_i16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 2, 4, put_i32_from_i16);
}

static void turn_f64_from_f32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 4, put_f64_from_f32);
}

static void turn_f64_from_i32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 4, put_f64_from_i32);
}

static void turn_i64_from_i32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 4, put_i64_from_i32);
}

static void turn_f32_from_i32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 2, put_f32_from_i32);
}

static void turn_f32_from_f64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 1, put_f32_from_f64);
}

static void turn_i32_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_pairs(dst, column, src, row, pitch, count, feed, 8, pairs_of_i32_from_i64);
}

static void turn_f16_from_f32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_pairs(dst, column, src, row, pitch, count, feed, 4, pairs_of_f16_from_f32);
}

static void turn_i16_from_i32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_pairs(dst, column, src, row, pitch, count, feed, 4, pairs_of_i16_from_i32);
}

static void turn_bf16_from_f32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                               int64_t count, struct svi_feed *feed)
{
    turn_pairs(dst, column, src, row, pitch, count, feed, 4, pairs_of_bf16_from_f32);
}

#ifdef SVI_PUTS_OF_I64
static void turn_f64_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 2, put_f64_from_i64);
}

static void turn_f32_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 1, put_f32_from_i64);
}
#endif

static svi_directs *const turn_cast_stream[SVI_OP_COUNT] = {
    [SVI_OP_F32_FROM_U8] = turn_f32_from_u8,
    [SVI_OP_F32_FROM_I8] = turn_f32_from_i8,
    [SVI_OP_F32_FROM_U16] = turn_f32_from_u16,
    [SVI_OP_F32_FROM_I16] = turn_f32_from_i16,
    [SVI_OP_F32_FROM_F16] = turn_f32_from_f16,
    [SVI_OP_F32_FROM_BF16] = turn_f32_from_bf16,
    [SVI_OP_I32_FROM_U8] = turn_i32_from_u8,
    [SVI_OP_I32_FROM_I8] = turn_i32_from_i8,
    [SVI_OP_I32_FROM_U16] = turn_i32_from_u16,
    [SVI_OP_I32_FROM_I16] = turn_i32_from_i16,
    [SVI_OP_F64_FROM_F32] = turn_f64_from_f32,
    [SVI_OP_F64_FROM_I32] = turn_f64_from_i32,
    [SVI_OP_I64_FROM_I32] = turn_i64_from_i32,
    [SVI_OP_F32_FROM_I32] = turn_f32_from_i32,
    [SVI_OP_F32_FROM_F64] = turn_f32_from_f64,
    [SVI_OP_I32_FROM_I64] = turn_i32_from_i64,
    [SVI_OP_F16_FROM_F32] = turn_f16_from_f32,
    [SVI_OP_BF16_FROM_F32] = turn_bf16_from_f32,
    [SVI_OP_I16_FROM_I32] = turn_i16_from_i32,
#ifdef SVI_PUTS_OF_I64
    [SVI_OP_F64_FROM_I64] = turn_f64_from_i64,
    [SVI_OP_F32_FROM_I64] = turn_f32_from_i64,
#endif
};

#endif
