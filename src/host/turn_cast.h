/* Transposes that convert in registers, past the cache; of avx512.c, after gather_cast.h. */
#ifndef SVI_HOST_TURN_CAST_H
#define SVI_HOST_TURN_CAST_H

SVI_INLINE __m128i quarter(vec v, int lane)
{
    switch (lane) {
    case 0: return _mm512_castsi512_si128(v);
    case 1: return _mm512_extracti32x4_epi32(v, 1);
    case 2: return _mm512_extracti32x4_epi32(v, 2);
    default: return _mm512_extracti32x4_epi32(v, 3);
    }
}

SVI_INLINE vec f32_of(vec v)
{
    return _mm512_castps_si512(_mm512_cvtepi32_ps(v));
}

SVI_INLINE void put_i32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm512_cvtepu8_epi32(quarter(v, k)));
}

SVI_INLINE void put_i32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm512_cvtepi8_epi32(quarter(v, k)));
}

SVI_INLINE void put_f32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm512_cvtepu8_epi32(quarter(v, k))));
}

SVI_INLINE void put_f32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm512_cvtepi8_epi32(quarter(v, k))));
}

SVI_INLINE void put_i32_from_u16(char *dst, vec v)
{
    stream(dst, _mm512_cvtepu16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepu16_epi32(high_half(v)));
}

SVI_INLINE void put_i32_from_i16(char *dst, vec v)
{
    stream(dst, _mm512_cvtepi16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepi16_epi32(high_half(v)));
}

SVI_INLINE void put_f32_from_u16(char *dst, vec v)
{
    stream(dst, f32_of(_mm512_cvtepu16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm512_cvtepu16_epi32(high_half(v))));
}

SVI_INLINE void put_f32_from_i16(char *dst, vec v)
{
    stream(dst, f32_of(_mm512_cvtepi16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm512_cvtepi16_epi32(high_half(v))));
}

/* As svi_round_bf16 does. */
SVI_INLINE void put_bf16_from_f32(char *dst, vec v)
{
    const __mmask16 nan = _mm512_cmp_ps_mask(_mm512_castsi512_ps(v), _mm512_castsi512_ps(v), _CMP_UNORD_Q);
    const vec upper = _mm512_srli_epi32(v, 16), sign = _mm512_and_si512(upper, _mm512_set1_epi32(0x8000));
    const vec odd_one = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    vec to = _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(0x7fff)), odd_one), 16);

    to = _mm512_mask_or_epi32(to, nan, sign, _mm512_set1_epi32(0x7fc0));
    stream_narrow(dst, _mm512_cvtepi32_epi16(to));
}

/* Items of the source have item bytes, those of the destination halves times half as many. */
SVI_INLINE void turn_cast(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                          int64_t count, struct svi_feed *feed, int item, int halves, put_vector *put)
{
    direct_tiles(dst, column, src, row, pitch, count, feed, true, item, VECTOR * halves / 2, put);
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

static void turn_f64_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 2, put_f64_from_i64);
}

static void turn_f32_from_f64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 1, put_f32_from_f64);
}

static void turn_f32_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 1, put_f32_from_i64);
}

static void turn_i32_from_i64(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 8, 1, put_i32_from_i64);
}

static void turn_f16_from_f32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 1, put_f16_from_f32);
}

static void turn_i16_from_i32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                              int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 1, put_i16_from_i32);
}

static void turn_bf16_from_f32(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                               int64_t count, struct svi_feed *feed)
{
    turn_cast(dst, column, src, row, pitch, count, feed, 4, 1, put_bf16_from_f32);
}

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
    [SVI_OP_F64_FROM_I64] = turn_f64_from_i64,
    [SVI_OP_F32_FROM_F64] = turn_f32_from_f64,
    [SVI_OP_F32_FROM_I64] = turn_f32_from_i64,
    [SVI_OP_I32_FROM_I64] = turn_i32_from_i64,
    [SVI_OP_F16_FROM_F32] = turn_f16_from_f32,
    [SVI_OP_BF16_FROM_F32] = turn_bf16_from_f32,
    [SVI_OP_I16_FROM_I32] = turn_i16_from_i32,
};

#endif
