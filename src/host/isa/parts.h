/*
 * Rows whose ends are parts of lines; after streams.h. With SVI_MASKS what two
 * rows have of a line is stored at once, by a mask; else one after the other.
 */
#ifndef SVI_HOST_PARTS_H
#define SVI_HOST_PARTS_H

#ifdef SVI_MASKS
/* What is known of the line that comes next: those pairs of bytes that are in mask. */
struct part {
    char *line;
    __mmask32 mask;
    vec bytes;
};

/* The vector that begins shift pairs before this one, round. */
SVI_INLINE vec rotate(vec v, int64_t shift)
{
    static const uint16_t pairs[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

    return _mm512_permutexvar_epi16(_mm512_add_epi16(load((const char *)pairs), _mm512_set1_epi16((short)shift)), v);
}

SVI_INLINE void store_part(const struct part *p)
{
    if (p->mask == ~(__mmask32)0)
        stream(p->line, p->bytes);
    else if (p->mask != 0)
        _mm512_mask_storeu_epi16(p->line, p->mask, p->bytes);
}

/* The end of the row before is stored with the beginning of this one, if they share a line. */
SVI_INLINE void put_head(struct part *p, char *line, vec bytes, __mmask32 mask)
{
    if (p->line != line) {
        store_part(p);
        *p = (struct part){line, mask, bytes};
    } else {
        p->mask |= mask;
        p->bytes = _mm512_mask_mov_epi16(p->bytes, mask, bytes);
    }
    store_part(p);
}

/* A line or more. */
SVI_INLINE void put_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    const int64_t offset = (int64_t)((uintptr_t)dst % SVI_LINE), head = offset == 0 ? 0 : SVI_LINE - offset;
    int64_t k = head;

    if (head != 0)
        put_head(p, dst - offset, rotate(load(src), -offset / 2), ~(__mmask32)0 << offset / 2);
    else
        store_part(p);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    p->line = dst + k;
    p->mask = ((__mmask32)1 << (nbytes - k) / 2) - 1;
    p->bytes = rotate(load(src + nbytes - SVI_LINE), (k - nbytes) / 2);
}

#else
/* The end of a row, less than a line. */
struct part {
    char *to;
    const char *from;
    int64_t nbytes;
};

/* size: a constant, no more than nbytes; both ends. */
SVI_INLINE void move_ends(char *dst, const char *src, int64_t nbytes, size_t size)
{
    char head[32], tail[32];

    memcpy(head, src, size);
    memcpy(tail, src + nbytes - size, size);
    memcpy(dst, head, size);
    memcpy(dst + nbytes - size, tail, size);
}

/* An even number of bytes, less than a line. */
SVI_INLINE void move_part(char *dst, const char *src, int64_t nbytes)
{
    if (nbytes >= 32)
        move_ends(dst, src, nbytes, 32);
    else if (nbytes >= 16)
        move_ends(dst, src, nbytes, 16);
    else if (nbytes >= 8)
        move_ends(dst, src, nbytes, 8);
    else if (nbytes >= 4)
        move_ends(dst, src, nbytes, 4);
    else if (nbytes > 0)
        memcpy(dst, src, 2);
}

SVI_INLINE void store_part(const struct part *p)
{
    move_part(p->to, p->from, p->nbytes);
}

/* A line or more. */
SVI_INLINE void put_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    int64_t k = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    store_part(p);
    move_part(dst, src, k);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    *p = (struct part){dst + k, src + k, nbytes - k};
}
#endif

static void stream_parts(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         int64_t ahead, int64_t dst_ahead)
{
    const int64_t gap = dst_pitch - nbytes;
    struct part p = {0};

    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            __builtin_prefetch(src + ahead + k);
        if (gap >= SVI_LINE)
            __builtin_prefetch(dst + dst_ahead - 1, 1);
        if (gap != 0)
            __builtin_prefetch(dst + dst_ahead + nbytes, 1);
        put_row(&p, dst, src, nbytes);
    }
    store_part(&p);
}

/* step: bytes that are stored at a time, a constant; all lines are fetched, those of the destination to be written. */
SVI_INLINE void cache_parts_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t nbytes, int64_t ahead, int64_t dst_ahead, size_t step)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
            __builtin_prefetch(src + ahead + k);
            __builtin_prefetch(dst + dst_ahead + k, 1);
        }
        if (step < VECTOR)
            near_ends(dst, src, (size_t)nbytes, step);
        else
            near_row(dst, src, (size_t)nbytes, step);
    }
}

static void cache_parts(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        int64_t ahead, int64_t dst_ahead)
{
    if (nbytes >= VECTOR)
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, VECTOR);
    else if (nbytes >= 32)
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, 32);
    else
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, 16);
}

#endif
