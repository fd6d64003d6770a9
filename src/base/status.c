/* The message of each thread, foreign text in messages, texts that functions return, and the names of statuses. */
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[SVI_MESSAGE];
static _Thread_local uint32_t fail_count;

sv_status svi_fail(sv_status code, const char *format, ...)
{
    int saved = errno;
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fail_count++;
    errno = saved;
    return code;
}

uint32_t svi_fail_count(void)
{
    return fail_count;
}

void svi_message_keep(struct svi_message *out)
{
    memcpy(out->text, message, sizeof message);
}

void svi_message_restore(const struct svi_message *kept)
{
    memcpy(message, kept->text, sizeof message);
}

const char *sv_last_message(void)
{
    return message;
}

/* --- foreign text in messages -------------------------------------------- */

enum { ESCAPE = 11 }; /* bytes of the longest escape, "\U0010ffff", with its NUL */

/* Decodes the UTF-8 character at text, and its length in bytes. False: there is none. */
static bool decode_character(const char *text, uint32_t *number, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*text;

    *length = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    *number = first & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++) {
        const unsigned char next = (unsigned char)text[i];

        if ((next & 0xc0) != 0x80)
            return false;
        *number = *number << 6 | (next & 0x3f);
    }
    return *length > 0 && *number >= least[*length] && *number <= 0x10ffff && (*number < 0xd800 || *number > 0xdfff);
}

/* Writes the character or byte at text, as an escape where needed. Returns the bytes of text that it used. */
static size_t show_character(const char *text, char out[ESCAPE])
{
    const char c = *text;
    uint32_t number;
    size_t length;

    if (c >= ' ' && c <= '~')
        snprintf(out, ESCAPE, "%c", c);
    else if (c == '\n' || c == '\r' || c == '\t')
        snprintf(out, ESCAPE, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else if (decode_character(text, &number, &length)) {
        snprintf(out, ESCAPE, number > 0xffff ? "\\U%08" PRIx32 : "\\u%04" PRIx32, number);
        return length;
    } else
        snprintf(out, ESCAPE, "\\x%02x", (unsigned char)c);
    return 1;
}

const char *svi_printable(const char *text, char out[SVI_SHOWN])
{
    static const char dots[] = "...";
    size_t end = 0, cut = 0; /* cut: the last place at which the dots fit */

    out[0] = '\0';
    while (*text != '\0') {
        char shown[ESCAPE];
        const size_t taken = show_character(text, shown), size = strlen(shown);

        if (end + size >= SVI_SHOWN) {
            memcpy(out + cut, dots, sizeof dots);
            break;
        }
        memcpy(out + end, shown, size + 1);
        end += size;
        text += taken;
        if (end + sizeof dots <= SVI_SHOWN)
            cut = end;
    }
    return out;
}

/* --- texts --------------------------------------------------------------- */

sv_status svi_write_text(const char *from, size_t capacity, char *text, size_t *length)
{
    size_t size = strlen(from);

    if (capacity > 0) {
        if (text == NULL)
            return svi_fail(SV_ERROR_NULL, "text is NULL with a capacity of %zu", capacity);
        if (size >= capacity)
            return svi_fail(SV_ERROR_BUFFER, "the text needs %zu bytes with its NUL, there are %zu", size + 1,
                            capacity);
        memcpy(text, from, size + 1);
    }
    if (length != NULL)
        *length = size;
    return SV_OK;
}

static const struct {
    sv_status status;
    const char *name;
} names[] = {
    {SV_OK, "SV_OK"},
    {SV_ERROR_NULL, "SV_ERROR_NULL"},
    {SV_ERROR_INVALID, "SV_ERROR_INVALID"},
    {SV_ERROR_INDEX, "SV_ERROR_INDEX"},
    {SV_ERROR_RANGE, "SV_ERROR_RANGE"},
    {SV_ERROR_OVERFLOW, "SV_ERROR_OVERFLOW"},
    {SV_ERROR_DTYPE, "SV_ERROR_DTYPE"},
    {SV_ERROR_LAYOUT, "SV_ERROR_LAYOUT"},
    {SV_ERROR_OVERLAP, "SV_ERROR_OVERLAP"},
    {SV_ERROR_READ_ONLY, "SV_ERROR_READ_ONLY"},
    {SV_ERROR_ALIGNMENT, "SV_ERROR_ALIGNMENT"},
    {SV_ERROR_DEVICE, "SV_ERROR_DEVICE"},
    {SV_ERROR_VERSION, "SV_ERROR_VERSION"},
    {SV_ERROR_PROTOCOL, "SV_ERROR_PROTOCOL"},
    {SV_ERROR_UNSUPPORTED, "SV_ERROR_UNSUPPORTED"},
    {SV_ERROR_MEMORY, "SV_ERROR_MEMORY"},
    {SV_ERROR_CUDA, "SV_ERROR_CUDA"},
    {SV_ERROR_STATE, "SV_ERROR_STATE"},
    {SV_ERROR_BLOCKED, "SV_ERROR_BLOCKED"},
    {SV_ERROR_FORKED, "SV_ERROR_FORKED"},
    {SV_ERROR_BUFFER, "SV_ERROR_BUFFER"},
};

const char *sv_status_name(sv_status status)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "SV_ERROR_UNKNOWN";
}
