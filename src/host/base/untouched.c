/* Tests by mincore() whether pages exist. Only on Linux. */
#define _DEFAULT_SOURCE /* mincore */

#include "host/base/untouched.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__
enum { PARTS = 4 };

/* Tests the page at the beginning of each part but the first, since large blocks are written from their beginning
 * on. */
bool svi_is_untouched(const char *begin, int64_t nbytes)
{
    const int saved = errno;
    const long page = sysconf(_SC_PAGESIZE);
    bool untouched = page > 0;

    for (int k = 1; k < PARTS && untouched; k++) {
        const uintptr_t at = (uintptr_t)begin + (uintptr_t)(nbytes / PARTS * k);
        unsigned char resident = 1;

        untouched = mincore((void *)(at - at % (uintptr_t)page), 1, &resident) == 0 && (resident & 1) == 0;
    }
    errno = saved;
    return untouched;
}
#else
bool svi_is_untouched(const char *begin, int64_t nbytes)
{
    (void)begin, (void)nbytes;
    return false;
}
#endif
