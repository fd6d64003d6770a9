/*
 * Every handle of every function is in turn one that was released, one of another type, and no handle at all, while all
 * other arguments are right. In a library built with --enable-checks each call is refused, and nothing is read.
 */
#include <string.h>

#include "run/calls.h"
#include "sv.h"
#include "tap.h"

static const char *const types[] = {"sv_layout", "sv_layout_builder", "sv_view", "sv_plan", "sv_allocator",
                                    "sv_buffer"};

enum { TYPES = sizeof types / sizeof *types };

/* Handles of each type, made for this test alone. */
struct handles {
    sv_layout *layout;
    sv_layout_builder *builder;
    sv_view *view;
    sv_plan *plan;
    sv_allocator *allocator;
    sv_buffer *buffer;
};

static bool make(struct handles *h)
{
    static float memory[6];
    static const int64_t shape[1] = {6};

    return sv_layout_new(1, shape, NULL, 4, &h->layout) == SV_OK && sv_layout_builder_new(&h->builder) == SV_OK &&
           sv_view_from_pointer(h->layout, SV_FLOAT32, memory, sizeof memory, 0, &h->view) == SV_OK &&
           sv_plan_new(h->view, h->view, 0, &h->plan) == SV_OK && sv_allocator_host(0, &h->allocator) == SV_OK &&
           sv_buffer_new(NULL, 8, 0, 0, 0, &h->buffer) == SV_OK;
}

static void end(const struct handles *h)
{
    sv_buffer_release(h->buffer);
    sv_allocator_release(h->allocator);
    sv_plan_release(h->plan);
    sv_view_release(h->view);
    sv_layout_builder_release(h->builder);
    sv_layout_release(h->layout);
}

static void *handle_of(const struct handles *h, int type)
{
    void *const all[TYPES] = {h->layout, h->builder, h->view, h->plan, h->allocator, h->buffer};

    return all[type];
}

/* Which type of handle a parameter is: "const sv_view *", or an array of them, "sv_view *const *"; -1 of any other. */
static int type_of(const struct parameter *p, bool *array)
{
    const char *name = strncmp(p->type, "const ", 6) == 0 ? p->type + 6 : p->type;

    *array = strstr(p->type, "*const *") != NULL;
    for (int k = 0; k < TYPES; k++) {
        size_t length = strlen(types[k]);

        if (strncmp(name, types[k], length) == 0 && name[length] == ' ' && !(p->marks & OUT))
            return k;
    }
    return -1;
}

static bool is_refused(const struct function *f, const struct parameter *p, int64_t result)
{
    if (f->result == RETURNS_VALUE)
        return result == 0 && is_untouched();
    if (result == SV_ERROR_STATE && strstr(sv_last_message(), p->name) != NULL)
        return is_untouched();
    if (result == SV_ERROR_STATE && strstr(sv_last_message(), "handle") != NULL) /* of an array, by its place */
        return is_untouched();
    tap_note("%s, \"%s\"", sv_status_name((sv_status)result), sv_last_message());
    return false;
}

static void check(const struct function *f, int position, void *handle, const char *what)
{
    struct argument arguments[MAX_ARGUMENTS];
    bool array;

    if (!set_up())
        return;
    if (prepare(f, arguments)) {
        type_of(&f->parameters[position], &array);
        arguments[position] = (struct argument){.pointer = array ? &handle : handle};
        tap_ok(is_refused(f, &f->parameters[position], f->call(arguments)), "%s: %s is %s", f->name,
               f->parameters[position].name, what);
    }
    tear_down();
}

static void check_all(const struct function *f, int position, const struct handles *live)
{
    static uint64_t nothing[64]; /* zeros */
    bool array;
    const int type = type_of(&f->parameters[position], &array);
    struct handles dead;

    if (type < 0)
        return;
    /* An address that is used again would be that of a live handle, so it is released when the others are there. */
    if (!tap_ok(make(&dead), "handles"))
        return;
    check(f, position, handle_of(live, (type + 1) % TYPES), "of another type");
    check(f, position, nothing, "no handle");
    if (set_up()) {
        struct argument arguments[MAX_ARGUMENTS];

        end(&dead);
        if (prepare(f, arguments)) {
            void *handle = handle_of(&dead, type);

            arguments[position] = (struct argument){.pointer = array ? (void *)&handle : handle};
            tap_ok(is_refused(f, &f->parameters[position], f->call(arguments)), "%s: %s was released", f->name,
                   f->parameters[position].name);
        }
        tear_down();
    }
}

int main(void)
{
    struct handles live;

    if (!(sv_features() & SV_FEATURE_CHECKS)) {
        tap_skip("released handles", "this library was built without --enable-checks");
        return tap_done();
    }
    if (tap_ok(make(&live), "handles")) {
        for (const struct function *f = functions_begin; f < functions_end; f++)
            for (int k = 0; k < f->count; k++)
                check_all(f, k, &live);
        end(&live);
    }
    return tap_done();
}
