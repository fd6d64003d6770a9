/* What copies with devices give to streams, over the fake runtime: in how many operations, without waiting, and in
 * captures. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/routes.h"

/* Calls of the copy engine: of planes one, of planes at odd distances one for each row of a plane. */
Test(cuda_launches, planes_are_one_call)
{
    static const struct {
        const char *layout, *log;
    } cases[] = {
        {"long rows", "0:copy_rows 30x700 s1; "},
        {"planes", "0:copy_planes 4x30x520 s1; "},
        {"many planes", "0:copy_planes 70x2x520 s1; "},
        {"planes between rows", "0:copy_rows 70x520 s1; 0:copy_rows 70x520 s1; "},
    };
    char *to, *from;

    begin_chunks(FAKE_EAGER, 1);
    to = allocate(first);
    from = allocate(pinned);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        struct svi_plan plan;
        struct svi_request request;

        make_plan(l, &plan);
        request = request_of(l, &plan, first, to, pinned, from, 0);
        fake_reset();
        cr_assert_eq(svi_cuda.copy(&request), SV_OK, "%s", sv_last_message());
        cr_expect_str_eq(fake_log(), cases[i].log, "%s", fake_log());
    }
    release(first, to);
    release(pinned, from);
    cr_assert_str_eq(end(), "");
}

/* Within a device, two at most. */
Test(cuda_launches, launches_are_those_that_are_told)
{
    const struct svi_device pairs[][2] = {{first, first},   {managed, first}, {first, cpu},    {cpu, first},
                                          {first, pinned},  {pinned, first},  {first, second}, {managed, managed}};

    begin_chunks(FAKE_EAGER, 1);
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
        for (size_t i = 0; i < LAYOUTS; i++) {
            const struct svi_device dst = pairs[pair][0], src = pairs[pair][1];
            struct svi_plan plan;
            int64_t told;

            make_plan(&layouts[i], &plan);
            fake_reset();
            told = svi_cuda.launches(&plan, dst, src, 0);
            cr_expect_eq(fake_calls(), 0, "%s: counting calls the runtime", layouts[i].name);
            expect_copied(&layouts[i], dst, src, 0);
            cr_expect_eq(given_to_streams(), 2 * told, "%s, %s: %d of %d", layouts[i].name,
                         svi_cuda.kernel(&plan, dst, src), given_to_streams(), 2 * (int)told);
            cr_expect(told <= 2 || src.id != dst.id || svi_device_has(dst.type, SV_TRAIT_HOST) ||
                      svi_device_has(src.type, SV_TRAIT_HOST));
        }
    cr_assert_str_eq(end(), "");
}

/* Though a copy from a device, and one of more chunks than slots, would be refused. */
Test(cuda_launches, copies_that_may_not_wait_are_counted)
{
    const struct svi_device pairs[][2] = {{first, cpu}, {cpu, first}};
    int counted = 0;

    begin_chunks(FAKE_EAGER, 1);
    for (size_t pair = 0; pair < 2; pair++)
        for (size_t i = 0; i < LAYOUTS; i++) {
            const struct svi_device dst = pairs[pair][0], src = pairs[pair][1];
            struct svi_plan plan;

            make_plan(&layouts[i], &plan);
            if (strcmp(svi_cuda.kernel(&plan, dst, src), "ringed") != 0)
                continue;
            counted++;
            cr_expect_eq(svi_cuda.launches(&plan, dst, src, SV_COPY_NO_WAIT), svi_cuda.launches(&plan, dst, src, 0),
                         "%s", layouts[i].name);
        }
    cr_expect_gt(counted, LAYOUTS);
    cr_assert_str_eq(end(), "");
}

/* What a planned copy asks the runtime besides: the thread's device, and whether the stream is captured. */
Test(cuda_launches, planned_copies_within_a_device_take_three_calls)
{
    begin_chunks(FAKE_LAZY, 1);
    for (size_t i = 0; i < LAYOUTS; i++) {
        char *to = allocate(first), *from = allocate(first);
        struct svi_request request;
        struct svi_plan plan;

        make_plan(&layouts[i], &plan);
        request = request_of(&layouts[i], &plan, first, to, first, from, 0);
        cr_assert_eq(svi_cuda.copy(&request), SV_OK); /* the kernel is loaded */
        fake_reset();
        cr_assert_eq(svi_cuda.copy(&request), SV_OK);
        cr_expect_eq(fake_calls(), 3, "%s: %d", layouts[i].name, fake_calls());
        release(first, to);
        release(first, from);
    }
    cr_assert_str_eq(end(), "");
}

