/* What is no plan is refused, with the rule that it breaks: each rule by a plan that breaks it alone, if that can be. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "plan/part.h"

/* One row of a table, and what is wrong with it. */
enum { MOST_CHANGES = 4 };

struct change {
    size_t offset, nbytes;
    int64_t value;
};

#define SET(field, value) {offsetof(struct svi_plan, field), sizeof((struct svi_plan *)0)->field, value}

static const struct svi_plan gather = {.kind = SVI_CLASS_GATHER,
                                       .ndim = 2,
                                       .src_axis = 1,
                                       .item = 4,
                                       .src_item = 4,
                                       .nbytes = 192,
                                       .shape = {6, 8},
                                       .dst = {32, 4},
                                       .src = {200, 8}};
static const struct svi_plan transpose = {.kind = SVI_CLASS_TRANSPOSE,
                                          .ndim = 2,
                                          .src_axis = 0,
                                          .item = 4,
                                          .src_item = 4,
                                          .nbytes = 192,
                                          .shape = {6, 8},
                                          .dst = {32, 4},
                                          .src = {4, 24}};
static const struct svi_plan steps = {.kind = SVI_CLASS_GATHER,
                                      .ndim = 1,
                                      .src_axis = 0,
                                      .item = 4,
                                      .src_item = 4,
                                      .nbytes = 8,
                                      .shape = {2},
                                      .dst = {4},
                                      .src = {8}};
static const struct svi_plan cast = {.kind = SVI_CLASS_CAST,
                                     .ndim = 1,
                                     .src_axis = 0,
                                     .chain = {1, {{SVI_OP_F32_FROM_I8, 1, 4, 1}}},
                                     .item = 4,
                                     .src_item = 1,
                                     .nbytes = 32,
                                     .shape = {8},
                                     .dst = {4},
                                     .src = {1}};
static const struct svi_plan empty = {.kind = SVI_CLASS_EMPTY, .src_axis = -1, .item = 1, .src_item = 1};
static const struct svi_plan single = {.kind = SVI_CLASS_CONTIGUOUS, .src_axis = -1, .item = 8, .src_item = 8, .nbytes = 8};

#define CLASS "it has a class"
#define EMPTY "an empty plan has no axis"
#define ITEMS "items are as large"
#define AXES "extents are 1 or more"
#define BYTES "nbytes is"
#define SOURCE "the axis of the source is an axis"
#define SHORT "items have 16 bytes"
#define LONG "no axis has one index"
#define FASTEST "the axis of the source is its fastest"
#define SORTED "axes are in the order"
#define MERGED "no two axes are one run"
#define WIDENED "a short run"
#define CLASSIFIED "the class is the first"

