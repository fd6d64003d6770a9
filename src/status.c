#include "status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[512];

sv_status svi_fail(sv_status code, const char *format, ...)
{
    int saved = errno;
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    errno = saved;
    return code;
}

const char *sv_last_message(void)
{
    return message;
}

sv_status svi_write_text(const char *from, size_t capacity, char *text, size_t *length)
{
    size_t size = strlen(from);

    if (capacity > 0) {
        if (text == NULL)
            return svi_fail(SV_ERROR_NULL, "text is NULL with a capacity of %zu", capacity);
        if (size >= capacity)
            return svi_fail(SV_ERROR_RANGE, "the text needs %zu bytes with its NUL, there are %zu", size + 1, capacity);
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
};

const char *sv_status_name(sv_status status)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "SV_ERROR_UNKNOWN";
}
