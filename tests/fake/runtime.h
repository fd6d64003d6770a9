/* The fake runtime's state, and what its files call of each other. All of it is guarded by the lock of call.c. */
#ifndef FAKE_RUNTIME_H
#define FAKE_RUNTIME_H

#include "fake/fake.h"

enum { MAX_STREAMS = 64, MAX_EVENTS = 4096, MAX_OPERATIONS = 4096, MAX_GRAVES = 1024 };

/* For each stream how many of its operations came before something. */
struct fake_clock {
    uint32_t at[MAX_STREAMS];
};

void fake_join(struct fake_clock *clock, const struct fake_clock *other);

/* --- memory --- */

enum fake_kind { HELD_DEVICE, HELD_PINNED, HELD_REGISTERED, HELD_MANAGED, HELD_ALIAS };

/* How many unfinished operations use a page. */
struct fake_users {
    uint16_t readers, writers;
    uint8_t how; /* the page's protection, 1 more: 0 is not known */
};

struct fake_pool;

/* An allocation; or, as HELD_ALIAS, another address of one for devices. */
struct fake_region {
    struct fake_region *next;
    enum fake_kind kind;
    int device;
    char *at;
    size_t nbytes;
    unsigned flags;
    struct fake_pool *pool;     /* it came from: allocated in the order of a stream */
    struct fake_region *whose;  /* whose bytes an alias has */
    struct fake_region *alias;  /* address for devices of registered memory, where it is another one */
    bool imported;              /* an alias that ipc_open made */
    bool freeing, dead, excused, captured;
    char *map;                  /* what was mapped for it; NULL: nothing */
    size_t map_nbytes;
    char *pages;                /* the first whole page */
    size_t npages;
    struct fake_users *users;   /* of each page */
    bool *discarded;            /* of each byte; NULL: none was */
};

struct fake_pool {
    struct fake_pool *next;
    struct cudaMemPoolProps properties;
    int device;                 /* whose default pool it is, or that was current */
    bool by_default, excused;
    uint64_t threshold, most, used, high;
    int reuse[3];
    enum cudaMemAccessFlags access[FAKE_DEVICES + 1]; /* the last is the host's */
};

/* --- work --- */

struct fake_span {
    uintptr_t from, to;
};

struct fake_spans {
    struct fake_span *at;
    size_t count, room;
};

struct fake_capture;

struct fake_stream {
    bool live, blocking, thread; /* thread: some thread's default stream */
    bool excused;                /* its end was made to fail */
    int device, number, owner;   /* owner: of the thread */
    uint64_t last;               /* operation; 0: none */
    struct fake_clock clock;
    struct fake_capture *capture;
};

struct fake_event {
    bool live, excused;
    int device, stream;
    uint64_t recorded; /* operation; 0: none */
    struct fake_clock clock;
    struct fake_capture *capture;
};

struct fake_operation {
    uint64_t number;  /* from 1 on, in the order of calls */
    const char *what; /* "a copy" */
    int stream, device;
    struct fake_clock clock;
    uint64_t after[MAX_STREAMS + 2];
    int nafter;
    struct fake_spans reads, writes;
    bool done, kernel, illegal;
    struct fake_capture *capture; /* it is a node of */
    void (*run)(struct fake_operation *o); /* NULL: nothing is to be done */
    void *held;                            /* freed with it, unless it is shared with a graph */
    void *arguments;
    const struct fake_kernels *kernels;
    const char *kernel_name;
    cudaLaunchConfig_t config;
    char *dst;
    const char *src;
    size_t dst_pitch, src_pitch, dst_plane, src_plane, width, height, depth, nbytes;
    int byte;
    struct fake_region *region;
};

struct fake_runtime {
    int64_t moved; /* bytes of copies since the last reset */
    struct fake_settings settings;
    unsigned generation, seed;
    bool running, unloading, protects, open_devices;
    long forker; /* the process that started it */
    int attributes[FAKE_DEVICES][256];
    bool peers[FAKE_DEVICES][FAKE_DEVICES], enabled[FAKE_DEVICES][FAKE_DEVICES];
    cudaError_t sticky;

    int counts[FAKE_ALL_CALLS], calls, fail_at, fail_call, fail_nth;
    cudaError_t failure;
    bool breaks; /* the failure stays */
    int drop_at, divert_at;  /* calls from now on; 0: none */
    bool drops, diverts;     /* this call */
    cudaStream_t elsewhere;  /* where it is diverted to */

