/* No instruction set: loops of plain C. */
#include "isa.h"

const struct svi_isa svi_isa_plain = {
    .name = "plain",
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
    .to_whole = svi_to_whole_plain,
};
