/*
 * Rows of elements at a small step in the source, as in stepped.h, by permutations of 64 bytes (AVX-512 VBMI): twice as
 * many elements of 3 bytes at a time, and also elements of 6 bytes and more. After lanes.h.
 */
#ifndef SVI_HOST_ISA_STEPPED_VBMI_H
#define SVI_HOST_ISA_STEPPED_VBMI_H

/* The places of the bytes of `each` elements in a vector of the source. */
SVI_INLINE vec step_places(int item, int64_t step, int64_t each)
{
    unsigned char place[VECTOR] = {0};

    for (int64_t k = 0; k < each; k++)
        for (int b = 0; b < item; b++)
            place[k * item + b] = (unsigned char)(k * step + b);
    return load((const char *)place);
}

/* Copies the last elements of a row. */
SVI_VBMI SVI_INLINE void step_end(char *dst, const char *src, int64_t step, int item, int64_t count, vec places)
{
    const vec v = _mm512_maskz_loadu_epi8(svi_bits_below((count - 1) * step + item), src);

    _mm512_mask_storeu_epi8(dst, svi_bits_below(count * item), _mm512_permutexvar_epi8(places, v));
}

/* Loads and stores end within the row. The bytes that a store writes behind its elements are overwritten by the
 * next. */
SVI_VBMI static void step_rows_vbmi(const struct svi_rows *rows, int64_t step, int item)
{
    struct svi_rows r = *rows;
    const int64_t count = r.nbytes / item, each = (VECTOR - item) / step + 1;
    const int64_t loaded = (VECTOR - item + step - 1) / step + 1, stored = (VECTOR + item - 1) / item;
    const int64_t last = count - svi_larger(loaded, stored);
    const vec places = step_places(item, step, each);

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        int64_t k = 0;

        for (; k <= last; k += each)
            store(r.dst + k * item, _mm512_permutexvar_epi8(places, load(r.src + k * step)));
        for (; k < count; k += each)
            step_end(r.dst + k * item, r.src + k * step, step, item, svi_smaller(each, count - k), places);
    }
}

#endif
