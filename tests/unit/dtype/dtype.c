#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtype/dtype.h"
#include "support/rounds.h"

/* Text expected on a little-endian machine. format NULL: there is none. back: typestr reads back as the same type. */
static const struct {
    sv_dtype dtype;
    int64_t itemsize;
    const char *name, *typestr, *format;
    bool back;
} rows[] = {
    {SV_BOOL, 1, "bool", "|b1", "?", true},
    {SV_INT8, 1, "int8", "|i1", "b", true},
    {SV_INT16, 2, "int16", "<i2", "h", true},
    {SV_INT32, 4, "int32", "<i4", "i", true},
    {SV_INT64, 8, "int64", "<i8", "q", true},
    {SV_UINT8, 1, "uint8", "|u1", "B", true},
    {SV_UINT16, 2, "uint16", "<u2", "H", true},
    {SV_UINT32, 4, "uint32", "<u4", "I", true},
    {SV_UINT64, 8, "uint64", "<u8", "Q", true},
    {SV_FLOAT16, 2, "float16", "<f2", "e", true},
    {SV_FLOAT32, 4, "float32", "<f4", "f", true},
    {SV_FLOAT64, 8, "float64", "<f8", "d", true},
    {SV_FLOAT128, 16, "float128", "<V16", NULL, false},
    {SV_BFLOAT16, 2, "bfloat16", "<V2", NULL, false},
    {SV_COMPLEX32, 4, "complex32", "<V4", "Ze", false},
    {SV_COMPLEX64, 8, "complex64", "<c8", "Zf", true},
    {SV_COMPLEX128, 16, "complex128", "<c16", "Zd", true},
    {SV_FLOAT8_E3M4, 1, "float8_e3m4", "|V1", NULL, false},
    {SV_FLOAT8_E4M3, 1, "float8_e4m3", "|V1", NULL, false},
    {SV_FLOAT8_E4M3B11FNUZ, 1, "float8_e4m3b11fnuz", "|V1", NULL, false},
    {SV_FLOAT8_E4M3FN, 1, "float8_e4m3fn", "|V1", NULL, false},
    {SV_FLOAT8_E4M3FNUZ, 1, "float8_e4m3fnuz", "|V1", NULL, false},
    {SV_FLOAT8_E5M2, 1, "float8_e5m2", "|V1", NULL, false},
    {SV_FLOAT8_E5M2FNUZ, 1, "float8_e5m2fnuz", "|V1", NULL, false},
    {SV_FLOAT8_E8M0FNU, 1, "float8_e8m0fnu", "|V1", NULL, false},
    {SV_FLOAT4_E2M1FN_X2, 1, "float4_e2m1fnx2", "|V1", NULL, false},
    {0x010400, 1, "int4", "|V1", NULL, false}, /* padded to a byte */
    {0x010201, 1, "uint2", "|V1", NULL, false},
    {0x010610, 1, "float6_e3m2fn", "|V1", NULL, false},
    {0x010411, 1, "float4_e2m1fn", "|V1", NULL, false},
    {0x04060f, 3, "float6_e2m3fnx4", "|V3", NULL, false},
    {0x080610, 6, "float6_e3m2fnx8", "|V6", NULL, false},
    {0x040200, 1, "int2x4", "|V1", NULL, false},
    {0x020400, 1, "int4x2", "|V1", NULL, false},
    {0x080201, 2, "uint2x8", "|V2", NULL, false},
    {0x060401, 3, "uint4x6", "|V3", NULL, false},
    {0x042002, 16, "float32x4", "<V16", NULL, false},
    {0x020806, 2, "boolx2", "|V2", NULL, false},
    {0xffff8005, 1048560, "complex128x65535", "<V1048560", NULL, false},
};

enum { ROWS = sizeof rows / sizeof *rows };

