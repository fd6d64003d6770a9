/* Who copies, and whose stream orders it, as sv_copy_placement() tells. Between ordinary memory nothing is asked: most
 * copies are that. */
#include "copies/order.h"

static int is_ordinary(const sv_view *target, const sv_view *source)
{
    return sv_view_device_type(target) == SV_DEVICE_CPU && sv_view_device_type(source) == SV_DEVICE_CPU;
}

int svpy_host_copies(const sv_view *target, const sv_view *source)
{
    int32_t by = SV_DEVICE_CPU;

    if (is_ordinary(target, source))
        return 1;
    return sv_copy_placement(target, source, 0, 0, &by, NULL, NULL, NULL, NULL, NULL) == SV_OK && by == SV_DEVICE_CPU;
}

const sv_view *svpy_copy_owner(const sv_view *target, const sv_view *source)
{
    int32_t type, id;

    if (is_ordinary(target, source) ||
        sv_copy_placement(target, source, 0, 0, NULL, &type, &id, NULL, NULL, NULL) != SV_OK)
        return target;
    return type == sv_view_device_type(source) && id == sv_view_device_id(source) &&
                   type != sv_view_device_type(target)
               ? source
               : target;
}
