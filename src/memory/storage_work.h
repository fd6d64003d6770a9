/* The order of work on memory that libsv itself starts. */
#ifndef SVI_MEMORY_STORAGE_WORK_H
#define SVI_MEMORY_STORAGE_WORK_H

#include "memory/storage.h"

/*
 * Called before work that libsv puts on a stream of the device where; svi_cpu for work that the host does itself, which
 * then waits. The work comes after all uses, and with has_work after what the memory's own stream holds. Nobody else
 * uses the memory's list of uses until svi_storage_end_work().
 */
sv_status svi_storage_begin_work(struct svi_storage *self, uintptr_t own, bool has_work, struct svi_device where,
                                 uintptr_t stream);

/* Called after that work: records it where a free would not be in order otherwise. */
sv_status svi_storage_end_work(struct svi_storage *self, struct svi_device where, uintptr_t stream);

/* Whether what is on stream of the device where comes after what is on the memory's own stream. */
bool svi_storage_is_own(const struct svi_storage *self, uintptr_t own, struct svi_device where, uintptr_t stream);

/* Who does what svi_storage_zero() does. */
struct svi_device svi_storage_filler(const struct svi_storage *self);

#endif
