#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "host/dispatch/dispatch.h"
#include "support/pairs.h"

static void make(const struct test_pair *p, struct svi_plan *plan)
{
    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, plan);
}

Test(plan, random_pairs_keep_their_bytes)
{
    struct test_pair p;
    struct svi_plan plan;
    int seen[SVI_CLASS_COUNT] = {0};

    for (int64_t round = test_first_round(); test_round(round, 20000); round++) {
        uint64_t walked;

        test_pair_random(&p, 150);
        make(&p, &plan);
        seen[plan.kind]++;
        cr_assert_eq(plan.kind == SVI_CLASS_EMPTY, test_pair_is_empty(&p));
        if (plan.kind == SVI_CLASS_EMPTY)
            continue;
        walked = test_walk_hash(plan.ndim, plan.shape, plan.dst, plan.src, plan.item, plan.dst_offset, plan.src_offset);
        cr_assert_eq(walked, test_walk_hash(p.ndim, p.shape, p.dst, p.src, p.itemsize, 0, 0));
    }
    for (int kind = 0; kind < SVI_CLASS_CAST; kind++)
        cr_expect_gt(seen[kind], 50, "class %s was made %d times only", svi_class_name(kind), seen[kind]);
}

static int64_t axes_size(const struct svi_plan *plan)
{
    int64_t size = 1;

    for (int32_t k = 0; k < plan->ndim; k++)
        size *= plan->shape[k];
    return size;
}

Test(plan, says_what_it_is)
{
    struct test_pair p;
    struct svi_plan plan;

    for (int64_t round = test_first_round(); test_round(round, 20000); round++) {
        int32_t last;
        bool dst_run, src_run, told;

        test_pair_random(&p, 150);
        make(&p, &plan);
        if (plan.kind == SVI_CLASS_EMPTY)
            continue;
        last = plan.ndim - 1;
        dst_run = plan.ndim > 0 && plan.dst[last] == plan.item;
        src_run = plan.ndim > 0 && plan.src[last] == plan.item;
        cr_assert(plan.item >= 1 && plan.item <= SVI_PLAN_ITEM, "item %d", (int)plan.item);
        cr_assert_eq(plan.nbytes, axes_size(&plan) * plan.item);
        told = plan.ndim > 0 && (plan.kind == SVI_CLASS_ROWS || plan.kind == SVI_CLASS_CONTIGUOUS);
        cr_assert_eq(dst_run && src_run, told,
                     "a run is not told, class %s", svi_class_name(plan.kind));
        if (dst_run && src_run)
            cr_assert_gt(plan.shape[last] * plan.item, SVI_PLAN_ITEM);
        if (plan.kind == SVI_CLASS_GATHER || plan.kind == SVI_CLASS_REVERSED)
            cr_assert(dst_run && !src_run);
        if (plan.kind == SVI_CLASS_SCATTER || plan.kind == SVI_CLASS_STRIDED)
            cr_assert(!dst_run);
        for (int32_t k = 0; k < plan.ndim; k++)
            cr_assert(plan.src[k] == 0 || (plan.src_axis >= 0 && llabs(plan.src[k]) >= llabs(plan.src[plan.src_axis])),
                      "axis %d is faster than %d", k, plan.src_axis);
        if (plan.kind == SVI_CLASS_TRANSPOSE)
            cr_assert(plan.src_axis >= 0 && plan.src_axis < last);
    }
}

/* The same copy said in another way: axes in another order, some backwards. */
static void restate(const struct test_pair *p, struct test_pair *other, int64_t *dst_offset, int64_t *src_offset)
{
    int32_t axes[PAIR_NDIM];

    *other = *p;
    *dst_offset = *src_offset = 0;
    test_shuffle(p->ndim, axes);
    for (int32_t k = 0; k < p->ndim; k++) {
        int sign = test_between(0, 1) ? 1 : -1;

        other->shape[k] = p->shape[axes[k]];
        other->dst[k] = sign * p->dst[axes[k]];
        other->src[k] = sign * p->src[axes[k]];
        if (sign < 0) {
            *dst_offset += (other->shape[k] - 1) * p->dst[axes[k]];
            *src_offset += (other->shape[k] - 1) * p->src[axes[k]];
        }
    }
}