Test(dtype, parts)
{
    static const sv_dtype no_types[] = {SV_OPAQUE, 0x012003, 0x002000, 0xffffffff, 0x010c02};
    sv_dtype again;

    for (int i = 0; i < ROWS; i++) {
        cr_assert_eq(sv_dtype_make(sv_dtype_code(rows[i].dtype), sv_dtype_bits(rows[i].dtype),
                                   sv_dtype_lanes(rows[i].dtype), &again), SV_OK, "%s: %s", rows[i].name, sv_last_message());
        cr_expect_eq(again, rows[i].dtype, "%s", rows[i].name);
    }
    cr_expect_eq(sv_dtype_code(SV_COMPLEX64), 5);
    cr_expect_eq(sv_dtype_bits(0x04060f), 6);
    cr_expect_eq(sv_dtype_lanes(0x04060f), 4);
    for (size_t i = 0; i < sizeof no_types / sizeof *no_types; i++) {
        cr_expect_eq(sv_dtype_code(no_types[i]), -1, "%x", (unsigned)no_types[i]);
        cr_expect_eq(sv_dtype_bits(no_types[i]), 0, "%x", (unsigned)no_types[i]);
        cr_expect_eq(sv_dtype_lanes(no_types[i]), 0, "%x", (unsigned)no_types[i]);
    }
}

Test(dtype, every_spelling_both_ways)
{
    for (int i = 0; i < ROWS; i++) {
        const char *name = rows[i].name;
        char text[SVI_DTYPE_TEXT];
        size_t length;
        sv_dtype dtype = 99;

        cr_expect_eq(sv_dtype_itemsize(rows[i].dtype), rows[i].itemsize, "%s", name);
        cr_expect_eq(svi_dtype_check(rows[i].dtype), SV_OK, "%s", name);
        cr_expect_eq(svi_dtype_fits(rows[i].dtype, rows[i].itemsize), SV_OK, "%s", name);
        cr_expect_eq(svi_dtype_fits(rows[i].dtype, rows[i].itemsize + 1), SV_ERROR_DTYPE, "%s", name);

        cr_assert_eq(sv_dtype_name(rows[i].dtype, sizeof text, text, &length), SV_OK, "%s", name);
        cr_expect_str_eq(text, name);
        cr_expect_eq(length, strlen(name), "%s", name);
        cr_expect_eq(sv_dtype_parse(name, &dtype), SV_OK, "%s", name);
        cr_expect_eq(dtype, rows[i].dtype, "%s", name);

        cr_assert_eq(sv_dtype_typestr(rows[i].dtype, sizeof text, text, NULL), SV_OK, "%s", name);
        cr_expect_str_eq(text, rows[i].typestr, "%s", name);
        dtype = 99;
        cr_expect_eq(sv_dtype_from_typestr(text, &dtype), rows[i].back ? SV_OK : SV_ERROR_DTYPE, "%s", name);
        cr_expect_eq(dtype, rows[i].back ? rows[i].dtype : 99, "%s", name);

        strcpy(text, "before");
        if (rows[i].format == NULL) {
            cr_expect_eq(sv_dtype_format(rows[i].dtype, sizeof text, text, NULL), SV_ERROR_DTYPE, "%s", name);
            cr_expect_str_eq(text, "before", "%s", name);
            continue;
        }
        cr_assert_eq(sv_dtype_format(rows[i].dtype, sizeof text, text, NULL), SV_OK, "%s", name);
        cr_expect_str_eq(text, rows[i].format, "%s", name);
        dtype = 99;
        cr_expect_eq(sv_dtype_from_format(text, rows[i].itemsize, &dtype), SV_OK, "%s", name);
        cr_expect_eq(dtype, rows[i].dtype, "%s", name);
    }
}

