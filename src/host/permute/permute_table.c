/*
 * Records whose bytes change places, so small that each line of the destination comes from a few vectors of the source
 * that follow each other: matrices of a batch that are transposed, members of a structure in another order, short runs
 * backwards. For each line of a period (period.h) a permute table says which words of these vectors become it.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/scratch.h"
#include "period.h"

enum {
    RUN = 1024,       /* bytes of records that follow each other, at least, */
    PERIODS = 4,      /* and as many periods */
    MOST_LINES = 64,  /* of a period */
    WORTH = 8,        /* periods of a copy at least: to make the table takes as long as some do; */
    WORTH_NEAR = 100, /* in cache, where tiles would do, and lines come from more than */
    FEW_PAIRS = 1,    /* of vectors: with so few nothing else is as fast, */
    SOME_PAIRS = 3,   /* with more than these tiles are faster anyhow */
    NEAR = 3072,      /* bytes of a step in the source at most: no page between items is missing, */
    AHEAD = 4096      /* and that are fetched before they are needed */
};

struct job {
    const struct svi_isa *isa;
    const struct svi_plan *plan;
    int32_t axis;   /* along which records follow each other; the axes behind it are theirs */
    int64_t unit;   /* bytes that stay together: 1 or 2 */
    int64_t record; /* bytes */
    int64_t units;  /* of a run of records */
    int64_t lines;  /* of a period */
    int64_t step;   /* bytes from a period to the next in the source */
    int64_t reach;  /* and from its beginning to behind all that is read of it */
    int64_t head;   /* units before the first line that the table is for; -1: there is none */
    bool beyond_cache;
    int32_t *offset;             /* of each unit of a period and of a line more, in the source */
    struct svi_table_line *line; /* of each line of a period */
};

/* --- the table --------------------------------------------------------------- */

/* The fewest axes, dense in the destination, whose records make a long run. */
static bool find_records(struct job *j)
{
    const struct svi_plan *plan = j->plan;
    uint64_t odd = (uint64_t)plan->item;

    j->record = plan->item;
    for (int32_t k = plan->ndim - 1; k >= 0 && plan->dst[k] == j->record && svi_abs(plan->src[k]) <= NEAR; k--) {
        odd |= svi_abs(plan->src[k]);
        if (k < plan->ndim - 1) {
            j->lines = svi_period_lines(j->record);
            if (j->lines <= MOST_LINES &&
                j->record * plan->shape[k] >= svi_larger(RUN, PERIODS * j->lines * SVI_LINE)) {
                j->axis = k;
                j->unit = odd % 2 == 0 ? 2 : 1;
                j->units = j->record / j->unit * plan->shape[k];
                j->step = svi_period_step(j->record, plan->src[k]);
                return plan->nbytes >= WORTH * j->lines * SVI_LINE;
            }
        }
        j->record *= plan->shape[k];
    }
    return false;
}

/* Pairs of vectors that a line comes from, about: of one that begins with a record. */
static int64_t pairs_of(const struct job *j)
{
    const struct svi_plan *plan = j->plan;
    int64_t left = (SVI_LINE + plan->item - 1) / plan->item, reach = plan->item;

    for (int32_t k = plan->ndim - 1; k >= j->axis && left > 1; k--) {
        const int64_t some = svi_smaller(plan->shape[k], left);

        reach += (some - 1) * (int64_t)svi_abs(plan->src[k]);
        left = (left + some - 1) / some;
    }
    return reach <= SVI_LINE ? 0 : (reach + 2 * SVI_LINE - 1) / (2 * SVI_LINE);
}

/* Whether others would not be faster. */
static bool is_worth_it(const struct svi_machine *machine, const struct job *j)
{
    const struct svi_plan *plan = j->plan;
    const int64_t pairs = pairs_of(j);

    if (pairs <= FEW_PAIRS || pairs > SVI_TABLE_PAIRS)
        return pairs <= FEW_PAIRS;
    if (!machine->tuning->wide_shuffles && plan->item % 4 == 0)
        return false;
    if (plan->kind != SVI_CLASS_TRANSPOSE || !svi_has_tiles(j->isa, plan))
        return true;
    return pairs <= SOME_PAIRS && (j->beyond_cache || plan->nbytes >= WORTH_NEAR * j->lines * SVI_LINE);
}

static void find_offsets(struct job *j)
{
    const int64_t count = svi_record_offsets(j->plan, j->axis, j->unit, j->offset);

    for (int64_t i = count; i < (j->lines + 1) * SVI_LINE / j->unit; i++)
        j->offset[i] = j->offset[i - count] + (int32_t)j->plan->src[j->axis];
}

/* Which words of which pairs: of every unit, or of every second from which on. */
static void find_words(struct svi_table_line *s, int which, const int32_t *offset, int every)
{
    for (int k = 0; k < SVI_LINE / 2; k++) {
        const uint32_t byte = (uint32_t)(offset[every * k + which] - s->from);
        const uint32_t bits = every == 1 ? 0 : (byte ^ (uint32_t)which) % 2 * 8;

        s->word[which][k] = (uint16_t)(byte / 2 % SVI_LINE | bits << SVI_TABLE_SHIFT);
    }
    for (int pair = 1; pair < s->pairs; pair++) {
        uint32_t in = 0;

        for (int k = 0; k < SVI_LINE / 2; k++)
            in |= (uint32_t)((offset[every * k + which] - s->from) / (2 * SVI_LINE) == pair) << k;
        s->in[which][pair] = in;
    }
}

