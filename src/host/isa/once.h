/*
 * Lines of the source, each read once and whole, become lines of the destination past the cache, in registers or by way
 * of a buffer. For vectors of a line; after lanes.h, in files that have said what shift.h says of wide tiles.
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

/* What is left of a column: of the line before, and nbytes, less than a line, of v. */
SVI_INLINE void end_column(char *to, int64_t nbytes, struct shift *shift, vec v)
{
    const int64_t before = (int64_t)((uintptr_t)to % SVI_LINE), end = before + nbytes;

    if (end == 0)
        return;
    store_bytes(to - before, 0, end < SVI_LINE ? end : SVI_LINE, shifted(shift, v));
    if (end > SVI_LINE)
        store_bytes(to - before + SVI_LINE, 0, end - SVI_LINE, shifted(shift, v));
}

/* A line goes on with a column, which is there from to on. */
SVI_INLINE void resume_column(char *to, struct shift *shift, vec v, bool first)
{
    const int64_t before = (int64_t)((uintptr_t)to % SVI_LINE);

    if (first)
        store_bytes(to - before, before, SVI_LINE, shifted(shift, v));
    else
        stream(to - before, shifted(shift, v));
}

/* The first of the columns of each lane; where the next ones are. */
SVI_INLINE const char *resumes(char *dst, const int64_t *column, const char *from, int64_t nbytes, char *carry,
                               bool first, bool last, int item)
{
    const int n = 16 / item;
    struct shift shift[LANES];
    vec lane[LANES] = {{0}};
    char *to[LANES];

#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++) {
        to[k] = dst + column[k * n];
        shift[k] = shift_of(carry + k * n * SVI_LINE, (int64_t)((uintptr_t)to[k] % SVI_LINE), item);
    }
    for (; nbytes >= SVI_LINE; nbytes -= SVI_LINE, first = false) {
        from = weave_lines(lane, from);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++) {
            resume_column(to[k], &shift[k], lane[k], first);
            to[k] += SVI_LINE;
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++)
        store(carry + k * n * SVI_LINE, shift[k].came[0]);
    if (nbytes > 0)
        from = weave_lines(lane, from);
#pragma GCC unroll 4
    for (int k = 0; last && k < LANES; k++)
        end_column(to[k], nbytes, &shift[k], lane[k]);
    return from;
}

static void resume_1(char *dst, const int64_t *column, const char *from, int64_t nbytes, char *carry, bool first,
                     bool last)
{
    for (int i = 0; i < 16; i++)
        from = resumes(dst, column + i, from, nbytes, carry + i * SVI_LINE, first, last, 1);
}

#define SVI_WHOLES                                                                                                    \
    {                                                                                                                 \
        NULL, whole_2, whole_4, whole_8, whole_16                                                                     \
    }

#endif
