#include <criterion/criterion.h>
#include <stdio.h>

#include "backend/device.h"

static const struct {
    int32_t type;
    const char *name, *title;
    uint32_t traits;
    bool host; /* read and written by the host, with no driver */
} devices[] = {
    {SV_DEVICE_CPU, "cpu", "CPU", SV_TRAIT_HOST, true},
    {SV_DEVICE_CUDA, "cuda", "CUDA", SV_TRAIT_CUDA, false},
    {SV_DEVICE_CUDA_HOST, "cuda_host", "CUDA host", SV_TRAIT_HOST | SV_TRAIT_CUDA, true},
    {SV_DEVICE_OPENCL, "opencl", "OpenCL", SV_TRAIT_HANDLES, false},
    {SV_DEVICE_VULKAN, "vulkan", "Vulkan", SV_TRAIT_HANDLES, false},
    {SV_DEVICE_METAL, "metal", "Metal", SV_TRAIT_HANDLES, false},
    {SV_DEVICE_VPI, "vpi", "VPI", 0, false},
    {SV_DEVICE_ROCM, "rocm", "ROCm", 0, false},
    {SV_DEVICE_ROCM_HOST, "rocm_host", "ROCm host", SV_TRAIT_HOST, true},
    {SV_DEVICE_EXT, "ext", "extension", 0, false},
    {SV_DEVICE_CUDA_MANAGED, "cuda_managed", "CUDA managed", SV_TRAIT_HOST | SV_TRAIT_CUDA | SV_TRAIT_MANAGED, false},
    {SV_DEVICE_ONEAPI, "oneapi", "oneAPI", 0, false},
    {SV_DEVICE_WEBGPU, "webgpu", "WebGPU", SV_TRAIT_HANDLES, false},
    {SV_DEVICE_HEXAGON, "hexagon", "Hexagon", 0, false},
    {SV_DEVICE_MAIA, "maia", "MAIA", 0, false},
    {SV_DEVICE_TRN, "trn", "Trainium", 0, false},
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
        size_t length = 0, start = strlen(devices[i].title);
        char text[300] = "";

        cr_assert_eq(sv_device_probe(devices[i].type, &state, &count), SV_OK, "%s", devices[i].title);
        cr_expect_eq(sv_device_probe(devices[i].type, &state, NULL), SV_OK, "%s", devices[i].title);
        cr_expect(state >= SV_STATE_READY && state <= SV_STATE_BROKEN, "%s: %d", devices[i].title, state);
        cr_expect_eq(count > 0, state == SV_STATE_READY, "%s: %d devices, state %d", devices[i].title, count, state);
        if (devices[i].host)
            cr_expect(state == SV_STATE_READY && count == 1, "%s", devices[i].title);
        else if (devices[i].type == SV_DEVICE_CUDA || devices[i].type == SV_DEVICE_CUDA_MANAGED)
            expect_cuda(state, count);
        else
            cr_expect_eq(state, SV_STATE_NO_BACKEND, "%s", devices[i].title);
        cr_expect_eq(sv_device_text(devices[i].type, sizeof text, text, &length), SV_OK);
        cr_expect_eq(strlen(text), length, "%s", text);
        cr_expect(strncmp(text, devices[i].title, start) == 0 && strncmp(text + start, ": ", 2) == 0 &&
                      length > start + 2, "%s", text);
        cr_expect_eq(sv_device_text(devices[i].type, length, text, NULL), SV_ERROR_BUFFER);
        cr_expect_str_eq(svi_device_title(devices[i].type), devices[i].title);
        cr_expect_str_eq(sv_device_name(devices[i].type), devices[i].name);
        cr_expect_eq(sv_device_traits(devices[i].type), devices[i].traits, "%s", devices[i].name);
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
        cr_expect_null(svi_device_title(unknown[i]));
        cr_expect_null(sv_device_name(unknown[i]));
        cr_expect_eq(sv_device_traits(unknown[i]), 0, "%s", number);
    }
}

Test(device, state_is_needed)
{
    int32_t count = 7;

    cr_expect_eq(sv_device_probe(SV_DEVICE_CPU, NULL, &count), SV_ERROR_NULL);
    cr_expect_eq(count, 7);
}

