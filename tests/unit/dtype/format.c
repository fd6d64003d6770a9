#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dtype/format.h"

enum { NUMBER = 1, SWAPPED = 2, OBJECTS = 4, BAD = 8 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ORDER "<"
#define OTHER_ORDER ">"
#else
#define OWN_ORDER ">"
#define OTHER_ORDER "<"
#endif

static void check(const char *text, int expected)
{
    struct svi_format found = {99, false, false};
    sv_status status = svi_format_read(text, &found);

    cr_expect_eq(status, expected == BAD ? SV_ERROR_DTYPE : SV_OK, "%s: %s", text, sv_last_message());
    if (status != SV_OK) {
        cr_expect_eq(found.number, 99, "%s", text);
        return;
    }
    cr_expect_eq(found.number != SV_OPAQUE, (expected & NUMBER) != 0, "%s", text);
    cr_expect_eq(found.swapped, (expected & SWAPPED) != 0, "%s", text);
    cr_expect_eq(found.objects, (expected & OBJECTS) != 0, "%s", text);
}

static const struct {
    const char *text;
    int expected;
} grammar[] = {
    {NULL, NUMBER},
    {" d ", NUMBER},
    {"@=<d", NUMBER},
    {">d", NUMBER | SWAPPED},
    {"!B", NUMBER},
    {"1d", NUMBER},
    {"<1d", NUMBER},
    {"1<d", NUMBER},
    {"d:x:", 0},
    {"3d", 0},
    {"(1)d", 0},
    {"(2,3)d", 0},
    {"( 2 , 3 )d", 0},
    {"(2)3d", 0},
    {"2(3)d", 0},
    {"(2)(3)d", 0},
    {"(2) (3,4)(5)6d", 0},
    {"(1)(1)d", 0},
    {"<(3)d", 0},
    {"(2)<(3)>d", 0},
    {"(2)>3<d", 0},
    {"T{(2)(3)i:foo:}", 0},
    {"T{(2)(3)T{(4)(5)h:a:}:foo:b:c:}", 0},
    {"0d", 0},
    {"xd", 0},
    {"dx", 0},
    {"7s", 0},
    {"5p", 0},
    {"3w", 0},
    {"c", 0},
    {"u", 0},
    {"t", 0},
    {"3t", 0},
    {"P", 0},
    {"g", 0},
    {OWN_ORDER "P", 0}, /* as ctypes writes them */
    {OWN_ORDER "g", 0},
    {OWN_ORDER "Zg", 0},
    {OWN_ORDER "G", 0},
    {OWN_ORDER "z", 0},
    {OWN_ORDER "Z", 0},
    {"T{" OWN_ORDER "z:a:" OWN_ORDER "Z:b:(3)" OWN_ORDER "Z}", 0},
    {OWN_ORDER "Zd", NUMBER},
    {"T{" OWN_ORDER "P:a:" OWN_ORDER "g:b:(2)" OWN_ORDER "P:c:}", 0},
    {"Zg", 0},
    {"G", 0},
    {"&d", 0},
    {"&&<d", 0},
    {"&T{d:x:}", 0},
    {"&X{}", 0},
    {"X{i->d:f:{}}", 0},
    {"T{}", 0},
    {"T{d}", 0},
    {"T{<b:a:<i:b:}", 0}, /* ctypes, of a structure of 8 bytes */
    {"T{>d:x:}d", 0},
    {"T{ d:a: i:b: }", 0},
    {"T{(2)T{i:a:f:b:}:r:d:s:}", 0}, /* an array of records in a record */
    {"T{T{i:a:}:r:T{i:a:}:s:}", 0}, /* the same name in different records */
    {"T{i:}:}", 0},                 /* a brace within a name */
    {"T{i::}", 0},
    {"T{i:\xc3\xa9:}", 0},
    {"O", OBJECTS},
    {"T{i:a:T{3O:b:}:c:}", OBJECTS},
    {"", BAD},
    {" ", BAD},
    {"<", BAD},
    {"3", BAD},
    {"i3", BAD},
    {"(", BAD},
    {"()d", BAD},
    {"(2d", BAD},
    {"(2,)d", BAD},
    {"(-1)d", BAD},
    {"2<3d", BAD},
    {"-1d", BAD},
    {"9223372036854775808d", BAD},
    {"9223372036854775807d", 0},
    {"(4294967296,4294967296)d", BAD},
    {"(4294967296)4294967296d", BAD},
    {"Z", BAD},
    {"Zi", BAD},
    {"k", BAD},
    {"=n", BAD},
    {OTHER_ORDER "P", BAD},
    {OTHER_ORDER "g", BAD},
    {OTHER_ORDER "Zg", BAD},
    {"=P", BAD},
    {"=g", BAD},
    {OWN_ORDER "n", BAD},
    {"z", BAD},
    {"=z", BAD},
    {OTHER_ORDER "z", BAD},
    {OTHER_ORDER "Z", BAD},
    {OWN_ORDER "Zi", BAD},
    {"(2)(3d", BAD},
    {"(2)(3)", BAD},
    {"(2)()d", BAD},
    {"(4294967296)(4294967296)d", BAD},
    {OTHER_ORDER "G", BAD},
    {"T", BAD},
    {"T{", BAD},
    {"T{d", BAD},
    {"T{d}}", BAD},
    {"Td", BAD},
    {"T(d)", BAD},
    {"}", BAD},
    {"{d}", BAD},
    {"X", BAD},
    {"X{", BAD},
    {"X{{}", BAD},
    {"&", BAD},
    {"d:x", BAD},
    {"d:", BAD},
    {":x:", BAD},
    {"d:x:y:", BAD},
    {"T{d:x:i:x:}", BAD},
    {"T{d:x:T{i:y:}:z:i:x:}", BAD},
    {"d:x:i:x:", BAD},
    {"\xff", BAD},
    {"d,", BAD},
};

Test(format, grammar)
{
    for (size_t i = 0; i < sizeof grammar / sizeof *grammar; i++)
        check(grammar[i].text, grammar[i].expected);
}

/* count times "T{", then "d", then as many "}". */
static void nested(char *text, int count)
{
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        strcat(text, i % 2 ? "&" : "T{");
    strcat(text, "d");
    for (int i = count; i-- > 0;)
        strcat(text, i % 2 ? "" : "}");
}

Test(format, nesting_has_a_limit)
{
    char text[512];

    nested(text, 32);
    check(text, 0);
    nested(text, 33);
    check(text, BAD);
    cr_expect(strstr(sv_last_message(), "32 deep"), "%s", sv_last_message());
}

Test(format, length_has_a_limit)
{
    const size_t limit = 1 << 24; /* with the NUL */
    char *text = malloc(limit + 1);

    memset(text, 'd', limit);
    text[limit] = '\0';
    check(text, BAD);
    cr_expect(strstr(sv_last_message(), "16777215"), "%s", sv_last_message());
    text[limit - 1] = '\0';
    check(text, 0);
    free(text);
}

/* "T{", count fields of different names, "}", for the caller to free. */
static char *many_fields(int count)
{
    char *text = malloc(16 + 16 * (size_t)count), *at = text;

    at += sprintf(at, "T{");
    for (int i = 0; i < count; i++)
        at += sprintf(at, "i:%d:", i);
    sprintf(at, "}");
    return text;
}

Test(format, names_of_many_fields)
{
    for (int count = 1; count < 16000; count += count < 100 ? 1 : 1997) {
        char *text = many_fields(count), *twice;

        check(text, 0);
        text[strlen(text) - 1] = '\0';
        twice = malloc(strlen(text) + 16);
        sprintf(twice, "%si:%d:}", text, count / 2); /* a name that is there */
        check(twice, BAD);
        cr_expect(strstr(sv_last_message(), "twice") != NULL, "%s", sv_last_message());
        sprintf(twice, "%sT{i:%d:}:n:}", text, count / 2); /* in a record of its own */
        check(twice, 0);
        free(twice);
        free(text);
    }
}

/* CPU time of a reading, the least of several that are long enough for any clock. */
static double time_of(int count)
{
    char *text = many_fields(count);
    double least = 1e9, took;
    int times = 4;

    for (int measured = 0; measured < 3;) {
        const clock_t begin = clock();

        for (int i = 0; i < times; i++)
            check(text, 0);
        took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        if (took < 0.03) {
            times *= 2;
            continue;
        }
        least = took / times < least ? took / times : least;
        measured++;
    }
    free(text);
    return least;
}

/* Eight times the fields take about eight times as long, not sixty-four times. */
Test(format, time_grows_with_the_length)
{
    const double one = time_of(1000), eight = time_of(8000);

    cr_expect_lt(eight, 30 * one, "%g, then %g", one, eight);
}

Test(format, message_shows_the_place)
{
    check("T{d:x:k:y:}", BAD);
    cr_expect_str_eq(sv_last_message(), "format \"T{d:x:k:y:}\", character 6: no such type");
}
