/* Each call of an operation fails once, and what is left then is looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"
#include "gpu/cuda/find.h"

static char wrong[1024];

static bool is_silent(const struct fake_trial *t, int call)
{
    const char *name = fake_call_name(call), *at = t->silent;
    const size_t length = strlen(name);

    while (at != NULL && (at = strstr(at, name)) != NULL) {
        if ((at == t->silent || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

static void complain(int round, const char *what)
{
    snprintf(wrong, sizeof wrong, "call %d, %s, fails: %s", round, fake_call_name(fake_failed_call()), what);
}

/* A device or a mode that cannot be given back is not. */
static void check_thread(int round)
{
    struct fake_thread *thread = fake_thread();
    const int call = fake_failed_call();

    if (thread->last != fake.sticky)
        complain(round, "its error is left pending");
    else if (thread->device != 0 && call != FAKE_CALL(set_device) && fake.sticky == cudaSuccess)
        complain(round, "the thread has another device");
    else if (thread->pushed != 0 && call != FAKE_CONTEXT)
        complain(round, "the thread has another context");
    else if (thread->mode != cudaStreamCaptureModeGlobal && call != FAKE_CALL(exchange_capture_mode) &&
             fake.sticky == cudaSuccess)
        complain(round, "the thread has another capture mode");
    thread->last = cudaSuccess;
    thread->device = thread->pushed = 0;
    thread->mode = cudaStreamCaptureModeGlobal;
}

/* Nothing fails from here on. */
static void finish(const struct fake_trial *t, sv_status status, int round)
{
    const bool broken = fake.sticky != cudaSuccess;
    const int64_t lost = t->lost == NULL ? 0 : t->lost(t->with);

    fake_fail(0, cudaSuccess);
    fake.sticky = cudaSuccess;
    if (t->clean != NULL)
        t->clean(t->with, status);
    if (lost > 0 && fake_live_memory() <= lost)
        fake_excuse();
    if (broken) /* what could not be done, was not */
        fake_thread()->last = cudaSuccess;
    fake_end();
    if (*wrong == '\0' && fake_faults() > 0)
        complain(round, fake_text());
}

/* Whether a call failed. */
static bool try(const struct fake_trial *t, const struct fake_settings *settings, int round)
{
    const cudaError_t error = t->error == cudaSuccess ? cudaErrorUnknown : t->error;
    sv_status status;
    bool fails;

    fake_start_with(settings);
    if (t->prepare != NULL)
        t->prepare(t->with);
    fake_reset();
    if (t->stays)
        fake_break_at(round, error);
    else
        fake_fail(round, error);
    status = t->run(t->with);
    fails = fake_calls() >= round;
    check_thread(round);
    if (*wrong == '\0' && !fails && status != SV_OK)
        snprintf(wrong, sizeof wrong, "no call fails: %s", sv_last_message());
    else if (*wrong == '\0' && fails && status == SV_OK && !is_silent(t, fake_failed_call()))
        complain(round, "nobody is told");
    finish(t, status, round);
    return fails;
}

const char *fake_fail_each(const struct fake_trial *trial, const struct fake_settings *settings, int *rounds)
{
    int round = 1;

    wrong[0] = '\0';
    fake_start_with(settings);
    svi_cuda_find();
    fake_end();
    while (try(trial, settings, round) && *wrong == '\0')
        round++;
    if (rounds != NULL)
        *rounds = round - 1;
    return wrong;
}