Test(plan, one_plan_however_it_is_said)
{
    struct test_pair p, other;
    struct svi_plan plan, again;

    for (int64_t round = test_first_round(); test_round(round, 20000); round++) {
        int64_t dst_offset, src_offset;
        size_t axes;

        test_pair_random(&p, 10000);
        if (test_pair_is_empty(&p))
            continue;
        restate(&p, &other, &dst_offset, &src_offset);
        make(&p, &plan);
        make(&other, &again);
        axes = (size_t)plan.ndim * sizeof(int64_t);
        cr_assert_eq(plan.ndim, again.ndim);
        cr_assert(plan.kind == again.kind && plan.item == again.item && plan.src_axis == again.src_axis);
        cr_assert_eq(memcmp(plan.shape, again.shape, axes), 0);
        cr_assert_eq(memcmp(plan.dst, again.dst, axes), 0);
        cr_assert_eq(memcmp(plan.src, again.src, axes), 0);
        cr_assert_eq(plan.dst_offset, dst_offset + again.dst_offset);
        cr_assert_eq(plan.src_offset, src_offset + again.src_offset);
    }
}

/* In the order of the axes, which is seen at once, and the other way round. */
Test(plan, dense_copies_of_any_item)
{
    static const int64_t shapes[][3] = {{1, 1, 1}, {1, 1, 2}, {2, 1, 3}, {1, 5, 1}, {3, 4, 5}, {2, 2, 2}, {17, 1, 1}};

    for (int64_t itemsize = 1; itemsize <= 70; itemsize++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const int64_t *s = shapes[i], turned[] = {s[2], s[1], s[0]};
            const int64_t strides[] = {s[1] * s[2] * itemsize, s[2] * itemsize, itemsize};
            const int64_t turned_strides[] = {strides[2], strides[1], strides[0]};
            struct svi_plan plan, again;

            svi_plan_make(3, s, strides, strides, itemsize, &plan);
            svi_plan_make(3, turned, turned_strides, turned_strides, itemsize, &again);
            cr_expect(plan.kind == again.kind && plan.ndim == again.ndim && plan.src_axis == again.src_axis &&
                          plan.item == again.item && plan.src_item == again.src_item && plan.nbytes == again.nbytes &&
                          plan.reach == again.reach && plan.chain.count == 0,
                      "%d bytes, shape %d", (int)itemsize, (int)i);
            cr_expect(plan.ndim == 0 || (plan.shape[0] == again.shape[0] && plan.dst[0] == again.dst[0] &&
                                         plan.src[0] == again.src[0]),
                      "%d bytes, shape %d", (int)itemsize, (int)i);
        }
}

