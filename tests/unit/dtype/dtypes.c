/* The columns of dtypes.def against what the name of each type says, and those of float.h. */
#include <criterion/criterion.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "dtype/dtype.h"

static const struct svi_dtype_row rows[] = {
#define SVI_DTYPE(KIND, NAME, OP, CODE, BITS, TEXT, TYPESTR, FORMAT, FRACTION, BIAS, SPECIAL) \
    {CODE, BITS, SVI_##KIND, SPECIAL, FRACTION, BIAS, TEXT, TYPESTR, FORMAT},
#include "dtype/dtypes.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

/* What "float8_e4m3b11fnuz" says: 8 bits, 4 of them exponent, 3 fraction, a bias of 11, and what is left of the text. */
static void check_named(const struct svi_dtype_row *row)
{
    static const char *const special[] = {[SVI_IEEE] = "", [SVI_FN] = "fn", [SVI_FNUZ] = "fnuz", [SVI_FNU] = "fnu"};
    int bits, exponent, fraction, bias = -1, length = 0;

    cr_assert_eq(sscanf(row->name, "float%d_e%dm%d%n", &bits, &exponent, &fraction, &length), 3, "%s", row->name);
    if (row->name[length] == 'b') {
        int digits = 0;

        cr_assert_eq(sscanf(row->name + length, "b%d%n", &bias, &digits), 1, "%s", row->name);
        length += digits;
    } else {
        bias = (1 << (exponent - 1)) - (row->special == SVI_FNUZ ? 0 : 1);
    }
    cr_expect_eq(row->bits, bits, "%s", row->name);
    cr_expect_eq(row->fraction, fraction, "%s", row->name);
    cr_expect_eq(row->bias, bias, "%s", row->name);
    cr_expect_str_eq(special[row->special], row->name + length, "%s", row->name);
    cr_expect_eq(bits, exponent + fraction + (row->special != SVI_FNU), "%s", row->name);
}

/* Of the others, digits and the exponent of the largest number as float.h counts them. */
static const struct {
    const char *name;
    int digits, most;
} others[] = {
    {"float16", 11, 16},
    {"bfloat16", 8, FLT_MAX_EXP},
    {"float32", FLT_MANT_DIG, FLT_MAX_EXP},
    {"float64", DBL_MANT_DIG, DBL_MAX_EXP},
    {"complex32", 11, 16},
    {"complex64", FLT_MANT_DIG, FLT_MAX_EXP},
    {"complex128", DBL_MANT_DIG, DBL_MAX_EXP},
};

static void check_other(const struct svi_dtype_row *row)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, row->name) == 0) {
            cr_expect_eq(row->fraction, others[i].digits - 1, "%s", row->name);
            cr_expect_eq(row->bias, others[i].most - 1, "%s", row->name);
            cr_expect_eq(row->special, SVI_IEEE, "%s", row->name);
            return;
        }
    cr_expect(false, "%s is not in the table of this test", row->name);
}

Test(dtypes, names_say_what_the_columns_say)
{
    int checked = 0;

    for (int i = 0; i < ROWS; i++)
        if (rows[i].kind == SVI_FLOATING || rows[i].kind == SVI_COMPLEX) {
            (strchr(rows[i].name, '_') != NULL ? check_named : check_other)(&rows[i]);
            checked++;
        }
    cr_expect(checked >= 15, "%d types", checked);
}

/* The kind of other types is in their names. */
Test(dtypes, names_say_the_kind)
{
    static const struct {
        const char *begin;
        enum svi_kind kind;
    } kinds[] = {{"bool", SVI_BOOLEAN},    {"uint", SVI_UNSIGNED}, {"int", SVI_SIGNED},
                 {"complex", SVI_COMPLEX}, {"float", SVI_FLOATING}, {"bfloat", SVI_FLOATING}};

    for (int i = 0; i < ROWS; i++) {
        bool found = false;

        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strncmp(rows[i].name, kinds[k].begin, strlen(kinds[k].begin)) == 0) {
                cr_expect(rows[i].kind == kinds[k].kind || rows[i].kind == SVI_MOVED, "%s", rows[i].name);
                found = true;
            }
        cr_expect(found, "%s", rows[i].name);
    }
}

/* The rows that the library finds, each by its numbers and by its name. */
Test(dtypes, each_row_is_found)
{
    for (int i = 0; i < ROWS; i++) {
        const struct svi_dtype_row *found = svi_dtype_find_row(svi_dtype_pack(rows[i].code, rows[i].bits, 1));
        sv_dtype dtype = 0;

        cr_assert_not_null(found, "%s", rows[i].name);
        cr_expect_str_eq(found->name, rows[i].name);
        cr_expect_eq(sv_dtype_parse(rows[i].name, &dtype), SV_OK, "%s", rows[i].name);
        cr_expect_eq(dtype, svi_dtype_pack(rows[i].code, rows[i].bits, 1), "%s", rows[i].name);
    }
}
