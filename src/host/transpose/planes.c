/*
 * The loop planes_nt: small planes beyond the NT threshold, contiguous on both sides, that are transposed: channels of
 * small images, matrices of a batch. Tiles turn some columns of a plane into a buffer in cache, which is stored by
 * whole lines; the partial line behind it is carried on to the next columns, and to the next plane.
 */
#include "base/alloc.h"
#include "host/transpose/blocking.h"
#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/base/memory_hints.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"

/* Measured: doc/internals/copy_experiments.md#are-small-planes-joined. */
enum {
    MAX_SPREAD = 2, /* distance between the ends of a plane in the source, in sizes of the plane */
    SHORT_ROW_BYTES = 128, /* bytes of a row of the source for which planes of whole lines are joined too */
    MIN_PLANE_BYTES = 2048, /* bytes of a plane */
    MIN_LINES_PLANE_BYTES = 512, /* bytes of a plane if rows of the destination are whole lines */
    MAX_LINES_PLANE_BYTES = 12288, /* bytes of a plane if rows of the destination are whole lines */
    MAX_WIDE_PLANE_BYTES = 4096, /* the same for elements of 16 bytes */
    PREFETCH_BYTES = 8192, /* prefetch distance, in bytes of planes */
    PAD_BYTES = 2 * SVI_LINE /* bytes behind the buffer that tiles may write */
};

struct planes {
    const struct svi_isa *isa;
    const struct svi_tile *tile;
    struct svi_matrix m; /* the plane */
    int64_t row;         /* bytes of a row of the destination */
    int64_t group;       /* columns in the staging buffer */
    int64_t ahead;       /* prefetch distance, in planes */
    char *stage;         /* the buffer, behind a line for the carried bytes */
    struct svi_carried_run run;
    const char *next, *end; /* the part of the source that is still to be prefetched */
};

static void prefetch_plane(struct planes *p, int64_t nbytes)
{
    for (const char *end = p->end - p->next < nbytes ? p->end : p->next + nbytes; p->next < end; p->next += SVI_LINE)
        svi_prefetch_l2(p->next);
}

/* Transposes a group of columns from first on. The last tile of rows is moved back and overlaps the one before. */
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

        prefetch_plane(p, share);
        turn_columns(p, first);
        svi_continue_carried_run(&p->run, m->dst + i * p->row, p->stage + (i - first) * p->row,
                                 (first + p->group - i) * p->row);
    }
}

/* Bytes from the first to the last byte of a plane in the source. */
static int64_t reach_of(const struct svi_matrix *m)
{
    return (m->rows - 1) * (int64_t)svi_abs(m->src_pitch) + m->columns * m->item;
}

static bool is_of_size(const struct svi_machine *machine, const struct svi_matrix *m, int64_t nbytes)
{
    const bool lines = m->dst_pitch % SVI_LINE == 0;

    if (machine->tuning->small_planes_only)
        return nbytes >= (lines ? MIN_LINES_PLANE_BYTES : MIN_PLANE_BYTES) && nbytes <= machine->tuning->plane_bytes &&
               (!lines || m->columns * m->item < SHORT_ROW_BYTES);
    if (lines)
        return nbytes >= MIN_LINES_PLANE_BYTES &&
               nbytes <= (m->item == SVI_UNIT ? MAX_WIDE_PLANE_BYTES : MAX_LINES_PLANE_BYTES);
    return nbytes >= MIN_PLANE_BYTES && nbytes <= machine->tuning->plane_bytes;
}

static bool is_for_planes(const struct svi_machine *machine, const struct svi_matrix *m)
{
    const int64_t nbytes = m->rows * m->columns * m->item;

    return m->dst_pitch == m->rows * m->item && is_of_size(machine, m, nbytes) && reach_of(m) <= MAX_SPREAD * nbytes;
}

static void expect_plane(struct planes *p, const char *src)
{
    const struct svi_matrix *m = &p->m;

    p->next = m->src_pitch < 0 ? src + (m->rows - 1) * m->src_pitch : src;
    p->end = p->next + reach_of(m);
}

static void run_planes(struct planes *p, const struct svi_plan *plan)
{
    struct svi_odometer outer, later;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->src_axis, p->m.dst, p->m.src);
    later = outer;
    svi_odometer_seek(&later, p->ahead);
    do {
        p->m.dst = outer.dst;
        p->m.src = outer.src;
        expect_plane(p, later.src);
        run_plane(p);
        svi_odometer_next(&later);
    } while (svi_odometer_next(&outer));
    svi_end_carried_run(&p->run);
    p->isa->nt->fence();
}

/* is_for_planes() is not only about speed: larger planes, or planes further apart, would be copied wrong. */
static bool can_turn_planes(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);

    return svi_tile_of(c) != NULL && is_for_planes(c->machine, &m);
}

static bool planes_nt(const struct svi_host_copy *c)
{
    const struct svi_machine *machine = c->machine;
    const struct svi_tile *tile = svi_tile_of(c);
    struct planes p = {.isa = machine->isa, .tile = tile, .m = svi_matrix_of(c), .run.put = machine->isa->nt->copy};
    const struct svi_matrix *m = &p.m;
    char *memory;

    p.row = m->rows * m->item;
    p.group = svi_smaller(svi_larger(SVI_LINE / m->item, tile->columns), m->columns) / tile->columns * tile->columns;
    p.ahead = machine->tuning->small_planes_only ? 1 : (PREFETCH_BYTES - 1) / (p.row * m->columns) + 1;
    memory = svi_malloc((size_t)(2 * SVI_LINE + p.group * p.row + PAD_BYTES));
    if (memory == NULL)
        return false;
    p.stage = svi_line_from(memory) + SVI_LINE;
    run_planes(&p, c->plan);
    svi_free(memory);
    return true;
}

const struct svi_loop svi_loop_planes_nt = {
    .name = "planes_nt",
    .can = can_turn_planes,
    .run = planes_nt,
    .stores = SVI_STORES_NT,
    .what = "small planes beyond the cache that follow each other on both sides",
};
