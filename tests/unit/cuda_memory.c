/* What the CUDA backend does for memory, over the fake runtime: each operation, and each call of it failing once. */
#include <sys/wait.h>
#include <unistd.h>

#include "backends.h"
#include "unit/fake_cuda.h"

TestSuite(cuda_memory, .init = start);

#define OPS (svi_cuda.memory)

enum { DEVICE = 1, BYTES = 64, STREAM = 110 /* of that device */, CAPTURED = 120 };

/* --- operations, each on what was made for it ------------------------------------ */

static char cells[BYTES];
static void *pointer, *event;
static uintptr_t pool;
static struct svi_pointer answered;

static void make_block(void)
{
    cr_assert_eq(OPS->allocate(SV_MEMORY_DEVICE, DEVICE, BYTES, &pointer), SV_OK);
}

static void make_pinned(void)
{
    cr_assert_eq(OPS->allocate(SV_MEMORY_PINNED, DEVICE, BYTES, &pointer), SV_OK);
}

static void make_pool(void)
{
    const struct svi_pool_request request = {SV_MEMORY_DEVICE, DEVICE, 0, 0, 0};

    cr_assert_eq(OPS->new_pool(&request, &pool), SV_OK);
}

static void make_pool_block(void)
{
    make_pool();
    cr_assert_eq(OPS->allocate_from_pool(DEVICE, pool, BYTES, STREAM, &pointer), SV_OK);
}

static void make_locked(void)
{
    cr_assert_eq(OPS->enroll(cells, BYTES, &pointer), SV_OK);
}

static void make_event(void)
{
    cr_assert_eq(OPS->record(DEVICE, STREAM, &event), SV_OK);
}

static void make_mapping(void)
{
    unsigned char handle[SVI_IPC_HANDLE] = {1};

    cr_assert_eq(OPS->ipc_open(DEVICE, handle, &pointer), SV_OK);
}

static void look_like_a_device(void)
{
    fake.attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, DEVICE, cells, NULL, {0}};
    fake.pool_of_pointer = (cudaMemPool_t)(uintptr_t)4096;
}

static sv_status allocate_device_memory(void)
{
    return OPS->allocate(SV_MEMORY_DEVICE, DEVICE, BYTES, &pointer);
}

static sv_status allocate_pinned_memory(void)
{
    return OPS->allocate(SV_MEMORY_PINNED, DEVICE, BYTES, &pointer);
}

static sv_status allocate_managed_memory(void)
{
    return OPS->allocate(SV_MEMORY_MANAGED, DEVICE, BYTES, &pointer);
}

static sv_status free_device_memory(void)
{
    return OPS->free(SV_MEMORY_DEVICE, DEVICE, pointer);
}

static sv_status free_pinned_memory(void)
{
    return OPS->free(SV_MEMORY_PINNED, DEVICE, pointer);
}

static sv_status enroll(void)
{
    return OPS->enroll(cells, BYTES, &pointer);
}

static sv_status withdraw(void)
{
    return OPS->withdraw(cells);
}

static sv_status new_device_pool(void)
{
    const struct svi_pool_request request = {SV_MEMORY_DEVICE, DEVICE, 4096, 8192, 65536};

    return OPS->new_pool(&request, &pool);
}

static sv_status new_pinned_pool(void)
{
    const struct svi_pool_request request = {SV_MEMORY_PINNED, DEVICE, 0, 0, 0};

    return OPS->new_pool(&request, &pool);
}

static sv_status new_managed_pool(void)
{
    const struct svi_pool_request request = {SV_MEMORY_MANAGED, DEVICE, 0, 0, 0};

    return OPS->new_pool(&request, &pool);
}

static sv_status default_device_pool(void)
{
    return OPS->default_pool(SV_MEMORY_DEVICE, DEVICE, &pool);
}

static sv_status default_pinned_pool(void)
{
    return OPS->default_pool(SV_MEMORY_PINNED, DEVICE, &pool);
}

static sv_status default_managed_pool(void)
{
    return OPS->default_pool(SV_MEMORY_MANAGED, DEVICE, &pool);
}

static sv_status end_a_pool(void)
{
    return OPS->end_pool(DEVICE, pool);
}

static sv_status allocate_in_order(void)
{
    return OPS->allocate_from_pool(DEVICE, pool, BYTES, STREAM, &pointer);
}

