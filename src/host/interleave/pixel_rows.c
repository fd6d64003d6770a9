/*
 * Short runs of pixels past the cache that follow each other in the destination:
 * some are put in order in a buffer, and its whole lines stored; what is left goes
 * to the front of it.
 */
#include "host/kernels.h"
#include "pixel_job.h"

enum { PIECE = 2048 }; /* bytes that are stored at a time, about; while more are, reading waits */

size_t svi_pixel_rows_scratch(void)
{
    return PIECE + SVI_PIXEL_ROW + SVI_LINE;
}

void svi_pixel_rows(const struct svi_pixel_job *j, const struct svi_odometer_axis *rows, char *buffer, char *dst,
                    const char *src)
{
    int64_t from = (int64_t)((uintptr_t)dst % SVI_LINE), to = from;

    for (int64_t k = 0; k < rows->extent; k++) {
        svi_pixel_job_run(j, buffer + to, src + k * rows->src);
        to += rows->dst;
        if (to >= PIECE) {
            const int64_t end = to - to % SVI_LINE;

            j->isa->stream_copy(dst, buffer + from, (size_t)(end - from));
            memcpy(buffer, buffer + end, SVI_LINE);
            dst += end - from;
            from = 0;
            to -= end;
        }
    }
    j->isa->stream_copy(dst, buffer + from, (size_t)(to - from));
}
