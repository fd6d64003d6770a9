/*
 * Fills: runs of one element, whose stride in the source is 0 along the last axis. Elements that divide 16 bytes are
 * stored by vectors; runs of other elements are doubled until they are complete. Beyond the cache whole lines are
 * stored by non-temporal stores, from registers or from a buffer.
 */
#include "host/base/elements.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"

/* Measured: doc/internals/copy_experiments.md#fills-and-repeated-elements. */
enum {
    MIN_FILL_BYTES = 128, /* bytes of a run; shorter runs are stored element by element */
    MIN_WORDS_BYTES = 4, /* bytes of a run of elements that divide 16 bytes */
    MIN_NT_FILL_BYTES = 2048, /* bytes of a run that is stored by non-temporal stores */
    PAGE_BYTES = 4096, /* a run is doubled up to so many bytes, which are then repeated from L1 */
    BUFFER_BYTES = 1024 /* bytes of a buffer, which is a multiple of 64 and of elements of up to 16 bytes, at most */
};

/* Fills nbytes whose first element is already stored. */
static void repeat_item(char *dst, size_t item, size_t nbytes)
{
    const size_t page = PAGE_BYTES / item * item;

    for (size_t done = item, piece; done < nbytes; done += piece) {
        piece = done < page ? done : page;
        if (piece > nbytes - done)
            piece = nbytes - done;
        memcpy(dst + done, dst, piece);
    }
}

static bool has_fill_words(const struct svi_host_copy *c)
{
    return SVI_WORDS % c->plan->item == 0 && c->machine->isa->runs != NULL;
}

static bool can_fill(const struct svi_host_copy *c)
{
    return c->plan->dst[c->plan->ndim - 1] == c->plan->item;
}

static bool refuses_short_fill(const struct svi_host_copy *c)
{
    return svi_refuse_less(c, "bytes of a run", svi_row_nbytes(c->plan),
                           has_fill_words(c) ? MIN_WORDS_BYTES : MIN_FILL_BYTES);
}

/* --- fill_words and fill_elements ---------------------------------------------------- */

static bool can_fill_words(const struct svi_host_copy *c)
{
    return has_fill_words(c) && can_fill(c) && svi_row_nbytes(c->plan) >= MIN_WORDS_BYTES;
}

static bool fill_word_rows(const struct svi_host_copy *c)
{
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer)) {
        const struct svi_rows rows = svi_rows_of(c->plan, &outer);

        c->machine->isa->runs->fill(&rows, c->plan->item);
    }
    return true;
}

const struct svi_loop svi_loop_fill_words = {
    .name = "fill_words",
    .can = can_fill_words,
    .run = fill_word_rows,
    .what = "runs of one element whose size divides 16 bytes",
};

static bool fill_elements(const struct svi_host_copy *c)
{
    const size_t item = (size_t)c->plan->item, nbytes = (size_t)svi_row_nbytes(c->plan);
    struct svi_odometer row;

    for (svi_axes_of(c, c->plan->ndim - 1, &row); !row.ended; svi_odometer_next(&row)) {
        memcpy(row.dst, row.src, item);
        repeat_item(row.dst, item, nbytes);
    }
    return true;
}

const struct svi_loop svi_loop_fill_elements = {
    .name = "fill_elements",
    .can = can_fill,
    .refuses = refuses_short_fill,
    .run = fill_elements,
    .what = "runs of one element of any size, doubled",
};

/* --- fill_nt ------------------------------------------------------------------------- */

/* Fills with aligned elements: whole lines from registers, head and tail through the cache. */
static void words_nt(const struct svi_isa *isa, char *dst, const char *src, int64_t item, int64_t nbytes)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), body = (nbytes - head) / SVI_LINE * SVI_LINE;
    const struct svi_words w = svi_words_of(src, (size_t)item);

    svi_line_of(head / item, dst, item, src, 0, item);
    isa->nt->fill(dst + head, w.low, w.high, body / SVI_LINE);
    svi_line_of((nbytes - head - body) / item, dst + head + body, item, src, 0, item);
}

/* Fills with elements of any size and alignment, from a buffer of a whole number of lines and of elements. */
static void elements_nt(const struct svi_isa *isa, char *dst, const char *src, size_t item, size_t nbytes)
{
    const size_t whole = SVI_LINE * item * (16 / item), head = (size_t)-(uintptr_t)dst % SVI_LINE;
    char buffer[BUFFER_BYTES + SVI_PLAN_ITEM];

    memcpy(buffer, src, item);
    repeat_item(buffer, item, whole + item);
    memcpy(dst, buffer, head);
    for (size_t k = head; k < nbytes; k += whole)
        isa->nt->copy(dst + k, buffer + head % item, nbytes - k < whole ? nbytes - k : whole);
}

static bool can_fill_nt(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL && svi_row_nbytes(c->plan) >= SVI_LINE && can_fill(c);
}

static bool refuses_fill_nt(const struct svi_host_copy *c)
{
    return svi_refuse_in_cache(c) || svi_refuse_less(c, "bytes of a run", svi_row_nbytes(c->plan), MIN_NT_FILL_BYTES);
}

static bool fill_nt(const struct svi_host_copy *c)
{
    const size_t item = (size_t)c->plan->item, nbytes = (size_t)svi_row_nbytes(c->plan);
    struct svi_odometer row;

    for (svi_axes_of(c, c->plan->ndim - 1, &row); !row.ended; svi_odometer_next(&row))
        if (SVI_WORDS % item == 0 && (uintptr_t)row.dst % item == 0)
            words_nt(c->machine->isa, row.dst, row.src, (int64_t)item, (int64_t)nbytes);
        else
            elements_nt(c->machine->isa, row.dst, row.src, item, nbytes);
    c->machine->isa->nt->fence();
    return true;
}

const struct svi_loop svi_loop_fill_nt = {
    .name = "fill_nt",
    .can = can_fill_nt,
    .refuses = refuses_fill_nt,
    .run = fill_nt,
    .stores = SVI_STORES_NT,
    .what = "long runs of one element beyond the cache",
};
