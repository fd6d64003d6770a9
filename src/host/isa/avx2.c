#ifdef __x86_64__
#include "host/base/isa.h"
#include "host/isa/convert_avx2.h"
#include "host/isa/avx2.h"
#include "host/isa/baseline.h"
#include "host/base/elements.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c,prfchw"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c,prfchw")
#endif

#include <immintrin.h>

typedef __m256i vec;
#define VEC(name) _mm256_##name
enum { LANES = 2, STORE_VECTORS = 2 };

SVI_INLINE vec load(const char *src)
{
    return _mm256_loadu_si256((const __m256i *)src);
}

SVI_INLINE void store(char *dst, vec v)
{
    _mm256_storeu_si256((__m256i *)dst, v);
}

SVI_INLINE void stream(char *dst, vec v)
{
    SVI_NT_STORE(_mm256_stream_si256, __m256i, dst, v);
}

/* The same 16 bytes in each lane. */
SVI_INLINE vec all_lanes(uint64_t low, uint64_t high)
{
    return _mm256_set_epi64x((int64_t)high, (int64_t)low, (int64_t)high, (int64_t)low);
}

SVI_INLINE void stream_half(char *dst, const char *src)
{
    stream(dst, load(src));
}

SVI_INLINE vec load_lanes(const char *src, int64_t step)
{
    vec v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)src));

    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)(src + step)), 1);
}

SVI_INLINE vec load_rows(const char *src, const int64_t *row, int step)
{
    return load_lanes(src + row[0], row[step] - row[0]);
}

SVI_INLINE vec pick(vec v, vec mask)
{
    return _mm256_shuffle_epi8(v, mask);
}

/* Transposes lanes: the first lanes of n vectors, then the second lanes. */
SVI_INLINE void weave(vec *v, int n)
{
    const vec first = v[0], second = n > 1 ? v[1] : first, third = n > 2 ? v[2] : first;

    switch (n) {
    case 2:
        v[0] = _mm256_permute2x128_si256(first, second, 0x20);
        v[1] = _mm256_permute2x128_si256(first, second, 0x31);
        break;
    case 3:
        v[0] = _mm256_permute2x128_si256(first, second, 0x20);
        v[1] = _mm256_permute2x128_si256(third, first, 0x30);
        v[2] = _mm256_permute2x128_si256(second, third, 0x31);
        break;
    case 4:
        v[0] = _mm256_permute2x128_si256(first, second, 0x20);
        v[1] = _mm256_permute2x128_si256(third, v[3], 0x20);
        v[2] = _mm256_permute2x128_si256(first, second, 0x31);
        v[3] = _mm256_permute2x128_si256(third, v[3], 0x31);
        break;
    }
}

SVI_INLINE vec lanes_backwards(vec v)
{
    return _mm256_permute2x128_si256(v, v, 1);
}

SVI_INLINE void store_lane(char *dst, vec v, int lane)
{
    _mm_storeu_si128((__m128i *)dst, lane == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1));
}

SVI_INLINE vec from_units(const svi_unit *unit)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)unit[0]), (__m128i)unit[1], 1);
}

/* Compacts the first 12 bytes of each lane. */
SVI_INLINE vec closed_up(vec v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

SVI_INLINE void all_closed_up(vec *v)
{
    const vec a = closed_up(v[0]), b = _mm256_permutevar8x32_epi32(v[1], _mm256_setr_epi32(2, 4, 5, 6, 3, 7, 0, 1));
    const vec c = _mm256_permutevar8x32_epi32(v[2], _mm256_setr_epi32(5, 6, 3, 7, 0, 1, 2, 4));
    const vec d = _mm256_permutevar8x32_epi32(v[3], _mm256_setr_epi32(3, 7, 0, 1, 2, 4, 5, 6));

    v[0] = _mm256_blend_epi32(a, b, 0xc0);
    v[1] = _mm256_blend_epi32(b, c, 0xf0);
    v[2] = _mm256_blend_epi32(c, d, 0xfc);
}

#define SVI_ROWS
#define SVI_CONVERTS
#include "host/isa/lanes.h"

/* The state of a funnel shift. If the row begins half a line or more behind a line, each vector is stored one step
 * later. */
struct shift {
    vec late;    /* all bits set if vectors are stored one step later, else none */
    vec parts;   /* the place of each 4-byte part of the result in the present vector; negative: in the one before */
    vec came[2]; /* the last two vectors */
    vec turned;  /* the present vector, rotated by as many parts */
};

SVI_INLINE vec shifted(struct shift *s, vec v)
{
    const vec turned = _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(v, s->came[1], s->late), s->parts);
    const __m256 whole =
        _mm256_blendv_ps(_mm256_castsi256_ps(turned), _mm256_castsi256_ps(s->turned), _mm256_castsi256_ps(s->parts));

    s->came[0] = s->came[1];
    s->came[1] = v;
    s->turned = turned;
    return _mm256_castps_si256(whole);
}

