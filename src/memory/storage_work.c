/* The order of work on memory that libsv itself starts: after what used the memory before, and recorded where it
 * must be. */
#include "backend/placement.h"
#include "memory/storage.h"
#include "memory/storage_work.h"

struct svi_device svi_storage_filler(const struct svi_storage *self)
{
    return svi_placement_make(self->later.device, svi_cpu, true).where;
}

enum { LEGACY = 1 /* and 0, which is another name of it */ };

bool svi_storage_is_own(const struct svi_storage *self, uintptr_t own, struct svi_device where, uintptr_t stream)
{
    const bool is_same = own == stream || (own <= LEGACY && stream <= LEGACY);

    return is_same && svi_devices[where.type].family == svi_devices[self->later.device.type].family &&
           (stream > SVI_DEFAULT_STREAMS || self->later.device.id == where.id);
}

sv_status svi_storage_begin_work(struct svi_storage *self, uintptr_t own, bool has_work, struct svi_device where,
                                 uintptr_t stream)
{
    int64_t left;

    if (has_work && svi_memory_kind_has_streams(self->kind) && !svi_storage_is_own(self, own, where, stream))
        SVI_TRY(svi_uses_record(&self->uses, self->later.device, own));
    return svi_is_cpu(where) ? svi_uses_finish(&self->uses, true, &left) : svi_uses_follow(&self->uses, where, stream);
}

sv_status svi_storage_end_work(struct svi_storage *self, struct svi_device where, uintptr_t stream)
{
    if (svi_is_cpu(where) || !svi_memory_kind_has_streams(self->kind))
        return SV_OK;
    if (self->ordered && svi_storage_is_own(self, stream, where, stream))
        return SV_OK;
    return svi_uses_record(&self->uses, where, stream);
}
