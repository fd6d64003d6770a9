#define SVI_CONVERT svi_convert_plain
#include "convert_loops.h"
