#include <criterion/criterion.h>
#include <string.h>

#include "status.h"

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

Test(status, text_is_never_cut)
{
    char text[8] = "before";
    size_t length = 99;

    cr_assert_eq(svi_write_text("float32", 7, text, &length), SV_ERROR_RANGE);
    cr_assert_str_eq(text, "before");
    cr_assert_eq(length, 99);
    cr_assert_eq(svi_write_text("float32", 8, text, &length), SV_OK);
    cr_assert_str_eq(text, "float32");
    cr_assert_eq(length, 7);
    cr_assert_eq(svi_write_text("float32", 0, NULL, &length), SV_OK);
    cr_assert_eq(svi_write_text("float32", 8, NULL, &length), SV_ERROR_NULL);
}
