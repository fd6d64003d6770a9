/*
 * Transposes in the order of the source: each line is read once and whole, and becomes lines of the destination by
 * non-temporal stores, in registers or by way of a row panel. Without a carry, columns are whole lines. With a carry,
 * columns begin anywhere in a line, and a funnel shift joins the carried partial line of each with its next rows. For
 * vectors of a line; after unaligned.h, in files that have
 *
 *     store_bytes(line, n, m, v)  stores bytes n to m - 1 of v
 *     three_in_turns(v, unit)     interleaves units of 4 or 8 bytes of three vectors
 */
#ifndef SVI_HOST_SOURCE_ORDER_H
#define SVI_HOST_SOURCE_ORDER_H

/* Transposes a line of each of as many rows as a line has items. Rows after the last repeat it. */
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

/* Transposes whole lines, and prefetches the lines at next. These may cross a line, the first part of which was
 * prefetched before. */
SVI_INLINE void turn_lines(vec *line, const char *src, const char *next, int64_t pitch, int item)
{
#pragma GCC unroll 16
    for (int i = 0; i < SVI_LINE / item; i++)
        fetch_line(next + i * pitch + SVI_LINE - 1, false);
    turn_rows(line, src, pitch, SVI_LINE / item - 1, item);
}

/* Bytes from the beginning of the line of an address. */
SVI_INLINE int64_t offset_of(const char *address)
{
    return (int64_t)((uintptr_t)address % SVI_LINE);
}

/* Stores the rest of a column: the carried partial line, and nbytes of v, less than a line. */
SVI_INLINE void end_column(char *to, int64_t nbytes, struct shift *shift, vec v)
{
    const int64_t before = offset_of(to), end = before + nbytes;

    if (end == 0)
        return;
    store_bytes(to - before, 0, end < SVI_LINE ? end : SVI_LINE, shifted(shift, v));
    if (end > SVI_LINE)
        store_bytes(to - before + SVI_LINE, 0, end - SVI_LINE, shifted(shift, v));
}

/* Stores the next line of a column at to. */
SVI_INLINE void continue_column(char *to, struct shift *shift, vec v, bool first)
{
    const int64_t before = offset_of(to);

    if (first)
        store_bytes(to - before, before, SVI_LINE, shifted(shift, v));
    else
        stream(to - before, shifted(shift, v));
}

/* Stores the last rows with what is carried: nbytes of each of n columns, of which `line` has a number of lines. */
SVI_INLINE void end_columns(const struct svi_columns *columns, char *dst, const vec *line, int n, int lines,
                            int64_t nbytes)
{
    for (int i = 0; i < n; i++, line += lines) {
        char *to = dst + columns->column[i];
        struct shift shift = shift_of(columns->carry + i * SVI_LINE, offset_of(to), 4);
        int64_t left = nbytes;
        int k = 0;

        for (; left >= SVI_LINE; left -= SVI_LINE, to += SVI_LINE)
            continue_column(to, &shift, line[k++], false);
        end_column(to, left, &shift, line[k]);
    }
}

SVI_INLINE void source_lines_of(const struct svi_columns *columns, const char *src, const char *next, int64_t pitch,
                                int64_t rows, int item)
{
    const int width = SVI_LINE / item;
    const int64_t *const column = columns->column;
    char *dst = columns->dst, *const carry = columns->carry;
    bool first = columns->first;

    for (int64_t count = rows / width; count > 0; count -= 2) {
        const bool two = count > 1;
        vec line[2][16]; /* declared here, so that the last rows can use its place in the frame */

        turn_lines(line[0], src, next, pitch, item);
        src += width * pitch;
        next += width * pitch;
        if (two) {
            turn_lines(line[1], src, next, pitch, item);
            src += width * pitch;
            next += width * pitch;
        }
#pragma GCC unroll 16
        for (int i = 0; i < width; i++) {
            char *to = dst + column[i];

            if (carry == NULL) {
                stream(to, line[0][i]);
                if (two)
                    stream(to + SVI_LINE, line[1][i]);
            } else {
                struct shift shift = shift_of(carry + i * SVI_LINE, offset_of(to), 4);

                continue_column(to, &shift, line[0][i], first);
                if (two)
                    continue_column(to + SVI_LINE, &shift, line[1][i], false);
                store(carry + i * SVI_LINE, line[two][i]);
            }
        }
        first = false;
        dst += (1 + two) * SVI_LINE;
    }
    if (carry != NULL && columns->last) {
        vec line[16];

        turn_rows(line, src, pitch, rows % width - 1, item);
        end_columns(columns, dst, line, width, 1, rows % width * item);
    }
}

/* Transposes items of three units, three lines of each row. */
SVI_INLINE void turn_threes(vec *line, const char *src, int64_t pitch, int64_t last, int unit)
{
    const int n = SVI_LINE / unit;

#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
        turn_rows(line + k * n, src + k * SVI_LINE, pitch, last, unit);
#pragma GCC unroll 16
    for (int i = 0; i < n; i++)
        three_in_turns(line + 3 * i, unit);
}

