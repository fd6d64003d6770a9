#define SVI_CONVERT svi_convert_plain
#include "convert_loops.h"

#define SVI_SCALE svi_scale_plain
#define SVI_TO_WHOLE svi_to_whole_plain
#include "affine_loops.h"
