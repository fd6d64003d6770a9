/* Every second, third or fourth number converted in registers, stored past the cache; after gather.h and the puts of the set. */
#ifndef SVI_HOST_GATHER_CAST_H
#define SVI_HOST_GATHER_CAST_H

/* --- to half as many bytes ------------------------------------------------- */

static void gather_f32_from_f64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f32_from_f64);
}

static void gather_f32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f32_from_i64);
}

static void gather_i32_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_i32_from_i64);
}

static void gather_f16_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_f16_from_f32);
}

static void gather_i16_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR / 2, put_i16_from_i32);
}

/* --- to as many ------------------------------------------------------------ */

static void gather_f32_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR, put_f32_from_i32);
}

static void gather_f64_from_i64(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, VECTOR, put_f64_from_i64);
}

/* --- to twice as many ------------------------------------------------------ */

static void gather_f64_from_f32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_f32);
}

static void gather_f64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_i32);
}

static void gather_i64_from_i32(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_i64_from_i32);
}

static void gather_f32_from_f16(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    gather(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_f16);
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
