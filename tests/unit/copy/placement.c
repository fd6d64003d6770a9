/* sv_copy_placement() without a device: what the host copies, what nobody does, and what is asked for. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/views.h"

enum { CPU = SV_DEVICE_CPU, PINNED = SV_DEVICE_CUDA_HOST, ROCM = SV_DEVICE_ROCM_HOST, ONEAPI = SV_DEVICE_ONEAPI };

static char to[64], from[64];

static sv_view *view_on(int32_t type, char *memory, sv_dtype dtype, const char *text, uint32_t flags)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_parse(text, &layout), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_view_new(layout, dtype, memory, 0, 64, type, 0, flags, NULL, NULL, &view), SV_OK, "%s",
                 sv_last_message());
    sv_layout_release(layout);
    return view;
}

static const struct {
    const char *name;
    int32_t dst, src;
    const char *dst_text, *src_text;
    bool shares;
    uint32_t flags;
    sv_status status;
    int32_t method;
} cases[] = {
    {"host", CPU, CPU, "(8,)*4", "(8,)*4", false, 0, SV_OK, SV_METHOD_DIRECT},
    {"blocking", CPU, PINNED, "(8,)*4", "(8,)*4", false, SV_COPY_BLOCKING, SV_OK, SV_METHOD_DIRECT},
    {"without a wait", PINNED, ROCM, "(8,)*4", "(8,)*4", false, SV_COPY_NO_WAIT, SV_OK, SV_METHOD_DIRECT},
    {"broadcast", CPU, CPU, "(3, 4)*4", "(4,)*4", false, 0, SV_OK, SV_METHOD_DIRECT},
    {"the same elements", CPU, CPU, "(8,)*4", "(8,)*4", true, 0, SV_OK, SV_METHOD_NOTHING},
    {"moved", CPU, CPU, "(8,)*4+4", "(8,)*4", true, SV_COPY_NO_TEMP, SV_OK, SV_METHOD_IN_PLACE},
    {"exchanged", CPU, CPU, "(4, 4)*4", "(4, 4):(1, 4)*4", true, 0, SV_OK, SV_METHOD_IN_PLACE},
    {"reversed", CPU, CPU, "(8,)*4", "(8,):(-1,)*4+28", true, 0, SV_OK, SV_METHOD_TEMPORARY},
    {"reversed, no temporary", CPU, CPU, "(8,)*4", "(8,):(-1,)*4+28", true, SV_COPY_NO_TEMP, SV_ERROR_OVERLAP, 0},
    {"no element", CPU, CPU, "(0, 3)*4", "(0, 3)*4", false, 0, SV_OK, SV_METHOD_NOTHING},
    {"no element of nobody's", ONEAPI, CPU, "(0,)*4", "(0,)*4", false, 0, SV_OK, SV_METHOD_NOTHING},
    {"nobody's", ONEAPI, CPU, "(8,)*4", "(8,)*4", false, 0, SV_ERROR_UNSUPPORTED, 0},
    {"from nobody's", CPU, ONEAPI, "(8,)*4", "(8,)*4", false, 0, SV_ERROR_UNSUPPORTED, 0},
    {"another shape", CPU, CPU, "(8,)*4", "(7,)*4", false, 0, SV_ERROR_LAYOUT, 0},
    {"elements that share bytes", CPU, CPU, "(8,):(0,)*4", "(8,)*4", false, 0, SV_ERROR_OVERLAP, 0},
    {"unknown flags", CPU, CPU, "(8,)*4", "(8,)*4", false, 1u << 20, SV_ERROR_INVALID, 0},
    {"two that exclude each other", CPU, CPU, "(8,)*4", "(8,)*4", false, SV_COPY_BLOCKING | SV_COPY_NO_WAIT,
     SV_ERROR_INVALID, 0},
};

Test(placement, of_the_host)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_view *dst = view_on(cases[i].dst, to, SV_FLOAT32, cases[i].dst_text, 0);
        sv_view *src = view_on(cases[i].src, cases[i].shares ? to : from, SV_FLOAT32, cases[i].src_text, 0);
        int32_t by = -1, type = -1, id = -1, waits = -1, done = -1, method = -1;
        const bool fine = cases[i].status == SV_OK;

        cr_expect_eq(sv_copy_placement(dst, src, cases[i].flags, 77, &by, &type, &id, &waits, &done, &method),
                     cases[i].status, "%s: %s", cases[i].name, sv_last_message());
        cr_expect_eq(method, fine ? cases[i].method : -1, "%s: %d", cases[i].name, (int)method);
        cr_expect(by == (fine ? CPU : -1) && type == by && id == (fine ? 0 : -1), "%s: %d %d %d", cases[i].name,
                  (int)by, (int)type, (int)id);
        cr_expect(waits == (fine ? SV_WAITS_NOTHING : -1) && done == (fine ? SV_DONE_ALL : -1), "%s", cases[i].name);
        if (fine)
            cr_expect_eq(sv_copy(dst, src, cases[i].flags, 77), SV_OK, "%s: %s", cases[i].name, sv_last_message());
        sv_view_release(dst);
        sv_view_release(src);
    }
}

Test(placement, of_views_that_cannot_be_copied)
{
    sv_view *dst = view_on(CPU, to, SV_FLOAT32, "(8,)*4", SV_READ_ONLY),
            *src = view_on(CPU, from, SV_INT32, "(8,)*4", 0);
    int32_t method = -1;

    cr_expect_eq(sv_copy_placement(dst, src, 0, 0, NULL, NULL, NULL, NULL, NULL, &method), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_copy_placement(src, dst, 0, 0, NULL, NULL, NULL, NULL, NULL, &method), SV_ERROR_DTYPE);
    cr_expect_eq(sv_copy_placement(src, dst, SV_COPY_CAST_UNSAFE, 0, NULL, NULL, NULL, NULL, NULL, &method), SV_OK);
    cr_expect_eq(method, SV_METHOD_DIRECT);
    sv_view_release(dst);
    sv_view_release(src);
}

/* By the kinds of memory alone, where nothing else is asked for: layouts that no copy takes are not looked at. */
Test(placement, of_kinds_of_memory)
{
    sv_view *dst = view_on(CPU, to, SV_FLOAT32, "(8,)*4", SV_READ_ONLY),
            *src = view_on(ROCM, from, SV_INT8, "(3,)*1", 0), *nobodys = view_on(ONEAPI, from, SV_INT8, "(3,)*1", 0),
            *nothing = view_on(ONEAPI, from, SV_INT8, "(0,)*1", 0);
    int32_t by = -1, type = -1, id = -1;

    cr_expect_eq(sv_copy_placement(dst, src, 0, 77, &by, &type, &id, NULL, NULL, NULL), SV_OK);
    cr_expect(by == CPU && type == CPU && id == 0);
    cr_expect_eq(sv_copy_placement(dst, nobodys, 0, 0, &by, NULL, NULL, NULL, NULL, NULL), SV_ERROR_UNSUPPORTED);
    cr_expect(strstr(sv_last_message(), "oneAPI") != NULL, "%s", sv_last_message());
    cr_expect_eq(sv_copy_placement(nothing, src, 0, 0, &by, NULL, NULL, NULL, NULL, NULL), SV_OK);
    cr_expect_eq(by, CPU);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(nobodys);
    sv_view_release(nothing);
}

