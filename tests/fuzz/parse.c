/* Texts of layouts and of element types: any bytes are read safely, and what is read is written to be read again. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

const char fuzz_name[] = "parse";

static void check_refusal(sv_status status)
{
    static const sv_status known[] = {SV_ERROR_INVALID, SV_ERROR_RANGE, SV_ERROR_OVERFLOW, SV_ERROR_DTYPE,
                                      SV_ERROR_UNSUPPORTED};

    fuzz_check(fuzz_one_of(status, 5, known), "refused: %s", sv_status_name(status));
    fuzz_check(sv_last_message()[0] != '\0', "no message");
}

static void check_layout(const char *text)
{
    sv_layout *layout = NULL, *back = NULL;
    sv_status status = sv_layout_parse(text, &layout);
    char written[3072], again[3072];
    size_t length = 0;

    if (status != SV_OK) {
        fuzz_check(layout == NULL, "written when refused");
        check_refusal(status);
        return;
    }
    fuzz_check(sv_layout_text(layout, sizeof written, written, &length) == SV_OK, "written");
    fuzz_check(length == strlen(written), "length");
    fuzz_check(sv_layout_parse(written, &back) == SV_OK, "read again: %s", written);
    fuzz_check(sv_layout_equal(layout, back) == 1, "equal: %s", written);
    fuzz_check(sv_layout_hash(layout) == sv_layout_hash(back), "hash: %s", written);
    fuzz_check(sv_layout_text(back, sizeof again, again, NULL) == SV_OK && strcmp(written, again) == 0,
               "written again: %s, %s", written, again);
    sv_layout_release(back);
    sv_layout_release(layout);
}

/* A type that was read has a name, which is read as the same type. */
static void check_dtype(sv_status status, sv_dtype dtype)
{
    char name[64];
    sv_dtype back = 0;

    if (status != SV_OK) {
        check_refusal(status);
        return;
    }
    fuzz_check(sv_dtype_name(dtype, sizeof name, name, NULL) == SV_OK, "name of 0x%x", (unsigned)dtype);
    fuzz_check(sv_dtype_parse(name, &back) == SV_OK && back == dtype, "read again: %s", name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, data + size};
    uint8_t way = fuzz_byte(&in);
    char *text = malloc(size + 1);
    sv_dtype dtype = 0;

    size = (size_t)(in.end - in.at);
    memcpy(text, in.at, size);
    text[size] = '\0';
    switch (way % 8) {
    case 0:
        check_dtype(sv_dtype_parse(text, &dtype), dtype);
        break;
    case 1:
        check_dtype(sv_dtype_from_typestr(text, &dtype), dtype);
        break;
    case 2:
        check_dtype(sv_dtype_from_format(text, way >> 3, &dtype), dtype);
        break;
    default:
        check_layout(text);
        break;
    }
    free(text);
    return 0;
}
