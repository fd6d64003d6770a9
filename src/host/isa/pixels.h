/*
 * Pixels of 2 to 4 units taken apart, put together or rearranged, for the vectors
 * of the file that includes this; after lanes.h and gather.h. Bytes are shuffled
 * by masks in each lane: a vector of a plane is in one piece, of pixels its lanes
 * are among those of the others.
 */
#ifndef SVI_HOST_PIXELS_H
#define SVI_HOST_PIXELS_H

/* The bytes of each vector that go to one. */
SVI_INLINE vec picked(const vec *v, const vec *mask, int from)
{
    vec sum = pick(v[0], mask[0]);

#pragma GCC unroll 4
    for (int k = 1; k < from; k++)
        sum = either(sum, pick(v[k], mask[k]));
    return sum;
}

/* A vector of each unit becomes step bytes. */
SVI_INLINE void permute_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from, int to,
                              bool from_planes, bool to_planes, int64_t step, put_vector *put)
{
    vec mask[SVI_CHANNELS][SVI_CHANNELS], v[SVI_CHANNELS], sum[SVI_CHANNELS];

    for (int i = 0; i < to; i++)
        for (int k = 0; k < from; k++)
            mask[i][k] = load_lanes((const char *)p->mask[i][k], 0);
    for (int64_t k = 0; k < nbytes; k += VECTOR) {
        const bool fetches = p->ahead != 0 && k % SVI_LINE == 0;

        if (fetches && !from_planes)
#pragma GCC unroll 4
            for (int c = 0; c < from; c++)
                __builtin_prefetch(src + k * from + p->ahead + c * SVI_LINE);
#pragma GCC unroll 4
        for (int c = 0; c < from; c++) {
            if (fetches && from_planes)
                __builtin_prefetch(src + c * p->src_pitch + k + p->ahead);
            v[c] = from_planes ? load(src + c * p->src_pitch + k) : load_lanes(src + k * from + 16 * c, 16 * from);
        }
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            sum[c] = picked(v, mask[c], from);
        if (!to_planes)
            weave(sum, to);
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            put(to_planes ? dst + c * p->dst_pitch + k / VECTOR * step : dst + k * to + c * VECTOR, sum[c]);
    }
}

/* step: bytes of a plane that are put at a time. */
SVI_INLINE void deinterleave_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                                put_vector *put)
{
#ifdef SVI_MASKLESS
    if (is_maskless(p)) {
        gather_units(p, dst, src, nbytes, step, put);
        return;
    }
#endif
    switch (p->from * 8 + p->to) {
    case 2 * 8 + 1: permute_units(p, dst, src, nbytes, 2, 1, false, true, step, put); break;
    case 3 * 8 + 1: permute_units(p, dst, src, nbytes, 3, 1, false, true, step, put); break;
    case 4 * 8 + 1: permute_units(p, dst, src, nbytes, 4, 1, false, true, step, put); break;
    case 2 * 8 + 2: permute_units(p, dst, src, nbytes, 2, 2, false, true, step, put); break;
    case 3 * 8 + 3: permute_units(p, dst, src, nbytes, 3, 3, false, true, step, put); break;
    default: permute_units(p, dst, src, nbytes, 4, 4, false, true, step, put); break;
    }
}

SVI_INLINE void interleave_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, put_vector *put)
{
    switch (p->from) {
    case 2: permute_units(p, dst, src, nbytes, 2, 2, true, false, VECTOR, put); break;
    case 3: permute_units(p, dst, src, nbytes, 3, 3, true, false, VECTOR, put); break;
    default: permute_units(p, dst, src, nbytes, 4, 4, true, false, VECTOR, put); break;
    }
}

/* One unit is a plane. */
SVI_INLINE void swizzle_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, put_vector *put)
{
    switch (p->from * 8 + p->to) {
    case 1 * 8 + 2: permute_units(p, dst, src, nbytes, 1, 2, true, false, VECTOR, put); break;
    case 1 * 8 + 3: permute_units(p, dst, src, nbytes, 1, 3, true, false, VECTOR, put); break;
    case 1 * 8 + 4: permute_units(p, dst, src, nbytes, 1, 4, true, false, VECTOR, put); break;
    case 2 * 8 + 2: permute_units(p, dst, src, nbytes, 2, 2, false, false, VECTOR, put); break;
    case 3 * 8 + 2: permute_units(p, dst, src, nbytes, 3, 2, false, false, VECTOR, put); break;
    case 3 * 8 + 3: permute_units(p, dst, src, nbytes, 3, 3, false, false, VECTOR, put); break;
    case 4 * 8 + 3: permute_units(p, dst, src, nbytes, 4, 3, false, false, VECTOR, put); break;
    default: permute_units(p, dst, src, nbytes, 4, 4, false, false, VECTOR, put); break;
    }
}

static void deinterleave(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR, store);
}

static void deinterleave_nt(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    deinterleave_by(p, dst, src, nbytes, VECTOR, stream);
}

static void interleave(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    interleave_by(p, dst, src, nbytes, store);
}

static void interleave_nt(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    interleave_by(p, dst, src, nbytes, stream);
}

static void swizzle(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    swizzle_by(p, dst, src, nbytes, store);
}

static void swizzle_nt(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    swizzle_by(p, dst, src, nbytes, stream);
}

#define SVI_UNIT_LOOPS {{deinterleave, deinterleave_nt}, {interleave, interleave_nt}, {swizzle, swizzle_nt}}

#endif
