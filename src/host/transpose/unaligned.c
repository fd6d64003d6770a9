/*
 * Copies beyond the cache between a run in the source and another in the
 * destination, of items of any size, where rows of the destination begin
 * anywhere in a line.
 *
 * Down a strip of columns, block by block. Rows of a block are copied to a
 * buffer while the block before it is written: some columns at a time become
 * rows of the destination on a stage, behind the last line of each that was not
 * complete. What is complete goes out in whole lines, what is not waits for the
 * next block: only the ends of rows are ever stored in parts of a line.
 */
#include "alloc.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/scratch.h"
#include "column_panels.h"

enum {
    BYTES = 1024,     /* of a row of a block at most where items are bytes: it has many rows */
    RUN = 256,        /* bytes of each row of the destination that a block makes, and where rows of a */
    NARROW = 512,     /* block have fewer bytes than that */
    MORE = 4,         /* times as many */
    FEW_ROWS = 16,    /* of long items, and a multiple for all others */
    LONG_RUN = 4096,
    LEAST = 4096,     /* bytes of a row of the destination, else it takes in further axes */
    WORTH = 256,      /* as many as are worth it */
    TURN = 16,        /* lines stored before as many are read */
    PAD = SVI_LINE    /* items are moved as whole vectors */
};

struct work {
    struct svi_strips strips;
    const struct svi_isa *isa;
    const struct svi_tuning *tuning;
    const struct svi_tile *tile; /* NULL: items are moved one by one */
    svi_shift *shift;            /* NULL: by the stage */
    bool aligned;                /* the strip, as shift wants it */
    int64_t rows;                /* of a block at most */
    int64_t at_once;             /* columns that shift takes */
    int64_t group;               /* columns on the stage */
    int64_t pitch, stage_pitch;
    char *memory;     /* of all that follows */
    char *now, *next; /* the block, the one after it */
    char *stage;      /* of each column a line, then its items of the block */
    char *carry;      /* of each column of the strip the last line before the block */
    int64_t *place;   /* of each column of the strip in the destination */
    struct svi_strip strip;
    struct svi_strip_reader from, ahead;
    struct svi_strip_buffer buffer;
};

/* --- a group of columns --------------------------------------------------------- */

/* Columns [first, first + count) of the block; tiles take in what is behind them. */
static void stage_group(const struct work *w, int64_t first, int64_t count, int64_t rows)
{
    const int64_t item = w->strips.item;
    const char *from = w->now + first * item;
    char *to = w->stage + SVI_LINE;

    for (int64_t k = 0; k < count; k++)
        memcpy(w->stage + k * w->stage_pitch, w->carry + (first + k) * SVI_LINE, SVI_LINE);
    if (w->tile == NULL) {
        for (int64_t k = 0; k < count; k++)
            svi_take_column(to + k * w->stage_pitch, from + k * item, w->pitch, rows, (size_t)item);
        return;
    }
    for (int64_t row = 0; row < rows; row += w->tile->rows)
        w->tile->run(to + row * item, w->stage_pitch, from + row * w->pitch, w->pitch,
                     (count + w->tile->columns - 1) / w->tile->columns, false);
}

/* As many lines of the next block as were stored. */
static void feed(struct work *w, int64_t lines)
{
    svi_strip_fetch(&w->ahead, svi_strip_copy(&w->from, &w->buffer, lines));
}

/* What is complete of the rows on the stage; the rows of the source are [row, row + rows). */
static void flush_group(struct work *w, int64_t first, int64_t count, int64_t row, int64_t rows)
{
    const int64_t nbytes = rows * w->strips.item;
    const bool begins = row == 0, ends = row + rows == w->strips.rows.count;
    int64_t stored = 0;

    for (int64_t k = 0; k < count; k++) {
        const char *from = w->stage + k * w->stage_pitch + SVI_LINE, *end = from + nbytes;
        char *to = w->strip.outer.dst + w->place[first + k] + row * w->strips.item;
        const int64_t before = begins ? 0 : (int64_t)((uintptr_t)to % SVI_LINE);
        const int64_t after = ends ? 0 : (int64_t)((uintptr_t)(to + nbytes) % SVI_LINE);
        const int64_t body = before + nbytes - after;

        memcpy(w->carry + (first + k) * SVI_LINE, end - SVI_LINE, SVI_LINE);
        w->isa->stream_copy(to - before, from - before, (size_t)body);
        stored += nbytes / SVI_LINE;
        if (stored >= TURN) {
            feed(w, stored);
            stored = 0;
        }
    }
    feed(w, stored);
}

