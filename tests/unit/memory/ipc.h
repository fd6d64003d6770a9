/* What the tests of shared memory have in common: a buffer, a part of it, and blobs of both as of another process. */
#ifndef IPC_H
#define IPC_H

#include <criterion/criterion.h>
#include <string.h>

#include "memory/buffer.h"
#include "fake/fake.h"
#include "memory/ipc_blob.h"

enum { NBYTES = 1000, OFFSET = 100, PART = 50 };

static sv_allocator *device;
static sv_buffer *buffer, *part;
static struct svi_ipc_blob whole, piece;

/* As another process would have written it: numbers of processes are below 2^22. */
static inline void make_foreign(struct svi_ipc_blob *blob)
{
    blob->process.id += 1 << 30;
    svi_ipc_seal(blob);
}

static inline sv_buffer *make(const sv_allocator *allocator, int64_t nbytes, int64_t alignment)
{
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_new(allocator, nbytes, alignment, 0, 0, &b), SV_OK, "%s", sv_last_message());
    return b;
}

static inline void export(const sv_buffer *b, struct svi_ipc_blob *out)
{
    size_t length = 0;

    cr_assert_eq(sv_buffer_export_ipc(b, sizeof *out, out, &length), SV_OK, "%s", sv_last_message());
    cr_assert_eq(length, SV_IPC_NBYTES);
}

/* On an alignment that its allocation does not have, so that it begins elsewhere. */
static inline void begin(void)
{
    cr_assert_eq(sv_allocator_device(1, &device), SV_OK, "%s", sv_last_message());
    buffer = make(device, NBYTES, 8192);
    cr_assert_eq(sv_buffer_slice(buffer, OFFSET, PART, 0, &part), SV_OK);
    export(buffer, &whole);
    export(part, &piece);
    make_foreign(&whole);
    make_foreign(&piece);
    fake_be_another_process(true);
    fake_reset();
}

/* What releases left for later. */
static inline sv_status settle(void)
{
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    return svi_failure_tell();
}

static inline void end(void)
{
    sv_buffer_release(part);
    sv_buffer_release(buffer);
    sv_allocator_release(device);
    buffer = part = NULL;
    device = NULL;
    cr_expect_eq(settle(), SV_OK, "%s", sv_last_message());
    fake_be_another_process(false);
}

static inline void start(void)
{
    fake_start(FAKE_LAZY, 1);
    begin();
}

static inline void finish(void)
{
    end();
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

static inline sv_buffer *import(const struct svi_ipc_blob *blob, uint32_t flags)
{
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_import_ipc(blob, sizeof *blob, flags, &b), SV_OK, "%s", sv_last_message());
    return b;
}

#endif
