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

/* "float32", or "uint8->float32" of a copy that converts. */
static void read_dtypes(char *text, struct bench_case *out)
{
    char *arrow = strstr(text, "->");

    snprintf(out->dtype, BENCH_NAME, "%s", arrow != NULL ? arrow + 2 : text);
    if (arrow != NULL)
        *arrow = '\0';
    snprintf(out->src_dtype, BENCH_NAME, "%s", text);
}

static bool read_case(char *line, struct bench_case *out)
{
    sv_status status;

    memset(out, 0, sizeof *out);
    read_text(&line, out->group);
    read_text(&line, out->name);
    read_dtypes(next_field(&line), out);
    status = sv_layout_parse(next_field(&line), &out->dst);
    if (status == SV_OK)
        status = sv_layout_parse(next_field(&line), &out->src);
    read_text(&line, out->unit);
    out->target = atof(next_field(&line));
    read_text(&line, out->kind);
    return status == SV_OK && out->kind[0] != '\0';
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

sv_view *bench_view(const sv_layout *layout, const char *name, void *base)
{
    sv_dtype dtype;
    sv_view *view;

    if (sv_dtype_parse(name, &dtype) != SV_OK ||
        sv_view_new(layout, dtype, base, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view) != SV_OK)
        abort();
    return view;
}
