/* The backend: copies between memory of one device and of the host, in the order of a stream. */
#include "second/second.h"

#include <stdio.h>

#include "host/front/host.h"

static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    (void)device_type;
    *count = SECOND_DEVICES;
    snprintf(detail, SVI_DETAIL, "%d devices of host memory", SECOND_DEVICES);
    return SV_STATE_READY;
}

static bool is_on_device(struct svi_device device)
{
    return device.type == SV_DEVICE_ROCM;
}

static void choose(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){"second", NULL, NULL};
}

static void run_copy(const struct second_operation *self)
{
    const struct svi_request request = {&self->plan, svi_cpu, second_bytes(self->dst), svi_cpu,
                                        second_bytes(self->src), 0, SV_COPY_BLOCKING, NULL, NULL};

    if (svi_host.copy(&request) != SV_OK)
        fprintf(stderr, "second: %s\n", sv_last_message());
}

/* Ordinary memory may be freed as soon as the call returns. */
static bool has_to_wait(const struct svi_request *request)
{
    return (request->flags & SV_COPY_BLOCKING) || svi_devices[request->dst_device.type].pageable ||
           svi_devices[request->src_device.type].pageable;
}

static sv_status copy(const struct svi_request *request)
{
    const struct svi_device device = is_on_device(request->dst_device) ? request->dst_device : request->src_device;
    const struct second_operation operation = {
        .run = run_copy, .plan = *request->plan, .dst = request->dst, .src = request->src};

    second_counts[SECOND_COPY]++;
    SVI_TRY(second_give(device.id, request->stream, &operation));
    return has_to_wait(request) ? second_synchronize(device, request->stream) : SV_OK;
}

const struct svi_backend second_backend = {
    .name = "second",
    .family = SVI_FAMILY_ROCM,
    .probe = probe,
    .relations =
        1u << SVI_RELATION_WITHIN | 1u << SVI_RELATION_SEND | 1u << SVI_RELATION_FETCH | 1u << SVI_RELATION_PINNED,
    .choose = choose,
    .copy = copy,
    .wait = second_wait_for,
    .synchronize = second_synchronize,
    .await_managed = second_synchronize,
    .driver = &second_driver,
};
