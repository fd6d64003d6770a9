#include <criterion/criterion.h>
#include <string.h>

#include "device/backends.h"

/* What a device type answers when one stream waits for another; AS_PROBED: ready or not, as the device is. */
enum { AS_PROBED = 1 };

static const struct {
    int32_t type;
    sv_status status;
} devices[] = {
    {SV_DEVICE_CPU, SV_OK},
    {SV_DEVICE_CUDA, AS_PROBED},
    {SV_DEVICE_CUDA_HOST, AS_PROBED},
    {SV_DEVICE_CUDA_MANAGED, AS_PROBED},
    {SV_DEVICE_OPENCL, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_VULKAN, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_METAL, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_VPI, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_ROCM, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_ROCM_HOST, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_EXT, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_ONEAPI, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_WEBGPU, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_HEXAGON, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_MAIA, SV_ERROR_UNSUPPORTED},
    {SV_DEVICE_TRN, SV_ERROR_UNSUPPORTED},
};

static sv_status with_cuda(void)
{
    sv_device_state state = SV_STATE_BROKEN;

    cr_assert_eq(sv_device_probe(SV_DEVICE_CUDA, &state, NULL), SV_OK);
    return state == SV_STATE_READY ? SV_OK : state == SV_STATE_NO_BACKEND ? SV_ERROR_UNSUPPORTED : SV_ERROR_DEVICE;
}

Test(stream, every_device_type)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        const int32_t type = devices[i].type;
        int32_t owner, captured;
        sv_status expected = devices[i].status == AS_PROBED ? with_cuda() : devices[i].status;

        cr_expect_eq(sv_stream_wait(type, 0, 2, type, 0, 1), expected, "%d: %s", (int)type, sv_last_message());
        cr_expect_eq(sv_stream_synchronize(type, 0, 1), expected, "%d: %s", (int)type, sv_last_message());
        owner = captured = 7;
        cr_expect_eq(sv_stream_query(type, 0, 1, &owner, &captured), expected, "%d: %s", (int)type, sv_last_message());
        cr_expect(expected == SV_OK ? owner == 0 && captured == 0 : owner == 7 && captured == 7, "%d", (int)type);
        cr_expect_eq(sv_stream_query(type, 0, 1, NULL, NULL), expected, "%d", (int)type);
        if (expected != SV_OK)
            cr_expect(strstr(sv_last_message(), expected == SV_ERROR_DEVICE ? "CUDA: " : "C") != NULL ||
                          strstr(sv_last_message(), "no backend puts streams of ") != NULL,
                      "%d: %s", (int)type, sv_last_message());
        cr_expect_eq(svi_backend_of_streams(type) == NULL,
                     devices[i].status == SV_ERROR_UNSUPPORTED, "%d", (int)type);
    }
}

/* Nothing has to be done, so nothing has to be there to do it. */
Test(stream, a_stream_does_not_wait_for_itself)
{
    static const uintptr_t same[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {UINTPTR_MAX, UINTPTR_MAX}};

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            cr_expect_eq(sv_stream_wait(devices[i].type, 3, same[k][0], devices[i].type, 3, same[k][1]), SV_OK,
                         "%d, %d", (int)devices[i].type, (int)k);
}

/* Two devices: the host has nothing to wait for and no stream that could wait, and each backend orders its own. */
Test(stream, two_devices)
{
    static const struct {
        const char *name;
        int32_t type, other_type;
        sv_status status;
        const char *told;
    } rows[] = {
        {"host, host", SV_DEVICE_CPU, SV_DEVICE_CPU, SV_OK, NULL},
        {"no backend, host", SV_DEVICE_ROCM, SV_DEVICE_CPU, SV_OK, NULL},
        {"device, host", SV_DEVICE_CUDA, SV_DEVICE_CPU, SV_OK, NULL},
        {"host, device", SV_DEVICE_CPU, SV_DEVICE_CUDA, SV_ERROR_INVALID, "host memory has no stream"},
        {"no backend, device", SV_DEVICE_ROCM, SV_DEVICE_CUDA, SV_ERROR_UNSUPPORTED, "streams of ROCm devices"},
        {"device, no backend", SV_DEVICE_CUDA, SV_DEVICE_ROCM, SV_ERROR_UNSUPPORTED, "streams of ROCm devices"},
        {"no such device", SV_DEVICE_CUDA, 5, SV_ERROR_DEVICE, "number 5"},
        {"the other's no such device", 5, SV_DEVICE_CUDA, SV_ERROR_DEVICE, "number 5"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(sv_stream_wait(rows[i].type, 0, 5, rows[i].other_type, 1, 6), rows[i].status, "%s: %s",
                     rows[i].name, sv_last_message());
        if (rows[i].told != NULL)
            cr_expect(strstr(sv_last_message(), rows[i].told) != NULL, "%s: %s", rows[i].name, sv_last_message());
    }
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CPU, 0, 1, SV_DEVICE_CPU, -1, 1), SV_ERROR_DEVICE);
}

Test(stream, refusals)
{
    static const struct {
        int32_t type, id;
        const char *told;
    } bad[] = {
        {0, 0, "no device type has the number 0"},
        {5, 0, "number 5"},
        {-1, 0, "number -1"},
        {INT32_MAX, 0, "number 2147483647"},
        {SV_DEVICE_CPU, -1, "device number -1"},
        {SV_DEVICE_CUDA, INT32_MIN, "device number -2147483648"},
        {SV_DEVICE_ROCM, -1, "device number -1"},
    };

    int32_t owner = 7, captured = 7;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(sv_stream_query(bad[i].type, bad[i].id, 1, &owner, &captured), SV_ERROR_DEVICE, "%s",
                     bad[i].told);
        cr_expect(strstr(sv_last_message(), bad[i].told) != NULL, "%s", sv_last_message());
        cr_expect_eq(sv_stream_wait(bad[i].type, bad[i].id, 1, SV_DEVICE_CPU, 0, 1), SV_ERROR_DEVICE, "%s",
                     bad[i].told);
        cr_expect(strstr(sv_last_message(), bad[i].told) != NULL, "%s", sv_last_message());
        cr_expect_eq(sv_stream_synchronize(bad[i].type, bad[i].id, 1), SV_ERROR_DEVICE, "%s", bad[i].told);
        cr_expect(strstr(sv_last_message(), bad[i].told) != NULL, "%s", sv_last_message());
    }
    cr_expect(owner == 7 && captured == 7);
}
