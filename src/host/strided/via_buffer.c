/*
 * Copies beyond the NT threshold that write small pieces, collected in a buffer in cache and stored from there by whole
 * lines; where the next piece continues one, the partial line behind it is carried on. Pieces are made by a loop, or
 * by tiles: of small planes, contiguous on both sides, that are transposed (channels of small images, matrices of a
 * batch).
 */
#include "alloc.h"
#include "checked.h"
#include "host/base/buffer.h"
#include "host/base/memory_hints.h"
#include "host/kernels.h"
#include "host/transpose/blocking.h"

enum {
    PIECE_BYTES = 2048,         /* larger ones make the loads of the next piece wait for long */
    MIN_PIECE_BYTES = 512,      /* that are worth it */
    MAX_ROW_BYTES = 256,        /* longer rows do better by themselves, */
    MAX_REVERSED_BYTES = 512,   /* as do longer runs backwards that are no whole lines */
    MIN_PREFETCH_PITCH = 1024   /* of rows of the source that the processor does not prefetch by itself */
};

/* --- pieces by a loop --------------------------------------------------------------- */

/* Axes [axis, ndim) of the destination are one run, as far as whole steps of the first fit a piece. */
struct piece {
    int32_t axis;
    int64_t count;  /* steps at most */
    int64_t nbytes; /* of a step */
};

static struct piece piece_of(const struct svi_plan *plan)
{
    struct piece p = {plan->ndim - 1, 0, plan->item};

    if (plan->dst[p.axis] != plan->item)
        return p;
    while (p.axis > 0 && p.nbytes * plan->shape[p.axis] <= PIECE_BYTES / 2 &&
           plan->dst[p.axis - 1] == p.nbytes * plan->shape[p.axis])
        p.nbytes *= plan->shape[p.axis--];
    p.count = svi_smaller(PIECE_BYTES / p.nbytes, plan->shape[p.axis]);
    return p;
}

/* Whether runs of the plan are so long that its own loops do better. */
static bool has_long_rows(const struct svi_plan *plan, const char *dst)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    if (plan->kind == SVI_CLASS_REPEAT || svi_is_column(plan))
        return nbytes >= PIECE_BYTES;
    if (plan->kind == SVI_CLASS_REVERSED)
        return nbytes > (svi_has_lines(plan, dst) ? MAX_ROW_BYTES : MAX_REVERSED_BYTES);
    return plan->kind == SVI_CLASS_ROWS &&
           (nbytes >= MAX_ROW_BYTES || svi_has_lines(plan, dst) || svi_is_dense(plan, dst));
}

/* The axes of a piece, in cache. */
static void plan_of_piece(const struct svi_plan *plan, int32_t first, struct svi_plan *part)
{
    part->kind = plan->kind;
    part->ndim = plan->ndim - first;
    part->tile = plan->tile < first ? part->ndim - 1 : plan->tile - first;
    part->item = plan->item;
    part->reach = 0;
    for (int32_t k = first; k < plan->ndim; k++) {
        part->shape[k - first] = plan->shape[k];
        part->dst[k - first] = plan->dst[k];
        part->src[k - first] = plan->src[k];
    }
}

/* Prefetches the rows of a piece from step k on. Not inline, the compiler would take it for a function of no effect. */
SVI_INLINE void prefetch_rows(const struct svi_plan *plan, const struct piece *p, int64_t k, const char *src)
{
    const int64_t end = svi_smaller(k + p->count, plan->shape[p->axis]);

    for (; k < end; k++) {
        const char *row = src + k * plan->src[p->axis];

        for (int64_t at = 0; at < p->nbytes; at += SVI_LINE)
            svi_prefetch(row + at);
        svi_prefetch(row + p->nbytes - 1);
    }
}

/* The pieces along their axis. The first extent of part is set here. */
static void copy_pieces(const struct svi_host_copy *c, const struct piece *p, struct svi_plan *part,
                        const struct svi_loop *const *loops, char *dst, const char *src, struct svi_carried_run *run)
{
    _Alignas(SVI_LINE) char buffer[PIECE_BYTES + 2 * SVI_LINE];
    const struct svi_plan *const plan = c->plan;
    const bool prefetches = plan->kind == SVI_CLASS_ROWS && p->axis == plan->ndim - 2 &&
                            svi_abs(plan->src[p->axis]) >= MIN_PREFETCH_PITCH;
    struct svi_host_copy piece = {.machine = c->machine, .plan = part};

    for (int64_t k = 0; k < plan->shape[p->axis]; k += p->count) {
        char *const to = dst + k * plan->dst[p->axis];

        part->shape[0] = svi_smaller(plan->shape[p->axis] - k, p->count);
        part->nbytes = part->shape[0] * p->nbytes;
        if (prefetches)
            prefetch_rows(plan, p, k + p->count, src);
        piece.dst = buffer + SVI_LINE + (uintptr_t)to % SVI_LINE;
        piece.src = src + k * plan->src[p->axis];
        svi_run_loops(loops, &piece);
        svi_continue_carried_run(run, to, piece.dst, part->nbytes);
    }
}

bool svi_copy_via_buffer(const struct svi_host_copy *c, const struct svi_loop *const *loops)
{
    const struct piece p = piece_of(c->plan);
    struct svi_carried_run run = {.put = c->machine->isa->stream_copy};
    struct svi_plan part;
    struct svi_odometer outer;

    if (p.count * p.nbytes < MIN_PIECE_BYTES || has_long_rows(c->plan, c->dst))
        return false;
    if (c->asks)
        return true;
    plan_of_piece(c->plan, p.axis, &part);
    for (svi_axes_of(c, p.axis, &outer); !outer.ended; svi_odometer_next(&outer))
        copy_pieces(c, &p, &part, loops, outer.dst, outer.src, &run);
    svi_end_carried_run(&run);
    c->machine->isa->fence();
    return true;
}

