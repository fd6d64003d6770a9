/* Start and end: the table is filled, and at the end nothing is to be left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "gpu/ring.h"
#include "fake/runtime.h"
#include "gpu/cuda/calls_cuda.h"
#include "gpu/cuda/scratch_pool.h"

struct fake_runtime fake;

#define FILL(entry) .entry = cuda_##entry,
static const struct svi_cuda_api table = {FAKE_TABLE(FILL)};

/* --- start -------------------------------------------------------------------- */

static void clear(void)
{
    memset(fake.streams, 0, sizeof fake.streams);
    memset(fake.ticks, 0, sizeof fake.ticks);
    memset(fake.events, 0, (size_t)fake.most_events * sizeof *fake.events);
    memset(fake.enabled, 0, sizeof fake.enabled);
    memset(fake.counts, 0, sizeof fake.counts);
    memset(fake.used, 0, sizeof fake.used);
    memset(&fake.host, 0, sizeof fake.host);
    fake.sticky = cudaSuccess;
    fake.calls = fake.fail_at = fake.fail_nth = 0;
    fake_drop_order(0);
    fake_divert_work(0, NULL);
    fake.locked = 0;
    fake.kernels = 0;
    fake.next_event = fake.most_events = 0;
    fake.next_stream = fake.next_number = 0;
    fake.unloading = false;
}

/* The default streams of devices are their first streams. */
static void start_streams(void)
{
    for (int device = 0; device < fake.settings.devices; device++)
        fake.streams[device] = (struct fake_stream){.live = true, .device = device};
    fake.next_stream = fake.settings.devices;
}

static void take(const struct fake_settings *settings)
{
    struct fake_settings *s = &fake.settings;

    *s = *settings;
    s->devices = s->devices == 0 ? 2 : s->devices == FAKE_NO_DEVICE ? 0 : s->devices;
    s->device_memory = s->device_memory == 0 ? (size_t)256 << 20 : s->device_memory;
    s->host_memory = s->host_memory == 0 ? (size_t)256 << 20 : s->host_memory;
    s->driver = s->driver == 0 ? CUDART_VERSION : s->driver;
    s->runtime = s->runtime == 0 ? CUDART_VERSION : s->runtime;
    fake.seed = s->seed;
}

void fake_start_with(const struct fake_settings *settings)
{
    if (fake.running)
        fake_end();
    fake_lock();
    clear();
    take(settings);
    fake.generation++;
    fake.forker = getpid();
    fake.running = true;
    start_streams();
    fake_start_pages();
    fake_start_devices();
    fake_start_pools();
    svi_cuda_api = table;
    fake_unlock();
    fake_reset();
    fake_forgive();
}

void fake_start(enum fake_policy policy, unsigned seed)
{
    const struct fake_settings settings = {.policy = policy, .seed = seed};

    fake_start_with(&settings);
}

/* --- end ---------------------------------------------------------------------- */

static const char *const kinds[] = {"device", "pinned", "registered", "managed", "imported"};

static void end_memory(void)
{
    while (fake.regions != NULL) {
        struct fake_region *r = fake.regions;

        if (!r->excused && (r->kind != HELD_ALIAS || r->imported))
            fake_fault("%s memory is alive: %zu bytes of device %d", kinds[r->kind], r->nbytes, r->device);
        fake_end_region(r);
    }
}

static void end_handles(void)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (fake.streams[i].live && fake.streams[i].number > 0 && !fake.streams[i].excused)
            fake_fault("stream s%d is alive", fake.streams[i].number);
    for (int i = 0; i < fake.most_events; i++)
        if (fake.events[i].live && !fake.events[i].excused)
            fake_fault("an event of device %d is alive", fake.events[i].device);
}

static void end_thread(void)
{
    const struct fake_thread *thread = fake_thread();

    if (thread->last != cudaSuccess)
        fake_fault("an error is pending: %s", cudaGetErrorName(thread->last));
    if (thread->device != 0)
        fake_fault("the thread's device is %d", thread->device);
    if (thread->mode != cudaStreamCaptureModeGlobal)
        fake_fault("the thread's capture mode is %d", (int)thread->mode);
}

void fake_excuse(void)
{
    fake_lock();
    for (struct fake_region *r = fake.regions; r != NULL; r = r->next)
        r->excused = true;
    for (int i = 0; i < fake.most_events; i++)
        fake.events[i].excused = true;
    for (struct fake_pool *p = fake.pools; p != NULL; p = p->next)
        p->excused = true;
    fake_unlock();
}

/* What libsv keeps for its next copies is no leak. */
static void end_staging(void)
{
    fake_unlock();
    fake_fail(0, cudaSuccess);
    svi_gpu_ring_trim(&svi_cuda_calls);
    svi_cuda_scratch_trim();
    fake_lock();
}

const char *fake_end(void)
{
    fake_lock();
    if (!fake.running) {
        fake_unlock();
        return fake_text();
    }
    fake_end_captures();
    fake_perform_all(-1);
    fake_learn_all(-1);
    end_staging();
    end_memory();
    end_handles();
    fake_end_pools();
    end_thread();
    fake_end_pages();
    fake.running = false;
    fake.unloading = true;
    fake.generation++;
    fake_unlock();
    return fake_text();
}
