/* Pixels of 5 to 7 bytes, two in a lane, as if they were of 8, where a mask picks bytes; after channels.h. */
#ifndef SVI_HOST_NARROW_H
#define SVI_HOST_NARROW_H

/* Bytes of two pixels that follow each other, or are 8 bytes apart, by the number of channels; 0x80 gives 0. */
#define NO ((char)0x80)
static const char apart[3][16] = {
    {0, 1, 2, 3, 4, NO, NO, NO, 5, 6, 7, 8, 9, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, NO, NO, 6, 7, 8, 9, 10, 11, NO, NO},
    {0, 1, 2, 3, 4, 5, 6, NO, 7, 8, 9, 10, 11, 12, 13, NO},
};
static const char together[3][16] = {
    {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, NO, NO, NO, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, NO, NO, NO, NO},
    {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, NO, NO},
};
#undef NO

static void split_narrow(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                         struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 1, 8, apart[channels - 5], pick, store);
}

static void split_narrow_stream(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                                struct svi_fetch fetch)
{
    split_channels(dst, pitch, src, channels, count, fetch, 1, 8, apart[channels - 5], pick, stream);
}

static void join_narrow(char *dst, int64_t pitch, const char *src, int64_t channels, int64_t count,
                        struct svi_fetch fetch)
{
    join_channels(dst, pitch, src, channels, count, fetch, 1, 8, together[channels - 5], pick);
}

#endif
