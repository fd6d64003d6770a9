#include "dtype/dtype.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static uint32_t code_of(sv_dtype dtype) { return dtype & 0xff; }
static uint32_t bits_of_dtype(sv_dtype dtype) { return dtype >> 8 & 0xff; }
/* clang-format on */

static const struct svi_dtype_row table[] = {
#define SVI_DTYPE(KIND, NAME, OP, CODE, BITS, TEXT, TYPESTR, FORMAT, FRACTION, BIAS, SPECIAL) \
    {CODE, BITS, SVI_##KIND, SPECIAL, FRACTION, BIAS, TEXT, TYPESTR, FORMAT},
#include "dtype/dtypes.def"
};

enum { ROWS = sizeof table / sizeof *table };

/* The constants of sv/dtype.h, which make bindings writes. */
#define SVI_DTYPE(KIND, NAME, OP, CODE, BITS, ...) \
    _Static_assert((SV_##NAME) == ((CODE) | (BITS) << 8 | 1 << 16), "SV_" #NAME);
#define SVI_UNNAMED(...)
#define SVI_PAIR(KIND, NAME, OP, CODE, BITS, ...) \
    _Static_assert((SV_##NAME##_X2) == ((CODE) | (BITS) << 8 | 2 << 16), "SV_" #NAME "_X2");
#include "dtype/dtypes.def"

/* --- rows by code and bits ------------------------------------------------- */

enum {
#define SVI_DTYPE(KIND, NAME, ...) ROW_##NAME,
#include "dtype/dtypes.def"
};

/* One of nine columns for each number of bits that a type has: 2, 4, 6, and powers of two from 8 on. */
#define COLUMN(bits) ((bits) < 8 ? (bits) / 2 : 1 + (uint32_t)__builtin_ctz(bits))

enum { COLUMNS = 9 };

/* By code and column: 1 + the place of a row in the table, or 0. */
static const uint8_t places[][COLUMNS] = {
#define SVI_DTYPE(KIND, NAME, OP, CODE, BITS, ...) [CODE][COLUMN(BITS)] = 1 + ROW_##NAME,
#include "dtype/dtypes.def"
};

enum { CODES = sizeof places / sizeof *places };

const struct svi_dtype_row *svi_dtype_find_row(sv_dtype dtype)
{
    const uint32_t code = code_of(dtype), bits = bits_of_dtype(dtype);
    const int place = code < CODES && bits > 0 ? places[code][COLUMN(bits)] : 0;

    return place > 0 && table[place - 1].bits == bits ? &table[place - 1] : NULL;
}

/* NULL for what is no type, SV_OPAQUE included. */
static const struct svi_dtype_row *find_row(sv_dtype dtype)
{
    if (svi_dtype_lanes(dtype) == 0 || (svi_dtype_lanes(dtype) > 1 && svi_dtype_is_padded(dtype)))
        return NULL;
    return svi_dtype_find_row(dtype);
}

static sv_dtype dtype_of_row(const struct svi_dtype_row *row)
{
    return svi_dtype_pack(row->code, row->bits, 1);
}

/* PEP 3118's letters in native sizes. */
/* clang-format off */
static const sv_dtype letters[128] = {
    ['?'] = SV_BOOL,    ['b'] = SV_INT8,    ['B'] = SV_UINT8,     ['h'] = SV_INT16,      ['H'] = SV_UINT16,
    ['i'] = SV_INT32,   ['I'] = SV_UINT32,  ['q'] = SV_INT64,     ['Q'] = SV_UINT64,     ['e'] = SV_FLOAT16,
    ['f'] = SV_FLOAT32, ['d'] = SV_FLOAT64, ['F'] = SV_COMPLEX64, ['D'] = SV_COMPLEX128, /* ctypes of Python 3.14 */
    ['l'] = sizeof(long) == 8 ? SV_INT64 : SV_INT32,     ['L'] = sizeof(long) == 8 ? SV_UINT64 : SV_UINT32,
    ['n'] = sizeof(size_t) == 8 ? SV_INT64 : SV_INT32,   ['N'] = sizeof(size_t) == 8 ? SV_UINT64 : SV_UINT32,
};
/* clang-format on */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const char native_order = '<';
#else
static const char native_order = '>';
#endif

/* Why the three numbers are no type. */
static sv_status fail_no_such_type(int32_t code, int32_t bits, int32_t lanes)
{
    const char *why = "there is no such type";

    if (lanes < 1 || lanes > UINT16_MAX)
        why = "there can be 1 to 65535 lanes";
    else if (lanes > 1 && bits > 0 && bits <= UINT8_MAX && (int64_t)bits * lanes % 8 != 0)
        why = "the lanes must fill whole bytes";
    return svi_fail(SV_ERROR_DTYPE, "DLPack type code %" PRId32 " of %" PRId32 " bits, %" PRId32 " lanes: %s", code,
                    bits, lanes, why);
}

sv_status svi_dtype_check(sv_dtype dtype)
{
    if (dtype == SV_OPAQUE || find_row(dtype) != NULL)
        return SV_OK;
    return fail_no_such_type((int32_t)code_of(dtype), (int32_t)bits_of_dtype(dtype), (int32_t)svi_dtype_lanes(dtype));
}

const char *svi_dtype_text(sv_dtype dtype, char text[SVI_DTYPE_TEXT])
{
    const struct svi_dtype_row *row = find_row(dtype);

    if (dtype == SV_OPAQUE)
        snprintf(text, SVI_DTYPE_TEXT, "opaque");
    else if (row == NULL)
        snprintf(text, SVI_DTYPE_TEXT, "dtype(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", code_of(dtype),
                 bits_of_dtype(dtype), svi_dtype_lanes(dtype));
    else if (svi_dtype_lanes(dtype) == 1)
        snprintf(text, SVI_DTYPE_TEXT, "%s", row->name);
    else
        snprintf(text, SVI_DTYPE_TEXT, "%sx%" PRIu32, row->name, svi_dtype_lanes(dtype));
    return text;
}

sv_status svi_dtype_fits(sv_dtype dtype, int64_t itemsize)
{
    char name[SVI_DTYPE_TEXT];

    if (dtype == SV_OPAQUE)
        return SV_OK;
    if (sv_dtype_itemsize(dtype) != itemsize) {
        SVI_TRY(svi_dtype_check(dtype));
        return svi_fail(SV_ERROR_DTYPE, "%s has %" PRId64 " bytes, the items of the layout have %" PRId64,
                        svi_dtype_text(dtype, name), sv_dtype_itemsize(dtype), itemsize);
    }
    return SV_OK;
}

sv_status sv_dtype_make(int32_t code, int32_t bits, int32_t lanes, sv_dtype *out)
{
    sv_dtype dtype;

    SVI_NEED(out);
    if (code < 0 || code > UINT8_MAX || bits < 0 || bits > UINT8_MAX || lanes < 0 || lanes > UINT16_MAX)
        return fail_no_such_type(code, bits, lanes);
    dtype = svi_dtype_pack((uint32_t)code, (uint32_t)bits, (uint32_t)lanes);
    if (find_row(dtype) == NULL)
        return fail_no_such_type(code, bits, lanes);
    *out = dtype;
    return SV_OK;
}

int64_t sv_dtype_itemsize(sv_dtype dtype)
{
    return find_row(dtype) == NULL ? 0 : svi_dtype_bytes(dtype);
}

int32_t sv_dtype_code(sv_dtype dtype)
{
    return find_row(dtype) == NULL ? -1 : (int32_t)code_of(dtype);
}

int32_t sv_dtype_bits(sv_dtype dtype)
{
    return find_row(dtype) == NULL ? 0 : (int32_t)bits_of_dtype(dtype);
}

int32_t sv_dtype_lanes(sv_dtype dtype)
{
    return find_row(dtype) == NULL ? 0 : (int32_t)svi_dtype_lanes(dtype);
}

sv_status sv_dtype_name(sv_dtype dtype, size_t capacity, char *text, size_t *length)
{
    char name[SVI_DTYPE_TEXT];

    SVI_TRY(svi_dtype_check(dtype));
    return svi_write_text(svi_dtype_text(dtype, name), capacity, text, length);
}

/* What follows a name: nothing, or "x4" for 4 lanes. 0 when it is neither. */
static uint32_t parse_lanes(const char *text)
{
    uint32_t lanes = 0;

    if (*text == '\0')
        return 1;
    if (*text++ != 'x' || *text == '0')
        return 0;
    for (; *text >= '0' && *text <= '9' && lanes <= UINT16_MAX; text++)
        lanes = 10 * lanes + (uint32_t)(*text - '0');
    return *text == '\0' && lanes > 1 && lanes <= UINT16_MAX ? lanes : 0;
}

sv_status sv_dtype_parse(const char *name, sv_dtype *out)
{
    char shown[SVI_SHOWN];

    SVI_NEED(name);
    SVI_NEED(out);
    if (strcmp(name, "opaque") == 0) {
        *out = SV_OPAQUE;
        return SV_OK;
    }
    for (int i = 0; i < ROWS; i++) {
        size_t length = strlen(table[i].name);
        uint32_t lanes = strncmp(name, table[i].name, length) == 0 ? parse_lanes(name + length) : 0;
        if (lanes > 0)
            return sv_dtype_make(table[i].code, table[i].bits, (int32_t)lanes, out);
    }
    return svi_fail(SV_ERROR_DTYPE, "no element type is named \"%s\"", svi_printable(name, shown));
}

sv_status sv_dtype_typestr(sv_dtype dtype, size_t capacity, char *text, size_t *length)
{
    const struct svi_dtype_row *row = find_row(dtype);
    char typestr[SVI_DTYPE_TEXT], order;

    SVI_TRY(svi_dtype_check(dtype));
    if (row == NULL)
        return svi_fail(SV_ERROR_DTYPE, "opaque items have no type string");
    order = row->bits <= 8 ? '|' : native_order;
    if (row->typestr != NULL && svi_dtype_lanes(dtype) == 1)
        snprintf(typestr, sizeof typestr, "%c%s", order, row->typestr);
    else
        snprintf(typestr, sizeof typestr, "%cV%" PRId64, order, sv_dtype_itemsize(dtype));
    return svi_write_text(typestr, capacity, text, length);
}

sv_status svi_dtype_refuse_order(const char *kind, const char *text, sv_dtype native)
{
    char shown[SVI_SHOWN], name[SVI_DTYPE_TEXT];

    return svi_fail(SV_ERROR_UNSUPPORTED,
                    "%s\"%s\" is in the other byte order: view it as %s and swap bytes in the copy (SV_COPY_SWAP)",
                    kind, svi_printable(text, shown), svi_dtype_text(native, name));
}

sv_status sv_dtype_from_typestr(const char *typestr, sv_dtype *out)
{
    char shown[SVI_SHOWN];

    SVI_NEED(typestr);
    SVI_NEED(out);
    if (typestr[0] != '<' && typestr[0] != '>' && typestr[0] != '|')
        return svi_fail(SV_ERROR_DTYPE, "\"%s\" is no type string", svi_printable(typestr, shown));
    for (int i = 0; i < ROWS; i++) {
        if (table[i].typestr == NULL || strcmp(typestr + 1, table[i].typestr) != 0)
            continue;
        if (table[i].bits > 8 && typestr[0] != '|' && typestr[0] != native_order)
            return svi_dtype_refuse_order("", typestr, dtype_of_row(&table[i]));
        *out = dtype_of_row(&table[i]);
        return SV_OK;
    }
    return svi_fail(SV_ERROR_DTYPE, "type string \"%s\" has no DLPack type", svi_printable(typestr, shown));
}

/* Bytes of an item that is moved as it is, "V7", "U5", "M8[ms]"; 0 for any other text. Strings count characters. */
static int64_t opaque_bytes(const char *kind)
{
    int64_t count = 0;
    const char *at = kind + 1;

    for (; *at >= '0' && *at <= '9' && count < INT32_MAX; at++)
        count = 10 * count + (*at - '0');
    switch (*kind) {
    case 'V':
    case 'S': return *at == '\0' ? count : 0;
    case 'U': return *at == '\0' ? 4 * count : 0;
    case 'm':
    case 'M': return count == 8 && (*at == '\0' || *at == '[') ? 8 : 0;
    case 'f': /* C's long double; fp8 of others */
    case 'c':
    case 'W': /* complex numbers of two halves, as ml_dtypes writes them */
        return *at == '\0' && count <= 32 ? count : 0;
    default: return 0;
    }
}

sv_status svi_typestr_read(const char *typestr, sv_dtype *dtype, int64_t *itemsize)
{
    sv_status status = sv_dtype_from_typestr(typestr, dtype);

    if (status == SV_OK)
        *itemsize = sv_dtype_itemsize(*dtype);
    if (status != SV_ERROR_DTYPE || typestr[0] == '\0' || strchr("<>|", typestr[0]) == NULL)
        return status;
    *itemsize = opaque_bytes(typestr + 1);
    if (*itemsize == 0)
        return status;
    *dtype = SV_OPAQUE;
    return SV_OK;
}

sv_status sv_dtype_format(sv_dtype dtype, size_t capacity, char *text, size_t *length)
{
    const struct svi_dtype_row *row = find_row(dtype);
    char name[SVI_DTYPE_TEXT];

    SVI_TRY(svi_dtype_check(dtype));
    if (row == NULL || row->format == NULL || svi_dtype_lanes(dtype) != 1)
        return svi_fail(SV_ERROR_DTYPE, "%s has no buffer format", svi_dtype_text(dtype, name));
    return svi_write_text(row->format, capacity, text, length);
}

sv_dtype svi_dtype_of_letters(char letter, char second, bool native)
{
    if (letter == 'Z')
        return second == 'e' ? SV_COMPLEX32 : second == 'f' ? SV_COMPLEX64 : second == 'd' ? SV_COMPLEX128 : SV_OPAQUE;
    if (!native && (letter == 'l' || letter == 'L'))
        return letter == 'l' ? SV_INT32 : SV_UINT32;
    return (unsigned char)letter < 128 ? letters[(unsigned char)letter] : SV_OPAQUE;
}
