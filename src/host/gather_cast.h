/* Every second, third or fourth number converted in registers, stored past the cache; of avx512.c, after gather.h. */
#ifndef SVI_HOST_GATHER_CAST_H
#define SVI_HOST_GATHER_CAST_H

SVI_INLINE void stream_narrow(char *dst, __m256i v)
{
    _mm256_stream_si256((__m256i *)dst, v);
}

SVI_INLINE __m256i low_half(vec v)
{
    return _mm512_castsi512_si256(v);
}

SVI_INLINE __m256i high_half(vec v)
{
    return _mm512_extracti64x4_epi64(v, 1);
}

/* --- to half as many bytes ------------------------------------------------- */

SVI_INLINE void put_f32_from_f64(char *dst, vec v)
{
    stream_narrow(dst, _mm256_castps_si256(_mm512_cvtpd_ps(_mm512_castsi512_pd(v))));
}

static void gather_f32_from_f64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f32_from_f64);
}

SVI_INLINE void put_f32_from_i64(char *dst, vec v)
{
    stream_narrow(dst, _mm256_castps_si256(_mm512_cvtepi64_ps(v)));
}

static void gather_f32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f32_from_i64);
}

SVI_INLINE void put_i32_from_i64(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtepi64_epi32(v));
}

static void gather_i32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_i32_from_i64);
}

SVI_INLINE void put_f16_from_f32(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtps_ph(_mm512_castsi512_ps(v), _MM_FROUND_TO_NEAREST_INT));
}

static void gather_f16_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f16_from_f32);
}

SVI_INLINE void put_i16_from_i32(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtepi32_epi16(v));
}

static void gather_i16_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_i16_from_i32);
}

/* --- to as many ------------------------------------------------------------ */

SVI_INLINE void put_f32_from_i32(char *dst, vec v)
{
    stream(dst, _mm512_castps_si512(_mm512_cvtepi32_ps(v)));
}

static void gather_f32_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR, put_f32_from_i32);
}

SVI_INLINE void put_f64_from_i64(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtepi64_pd(v)));
}

static void gather_f64_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR, put_f64_from_i64);
}

/* --- to twice as many ------------------------------------------------------ */

SVI_INLINE void put_f64_from_f32(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(low_half(v)))));
    stream(dst + VECTOR, _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(high_half(v)))));
}

static void gather_f64_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_f32);
}

SVI_INLINE void put_f64_from_i32(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtepi32_pd(low_half(v))));
    stream(dst + VECTOR, _mm512_castpd_si512(_mm512_cvtepi32_pd(high_half(v))));
}

static void gather_f64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_i32);
}

SVI_INLINE void put_i64_from_i32(char *dst, vec v)
{
    stream(dst, _mm512_cvtepi32_epi64(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepi32_epi64(high_half(v)));
}

static void gather_i64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_i64_from_i32);
}

SVI_INLINE void put_f32_from_f16(char *dst, vec v)
{
    stream(dst, _mm512_castps_si512(_mm512_cvtph_ps(low_half(v))));
    stream(dst + VECTOR, _mm512_castps_si512(_mm512_cvtph_ps(high_half(v))));
}

static void gather_f32_from_f16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_f16);
}

SVI_INLINE void put_f32_from_bf16(char *dst, vec v)
{
    stream(dst, _mm512_slli_epi32(_mm512_cvtepu16_epi32(low_half(v)), 16));
    stream(dst + VECTOR, _mm512_slli_epi32(_mm512_cvtepu16_epi32(high_half(v)), 16));
}

static void gather_f32_from_bf16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_bf16);
}

static svi_pixels_run *const gather_cast_stream[SVI_OP_COUNT] = {
    [SVI_OP_F32_FROM_F64] = gather_f32_from_f64,
    [SVI_OP_F32_FROM_I64] = gather_f32_from_i64,
    [SVI_OP_I32_FROM_I64] = gather_i32_from_i64,
    [SVI_OP_F16_FROM_F32] = gather_f16_from_f32,
    [SVI_OP_I16_FROM_I32] = gather_i16_from_i32,
    [SVI_OP_F32_FROM_I32] = gather_f32_from_i32,
    [SVI_OP_F64_FROM_I64] = gather_f64_from_i64,
    [SVI_OP_F64_FROM_F32] = gather_f64_from_f32,
    [SVI_OP_F64_FROM_I32] = gather_f64_from_i32,
    [SVI_OP_I64_FROM_I32] = gather_i64_from_i32,
    [SVI_OP_F32_FROM_F16] = gather_f32_from_f16,
    [SVI_OP_F32_FROM_BF16] = gather_f32_from_bf16,
};

#endif
