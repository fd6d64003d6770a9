/*
 * Pixels to planes and transposes that convert in registers, for what one instruction or few convert, stored past the
 * cache, with AVX2 or AVX-512. After feeds.h, pixels.h and vectors_x86.h; SVI_INT64_TO_FLOAT: there are instructions
 * for that, too.
 */
#ifndef SVI_HOST_CAST_STREAMS_H
#define SVI_HOST_CAST_STREAMS_H

/* --- a vector that is converted and stored: put_vector of lanes.h ------------------ */

SVI_INLINE void put_f32_from_f64(char *dst, vec v)
{
    stream_half_vec(dst, (half_vec)VEC(cvtpd_ps)((doubles)v));
}

SVI_INLINE void put_i32_from_i64(char *dst, vec v)
{
    stream_half_vec(dst, low_ints_of(v));
}

SVI_INLINE void put_f16_from_f32(char *dst, vec v)
{
    stream_half_vec(dst, as_f16((floats)v));
}

SVI_INLINE void put_bf16_from_f32(char *dst, vec v)
{
    stream_half_vec(dst, low_words_of(VEC(srli_epi32)(rounded(v), 16)));
}

SVI_INLINE void put_i16_from_i32(char *dst, vec v)
{
    stream_half_vec(dst, low_words_of(v));
}

SVI_INLINE void put_f32_from_i32(char *dst, vec v)
{
    stream(dst, as_f32(v));
}

#ifdef SVI_INT64_TO_FLOAT
SVI_INLINE void put_f32_from_i64(char *dst, vec v)
{
    stream_half_vec(dst, (half_vec)VEC(cvtepi64_ps)(v));
}

SVI_INLINE void put_f64_from_i64(char *dst, vec v)
{
    stream(dst, (vec)VEC(cvtepi64_pd)(v));
}
#endif

/* To two vectors. */
SVI_INLINE void put_2(char *dst, vec v, enum svi_op op)
{
    stream(dst, from_halves(half_of(v, 0), op));
    stream(dst + VECTOR, from_halves(half_of(v, 1), op));
}

/* To four. */
SVI_INLINE void put_4(char *dst, vec v, enum svi_op op)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, from_bytes(quarter_of(v, k), op));
}

SVI_INLINE void put_f64_from_f32(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F64_FROM_F32);
}

SVI_INLINE void put_f64_from_i32(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F64_FROM_I32);
}

SVI_INLINE void put_i64_from_i32(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_I64_FROM_I32);
}

SVI_INLINE void put_f32_from_f16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F32_FROM_F16);
}

SVI_INLINE void put_f32_from_bf16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F32_FROM_BF16);
}

SVI_INLINE void put_f32_from_u16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F32_FROM_U16);
}

SVI_INLINE void put_f32_from_i16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_F32_FROM_I16);
}

SVI_INLINE void put_i32_from_u16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_I32_FROM_U16);
}

SVI_INLINE void put_i32_from_i16(char *dst, vec v)
{
    put_2(dst, v, SVI_OP_I32_FROM_I16);
}

SVI_INLINE void put_f32_from_u8(char *dst, vec v)
{
    put_4(dst, v, SVI_OP_F32_FROM_U8);
}

SVI_INLINE void put_f32_from_i8(char *dst, vec v)
{
    put_4(dst, v, SVI_OP_F32_FROM_I8);
}

SVI_INLINE void put_i32_from_u8(char *dst, vec v)
{
    put_4(dst, v, SVI_OP_I32_FROM_U8);
}

SVI_INLINE void put_i32_from_i8(char *dst, vec v)
{
    put_4(dst, v, SVI_OP_I32_FROM_I8);
}

/* --- pixels to planes, or to one of them: p->op --------------------------------------- */

