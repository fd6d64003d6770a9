/*
 * A CUDA runtime made of host memory, for tests. fake_start() puts it under libsv; fake_end() says what went wrong.
 *
 *     fake_start(FAKE_LAZY, 1);
 *     ... calls of libsv, or of svi_cuda_api itself ...
 *     cr_assert_str_eq(fake_end(), "");
 *
 * Work that is given to streams is deferred: FAKE_EAGER does it at the call, FAKE_LAZY does what a wait of the host
 * needs and no more, FAKE_RANDOM does a little of what is ready at each call, as the seed says. There is no thread and
 * no clock, so that a run can be repeated.
 *
 * These are faults, whatever the policy, each a line of fake_end()'s text:
 * - two operations touch the same bytes, one of them writes, and nothing orders them (vector clocks find it at the
 *   call, so any policy does). Stream-ordered allocations and frees count as writing all of their memory;
 * - the host touches device memory, memory that was freed, or pinned, registered or managed memory that an operation
 *   uses which the host has not waited for (by page protection; the access itself then goes on);
 * - memory is freed while such an operation uses it, freed twice, or used after it was freed;
 * - a handle is used that is not alive; a process that was forked calls the runtime;
 * - something is alive at the end: memory, pools, events, streams of the test, captures; an error is left pending.
 *
 * No fault, but wrong bytes: what is written to managed memory after a discard is lost, until it is prefetched.
 *
 * svi_cuda_find() asks for the devices once in a process, so one process sees one number of devices. Tests that need
 * others fork, as each test under Criterion does.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/cuda/api.h"

/* The Python package that is linked with it exports these functions, for ctypes. */
#pragma GCC visibility push(default)

/* --- start and end -------------------------------------------------------- */

enum fake_policy { FAKE_EAGER, FAKE_LAZY, FAKE_RANDOM, FAKE_POLICIES };

enum { FAKE_DEVICES = 8, FAKE_NO_DEVICE = -1, FAKE_NO_DRIVER = -1 };

/* Zeros are defaults. */
struct fake_settings {
    enum fake_policy policy;
    unsigned seed;
    int devices;          /* up to FAKE_DEVICES; 2 */
    size_t device_memory; /* bytes that each device has; 256 MiB */
    size_t host_memory;   /* bytes that can be page-locked; 256 MiB */
    int driver, runtime;  /* versions; those of the toolkit */
    bool vague_pools;     /* memory of pools on the host is said to be a device's, until its pool is asked */
    cudaError_t counting; /* what device_count answers, and with an error every other call of devices too */
};

void fake_start(enum fake_policy policy, unsigned seed);
void fake_start_with(const struct fake_settings *settings);

/* Does what is left to do. "" or lines of what went wrong, which stay until the next start. The runtime is then empty,
 * and answers as one that is unloading: cudaErrorCudartUnloading. */
const char *fake_end(void);

/* The faults until now, without an end, and how many. fake_forgive() forgets those that a test has looked at. */
const char *fake_text(void);
int fake_faults(void);
void fake_forgive(void);

/* --- what the machine is like --------------------------------------------- */

/* Of one device, or of all with device -1. A discrete GPU with everything that toolkit has is the default: see
 * device.c. cudaDevAttrPageableMemoryAccess 1 is HMM; cudaDevAttrCanUseHostPointerForRegisteredMem 0 gives registered
 * memory another address for devices; cudaDevAttrConcurrentManagedAccess 0 keeps the host from managed memory while a
 * kernel may run. */
void fake_set_attribute(int device, enum cudaDeviceAttr attribute, int value);

/* Whether device can access memory of peer; all can at first, and none does before enable_peer. */
void fake_set_peer(int device, int peer, bool can);

/* Handles for other processes can be opened by another process alone: a test says that it counts as one. */
void fake_be_another_process(bool another);

/* From now on the host may touch memory of devices as it touches pinned memory, as an MPI does that knows devices; or,
 * as at the start, it may not. */
void fake_open_devices(bool open);

