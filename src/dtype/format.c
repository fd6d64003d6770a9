#include "dtype/format.h"

#include <stddef.h>
#include <string.h>

#include "base/checked.h"
#include "dtype/dtype.h"
#include "dtype/format_names.h"

/*
 * format = item*
 * item   = prefix* type [":" name ":"]
 * prefix = order | count | "(" count ("," count)* ")"
 * type   = letter | "Z" letter | "T{" item* "}" | "&" item | "X{" anything "}"
 *
 * Prefixes stand in any order, and several shapes are an array of arrays; of
 * counts there is one. An order holds for all that follows, beyond a closing
 * brace too. Sizes and padding are not added up: exporters state them wrongly,
 * and an item that is no number is moved as the bytes of the item size.
 */
enum { MAX_DEPTH = 32 };

#define SPACES " \t\n\r"

static const char all_letters[] = "?cbBhHiIlLqQnNefdgspuwOPtxFDG", native_only[] = "nNPgG";

/* ctypes writes its own byte order before everything, also before types of which only the native size is known. */
static const char ordered_by_ctypes[] = "PgG";

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const char own_order = '<', other_orders[] = ">!";
#else
static const char own_order = '>', other_orders[] = "<";
#endif

struct reader {
    const char *text, *at;
    int depth;
    int items; /* 2 for any number above 1 */
    char order;
    struct svi_format found;
    struct svi_format_names names;
};

/* What stands before a type. */
struct prefix {
    bool counted, shaped;
    int64_t count; /* of items, all prefixes together */
};

static sv_status fail_malformed(const struct reader *r, const char *why)
{
    char shown[SVI_SHOWN];

    return svi_fail(SV_ERROR_DTYPE, "format \"%s\", character %d: %s", svi_printable(r->text, shown),
                    (int)(r->at - r->text), why);
}

/* strchr() that does not find the NUL. */
static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_format_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_native(const struct reader *r)
{
    return r->order == '@' || r->order == '^';
}

static bool has_size(const struct reader *r, char letter)
{
    if (is_native(r) || !is_one_of(letter, native_only))
        return true;
    return r->order == own_order && is_one_of(letter, ordered_by_ctypes);
}

/* Pointers of ctypes: "<z" to char, and "<Z" to wchar_t, which no letter follows as in complex numbers. */
static bool is_text_pointer(const struct reader *r)
{
    if (r->order != own_order)
        return false;
    return *r->at == 'z' || (*r->at == 'Z' && (r->at[1] == '\0' || is_one_of(r->at[1], ":}" SPACES)));
}

static void skip_format_spaces(struct reader *r)
{
    while (is_one_of(*r->at, SPACES))
        r->at++;
}

/* Digits, which multiply product. */
static sv_status read_count(struct reader *r, int64_t *product)
{
    int64_t count = 0;

    if (!is_format_digit(*r->at))
        return fail_malformed(r, "a count is missing");
    for (; is_format_digit(*r->at); r->at++)
        if (svi_mul(count, 10, &count) || svi_add(count, *r->at - '0', &count))
            return fail_malformed(r, "the count does not fit int64");
    return svi_mul(*product, count, product) ? fail_malformed(r, "the counts do not fit int64") : SV_OK;
}

static sv_status read_shape(struct reader *r, int64_t *product)
{
    do {
        r->at++; /* over "(" and "," */
        skip_format_spaces(r);
        SVI_TRY(read_count(r, product));
        skip_format_spaces(r);
    } while (*r->at == ',');
    if (*r->at != ')')
        return fail_malformed(r, "a shape is not closed");
    r->at++;
    return SV_OK;
}

static sv_status read_prefixes(struct reader *r, struct prefix *out)
{
    *out = (struct prefix){.count = 1};
    for (;; skip_format_spaces(r)) {
        if (is_one_of(*r->at, "@=<>!^")) {
            r->order = *r->at++;
        } else if (*r->at == '(') {
            out->shaped = true;
            SVI_TRY(read_shape(r, &out->count));
        } else if (is_format_digit(*r->at) && !out->counted) {
            out->counted = true;
            SVI_TRY(read_count(r, &out->count));
        } else {
            return SV_OK;
        }
    }
}

static sv_status read_letter(struct reader *r, const struct prefix *prefix)
{
    char first = *r->at, second = '\0';
    bool alone = r->items == 0 && r->depth == 0 && !prefix->shaped && prefix->count == 1;

    if (is_text_pointer(r)) {
        r->at++;
        return SV_OK;
    }
    if (*r->at == 'Z') {
        if (!is_one_of(r->at[1], "efdg"))
            return fail_malformed(r, "Z stands before e, f, d or g");
        second = *++r->at;
    } else if (!is_one_of(*r->at, all_letters)) {
        return fail_malformed(r, *r->at == '\0' ? "a type is missing" : "no such type");
    }
    if (!has_size(r, *r->at))
        return fail_malformed(r, "the type has native size only");
    r->at++;
    if (first == 'O')
        r->found.objects = true;
    if (alone) {
        r->found.number = svi_dtype_of_letters(first, second, is_native(r));
        r->found.swapped = is_one_of(r->order, other_orders) && sv_dtype_itemsize(r->found.number) > 1;
    }
    return SV_OK;
}