static void split_cast_stream(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    switch (p->op) {
    case SVI_OP_F32_FROM_F64: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f32_from_f64); break;
    case SVI_OP_I32_FROM_I64: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_i32_from_i64); break;
    case SVI_OP_F16_FROM_F32: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f16_from_f32); break;
    case SVI_OP_BF16_FROM_F32: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_bf16_from_f32); break;
    case SVI_OP_I16_FROM_I32: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_i16_from_i32); break;
    case SVI_OP_F32_FROM_I32: deinterleave_by(p, dst, src, nbytes, VECTOR, put_f32_from_i32); break;
    case SVI_OP_F64_FROM_F32: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_f32); break;
    case SVI_OP_F64_FROM_I32: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f64_from_i32); break;
    case SVI_OP_I64_FROM_I32: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i64_from_i32); break;
    case SVI_OP_F32_FROM_F16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_f16); break;
    case SVI_OP_F32_FROM_BF16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_bf16); break;
    case SVI_OP_F32_FROM_U16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_u16); break;
    case SVI_OP_F32_FROM_I16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_f32_from_i16); break;
    case SVI_OP_I32_FROM_U16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i32_from_u16); break;
    case SVI_OP_I32_FROM_I16: deinterleave_by(p, dst, src, nbytes, 2 * VECTOR, put_i32_from_i16); break;
    case SVI_OP_F32_FROM_U8: deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_f32_from_u8); break;
    case SVI_OP_F32_FROM_I8: deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_f32_from_i8); break;
    case SVI_OP_I32_FROM_U8: deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_i32_from_u8); break;
    case SVI_OP_I32_FROM_I8: deinterleave_by(p, dst, src, nbytes, 4 * VECTOR, put_i32_from_i8); break;
#ifdef SVI_INT64_TO_FLOAT
    case SVI_OP_F32_FROM_I64: deinterleave_by(p, dst, src, nbytes, VECTOR / 2, put_f32_from_i64); break;
    case SVI_OP_F64_FROM_I64: deinterleave_by(p, dst, src, nbytes, VECTOR, put_f64_from_i64); break;
#endif
    default: break;
    }
}

/* --- transposes: t->op -------------------------------------------------------------------- */

/* Items of the source have item bytes, those of the destination halves times half as many. */
SVI_INLINE void turn_by(const struct svi_line_tiles *t, struct svi_feed *feed, int item, int halves, put_vector *put)
{
    stream_tiles_by(t, feed, false, true, item, VECTOR * halves / 2, put);
}

SVI_INLINE vec paired(vec a, vec b, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_I64: return paired_ints(a, VEC(slli_epi64)(b, 32));
    case SVI_OP_I16_FROM_I32: return paired_words(a, VEC(slli_epi32)(b, 16));
    case SVI_OP_BF16_FROM_F32: return paired_words(VEC(srli_epi32)(rounded(a), 16), rounded(b));
    default: a = VEC(cvtepu16_epi32)(as_f16((floats)a));
    }
    return either(a, VEC(slli_epi32)(VEC(cvtepu16_epi32)(as_f16((floats)b)), 16));
}

/*
 * To half as many bytes: two rows of the source become one of items as large as the source's, which are pairs of the
 * destination's, before they are turned. So half as much is shuffled, and lines are stored whole.
 */
