/*
 * Items of 3, 5, 6, 7 or 9 to 15 bytes, and short rows, that follow each other in one order in the source and in
 * another in the destination: too odd for the tiles of a transpose. Past the cache a block of the source is copied to a
 * buffer, and from there item by item to runs of the destination.
 */
#include "checked.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    BLOCK = 24576,   /* bytes */
    MOST_ROWS = 64,  /* of a block */
    RUN = 8192,      /* bytes that one column of it makes, at most */
    LONG_ITEM = 512, /* bytes that are a run by themselves */
    SHORT_RUN = 256, /* bytes of a run of the destination, all its items, that are not worth it */
    GAP = SVI_LINE,  /* between rows of the buffer, against aliasing */
    PAD = SVI_LINE   /* items are moved as whole vectors */
};

/* Axis i is a run of items in the source, j in the destination. */
struct grid {
    int32_t i, j;
    int64_t item; /* bytes */
};

static bool is_odd(const struct grid *g)
{
    return g->item > SVI_PLAN_ITEM || (g->item & (g->item - 1)) != 0;
}

/* The axis, but skip, with the smallest step in the source. */
static int32_t fastest(const struct svi_plan *plan, int32_t count, int32_t skip)
{
    int32_t best = -1;

    for (int32_t k = 0; k < count; k++)
        if (k != skip && plan->src[k] != 0 && (best < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[best])))
            best = k;
    return best;
}

static bool find_grid(const struct svi_plan *plan, struct grid *g)
{
    const int32_t last = plan->ndim - 1;

    if (plan->kind == SVI_CLASS_TRANSPOSE)
        *g = (struct grid){plan->tile, last, plan->item};
    else if (plan->kind == SVI_CLASS_ROWS && plan->ndim > 2)
        *g = (struct grid){fastest(plan, last, last - 1), last - 1, plan->item * plan->shape[last]};
    else
        return false;
    return g->i >= 0 && is_odd(g) && g->item < LONG_ITEM && plan->dst[g->j] == g->item &&
           svi_abs(plan->src[g->i]) == (uint64_t)g->item && plan->shape[g->j] * g->item >= SHORT_RUN;
}

bool svi_is_across(const struct svi_plan *plan)
{
    struct grid g;

    return find_grid(plan, &g);
}

/* --- a block ---------------------------------------------------------------- */

struct block {
    int64_t rows, columns;
    char *dst;
    int64_t dst_pitch; /* from column to column */
    const char *src;
    int64_t src_pitch; /* from row to row */
    size_t item;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void pack(const struct block *b, char *buffer, int64_t pitch)
{
    const int64_t nbytes = b->columns * (int64_t)b->item;

    for (int64_t k = 0; k < b->rows; k++) {
        char *to = buffer + k * pitch;
        const char *from = b->src + k * b->src_pitch;
        int64_t at = 0;

        for (; at + SVI_LINE <= nbytes; at += SVI_LINE)
            memcpy(to + at, from + at, SVI_LINE);
        memcpy(to + at, from + at, (size_t)(nbytes - at));
    }
}

/* What is written behind an item is under the next. */
SVI_INLINE void take(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item, size_t moved)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy(run + k * (int64_t)item, buffer + k * pitch, moved);
}

static void take_long(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item)
{
    for (int64_t k = 0; k < rows; k++)
        for (size_t at = 0; at < item; at += 64)
            memcpy(run + k * (int64_t)item + at, buffer + k * pitch + at, 64);
}

static void column(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item)
{
    if (item <= 4)
        take(run, buffer, pitch, rows, item, 4);
    else if (item <= 8)
        take(run, buffer, pitch, rows, item, 8);
    else if (item <= 16)
        take(run, buffer, pitch, rows, item, 16);
    else if (item <= 32)
        take(run, buffer, pitch, rows, item, 32);
    else
        take_long(run, buffer, pitch, rows, item);
}

/* The next block, to the right, line by line of each row. */
struct ahead {
    const char *row;
    int64_t at, width, pitch;
};

