/* By /proc/self/pagemap, whose entries Linux's Documentation/admin-guide/mm/pagemap.rst describes. */
#define _POSIX_C_SOURCE 200809L
#include "base/own_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PRESENT ((uint64_t)1 << 63)
#define SWAPPED ((uint64_t)1 << 62)
#define OF_FILE ((uint64_t)1 << 61)

enum { STEP = 1 << 20 /* bytes from one page that is looked at to the next */ };

static enum svi_pages find_page(int pagemap, uintptr_t address, uintptr_t page_bytes)
{
    uint64_t entry;

    if (pread(pagemap, &entry, sizeof entry, (off_t)(address / page_bytes * sizeof entry)) != (ssize_t)sizeof entry)
        return SVI_PAGES_UNKNOWN;
    if (entry & OF_FILE)
        return SVI_PAGES_FILE;
    return entry & (PRESENT | SWAPPED) ? SVI_PAGES_OWN : SVI_PAGES_UNKNOWN;
}

static enum svi_pages find_all(int pagemap, uintptr_t first, uintptr_t last)
{
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    enum svi_pages found = find_page(pagemap, last, page_bytes);

    for (uintptr_t at = first; found == SVI_PAGES_OWN && at < last; at += STEP)
        found = find_page(pagemap, at, page_bytes);
    return found;
}

enum svi_pages svi_find_pages(const void *address, int64_t nbytes)
{
    const int before = errno, pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const uintptr_t first = (uintptr_t)address;
    enum svi_pages found = SVI_PAGES_UNKNOWN;

    if (pagemap >= 0) {
        found = find_all(pagemap, first, first + (uintptr_t)nbytes - 1);
        close(pagemap);
    }
    errno = before;
    return found;
}
