/*
 * The tables of the instruction sets that every processor of an architecture has: plain C, which only converts, and
 * vectors of 16 bytes by SSE2 or NEON. SSE2 has no byte shuffle. NEON has no non-temporal stores; its processors do not
 * read lines that are written whole at once.
 */
#include "host/base/isa.h"
#include "host/isa/baseline.h"
#include "host/base/elements.h"

#define SVI_CONVERT svi_convert_plain
#define SVI_SCALE svi_scale_plain
#include "host/isa/convert_loops.h"

const struct svi_isa svi_isa_plain = {
    .name = "plain",
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
};

#if defined __x86_64__ || defined __AARCH64EL__
enum { LANES = 1, STORE_VECTORS = 1 };

#ifdef __x86_64__
#include <emmintrin.h>

#define SVI_VECTORS svi_isa_sse2
#define SVI_VECTORS_NAME "sse2"
#define SVI_NO_BYTE_SHUFFLE

typedef __m128i vec;
#define VEC(name) _mm_##name

SVI_INLINE void stream(char *dst, vec v)
{
    SVI_NT_STORE(_mm_stream_si128, __m128i, dst, v);
}
#else
#include <arm_neon.h>

#define SVI_VECTORS svi_isa_neon
#define SVI_VECTORS_NAME "neon"

typedef uint8x16_t vec;

SVI_INLINE void stream(char *dst, vec v)
{
    memcpy(dst, &v, sizeof v);
}

SVI_INLINE vec low(vec a, vec b, int item)
{
    switch (item) {
    case 1: return vzip1q_u8(a, b);
    case 2: return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    case 4: return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    default: return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    }
}

SVI_INLINE vec high(vec a, vec b, int item)
{
    switch (item) {
    case 1: return vzip2q_u8(a, b);
    case 2: return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    case 4: return vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    default: return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    }
}

/* Bytes of the mask beyond 15 give 0. */
SVI_INLINE vec pick(vec v, vec mask)
{
    return vqtbl1q_u8(v, mask);
}

/* Transposes lanes, of which there is one. */
SVI_INLINE void weave(vec *v, int n)
{
    (void)v, (void)n;
}

SVI_INLINE vec lanes_backwards(vec v)
{
    return v;
}
#endif

SVI_INLINE vec load(const char *src)
{
    vec v;

    memcpy(&v, src, sizeof v);
    return v;
}

SVI_INLINE void store(char *dst, vec v)
{
    memcpy(dst, &v, sizeof v);
}

/* The same 16 bytes in each lane. */
SVI_INLINE vec all_lanes(uint64_t low_half, uint64_t high_half)
{
    const uint64_t halves[] = {low_half, high_half};

    return load((const char *)halves);
}

SVI_INLINE void stream_half(char *dst, const char *src)
{
    stream(dst, load(src));
    stream(dst + SVI_UNIT, load(src + SVI_UNIT));
}

SVI_INLINE vec load_lanes(const char *src, int64_t step)
{
    (void)step;
    return load(src);
}

SVI_INLINE vec load_rows(const char *src, const int64_t *row, int step)
{
    (void)step;
    return load(src + row[0]);
}

SVI_INLINE void store_lane(char *dst, vec v, int lane)
{
    (void)lane;
    store(dst, v);
}

SVI_INLINE vec from_units(const svi_unit *unit)
{
    return (vec)unit[0];
}

#include "host/isa/lanes.h"
#include "host/isa/rows_nt.h"
#include "host/isa/rows_cached.h"
#include "host/isa/channels.h"
#include "host/isa/strided.h"
#ifndef SVI_NO_BYTE_SHUFFLE
#include "host/isa/pixels.h"
#endif

const struct svi_isa SVI_VECTORS = {
    .name = SVI_VECTORS_NAME,
    .vector = VECTOR,
    .narrower = &svi_isa_plain,
    .store = SVI_STORE_TILES,
    .nt = &nt_kernels,
    .runs = &(const struct svi_run_kernels){.copy = dense, .fill = fill_rows},
    .channels = &channel_kernels,
#ifndef SVI_NO_BYTE_SHUFFLE
    .pixels = &(const struct svi_pixel_kernels){.cached = units, .nt = units_nt},
    .reverse = &(const struct svi_reverse_kernels){.line = reverse, .rows = reverse_rows},
#endif
    .column = column,
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
};
#endif
