#define _POSIX_C_SOURCE 200809L
#include "memory/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/read_file.h"

enum { STAT_BYTES = 1024, FIELDS_TO_START = 20 /* proc(5): field 22, and the name before them ends field 2 */ };

/* The name of the program can contain anything, so fields are counted from its end. */
static int64_t find_start(const char *text)
{
    const char *at = NULL;

    for (const char *c = text; *c != '\0'; c++)
        if (*c == ')')
            at = c;
    for (int field = 0; at != NULL && field < FIELDS_TO_START; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoll(at + 1, NULL, 10);
}

/* 0 where the system does not tell. */
static int64_t read_start(void)
{
    char text[STAT_BYTES];

    svi_read_file("/proc/self/stat", text, sizeof text);
    return find_start(text);
}

struct svi_process svi_process_self(void)
{
    return (struct svi_process){getpid(), read_start()};
}