/* The braces of a function's signature, which is not looked into. */
static sv_status skip_braces(struct reader *r)
{
    int open = 0;

    do {
        open += (*r->at == '{') - (*r->at == '}');
        if (*r->at++ == '\0') {
            r->at--;
            return fail_malformed(r, "a brace is not closed");
        }
    } while (open > 0);
    return SV_OK;
}

/* ":name:", if there is one. record: where the items began whose names it must differ from. */
static sv_status read_name(struct reader *r, const char *record)
{
    const char *name = r->at + 1, *close;

    if (*r->at != ':')
        return SV_OK;
    close = strchr(name, ':');
    if (close == NULL)
        return fail_malformed(r, "a name is not closed");
    if (!svi_format_names_add(&r->names, record, name))
        return fail_malformed(r, "the name is there twice");
    r->at = close + 1;
    r->found.number = SV_OPAQUE; /* a field */
    return SV_OK;
}

static sv_status read_items(struct reader *r, char end);

/* An item without its name. */
static sv_status read_type(struct reader *r)
{
    struct prefix prefix;
    char letter;

    SVI_TRY(read_prefixes(r, &prefix));
    letter = *r->at;
    if (letter != '&' && letter != 'T' && letter != 'X')
        return read_letter(r, &prefix);
    if (r->depth == MAX_DEPTH)
        return fail_malformed(r, "nested more than 32 deep");
    r->at++;
    if (letter != '&' && *r->at != '{')
        return fail_malformed(r, "{ is missing");
    if (letter == 'X')
        return skip_braces(r);
    r->depth++;
    if (letter == '&') {
        skip_format_spaces(r);
        SVI_TRY(read_type(r));
    } else {
        r->at++;
        SVI_TRY(read_items(r, '}'));
    }
    r->depth--;
    return SV_OK;
}

/* Items up to end, and beyond it. */
static sv_status read_items(struct reader *r, char end)
{
    const char *record = r->at;

    for (skip_format_spaces(r); *r->at != end; skip_format_spaces(r)) {
        if (*r->at == '\0')
            return fail_malformed(r, "a record is not closed");
        SVI_TRY(read_type(r));
        SVI_TRY(read_name(r, record));
        r->items = r->items == 0 ? 1 : 2;
    }
    r->at += end != '\0';
    return SV_OK;
}

static sv_status read_whole_format(struct reader *r)
{
    SVI_TRY(read_items(r, '\0'));
    if (r->items == 0)
        return fail_malformed(r, "there is no item");
    if (r->items > 1)
        r->found.number = SV_OPAQUE;
    return SV_OK;
}

static sv_status parse_format(const char *format, struct svi_format *out)
{
    struct reader r = {.text = format, .at = format, .order = '@'};
    sv_status status;

    if (strlen(r.text) >= SVI_FORMAT_LENGTH)
        return fail_malformed(&r, "longer than 16777215 characters");
    SVI_TRY(svi_format_names_begin(&r.names, r.text));
    status = read_whole_format(&r);
    svi_format_names_end(&r.names);
    if (status == SV_OK)
        *out = r.found;
    return status;
}

sv_status svi_format_read(const char *format, struct svi_format *out)
{
    const char *text = format == NULL ? "B" : format;

    if (text[0] != '\0' && text[1] == '\0') { /* nearly always, and quicker */
        sv_dtype number = svi_dtype_of_letters(text[0], '\0', true);

        if (number != SV_OPAQUE) {
            *out = (struct svi_format){.number = number};
            return SV_OK;
        }
    }
    return parse_format(text, out);
}

sv_status sv_dtype_from_format(const char *format, int64_t itemsize, sv_dtype *out)
{
    const char *text = format == NULL ? "B" : format;
    struct svi_format found;
    char shown[SVI_SHOWN];

    SVI_NEED(out);
    SVI_TRY(svi_format_read(format, &found));
    if (found.number == SV_OPAQUE)
        return svi_fail(SV_ERROR_DTYPE, "format \"%s\" is not that of one number", svi_printable(text, shown));
    if (sv_dtype_itemsize(found.number) != itemsize)
        return svi_fail(SV_ERROR_DTYPE, "format \"%s\" says %d bytes, the item size is %lld",
                        svi_printable(text, shown), (int)sv_dtype_itemsize(found.number), (long long)itemsize);
    if (found.swapped)
        return svi_dtype_refuse_order("format ", text, found.number);
    *out = found.number;
    return SV_OK;
}
