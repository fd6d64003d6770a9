/* Writes a layout as one line of text, such as "(2, 3):(3, 1)*4+16", and reads it: sv/layout.h has the grammar. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "layout/layout.h"

/* --- writing ------------------------------------------------------------- */

/* Bytes of the longest text: two numbers of 20 characters with ", " for each axis, item size, offset and brackets. */
enum { TEXT = SV_MAX_NDIM * 2 * 22 + 80 };

/* Writes "(2, 3)", or "(2,)" for one number as in Python. Returns the end. */
static char *write_numbers(char *at, char *end, int32_t count, const int64_t *numbers, int64_t unit)
{
    at += snprintf(at, (size_t)(end - at), "(");
    for (int32_t i = 0; i < count; i++)
        at += snprintf(at, (size_t)(end - at), i == 0 ? "%" PRId64 : ", %" PRId64, numbers[i] / unit);
    return at + snprintf(at, (size_t)(end - at), count == 1 ? ",)" : ")");
}

static bool all_divide(const sv_layout *layout)
{
    for (int32_t i = 0; i < layout->ndim; i++)
        if (svi_layout_byte_strides(layout)[i] % layout->itemsize != 0)
            return false;
    return true;
}

sv_status sv_layout_text(const sv_layout *layout, size_t capacity, char *text, size_t *length)
{
    char line[TEXT], *at = line, *end = line + sizeof line;
    bool divides;

    SVI_TRY(svi_layout_check(layout, "layout"));
    divides = all_divide(layout);
    at = write_numbers(at, end, layout->ndim, svi_layout_shape(layout), 1);
    *at++ = ':';
    at = write_numbers(at, end, layout->ndim, svi_layout_byte_strides(layout), divides ? layout->itemsize : 1);
    at += snprintf(at, (size_t)(end - at), "%s*%" PRId64, divides ? "" : "b", layout->itemsize);
    if (layout->byte_offset != 0)
        snprintf(at, (size_t)(end - at), "%+" PRId64, layout->byte_offset);
    return svi_write_text(line, capacity, text, length);
}

/* --- reading ------------------------------------------------------------- */

struct reader {
    const char *text, *at;
};

static sv_status fail_expected(const struct reader *r, const char *what)
{
    char shown[SVI_SHOWN];

    if (*r->at == '\0')
        return svi_fail(SV_ERROR_INVALID, "%s is expected at character %td, where the text ends", what,
                        r->at - r->text + 1);
    return svi_fail(SV_ERROR_INVALID, "%s is expected at character %td, before \"%s\"", what, r->at - r->text + 1,
                    svi_printable(r->at, shown));
}

static void skip_text_spaces(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

/* Reads c if it comes next. */
static bool take_character(struct reader *r, char c)
{
    skip_text_spaces(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_text_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads the digits of a number. They are counted below 0, so that -2^63 fits. */
static sv_status read_number(struct reader *r, bool negative, int64_t *out)
{
    const char *start = r->at;
    int64_t number = 0;
    bool overflow = false;

    if (!is_text_digit(*r->at))
        return fail_expected(r, "a number");
    for (; is_text_digit(*r->at); r->at++)
        overflow = overflow || svi_mul(number, 10, &number) || svi_sub(number, *r->at - '0', &number);
    if (overflow || (!negative && svi_sub(0, number, &number)))
        return svi_fail(SV_ERROR_OVERFLOW, "the number at character %td does not fit int64", start - r->text + 1);
    *out = number;
    return SV_OK;
}

/* Reads "(2, 3)", with or without a comma after the last number. */
static sv_status read_numbers(struct reader *r, int32_t *count, int64_t *numbers)
{
    *count = 0;
    if (!take_character(r, '('))
        return fail_expected(r, "\"(\"");
    while (!take_character(r, ')')) {
        bool negative = take_character(r, '-');

        if (*count == SV_MAX_NDIM)
            return svi_fail(SV_ERROR_RANGE, "more than %d numbers up to character %td", SV_MAX_NDIM,
                            r->at - r->text + 1);
        skip_text_spaces(r);
        SVI_TRY(read_number(r, negative, &numbers[*count]));
        ++*count;
        if (!take_character(r, ',')) {
            if (!take_character(r, ')'))
                return fail_expected(r, "\",\" or \")\"");
            break;
        }
    }
    return SV_OK;
}

struct parts {
    int32_t ndim, count;
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    bool has_strides, in_bytes;
    int64_t itemsize, byte_offset;
};

static sv_status read_parts(struct reader *r, struct parts *p)
{
    bool negative;

    SVI_TRY(read_numbers(r, &p->ndim, p->shape));
    p->has_strides = take_character(r, ':');
    if (p->has_strides) {
        SVI_TRY(read_numbers(r, &p->count, p->strides));
        if (p->count != p->ndim)
            return svi_fail(SV_ERROR_INVALID, "%" PRId32 " strides for %" PRId32 " extents", p->count, p->ndim);
        p->in_bytes = take_character(r, 'b');
    }
    if (!take_character(r, '*'))
        return fail_expected(r, p->has_strides ? "\"*\"" : "\":\" or \"*\"");
    skip_text_spaces(r);
    SVI_TRY(read_number(r, false, &p->itemsize));
    negative = take_character(r, '-');
    if (negative || take_character(r, '+')) {
        skip_text_spaces(r);
        SVI_TRY(read_number(r, negative, &p->byte_offset));
    }
    skip_text_spaces(r);
    return *r->at == '\0' ? SV_OK : fail_expected(r, "the end");
}

sv_status sv_layout_parse(const char *text, sv_layout **out)
{
    struct reader r = {text, text};
    struct parts p = {.byte_offset = 0};
    struct svi_geometry g;

    SVI_NEED(text);
    SVI_NEED(out);
    SVI_TRY(read_parts(&r, &p));
    SVI_TRY(svi_geometry_init(&g, p.ndim, p.shape, p.itemsize));
    if (p.has_strides)
        SVI_TRY(svi_geometry_set_strides(&g, p.strides, p.in_bytes ? 1 : p.itemsize));
    else
        SVI_TRY(svi_geometry_set_dense(&g, NULL));
    g.byte_offset = p.byte_offset;
    return svi_layout_make(&g, out);
}