static sv_status free_in_order(void)
{
    return OPS->free_in_order(DEVICE, pointer, STREAM);
}

static sv_status query(void)
{
    return OPS->query(cells, &answered);
}

static sv_status record_use(void)
{
    return OPS->record(DEVICE, STREAM, &event);
}

static sv_status is_done(void)
{
    bool done = false;
    sv_status status = OPS->is_done(event, &done);

    cr_assert_eq(done, status == SV_OK);
    return status;
}

static sv_status wait_for_event(void)
{
    return OPS->wait(event);
}

static sv_status order(void)
{
    return OPS->order(DEVICE, STREAM, event);
}

static sv_status end_an_event(void)
{
    OPS->end_event(event);
    return SV_OK;
}

static sv_status set(void)
{
    return OPS->set(DEVICE, cells, 7, BYTES, STREAM);
}

static const struct svi_span spans[] = {{cells, 16}, {cells + 16, 32}};

static sv_status prefetch_one(void)
{
    return OPS->prefetch(1, spans, (struct svi_device){SV_DEVICE_CUDA, DEVICE}, 0);
}

static sv_status prefetch_to_host(void)
{
    return OPS->prefetch(1, spans, svi_cpu, 0);
}

static sv_status prefetch_all(void)
{
    return OPS->prefetch(2, spans, (struct svi_device){SV_DEVICE_CUDA, DEVICE}, STREAM);
}

static sv_status discard(void)
{
    return OPS->discard(2, spans, DEVICE, STREAM);
}

static sv_status advise(void)
{
    return OPS->advise(spans[1], SV_ADVICE_PREFER, (struct svi_device){SV_DEVICE_CUDA, DEVICE});
}

static sv_status identify(void)
{
    unsigned char uuid[SVI_UUID];

    return OPS->identify(DEVICE, uuid);
}

static sv_status ipc_export(void)
{
    unsigned char handle[SVI_IPC_HANDLE];

    return OPS->ipc_export(DEVICE, cells, handle);
}

static sv_status ipc_open_handle(void)
{
    unsigned char handle[SVI_IPC_HANDLE] = {1};

    return OPS->ipc_open(DEVICE, handle, &pointer);
}

static sv_status ipc_close_mapping(void)
{
    return OPS->ipc_close(DEVICE, pointer);
}

static sv_status free_bytes(void)
{
    int64_t value;

    return OPS->property(DEVICE, SV_PROPERTY_MEMORY_FREE, &value);
}

static sv_status managed_pools(void)
{
    int64_t value;

    return OPS->property(DEVICE, SV_PROPERTY_MANAGED_POOLS, &value);
}

static sv_status capability(void)
{
    int64_t value;

    return OPS->property(DEVICE, SV_PROPERTY_COMPUTE_CAPABILITY, &value);
}