/* --- as explained ---------------------------------------------------------------------------------------- */

static sv_status run_tasks(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
    return SV_OK;
}

static void expect_explained(const sv_plan *plan, const void *dst, const void *src, const char *line)
{
    char text[16384];

    cr_assert_eq(sv_plan_explain(plan, dst, src, sizeof text, text, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_not_null(strstr(text, line), "%s\nis not in\n%s", line, text);
}

Test(placement, explained)
{
    static const struct {
        const char *dst, *src;
        bool shares;
        uint32_t flags;
        const char *line;
    } rows[] = {
        {"(8,)*4", "(8,)*4", false, 0,
         "\nplacement host: by the host, directly; waits for nothing; done on return: all\n"},
        {"(8,)*4", "(8,):(-1,)*4+28", true, 0, ": by the host, by a temporary of 32 bytes; waits for nothing; "},
        {"(8,)*4", "(8,):(-1,)*4+28", true, SV_COPY_NO_TEMP, "of 32 bytes, which SV_COPY_NO_TEMP refuses; waits for "},
        {"(8,)*4", "(8,):(-1,)*4+28", false, SV_COPY_NO_TEMP, ": by the host, directly; "},
        {"(8,)*4+4", "(8,)*4", true, 0, ": by the host, in place; "},
        {"(8,)*4", "(8,)*4", true, 0, ": by the host, without moving a byte; "},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_view *dst = view_on(CPU, to, SV_FLOAT32, rows[i].dst, 0);
        sv_view *src = view_on(CPU, rows[i].shares ? to : from, SV_FLOAT32, rows[i].src, 0);
        sv_plan *plan = NULL;

        cr_assert_eq(sv_plan_new(dst, src, rows[i].flags, &plan), SV_OK, "%s", sv_last_message());
        expect_explained(plan, sv_view_data(dst), sv_view_data(src), rows[i].line);
        expect_explained(plan, NULL, NULL, ": by the host, directly; waits for nothing; done on return: all\n");
        sv_plan_release(plan);
        sv_view_release(dst);
        sv_view_release(src);
    }
}

Test(placement, explained_with_threads)
{
    static char big[2][3 << 20];
    const int64_t shape[2] = {1024, 2048}, strides[2] = {2048, 1};
    sv_view *dst = test_view(big[0], 2, shape, strides, 1, 0), *src = test_view(big[1], 2, shape, strides, 1, 0);
    sv_plan *plan = NULL, *shared = NULL;

    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_plan_with_threads(plan, 3, run_tasks, NULL, &shared), SV_OK, "%s", sv_last_message());
    expect_explained(shared, big[0], big[1], ": by the host, by tasks on the caller's threads, ");
    expect_explained(shared, big[0] + 1, big[0], ": by the host, in place; ");
    sv_plan_release(shared);
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
}
