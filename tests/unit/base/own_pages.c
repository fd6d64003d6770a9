/* What the system tells of pages of memory. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "base/own_pages.h"
#include "support/ordinary.h"

/* Some systems, and emulators of other processors, tell nothing. */
static bool is_told(void)
{
    char *memory = map_ordinary(&ordinary[0]);
    const bool told = svi_find_pages(memory, RUN) == SVI_PAGES_OWN;

    munmap(memory, RUN);
    return told;
}

Test(own_pages, kinds)
{
    const bool told = is_told();

    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
        char *memory = map_ordinary(&ordinary[i]);

        if (memory == NULL)
            continue;
        cr_expect_eq(svi_find_pages(memory + 5, RUN - 9), told ? ordinary[i].pages : SVI_PAGES_UNKNOWN, "%s", ordinary[i].name);
        munmap(memory, RUN);
    }
}

/* One page of a file in the middle is found where it is looked at: in each MiB. */
Test(own_pages, one_page_in_each_mib_is_looked_at)
{
    char *host;

    if (!is_told())
        return;
    host = mmap(NULL, RUN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(host, 1, RUN);
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_OWN);
    cr_expect_eq(svi_find_pages(host, 1), SVI_PAGES_OWN);
    cr_assert_eq(mmap(host + (2 << 20), PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                 host + (2 << 20));
    host[2 << 20] = 1;
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_FILE);
    cr_expect_eq(svi_find_pages(host, (2 << 20) + 1), SVI_PAGES_FILE);
    cr_expect_eq(svi_find_pages(host, 2 << 20), SVI_PAGES_OWN);
    munmap(host, RUN);
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_UNKNOWN);
}
