/*
 * Every public function with every one of its allocations failing in turn, until it succeeds: SV_ERROR_MEMORY with a
 * message, nothing leaked, outputs and inputs as they were, ownership unmoved; and then the same call succeeds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fault.h"
#include "tap.h"

static const struct fault_rows *const sections[] = {
    &fault_ground, &fault_layout, &fault_layout_ops, &fault_layout_builder, &fault_memory, &fault_buffer, &fault_view,
    &fault_copy,
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* --- allocations, counted ------------------------------------------------ */

enum { MOST = 100 }; /* allocations of one call */

static int asked, live, failing; /* the failing-th request of a run fails; 0: none */

static void *count_allocate(size_t nbytes)
{
    void *pointer = ++asked == failing ? NULL : malloc(nbytes);

    live += pointer != NULL;
    return pointer;
}

static void count_free(void *pointer)
{
    live--;
    free(pointer);
}

/* --- trying them --------------------------------------------------------- */

static void drop(struct fault_outputs *o)
{
    sv_layout_release(o->layout);
    sv_layout_builder_release(o->builder);
    sv_layout_release(o->other_layout);
    sv_view_release(o->view);
    sv_plan_release(o->plan);
    sv_allocator_release(o->allocator);
    sv_buffer_release(o->buffer);
    if (o->block != NULL)
        (void)sv_allocator_free(given.allocator, o->block, sizeof given.cells, 0, 0);
    if (o->versioned != NULL)
        o->versioned->deleter(o->versioned);
    if (o->unversioned != NULL)
        o->unversioned->deleter(o->unversioned);
}

/* What a failed call leaves as it was: outputs, memory and buffers. */
struct seen {
    struct fault_outputs outputs;
    int32_t cells[sizeof given.cells / sizeof *given.cells];
    const void *data[2];
    int64_t nbytes[2], capacity[2], references[2], exports[2];
    char bytes[2][SMALL];
};

static void see(const struct fault_outputs *o, struct seen *seen)
{
    const sv_buffer *const buffers[2] = {given.small, given.roomy};

    memset(seen, 0, sizeof *seen);
    memcpy(&seen->outputs, o, sizeof *o);
    memcpy(seen->cells, given.cells, sizeof given.cells);
    for (int i = 0; i < 2; i++) {
        seen->data[i] = sv_buffer_data(buffers[i]);
        seen->nbytes[i] = sv_buffer_nbytes(buffers[i]);
        seen->capacity[i] = sv_buffer_capacity(buffers[i]);
        seen->references[i] = sv_buffer_references(buffers[i]);
        seen->exports[i] = sv_buffer_exports(buffers[i]);
        if (seen->data[i] != NULL)
            memcpy(seen->bytes[i], seen->data[i], SMALL);
    }
}

struct attempt {
    sv_status status;
    int asked; /* allocations */
    const char *wrong; /* or NULL */
};

static const char *fault_of_failed(const struct fault_outputs *o, const struct seen *before, sv_status status)
{
    static struct seen after;

    if (status != SV_ERROR_MEMORY)
        return "a failed allocation is not told";
    if (strstr(sv_last_message(), "no memory for") == NULL)
        return "no message";
    see(o, &after);
    if (memcmp(&after, before, sizeof after) != 0)
        return "outputs, memory or buffers written by a failed call";
    return given.ended != 0 ? "ownership taken by a failed call" : NULL;
}

/* One call whose nth allocation fails; 0: none. */
static struct attempt attempt(const struct fault_row *r, int nth)
{
    static struct seen before;
    struct attempt a = {.wrong = NULL};
    struct fault_outputs o;
    const int live_before = live;
    bool failed;

    if (!fault_make_fresh())
        return (struct attempt){.wrong = "no inputs"};
    memset(&o, 0, sizeof o);
    memset(o.text, '~', sizeof o.text);
    see(&o, &before);
    asked = 0;
    failing = nth;
    a.status = r->call(&o);
    a.asked = asked;
    failing = 0;
    failed = nth > 0 && a.asked >= nth;
    if (failed)
        a.wrong = fault_of_failed(&o, &before, a.status);
    else if (a.status != SV_OK)
        a.wrong = "refused though there is memory";
    if (a.wrong == NULL && !failed)
        drop(&o);
    if (a.wrong == NULL && given.ended != (!failed && r->memory == TAKES_OWNERSHIP))
        a.wrong = "owners told another number of times than once";
    fault_drop_fresh();
    if (a.wrong == NULL && live != live_before)
        a.wrong = "leaked or freed too much";
    return a;
}

/* The first allocation fails, the second, and so on until the call succeeds; after each failure it succeeds as well. */
static struct attempt try_all(const struct fault_row *r, int *nth)
{
    const bool nothing = r->memory == ALLOCATES_NOTHING;
    struct attempt with_memory = attempt(r, 0), a = with_memory;

    for (*nth = 1; a.wrong == NULL && *nth <= MOST; ++*nth) {
        a = attempt(r, *nth);
        if (a.wrong != NULL || a.asked < *nth)
            break;
        a = attempt(r, 0);
        if (a.wrong == NULL && a.asked != with_memory.asked)
            a.wrong = "another number of allocations after a failure";
    }
    if (a.wrong == NULL && a.asked != with_memory.asked)
        a.wrong = "another number of allocations than at first";
    if (a.wrong == NULL && (a.asked == 0) != nothing)
        a.wrong = a.asked == 0 ? "allocates nothing, which its row does not say" : "allocates";
    return a;
}

static void try_row(const struct fault_row *r)
{
    int nth = 0;
    const struct attempt a = try_all(r, &nth);

    tap_ok(a.wrong == NULL, "%s: %d allocations", r->name, a.asked);
    if (a.wrong != NULL)
        tap_note("%s; allocation %d failing, %d asked for, status %s %s", a.wrong, nth, a.asked,
                 sv_status_name(a.status), sv_last_message());
}

/* --- every function of the header has a row ------------------------------ */

static bool has_row(const char *name, size_t length)
{
    for (int i = 0; i < SECTIONS; i++)
        for (int k = 0; k < sections[i]->count; k++) {
            const char *known = sections[i]->rows[k].name;

            if (strlen(known) == length && memcmp(known, name, length) == 0)
                return true;
        }
    return false;
}

static void check_rows(void)
{
    FILE *file = fopen(SV_SYMBOLS, "r");
    char name[128];
    int functions = 0, missing = 0;

    if (!tap_ok(file != NULL, "the list of functions can be read"))
        return;
    while (fscanf(file, "%127s", name) == 1) {
        functions++;
        if (!has_row(name, strlen(name))) {
            missing++;
            tap_note("no row: %s", name);
        }
    }
    fclose(file);
    tap_ok(functions > 60 && missing == 0, "each of %d functions of sv.h has a row", functions);
}

int main(void)
{
    svi_alloc = (struct svi_alloc){count_allocate, count_free, NULL};
    check_rows();
    if (tap_ok(fault_make_inputs(), "inputs"))
        for (int i = 0; i < SECTIONS; i++)
            for (int k = 0; k < sections[i]->count; k++)
                try_row(&sections[i]->rows[k]);
    fault_drop_inputs();
    tap_ok(live == 0, "nothing is left");
    return tap_done();
}