/* Columns whose rows begin and end elsewhere: without the stage. */
static void shift_group(struct work *w, int64_t first, int64_t row, int64_t rows)
{
    const int64_t item = w->strips.item;
    char *to[16];

    for (int64_t k = 0; k < w->at_once; k++)
        to[k] = w->strip.outer.dst + w->place[first + k] + row * item;
    w->shift(to, w->now + first * item, w->pitch, rows * item / SVI_LINE, w->carry + first * SVI_LINE);
    feed(w, rows * item / SVI_LINE * w->at_once);
}

/* --- a strip ---------------------------------------------------------------------- */

static void expect(struct work *w, int64_t rows)
{
    w->buffer = (struct svi_strip_buffer){w->next, w->pitch, (rows + w->strips.fold - 1) / w->strips.fold, 0};
}

static void swap(struct work *w)
{
    char *done = w->now;

    feed(w, INT64_MAX);
    w->now = w->next;
    w->next = done;
}

/* Of what shift stores. */
static uintptr_t alignment_of(int64_t item)
{
    return (uintptr_t)svi_smaller(item & -item, 4);
}

static void enter_strip(struct work *w)
{
    uintptr_t bits = (uintptr_t)w->strip.outer.dst;

    for (int64_t k = 0; k < w->strip.columns; k++) {
        w->place[k] = svi_run_offset(&w->strips.columns, w->strip.column + k);
        bits |= (uintptr_t)w->place[k];
    }
    w->aligned = w->shift != NULL && bits % alignment_of(w->strips.item) == 0;
}

static void run_block(struct work *w, int64_t row, int64_t rows)
{
    const bool inner = row > 0 && row + rows < w->strips.rows.count && w->aligned;

    for (int64_t k = 0; k < w->strip.columns;) {
        const int64_t count = svi_smaller(w->group, w->strip.columns - k);

        if (inner && count >= w->at_once) {
            shift_group(w, k, row, rows);
            k += w->at_once;
            continue;
        }
        stage_group(w, k, count, rows);
        flush_group(w, k, count, row, rows);
        k += count;
    }
}

/* last: no strip comes after it. */
static void run_strip(struct work *w, bool last)
{
    const int64_t all = w->strips.rows.count;

    enter_strip(w);
    for (int64_t row = 0; row < all; row += w->rows) {
        const int64_t rows = svi_smaller(w->rows, all - row), rest = all - row - rows;

        if (rest > 0)
            expect(w, svi_smaller(w->rows, rest));
        else
            expect(w, last ? 0 : svi_smaller(w->rows, all));
        run_block(w, row, rows);
        swap(w);
    }
}

static void run_all(struct work *w, char *dst, const char *src)
{
    struct svi_strip next;
    bool more;

    svi_strip_begin(&w->strip, &w->strips, dst, src);
    svi_strip_reader_begin(&w->from, &w->strip);
    svi_strip_reader_begin(&w->ahead, &w->strip);
    svi_strip_fetch(&w->ahead, w->tuning->unaligned_prefetch_bytes / SVI_LINE);
    expect(w, svi_smaller(w->rows, w->strips.rows.count));
    swap(w);
    do {
        next = w->strip;
        more = svi_strip_next(&next);
        run_strip(w, !more);
        w->strip = next;
    } while (more);
    w->isa->fence();
}

/* --- all of it -------------------------------------------------------------------- */

static int64_t up(int64_t nbytes)
{
    return (nbytes + SVI_LINE - 1) / SVI_LINE * SVI_LINE;
}

/* An odd number of lines: rows share no sets of the caches. */
static int64_t odd_lines(int64_t nbytes)
{
    return up(nbytes) / SVI_LINE % 2 == 0 ? up(nbytes) + SVI_LINE : up(nbytes);
}

static int64_t multiple(int64_t value, int64_t of)
{
    return (value + of - 1) / of * of;
}

