/*
 * Random copies and conversions of 1 byte to 64 MiB, of items of any size and of every pair of numbers, by every
 * instruction set, with nothing mapped around either side, beside an oracle that goes element by element.
 *
 * A destination is 0xa5 outside of rounds: what was copied is compared and set to that again, and then all of it is to be
 * that. So nothing is copied twice, and what was written beside the elements is found.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <stdio.h>

#include "base/alloc.h"
#include "support/arena.h"
#include "unit/view/exact.h"
#include "host/front/compound.h"

enum {
    ROOM = 160 << 20,     /* bytes mapped of each side */
    SMALL = 1 << 16,      /* bytes of a copy: most have at most so many, */
    LARGE = 64 << 20,     /* all others up to so many, */
    ONE_LARGE = 399,      /* one of so many rounds, and of so many a transpose without runs; */
    ONE_STEPPED = 299,
    MOST_STEPPED = 4 << 20, /* bytes of that */
    MOST_CAST = 1 << 22,  /* bytes of a large conversion: the oracle takes 100 times as long as it */
    GUARD = 64            /* bytes around the destination that are looked at */
};

static unsigned char *to_room, *from_room;
static int64_t filled_up_to, filled_from; /* of from_room: the middle is filled when it is needed */

static unsigned char *room(void)
{
    unsigned char *all = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    cr_assert(all != MAP_FAILED && mprotect(all + PAGE, ROOM, PROT_READ | PROT_WRITE) == 0);
    return all + PAGE;
}

/* Words of which a quarter has few bits set at the top: numbers that lie halfway between others. */
static void fill(int64_t first, int64_t end)
{
    for (int64_t k = first / 8; k < end / 8; k++) {
        const uint64_t word = test_mix((uint64_t)k);
        const uint64_t kept = k % 4 == 0 ? word & UINT64_MAX << word % 61 : word;

        memcpy(from_room + 8 * k, &kept, sizeof kept);
    }
}

/* Bytes [first, end) of the source are not 0. */
static void have(int64_t first, int64_t end)
{
    first = first / PAGE * PAGE;
    end = (end + PAGE - 1) / PAGE * PAGE;
    if (first < ROOM - end) {
        if (end > filled_up_to) {
            fill(filled_up_to, end);
            filled_up_to = end;
        }
    } else if (first < filled_from) {
        fill(first, filled_from);
        filled_from = first;
    }
}

static void begin(void)
{
    set_up();
    to_room = room();
    from_room = room();
    filled_from = ROOM;
}

TestSuite(host_differential, .init = begin);

/* --- cases ---------------------------------------------------------------------- */

struct example {
    struct svi_machine machine;
    const struct exact_type *to, *from; /* NULL: items stay as they are */
    bool swapped;
    int32_t ndim;
    int64_t dst_item, src_item; /* bytes of an element */
    int64_t shape[PAIR_NDIM], dst[PAIR_NDIM], src[PAIR_NDIM];
};

/* Evenly by its logarithm. */
static int64_t random_size(int64_t most)
{
    const int64_t scale = (int64_t)1 << test_between(0, 63 - __builtin_clzll((unsigned long long)most));
    const int64_t size = scale + test_between(0, scale - 1);

    return size < most ? size : most;
}

static void random_type(struct example *e)
{
    static const int64_t items[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 6, 12, 5, 24};

    e->to = e->from = NULL;
    e->dst_item = e->src_item = test_between(0, 9) ? items[test_between(0, 15)] : test_between(1, 70);
}

static bool random_conversion(struct example *e, struct svi_chain *chain)
{
    e->to = &exact_types[test_between(0, EXACT_TYPES - 1)];
    e->from = &exact_types[test_between(0, EXACT_TYPES - 1)];
    e->swapped = test_between(0, 7) == 0;
    e->dst_item = e->to->bytes * e->to->parts;
    e->src_item = e->from->bytes * e->from->parts;
    if (!exact_holds_integers() && e->from->bytes == 8 && e->from->kind != 'f')
        return false;
    return svi_chain_find(e->to->dtype, e->from->dtype, true, e->swapped, chain) == SV_OK && chain->count > 0;
}

