#include "backend/placement.h"

/* --- relations -------------------------------------------------------------------------------------- */

/* To the kind of memory of the row, from that of the column. Two devices that differ are peers. */
const unsigned char svi_relations[SVI_MEMORY_KINDS][SVI_MEMORY_KINDS] = {
    [SV_MEMORY_HOST] = {[SV_MEMORY_HOST] = SVI_RELATION_HOST,
                        [SV_MEMORY_PINNED] = SVI_RELATION_HOST,
                        [SV_MEMORY_DEVICE] = SVI_RELATION_FETCH,
                        [SV_MEMORY_MANAGED] = SVI_RELATION_SHARED},
    [SV_MEMORY_PINNED] = {[SV_MEMORY_HOST] = SVI_RELATION_HOST,
                          [SV_MEMORY_PINNED] = SVI_RELATION_HOST,
                          [SV_MEMORY_DEVICE] = SVI_RELATION_PINNED,
                          [SV_MEMORY_MANAGED] = SVI_RELATION_SHARED},
    [SV_MEMORY_DEVICE] = {[SV_MEMORY_HOST] = SVI_RELATION_SEND,
                          [SV_MEMORY_PINNED] = SVI_RELATION_PINNED,
                          [SV_MEMORY_DEVICE] = SVI_RELATION_WITHIN,
                          [SV_MEMORY_MANAGED] = SVI_RELATION_WITHIN},
    [SV_MEMORY_MANAGED] = {[SV_MEMORY_HOST] = SVI_RELATION_SHARED,
                           [SV_MEMORY_PINNED] = SVI_RELATION_SHARED,
                           [SV_MEMORY_DEVICE] = SVI_RELATION_WITHIN,
                           [SV_MEMORY_MANAGED] = SVI_RELATION_MANAGED},
};

/* --- rules ------------------------------------------------------------------------------------------ */

const struct svi_rule svi_rules[SVI_RELATIONS] = {
    [SVI_RELATION_NONE] = {"-", SVI_BY_NOBODY, false, SVI_WHERE_NONE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_HOST] = {"host", SVI_BY_HOST, false, SVI_WHERE_NONE, false, SV_WAITS_NOTHING, SV_DONE_ALL},
    [SVI_RELATION_SHARED] = {"shared", SVI_BY_HOST, true, SVI_WHERE_MANAGED, false, SV_WAITS_DEVICES, SV_DONE_ALL},
    [SVI_RELATION_WITHIN] = {"within", SVI_BY_DEVICE, false, SVI_WHERE_DEVICE, false, SV_WAITS_NOTHING,
                             SV_DONE_NOTHING},
    [SVI_RELATION_MANAGED] = {"managed", SVI_BY_DEVICE, true, SVI_WHERE_DST, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_PINNED] = {"pinned", SVI_BY_DEVICE, false, SVI_WHERE_DEVICE, false, SV_WAITS_NOTHING,
                             SV_DONE_NOTHING},
    [SVI_RELATION_SEND] = {"send", SVI_BY_DEVICE, false, SVI_WHERE_DEVICE, false, SV_WAITS_RING, SV_DONE_READING},
    [SVI_RELATION_FETCH] = {"fetch", SVI_BY_DEVICE, false, SVI_WHERE_DEVICE, false, SV_WAITS_STREAM, SV_DONE_ALL},
    [SVI_RELATION_PEERS] = {"peers", SVI_BY_DEVICE, false, SVI_WHERE_DST, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
};

/* --- methods ---------------------------------------------------------------------------------------- */

/* Whether the device's work is waited for at the end: ordinary memory may be freed as soon as the call returns, which a
 * driver may still read; and a temporary of the host's ends with the call. */
static bool is_awaited(const struct svi_placement *placement, uint32_t flags)
{
    return (flags & SV_COPY_BLOCKING) != 0 || placement->method == SV_METHOD_HOST_TEMPORARY ||
           (placement->relation == SVI_RELATION_SEND && placement->method != SV_METHOD_RING);
}

void svi_placement_set(struct svi_placement *placement, uint32_t flags, int32_t method)
{
    const struct svi_rule *rule = &svi_rules[placement->relation];
    const bool is_by_host = method == SV_METHOD_HOST_TEMPORARY;

    placement->method = method;
    placement->waits = rule->waits;
    placement->done = rule->done;
    if (method == SV_METHOD_NOTHING) {
        placement->waits = SV_WAITS_NOTHING;
        placement->done = SV_DONE_ALL;
    } else if (rule->by == SVI_BY_DEVICE && is_awaited(placement, flags)) {
        placement->waits = is_by_host && placement->has_managed ? SV_WAITS_DEVICES : SV_WAITS_STREAM;
        placement->done = SV_DONE_ALL;
    }
}

int32_t svi_placement_copier(const struct svi_placement *placement)
{
    return placement->family == SVI_FAMILY_HOST ? SV_DEVICE_CPU
                                                : svi_family_device_type(placement->family, SV_MEMORY_DEVICE);
}

/* --- words ------------------------------------------------------------------------------------------ */

const char *svi_relation_name(enum svi_relation relation)
{
    return svi_rules[relation].name;
}

const char *svi_waits_words(int32_t waits)
{
    static const char *const words[] = {
        [SV_WAITS_NOTHING] = "nothing",
        [SV_WAITS_RING] = "a free ring",
        [SV_WAITS_STREAM] = "the stream",
        [SV_WAITS_DEVICES] = "the stream and devices",
    };

    return words[waits];
}

const char *svi_done_words(int32_t done)
{
    static const char *const words[] = {
        [SV_DONE_NOTHING] = "nothing",
        [SV_DONE_READING] = "reading src",
        [SV_DONE_ALL] = "all",
    };

    return words[done];
}

const char *svi_method_words(int32_t method)
{
    static const char *const words[] = {
        [SV_METHOD_NOTHING] = "without moving a byte",
        [SV_METHOD_DIRECT] = "directly",
        [SV_METHOD_RING] = "in chunks through a ring of pinned memory",
        [SV_METHOD_IN_PLACE] = "in place",
        [SV_METHOD_TEMPORARY] = "by a temporary",
        [SV_METHOD_HOST_TEMPORARY] = "by a temporary in host memory",
        [SV_METHOD_TASKS] = "by tasks on the caller's threads",
    };

    return words[method];
}