SVI_INLINE void pairs_tile(char *dst, const int64_t *column, const char *src, int64_t pitch, int item, enum svi_op op)
{
    const int n = 16 / item, rows_of_vector = 2 * VECTOR / item;
    vec v[4][4];

#pragma GCC unroll 4
    for (int k = 0; k < VECTORS_OF_LINE; k++) {
        const char *row = src + k * rows_of_vector * pitch;

#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
            v[k][i] = paired(load_lanes(row + 2 * i * pitch, 2 * n * pitch),
                             load_lanes(row + (2 * i + 1) * pitch, 2 * n * pitch), op);
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
SVI_INLINE void turn_pairs(const struct svi_line_tiles *t, struct svi_feed *feed, int item, enum svi_op op)
{
    const int width = item < 8 ? 16 : SVI_LINE;
    struct svi_feed near = *feed;

    for (int64_t k = 0; k < SVI_LINE; k += width)
        for (int64_t r = 0; r < t->count; r += 2)
#pragma GCC unroll 4
            for (int i = 0; i < width; i += 16) {
                feed_lines(&near, 2 * 16 / item, false);
                pairs_tile(t->dst + r / 2 * SVI_LINE, t->column + (k + i) / item,
                           t->src + t->row[r * (SVI_LINE / item)] + k + i, t->pitch, item, op);
            }
    *feed = near;
}

static void turn_cast_stream(const struct svi_line_tiles *t, struct svi_feed *feed)
{
    switch (t->op) {
    case SVI_OP_F32_FROM_U8: turn_by(t, feed, 1, 8, put_f32_from_u8); break;
    case SVI_OP_F32_FROM_I8: turn_by(t, feed, 1, 8, put_f32_from_i8); break;
    case SVI_OP_I32_FROM_U8: turn_by(t, feed, 1, 8, put_i32_from_u8); break;
    case SVI_OP_I32_FROM_I8: turn_by(t, feed, 1, 8, put_i32_from_i8); break;
    case SVI_OP_F32_FROM_U16: turn_by(t, feed, 2, 4, put_f32_from_u16); break;
    case SVI_OP_F32_FROM_I16: turn_by(t, feed, 2, 4, put_f32_from_i16); break;
    case SVI_OP_F32_FROM_F16: turn_by(t, feed, 2, 4, put_f32_from_f16); break;
    case SVI_OP_F32_FROM_BF16: turn_by(t, feed, 2, 4, put_f32_from_bf16); break;
    case SVI_OP_I32_FROM_U16: turn_by(t, feed, 2, 4, put_i32_from_u16); break;
    case SVI_OP_I32_FROM_I16: turn_by(t, feed, 2, 4, put_i32_from_i16); break;
    case SVI_OP_F64_FROM_F32: turn_by(t, feed, 4, 4, put_f64_from_f32); break;
    case SVI_OP_F64_FROM_I32: turn_by(t, feed, 4, 4, put_f64_from_i32); break;
    case SVI_OP_I64_FROM_I32: turn_by(t, feed, 4, 4, put_i64_from_i32); break;
    case SVI_OP_F32_FROM_I32: turn_by(t, feed, 4, 2, put_f32_from_i32); break;
    case SVI_OP_F32_FROM_F64: turn_by(t, feed, 8, 1, put_f32_from_f64); break;
    case SVI_OP_I32_FROM_I64: turn_pairs(t, feed, 8, SVI_OP_I32_FROM_I64); break;
    case SVI_OP_F16_FROM_F32: turn_pairs(t, feed, 4, SVI_OP_F16_FROM_F32); break;
    case SVI_OP_BF16_FROM_F32: turn_pairs(t, feed, 4, SVI_OP_BF16_FROM_F32); break;
    case SVI_OP_I16_FROM_I32: turn_pairs(t, feed, 4, SVI_OP_I16_FROM_I32); break;
#ifdef SVI_INT64_TO_FLOAT
    case SVI_OP_F64_FROM_I64: turn_by(t, feed, 8, 2, put_f64_from_i64); break;
    case SVI_OP_F32_FROM_I64: turn_by(t, feed, 8, 1, put_f32_from_i64); break;
#endif
    default: break;
    }
}

/* Which operations both of them have. */
static const bool has_cast_stream[SVI_OP_COUNT] = {
    [SVI_OP_F32_FROM_F64] = true, [SVI_OP_I32_FROM_I64] = true, [SVI_OP_F16_FROM_F32] = true,
    [SVI_OP_BF16_FROM_F32] = true, [SVI_OP_I16_FROM_I32] = true, [SVI_OP_F32_FROM_I32] = true,
    [SVI_OP_F64_FROM_F32] = true, [SVI_OP_F64_FROM_I32] = true, [SVI_OP_I64_FROM_I32] = true,
    [SVI_OP_F32_FROM_F16] = true, [SVI_OP_F32_FROM_BF16] = true, [SVI_OP_F32_FROM_U16] = true,
    [SVI_OP_F32_FROM_I16] = true, [SVI_OP_I32_FROM_U16] = true, [SVI_OP_I32_FROM_I16] = true,
    [SVI_OP_F32_FROM_U8] = true, [SVI_OP_F32_FROM_I8] = true, [SVI_OP_I32_FROM_U8] = true,
    [SVI_OP_I32_FROM_I8] = true,
#ifdef SVI_INT64_TO_FLOAT
    [SVI_OP_F32_FROM_I64] = true, [SVI_OP_F64_FROM_I64] = true,
#endif
};

#endif
