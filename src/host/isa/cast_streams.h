/*
 * Deinterleaving and transposes that convert in registers, for operations of one or few instructions. Lines are whole
 * and stored by non-temporal stores. For AVX2 and AVX-512; after lanes.h, pixels.h and vectors.h.
 */
#ifndef SVI_HOST_CAST_STREAMS_H
#define SVI_HOST_CAST_STREAMS_H

/* --- a vector that is converted and stored ----------------------------------------- */

/* Converts a vector and stores it: one vector or more, or half of one, by the sizes of the items. op is a constant. */
SVI_INLINE void put_by(char *dst, vec v, int op)
{
    switch (op) {
    case PUT_STORE: store(dst, v); break;
    case PUT_STREAM: stream(dst, v); break;
    case SVI_OP_F32_FROM_F64: stream_half_vec(dst, (half_vec)VEC(cvtpd_ps)((doubles)v)); break;
    case SVI_OP_I32_FROM_I64: stream_half_vec(dst, low_ints_of(v)); break;
    case SVI_OP_F16_FROM_F32: stream_half_vec(dst, as_f16((floats)v)); break;
    case SVI_OP_BF16_FROM_F32: stream_half_vec(dst, low_words_of(VEC(srli_epi32)(rounded(v), 16))); break;
    case SVI_OP_I16_FROM_I32: stream_half_vec(dst, low_words_of(v)); break;
    case SVI_OP_F32_FROM_I32: stream(dst, as_f32(v)); break;
#ifdef SVI_AVX512
    case SVI_OP_F32_FROM_I64: stream_half_vec(dst, (half_vec)VEC(cvtepi64_ps)(v)); break;
    case SVI_OP_F64_FROM_I64: stream(dst, (vec)VEC(cvtepi64_pd)(v)); break;
#endif
    case SVI_OP_F32_FROM_U8:
    case SVI_OP_F32_FROM_I8:
    case SVI_OP_I32_FROM_U8:
    case SVI_OP_I32_FROM_I8:
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            stream(dst + k * VECTOR, from_bytes(quarter_of(v, k), (enum svi_op)op));
        break;
    default:
        stream(dst, from_halves(half_of(v, 0), (enum svi_op)op));
        stream(dst + VECTOR, from_halves(half_of(v, 1), (enum svi_op)op));
    }
}

/* --- transposes to half as many bytes ------------------------------------------------ */

SVI_INLINE vec paired(vec a, vec b, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_I64: return paired_ints(a, VEC(slli_epi64)(b, 32));
    case SVI_OP_I16_FROM_I32: return paired_words(a, VEC(slli_epi32)(b, 16));
    case SVI_OP_BF16_FROM_F32: return paired_words(VEC(srli_epi32)(rounded(a), 16), rounded(b));
    default: a = VEC(cvtepu16_epi32)(as_f16((floats)a));
    }
    return a | VEC(slli_epi32)(VEC(cvtepu16_epi32)(as_f16((floats)b)), 16);
}

/*
 * A conversion to items of half the size. Before the transpose, two rows of the source become one row of pairs of
 * items, which have the size of the source's items. So half as many bytes are shuffled, and whole lines are stored.
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

/* Transposes pairs of rows: a line of the destination comes from two lines of the source. */
SVI_INLINE void turn_pairs(const struct svi_line_tiles *tiles, int item, enum svi_op op)
{
    const struct svi_line_tiles t = *tiles; /* a copy, which is kept in registers */

    for (int64_t r = 0; r < t.count; r += 2)
        for (int64_t i = 0; i < t.width; i += 16)
            pairs_tile(t.dst + r / 2 * SVI_LINE, t.column + i / item, t.src + i + r * (SVI_LINE / item) * t.pitch,
                       t.pitch, item, op);
}

/* --- all operations ------------------------------------------------------------------- */

/* A transpose (tiles) or a deinterleave (pixels), or neither if only the operation is looked up. */
struct conversion {
    const struct svi_line_tiles *tiles;
    const struct svi_pixels *pixels;
    char *dst;
    const char *src;
    int64_t nbytes;
};

