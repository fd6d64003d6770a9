/* In the place of the CUDA backend where it is not built: the same name, and honest answers. */
#include <stdio.h>

#include "backend/backend.h"
#include "cuda/cuda.h"

static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    (void)device_type;
    *count = 0;
    snprintf(detail, SVI_DETAIL, "libsv was built without it");
    return SV_STATE_NO_BACKEND;
}

static bool reaches(struct svi_device dst, struct svi_device src)
{
    (void)dst, (void)src;
    return false;
}

static void choose(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){"none", NULL, NULL};
}

static sv_status copy(const struct svi_request *request)
{
    (void)request;
    return svi_fail(SV_ERROR_UNSUPPORTED, "libsv was built without CUDA");
}

static sv_status synchronize(struct svi_device device, uintptr_t stream)
{
    (void)device, (void)stream;
    return svi_fail(SV_ERROR_UNSUPPORTED, "libsv was built without CUDA");
}

static sv_status wait(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    (void)other_device, (void)other;
    return synchronize(device, stream);
}

const struct svi_backend svi_cuda = {
    .name = "cuda",
    .family = SVI_FAMILY_CUDA,
    .probe = probe,
    .reaches = reaches,
    .choose = choose,
    .copy = copy,
    .wait = wait,
    .synchronize = synchronize,
    .settle = synchronize,
    .memory = NULL,
};
