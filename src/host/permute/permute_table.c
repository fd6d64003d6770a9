/*
 * Records whose bytes change places: matrices of a batch that are transposed, members of a structure in another order,
 * short runs backwards. For each line of a period (period.h) a table says where it comes from: a few vectors of the
 * source that follow each other, whose words are permuted.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/buffer.h"
#include "period.h"

enum {
    MIN_RUN_BYTES = 1024,     /* of records that follow each other, */
    MIN_RUN_PERIODS = 4,      /* and as many periods */
    MAX_LINES = 64,           /* of a period */
    MIN_PERIODS = 8,          /* of a copy: to make the table takes as long as some do; */
    MIN_CACHED_PERIODS = 100, /* in cache, where tiles would do, and lines come from more than */
    FEW_PAIRS = 1,            /* of vectors: with so few nothing else is as fast, */
    SOME_PAIRS = 3,           /* with more than these tiles are faster anyhow */
    MAX_STEP_BYTES = 3072,    /* in the source: no page between items is missing */
    PREFETCH_BYTES = 4096
};

struct job {
    const struct svi_isa *isa;
    const struct svi_plan *plan;
    int32_t axis;  /* along which records follow each other; a record is made of the axes behind it */
    int64_t units; /* of a run of records */
    int64_t reach; /* bytes from the beginning of a period to behind all that is read of it by whole vectors */
    int64_t head;  /* units before the first line that the table is for */
    bool beyond_cache;
    struct svi_table table;
    int32_t *offset;             /* of each unit of a period and of a line more, in the source */
    struct svi_table_line *line; /* of each line of a period */
};

/* --- records ----------------------------------------------------------------- */

static struct job job_of(const struct svi_host_copy *c)
{
    return (struct job){
        .isa = c->machine->isa, .plan = c->plan, .beyond_cache = svi_is_beyond_l2(c->machine, c->plan, 1)};
}

static void set_records(struct job *j, int32_t axis, int64_t record, int unit)
{
    const int64_t step = svi_period_step(record, j->plan->src[axis]);

    j->axis = axis;
    j->units = record / unit * j->plan->shape[axis];
    j->table = (struct svi_table){
        .unit = unit,
        .lines = svi_period_lines(record),
        .step = step,
        .ahead = step < 0 ? -PREFETCH_BYTES : PREFETCH_BYTES,
    };
}

/* The fewest axes, dense in the destination, whose records make a long run. */
static bool find_small_records(struct job *j)
{
    const struct svi_plan *plan = j->plan;
    uint64_t odd = (uint64_t)plan->item;
    int64_t record = plan->item;

    for (int32_t k = plan->ndim - 1; k >= 0 && plan->dst[k] == record && svi_abs(plan->src[k]) <= MAX_STEP_BYTES; k--) {
        const int64_t lines = svi_period_lines(record), run = record * plan->shape[k];

        odd |= svi_abs(plan->src[k]);
        if (k < plan->ndim - 1 && lines <= MAX_LINES &&
            run >= svi_larger(MIN_RUN_BYTES, MIN_RUN_PERIODS * lines * SVI_LINE)) {
            set_records(j, k, record, odd % 2 == 0 ? 2 : 1);
            return plan->nbytes >= MIN_PERIODS * lines * SVI_LINE;
        }
        record = run;
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
    return pairs <= SOME_PAIRS && (j->beyond_cache || plan->nbytes >= MIN_CACHED_PERIODS * j->table.lines * SVI_LINE);
}

/* --- the table --------------------------------------------------------------- */

/* Units of a period and of a line more, which may begin with any unit of a line. */
static int64_t offsets_of(const struct job *j)
{
    return (j->table.lines + 1) * SVI_LINE / j->table.unit;
}

static void find_offsets(struct job *j)
{
    const struct svi_plan *plan = j->plan;
    const int64_t most = offsets_of(j);
    int64_t count = 0;

    for (; count < plan->item / j->table.unit; count++)
        j->offset[count] = (int32_t)count * j->table.unit;
    for (int32_t k = plan->ndim - 1; k >= j->axis; k--) {
        const int64_t end = k == j->axis ? most : count * plan->shape[k];

        for (int64_t i = count; i < end; i++)
            j->offset[i] = j->offset[i - count] + (int32_t)plan->src[k];
        count = end;
    }
}

/* For lines behind so many units. False: one of them comes from too far apart. */
static bool make_table(struct job *j, int64_t head)
{
    const int unit = j->table.unit;

    j->head = head;
    j->reach = 0;
    j->table.offset = j->offset + head;
    j->table.line = j->line;
    for (int64_t k = 0; k < j->table.lines; k++) {
        struct svi_table_line *s = &j->line[k];

        if (!j->isa->make_table_line(s, j->table.offset + k * SVI_LINE / unit, unit)) {
            j->head = -1;
            return false;
        }
        j->reach = svi_larger(j->reach, s->from + (s->pairs == 0 ? SVI_LINE : 2 * SVI_LINE * s->pairs));
    }
    return true;
}

/* --- a run of records --------------------------------------------------------- */

/* Units [first, end) of a run, one by one. */
static void move(const struct job *j, char *dst, const char *src, int64_t first, int64_t end)
{
    const int64_t unit = j->table.unit, period = j->table.lines * SVI_LINE / unit;
    int64_t i = first % period;

    src += first / period * j->table.step;
    for (dst += first * unit; first < end; first++, dst += unit) {
        for (int64_t b = 0; b < unit; b++)
            dst[b] = src[j->offset[i] + b];
        if (++i == period) {
            src += j->table.step;
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
    const int64_t unit = j->table.unit, periodic = j->table.lines, step = j->table.step;
    const int64_t line = SVI_LINE / unit, lines = (j->units - j->head) / line;
    const struct svi_periods safe = svi_safe_periods((lines + periodic - 1) / periodic, step, j->reach, end_of(j));
    const int64_t from = svi_smaller(safe.first * periodic, lines);
    const int64_t to = svi_larger(svi_smaller(safe.end * periodic, lines), from);
    char *const body = dst + j->head * unit + from * SVI_LINE;

    move(j, dst, src, 0, j->head + from * line);
    if (from < to)
        j->isa->permute_table(body, src + safe.first * step, &j->table, to - from,
                              j->beyond_cache && (uintptr_t)body % SVI_LINE == 0);
    move(j, dst, src, j->head + to * line, j->units);
}

/* Units before the first line of a run; 0 where it never comes, or a table for it takes longer than the run. */
static int64_t head_of(const struct job *j, const char *dst)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE), unit = j->table.unit, nbytes = j->units * unit;

    if (nbytes < j->plan->nbytes && nbytes < MIN_PERIODS * j->table.lines * SVI_LINE)
        return 0;
    return before % unit == 0 ? before / unit : 0;
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
static __attribute__((noinline)) bool with_table(struct job *j, const struct svi_host_copy *c)
{
    const size_t tables = (size_t)j->table.lines * sizeof *j->line;
    struct svi_scratch scratch;
    bool done;

    j->line = svi_scratch_open(&scratch, tables + (size_t)offsets_of(j) * sizeof *j->offset);
    if (j->line == NULL)
        return false;
    j->offset = (int32_t *)(void *)((char *)j->line + tables);
    done = run_all(j, c->asks, c->dst, c->src);
    svi_scratch_close(&scratch);
    return done;
}

bool svi_permute_table(const struct svi_host_copy *c)
{
    struct job j = job_of(c);

    return j.isa->permute_table != NULL && find_small_records(&j) && is_worth_it(c->machine, &j) && with_table(&j, c);
}
