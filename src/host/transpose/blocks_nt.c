/*
 * Transposes past the cache whose destination is written in whole lines: long
 * runs of each row of it. Blocks are taken from where they lie, or by way of a
 * buffer where their rows would drive each other out of the caches.
 */
#include "alloc.h"
#include "blocks.h"
#include "host/kernels.h"

enum {
    ROWS = 64,             /* of a block, about; and as many as make */
    RUN = 256,             /* bytes of each row of the destination */
    WIDTH = 1024,          /* bytes of a row of a block, about; */
    FORESEEN = 32,         /* rows that Intel's processors read ahead by themselves, */
    FORESEEN_WIDTH = 256,  /* in short turns, */
    FORESEEN_LEAST = 1536, /* as long as they have many bytes, */
    FORESEEN_PITCH = 2048, /* and few are in one page; */
    BUFFERED_WIDTH = 2048, /* by way of a buffer: a reader of fewer is soon at another row, */
    NARROW = 2,            /* bytes of an item up to which a block has many rows, */
    NARROW_WIDTH = 512,    /* and shorter pieces of them; */
    BUFFERED = 163840      /* bytes of a block of several axes at most: two of them are in the second cache */
};

static int64_t rows_of(int64_t item)
{
    return item * ROWS < RUN ? RUN / item : ROWS;
}

static bool takes_few(const struct svi_machine *machine, int64_t item)
{
    return machine->tuning->foresees_rows && item > NARROW;
}

static int64_t few_rows_of(int64_t item)
{
    return svi_smaller(FORESEEN, RUN / item);
}

/* Whether the processor itself reads ahead of few rows. */
static bool foresees_rows(const struct svi_machine *machine, const struct svi_matrix *m)
{
    return takes_few(machine, m->item) && m->columns * m->item >= FORESEEN_LEAST &&
           svi_abs(m->src_pitch) >= FORESEEN_PITCH;
}

/* --- what is no whole line ---------------------------------------------------- */

static void edges_of_plane(const struct svi_tile *tile, const struct svi_matrix *m, const struct svi_body *body)
{
    const int64_t tail = body->first + body->rows;
    const struct svi_matrix rest = svi_matrix_part(m, 0, m->rows, body->columns, body->rest);

    for (int64_t j = 0; j < body->first; j += tile->rows)
        svi_matrix_strip(tile, m, j);
    for (int64_t j = tail; j < m->rows; j += tile->rows)
        svi_matrix_strip(tile, m, svi_smaller(j, m->rows - tile->rows));
    for (int64_t j = 0; body->rest > 0 && j < m->rows; j += tile->rows)
        svi_matrix_strip(tile, &rest, svi_smaller(j, m->rows - tile->rows));
}

bool svi_has_edges(const struct svi_matrix *m, const struct svi_body *body)
{
    return body->rows < m->rows || body->rest > 0 || body->lead > 0;
}

void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_body *body)
{
    struct svi_matrix plane = *m;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, m->dst, m->src);
    do {
        plane.dst = outer.dst;
        plane.src = outer.src;
        edges_of_plane(tile, &plane, body);
    } while (svi_odometer_next(&outer));
}

/* Strips from row on, at as many places as there are along the axes in front of outer. */
static void copy_strips(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                        int32_t outer, int64_t row, int64_t end)
{
    struct svi_matrix plane = *m;
    struct svi_odometer at;

    svi_odometer_init(&at, plan, outer, plan->tile, m->dst, m->src);
    do {
        plane.dst = at.dst;
        plane.src = at.src;
        for (int64_t j = row; j < end; j += tile->rows)
            svi_matrix_strip(tile, &plane, svi_smaller(j, m->rows - tile->rows));
    } while (svi_odometer_next(&at));
}

/* In front of the lead of rows of several axes, and behind their last whole line. */
static void copy_ends(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                      const struct svi_body *body)
{
    struct svi_matrix last = *m;

    copy_strips(tile, plan, m, body->outer, 0, body->lead);
    for (int32_t k = body->outer; k < plan->ndim - 1; k++) {
        last.dst += (plan->shape[k] - 1) * plan->dst[k];
        last.src += (plan->shape[k] - 1) * plan->src[k];
    }
    copy_strips(tile, plan, &last, body->outer, m->rows + body->lead - SVI_LINE / m->item, m->rows);
}

/* One behind the tile. */
static void drop_axis(struct svi_plan *plan, int32_t axis)
{
    plan->nbytes /= plan->shape[axis];
    plan->ndim--;
    for (int32_t k = axis; k < plan->ndim; k++) {
        plan->shape[k] = plan->shape[k + 1];
        plan->dst[k] = plan->dst[k + 1];
        plan->src[k] = plan->src[k + 1];
    }
}

/* Where an axis goes on with the rows: in front of the lead of its first step, and its last one, a transpose of its own;
 * or columns, which have a rest. */
