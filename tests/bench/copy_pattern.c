#include "copy_pattern.h"

#include <stdlib.h>
#include <string.h>

static bool converts(const struct bench_case *c)
{
    return strcmp(c->dtype, c->src_dtype) != 0;
}

/* --- bits ------------------------------------------------------------------- */

/* Which bits of eight bytes are free, and which are set, so that numbers of this type are between 1 and 2. */
struct bits {
    uint64_t free, set;
};

static struct bits bits_of(const char *dtype)
{
    if (strcmp(dtype, "float16") == 0)
        return (struct bits){0x03ff03ff03ff03ff, 0x3c003c003c003c00};
    if (strcmp(dtype, "float32") == 0 || strcmp(dtype, "complex64") == 0)
        return (struct bits){0x007fffff007fffff, 0x3f8000003f800000};
    if (strcmp(dtype, "float64") == 0 || strcmp(dtype, "complex128") == 0)
        return (struct bits){0x000fffffffffffff, 0x3ff0000000000000};
    return (struct bits){UINT64_MAX, 0};
}

static inline uint64_t word(struct bits bits, int64_t index)
{
    uint64_t x = ((uint64_t)index + 1) * 0x9e3779b97f4a7c15;

    return ((x ^ x >> 29) & bits.free) | bits.set;
}

static void write_words(struct bits bits, char *at, int64_t nbytes)
{
    for (int64_t k = 0; k < nbytes; k += 8) {
        uint64_t x = word(bits, k / 8);

        memcpy(at + k, &x, (size_t)(nbytes - k < 8 ? nbytes - k : 8));
    }
}

/* --- numbers, where the copy converts ------------------------------------------ */

enum { NUMBERS = 64, NUMBER_BYTES = 8 };

struct numbers {
    char bytes[NUMBERS][NUMBER_BYTES];
    size_t item;
};

/* Floating numbers are cut out of float32, which has more bits than these small ones need. */
static uint64_t float_bits(float value, const char *dtype)
{
    double wide = (double)value;
    uint64_t bits64;
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    memcpy(&bits64, &wide, sizeof bits64);
    if (strcmp(dtype, "float64") == 0)
        return bits64;
    if (strcmp(dtype, "bfloat16") == 0)
        return bits >> 16;
    if (strcmp(dtype, "float16") == 0)
        return value == 0 ? 0 : (bits >> 13) - ((127 - 15) << 10);
    return bits;
}

static struct numbers numbers_of(const char *dtype, int64_t item)
{
    struct numbers out = {.item = (size_t)item};

    for (int k = 0; k < NUMBERS; k++) {
        uint64_t bits = strstr(dtype, "float") != NULL ? float_bits((float)k, dtype) : (uint64_t)k;

        memcpy(out.bytes[k], &bits, NUMBER_BYTES);
    }
    return out;
}

static int number_at(int64_t index)
{
    return (int)(word((struct bits){UINT64_MAX, 0}, index) >> 32) & (NUMBERS - 1);
}

static void write_numbers(const struct numbers *numbers, char *at, int64_t nbytes)
{
    int64_t count = nbytes / (int64_t)numbers->item;

    for (int64_t k = 0; k < count; k++)
        memcpy(at + k * (int64_t)numbers->item, numbers->bytes[number_at(k)], numbers->item);
}

void bench_pattern_write(const struct bench_case *c, void *src, int64_t nbytes)
{
    struct numbers numbers = numbers_of(c->src_dtype, sv_layout_itemsize(c->src));

    if (converts(c))
        write_numbers(&numbers, src, nbytes);
    else
        write_words(bits_of(c->dtype), src, nbytes);
}

/* --- verifying ------------------------------------------------------------------ */

struct row {
    const char *dst;
    int64_t from; /* offset of the source's first element */
    int64_t dst_stride, src_stride, count;
    struct bits bits;
    const struct numbers *numbers; /* of the destination; NULL where nothing is converted */
    int64_t src_item;
};

/* Parts of 1, 2, 4 or 8 bytes; those of the source do not lie across words. */
static inline bool parts_are_right(const struct row *row, int64_t part, size_t nbytes)
{
    const char *dst = row->dst + part;
    int64_t from = row->from + part;

    for (int64_t k = 0; k < row->count; k++) {
        uint64_t x = word(row->bits, from >> 3);

        if (memcmp(dst, (const char *)&x + (from & 7), nbytes) != 0)
            return false;
        dst += row->dst_stride;
        from += row->src_stride;
    }
    return true;
}

static bool numbers_are_right(const struct row *row)
{
    for (int64_t k = 0; k < row->count; k++) {
        int number = number_at((row->from + k * row->src_stride) / row->src_item);

        if (memcmp(row->dst + k * row->dst_stride, row->numbers->bytes[number], row->numbers->item) != 0)
            return false;
    }
    return true;
}

static bool row_is_right(const struct row *row, int64_t item)
{
    if (row->numbers != NULL)
        return numbers_are_right(row);
    switch (item) {
    case 1: return parts_are_right(row, 0, 1);
    case 2: return parts_are_right(row, 0, 2);
    case 4: return parts_are_right(row, 0, 4);
    case 8: return parts_are_right(row, 0, 8);
    case 16: return parts_are_right(row, 0, 8) && parts_are_right(row, 8, 8);
    default: return false;
    }
}

static bool is_zero(const char *bytes, int64_t nbytes)
{
    return nbytes == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, (size_t)nbytes - 1) == 0);
}

static void erase(const struct row *row, char *dst, int64_t item)
{
    for (int64_t k = 0; k < row->count; k++)
        memset(dst + k * row->dst_stride, 0, (size_t)item);
}

bool bench_pattern_is_right(const struct bench_case *c, char *dst, int64_t nbytes)
{
    const int64_t *shape = sv_layout_shape(c->dst), *to = sv_layout_byte_strides(c->dst);
    const int64_t *from = sv_layout_byte_strides(c->src);
    int64_t index[SV_MAX_NDIM] = {0}, item = sv_layout_itemsize(c->dst), at = sv_layout_byte_offset(c->dst);
    int32_t last = sv_layout_ndim(c->dst) - 1, k;
    bool dense = sv_layout_is_dense(c->dst);
    struct numbers numbers = numbers_of(c->dtype, item);
    struct row row = {.from = sv_layout_byte_offset(c->src), .count = 1, .bits = bits_of(c->dtype)};

    row.numbers = converts(c) ? &numbers : NULL;
    row.src_item = sv_layout_itemsize(c->src);
    if (last >= 0)
        row.dst_stride = to[last], row.src_stride = from[last], row.count = shape[last];
    do {
        row.dst = dst + at;
        if (!row_is_right(&row, item))
            return false;
        if (!dense)
            erase(&row, dst + at, item);
        for (k = last - 1; k >= 0; k--) {
            at += to[k];
            row.from += from[k];
            if (++index[k] < shape[k])
                break;
            at -= shape[k] * to[k];
            row.from -= shape[k] * from[k];
            index[k] = 0;
        }
    } while (k >= 0);
    return dense || is_zero(dst, nbytes);
}