/* So many elements, about, of which some axes have few. */
static void random_shape(struct example *e, int64_t count)
{
    int64_t left = count > 0 ? count : 1;

    e->ndim = (int32_t)test_between(1, test_between(0, 3) ? 3 : PAIR_NDIM);
    for (int32_t k = 0; k < e->ndim; k++) {
        const int64_t most = test_between(0, 2) == 0 ? 8 : left;

        e->shape[k] = k == e->ndim - 1 ? left : random_size(most < left ? most : left);
        left /= e->shape[k];
    }
    for (int32_t k = e->ndim - 1; k > 0; k--) { /* the longest may be any */
        const int32_t other = (int32_t)test_between(0, k);
        const int64_t kept = e->shape[k];

        e->shape[k] = e->shape[other];
        e->shape[other] = kept;
    }
}

/* Axes in any order or in C's, with steps, gaps of elements or of bytes, to whole lines, backwards. */
static void random_strides(const struct example *e, int64_t item, bool in_order, int64_t *strides)
{
    const bool loose = test_between(0, 1);
    int64_t next = item;
    int32_t axes[PAIR_NDIM];

    test_shuffle(e->ndim, axes);
    for (int32_t i = 0; i < e->ndim; i++) {
        const int32_t k = in_order ? e->ndim - 1 - i : axes[i];

        if (loose && test_between(0, 3) == 0)
            next += test_between(1, 3) * item;
        if (loose && test_between(0, 9) == 0)
            next += test_between(1, 70);
        if (i == 0 && test_between(0, 5) == 0)
            next *= test_between(2, 9);
        if (loose && i > 0 && test_between(0, 3) == 0)
            next = (next + SVI_LINE - 1) / SVI_LINE * SVI_LINE;
        strides[k] = test_between(0, 5) == 0 ? -next : next;
        next *= e->shape[k];
    }
}

static int64_t span(const struct example *e, const int64_t *strides, int64_t item, int64_t *lower)
{
    int64_t upper;

    test_hull(e->ndim, e->shape, strides, item, lower, &upper);
    return upper - *lower;
}

/* Now and then one whose caches are neither large nor none. */
static struct svi_machine random_machine(void)
{
    struct svi_machine machine = machines[test_between(0, machine_count - 1)];

    if (test_between(0, 2) == 0) {
        machine.cache = (int64_t)1 << test_between(8, 24);
        machine.l2_bytes = (int64_t)1 << test_between(8, 20);
    }
    return machine;
}

static void random_layouts(struct example *e, int64_t nbytes)
{
    const bool in_order = test_between(0, 2) == 0;
    int64_t lower;

    do {
        random_shape(e, nbytes / e->dst_item);
        random_strides(e, e->dst_item, in_order, e->dst);
        random_strides(e, e->src_item, in_order, e->src);
        if (test_between(0, 3) == 0)
            e->src[test_between(0, e->ndim - 1)] = 0;
    } while (span(e, e->dst, e->dst_item, &lower) > ROOM - 2 * GUARD || span(e, e->src, e->src_item, &lower) > ROOM);
}

/* A transpose of two axes, without runs on a side: what takes two steps, of which one may be such a copy again. */
static void stepped_layouts(struct example *e, int64_t nbytes)
{
    const int64_t count = nbytes / e->dst_item + 1, step = test_between(1, 4), gap = test_between(0, 3) * e->src_item;
    int64_t lower;

    do {
        const int64_t rows = test_between(65, 1000), columns = count / rows + 1, apart = test_between(2, 32);

        e->ndim = 2;
        e->shape[0] = columns, e->shape[1] = rows;
        e->dst[0] = rows * step * e->dst_item, e->dst[1] = step * e->dst_item;
        e->src[0] = apart * e->src_item, e->src[1] = columns * apart * e->src_item + gap;
    } while (span(e, e->dst, e->dst_item, &lower) > ROOM - 2 * GUARD || span(e, e->src, e->src_item, &lower) > ROOM);
}

/* --- the oracle ------------------------------------------------------------------ */

static inline bool same_row(int64_t count, unsigned char *dst, int64_t dst_step, const unsigned char *src,
                         int64_t src_step, size_t item)
{
    bool same = true;

    for (; count > 0; count--, dst += dst_step, src += src_step) {
        same = same && memcmp(dst, src, item) == 0;
        memset(dst, 0xa5, item);
    }
    return same;
}

static bool converted_row(const struct example *e, int64_t count, unsigned char *dst, int64_t dst_step,
                          const unsigned char *src, int64_t src_step)
{
    bool same = true;

    for (; count > 0; count--, dst += dst_step, src += src_step) {
        same = same && exact_element(e->to, dst, e->from, src, e->swapped);
        memset(dst, 0xa5, (size_t)e->dst_item);
    }
    return same;
}

