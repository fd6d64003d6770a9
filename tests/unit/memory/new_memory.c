/* Memory that nobody has written: huge pages are asked for from 4 MiB on, or declined, and copies into it are right. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/allocator.h"
#include "host/base/untouched.h"
#include "sv.h"

enum { FROM = 1 << 22, PAGE = 4096, NONE = 2, ANY = 3 };

/* The flag of the mapping around an address: 1 for "hg", huge pages; NONE for "nh", none; 0 for neither; -1: the system
 * does not tell. */
static int asks_at(const void *pointer)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    uintptr_t begin, end, at = (uintptr_t)pointer;
    bool inside = false;
    int found = -1;
    char line[1024];

    while (file != NULL && found < 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
            inside = begin <= at && at < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, " hg") != NULL ? 1 : strstr(line, " nh") != NULL ? NONE : 0;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* Whether this system has huge pages that can be asked for, and tells of which memory they were: else nothing is seen. */
static bool is_told(void)
{
    bool told = false;
#ifdef MADV_HUGEPAGE
    char *pages = mmap(NULL, FROM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        return false;
    told = asks_at(pages) == 0 && madvise(pages, FROM, MADV_HUGEPAGE) == 0 && asks_at(pages) == 1;
    munmap(pages, FROM);
#endif
    return told;
}

/* What is asked for a block; all of it can be written, whatever the system has. */
static int asked_by(uint32_t flags, int64_t nbytes, bool zeros)
{
    struct svi_block block = {.nbytes = nbytes, .alignment = 64, .wants_zeros = zeros};
    sv_allocator *a;
    int asked;

    cr_assert_eq(sv_allocator_host(flags, &a), SV_OK);
    cr_assert_eq(svi_block_allocate(a, &block), SV_OK);
    memset(block.pointer, 1, (size_t)nbytes);
    asked = asks_at((char *)block.pointer + nbytes / 2);
    cr_expect_eq(svi_block_free(a, &block), SV_OK);
    sv_allocator_release(a);
    return asked;
}

static const struct {
    const char *name;
    uint32_t flags;
    int64_t nbytes;
    bool zeros;
    int asked, asked_when_off; /* off: SV_HOST_HUGE_PAGES=0 */
} blocks[] = {
    {"small", 0, FROM / 2, false, 0, 0},
    {"nearly large", 0, FROM - 3 * PAGE, false, 0, 0},
    {"none by a flag, small", SV_ALLOCATOR_NO_HUGE_PAGES, FROM / 2, false, 0, 0},
    {"large", 0, FROM, false, 1, 0},
    {"zeros", 0, 5 * FROM + 77, true, 1, 0},
    {"guarded", SV_ALLOCATOR_GUARD, 2 * FROM, false, 1, 0},
    {"by a flag", SV_ALLOCATOR_HUGE_PAGES, FROM / 2, false, 1, 1},
    {"by a flag, large", SV_ALLOCATOR_HUGE_PAGES, 2 * FROM, true, 1, 1},
    {"none by a flag", SV_ALLOCATOR_NO_HUGE_PAGES, 2 * FROM, false, NONE, NONE},
    {"none by a flag, zeros", SV_ALLOCATOR_NO_HUGE_PAGES, 20 * FROM + 5, true, NONE, NONE},
    {"none by a flag, guarded", SV_ALLOCATOR_NO_HUGE_PAGES | SV_ALLOCATOR_GUARD, 3 * FROM, false, NONE, NONE},
    {"large, once more", 0, 2 * FROM, false, 1, ANY}, /* perhaps where the last ones were, whose advice stays */
};

static void check_blocks(bool off)
{
    const bool told = is_told();

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const int asked = asked_by(blocks[i].flags, blocks[i].nbytes, blocks[i].zeros);
        const int expected = off ? blocks[i].asked_when_off : blocks[i].asked;

        cr_expect(!told || expected == ANY || asked == expected, "%s: %d, not %d", blocks[i].name, asked, expected);
    }
}

Test(new_memory, asked_for_from_4_mib_on)
{
    check_blocks(false);
}

Test(new_memory, not_asked_for_by_the_environment)
{
    setenv("SV_HOST_HUGE_PAGES", "0", 1);
    check_blocks(true);
}

/* --- copies into it ------------------------------------------------------------ */

enum { ROWS = 5000, COLUMNS = 2003 };

static char *map_pages(size_t nbytes)
{
    char *pages = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert_neq(pages, MAP_FAILED);
    return pages;
}

Test(new_memory, untouched_until_it_is_written)
{
    char *pages = map_pages(2 * FROM);

#ifdef __linux__
    cr_expect(svi_is_untouched(pages + 100, 2 * FROM - 200));
#endif
    memset(pages, 1, 2 * FROM);
    cr_expect_not(svi_is_untouched(pages + 100, 2 * FROM - 200));
    munmap(pages, 2 * FROM);
}

static sv_view *view_of(sv_dtype dtype, const int64_t *strides, char *base, int64_t nbytes)
{
    sv_layout *layout;
    sv_view *view;

    cr_assert_eq(sv_layout_new_bytes(2, (int64_t[]){ROWS, COLUMNS}, strides, sv_dtype_itemsize(dtype), &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, base, 0, nbytes, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view), SV_OK);
    sv_layout_release(layout);
    return view;
}

/* Into pages that are there and into such that are not: the same bytes, within the elements and outside of them. */
static void check_copy(const char *dst_name, const char *src_name, const int64_t *dst_strides,
                       const int64_t *src_strides)
{
    const int64_t room = (int64_t)ROWS * (COLUMNS + 8) * 8;
    char *from = map_pages((size_t)room), *to[2] = {map_pages((size_t)room), map_pages((size_t)room)};
    sv_dtype dst_dtype, src_dtype;
    sv_view *src;

    for (int64_t k = 0; k < room; k++)
        from[k] = (char)(k * 7 % 61);
    memset(to[0], 0, (size_t)room);
    cr_assert_eq(sv_dtype_parse(dst_name, &dst_dtype), SV_OK);
    cr_assert_eq(sv_dtype_parse(src_name, &src_dtype), SV_OK);
    src = view_of(src_dtype, src_strides, from, room);
    for (int k = 0; k < 2; k++) {
        sv_view *dst = view_of(dst_dtype, dst_strides, to[k], room);

        cr_expect_eq(sv_copy(dst, src, SV_COPY_CAST_UNSAFE, 0), SV_OK);
        sv_view_release(dst);
    }
    cr_expect_eq(memcmp(to[0], to[1], (size_t)room), 0, "%s -> %s", src_name, dst_name);
    sv_view_release(src);
    munmap(from, (size_t)room);
    munmap(to[0], (size_t)room);
    munmap(to[1], (size_t)room);
}

Test(new_memory, copies_are_the_same)
{
    const int64_t dense4[] = {COLUMNS * 4, 4}, rows4[] = {(COLUMNS + 8) * 4, 4}, turned4[] = {4, ROWS * 4};
    const int64_t dense1[] = {COLUMNS, 1}, steps1[] = {2 * COLUMNS, 2}, dense8[] = {COLUMNS * 8, 8};
    const int64_t repeated[] = {0, 4};

    check_copy("float32", "float32", dense4, dense4);
    check_copy("float32", "float32", rows4, dense4);
    check_copy("float32", "float32", dense4, turned4);
    check_copy("float32", "float32", dense4, repeated);
    check_copy("float32", "uint8", dense4, dense1);
    check_copy("float64", "uint8", dense8, steps1);
    check_copy("int64", "int32", dense8, turned4);
}
