/* Bytes rearranged pixel by pixel, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_PIXELS_H
#define SVI_HOST_PIXELS_H

/* The bytes of each vector that go to one. */
SVI_INLINE vec gathered(const vec *v, const vec *mask, int from)
{
    vec sum = pick(v[0], mask[0]);

#pragma GCC unroll 4
    for (int k = 1; k < from; k++)
        sum = either(sum, pick(v[k], mask[k]));
    return sum;
}

SVI_INLINE void fetch(const char *src, int64_t nbytes)
{
#pragma GCC unroll 4
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        __builtin_prefetch(src + k);
}

/*
 * Planes have a vector in one piece, pixels have its lanes among those of the others. A vector of a plane becomes step
 * bytes.
 */
SVI_INLINE void shuffle(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from, int to,
                        bool from_planes, bool to_planes, int64_t step, put_vector *put)
{
    vec mask[SVI_CHANNELS][SVI_CHANNELS], v[SVI_CHANNELS], sum[SVI_CHANNELS];

    for (int i = 0; i < to; i++)
        for (int k = 0; k < from; k++)
            mask[i][k] = load_lanes((const char *)p->mask[i][k], 0);
    for (int64_t k = 0; k < nbytes; k += VECTOR) {
        const bool fetches = p->ahead != 0 && k % SVI_LINE == 0;

        if (fetches && !from_planes)
            fetch(src + k * from + p->ahead, SVI_LINE * from);
#pragma GCC unroll 4
        for (int c = 0; c < from; c++) {
            if (fetches && from_planes)
                __builtin_prefetch(src + c * p->src_pitch + k + p->ahead);
            v[c] = from_planes ? load(src + c * p->src_pitch + k) : load_lanes(src + k * from + 16 * c, 16 * from);
        }
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            sum[c] = gathered(v, mask[c], from);
        if (!to_planes)
            weave(sum, to);
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            put(to_planes ? dst + c * p->dst_pitch + k / VECTOR * step : dst + k * to + c * VECTOR, sum[c]);
    }
}

SVI_INLINE void split_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                         put_vector *put)
{
    switch (p->from * 8 + p->to) {
    case 2 * 8 + 1: shuffle(p, dst, src, nbytes, 2, 1, false, true, step, put); break;
    case 3 * 8 + 1: shuffle(p, dst, src, nbytes, 3, 1, false, true, step, put); break;
    case 4 * 8 + 1: shuffle(p, dst, src, nbytes, 4, 1, false, true, step, put); break;
    case 2 * 8 + 2: shuffle(p, dst, src, nbytes, 2, 2, false, true, step, put); break;
    case 3 * 8 + 3: shuffle(p, dst, src, nbytes, 3, 3, false, true, step, put); break;
    default: shuffle(p, dst, src, nbytes, 4, 4, false, true, step, put); break;
    }
}

static void split(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    split_by(p, dst, src, nbytes, VECTOR, store);
}

static void split_stream(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    split_by(p, dst, src, nbytes, VECTOR, stream);
}

SVI_INLINE void join_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, put_vector *put)
{
    switch (p->from) {
    case 2: shuffle(p, dst, src, nbytes, 2, 2, true, false, VECTOR, put); break;
    case 3: shuffle(p, dst, src, nbytes, 3, 3, true, false, VECTOR, put); break;
    default: shuffle(p, dst, src, nbytes, 4, 4, true, false, VECTOR, put); break;
    }
}

SVI_INLINE void mix_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, put_vector *put)
{
    switch (p->from * 8 + p->to) {
    case 1 * 8 + 2: shuffle(p, dst, src, nbytes, 1, 2, true, false, VECTOR, put); break;
    case 1 * 8 + 3: shuffle(p, dst, src, nbytes, 1, 3, true, false, VECTOR, put); break;
    case 1 * 8 + 4: shuffle(p, dst, src, nbytes, 1, 4, true, false, VECTOR, put); break;
    case 2 * 8 + 2: shuffle(p, dst, src, nbytes, 2, 2, false, false, VECTOR, put); break;
    case 3 * 8 + 2: shuffle(p, dst, src, nbytes, 3, 2, false, false, VECTOR, put); break;
    case 3 * 8 + 3: shuffle(p, dst, src, nbytes, 3, 3, false, false, VECTOR, put); break;
    case 4 * 8 + 3: shuffle(p, dst, src, nbytes, 4, 3, false, false, VECTOR, put); break;
    default: shuffle(p, dst, src, nbytes, 4, 4, false, false, VECTOR, put); break;
    }
}

static void join(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    join_by(p, dst, src, nbytes, store);
}

static void join_stream(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    join_by(p, dst, src, nbytes, stream);
}

static void mix(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    mix_by(p, dst, src, nbytes, store);
}

static void mix_stream(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    mix_by(p, dst, src, nbytes, stream);
}

#endif
