#include "column_panels.h"

#include <string.h>

#include "blocking.h"

/* --- which axes ------------------------------------------------------------- */

int64_t svi_run_offset(const struct svi_run *run, int64_t index)
{
    int64_t offset = 0;

    for (int32_t k = 0; k < run->ndim; k++) {
        offset += index % run->shape[k] * run->other[k];
        index /= run->shape[k];
    }
    return offset;
}

static struct svi_run run_of(int64_t count, int64_t other)
{
    return (struct svi_run){.ndim = 1, .count = count, .shape = {count}, .other = {other}};
}

/* By axes that go on with it, until it has least items. */
static void extend(struct svi_run *run, const struct svi_plan *plan, const int64_t *strides, const int64_t *others,
                   int64_t least, bool *taken)
{
    while (run->count < least) {
        const int32_t k = svi_side_axis(plan, strides, plan->item * run->count, taken);

        if (k < 0)
            break;
        taken[k] = true;
        run->count *= plan->shape[k];
        run->shape[run->ndim] = plan->shape[k];
        run->other[run->ndim++] = others[k];
    }
}

/* An axis may go on with both: where columns are less than a line it is theirs. */
void svi_strips_make(struct svi_strips *s, const struct svi_plan *plan, const struct svi_matrix *m, int64_t least)
{
    bool taken[SVI_PLAN_NDIM] = {false};

    taken[plan->tile] = taken[plan->ndim - 1] = true;
    s->item = plan->item;
    s->fold = 1;
    s->rows = run_of(m->rows, m->src_pitch);
    s->columns = run_of(m->columns, m->dst_pitch);
    extend(&s->columns, plan, plan->src, plan->dst, SVI_LINE / plan->item, taken);
    extend(&s->rows, plan, plan->dst, plan->src, least / plan->item, taken);
    extend(&s->columns, plan, plan->src, plan->dst, s->width, taken);
    s->outer.ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k]) {
            s->outer.shape[s->outer.ndim] = plan->shape[k];
            s->outer.dst[s->outer.ndim] = plan->dst[k];
            s->outer.src[s->outer.ndim++] = plan->src[k];
        }
}

bool svi_strips_are_dense(const struct svi_strips *s)
{
    return s->rows.ndim == 1 && s->columns.count <= s->width && s->rows.other[0] == s->columns.count * s->item;
}

/* --- walking ---------------------------------------------------------------- */

static void enter(struct svi_strip *s)
{
    s->columns = svi_smaller(s->strips->width, s->strips->columns.count - s->column);
    s->row = 0;
    s->left = s->strips->rows.shape[0];
    s->offset = 0;
}

void svi_strip_begin(struct svi_strip *s, const struct svi_strips *strips, char *dst, const char *src)
{
    s->strips = strips;
    s->column = 0;
    svi_odometer_init(&s->outer, &strips->outer, strips->outer.ndim, -1, dst, src);
    enter(s);
}

bool svi_strip_next(struct svi_strip *s)
{
    if (s->column + s->columns < s->strips->columns.count)
        s->column += s->columns;
    else if (svi_odometer_next(&s->outer))
        s->column = 0;
    else
        return false;
    enter(s);
    return true;
}

static bool next_row(struct svi_strip *s)
{
    const struct svi_run *rows = &s->strips->rows;

    s->row += s->strips->fold;
    if (s->row >= rows->count)
        return svi_strip_next(s);
    if (s->strips->fold > 1) {
        s->offset = s->row * rows->other[0];
    } else if (--s->left > 0) {
        s->offset += rows->other[0];
    } else {
        s->left = rows->shape[0];
        s->offset = svi_run_offset(rows, s->row);
    }
    return true;
}

/* --- reading ---------------------------------------------------------------- */

static void enter_row(struct svi_strip_reader *r)
{
    const struct svi_strip *s = &r->strip;
    const int64_t rows = svi_smaller(s->strips->fold, s->strips->rows.count - s->row);

    r->at = s->outer.src + s->offset + s->column * s->strips->item;
    r->end = r->at + rows * s->columns * s->strips->item;
}

void svi_strip_reader_begin(struct svi_strip_reader *r, const struct svi_strip *strip)
{
    r->strip = *strip;
    r->done = false;
    enter_row(r);
}

static void turn(struct svi_strip_reader *r)
{
    r->done = !next_row(&r->strip);
    if (!r->done)
        enter_row(r);
}

static int64_t lines_of(int64_t nbytes)
{
    return (nbytes + SVI_LINE - 1) / SVI_LINE;
}

void svi_strip_fetch(struct svi_strip_reader *r, int64_t lines)
{
    while (lines > 0 && !r->done) {
        const int64_t here = svi_smaller(lines, lines_of(r->end - r->at));

        for (int64_t k = 0; k < here; k++)
            __builtin_prefetch(r->at + k * SVI_LINE);
        lines -= here;
        r->at += here * SVI_LINE;
        if (r->at >= r->end) {
            __builtin_prefetch(r->end - 1); /* rows begin anywhere in a line */
            turn(r);
        }
    }
}

int64_t svi_strip_copy(struct svi_strip_reader *r, struct svi_strip_buffer *buffer, int64_t lines)
{
    int64_t done = 0;

    while (done < lines && buffer->rows > 0) {
        const int64_t left = r->end - r->at, whole = svi_smaller(lines - done, left / SVI_LINE) * SVI_LINE;
        char *to = buffer->to + buffer->at;

        for (int64_t k = 0; k < whole; k += SVI_LINE)
            memcpy(to + k, r->at + k, SVI_LINE);
        done += whole / SVI_LINE;
        r->at += whole;
        buffer->at += whole;
        if (left - whole >= SVI_LINE)
            continue;
        if (left > whole) {
            memcpy(to + whole, r->at, (size_t)(left - whole));
            done++;
        }
        turn(r);
        buffer->at = 0;
        buffer->to += buffer->pitch;
        buffer->rows--;
    }
    return done;
}
