/*
 * What is known of DLPack's device types: one table, which nothing else repeats. Whether a device can be used is the
 * backends' to say.
 */
#ifndef SVI_DEVICE_H
#define SVI_DEVICE_H

#include <stdbool.h>

#include "base/status.h"

struct svi_device {
    int32_t type; /* SV_DEVICE number */
    int32_t id;
};

/* Whose code serves a device type: the host's, or that of a driver. Whether there is such a driver here is the list's
 * of backends to say. */
enum svi_family { SVI_FAMILY_NONE, SVI_FAMILY_HOST, SVI_FAMILY_CUDA, SVI_FAMILY_ROCM };

struct svi_device_facts {
    const char *name;        /* for programs: "cuda_host" */
    const char *title;       /* in messages: "CUDA host" */
    uint32_t traits;         /* SV_TRAIT bits */
    enum svi_family owner;   /* says whether it can be used */
    enum svi_family family;  /* whose driver gives out such memory, and whose streams order the work on it */
    sv_memory kind;          /* of memory that the family gives out; SV_MEMORY_UNKNOWN where it has no family */
    bool pageable;           /* ordinary memory, which its owner may free while a device still copies */
    bool unified;            /* one address space, of the host and of CUDA devices, whatever the device number */
};

enum { SVI_DEVICE_TYPES = SV_DEVICE_TRN + 1 };

/* By their numbers; a number that no type has is without a name. Only numbers that were checked may be looked up. */
extern const struct svi_device_facts svi_devices[SVI_DEVICE_TYPES];

/* SV_ERROR_DEVICE, with the number in the message, unless it is a device type. */
sv_status svi_device_check_type(int32_t device_type);

/* The same of a device number that is negative, too. */
sv_status svi_device_check(struct svi_device device);

/* "CUDA", or NULL for a number that no device type has. Static text. */
const char *svi_device_title(int32_t device_type);

/* The device type of the memory of a kind that a family gives out; 0: it gives out none. */
int32_t svi_family_device_type(enum svi_family family, sv_memory kind);

/* "CUDA", of a family of a driver. Static text. */
const char *svi_family_title(enum svi_family family);

/* Of a number that was checked; trait is one SV_TRAIT bit. */
static inline bool svi_device_has(int32_t device_type, uint32_t trait)
{
    return (svi_devices[device_type].traits & trait) != 0;
}

/* The ordinary memory of this process. */
static const struct svi_device svi_cpu = {SV_DEVICE_CPU, 0};

static inline bool svi_is_cpu(struct svi_device device)
{
    return device.type == SV_DEVICE_CPU;
}

#endif