/* The widths each code may have, and nothing else of the 256 x 256. */
Test(dtype, every_code_and_width)
{
    static const struct {
        int code, bits;
    } legal[] = {
        {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {0, 64}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {1, 32}, {1, 64},
        {2, 16}, {2, 32}, {2, 64}, {2, 128}, {4, 16}, {5, 32}, {5, 64}, {5, 128}, {6, 8}, {7, 8}, {8, 8}, {9, 8},
        {10, 8}, {11, 8}, {12, 8}, {13, 8}, {14, 8}, {15, 6}, {16, 6}, {17, 4},
    };

    for (int code = 0; code < 256; code++) {
        for (int bits = 0; bits < 256; bits++) {
            bool known = false;
            sv_dtype dtype = 99;

            for (size_t i = 0; i < sizeof legal / sizeof *legal; i++)
                known = known || (legal[i].code == code && legal[i].bits == bits);
            cr_assert_eq(sv_dtype_make(code, bits, 4, &dtype), known ? SV_OK : SV_ERROR_DTYPE, "%d %d", code, bits);
            cr_assert_eq(dtype, known ? svi_dtype_pack((uint32_t)code, (uint32_t)bits, 4) : 99, "%d %d", code, bits);
            cr_assert_eq(sv_dtype_make(code, bits, 1, &dtype), known ? SV_OK : SV_ERROR_DTYPE, "%d %d", code, bits);
            cr_assert_eq(sv_dtype_make(code, bits, 3, &dtype), known && bits % 8 == 0 ? SV_OK : SV_ERROR_DTYPE,
                         "%d %d", code, bits);
        }
    }
}

Test(dtype, numbers_that_are_no_type)
{
    static const struct {
        const char *name;
        int32_t code, bits, lanes;
        const char *told;
    } bad[] = {
        {"no lanes", 2, 32, 0, "0 lanes"},
        {"negative lanes", 2, 32, -1, "-1 lanes"},
        {"too many lanes", 2, 32, 65536, "65536 lanes"},
        {"no bits", 2, 0, 1, "0 bits"},
        {"negative code", -1, 32, 1, "code -1"},
        {"bits that wrap", 2, 288, 1, "288 bits"},
        {"code that wraps", 258, 32, 1, "code 258"},
        {"largest numbers", INT32_MAX, INT32_MAX, INT32_MAX, "2147483647 bits"},
        {"opaque handle", 3, 64, 1, "code 3"},
        {"bcomplex", 18, 32, 1, "code 18"},
        {"bool of old times", 1, 1, 1, "no such type"},
        {"three packed fp4", 17, 4, 3, "whole bytes"},
        {"two packed fp6", 15, 6, 2, "whole bytes"},
        {"padded fp4", 17, 8, 1, "8 bits"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sv_dtype dtype = 99;

        cr_expect_eq(sv_dtype_make(bad[i].code, bad[i].bits, bad[i].lanes, &dtype), SV_ERROR_DTYPE, "%s", bad[i].name);
        cr_expect_eq(dtype, 99, "%s", bad[i].name);
        cr_expect_not_null(strstr(sv_last_message(), bad[i].told), "%s: %s", bad[i].name, sv_last_message());
    }
    cr_expect_eq(svi_dtype_check(0x012102), SV_ERROR_DTYPE);
    cr_expect_eq(sv_dtype_itemsize(0x012102), 0);
}

Test(dtype, opaque)
{
    char text[SVI_DTYPE_TEXT];
    sv_dtype dtype = 99;

    cr_expect_eq(svi_dtype_check(SV_OPAQUE), SV_OK);
    cr_expect_eq(svi_dtype_fits(SV_OPAQUE, 12345), SV_OK);
    cr_expect_eq(sv_dtype_itemsize(SV_OPAQUE), 0);
    cr_expect_eq(sv_dtype_name(SV_OPAQUE, sizeof text, text, NULL), SV_OK);
    cr_expect_str_eq(text, "opaque");
    cr_expect_eq(sv_dtype_parse("opaque", &dtype), SV_OK);
    cr_expect_eq(dtype, SV_OPAQUE);
    cr_expect_eq(sv_dtype_typestr(SV_OPAQUE, sizeof text, text, NULL), SV_ERROR_DTYPE);
    cr_expect_eq(sv_dtype_format(SV_OPAQUE, sizeof text, text, NULL), SV_ERROR_DTYPE);
    cr_expect_eq(sv_dtype_make(0, 0, 0, &dtype), SV_ERROR_DTYPE);
}

Test(dtype, text_for_messages)
{
    char text[SVI_DTYPE_TEXT];

    cr_expect_str_eq(svi_dtype_text(SV_FLOAT32, text), "float32");
    cr_expect_str_eq(svi_dtype_text(0xffffffff, text), "dtype(255, 255, 65535)");
    cr_expect_eq(sv_dtype_name(0xffffffff, 0, NULL, NULL), SV_ERROR_DTYPE);
}

Test(dtype, names_that_are_none)
{
    static const char *const bad[] = {
        "", "Float32", "float", "float33", "float32 ", " float32", "float32x", "float32x0", "float32x1", "float32x04",
        "float32x65536", "float32x4294967300", "float32x99999999999999999999", "float32x4x2", "float32x-4",
        "float6_e2m3fnx1", "float6_e2m3fnx2", "int", "int4x3", "float4_e2m1fnx5", "int44", "\xff\xfe", "opaquex2",
        "bcomplex32",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sv_dtype dtype = 99;
        cr_expect_eq(sv_dtype_parse(bad[i], &dtype), SV_ERROR_DTYPE, "%s", bad[i]);
        cr_expect_eq(dtype, 99, "%s", bad[i]);
    }
}

Test(dtype, typestrs)
{
    static const struct {
        const char *text;
        sv_status status;
        sv_dtype dtype;
    } cases[] = {
        {"<f4", SV_OK, SV_FLOAT32},
        {"|f4", SV_OK, SV_FLOAT32}, /* as NumPy takes it */
        {">i1", SV_OK, SV_INT8},
        {">b1", SV_OK, SV_BOOL},
        {"<u1", SV_OK, SV_UINT8},
        {">f4", SV_ERROR_UNSUPPORTED, 0},
        {">c16", SV_ERROR_UNSUPPORTED, 0},
        {"<f16", SV_ERROR_DTYPE, 0}, /* long double, not binary128 */
        {"<c32", SV_ERROR_DTYPE, 0},
        {"<V2", SV_ERROR_DTYPE, 0},
        {"|V1", SV_ERROR_DTYPE, 0},
        {"|S1", SV_ERROR_DTYPE, 0},
        {"<U4", SV_ERROR_DTYPE, 0},
        {"<M8", SV_ERROR_DTYPE, 0},
        {"<M8[ns]", SV_ERROR_DTYPE, 0},
        {"|O8", SV_ERROR_DTYPE, 0},
        {">O8", SV_ERROR_DTYPE, 0},
        {"|t8", SV_ERROR_DTYPE, 0},
        {"<b2", SV_ERROR_DTYPE, 0},
        {"f4", SV_ERROR_DTYPE, 0},
        {"=f4", SV_ERROR_DTYPE, 0},
        {"<f", SV_ERROR_DTYPE, 0},
        {"<f04", SV_ERROR_DTYPE, 0},
        {"<f4 ", SV_ERROR_DTYPE, 0},
        {"<", SV_ERROR_DTYPE, 0},
        {"", SV_ERROR_DTYPE, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_dtype dtype = 0;
        cr_expect_eq(sv_dtype_from_typestr(cases[i].text, &dtype), cases[i].status, "%s", cases[i].text);
        cr_expect_eq(dtype, cases[i].dtype, "%s", cases[i].text);
    }
}

Test(dtype, formats)
{
    static const struct {
        const char *text;
        int64_t itemsize;
        sv_status status;
        sv_dtype dtype;
    } cases[] = {
        {NULL, 1, SV_OK, SV_UINT8},
        {NULL, 2, SV_ERROR_DTYPE, 0},
        {"@l", sizeof(long), SV_OK, sizeof(long) == 8 ? SV_INT64 : SV_INT32},
        {"L", sizeof(long), SV_OK, sizeof(long) == 8 ? SV_UINT64 : SV_UINT32},
        {"^l", sizeof(long), SV_OK, sizeof(long) == 8 ? SV_INT64 : SV_INT32},
        {"<l", 4, SV_OK, SV_INT32},
        {"=L", 4, SV_OK, SV_UINT32},
        {"<l", 8, SV_ERROR_DTYPE, 0},
        {"n", sizeof(size_t), SV_OK, sizeof(size_t) == 8 ? SV_INT64 : SV_INT32},
        {"@N", sizeof(size_t), SV_OK, sizeof(size_t) == 8 ? SV_UINT64 : SV_UINT32},
        {"=n", 8, SV_ERROR_DTYPE, 0},
        {"<N", 8, SV_ERROR_DTYPE, 0},
        {"<q", 8, SV_OK, SV_INT64},
        {"=?", 1, SV_OK, SV_BOOL},
        {">?", 1, SV_OK, SV_BOOL},
        {">b", 1, SV_OK, SV_INT8},
        {">h", 2, SV_ERROR_UNSUPPORTED, 0},
        {"!d", 8, SV_ERROR_UNSUPPORTED, 0},
        {">Zf", 8, SV_ERROR_UNSUPPORTED, 0},
        {"><d", 8, SV_OK, SV_FLOAT64}, /* the last one counts */
        {"<e", 2, SV_OK, SV_FLOAT16},
        {"Ze", 4, SV_OK, SV_COMPLEX32},
        {"F", 8, SV_OK, SV_COMPLEX64},
        {"=D", 16, SV_OK, SV_COMPLEX128},
        {"1f", 4, SV_OK, SV_FLOAT32},
        {"f", 8, SV_ERROR_DTYPE, 0},
        {"f", 0, SV_ERROR_DTYPE, 0},
        {"f", -4, SV_ERROR_DTYPE, 0},
        {"f", INT64_MIN, SV_ERROR_DTYPE, 0},
        {"2f", 8, SV_ERROR_DTYPE, 0},
        {"11f", 4, SV_ERROR_DTYPE, 0},
        {"0f", 4, SV_ERROR_DTYPE, 0},
        {"ff", 8, SV_ERROR_DTYPE, 0},
        {"f f", 8, SV_ERROR_DTYPE, 0},
        {"(2)f", 8, SV_ERROR_DTYPE, 0},
        {"f:x:", 4, SV_ERROR_DTYPE, 0},
        {"T{f:x:}", 4, SV_ERROR_DTYPE, 0},
        {"T{", 4, SV_ERROR_DTYPE, 0},
        {"Z", 8, SV_ERROR_DTYPE, 0},
        {"Zg", 32, SV_ERROR_DTYPE, 0},
        {"G", 32, SV_ERROR_DTYPE, 0},
        {"g", 16, SV_ERROR_DTYPE, 0},
        {"c", 1, SV_ERROR_DTYPE, 0},
        {"s", 1, SV_ERROR_DTYPE, 0},
        {"p", 1, SV_ERROR_DTYPE, 0},
        {"w", 4, SV_ERROR_DTYPE, 0},
        {"u", 2, SV_ERROR_DTYPE, 0},
        {"O", 8, SV_ERROR_DTYPE, 0},
        {"P", 8, SV_ERROR_DTYPE, 0},
        {"&f", 8, SV_ERROR_DTYPE, 0},
        {"x", 1, SV_ERROR_DTYPE, 0},
        {"", 1, SV_ERROR_DTYPE, 0},
        {"<", 1, SV_ERROR_DTYPE, 0},
        {"1", 1, SV_ERROR_DTYPE, 0},
        {"\x80", 1, SV_ERROR_DTYPE, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *name = cases[i].text == NULL ? "NULL" : cases[i].text;
        sv_dtype dtype = 0;
        cr_expect_eq(sv_dtype_from_format(cases[i].text, cases[i].itemsize, &dtype), cases[i].status, "%s of %d: %s",
                     name, (int)cases[i].itemsize, sv_last_message());
        cr_expect_eq(dtype, cases[i].dtype, "%s of %d", name, (int)cases[i].itemsize);
    }
}

Test(dtype, null_arguments)
{
    sv_dtype dtype;

    cr_expect_eq(sv_dtype_make(2, 32, 1, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_parse(NULL, &dtype), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_parse("bool", NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_from_typestr(NULL, &dtype), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_from_typestr("|b1", NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_from_format("?", 1, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_dtype_name(SV_BOOL, 4, NULL, NULL), SV_ERROR_NULL);
}

/* Whatever the text: an answer, nothing written but a type, and one printable line if it is refused. */
Test(dtype, random_text)
{
    static const char letters[] = "<>|=@!^1234567890bBhHiIlLqQnNefdgZFD?:{}Tcx \n\xff\x01int8floatopaque_";

    for (int64_t i = test_first_round(); test_round(i, 200000); i++) {
        char text[64] = {0};
        int64_t length = test_between(0, 4) == 0 ? test_between(0, 62) : test_between(0, 4);
        sv_status (*readers[2])(const char *, sv_dtype *) = {sv_dtype_parse, sv_dtype_from_typestr};

        for (int k = 0; k < length; k++)
            text[k] = letters[test_between(0, sizeof letters - 2)];
        for (int k = 0; k < 3; k++) {
            sv_dtype dtype = 99;
            sv_status status = k < 2 ? readers[k](text, &dtype) : sv_dtype_from_format(text, test_between(0, 16), &dtype);

            if (status == SV_OK) {
                cr_assert_eq(svi_dtype_check(dtype), SV_OK, "%s", text);
                continue;
            }
            cr_assert_eq(dtype, 99, "%s", text);
            cr_assert_lt(strlen(sv_last_message()), 120);
            for (const char *c = sv_last_message(); *c != '\0'; c++)
                cr_assert(*c >= ' ' && *c <= '~', "%s", sv_last_message());
        }
    }
}
