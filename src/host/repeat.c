/* One item to every place of the last axis. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    SHORT_FILL = 128, /* bytes; below, item by item */
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

/* 16 bytes of a line, in registers; little-endian, as all that store past the cache. */
struct words {
    uint64_t low, high;
};

/* Items that divide 16 bytes. */
static struct words words_of(const char *src, size_t item)
{
    struct words w = {0, 0};

    switch (item) {
    case 1: w.low = *(const uint8_t *)src * UINT64_C(0x0101010101010101); break;
    case 2: memcpy(&w.low, src, 2), w.low *= UINT64_C(0x0001000100010001); break;
    case 4: memcpy(&w.low, src, 4), w.low |= w.low << 32; break;
    default: memcpy(&w.low, src, 8); break;
    }
    if (item == 16)
        memcpy(&w.high, src + 8, 8);
    else
        w.high = w.low;
    return w;
}

/* From byte first on. */
static struct words turned(struct words w, size_t first)
{
    const unsigned bits = 8 * (unsigned)(first % 8);

    if (first % 16 >= 8)
        w = (struct words){w.high, w.low};
    if (bits != 0)
        w = (struct words){w.low >> bits | w.high << (64 - bits), w.high >> bits | w.low << (64 - bits)};
    return w;
}

/* Whole lines past the cache, and what is in front of them and behind them. */
static void stream_words(const struct svi_isa *isa, char *dst, const char *src, size_t item, size_t nbytes)
{
    const size_t head = (size_t)-(uintptr_t)dst % SVI_LINE, body = (nbytes - head) / SVI_LINE * SVI_LINE;
    const struct words w = turned(words_of(src, item), head);
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

static void fill_rows(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      bool past_cache)
{
    const int32_t last = plan->ndim - 1;
    const size_t item = (size_t)plan->item, nbytes = (size_t)plan->shape[last] * item;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    do
        if (past_cache)
            (16 % item == 0 ? stream_words : stream_items)(machine->isa, outer.dst, outer.src, item, nbytes);
        else
            fill(outer.dst, outer.src, item, nbytes);
    while (svi_odometer_next(&outer));
    if (past_cache)
        machine->isa->fence();
}

void svi_host_repeat(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const int64_t nbytes = plan->shape[last] * plan->item;

    if (plan->dst[last] == plan->item && nbytes >= SHORT_FILL)
        fill_rows(machine, plan, dst, src,
                  nbytes >= LONG_FILL && machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan));
    else
        svi_host_generic(machine, plan, dst, src);
}