/* Strips of about one width. */
static int64_t width_of(const struct work *w, int64_t columns)
{
    const int64_t strips = (columns + w->strips.width - 1) / w->strips.width;
    const int64_t width = (columns + strips - 1) / strips;

    return multiple(width, w->group);
}

/* For items of a power of two of bytes, or of three times one. */
static void choose_tile(struct work *w, int64_t item)
{
    const struct svi_tile *tile = NULL;
    const int size = __builtin_ctzll((unsigned long long)item);

    w->shift = NULL;
    w->at_once = 1;
    if (item >> size == 1 && item <= SVI_PLAN_ITEM) {
        tile = &w->isa->store[size];
        w->shift = w->isa->shift[size];
        w->at_once = SVI_UNIT / item;
    } else if (item >> size == 3 && size < SVI_THIRDS) {
        tile = &w->isa->store_thirds[size];
        w->shift = w->isa->shift_thirds[size];
        w->at_once = tile->columns;
    }
    w->tile = tile != NULL && tile->rows > 0 ? tile : NULL;
}

static void choose(struct work *w, const struct svi_machine *machine, const struct svi_plan *plan,
                   const struct svi_matrix *m)
{
    const struct svi_tuning *tuning = machine->tuning;
    const int64_t item = plan->item, width = tuning->unaligned_panel_bytes;
    const int64_t rows = svi_smaller(tuning->unaligned_rows, LONG_RUN / item);

    w->isa = machine->isa;
    w->tuning = tuning;
    choose_tile(w, item);
    w->group = svi_larger(4, SVI_LINE / item);
    w->rows = svi_larger(svi_larger(rows, FEW_ROWS), RUN / item) / FEW_ROWS * FEW_ROWS;
    if (w->tile != NULL) {
        w->group = multiple(w->group, w->tile->columns);
        w->rows = multiple(w->rows, w->tile->rows);
    }
    w->strips.width = svi_larger((item == 1 ? svi_smaller(BYTES, width) : width) / item, w->group);
    svi_strips_make(&w->strips, plan, m, LEAST);
    if (w->strips.columns.count * item < NARROW)
        w->rows *= MORE;
    if (svi_strips_are_dense(&w->strips))
        w->strips.fold = w->rows;
    w->strips.width = width_of(w, w->strips.columns.count);
    w->pitch = w->strips.fold > 1 ? w->strips.rows.other[0] : odd_lines(w->strips.width * item + PAD);
    w->stage_pitch = odd_lines(SVI_LINE + w->rows * item + PAD);
}

/* False where it is not worth it, or there is no memory for its buffers. */
static bool is_worth_it(const struct work *w)
{
    const int64_t item = w->strips.item;

    return w->strips.rows.count * item >= WORTH && w->strips.columns.count * item >= SVI_LINE;
}

/* False: out of memory. */
static bool run(struct work *w, const struct svi_matrix *m)
{
    const int64_t item = w->strips.item, block = up(w->rows * w->pitch + w->group * item + PAD);
    const int64_t stage = up(w->group * w->stage_pitch + PAD);

    w->now = svi_scratch_new((size_t)(2 * block + stage) +
                             (size_t)w->strips.width * (SVI_LINE + sizeof *w->place));
    if (w->now == NULL)
        return false;
    w->memory = w->now;
    w->next = w->now + block;
    w->stage = w->next + block;
    w->carry = w->stage + stage;
    w->place = (int64_t *)(void *)(w->carry + w->strips.width * SVI_LINE);
    run_all(w, m->dst, m->src);
    svi_scratch_free(w->memory);
    return true;
}

static bool run_unaligned(const struct svi_host_copy *c, const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct work *w = svi_malloc(sizeof *w);
    bool done;

    if (w == NULL)
        return false;
    choose(w, c->machine, plan, m);
    done = is_worth_it(w) && (c->asks || run(w, m));
    svi_free(w);
    return done;
}

bool svi_matrix_ragged(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return run_unaligned(c, c->plan, &m);
}

bool svi_across_by_rows(const struct svi_host_copy *c)
{
    struct svi_plan plan;
    struct svi_matrix m;

    return svi_odd_matrix(c, &plan, &m) && run_unaligned(c, &plan, &m);
}
