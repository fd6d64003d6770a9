/* Which backends there are. With the driver of a second family: tests/unit/memory/families.c. */
#include <criterion/criterion.h>

#include "device/backends.h"

/* Memory of a family that no backend has is foreign, whatever its driver would call it. */
Test(backends, kinds_are_those_of_their_drivers)
{
    static const struct {
        int32_t type;
        sv_memory kind;
    } cases[] = {
        {SV_DEVICE_CPU, SV_MEMORY_HOST},          {SV_DEVICE_CUDA, SV_MEMORY_DEVICE},
        {SV_DEVICE_CUDA_HOST, SV_MEMORY_PINNED},  {SV_DEVICE_CUDA_MANAGED, SV_MEMORY_MANAGED},
        {SV_DEVICE_ROCM, SV_MEMORY_FOREIGN},      {SV_DEVICE_ROCM_HOST, SV_MEMORY_FOREIGN},
        {SV_DEVICE_OPENCL, SV_MEMORY_FOREIGN},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(svi_memory_kind_of(cases[i].type), cases[i].kind, "%d", (int)cases[i].type);
}

Test(backends, a_family_without_a_backend_has_no_driver)
{
    cr_expect_null(svi_backend_of(SVI_FAMILY_NONE));
    cr_expect_null(svi_backend_of(SVI_FAMILY_ROCM));
    cr_expect_null(svi_driver_of(SV_DEVICE_ROCM));
    cr_expect_null(svi_driver_of(SV_DEVICE_CPU));
    cr_expect_eq(svi_driver_refuse(SV_DEVICE_ROCM_HOST), SV_ERROR_UNSUPPORTED);
    cr_expect_str_eq(sv_last_message(), "libsv was built without ROCm");
}
