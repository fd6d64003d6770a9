/*
 * Lists all loops that can do a copy, for `make bench-regret` and measured plans, which time them. The loop that would
 * be chosen is first. Each loop is tried with the real cache, with one that holds everything and with none, since a
 * loop may choose its stores by the size. Ordinary copies do not come here.
 */
#include "host/dispatch/dispatch.h"

#include "host/dispatch/loops.h"
#include "host/front/candidates.h"
#include "host/front/compound.h"
#include "host/compound/two_pass.h"

struct list {
    struct svi_candidate *candidate;
    int count;
};

/* Whether a loop is listed. A loop that chooses its stores by the size is listed twice: in cache and beyond it. */
static bool has_candidate(const struct list *list, const struct svi_candidate *candidate)
{
    for (int k = 0; k < list->count; k++)
        if (list->candidate[k].loop == candidate->loop && (list->candidate[k].beyond_cache == candidate->beyond_cache ||
                                                           candidate->loop->stores != SVI_STORES_BY_SIZE))
            return true;
    return false;
}

/* Adds the loops of an ordered list that would do the copy. form: the form of the list; NULL: no form. */
static void add_candidate_loops(struct list *list, const struct svi_form *form, const struct svi_loop *const *loops,
                                const struct svi_host_copy *c)
{
    for (; *loops != NULL; loops++) {
        const struct svi_candidate candidate = {(*loops)->name,    *loops,          form,
                                                c->machine->cache, c->beyond_cache, c->all};

        if (list->count < SVI_CANDIDATES && svi_run_loop(*loops, c) && !has_candidate(list, &candidate))
            list->candidate[list->count++] = candidate;
    }
}

/* Adds the loops for a last-level cache of a size; if refused, also those that refuse. */
static void add_all(struct list *list, const struct svi_machine *machine, const struct svi_plan *plan, bool refused,
                    int64_t cache, char *dst, const char *src)
{
    const struct svi_machine as = svi_machine_with_cache(machine, cache);
    struct svi_host_copy c = svi_host_copy_of(&as, plan, dst, src, &svi_loop_two_pass, true);

    c.all = refused;
    add_candidate_loops(list, NULL, svi_front_of(plan), &c);
    if (plan->kind == SVI_CLASS_CAST)
        return;
    for (const struct svi_form *form = svi_form_of(plan); form != NULL; form = form->rest)
        if (svi_enter_form(form, &c))
            add_candidate_loops(list, form, form->loops, &c);
}

int svi_host_candidates(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        struct svi_candidate *out)
{
    struct list list = {out, 0};

    for (int refused = 0; refused < 2; refused++) {
        add_all(&list, machine, plan, refused != 0, machine->cache, dst, src);
        add_all(&list, machine, plan, refused != 0, INT64_MAX, dst, src);
        add_all(&list, machine, plan, refused != 0, 0, dst, src);
    }
    return list.count;
}

/* Whether a plan may run a candidate. A loop relies on the form of a plan, and a part may have another form than the
 * whole. */
static bool is_listed_candidate(const struct svi_candidate *candidate, const struct svi_plan *plan)
{
    const struct svi_loop *const *front = svi_front_of(plan);
    const struct svi_form *form = plan->kind == SVI_CLASS_CAST ? NULL : svi_form_of(plan);

    if (candidate->form == NULL) {
        while (*front != NULL && *front != candidate->loop)
            front++;
        return *front != NULL;
    }
    while (form != NULL && form != candidate->form)
        form = form->rest;
    return form != NULL;
}

static bool run_listed_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                                 const struct svi_candidate *candidate, char *dst, const char *src, bool dry_run)
{
    const struct svi_machine as = svi_machine_with_cache(machine, candidate->cache);
    struct svi_host_copy c = svi_host_copy_of(&as, plan, dst, src, &svi_loop_two_pass, dry_run);

    c.all = candidate->refused;
    return is_listed_candidate(candidate, plan) && (candidate->form == NULL || svi_enter_form(candidate->form, &c)) &&
           svi_run_loop(candidate->loop, &c);
}

bool svi_host_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                            const struct svi_candidate *candidate, char *dst, const char *src)
{
    return run_listed_candidate(machine, plan, candidate, dst, src, false);
}

bool svi_host_can_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                                const struct svi_candidate *candidate, char *dst, const char *src)
{
    return run_listed_candidate(machine, plan, candidate, dst, src, true);
}
