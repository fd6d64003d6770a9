/*
 * Runs of pixels to planes and back. Past the cache by way of a buffer whose
 * rows are as far into a line as those of the destination: it is filled from the
 * source, its whole lines are stored, and what is left of each row goes to the
 * beginning of it. Where it pays several places of the planes are stored in
 * turns, and lines of the source fetched meanwhile.
 */
#include "channel_job.h"

#include "host/base/elements.h"
#include "host/base/carry_line.h"
#include "host/kernels.h"

enum {
    RUN = 256,         /* bytes of each plane that are stored at a time, */
    SHORT_RUN = 128,   /* and of those that are left in cache, */
    JOINED = 2048,     /* or of pixels, about */
    LONG = 2048,       /* of a plane, from which on it pays in cache to begin where lines do */
    GUARD = 16,        /* pixels at the end, where vectors reach beyond them: of a byte at least */
    PLACES = 4,        /* that take turns at most, */
    PIECE = 128,       /* bytes of each plane that each of them stores at a time, */
    BUFFERS = 32768,   /* of the buffers of all at most, */
    SHORT_PLACE = 1024 /* and of a plane in each place at least */
};

static int64_t bytes_of(const struct svi_channel_job *j, bool planes, int64_t pixels)
{
    return svi_channel_job_bytes(j, planes, pixels);
}

/* Pixels in whole steps that neither read nor write beyond count. */
static int64_t whole(const struct svi_channel_job *j, int64_t count)
{
    const int64_t safe = count - (j->spills ? GUARD : 0);

    return safe > 0 ? safe / j->step * j->step : 0;
}

/* From a place of this run, or in short runs of planes to the same place of the next. */
static struct svi_fetch fetch_of(const struct svi_channel_job *j, const char *src)
{
    if (!j->past_cache)
        return (struct svi_fetch){0, false};
    if (!j->is_join && j->end - j->begin <= j->ahead)
        return (struct svi_fetch){j->next - j->begin, j->once};
    return (struct svi_fetch){j->ahead + (j->end - src > j->ahead ? 0 : j->next - j->end), j->once};
}

static void run(const struct svi_channel_job *j, char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch,
                int64_t count)
{
    j->run(dst, j->is_join ? src_pitch : dst_pitch, src, j->channels, count / j->step, fetch_of(j, src));
}

/* One step, whose lines are fetched already. */
static void run_again(const struct svi_channel_job *j, char *dst, int64_t dst_pitch, const char *src)
{
    j->run(dst, j->is_join ? j->pitch : dst_pitch, src, j->channels, 1, (struct svi_fetch){0, false});
}

/* --- the buffer: of planes or places, and behind it a copy of the source's last pixels ---------- */

/* Bytes from plane to plane in a buffer of places. */
static int64_t pitch_of(const struct svi_channel_job *j)
{
    return j->pitch % SVI_LINE == 0 ? PIECE + SVI_LINE : svi_keep_pitch(PIECE, j->pitch);
}

/* Bytes of each plane that it takes. In cache there are less than a step and GUARD pixels. */
static int64_t run_of(const struct svi_channel_job *j)
{
    return j->past_cache ? RUN : SHORT_RUN;
}

static int64_t plane_bytes(const struct svi_channel_job *j)
{
    const int64_t joined = svi_larger(JOINED, j->channels * SVI_LINE) + 3 * SVI_LINE;
    const int64_t planes = j->channels * (run_of(j) + 3 * SVI_LINE);

    if (j->in_turns)
        return svi_larger(BUFFERS, planes) + (PLACES + 2) * SVI_LINE;
    return j->is_join ? joined : planes;
}

/* A few pixels by way of a copy of the source; the destination has room for all of them. */
static void rest(const struct svi_channel_job *j, char *dst, int64_t dst_pitch, const char *src, int64_t count)
{
    char *const copy = j->buffer + plane_bytes(j);
    const int64_t rows = j->is_join ? j->channels : 1;
    const int64_t steps = (count + j->step - 1) / j->step, copy_pitch = 2 * SVI_LINE;
    const size_t nbytes = (size_t)bytes_of(j, j->is_join, count);

    for (int64_t c = 0; c < rows; c++)
        memcpy(copy + c * copy_pitch, src + c * j->pitch, nbytes);
    j->run(dst, j->is_join ? copy_pitch : dst_pitch, copy, j->channels, steps, (struct svi_fetch){0, false});
}

