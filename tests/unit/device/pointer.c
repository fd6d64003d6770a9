/* What is known of addresses where no CUDA device is ready; with one: cuda_pointer.c. */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "sv.h"

static int cells[4];

Test(pointer, memory_of_the_host)
{
    int on_stack = 0, *allocated = malloc(sizeof *allocated);
    const void *const pointers[] = {cells, &on_stack, allocated, (const char *)cells + 1, "text"};

    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        sv_memory kind = -1;
        uint32_t traits = 0;
        int32_t id = -1;
        void *device_address = cells, *host_address = NULL;

        cr_assert_eq(sv_pointer_query(pointers[i], &kind, &traits, &id, &device_address, &host_address), SV_OK);
        cr_expect_eq(kind, SV_MEMORY_HOST);
        cr_expect_eq(traits & ~(uint32_t)SV_TRAIT_CUDA, SV_TRAIT_HOST);
        cr_expect_eq(device_address, traits & SV_TRAIT_CUDA ? pointers[i] : NULL);
        cr_expect_eq(id, 0);
        cr_expect_eq(host_address, pointers[i]);
    }
    free(allocated);
}

Test(pointer, null_is_of_no_kind)
{
    sv_memory kind = -1;
    uint32_t traits = 5;
    int32_t id = -1;
    void *device_address = cells, *host_address = cells;

    cr_assert_eq(sv_pointer_query(NULL, &kind, &traits, &id, &device_address, &host_address), SV_OK);
    cr_expect(kind == SV_MEMORY_UNKNOWN && traits == 0 && id == 0 && device_address == NULL && host_address == NULL);
}

Test(pointer, the_kind_alone)
{
    sv_memory kind = -1;

    cr_expect_eq(sv_pointer_query(cells, &kind, NULL, NULL, NULL, NULL), SV_OK);
    cr_expect_eq(kind, SV_MEMORY_HOST);
    cr_expect_eq(sv_pointer_query(cells, NULL, NULL, NULL, NULL, NULL), SV_ERROR_NULL);
}
