/*
 * Records in cache whose elements come from a few source windows, of up to a vector each, wherever these lie: numbers
 * of several planes side by side, short rows that change places, small matrices that are transposed, with gaps or
 * without. For each line of a period (period.h) a table says which bytes of which windows become it.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/buffer.h"
#include "period.h"

enum {
    LEAST = 1024,    /* bytes of a copy */
    PARTS = 64,      /* of a record at most, */
    RECORD = 256,    /* and bytes to the next one; */
    MOST_LINES = 32, /* of a period, */
    PERIODS = 16,    /* of a run of records at least, */
    WORTH = 64,      /* and of a copy: to make the table takes as long as some do; */
    NEAR = 3072,     /* bytes of a step in the source at most: no page between items is missing */
    BLOCK = 256,     /* lines that are written while the source they come from stays near */
    ITEM_COST = 4,   /* how long it takes, about: an item by itself, */
    ROW_COST = 8,    /* a row, */
    WINDOW_COST = 5, /* a window of a line, */
    LINE_COST = 6    /* and a line */
};

/* Bytes of both sides that move together. */
struct part {
    int64_t dst, src; /* from the beginning of a record */
};

struct job {
    const struct svi_isa *isa;
    const struct svi_plan *plan;
    int32_t axis;    /* along which records follow each other; a record is made of the axes behind it */
    int64_t width;   /* bytes of a part */
    int64_t parts;   /* of a record */
    int64_t records; /* of a period */
    int64_t lines;   /* the same */
    int64_t step;    /* bytes from a period to the next in the source */
    struct part part[PARTS];
    struct svi_sources_line *line; /* of each line of a period */
};

/* --- what records are --------------------------------------------------------- */

/* The fastest axis of parts: rows stay together. */
static int32_t last_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_ROWS ? plan->ndim - 2 : plan->ndim - 1;
}

static int64_t width_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_ROWS ? plan->item * plan->shape[plan->ndim - 1] : plan->item;
}

/* Whether records that are made of the axes behind this one follow each other along it. */
static bool begins_run(struct job *j, int32_t axis, int64_t end)
{
    const struct svi_plan *plan = j->plan;
    const int64_t step = plan->dst[axis];

    if (step > RECORD || end > step)
        return false;
    j->axis = axis;
    j->lines = svi_period_lines(step);
    j->records = j->lines * SVI_LINE / step;
    j->step = svi_period_step(step, plan->src[axis]);
    return plan->shape[axis] >= PERIODS * j->records && j->lines <= MOST_LINES && j->step != 0 &&
           svi_abs(j->step) <= NEAR && plan->nbytes >= WORTH * j->records * j->parts * j->width;
}

/* Of the fewest axes whose records make a run. */
static bool find_records(struct job *j)
{
    const struct svi_plan *plan = j->plan;
    int64_t end = width_of(plan);

    j->parts = 1;
    j->width = end;
    for (int32_t k = last_of(plan); k > 0 && end <= RECORD; k--) {
        j->parts *= plan->shape[k];
        end += (plan->shape[k] - 1) * plan->dst[k];
        if (j->parts <= PARTS && begins_run(j, k - 1, end))
            return true;
    }
    return false;
}

static void find_parts(struct job *j)
{
    const struct svi_plan *plan = j->plan;
    int64_t count = 1;

    j->part[0] = (struct part){0, 0};
    for (int32_t k = last_of(plan); k > j->axis; k--) {
        for (int64_t i = count; i < count * plan->shape[k]; i++) {
            const struct part before = j->part[i - count];

            j->part[i] = (struct part){before.dst + plan->dst[k], before.src + plan->src[k]};
        }
        count *= plan->shape[k];
    }
}

/* --- the table ------------------------------------------------------------------ */

/* The window that has these bytes, or may have; -1: none is left. How many a window has is in read. */
static int window_of(struct svi_sources_line *l, int64_t src, int64_t nbytes)
{
    for (int k = 0; k < l->windows; k++) {
        const int64_t low = svi_smaller(l->from[k], src);
        const int64_t high = svi_larger(l->from[k] + (int64_t)l->read[k], src + nbytes);

        if (high - low <= SVI_LINE) {
            l->from[k] = low;
            l->read[k] = (uint64_t)(high - low);
            return k;
        }
    }
    if (l->windows == SVI_WINDOWS)
        return -1;
    l->from[l->windows] = src;
    l->read[l->windows] = (uint64_t)nbytes;
    l->of[l->windows] = 0;
    return l->windows++;
}

static bool find_window(struct svi_sources_line *l, int64_t at, int64_t src, int64_t nbytes)
{
    (void)at;
    return window_of(l, src, nbytes) >= 0;
}

static bool find_lanes(struct svi_sources_line *l, int64_t at, int64_t src, int64_t nbytes)
{
    const int k = window_of(l, src, nbytes);
    const uint64_t bits = svi_bits_below(nbytes) << at;

    l->of[k] |= bits;
    l->there |= bits;
    for (int64_t b = 0; b < nbytes; b++)
        l->lane[at + b] = (unsigned char)(src - l->from[k] + b);
    return true;
}

typedef bool visit(struct svi_sources_line *l, int64_t at, int64_t src, int64_t nbytes);

