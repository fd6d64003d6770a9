/* The host backend: the table of functions by which `copy` runs plans on memory that this process reads and writes. */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "host/base/untouched.h"
#include "host/dispatch/dispatch.h"
#include "host/rows/rows_cached.h"
#include "host/transpose/register_tiles.h"
#include "host/front/compound.h"
#include "host/compound/exchange.h"
#include "host/front/candidates.h"
#include "host/front/host.h"

/* --- the backend ---------------------------------------------------------- */

static sv_device_state probe_host(int32_t device_type, int32_t *count, char *detail)
{
    *count = 1;
    snprintf(detail, SVI_DETAIL, "%s",
             svi_devices[device_type].pageable ? "memory of this process" : "the host reads and writes this memory");
    return SV_STATE_READY;
}

/* --- new memory ----------------------------------------------------------- */

/*
 * Large copies into memory that has no pages yet store through the cache: the system clears each page right before the
 * copy writes it, so the page is in the cache. Transposes are left out, as they jump between pages
 * (doc/internals/copy_experiments.md#new-arrays).
 */
enum { MIN_UNTOUCHED_BYTES = 1 << 20 }; /* asking the system takes a microsecond */

static bool is_in_order(const struct svi_plan *plan)
{
    return plan->kind != SVI_CLASS_TRANSPOSE &&
           (plan->kind != SVI_CLASS_CAST || plan->src_axis < 0 || plan->src_axis == plan->ndim - 1);
}

/* Whether the destination seems to have no pages yet. dst: the address of element [0,...,0]. */
static bool is_fresh(const struct svi_machine *machine, const struct svi_plan *plan, const char *dst)
{
    int64_t span = plan->item;

    if (plan->nbytes < MIN_UNTOUCHED_BYTES || !svi_is_beyond_cache(machine, plan) || !is_in_order(plan))
        return false;
    for (int32_t k = 0; k < plan->ndim; k++)
        span += (plan->shape[k] - 1) * plan->dst[k];
    return svi_is_untouched(dst + plan->dst_offset, span);
}

static struct svi_machine machine_for(const struct svi_plan *plan, const char *dst)
{
    struct svi_machine machine = svi_machine();

    if (is_fresh(&machine, plan, dst))
        machine = svi_machine_in_cache(&machine);
    return machine; /* a single return value is built in place; another copy of it would slow small copies */
}

/* --- what is chosen for a plan ---------------------------------------------- */

static const struct svi_candidate beyond_caches = {.name = "non-temporal", .cache = 0, .beyond_cache = true};

/* The name of the loop for a plan whose sides begin at pages. */
static const char *kernel_name(const struct svi_plan *plan, struct svi_device dst, struct svi_device src)
{
    const struct svi_machine machine = svi_machine();

    (void)dst, (void)src;
    return svi_host_loop(&machine, plan, (char *)SVI_SOME_PAGE, (const char *)SVI_OTHER_PAGE)->name;
}

static void explain_on_host(const struct svi_plan *plan, void *dst, const void *src, const struct svi_candidate *kept,
                            struct svi_text *out)
{
    struct svi_machine machine = svi_machine();
    char *const to = dst != NULL ? dst : (char *)SVI_SOME_PAGE;
    const char *const from = src != NULL ? src : (const char *)SVI_OTHER_PAGE;

    if (kept == &beyond_caches) {
        svi_text_add(out, "SV_COPY_NON_TEMPORAL: as if no cache held anything\n");
        machine = svi_machine_with_cache(&machine, kept->cache);
        kept = NULL;
    }
    if (kept != NULL && !svi_host_can_run_candidate(&machine, plan, kept, to, from))
        kept = NULL;
    svi_host_explain(&machine, plan, to, from, kept, out);
}

static int list_candidates(const struct svi_plan *plan, void *dst, const void *src, struct svi_candidate *out)
{
    const struct svi_machine machine = svi_machine();

    return svi_host_candidates(&machine, plan, dst, src, out);
}

