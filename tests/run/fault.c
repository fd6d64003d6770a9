/*
 * Every public function with every one of its allocations failing in turn:
 * SV_ERROR_MEMORY, nothing leaked, outputs as they were, ownership unmoved.
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

/* One call with its nth allocation failing. What is wrong, or NULL. */
static const char *attempt(const struct fault_row *r, int nth, sv_status *status)
{
    static struct fault_outputs blank;
    struct fault_outputs o, before;
    int32_t cells_before[sizeof given.cells / sizeof *given.cells];
    int live_before = live;
    bool failed;

    memset(&o, 0, sizeof o);
    memset(o.text, '~', sizeof o.text);
    memcpy(&before, &o, sizeof o);
    memcpy(cells_before, given.cells, sizeof given.cells);
    asked = given.ended = 0;
    failing = nth;
    *status = r->call(&o);
    failing = 0;
    failed = nth > 0 && nth <= r->allocations;
    if (asked != (failed ? nth : r->allocations))
        return "another number of allocations than the table says";
    if (failed) {
        if (*status != SV_ERROR_MEMORY)
            return "a failed allocation is not told";
        if (strstr(sv_last_message(), "no memory for") == NULL)
            return "no message";
        if (memcmp(&o, &before, sizeof o) != 0 || memcmp(given.cells, cells_before, sizeof given.cells) != 0)
            return "outputs written by a failed call";
        if (given.ended != 0)
            return "ownership taken by a failed call";
    } else if (*status != SV_OK) {
        return "refused though there is memory";
    }
    drop(failed ? &blank : &o);
    if (given.ended != (!failed && r->takes))
        return "owners told another number of times than once";
    return live == live_before ? NULL : "leaked or freed too much";
}

static void try_row(const struct fault_row *r)
{
    const char *wrong = NULL;
    sv_status status = SV_OK;
    int nth = 0;

    while (wrong == NULL && nth <= r->allocations + 1)
        wrong = attempt(r, nth++, &status);
    tap_ok(wrong == NULL, "%s: %d allocations", r->name, r->allocations);
    if (wrong != NULL)
        tap_note("%s; allocation %d failing, %d asked for, status %s %s", wrong, nth - 1, asked, sv_status_name(status),
                 sv_last_message());
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
