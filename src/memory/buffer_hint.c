/*
 * Hints for managed memory: prefetch, discard, advise. What they have no effect on is left out: empty buffers, memory
 * that is not managed, and all of them where the driver cannot. The buffers are exports while a call runs.
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "memory/buffer.h"
#include "memory/source_driver.h"

enum { FEW = 16 }; /* spans that take no allocation */

struct hint {
    struct svi_span *spans, few[FEW];
    int64_t count; /* of spans */
    bool strict;
    bool writes; /* it discards, so read-only memory is refused */
};

/* --- what the caller said ---------------------------------------------------- */

static sv_status check_buffers(int64_t count, sv_buffer *const *buffers, uint32_t flags)
{
    if (flags & ~(uint32_t)SV_BUFFER_STRICT)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_BUFFER_STRICT is known", flags);
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId64, count);
    if (count > 0)
        SVI_NEED(buffers);
    for (int64_t i = 0; i < count; i++)
        if (!svi_buffer_is(buffers[i]))
            return svi_fail(buffers[i] == NULL ? SV_ERROR_NULL : SV_ERROR_STATE, "buffer %" PRId64 " of %" PRId64 "%s",
                            i, count, buffers[i] == NULL ? " is NULL" : " is no live handle of this library");
    return SV_OK;
}

/* DLPack has one type of managed memory. */
static enum svi_family managed_family(void)
{
    int32_t type = 0;

    while (svi_devices[type].kind != SV_MEMORY_MANAGED)
        type++;
    return svi_devices[type].family;
}

/* The host is svi_cpu from here on. */
static sv_status check_hint_place(struct svi_device place)
{
    SVI_TRY(svi_device_check(place));
    if (place.type != SV_DEVICE_CPU && place.type != svi_family_device_type(managed_family(), SV_MEMORY_DEVICE))
        return svi_fail(SV_ERROR_DEVICE, "managed memory lies on the host or on %s devices, not on %s devices",
                        svi_family_title(managed_family()), svi_device_title(place.type));
    if (place.type == SV_DEVICE_CPU && place.id != 0)
        return svi_fail(SV_ERROR_DEVICE, "device number %d: the host is one device, number 0", (int)place.id);
    return SV_OK;
}

/* --- the buffers ------------------------------------------------------------- */

static sv_status add_span(struct hint *hint, const sv_buffer *buffer, int64_t index)
{
    const struct svi_span span = {SVI_GET(buffer->data), SVI_GET(buffer->nbytes)};

    if (hint->writes && (SVI_GET(buffer->traits) & SV_TRAIT_READ_ONLY))
        return svi_fail(SV_ERROR_READ_ONLY, "buffer %" PRId64 " is read-only", index);
    if (SVI_GET(buffer->kind) != SV_MEMORY_MANAGED) {
        if (hint->strict)
            return svi_fail(SV_ERROR_DEVICE, "buffer %" PRId64 " is %s memory, not managed", index,
                            sv_memory_name(SVI_GET(buffer->kind)));
        return SV_OK;
    }
    if (span.nbytes == 0)
        return SV_OK;
    hint->spans[hint->count++] = span;
    return SV_OK;
}

static void let_go(int64_t count, sv_buffer *const *buffers, struct hint *hint)
{
    for (int64_t i = 0; i < count; i++)
        svi_buffer_unhold(buffers[i]);
    if (hint->spans != hint->few)
        svi_free(hint->spans);
}

/* With SV_OK all buffers are held until let_go(). */
static sv_status hold_buffers(int64_t count, sv_buffer *const *buffers, struct hint *hint)
{
    sv_status status = SV_OK;
    int64_t held = 0;

    hint->spans = hint->few;
    if (count > FEW) {
        if ((uint64_t)count > SIZE_MAX / sizeof *hint->spans)
            return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " buffers", count);
        hint->spans = svi_malloc((size_t)count * sizeof *hint->spans);
        if (hint->spans == NULL)
            return SV_ERROR_MEMORY;
    }
    while (status == SV_OK && held < count) {
        status = svi_buffer_hold(buffers[held]);
        if (status == SV_OK) {
            status = add_span(hint, buffers[held], held);
            held++;
        }
    }
    if (status != SV_OK)
        let_go(held, buffers, hint);
    return status;
}

/* That a driver cannot do it is no error of a hint. */
static sv_status soften_status(const struct hint *hint, sv_status status)
{
    if (status == SV_ERROR_UNSUPPORTED && !hint->strict)
        return SV_OK;
    return status;
}

/* --- the calls --------------------------------------------------------------- */

static sv_status move_spans(const struct hint *hint, struct svi_device to, uintptr_t stream)
{
    const struct svi_driver *driver;

    if (hint->count == 0)
        return SV_OK;
    SVI_TRY(svi_driver_find(managed_family(), svi_is_cpu(to) ? 0 : to.id, &driver));
    return (hint->writes ? driver->discard : driver->prefetch)(hint->count, hint->spans, to, stream);
}

static sv_status check_and_move(int64_t count, sv_buffer *const *buffers, struct svi_device to, uint32_t flags,
                                bool discard, uintptr_t stream)
{
    struct hint hint = {.strict = (flags & SV_BUFFER_STRICT) != 0, .writes = discard};
    sv_status status;

    SVI_TRY(check_buffers(count, buffers, flags));
    SVI_TRY(check_hint_place(to));
    SVI_TRY(hold_buffers(count, buffers, &hint));
    status = move_spans(&hint, to, stream);
    let_go(count, buffers, &hint);
    return soften_status(&hint, status);
}

sv_status sv_buffer_prefetch(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                             uint32_t flags, uintptr_t stream)
{
    return check_and_move(count, buffers, (struct svi_device){device_type, device_id}, flags, false, stream);
}

sv_status sv_buffer_discard(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                            uint32_t flags, uintptr_t stream)
{
    return check_and_move(count, buffers, (struct svi_device){device_type, device_id}, flags, true, stream);
}

/* Whether an advice names a place; the driver does not read it with others. */
static bool has_place(int32_t advice)
{
    return advice == SV_ADVICE_PREFER || advice == SV_ADVICE_ACCESSED_BY || advice == SV_ADVICE_NOT_ACCESSED_BY;
}

static sv_status advise_spans(const struct hint *hint, int32_t advice, struct svi_device about)
{
    const struct svi_driver *driver;

    if (hint->count == 0)
        return SV_OK;
    SVI_TRY(svi_driver_find(managed_family(), svi_is_cpu(about) ? 0 : about.id, &driver));
    for (int64_t i = 0; i < hint->count; i++)
        SVI_TRY(driver->advise(hint->spans[i], advice, about));
    return SV_OK;
}

sv_status sv_buffer_advise(int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type,
                           int32_t device_id, uint32_t flags)
{
    struct svi_device about = {device_type, device_id};
    struct hint hint = {.strict = (flags & SV_BUFFER_STRICT) != 0};
    sv_status status;

    SVI_TRY(check_buffers(count, buffers, flags));
    if (advice < SV_ADVICE_READ_MOSTLY || advice > SV_ADVICE_NOT_ACCESSED_BY)
        return svi_fail(SV_ERROR_INVALID, "no advice has the number %d", (int)advice);
    if (!has_place(advice))
        about = svi_cpu;
    SVI_TRY(check_hint_place(about));
    SVI_TRY(hold_buffers(count, buffers, &hint));
    status = advise_spans(&hint, advice, about);
    let_go(count, buffers, &hint);
    return soften_status(&hint, status);
}
