/*
 * Which loop does a plan. Each form of a plan has a list of loops. The first loop that can, does not refuse, and gets
 * the memory that it needs does the copy. A loop runs no other plan.
 *
 * Compound copies make smaller plans and run those: compound.c, two_pass.c, cast_blocks.c, cast_repeated.c,
 * cast_small.c, cast_transpose.c and exchange.c. There is no recursion: host.c runs compound copies, these run blocks
 * (two_pass.c) or loops, and a block is at most two loops. tests/abi/layers.py checks it by the symbols.
 */
#ifndef SVI_HOST_DISPATCH_H
#define SVI_HOST_DISPATCH_H

#include "host/loop/facts.h"
#include "base/text.h"

/* Whether the loops of a form's list are tried. Sets c->form. */
static inline bool svi_enter_form(const struct svi_form *form, struct svi_host_copy *c)
{
    c->form = form;
    return (form->refuses == NULL || !form->refuses(c)) && (form->can == NULL || form->can(c));
}

/* The copy of a plan between the addresses of elements [0,...,0]. two_pass is tried for transposes that have no fast
 * loop, unless it is NULL. dry_run: only find the loop. */
static inline struct svi_host_copy svi_host_copy_of(const struct svi_machine *machine, const struct svi_plan *plan,
                                                    char *dst, const char *src, const struct svi_loop *two_pass,
                                                    bool dry_run)
{
    return (struct svi_host_copy){
        .machine = machine,
        .plan = plan,
        .dst = dst + plan->dst_offset,
        .src = src + plan->src_offset,
        .beyond_cache = svi_is_beyond_cache(machine, plan),
        .dry_run = dry_run,
        .two_pass = two_pass,
    };
}

/* Runs the first loop that does the copy, or finds it if c->dry_run: of the list front, then of form (NULL: the form of
 * the plan) and of the forms after it. Returns the loop; NULL if memory for scaling is lacking. */
const struct svi_loop *svi_find_loop(const struct svi_loop *const *front, const struct svi_form *form,
                                     struct svi_host_copy *c);

/* All forms, for documents and tests; the last is NULL. */
extern const struct svi_form *const svi_forms[];

/* The form of a plan that does not convert. */
const struct svi_form *svi_form_of(const struct svi_plan *plan);

/* Runs a plan that does not convert, between the addresses of elements [0,...,0]. */
void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  const struct svi_loop *two_pass);

/* Runs a plan that does not convert by one loop, never in two passes. */
svi_host_kernel svi_host_run_leaf;

/* Addresses at which pages begin, to find the loop of a plan without addresses. */
enum { SVI_SOME_PAGE = 1 << 20, SVI_OTHER_PAGE = 1 << 21 };

#endif