static void fetch(struct ahead *next, int64_t lines)
{
    for (; lines > 0; lines--) {
        __builtin_prefetch(next->row + next->at, 0, 2);
        next->at += SVI_LINE;
        if (next->at >= next->width) {
            next->at = 0;
            next->row += next->pitch;
        }
    }
}

static void run_block(const struct svi_isa *isa, const struct block *b)
{
    _Alignas(SVI_LINE) char buffer[BLOCK + MOST_ROWS * (GAP + SVI_LINE) + PAD], run[RUN + PAD];
    const int64_t width = b->columns * (int64_t)b->item, lines = (width + SVI_LINE - 1) / SVI_LINE;
    const int64_t pitch = lines * SVI_LINE + GAP, share = (lines * b->rows + b->columns - 1) / b->columns;
    struct ahead next = {b->src + width, 0, width, b->src_pitch};

    pack(b, buffer, pitch);
    for (int64_t k = 0; k < b->columns; k++) {
        fetch(&next, share);
        column(run, buffer + k * (int64_t)b->item, pitch, b->rows, b->item);
        isa->stream_copy(b->dst + k * b->dst_pitch, run, (size_t)b->rows * b->item);
    }
}

/* --- all of it -------------------------------------------------------------- */

/* A power of two, so that odd items make whole lines too. */
static int64_t block_rows(int64_t item)
{
    if (item >= SVI_LINE)
        return MOST_ROWS / 4;
    return item < 8 || item % 2 != 0 ? MOST_ROWS : MOST_ROWS / 2;
}

static void blocks(const struct svi_isa *isa, const struct block *all)
{
    const int64_t item = (int64_t)all->item, rows = block_rows(item);
    const int64_t most = BLOCK / rows / item;
    const int64_t line = item % SVI_LINE == 0 ? 1 : SVI_LINE / (item & -item); /* columns of whole lines */
    const int64_t columns = most >= line ? most / line * line : most;
    struct block b = *all;

    for (int64_t j = 0; j < all->rows; j += rows)
        for (int64_t i = 0; i < all->columns; i += columns) {
            b.rows = smaller(rows, all->rows - j);
            b.columns = smaller(columns, all->columns - i);
            b.dst = all->dst + i * all->dst_pitch + j * item;
            b.src = all->src + j * all->src_pitch + i * item;
            run_block(isa, &b);
        }
}

/* Rows of the source that run backwards are taken from their other end. */
static struct block block_of(const struct svi_plan *plan, const struct grid *g, char *dst, const char *src)
{
    const bool backwards = plan->src[g->i] < 0;
    const int64_t end = backwards ? plan->shape[g->i] - 1 : 0;

    return (struct block){
        .rows = plan->shape[g->j],
        .columns = plan->shape[g->i],
        .dst = dst + end * plan->dst[g->i],
        .dst_pitch = backwards ? -plan->dst[g->i] : plan->dst[g->i],
        .src = src + end * plan->src[g->i],
        .src_pitch = plan->src[g->j],
        .item = (size_t)g->item,
    };
}

void svi_host_across(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_odometer outer;
    struct block b;
    struct grid g;

    if (!find_grid(plan, &g) || machine->isa->stream_copy == NULL || !svi_is_past_cache(machine, plan) ||
        (plan->kind == SVI_CLASS_ROWS ? svi_has_lines(plan, dst) : plan->dst[g.i] % SVI_LINE != 0)) {
        (plan->kind == SVI_CLASS_ROWS ? svi_host_rows : svi_host_transpose)(machine, plan, dst, src);
        return;
    }
    b = block_of(plan, &g, dst, src);
    svi_odometer_init(&outer, plan, g.j, g.i, b.dst, b.src);
    do {
        b.dst = outer.dst;
        b.src = outer.src;
        blocks(machine->isa, &b);
    } while (svi_odometer_next(&outer));
    machine->isa->fence();
}
