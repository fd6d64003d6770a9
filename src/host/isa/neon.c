#ifdef __AARCH64EL__
#include "isa.h"
#include "host/base/elements.h"

#include <arm_neon.h>

typedef uint8x16_t vec;
enum { LANES = 1, STORE_VECTORS = 1 };

SVI_INLINE vec load(const char *src)
{
    return vld1q_u8((const uint8_t *)src);
}

SVI_INLINE void store(char *dst, vec v)
{
    vst1q_u8((uint8_t *)dst, v);
}

/* There is no non-temporal store, but whole lines written at once are not read first. */
SVI_INLINE void stream(char *dst, vec v)
{
    store(dst, v);
}

/* The same 16 bytes in each lane. */
SVI_INLINE vec all_lanes(uint64_t low, uint64_t high)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

/* One line, whole. */
SVI_INLINE void stream_line(char *dst, const char *src)
{
    const vec a = load(src), b = load(src + 16), c = load(src + 32), d = load(src + 48);

    store(dst, a);
    store(dst + 16, b);
    store(dst + 32, c);
    store(dst + 48, d);
}

SVI_INLINE void stream_half(char *dst, const char *src)
{
    const vec a = load(src), b = load(src + 16);

    store(dst, a);
    store(dst + 16, b);
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

/* Lanes one after the other: there is one. */
SVI_INLINE void weave(vec *v, int n)
{
    (void)v, (void)n;
}

SVI_INLINE vec lanes_backwards(vec v)
{
    return v;
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

#include "lanes.h"
#include "feeds.h"
#include "rows_nt.h"
#include "rows_cached.h"
#include "channels.h"
#include "strided.h"

#include "pixels.h"

const struct svi_isa svi_isa_neon = {
    .name = "neon",
    .vector = VECTOR,
    .narrower = &svi_isa_plain,
    .store = SVI_STORE_TILES,
    .stream_tiles = stream_tiles,
    .dense = dense,
    .column = column,
    .channels = SVI_CHANNEL_LOOPS,
    .feed = feed_block,
    .stream_copy = stream_copy,
    .stream_planes = stream_planes,
    .stream_fill = stream_fill,
    .fill_rows = fill_rows,
    .stream_rows = stream_rows,
    .stream_turns = stream_turns,
    .stream_parts = stream_parts,
    .units = {units, units_nt},
    .reverse = reverse,
    .reverse_rows = reverse_rows,
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
    .fence = fence,
};
#endif
