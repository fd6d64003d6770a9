/* Runs of bytes in memory that the host reads, with other bytes around them; cuda_bytes.c has those of devices. */
#include <criterion/criterion.h>
#include <string.h>

#include "copy/bytes.h"
#include "support/pairs.h"

enum { SIZE = 4096, MOST = 1500 };

/* Types of memory that the host copies without asking a device. */
static const struct svi_device places[] = {{SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA_HOST, 3}, {SV_DEVICE_ROCM_HOST, 0}};

enum { PLACES = sizeof places / sizeof *places };

static void set_random(char *bytes)
{
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (char)test_random();
}

Test(bytes, copies_between_all_kinds_of_host_memory)
{
    static char from[SIZE], to[SIZE], expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, 2000); round++) {
        const int64_t nbytes = round < 100 ? round : test_between(0, MOST), dst = test_between(0, MOST);
        const int64_t src = test_between(0, MOST);
        const uint32_t flags = round % 3 == 0 ? SV_COPY_BLOCKING : 0;

        set_random(from);
        set_random(to);
        memcpy(expected, to, SIZE);
        memcpy(expected + dst, from + src, (size_t)nbytes);
        cr_assert_eq(svi_copy_bytes(places[round % PLACES], to + dst, places[round / PLACES % PLACES], from + src,
                                    nbytes, flags, 0),
                     SV_OK, "%s", sv_last_message());
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%d bytes", (int)nbytes);
    }
}

Test(bytes, both_sides_may_be_one_memory)
{
    static char block[SIZE], expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, 2000); round++) {
        const int64_t nbytes = test_between(0, MOST), dst = test_between(0, MOST), src = test_between(0, MOST);

        set_random(block);
        memcpy(expected, block, SIZE);
        memmove(expected + dst, expected + src, (size_t)nbytes);
        cr_assert_eq(svi_copy_bytes(svi_cpu, block + dst, svi_cpu, block + src, nbytes, SV_COPY_NO_TEMP, 0), SV_OK,
                     "%s", sv_last_message());
        cr_assert_eq(memcmp(block, expected, SIZE), 0, "%d bytes by %d", (int)nbytes, (int)(dst - src));
    }
}

Test(bytes, filled_with_items_of_every_size)
{
    static char to[SIZE], expected[SIZE];
    char item[16];

    for (int64_t round = test_first_round(); test_round(round, 2000); round++) {
        const int32_t itemsize = 1 << round % 5;
        const int64_t count = test_between(0, MOST / itemsize), dst = test_between(0, MOST);

        for (int i = 0; i < itemsize; i++)
            item[i] = (char)test_random();
        set_random(to);
        memcpy(expected, to, SIZE);
        for (int64_t i = 0; i < count; i++)
            memcpy(expected + dst + i * itemsize, item, (size_t)itemsize);
        cr_assert_eq(svi_fill_bytes(places[round / 5 % PLACES], to + dst, count * itemsize, item, itemsize, 0,
                                    round % 2 == 0),
                     SV_OK, "%s", sv_last_message());
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%d items of %d bytes", (int)count, itemsize);
    }
}

/* The bytes of some devices are never touched; no bytes are no business of a backend. */
Test(bytes, devices_without_a_backend)
{
    const struct svi_device other = {SV_DEVICE_ROCM, 1};
    char cells[8] = "abcdefg", item = 0;

    cr_expect_eq(svi_copy_bytes(other, cells, svi_cpu, cells + 4, 4, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_expect_str_eq(sv_last_message(), "no backend copies from CPU device 0 to ROCm device 1");
    cr_expect_eq(svi_copy_bytes(svi_cpu, cells, other, cells + 4, 4, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_expect_eq(svi_fill_bytes(other, cells, 4, &item, 1, 0, false), SV_ERROR_UNSUPPORTED);
    cr_expect_str_eq(cells, "abcdefg");
    cr_expect_eq(svi_copy_bytes(other, NULL, other, NULL, 0, 0, 0), SV_OK);
    cr_expect_eq(svi_fill_bytes(other, NULL, 0, &item, 1, 0, false), SV_OK);
}
