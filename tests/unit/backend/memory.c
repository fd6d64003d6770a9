#include <criterion/criterion.h>

#include "backend/memory.h"

Test(memory, kinds_have_names_and_devices)
{
    static const struct {
        sv_memory kind;
        const char *name;
        int32_t device_type;
    } cases[] = {
        {SV_MEMORY_HOST, "host", SV_DEVICE_CPU},
        {SV_MEMORY_PINNED, "pinned", SV_DEVICE_CUDA_HOST},
        {SV_MEMORY_DEVICE, "device", SV_DEVICE_CUDA},
        {SV_MEMORY_MANAGED, "managed", SV_DEVICE_CUDA_MANAGED},
        {SV_MEMORY_FOREIGN, "foreign", SV_DEVICE_ROCM},
        {SV_MEMORY_FOREIGN, "foreign", SV_DEVICE_OPENCL},
    };
    static const sv_memory none[] = {INT32_MIN, -1, SV_MEMORY_UNKNOWN, SVI_MEMORY_KINDS, INT32_MAX};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t alignment = svi_memory_kinds[cases[i].kind].alignment;

        cr_expect_str_eq(sv_memory_name(cases[i].kind), cases[i].name);
        cr_expect_eq(svi_memory_kind_of(cases[i].device_type), cases[i].kind, "%s", cases[i].name);
        cr_expect(alignment > 0 && (alignment & (alignment - 1)) == 0, "%s", cases[i].name);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_null(sv_memory_name(none[i]), "%d", (int)none[i]);
}
