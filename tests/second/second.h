/*
 * The driver of a second family, ROCm's device types, over host memory: no device is needed, and none is meant. Its
 * numbers and limits differ from CUDA's: three devices without peers, no managed memory, pools of device memory alone,
 * small alignments, and no stream number 2. An address of a device is not one of the host, which must not touch it.
 *
 * A program gets it by linking backend_list.c in the place of the library's list of backends.
 */
#ifndef SECOND_H
#define SECOND_H

#include "backend/backend.h"

enum {
    SECOND_DEVICES = 3,
    SECOND_DEVICE_ALIGNMENT = 128, /* bytes */
    SECOND_PINNED_ALIGNMENT = 64,
    SECOND_POOL_ALIGNMENT = 32,
    SECOND_MOST = 1 << 16 /* bytes of one allocation */
};

/* Calls of the driver that tests count. */
enum second_call {
    SECOND_ALLOCATE,
    SECOND_FREE,
    SECOND_ALLOCATE_FROM_POOL,
    SECOND_FREE_IN_ORDER,
    SECOND_COPY,
    SECOND_RECORD,
    SECOND_ORDER,
    SECOND_WAIT,
    SECOND_END_EVENT,
    SECOND_SYNCHRONIZE,
    SECOND_TRIM,
    SECOND_CALLS
};

extern const struct svi_backend second_backend;
extern const struct svi_driver second_driver;

/* How often each was called. */
extern int second_counts[SECOND_CALLS];

/* Does what default streams still hold, and tells how many blocks, events and streams of the test are alive. */
int second_end(void);

/* --- streams ---------------------------------------------------------------- */

/* Its work is done when somebody waits for it, and not before. Number 0 and 1 are the default stream of a device. */
uintptr_t second_new_stream(int32_t device_id);
void second_end_stream(uintptr_t stream);

/* Does all that the stream holds. */
void second_run(uintptr_t stream);

/* --- between the files ------------------------------------------------------- */

struct second_operation {
    void (*run)(const struct second_operation *self);
    struct svi_plan plan;
    void *dst;
    const void *src;
    int64_t nbytes;
    int32_t byte;
    struct second_stream *other; /* that is waited for, up to a number of its operations */
    int64_t number;
};

sv_status second_give(int32_t device_id, uintptr_t stream, const struct second_operation *operation);
sv_status second_synchronize(struct svi_device device, uintptr_t stream);
sv_status second_wait_for(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other);
sv_status second_record(int32_t device_id, uintptr_t stream, void **event);
sv_status second_is_done(void *event, bool *done);
sv_status second_wait(void *event);
sv_status second_order(int32_t device_id, uintptr_t stream, void *event);
void second_end_event(void *event);
void second_run_default(int32_t device_id);
int second_end_streams(void);

/* Where the bytes are of an address of the device; other addresses are as they are. */
char *second_bytes(const void *pointer);

#endif
