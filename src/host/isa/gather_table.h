/* Cache lines whose elements of 4 or 8 bytes are loaded by the gather instruction. Included after lanes.h, where a
 * vector is a cache line. */
#ifndef SVI_HOST_GATHER_TABLE_H
#define SVI_HOST_GATHER_TABLE_H

SVI_INLINE vec units_by_offsets(const char *src, const int32_t *offset, int unit)
{
    if (unit == 4)
        return _mm512_i32gather_epi32(load((const char *)offset), src, 1);
    return _mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)(const void *)offset), src, 1);
}

SVI_INLINE void gather_lines(char *dst, const char *src, const struct svi_gathers *r, int64_t first, int64_t count,
                             int unit, bool beyond_cache)
{
    const int64_t step = r->step, lines = r->lines, pace = step / lines, ahead = r->ahead;
    const int32_t *offset = r->offset + first;

    for (; count > 0; src += step) {
        const int64_t some = count < lines ? count : lines;

        for (int64_t k = 0; k < some; k++, dst += SVI_LINE) {
            const vec v = units_by_offsets(src, offset + k * (SVI_LINE / unit), unit);

            if (beyond_cache)
                fetch_line(src + ahead + k * pace, false);
            (beyond_cache ? stream : store)(dst, v);
        }
        count -= some;
    }
}

static void gather_4(char *dst, const char *src, const struct svi_gathers *r, int64_t first, int64_t count,
                    bool beyond_cache)
{
    if (beyond_cache)
        gather_lines(dst, src, r, first, count, 4, true);
    else
        gather_lines(dst, src, r, first, count, 4, false);
}

static void gather_8(char *dst, const char *src, const struct svi_gathers *r, int64_t first, int64_t count,
                    bool beyond_cache)
{
    if (beyond_cache)
        gather_lines(dst, src, r, first, count, 8, true);
    else
        gather_lines(dst, src, r, first, count, 8, false);
}

#endif
