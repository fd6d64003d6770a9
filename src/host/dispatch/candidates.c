/*
 * All loops that can do a copy, for those who measure which one is best: `make bench-regret` and measured plans. The
 * list begins with the loop that would be chosen; copies that nobody measures never come here.
 */
#include "dispatch.h"

static struct svi_machine with_cache(const struct svi_machine *machine, int64_t cache)
{
    struct svi_machine as = *machine;

    as.cache = cache;
    return as;
}

struct list {
    struct svi_candidate *candidate;
    int count;
};

/* Loops that ask for the size themselves are two: one in cache, one beyond it. */
static bool has(const struct list *list, const struct svi_candidate *candidate)
{
    for (int k = 0; k < list->count; k++)
        if (list->candidate[k].loop == candidate->loop &&
            (list->candidate[k].beyond_cache == candidate->beyond_cache || candidate->loop->stores != SVI_STORES_BY_SIZE))
            return true;
    return false;
}

/* Those of an ordered list of loops that would do the copy. */
static void add_loops(struct list *list, const struct svi_loop *const *loops, const struct svi_host_copy *c)
{
    for (; *loops != NULL; loops++) {
        const struct svi_candidate candidate = {*loops, c->machine->cache, c->beyond_cache};

        if (list->count < SVI_CANDIDATES && svi_run_loop(*loops, c) && !has(list, &candidate))
            list->candidate[list->count++] = candidate;
    }
}

static void add_all(struct list *list, const struct svi_machine *machine, const struct svi_plan *plan,
                    int64_t cache, char *dst, const char *src)
{
    const struct svi_machine as = with_cache(machine, cache);
    const struct svi_host_copy c = svi_host_copy_of(&as, plan, dst, src, svi_two_passes, true);

    add_loops(list, svi_front_of(plan), &c);
    if (plan->kind == SVI_CLASS_CAST)
        return;
    for (const struct svi_form *form = svi_form_of(plan); form != NULL; form = form->rest)
        if (form->applies == NULL || form->applies(&c))
            add_loops(list, form->loops, &c);
}

int svi_host_candidates(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        struct svi_candidate *out)
{
    struct list list = {out, 0};

    add_all(&list, machine, plan, machine->cache, dst, src);
    add_all(&list, machine, plan, INT64_MAX, dst, src);
    add_all(&list, machine, plan, 0, dst, src);
    return list.count;
}

bool svi_host_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                            const struct svi_candidate *candidate, char *dst, const char *src)
{
    const struct svi_machine as = with_cache(machine, candidate->cache);
    const struct svi_host_copy c = svi_host_copy_of(&as, plan, dst, src, svi_two_passes, false);

    return svi_run_loop(candidate->loop, &c);
}
