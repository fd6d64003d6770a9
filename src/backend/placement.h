/*
 * Placement: who copies between two kinds of memory, whose stream orders the copy, what the call waits for, and what is
 * done when it returns. It is decided here alone. These are pure functions: what only a driver or the addresses can
 * tell, the caller finds out and passes. The first page of sv/copy.h shows the two tables to users.
 */
#ifndef SVI_PLACEMENT_H
#define SVI_PLACEMENT_H

#include "backend/memory.h"

/* What two kinds of memory are to each other. */
enum svi_relation {
    SVI_RELATION_NONE,    /* no backend copies between them */
    SVI_RELATION_HOST,    /* memory of the host on both sides */
    SVI_RELATION_SHARED,  /* managed memory and memory of the host */
    SVI_RELATION_WITHIN,  /* memory of a device, and what its kernels reach without a link to the host */
    SVI_RELATION_MANAGED, /* managed memory on both sides, which the kernels of any device reach */
    SVI_RELATION_PINNED,  /* a device and pinned memory */
    SVI_RELATION_SEND,    /* from ordinary memory to a device */
    SVI_RELATION_FETCH,   /* from a device to ordinary memory */
    SVI_RELATION_PEERS,   /* two devices */
    SVI_RELATIONS
};

enum { SVI_DEFAULT_STREAMS = 2 }; /* numbers up to this one mean another stream on each device */

struct svi_placement {
    enum svi_relation relation;
    enum svi_family family;      /* whose backend copies; SVI_FAMILY_NONE: nobody does */
    struct svi_device where;     /* the device whose default streams order it; svi_cpu: the stream is not read */
    bool follows_stream;         /* any other stream tells by itself which device copies; else where does */
    bool asks_driver;            /* it depends on is_ready */
    bool has_managed;            /* a side is managed memory that devices may work on */
    int32_t waits, done, method; /* SV_WAITS, SV_DONE and SV_METHOD numbers; valid after svi_placement_set() */
};

/* --- rules: inline, since every copy by a device asks ------------------------------------------------- */

/* Who copies: the first two are families themselves, the last is that of the device. */
enum svi_copier { SVI_BY_NOBODY = SVI_FAMILY_NONE, SVI_BY_HOST = SVI_FAMILY_HOST, SVI_BY_DEVICE };

/* Whose default streams order the copy. */
enum svi_where { SVI_WHERE_NONE, SVI_WHERE_DST, SVI_WHERE_DEVICE, SVI_WHERE_MANAGED };

struct svi_rule {
    const char *name;
    enum svi_copier by;
    bool asks_driver;
    enum svi_where where;
    bool follows_stream;
    int32_t waits, done; /* without SV_COPY_BLOCKING; of a copy from ordinary memory to a device: by the ring */
};

extern const struct svi_rule svi_rules[SVI_RELATIONS];

/* To the kind of memory of the row, from that of the column: enum svi_relation. Two devices that differ are peers. */
extern const unsigned char svi_relations[SVI_MEMORY_KINDS][SVI_MEMORY_KINDS];

/* Whether a device reaches pinned memory of another driver: by addresses that hold everywhere. */
static inline bool svi_is_pinned_everywhere(const struct svi_device_facts *to, const struct svi_device_facts *from)
{
    return (to->kind == SV_MEMORY_PINNED ? to : from)->unified;
}

/* What decides it, of memory that devices can have work on. What devices copy is memory of one driver, but for pinned
 * memory. */
static inline enum svi_relation svi_relation_of(struct svi_device dst, struct svi_device src)
{
    const struct svi_device_facts *to = &svi_devices[dst.type], *from = &svi_devices[src.type];
    const enum svi_relation found = (enum svi_relation)svi_relations[to->kind][from->kind];

    if (to->family != from->family && found >= SVI_RELATION_WITHIN && found <= SVI_RELATION_PINNED &&
        !(found == SVI_RELATION_PINNED && svi_is_pinned_everywhere(to, from)))
        return SVI_RELATION_NONE;
    return found == SVI_RELATION_WITHIN && to->kind == from->kind && dst.id != src.id ? SVI_RELATION_PEERS : found;
}

/* Whether it is that of dst, of a kind. */
static inline bool svi_is_where_dst(enum svi_where where, sv_memory to)
{
    return where == SVI_WHERE_DST || to == (where == SVI_WHERE_DEVICE ? SV_MEMORY_DEVICE : SV_MEMORY_MANAGED);
}

/* By the kinds of memory alone. is_ready: devices can have work on managed memory; otherwise managed memory counts as
 * the host's where no side is a device's own. */
static inline struct svi_placement svi_placement_make(struct svi_device dst, struct svi_device src, bool is_ready)
{
    const sv_memory to = svi_devices[dst.type].kind, from = svi_devices[src.type].kind;
    const enum svi_relation found = svi_relation_of(dst, src);
    const enum svi_relation relation = svi_rules[found].asks_driver && !is_ready ? SVI_RELATION_HOST : found;
    const struct svi_rule *rule = &svi_rules[relation];
    const struct svi_device side = svi_is_where_dst(rule->where, to) ? dst : src;

    return (struct svi_placement){
        .relation = relation,
        .family = rule->by == SVI_BY_DEVICE ? svi_devices[side.type].family : (enum svi_family)rule->by,
        .where = rule->where == SVI_WHERE_NONE ? svi_cpu : side,
        .follows_stream = rule->follows_stream,
        .asks_driver = svi_rules[found].asks_driver,
        .has_managed = relation > SVI_RELATION_HOST && (to == SV_MEMORY_MANAGED || from == SV_MEMORY_MANAGED),
    };
}

/* By a method, with SV_COPY bits. */
void svi_placement_set(struct svi_placement *placement, uint32_t flags, int32_t method);

/* The device type of who copies: that of the host or of a family's devices. */
int32_t svi_placement_copier(const struct svi_placement *placement);

/* For people: of the tables in sv/copy.h, and of sv_plan_explain(). Static text. */
const char *svi_relation_name(enum svi_relation relation);
const char *svi_waits_words(int32_t waits);
const char *svi_done_words(int32_t done);
const char *svi_method_words(int32_t method);

#endif