/* --- small planes by tiles ------------------------------------------------------------ */

enum {
    MOST_SPREAD = 2,          /* times the bytes of a plane between its ends in the source, at most */
    SHORT_ROW_BYTES = 128,    /* of the source, with which planes of whole lines are better joined, too */
    LEAST_BYTES = 2048,       /* of a plane */
    LEAST_LINES_BYTES = 512,  /* the same, and at most, where rows of the destination are whole lines */
    MOST_LINES_BYTES = 12288,
    MOST_WIDE_BYTES = 4096,   /* of elements of 16 bytes */
    PREFETCH_BYTES = 8192,    /* of planes in front of one that is prefetched */
    PAD_BYTES = 2 * SVI_LINE
};

struct planes {
    const struct svi_isa *isa;
    const struct svi_tile *tile;
    struct svi_matrix m; /* the plane */
    int64_t row;         /* bytes of a row of the destination */
    int64_t group;       /* columns in the staging buffer */
    int64_t ahead;       /* planes later comes the one that is prefetched */
    char *stage;         /* the buffer, behind a line for the carried bytes */
    struct svi_carried_run run;
    const char *next, *end; /* of the source, still to be prefetched */
};

static void prefetch(struct planes *p, int64_t nbytes)
{
    for (const char *end = p->end - p->next < nbytes ? p->end : p->next + nbytes; p->next < end; p->next += SVI_LINE)
        svi_prefetch_l2(p->next);
}

/* Columns from first on; the last rows come again where they are no whole tile. */
static void turn_columns(const struct planes *p, int64_t first)
{
    const struct svi_matrix *m = &p->m;

    for (int64_t j = 0; j < m->rows; j += p->tile->rows) {
        const int64_t row = svi_smaller(j, m->rows - p->tile->rows);

        p->tile->run(p->stage + row * m->item, p->row, m->src + row * m->src_pitch + first * m->item, m->src_pitch,
                     p->group / p->tile->columns, m->item);
    }
}

static void run_plane(struct planes *p)
{
    const struct svi_matrix *m = &p->m;
    const int64_t share = (p->end - p->next) * p->group / m->columns + SVI_LINE;

    for (int64_t i = 0; i < m->columns; i += p->group) {
        const int64_t first = svi_smaller(i, m->columns - p->group);

        prefetch(p, share);
        turn_columns(p, first);
        svi_continue_carried_run(&p->run, m->dst + i * p->row, p->stage + (i - first) * p->row,
                                 (first + p->group - i) * p->row);
    }
}

/* Bytes between the ends of a plane in the source. */
static int64_t reach_of(const struct svi_matrix *m)
{
    return (m->rows - 1) * (int64_t)svi_abs(m->src_pitch) + m->columns * m->item;
}

static bool is_of_size(const struct svi_machine *machine, const struct svi_matrix *m, int64_t nbytes)
{
    const bool lines = m->dst_pitch % SVI_LINE == 0;

    if (machine->tuning->small_planes_only)
        return nbytes >= (lines ? LEAST_LINES_BYTES : LEAST_BYTES) && nbytes <= machine->tuning->plane_bytes &&
               (!lines || m->columns * m->item < SHORT_ROW_BYTES);
    if (lines)
        return nbytes >= LEAST_LINES_BYTES && nbytes <= (m->item == SVI_UNIT ? MOST_WIDE_BYTES : MOST_LINES_BYTES);
    return nbytes >= LEAST_BYTES && nbytes <= machine->tuning->plane_bytes;
}

static bool is_for(const struct svi_machine *machine, const struct svi_matrix *m)
{
    const int64_t nbytes = m->rows * m->columns * m->item;

    return m->dst_pitch == m->rows * m->item && is_of_size(machine, m, nbytes) && reach_of(m) <= MOST_SPREAD * nbytes;
}

static void expect(struct planes *p, const char *src)
{
    const struct svi_matrix *m = &p->m;

    p->next = m->src_pitch < 0 ? src + (m->rows - 1) * m->src_pitch : src;
    p->end = p->next + reach_of(m);
}

static void run(struct planes *p, const struct svi_plan *plan)
{
    struct svi_odometer outer, later;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, p->m.dst, p->m.src);
    later = outer;
    svi_odometer_seek(&later, p->ahead);
    do {
        p->m.dst = outer.dst;
        p->m.src = outer.src;
        expect(p, later.src);
        run_plane(p);
        svi_odometer_next(&later);
    } while (svi_odometer_next(&outer));
    svi_end_carried_run(&p->run);
    p->isa->fence();
}

bool svi_is_planes(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return svi_tile_of(c) != NULL && is_for(c->machine, &m);
}

bool svi_planes(const struct svi_host_copy *c)
{
    const struct svi_machine *machine = c->machine;
    const struct svi_tile *tile = svi_tile_of(c);
    struct planes p = {.isa = machine->isa, .tile = tile, .m = svi_matrix_of(c), .run.put = machine->isa->stream_copy};
    const struct svi_matrix *m = &p.m;
    char *memory;

    p.row = m->rows * m->item;
    p.group = svi_smaller(svi_larger(SVI_LINE / m->item, tile->columns), m->columns) / tile->columns * tile->columns;
    p.ahead = machine->tuning->small_planes_only ? 1 : (PREFETCH_BYTES - 1) / (p.row * m->columns) + 1;
    memory = svi_malloc((size_t)(2 * SVI_LINE + p.group * p.row + PAD_BYTES));
    if (memory == NULL)
        return false;
    p.stage = svi_line_from(memory) + SVI_LINE;
    run(&p, c->plan);
    svi_free(memory);
    return true;
}
