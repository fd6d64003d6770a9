#include "contiguous.h"

#include <string.h>

enum { WAYS = 8, BYTE = 0x5a };

static void library_copy(char *dst, const char *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

static void library_fill(char *dst, size_t nbytes)
{
    memset(dst, BYTE, nbytes);
}

#ifdef __x86_64__
#include <immintrin.h>

/* Four vectors at a time; what is left over is copied by memcpy. */
#define STEP(vector) (4 * sizeof(vector))

__attribute__((target("avx2"))) static void copy_32(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + STEP(__m256i) <= nbytes; k += STEP(__m256i))
        for (size_t l = k; l < k + STEP(__m256i); l += sizeof(__m256i))
            _mm256_store_si256((__m256i *)(dst + l), _mm256_loadu_si256((const __m256i *)(src + l)));
    memcpy(dst + k, src + k, nbytes - k);
}

__attribute__((target("avx2"))) static void fill_32(char *dst, size_t nbytes)
{
    const __m256i x = _mm256_set1_epi8(BYTE);
    size_t k = 0;

    for (; k + STEP(__m256i) <= nbytes; k += STEP(__m256i))
        for (size_t l = k; l < k + STEP(__m256i); l += sizeof(__m256i))
            _mm256_store_si256((__m256i *)(dst + l), x);
    memset(dst + k, BYTE, nbytes - k);
}

static void copy_16_past(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + STEP(__m128i) <= nbytes; k += STEP(__m128i))
        for (size_t l = k; l < k + STEP(__m128i); l += sizeof(__m128i))
            _mm_stream_si128((__m128i *)(dst + l), _mm_loadu_si128((const __m128i *)(src + l)));
    memcpy(dst + k, src + k, nbytes - k);
    _mm_sfence();
}

static void fill_16_past(char *dst, size_t nbytes)
{
    const __m128i x = _mm_set1_epi8(BYTE);
    size_t k = 0;

    for (; k + STEP(__m128i) <= nbytes; k += STEP(__m128i))
        for (size_t l = k; l < k + STEP(__m128i); l += sizeof(__m128i))
            _mm_stream_si128((__m128i *)(dst + l), x);
    memset(dst + k, BYTE, nbytes - k);
    _mm_sfence();
}

__attribute__((target("avx2"))) static void copy_32_past(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + STEP(__m256i) <= nbytes; k += STEP(__m256i))
        for (size_t l = k; l < k + STEP(__m256i); l += sizeof(__m256i))
            _mm256_stream_si256((__m256i *)(dst + l), _mm256_loadu_si256((const __m256i *)(src + l)));
    memcpy(dst + k, src + k, nbytes - k);
    _mm_sfence();
}

__attribute__((target("avx2"))) static void fill_32_past(char *dst, size_t nbytes)
{
    const __m256i x = _mm256_set1_epi8(BYTE);
    size_t k = 0;

    for (; k + STEP(__m256i) <= nbytes; k += STEP(__m256i))
        for (size_t l = k; l < k + STEP(__m256i); l += sizeof(__m256i))
            _mm256_stream_si256((__m256i *)(dst + l), x);
    memset(dst + k, BYTE, nbytes - k);
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void copy_64_past(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + STEP(__m512i) <= nbytes; k += STEP(__m512i))
        for (size_t l = k; l < k + STEP(__m512i); l += sizeof(__m512i))
            _mm512_stream_si512((__m512i *)(dst + l), _mm512_loadu_si512(src + l));
    memcpy(dst + k, src + k, nbytes - k);
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void fill_64_past(char *dst, size_t nbytes)
{
    const __m512i x = _mm512_set1_epi32(BYTE * 0x01010101);
    size_t k = 0;

    for (; k + STEP(__m512i) <= nbytes; k += STEP(__m512i))
        for (size_t l = k; l < k + STEP(__m512i); l += sizeof(__m512i))
            _mm512_stream_si512((__m512i *)(dst + l), x);
    memset(dst + k, BYTE, nbytes - k);
    _mm_sfence();
}

enum { PIECE = 16384, PIECES = 4, LINE = 64 };

/* A line of each of four pieces that follow each other in turns. */
static void copy_turns_past(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + PIECES * PIECE <= nbytes; k += PIECES * PIECE)
        for (size_t l = k; l < k + PIECE; l += LINE)
            for (size_t piece = l; piece < l + PIECES * PIECE; piece += PIECE)
                for (size_t m = piece; m < piece + LINE; m += sizeof(__m128i))
                    _mm_stream_si128((__m128i *)(dst + m), _mm_loadu_si128((const __m128i *)(src + m)));
    memcpy(dst + k, src + k, nbytes - k);
    _mm_sfence();
}

const struct bench_contiguous *bench_contiguous(int *count)
{
    static struct bench_contiguous ways[WAYS] = {{"memcpy", library_copy, library_fill}};
    int n = 1;

    ways[n++] = (struct bench_contiguous){"16 bytes beyond the cache", copy_16_past, fill_16_past};
    ways[n++] = (struct bench_contiguous){"four pieces in turns beyond the cache", copy_turns_past, fill_16_past};
    if (__builtin_cpu_supports("avx2")) {
        ways[n++] = (struct bench_contiguous){"32 bytes", copy_32, fill_32};
        ways[n++] = (struct bench_contiguous){"32 bytes beyond the cache", copy_32_past, fill_32_past};
    }
    if (__builtin_cpu_supports("avx512f"))
        ways[n++] = (struct bench_contiguous){"64 bytes beyond the cache", copy_64_past, fill_64_past};
    *count = n;
    return ways;
}
#else
const struct bench_contiguous *bench_contiguous(int *count)
{
    static const struct bench_contiguous way = {"memcpy", library_copy, library_fill};

    *count = 1;
    return &way;
}
#endif
