/*
 * Lines of the source, each read once and whole, become lines of the destination past the cache, in registers or by way
 * of a buffer. For vectors of a line; after lanes.h.
 */
#ifndef SVI_HOST_ONCE_H
#define SVI_HOST_ONCE_H

/* Lines of as many rows as there are items in one become one of each column; rows behind the last are like it. */
SVI_INLINE void turn_rows(vec *line, const char *src, int64_t pitch, int64_t last, int item)
{
    const int n = 16 / item;
    vec v[LANES][8];

#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++) {
#pragma GCC unroll 8
        for (int i = 0; i < n; i++)
            v[k][i] = load(src + (k * n + i < last ? k * n + i : last) * pitch);
#pragma GCC unroll 3
        for (int done = 1; done < n; done *= 2)
            in_turns(v[k], n, item);
    }
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        vec lane[LANES] = {v[0][i], v[1][i], v[2][i], v[3][i]};

        weave(lane, LANES);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++)
            line[k * n + i] = lane[k];
    }
}

/*
 * The same of whole lines, each read once. Those at next, which may lie across two, are fetched: the first of these was
 * with what came before.
 */
SVI_INLINE void turn_lines(vec *line, const char *src, const char *next, int64_t pitch, int item)
{
#pragma GCC unroll 32
    for (int i = 0; i < SVI_LINE / item; i++)
        fetch_line(next + i * pitch + SVI_LINE - 1, false);
    turn_rows(line, src, pitch, SVI_LINE / item - 1, item);
}

SVI_INLINE void wholes(char *dst, const int64_t *column, const char *src, const char *next, int64_t pitch,
                       int64_t count, int item)
{
    const int columns = SVI_LINE / item;
    vec line[2][32];

    for (; count > 0; count -= 2) {
        const bool two = count > 1;

        turn_lines(line[0], src, next, pitch, item);
        src += columns * pitch;
        next += columns * pitch;
        if (two) {
            turn_lines(line[1], src, next, pitch, item);
            src += columns * pitch;
            next += columns * pitch;
        }
#pragma GCC unroll 32
        for (int i = 0; i < columns; i++) {
            stream(dst + column[i], line[0][i]);
            if (two)
                stream(dst + column[i] + SVI_LINE, line[1][i]);
        }
        dst += 2 * SVI_LINE;
    }
}

static void whole_2(char *dst, const int64_t *column, const char *src, const char *next, int64_t pitch, int64_t count)
{
    wholes(dst, column, src, next, pitch, count, 2);
}

static void whole_4(char *dst, const int64_t *column, const char *src, const char *next, int64_t pitch, int64_t count)
{
    wholes(dst, column, src, next, pitch, count, 4);
}

static void whole_8(char *dst, const int64_t *column, const char *src, const char *next, int64_t pitch, int64_t count)
{
    wholes(dst, column, src, next, pitch, count, 8);
}

static void whole_16(char *dst, const int64_t *column, const char *src, const char *next, int64_t pitch, int64_t count)
{
    wholes(dst, column, src, next, pitch, count, 16);
}

/* --- by way of a buffer ------------------------------------------------------- */

/* 16 bytes of so many rows in each lane: their columns. */
SVI_INLINE void lays(char *to, int64_t step, const char *src, const char *next, int64_t pitch, int item)
{
    const int n = 16 / item;
    vec v[16];

#pragma GCC unroll 4
    for (int k = 0; k < SVI_LAID * item / 16; k++) {
#pragma GCC unroll 16
        for (int i = 0; i < n; i++)
            fetch_line(next + (k * n + i) * pitch + SVI_LINE - 1, false);
#pragma GCC unroll 16
        for (int i = 0; i < n; i++)
            v[i] = load(src + (k * n + i) * pitch);
#pragma GCC unroll 4
        for (int done = 1; done < n; done *= 2)
            in_turns(v, n, item);
#pragma GCC unroll 16
        for (int i = 0; i < n; i++)
            store(to + i * step + k * VECTOR, v[i]);
    }
}

static void lay_1(char *to, int64_t step, const char *src, const char *next, int64_t pitch)
{
    lays(to, step, src, next, pitch, 1);
}

static void lay_2(char *to, int64_t step, const char *src, const char *next, int64_t pitch)
{
    lays(to, step, src, next, pitch, 2);
}

/* A line of a column of each lane, from vectors that follow each other: where the next ones are. */
SVI_INLINE const char *weave_lines(vec *lane, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++, from += VECTOR)
        lane[k] = load(from);
    weave(lane, LANES);
    return from;
}

SVI_INLINE void raises(char *dst, const int64_t *column, const char *from, int64_t lines, int item)
{
    const int n = 16 / item;

    for (int i = 0; i < n; i++)
        for (int64_t line = 0; line < lines; line++) {
            vec lane[LANES];

            from = weave_lines(lane, from);
#pragma GCC unroll 4
            for (int k = 0; k < LANES; k++)
                stream(dst + column[k * n + i] + line * SVI_LINE, lane[k]);
        }
}

static void raise_1(char *dst, const int64_t *column, const char *from, int64_t lines)
{
    raises(dst, column, from, lines, 1);
}

static void raise_2(char *dst, const int64_t *column, const char *from, int64_t lines)
{
    raises(dst, column, from, lines, 2);
}

/* Lines of a column that begin at whole ones of the destination, from what is kept on. */
SVI_INLINE void resume_column(char *to, char *kept, int64_t nbytes, bool first, bool last)
{
    const int64_t before = (int64_t)((uintptr_t)to % SVI_LINE), end = before + nbytes;
    const char *from = kept + SVI_LINE - before;

    to -= before;
    for (int64_t k = 0; k < end; k += SVI_LINE) {
        const int64_t begin = first && k == 0 ? before : 0, some = end - k < SVI_LINE ? end - k : SVI_LINE;

        if (some - begin == SVI_LINE)
            stream(to + k, load(from + k));
        else if (some == SVI_LINE || last)
            store_bytes(to + k, begin, some, load(from + k));
    }
    store(kept, load(kept + nbytes));
}

SVI_INLINE void resumes(char *dst, const int64_t *column, const char *from, int64_t nbytes, char *kept, bool first,
                        bool last, int item)
{
    const int n = 16 / item;

    for (int i = 0; i < n; i++)
        for (int64_t at = 0; at < nbytes; at += SVI_LINE) {
            vec lane[LANES];

            from = weave_lines(lane, from);
#pragma GCC unroll 4
            for (int k = 0; k < LANES; k++)
                store(kept + (k * n + i) * SVI_KEPT + SVI_LINE + at, lane[k]);
        }
    for (int i = 0; i < SVI_LINE / item; i++)
        resume_column(dst + column[i], kept + i * SVI_KEPT, nbytes, first, last);
}

static void resume_1(char *dst, const int64_t *column, const char *from, int64_t nbytes, char *kept, bool first,
                     bool last)
{
    resumes(dst, column, from, nbytes, kept, first, last, 1);
}

#define SVI_WHOLES                                                                                                    \
    {                                                                                                                 \
        NULL, whole_2, whole_4, whole_8, whole_16                                                                     \
    }

#endif
