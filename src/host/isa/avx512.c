#ifdef __x86_64__
#include "dtype/chain.h"
#include "base/checked.h"
#include "host/base/isa.h"
#include "host/isa/convert_avx512.h"
#include "host/isa/avx512.h"
#include "host/isa/avx2.h"
#include "host/base/elements.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prfchw"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prfchw")
#endif

#include <immintrin.h>

typedef __m512i vec;
#define VEC(name) _mm512_##name
enum { LANES = 4, STORE_VECTORS = 1 };

/* For functions that permute bytes (VBMI), which not all processors with AVX-512 can. */
#define SVI_VBMI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,prfchw")))

#define SVI_AVX512
#include "host/isa/vectors.h"

SVI_INLINE vec load(const char *src)
{
    return _mm512_loadu_si512(src);
}

SVI_INLINE void store(char *dst, vec v)
{
    _mm512_storeu_si512(dst, v);
}

SVI_INLINE void stream(char *dst, vec v)
{
    SVI_NT_STORE(_mm512_stream_si512, __m512i, dst, v);
}

/* The same 16 bytes in each lane. */
SVI_INLINE vec all_lanes(uint64_t low, uint64_t high)
{
    return _mm512_broadcast_i32x4(_mm_set_epi64x((int64_t)high, (int64_t)low));
}

SVI_INLINE void stream_half(char *dst, const char *src)
{
    SVI_NT_STORE(_mm256_stream_si256, __m256i, dst, _mm256_loadu_si256((const __m256i *)src));
}

SVI_INLINE __m256i two_lanes(const char *low, const char *high)
{
    __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));

    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)high), 1);
}

SVI_INLINE vec load_lanes(const char *src, int64_t step)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(two_lanes(src, src + step)),
                              two_lanes(src + 2 * step, src + 3 * step), 1);
}

SVI_INLINE vec load_rows(const char *src, const int64_t *row, int step)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(two_lanes(src + row[0], src + row[step])),
                              two_lanes(src + row[2 * step], src + row[3 * step]), 1);
}

SVI_INLINE vec load_halves(const char *src, int64_t step)
{
    const vec v = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)src));

    return _mm512_inserti64x4(v, _mm256_loadu_si256((const __m256i *)(src + step)), 1);
}

SVI_INLINE vec even(vec a, vec b)
{
    return _mm512_shuffle_i32x4(a, b, 0x88);
}

SVI_INLINE vec odd(vec a, vec b)
{
    return _mm512_shuffle_i32x4(a, b, 0xdd);
}

SVI_INLINE vec pick(vec v, vec mask)
{
    return _mm512_shuffle_epi8(v, mask);
}

/* Transposes lanes: the first lanes of n vectors, then the second lanes, and so on. */
SVI_INLINE void weave(vec *v, int n)
{
    const vec a = v[0], b = n > 1 ? v[1] : a, c = n > 2 ? v[2] : a, d = n > 3 ? v[3] : a;

    switch (n) {
    case 2:
        v[0] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b);
        v[1] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b);
        break;
    case 3:
        v[0] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 0, 0, 2, 3), b);
        v[1] = _mm512_permutex2var_epi64(b, _mm512_setr_epi64(2, 3, 0, 0, 12, 13, 4, 5), a);
        v[2] = _mm512_permutex2var_epi64(c, _mm512_setr_epi64(4, 5, 14, 15, 0, 0, 6, 7), a);
        v[0] = _mm512_mask_permutexvar_epi64(v[0], 0x30, _mm512_setr_epi64(0, 0, 0, 0, 0, 1, 0, 0), c);
        v[1] = _mm512_mask_permutexvar_epi64(v[1], 0x0c, _mm512_setr_epi64(0, 0, 2, 3, 0, 0, 0, 0), c);
        v[2] = _mm512_mask_permutexvar_epi64(v[2], 0x30, _mm512_setr_epi64(0, 0, 0, 0, 6, 7, 0, 0), b);
        break;
    case 4:
        v[0] = even(_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(c, d, 0x44));
        v[1] = odd(_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(c, d, 0x44));
        v[2] = even(_mm512_shuffle_i32x4(a, b, 0xee), _mm512_shuffle_i32x4(c, d, 0xee));
        v[3] = odd(_mm512_shuffle_i32x4(a, b, 0xee), _mm512_shuffle_i32x4(c, d, 0xee));
        break;
    }
}

SVI_INLINE vec lanes_backwards(vec v)
{
    return _mm512_shuffle_i32x4(v, v, 0x1b);
}

/* lane is a constant. */
SVI_INLINE void store_lane(char *dst, vec v, int lane)
{
    _mm_storeu_si128((__m128i *)dst, quarter_of(v, lane));
}

SVI_INLINE vec from_units(const svi_unit *unit)
{
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)unit[0]), (__m128i)unit[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)unit[2]), (__m128i)unit[3], 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Compacts the first 12 bytes of each lane. */
SVI_INLINE vec closed_up(vec v)
{
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15), v);
}

SVI_INLINE void all_closed_up(vec *v)
{
    v[0] = _mm512_permutex2var_epi32(v[0], _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20),
                                     v[1]);
    v[1] = _mm512_permutex2var_epi32(
        v[1], _mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25), v[2]);
    v[2] = _mm512_permutex2var_epi32(
        v[2], _mm512_setr_epi32(10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30), v[3]);
}

#define SVI_ROWS
#define SVI_CONVERTS
#include "host/isa/lanes.h"