/* Strides in bytes. */
static const struct {
    const char *name;
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[5], dst[5], src[5];
    const char *class;
    int64_t item;
    const char *form; /* of the host's loops */
} cases[] = {
    {"empty", 2, 4, {3, 0}, {0, 0}, {0, 0}, "empty", 1, "empty"},
    {"0-d", 0, 8, {0}, {0}, {0}, "contiguous", 8, "contiguous"},
    {"0-d of 24 bytes", 0, 24, {0}, {0}, {0}, "contiguous", 8, "contiguous"},
    {"dense C to C", 3, 4, {5, 6, 7}, {168, 28, 4}, {168, 28, 4}, "contiguous", 4, "contiguous"},
    {"dense F to F", 3, 4, {5, 6, 7}, {4, 20, 120}, {4, 20, 120}, "contiguous", 4, "contiguous"},
    {"both backwards", 1, 4, {100}, {-4}, {-4}, "contiguous", 4, "contiguous"},
    {"three bytes", 1, 1, {3}, {1}, {1}, "contiguous", 3, "contiguous"},
    {"rows of a picture, cropped", 3, 1, {50, 40, 3}, {120, 3, 1}, {600, 3, 1}, "rows", 1, "rows"},
    {"rows upside down", 2, 4, {50, 40}, {160, 4}, {-160, 4}, "rows", 4, "rows"},
    {"row to every row", 2, 4, {50, 40}, {160, 4}, {0, 4}, "rows", 4, "rows"},
    {"P(0,2,1,3) of halves", 4, 2, {2, 5, 6, 64}, {3840, 768, 128, 2}, {3840, 128, 640, 2}, "rows", 2, "odd rows"},
    {"24-byte items transposed", 2, 24, {5, 7}, {168, 24}, {24, 120}, "rows", 8, "rows"},
    {"24-byte items backwards", 1, 24, {7}, {24}, {-24}, "rows", 8, "rows"},
    {"17-byte items with gaps", 1, 17, {7}, {17}, {20}, "rows", 1, "rows"},
    {"one value", 2, 4, {50, 40}, {160, 4}, {0, 0}, "repeat", 4, "repeat"},
    {"column to every column", 2, 4, {50, 40}, {160, 4}, {4, 0}, "repeat", 4, "repeat"},
    {"one pixel to all", 3, 1, {50, 40, 3}, {120, 3, 1}, {0, 0, 1}, "repeat", 3, "repeat"},
    {"backwards", 1, 4, {100}, {4}, {-4}, "reversed", 4, "reversed"},
    {"rows backwards", 2, 4, {50, 40}, {160, 4}, {160, -4}, "reversed", 4, "reversed"},
    {"RGB to BGR", 3, 1, {50, 40, 3}, {120, 3, 1}, {120, 3, -1}, "reversed", 1, "units"},
    {"transpose f32", 2, 4, {50, 40}, {160, 4}, {4, 200}, "transpose", 4, "transpose"},
    {"transpose bytes", 2, 1, {50, 40}, {40, 1}, {1, 50}, "transpose", 1, "transpose"},
    {"transpose 16-byte items", 2, 16, {50, 40}, {640, 16}, {16, 800}, "transpose", 16, "transpose"},
    {"transpose 12-byte items", 2, 12, {50, 40}, {480, 12}, {12, 600}, "transpose", 12, "odd elements"},
    {"transpose pairs of f32", 3, 4, {50, 40, 2}, {320, 8, 4}, {8, 400, 4}, "transpose", 8, "transpose"},
    {"transpose pixels", 3, 1, {50, 40, 3}, {120, 3, 1}, {3, 150, 1}, "transpose", 3, "transpose"},
    {"transpose backwards", 2, 4, {50, 40}, {160, 4}, {-4, 200}, "transpose", 4, "transpose"},
    {"transpose of every second", 2, 4, {50, 40}, {160, 4}, {8, 400}, "transpose", 4, "transpose"},
    {"HWC to CHW", 3, 1, {3, 50, 40}, {2000, 40, 1}, {1, 120, 3}, "transpose", 1, "units across"},
    {"CHW to HWC", 3, 1, {50, 40, 3}, {120, 3, 1}, {40, 1, 2000}, "transpose", 1, "units across"},
    {"P(2,1,0)", 3, 4, {7, 6, 5}, {120, 20, 4}, {4, 28, 168}, "transpose", 4, "transpose"},
    {"F to gaps of C", 2, 4, {50, 40}, {400, 8}, {4, 200}, "transpose", 4, "transpose"},
    {"every third", 1, 4, {2000}, {4}, {12}, "gather", 4, "units apart"},
    {"every third, a few", 1, 4, {250}, {4}, {12}, "gather", 4, "column"},
    {"a[::2, ::3]", 2, 4, {50, 200}, {800, 4}, {5000, 12}, "gather", 4, "units apart"},
    {"a[::2, ::3], short rows", 2, 4, {50, 30}, {120, 4}, {1000, 12}, "gather", 4, "column"},
    {"pairs with gaps, packed", 2, 4, {5000, 2}, {8, 4}, {16, 4}, "gather", 8, "units apart"},
    {"a few pairs, packed", 2, 4, {120, 2}, {8, 4}, {16, 4}, "gather", 8, "column"},
    {"a column", 1, 4, {1000}, {4}, {400}, "gather", 4, "column"},
    {"a column of 12-byte items", 2, 4, {1000, 3}, {12, 4}, {400, 4}, "gather", 12, "strided"},
    {"b[::2] = a", 1, 4, {2000}, {8}, {4}, "scatter", 4, "places apart"},
    {"b[::2] = a, a few", 1, 4, {100}, {8}, {4}, "scatter", 4, "strided"},
    {"b[::2] = a[::-1]", 1, 4, {100}, {8}, {-4}, "scatter", 4, "strided"},
    {"b[::2] = a[::3]", 1, 4, {100}, {8}, {12}, "strided", 4, "strided"},
};

