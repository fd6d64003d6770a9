/*
 * Transposes beyond the NT threshold of small planes that are contiguous on both sides: channels of small images,
 * matrices of a batch. Some columns at a time are turned into rows of the destination in a staging buffer. These rows
 * follow each other in the destination, too, so whole lines are stored and a partial line is carried to the next rows,
 * or to the next plane.
 */
#include "alloc.h"
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

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

struct work {
    const struct svi_isa *isa;
    const struct svi_tile *tile;
    struct svi_matrix m; /* the plane */
    int64_t row;         /* bytes of a row of the destination */
    int64_t group;       /* columns in the staging buffer */
    int64_t ahead;       /* planes later comes the one that is prefetched */
    char *stage;         /* the buffer, behind a line for the carried bytes */
    int64_t carried;     /* bytes that are not stored yet, which end at to */
    char *to;
    const char *next, *end; /* of the source, still to be prefetched */
};

/* --- the destination ------------------------------------------------------------ */

/* The carried bytes, where nothing continues them. */
static void flush(struct work *w)
{
    if (w->carried > 0)
        w->isa->stream_copy(w->to - w->carried, w->stage - w->carried, (size_t)w->carried);
    w->carried = 0;
}

/* nbytes of the buffer from skip on, as far as they are whole lines. */
static void store_lines(struct work *w, char *to, int64_t skip, int64_t nbytes)
{
    const char *from = w->stage + skip - w->carried;
    int64_t head, body, after;

    if (to != w->to) {
        flush(w);
        from = w->stage + skip;
    }
    memmove(w->stage + skip - w->carried, w->stage - w->carried, (size_t)w->carried);
    w->to = to + nbytes;
    to -= w->carried;
    nbytes += w->carried;
    head = svi_smaller((int64_t)(-(uintptr_t)to % SVI_LINE), nbytes);
    body = (nbytes - head) / SVI_LINE * SVI_LINE;
    after = nbytes - head - body;
    if (head > 0)
        w->isa->stream_copy(to, from, (size_t)head);
    w->isa->stream_rows(to + head, 0, from + head, 0, 1, body, (struct svi_fetch){0, false});
    memmove(w->stage - after, from + head + body, (size_t)after);
    w->carried = after;
}

/* --- a plane --------------------------------------------------------------------- */

static void prefetch(struct work *w, int64_t nbytes)
{
    for (const char *end = w->end - w->next < nbytes ? w->end : w->next + nbytes; w->next < end; w->next += SVI_LINE)
        __builtin_prefetch(w->next, 0, 2);
}

/* Columns from first on; the last rows come again where they are no whole tile. */
static void turn_columns(const struct work *w, int64_t first)
{
    const struct svi_matrix *m = &w->m;

    for (int64_t j = 0; j < m->rows; j += w->tile->rows) {
        const int64_t row = svi_smaller(j, m->rows - w->tile->rows);

        w->tile->run(w->stage + row * m->item, w->row, m->src + row * m->src_pitch + first * m->item, m->src_pitch,
                     w->group / w->tile->columns, false);
    }
}

static void run_plane(struct work *w)
{
    const struct svi_matrix *m = &w->m;
    const int64_t share = (w->end - w->next) * w->group / m->columns + SVI_LINE;

    for (int64_t i = 0; i < m->columns; i += w->group) {
        const int64_t first = svi_smaller(i, m->columns - w->group);

        prefetch(w, share);
        turn_columns(w, first);
        store_lines(w, m->dst + i * w->row, (i - first) * w->row, (first + w->group - i) * w->row);
    }
}

/* --- all of them ------------------------------------------------------------------ */

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

static void expect(struct work *w, const char *src)
{
    const struct svi_matrix *m = &w->m;

    w->next = m->src_pitch < 0 ? src + (m->rows - 1) * m->src_pitch : src;
    w->end = w->next + reach_of(m);
}

static void run(struct work *w, const struct svi_plan *plan)
{
    struct svi_odometer outer, later;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, w->m.dst, w->m.src);
    later = outer;
    svi_odometer_seek(&later, w->ahead);
    do {
        w->m.dst = outer.dst;
        w->m.src = outer.src;
        expect(w, later.src);
        run_plane(w);
        svi_odometer_next(&later);
    } while (svi_odometer_next(&outer));
    flush(w);
    w->isa->fence();
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
    struct work w = {.isa = machine->isa, .tile = tile, .m = svi_matrix_of(c)};
    const struct svi_matrix *m = &w.m;
    char *memory;

    w.row = m->rows * m->item;
    w.group = svi_smaller(svi_larger(SVI_LINE / m->item, tile->columns), m->columns) / tile->columns * tile->columns;
    w.ahead = machine->tuning->small_planes_only ? 1 : (PREFETCH_BYTES - 1) / (w.row * m->columns) + 1;
    memory = svi_malloc((size_t)(2 * SVI_LINE + w.group * w.row + PAD_BYTES));
    if (memory == NULL)
        return false;
    w.stage = svi_line_from(memory) + SVI_LINE;
    run(&w, c->plan);
    svi_free(memory);
    return true;
}
