#include "copy_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 2048, SMALL = 40, SMALL_SIZE = 20000 };

/* --- reading -------------------------------------------------------------- */

/* Cuts the next field off; without the spaces around it. */
static char *next_field(char **rest)
{
    char *field = *rest, *end = strchr(field, '|');

    *rest = end != NULL ? end + 1 : field + strlen(field);
    if (end == NULL)
        end = *rest;
    while (*field == ' ')
        field++;
    while (end > field && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    *end = '\0';
    return field;
}

static void read_text(char **rest, char *out)
{
    snprintf(out, BENCH_NAME, "%s", next_field(rest));
}

static bool read_case(char *line, struct bench_case *out)
{
    sv_status status;

    memset(out, 0, sizeof *out);
    read_text(&line, out->group);
    read_text(&line, out->name);
    read_text(&line, out->dtype);
    status = sv_layout_parse(next_field(&line), &out->dst);
    if (status == SV_OK)
        status = sv_layout_parse(next_field(&line), &out->src);
    read_text(&line, out->unit);
    out->target = atof(next_field(&line));
    read_text(&line, out->kind);
    read_text(&line, out->kernel);
    return status == SV_OK && out->kernel[0] != '\0';
}

int bench_cases_read(const char *path, struct bench_case *cases)
{
    FILE *file = fopen(path, "r");
    char line[LINE];
    int count = 0, number = 0;

    if (file == NULL) {
        perror(path);
        return 0;
    }
    while (fgets(line, sizeof line, file) != NULL && count < BENCH_CASES) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (!read_case(line, &cases[count++])) {
            fprintf(stderr, "%s:%d: no case: %s\n", path, number, sv_last_message());
            bench_cases_release(count, cases);
            count = 0;
            break;
        }
    }
    fclose(file);
    return count;
}

void bench_cases_release(int count, struct bench_case *cases)
{
    for (int i = 0; i < count; i++) {
        sv_layout_release(cases[i].dst);
        sv_layout_release(cases[i].src);
    }
}

/* --- smaller -------------------------------------------------------------- */

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

/* The axes, that of the least stride first. */
static void sort_axes(int32_t ndim, const int64_t *strides, int32_t *axes)
{
    for (int32_t k = 0; k < ndim; k++) {
        int32_t at = k;

        for (; at > 0 && magnitude(strides[axes[at - 1]]) > magnitude(strides[k]); at--)
            axes[at] = axes[at - 1];
        axes[at] = k;
    }
}

/* What is between two neighbours along an axis stays between them. */
static sv_layout *with_shape(const sv_layout *from, const int64_t *shape)
{
    const int64_t *old_shape = sv_layout_shape(from), *old = sv_layout_byte_strides(from);
    int64_t strides[SV_MAX_NDIM], item = sv_layout_itemsize(from), inner = item, old_inner = item;
    int32_t ndim = sv_layout_ndim(from), axes[SV_MAX_NDIM], count = 0;
    sv_layout *forward = NULL, *out = NULL;

    sort_axes(ndim, old, axes);
    for (int32_t i = 0; i < ndim; i++) {
        int32_t k = axes[i];

        strides[k] = old[k] == 0 ? 0 : magnitude(old[k]) - old_inner + inner;
        old_inner += magnitude(old[k]) * (old_shape[k] - 1);
        inner += strides[k] * (shape[k] - 1);
    }
    for (int32_t k = 0; k < ndim; k++)
        if (old[k] < 0)
            axes[count++] = k;
    if (sv_layout_new_bytes(ndim, shape, strides, item, &forward) != SV_OK ||
        sv_layout_flip(forward, count, axes, &out) != SV_OK)
        abort();
    sv_layout_release(forward);
    return out;
}

struct bench_case bench_case_small(const struct bench_case *from)
{
    struct bench_case out = *from;
    int64_t shape[SV_MAX_NDIM], size = 1;

    for (int32_t k = 0; k < sv_layout_ndim(from->dst); k++) {
        int64_t extent = sv_layout_shape(from->dst)[k], most = size * SMALL > SMALL_SIZE ? 2 : SMALL;

        shape[k] = extent < most ? extent : most - extent % 2 * (most > 2);
        size *= shape[k];
    }
    out.dst = with_shape(from->dst, shape);
    out.src = with_shape(from->src, shape);
    return out;
}

int64_t bench_span(const sv_layout *layout)
{
    int64_t lower, upper;

    if (sv_layout_byte_bounds(layout, &lower, &upper) != SV_OK || lower < 0)
        abort();
    return upper;
}

/* --- what is copied ------------------------------------------------------- */

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

void bench_pattern_write(const char *dtype, void *bytes, int64_t nbytes)
{
    struct bits bits = bits_of(dtype);
    char *at = bytes;

    for (int64_t k = 0; k < nbytes / 8; k++) {
        uint64_t x = word(bits, k);

        memcpy(at + k * 8, &x, 8);
    }
    if (nbytes % 8 != 0) {
        uint64_t x = word(bits, nbytes / 8);

        memcpy(at + nbytes / 8 * 8, &x, (size_t)(nbytes % 8));
    }
}

struct row {
    const char *dst;
    int64_t from; /* offset of the source's first element */
    int64_t dst_stride, src_stride, count;
    struct bits bits;
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

static bool row_is_right(const struct row *row, int64_t item)
{
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
    struct row row = {.from = sv_layout_byte_offset(c->src), .count = 1, .bits = bits_of(c->dtype)};

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
