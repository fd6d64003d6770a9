/* Calls of the fault suite: versions, statuses, dtypes, devices and streams. */
#include <string.h>

#include "fault.h"

static sv_status version(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_version() >= 0);
}

static sv_status version_text(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_version_text()[0] != '\0');
}

static sv_status abi_version(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_abi_version() == SV_ABI_VERSION);
}

static sv_status features(struct fault_outputs *o)
{
    (void)o;
    return fault_right((sv_features() & ~3u) == 0);
}

static sv_status status_name(struct fault_outputs *o)
{
    (void)o;
    return fault_right(strcmp(sv_status_name(SV_OK), "SV_OK") == 0);
}

static sv_status last_message(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_last_message() != NULL);
}

static sv_status dtype_make(struct fault_outputs *o)
{
    return sv_dtype_make(kDLFloat, 32, 1, &o->dtype);
}

static sv_status dtype_itemsize(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_dtype_itemsize(SV_FLOAT32) == 4);
}

static sv_status dtype_code(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_dtype_code(SV_FLOAT32) == kDLFloat);
}

static sv_status dtype_bits(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_dtype_bits(SV_FLOAT32) == 32);
}

static sv_status dtype_lanes(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_dtype_lanes(SV_FLOAT32) == 1);
}

static sv_status dtype_name(struct fault_outputs *o)
{
    return sv_dtype_name(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_parse(struct fault_outputs *o)
{
    return sv_dtype_parse("float32", &o->dtype);
}

static sv_status dtype_typestr(struct fault_outputs *o)
{
    return sv_dtype_typestr(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_from_typestr(struct fault_outputs *o)
{
    return sv_dtype_from_typestr("<f4", &o->dtype);
}

static sv_status dtype_format(struct fault_outputs *o)
{
    return sv_dtype_format(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_from_format(struct fault_outputs *o)
{
    return sv_dtype_from_format("f", 4, &o->dtype);
}

static sv_status can_cast(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_can_cast(SV_FLOAT16, SV_FLOAT32, SV_CASTING_SAFE) == 1);
}

static sv_status device_name(struct fault_outputs *o)
{
    (void)o;
    return fault_right(strcmp(sv_device_name(SV_DEVICE_CUDA), "cuda") == 0);
}

static sv_status device_traits(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_device_traits(SV_DEVICE_CPU) == SV_TRAIT_HOST);
}

static sv_status memory_name(struct fault_outputs *o)
{
    (void)o;
    return fault_right(strcmp(sv_memory_name(SV_MEMORY_PINNED), "pinned") == 0);
}

static sv_status device_probe(struct fault_outputs *o)
{
    return sv_device_probe(SV_DEVICE_CPU, &o->state, &o->count);
}

static sv_status device_probe_cuda(struct fault_outputs *o)
{
    return sv_device_probe(SV_DEVICE_CUDA, &o->state, &o->count);
}

static sv_status device_text(struct fault_outputs *o)
{
    return sv_device_text(SV_DEVICE_CUDA, sizeof o->text, o->text, &o->length);
}

static sv_status device_property(struct fault_outputs *o)
{
    return sv_device_property(SV_DEVICE_CPU, 0, SV_PROPERTY_MEMORY_FREE, o->numbers);
}

static sv_status pointer_query(struct fault_outputs *o)
{
    return sv_pointer_query(o, &o->count, NULL, NULL, NULL, NULL);
}

static sv_status stream_wait(struct fault_outputs *o)
{
    (void)o;
    return sv_stream_wait(SV_DEVICE_CPU, 0, 5, SV_DEVICE_CPU, 0, 6);
}

static sv_status stream_synchronize(struct fault_outputs *o)
{
    (void)o;
    return sv_stream_synchronize(SV_DEVICE_CPU, 0, 5);
}

static sv_status stream_query(struct fault_outputs *o)
{
    return sv_stream_query(SV_DEVICE_CPU, 0, 5, &o->axes[0], &o->axes[1]);
}

static const struct fault_row rows[] = {
    {"sv_version", version, ALLOCATES_NOTHING},
    {"sv_version_text", version_text, ALLOCATES_NOTHING},
    {"sv_abi_version", abi_version, ALLOCATES_NOTHING},
    {"sv_features", features, ALLOCATES_NOTHING},
    {"sv_status_name", status_name, ALLOCATES_NOTHING},
    {"sv_last_message", last_message, ALLOCATES_NOTHING},
    {"sv_dtype_make", dtype_make, ALLOCATES_NOTHING},
    {"sv_dtype_itemsize", dtype_itemsize, ALLOCATES_NOTHING},
    {"sv_dtype_code", dtype_code, ALLOCATES_NOTHING},
    {"sv_dtype_bits", dtype_bits, ALLOCATES_NOTHING},
    {"sv_dtype_lanes", dtype_lanes, ALLOCATES_NOTHING},
    {"sv_dtype_name", dtype_name, ALLOCATES_NOTHING},
    {"sv_dtype_parse", dtype_parse, ALLOCATES_NOTHING},
    {"sv_dtype_typestr", dtype_typestr, ALLOCATES_NOTHING},
    {"sv_dtype_from_typestr", dtype_from_typestr, ALLOCATES_NOTHING},
    {"sv_dtype_format", dtype_format, ALLOCATES_NOTHING},
    {"sv_dtype_from_format", dtype_from_format, ALLOCATES_NOTHING},
    {"sv_can_cast", can_cast, ALLOCATES_NOTHING},
    {"sv_device_name", device_name, ALLOCATES_NOTHING},
    {"sv_device_traits", device_traits, ALLOCATES_NOTHING},
    {"sv_memory_name", memory_name, ALLOCATES_NOTHING},
    {"sv_device_probe", device_probe, ALLOCATES_NOTHING},
    {"sv_device_probe", device_probe_cuda, ALLOCATES_NOTHING},
    {"sv_device_text", device_text, ALLOCATES_NOTHING},
    {"sv_device_property", device_property, ALLOCATES_NOTHING},
    {"sv_pointer_query", pointer_query, ALLOCATES_NOTHING},
    {"sv_stream_wait", stream_wait, ALLOCATES_NOTHING},
    {"sv_stream_synchronize", stream_synchronize, ALLOCATES_NOTHING},
    {"sv_stream_query", stream_query, ALLOCATES_NOTHING},
};

const struct fault_rows fault_ground = {sizeof rows / sizeof *rows, rows};
