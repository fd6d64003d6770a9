/*
 * Copies between two views of the same memory (plan/in_place.h): item after item in an order that is safe, or by pairs
 * of boxes that are exchanged, as in a transpose in place.
 */
#include "plan/in_place.h"
#include "plan/part.h"
#include "host/base/buffer.h"
#include "host/convert/cast_job.h"
#include "host/dispatch/dispatch.h"
#include "host/compound/exchange.h"
#include "host/compound/cast_blocks.h"
#include "host/compound/two_pass.h"

/* --- in order ------------------------------------------------------------- */

/* Copies items in order. Each item is read as a whole before it is written. */
SVI_INLINE void items_in_order(int64_t count, char *dst, int64_t dst_step, const char *src, int64_t src_step,
                               size_t item)
{
    for (; count > 0; count--) {
        char kept[SVI_PLAN_ITEM];

        memcpy(kept, src, item);
        memcpy(dst, kept, item);
        dst += dst_step;
        src += src_step;
    }
}

static void line_in_order(int64_t count, char *dst, int64_t dst_step, const char *src, int64_t src_step, size_t item)
{
    switch (item) {
    case 1: items_in_order(count, dst, dst_step, src, src_step, 1); break;
    case 2: items_in_order(count, dst, dst_step, src, src_step, 2); break;
    case 4: items_in_order(count, dst, dst_step, src, src_step, 4); break;
    case 8: items_in_order(count, dst, dst_step, src, src_step, 8); break;
    case 16: items_in_order(count, dst, dst_step, src, src_step, 16); break;
    default:
        for (int64_t k = 0; k < count; k++)
            memmove(dst + k * dst_step, src + k * src_step, item);
    }
}

/* Copies a row of the last axis at a time. memmove() chooses the order within a run. */
static void copy_in_order(const struct svi_plan *plan, bool backward, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const bool run = last >= 0 && plan->dst[last] == plan->item && plan->src[last] == plan->item;
    struct svi_odometer_axis line = {.extent = 1};
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim, -1, dst, src);
    for (int32_t k = 0; backward && k < plan->ndim - run; k++)
        svi_odometer_flip(&outer, &outer.axis[k]);
    if (last >= 0) {
        line = outer.axis[last];
        outer.ndim = last;
    }
    do
        if (run)
            memmove(outer.dst, outer.src, (size_t)(line.extent * plan->item));
        else
            line_in_order(line.extent, outer.dst, line.dst, outer.src, line.src, (size_t)plan->item);
    while (svi_odometer_next(&outer));
}

/* --- two axes that change places ------------------------------------------ */

enum {
    BUFFER_BYTES = 16384, /* bytes of an allocated buffer */
    SMALL_BUFFER_BYTES = 2048 /* bytes of a buffer in the frame; allocating takes as long as such a swap */
};

struct box {
    int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM];
};

struct swap {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    char *memory;
    int32_t slow, fast;
    int64_t side[SVI_PLAN_NDIM]; /* of boxes */
    struct box box, other;
    struct svi_plan part;
    int64_t room; /* bytes of the buffer */
    _Alignas(SVI_LINE) char buffer[];
};

/* Chooses the sides of a box, the fastest axes first, while it fits the buffer. The two axes that are exchanged have
 * sides of the same length. */
static void choose_sides(struct swap *s)
{
    const struct svi_plan *plan = s->plan;
    const int64_t n = plan->shape[s->slow];
    int64_t room = s->room / plan->item, edge = 1;

    for (int32_t k = plan->ndim - 1; k > s->fast; k--) {
        s->side[k] = svi_smaller(plan->shape[k], room);
        room /= s->side[k];
    }
    while (edge < n && 4 * edge * edge <= room)
        edge *= 2;
    edge = svi_smaller(edge, n);
    room /= edge * edge;
    for (int32_t k = s->fast; k >= 0; k--) {
        s->side[k] = k == s->slow || k == s->fast ? edge : svi_smaller(plan->shape[k], room);
        room /= k == s->slow || k == s->fast ? 1 : s->side[k];
    }
}

/* Copies the items that belong into a box to the buffer, or back from there. */
static void buffer_box(struct swap *s, const struct box *box, bool back)
{
    const struct svi_plan *plan = s->plan;
    int64_t offset = 0;

    for (int32_t k = 0; k < plan->ndim; k++)
        offset += box->first[k] * (back ? plan->dst[k] : plan->src[k]);
    svi_plan_buffered(plan, box->count, !back, &s->part);
    if (back)
        svi_host_run_block(s->machine, &s->part, s->memory + offset, s->buffer);
    else
        svi_host_run_block(s->machine, &s->part, s->buffer, s->memory + offset);
}

