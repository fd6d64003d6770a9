/*
 * Runs any plan: first tries the compound loops, which make several copies of one, then the loops of the plan's form
 * (dispatch.c). Also runs scaled conversions, and explains the choice in words. The compound `broadcast` is here.
 */
#include <string.h>

#include "host/dispatch/dispatch.h"
#include "host/base/buffer.h"
#include "host/convert/cast_job.h"
#include "host/dispatch/loops.h"
#include "host/front/compound.h"
#include "host/convert/scaled.h"
#include "host/compound/cast.h"
#include "host/compound/cast_repeated.h"
#include "host/compound/cast_small.h"
#include "host/compound/two_pass.h"
#include "plan/part.h"

/* --- broadcast ------------------------------------------------------------------- */

/*
 * A source that is broadcast along axes (stride 0) and has another order of axes is rearranged once, to the first index
 * of these axes in the destination, and then copied from there to the other indices.
 */
enum {
    MIN_REPEATS = 4,      /* extent of an axis of stride 0 */
    MIN_COPY_BYTES = 4096 /* making the plans of the parts takes as long as a copy of fewer bytes */
};

/* Whether rearranging takes longer than copying rows. */
static bool is_slow(const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_REVERSED)
        return svi_row_nbytes(plan) < SVI_LINE;
    return plan->kind == SVI_CLASS_TRANSPOSE || plan->kind == SVI_CLASS_GATHER;
}

/* Sets shape to the part that is rearranged: axes of stride 0 have extent 1, the slowest ones first, while the rest is
 * large enough. False: no axis is left out. */
static bool leave_out(const struct svi_plan *plan, int64_t *shape)
{
    const int32_t last = plan->ndim - 1;
    int64_t nbytes = plan->nbytes;

    if (!is_slow(plan) || plan->dst[last] != plan->item)
        return false;
    for (int32_t k = 0; k <= last; k++) {
        const bool leaves = k < last && plan->src[k] == 0 && plan->shape[k] >= MIN_REPEATS && nbytes >= MIN_COPY_BYTES;

        shape[k] = leaves ? 1 : plan->shape[k];
        nbytes /= leaves ? plan->shape[k] : 1;
    }
    return nbytes < plan->nbytes;
}

/* Copies the first index of an axis of the destination to all others. */
static void repeat_along_axis(const struct svi_machine *machine, const struct svi_plan *plan, int32_t axis,
                              int64_t *shape, char *dst)
{
    int64_t src[SVI_PLAN_NDIM];
    struct svi_plan part;

    for (int32_t k = 0; k < plan->ndim; k++)
        src[k] = k == axis ? 0 : plan->dst[k];
    shape[axis] = plan->shape[axis] - 1;
    svi_plan_make(plan->ndim, shape, plan->dst, src, plan->item, &part);
    svi_plan_set_reach(&part, plan->reach);
    svi_host_run_leaf(machine, &part, dst + plan->dst[axis], dst);
    shape[axis] = plan->shape[axis];
}

static bool run_broadcast(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    int64_t shape[SVI_PLAN_NDIM];
    struct svi_plan part;

    if (plan->nbytes < MIN_COPY_BYTES || !leave_out(plan, shape))
        return false;
    if (c->dry_run)
        return true;
    svi_plan_make(plan->ndim, shape, plan->dst, plan->src, plan->item, &part);
    svi_run_plan(c->machine, &part, c->dst, c->src, &svi_loop_two_pass);
    for (int32_t k = plan->ndim - 1; k >= 0; k--)
        if (shape[k] != plan->shape[k])
            repeat_along_axis(c->machine, plan, k, shape, c->dst);
    return true;
}

static const struct svi_loop broadcast = {
    .name = "broadcast",
    .run = run_broadcast,
    .late = true,
    .what = "copies in another order, repeated along an axis of stride 0: ordered once",
};

/* --- all loops ------------------------------------------------------------------- */

static const struct svi_loop *const copies[] = {&svi_loop_register_tiles, &broadcast, NULL};

/* The list for copies whose form is known; register tiles were tried before. */
static const struct svi_loop *const of_forms[] = {&broadcast, NULL};

static const struct svi_loop *const conversions[] = {
    &svi_loop_convert_one,       &svi_loop_convert_repeated, &svi_loop_convert_rows,
    &svi_loop_convert_transpose, &svi_loop_convert_units,    &svi_loop_convert_small,
    &svi_loop_convert_blocks,    &svi_loop_convert_elements, NULL};

const struct svi_loop *const *svi_front_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_CAST ? conversions : copies;
}

void svi_host_run_form(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_form *form,
                       char *dst, const char *src)
{
    struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, &svi_loop_two_pass, false);

    svi_find_loop(form != NULL ? of_forms : svi_front_of(plan), form, &c);
}

