/* Kernels: their names are looked up as the library asks, and what they do is another's to say. */
#include <string.h>

#include "fake/runtime.h"

enum { MAX_KERNELS = 512 };

static const struct fake_kernels *kernels = &fake_launched;
static const char *names[MAX_KERNELS]; /* those that were asked for: a handle is an address here */

void fake_use_kernels(const struct fake_kernels *other)
{
    kernels = other == NULL ? &fake_launched : other;
}

/* A fatbin begins like this. */
cudaError_t cuda_load(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options, void **jit_values,
                      unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count)
{
    const uint32_t magic = 0xba55ed50;
    cudaError_t error = ENTER(load, "%s", "");

    (void)jit_options, (void)jit_values, (void)options, (void)values;
    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error == cudaSuccess && (memcmp(code, &magic, sizeof magic) != 0 || jit_count + count > 0))
        error = cudaErrorInvalidKernelImage;
    if (error == cudaSuccess)
        *library = (cudaLibrary_t)(void *)names;
    return fake_leave(error);
}

static const char *find(const char *name)
{
    for (const char *const *known = kernels->names; *known != NULL; known++)
        if (strcmp(*known, name) == 0)
            return *known;
    return NULL;
}

cudaError_t cuda_get_kernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    cudaError_t error = ENTER(get_kernel, "%s", name);
    const char *known = error == cudaSuccess ? find(name) : NULL;
    int i = 0;

    if (error == cudaSuccess && (known == NULL || library != (cudaLibrary_t)(void *)names))
        error = cudaErrorSymbolNotFound;
    if (error != cudaSuccess)
        return fake_leave(error);
    while (i < MAX_KERNELS - 1 && names[i] != NULL && names[i] != known)
        i++;
    names[i] = known;
    *kernel = (cudaKernel_t)(void *)&names[i];
    return fake_leave(cudaSuccess);
}

/* --- what is at an address ---------------------------------------------------------------- */

bool fake_peek(void *with, const void *pointer, size_t nbytes, void *out)
{
    const struct fake_operation *o = with;
    struct fake_span span = {(uintptr_t)fake_bytes(pointer), (uintptr_t)fake_bytes(pointer) + nbytes};
    const struct fake_operation look = {.reads = {&span, 1, 1}};

    if (o->capture != NULL || fake_check(pointer, nbytes) != cudaSuccess)
        return false;
    for (int i = 0; i < o->nafter; i++)
        fake_perform(o->after[i]);
    fake_open(&look, true);
    memcpy(out, (const void *)span.from, nbytes);
    fake_open(&look, false);
    return true;
}

/* --- launch ----------------------------------------------------------------------------- */

static void touched(void *with, const void *memory, size_t nbytes, bool write)
{
    fake_touch(with, memory, nbytes, write);
}

void fake_touch_again(struct fake_operation *o)
{
    o->kernels->touch(o->kernel_name, &o->config, o->arguments, touched, o);
}

static void run(struct fake_operation *o)
{
    cudaError_t error = o->kernels->run(o->kernel_name, &o->config, o->arguments);

    if (error != cudaSuccess) {
        fake_fault("%s fails: %s", o->kernel_name, cudaGetErrorName(error));
        fake.sticky = error;
    }
}

/* A kernel runs on the device that is current, on one of its streams. */
static cudaError_t launch(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    const char *const *name = kernel;
    struct fake_stream *s = fake_find_stream(config->stream);
    const uint64_t threads = (uint64_t)config->blockDim.x * config->blockDim.y * config->blockDim.z;
    struct fake_operation *o;

    if (name < names || name >= names + MAX_KERNELS || *name == NULL)
        return cudaErrorInvalidDeviceFunction;
    if (s == NULL || s->device != fake_thread()->device)
        return cudaErrorInvalidResourceHandle;
    if (threads == 0 || threads > 1024 || config->gridDim.x == 0 || config->gridDim.y == 0 || config->gridDim.z == 0)
        return cudaErrorInvalidConfiguration;
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    o = fake_new_operation(s, "a kernel");
    o->kernel = true;
    o->run = run;
    o->kernels = kernels;
    o->kernel_name = *name;
    o->config = *config;
    o->held = o->arguments = kernels->take(*name, config, arguments, touched, o);
    return fake_give(o);
}

cudaError_t cuda_launch(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    cudaError_t error = ENTER(launch, "%s", fake_stream_name(config->stream));

    return fake_leave(error == cudaSuccess ? launch(config, kernel, arguments) : error);
}
