/* Calls of the fault suite: copies, fills and plans. */
#include <string.h>

#include "fault.h"
#include "support/tasks.h"

static sv_status copy(struct fault_outputs *o)
{
    (void)o;
    return sv_copy(given.target, given.source, 0, 0);
}

static sv_status fill(struct fault_outputs *o)
{
    (void)o;
    return sv_fill(given.target, "abcd", 4, 0, 0);
}

static sv_status copy_swapping(struct fault_outputs *o)
{
    (void)o;
    return sv_copy(given.target, given.source, SV_COPY_SWAP, 0);
}

static sv_status copy_swapping_overlapping(struct fault_outputs *o)
{
    (void)o;
    return sv_copy(given.target, given.reversed, SV_COPY_SWAP, 0);
}

static sv_status copy_overlapping(struct fault_outputs *o)
{
    (void)o;
    return sv_copy(given.target, given.reversed, 0, 0);
}

static sv_status plan_new(struct fault_outputs *o)
{
    return sv_plan_new(given.target, given.source, 0, &o->plan);
}

static sv_status plan_retain_release(struct fault_outputs *o)
{
    (void)o;
    sv_plan_release(sv_plan_retain(given.moving));
    return SV_OK;
}

static sv_status plan_execute(struct fault_outputs *o)
{
    (void)o;
    return sv_plan_execute(given.moving, sv_view_data(given.target), sv_view_data(given.source), 0);
}

static sv_status plan_execute_views(struct fault_outputs *o)
{
    (void)o;
    return sv_plan_execute_views(given.moving, given.target, given.source, 0);
}

static sv_status plan_class(struct fault_outputs *o)
{
    (void)o;
    return fault_right(strcmp(sv_plan_class(given.moving), "contiguous") == 0);
}

static sv_status plan_kernel(struct fault_outputs *o)
{
    (void)o;
    return fault_right(strcmp(sv_plan_kernel(given.moving), "contiguous") == 0);
}

static sv_status plan_explain(struct fault_outputs *o)
{
    (void)o;
    return sv_plan_explain(given.moving, NULL, NULL, 0, NULL, NULL);
}

static sv_status plan_nbytes(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_plan_nbytes(given.moving) == 96);
}

static sv_status plan_traffic(struct fault_outputs *o)
{
    return sv_plan_traffic(given.moving, &o->numbers[0], &o->numbers[1]);
}

static sv_status plan_launches(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_plan_launches(given.moving) == 0);
}

static sv_status copy_parallel(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_parallel(given.target, given.source, 2, run_tasks, NULL, 0, 0);
}

static sv_status copy_batch(struct fault_outputs *o)
{
    sv_view *dst[2] = {given.target, given.target}, *src[2] = {given.source, given.source};

    return sv_copy_batch(2, dst, src, 0, 0, &o->numbers[0]);
}

static sv_status copy_stack(struct fault_outputs *o)
{
    sv_view *src[1] = {given.source};

    return sv_copy_stack(given.target, 0, 1, src, 0, 0, &o->numbers[0]);
}

static sv_status plan_execute_batch(struct fault_outputs *o)
{
    sv_plan *plans[2] = {given.moving, given.moving};
    void *dst[2] = {sv_view_data(given.target), sv_view_data(given.target)};
    const void *src[2] = {sv_view_data(given.source), sv_view_data(given.source)};

    return sv_plan_execute_batch(2, plans, dst, src, 0, &o->numbers[0]);
}

static sv_status plan_execute_views_batch(struct fault_outputs *o)
{
    sv_view *dst[2] = {given.target, given.target}, *src[2] = {given.source, given.source};

    return sv_plan_execute_views_batch(given.moving, 2, dst, src, 0, &o->numbers[0]);
}

static sv_status plan_execute_table(struct fault_outputs *o)
{
    uint64_t addresses[2] = {(uintptr_t)sv_view_data(given.target), (uintptr_t)sv_view_data(given.source)};
    const int64_t one = 1;
    sv_view *views[2] = {NULL, NULL};
    sv_status status = SV_OK;

    for (int i = 0; i < 2 && status == SV_OK; i++)
        status = sv_view_from_host(SV_UINT64, 1, &one, NULL, &addresses[i], 0, &views[i]);
    if (status == SV_OK)
        status = sv_plan_execute_table(given.moving, views[0], views[1], 0, 0, &o->numbers[0]);
    sv_view_release(views[0]);
    sv_view_release(views[1]);
    return status;
}

static sv_status plan_parallel(struct fault_outputs *o)
{
    return sv_plan_with_threads(given.moving, 2, run_tasks, NULL, &o->plan);
}

static sv_status copy_with(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_with(given.target, given.source, NULL, 0, 0);
}

static const double half = 0.5;

static sv_status copy_scaled(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_scaled(given.target, given.source, &half, 1, &half, 1, 0, 0, 0);
}

static sv_status copy_scaled_overlapping(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_scaled(given.target, given.reversed, &half, 1, NULL, 0, 0, 0, 0);
}

static sv_status copy_scaled_parallel(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_scaled_parallel(given.target, given.source, &half, 1, NULL, 0, 0, 2, run_tasks, NULL, 0, 0);
}