/* What each does is logged after the number of the current device, which is 0 before and after. */
static const struct {
    const char *name;
    void (*make)(void);
    sv_status (*run)(void);
    const char *log;
    enum { MAKES, USES, FREES } role; /* after a failure: nothing is left, or what was there before */
} operations[] = {
    {"allocate device", NULL, allocate_device_memory, "1:allocate 64; ", MAKES},
    {"allocate pinned", NULL, allocate_pinned_memory, "1:pinned 64; ", MAKES},
    {"allocate managed", NULL, allocate_managed_memory, "1:managed 64; ", MAKES},
    {"free device", make_block, free_device_memory, "1:release 0; ", FREES},
    {"free pinned", make_pinned, free_pinned_memory, "1:release pinned 0; ", FREES},
    {"enroll", NULL, enroll, "", MAKES},
    {"withdraw", make_locked, withdraw, "", FREES},
    {"new pool", NULL, new_device_pool,
     "1:pool 1 at 1:1 up to 65536; 1:threshold 8192; 1:on 2; 1:from pool 4096; 1:on 2; 1:free in order 0; ", MAKES},
    {"new pinned pool", NULL, new_pinned_pool,
     "1:pool 1 at 2:0 up to 0; 1:threshold 0; 1:access of 0; 1:access of 1; ", MAKES},
    {"new managed pool", NULL, new_managed_pool, "1:pool 2 at 1:1 up to 0; 1:threshold 0; ", MAKES},
    {"default pool", NULL, default_device_pool, "", MAKES},
    {"default pinned pool", NULL, default_pinned_pool, "1:access of 0; 1:access of 1; ", MAKES},
    {"default managed pool", NULL, default_managed_pool, "", MAKES},
    {"end pool", make_pool, end_a_pool, "", FREES},
    {"allocate in order", make_pool, allocate_in_order, "1:on 110; 1:from pool 64; ", USES},
    {"free in order", make_pool_block, free_in_order, "1:on 110; 1:free in order 0; ", FREES},
    {"query", look_like_a_device, query, "", MAKES},
    {"record", NULL, record_use, "1:event 7; 1:record 110; ", MAKES},
    {"is done", make_event, is_done, "", USES},
    {"wait", make_event, wait_for_event, "0:wait for event 7; ", USES},
    {"order", make_event, order, "1:wait 110; ", USES},
    {"end event", make_event, end_an_event, "0:end 7; ", FREES},
    {"set", NULL, set, "1:set 110; ", MAKES},
    {"prefetch one", NULL, prefetch_one, "1:prefetch 16 to 1:1 on 1; ", MAKES},
    {"prefetch to the host", NULL, prefetch_to_host, "0:prefetch 16 to 2:0 on 1; ", MAKES},
    {"prefetch all", NULL, prefetch_all, "1:prefetch all 2, last 32, to 1:1 on 110; ", MAKES},
    {"discard", NULL, discard, "1:discard 2, last 32, on 110; ", MAKES},
    {"advise", NULL, advise, "0:advise 32 about 1:1 3; ", MAKES},
    {"identify", NULL, identify, "", MAKES},
    {"export", NULL, ipc_export, "", MAKES},
    {"open", NULL, ipc_open_handle, "", MAKES},
    {"close", make_mapping, ipc_close_mapping, "", FREES},
    {"free bytes", NULL, free_bytes, "", MAKES},
    {"managed pools", NULL, managed_pools, "", MAKES},
    {"capability", NULL, capability, "", MAKES},
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

static void make(size_t i)
{
    fake.fail_at = 0;
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    if (operations[i].make != NULL)
        operations[i].make();
    fake.log[0] = '\0';
    fake.calls = 0;
}

static void unmake(void)
{
    if (fake.blocks > 0)
        free(pointer);
    fake.blocks = fake.locked = fake.pools = fake.mappings = fake.events = 0;
    fake.current = 0;
    fake.mode = cudaStreamCaptureModeGlobal;
}

static int left(void)
{
    return fake.blocks + fake.locked + fake.pools + fake.mappings + fake.events;
}

Test(cuda_memory, each_operation_is_done_on_its_device)
{
    for (size_t i = 0; i < OPERATIONS; i++) {
        make(i);
        cr_expect_eq(operations[i].run(), SV_OK, "%s: %s", operations[i].name, sv_last_message());
        cr_expect_str_eq(fake.log, operations[i].log, "%s: %s", operations[i].name, fake.log);
        cr_expect_eq(fake.current, 0, "%s", operations[i].name);
        cr_expect_eq(fake.mode, cudaStreamCaptureModeGlobal, "%s", operations[i].name);
        cr_expect_eq(fake.pending, cudaSuccess, "%s", operations[i].name);
        unmake();
    }
}

/* --- failures ---------------------------------------------------------------------- */

/* Without these the operation goes on in another way, or there is nobody to tell. */
static bool may_fail_silently(size_t entry)
{
    return entry == ENTRY(driver_entry) || entry == ENTRY(pool_access) || entry == ENTRY(end_event);
}

static void check_failure(const char *name, sv_status status, bool keeps)
{
    cr_expect_eq(fake.pending, cudaSuccess, "%s: call %d leaves its error pending", name, fake.fail_at);
    cr_expect(fake.current == 0 || fake.failing == ENTRY(set_device), "%s: call %d leaves a device", name,
              fake.fail_at);
    cr_expect(fake.mode == cudaStreamCaptureModeGlobal || fake.failing == ENTRY(exchange_capture_mode),
              "%s: call %d leaves a mode", name, fake.fail_at);
    if (status == SV_OK) {
        cr_expect(may_fail_silently(fake.failing), "%s: call %d fails unnoticed", name, fake.fail_at);
        return;
    }
    cr_expect(status == SV_ERROR_CUDA || fake.failing == ENTRY(driver_entry), "%s: call %d: %s", name, fake.fail_at,
              sv_last_message());
    cr_expect(keeps || left() == 0 || fake.failing == ENTRY(release_async) /* of a pool's first memory */,
              "%s: call %d loses what was made", name, fake.fail_at);
}

/* Returns how many calls the operation makes. */
static int fail_each_call(size_t i)
{
    int fail_at = 0;

    for (;;) {
        sv_status status;

        make(i);
        fake.fail_at = ++fail_at;
        status = operations[i].run();
        if (fake.calls < fail_at) {
            cr_expect_eq(status, SV_OK);
            unmake();
            return fake.calls;
        }
        check_failure(operations[i].name, status, operations[i].role != MAKES);
        unmake();
    }
}

/* Every call that the operations make, in whatever state, has been seen failing. */
Test(cuda_memory, every_call_can_fail)
{
    int entries = 0;

    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    memset(fake.called, 0, sizeof fake.called);
    for (size_t i = 0; i < OPERATIONS; i++)
        cr_expect_geq(fail_each_call(i), 1, "%s", operations[i].name);
    for (size_t entry = 0; entry < ENTRIES; entry++) {
        cr_expect(fake.called[entry] == 0 || fake.failed[entry] > 0, "entry %zu of the table never failed", entry);
        entries += fake.called[entry] > 0;
    }
    cr_expect_eq(entries, 37, "%d", entries);
}

/* A failure that was not libsv's is still there for the caller after calls that succeed. */
Test(cuda_memory, errors_of_others_stay_pending)
{
    for (size_t i = 0; i < OPERATIONS; i++) {
        make(i);
        fake.pending = cudaErrorInvalidConfiguration;
        cr_expect_eq(operations[i].run(), SV_OK);
        cr_expect_eq(fake.pending, cudaErrorInvalidConfiguration, "%s", operations[i].name);
        fake.pending = cudaSuccess;
        unmake();
    }
}

Test(cuda_memory, out_of_memory_says_how_much_there_is)
{
    void *unchanged = cells;

    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    fake.failure = cudaErrorMemoryAllocation;
    fake.fail_at = fake.calls + 4;
    cr_expect_eq(OPS->allocate(SV_MEMORY_DEVICE, DEVICE, 4096, &unchanged), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 4096 bytes of device memory, of which device 1 has 1001 free: "
                                        "cudaErrorMemoryAllocation (2), out of memory");
    cr_expect_eq(unchanged, cells);
    fake.fail_at = fake.calls + 4;
    cr_expect_eq(OPS->allocate(SV_MEMORY_MANAGED, DEVICE, 4096, &unchanged), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 4096 bytes of managed memory: cudaErrorMemoryAllocation (2), out "
                                        "of memory");
    fake.fail_at = 0;
}

/* --- captures ------------------------------------------------------------------------ */

static sv_status record_captured(void)
{
    return OPS->record(DEVICE, CAPTURED, &event);
}

static sv_status order_captured(void)
{
    return OPS->order(DEVICE, CAPTURED, &event);
}

static sv_status allocate_captured(void)
{
    return OPS->allocate_from_pool(DEVICE, 4096, BYTES, CAPTURED, &pointer);
}

static sv_status free_captured(void)
{
    return OPS->free_in_order(DEVICE, cells, CAPTURED);
}

static sv_status prefetch_captured(void)
{
    return OPS->prefetch(2, spans, (struct svi_device){SV_DEVICE_CUDA, DEVICE}, CAPTURED);
}

static sv_status discard_captured(void)
{
    return OPS->discard(2, spans, DEVICE, CAPTURED);
}

static sv_status record_on_legacy(void)
{
    return OPS->record(DEVICE, 0, &event);
}

static sv_status set_on_legacy(void)
{
    return OPS->set(DEVICE, cells, 7, BYTES, 1);
}

static sv_status allocate_on_legacy(void)
{
    return OPS->allocate_from_pool(DEVICE, 4096, BYTES, 0, &pointer);
}

/* What would end the capture, or give memory of the graph away, does nothing to the stream. */
Test(cuda_memory, a_captured_stream_is_left_alone)
{
    static const struct {
        sv_status (*run)(void);
        const char *words;
    } cases[] = {
        {record_captured, "recording a use: not on a stream that is being captured"},
        {order_captured, "waiting for an earlier use: not on a stream that is being captured"},
        {allocate_captured, "allocating from a pool: not on a stream that is being captured"},
        {free_captured, "freeing memory of a pool: not on a stream that is being captured"},
        {prefetch_captured, "prefetching: not on a stream that is being captured"},
        {discard_captured, "discarding: not on a stream that is being captured"},
        {record_on_legacy, "the legacy default stream cannot be used while a stream is captured that it waits for"},
        {set_on_legacy, "the legacy default stream cannot be used while a stream is captured that it waits for"},
        {allocate_on_legacy, "the legacy default stream cannot be used while a stream is captured that it waits for"},
    };

    fake.captured = CAPTURED;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(cases[i].run(), SV_ERROR_STATE, "%zu", i);
        cr_expect_str_eq(sv_last_message(), cases[i].words);
        cr_expect_str_eq(fake.log, "", "%zu: %s", i, fake.log);
        cr_expect(fake.current == 0 && fake.pending == cudaSuccess, "%zu", i);
    }
}

