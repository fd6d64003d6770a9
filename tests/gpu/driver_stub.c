/*
 * The functions of the CUDA driver that machine.py calls, on memory of the host, for test_driver.py. The prototypes are
 * those of the toolkit's cuda.h, so that a wrong idea of them does not compile. Work is done at the call, a capture
 * keeps its last copy, and each call is noted by name.
 */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

enum { NO_CAPTURE, CAPTURING };

static char text[4096];
static int captures = NO_CAPTURE;
static struct copy {
    CUdeviceptr dst, src;
    size_t nbytes;
} kept;

#define STREAM ((CUstream)(uintptr_t)0x100000001)   /* more than 32 bits */
#define CONTEXT ((CUcontext)(uintptr_t)0x200000002)
#define EVENT ((CUevent)(uintptr_t)0x300000003)
#define MODULE ((CUmodule)(uintptr_t)0x400000004)
#define FUNCTION ((CUfunction)(uintptr_t)0x500000005)
#define GRAPH ((CUgraph)(uintptr_t)0x600000006)
#define BLOCK ((void *)(uintptr_t)0x800000008)
#define RUNNABLE ((CUgraphExec)(uintptr_t)0x700000007)

/* What was called, as "cuInit cuDeviceGet "; the text begins anew. */
const char *stub_log(void);
const char *stub_log(void)
{
    static char last[sizeof text];

    memcpy(last, text, sizeof text);
    text[0] = '\0';
    return last;
}

/* The call by its name; an argument that is not what it must be is CUDA_ERROR_INVALID_VALUE. */
static CUresult told(const char *name, int right)
{
    const size_t used = strlen(text);

    snprintf(text + used, sizeof text - used, "%s ", name);
    return right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#define TELL(right) told(__func__, (right))

CUresult cuInit(unsigned flags)
{
    return TELL(flags == 0);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = 40 + ordinal;
    return TELL(1);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = CONTEXT;
    return TELL(device >= 40);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    return TELL(context == CONTEXT);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    snprintf(name, (size_t)length, "device %d", device);
    return TELL(1);
}

CUresult cuGetErrorString(CUresult error, const char **words)
{
    *words = error == CUDA_ERROR_INVALID_VALUE ? "invalid argument" : "another error";
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    *event = EVENT;
    return TELL(flags == 0);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return TELL(event == EVENT && stream == STREAM);
}

CUresult cuEventSynchronize(CUevent event)
{
    return TELL(event == EVENT);
}

/* Drivers since 12.8 have a second version, and the first as well. */
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end);
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    *milliseconds = 3;
    return TELL(begin == EVENT && end == EVENT);
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    *stream = STREAM;
    return TELL(flags == CU_STREAM_NON_BLOCKING);
}

CUresult cuStreamDestroy(CUstream stream)
{
    return TELL(stream == STREAM);
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return TELL(stream == STREAM);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t nbytes, CUstream stream)
{
    kept = (struct copy){dst, src, nbytes};
    if (captures == NO_CAPTURE)
        memcpy((void *)(uintptr_t)dst, (void *)(uintptr_t)src, nbytes);
    return TELL(stream == STREAM);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *p, CUstream stream)
{
    for (size_t row = 0; row < p->Height; row++)
        memcpy((char *)(uintptr_t)p->dstDevice + row * p->dstPitch, (char *)(uintptr_t)p->srcDevice + row * p->srcPitch,
               p->WidthInBytes);
    return TELL(stream == STREAM && p->dstMemoryType == CU_MEMORYTYPE_UNIFIED &&
                p->srcMemoryType == CU_MEMORYTYPE_UNIFIED && p->dstXInBytes == 0 && p->dstY == 0 &&
                p->srcXInBytes == 0 && p->srcY == 0);
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char byte, size_t nbytes, CUstream stream)
{
    memset((void *)(uintptr_t)dst, byte, nbytes);
    return TELL(stream == STREAM);
}

CUresult cuMemAllocHost(void **block, size_t nbytes)
{
    *block = BLOCK;
    return TELL(nbytes == 1 << 20);
}

CUresult cuMemFreeHost(void *block)
{
    return TELL(block == BLOCK);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    *module = MODULE;
    return TELL(strstr(image, ".entry nothing()") != NULL);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    *function = FUNCTION;
    return TELL(module == MODULE && strcmp(name, "nothing") == 0);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **arguments,
                        void **extra)
{
    return TELL(function == FUNCTION && grid_x * grid_y * grid_z == 1 && block_x == 256 && block_y * block_z == 1 &&
                shared == 0 && stream == STREAM && arguments == NULL && extra == NULL);
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    captures = CAPTURING;
    return TELL(stream == STREAM && mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    captures = NO_CAPTURE;
    *graph = GRAPH;
    return TELL(stream == STREAM);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *run, CUgraph graph, unsigned long long flags)
{
    *run = RUNNABLE;
    return TELL(graph == GRAPH && flags == 0);
}

CUresult cuGraphLaunch(CUgraphExec run, CUstream stream)
{
    memcpy((void *)(uintptr_t)kept.dst, (void *)(uintptr_t)kept.src, kept.nbytes);
    return TELL(run == RUNNABLE && stream == STREAM);
}

CUresult cuGraphDestroy(CUgraph graph)
{
    return TELL(graph == GRAPH);
}

CUresult cuGraphExecDestroy(CUgraphExec run)
{
    return TELL(run == RUNNABLE);
}