/* Whether the last step of count pixels may write some of the one before again, with so many after them. */
static bool is_again(const struct svi_channel_job *j, int64_t count, int64_t after)
{
    return count >= j->step && (!j->spills || after >= GUARD);
}

/* count pixels, whole steps or all that are left; nothing may be read behind those. */
static void fill(const struct svi_channel_job *j, char *buffer, int64_t pitch, const char *src, int64_t count,
                 int64_t left)
{
    const int64_t body = svi_smaller(count, whole(j, left)), last = count - j->step;

    run(j, buffer, pitch, src, j->pitch, body);
    if (body < count && is_again(j, count, left - count))
        run_again(j, buffer + bytes_of(j, !j->is_join, last), pitch, src + bytes_of(j, j->is_join, last));
    else if (body < count)
        rest(j, buffer + bytes_of(j, !j->is_join, body), pitch, src + bytes_of(j, j->is_join, body), count - body);
}

static void put_in_cache(char *dst, const char *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

static void buffered(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t share = JOINED / j->channels / SVI_LINE * SVI_LINE;
    const int64_t nbytes = j->is_join ? svi_larger(share, SVI_LINE) : run_of(j), some = nbytes / j->item;
    const int64_t pitch = svi_keep_pitch(run_of(j), j->pitch);
    svi_put *put = j->past_cache ? j->isa->stream_copy : put_in_cache;
    char *row = j->buffer + (uintptr_t)dst % SVI_LINE;

    for (int64_t k = 0; k < pixels; k += some) {
        const int64_t count = svi_smaller(some, pixels - k), width = bytes_of(j, !j->is_join, count);
        const bool last = k + count == pixels;
        char *to = dst + bytes_of(j, !j->is_join, k);

        fill(j, row, pitch, src + bytes_of(j, j->is_join, k), count, pixels - k);
        for (int64_t c = 0; c < (j->is_join ? 1 : j->channels); c++)
            svi_keep_put(put, to + c * j->pitch, row + c * pitch, width, k == 0, last);
    }
}

/* So many pixels may come again, so that what follows them are whole lines of planes. */
static int64_t begin(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE), head = before / j->item;

    if (j->is_join || j->pitch % SVI_LINE != 0 || before % j->item != 0 || pixels * j->item < LONG ||
        head > j->step || whole(j, pixels) < j->step)
        return 0;
    if (head > 0)
        run(j, dst, j->pitch, src, j->pitch, j->step);
    return head;
}

static void in_cache(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t head = begin(j, dst, src, pixels), body = whole(j, pixels - head);
    const int64_t last = pixels - head - j->step;

    dst += head * j->item;
    src += bytes_of(j, j->is_join, head);
    pixels -= head;
    run(j, dst, j->pitch, src, j->pitch, body);
    if (body < pixels && is_again(j, pixels, 0))
        run_again(j, dst + bytes_of(j, !j->is_join, last), j->pitch, src + bytes_of(j, j->is_join, last));
    else if (body < pixels)
        buffered(j, dst + bytes_of(j, !j->is_join, body), src + bytes_of(j, j->is_join, body), pixels - body);
}

/* The first piece of each plane of a place, which may begin within a line. */
static void put_first(const struct svi_channel_job *j, char *dst, char *row, int64_t pitch, int64_t nbytes)
{
    for (int64_t c = 0; c < j->channels; c++)
        svi_keep_put(j->isa->stream_copy, dst + c * j->pitch, row + c * pitch, nbytes, true, false);
}

/* What is left of each plane. */
static void put_last(const struct svi_channel_job *j, char *dst, const char *row, int64_t pitch)
{
    for (int64_t c = 0; c < j->channels; c++) {
        const size_t left = (uintptr_t)(dst + c * j->pitch) % SVI_LINE;

        memcpy(dst + c * j->pitch - left, row + c * pitch - left, left);
    }
}

