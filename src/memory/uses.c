#include "memory/uses.h"

#include <stddef.h>

#include "base/alloc.h"
#include "device/backends.h"

enum { MANY = 8 };

static void push_use(struct svi_uses *uses, struct svi_use *use)
{
    use->next = atomic_load_explicit(&uses->first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&uses->first, &use->next, use, memory_order_acq_rel,
                                                  memory_order_relaxed))
        continue;
    atomic_fetch_add_explicit(&uses->count, 1, memory_order_relaxed);
}

static void end_use(struct svi_use *use)
{
    use->driver->end_event(use->event);
    svi_free(use);
}

static struct svi_use *take_uses(struct svi_uses *uses)
{
    atomic_store_explicit(&uses->count, 0, memory_order_relaxed);
    return atomic_exchange_explicit(&uses->first, NULL, memory_order_acq_rel);
}

static void return_uses(struct svi_uses *uses, struct svi_use *list)
{
    while (list != NULL) {
        struct svi_use *next = list->next;

        push_use(uses, list);
        list = next;
    }
}

/* An event of the parent of a process that was forked: no work of that one touches memory of this. */
static sv_status forget_forked(sv_status status, bool *done)
{
    if (status != SV_ERROR_FORKED)
        return status;
    *done = true;
    return SV_OK;
}

static sv_status ask_event(const struct svi_use *use, bool wait, bool *done)
{
    sv_status status = use->driver->is_done(use->event, done);

    if (status == SV_OK && !*done && wait) {
        status = use->driver->wait(use->event);
        *done = status == SV_OK;
    }
    return forget_forked(status, done);
}

/* What comes after the work of a use. */
struct follower {
    const struct svi_driver *driver; /* of a stream; NULL: the host */
    struct svi_device device;
    uintptr_t stream;
    bool wait; /* where no stream can */
};

/* Sets done where nothing is left to wait for. */
static sv_status follow_use(const struct svi_use *use, const struct follower *after, bool *done)
{
    sv_status status;

    if (use->driver != after->driver)
        return ask_event(use, after->wait, done);
    status = use->driver->order(after->device.id, after->stream, use->event);
    *done = status == SV_OK;
    return forget_forked(status, done);
}

static sv_status finish_uses(struct svi_uses *uses, const struct follower *after, int64_t *left)
{
    struct svi_use *list, *next;

    *left = 0;
    if (!svi_uses_has(uses))
        return SV_OK;
    for (list = take_uses(uses); list != NULL; list = next) {
        bool done = false;
        sv_status status = follow_use(list, after, &done);

        next = list->next;
        if (status != SV_OK) {
            return_uses(uses, list);
            return status;
        }
        if (done) {
            end_use(list);
        } else {
            push_use(uses, list);
            ++*left;
        }
    }
    return SV_OK;
}

sv_status svi_uses_finish(struct svi_uses *uses, bool wait, int64_t *left)
{
    const struct follower host = {.wait = wait};

    return finish_uses(uses, &host, left);
}

sv_status svi_uses_order(struct svi_uses *uses, struct svi_device device, uintptr_t stream, bool wait, int64_t *left)
{
    const struct follower after = {svi_driver_of(device.type), device, stream, wait};

    return finish_uses(uses, &after, left);
}

sv_status svi_uses_follow(const struct svi_uses *uses, struct svi_device device, uintptr_t stream)
{
    const struct follower after = {svi_driver_of(device.type), device, stream, true};
    const struct svi_use *use = atomic_load_explicit(&uses->first, memory_order_acquire);

    for (; use != NULL; use = use->next) {
        bool done = false;

        SVI_TRY(follow_use(use, &after, &done));
    }
    return SV_OK;
}

void svi_uses_move(struct svi_uses *to, struct svi_uses *from)
{
    const int count = atomic_load_explicit(&from->count, memory_order_relaxed);

    atomic_store_explicit(&to->first, take_uses(from), memory_order_release);
    atomic_store_explicit(&to->count, count, memory_order_relaxed);
}

void svi_uses_forget(struct svi_uses *uses)
{
    struct svi_use *list, *next;

    if (!svi_uses_has(uses))
        return;
    for (list = take_uses(uses); list != NULL; list = next) {
        next = list->next;
        end_use(list);
    }
}

/* Memory that lives long is used by much work: that which is done is forgotten now and then. */
static void tidy_uses(struct svi_uses *uses)
{
    int64_t left;

    if (atomic_load_explicit(&uses->count, memory_order_relaxed) >= MANY)
        (void)svi_uses_finish(uses, false, &left);
}

sv_status svi_uses_record(struct svi_uses *uses, struct svi_device device, uintptr_t stream)
{
    const struct svi_driver *driver = svi_driver_of(device.type);
    struct svi_use *use;
    sv_status status;

    if (driver == NULL)
        return svi_driver_refuse(device.type);
    use = svi_malloc(sizeof *use);
    if (use == NULL)
        return SV_ERROR_MEMORY;
    use->driver = driver;
    status = driver->record(device.id, stream, &use->event);
    if (status != SV_OK) {
        svi_free(use);
        return status;
    }
    tidy_uses(uses);
    push_use(uses, use);
    return SV_OK;
}
