#include "memory/deferred.h"

#include "device/backends.h"

static _Atomic(struct svi_deferred *) lists[SVI_MEMORY_KINDS];
static atomic_int_least64_t count;

static void push_deferred(struct svi_deferred *item)
{
    _Atomic(struct svi_deferred *) *list = &lists[svi_memory_kind_of(item->device.type)];

    item->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &item->next, item, memory_order_release, memory_order_relaxed))
        continue;
}

void svi_deferred_add(struct svi_deferred *item)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    push_deferred(item);
}

/* Of one kind, drivers have devices of the same numbers. */
static bool is_of_device(struct svi_device item, struct svi_device wanted)
{
    return item.type == wanted.type && item.id == wanted.id;
}

/* Takes the whole list, so that two threads never look at one item. What stays goes back. */
static bool drain_list(sv_memory kind, const struct svi_device *of, enum svi_effort effort)
{
    struct svi_deferred *item = atomic_exchange_explicit(&lists[kind], NULL, memory_order_acquire);
    bool any = false;

    while (item != NULL) {
        struct svi_deferred *next = item->next;

        if ((of == NULL || is_of_device(item->device, *of)) && item->finish(item, effort)) {
            atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
            any = true;
        } else {
            push_deferred(item);
        }
        item = next;
    }
    return any;
}

bool svi_deferred_drain(struct svi_device device, bool any, enum svi_effort effort)
{
    bool done = false;

    if (!any)
        return drain_list(svi_memory_kind_of(device.type), &device, effort);
    for (sv_memory kind = SV_MEMORY_HOST; kind < SVI_MEMORY_KINDS; kind++)
        while (drain_list(kind, NULL, effort)) /* the end of one can defer another: a slice its root */
            done = true;
    return done;
}

int64_t svi_deferred_count(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}

bool svi_deferred_has(sv_memory kind)
{
    return atomic_load_explicit(&lists[kind], memory_order_relaxed) != NULL;
}