static void copy_first_and_last(const struct svi_machine *machine, const struct svi_tile *tile, int size,
                                const struct svi_plan *plan, const struct svi_matrix *m, const struct svi_body *body)
{
    const int32_t next = body->next;
    const int64_t last = plan->shape[next] - 1;
    struct svi_matrix step = *m;
    struct svi_plan rest = *plan;

    if (next == plan->tile)
        step.columns = tile->columns;
    copy_strips(tile, plan, &step, next, 0, body->lead);
    if (next == plan->tile)
        return;
    step.dst += last * plan->dst[next];
    step.src += last * plan->src[next];
    drop_axis(&rest, next);
    if (!svi_host_lines(&(struct svi_host_copy){.machine = machine, .plan = &rest}, tile, size, &step))
        svi_host_near(machine, tile, &rest, &step);
}

/* --- all of it ---------------------------------------------------------------- */

static int64_t buffered_columns(int64_t item)
{
    return (item <= NARROW ? NARROW_WIDTH : BUFFERED_WIDTH) / item;
}

/* Whether rows of several axes are pieces that follow each other in the source, along the first or the last of these
 * axes, each of them one for the buffer. */
static bool are_pieces(const struct svi_shape *s)
{
    const int64_t piece = svi_side_items(&s->columns) * s->item;

    return s->rows.unit > 1 && (s->rows.offset[1] - s->rows.offset[0] == piece || s->rows.other == piece) &&
           piece <= BUFFERED_WIDTH + BUFFERED_WIDTH / 2;
}

/* Rows that are too many for the caches may fit in halves. */
static bool choose_direct(struct svi_walk *w, bool foreseen, const struct svi_plan *plan, const struct svi_matrix *m,
                          struct svi_body *body)
{
    const int64_t most = foreseen ? few_rows_of(m->item) : rows_of(m->item), width = foreseen ? FORESEEN_WIDTH : WIDTH;
    struct svi_side *side = &w->shape.rows;

    for (int64_t rows = most; rows >= most / 2; rows /= 2) {
        if (!svi_shape_choose(&w->shape, plan, m, rows, width / m->item, body))
            continue;
        if (foreseen && side->unit == 1)
            side->block = svi_smaller(side->block, rows);
        if (svi_is_direct(&w->shape))
            return !are_pieces(&w->shape);
    }
    return false;
}

static int64_t bytes_of_block(const struct svi_shape *s)
{
    return s->rows.block * s->columns.block * s->item;
}

/* Rows of several axes are rounded up to whole axes: where that makes too much of a block it has half as many. */
static bool choose_buffered(struct svi_walk *w, const struct svi_machine *machine, const struct svi_plan *plan,
                            const struct svi_matrix *m, struct svi_body *body)
{
    const int64_t rows = takes_few(machine, m->item) ? few_rows_of(m->item) : rows_of(m->item);
    const int64_t columns = buffered_columns(m->item);

    if (!svi_shape_choose(&w->shape, plan, m, rows, columns, body))
        return false;
    if (w->shape.rows.unit == 1 || bytes_of_block(&w->shape) <= BUFFERED || svi_has_edges(m, body) ||
        (svi_shape_choose(&w->shape, plan, m, rows / 2, columns, body) && !svi_has_edges(m, body)))
        return true;
    return svi_shape_choose(&w->shape, plan, m, rows, columns, body);
}

static bool run(struct svi_walk *w, const struct svi_host_copy *c, const struct svi_tile *tile, int size,
                const struct svi_matrix *m)
{
    const struct svi_machine *machine = c->machine;
    const struct svi_plan *plan = c->plan;
    const struct svi_isa *isa = machine->isa;
    struct svi_matrix first;
    struct svi_body body;
    const bool foreseen = foresees_rows(machine, m), direct = choose_direct(w, foreseen, plan, m, &body);

    if (!direct && !choose_buffered(w, machine, plan, m, &body))
        return false;
    if (tile == NULL && svi_has_edges(m, &body))
        return false;
    if (c->asks)
        return true;
    w->shape.by_source = machine->tuning->source_order;
    first = svi_matrix_part(m, body.first, body.rows, 0, body.columns);
    first.dst += body.lead * m->item;
    if (direct)
        svi_direct(w, isa, isa->direct[size], foreseen ? 0 : SVI_AHEAD, first.dst, first.src);
    else if (!svi_pack(w, isa, size, first.dst, first.src))
        return false;
    isa->fence();
    if (svi_has_edges(m, &body))
        svi_host_edges(tile, plan, m, &body);
    if (body.lead > 0 && body.next < 0)
        copy_ends(tile, plan, m, &body);
    else if (body.lead > 0)
        copy_first_and_last(machine, tile, size, plan, m, &body);
    return true;
}

bool svi_host_lines(const struct svi_host_copy *c, const struct svi_tile *tile, int size, const struct svi_matrix *m)
{
    struct svi_walk *w;
    bool done;

    if ((uintptr_t)m->dst % (uintptr_t)m->item != 0)
        return false;
    w = svi_malloc(sizeof *w);
    if (w == NULL)
        return false;
    done = run(w, c, tile, size, m);
    svi_free(w);
    return done;
}