/* Exchanges a box with its mirror, which may be the box itself. */
static void exchange_boxes(struct swap *s)
{
    const struct box *box = &s->box;
    struct box *other = &s->other;

    buffer_box(s, box, false);
    if (box->first[s->slow] != box->first[s->fast]) {
        *other = *box;
        other->first[s->slow] = box->first[s->fast], other->first[s->fast] = box->first[s->slow];
        other->count[s->slow] = box->count[s->fast], other->count[s->fast] = box->count[s->slow];
        svi_plan_box(s->plan, other->first, other->count, &s->part);
        svi_plan_set_reach(&s->part, 0);
        svi_host_run_block(s->machine, &s->part, s->memory - s->plan->dst_offset, s->memory - s->plan->src_offset);
    }
    buffer_box(s, box, true);
}

/* Moves to the next box. Only boxes on one side of the diagonal of the two axes are visited. False after the last. */
static bool next_box(struct swap *s)
{
    struct box *box = &s->box;

    for (int32_t k = s->plan->ndim - 1; k >= 0; k--) {
        box->first[k] += s->side[k];
        if (box->first[k] < s->plan->shape[k])
            break;
        if (k == 0)
            return false;
        box->first[k] = 0;
    }
    if (box->first[s->fast] < box->first[s->slow])
        box->first[s->fast] = box->first[s->slow];
    for (int32_t k = 0; k < s->plan->ndim; k++)
        box->count[k] = svi_smaller(s->side[k], s->plan->shape[k] - box->first[k]);
    return true;
}

static void exchange_all(struct swap *s, const struct svi_machine *machine, const struct svi_plan *plan, char *memory,
                         int64_t room)
{
    s->machine = machine;
    s->plan = plan;
    s->memory = memory;
    s->room = room;
    svi_swapped_axes(plan, &s->slow, &s->fast);
    choose_sides(s);
    for (int32_t k = 0; k < plan->ndim; k++) {
        s->box.first[k] = 0;
        s->box.count[k] = s->side[k];
    }
    do
        exchange_boxes(s);
    while (next_box(s));
}

static void exchange_items(char *a, char *b, size_t item)
{
    char kept[SVI_PLAN_ITEM];

    memcpy(kept, a, item);
    memcpy(a, b, item);
    memcpy(b, kept, item);
}

/* Exchanges item by item, if memory for a box is lacking. */
static void swap_items(const struct svi_plan *plan, char *memory)
{
    struct svi_odometer outer;
    struct svi_odometer_axis slow, fast;
    int32_t i, j;

    svi_swapped_axes(plan, &i, &j);
    svi_odometer_init(&outer, plan, plan->ndim, -1, memory, memory);
    fast = svi_odometer_take(&outer, i > j ? i : j);
    slow = svi_odometer_take(&outer, i > j ? j : i);
    do
        for (int64_t row = 0; row < slow.extent; row++)
            for (int64_t k = row + 1; k < fast.extent; k++)
                exchange_items(outer.dst + row * slow.dst + k * fast.dst, outer.dst + k * slow.dst + row * fast.dst,
                               (size_t)plan->item);
    while (svi_odometer_next(&outer));
}

static __attribute__((noinline)) void swap_small(const struct svi_machine *machine, const struct svi_plan *plan,
                                                 char *memory)
{
    _Alignas(struct swap) char scratch[sizeof(struct swap) + SMALL_BUFFER_BYTES];

    exchange_all((struct swap *)scratch, machine, plan, memory, SMALL_BUFFER_BYTES);
}

static void swap_in_place(const struct svi_machine *machine, const struct svi_plan *plan, char *memory)
{
    struct swap *s = plan->nbytes > SMALL_BUFFER_BYTES ? svi_scratch_new(sizeof *s + BUFFER_BYTES) : NULL;

    if (plan->nbytes <= SMALL_BUFFER_BYTES) {
        swap_small(machine, plan, memory);
    } else if (s == NULL) {
        swap_items(plan, memory);
    } else {
        exchange_all(s, machine, plan, memory, BUFFER_BYTES);
    }
    svi_scratch_free(s);
}

void svi_host_in_place(const struct svi_machine *machine, const struct svi_plan *plan, int32_t way, char *dst,
                       const char *src)
{
    dst += plan->dst_offset;
    src += plan->src_offset;
    if (way == SVI_WAY_SWAP)
        swap_in_place(machine, plan, dst);
    else
        copy_in_order(plan, way == SVI_WAY_BACKWARD, dst, src);
}
