/*
 * Runs of pixels of one copy: what the loops of few_units.c and few_channels.c
 * have in common. A run is as many pixels as follow each other along one axis,
 * its units side by side (pixels) or each in a run of its own (planes).
 */
#ifndef SVI_HOST_INTERLEAVE_RUN_H
#define SVI_HOST_INTERLEAVE_RUN_H

#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/convert/cast_job.h"

struct svi_pixel_layout {
    enum svi_pixel_form form;
    int from, to;    /* units of a pixel of both sides */
    int unit;        /* bytes; a power of two */
    int32_t pixel;   /* axis */
    int32_t channel; /* axis, or -1: a pixel of the destination is an element */
    bool backwards;  /* units */
};

enum {
    SVI_LEAST_PIXEL_BYTES = 256, /* of a copy: below, masks take longer than it */
    SVI_MOST_CHANNELS = 64       /* elements of a pixel */
};

/* Of 2 to 4 units. False where they are no pixels. */
bool svi_pixel_layout_of(const struct svi_plan *plan, struct svi_pixel_layout *out);

/* Of a short axis, where svi_is_channels or svi_has_short_lines. */
void svi_channel_layout_of(const struct svi_plan *plan, struct svi_pixel_layout *out);

/* Whether pixels of the destination are a few whole lines, and planes of the source do not conflict. */
bool svi_has_short_lines(const struct svi_plan *plan);

struct svi_pixel_run;

/* Runs whole lines of a run past the cache in an order of its own; how many of count pixels, from the first on. */
typedef int64_t svi_pixel_body(const struct svi_pixel_run *r, char *dst, const char *src, int64_t count);

struct svi_pixel_run {
    const struct svi_isa *isa;
    struct svi_pixels pixels;
    enum svi_pixel_form form;
    int32_t pixel, channel; /* axes; channel may be -1 */
    svi_pixels_run *cached, *streamed; /* the loops; streamed: of whole lines. NULL: these go by way of a buffer */
    svi_pixel_body *body;              /* NULL, or instead of streamed, for as many pixels as it does */
    struct svi_plane plane;            /* channels, pixels */
    size_t item;                       /* of the source */
    int64_t first;                     /* from the first element to the lowest byte of its pixel in the source */
    int64_t step;                      /* pixels of a step of vectors, a power of two */
    int64_t spare;                     /* pixels at the end of a run that steps reach beyond, */
    bool past_cache;
    bool carries;                      /* body takes planes that begin anywhere in a line */
    bool fetches_next;                 /* through the cache, and the next run is fetched */
    bool foresees;                     /* what comes after the end of a run is where the next begins */
    int64_t ahead;                     /* prefetch distance, in the source or each plane of it */
    const char *end;                   /* of this run, or of its first plane, */
    int64_t gap;                       /* and bytes to the next */
    const struct svi_cast *cast;       /* NULL: elements stay as they are */
    int64_t chunk;                     /* bytes of each unit that are put in order in a buffer before they go on */
    size_t scratch;                    /* bytes of the buffer */
    char *buffer;
};

/* All that does not depend on loops; these are to be set, with step, spare, ahead and what else is needed. */
void svi_pixel_run_begin(struct svi_pixel_run *r, const struct svi_machine *machine, const struct svi_plan *plan,
                         const struct svi_pixel_layout *layout);

/* Bytes of a buffer for chunks of so many bytes of each unit. */
size_t svi_pixel_scratch(const struct svi_pixel_run *r, int64_t chunk);

/* One run, at these addresses. */
void svi_pixel_run(const struct svi_pixel_run *r, char *dst, const char *src);

/* All runs of the plan. False: out of memory, nothing is done. */
bool svi_pixel_runs(struct svi_pixel_run *r, const struct svi_plan *plan, char *dst, const char *src);

#endif
