/*
 * The allocations that this process exported, and those of other processes that it has open: so that what comes back to
 * the process that exported it is that memory itself, and what is opened twice is opened once. The list keeps nothing
 * alive.
 */
#ifndef SVI_SHARED_LIST_H
#define SVI_SHARED_LIST_H

#include "memory/buffer.h"
#include "memory/ipc_blob.h"

/* The buffer of the allocation that blob tells of, held; NULL when there is none. */
sv_buffer *svi_shared_find(const struct svi_ipc_blob *blob);

/* Of root, which is held and exported here: sets process and serial, the same each time while its memory stays. */
sv_status svi_shared_number(sv_buffer *root, struct svi_ipc_blob *blob);

/* Adds root, which is held and has the allocation that blob tells of. */
sv_status svi_shared_add(sv_buffer *root, const struct svi_ipc_blob *blob);

#endif
