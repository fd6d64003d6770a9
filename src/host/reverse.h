/* Runs backwards, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_REVERSE_H
#define SVI_HOST_REVERSE_H

/* The source is read forwards: that is what processors foresee. */
SVI_INLINE void backwards(char *dst, const char *end, int64_t nbytes, vec mask, put_vector *put)
{
    for (int64_t k = nbytes - VECTOR; k >= 0; k -= VECTOR)
        put(dst + k, pick(lanes_backwards(load(end - k - VECTOR)), mask));
}

static void reverse(char *dst, const char *end, int64_t nbytes, int item, bool past_cache)
{
    unsigned char bytes[16];
    vec mask;

    for (int b = 0; b < 16; b++)
        bytes[b] = (unsigned char)((15 - b) / item * item + b % item);
    mask = load_lanes((const char *)bytes, 0);
    if (past_cache)
        backwards(dst, end, nbytes, mask, stream);
    else
        backwards(dst, end, nbytes, mask, store);
}

#endif
