/* No instruction set: loops of plain C. */
#include "isa.h"

#define SVI_CONVERT svi_convert_plain
#define SVI_SCALE svi_scale_plain
#include "convert_loops.h"

const struct svi_isa svi_isa_plain = {
    .name = "plain",
    .convert = svi_convert_plain,
    .scale = svi_scale_plain,
};
