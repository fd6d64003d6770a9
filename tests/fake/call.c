/* What happens around every call: one lock, counts, the log, failures that a test asked for, errors that stay. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake/runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct fake_thread own;
static char text[4096], words[16384];
static int faults;
static bool made[FAKE_ALL_CALLS], seen[FAKE_ALL_CALLS]; /* since the process began */
static int failed;

#define NAME(entry) #entry,
static const char *const names[] = {FAKE_TABLE(NAME) "cuPointerGetAttribute", "cuMemGetDefaultMemPool",
                                    "cuMemPrefetchBatchAsync", "cuMemDiscardBatchAsync",
                                    "cuMemDiscardAndPrefetchBatchAsync", "cuMemGetAddressRange", "cuStreamGetCtx",
                                    "cuCtx", "cuStreamGetCaptureInfo"};
_Static_assert(sizeof names / sizeof *names == FAKE_ALL_CALLS, "FAKE_TABLE has every entry of struct svi_cuda_api");

const char *fake_call_name(int call)
{
    return names[call];
}

/* --- the lock and the thread ------------------------------------------------ */

struct fake_thread *fake_thread(void)
{
    static int threads;

    if (own.number == 0)
        own.number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    if (own.generation != fake.generation) {
        own.generation = fake.generation;
        own.device = 0;
        own.last = cudaSuccess;
        own.mode = cudaStreamCaptureModeGlobal;
    }
    return &own;
}

/* A thread that has it can take it again, as the handler of page faults does. */
void fake_lock(void)
{
    if (own.depth++ > 0)
        return;
    pthread_mutex_lock(&lock);
    fake_thread();
}

void fake_unlock(void)
{
    if (--own.depth == 0)
        pthread_mutex_unlock(&lock);
}

unsigned fake_random(void)
{
    fake.seed = fake.seed * 1664525 + 1013904223;
    return fake.seed >> 8;
}

/* --- faults ------------------------------------------------------------------- */

void fake_fault(const char *format, ...)
{
    const size_t length = strlen(text);
    va_list args;

    faults++;
    if (length + 256 > sizeof text) /* the first ones tell enough */
        return;
    va_start(args, format);
    vsnprintf(text + length, 255, format, args);
    va_end(args);
    strcat(text, "\n");
}

const char *fake_text(void)
{
    return text;
}

int fake_faults(void)
{
    return faults;
}

void fake_forgive(void)
{
    faults = 0;
    text[0] = '\0';
}

/* --- calls -------------------------------------------------------------------- */

static bool cannot_fail(int call)
{
    return call == FAKE_CALL(last_error) || call == FAKE_CALL(error_name) || call == FAKE_CALL(error_text);
}

static bool is_to_fail(int call)
{
    if (cannot_fail(call))
        return false;
    if (++fake.calls == fake.fail_at || (call == fake.fail_call && fake.fail_nth > 0 && --fake.fail_nth == 0)) {
        seen[call] = true;
        failed = call;
        if (fake.breaks)
            fake.sticky = fake.failure;
        return true;
    }
    return false;
}

static bool needs_a_device(int call)
{
    return !cannot_fail(call) && call != FAKE_CALL(driver_version) && call != FAKE_CALL(runtime_version);
}

static cudaError_t begin(int call)
{
    fake.counts[call]++;
    made[call] = true;
    if (fake.unloading && !cannot_fail(call))
        return cudaErrorCudartUnloading;
    if (fake.forker != getpid() && needs_a_device(call)) {
        fake_fault("%s is called in a process that was forked", names[call]);
        return cudaErrorInitializationError;
    }
    if (is_to_fail(call))
        return fake.failure;
    if (fake.settings.counting != cudaSuccess && needs_a_device(call))
        return fake.settings.counting;
    if (fake.sticky != cudaSuccess && needs_a_device(call))
        return fake.sticky;
    fake_perform_some();
    return cudaSuccess;
}

cudaError_t fake_ask(int call)
{
    fake_lock();
    fake_plant(call, "");
    return begin(call);
}

cudaError_t fake_enter(int call, const char *format, ...)
{
    char what[60];
    size_t length;
    va_list args;

    fake_lock();
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    length = strlen(words);
    if (length + 128 < sizeof words)
        snprintf(words + length, 128, "%d:%s%s%s; ", own.device, names[call], *format == '\0' ? "" : " ", what);
    fake_plant(call, what);
    return begin(call);
}

cudaError_t fake_leave(cudaError_t error)
{
    if (error != cudaSuccess)
        own.last = error;
    fake_unlock();
    return error;
}

/* --- what tests ask --------------------------------------------------------- */

const char *fake_log(void)
{
    return words;
}

void fake_reset(void)
{
    fake_lock();
    memset(fake.counts, 0, sizeof fake.counts);
    fake.calls = fake.fail_at = fake.fail_nth = 0;
    fake.breaks = false;
    fake.moved = 0;
    words[0] = '\0';
    fake_unlock();
}

int64_t fake_moved(void)
{
    return fake.moved;
}

int fake_count(int call)
{
    return fake.counts[call];
}

int fake_calls(void)
{
    return fake.calls;
}

bool fake_seen_failing(int call)
{
    return seen[call];
}

int fake_failed_call(void)
{
    return failed;
}

const char *fake_never_failed(void)
{
    static char never[1024];

    never[0] = '\0';
    for (int call = 0; call < FAKE_ALL_CALLS; call++)
        if (made[call] && !seen[call] && !cannot_fail(call))
            snprintf(never + strlen(never), sizeof never - strlen(never), "%s ", names[call]);
    return never;
}

static void fail_at(int nth, cudaError_t error, bool breaks)
{
    fake_lock();
    fake.fail_at = nth == 0 ? 0 : fake.calls + nth;
    fake.failure = error;
    fake.breaks = breaks;
    fake_unlock();
}

void fake_fail(int nth, cudaError_t error)
{
    fail_at(nth, error, false);
}

void fake_break_at(int nth, cudaError_t error)
{
    fail_at(nth, error, true);
}

void fake_fail_call(int call, int nth, cudaError_t error)
{
    fake_lock();
    fake.fail_call = call;
    fake.fail_nth = nth;
    fake.failure = error;
    fake_unlock();
}

void fake_break(cudaError_t error)
{
    fake.sticky = error;
}

void fake_unload(void)
{
    fake.unloading = true;
}

cudaError_t fake_pending(void)
{
    return fake_thread()->last;
}

int fake_current(void)
{
    return fake_thread()->device;
}

void fake_set_current(int device)
{
    fake_thread()->device = device;
}

/* --- errors --------------------------------------------------------------------- */

/* An error that every call gives cannot be taken away. */
cudaError_t cuda_last_error(void)
{
    cudaError_t error;

    fake_ask(FAKE_CALL(last_error));
    error = own.last;
    own.last = fake.sticky;
    fake_unlock();
    return error;
}

const char *cuda_error_name(cudaError_t error)
{
    fake_ask(FAKE_CALL(error_name));
    fake_unlock();
    return cudaGetErrorName(error);
}

const char *cuda_error_text(cudaError_t error)
{
    fake_ask(FAKE_CALL(error_text));
    fake_unlock();
    return cudaGetErrorString(error);
}
