/* What is told of the loops: each that is tried before the one that copies, and why it refuses, on one machine. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/compound/two_pass.h"
#include "host/dispatch/dispatch.h"
#include "host/front/compound.h"
#include "host/isa/baseline.h"
#include "host/loop/loop.h"

/* As on any processor. */
static const struct svi_machine machine = {
    .isa = &svi_isa_plain, .cache = 32 << 20, .l2_bytes = 1 << 20, .tuning = &svi_tuning_other};

static char dst[16384], src[16384];

static const char *explain(const struct svi_plan *plan)
{
    static struct svi_text text;

    text.length = 0;
    svi_host_explain(&machine, plan, dst, src, NULL, &text);
    return text.text;
}

static struct svi_plan transpose_of(int64_t itemsize, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns}, to[] = {columns * itemsize, itemsize}, from[] = {itemsize, rows * itemsize};
    struct svi_plan plan;

    svi_plan_make(2, shape, to, from, itemsize, &plan);
    return plan;
}

/* Moves to the end of the line that tells of this loop. */
static void expect_line(const char *mark, const struct svi_loop *loop, const char **at)
{
    char begin[80];

    snprintf(begin, sizeof begin, "\n%s%-23s ", mark, loop->name);
    cr_assert(strncmp(*at, begin, strlen(begin)) == 0, "not %s:%s", begin + 1, *at);
    *at = strchr(*at + 1, '\n');
}

/* Whether the loop that copies is one of these, before which all of them are tried. */
static bool expect_lines(const struct svi_loop *const *loops, const struct svi_loop *chosen, const char **at, int *tried)
{
    for (; *loops != NULL && *loops != chosen; loops++, ++*tried)
        expect_line("   ", *loops, at);
    if (*loops == NULL)
        return false;
    expect_line("-> ", chosen, at);
    return true;
}

static void expect_explained(const struct svi_plan *plan, int *tried)
{
    struct svi_host_copy copy = svi_host_copy_of(&machine, plan, dst, src, &svi_loop_two_pass, true);
    const struct svi_loop *chosen = svi_host_loop(&machine, plan, dst, src);
    const struct svi_form *form = svi_form_of(plan);
    const char *at = strstr(explain(plan), " tried:\n");

    cr_assert_not_null(at);
    at = strchr(at, '\n');
    if (expect_lines(svi_front_of(plan), chosen, &at, tried))
        return;
    while (form != NULL && !(svi_enter_form(form, &copy) && expect_lines(form->loops, chosen, &at, tried)))
        form = form->rest;
    cr_expect_not_null(form);
}

Test(host_explain, each_loop_that_is_tried_has_a_line)
{
    static const int64_t sides[][3] = {{4, 64, 64}, {4, 40, 50}, {1, 50, 60}, {2, 8, 700}, {8, 30, 40}, {3, 33, 44}};
    int tried = 0;

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct svi_plan plan = transpose_of(sides[i][0], sides[i][1], sides[i][2]);

        expect_explained(&plan, &tried);
    }
    cr_expect_gt(tried, 20, "%d", tried);
}

/* In words, with numbers, and by what the loop is for. */
Test(host_explain, refusals)
{
    const struct svi_plan plan = transpose_of(4, 64, 64);
    static const char *const lines[] = {
        "\n   register_tiles          is for small transposes of whole tiles, turned in registers\n",
        "\n   two_pass                no: it is small, or one pass is as fast\n",
        "\n   plane_list              no: items of a plane: 4096, more than 0\n",
        "\n-> element_tiles           tiles moved element by element\n",
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(explain(&plan), lines[i]), "no%sin:\n%s", lines[i], explain(&plan));
}
