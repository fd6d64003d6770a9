/*
 * Whether there are CUDA devices, and if not, why: asked once in a process. And whether this process may still call the
 * runtime: CUDA does not survive fork(), and calls that come after its own cleanup at exit crash or fail. The handlers
 * that notice both are installed by the first call that finds devices, since nothing may run when libsv is loaded.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gpu/cuda/api.h"
#include "gpu/cuda/find.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct svi_cuda_found found;
static pid_t found_by; /* 0: on_fork() tells */
static atomic_bool forked, gone;

static void on_fork(void)
{
    atomic_store_explicit(&forked, true, memory_order_relaxed);
}

static void on_exit_or_unload(void)
{
    svi_cuda_set_gone();
}

/* Handlers of exit() run in reverse order: this one before the runtime's and the driver's, which were installed
 * when the devices were counted. */
static void install_handlers(void)
{
    if (pthread_atfork(NULL, NULL, on_fork) != 0)
        found_by = getpid();
    atexit(on_exit_or_unload); /* if it fails: svi_cuda_fail() sees cudaErrorCudartUnloading */
}

bool svi_cuda_is_forked(void)
{
    return atomic_load_explicit(&forked, memory_order_relaxed) || (found_by != 0 && found_by != getpid());
}

bool svi_cuda_is_gone(void)
{
    return atomic_load_explicit(&gone, memory_order_relaxed);
}

void svi_cuda_set_gone(void)
{
    atomic_store_explicit(&gone, true, memory_order_relaxed);
}

/* Without a driver the runtime says the same as with one that is too old; the driver's version tells which. */
static sv_device_state state_of(cudaError_t error, int count, int driver)
{
    switch (error) {
    case cudaSuccess: return count > 0 ? SV_STATE_READY : SV_STATE_NO_DEVICE;
    case cudaErrorNoDevice: return SV_STATE_NO_DEVICE;
    case cudaErrorInsufficientDriver: return driver == 0 ? SV_STATE_NO_DRIVER : SV_STATE_DRIVER_TOO_OLD;
    case cudaErrorStubLibrary: return SV_STATE_STUB_DRIVER;
    default: return SV_STATE_BROKEN;
    }
}

static void describe_found(cudaError_t error, int driver, int runtime)
{
    char built[64], version[32];

    snprintf(built, sizeof built, "libsv was built with runtime %d.%d", runtime / 1000, runtime % 1000 / 10);
    snprintf(version, sizeof version, "%d.%d", driver / 1000, driver % 1000 / 10);
    switch (found.state) {
    case SV_STATE_READY:
        snprintf(found.text, SVI_DETAIL, "%d device%s, driver %s (%s)", (int)found.count, found.count == 1 ? "" : "s",
                 version, built);
        break;
    case SV_STATE_NO_DRIVER: snprintf(found.text, SVI_DETAIL, "no driver is installed (%s)", built); break;
    case SV_STATE_DRIVER_TOO_OLD:
        snprintf(found.text, SVI_DETAIL, "the driver, %s, is too old (%s)", version, built);
        break;
    case SV_STATE_NO_DEVICE: snprintf(found.text, SVI_DETAIL, "driver %s finds no device (%s)", version, built); break;
    case SV_STATE_STUB_DRIVER:
        snprintf(found.text, SVI_DETAIL, "the toolkit's stub library stands in the driver's place (%s)", built);
        break;
    default:
        snprintf(found.text, SVI_DETAIL, "the driver fails with %s (%d), %s (%s)", svi_cuda_api.error_name(error),
                 (int)error, svi_cuda_api.error_text(error), built);
    }
}

static void find_cuda(void)
{
    int driver = 0, runtime = 0, count = 0;
    const bool versions =
        svi_cuda_api.driver_version(&driver) == cudaSuccess && svi_cuda_api.runtime_version(&runtime) == cudaSuccess;
    const cudaError_t error = svi_cuda_api.device_count(&count);

    if (error != cudaSuccess || !versions)
        svi_cuda_api.last_error();
    found.state = state_of(error, count, driver);
    found.count = found.state == SV_STATE_READY ? count : 0;
    describe_found(error, driver, runtime);
    if (found.state == SV_STATE_READY)
        install_handlers();
}

const struct svi_cuda_found *svi_cuda_find(void)
{
    static const struct svi_cuda_found after_fork = {SV_STATE_BROKEN, 0, "opened before this process was forked"};

    pthread_once(&once, find_cuda);
    return svi_cuda_is_forked() ? &after_fork : &found;
}

sv_status svi_cuda_check_ready(void)
{
    const struct svi_cuda_found *now = svi_cuda_find();

    if (now != &found)
        return svi_fail(SV_ERROR_FORKED, "CUDA: %s", now->text);
    if (now->state != SV_STATE_READY)
        return svi_fail(SV_ERROR_DEVICE, "CUDA: %s", now->text);
    if (svi_cuda_is_gone())
        return svi_fail(SV_ERROR_STATE, "CUDA: this process is exiting");
    return SV_OK;
}
