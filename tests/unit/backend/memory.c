#include <criterion/criterion.h>

#include "backend/memory.h"

Test(memory, kinds_have_names)
{
    static const struct {
        sv_memory kind;
        const char *name;
    } cases[] = {
        {SV_MEMORY_HOST, "host"},       {SV_MEMORY_PINNED, "pinned"},   {SV_MEMORY_DEVICE, "device"},
        {SV_MEMORY_MANAGED, "managed"}, {SV_MEMORY_FOREIGN, "foreign"},
    };
    static const sv_memory none[] = {INT32_MIN, -1, SV_MEMORY_UNKNOWN, SVI_MEMORY_KINDS, INT32_MAX};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t alignment = svi_memory_kinds[cases[i].kind].alignment;

        cr_expect_str_eq(sv_memory_name(cases[i].kind), cases[i].name);
        cr_expect(alignment > 0 && (alignment & (alignment - 1)) == 0, "%s", cases[i].name);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_null(sv_memory_name(none[i]), "%d", (int)none[i]);
}

/* The facts of a family are those of its device types: no kind has two of them. */
Test(memory, kinds_have_device_types)
{
    static const struct {
        enum svi_family family;
        sv_memory kind;
        int32_t device_type;
    } cases[] = {
        {SVI_FAMILY_HOST, SV_MEMORY_HOST, SV_DEVICE_CPU},
        {SVI_FAMILY_CUDA, SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST},
        {SVI_FAMILY_CUDA, SV_MEMORY_DEVICE, SV_DEVICE_CUDA},
        {SVI_FAMILY_CUDA, SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED},
        {SVI_FAMILY_ROCM, SV_MEMORY_PINNED, SV_DEVICE_ROCM_HOST},
        {SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, SV_DEVICE_ROCM},
        {SVI_FAMILY_ROCM, SV_MEMORY_MANAGED, 0},
        {SVI_FAMILY_CUDA, SV_MEMORY_HOST, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(svi_family_device_type(cases[i].family, cases[i].kind), cases[i].device_type, "%zu", i);
    for (int32_t a = 1; a < SVI_DEVICE_TYPES; a++)
        for (int32_t b = a + 1; b < SVI_DEVICE_TYPES; b++)
            cr_expect(svi_devices[a].family == SVI_FAMILY_NONE || svi_devices[a].family != svi_devices[b].family ||
                          svi_devices[a].kind != svi_devices[b].kind, "%d, %d", (int)a, (int)b);
    cr_expect_str_eq(svi_family_title(SVI_FAMILY_CUDA), "CUDA");
    cr_expect_str_eq(svi_family_title(SVI_FAMILY_ROCM), "ROCm");
}