Test(plan, class_and_form)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct svi_plan plan;
        const char *form;

        svi_plan_make(cases[i].ndim, cases[i].shape, cases[i].dst, cases[i].src, cases[i].itemsize, &plan);
        form = svi_form_of(&plan)->name;
        fprintf(stderr, "# %-28s %-10s item %-2d form %s\n", cases[i].name, svi_class_name(plan.kind), (int)plan.item, form);
        cr_expect_str_eq(svi_class_name(plan.kind), cases[i].class, "%s: class %s", cases[i].name,
                         svi_class_name(plan.kind));
        cr_expect_eq(plan.item, cases[i].item, "%s: item %d", cases[i].name, (int)plan.item);
        cr_expect_str_eq(form, cases[i].form, "%s: form %s", cases[i].name, form);
    }
}

/* Bytes of both sides: whole ones, runs in lines that are far apart, and steps that share lines. */
Test(plan, reach)
{
    static const struct {
        const char *name;
        struct test_pair pair;
        uint64_t reach;
    } rows[] = {
        {"dense", {1, 4, {1000}, {4}, {4}}, 8000},
        {"one element", {0, 8, {0}, {0}, {0}}, 16},
        {"columns far apart", {1, 4, {1000}, {4}, {4096}}, 4000 + 1000 * (4 + 64)},
        {"every second, of which all lines are read", {1, 4, {1000}, {4}, {8}}, 4000 + 999 * 8 + 4},
        {"rows far apart of every second", {2, 4, {1000, 17}, {68, 4}, {100000, 8}}, 68000 + 1000 * (16 * 8 + 4 + 64)},
        {"rows far apart, reversed", {2, 4, {1000, 17}, {68, 4}, {100000, -4}}, 68000 + 1000 * (16 * 4 + 4 + 64)},
        {"a transpose of rows far apart", {2, 4, {100, 1000}, {4000, 4}, {4, 100000}}, 400000 + 1000 * (400 + 64)},
        {"to rows far apart", {2, 4, {100, 1000}, {8000, 4}, {4, 400}}, 100 * (4000 + 64) + 400000},
        {"repeated", {2, 4, {100, 1000}, {4000, 4}, {4, 0}}, 400000 + 400},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct svi_plan plan;

        make(&rows[k].pair, &plan);
        cr_expect_eq(plan.reach, rows[k].reach, "%s: %llu", rows[k].name, (unsigned long long)plan.reach);
    }
}

Test(plan, as_many_axes_as_fit_int64)
{
    struct svi_plan plan;
    int64_t shape[SV_MAX_NDIM], dst[SV_MAX_NDIM], src[SV_MAX_NDIM];

    for (int32_t k = 0; k < SV_MAX_NDIM; k++) {
        shape[k] = k < 57 ? 2 : 1;
        dst[k] = k < 57 ? (int64_t)33 << k : 1;
        src[k] = k < 57 ? (int64_t)33 << (56 - k) : 1;
    }
    svi_plan_make(SV_MAX_NDIM, shape, dst, src, 33, &plan);
    cr_assert_eq(plan.ndim, 58);
    cr_assert_eq(plan.kind, SVI_CLASS_ROWS);
    cr_assert_eq(plan.nbytes, (int64_t)33 << 57);
}

Test(plan, names_of_classes)
{
    cr_assert_str_eq(svi_class_name(SVI_CLASS_ROWS), "rows");
    cr_assert_str_eq(svi_class_name(-1), "unknown");
    cr_assert_str_eq(svi_class_name(SVI_CLASS_COUNT), "unknown");
}