    struct fake_region *regions, *graves;
    int ngraves;
    size_t used[FAKE_DEVICES], locked;
    struct fake_pool *pools;
    int kernels; /* unfinished, on devices that keep the host from managed memory meanwhile */

    struct fake_stream streams[MAX_STREAMS];
    uint32_t ticks[MAX_STREAMS];
    int next_stream, next_number;
    struct fake_event events[MAX_EVENTS];
    int next_event, most_events;
    struct fake_operation *operations[MAX_OPERATIONS]; /* unfinished, by their numbers */
    int noperations;
    uint64_t number;
    struct fake_clock host; /* what the host has waited for */
    struct fake_capture *captures;
};

extern struct fake_runtime fake;

/* What is of a thread. */
struct fake_thread {
    unsigned generation;
    int number, device;
    int pushed; /* 1 + the device of the context that cuCtxPushCurrent() made current; 0: none */
    cudaError_t last;
    enum cudaStreamCaptureMode mode;
    int depth; /* how often it has the lock */
};

struct fake_thread *fake_thread(void);

/* --- call.c: around every call --- */

/* Takes the lock, counts the call, and says whether it is to fail. The second logs it, with words of its arguments. */
cudaError_t fake_ask(int call);
cudaError_t fake_enter(int call, const char *format, ...) __attribute__((format(printf, 2, 3)));
cudaError_t fake_leave(cudaError_t error);
void fake_lock(void);
void fake_unlock(void);
void fake_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned fake_random(void);

#define ASK(entry) fake_ask(FAKE_CALL(entry))
#define ENTER(entry, ...) fake_enter(FAKE_CALL(entry), __VA_ARGS__)

/* --- plant.c: around every call, after it was counted --- */

/* what: the call, in words; NULL: as before. */
void fake_plant(int call, const char *what);
/* Whether the call that is being made is to do nothing; and the stream that it is to use. */
bool fake_is_dropped(void);
cudaStream_t fake_diverted(cudaStream_t stream);

/* --- pages.c --- */

void fake_start_pages(void);
void fake_end_pages(void);
void fake_protect(struct fake_region *r, size_t first, size_t count);
/* Counts what o does with pages: by is 1 or -1. */
void fake_use(const struct fake_operation *o, int by);
/* The bytes of what o touches can be accessed until they are shut. */
void fake_open(const struct fake_operation *o, bool open);

/* --- region.c --- */

struct fake_region *fake_new_region(enum fake_kind kind, size_t nbytes);
void fake_end_region(struct fake_region *r);
void fake_clear_graves(int left);
struct fake_region *fake_find(const void *pointer);
struct fake_region *fake_find_in(struct fake_region *list, const void *pointer);
/* An error and a fault when it is memory of the runtime and the bytes leave it, or were freed. */
cudaError_t fake_check(const void *pointer, size_t nbytes);
size_t fake_page(void);

/* --- operation.c --- */

/* An operation of a stream; what it touches and does is set before fake_give(). NULL when the stream is no stream. */
struct fake_operation *fake_new_operation(struct fake_stream *s, const char *what);
void fake_touch(struct fake_operation *o, const void *pointer, size_t nbytes, bool write);
cudaError_t fake_give(struct fake_operation *o);
void fake_perform(uint64_t number);
void fake_perform_all(int device); /* -1: of every device */
void fake_perform_one(uint64_t before); /* that comes before it or is it */
void fake_perform_some(void);
bool fake_is_done(uint64_t number);
/* The host knows that all of it is done. */
void fake_learn(const struct fake_clock *clock);
void fake_learn_all(int device);
void fake_drop(struct fake_operation *o);
/* An unfinished operation that touches it, or NULL. */
const struct fake_operation *fake_user(const struct fake_region *r, bool *writes);

/* --- race.c --- */

void fake_sort(struct fake_spans *spans);
bool fake_overlap(const struct fake_spans *a, const struct fake_spans *b);
void fake_look_for_races(const struct fake_operation *o);

/* --- pool.c and managed.c, for entry.c --- */

