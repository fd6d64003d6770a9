/*
 * Which copies are permutations within lines (permute.h). permute_period: elements at a step in the source, in the
 * destination or in both, each perhaps repeated. permute_records: small records whose parts change places or come from
 * a few distant places, such as transposed matrices of a batch, short reversed runs, or numbers of several planes side
 * by side, with gaps or without.
 */
#include "base/checked.h"
#include "host/loop/loop.h"
#include "host/permute/permute.h"
#include "host/transpose/transpose.h"
#include "host/interleave/few_units.h"
#include "host/rows/padded_rows.h"

/* Measured: doc/internals/copy_experiments.md#which-permutations-are-worth-their-tables. */
enum {
    MIN_BYTES = 1024 /* bytes of a copy; fewer items are as fast one by one */
};

/* --- elements a step apart ---------------------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#which-permutations-are-worth-their-tables. */
enum {
    LONG_ROW_BYTES = 2048, /* bytes of a row of which other loops store whole lines */
    MAX_SPREAD = 4, /* step of the items in the destination, in widths of an item, or a unit */
    WIDE_LOG = 3, /* items of 2^WIDE_LOG bytes pay in any row of the destination */
    PERIOD_LINES = 3, /* lines of a period, if not one */
    PERIOD_LINE_COST = 12, /* relative time of a line of a period */
    PERIOD_WINDOW_COST = 10, /* relative time of a window of such a line */
    EVEN_ITEM_COST = 5, /* relative time of an item of a power of 2 of bytes that is copied alone */
    ODD_ITEM_COST = 8, /* relative time of another item that is copied alone */
    WIDE_EVEN_ITEM_BYTES = 4, /* bytes; smaller items at a step have no faster loop in short rows */
    MIN_TABLE_BYTES = 8192, /* bytes of a copy for which tables are made */
    MAX_SHORT_ROW_BYTES = 192, /* bytes of a row that has a table for each line */
    MIN_PERIOD_ROW_BYTES = 1024, /* bytes of a row that has a period */
    MAX_STEPS = 4 /* step of the source, in steps of the destination: a line comes from as many vectors */
};

/* Limits below which copying items one by one is as fast, by the logarithm of the unit: items of a row at a step of two
 * items, items of a row at a larger step, and bytes of a copy. */
static const int32_t least_count[] = {24, 16, 32, 24}, least_far[] = {24, 16, 96, 256};
static const int32_t least_bytes[] = {MIN_BYTES, MIN_BYTES, 4096, 8192};

/* The axis of the rows. An axis along which items are repeated may be after it. */
static int32_t axis_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_REPEAT ? plan->ndim - 2 : plan->ndim - 1;
}

/* Bytes of an item with its repeats, which must be contiguous and few; 0: they are not. */
static int64_t width_of(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    if (plan->kind != SVI_CLASS_REPEAT)
        return plan->item;
    return plan->dst[last] == plan->item && plan->shape[last] <= SVI_CHANNELS && (plan->item & (plan->item - 1)) == 0
               ? plan->item * plan->shape[last]
               : 0;
}

static bool is_period(const struct svi_plan *plan, int32_t axis)
{
    const int64_t dst_step = plan->dst[axis], src_step = plan->src[axis], width = width_of(plan);

    return plan->item != SVI_UNIT && width > 0 && dst_step >= width && src_step >= plan->item &&
           dst_step <= svi_smaller(svi_larger(MAX_SPREAD * width, SVI_UNIT), SVI_LINE) &&
           src_step <= svi_smaller(MAX_STEPS * dst_step, SVI_LINE);
}

/* Whether rows, or the copy, are so short that copying items one by one is as fast. */
static bool is_short(const struct svi_plan *plan, int32_t axis)
{
    const int64_t dst_step = plan->dst[axis], src_step = plan->src[axis], width = width_of(plan);
    const int log = __builtin_ctz((unsigned)(plan->item | dst_step | src_step | 8));
    const bool far = (dst_step == width || log < WIDE_LOG) && (src_step > 2 * plan->item || dst_step > 2 * width);

    return plan->shape[axis] < (far ? least_far : least_count)[log] || plan->nbytes < least_bytes[log];
}

/* Whether other loops store whole lines of a row beyond the cache, or have stores for small gaps. */
static bool is_for_others(const struct svi_plan *plan, int32_t axis)
{
    const int64_t nbytes = plan->shape[axis] * plan->dst[axis];
    const bool short_rows =
        axis > 0 && nbytes < LONG_ROW_BYTES && (plan->item < 1 << WIDE_LOG || plan->dst[axis - 1] == nbytes);

    return (plan->kind == SVI_CLASS_GATHER && !short_rows) || svi_is_scatter(plan);
}