SVI_INLINE struct shift shift_of(const char *carry, int64_t before, int part)
{
    const vec counting = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), first = load(carry), second = load(carry + VECTOR);
    const vec parts = _mm256_sub_epi32(counting, _mm256_set1_epi32((int)(before % VECTOR / part)));

    return (struct shift){_mm256_set1_epi8(before < VECTOR ? 0 : -1),
                          parts,
                          {first, second},
                          _mm256_permutevar8x32_epi32(before < VECTOR ? second : first, parts)};
}

#include "host/isa/unaligned.h"

SVI_INLINE vec load_ends(const char *src, int64_t step)
{
    const __m128i first = _mm_loadu_si128((const __m128i *)src);
    const __m128i second = _mm_loadl_epi64((const __m128i *)(src + step));
    int32_t last;

    memcpy(&last, src + step + 8, sizeof last);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), _mm_insert_epi32(second, last, 2), 1);
}

SVI_INLINE vec words_from(vec a, vec b, int first)
{
    switch (first) {
    case 1: return _mm256_blend_epi32(a, b, 0xee);
    case 2: return _mm256_blend_epi32(a, b, 0xcc);
    default: return _mm256_blend_epi32(a, b, 0x88);
    }
}

#include "host/isa/whole_thirds.h"
#include "host/isa/rows_nt.h"
#include "host/isa/rows_cached.h"
#include "host/isa/channels.h"
#include "host/isa/strided.h"
#include "host/isa/stepped.h"

#include "host/isa/pixels.h"
#include "host/isa/vectors.h"
#include "host/isa/cast_streams.h"

void svi_turn_thirds_avx2(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item)
{
    turn_whole_thirds(dst, dst_pitch, src, src_pitch, count, item);
}

void svi_step_rows_avx2(const struct svi_rows *rows, int64_t step, int item)
{
    step_rows(rows, step, item);
}

const struct svi_isa svi_isa_avx2 = {
    .name = "avx2",
    .vector = VECTOR,
    .narrower = &svi_isa_sse2,
    .store = SVI_STORE_TILES,
    .store_thirds = SVI_THIRD_TILES,
    .whole_thirds = SVI_WHOLE_THIRD_TILES,
    .nt = &nt_kernels,
    .shift =
        &(const struct svi_shift_kernels){
            .columns = shift_columns,
            .items = 1 << 4 | 1 << 8 | 1 << 12 | 1 << 16 | 1 << 24,
        },
    .runs = &(const struct svi_run_kernels){.copy = dense, .fill = fill_rows},
    .channels = &channel_kernels,
    .pixels = &(const struct svi_pixel_kernels){.cached = units, .nt = units_nt, .maskless_units = 4 + 8},
    .reverse = &(const struct svi_reverse_kernels){.line = reverse, .rows = reverse_rows},
    .cast = &(const struct svi_cast_kernels){has_cast_stream, split_cast_stream, turn_cast_stream},
    .steps = (const struct svi_steps[]){{SVI_UNIT, 2, svi_step_rows_avx2}, {SVI_UNIT, 2, svi_step_rows_avx2}},
    .column = column,
    .cached_rows = cached_rows,
    .convert = svi_convert_avx2,
    .scale = svi_scale_avx2,
};

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
