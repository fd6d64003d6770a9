/* One run of the pixels of a transpose, which few_channels.c calls for each. */
#ifndef SVI_HOST_CHANNEL_JOB_H
#define SVI_HOST_CHANNEL_JOB_H

#include "host/isa/isa.h"

enum { SVI_CHANNEL_MOST = 64 }; /* items of a pixel */

struct svi_channel_job {
    const struct svi_isa *isa;
    svi_channel_run *run;
    svi_channel_run *direct; /* past the cache without a buffer; NULL: not there */
    bool is_join, past_cache;
    int32_t pixel, channel; /* axes */
    int64_t item, channels, pixels;
    int64_t pitch; /* from channel to channel, of the side that has planes */
    int64_t step;  /* pixels of a step of vectors */
    bool spills;   /* a vector reads or writes beyond its pixels */
    int64_t ahead; /* bytes of the source, of each plane of it, that are fetched before they are needed: */
    const char *begin, *end; /* of this run, or of its first plane, */
    const char *next;        /* after which is the next; */
    bool once;               /* for one use */
    bool in_turns;           /* several places of the planes at a time, with a source line prefetched per line stored */
    char *buffer;            /* svi_channel_job_scratch() bytes, aligned to a line */
};

/* Bytes of the buffer that the runs need; 0: none. */
size_t svi_channel_job_scratch(const struct svi_channel_job *j);

/* Bytes from one pixel to a later one, on a side that has planes or pixels. */
static inline int64_t svi_channel_job_bytes(const struct svi_channel_job *j, bool planes, int64_t pixels)
{
    return pixels * j->item * (planes ? 1 : j->channels);
}

/* dst, src: where its first item is. */
void svi_channel_job_run(const struct svi_channel_job *j, char *dst, const char *src);

#endif