/* Setting memory becomes a node; what is on no stream, or on another, is done at once. */
Test(cuda_memory, what_a_capture_allows_is_done)
{
    fake.captured = CAPTURED;
    cr_expect_eq(OPS->set(DEVICE, cells, 7, BYTES, CAPTURED), SV_OK);
    for (size_t i = 0; i < OPERATIONS; i++) {
        if (operations[i].run == prefetch_one || operations[i].run == prefetch_to_host)
            continue; /* on the legacy stream */
        make(i);
        cr_expect_eq(operations[i].run(), SV_OK, "%s: %s", operations[i].name, sv_last_message());
        unmake();
    }
}

/* --- forks, and the end of the process ------------------------------------------------- */

/* What the child finds; it ends with status 0 if it is content. */
static void in_child(void (*check)(void))
{
    pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        check();
        _exit(0);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "%d", ended);
}

static size_t current;

static void expect_forked(void)
{
    int64_t value = 5;

    fake.calls = 0;
    if (operations[current].run == end_an_event)
        OPS->end_event(event);
    else if (operations[current].run() != SV_ERROR_FORKED)
        _exit(1);
    if (fake.calls != 0 || OPS->property(0, SV_PROPERTY_POOLS, &value) != SV_ERROR_FORKED || value != 5)
        _exit(2);
}