/* Runs a conversion by op, a constant, from items of `from` bytes to items of `to` bytes. */
SVI_INLINE void convert_by(const struct conversion *c, enum svi_op op, int from, int to)
{
    if (c->pixels != NULL)
        deinterleave_by(c->pixels, c->dst, c->src, c->nbytes, VECTOR * to / from, op);
    else if (c->tiles != NULL && (op == SVI_OP_I32_FROM_I64 || to == 2))
        turn_pairs(c->tiles, from, op);
    else if (c->tiles != NULL)
        stream_tiles_by(c->tiles, true, BRING_NOTHING, c->tiles->width, from, VECTOR * to / from, op);
}

/* Runs a conversion by op. False: the operation is not done in registers. */
static bool convert(const struct conversion *c, enum svi_op op)
{
    switch (op) {
    case SVI_OP_F32_FROM_U8: convert_by(c, SVI_OP_F32_FROM_U8, 1, 4); return true;
    case SVI_OP_F32_FROM_I8: convert_by(c, SVI_OP_F32_FROM_I8, 1, 4); return true;
    case SVI_OP_I32_FROM_U8: convert_by(c, SVI_OP_I32_FROM_U8, 1, 4); return true;
    case SVI_OP_I32_FROM_I8: convert_by(c, SVI_OP_I32_FROM_I8, 1, 4); return true;
    case SVI_OP_F32_FROM_U16: convert_by(c, SVI_OP_F32_FROM_U16, 2, 4); return true;
    case SVI_OP_F32_FROM_I16: convert_by(c, SVI_OP_F32_FROM_I16, 2, 4); return true;
    case SVI_OP_F32_FROM_F16: convert_by(c, SVI_OP_F32_FROM_F16, 2, 4); return true;
    case SVI_OP_F32_FROM_BF16: convert_by(c, SVI_OP_F32_FROM_BF16, 2, 4); return true;
    case SVI_OP_I32_FROM_U16: convert_by(c, SVI_OP_I32_FROM_U16, 2, 4); return true;
    case SVI_OP_I32_FROM_I16: convert_by(c, SVI_OP_I32_FROM_I16, 2, 4); return true;
    case SVI_OP_F64_FROM_F32: convert_by(c, SVI_OP_F64_FROM_F32, 4, 8); return true;
    case SVI_OP_F64_FROM_I32: convert_by(c, SVI_OP_F64_FROM_I32, 4, 8); return true;
    case SVI_OP_I64_FROM_I32: convert_by(c, SVI_OP_I64_FROM_I32, 4, 8); return true;
    case SVI_OP_F32_FROM_I32: convert_by(c, SVI_OP_F32_FROM_I32, 4, 4); return true;
    case SVI_OP_F32_FROM_F64: convert_by(c, SVI_OP_F32_FROM_F64, 8, 4); return true;
    case SVI_OP_I32_FROM_I64: convert_by(c, SVI_OP_I32_FROM_I64, 8, 4); return true;
    case SVI_OP_F16_FROM_F32: convert_by(c, SVI_OP_F16_FROM_F32, 4, 2); return true;
    case SVI_OP_BF16_FROM_F32: convert_by(c, SVI_OP_BF16_FROM_F32, 4, 2); return true;
    case SVI_OP_I16_FROM_I32: convert_by(c, SVI_OP_I16_FROM_I32, 4, 2); return true;
#ifdef SVI_AVX512
    case SVI_OP_F64_FROM_I64: convert_by(c, SVI_OP_F64_FROM_I64, 8, 8); return true;
    case SVI_OP_F32_FROM_I64: convert_by(c, SVI_OP_F32_FROM_I64, 8, 4); return true;
#endif
    default: return false;
    }
}

static bool has_cast_stream(enum svi_op op)
{
    return convert(&(const struct conversion){0}, op);
}

static void split_cast_stream(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    convert(&(const struct conversion){.pixels = p, .dst = dst, .src = src, .nbytes = nbytes}, p->op);
}

static void turn_cast_stream(const struct svi_line_tiles *tiles)
{
    convert(&(const struct conversion){.tiles = tiles}, tiles->op);
}

#endif