/* pixels of each of several places, of whole lines of bytes, which are so many pixels apart. */
static void in_turns(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels, int64_t apart,
                     int places)
{
    const int64_t pitch = pitch_of(j), room = (j->channels * pitch / SVI_LINE + 1) * SVI_LINE;
    const int64_t some = PIECE / j->item, dst_apart = apart * j->item, src_apart = bytes_of(j, false, apart);
    const bool ragged = ((uintptr_t)dst | (uint64_t)j->pitch) % SVI_LINE != 0;
    char *row = j->buffer + SVI_LINE + (uintptr_t)dst % SVI_LINE;

    for (int64_t k = 0; k < pixels; k += some) {
        const int64_t count = svi_smaller(some, pixels - k), done = k + count;
        const char *from = src + bytes_of(j, false, k), *next = src + bytes_of(j, false, done);

        for (int place = 0; place < places; place++)
            j->run(row + place * room, pitch, from + place * src_apart, j->channels, count / j->step,
                   (struct svi_fetch){0, false});
        for (int place = 0; ragged && k == 0 && place < places; place++)
            put_first(j, dst + place * dst_apart, row + place * room, pitch, count * j->item);
        if (!ragged || k > 0)
            j->isa->stream_planes(dst + k * j->item, j->pitch, dst_apart, row, pitch, room, j->channels,
                                  count * j->item, done < pixels ? next : j->next, src_apart, places);
    }
    for (int place = 0; ragged && pixels > 0 && place < places; place++)
        put_last(j, dst + place * dst_apart + pixels * j->item, row + place * room, pitch);
}

/* As many places as have room in the first cache. */
static void all_places(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t line = SVI_LINE / j->item, each = j->channels * pitch_of(j);
    const int places = each * PLACES <= BUFFERS ? PLACES : each * 2 <= BUFFERS ? 2 : 1;
    const int64_t apart = pixels / places / line * line, rest = pixels - places * apart;

    if (apart * j->item < SHORT_PLACE) {
        in_turns(j, dst, src, pixels, 0, 1);
        return;
    }
    in_turns(j, dst, src, apart, apart, places);
    if (rest > 0)
        in_turns(j, dst + places * apart * j->item, src + bytes_of(j, false, places * apart), rest, 0, 1);
}

/* Pixels in front of the first line of all planes, which begin at one place of a line: all where items do not. */
static int64_t head_of(const struct svi_channel_job *j, const char *dst, int64_t pixels)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    return before % j->item == 0 ? svi_smaller(before / j->item, pixels) : pixels;
}

/* The last pixels go by way of the other buffer, and the first where all planes then begin with a line. */
static void by_places(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t line = SVI_LINE / j->item, head = j->pitch % SVI_LINE == 0 ? head_of(j, dst, pixels) : 0;
    const int64_t begin = head < pixels ? head : 0, body = whole(j, pixels - begin) / line * line;
    const int64_t done = begin + body;

    if (begin > 0)
        buffered(j, dst, src, begin);
    all_places(j, dst + begin * j->item, src + bytes_of(j, false, begin), body);
    if (done < pixels)
        buffered(j, dst + done * j->item, src + bytes_of(j, false, done), pixels - done);
}

/* Whole lines without a buffer. Planes begin at one place of a line, all of them. */
static void direct(const struct svi_channel_job *j, char *dst, const char *src, int64_t pixels)
{
    const int64_t line = SVI_LINE / j->item, head = head_of(j, dst, pixels);
    const int64_t body = whole(j, pixels - head) / line * line, tail = pixels - head - body;

    if (head > 0)
        buffered(j, dst, src, head);
    dst += head * j->item;
    src += bytes_of(j, false, head);
    if (body > 0)
        j->direct(dst, j->pitch, src, j->channels, body / j->step, (struct svi_fetch){j->ahead, j->once});
    if (tail > 0)
        buffered(j, dst + body * j->item, src + bytes_of(j, false, body), tail);
}

size_t svi_channel_job_scratch(const struct svi_channel_job *j)
{
    const int64_t whole_steps = whole(j, j->pixels);

    if (!j->past_cache && (whole_steps == j->pixels || is_again(j, j->pixels, 0)))
        return 0;
    return (size_t)(plane_bytes(j) + 2 * SVI_LINE * j->channels + SVI_UNIT);
}

void svi_channel_job_run(const struct svi_channel_job *j, char *dst, const char *src)
{
    if (j->direct != NULL)
        direct(j, dst, src, j->pixels);
    else if (j->in_turns)
        by_places(j, dst, src, j->pixels);
    else if (j->past_cache)
        buffered(j, dst, src, j->pixels);
    else
        in_cache(j, dst, src, j->pixels);
}
