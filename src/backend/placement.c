#include "backend/placement.h"

#include "backend/memory.h"

/* --- relations -------------------------------------------------------------------------------------- */

/* To the kind of memory of the row, from that of the column. Two devices that differ are peers. */
static const unsigned char relations[SVI_MEMORY_KINDS][SVI_MEMORY_KINDS] = {
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

/* What devices copy is memory of one driver: another one's is memory of the host for it, or none. */
static inline enum svi_relation find_relation(struct svi_device dst, struct svi_device src)
{
    const struct svi_device_facts *to = &svi_devices[dst.type], *from = &svi_devices[src.type];
    const enum svi_relation found = relations[to->kind][from->kind];

    if (found >= SVI_RELATION_WITHIN && found <= SVI_RELATION_PINNED && to->family != from->family)
        return SVI_RELATION_NONE;
    return found == SVI_RELATION_WITHIN && to->kind == from->kind && dst.id != src.id ? SVI_RELATION_PEERS : found;
}

enum svi_relation svi_relation_of(struct svi_device dst, struct svi_device src)
{
    return find_relation(dst, src);
}

/* --- rules ------------------------------------------------------------------------------------------ */

/* Whose default streams order the copy. */
enum side { NO_SIDE, DST_SIDE, DEVICE_SIDE, MANAGED_SIDE };

static const struct rule {
    const char *name;
    bool by_host, asks_driver;
    enum side where;
    bool follows_stream;
    int32_t waits, done; /* without SV_COPY_BLOCKING; of a copy from ordinary memory to a device: by the ring */
} rules[SVI_RELATIONS] = {
    [SVI_RELATION_NONE] = {"-", true, false, NO_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_HOST] = {"host", true, false, NO_SIDE, false, SV_WAITS_NOTHING, SV_DONE_ALL},
    [SVI_RELATION_SHARED] = {"shared", true, true, MANAGED_SIDE, false, SV_WAITS_DEVICES, SV_DONE_ALL},
    [SVI_RELATION_WITHIN] = {"within", false, false, DEVICE_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_MANAGED] = {"managed", false, true, DST_SIDE, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_PINNED] = {"pinned", false, false, DEVICE_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_SEND] = {"send", false, false, DEVICE_SIDE, false, SV_WAITS_RING, SV_DONE_READING},
    [SVI_RELATION_FETCH] = {"fetch", false, false, DEVICE_SIDE, false, SV_WAITS_STREAM, SV_DONE_ALL},
    [SVI_RELATION_PEERS] = {"peers", false, false, DST_SIDE, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
};

/* Whether it is that of dst, of a kind. */
static inline bool is_dst_side(enum side side, sv_memory to)
{
    return side == DST_SIDE || to == (side == DEVICE_SIDE ? SV_MEMORY_DEVICE : SV_MEMORY_MANAGED);
}

struct svi_placement svi_placement_make(struct svi_device dst, struct svi_device src, bool is_ready)
{
    const sv_memory to = svi_devices[dst.type].kind, from = svi_devices[src.type].kind;
    const enum svi_relation found = find_relation(dst, src);
    const enum svi_relation relation = rules[found].asks_driver && !is_ready ? SVI_RELATION_HOST : found;
    const struct rule *rule = &rules[relation];
    struct svi_placement out = {.relation = relation, .family = SVI_FAMILY_NONE, .where = svi_cpu};

    out.asks_driver = rules[found].asks_driver;
    out.follows_stream = rule->follows_stream;
    out.has_managed = relation > SVI_RELATION_HOST && (to == SV_MEMORY_MANAGED || from == SV_MEMORY_MANAGED);
    if (rule->where != NO_SIDE)
        out.where = is_dst_side(rule->where, to) ? dst : src;
    if (relation != SVI_RELATION_NONE)
        out.family = rule->by_host ? SVI_FAMILY_HOST : svi_devices[out.where.type].family;
    return out;
}

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
    const struct rule *rule = &rules[placement->relation];
    const bool is_by_host = method == SV_METHOD_HOST_TEMPORARY;

    placement->method = method;
    placement->waits = rule->waits;
    placement->done = rule->done;
    if (method == SV_METHOD_NOTHING) {
        placement->waits = SV_WAITS_NOTHING;
        placement->done = SV_DONE_ALL;
    } else if (!rule->by_host && is_awaited(placement, flags)) {
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
    return rules[relation].name;
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
