#include <criterion/criterion.h>
#include <string.h>

#include "base/status.h"

Test(status, names)
{
    cr_assert_str_eq(sv_status_name(SV_OK), "SV_OK");
    cr_assert_str_eq(sv_status_name(SV_ERROR_FORKED), "SV_ERROR_FORKED");
    cr_assert_str_eq(sv_status_name(7), "SV_ERROR_UNKNOWN");
}

Test(status, message_is_empty_then_told)
{
    cr_assert_str_eq(sv_last_message(), "");
    cr_assert_eq(svi_fail(SV_ERROR_INDEX, "axis %d", 3), SV_ERROR_INDEX);
    cr_assert_str_eq(sv_last_message(), "axis 3");
}

Test(status, long_text_is_cut_in_the_message)
{
    char name[2000];

    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    svi_fail(SV_ERROR_DTYPE, "%s", name);
    cr_assert_lt(strlen(sv_last_message()), 512);
}

/* What is shown is one line of ASCII, cut between two characters. */
Test(status, foreign_text)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"float32", "float32"},
        {"two\nlines\r\t", "two\\nlines\\r\\t"},
        {"\x01\x7f", "\\x01\\x7f"},
        {"\xc3\xa9", "\\u00e9"},
        {"\xe2\x80\xa8", "\\u2028"}, /* a line separator */
        {"\xf0\x9f\x98\x80", "\\U0001f600"},
        {"\xf4\x8f\xbf\xbf", "\\U0010ffff"},
        {"\xff\xc3", "\\xff\\xc3"},              /* not UTF-8, cut off, */
        {"\xc0\x80", "\\xc0\\x80"},              /* longer than needed, */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},     /* a surrogate, */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond the last character */
        {"\xe2\x82z", "\\xe2\\x82z"},
        {"123456789012345678901234567890123456789", "123456789012345678901234567890123456789"},
        {"1234567890123456789012345678901234567890", "123456789012345678901234567890123456..."},
        {"12345678901234567890123456789012345\n9012", "12345678901234567890123456789012345..."},
        {"12345678901234567890123456789012345\xc3\xa9", "12345678901234567890123456789012345..."},
        {"123456789012345678901234567890123\xc3\xa9", "123456789012345678901234567890123\\u00e9"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char shown[SVI_SHOWN];

        cr_expect_eq(svi_printable(rows[i].text, shown), shown);
        cr_expect_str_eq(shown, rows[i].shown, "%s instead of %s", shown, rows[i].shown);
    }
}

Test(status, text_is_never_cut)
{
    char text[8] = "before";
    size_t length = 99;

    cr_assert_eq(svi_write_text("float32", 7, text, &length), SV_ERROR_BUFFER);
    cr_assert_str_eq(text, "before");
    cr_assert_eq(length, 99);
    cr_assert_eq(svi_write_text("float32", 8, text, &length), SV_OK);
    cr_assert_str_eq(text, "float32");
    cr_assert_eq(length, 7);
    cr_assert_eq(svi_write_text("float32", 0, NULL, &length), SV_OK);
    cr_assert_eq(svi_write_text("float32", 8, NULL, &length), SV_ERROR_NULL);
}
