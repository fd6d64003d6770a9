#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/layouts.h"

static const struct {
    const char *name;
    int32_t ndim;
    int64_t shape[3], strides[3], itemsize, byte_offset;
    const char *text;
} written[] = {
    {"0-d", 0, {0}, {0}, 8, 0, "():()*8"},
    {"1-d", 1, {5}, {4}, 4, 0, "(5,):(1,)*4"},
    {"picture", 3, {450, 512, 3}, {1536, 3, 1}, 1, 0, "(450, 512, 3):(1536, 3, 1)*1"},
    {"turned, with an offset", 2, {3, 450}, {4, -12}, 4, 5388, "(3, 450):(1, -3)*4+5388"},
    {"below the base", 1, {3}, {-2}, 2, -6, "(3,):(-1,)*2-6"},
    {"strides that do not divide", 2, {2, 3}, {13, 4}, 4, 0, "(2, 3):(13, 4)b*4"},
    {"nor where nothing moves", 2, {1, 3}, {13, 4}, 4, 0, "(1, 3):(13, 4)b*4"},
    {"empty", 2, {0, 3}, {7, 4}, 4, 0, "(0, 3):(7, 4)b*4"},
    {"ends of int64", 2, {1, 1}, {INT64_MIN, INT64_MAX}, 1, 0, "(1, 1):(-9223372036854775808, 9223372036854775807)*1"},
    {"last byte of all", 0, {0}, {0}, 1, INT64_MAX - 1, "():()*1+9223372036854775806"},
    {"first byte of all", 0, {0}, {0}, 1, INT64_MIN, "():()*1-9223372036854775808"},
};

Test(layout_text, both_ways)
{
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        struct svi_geometry g = {.itemsize = written[i].itemsize, .byte_offset = written[i].byte_offset};
        sv_layout *layout, *back = NULL;
        char text[200];
        size_t length;

        svi_geometry_set_axes(&g, written[i].ndim, written[i].shape, written[i].strides);
        cr_assert_eq(svi_layout_make(&g, &layout), SV_OK, "%s", written[i].name);
        cr_assert_eq(sv_layout_text(layout, sizeof text, text, &length), SV_OK, "%s", written[i].name);
        cr_expect_str_eq(text, written[i].text, "%s: %s", written[i].name, text);
        cr_expect_eq(length, strlen(text), "%s", written[i].name);
        cr_expect_eq(sv_layout_text(layout, length, text, NULL), SV_ERROR_BUFFER, "%s", written[i].name);
        cr_assert_eq(sv_layout_parse(written[i].text, &back), SV_OK, "%s: %s", written[i].name, sv_last_message());
        cr_expect(sv_layout_equal(layout, back), "%s", written[i].name);
        cr_expect(test_has(back, written[i].ndim, written[i].shape, written[i].strides, written[i].byte_offset), "%s",
                  written[i].name);
        sv_layout_release(back);
        sv_layout_release(layout);
    }
}

