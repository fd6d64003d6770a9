/* One item to every place of the last axis. */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/words.h"

enum {
    SHORT_FILL = 128, /* bytes; below, item by item, */
    SHORT_WORDS = 4,  /* of items that divide 16 bytes */
    LONG_FILL = 2048, /* from here on past the cache, when the copy is */
    PAGE = 4096       /* a long run is built up to this size, then repeated from cache */
};

/* Fills nbytes, of which the first item is there already. */
static void spread(char *dst, size_t item, size_t nbytes)
{
    const size_t page = PAGE / item * item;
    size_t done = item;

    while (done < nbytes) {
        size_t piece = done < page ? done : page;

        if (piece > nbytes - done)
            piece = nbytes - done;
        memcpy(dst + done, dst, piece);
        done += piece;
    }
}

/* Items that divide 16 bytes: one store after another of the same 16, the last one shifted back. */
static void stamp(char *restrict dst, const char *restrict src, size_t item, size_t nbytes)
{
    char pattern[16];
    size_t k = 0;

    memcpy(pattern, src, item);
    spread(pattern, item, sizeof pattern);
    for (; k + 16 <= nbytes; k += 16)
        memcpy(dst + k, pattern, 16);
    memcpy(dst + nbytes - 16, pattern, 16);
}

static void fill(char *dst, const char *src, size_t item, size_t nbytes)
{
    if (item == 1) {
        memset(dst, *src, nbytes);
    } else if (16 % item == 0) {
        stamp(dst, src, item, nbytes);
    } else {
        memcpy(dst, src, item);
        spread(dst, item, nbytes);
    }
}

/* From byte first on. */
static struct svi_words turned(struct svi_words w, size_t first)
{
    const unsigned bits = 8 * (unsigned)(first % 8);

    if (first % 16 >= 8)
        w = (struct svi_words){w.high, w.low};
    if (bits != 0)
        w = (struct svi_words){w.low >> bits | w.high << (64 - bits), w.high >> bits | w.low << (64 - bits)};
    return w;
}

/* Whole lines past the cache, and what is in front of them and behind them. */
static void stream_words(const struct svi_isa *isa, char *dst, const char *src, size_t item, size_t nbytes)
{
    const size_t head = (size_t)-(uintptr_t)dst % SVI_LINE, body = (nbytes - head) / SVI_LINE * SVI_LINE;
    const struct svi_words w = turned(svi_words_of(src, item), head);
    char line[SVI_LINE];

    isa->stream_fill(dst + head, w.low, w.high, (int64_t)(body / SVI_LINE));
    if (head + body == nbytes && head == 0)
        return;
    for (size_t k = 0; k < SVI_LINE; k += sizeof w)
        memcpy(line + k, &w, sizeof w);
    memcpy(dst, line + SVI_LINE - head, head);
    memcpy(dst + head + body, line, nbytes - head - body);
}

/* The same of items of any size, from a buffer of a whole number of both lines and items. */
static void stream_items(const struct svi_isa *isa, char *dst, const char *src, size_t item, size_t nbytes)
{
    const size_t whole = SVI_LINE * item * (16 / item), head = (size_t)-(uintptr_t)dst % SVI_LINE;
    char buffer[1024 + SVI_PLAN_ITEM];

    memcpy(buffer, src, item);
    spread(buffer, item, whole + item);
    memcpy(dst, buffer, head);
    for (size_t k = head; k < nbytes; k += whole)
        isa->stream_copy(dst + k, buffer + head % item, nbytes - k < whole ? nbytes - k : whole);
}

/* Past the cache. */
static void stream_rows(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const size_t item = (size_t)plan->item, nbytes = (size_t)plan->shape[last] * item;
    struct svi_odometer rows;

    svi_odometer_init(&rows, plan, last, -1, dst, src);
    do
        (SVI_WORDS % item == 0 ? stream_words : stream_items)(isa, rows.dst, rows.src, item, nbytes);
    while (svi_odometer_next(&rows));
    isa->fence();
}

static void near_items(const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const size_t item = (size_t)plan->item, nbytes = (size_t)plan->shape[last] * item;
    struct svi_odometer rows;

    svi_odometer_init(&rows, plan, last, -1, dst, src);
    do
        fill(rows.dst, rows.src, item, nbytes);
    while (svi_odometer_next(&rows));
}

/* Items that divide 16 bytes. */
static void near_words(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1, row = last - 1;
    const int64_t nbytes = plan->shape[last] * plan->item;
    struct svi_odometer outer;

    if (row < 0) {
        isa->fill_rows(dst, 0, src, 0, 1, nbytes, plan->item);
        return;
    }
    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->fill_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes, plan->item);
    while (svi_odometer_next(&outer));
}

/* --- which of them ------------------------------------------------------------- */

static bool has_words(const struct svi_host_copy *c)
{
    return SVI_WORDS % c->plan->item == 0 && c->machine->isa->fill_rows != NULL;
}

static bool is_run(const struct svi_host_copy *c)
{
    return c->plan->dst[c->plan->ndim - 1] == c->plan->item &&
           svi_row_nbytes(c->plan) >= (has_words(c) ? SHORT_WORDS : SHORT_FILL);
}

bool svi_is_fill_streamed(const struct svi_host_copy *c)
{
    return c->past_cache && svi_row_nbytes(c->plan) >= LONG_FILL && c->machine->isa->stream_fill != NULL && is_run(c);
}

bool svi_is_fill_of_words(const struct svi_host_copy *c)
{
    return has_words(c) && is_run(c);
}

bool svi_is_fill_of_items(const struct svi_host_copy *c)
{
    return is_run(c);
}

bool svi_fill_streamed(const struct svi_host_copy *c)
{
    stream_rows(c->machine->isa, c->plan, c->dst, c->src);
    return true;
}

bool svi_fill_of_words(const struct svi_host_copy *c)
{
    near_words(c->machine->isa, c->plan, c->dst, c->src);
    return true;
}

bool svi_fill_of_items(const struct svi_host_copy *c)
{
    near_items(c->plan, c->dst, c->src);
    return true;
}