/* Whether page protection works here. Where it does not, accesses of the host are not seen. */
bool fake_protects(void);

/* --- what a caller of libsv has of the runtime ------------------------------ */

/* flags: cudaStreamDefault, which the legacy stream waits for and which waits for it, or cudaStreamNonBlocking.
 * Destroyed streams finish what they were given. */
cudaStream_t fake_new_stream(int device, unsigned flags);
void fake_end_stream(cudaStream_t stream);

/* What follows is captured, not done, until the end, which gives the operations in the order of the calls. They can be
 * given to a stream again, as often as one likes. NULL for graph: they are thrown away. */
struct fake_graph;
cudaError_t fake_begin_capture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t fake_end_capture(cudaStream_t stream, struct fake_graph **graph);
const char *fake_graph_text(const struct fake_graph *graph); /* "a copy; a kernel; " */
void fake_launch_graph(struct fake_graph *graph, cudaStream_t stream);
void fake_end_graph(struct fake_graph *graph);

/* Writes and reads memory of any kind as a blocking copy would, after all work that was given to it. The first two
 * are accesses of nobody: they neither race nor fault. */
void fake_write(void *memory, const void *bytes, size_t nbytes);
void fake_read(void *bytes, const void *memory, size_t nbytes);

/* Memory that a test has: of a device, pinned (cudaMemoryTypeHost) or managed. Aborts when there is none. These are not
 * calls that are counted, and the free is not one of a stream: fake_free() waits for everything. */
void *fake_allocate(enum cudaMemoryType type, int device, size_t nbytes);
void fake_free(void *memory);

/* --- kernels ----------------------------------------------------------------- */

/* What runs kernels. take copies the arguments and tells each range that the kernel will touch; run is called when the
 * operation is done, with every such range open; what take gives is freed with free(). touch may be called often. */
typedef void fake_touched(void *with, const void *memory, size_t nbytes, bool write);

struct fake_kernels {
    void *(*take)(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with);
    cudaError_t (*run)(const char *name, const cudaLaunchConfig_t *config, void *taken);
    const char *const *names; /* the last is NULL */

    /* Tells again what is touched, for each launch of a graph; NULL: what take told holds for all of them. */
    void (*touch)(const char *name, const cudaLaunchConfig_t *config, void *taken, fake_touched *touched, void *with);
};

/* What a kernel will find at an address when its turn comes, for take and touch, whose with it is given: all is done
 * that comes before. False: the launch is captured, so it is not known. */
bool fake_peek(void *with, const void *pointer, size_t nbytes, void *out);

/* launched.c: the kernels that are in the library; the default. */
extern const struct fake_kernels fake_launched;
void fake_use_kernels(const struct fake_kernels *kernels);

/* Where bytes are that a kernel knows by an address of devices: another place for imported memory, and for registered
 * memory with an address of its own. */
char *fake_bytes(const void *pointer);

/* --- failure --------------------------------------------------------------- */

/* The nth call from now fails with error and does nothing; 0: none. The second counts calls of one entry of the
 * table, as in fake_fail_call(FAKE_CALL(allocate), 1, cudaErrorMemoryAllocation). last_error, error_name and error_text
 * cannot fail and are not counted. */
void fake_fail(int nth, cudaError_t error);
void fake_fail_call(int call, int nth, cudaError_t error);

/* From now on every call fails with it, as after an illegal address. The second: from the nth call on. */
void fake_break(cudaError_t error);
void fake_break_at(int nth, cudaError_t error);

/* Every call fails as in a process that exits. */
void fake_unload(void);

/* --- planted bugs ------------------------------------------------------------ */

/* The nth call from now that orders work does nothing and answers success: an event's record or wait, a wait of the
 * host for an event or a stream, or a question whether they are done. 0: none. */
void fake_drop_order(int nth);

/* The nth call from now that gives a stream work, its end of memory included, gives it to another stream. 0: none. */
void fake_divert_work(int nth, cudaStream_t other);