/* What is read beyond what is written: the same as the text behind it. */
Test(layout_text, other_spellings)
{
    static const char *const rows[][2] = {
        {"(2, 3)*4", "(2, 3):(3, 1)*4"},
        {"()*4", "():()*4"},
        {"(0, 3)*4", "(0, 3):(0, 0)*4"},
        {"(5)*4", "(5,):(1,)*4"},
        {"  ( 2 ,3, ) : ( - 3 , 1 ) b * 4 - 1 ", "(2, 3):(-3, 1)b*4-1"},
        {"(2,3):(3,1,)*4+0", "(2, 3):(3, 1)*4"},
        {"(2, 3):(12, 4)b*4", "(2, 3):(3, 1)*4"},
        {"(0002,):(-0,)*01", "(2,):(0,)*1"},
        {"(1, 0):(9223372036854775807, 1)*8", "(1, 0):(0, 1)*8"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = NULL;
        char text[200];

        cr_assert_eq(sv_layout_parse(rows[i][0], &layout), SV_OK, "%s: %s", rows[i][0], sv_last_message());
        cr_assert_eq(sv_layout_text(layout, sizeof text, text, NULL), SV_OK);
        cr_expect_str_eq(text, rows[i][1], "%s: %s", rows[i][0], text);
        sv_layout_release(layout);
    }
}

Test(layout_text, refused)
{
    static const struct {
        const char *text;
        sv_status status;
        const char *message;
    } rows[] = {
        {"", SV_ERROR_INVALID, "at character 1, where the text ends"},
        {"2, 3", SV_ERROR_INVALID, "at character 1, before \"2, 3\""},
        {"(2, 3", SV_ERROR_INVALID, "at character 6, where the text ends"},
        {"(2 3)*4", SV_ERROR_INVALID, "at character 4"},
        {"(2,,3)*4", SV_ERROR_INVALID, "a number is expected at character 4"},
        {"(,)*4", SV_ERROR_INVALID, "at character 2"},
        {"(2, 3)", SV_ERROR_INVALID, "at character 7"},
        {"(2, 3):", SV_ERROR_INVALID, "at character 8"},
        {"(2, 3):(3, 1)", SV_ERROR_INVALID, "at character 14"},
        {"(2, 3)b*4", SV_ERROR_INVALID, "at character 7"},
        {"(2, 3):(3)*4", SV_ERROR_INVALID, "1 strides for 2 extents"},
        {"(2, 3)*", SV_ERROR_INVALID, "at character 8"},
        {"(2, 3)*-4", SV_ERROR_INVALID, "at character 8"},
        {"(2, 3)*4+", SV_ERROR_INVALID, "at character 10"},
        {"(2, 3)*4+-1", SV_ERROR_INVALID, "at character 10"},
        {"(2, 3)*4 x", SV_ERROR_INVALID, "the end is expected at character 10"},
        {"(2, 3)*4\n", SV_ERROR_INVALID, "at character 9, before \"\\n\""},
        {"(3)x\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", SV_ERROR_INVALID,
         "before \"x\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9...\""},
        {"(2, 3)*0", SV_ERROR_RANGE, "item size of 0"},
        {"(2, -3)*4", SV_ERROR_INVALID, "extent -3 of axis 1"},
        {"(+2,)*4", SV_ERROR_INVALID, "at character 2"},
        {"(0x2,)*4", SV_ERROR_INVALID, "at character 3"},
        {"(9223372036854775808,)*1", SV_ERROR_OVERFLOW, "the number at character 2"},
        {"(2,):(-9223372036854775809,)*1", SV_ERROR_OVERFLOW, "the number at character 8"},
        {"(2,):(1,)*1+99999999999999999999999999", SV_ERROR_OVERFLOW, "the number at character 13"},
        {"(2,):(9223372036854775807,)*2", SV_ERROR_OVERFLOW, "stride"},
        {"(2,)*1+9223372036854775807", SV_ERROR_OVERFLOW, "offset"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *out = untouched;
        sv_status status = sv_layout_parse(rows[i].text, &out);

        cr_expect_eq(status, rows[i].status, "%s: %s", rows[i].text, sv_status_name(status));
        cr_expect(strstr(sv_last_message(), rows[i].message) != NULL, "%s: %s", rows[i].text, sv_last_message());
        cr_expect_eq(out, untouched, "%s: written", rows[i].text);
    }
}

Test(layout_text, sixty_four_axes)
{
    struct svi_geometry g = {.ndim = SV_MAX_NDIM, .itemsize = INT64_MAX, .byte_offset = INT64_MIN};
    char text[3072], longer[3100], *at = text;
    sv_layout *layout, *back, *out = untouched;
    size_t length;

    for (int32_t k = 0; k < SV_MAX_NDIM; k++) {
        g.shape[k] = k == 0 ? 0 : INT64_MAX;
        g.strides[k] = INT64_MIN + 1 + k;
    }
    cr_assert_eq(svi_layout_make(&g, &layout), SV_OK);
    cr_assert_eq(sv_layout_text(layout, sizeof text, text, &length), SV_OK);
    cr_assert_eq(sv_layout_parse(text, &back), SV_OK, "%s", sv_last_message());
    cr_expect(sv_layout_equal(layout, back));
    cr_expect(test_has(back, SV_MAX_NDIM, g.shape, g.strides, g.byte_offset));
    sv_layout_release(back);
    sv_layout_release(layout);
    at = strchr(at, ')');
    snprintf(longer, sizeof longer, "%.*s, 1%s", (int)(at - text), text, at);
    cr_expect_eq(sv_layout_parse(longer, &out), SV_ERROR_RANGE);
    cr_expect_eq(out, untouched);
}

Test(layout_text, random_layouts_both_ways)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *layout = test_layout(6), *back = NULL;
        char text[400];

        cr_assert_eq(sv_layout_text(layout, sizeof text, text, NULL), SV_OK);
        cr_assert_eq(sv_layout_parse(text, &back), SV_OK, "%s: %s", text, sv_last_message());
        cr_assert(sv_layout_equal(layout, back), "%s", text);
        cr_assert_eq(sv_layout_hash(layout), sv_layout_hash(back), "%s", text);
        cr_assert(test_has(back, sv_layout_ndim(layout), sv_layout_shape(layout), sv_layout_byte_strides(layout),
                           sv_layout_byte_offset(layout)), "%s", text);
        sv_layout_release(back);
        sv_layout_release(layout);
    }
}