cudaError_t fake_default_pool(void **out, bool on_device, int device, bool managed);
/* device -1: to the host */
cudaError_t fake_prefetch(const void *pointer, size_t nbytes, int device, cudaStream_t stream);
/* Alone, and with a prefetch to a device. */
cudaError_t fake_discard(void *pointer, size_t nbytes, cudaStream_t stream);
cudaError_t fake_discard_to(void *pointer, size_t nbytes, int device, cudaStream_t stream);
/* Whether every device moves managed memory page by page. */
bool fake_all_move_pages(void);
/* Bytes that were discarded and not prefetched since are lost again. */
void fake_lose(const struct fake_spans *spans);

/* --- kernel.c --- */

/* Of an operation that another launch of a graph does, whose kernel tells what it touches. */
void fake_touch_again(struct fake_operation *o);

/* --- stream.c --- */

/* NULL, with a fault, when it is not alive. */
struct fake_stream *fake_find_stream(cudaStream_t handle);
const char *fake_stream_name(cudaStream_t handle);
bool fake_is_legacy(const struct fake_stream *s);
struct fake_event *fake_find_event(cudaEvent_t handle);

/* --- device.c --- */

void fake_start_devices(void);
void fake_start_pools(void);
void fake_end_pools(void);

/* --- capture.c --- */

/* Calls that may not be made while a stream is captured: the captures end, unless the thread may make them. */
cudaError_t fake_unsafe(void);
/* The capture is worth nothing any more. */
cudaError_t fake_spoil(struct fake_capture *c, cudaError_t error);
/* Whether the legacy stream would have to wait for a stream that is captured, which is an error. */
bool fake_is_blocking_capture(int device);
cudaError_t fake_add_node(struct fake_operation *o);
void fake_note_recorded(struct fake_event *e, const struct fake_stream *s);
cudaError_t fake_wait_captured(struct fake_stream *s, const struct fake_event *e);
void fake_end_captures(void);

/* --- the table --- */

#define FAKE_TABLE(X)                                                                                                \
    X(driver_version)                                                                                                 \
    X(runtime_version)                                                                                                \
    X(device_count)                                                                                                   \
    X(get_device)                                                                                                     \
    X(set_device)                                                                                                     \
    X(attribute)                                                                                                      \
    X(properties)                                                                                                     \
    X(memory_info)                                                                                                    \
    X(can_access_peer)                                                                                                \
    X(enable_peer)                                                                                                    \
    X(driver_entry)                                                                                                   \
    X(load)                                                                                                           \
    X(get_kernel)                                                                                                     \
    X(launch)                                                                                                         \
    X(copy)                                                                                                           \
    X(copy_rows)                                                                                                      \
    X(copy_planes)                                                                                                    \
    X(copy_peer)                                                                                                      \
    X(set)                                                                                                            \
    X(allocate)                                                                                                       \
    X(release)                                                                                                        \
    X(allocate_managed)                                                                                               \
    X(allocate_host)                                                                                                  \
    X(release_host)                                                                                                   \
    X(register_host)                                                                                                  \
    X(unregister_host)                                                                                                \
    X(pointer)                                                                                                        \
    X(prefetch)                                                                                                       \
    X(advise)                                                                                                         \
    X(default_pool)                                                                                                   \
    X(new_pool)                                                                                                       \
    X(end_pool)                                                                                                       \
    X(set_pool)                                                                                                       \
    X(get_pool)                                                                                                       \
    X(pool_access)                                                                                                    \
    X(set_pool_access)                                                                                                \
    X(allocate_from_pool)                                                                                             \
    X(release_async)                                                                                                  \
    X(ipc_get)                                                                                                        \
    X(ipc_open)                                                                                                       \
    X(ipc_close)                                                                                                      \
    X(new_stream)                                                                                                     \
    X(end_stream)                                                                                                     \
    X(synchronize)                                                                                                    \
    X(synchronize_device)                                                                                             \
    X(stream_query)                                                                                                   \
    X(stream_device)                                                                                                  \
    X(is_capturing)                                                                                                   \
    X(exchange_capture_mode)                                                                                          \
    X(new_event)                                                                                                      \
    X(record)                                                                                                         \
    X(wait)                                                                                                           \
    X(event_query)                                                                                                    \
    X(event_synchronize)                                                                                              \
    X(end_event)                                                                                                      \
    X(last_error)                                                                                                     \
    X(error_name)                                                                                                     \
    X(error_text)

/* The functions of the table have its types: cuda_allocate() is the entry allocate. */
#define FAKE_DECLARE(entry) __typeof__(*((struct svi_cuda_api *)NULL)->entry) cuda_##entry;
FAKE_TABLE(FAKE_DECLARE)

#endif