/*
 * Whether permuting a line takes less time than copying its items one by one (Zen 4). Items of 2^n bytes have faster
 * loops if one side is contiguous. In a row of a few lines the table of each line is loaded again for every row.
 */
static bool has_many_items(const struct svi_plan *plan, int32_t axis)
{
    const bool even = (plan->item & (plan->item - 1)) == 0;
    const int64_t dst_step = plan->dst[axis], windows = 1 + (plan->src[axis] + dst_step - 1) / dst_step;
    const int64_t nbytes = plan->shape[axis] * dst_step;

    if (plan->nbytes < MIN_TABLE_BYTES || (even && svi_is_scatter(plan)))
        return false;
    if (even && plan->kind == SVI_CLASS_GATHER &&
        (plan->item >= WIDE_EVEN_ITEM_BYTES || nbytes > MAX_SHORT_ROW_BYTES || svi_is_pixels(plan)))
        return false;
    if (nbytes > MAX_SHORT_ROW_BYTES && nbytes < MIN_PERIOD_ROW_BYTES)
        return false;
    return (PERIOD_LINE_COST + windows * PERIOD_WINDOW_COST) * dst_step <=
           SVI_LINE * (even ? EVEN_ITEM_COST : ODD_ITEM_COST);
}

/* Whether a period is too long. Its lines would be stored column by column, which hardware prefetchers do not
 * follow. */
static bool is_rejected(const struct svi_host_copy *c, int32_t axis)
{
    const bool all = c->machine->tuning->permutes_all;
    const int64_t lines = svi_permutation_by(c->plan, axis).lines;

    if (lines != 1 && lines != PERIOD_LINES)
        return svi_reject(c, "its period has many lines");
    if (is_short(c->plan, axis))
        return svi_reject(c, "its rows are short");
    if (!all && !has_many_items(c->plan, axis))
        return svi_reject(c, "a line has few items");
    if (c->beyond_cache && is_for_others(c->plan, axis))
        return svi_reject(c, "others store whole lines beyond the cache");
    return c->beyond_cache && !all && lines != 1 && svi_reject(c, "beyond the cache, a period has several lines");
}

static bool can_permute_period(const struct svi_host_copy *c)
{
    const int32_t axis = axis_of(c->plan);

    return axis >= 0 && c->machine->permutes_bytes && svi_permutes(c->machine) && is_period(c->plan, axis) &&
           !is_rejected(c, axis);
}

static bool permute_period(const struct svi_host_copy *c)
{
    const struct svi_permutation p = svi_permutation_by(c->plan, axis_of(c->plan));

    return svi_permute(c, &p, c->beyond_cache);
}

const struct svi_loop svi_loop_permute_period = {
    .name = "permute_period",
    .can = can_permute_period,
    .run = permute_period,
    .late = true,
    .what = "elements a small step apart, by a periodic permutation (AVX-512 VBMI)",
};

/* --- records ------------------------------------------------------------------------ */

/* Measured: doc/internals/copy_experiments.md#which-permutations-are-worth-their-tables. */
enum {
    MAX_RECORD_BYTES = 4096, /* bytes from record to record */
    MAX_CACHED_RECORD_BYTES = 256, /* bytes from record to record in cache, with gaps or of longer rows */
    MAX_LINES = 64, /* lines of a period */
    MIN_RUN_PERIODS = 4, /* periods of a run of records */
    MIN_COPY_PERIODS = 16, /* periods of a copy; making the tables takes as long as copying some */
    MIN_TILED_PERIODS = 100, /* periods of a copy in cache that tiles could do */
    FEW_WINDOWS = 2, /* windows of a line with which no other loop is as fast */
    MAX_TILED_WINDOWS = 6, /* windows of a line; with more of them tiles are faster */
    SHORT_REVERSED_BYTES = 64, /* bytes of a reversed row that counts as short */
    SHORT_REVERSED_OF_BYTES = 24, /* the same for single bytes */
    SHORT_WIDE_BYTES = 33, /* bytes of a row of wide items at a step that counts as short */
    WIDE_BYTES = 8, /* bytes of a wide item; all rows of smaller items count as short */
    ITEM_COST = 4, /* relative time of an item that is copied alone */
    ROW_COST = 8, /* relative time of a row */
    WINDOW_COST = 5, /* relative time of a window of a line */
    LINE_COST = 6 /* relative time of a line */
};

