/* By which way a copy goes: decided here alone. */
#ifndef SVI_GPU_ROUTE_H
#define SVI_GPU_ROUTE_H

#include "backend/backend.h"

enum svi_gpu_route {
    SVI_ROUTE_KERNEL,  /* within what one device reaches */
    SVI_ROUTE_PITCHED, /* the copy engine, between host and device */
    SVI_ROUTE_MAPPED,  /* a kernel that reads or writes pinned memory */
    SVI_ROUTE_STAGED,  /* scratch memory of the device, the copy engine and a kernel */
    SVI_ROUTE_RINGED,  /* pinned memory of the library's own, and the host engine */
    SVI_ROUTE_PEER,    /* the copy engine, between devices */
    SVI_ROUTE_PACKED,  /* kernels of both devices, and the copy engine between dense memory */
    SVI_ROUTE_COUNT
};

/* Bytes of a copy from which on the driver may copy ordinary memory itself. Tests make them fewer. */
extern int64_t svi_gpu_driven_nbytes;

/* Whether the kernels of one device copy it all. */
bool svi_gpu_is_within(struct svi_device dst, struct svi_device src);

/* Whether one of them is ordinary memory of the host. */
bool svi_gpu_is_pageable(struct svi_device dst, struct svi_device src);

/* The way of a plan that is not empty, where the relation of the two sides is known. device is that of the stream. Of
 * addresses only that of ordinary memory counts; where it is NULL, it is taken for memory of the process's own. */
enum svi_gpu_route svi_gpu_route_of(enum svi_relation relation, const struct svi_request *request, int device);

/* Finds the relation of the two sides, and then the way as svi_gpu_route_of() does. */
enum svi_gpu_route svi_gpu_find_route(const struct svi_request *request, int device);

/* Whether the way of the request is SVI_ROUTE_RINGED. */
bool svi_gpu_is_ringed(const struct svi_request *request, int device);

/* What a user is told of it: the name of the kernel for aligned addresses, or of the route. Static text. */
const char *svi_gpu_route_name(const struct svi_plan *plan, struct svi_device dst, struct svi_device src);

/* Of a staged or a packed copy: the side that the kernels of this device do not reach, of enum svi_side. */
int32_t svi_gpu_far_side(struct svi_device dst, struct svi_device src, int device);

#endif
