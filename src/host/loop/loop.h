/*
 * A loop: one way to do copies of a kind on the host. Its row, struct svi_loop, is defined beside its code; dispatch.c
 * and compound.c list the rows in the order in which they are tried. `can` says whether a loop copies right, and
 * `refuses` whether a later loop is faster. They are separate, so that all loops that can do a copy can be measured
 * against the one that is chosen, and explain can tell why each loop before it refused.
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

/* Why a loop refuses: a text, and with `than` a number that is less or more than a limit. */
struct svi_refusal {
    const char *words;
    const char *than; /* NULL: no numbers; else "less than" or "more than" */
    int64_t is, limit;
};

/* A copy, between the addresses of the first element that it walks over on both sides. */
struct svi_host_copy {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    char *dst;
    const char *src;
    bool beyond_cache;
    bool dry_run;                       /* only find the loop that would copy; nothing is copied */
    bool all;                        /* no loop refuses what it can do */
    struct svi_scaling *scaling;     /* the scale and bias of a conversion; NULL: none */
    const struct svi_loop *two_pass; /* the loop that makes two copies of a transpose; NULL: none may */
    const struct svi_form *form;     /* the form whose loops are tried; NULL: none */
    struct svi_refusal *refusal;     /* receives the reason of a refusal; NULL: nobody wants it */
};

/* How a loop stores: through the cache, by non-temporal stores, or by non-temporal stores only beyond the cache. */
enum svi_stores { SVI_STORES_ORDINARY, SVI_STORES_NT, SVI_STORES_BY_SIZE };

/*
 * A row. `refuses` is called before `can`, since it refuses most small copies at a glance; it gets any copy of its
 * form. A `late` loop finds out in `run` alone, so `run` is called with `dry_run` too.
 */
struct svi_loop {
    const char *name;
    svi_host_question *can;     /* whether the loop does the copy right; NULL: it does all of its form */
    svi_host_question *refuses; /* whether a later loop is faster; NULL: none is */
    svi_host_question *run; /* false: it did nothing, for lack of memory or, if late, because it cannot or refuses */
    bool late;
    enum svi_stores stores;
    const char *what; /* what the loop does, for users to read */
};

/* A list of loops, which ends with NULL, and the form whose list is tried after it. */
struct svi_form {
    const char *name;
    const struct svi_loop *const *loops;
    const struct svi_form *rest; /* NULL: the last loop of this list does any copy */
    svi_host_question *can, *refuses; /* called once for all loops of the list; NULL: they can, and none refuses */
};

/* Records the reason why a loop cannot do a copy, or why it must not even be measured. True. */
static inline bool svi_reject(const struct svi_host_copy *c, const char *words)
{
    if (c->refusal != NULL)
        *c->refusal = (struct svi_refusal){.words = words};
    return true;
}

/* Records the reason why a loop refuses a copy that it can do. False if no loop may refuse. */
static inline bool svi_refuse(const struct svi_host_copy *c, const char *words)
{
    return svi_reject(c, words) && !c->all;
}

/* Refuses if a number is less than a limit. */
static inline bool svi_refuse_less(const struct svi_host_copy *c, const char *words, int64_t is, int64_t limit)
{
    if (is < limit && c->refusal != NULL)
        *c->refusal = (struct svi_refusal){words, "less than", is, limit};
    return is < limit && !c->all;
}

/* Refuses if a number is more than a limit. */
static inline bool svi_refuse_more(const struct svi_host_copy *c, const char *words, int64_t is, int64_t limit)
{
    if (is > limit && c->refusal != NULL)
        *c->refusal = (struct svi_refusal){words, "more than", is, limit};
    return is > limit && !c->all;
}

/* Refuses a copy in cache, as most loops with non-temporal stores do. */
static inline bool svi_refuse_in_cache(const struct svi_host_copy *c)
{
    return !c->beyond_cache && svi_refuse(c, "the copy is in cache");
}

/* Runs a loop if it can and does not refuse; with c->dry_run only finds out. Returns whether it did, or would. */
static inline bool svi_run_loop(const struct svi_loop *loop, const struct svi_host_copy *c)
{
    if ((loop->refuses != NULL && loop->refuses(c)) || (loop->can != NULL && !loop->can(c)))
        return false;
    return (c->dry_run && !loop->late) || loop->run(c);
}

/* Whether a loop would do the copy. */
static inline bool svi_would_run(const struct svi_loop *loop, const struct svi_host_copy *c)
{
    struct svi_host_copy asked = *c;

    asked.dry_run = true;
    return svi_run_loop(loop, &asked);
}

/* Runs the first loop of a list that can and does not refuse. NULL: no loop does the copy. */
static inline const struct svi_loop *svi_run_loops(const struct svi_loop *const *loops, const struct svi_host_copy *c)
{
    while (*loops != NULL && !svi_run_loop(*loops, c))
        loops++;
    return *loops;
}

#endif
