/* Memory that copies with devices need on their way, over the fake runtime: libsv's own, and the caller's. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/routes.h"

/* A default pool would give its memory back whenever something waits for a stream. */
Test(cuda_scratch, scratch_memory_is_kept_until_it_is_collected)
{
    const struct layouts *l = layout_called("large transpose");

    begin_chunks(FAKE_EAGER, 1);
    for (int round = 0; round < 3; round++)
        expect_copied(l, first, pinned, SV_COPY_BLOCKING);
    cr_expect_eq(fake_count(FAKE_CALL(new_pool)), 1);
    cr_expect_eq(fake_count(FAKE_CALL(end_pool)), 0);
    cr_assert_eq(sv_memory_collect(0, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(end_pool)), 1);
    expect_copied(l, first, pinned, SV_COPY_BLOCKING);
    cr_expect_eq(fake_count(FAKE_CALL(new_pool)), 2);
    cr_assert_str_eq(end(), "");
}

static sv_view *view_of(const struct layouts *l, struct svi_device device, char *base, bool source)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(l->ndim, l->shape, source ? l->src : l->dst, l->itemsize, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_FLOAT32, base, 0, ROOM, device.type, device.id, 0, NULL, NULL, &view), SV_OK,
                 "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static int64_t stat_of(const sv_allocator *allocator, int32_t stat)
{
    int64_t value = -1;

    cr_assert_eq(sv_allocator_stats(allocator, stat, &value), SV_OK);
    return value;
}

/* Allocated once for each copy, and given back; of the right device alone. */
Test(cuda_scratch, scratch_memory_of_the_caller)
{
    const struct layouts *l = layout_called("large transpose");
    sv_allocator *memory = NULL, *tracked = NULL, *other = NULL, *of_host = NULL;
    char *to, *from;
    sv_view *dst, *src;
    sv_plan *plan = NULL, *with = NULL;
    int64_t left = -1;

    begin_chunks(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(cpu);
    expect_all(l);
    fake_write(to, before, ROOM);
    memcpy(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, cpu, from, true);
    cr_assert_eq(sv_allocator_device(0, &memory), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_tracked(memory, NULL, 0, &tracked), SV_OK);
    cr_assert_eq(sv_allocator_device(1, &other), SV_OK);
    cr_assert_eq(sv_allocator_host(0, &of_host), SV_OK);

    cr_expect_eq(sv_copy_with(dst, src, other, 0, (uintptr_t)stream), SV_ERROR_DEVICE, "%s", sv_last_message());
    cr_expect_eq(sv_copy_with(dst, src, of_host, 0, (uintptr_t)stream), SV_ERROR_INVALID, "%s", sv_last_message());
    cr_assert_eq(sv_copy_with(dst, src, tracked, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
    cr_expect_eq(sv_plan_with_allocator(plan, of_host, &with), SV_ERROR_INVALID);
    cr_assert_eq(sv_plan_with_allocator(plan, tracked, &with), SV_OK);
    cr_assert_eq(sv_plan_execute_views(with, dst, src, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_count(FAKE_CALL(allocate_from_pool)), 0);
    cr_expect_eq(stat_of(tracked, SV_STAT_TOTAL_COUNT), 2);
    cr_expect_leq(stat_of(tracked, SV_STAT_PEAK_BYTES), 2 * (CHUNK + 512));
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);

    sv_plan_release(with);
    sv_plan_release(plan);
    sv_view_release(src);
    sv_view_release(dst);
    cr_assert_eq(sv_memory_collect(SV_COLLECT_WAIT, &left), SV_OK, "%s", sv_last_message());
    cr_expect_eq(left, 0);
    cr_expect_eq(stat_of(tracked, SV_STAT_LIVE_BYTES), 0);
    sv_allocator_release(of_host);
    sv_allocator_release(other);
    sv_allocator_release(tracked);
    sv_allocator_release(memory);
    release(cpu, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}

/* A plan with a device is executed once and stays what it was; its copy waits, so it is not recorded in a graph. */
Test(cuda_scratch, plans_are_not_measured)
{
    const struct layouts *l = layout_called("gaps on both sides");
    char *to, *from;
    sv_view *dst, *src;
    sv_plan *plan = NULL, *measured = NULL;
    char text[16384];

    begin_chunks(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(first);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, first, from, true);
    cr_assert_eq(sv_plan_new(dst, src, SV_COPY_NO_WAIT, &plan), SV_OK);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(sv_plan_measure(plan, dst, src, 0, (uintptr_t)stream, &measured), SV_ERROR_STATE, "%s",
                 sv_last_message());
    cr_expect_eq(fake_end_capture(stream, NULL), cudaSuccess);
    cr_expect_null(measured);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, before, ROOM), 0);

    fake_reset();
    cr_assert_eq(sv_plan_measure(plan, dst, src, 0, (uintptr_t)stream, &measured), SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(launch)), 1);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);
    cr_expect_str_eq(sv_plan_kernel(measured), sv_plan_kernel(plan));
    cr_assert_eq(sv_plan_explain(measured, NULL, NULL, sizeof text, text, NULL), SV_OK);
    cr_expect_null(strstr(text, "measured"));

    sv_plan_release(measured);
    sv_plan_release(plan);
    sv_view_release(src);
    sv_view_release(dst);
    release(first, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}

/* The caller's is that of the stream's device; where a pool has none, rows are copied. */
Test(cuda_scratch, scratch_memory_between_devices)
{
    const struct layouts *l = layout_called("gaps on both sides");
    sv_allocator *memory[2], *tracked = NULL;
    char *to, *from;
    sv_view *dst, *src;

    begin_chunks(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(second);
    expect_all(l);
    fake_write(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, second, from, true);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(sv_allocator_device(i, &memory[i]), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_tracked(memory[0], NULL, 0, &tracked), SV_OK);
    cr_expect_eq(sv_copy_with(dst, src, memory[1], 0, (uintptr_t)stream), SV_ERROR_DEVICE, "%s", sv_last_message());
    for (int failing = 0; failing < 4; failing++) { /* none, the far device's, the near one's, and then the caller's */
        fake_write(to, before, ROOM);
        fake_reset();
        if (failing == 1 || failing == 2)
            fake_fail_call(FAKE_CALL(allocate_from_pool), failing, cudaErrorMemoryAllocation);
        cr_assert_eq(sv_copy_with(dst, src, failing == 3 ? tracked : NULL, 0, (uintptr_t)stream), SV_OK, "%s",
                     sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(allocate_from_pool)), failing == 1 || failing == 3 ? 1 : 2);
        cr_expect_eq(fake_count(FAKE_CALL(new_stream)), failing == 1 || failing == 2 ? 0 : 1);
        fake_read(arrived, to, ROOM);
        cr_expect_eq(memcmp(arrived, expected, ROOM), 0, "%d", failing);
    }
    cr_expect_eq(stat_of(tracked, SV_STAT_TOTAL_COUNT), 1);
    sv_view_release(src);
    sv_view_release(dst);
    cr_assert_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    sv_allocator_release(tracked);
    for (int i = 0; i < 2; i++)
        sv_allocator_release(memory[i]);
    release(second, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}