/* The state of a funnel shift of a row that begins some bytes behind a line. */
struct shift {
    int part;    /* bytes of a part */
    vec parts; /* the place of each part of the result in the vector before and the present one; of bytes, of words */
    vec bits; /* of bytes: the bits by which two neighbouring words are shifted */
    vec came[1]; /* the last vector */
};

SVI_INLINE vec shifted_bytes(const struct shift *s, vec last, vec v)
{
    const vec low = _mm512_permutex2var_epi32(last, s->parts, v);
    const vec high = _mm512_permutex2var_epi32(last, _mm512_add_epi32(s->parts, _mm512_set1_epi32(1)), v);

    return _mm512_or_si512(_mm512_srlv_epi32(low, s->bits),
                           _mm512_sllv_epi32(high, _mm512_sub_epi32(_mm512_set1_epi32(32), s->bits)));
}

SVI_INLINE vec shifted(struct shift *s, vec v)
{
    const vec last = s->came[0];

    s->came[0] = v;
    if (s->part == 1)
        return shifted_bytes(s, last, v);
    return s->part == 2 ? _mm512_permutex2var_epi16(last, s->parts, v) : _mm512_permutex2var_epi32(last, s->parts, v);
}

SVI_INLINE struct shift shift_of(const char *carry, int64_t before, int part)
{
    const vec counting = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const vec pairs =
        _mm512_add_epi32(_mm512_mullo_epi32(counting, _mm512_set1_epi32(0x20002)), _mm512_set1_epi32(0x10000));
    const int past = (int)(SVI_LINE - before), first = past / (part == 2 ? 2 : 4);
    struct shift s = {.part = part, .came = {load(carry)}};

    if (part == 2)
        s.parts = _mm512_add_epi16(pairs, _mm512_set1_epi16((short)first));
    else
        s.parts = _mm512_add_epi32(counting, _mm512_set1_epi32(first));
    s.bits = _mm512_set1_epi32(past % 4 * 8);
    return s;
}

SVI_INLINE void store_bytes(char *line, int64_t from, int64_t to, vec v)
{
    _mm512_mask_storeu_epi8(line, ~(uint64_t)0 << from & ~(uint64_t)0 >> (SVI_LINE - to), v);
}

/* Interleaves units of 4 or 8 bytes of three vectors. */
SVI_INLINE void three_in_turns(vec *v, int unit)
{
    const vec a = v[0], b = v[1], c = v[2];

    if (unit == 4) {
        v[0] = _mm512_permutex2var_epi32(a, _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5), b);
        v[1] =
            _mm512_permutex2var_epi32(a, _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26), b);
        v[2] = _mm512_permutex2var_epi32(a, _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0),
                                         b);
        v[0] = _mm512_permutex2var_epi32(v[0],
                                         _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15), c);
        v[1] = _mm512_permutex2var_epi32(v[1],
                                         _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15), c);
        v[2] = _mm512_permutex2var_epi32(
            v[2], _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31), c);
        return;
    }
    v[0] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10), b);
    v[1] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5), b);
    v[2] = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0), b);
    v[0] = _mm512_permutex2var_epi64(v[0], _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7), c);
    v[1] = _mm512_permutex2var_epi64(v[1], _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7), c);
    v[2] = _mm512_permutex2var_epi64(v[2], _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15), c);
}

#include "host/isa/unaligned.h"
#include "host/isa/source_order.h"

#include "host/isa/rows_nt.h"
#include "host/isa/rows_cached.h"
#include "host/isa/channels.h"
#include "host/isa/strided.h"
#include "host/isa/permute_lines.h"
#include "host/isa/stepped_vbmi.h"

#include "host/isa/pixels.h"
#include "host/isa/cast_streams.h"

const struct svi_isa svi_isa_avx512 = {
    .name = "avx512",
    .vector = VECTOR,
    .narrower = &svi_isa_avx2,
    .store = SVI_STORE_TILES,
    .store_thirds = SVI_THIRD_TILES,
    .whole_thirds = SVI_WHOLE_THIRD_TILES,
    .nt = &nt_kernels,
    .shift =
        &(const struct svi_shift_kernels){
            .columns = shift_columns,
            .items = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 8 | 1 << 12 | 1 << 16 | 1 << 24,
        },
    .source_order = &(const struct svi_source_order_kernels){source_lines, pack_rows, store_panel},
    .runs = &(const struct svi_run_kernels){.copy = dense, .fill = fill_rows},
    .channels = &channel_kernels,
    .pixels =
        &(const struct svi_pixel_kernels){
            .cached = units,
            .nt = units_nt,
            .maskless_units = 2 + 4 + 8 + 16,
            .maskless_exact = true,
        },
    .reverse = &(const struct svi_reverse_kernels){.line = reverse, .rows = reverse_rows},
    .permute =
        &(const struct svi_permute_kernels){
            .lines = {permute_lines, permute_lines_vbmi},
            .make_line = make_permuted_line,
        },
    .cast = &(const struct svi_cast_kernels){has_cast_stream, split_cast_stream, turn_cast_stream},
    .steps = (const struct svi_steps[]){{SVI_UNIT, 2, svi_step_rows_avx2}, {VECTOR, 3, step_rows_vbmi}},
    .column = column,
    .cached_rows = cached_rows,
    .scatter = scatter,
    .convert = svi_convert_avx512,
    .scale = svi_scale_avx512,
};

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