void svi_host_run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_host_run_form(machine, plan, NULL, dst, src);
}

const struct svi_loop *svi_host_loop(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                                     const char *src)
{
    struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, &svi_loop_two_pass, true);

    return svi_find_loop(svi_front_of(plan), NULL, &c);
}

bool svi_host_affine(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, NULL, false);
    bool done;

    c.scaling = svi_scaling_new(plan);
    if (c.scaling == NULL)
        return false;
    done = svi_run_loops(conversions, &c) != NULL;
    svi_scratch_free(c.scaling);
    return done;
}

/* --- in words ------------------------------------------------------------------- */

static void add_machine(const struct svi_machine *machine, bool beyond_cache, struct svi_text *out)
{
    svi_text_add(out, "host: %s, tuned for %s; L2 %d KiB, last-level cache %d KiB; the copy is %s\n",
                 machine->isa->name, machine->tuning->name, (int)(machine->l2_bytes / SVI_KIB),
                 (int)(machine->cache / SVI_KIB), beyond_cache ? "beyond the cache" : "in cache");
}

static void add_fault(struct svi_text *out)
{
    const struct svi_tuning_fault fault = svi_machine_fault();

    if (fault.why != NULL && fault.line > 0)
        svi_text_add(out, "host: SV_HOST_TUNING is ignored: line %d: %s\n", fault.line, fault.why);
    else if (fault.why != NULL)
        svi_text_add(out, "host: SV_HOST_TUNING is ignored: %s\n", fault.why);
}

/* Writes a loop's kind of stores, and the values of the tuning that it uses. */
static void add_found(const struct svi_loop *loop, const struct svi_host_copy *c, struct svi_text *out)
{
    const bool nt = loop->stores == SVI_STORES_NT || (loop->stores == SVI_STORES_BY_SIZE && c->beyond_cache);

    svi_text_add(out, "   stores: %s", nt && c->machine->isa->nt != NULL ? "non-temporal" : "ordinary");
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (svi_tuning_is_of(f, loop->name))
            svi_text_add(out, "; %s %d", f->name, (int)svi_tuning_get(c->machine->tuning, f));
    svi_text_add(out, "\n");
}

static void add_refusal(const struct svi_loop *loop, const struct svi_refusal *refusal, struct svi_text *out)
{
    svi_text_add(out, "   %-23s no: %s", loop->name, refusal->words);
    if (refusal->than != NULL)
        svi_text_add(out, ": %lld, %s %lld", (long long)refusal->is, refusal->than, (long long)refusal->limit);
    svi_text_add(out, "\n");
}

/* Writes the loops of a list that are tried, and why they refuse. Returns whether one of them does the copy. */
static bool explain_loops(const struct svi_loop *const *loops, const struct svi_host_copy *c, struct svi_text *out)
{
    struct svi_refusal refusal;
    struct svi_host_copy asked = *c;

    asked.refusal = &refusal;
    for (; *loops != NULL; loops++) {
        refusal.words = NULL;
        if (svi_run_loop(*loops, &asked)) {
            svi_text_add(out, "-> %-23s %s\n", (*loops)->name, (*loops)->what);
            add_found(*loops, c, out);
            return true;
        }
        if (refusal.words != NULL)
            add_refusal(*loops, &refusal, out);
        else
            svi_text_add(out, "   %-23s is for %s\n", (*loops)->name, (*loops)->what);
    }
    return false;
}

static void explain_kept(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                         const struct svi_candidate *kept, struct svi_text *out)
{
    const struct svi_machine as = svi_machine_with_cache(machine, kept->cache);
    const struct svi_host_copy c = svi_host_copy_of(&as, plan, dst, src, &svi_loop_two_pass, true);
    const bool as_usual = c.beyond_cache == svi_is_beyond_cache(machine, plan);

    svi_text_add(out, "the loop that was the fastest when measured%s:\n",
                 as_usual         ? ""
                 : c.beyond_cache ? ", as beyond the cache"
                                  : ", as in cache");
    svi_text_add(out, "-> %-23s %s\n", kept->name, kept->loop->what);
    add_found(kept->loop, &c, out);
}

void svi_host_explain(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      const struct svi_candidate *kept, struct svi_text *out)
{
    struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, &svi_loop_two_pass, true);
    const struct svi_form *form;
    bool done;

    add_machine(machine, c.beyond_cache, out);
    add_fault(out);
    if (kept != NULL) {
        explain_kept(machine, plan, dst, src, kept, out);
        return;
    }
    svi_text_add(out, "loops in the order in which they are tried:\n");
    done = explain_loops(svi_front_of(plan), &c, out);
    for (form = done ? NULL : svi_form_of(plan); form != NULL && !done; form = form->rest)
        done = svi_enter_form(form, &c) && explain_loops(form->loops, &c, out);
}
