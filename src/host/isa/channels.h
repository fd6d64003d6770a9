/* Pixels of a few items to planes and back, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_CHANNELS_H
#define SVI_HOST_CHANNELS_H

SVI_INLINE void turns(vec *v, int n, int item, int count)
{
#pragma GCC unroll 4
    for (int k = 0; k < count; k++)
        in_turns(v, n, item);
}

SVI_INLINE int log_of(int n)
{
    return n >= 16 ? 4 : n >= 8 ? 3 : n >= 4 ? 2 : n >= 2 ? 1 : 0;
}

/* An address that is computed here, one from the other: all of them at once need more registers than there are. */
SVI_INLINE const char *next(const char *at, int64_t step)
{
    at += step;
    __asm__("" : "+r"(at));
    return at;
}

SVI_INLINE void fetch_lines(const char *src, int64_t nbytes, bool once)
{
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        fetch_line(src + k, once);
}

/* The n channels from which on a group begins: the last is moved back, over what others have as well. */
SVI_INLINE int64_t group_at(int64_t c, int64_t channels, int n)
{
    return c + n <= channels ? c : channels > n ? channels - n : 0;
}

/* What is done to lanes of few channels: bytes by a mask. */
typedef vec arrange_lanes(vec v, vec mask);

SVI_INLINE vec as_it_is(vec v, vec mask)
{
    (void)mask;
    return v;
}

static const char no_mask[16];

/* Each lane takes 16 bytes of the source: pixels of them, n items of each. */
SVI_INLINE void split_channels(char *dst, int64_t dst_pitch, const char *src, int64_t channels, int64_t count,
                               struct svi_fetch fetch, int item, int n, const char *mask, arrange_lanes *arrange,
                               put_vector *put)
{
    const int pixels = 16 / item / n, lane = 16 / item, parts = lane / pixels;
    const int64_t pitch = channels * item;
    const vec places = load_lanes(mask, 0);
    vec v[16];

    for (; count > 0; count--) {
        if (fetch.ahead != 0)
            fetch_lines(src + fetch.ahead, VECTOR / item * pitch, fetch.once);
        for (int64_t c = 0; c < channels; c += n) {
            const int64_t at = group_at(c, channels, n);
            const char *from = src + at * item;
            char *to = dst + at * dst_pitch;

#pragma GCC unroll 16
            for (int k = 0; k < parts; k++) {
                v[k] = arrange(load_lanes(from, lane * pitch), places);
                from = next(from, pixels * pitch);
            }
            turns(v, n, item, log_of(lane));
#pragma GCC unroll 16
            for (int k = 0; k < n; k++) {
                if (k < channels)
                    put(to, v[k]);
                to += dst_pitch;
                __asm__("" : "+r"(to));
            }
        }
        dst += VECTOR;
        src += VECTOR / item * pitch;
    }
}

/* Lanes are stored in the order of their pixels: what is written behind one is under the next. */
SVI_INLINE void join_channels(char *dst, int64_t src_pitch, const char *src, int64_t channels, int64_t count,
                              struct svi_fetch fetch, int item, int n, const char *mask, arrange_lanes *arrange)
{
    const int pixels = 16 / item / n;
    const int64_t pitch = channels * item;
    const vec places = load_lanes(mask, 0);
    vec v[16];

    for (; count > 0; count--) {
        for (int64_t c = 0; c < channels; c += n) {
            const int64_t at = group_at(c, channels, n);
            const char *from = src + at * src_pitch;
            char *to = dst + at * item;

#pragma GCC unroll 16
            for (int k = 0; k < n; k++) {
                if (k < channels) {
                    if (fetch.ahead != 0)
                        fetch_line(from + fetch.ahead, fetch.once);
                    v[k] = load(from);
                    from = next(from, src_pitch);
                } else {
                    v[k] = v[0];
                }
            }
            turns(v, n, item, log_of(n));
#pragma GCC unroll 16
            for (int k = 0; k < n; k++)
                v[k] = arrange(v[k], places);
#pragma GCC unroll 4
            for (int lane = 0; lane < LANES; lane++)
#pragma GCC unroll 16
                for (int k = 0; k < n; k++) {
                    store_lane(to, v[k], lane);
                    to += pixels * pitch;
                    __asm__("" : "+r"(to));
                }
        }
        dst += VECTOR / item * pitch;
        src += VECTOR;
    }
}

static void split_1(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 1, 16, no_mask, as_it_is, store);
}

static void split_2(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 2, 8, no_mask, as_it_is, store);
}

static void split_4(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 4, 4, no_mask, as_it_is, store);
}

static void split_8(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 8, 2, no_mask, as_it_is, store);
}

static void split_16(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 16, 1, no_mask, as_it_is, store);
}

static void split_1_by_8(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                         struct svi_fetch fetch)
{
    (void)channels;
    split_channels(dst, pitch, src, 8, count, fetch, 1, 8, no_mask, as_it_is, store);
}

static void join_1(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 1, 16, no_mask, as_it_is);
}

static void join_2(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 2, 8, no_mask, as_it_is);
}

static void join_4(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 4, 4, no_mask, as_it_is);
}

static void join_8(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 8, 2, no_mask, as_it_is);
}

static void join_16(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count, struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 16, 1, no_mask, as_it_is);
}

static void join_1_by_8(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                        struct svi_fetch fetch)
{
    (void)channels;
    join_channels(dst, pitch, src, 8, count, fetch, 1, 8, no_mask, as_it_is);
}

static void split_1_by_4(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                         struct svi_fetch fetch)
{
    (void)channels;
    split_channels(dst, pitch, src, 4, count, fetch, 1, 4, no_mask, as_it_is, store);
}

static void split_1_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                           struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 1, 16, no_mask, as_it_is, stream);
}

static void split_2_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                           struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 2, 8, no_mask, as_it_is, stream);
}

static void split_4_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                           struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 4, 4, no_mask, as_it_is, stream);
}

static void split_8_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                           struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 8, 2, no_mask, as_it_is, stream);
}

static void split_16_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                            struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 16, 1, no_mask, as_it_is, stream);
}

static void split_1_by_8_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                                struct svi_fetch fetch)
{
    (void)channels;
    split_channels(dst, pitch, src, 8, count, fetch, 1, 8, no_mask, as_it_is, stream);
}

static void split_1_by_4_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                                struct svi_fetch fetch)
{
    (void)channels;
    split_channels(dst, pitch, src, 4, count, fetch, 1, 4, no_mask, as_it_is, stream);
}

static void join_1_by_4(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                        struct svi_fetch fetch)
{
    (void)channels;
    join_channels(dst, pitch, src, 4, count, fetch, 1, 4, no_mask, as_it_is);
}

#define SVI_SPLIT_CHANNELS                                                                                            \
    {                                                                                                                 \
        split_1, split_2, split_4, split_8, split_16, split_1_by_8, split_1_by_4                                      \
    }
#define SVI_SPLIT_CHANNELS_STREAM                                                                                     \
    {                                                                                                                 \
        split_1_stream, split_2_stream, split_4_stream, split_8_stream, split_16_stream, split_1_by_8_stream,         \
            split_1_by_4_stream                                                                                       \
    }
#define SVI_JOIN_CHANNELS                                                                                             \
    {                                                                                                                 \
        join_1, join_2, join_4, join_8, join_16, join_1_by_8, join_1_by_4                                             \
    }

#endif
