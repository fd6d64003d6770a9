/*
 * Every pointer of every function is NULL in turn, and every number an extreme one, while all other arguments are right.
 */
#include <string.h>

#include "run/calls.h"
#include "sv.h"
#include "tap.h"

/* Right arguments are refused by these where there is no CUDA. */
/* What is right is answered without a device: the samples are host memory, and no blob. */
static sv_status answer_without_cuda(const struct function *f)
{
    static const struct {
        const char *name;
        sv_status status;
    } answers[] = {
        {"sv_allocator_pinned", SV_ERROR_UNSUPPORTED},  {"sv_allocator_device", SV_ERROR_UNSUPPORTED},
        {"sv_allocator_managed", SV_ERROR_UNSUPPORTED}, {"sv_allocator_pool", SV_ERROR_UNSUPPORTED},
        {"sv_allocator_pool_view", SV_ERROR_UNSUPPORTED}, {"sv_buffer_export_ipc", SV_ERROR_DEVICE},
        {"sv_buffer_import_ipc", SV_ERROR_PROTOCOL}, {"sv_copy_with", SV_ERROR_INVALID},
        {"sv_plan_with_allocator", SV_ERROR_INVALID},
    };

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(f->name, answers[i].name) == 0)
            return answers[i].status;
    return SV_OK;
}

/* The samples are right: so in the other checks NULL alone is wrong. */
static void check_valid(const struct function *f)
{
    struct argument arguments[MAX_ARGUMENTS];
    int64_t status;

    if (!set_up())
        return;
    if (prepare(f, arguments)) {
        status = f->call(arguments);
        tap_ok(status == SV_OK || status == answer_without_cuda(f),
               "%s: right arguments give %s", f->name, sv_status_name((sv_status)status));
        if (status == SV_OK)
            give_back(f, arguments);
    }
    tear_down();
}

static bool refused(const struct function *f, const struct parameter *p, int64_t result)
{
    if (f->result == RETURNS_VALUE)
        return result == 0;
    if (result != SV_ERROR_NULL || strstr(sv_last_message(), p->name) == NULL) {
        tap_note("%s, \"%s\"", sv_status_name((sv_status)result), sv_last_message());
        return false;
    }
    return is_untouched();
}

/* Any answer will do, if it is kept. */
static bool survived(const struct function *f, const struct argument *arguments, int64_t result)
{
    if (f->result == RETURNS_VALUE)
        return result == 0;
    if (result != SV_OK)
        return is_untouched();
    give_back(f, arguments);
    return true;
}

static void check_null(const struct function *f, int position)
{
    const struct parameter *p = &f->parameters[position];
    struct argument arguments[MAX_ARGUMENTS];
    int64_t result;

    if (!set_up())
        return;
    if (prepare(f, arguments)) {
        arguments[position] = (struct argument){.pointer = NULL};
        result = f->call(arguments);
        if (p->marks & OPT)
            tap_ok(survived(f, arguments, result), "%s: %s may be NULL", f->name, p->name);
        else
            tap_ok(refused(f, p, result), "%s: %s must not be NULL", f->name, p->name);
    }
    tear_down();
}

/* Any answer will do, if nothing is written or ended but with SV_OK. Sanitizers see the arithmetic. */
static void check_extreme(const struct function *f, int position, int64_t value)
{
    const struct parameter *p = &f->parameters[position];
    struct argument arguments[MAX_ARGUMENTS];
    int64_t result;

    if (!set_up())
        return;
    if (prepare(f, arguments)) {
        arguments[position].number = value;
        result = f->call(arguments);
        if (f->result == RETURNS_STATUS && result == SV_OK)
            give_back(f, arguments);
        tap_ok(f->result == RETURNS_VALUE || result == SV_OK || is_untouched(),
               "%s: %s may be %lld", f->name, p->name, (long long)value);
    }
    tear_down();
}

/* Of a count, or a number of axes or bytes, only what is negative: the arrays that it counts are short. */
static bool counts_memory(const struct parameter *p)
{
    static const char *const names[] = {"count", "ndim", "itemsize", "nbytes"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(p->name, names[i]) == 0)
            return true;
    return false;
}

static void check_extremes(const struct function *f, int position)
{
    static const int64_t narrow[] = {INT32_MIN, INT32_MIN + 1, -65, -1, 65, INT32_MAX - 1, INT32_MAX};
    static const int64_t wide[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, -1, INT32_MAX, INT64_MAX - 1, INT64_MAX};
    const struct parameter *p = &f->parameters[position];
    const bool is_wide = strcmp(p->type, "int64_t") == 0;

    if (!is_wide && strcmp(p->type, "int32_t") != 0)
        return;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        const int64_t value = is_wide ? wide[i] : narrow[i];

        if (value < 0 || !counts_memory(p))
            check_extreme(f, position, value);
    }
}

int main(void)
{
    for (const struct function *f = functions_begin; f < functions_end; f++) {
        if (f->result == RETURNS_STATUS)
            check_valid(f);
        for (int k = 0; k < f->count; k++)
            if (f->parameters[k].marks & POINTER)
                check_null(f, k);
            else
                check_extremes(f, k);
    }
    return tap_done();
}
