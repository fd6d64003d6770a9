/* In the place of the CUDA backend where it is not built: the same name, and honest answers. */
#include <stdio.h>

#include "backend/backend.h"
#include "gpu/cuda/cuda.h"

static sv_device_state probe_absent(int32_t device_type, int32_t *count, char *detail)
{
    (void)device_type;
    *count = 0;
    snprintf(detail, SVI_DETAIL, "libsv was built without it");
    return SV_STATE_NO_BACKEND;
}

static void choose_absent(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                          struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){"none", NULL, NULL};
}

static sv_status refuse_copy(const struct svi_request *request)
{
    (void)request;
    return svi_fail(SV_ERROR_UNSUPPORTED, "libsv was built without CUDA");
}

static sv_status refuse_synchronize(struct svi_device device, uintptr_t stream)
{
    (void)device, (void)stream;
    return svi_fail(SV_ERROR_UNSUPPORTED, "libsv was built without CUDA");
}

static sv_status refuse_query(struct svi_device device, uintptr_t stream, int32_t *device_id, bool *is_captured)
{
    (void)device_id, (void)is_captured;
    return refuse_synchronize(device, stream);
}

static sv_status refuse_wait(struct svi_device device, uintptr_t stream, struct svi_device other_device,
                             uintptr_t other)
{
    (void)other_device, (void)other;
    return refuse_synchronize(device, stream);
}

const struct svi_backend svi_cuda = {
    .name = "cuda",
    .family = SVI_FAMILY_CUDA,
    .probe = probe_absent,
    .choose = choose_absent,
    .copy = refuse_copy,
    .wait = refuse_wait,
    .synchronize = refuse_synchronize,
    .query_stream = refuse_query,
    .await_managed = refuse_synchronize,
    .driver = NULL,
};
