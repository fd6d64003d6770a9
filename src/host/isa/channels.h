/*
 * Deinterleaves pixels of up to 64 channels to planes, and interleaves planes, for the loop few_channels. Each lane of
 * a vector has 16 bytes of a pixel. Unpack steps transpose them, a group of as many channels as fit 16 bytes at a time.
 * After lanes.h.
 */
#ifndef SVI_HOST_CHANNELS_H
#define SVI_HOST_CHANNELS_H

#ifdef SVI_NO_BYTE_SHUFFLE
enum { HAS_BYTE_SHUFFLE = 0 };

SVI_INLINE vec pick(vec v, vec mask)
{
    (void)mask;
    return v;
}
#else
enum { HAS_BYTE_SHUFFLE = 1 };
#endif

/* Byte shuffles from two contiguous pixels of 5 to 7 bytes to pixels of 8 bytes, and back. 0x80 gives 0. */
#define NO ((char)0x80)
static const char widened[3][16] = {
    {0, 1, 2, 3, 4, NO, NO, NO, 5, 6, 7, 8, 9, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, NO, NO, 6, 7, 8, 9, 10, 11, NO, NO},
    {0, 1, 2, 3, 4, 5, 6, NO, 7, 8, 9, 10, 11, 12, 13, NO},
};
static const char narrowed[3][16] = {
    {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, NO, NO, NO, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, NO, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, NO, NO},
};
#undef NO

/* count: the units, or vectors, that are transposed in each lane. */
SVI_INLINE void unpack_steps(vec *v, int n, int item, int count)
{
#pragma GCC unroll 4
    for (int k = 1; k < count; k *= 2)
        in_turns(v, n, item);
}

/* Each address is computed from the one before, since all of them at once need more registers than there are. */
SVI_INLINE const char *next(const char *at, int64_t step)
{
    at += step;
    __asm__("" : "+r"(at));
    return at;
}

SVI_INLINE void fetch_lines(const char *src, int64_t nbytes, bool nta)
{
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        fetch_line(src + k, nta);
}

/* The first channel of a group of n. The last group is moved back, so it repeats channels of the one before. */
SVI_INLINE int64_t group_at(int64_t c, int64_t channels, int n)
{
    return c + n <= channels ? c : channels > n ? channels - n : 0;
}

/* Deinterleaves by groups of n channels of item bytes. mask: a byte shuffle of each lane, or NULL. */
SVI_INLINE void deinterleave_groups(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes,
                                    int64_t channels, int item, int n, const char *mask, put_vector *put)
{
    const int pixels = 16 / item / n, lane = 16 / item, parts = lane / pixels;
    const int64_t pixel = channels * item, dst_pitch = p->dst_pitch, ahead = p->ahead;
    const vec places = load_lanes(mask != NULL ? mask : widened[0], 0);
    const bool nta = p->nta;
    vec v[16];

    for (; nbytes > 0; nbytes -= VECTOR) {
        if (ahead != 0)
            fetch_lines(src + ahead, VECTOR / item * pixel, nta);
        for (int64_t c = 0; c < channels; c += n) {
            const int64_t at = group_at(c, channels, n);
            const char *from = src + at * item;
            char *to = dst + at * dst_pitch;

#pragma GCC unroll 16
            for (int k = 0; k < parts; k++) {
                v[k] = load_lanes(from, lane * pixel);
                if (mask != NULL)
                    v[k] = pick(v[k], places);
                from = next(from, pixels * pixel);
            }
            unpack_steps(v, n, item, lane);
#pragma GCC unroll 16
            for (int k = 0; k < n; k++) {
                if (k < channels)
                    put(to, v[k]);
                to += dst_pitch;
                __asm__("" : "+r"(to));
            }
        }
        dst += VECTOR;
        src += VECTOR / item * pixel;
    }
}

/* Interleaves by groups of n channels. Lanes are stored in the order of their pixels, so that each overwrites what the
 * one before stored behind its pixel. */
SVI_INLINE void interleave_groups(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes,
                                  int64_t channels, int item, int n, const char *mask, put_vector *put)
{
    const int pixels = 16 / item / n;
    const int64_t pixel = channels * item, src_pitch = p->src_pitch, ahead = p->ahead;
    const vec places = load_lanes(mask != NULL ? mask : widened[0], 0);
    const bool nta = p->nta;
    vec v[16];

    (void)put;
    for (; nbytes > 0; nbytes -= VECTOR) {
        for (int64_t c = 0; c < channels; c += n) {
            const int64_t at = group_at(c, channels, n);
            const char *from = src + at * src_pitch;
            char *to = dst + at * item;

#pragma GCC unroll 16
            for (int k = 0; k < n; k++) {
                if (k < channels) {
                    if (ahead != 0)
                        fetch_line(from + ahead, nta);
                    v[k] = load(from);
                    from = next(from, src_pitch);
                } else {
                    v[k] = v[0];
                }
            }
            unpack_steps(v, n, item, n);
            if (mask != NULL)
#pragma GCC unroll 16
                for (int k = 0; k < n; k++)
                    v[k] = pick(v[k], places);
#pragma GCC unroll 4
            for (int lane = 0; lane < LANES; lane++)
#pragma GCC unroll 16
                for (int k = 0; k < n; k++) {
                    store_lane(to, v[k], lane);
                    to += pixels * pixel;
                    __asm__("" : "+r"(to));
                }
        }
        dst += VECTOR / item * pixel;
        src += VECTOR;
    }
}

typedef void channel_groups(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t channels,
                            int item, int n, const char *mask, put_vector *put);

SVI_INLINE void bytes_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes,
                         const char (*narrow)[16], channel_groups *groups, put_vector *put)
{
    const int64_t channels = p->from;

    if (channels == 8)
        groups(p, dst, src, nbytes, 8, 1, 8, NULL, put);
    else if (channels == 4)
        groups(p, dst, src, nbytes, 4, 1, 4, NULL, put);
    else if (HAS_BYTE_SHUFFLE && channels >= 5 && channels <= 7)
        groups(p, dst, src, nbytes, channels, 1, 8, narrow[channels - 5], put);
    else
        groups(p, dst, src, nbytes, channels, 1, 16, NULL, put);
}

SVI_INLINE void channels_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes,
                            const char (*narrow)[16], channel_groups *groups, put_vector *put)
{
    switch (p->unit) {
    case 1: bytes_by(p, dst, src, nbytes, narrow, groups, put); break;
    case 2: groups(p, dst, src, nbytes, p->from, 2, 8, NULL, put); break;
    case 4: groups(p, dst, src, nbytes, p->from, 4, 4, NULL, put); break;
    case 8: groups(p, dst, src, nbytes, p->from, 8, 2, NULL, put); break;
    default: groups(p, dst, src, nbytes, p->from, 16, 1, NULL, put); break;
    }
}

static void deinterleave_channels(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    channels_by(p, dst, src, nbytes, widened, deinterleave_groups, store);
}

static void deinterleave_channels_nt(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    channels_by(p, dst, src, nbytes, widened, deinterleave_groups, stream);
}

static void interleave_channels(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    channels_by(p, dst, src, nbytes, narrowed, interleave_groups, store);
}

static const struct svi_channel_kernels channel_kernels = {
    .loops = {[SVI_DEINTERLEAVE] = {deinterleave_channels, deinterleave_channels_nt},
              [SVI_INTERLEAVE] = {interleave_channels}},
};

#endif
