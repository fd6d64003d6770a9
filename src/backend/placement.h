/*
 * Placement: who copies between two kinds of memory, whose stream orders the copy, what the call waits for, and what is
 * done when it returns. It is decided here alone. These are pure functions: what only a driver or the addresses can
 * tell, the caller finds out and passes. The first page of sv/copy.h shows the two tables to users.
 */
#ifndef SVI_PLACEMENT_H
#define SVI_PLACEMENT_H

#include "backend/device.h"

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

/* By the kinds of memory alone. is_ready: devices can have work on managed memory; otherwise managed memory counts as
 * the host's where no side is a device's own. */
struct svi_placement svi_placement_make(struct svi_device dst, struct svi_device src, bool is_ready);

/* By a method, with SV_COPY bits. */
void svi_placement_set(struct svi_placement *placement, uint32_t flags, int32_t method);

/* What decides it, of memory that devices can have work on. */
enum svi_relation svi_relation_of(struct svi_device dst, struct svi_device src);

/* The device type of who copies: that of the host or of a family's devices. */
int32_t svi_placement_copier(const struct svi_placement *placement);

/* For people: of the tables in sv/copy.h, and of sv_plan_explain(). Static text. */
const char *svi_relation_name(enum svi_relation relation);
const char *svi_waits_words(int32_t waits);
const char *svi_done_words(int32_t done);
const char *svi_method_words(int32_t method);

#endif