SVI_INLINE void source_lines_of_thirds(const struct svi_columns *columns, const char *src, const char *next,
                                       int64_t pitch, int64_t rows, int unit)
{
    const int n = SVI_LINE / unit;
    const int64_t *const column = columns->column;
    char *dst = columns->dst, *const carry = columns->carry;
    bool first = columns->first;
    vec line[3 * 16];

    for (; rows >= n; rows -= n, first = false) {
        for (int i = 0; i < n; i++)
#pragma GCC unroll 3
            for (int k = 1; k <= 3; k++)
                fetch_line(next + i * pitch + k * SVI_LINE - 1, false);
        turn_threes(line, src, pitch, n - 1, unit);
        for (int i = 0; i < n; i++) {
            char *to = dst + column[i];
            struct shift shift = shift_of(carry + i * SVI_LINE, offset_of(to), 4);

#pragma GCC unroll 3
            for (int k = 0; k < 3; k++)
                continue_column(to + k * SVI_LINE, &shift, line[3 * i + k], first && k == 0);
            store(carry + i * SVI_LINE, shift.came[0]);
        }
        src += n * pitch;
        next += n * pitch;
        dst += 3 * SVI_LINE;
    }
    if (!columns->last)
        return;
    turn_threes(line, src, pitch, rows - 1, unit);
    end_columns(columns, dst, line, n, 3, rows * 3 * unit);
}

static void source_lines(const struct svi_columns *columns, const char *src, const char *next, int64_t pitch,
                         int64_t rows, int64_t item)
{
    switch (item) {
    case 4: source_lines_of(columns, src, next, pitch, rows, 4); break;
    case 8: source_lines_of(columns, src, next, pitch, rows, 8); break;
    case 12: source_lines_of_thirds(columns, src, next, pitch, rows, 4); break;
    case 16: source_lines_of(columns, src, next, pitch, rows, 16); break;
    case 24: source_lines_of_thirds(columns, src, next, pitch, rows, 8); break;
    }
}

/* --- by way of a row panel ------------------------------------------------------ */

/* Transposes 16 bytes of rows within each lane, and packs them. */
SVI_INLINE void pack_rows_of(char *to, int64_t step, const char *src, const char *next, int64_t pitch, int item)
{
    const int n = 16 / item;
    vec v[16];

#pragma GCC unroll 4
    for (int k = 0; k < SVI_PACKED_ROWS * item / 16; k++) {
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

static void pack_rows(char *to, int64_t step, const char *src, const char *next, int64_t pitch, int64_t item)
{
    if (item == 1)
        pack_rows_of(to, step, src, next, pitch, 1);
    else
        pack_rows_of(to, step, src, next, pitch, 2);
}

/* Loads a line of a column of each lane, from contiguous vectors. Returns the address of the next ones. */
SVI_INLINE const char *weave_lines(vec *lane, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++, from += VECTOR)
        lane[k] = load(from);
    weave(lane, LANES);
    return from;
}

/* Stores the first column of each lane. Returns the address of the next ones. */
SVI_INLINE const char *store_columns(char *dst, const int64_t *column, const char *from, int64_t nbytes, char *carry,
                                     bool first, bool last, int item)
{
    const int n = 16 / item;
    struct shift shift[LANES];
    vec lane[LANES] = {{0}};
    char *to[LANES];

#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++) {
        to[k] = dst + column[k * n];
        if (carry != NULL)
            shift[k] = shift_of(carry + k * n * SVI_LINE, offset_of(to[k]), item);
    }
    for (; nbytes >= SVI_LINE; nbytes -= SVI_LINE, first = false) {
        from = weave_lines(lane, from);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++) {
            if (carry == NULL)
                stream(to[k], lane[k]);
            else
                continue_column(to[k], &shift[k], lane[k], first);
            to[k] += SVI_LINE;
        }
    }
    if (carry == NULL)
        return from;
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

SVI_INLINE void store_panel_of(const struct svi_columns *columns, const char *from, int64_t nbytes, int item)
{
    const int64_t *const column = columns->column;

    for (int i = 0; i < 16 / item; i++)
        if (columns->carry == NULL)
            from = store_columns(columns->dst, column + i, from, nbytes, NULL, false, false, item);
        else
            from = store_columns(columns->dst, column + i, from, nbytes, columns->carry + i * SVI_LINE, columns->first,
                                 columns->last, item);
}

static void store_panel(const struct svi_columns *columns, const char *from, int64_t nbytes, int64_t item)
{
    if (item == 1)
        store_panel_of(columns, from, nbytes, 1);
    else
        store_panel_of(columns, from, nbytes, 2);
}

#endif
