/* Whether there are CUDA devices, and if not, why: asked once in a process. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "cuda/api.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct svi_cuda_found found;
static pid_t found_by; /* CUDA does not survive fork() */

/* Without a driver the runtime says the same as with one that is too old; the driver's version tells which. */
static sv_device_state state_of(cudaError_t error, int count, int driver)
{
    switch (error) {
    case cudaSuccess:
        return count > 0 ? SV_STATE_READY : SV_STATE_NO_DEVICE;
    case cudaErrorNoDevice:
        return SV_STATE_NO_DEVICE;
    case cudaErrorInsufficientDriver:
        return driver == 0 ? SV_STATE_NO_DRIVER : SV_STATE_DRIVER_TOO_OLD;
    case cudaErrorStubLibrary:
        return SV_STATE_STUB_DRIVER;
    default:
        return SV_STATE_BROKEN;
    }
}

static void describe(cudaError_t error, int driver, int runtime)
{
    char built[64], version[32];

    snprintf(built, sizeof built, "libsv was built with runtime %d.%d", runtime / 1000, runtime % 1000 / 10);
    snprintf(version, sizeof version, "%d.%d", driver / 1000, driver % 1000 / 10);
    switch (found.state) {
    case SV_STATE_READY:
        snprintf(found.text, SVI_DETAIL, "%d device%s, driver %s (%s)", (int)found.count, found.count == 1 ? "" : "s",
                 version, built);
        break;
    case SV_STATE_NO_DRIVER:
        snprintf(found.text, SVI_DETAIL, "no driver is installed (%s)", built);
        break;
    case SV_STATE_DRIVER_TOO_OLD:
        snprintf(found.text, SVI_DETAIL, "the driver, %s, is too old (%s)", version, built);
        break;
    case SV_STATE_NO_DEVICE:
        snprintf(found.text, SVI_DETAIL, "driver %s finds no device (%s)", version, built);
        break;
    case SV_STATE_STUB_DRIVER:
        snprintf(found.text, SVI_DETAIL, "the toolkit's stub library stands in the driver's place (%s)", built);
        break;
    default:
        snprintf(found.text, SVI_DETAIL, "the driver fails with %s (%d), %s (%s)", svi_cuda_api.error_name(error),
                 (int)error, svi_cuda_api.error_text(error), built);
    }
}

static void find(void)
{
    int driver = 0, runtime = 0, count = 0;
    cudaError_t error;

    svi_cuda_api.driver_version(&driver);
    svi_cuda_api.runtime_version(&runtime);
    error = svi_cuda_api.device_count(&count);
    if (error != cudaSuccess)
        svi_cuda_api.last_error();
    found.state = state_of(error, count, driver);
    found.count = found.state == SV_STATE_READY ? count : 0;
    describe(error, driver, runtime);
    found_by = getpid();
}

const struct svi_cuda_found *svi_cuda_find(void)
{
    static const struct svi_cuda_found forked = {SV_STATE_BROKEN, 0,
                                                 "opened before this process was forked"};

    pthread_once(&once, find);
    return found.state == SV_STATE_READY && found_by != getpid() ? &forked : &found;
}

sv_status svi_cuda_check_ready(void)
{
    const struct svi_cuda_found *now = svi_cuda_find();

    if (now != &found)
        return svi_fail(SV_ERROR_FORKED, "CUDA: %s", now->text);
    if (now->state != SV_STATE_READY)
        return svi_fail(SV_ERROR_DEVICE, "CUDA: %s", now->text);
    return SV_OK;
}
