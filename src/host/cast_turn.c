/*
 * Transposes that convert. A block of the source goes to a buffer row by row,
 * is turned there in the narrower of the two types, and leaves row by row: it is
 * converted on the way in where that makes it smaller, else on the way out.
 * Meanwhile the next block is on its way to the cache.
 */
#include <string.h>

#include "cast.h"
#include "items.h"
#include "odometer.h"

enum {
    RUN = 256,      /* bytes of a block's column, in the narrower type */
    COLUMNS = 256,  /* of a block */
    STRIP = 64,     /* columns that are turned together */
    PAD = SVI_LINE, /* between rows, so that they do not meet in the same place of the cache */
    AHEAD = 16384   /* bytes of the source that are fetched before they are needed */
};

struct turn {
    const struct svi_cast *c;
    int64_t item;          /* of the narrower type */
    bool shrinks;          /* converted on the way in */
    int64_t rows, columns; /* of a block, as they are in the source, at most */
    int64_t pitch;         /* of the buffer's rows */
    int64_t source_row, target_row;
    struct svi_plan plan;  /* of a strip, from buffer to buffer, of that many rows and columns: */
    int64_t have_rows, have_columns;
};

bool svi_cast_is_turn(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->tile >= 0 && plan->tile != last && plan->dst[last] == plan->item &&
           plan->src[plan->tile] == plan->src_item && plan->shape[plan->tile] * plan->src_item >= SVI_LINE &&
           plan->shape[last] * plan->item >= SVI_LINE;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct turn turn_of(const struct svi_cast *c)
{
    const struct svi_plan *plan = c->plan;
    struct turn t = {.c = c, .shrinks = plan->item < plan->src_item};

    t.item = smaller(plan->item, plan->src_item);
    t.rows = RUN / t.item;
    t.columns = smaller(COLUMNS, plan->shape[plan->tile]);
    t.pitch = t.columns * t.item + PAD;
    t.source_row = plan->src[plan->ndim - 1];
    t.target_row = plan->dst[plan->tile];
    return t;
}

static void take_in(const struct turn *t, int64_t rows, int64_t columns, char *buffer, const char *src)
{
    const struct svi_cast *c = t->c;
    const int64_t width = t->columns * c->plan->src_item, far = AHEAD / width + 1;
    struct svi_ahead ahead = {src + far * t->source_row, t->source_row, width, 0, INT64_MAX, 0};

    for (int64_t k = 0; k < rows; k++) {
        if (k + far < rows)
            svi_fetch(&ahead, (width + SVI_LINE - 1) / SVI_LINE);
        if (t->shrinks)
            svi_host_convert(c->isa, &c->plan->chain, buffer, src, columns);
        else
            memcpy(buffer, src, (size_t)(columns * t->item));
        buffer += t->pitch;
        src += t->source_row;
    }
}

/* For each column some lines of the next block are fetched. */
static void give_out(const struct turn *t, int64_t rows, int64_t columns, char *dst, const char *buffer,
                     struct svi_ahead *ahead)
{
    const struct svi_cast *c = t->c;
    const int64_t lines = t->rows * c->plan->src_item / SVI_LINE + 1;

    for (int64_t k = 0; k < columns; k++) {
        svi_fetch(ahead, lines);
        if (!t->shrinks)
            svi_cast_run(c, dst, buffer, rows, ahead);
        else if (c->past_cache)
            c->isa->stream_copy(dst, buffer, (size_t)(rows * t->item));
        else
            memcpy(dst, buffer, (size_t)(rows * t->item));
        buffer += rows * t->item;
        dst += t->target_row;
    }
}

static void turn_strip(struct turn *t, int64_t rows, int64_t columns, char *to, const char *from)
{
    if (rows != t->have_rows || columns != t->have_columns) {
        const int64_t shape[2] = {columns, rows}, dst[2] = {rows * t->item, t->item}, src[2] = {t->item, t->pitch};

        svi_plan_make(2, shape, dst, src, t->item, &t->plan);
        t->have_rows = rows;
        t->have_columns = columns;
    }
    svi_host_run(&t->c->in_cache, &t->plan, to, from);
}

static void turn_block(struct turn *t, int64_t rows, int64_t columns, char *dst, const char *src, const char *next)
{
    _Alignas(SVI_LINE) char lying[RUN * (COLUMNS + PAD)], standing[RUN * STRIP];
    struct svi_ahead ahead = {next, t->source_row, t->columns * t->c->plan->src_item, 0, INT64_MAX, 0};

    take_in(t, rows, columns, lying, src);
    for (int64_t k = 0; k < columns; k += STRIP) {
        const int64_t count = smaller(STRIP, columns - k);

        turn_strip(t, rows, count, standing, lying + k * t->item);
        give_out(t, rows, count, dst + k * t->target_row, standing, &ahead);
    }
}

/* Along the source's rows, some rows at a time. */
static void turn_plane(struct turn *t, char *dst, const char *src)
{
    const struct svi_plan *plan = t->c->plan;
    const int64_t all_rows = plan->shape[plan->ndim - 1], all_columns = plan->shape[plan->tile];

    for (int64_t j = 0; j < all_rows; j += t->rows)
        for (int64_t i = 0; i < all_columns; i += t->columns) {
            const char *from = src + i * plan->src_item + j * t->source_row;
            const char *next = i + t->columns < all_columns ? from + t->columns * plan->src_item
                                                            : src + (j + t->rows) * t->source_row;

            turn_block(t, smaller(t->rows, all_rows - j), smaller(t->columns, all_columns - i),
                       dst + i * t->target_row + j * plan->item, from, next);
        }
}

void svi_cast_turn(const struct svi_cast *c, char *dst, const char *src)
{
    struct turn t = turn_of(c);
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, c->plan->ndim - 1, c->plan->tile, dst, src);
    do
        turn_plane(&t, outer.dst, outer.src);
    while (svi_odometer_next(&outer));
}