static sv_status run_kernel(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = machine_for(plan, dst);

    svi_host_run_form(&machine, plan, with, dst, src);
    return SV_OK;
}

static sv_status run_whole_tiles(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    svi_host_whole_tiles(with, plan, dst + plan->dst_offset, src + plan->src_offset);
    return SV_OK;
}

static sv_status run_any(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = machine_for(plan, dst);

    (void)with;
    svi_host_run(&machine, plan, dst, src);
    return SV_OK;
}

static sv_status run_scaled(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    (void)with;
    return svi_host_affine(&machine, plan, dst, src) ? SV_OK : SV_ERROR_MEMORY;
}

static sv_status run_beyond_caches(const struct svi_machine *found, const struct svi_plan *plan, char *dst,
                                   const char *src)
{
    const struct svi_machine machine = svi_machine_with_cache(found, beyond_caches.cache);

    if (svi_scales(plan))
        return svi_host_affine(&machine, plan, dst, src) ? SV_OK : SV_ERROR_MEMORY;
    svi_host_run(&machine, plan, dst, src);
    return SV_OK;
}

static sv_status run_candidate(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    if (with == &beyond_caches)
        return run_beyond_caches(&machine, plan, dst, src);
    if (svi_host_run_candidate(&machine, plan, with, dst, src))
        return SV_OK;
    return run_any(plan, dst, src, NULL);
}

static svi_run *run_for(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->kind != SVI_CLASS_CONTIGUOUS || svi_is_beyond_cache(machine, plan))
        return run_kernel;
    return svi_dense_run(machine->isa, plan);
}

static void choose_on_host(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                           struct svi_choice *out)
{
    const struct svi_machine machine = svi_machine();
    const bool turns = plan->kind == SVI_CLASS_TRANSPOSE && !svi_is_beyond_cache(&machine, plan);
    const struct svi_tile *tile = turns ? svi_whole_tile(&machine, plan) : NULL;
    (void)dst, (void)src;
    if (tile != NULL) {
        *out = (struct svi_choice){NULL, run_whole_tiles, tile};
    } else if (plan->kind == SVI_CLASS_CAST) {
        *out = (struct svi_choice){NULL, svi_scales(plan) ? run_scaled : run_any, NULL};
    } else {
        *out = (struct svi_choice){NULL, run_for(&machine, plan), svi_form_of(plan)};
    }
}

static sv_status copy_within_host(const struct svi_request *request)
{
    if (request->plan->kind == SVI_CLASS_EMPTY)
        return SV_OK;
    if (svi_scales(request->plan))
        return run_scaled(request->plan, request->dst, request->src, NULL);
    return run_any(request->plan, request->dst, request->src, NULL);
}

/* The copy is done on return. */
static void copy_in_place(const struct svi_plan *plan, int32_t way, void *dst, const void *src)
{
    const struct svi_machine machine = svi_machine();

    svi_host_in_place(&machine, plan, way, dst, src);
}

static sv_status wait_on_host(struct svi_device device, uintptr_t stream, struct svi_device other_device,
                              uintptr_t other)
{
    (void)device, (void)stream, (void)other_device, (void)other;
    return SV_OK;
}

static sv_status synchronize_host(struct svi_device device, uintptr_t stream)
{
    (void)device, (void)stream;
    return SV_OK;
}

const struct svi_backend svi_host = {
    .name = "host",
    .family = SVI_FAMILY_HOST,
    .probe = probe_host,
    .relations = 1u << SVI_RELATION_HOST | 1u << SVI_RELATION_SHARED,
    .converts = true,
    .splits = true,
    .choose = choose_on_host,
    .kernel = kernel_name,
    .explain = explain_on_host,
    .candidates = list_candidates,
    .run_candidate = run_candidate,
    .non_temporal = &beyond_caches,
    .copy = copy_within_host,
    .copy_in_place = copy_in_place,
    .wait = wait_on_host,
    .synchronize = synchronize_host,
};
