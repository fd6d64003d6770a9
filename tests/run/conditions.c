/*
 * The conditions of the host's loops, by the copies of the benchmark's list on all machines that are played: every field
 * of the tuning changes some copy. "conditions --reasons" prints for which reasons loops refuse, of how many copies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/dispatch/loops.h"
#include "run/played.h"
#include "tap.h"
#include "host/front/compound.h"
#include "host/compound/two_pass.h"

/* --- reasons ------------------------------------------------------------------------- */

enum { REASONS = 1000 };

/* A loop and why it refused, or NULL where it was chosen; of numbers, how near to the limit one was, as a ratio. */
struct reason {
    const char *loop, *words;
    int copies;
    double nearest;
};

struct reasons {
    int count;
    struct reason reason[REASONS];
};

static double distance_of(const struct svi_refusal *r)
{
    const double is = r->is > 0 ? (double)r->is : 1, limit = r->limit > 0 ? (double)r->limit : 1;

    return r->than == NULL ? 0 : is > limit ? is / limit : limit / is;
}

static void add_reason(struct reasons *out, const char *loop, const struct svi_refusal *why)
{
    int k = 0;

    while (k < out->count && (strcmp(out->reason[k].loop, loop) != 0 || out->reason[k].words != why->words))
        k++;
    if (k == REASONS)
        abort();
    if (k == out->count)
        out->reason[out->count++] = (struct reason){loop, why->words, 0, distance_of(why)};
    out->reason[k].copies++;
    if (distance_of(why) < out->reason[k].nearest)
        out->reason[k].nearest = distance_of(why);
}

/* Asks the loops of a list until one does the copy; whether there was one. */
static bool ask(const struct svi_loop *const *loops, struct svi_host_copy *copy, struct reasons *out)
{
    for (; *loops != NULL; loops++) {
        struct svi_refusal why = {.words = NULL};
        bool chosen;

        copy->refusal = &why;
        chosen = svi_run_loop(*loops, copy);
        if (chosen)
            why.words = NULL;
        if (chosen || why.words != NULL)
            add_reason(out, (*loops)->name, &why);
        if (chosen)
            return true;
    }
    return false;
}

static void add_reasons(const struct svi_plan *plan, const struct svi_machine *machine, int64_t skew,
                        struct reasons *out)
{
    struct svi_host_copy copy = svi_host_copy_of(machine, plan, (char *)SVI_SOME_PAGE + skew,
                                                 (const char *)SVI_OTHER_PAGE + skew, &svi_loop_two_pass, true);
    bool done = ask(svi_front_of(plan), &copy, out);

    for (const struct svi_form *form = done ? NULL : svi_form_of(plan); form != NULL && !done; form = form->rest) {
        struct svi_refusal why = {.words = NULL};

        copy.refusal = &why;
        if (svi_enter_form(form, &copy))
            done = ask(form->loops, &copy, out);
        else if (why.words != NULL)
            add_reason(out, form->name, &why);
    }
}

/* What each loop says of all copies, on all machines. Of those that are chosen, too, which have no words. */
static void print_reasons(int count, const struct bench_case *cases)
{
    static struct reasons reasons;

    for (int i = 0; i < count; i++) {
        const struct svi_plan plan = played_plan(&cases[i]);

        for (int k = 0; k < PLAYED; k++) {
            const struct svi_machine machine = played_machine(k);

            for (int64_t skew = 0; skew <= SVI_UNIT && is_played(k); skew += SVI_UNIT)
                add_reasons(&plan, &machine, skew, &reasons);
        }
    }
    for (const struct reason *r = reasons.reason; r < reasons.reason + reasons.count; r++)
        printf("%s | %s | %d | %.2f\n", r->loop, r->words == NULL ? "" : r->words, r->copies, r->nearest);
}

/* --- fields of the tuning -------------------------------------------------------------- */

static const struct svi_loop *loop_of(const struct svi_machine *machine, const struct svi_plan *plan, int64_t skew)
{
    return svi_host_loop(machine, plan, (char *)SVI_SOME_PAGE + skew, (const char *)SVI_OTHER_PAGE + skew);
}

/* Whether the copy's loop goes by the field, or is another one by another value. */
static bool changes(const struct svi_tuning_field *f, const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int64_t now = svi_tuning_get(machine->tuning, f), others[] = {!now, now / 2, 2 * now, f->least, f->most};
    struct svi_machine other = *machine;

    for (int64_t skew = 0; skew <= SVI_UNIT; skew += SVI_UNIT) {
        const struct svi_loop *loop = loop_of(machine, plan, skew);

        if (svi_tuning_is_of(f, loop->name))
            return true;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            struct svi_tuning tuning = *machine->tuning;

            other.tuning = &tuning;
            if (svi_tuning_set(&tuning, f, others[k]) && loop_of(&other, plan, skew) != loop)
                return true;
        }
    }
    return false;
}

static bool changes_some(const struct svi_tuning_field *f, int count, const struct svi_plan *plans)
{
    for (int k = 0; k < PLAYED; k++) {
        const struct svi_machine machine = played_machine(k);

        for (int i = 0; i < count && is_played(k); i++)
            if (changes(f, &machine, &plans[i]))
                return true;
    }
    return false;
}

/* All but the one by which the cache's size is found, which the machines that are played have. */
static void check_fields(int count, const struct bench_case *cases)
{
    static struct svi_plan plans[BENCH_CASES];

    for (int i = 0; i < count; i++)
        plans[i] = played_plan(&cases[i]);
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (strcmp(f->name, "last_cache_l2s") != 0)
            tap_ok(changes_some(f, count, plans), "%s changes a copy", f->name);
}

int main(int argc, char **argv)
{
    static struct bench_case cases[BENCH_CASES];
    const int count = bench_cases_read(SV_CASES, cases);

    if (argc > 1 && strcmp(argv[1], "--reasons") == 0)
        print_reasons(count, cases);
    else if (!is_played(0))
        tap_skip("fields of the tuning", "the machines are of x86-64");
    else
        check_fields(count, cases);
    bench_cases_release(count, cases);
    return argc > 1 ? 0 : tap_done();
}
