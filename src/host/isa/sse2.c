#ifdef __x86_64__
#include "isa.h"
#include "host/base/elements.h"

#include <emmintrin.h>

typedef __m128i vec;
#define VEC(name) _mm_##name
enum { LANES = 1, STORE_VECTORS = 1 };

SVI_INLINE vec load(const char *src)
{
    return _mm_loadu_si128((const __m128i *)src);
}

SVI_INLINE void store(char *dst, vec v)
{
    _mm_storeu_si128((__m128i *)dst, v);
}

SVI_INLINE void stream(char *dst, vec v)
{
    _mm_stream_si128((__m128i *)dst, v);
}

/* The same 16 bytes in each lane. */
SVI_INLINE vec all_lanes(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((int64_t)high, (int64_t)low);
}

/* One line, whole. */
SVI_INLINE void stream_line(char *dst, const char *src)
{
    const vec a = load(src), b = load(src + 16), c = load(src + 32), d = load(src + 48);

    stream(dst, a);
    stream(dst + 16, b);
    stream(dst + 32, c);
    stream(dst + 48, d);
}

SVI_INLINE void stream_half(char *dst, const char *src)
{
    stream(dst, load(src));
    stream(dst + 16, load(src + 16));
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

#include "lanes.h"
#include "feeds.h"
#include "rows_nt.h"
#include "rows_cached.h"
#define SVI_NO_BYTE_SHUFFLE
#include "channels.h"
#include "strided.h"

const struct svi_isa svi_isa_sse2 = {
    .name = "sse2",
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
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
    .fence = fence,
};
#endif
