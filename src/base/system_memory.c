/*
 * Reads /proc/meminfo, whose MemAvailable counts memory that the system uses as a cache and gives back on demand.
 * sysconf() knows free memory only; it is used on other systems.
 */
#include "base/system_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/read_file.h"

enum {
    KIB = 1024,
    ROOM = 1024 /* bytes of the file that are read; both lines are among the first three */
};

static int64_t count_page_bytes(int name)
{
    const int64_t count = sysconf(name), size = sysconf(_SC_PAGESIZE);
    int64_t nbytes;

    return count > 0 && size > 0 && !svi_mul(count, size, &nbytes) ? nbytes : 0;
}

/* The number after a name, in bytes; the file has KiB. 0: there is none. */
static int64_t find_kib_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    int64_t nbytes;

    return at != NULL && !svi_mul(strtoll(at + strlen(name), NULL, 10), KIB, &nbytes) ? nbytes : 0;
}

void svi_system_memory(int64_t *total, int64_t *available)
{
    const int before = errno;
    char text[ROOM];

    svi_read_file("/proc/meminfo", text, sizeof text);
    *total = find_kib_after(text, "MemTotal:");
    *available = find_kib_after(text, "MemAvailable:");
    if (*total == 0)
        *total = count_page_bytes(_SC_PHYS_PAGES);
#ifdef _SC_AVPHYS_PAGES
    if (*available == 0)
        *available = count_page_bytes(_SC_AVPHYS_PAGES);
#endif
    errno = before;
}