static const struct {
    const char *rule; /* how it begins */
    bool of_parts;
    const struct svi_plan *plan;
    struct change changes[MOST_CHANGES];
} rows[] = {
    {CLASS, true, &gather, {SET(kind, -1)}},
    {CLASS, true, &gather, {SET(kind, SVI_CLASS_COUNT)}},
    {CLASS, true, &gather, {SET(ndim, -1)}},
    {CLASS, true, &gather, {SET(ndim, SVI_PLAN_NDIM + 1)}},
    {EMPTY, true, &empty, {SET(ndim, 1), SET(shape[0], 2)}},
    {EMPTY, true, &empty, {SET(nbytes, 1)}},
    {EMPTY, true, &empty, {SET(item, 4), SET(src_item, 4)}},
    {EMPTY, true, &empty, {SET(src_item, 0)}},
    {EMPTY, true, &empty, {SET(src_axis, 0)}},
    {ITEMS, true, &gather, {SET(src_item, 2)}},
    {ITEMS, true, &gather, {SET(item, 0), SET(src_item, 0), SET(nbytes, 0)}},
    {ITEMS, true, &gather, {SET(chain.count, 1)}},
    {ITEMS, true, &cast, {SET(chain.count, 0)}},
    {ITEMS, true, &cast, {SET(src_item, 2)}},
    {ITEMS, true, &cast, {SET(item, 8), SET(nbytes, 64)}},
    {AXES, true, &gather, {SET(shape[0], 0), SET(nbytes, 0)}},
    {AXES, true, &gather, {SET(shape[1], -8), SET(nbytes, -192)}},
    {AXES, true, &gather, {SET(dst[0], -32)}},
    {BYTES, true, &gather, {SET(nbytes, 191)}},
    {BYTES, true, &gather, {SET(shape[0], 7)}},
    {BYTES, true, &gather, {SET(shape[0], INT64_MAX)}},
    {BYTES, true, &single, {SET(nbytes, 0)}},
    {SOURCE, true, &gather, {SET(src_axis, 2)}},
    {SOURCE, true, &gather, {SET(src_axis, -2)}},
    {SOURCE, true, &gather, {SET(src[1], 0)}},
    {SOURCE, true, &single, {SET(src_axis, 0)}},
    {SHORT, false, &single, {SET(item, 24), SET(src_item, 24), SET(nbytes, 24)}},
    {LONG, false, &gather, {SET(shape[0], 1), SET(nbytes, 32)}},
    {FASTEST, false, &gather, {SET(src_axis, 0)}},
    {FASTEST, false, &gather, {SET(src_axis, -1)}},
    {FASTEST, false, &transpose, {SET(src[1], -4)}}, /* the last of two that are as fast */
    {SORTED, false, &gather, {SET(dst[0], 3)}},
    {SORTED, false, &transpose, {SET(dst[0], 4)}},
    {MERGED, false, &gather, {SET(src[0], 64)}},
    {MERGED, false, &transpose, {SET(dst[0], 32), SET(src[0], 0), SET(src[1], 0), SET(src_axis, -1)}},
    {WIDENED, false, &gather, {SET(src[1], 4), SET(shape[1], 4), SET(nbytes, 96)}},
    {WIDENED, false, &steps, {SET(src[0], 4)}},
    {CLASSIFIED, false, &gather, {SET(kind, SVI_CLASS_STRIDED)}},
    {CLASSIFIED, false, &transpose, {SET(kind, SVI_CLASS_GATHER)}},
    {CLASSIFIED, false, &gather, {SET(src[1], 4)}}, /* rows */
};

enum { ROWS = sizeof rows / sizeof *rows };

static void apply(struct svi_plan *plan, const struct change *change)
{
    const int32_t narrow = (int32_t)change->value;

    if (change->nbytes == sizeof narrow)
        memcpy((char *)plan + change->offset, &narrow, sizeof narrow);
    else
        memcpy((char *)plan + change->offset, &change->value, change->nbytes);
}

static bool begins_with(const char *text, const char *beginning)
{
    return text != NULL && strncmp(text, beginning, strlen(beginning)) == 0;
}

Test(rules, plans_keep_them)
{
    const struct svi_plan *const plans[] = {&gather, &transpose, &steps, &cast, &empty, &single};

    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        cr_expect_null(svi_plan_fault(plans[i]), "plan %d: %s", (int)i, svi_plan_fault(plans[i]));
        cr_expect_null(svi_part_fault(plans[i]), "part %d: %s", (int)i, svi_part_fault(plans[i]));
    }
}

Test(rules, broken_ones_are_told)
{
    for (int i = 0; i < ROWS; i++) {
        struct svi_plan plan = *rows[i].plan;
        const char *fault;

        for (int k = 0; k < MOST_CHANGES && rows[i].changes[k].nbytes > 0; k++)
            apply(&plan, &rows[i].changes[k]);
        fault = svi_plan_fault(&plan);
        cr_expect(begins_with(fault, rows[i].rule), "row %d: %s, not %s", i, fault != NULL ? fault : "right",
                  rows[i].rule);
        fault = svi_part_fault(&plan);
        cr_expect(rows[i].of_parts ? begins_with(fault, rows[i].rule) : fault == NULL, "row %d, as a part: %s", i,
                  fault != NULL ? fault : "right");
    }
}
