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

/* Whether a device reaches pinned memory of another driver: by addresses that hold everywhere. */
static inline bool is_pinned_everywhere(const struct svi_device_facts *to, const struct svi_device_facts *from)
{
    return (to->kind == SV_MEMORY_PINNED ? to : from)->unified;
}

/* What devices copy is memory of one driver, but for pinned memory. */
static inline enum svi_relation find_relation(struct svi_device dst, struct svi_device src)
{
    const struct svi_device_facts *to = &svi_devices[dst.type], *from = &svi_devices[src.type];
    const enum svi_relation found = relations[to->kind][from->kind];

    if (to->family != from->family && found >= SVI_RELATION_WITHIN && found <= SVI_RELATION_PINNED &&
        !(found == SVI_RELATION_PINNED && is_pinned_everywhere(to, from)))
        return SVI_RELATION_NONE;
    return found == SVI_RELATION_WITHIN && to->kind == from->kind && dst.id != src.id ? SVI_RELATION_PEERS : found;
}

enum svi_relation svi_relation_of(struct svi_device dst, struct svi_device src)
{
    return find_relation(dst, src);
}

/* --- rules ------------------------------------------------------------------------------------------ */

/* Who copies: the first two are families themselves, the last is that of the device. */
enum copier { NOBODY = SVI_FAMILY_NONE, HOST = SVI_FAMILY_HOST, DEVICE };

/* Whose default streams order the copy. */
enum side { NO_SIDE, DST_SIDE, DEVICE_SIDE, MANAGED_SIDE };

static const struct rule {
    const char *name;
    enum copier by;
    bool asks_driver;
    enum side where;
    bool follows_stream;
    int32_t waits, done; /* without SV_COPY_BLOCKING; of a copy from ordinary memory to a device: by the ring */
} rules[SVI_RELATIONS] = {
    [SVI_RELATION_NONE] = {"-", NOBODY, false, NO_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_HOST] = {"host", HOST, false, NO_SIDE, false, SV_WAITS_NOTHING, SV_DONE_ALL},
    [SVI_RELATION_SHARED] = {"shared", HOST, true, MANAGED_SIDE, false, SV_WAITS_DEVICES, SV_DONE_ALL},
    [SVI_RELATION_WITHIN] = {"within", DEVICE, false, DEVICE_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_MANAGED] = {"managed", DEVICE, true, DST_SIDE, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_PINNED] = {"pinned", DEVICE, false, DEVICE_SIDE, false, SV_WAITS_NOTHING, SV_DONE_NOTHING},
    [SVI_RELATION_SEND] = {"send", DEVICE, false, DEVICE_SIDE, false, SV_WAITS_RING, SV_DONE_READING},
    [SVI_RELATION_FETCH] = {"fetch", DEVICE, false, DEVICE_SIDE, false, SV_WAITS_STREAM, SV_DONE_ALL},
    [SVI_RELATION_PEERS] = {"peers", DEVICE, false, DST_SIDE, true, SV_WAITS_NOTHING, SV_DONE_NOTHING},
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
    const struct svi_device side = is_dst_side(rule->where, to) ? dst : src;

    return (struct svi_placement){
        .relation = relation,
        .family = rule->by == DEVICE ? svi_devices[side.type].family : (enum svi_family)rule->by,
        .where = rule->where == NO_SIDE ? svi_cpu : side,
        .follows_stream = rule->follows_stream,
        .asks_driver = rules[found].asks_driver,
        .has_managed = relation > SVI_RELATION_HOST && (to == SV_MEMORY_MANAGED || from == SV_MEMORY_MANAGED),
    };
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
    } else if (rule->by == DEVICE && is_awaited(placement, flags)) {
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
