/* Items of 2 to 4 channels taken apart and put together, for the vectors of the file that includes this; after streams.h. */
#ifndef SVI_HOST_PIXELS_H
#define SVI_HOST_PIXELS_H

enum { CHUNK = 1024 }; /* bytes of a plane that are put together in cache before they are stored past it */

/* The bytes of each vector that go to one. */
SVI_INLINE vec gathered(const vec *v, const vec *mask, int channels)
{
    vec sum = pick(v[0], mask[0]);

#pragma GCC unroll 4
    for (int k = 1; k < channels; k++)
        sum = either(sum, pick(v[k], mask[k]));
    return sum;
}

SVI_INLINE void load_masks(const struct svi_pixels *p, vec mask[4][4], int channels)
{
    for (int to = 0; to < channels; to++)
        for (int from = 0; from < channels; from++)
            mask[to][from] = load_lanes((const char *)p->mask[to][from], 0);
}

SVI_INLINE void split_loop(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int channels,
                           put_vector *put)
{
    vec mask[4][4], v[4];

    load_masks(p, mask, channels);
    for (int64_t k = 0; k < nbytes; k += VECTOR) {
#pragma GCC unroll 4
        for (int c = 0; c < channels; c++)
            v[c] = load_lanes(src + k * channels + 16 * c, 16 * channels);
#pragma GCC unroll 4
        for (int c = 0; c < channels; c++)
            put(dst + c * p->pitch + k, gathered(v, mask[c], channels));
    }
}

SVI_INLINE void join_loop(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int channels)
{
    vec mask[4][4], v[4];

    load_masks(p, mask, channels);
    for (int64_t k = 0; k < nbytes; k += VECTOR) {
#pragma GCC unroll 4
        for (int c = 0; c < channels; c++)
            v[c] = load(src + c * p->pitch + k);
#pragma GCC unroll 4
        for (int c = 0; c < channels; c++)
            store_lanes(dst + k * channels + 16 * c, 16 * channels, gathered(v, mask[c], channels));
    }
}

SVI_INLINE void split_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, put_vector *put)
{
    switch (p->channels) {
    case 2: split_loop(p, dst, src, nbytes, 2, put); break;
    case 3: split_loop(p, dst, src, nbytes, 3, put); break;
    default: split_loop(p, dst, src, nbytes, 4, put); break;
    }
}

static void join_in_cache(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    switch (p->channels) {
    case 2: join_loop(p, dst, src, nbytes, 2); break;
    case 3: join_loop(p, dst, src, nbytes, 3); break;
    default: join_loop(p, dst, src, nbytes, 4); break;
    }
}

static void split(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    if (p->stream)
        split_by(p, dst, src, nbytes, stream);
    else
        split_by(p, dst, src, nbytes, store);
}

static void join(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    _Alignas(SVI_LINE) char buffer[CHUNK * SVI_CHANNELS];

    if (!p->stream) {
        join_in_cache(p, dst, src, nbytes);
        return;
    }
    for (int64_t k = 0; k < nbytes; k += CHUNK) {
        int64_t chunk = nbytes - k < CHUNK ? nbytes - k : CHUNK;

        join_in_cache(p, buffer, src + k, chunk);
        stream_vectors(dst + k * p->channels, buffer, (size_t)(chunk * p->channels));
    }
}

#endif