/* The axis that is walked in a row is the longest, for the oracle's sake. */
static bool is_right(const struct example *e, unsigned char *dst, const unsigned char *src)
{
    int64_t shape[PAIR_NDIM], index[PAIR_NDIM] = {0};
    int32_t axis = 0;
    bool right = true;

    for (int32_t k = 1; k < e->ndim; k++)
        axis = e->shape[k] > e->shape[axis] ? k : axis;
    memcpy(shape, e->shape, sizeof shape);
    shape[axis] = 1;
    do {
        unsigned char *to = dst + test_offset(e->ndim, index, e->dst);
        const unsigned char *from = src + test_offset(e->ndim, index, e->src);
        const int64_t count = e->shape[axis], there = e->dst[axis], here = e->src[axis];

        if (e->to != NULL)
            right &= converted_row(e, count, to, there, from, here);
        else if (e->dst_item == 1)
            right &= same_row(count, to, there, from, here, 1);
        else if (e->dst_item == 4)
            right &= same_row(count, to, there, from, here, 4);
        else
            right &= same_row(count, to, there, from, here, (size_t)e->dst_item);
    } while (test_next(e->ndim, shape, index));
    return right;
}

static bool is_untouched(const unsigned char *from, const unsigned char *end)
{
    return from[0] == 0xa5 && memcmp(from, from + 1, (size_t)(end - from - 1)) == 0;
}

/* --- a round -------------------------------------------------------------------- */

/* At the beginning of its room, at the end of it, or anywhere near that. */
static int64_t random_place(int64_t nbytes)
{
    const int64_t left = ROOM - nbytes, kind = test_between(0, 3);

    if (kind < 2)
        return kind * left;
    return test_between(0, left < 4096 ? left : 4096);
}

static void tell(const struct example *e)
{
    test_tell("by %s, cache of %lld, second of %lld, byte orders %s", e->machine.isa->name, (long long)e->machine.cache,
              (long long)e->machine.l2_bytes, e->to != NULL && e->swapped ? "swapped" : "native");
    test_tell_copy(e->ndim, e->shape, e->dst, e->dst_item, e->to != NULL ? e->to->dtype : 0, e->src, e->src_item,
                   e->to != NULL ? e->from->dtype : 0);
}

static void check_example(const struct example *e, const struct svi_plan *plan)
{
    int64_t dst_lower, src_lower;
    const int64_t dst_bytes = span(e, e->dst, e->dst_item, &dst_lower);
    const int64_t src_bytes = span(e, e->src, e->src_item, &src_lower);
    const int64_t dst_place = random_place(dst_bytes), src_place = random_place(src_bytes);
    unsigned char *hull = to_room + dst_place, *dst = hull - dst_lower, *end = hull + dst_bytes;
    const unsigned char *src = from_room + src_place - src_lower;
    bool right;

    hull = dst_place > GUARD ? hull - GUARD : to_room;
    end = end < to_room + ROOM - GUARD ? end + GUARD : to_room + ROOM;
    memset(hull, 0xa5, (size_t)(end - hull));
    have(src_place, src_place + src_bytes);
    svi_host_run(&e->machine, plan, (char *)dst, (const char *)src);
    right = is_right(e, dst, src);
    cr_assert(right, "other elements");
    cr_assert(is_untouched(hull, end), "written beside the elements");
}

static void random_example(struct example *e, int64_t round)
{
    if (round % ONE_STEPPED == 0)
        stepped_layouts(e, SMALL * random_size(MOST_STEPPED / SMALL));
    else if (round % ONE_LARGE == 0)
        random_layouts(e, SMALL * random_size((e->to != NULL ? MOST_CAST : LARGE) / SMALL));
    else
        random_layouts(e, random_size(SMALL));
}

/* Each fourth one converts; at times memory is short. */
Test(host_differential, copies_and_conversions)
{
    for (int64_t round = test_first_round(); test_round_within(round, 6); round++) {
        struct example e = {.machine = random_machine()};
        struct svi_chain chain = {.count = 0};
        struct svi_plan plan;

        svi_alloc.allocate = round % 5 == 1 ? sometimes_memory : malloc;
        if (round % 4 != 1 || !random_conversion(&e, &chain))
            random_type(&e);
        random_example(&e, round);
        if (e.to != NULL)
            svi_plan_make_cast(e.ndim, e.shape, e.dst, e.src, &chain, 1, &plan);
        else
            svi_plan_make(e.ndim, e.shape, e.dst, e.src, e.dst_item, &plan);
        tell(&e);
        check_example(&e, &plan);
    }
}
