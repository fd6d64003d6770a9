/*
 * Pixels to planes, or to one of them, converted in registers and stored past the cache. After the puts of the
 * instruction set, which with SVI_PUTS_OF_I64 have int64 to floating point too, and
 *
 *     deinterleave_by(pixels, dst, src, nbytes, step, put)    put is given each vector, and stores step bytes
 */
#ifndef SVI_HOST_SPLIT_CAST_H
#define SVI_HOST_SPLIT_CAST_H

/* --- to half as many bytes ----------------------------------------------- */

static void split_f32_from_f64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f32_from_f64);
}

static void split_i32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_i32_from_i64);
}

static void split_f16_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f16_from_f32);
}

static void split_bf16_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_bf16_from_f32);
}

static void split_i16_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_i16_from_i32);
}

/* --- to as many ---------------------------------------------------------- */

static void split_f32_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR, put_f32_from_i32);
}

/* --- to twice as many ---------------------------------------------------- */

static void split_f64_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_f32);
}

static void split_f64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_i32);
}

static void split_i64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i64_from_i32);
}

static void split_f32_from_f16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_f16);
}

static void split_f32_from_bf16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_bf16);
}

static void split_f32_from_u16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_u16);
}

static void split_f32_from_i16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_i16);
}

static void split_i32_from_u16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i32_from_u16);
}

static void split_i32_from_i16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i32_from_i16);
}

/* --- to four times as many ----------------------------------------------- */

static void split_f32_from_u8(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_f32_from_u8);
}

static void split_f32_from_i8(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_f32_from_i8);
}

static void split_i32_from_u8(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_i32_from_u8);
}

static void split_i32_from_i8(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_i32_from_i8);
}

#ifdef SVI_PUTS_OF_I64
static void split_f32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f32_from_i64);
}

static void split_f64_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR, put_f64_from_i64);
}
#endif

static svi_pixels_run *const split_cast_stream[SVI_OP_COUNT] = {
    [SVI_OP_F32_FROM_F64] = split_f32_from_f64,
    [SVI_OP_I32_FROM_I64] = split_i32_from_i64,
    [SVI_OP_F16_FROM_F32] = split_f16_from_f32,
    [SVI_OP_BF16_FROM_F32] = split_bf16_from_f32,
    [SVI_OP_I16_FROM_I32] = split_i16_from_i32,
    [SVI_OP_F32_FROM_I32] = split_f32_from_i32,
    [SVI_OP_F64_FROM_F32] = split_f64_from_f32,
    [SVI_OP_F64_FROM_I32] = split_f64_from_i32,
    [SVI_OP_I64_FROM_I32] = split_i64_from_i32,
    [SVI_OP_F32_FROM_F16] = split_f32_from_f16,
    [SVI_OP_F32_FROM_BF16] = split_f32_from_bf16,
    [SVI_OP_F32_FROM_U16] = split_f32_from_u16,
    [SVI_OP_F32_FROM_I16] = split_f32_from_i16,
    [SVI_OP_I32_FROM_U16] = split_i32_from_u16,
    [SVI_OP_I32_FROM_I16] = split_i32_from_i16,
    [SVI_OP_F32_FROM_U8] = split_f32_from_u8,
    [SVI_OP_F32_FROM_I8] = split_f32_from_i8,
    [SVI_OP_I32_FROM_U8] = split_i32_from_u8,
    [SVI_OP_I32_FROM_I8] = split_i32_from_i8,
#ifdef SVI_PUTS_OF_I64
    [SVI_OP_F32_FROM_I64] = split_f32_from_i64,
    [SVI_OP_F64_FROM_I64] = split_f64_from_i64,
#endif
};

#endif