Test(device, the_host_tells_its_memory)
{
    static const int32_t types[] = {SV_DEVICE_CPU, SV_DEVICE_CUDA_HOST, SV_DEVICE_ROCM_HOST};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        int64_t total = 0, left = 0, value = 5;

        cr_expect_eq(sv_device_property(types[i], 0, SV_PROPERTY_MEMORY_TOTAL, &total), SV_OK);
        cr_expect_eq(sv_device_property(types[i], 0, SV_PROPERTY_MEMORY_FREE, &left), SV_OK);
        cr_expect(total > 1 << 26 && left > 0 && left <= total, "%lld of %lld", (long long)left, (long long)total);
        for (int32_t property = SV_PROPERTY_PAGEABLE_ACCESS; property <= SV_PROPERTY_MULTIPROCESSORS; property++) {
            value = 5;
            cr_expect(sv_device_property(types[i], 0, property, &value) == SV_OK && value == 0, "%d", property);
        }
        value = 5;
        cr_expect_eq(sv_device_property(types[i], 1, SV_PROPERTY_MEMORY_TOTAL, &value), SV_ERROR_DEVICE);
        cr_expect_eq(value, 5);
    }
}

Test(device, properties_that_are_refused)
{
    static const struct {
        int32_t type, id, property;
        sv_status status;
        const char *words;
    } cases[] = {
        {SV_DEVICE_CPU, 0, 0, SV_ERROR_INVALID, "no property has the number 0"},
        {SV_DEVICE_CPU, 0, SV_PROPERTY_MULTIPROCESSORS + 1, SV_ERROR_INVALID, "no property has the number 11"},
        {SV_DEVICE_CPU, 0, INT32_MIN, SV_ERROR_INVALID, "no property has the number -2147483648"},
        {SV_DEVICE_CUDA, 0, INT32_MAX, SV_ERROR_INVALID, "no property has the number 2147483647"},
        {SV_DEVICE_CPU, -1, SV_PROPERTY_IPC, SV_ERROR_DEVICE, "device number -1"},
        {SV_DEVICE_CPU, 3, SV_PROPERTY_IPC, SV_ERROR_DEVICE, "device number 3: the host is one device, number 0"},
        {5, 0, SV_PROPERTY_IPC, SV_ERROR_DEVICE, "no device type has the number 5"},
        {SV_DEVICE_METAL, 0, SV_PROPERTY_IPC, SV_ERROR_UNSUPPORTED, "Metal: libsv has no backend for it"},
        {SV_DEVICE_ROCM, 0, SV_PROPERTY_IPC, SV_ERROR_UNSUPPORTED, "ROCm: libsv has no backend for it"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 5;

        cr_expect_eq(sv_device_property(cases[i].type, cases[i].id, cases[i].property, &value), cases[i].status,
                     "%s", cases[i].words);
        cr_expect_str_eq(sv_last_message(), cases[i].words);
        cr_expect_eq(value, 5);
    }
    cr_expect_eq(sv_device_property(SV_DEVICE_CPU, 0, SV_PROPERTY_IPC, NULL), SV_ERROR_NULL);
}

/* Without a device, the words of the probe; with one, what it has. */
Test(device, cuda_devices_tell_or_say_why_not)
{
    static const int32_t types[] = {SV_DEVICE_CUDA, SV_DEVICE_CUDA_MANAGED};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        sv_device_state state = -1;
        int64_t value = -5;
        char text[300] = "";
        sv_status status;

        cr_assert_eq(sv_device_probe(types[i], &state, NULL), SV_OK);
        cr_assert_eq(sv_device_text(types[i], sizeof text, text, NULL), SV_OK);
        status = sv_device_property(types[i], 0, SV_PROPERTY_COMPUTE_CAPABILITY, &value);
        if (state == SV_STATE_READY) {
            cr_expect(status == SV_OK && value >= 50, "%lld", (long long)value);
            continue;
        }
        cr_expect_eq(status, state == SV_STATE_NO_BACKEND ? SV_ERROR_UNSUPPORTED : SV_ERROR_DEVICE);
        cr_expect_str_eq(strchr(sv_last_message(), ':'), strchr(text, ':'));
        cr_expect_eq(value, -5);
    }
}