/* The call that the last bug was planted in, as "wait s2"; "" as long as it was not made. */
const char *fake_planted(void);

/* --- failing each call ---------------------------------------------------------- */

/* Something that must survive the failure of every call it makes. */
struct fake_trial {
    void (*prepare)(void *with);                /* makes what it needs; NULL: nothing */
    sv_status (*run)(void *with);               /* the calls that fail in turn are those made here */
    void (*clean)(void *with, sv_status status); /* ends what there is now; nothing fails here */
    void *with;
    int64_t (*lost)(void *with); /* allocations that were given up and counted since prepare; NULL: none ever */
    const char *silent; /* names of calls whose failure need not be told: "end_event driver_entry"; NULL: of none */
    cudaError_t error;  /* what calls fail with; 0: cudaErrorUnknown */
    bool stays;         /* and all calls after it, too: then only what was tried to be freed may be left */
};

/* Runs the trial once for each call it makes, from a new start each time. After each round nothing is leaked, pending
 * or raced, the thread has its device and its capture mode, and a failure was told by a status. Returns "" or what was
 * wrong; rounds, if not NULL, gets the number of failures. Call svi_cuda_find() before, as this does. */
const char *fake_fail_each(const struct fake_trial *trial, const struct fake_settings *settings, int *rounds);

/* Calls that were made since the process began and never failed by order: "set_pool get_pool ". */
const char *fake_never_failed(void);

/* --- what was called -------------------------------------------------------- */

/* An entry of the table, as a number. */
#define FAKE_CALL(entry) ((int)(offsetof(struct svi_cuda_api, entry) / sizeof(void (*)(void))))

/* Functions of the driver that driver_entry gives have numbers of their own. */
enum {
    FAKE_CALLS = sizeof(struct svi_cuda_api) / sizeof(void (*)(void)),
    FAKE_POINTER_ATTRIBUTE = FAKE_CALLS, /* cuPointerGetAttribute */
    FAKE_DEFAULT_POOL,                   /* cuMemGetDefaultMemPool */
    FAKE_PREFETCH_BATCH,                 /* cuMemPrefetchBatchAsync */
    FAKE_DISCARD_BATCH,                  /* cuMemDiscardBatchAsync */
    FAKE_DISCARD_TO_BATCH,               /* cuMemDiscardAndPrefetchBatchAsync */
    FAKE_ADDRESS_RANGE,                  /* cuMemGetAddressRange */
    FAKE_STREAM_CONTEXT,                 /* cuStreamGetCtx */
    FAKE_CONTEXT,                        /* cuCtxPushCurrent, cuCtxPopCurrent, cuCtxGetDevice */
    FAKE_CAPTURE_INFO,                   /* cuStreamGetCaptureInfo */
    FAKE_ALL_CALLS
};

const char *fake_call_name(int call);

/* Calls since the start or the last fake_reset(): of one entry, of all that can fail. */
int fake_count(int call);
int fake_calls(void);

/* Calls that do something, in order, each after the device that was current: "1:record s5; ". Created streams are
 * numbered from s1 in the order of their creation; the default streams are legacy and thread. */
const char *fake_log(void);

/* Bytes that copies of the runtime were asked to move since the start or the last fake_reset(). */
int64_t fake_moved(void);

/* Counts and the log begin anew, and no call is to fail. */
void fake_reset(void);

/* The thread's error as last_error would give it, which stays; and its device. */
cudaError_t fake_pending(void);
int fake_current(void);
void fake_set_current(int device);

/* Whether a call of this entry has been made to fail since the process began, and which one was the last. */
bool fake_seen_failing(int call);
int fake_failed_call(void);

/* Allocations that are alive, but those whose release was made to fail. */
int fake_live_memory(void);

/* Bytes of pinned memory that are alive. */
size_t fake_pinned_bytes(void);
int fake_live_events(void);

/* What is alive is not to be told at the end: it was given up. */
void fake_excuse(void);

/* Operations that the host has not waited for. */
int fake_unfinished(void);

#pragma GCC visibility pop

#endif