/* Parts of a record that is the so many'th, as far as they are in one line. */
static bool visit_record(struct job *j, int64_t record, visit *each)
{
    const int64_t to = record * j->plan->dst[j->axis], from = record * j->plan->src[j->axis];

    for (int64_t i = 0; i < j->parts; i++) {
        int64_t dst = to + j->part[i].dst, src = from + j->part[i].src;

        for (int64_t left = j->width, some; left > 0; left -= some, dst += some, src += some) {
            some = svi_smaller(left, SVI_LINE - dst % SVI_LINE);
            if (!each(&j->line[dst / SVI_LINE], dst % SVI_LINE, src, some))
                return false;
        }
    }
    return true;
}

/* Of the lines that have a part. */
static int64_t cost_of(const struct job *j)
{
    int64_t cost = 0;

    for (int64_t k = 0; k < j->lines && j->line[k].windows > 0; k++)
        cost += LINE_COST + j->line[k].windows * WINDOW_COST;
    return cost;
}

/* The windows of so many records. False: a line needs too many, or they take longer than the items by themselves. Where
 * a whole period was worth it less than one is, for that is how it begins. */
static bool find_windows(struct job *j, int64_t records)
{
    const int64_t each = j->parts * (j->plan->kind == SVI_CLASS_ROWS ? ROW_COST : ITEM_COST);
    int64_t most = LINE_COST + SVI_WINDOWS * WINDOW_COST; /* the last line may have more to come */

    for (int64_t k = 0; k < j->lines; k++)
        j->line[k].windows = 0;
    for (int64_t r = 0; r < records; r++) {
        most += each;
        if (!visit_record(j, r, find_window) || cost_of(j) > most)
            return false;
    }
    return records < j->records || cost_of(j) <= records * each;
}

static void make_table(struct job *j, int64_t records)
{
    for (int64_t k = 0; k < j->lines; k++)
        j->line[k].there = 0;
    for (int64_t r = 0; r < records; r++)
        visit_record(j, r, find_lanes);
    for (int64_t k = 0; k < j->lines; k++)
        for (int i = 0; i < j->line[k].windows; i++)
            j->line[k].read[i] = svi_bits_below((int64_t)j->line[k].read[i]);
}

/* --- all of it -------------------------------------------------------------------- */

/* Line by line of a period, for a block of these. */
void svi_permute_periods(const struct svi_isa *isa, const struct svi_sources_line *line, int64_t count, char *dst,
                         int64_t dst_step, const char *src, int64_t src_step, int64_t periods, bool whole,
                         bool beyond_cache)
{
    const int64_t most = count == 1 ? periods : BLOCK / count;

    for (int64_t i = 0; i < periods; i += most)
        for (int64_t k = 0; k < count; k++)
            if (line[k].windows > 0)
                isa->permute_sources(&line[k], dst + i * dst_step + k * SVI_LINE, dst_step, src + i * src_step,
                                     src_step, svi_smaller(most, periods - i), whole, beyond_cache);
}

/* A window may be wider than what is read of it: behind the last byte of a run in memory there may be nothing. */
static void permute_run(const struct job *j, char *dst, const char *src, int64_t periods)
{
    const int64_t end = svi_larger((periods - 1) * j->step, 0) + 1, width = j->lines * SVI_LINE;
    const struct svi_periods safe = svi_safe_periods(periods, j->step, SVI_LINE, end);
    const int64_t last = j->step < 0 ? 0 : safe.end, count = safe.end - safe.first;

    svi_permute_periods(j->isa, j->line, j->lines, dst + safe.first * width, width, src + safe.first * j->step, j->step,
                        count, true, false);
    svi_permute_periods(j->isa, j->line, j->lines, dst + last * width, width, src + last * j->step, j->step,
                        periods - count, false, false);
}

/* So many periods from a record on, of each run. */
static void walk(const struct job *j, char *dst, const char *src, int64_t record, int64_t periods)
{
    struct svi_odometer outer;

    svi_odometer_init(&outer, j->plan, j->axis, -1, dst + record * j->plan->dst[j->axis],
                      src + record * j->plan->src[j->axis]);
    do
        permute_run(j, outer.dst, outer.src, periods);
    while (svi_odometer_next(&outer));
}

static bool run_all(struct job *j, bool asks, char *dst, const char *src)
{
    const int64_t records = j->plan->shape[j->axis], rest = records % j->records;

    find_parts(j);
    if (!find_windows(j, j->records))
        return false;
    if (asks)
        return true;
    make_table(j, j->records);
    walk(j, dst, src, 0, records / j->records);
    if (rest > 0) {
        find_windows(j, rest);
        make_table(j, rest);
        walk(j, dst, src, records - rest, 1);
    }
    return true;
}

bool svi_is_permute_sources(const struct svi_host_copy *c)
{
    return c->plan->nbytes >= LEAST && c->machine->isa->permute_sources != NULL && c->machine->bytes &&
           c->plan->ndim >= 2 && !c->beyond_cache;
}

bool svi_permute_sources(const struct svi_host_copy *c)
{
    struct svi_scratch scratch;
    struct job j;
    bool done;

    j.isa = c->machine->isa;
    j.plan = c->plan;
    if (!find_records(&j))
        return false;
    j.line = svi_scratch_open(&scratch, (size_t)j.lines * sizeof *j.line);
    if (j.line == NULL)
        return false;
    done = run_all(&j, c->asks, c->dst, c->src);
    svi_scratch_close(&scratch);
    return done;
}
