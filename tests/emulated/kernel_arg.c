/*
 * A user's own kernel on views of many layouts: what sv_view_kernel_arg() writes is what sv_kernel.hpp reads. Every
 * access is within the view's memory, and each element is written once.
 */
#include <string.h>

#include "emulator.h"
#include "saxpy.h"
#include "sv.h"
#include "tap.h"

emulated_kernel run_saxpy;

enum { CELLS = 4096, MIDDLE = CELLS / 2, ORDERS = 4 };

struct side {
    int64_t strides[2]; /* elements */
};

static const struct {
    const char *name;
    int64_t shape[2];
    struct side y, x;
    unsigned grid, threads;
} cases[] = {
    {"dense", {7, 9}, {{9, 1}}, {{9, 1}}, 1, 64},
    {"fewer threads than elements", {17, 19}, {{19, 1}}, {{19, 1}}, 2, 32},
    {"more blocks than elements", {2, 3}, {{3, 1}}, {{3, 1}}, 5, 32},
    {"x transposed", {12, 20}, {{20, 1}}, {{1, 12}}, 3, 64},
    {"y transposed", {12, 20}, {{1, 12}}, {{20, 1}}, 3, 64},
    {"x backwards", {11, 13}, {{13, 1}}, {{-13, -1}}, 2, 64},
    {"y backwards along one axis", {11, 13}, {{13, -1}}, {{13, 1}}, 2, 64},
    {"both backwards, one transposed", {11, 13}, {{-1, -11}}, {{-13, -1}}, 2, 64},
    {"x broadcast along rows", {8, 16}, {{16, 1}}, {{0, 1}}, 2, 64},
    {"x broadcast along columns", {8, 16}, {{16, 1}}, {{1, 0}}, 2, 64},
    {"x one element", {8, 16}, {{16, 1}}, {{0, 0}}, 2, 64},
    {"rows with gaps, every third element", {6, 10}, {{40, 2}}, {{33, 3}}, 1, 64},
    {"one row", {1, 50}, {{50, 1}}, {{7, -1}}, 1, 64},
    {"no element", {0, 5}, {{5, 1}}, {{5, 1}}, 1, 32},
};

static float y[CELLS], x[CELLS], expected[CELLS];

/* A view of memory whose element [0, 0] is the one in the middle. */
static sv_view *view_of(float *memory, const int64_t *shape, const struct side *side)
{
    const int64_t bytes[2] = {4 * side->strides[0], 4 * side->strides[1]};
    sv_view *view = NULL;

    if (sv_view_from_host(SV_FLOAT32, 2, shape, bytes, memory + MIDDLE, 0, &view) != SV_OK)
        tap_note("%s", sv_last_message());
    return view;
}

/* The bytes from the first to the last element of a view, and of no other memory. */
static struct emulated_region region_of(const sv_view *view, bool writable, uint8_t *writes)
{
    int64_t lower = 0, upper = 0;

    sv_layout_byte_bounds(sv_view_layout(view), &lower, &upper);
    return (struct emulated_region){(char *)sv_view_data(view) + lower, (size_t)(upper - lower), writable, writes};
}

static void fill(const int64_t *shape, const struct side *to, const struct side *from, float a)
{
    for (int i = 0; i < CELLS; i++) {
        y[i] = expected[i] = (float)i;
        x[i] = (float)(7 * i % 1000);
    }
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++)
            expected[MIDDLE + i * to->strides[0] + j * to->strides[1]] +=
                a * x[MIDDLE + i * from->strides[0] + j * from->strides[1]];
}

static bool is_right(size_t number, unsigned order)
{
    static uint8_t writes[sizeof y];
    const uint32_t flags = SV_KERNEL_HOST; /* the kernel runs on the host */
    struct saxpy_arguments arguments = {.a = 2};
    sv_view *to = view_of(y, cases[number].shape, &cases[number].y);
    sv_view *from = view_of(x, cases[number].shape, &cases[number].x);
    struct emulated_region regions[2];
    struct emulated_launch launch = {
        .kernel = run_saxpy,
        .block = &arguments,
        .block_nbytes = sizeof arguments,
        .grid = cases[number].grid,
        .threads = cases[number].threads,
        .order = order,
        .nregions = 2,
        .regions = regions,
    };
    bool ok = false;

    memset(writes, 0, sizeof writes);
    fill(cases[number].shape, &cases[number].y, &cases[number].x, arguments.a);
    if (to != NULL && from != NULL) {
        regions[0] = region_of(to, true, writes);
        regions[1] = region_of(from, false, NULL);
        ok = sv_view_kernel_arg(to, 2, 4, flags | SV_KERNEL_WRITES, sizeof arguments.y, &arguments.y) == SV_OK &&
             sv_view_kernel_arg(from, 2, 4, flags, sizeof arguments.x, &arguments.x) == SV_OK &&
             emulated_run(&launch, NULL) == EMULATED_NOTHING && memcmp(y, expected, sizeof y) == 0;
    }
    sv_view_release(from);
    sv_view_release(to);
    return ok;
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool ok = true;

        for (unsigned order = 0; order < ORDERS; order++)
            ok &= is_right(i, order);
        if (!tap_ok(ok, "saxpy, %s", cases[i].name))
            tap_note("%s", emulated_text());
    }
    return tap_done();
}