static sv_status copy_scaled_batch(struct fault_outputs *o)
{
    return sv_copy_scaled_batch(1, &given.target, &given.source, &half, 1, NULL, 0, 0, 0, 0, &o->numbers[0]);
}

static sv_status plan_new_scaled(struct fault_outputs *o)
{
    return sv_plan_new_scaled(given.target, given.source, &half, 1, &half, 1, 0, 0, &o->plan);
}

static sv_status plan_with_allocator(struct fault_outputs *o)
{
    return sv_plan_with_allocator(given.moving, NULL, &o->plan);
}

static sv_status plan_measure(struct fault_outputs *o)
{
    return sv_plan_measure(given.moving, given.target, given.source, 1, 0, &o->plan);
}

static sv_status copy_to_scattered(struct fault_outputs *o)
{
    (void)o;
    return sv_copy(given.scattered, given.gathered, 0, 0);
}

static sv_status copy_batch_to_scattered(struct fault_outputs *o)
{
    return sv_copy_batch(1, &given.scattered, &given.gathered, 0, 0, &o->numbers[0]);
}

static sv_status copy_parallel_to_scattered(struct fault_outputs *o)
{
    (void)o;
    return sv_copy_parallel(given.scattered, given.gathered, 2, run_tasks, NULL, 0, 0);
}

static sv_status fill_scattered(struct fault_outputs *o)
{
    (void)o;
    return sv_fill(given.scattered, "a", 1, 0, 0);
}

static sv_status copy_placement(struct fault_outputs *o)
{
    return sv_copy_placement(given.target, given.source, 0, 0, &o->axes[0], &o->axes[1], &o->count, NULL, &o->state,
                             &o->answer);
}

static sv_status copy_placement_of_scattered(struct fault_outputs *o)
{
    return sv_copy_placement(given.scattered, given.gathered, 0, 0, &o->axes[0], &o->axes[1], &o->count, NULL, &o->state,
                             &o->answer);
}

static sv_status plan_new_for_scattered(struct fault_outputs *o)
{
    return sv_plan_new(given.scattered, given.gathered, 0, &o->plan);
}

static const struct fault_row rows[] = {
    {"sv_copy", copy, ALLOCATES_NOTHING},
    {"sv_copy", copy_overlapping, ALLOCATES},
    {"sv_fill", fill, ALLOCATES_NOTHING},
    {"sv_copy", copy_swapping, ALLOCATES_NOTHING},
    {"sv_copy", copy_swapping_overlapping, ALLOCATES},
    {"sv_plan_new", plan_new, ALLOCATES},
    {"sv_plan_retain", plan_retain_release, ALLOCATES_NOTHING},
    {"sv_plan_release", plan_retain_release, ALLOCATES_NOTHING},
    {"sv_plan_execute", plan_execute, ALLOCATES_NOTHING},
    {"sv_plan_execute_views", plan_execute_views, ALLOCATES_NOTHING},
    {"sv_plan_class", plan_class, ALLOCATES_NOTHING},
    {"sv_plan_explain", plan_explain, ALLOCATES},
    {"sv_plan_kernel", plan_kernel, ALLOCATES_NOTHING},
    {"sv_plan_nbytes", plan_nbytes, ALLOCATES_NOTHING},
    {"sv_plan_traffic", plan_traffic, ALLOCATES_NOTHING},
    {"sv_plan_launches", plan_launches, ALLOCATES_NOTHING},
    {"sv_copy_parallel", copy_parallel, ALLOCATES_NOTHING},
    {"sv_plan_with_threads", plan_parallel, ALLOCATES},
    {"sv_copy_with", copy_with, ALLOCATES_NOTHING},
    {"sv_copy_scaled", copy_scaled, ALLOCATES},
    {"sv_copy_scaled", copy_scaled_overlapping, ALLOCATES},
    {"sv_copy_scaled_parallel", copy_scaled_parallel, ALLOCATES},
    {"sv_copy_scaled_batch", copy_scaled_batch, ALLOCATES},
    {"sv_plan_new_scaled", plan_new_scaled, ALLOCATES},
    {"sv_plan_with_allocator", plan_with_allocator, ALLOCATES},
    {"sv_plan_measure", plan_measure, ALLOCATES},
    {"sv_copy_batch", copy_batch, ALLOCATES_NOTHING},
    {"sv_copy_stack", copy_stack, ALLOCATES},
    {"sv_plan_execute_batch", plan_execute_batch, ALLOCATES_NOTHING},
    {"sv_plan_execute_views_batch", plan_execute_views_batch, ALLOCATES_NOTHING},
    {"sv_plan_execute_table", plan_execute_table, ALLOCATES},
    {"sv_copy", copy_to_scattered, ALLOCATES},
    {"sv_copy_batch", copy_batch_to_scattered, ALLOCATES},
    {"sv_copy_parallel", copy_parallel_to_scattered, ALLOCATES},
    {"sv_fill", fill_scattered, ALLOCATES},
    {"sv_plan_new", plan_new_for_scattered, ALLOCATES},
    {"sv_copy_placement", copy_placement, ALLOCATES_NOTHING},
    {"sv_copy_placement", copy_placement_of_scattered, ALLOCATES},
};

const struct fault_rows fault_copy = {sizeof rows / sizeof *rows, rows};
