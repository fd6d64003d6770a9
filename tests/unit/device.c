#include <criterion/criterion.h>
#include <stdio.h>

#include "device.h"

static const struct {
    int32_t type;
    const char *name;
    bool host; /* read and written by the host, with no driver */
} devices[] = {
    {SV_DEVICE_CPU, "CPU", true},
    {SV_DEVICE_CUDA, "CUDA", false},
    {SV_DEVICE_CUDA_HOST, "CUDA host", true},
    {SV_DEVICE_OPENCL, "OpenCL", false},
    {SV_DEVICE_VULKAN, "Vulkan", false},
    {SV_DEVICE_METAL, "Metal", false},
    {SV_DEVICE_VPI, "VPI", false},
    {SV_DEVICE_ROCM, "ROCm", false},
    {SV_DEVICE_ROCM_HOST, "ROCm host", true},
    {SV_DEVICE_EXT, "extension", false},
    {SV_DEVICE_CUDA_MANAGED, "CUDA managed", false},
    {SV_DEVICE_ONEAPI, "oneAPI", false},
    {SV_DEVICE_WEBGPU, "WebGPU", false},
    {SV_DEVICE_HEXAGON, "Hexagon", false},
    {SV_DEVICE_MAIA, "MAIA", false},
    {SV_DEVICE_TRN, "Trainium", false},
};

/* Memory that CUDA manages can be used where CUDA's devices can. */
static void expect_cuda(sv_device_state state, int32_t count)
{
    sv_device_state expected = -1;
    int32_t devices_found = -1;

    cr_assert_eq(sv_device_probe(SV_DEVICE_CUDA, &expected, &devices_found), SV_OK);
    cr_expect(state == expected && count == devices_found, "%d, %d", state, count);
}

Test(device, every_type_answers)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        sv_device_state state = -1;
        int32_t count = -1;
        size_t length = 0, name = strlen(devices[i].name);
        char text[300] = "";

        cr_assert_eq(sv_device_probe(devices[i].type, &state, &count), SV_OK, "%s", devices[i].name);
        cr_expect_eq(sv_device_probe(devices[i].type, &state, NULL), SV_OK, "%s", devices[i].name);
        cr_expect(state >= SV_STATE_READY && state <= SV_STATE_BROKEN, "%s: %d", devices[i].name, state);
        cr_expect_eq(count > 0, state == SV_STATE_READY, "%s: %d devices, state %d", devices[i].name, count, state);
        if (devices[i].host)
            cr_expect(state == SV_STATE_READY && count == 1, "%s", devices[i].name);
        else if (devices[i].type == SV_DEVICE_CUDA || devices[i].type == SV_DEVICE_CUDA_MANAGED)
            expect_cuda(state, count);
        else
            cr_expect_eq(state, SV_STATE_NO_BACKEND, "%s", devices[i].name);
        cr_expect_eq(sv_device_text(devices[i].type, sizeof text, text, &length), SV_OK);
        cr_expect_eq(strlen(text), length, "%s", text);
        cr_expect(strncmp(text, devices[i].name, name) == 0 && strncmp(text + name, ": ", 2) == 0 && length > name + 2,
                  "%s", text);
        cr_expect_eq(sv_device_text(devices[i].type, length, text, NULL), SV_ERROR_BUFFER);
        cr_expect_str_eq(svi_device_name(devices[i].type), devices[i].name);
    }
}

Test(device, unknown_types)
{
    static const int32_t unknown[] = {0, -1, 5, 6, 19, 1000, INT32_MIN, INT32_MAX};

    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char number[16];
        sv_device_state state = 77;
        int32_t count = 78;
        size_t length = 79;

        snprintf(number, sizeof number, "%d", (int)unknown[i]);
        cr_expect_eq(sv_device_probe(unknown[i], &state, &count), SV_ERROR_DEVICE, "%s", number);
        cr_expect(strstr(sv_last_message(), number) != NULL, "%s", sv_last_message());
        cr_expect_eq(sv_device_text(unknown[i], 0, NULL, &length), SV_ERROR_DEVICE, "%s", number);
        cr_expect(state == 77 && count == 78 && length == 79, "%s", number);
        cr_expect_null(svi_device_name(unknown[i]));
    }
}

Test(device, state_is_needed)
{
    int32_t count = 7;

    cr_expect_eq(sv_device_probe(SV_DEVICE_CPU, NULL, &count), SV_ERROR_NULL);
    cr_expect_eq(count, 7);
}
