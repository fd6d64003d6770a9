/*
 * The context of a run of pixels, for few_units.c and few_channels.c. A copy of pixels is many runs that differ in
 * their addresses only. A run is the pixels along one axis. On each side the units of a pixel are side by side
 * (pixels), or each in a run of its own (planes).
 */
#ifndef SVI_HOST_INTERLEAVE_RUN_H
#define SVI_HOST_INTERLEAVE_RUN_H

#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/convert/cast_job.h"

struct svi_pixel_layout {
    enum svi_pixel_form form;
    int from, to;    /* units of a pixel on both sides */
    int unit;        /* bytes; a power of two */
    int32_t pixel;   /* axis */
    int32_t channel; /* axis, or -1: a pixel of the destination is an element */
    bool reversed;   /* units of each pixel */
};

enum { SVI_LEAST_PIXELS = 64 }; /* of a run, which is mostly ends below */

/* The pixels of a transpose. The last axis is that of the pixels if they are deinterleaved, else that of the
 * channels. */
static inline struct svi_pixel_layout svi_pixel_axes(const struct svi_plan *plan, bool deinterleaves)
{
    const int32_t last = plan->ndim - 1, tile = plan->src_axis;
    const int32_t pixel = deinterleaves ? last : tile, channel = deinterleaves ? tile : last;
    const int channels = (int)plan->shape[channel];

    return (struct svi_pixel_layout){
        deinterleaves ? SVI_DEINTERLEAVE : SVI_INTERLEAVE, channels, channels, (int)plan->item, pixel, channel, false};
}

/* The instruction set with the widest vectors of at most nbytes that has kernels for channels, or for pixels. */
static inline const struct svi_isa *svi_pixel_isa(const struct svi_isa *isa, bool channels, enum svi_pixel_form form,
                                                  int64_t nbytes)
{
    for (const struct svi_isa *next = isa->narrower; next != NULL && isa->vector > nbytes; next = isa->narrower) {
        if (channels ? next->channels == NULL || next->channels->loops[form][0] == NULL : next->pixels == NULL)
            break;
        isa = next;
    }
    return isa;
}

struct svi_pixel_run;

/* Copies count pixels, whole lines of each plane, which may begin anywhere in a line. */
typedef void svi_pixel_body(const struct svi_pixel_run *r, char *dst, const char *src, int64_t count);

struct svi_pixel_run {
    const struct svi_isa *isa;
    struct svi_pixels pixels;
    int32_t pixel, channel; /* axes, as in the layout */
    struct svi_plane plane; /* channels, pixels */
    size_t item; /* bytes of an element of the source */
    int64_t first; /* bytes from the first element of a pixel to the lowest in the source */
    const struct svi_cast *cast; /* NULL: no conversion */

    /* Kernels. Pixels that nt and body do not copy are copied by way of the buffer. */
    svi_pixels_run *cached;
    svi_pixels_run *nt; /* non-temporal stores of whole lines, or NULL */
    svi_pixel_body *body; /* the same in an order of its own, instead of nt, or NULL */
    int64_t step; /* pixels of a vector, a power of two */
    int64_t overrun; /* footprint of a step: pixels that it reads or writes behind its last one */

    /* Beyond the cache. */
    bool uses_nt; /* non-temporal stores */
    bool prefetch_next; /* runs are short, and go through the cache while the next one is prefetched */
    bool foresees; /* prefetches go on to the next run at the end of one */
    int64_t ahead; /* prefetch distance, in the source or in each plane of it */
    const char *end; /* cursor: the end of this run, or of its first plane, */
    int64_t gap; /* and bytes from there to the next run */

    /* The buffer. */
    int64_t chunk; /* bytes of each unit that are staged at a time; a multiple of a line */
    size_t scratch; /* bytes */
    char *buffer;
};

/* Sets what follows from the layout. The caller sets loops, step, overrun, ahead, chunk and scratch. */
void svi_pixel_run_begin(struct svi_pixel_run *r, const struct svi_machine *machine, const struct svi_plan *plan,
                         const struct svi_pixel_layout *layout);

/* Bytes of a buffer for chunks of `chunk` bytes of each unit. */
size_t svi_pixel_scratch(const struct svi_pixel_run *r, int64_t chunk);

/* Copies all runs of the plan. False: out of memory, and nothing is done. */
bool svi_pixel_runs(struct svi_pixel_run *r, const struct svi_plan *plan, char *dst, const char *src);

#endif