/* False: its units are too far apart. */
static bool make_line(struct svi_table_line *s, const int32_t *offset, int64_t unit)
{
    int32_t low = offset[0], high = offset[0];

    for (int64_t i = 1; i < SVI_LINE / unit; i++) {
        low = offset[i] < low ? offset[i] : low;
        high = offset[i] > high ? offset[i] : high;
    }
    high += (int32_t)unit - low;
    s->from = low;
    s->pairs = high <= SVI_LINE ? 0 : (high + 2 * SVI_LINE - 1) / (2 * SVI_LINE);
    if (s->pairs > SVI_TABLE_PAIRS)
        return false;
    find_words(s, 0, offset, unit == 1 ? 2 : 1);
    if (unit == 1)
        find_words(s, 1, offset, 2);
    return true;
}

/* For lines behind so many units. False: one of them comes from too far apart. */
static bool make_table(struct job *j, int64_t head)
{
    j->head = -1;
    j->reach = 0;
    for (int64_t k = 0; k < j->lines; k++) {
        struct svi_table_line *s = &j->line[k];

        if (!make_line(s, j->offset + head + k * SVI_LINE / j->unit, j->unit))
            return false;
        j->reach = svi_larger(j->reach, s->from + (s->pairs == 0 ? SVI_LINE : 2 * SVI_LINE * s->pairs));
    }
    j->head = head;
    return true;
}

/* --- a run of records --------------------------------------------------------- */

/* Units [first, end) of a run, one by one. */
static void move(const struct job *j, char *dst, const char *src, int64_t first, int64_t end)
{
    const int64_t period = j->lines * SVI_LINE / j->unit;
    int64_t i = first % period;

    src += first / period * j->step;
    for (dst += first * j->unit; first < end; first++, dst += j->unit) {
        dst[0] = src[j->offset[i]];
        if (j->unit == 2)
            dst[1] = src[j->offset[i] + 1];
        if (++i == period) {
            src += j->step;
            i = 0;
        }
    }
}

/* From the first item of a run to behind its last byte in memory. */
static int64_t end_of(const struct job *j)
{
    const struct svi_plan *plan = j->plan;
    int64_t end = plan->item;

    for (int32_t k = j->axis; k < plan->ndim; k++)
        end += svi_larger((plan->shape[k] - 1) * plan->src[k], 0);
    return end;
}

/* The units before the first line and behind the last go one by one, and those with which too much would be read. */
static void run(const struct job *j, char *dst, const char *src)
{
    const int64_t line = SVI_LINE / j->unit, period = j->lines * line, lines = (j->units - j->head) / line;
    const struct svi_table_lines s = {j->lines, j->step, j->step < 0 ? -AHEAD : AHEAD, j->line};
    const struct svi_periods safe = svi_safe_periods((lines + j->lines - 1) / j->lines, j->step, j->reach, end_of(j));
    const int64_t from = svi_smaller(safe.first * j->lines, lines);
    const int64_t to = svi_larger(svi_smaller(safe.end * j->lines, lines), from);

    move(j, dst, src, 0, j->head + from * line);
    if (from < to) {
        char *const lines_from = dst + (j->head + safe.first * period) * j->unit;
        const bool streams = j->beyond_cache && (uintptr_t)lines_from % SVI_LINE == 0;
        svi_permute_table_run *const lines_run = j->unit == 1 ? j->isa->permute_table_1 : j->isa->permute_table_2;

        lines_run(lines_from, src + safe.first * j->step, &s, to - from, streams);
    }
    move(j, dst, src, j->head + to * line, j->units);
}

/* Units before the first line of a run; 0 where it never comes, or a table for it takes longer than the run. */
static int64_t head_of(const struct job *j, const char *dst)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE), nbytes = j->units * j->unit;

    if (nbytes < j->plan->nbytes && nbytes < WORTH * j->lines * SVI_LINE)
        return 0;
    return before % j->unit == 0 ? before / j->unit : 0;
}

static bool run_all(struct job *j, bool asks, char *dst, const char *src)
{
    struct svi_odometer outer;

    find_offsets(j);
    if (!make_table(j, head_of(j, dst)))
        return false;
    if (asks)
        return true;
    svi_odometer_init(&outer, j->plan, j->axis, -1, dst, src);
    do {
        const int64_t head = head_of(j, outer.dst);

        if (head == j->head || make_table(j, head))
            run(j, outer.dst, outer.src);
        else
            move(j, outer.dst, outer.src, 0, j->units);
    } while (svi_odometer_next(&outer));
    if (j->beyond_cache)
        j->isa->fence();
    return true;
}

/* With memory for the table. Apart from what asks: most plans have no use for it. */
static __attribute__((noinline)) bool with_table(struct job *j, bool asks, char *dst, const char *src)
{
    const size_t tables = (size_t)j->lines * sizeof *j->line;
    const size_t offsets = (size_t)((j->lines + 1) * SVI_LINE / j->unit) * sizeof *j->offset;
    struct svi_scratch scratch;
    bool done;

    j->line = svi_scratch_open(&scratch, tables + offsets);
    if (j->line == NULL)
        return false;
    j->offset = (int32_t *)(void *)((char *)j->line + tables);
    done = run_all(j, asks, dst, src);
    svi_scratch_close(&scratch);
    return done;
}

bool svi_permute_table(const struct svi_host_copy *c)
{
    struct job j = {.isa = c->machine->isa, .plan = c->plan, .beyond_cache = svi_is_beyond_l2(c->machine, c->plan, 1)};

    if (c->machine->isa->permute_table_1 == NULL || !find_records(&j) || !is_worth_it(c->machine, &j))
        return false;
    return with_table(&j, c->asks, c->dst, c->src);
}
