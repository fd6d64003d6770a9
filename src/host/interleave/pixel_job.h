/* One run of the pixels of a copy, which few_units.c calls for each. */
#ifndef SVI_HOST_PIXEL_JOB_H
#define SVI_HOST_PIXEL_JOB_H

#include "host/convert/cast_job.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "pixel_layout.h"

struct svi_pixel_job {
    const struct svi_isa *isa;
    struct svi_recipe recipe;
    struct svi_pixels pixels;
    struct svi_plane plane;      /* channels, pixels */
    int64_t first;               /* from the first item to the lowest byte of its pixel in the source */
    int64_t step;                /* pixels of a step of vectors, a power of two */
    bool past_cache;
    bool is_far;                 /* it goes through the cache nevertheless: the next run is fetched */
    bool in_turns;               /* several parts of the source do */
    bool ends;                   /* nothing is read behind the last unit */
    int64_t ahead;               /* bytes of the source, of each plane of it, fetched before they are needed: */
    const char *end, *next;      /* after the end of this run, or of its first plane, those of the next */
    size_t item;                 /* of the source */
    const struct svi_cast *cast; /* NULL: items stay as they are */
    svi_pixels_run *converting;  /* past the cache, at once; NULL: by way of a buffer */
    char *buffer;                /* SVI_PIXEL_BUFFER bytes; NULL: a smaller one */
};

enum {
    SVI_PIXEL_CHUNK = 1024, /* bytes of each unit that are put in order in cache before they go on */
    SVI_PIXEL_SMALL = 16384, /* bytes of a copy that does with a buffer in a frame */
    SVI_PIXEL_BUFFER = SVI_CHANNELS * (SVI_PIXEL_CHUNK + 3 * SVI_LINE)
};

/* dst, src: where its first item is. */
void svi_pixel_job_run(const struct svi_pixel_job *j, char *dst, const char *src);

enum { SVI_PIXEL_ROW = 6144 }; /* bytes of a run of pixels from which on it pays past the cache to go there */

/* Runs that are shorter, rows->dst bytes each, and do not go there by themselves, by way of a buffer. */
void svi_pixel_rows(const struct svi_pixel_job *j, const struct svi_odometer_axis *rows, char *buffer, char *dst,
                    const char *src);

/* Bytes of the buffer. */
size_t svi_pixel_rows_scratch(void);

#endif
