/*
 * A loop: one way to do copies of a kind. Its row, struct svi_loop, stands beside its code; dispatch.c and compound.c
 * have the order in which rows are asked. What a loop can do, `can`, is apart from when it is worth it, `refuses`, so
 * that the loops which can do a copy can be measured against the one that is chosen, and explain tells why each of
 * those that were asked did not do it.
 */
#ifndef SVI_HOST_LOOP_H
#define SVI_HOST_LOOP_H

#include <stdbool.h>

#include "host/machine/machine.h"
#include "plan/plan.h"

struct svi_form;
struct svi_host_copy;
struct svi_loop;
struct svi_scaling;
typedef bool svi_host_question(const struct svi_host_copy *c);

/* Why a loop refuses: words alone, or a number of theirs that is less or more than a limit. */
struct svi_refusal {
    const char *words;
    const char *than; /* NULL: no numbers; else "less than" or "more than" */
    int64_t is, limit;
};

/* A copy between the addresses of the first element of its walk on both sides. */
struct svi_host_copy {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    char *dst;
    const char *src;
    bool beyond_cache;
    bool asks;                       /* nothing is done: which loop would? */
    bool all;                        /* none refuses what it can do */
    struct svi_scaling *scaling;     /* NULL, or the copy is scaled as it converts */
    const struct svi_loop *two_pass; /* what makes two copies of a transpose; NULL: nothing does */
    const struct svi_form *form;     /* whose loops are asked; NULL: no form's */
    struct svi_refusal *refusal;     /* NULL, or where the reason is put */
};

enum svi_stores { SVI_STORES_ORDINARY, SVI_STORES_NT, SVI_STORES_BY_SIZE /* non-temporal beyond the cache */ };

struct svi_loop {
    const char *name;
    svi_host_question *can;     /* whether it does the copy right, which is of its form; NULL: it does */
    svi_host_question *refuses; /* whether a loop that is asked later does better, of all copies of its form; NULL: none
                                   does. It is asked first: most small copies are refused at a glance */
    svi_host_question *run; /* false, and nothing is done: no memory or, if late, not for it */
    bool late; /* only run finds out whether it can and refuses: it is called to ask, too */
    enum svi_stores stores;
    const char *what; /* it does, for users' eyes */
};

/* A list of loops, which ends with NULL, and the form whose list is asked after it. */
struct svi_form {
    const char *name;
    const struct svi_loop *const *loops;
    const struct svi_form *rest; /* NULL: the last loop does any copy */
    svi_host_question *can, *refuses; /* of all loops of the list, asked once; NULL: they can, and none refuses */
};

/* True, with the reason: it cannot, or nobody has measured it where it is not worth it. */
static inline bool svi_reject(const struct svi_host_copy *c, const char *words)
{
    if (c->refusal != NULL)
        *c->refusal = (struct svi_refusal){.words = words};
    return true;
}

/* The same of what it can, but is not worth it: false where all loops that can are wanted. */
static inline bool svi_refuse(const struct svi_host_copy *c, const char *words)
{
    return svi_reject(c, words) && !c->all;
}

/* The same if a number is less than a limit, or more. */
static inline bool svi_refuse_less(const struct svi_host_copy *c, const char *words, int64_t is, int64_t limit)
{
    if (is < limit && c->refusal != NULL)
        *c->refusal = (struct svi_refusal){words, "less than", is, limit};
    return is < limit && !c->all;
}

static inline bool svi_refuse_more(const struct svi_host_copy *c, const char *words, int64_t is, int64_t limit)
{
    if (is > limit && c->refusal != NULL)
        *c->refusal = (struct svi_refusal){words, "more than", is, limit};
    return is > limit && !c->all;
}

/* The reason of most loops that use non-temporal stores. */
static inline bool svi_refuse_in_cache(const struct svi_host_copy *c)
{
    return !c->beyond_cache && svi_refuse(c, "the copy is in cache");
}

/* Whether a loop does the copy, or would. */
static inline bool svi_run_loop(const struct svi_loop *loop, const struct svi_host_copy *c)
{
    if ((loop->refuses != NULL && loop->refuses(c)) || (loop->can != NULL && !loop->can(c)))
        return false;
    return (c->asks && !loop->late) || loop->run(c);
}

/* The same of a copy that is only asked of. */
static inline bool svi_would_run(const struct svi_loop *loop, const struct svi_host_copy *c)
{
    struct svi_host_copy asked = *c;

    asked.asks = true;
    return svi_run_loop(loop, &asked);
}

/* The first of a list, which ends with NULL, that does it, or would. NULL: none. */
static inline const struct svi_loop *svi_run_loops(const struct svi_loop *const *loops, const struct svi_host_copy *c)
{
    while (*loops != NULL && !svi_run_loop(*loops, c))
        loops++;
    return *loops;
}

#endif