/* --- without waiting ------------------------------------------------------------------------------- */

/* What cannot be done at once is refused, and nothing is enqueued. */
Test(cuda_launches, no_wait)
{
    static const struct {
        const char *layout;
        struct svi_device dst, src;
        sv_status status;
    } cases[] = {
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, SV_OK},
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, SV_OK},
        {"small transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, SV_OK},
        {"dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, SV_ERROR_BLOCKED}, /* more than the ring has */
        {"small transpose", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, SV_ERROR_BLOCKED},
        {"one item", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, SV_ERROR_BLOCKED},
        {"gaps on both sides", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, SV_OK},
        {"gaps on both sides", {SV_DEVICE_CUDA, 1}, {SV_DEVICE_CUDA, 0}, SV_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        char *to, *from;
        struct svi_plan plan;
        struct svi_request request;

        begin_chunks(FAKE_LAZY, 1);
        to = allocate(cases[i].dst);
        from = allocate(cases[i].src);
        make_plan(l, &plan);
        request = request_of(l, &plan, cases[i].dst, to, cases[i].src, from, SV_COPY_NO_WAIT);
        cr_expect_eq(svi_cuda.copy(&request), cases[i].status, "%s: %s", cases[i].layout, sv_last_message());
        cr_expect_eq(fake_unfinished() > 0, cases[i].status == SV_OK, "%s", cases[i].layout);
        release(cases[i].dst, to);
        release(cases[i].src, from);
        cr_assert_str_eq(end(), "");
    }
}

/* --- captures ---------------------------------------------------------------------------------------- */

Test(cuda_launches, what_needs_no_wait_is_captured)
{
    static const struct {
        const char *layout;
        struct svi_device dst, src;
        const char *graph; /* NULL: SV_ERROR_STATE */
    } cases[] = {
        {"large transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "a kernel; "},
        {"long rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "a copy; "},
        {"short rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "a kernel; "},
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, NULL},
        {"dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, NULL},
        {"transpose", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        struct fake_graph *graph = NULL;
        char *to, *from;
        struct svi_plan plan;
        struct svi_request request;

        begin_chunks(FAKE_LAZY, 1);
        to = allocate(cases[i].dst);
        from = allocate(cases[i].src);
        make_plan(l, &plan);
        request = request_of(l, &plan, cases[i].dst, to, cases[i].src, from, 0);
        cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_expect_eq(svi_cuda.copy(&request), cases[i].graph == NULL ? SV_ERROR_STATE : SV_OK, "%s: %s",
                     cases[i].layout, sv_last_message());
        cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess, "%s", cases[i].layout);
        cr_expect_str_eq(fake_graph_text(graph), cases[i].graph == NULL ? "" : cases[i].graph);
        fake_end_graph(graph);
        release(cases[i].dst, to);
        release(cases[i].src, from);
        cr_assert_str_eq(end(), "");
    }
}

/* By rows: a stream of the far device would have to be captured, too. */
Test(cuda_launches, packed_copies_are_captured_row_by_row)
{
    const struct layouts *l = layout_called("gaps on both sides");
    struct fake_graph *graph = NULL;
    char *to, *from;
    struct svi_plan plan;
    struct svi_request request;
    const char *text;

    begin_chunks(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(second);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    make_plan(l, &plan);
    request = request_of(l, &plan, first, to, second, from, 0);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(svi_cuda.copy(&request), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    for (text = fake_graph_text(graph); strncmp(text, "a copy; ", 8) == 0; text += 8)
        ;
    cr_expect_str_eq(text, "");
    fake_launch_graph(graph, stream);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);
    fake_end_graph(graph);
    release(first, to);
    release(second, from);
    cr_assert_str_eq(end(), "");
}
