/*
 * Which loop does a plan.
 *
 * Each form of a plan has a list of loops, the first of which that can, does not refuse, and has the memory it asks
 * for, does the copy. A loop reads the source and writes the destination, and runs no other plan. Compound copies make
 * smaller plans and run those: compound.c, two_pass.c, cast_blocks.c, cast_repeated.c, cast_small.c, cast_transpose.c,
 * exchange.c. dispatch.c refers to none of them, and they do not refer to host.c, so no copy can come back to where it
 * began: host.c runs compound copies, these run blocks (two_pass.c) or loops, and a block takes two steps at most, which
 * are loops. tests/abi/layers.py checks it by the symbols.
 */
#ifndef SVI_HOST_DISPATCH_H
#define SVI_HOST_DISPATCH_H

#include "host/loop/facts.h"
#include "base/text.h"

/* Whether the loops of its list are asked; c then is for them. */
static inline bool svi_enter_form(const struct svi_form *form, struct svi_host_copy *c)
{
    c->form = form;
    return (form->refuses == NULL || !form->refuses(c)) && (form->can == NULL || form->can(c));
}

/* A copy by a plan between the addresses of elements [0,...,0]. two_pass: NULL, or tried for transposes that have no
 * fast loop; asks: only what would be done. */
static inline struct svi_host_copy svi_host_copy_of(const struct svi_machine *machine, const struct svi_plan *plan,
                                                    char *dst, const char *src, const struct svi_loop *two_pass,
                                                    bool asks)
{
    return (struct svi_host_copy){
        .machine = machine,
        .plan = plan,
        .dst = dst + plan->dst_offset,
        .src = src + plan->src_offset,
        .beyond_cache = svi_is_beyond_cache(machine, plan),
        .asks = asks,
        .two_pass = two_pass,
    };
}

/* The loop that did a copy or, if it asks, would: one of the list front, which is asked first, or one of its form's
 * (NULL: it is found) and of those that are asked after it. NULL: there is no memory to scale. */
const struct svi_loop *svi_find_loop(const struct svi_loop *const *front, const struct svi_form *form,
                                     struct svi_host_copy *c);

/* All of them, for documents and tests; the last is NULL. */
extern const struct svi_form *const svi_forms[];

/* The form of a plan that does not convert. */
const struct svi_form *svi_form_of(const struct svi_plan *plan);

/* Any plan that does not convert, whose offsets are not added yet. */
void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  const struct svi_loop *two_pass);

/* Any plan that does not convert, by one loop. */
svi_host_kernel svi_host_run_leaf;

/* --- compound.c: all loops, those that make several copies of one first --- */

/* --- candidates.c: all loops that can do a copy --- */

enum { SVI_SOME_PAGE = 1 << 20, SVI_OTHER_PAGE = 1 << 21 }; /* addresses where pages begin, to ask of */

#endif