Test(cuda_memory, a_forked_process_does_nothing)
{
    for (current = 0; current < OPERATIONS; current++) {
        make(current);
        in_child(expect_forked);
        cr_expect_eq(operations[current].run(), SV_OK, "the parent's %s", operations[current].name);
        unmake();
    }
}

static size_t kept;

static void check_at_exit(void)
{
    int64_t value = 5;

    fake.calls = 0;
    if (operations[kept].run == end_an_event)
        OPS->end_event(event);
    else if (operations[kept].run() != (operations[kept].role == FREES ? SV_OK : SV_ERROR_STATE))
        _exit(1);
    if (OPS->property(0, SV_PROPERTY_POOLS, &value) != SV_ERROR_STATE || value != 5)
        _exit(2);
    _exit(fake.calls == 0 ? 0 : 3);
}

static void exit_with_something(void)
{
    if (atexit(check_at_exit) == 0) { /* before libsv does, so that it is called after */
        make(kept);
        if (svi_cuda_check_ready() == SV_OK)
            exit(4);
    }
    _exit(5);
}

Test(cuda_memory, at_exit_everything_is_given_up)
{
    for (kept = 0; kept < OPERATIONS; kept++)
        in_child(exit_with_something);
}

/* The runtime may be gone first, as where another library has been told to clean up. */
Test(cuda_memory, an_unloaded_runtime_is_given_up)
{
    make_block();
    fake.failure = cudaErrorCudartUnloading;
    fake.calls = 0;
    fake.fail_at = 4;
    cr_expect_eq(free_device_memory(), SV_OK);
    cr_expect_eq(fake.blocks, 1);
    fake.calls = 0;
    cr_expect_eq(free_device_memory(), SV_OK);
    cr_expect_eq(query(), SV_ERROR_STATE);
    cr_expect_eq(fake.calls, 0);
    fake.fail_at = 0;
    free(pointer);
}
