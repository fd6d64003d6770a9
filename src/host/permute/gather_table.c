/*
 * Many small records whose elements change places: a batch of transposed
 * matrices, structures whose members get another order. A table has the source
 * offset of each element, for as many records as make whole cache lines, and
 * the gather instruction loads line after line by it.
 */
#include "alloc.h"
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    RECORD = 16384,  /* bytes of a record at most, */
    LINES = 8192,    /* of one whose rows are whole lines: tiles do as well there, and better in cache; */
    RUN = 1024,      /* and of those that follow each other, at least; */
    ENTRIES = 32768, /* of a table at most, */
    FEW = 1024,      /* in cache, */
    WORTH = 2,       /* as long as the copy has so many times as many units */
    SPARSE = 2,      /* times as many bytes of the source as it has may lie between its ends */
    AHEAD = 4096     /* bytes that are fetched before they are needed */
};

/* The records of a plan. */
struct layout {
    int64_t unit;  /* bytes that are moved as one */
    int64_t units; /* of a record */
    int32_t axis;  /* along which records follow each other; the axes behind it are theirs */
};

static int64_t common(int64_t a, int64_t b)
{
    return b == 0 ? a : common(b, a % b);
}

/* Axes that are dense in the destination, and nearly so in the source: the fewest whose records make a long run, or the
 * most. */
static bool find(const struct svi_plan *plan, bool beyond_cache, struct layout *out)
{
    int64_t nbytes = plan->item, reach = plan->item, run = 0;
    int32_t k = plan->ndim - 1;
    const bool lines = plan->shape[k] * plan->item % SVI_LINE == 0;
    const int64_t most = lines ? LINES : RECORD;

    *out = (struct layout){.unit = plan->item % 8 == 0 ? 8 : 4};
    if (plan->item % out->unit != 0 || (lines && !beyond_cache))
        return false;
    for (; k > 0 && run <= most && plan->dst[k] == nbytes && nbytes * plan->shape[k] <= most; k--) {
        nbytes *= plan->shape[k];
        reach += (plan->shape[k] - 1) * (int64_t)svi_abs(plan->src[k]);
        if (plan->dst[k - 1] == nbytes && reach <= SPARSE * nbytes &&
            svi_abs(plan->src[k - 1]) <= (uint64_t)(SPARSE * nbytes)) {
            run = nbytes * plan->shape[k - 1];
            out->units = nbytes / out->unit;
            out->axis = k - 1;
        }
    }
    return run >= RUN;
}

int64_t svi_record_offsets(const struct svi_plan *plan, int32_t axis, int64_t unit, int32_t *offset)
{
    int64_t count = 0;

    for (; count < plan->item / unit; count++)
        offset[count] = (int32_t)(count * unit);
    for (int32_t k = plan->ndim - 1; k > axis; k--) {
        for (int64_t i = count; i < count * plan->shape[k]; i++)
            offset[i] = offset[i - count] + (int32_t)plan->src[k];
        count *= plan->shape[k];
    }
    return count;
}

/* Units of as many records as make whole lines. */
static int64_t period_of(const struct layout *l)
{
    const int64_t line = SVI_LINE / l->unit;

    return line / common(l->units, line) * l->units;
}

/* A line more than a period, which may begin with any unit of a line. */
static struct svi_gathers table_of(const struct svi_plan *plan, const struct layout *l, int32_t *offset)
{
    const int64_t units = period_of(l), line = SVI_LINE / l->unit, step = plan->src[l->axis];

    svi_record_offsets(plan, l->axis, l->unit, offset);
    for (int64_t i = l->units; i < units + line; i++)
        offset[i] = offset[i - l->units] + (int32_t)step;
    return (struct svi_gathers){units / line, units / l->units * step, step < 0 ? -AHEAD : AHEAD, offset};
}

/* Units [first, end) of a run, which are of its first records, one by one. */
static void move(const struct svi_gathers *r, int64_t unit, char *dst, const char *src, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        memcpy(dst + i * unit, src + r->offset[i], (size_t)unit);
}

static void run(const struct svi_gathers *r, svi_gather_run *gather, int64_t unit, int64_t units, char *dst,
                const char *src, bool beyond_cache)
{
    const int64_t line = SVI_LINE / unit, before = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    const bool streams = beyond_cache && before % unit == 0;
    const int64_t head = streams ? svi_smaller(before / unit, units) : 0, lines = (units - head) / line;
    const int64_t done = head + lines * line, periods = done / (r->lines * line), rest = periods * r->lines * line;

    move(r, unit, dst, src, 0, head);
    gather(dst + head * unit, src, r, head, lines, streams);
    move(r, unit, dst + rest * unit, src + periods * r->step, done - rest, units - rest);
}

static void run_all(const struct svi_isa *isa, const struct svi_plan *plan, const struct layout *l, int32_t *offset,
                    char *dst, const char *src, bool beyond_cache)
{
    const struct svi_gathers r = table_of(plan, l, offset);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, l->axis, -1, dst, src);
    do
        run(&r, l->unit == 4 ? isa->gather_4 : isa->gather_8, l->unit, l->units * plan->shape[l->axis], outer.dst,
            outer.src, beyond_cache);
    while (svi_odometer_next(&outer));
    if (beyond_cache)
        isa->fence();
}

/* In cache nothing is allocated. */
bool svi_gather_table(const struct svi_host_copy *c)
{
    const struct svi_machine *const machine = c->machine;
    const struct svi_plan *const plan = c->plan;
    const bool beyond_cache = svi_is_beyond_l2(machine, plan, 1);
    int32_t few[FEW], *many;
    struct layout l;
    int64_t entries;

    if (!machine->tuning->gathers || machine->isa->gather_4 == NULL || !find(plan, beyond_cache, &l))
        return false;
    entries = period_of(&l) + SVI_LINE / l.unit;
    if (entries > (beyond_cache ? ENTRIES : FEW) || plan->nbytes < WORTH * entries * l.unit)
        return false;
    if (c->asks)
        return true;
    many = beyond_cache ? svi_malloc((size_t)entries * sizeof *many) : few;
    if (many == NULL)
        return false;
    run_all(machine->isa, plan, &l, many, c->dst, c->src, beyond_cache);
    if (beyond_cache)
        svi_free(many);
    return true;
}