/* Finds the fewest axes that make records which follow each other in long runs. */
static bool find_records(const struct svi_plan *plan, struct svi_permutation *p)
{
    int64_t end = plan->item;

    for (int32_t k = plan->ndim - 1; k > 0; k--) {
        end += (plan->shape[k] - 1) * plan->dst[k];
        if (end > plan->dst[k - 1] || plan->dst[k - 1] > MAX_RECORD_BYTES)
            return false;
        *p = svi_permutation_by(plan, k - 1);
        if (p->lines <= MAX_LINES && !(plan->kind == SVI_CLASS_ROWS && k == plan->ndim - 1) &&
            plan->shape[k - 1] * p->record >= svi_larger(MIN_BYTES, MIN_RUN_PERIODS * p->lines * SVI_LINE))
            return plan->nbytes >= MIN_COPY_PERIODS * p->lines * SVI_LINE;
    }
    return false;
}

/* The number of windows of a line, about. */
static int64_t windows_of(const struct svi_permutation *p)
{
    const struct svi_plan *plan = p->plan;
    int64_t left = svi_divide_up(SVI_LINE, plan->item), reach = plan->item, places = 1;

    for (int32_t k = plan->ndim - 1; k >= p->axis && left > 1; k--) {
        const int64_t some = svi_smaller(plan->shape[k], left), step = (int64_t)svi_abs(plan->src[k]);

        if (step < SVI_LINE)
            reach += (some - 1) * step;
        else
            places *= some;
        left = svi_divide_up(left, some);
    }
    return places * svi_divide_up(reach, SVI_LINE);
}

/* Whether permuting lines takes less time than copying their items, or rows, one by one. */
static bool is_cheaper_by_line(const struct svi_permutation *p, int64_t windows)
{
    const struct svi_plan *plan = p->plan;
    const bool rows = plan->kind == SVI_CLASS_ROWS;
    const int64_t part = rows ? svi_row_nbytes(plan) : plan->item, density = SVI_LINE * p->nbytes / p->record;

    return (LINE_COST + windows * WINDOW_COST) * part <= density * (rows ? ROW_COST : ITEM_COST);
}

/* Whether reversed rows, or rows of items at a step, are so short that the loops for them are slower. */
static bool has_short_vector_rows(const struct svi_plan *plan)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    if (plan->kind == SVI_CLASS_REVERSED)
        return nbytes < (plan->item == 1 ? SHORT_REVERSED_OF_BYTES : SHORT_REVERSED_BYTES);
    return plan->kind != SVI_CLASS_GATHER || plan->item < WIDE_BYTES || nbytes < SHORT_WIDE_BYTES;
}

/* Whether no other loop is faster. */
static bool is_worth_permuting(const struct svi_host_copy *c, const struct svi_permutation *p, bool beyond_l2)
{
    const struct svi_plan *plan = c->plan;
    const int64_t windows = windows_of(p);

    if (!is_cheaper_by_line(p, windows))
        return false;
    if (plan->kind != SVI_CLASS_TRANSPOSE || windows <= FEW_WINDOWS || svi_lacks_tiles(c->machine, plan))
        return true;
    return windows <= MAX_TILED_WINDOWS && (beyond_l2 || plan->nbytes >= MIN_TILED_PERIODS * p->lines * SVI_LINE);
}

static bool can_permute_records(const struct svi_host_copy *c)
{
    return svi_permutes(c->machine) && !(c->beyond_cache && c->plan->kind == SVI_CLASS_ROWS &&
                                         svi_reject(c, "rows beyond the cache are for non-temporal stores"));
}

/* Records with gaps or of longer rows are permuted only in cache and by single bytes. */
static bool permute_records(const struct svi_host_copy *c)
{
    const bool beyond_l2 = svi_is_beyond_l2(c->machine, c->plan, 1);
    struct svi_permutation p;

    if (!find_records(c->plan, &p) || windows_of(&p) > SVI_WINDOWS)
        return false;
    if (!is_worth_permuting(c, &p, beyond_l2) && svi_reject(c, "its lines come from many places"))
        return false;
    if ((c->beyond_cache || !c->machine->permutes_bytes || p.record > MAX_CACHED_RECORD_BYTES) &&
        (svi_has_gaps(&p) || !has_short_vector_rows(c->plan)) && svi_reject(c, "it has gaps, or its rows are long"))
        return false;
    return svi_permute(c, &p, beyond_l2);
}

const struct svi_loop svi_loop_permute_records = {
    .name = "permute_records",
    .can = can_permute_records,
    .run = permute_records,
    .late = true,
    .stores = SVI_STORES_BY_SIZE,
    .what = "small records, each vector of which comes from a few places of the source",
};
